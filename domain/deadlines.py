"""When answers are due: the house rules for time, deadlines worked out once and kept as facts in UTC, extensions, pauses, absences.

Facts, then fold, then decide. Nothing here reads a clock: every verb is told what time it is, in milliseconds UTC.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from datetime import time as clock_time
from typing import Final, Literal, NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from domain.facts import Folded
from domain.kernel.errors import NotFound, Refused

MINUTE = 60_000
HOUR = 60 * MINUTE
DAY = 24 * HOUR
YEAR = 365 * DAY
LONGEST_PAUSE = 14 * DAY
LONGEST_ABSENCE = 60 * DAY
LONG_AHEAD = 1 << 62
EVERY_DAY = (0, 1, 2, 3, 4, 5, 6)
CLOCK = re.compile(r"([01]\d|2[0-3]):([0-5]\d)")

# What happens to the late, and how a deadline ends.
WAIT: Final = "wait"
DEFAULT: Final = "default"
DRAFT: Final = "draft"
REGENT: Final = "regent"
SUBSTITUTE: Final = "substitute"
POLICIES: Final = (WAIT, DEFAULT, DRAFT, REGENT, SUBSTITUTE)
ABSENT: Final = "absence"
ANSWERED: Final = "answered"
HELD: Final = "held"
MISSED: Final = "missed"
GONE: Final = "gone"


# -- the vector: how long one kind of question may take ------------------------------------------------


class Vector(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How long a question may take, in minutes; `clock` (an hour of day) and `days` (0 is Monday) move the end in a zone."""

    next: int = 48 * 60
    min: int = 0
    grace: int = 24 * 60
    clock: str = ""
    days: tuple[int, ...] = EVERY_DAY
    zone: str = "UTC"


class Times(NamedTuple):
    """Nobody is answered for before `earliest`; the answer is due at `due`; after `closes` the policy of the match acts."""

    earliest: int
    due: int
    closes: int


def checked(vector: Vector) -> Vector:
    """A vector that can work, or a refusal that says what cannot."""
    if not 0 <= vector.min <= vector.next <= 365 * 24 * 60 or not 0 <= vector.grace <= 365 * 24 * 60:
        raise Refused("", "a deadline has 0 <= min <= next and 0 <= grace, in minutes, none of them over a year")
    if vector.clock and not CLOCK.fullmatch(vector.clock):
        raise Refused("", f"{vector.clock!r} is no hour of day", legal=["20:00"])
    if not vector.days or not set(vector.days) <= set(EVERY_DAY):
        raise Refused("", "days are numbers from 0 (Monday) to 6, at least one of them", legal=list(EVERY_DAY))
    zone(vector.zone)
    return vector


def zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise Refused("", f"there is no time zone {name!r}", legal=["UTC", "Europe/Madrid"]) from None


def times(vector: Vector, asked: int) -> Times:
    """The deadline of a question that was asked at a moment."""
    due = on_the_clock(vector, asked + vector.next * MINUTE)
    return Times(asked + vector.min * MINUTE, due, due + vector.grace * MINUTE)


def on_the_clock(vector: Vector, at: int) -> int:
    """The first moment from `at` on at the vector's hour, on one of its days; `at` itself where neither is asked for."""
    here = zone(vector.zone)
    local = datetime.fromtimestamp(at / 1000, here)
    if not vector.clock and local.weekday() in vector.days:
        return at
    hour = clock_time.fromisoformat(vector.clock) if vector.clock else local.time().replace(microsecond=0)
    for ahead in range(10):  # two weeks' worth of the same weekday are never needed
        day: date = local.date() + timedelta(days=ahead)
        if day.weekday() in vector.days:
            found = plain_hour(datetime.combine(day, hour), here)
            if found >= at:
                return found
    raise AssertionError("a week has seven days")


def plain_hour(local: datetime, here: ZoneInfo) -> int:
    """The moment of a local time; one that the clocks skip or show twice is moved to the first after it that they show once."""
    while local.replace(tzinfo=here, fold=0).utcoffset() != local.replace(tzinfo=here, fold=1).utcoffset():
        local += timedelta(minutes=1)
    return int(local.replace(tzinfo=here).timestamp()) * 1000


# -- facts (storage format: add fields at the end, never rename or reorder) ---------------------------


