"""Time in a match: absences that seats declare, and the game master's clock: extend, pause, resume, house rules, a preview.

Pages, API and mail go through here; what is late and what then happens is kept by the post (docs/play-by-mail.md).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any, TypeVar

from domain import deadlines, orders
from domain.deadlines import DAY, HOUR, MINUTE, AbsenceDeclared, Calendar, DeadlineSet, HouseRules
from domain.kernel.chance import Recorded
from domain.kernel.errors import BrokenLog, NotFound, Refused, RulesCrashed
from domain.kernel.event import DECIDED, Event
from domain.kernel.schema import ARBITER
from domain.log import events_of
from domain.match import GAME_MASTER, RUNNING, Match
from service.database import Database
from service.mail.facts import Facts
from service.mail.late import answer_for
from service.mail.situation import Situation, people, situation
from service.matches import Matches, master

SPAN = re.compile(r"(\d{1,3})\s+(hours?|days?)\b\s*(.*)", re.IGNORECASE)
DATE = r"(\d{4}-\d{2}-\d{2})"
FROM_TO = re.compile(rf"(?:from\s+)?{DATE}\s*(?:to|until|till|-)\s*{DATE}\s*", re.IGNORECASE)
UNTIL = re.compile(rf"(?:to|until|till)\s+{DATE}\s*", re.IGNORECASE)

T = TypeVar("T")


def minutes(text: str) -> tuple[int, str]:
    """`24 hours for the fair`: how many minutes, and the rest."""
    found = SPAN.match(text.strip())
    if found is None:
        raise Refused("", "say how long: 24 hours, 3 days", legal=["24 hours", "3 days"])
    unit = HOUR if found[2].lower().startswith("hour") else DAY
    return int(found[1]) * unit // MINUTE, found[3].strip()


def span(text: str, zone: str, now: int) -> tuple[int, int]:
    """`2026-07-01 to 2026-07-14`, `until 2026-07-14` or `5 days`: whole days in the reader's zone, or so long from now on."""
    text = text.strip()
    try:
        if found := FROM_TO.fullmatch(text):
            return midnight(found[1], zone), midnight(found[2], zone, after=1)
        if found := UNTIL.fullmatch(text):
            return now, midnight(found[1], zone, after=1)
    except ValueError:
        raise Refused("", f"{text[:40]!r} is no date", legal=["2026-07-01 to 2026-07-14"]) from None
    if not SPAN.fullmatch(text):
        raise Refused("", "say when you are away", legal=["2026-07-01 to 2026-07-14", "until 2026-07-14", "5 days", "back"])
    return now, now + minutes(text)[0] * MINUTE


def midnight(day: str, zone: str, after: int = 0) -> int:
    """The beginning of a day in a zone, or of a day after it."""
    found = date.fromisoformat(day) + timedelta(days=after)
    return deadlines.plain_hour(datetime.combine(found, datetime.min.time()), deadlines.zone(zone))


