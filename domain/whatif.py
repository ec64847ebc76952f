"""What-if: another decision or another draw at any question, the rest of the game replayed as far as it stays legal.

Nothing here changes a line that exists: every what-if is a branch of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import msgspec

from domain.kernel.ask import Draw, Roll, Shuffle
from domain.kernel.chance import Source
from domain.kernel.errors import NotFound, Refused
from domain.kernel.event import DECIDED, SEALED, Chance, Drawn, Event, Rolled, Shuffled
from domain.kernel.run import Run
from domain.kernel.table import Table
from domain.log import OWN_LUCK, PARENTS_LUCK, Log, effective, groups

SAME, FRESH = "same", "fresh"


class Difference(NamedTuple):
    """One thing that is not the same on two tables."""

    where: str
    what: str
    left: Any
    right: Any


class Stopped(msgspec.Struct, frozen=True):
    """The first decision of the parent that could not be made again: which, and the rule that stops it."""

    version: int
    seat: str
    ask: str
    answer: Any
    rule: str
    reason: str


class Grown(NamedTuple):
    """A what-if line: how many of the parent's later decisions stand on it, and what stopped them."""

    log: Log
    replayed: int
    stopped: Stopped | None


class Borrowed:
    """Luck lent by a recorded game: an outcome is used where the same draw is made and it is still possible, else fresh luck is."""

    def __init__(self, outcomes: Iterable[Chance], fresh: Source) -> None:
        self._left = list(outcomes)
        self._fresh = fresh

    def __call__(self, request: Roll | Draw | Shuffle, pool: Sequence[Any], ordinal: int) -> Any:
        for index, outcome in enumerate(self._left):
            value = same_draw(request, pool, outcome)
            if value is not None:
                del self._left[: index + 1]
                return value
        return self._fresh(request, pool, ordinal)


def same_draw(request: Roll | Draw | Shuffle, pool: Sequence[Any], outcome: Chance) -> Any:
    """What a recorded outcome gives for a request, if it is the same draw and can still come up; else None."""
    if outcome.key != request.key:
        return None
    if type(request) is Roll and type(outcome) is Rolled:
        fits = outcome.seat == request.seat and len(outcome.values) == request.n and set(outcome.values) <= set(pool)
        return outcome.values if fits else None
    if type(request) is Draw and type(outcome) is Drawn:
        return outcome.item if outcome.zone == request.zone and outcome.item in pool else None
    if type(request) is Shuffle and type(outcome) is Shuffled:
        return outcome.order if outcome.zone == request.zone and len(outcome.order) == len(pool) else None
    return None


def decision_at(log: Log, version: int) -> list[Event]:
    """The decision stored at a version, with what it set off."""
    for group in groups(effective(log.raw())):
        if group[0].version <= version <= group[-1].version and group[0].kind in (DECIDED, SEALED):
            return group
    raise NotFound(f"version {version} of {log.line.id} belongs to no decision that still stands")


def change_decision(log: Log, id: str, version: int, answer: Any, *, luck: str = SAME, **made: Any) -> Grown:
    """The line on which the decision at a version was another one."""
    group = decision_at(log, version)
    return _grow(log, id, group, answer, None, luck, **made)


def change_chance(log: Log, id: str, version: int, index: int, value: Any, *, luck: str = SAME, **made: Any) -> Grown:
    """The line on which one draw of the decision at a version came out differently."""
    group = decision_at(log, version)
    outcomes = _chance(group)
    if not 0 <= index < len(outcomes):
        raise NotFound(f"version {version} has {len(outcomes)} draws, no number {index}")
    outcomes[index] = _forced(outcomes[index], value)
    return _grow(log, id, group, group[0].answer, outcomes, luck, **made)


def _forced(outcome: Chance, value: Any) -> Chance:
    """The outcome with another value, if that could have come up."""
    if type(outcome) is Rolled:
        if type(value) is not list or len(value) != len(outcome.values) or not all(face in outcome.faces for face in value):
            raise Refused(
                "", f"{value!r} cannot come up: {len(outcome.values)} dice with faces {outcome.faces}", legal=outcome.faces
            )
        return msgspec.structs.replace(outcome, values=value)
    if type(outcome) is Drawn:
        return msgspec.structs.replace(outcome, item=value)
    raise Refused("", "the order of a shuffle cannot be chosen; branch with fresh luck instead")


def _grow(log: Log, id: str, changed: list[Event], answer: Any, forced: list[Chance] | None, luck: str, **made: Any) -> Grown:
    """Branch before a decision, make it the other way, then make the later ones again until one is refused."""
    first = changed[0]
    own = luck == FRESH and forced is None
    log.run_at(first.version - 1).check(first.seat, first.ask, answer)
    line = log.fork(id, first.version - 1, luck=OWN_LUCK if own else PARENTS_LUCK, **made)
    fresh = line.source()
    lent = forced if forced is not None else _chance(changed)
    line.decide(first.seat, first.ask, answer, at=first.at, cause="what if", source=fresh if own else Borrowed(lent, fresh))
    replayed = 0
    for group in groups(effective(log.raw())):
        item = group[0]
        if item.version <= first.version or item.kind not in (DECIDED, SEALED):
            continue
        source = fresh if luck == FRESH else Borrowed(_chance(group), fresh)
        try:
            line.decide(item.seat, item.ask, item.answer, at=item.at, cause=f"as at {item.version}", source=source)
        except Refused as refused:
            stopped = Stopped(item.version, item.seat, item.ask, item.answer, refused.rule, refused.reason)
            return Grown(line, replayed, stopped)
        replayed += 1
    return Grown(line, replayed, None)


def _chance(group: list[Event]) -> list[Chance]:
    return [outcome for item in group for outcome in item.chance]


def differences(left: Table, right: Table) -> list[Difference]:
    """Everything that differs, zone by zone, then register by register."""
    found: list[Difference] = []
    for zone in sorted(left.zones):
        a, b = left.zones[zone], right.zones.get(zone)
        if a is None or a == b:
            continue
        if type(a) is list or type(b) is list:
            found.append(Difference(zone, "order", a, b))
            continue
        for item in sorted({*a, *(b or {})}):
            if a.get(item, 0) != (b or {}).get(item, 0):
                found.append(Difference(zone, item, a.get(item, 0), (b or {}).get(item, 0)))
    for register in sorted({*left.registers, *right.registers}):
        if left.get(register) != right.get(register):
            found.append(Difference(register, "", left.get(register), right.get(register)))
    return found


def first_divergence(left: Log, right: Log) -> int | None:
    """The first version at which two lines of a match say different things; None if one only goes on from the other."""
    for a, b in zip(left.raw(), right.raw(), strict=False):
        if (a.kind, a.seat, a.ask, a.answer, a.chance, a.ops) != (b.kind, b.seat, b.ask, b.answer, b.chance, b.ops):
            return a.version
    return None


def standing(run: Run) -> dict[str, int]:
    """The points of every seat, as the title counts them."""
    return {score.seat: score.points for score in run.title.score(run.table)}