class HouseRules(msgspec.Struct, frozen=True, tag="rules"):
    """How a match is played by mail: vectors by question ("" for all others), what happens to the late, how orders are read.

    Declared absences stretch the deadlines of a seat by at most `absence` days a year; 0: not at all.
    """

    vectors: dict[str, Vector] = {}
    late: Literal["wait", "default", "draft", "regent", "substitute"] = WAIT
    lenient: bool = False
    anonymous: bool = False
    by: str = ""
    at: int = 0
    absence: int = 14


class DeadlineSet(msgspec.Struct, frozen=True, tag="set"):
    """Worked out once, when the question was asked: never again, whatever happens to time zones."""

    line: str
    version: int
    seat: str
    key: str
    asked: int
    earliest: int
    due: int
    closes: int


class Extended(msgspec.Struct, frozen=True, tag="extended"):
    line: str
    version: int
    seat: str
    due: int
    closes: int
    by: str
    reason: str
    at: int


class Paused(msgspec.Struct, frozen=True, tag="paused"):
    """No time runs until then, or until somebody resumes."""

    until: int
    by: str
    reason: str
    at: int


class Resumed(msgspec.Struct, frozen=True, tag="resumed"):
    """Time runs again; `moved` are the open deadlines as they are now."""

    moved: list[DeadlineSet]
    at: int


class PauseVoted(msgspec.Struct, frozen=True, tag="pause_voted"):
    seat: str
    until: int
    at: int


class Held(msgspec.Struct, frozen=True, tag="held"):
    """The seat says that it gives no order: what the policy then does is not a missed order."""

    line: str
    version: int
    seat: str
    at: int


class Closed(msgspec.Struct, frozen=True, tag="closed"):
    """A deadline that is over, and how: answered, held, missed, or gone with the question."""

    line: str
    version: int
    seat: str
    how: Literal["answered", "held", "missed", "gone"]
    at: int


class AbsenceDeclared(msgspec.Struct, frozen=True, tag="absent"):
    """A seat says that it is away; it ends by itself. The next one of the seat takes its place."""

    seat: str
    start: int
    end: int
    at: int


class AbsenceEnded(msgspec.Struct, frozen=True, tag="back"):
    """Back early, or somebody else sits there: deadlines that were stretched stay so."""

    seat: str
    at: int


Fact = HouseRules | DeadlineSet | Extended | Paused | Resumed | PauseVoted | Held | Closed | AbsenceDeclared | AbsenceEnded
encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Fact).decode

Key = tuple[str, int, str]


# -- the calendar ------------------------------------------------------------------------------------


