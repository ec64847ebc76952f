"""Calls for a substitute, told to everybody at the table and to the game master: who is wanted where, never why anybody is away."""

from __future__ import annotations

from domain.match import Called, Match
from service.mail import letters
from service.mail.office import NONE, Office
from service.mail.paper import Block, Copy, Paper, Say
from service.mail.situation import people


def deliver(office: Office, match: Match) -> None:
    """Tell each call once."""
    for call in match.calls.values():
        for seat in people(match):
            account = office.addresses.holder(match, seat)
            if account is not None and office.wish(match.id, seat, account.id).mode != NONE:
                mark = f"{call.seat}-{call.at // 1000}"
                office.outbox.add(match, seat, account, "call", match.id, 0, _paper(office, match, seat, call), mark=mark)


def _paper(office: Office, match: Match, seat: str, call: Called) -> Paper:
    if seat == call.seat:
        said = [
            "Your seat is open for a substitute.",
            "It is still yours: answer what you are asked, and you keep it. Whoever comes first instead takes it with all it knows.",
        ]
    else:
        said = [f"A substitute is wanted for {call.seat}. Do you know somebody? This is the page to come to:"]
    blocks: list[Block] = [Say(said)]
    if seat != call.seat:
        blocks.append(Copy(office.page(match)))
    return Paper(letters.subject(match, seat, f"a substitute for {call.seat}"), [*blocks, *letters.footer(office, match)])