class Timing:
    """Absences of seats, and the clock of a match."""

    def __init__(self, matches: Matches, database: Database, clock: Callable[[], int] | None = None) -> None:
        self._matches, self._facts, self.now = matches, Facts(database), clock or matches.clock

    # -- seats -----------------------------------------------------------------------------------

    def leave(self, who: str, id: str, seat: str, start: int, end: int) -> AbsenceDeclared:
        """Declare an absence of one's own."""
        self._player(who, id, seat)
        at = self.now()

        def verb(book: Calendar) -> AbsenceDeclared:
            book.leave(seat, start, end, at)
            return book.absences[seat]

        return self._facts.change(Calendar, id, verb)

    def come_back(self, who: str, id: str, seat: str) -> None:
        self._player(who, id, seat)
        at = self.now()
        self._facts.change(Calendar, id, lambda book: book.come_back(seat, at))

    def absences(self, who: str, id: str) -> list[AbsenceDeclared]:
        """Declared absences that are not over: one's own; to the game master, all."""
        match, book, at = self._matches.see(who, id), self._facts.load(Calendar, id), self.now()
        seats = match.seats if GAME_MASTER in match.roles(who) else match.seats_of(who)
        return [found for seat in seats if (found := book.away(seat, at)) is not None]

    def _player(self, who: str, id: str, seat: str) -> Match:
        match = self._matches.see(who, id)
        if seat not in match.seats_of(who):
            raise NotFound(f"there is no seat {seat!r}")
        if match.state != RUNNING:
            raise Refused("", f"the match is {match.state}")
        return match

    # -- everybody at the table --------------------------------------------------------------------

    def calendar(self, who: str, id: str) -> tuple[Calendar, int]:
        """The calendar of a match, for those who may know of the match, and what time it is."""
        self._matches.see(who, id)
        return self._facts.load(Calendar, id), self.now()

    # -- the game master -----------------------------------------------------------------------------

    def extend(self, who: str, id: str, seat: str, length: int, reason: str = "") -> list[DeadlineSet]:
        """More time for a seat, or with none named for all."""
        match, at = self._master(who, id), self.now()
        if seat and seat not in match.seats:
            raise NotFound(f"there is no seat {seat!r}")
        return self._facts.change(Calendar, id, lambda book: book.extend(seat, length, who, reason[:200], at))

    def pause(self, who: str, id: str, length: int, reason: str = "") -> None:
        self._master(who, id)
        at = self.now()
        self._facts.change(Calendar, id, lambda book: book.pause(length, who, reason[:200], at))

    def resume(self, who: str, id: str) -> None:
        self._master(who, id)
        at = self.now()
        self._facts.change(Calendar, id, lambda book: book.resume(at))

    def set_rules(self, who: str, id: str, rules: HouseRules) -> None:
        self._master(who, id)
        self._facts.change(Calendar, id, lambda book: book.set_rules(rules))

    def _master(self, who: str, id: str) -> Match:
        match = self._matches.register.load(id)
        master(who, match)
        return match

    def preview(self, who: str, id: str) -> list[dict[str, Any]]:
        """What would be done for each seat if its time ran out now: the policy, and for a game master who sees everything, who is put
        on record as having looked, the answer and what would follow up to the first draw."""
        match = self._master(who, id)
        if match.state != RUNNING:
            raise Refused("", f"there is nothing to preview: the match is {match.state}")
        book, now = self._facts.load(Calendar, id), situation(self._matches, match)
        told = [self._shown(now, book, seat) for seat in now.waited_for()]
        if ARBITER in self._matches.viewers(who, match):
            self._matches.look(who, id, ARBITER, what="preview")
            run = now.run.fork(Recorded())
            for row in told:
                if row["policy"] != "a bot plays":
                    self._foresee(now, run, book, row)
        return told

    def _shown(self, now: Situation, book: Calendar, seat: str) -> dict[str, Any]:
        deadline = book.of(now.line, seat)
        policy = book.rules.late if seat in people(now.match) else "a bot plays"
        held = (now.line, now.opened(seat), seat) in book.holds
        return {
            "seat": seat,
            "question": now.must(seat)[0].key,
            "due": deadline.due if deadline else None,
            "closes": deadline.closes if deadline else None,
            "policy": policy,
            "holds": held,
            "order": None,
            "then": [],
        }

    def _foresee(self, now: Situation, run: Any, book: Calendar, row: dict[str, Any]) -> None:
        ask = now.must(row["seat"])[0]
        late = deadlines.DEFAULT if row["holds"] and row["policy"] == deadlines.SUBSTITUTE else row["policy"]
        found = answer_for(self._facts, now, ask, late)
        if found is None:
            return
        row["order"] = orders.say(now.title, ask, found[0])
        try:
            parts = run.answer(ask.seat, ask.key, found[0])
        except BrokenLog:
            row["then"] = ["then chance decides"]
            return
        except (Refused, RulesCrashed) as failed:
            row["then"] = [f"this cannot be foreseen: {failed}"]
            return
        made = events_of(parts, Event(0, DECIDED, ask.seat, ask.key, found[0]), now.version)
        row["then"] = [sentence for event in made for sentence in now.title.tell(event, str)]
