"""What-if: another decision or another draw at any question, the rest of the game replayed as far as it stays legal.

Nothing here changes a line that exists: every what-if is a branch of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from domain.borrowed import Borrowed
from domain.bots import guess
from domain.imagine import World
from domain.kernel.errors import NotFound, Refused
from domain.kernel.event import ADVANCED, CREATED, DECIDED, SEALED, Chance, Drawn, Event, Rolled
from domain.kernel.ops import Move, Op, Set
from domain.kernel.run import Run
from domain.kernel.table import Table
from domain.log import OWN_LUCK, PARENTS_LUCK, Line, Log, effective, groups
from domain.rollout import start_at, suppose

SAME, FRESH = "same", "fresh"
WHAT_IF, AS_AT = "what if", "as at "  # the cause of the changed decision, and of each one made again as at a version
UNREAD = "{seat} may not know what was decided there"


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


def decision_at(log: Log, version: int, seat: str = "") -> list[Event]:
    """The decision stored at a version, with what it set off; with a seat, as that seat may read it."""
    for group in _told(log, seat):
        if group[0].version <= version <= group[-1].version and group[0].kind in (DECIDED, SEALED):
            return group
    raise NotFound(f"version {version} of {log.line.id} belongs to no decision that still stands")


def _told(log: Log, seat: str) -> Iterator[list[Event]]:
    """The decisions in force: the whole truth, or what a seat may read of it."""
    return groups(effective(log.events(seat) if seat else log.raw()))


def readable(log: Log, told: Event) -> bool:
    """Whether an event as it was told says what was decided."""
    return told.answer == log.raw(told.version - 1, told.version)[0].answer


def change_decision(log: Log, id: str, version: int, answer: Any, *, luck: str = SAME, seat: str = "", **made: Any) -> Grown:
    """The line on which the decision at a version was another one; with a seat, in a world that this seat may suppose."""
    group = decision_at(log, version, seat)
    return _grow(log, id, group, answer, None, luck, seat, **made)


def change_chance(
    log: Log, id: str, version: int, index: int, value: Any, *, luck: str = SAME, seat: str = "", **made: Any
) -> Grown:
    """The line on which one draw of the decision at a version came out differently."""
    group = decision_at(log, version, seat)
    outcomes = _chance(group)
    if not 0 <= index < len(outcomes):
        raise NotFound(f"version {version} has {len(outcomes)} draws, no number {index}")
    if not readable(log, group[0]):
        raise Refused("", UNREAD.format(seat=seat))
    outcomes[index] = _forced(outcomes[index], value)
    return _grow(log, id, group, group[0].answer, outcomes, luck, seat, **made)


def suppose_line(log: Log, id: str, version: int, seat: str, rng: Random, **made: Any) -> Log:
    """A line of its own that starts in one world the seat may suppose, at the question of a version.

    It is laid anew at version 1, so that nothing on it comes from what the seat cannot know; the log it starts from is not touched.
    """
    version = log.question_after(version)
    return _lay(log, id, version, seat, suppose(log.title, start_at(log, version, seat), rng), **made)


def _lay(
    log: Log, id: str, version: int, seat: str, world: World, *, by: str = "", reason: str = "", at: int = 0, luck: str = OWN_LUCK
) -> Log:
    header = {**msgspec.to_builtins(log.header), **log.terms(version)}  # as rulings have left it
    first = Event(1, CREATED, answer=header, ops=_laid(world.mark), mark=True, digest=world.mark.digest(), at=at)
    since = [replace(item, kind=ADVANCED, answer=None) if item.kind == CREATED else item for item in world.events]
    line = Line(id=id, match=log.match.id, parent=log.line_of(version), by=by, reason=reason, made=at, luck=luck, imagined=seat)
    return Log.begin(log.store, log.title, log.match, line, [first, *(replace(item, version=n) for n, item in enumerate(since, 2))])


def _laid(table: Table) -> list[Op]:
    """The ops that lay a table out of the box."""
    laid: list[Op] = []
    for zone, held in sorted(table.zones.items()):
        if type(held) is list:
            laid += [Move(item, "box", zone, to=place) for place, item in enumerate(held)]
        elif held:
            laid += [Move(item, "box", zone, n) for item, n in sorted(held.items())]
    return laid + [Set(register, None, value) for register, value in sorted(table.registers.items())]


def _forced(outcome: Chance, value: Any) -> Chance:
    """The outcome with another value, if that could have come up."""
    if type(outcome) is Rolled:
        if type(value) is not list or len(value) != len(outcome.values) or not all(face in outcome.faces for face in value):
            raise Refused(
                "", f"{value!r} cannot come up: {len(outcome.values)} dice with faces {outcome.faces}", legal=outcome.faces
            )
        return replace(outcome, values=value)
    if type(outcome) is Drawn:
        return replace(outcome, item=value)
    raise Refused("", "the order of a shuffle cannot be chosen; branch with fresh luck instead")


def _grow(
    log: Log, id: str, changed: list[Event], answer: Any, forced: list[Chance] | None, luck: str, seat: str, **made: Any
) -> Grown:
    """Branch before a decision, make it the other way, then make the later ones again until one is refused or not to be read."""
    first = changed[0]
    own = luck == FRESH and forced is None
    made["luck"] = OWN_LUCK if own else PARENTS_LUCK
    if seat:
        world = suppose(log.title, start_at(log, first.version - 1, seat), made.pop("rng"))
        world.run.check(first.seat, first.ask, answer)
        line = _lay(log, id, first.version - 1, seat, world, **made)
    else:
        _possible(log.run_at(first.version - 1), first, answer, forced)
        line = log.fork(id, first.version - 1, **made)
    fresh = line.source()
    lent = forced if forced is not None else _chance(changed)
    line.decide(first.seat, first.ask, answer, at=first.at, cause=WHAT_IF, source=fresh if own else Borrowed(lent, fresh))
    replayed = 0
    for group in _told(log, seat):
        item = group[0]
        if item.version <= first.version or item.kind not in (DECIDED, SEALED):
            continue
        source = fresh if luck == FRESH else Borrowed(_chance(group), fresh)
        try:
            if seat and not readable(log, item):
                raise Refused("L5", UNREAD.format(seat=seat))
            line.decide(item.seat, item.ask, item.answer, at=item.at, cause=f"{AS_AT}{item.version}", source=source)
        except Refused as refused:
            rule = refused.rule or next((ask.cite for ask in (*line.run.asks, *line.run.offers)), "")  # what is asked instead
            stopped = Stopped(item.version, item.seat, item.ask, item.answer, rule, refused.reason)
            return Grown(line, replayed, stopped)
        replayed += 1
    return Grown(line, replayed, None)


def _possible(run: Run, first: Event, answer: Any, forced: list[Chance] | None) -> None:
    """Refuse a decision that is not legal, and an outcome that could not have come up."""
    run.check(first.seat, first.ask, answer)
    if forced is not None:
        run.source = Borrowed(forced, guess(Random(0)))
        if [outcome for part in run.answer(first.seat, first.ask, answer) for outcome in part.chance][: len(forced)] != forced:
            raise Refused("", "that could not have come up there")


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
