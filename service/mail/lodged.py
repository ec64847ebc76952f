"""Standing orders at work: they answer what their seat is asked, as if it had written at that moment."""

from __future__ import annotations

from domain import orders, standing
from domain.kernel.ask import Ask
from domain.kernel.errors import Refused, RulesCrashed, Stale
from domain.match import RUNNING
from domain.orders import OrderError
from domain.standing import Book, Standing
from service.mail.office import Office
from service.mail.situation import Situation, people, situation

MOST_ANSWERS = 200


def all_standing_orders(office: Office, id: str) -> None:
    """Let standing orders answer until a person is asked."""
    for _ in range(MOST_ANSWERS):
        match = office.matches.register.load(id)
        if match.state != RUNNING or not by_standing_order(office, situation(office.matches, match)):
            return


def by_standing_order(office: Office, now: Situation) -> bool:
    """Let the first standing order that fits answer; whether one did."""
    match = now.match
    book = office.facts.load(Book, match.id)
    for seat in people(match):
        holder = match.holder(seat)
        for ask in now.must(seat) if book.of(seat, holder) else ():
            look = office.matches.look(holder, match.id, seat, note=False)
            given = (seat, holder, ask.key, standing.own_cards(look.table(), seat), office.clock.now())
            one = office.facts.change(Book, match.id, lambda book, given=given: book.due(*given))  # type: ignore[misc]
            if one is not None and _use(office, now, ask, holder, one):
                return True
    return False


def _use(office: Office, now: Situation, ask: Ask, holder: str, one: Standing) -> bool:
    """Answer by a standing order. Others see an answer by mail: what somebody lodged in advance is their own business."""
    id, seat, number, at = now.match.id, ask.seat, one.lodged.id, office.clock.now()
    try:
        order = orders.read(now.title, [ask], one.lodged.order)
        once = f"standing {now.line} {now.version} {seat}"
        done = office.matches.decide(holder, id, seat, order.key, order.answer, expect=now.version, once=once, via="mail")
    except Stale:
        return False
    except (OrderError, Refused, RulesCrashed) as wrong:
        why = f"it could not be carried out at version {now.version}: {wrong}"[:300]
        office.facts.change(Book, id, lambda book: book.cancel(seat, holder, number, why, at))
        return False
    office.facts.change(Book, id, lambda book: book.use(number, now.line, done.events[0].version, at))
    return True
