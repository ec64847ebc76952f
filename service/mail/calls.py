"""Calls for a substitute, told to everybody at the table and to the game master: who is wanted where, never why anybody is away."""

from __future__ import annotations

from domain.match import Called, Match
from service.mail import letters
from service.mail.office import NONE, Office
from service.mail.paper import Block, Copy, Paper, Say
from service.mail.situation import people
from service.web.text import _


def deliver(office: Office, match: Match) -> None:
    """Tell each call once."""
    for call in match.calls.values():
        for seat in people(match):
            account = office.addresses.holder(match, seat)
            if account is not None and office.wish(match.id, seat, account.id).mode != NONE:
                mark = f"{call.seat}-{call.at // 1000}"
                with office.speaking(match, seat):
                    office.outbox.add(match, seat, account, "call", match.id, 0, _paper(office, match, seat, call), mark=mark)


def _paper(office: Office, match: Match, seat: str, call: Called) -> Paper:
    if seat == call.seat:
        said = [
            _("Your seat is open for a substitute."),
            _(
                "It is still yours: answer what you are asked, and you keep it. Whoever comes first instead takes it with all it knows."
            ),
        ]
    else:
        said = [_("A substitute is wanted for {seat}. Do you know somebody? This is the page to come to:").format(seat=call.seat)]
    blocks: list[Block] = [Say(said)]
    if seat != call.seat:
        blocks.append(Copy(f"{office.page(match)}times/"))
    return Paper(
        letters.subject(match, seat, _("a substitute for {seat}").format(seat=call.seat)), [*blocks, *letters.footer(office, match)]
    )