class Calendar(Folded[Fact]):
    """The deadlines of one match."""

    def begin(self) -> None:
        self.rules = HouseRules()
        self.open: dict[Key, DeadlineSet] = {}
        self.closed: dict[Key, Closed] = {}
        self.holds: set[Key] = set()
        self.paused: Paused | None = None
        self.votes: dict[str, int] = {}
        self.absences: dict[str, AbsenceDeclared] = {}
        self._stretched: list[tuple[str, int, int]] = []  # by absences: seat, when, by how much
        self._granted: dict[Key, list[tuple[int, int]]] = {}  # which time did not run for a deadline
        self._missed: dict[str, int] = {}
        self._set: dict[Key, int] = {}

    # -- house rules -----------------------------------------------------------------------------

    def set_rules(self, rules: HouseRules) -> None:
        """New house rules: deadlines that are set stay as they are."""
        for vector in rules.vectors.values():
            checked(vector)
        if not 0 <= rules.absence <= 365:
            raise Refused("", "absences stretch deadlines by 0 to 365 days a year")
        self._record(rules)

    def vector(self, key: str) -> Vector | None:
        return self.rules.vectors.get(key) or self.rules.vectors.get("")

    # -- deadlines -------------------------------------------------------------------------------

    def ask(self, line: str, version: int, seat: str, key: str, at: int) -> DeadlineSet | None:
        """Set the deadline of a question once; None where the house rules give it none."""
        vector, mark = self.vector(key), (line, version, seat)
        if mark in self.open or mark in self.closed or vector is None:
            return self.open.get(mark)
        self._record(DeadlineSet(line, version, seat, key, at, *times(vector, at)))
        self._stretch(self.open[mark], at)
        return self.open[mark]

    def renew(self, mark: Key, key: str, at: int) -> None:
        """A full fresh deadline: somebody else sits there now."""
        vector = self.vector(key)
        if vector is not None:
            self._record(DeadlineSet(*mark, key, at, *times(vector, at)))

    def set_at(self, mark: Key) -> int:
        """When the deadline of a question was set, also of one that is over; a question without one is as new as can be."""
        return self._set.get(mark, LONG_AHEAD)

    def close(self, mark: Key, how: Literal["answered", "held", "missed", "gone"], at: int) -> None:
        if mark in self.open:
            self._record(Closed(*mark, how, at))

    def close_all(self, at: int) -> None:
        """The game is over: nobody is waited for any more."""
        for mark in list(self.open):
            self.close(mark, GONE, at)

    def hold(self, line: str, version: int, seat: str, at: int) -> None:
        if (line, version, seat) not in self.holds:
            self._record(Held(line, version, seat, at))

    def extend(self, seat: str, minutes: int, by: str, reason: str, at: int) -> list[DeadlineSet]:
        """More time for the open deadlines of a seat, or of every seat."""
        if not 0 < minutes <= LONGEST_PAUSE // MINUTE:
            raise Refused("", "an extension has 1 minute to 14 days")
        found = [one for one in self.open.values() if seat in ("", one.seat)]
        if not found:
            raise NotFound("there is no open deadline to extend")
        for one in found:
            due = max(one.due, at) + minutes * MINUTE
            self._record(Extended(one.line, one.version, one.seat, due, due + one.closes - one.due, by, reason, at))
        return [self.open[one.line, one.version, one.seat] for one in found]

    # -- absences --------------------------------------------------------------------------------

    def leave(self, seat: str, start: int, end: int, at: int) -> None:
        """Declare an absence: the time a seat is away does not run for it, as far as the house rules allow."""
        start = max(start, at)
        if not start < end <= start + LONGEST_ABSENCE:
            raise Refused("", f"an absence ends after it starts, at most {LONGEST_ABSENCE // DAY} days later, and not in the past")
        if start > at + YEAR:
            raise Refused("", "an absence starts within a year")
        known = self.away(seat, at)
        if known is not None and (known.start, known.end) == (start, end):
            return
        self._record(AbsenceDeclared(seat, start, end, at))
        for one in [one for one in self.open.values() if one.seat == seat]:
            self._stretch(one, at)

    def come_back(self, seat: str, at: int) -> None:
        if self.away(seat, at) is None:
            raise NotFound(f"no absence of {seat} is declared")
        self._record(AbsenceEnded(seat, at))

    def away(self, seat: str, at: int) -> AbsenceDeclared | None:
        """The absence of a seat that is on or to come; one that is over is none."""
        found = self.absences.get(seat)
        return found if found is not None and found.end > at else None

    def absence_left(self, seat: str, at: int) -> int:
        """How much more the deadlines of a seat may be stretched this year, in milliseconds."""
        used = sum(by for name, when, by in self._stretched if name == seat and when > at - YEAR)
        return max(0, self.rules.absence * DAY - used)

    def _stretch(self, one: DeadlineSet, at: int) -> None:
        """The time between question and deadline that its seat is away comes on top; who looks sees an extension."""
        away = self.away(one.seat, at)
        if away is None or not (away.start < one.due and one.asked < away.end):
            return
        start = max(away.start, one.asked)
        granted = self._granted.get((one.line, one.version, one.seat), [])
        known = sum(max(0, min(away.end, end) - max(start, begin)) for begin, end in granted)
        by = min(away.end - start - known, self.absence_left(one.seat, at))
        if by > 0:
            due = on_the_clock(self.vector(one.key) or Vector(), one.due + by)
            self._record(Extended(one.line, one.version, one.seat, due, due + one.closes - one.due, ABSENT, "", at))

    # -- pauses ----------------------------------------------------------------------------------

    def pause(self, minutes: int, by: str, reason: str, at: int) -> None:
        """Stop the clocks; they start again by themselves."""
        if self.paused is not None:
            raise Refused("", "the match is paused already")
        if not 0 < minutes <= LONGEST_PAUSE // MINUTE:
            raise Refused("", "a pause has 1 minute to 14 days")
        self._record(Paused(at + minutes * MINUTE, by, reason, at))

    def vote_pause(self, seat: str, minutes: int, electors: Sequence[str], at: int) -> bool:
        """A pause needs more than half of the seats that people hold; the shortest they agree to counts."""
        if self.paused is not None:
            raise Refused("", "the match is paused already")
        if not 0 < minutes <= LONGEST_PAUSE // MINUTE:
            raise Refused("", "a pause has 1 minute to 14 days")
        self._record(PauseVoted(seat, at + minutes * MINUTE, at))
        agreed = [until for voter, until in self.votes.items() if voter in electors and until > at]
        if 2 * len(agreed) <= len(electors):
            return False
        self.pause((min(agreed) - at) // MINUTE or 1, "the seats", "voted", at)
        return True

    def resume(self, at: int) -> None:
        """Start the clocks: every open deadline moves by the time that did not run, to the hour and day of its vector."""
        if self.paused is None:
            raise Refused("", "the match is not paused")
        moved = []
        for one in self.open.values():
            by = at - max(self.paused.at, one.asked)
            if by <= 0:
                continue
            vector = self.vector(one.key) or Vector()
            due = on_the_clock(vector, one.due + by)
            moved.append(msgspec.structs.replace(one, earliest=one.earliest + by, due=due, closes=due + one.closes - one.due))
        self._record(Resumed(moved, at))

    def wake(self, at: int) -> None:
        """End a pause that is over by itself."""
        if self.paused is not None and at >= self.paused.until:
            self.resume(self.paused.until)

    # -- reading ---------------------------------------------------------------------------------

    def of(self, line: str, seat: str) -> DeadlineSet | None:
        """The newest open deadline of a seat."""
        found = [one for one in self.open.values() if (one.line, one.seat) == (line, seat)]
        return max(found, key=lambda one: one.version, default=None)

    def late(self, at: int) -> list[DeadlineSet]:
        """Whose answer is overdue: a seat that holds is not late."""
        if self.paused is not None:
            return []
        return [one for mark, one in sorted(self.open.items()) if one.due <= at and mark not in self.holds]

    def expired(self, at: int) -> list[DeadlineSet]:
        """Deadlines whose grace is over too."""
        if self.paused is not None:
            return []
        return [one for _, one in sorted(self.open.items()) if max(one.closes, one.earliest) <= at]

    def next_moment(self, at: int) -> int | None:
        """When something will be due next: a reminder, a deadline, the end of a grace or of a pause."""
        if self.paused is not None:
            return self.paused.until
        found = [moment for one in self.open.values() for moment in (*moments(one).values(), one.due, one.closes) if moment > at]
        found += [at + DAY - (at - one.due) % DAY for one in self.open.values() if one.due <= at]
        return min(found, default=None)

    def missed(self) -> dict[str, int]:
        """How many orders each seat has missed."""
        return dict(self._missed)

    # -- fold ------------------------------------------------------------------------------------

    def fold(self, fact: Fact) -> None:
        match fact:
            case HouseRules():
                self.rules = fact
            case DeadlineSet():
                self._set[fact.line, fact.version, fact.seat] = fact.asked
                self.open[fact.line, fact.version, fact.seat] = fact
                self.closed.pop((fact.line, fact.version, fact.seat), None)
                self.holds.discard((fact.line, fact.version, fact.seat))
            case Extended():
                mark = (fact.line, fact.version, fact.seat)
                if fact.by == ABSENT:
                    away = self.absences[fact.seat]
                    self._stretched.append((fact.seat, fact.at, fact.due - self.open[mark].due))
                    self._granted.setdefault(mark, []).append((max(away.start, self.open[mark].asked), away.end))
                self.open[mark] = msgspec.structs.replace(self.open[mark], due=fact.due, closes=fact.closes)
            case Paused():
                self.paused, self.votes = fact, {}
            case Resumed():
                self.paused = None
                self.open.update({(one.line, one.version, one.seat): one for one in fact.moved})
            case PauseVoted():
                self.votes[fact.seat] = fact.until
            case Held():
                self.holds.add((fact.line, fact.version, fact.seat))
            case Closed():
                mark = (fact.line, fact.version, fact.seat)
                self.closed[mark] = fact
                self.open.pop(mark, None)
                if fact.how == MISSED:
                    self._missed[fact.seat] = self._missed.get(fact.seat, 0) + 1
            case AbsenceDeclared():
                self.absences[fact.seat] = fact
            case AbsenceEnded():
                self.absences.pop(fact.seat, None)


# -- reminders ---------------------------------------------------------------------------------------


def moments(one: DeadlineSet) -> Mapping[str, int]:
    """When a seat is reminded before its deadline."""
    found = {"half": one.asked + (one.due - one.asked) // 2, "24h": one.due - DAY, "2h": one.due - 2 * HOUR}
    return {kind: moment for kind, moment in found.items() if moment > one.asked}


def reminder(one: DeadlineSet, at: int) -> str:
    """The newest reminder whose moment has come, "" if none has: after a long silence one is sent, not all."""
    if at >= one.due:
        return f"late-{(at - one.due) // DAY}"  # at the deadline, then once a day
    return max(((moment, kind) for kind, moment in moments(one).items() if moment <= at), default=(0, ""))[1]
