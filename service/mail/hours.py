"""The calendar of a match follows its questions: each gets its deadline when it is asked, and loses it when it is gone."""

from __future__ import annotations

from domain.deadlines import ANSWERED, GONE, Calendar, Key
from service.mail.office import Office
from service.mail.situation import Situation, people


def keep_calendar(office: Office, now: Situation) -> Calendar:
    """The calendar as it is with the questions of now; where there are no house rules, nothing is kept."""
    calendar = office.calendar(now.match.id)
    if not (calendar.open or calendar.rules.vectors or calendar.paused):
        return calendar
    at = office.clock.now()
    return office.facts.change(Calendar, now.match.id, lambda book: _kept(book, now, at))


def _kept(calendar: Calendar, now: Situation, at: int) -> Calendar:
    calendar.wake(at)
    seats = people(now.match)
    asked = {(now.line, now.opened(seat), seat): now.must(seat)[0] for seat in seats if now.must(seat)}
    for mark, one in list(calendar.open.items()):
        if mark not in asked:
            calendar.close(mark, GONE if one.line != now.line or one.seat not in seats else ANSWERED, at)
    for (line, version, seat), ask in asked.items():
        came = now.match.came(seat)
        if came and came > calendar.set_at((line, version, seat)):
            _welcome(calendar, (line, version, seat), ask.key, max(at, came))
        calendar.ask(line, version, seat, ask.key, at)
    return calendar


def _welcome(calendar: Calendar, mark: Key, key: str, at: int) -> None:
    """A substitute has a full fresh deadline, and the absence of whoever sat there before is none of theirs."""
    if calendar.away(mark[2], at) is not None:
        calendar.come_back(mark[2], at)
    calendar.renew(mark, key, at)
