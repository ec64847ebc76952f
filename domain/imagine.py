"""Imagined worlds: a running game as one seat may suppose it to be, with everything it cannot know dealt anew.

The seat's redacted log says what it knows: what it sees now, what it saw go into a hidden place and cannot have left since, and
which items can have come to which hidden places at all. Everything else that is hidden and looks alike from outside is dealt anew;
the decisions since the last mark are then made again, and a world in which the seat would have seen anything else is thrown away.
The deal depends on nothing but that knowledge and the luck given: two games that a seat cannot tell apart give it the same worlds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from domain.borrowed import same_draw
from domain.bots import guess
from domain.kernel import redact
from domain.kernel.ask import Draw, Roll, Shuffle
from domain.kernel.chance import Source
from domain.kernel.errors import BrokenLog, Refused, RulesCrashed
from domain.kernel.event import ADVANCED, CREATED, QUESTION, RULED, Chance, Cite, Event
from domain.kernel.ops import Move
from domain.kernel.run import Run
from domain.kernel.schema import FACE, HIDDEN, Schema
from domain.kernel.table import Table
from domain.kernel.title import Title
from domain.log import events_of, groups

WORLDS, TRIES = 60, 12


class Lore(NamedTuple):
    """What a seat knows of hidden places: how many of an item lie there for sure, and which items may lie there at all."""

    sure: Counter[tuple[str, str]]
    places: Mapping[str, set[str]]


class World(NamedTuple):
    """One supposed game: the table at its last mark, what happened since, and the run that stands at the question."""

    mark: Table
    events: list[Event]
    run: Run


def known(schema: Schema, events: Iterable[Event], seat: str) -> Lore:
    """What a seat knows of hidden places from its own log alone."""
    levels = schema.levels(seat)
    sure: Counter[tuple[str, str]] = Counter()
    places: dict[str, set[str]] = {}
    for item in events:
        seen = redact.event(schema, item, seat)
        for move in (op for op in seen.ops if type(op) is Move):
            if FACE in (levels[move.src], levels[move.dst]):
                if levels[move.dst] < FACE:
                    sure[move.item, move.dst] += move.n
                    places.setdefault(move.dst, set()).add(move.item)
                if levels[move.src] < FACE:
                    sure[move.item, move.src] = max(0, sure[move.item, move.src] - move.n)
            else:
                # Something went from one hidden place to another unseen: whatever looks like it may be here or there now.
                for what, zone in [pair for pair in sure if pair[1] == move.src and _alike(schema, pair[0], move.item)]:
                    del sure[what, zone]
                gone = {what for what in places.get(move.src, ()) if _alike(schema, what, move.item)}
                places.setdefault(move.dst, set()).update(gone)
        for peek in seen.shown:
            for what, n in Counter(peek.items).items():
                sure[what, peek.zone] = max(sure[what, peek.zone], n)
    return Lore(+sure, places)


def common_lore(title: Title, table: Table) -> Lore:
    """What anybody knows who has no log at hand: items that lay in one place when the game began are of one kind."""
    setup = Run(title, title.lay(table.seats, table.options), guess(Random(0)))
    kinds: dict[str, set[str]] = {}
    for op in (op for part in setup.first for op in part.ops if type(op) is Move):
        kinds.setdefault(op.item, set()).add(op.dst)
    places = {
        zone: {what for what, been in kinds.items() if any(been & kinds.get(lies, set()) for lies in held)}
        for zone, held in table.zones.items()
        if held
    }
    return Lore(Counter(), places)


def _alike(schema: Schema, item: str, seen: str) -> bool:
    """Whether an item can be what was seen only as a back, or not even that."""
    return seen in (HIDDEN, schema.back(item))


def imagine(title: Title, mark: Table, tail: Sequence[Event], drawn: int, seat: str, lore: Lore, rng: Random) -> World:
    """One world the seat cannot tell from the real one, standing at the same question, with luck of its own."""
    surfaced = _surfaced(mark.schema, tail, seat)
    for _ in range(WORLDS):
        table = mark.copy()
        _deal(table, seat, lore, surfaced, rng)
        world = _relive(title, table, tail, drawn, seat, set(surfaced), rng)
        if world is not None:
            return world
    raise Refused("", "no other world fits what this seat has seen; branch from an earlier or later question")


def _surfaced(schema: Schema, tail: Sequence[Event], seat: str) -> Counter[str]:
    """Items that lay hidden at the mark and whose faces the seat saw since: where they were is no secret any more."""
    found: Counter[str] = Counter()
    since: Counter[str] = Counter()
    levels = schema.levels(seat)
    for item in tail:
        seen = redact.event(schema, item, seat)
        for op in (op for op in seen.ops if type(op) is Move):
            if levels[op.src] < FACE and levels[op.dst] == FACE:
                back = min(op.n, since[op.item])
                since[op.item] -= back
                found[op.item] += op.n - back
            elif levels[op.src] == FACE and levels[op.dst] < FACE:
                since[op.item] += op.n
        for what, n in Counter(what for peek in seen.shown for what in peek.items).items():
            found[what] = max(found[what], n)
    return +found


def _deal(table: Table, seat: str, lore: Lore, surfaced: Counter[str], rng: Random) -> None:
    """Exchange what the seat cannot tell apart between the places it cannot see into; nobody knows the order of a hidden row."""
    schema = table.schema
    levels = schema.levels(seat)
    left = surfaced.copy()
    rows: dict[str, list[str | None]] = {}  # what stays where it is, None where something is dealt
    stay: dict[str, list[str]] = {}
    loose: dict[str, list[str]] = {}
    slots: dict[str, list[str]] = {}
    for zone in sorted(table.zones):
        if not table.zones[zone] or levels[zone] == FACE:
            continue
        fixed = Counter({what: n for (what, where), n in lore.sure.items() if where == zone})
        rows[zone], stay[zone] = [], []
        for what in reversed(table.items(zone)):  # from the top: what came to light since the mark was drawn from there
            if left[what] > 0:
                left[what] -= 1
                rows[zone].append(what)
                continue
            rows[zone].append(None)
            if fixed[what] > 0:
                fixed[what] -= 1
                stay[zone].append(what)
            else:
                loose.setdefault(schema.back(what), []).append(what)
                slots.setdefault(schema.back(what), []).append(zone)
    for back in sorted(loose):
        for zone, what in _dealt(loose[back], slots[back], lore.places, rng):
            stay[zone].append(what)
    for zone, row in rows.items():
        free = sorted(stay[zone])
        rng.shuffle(free)
        now = [what if what is not None else free.pop() for what in reversed(row)]
        table.zones[zone] = now if type(table.zones[zone]) is list else dict(Counter(now))


def _dealt(items: list[str], slots: list[str], places: Mapping[str, set[str]], rng: Random) -> list[tuple[str, str]]:
    """Items that look alike on the slots they may lie on, at random: (zone, item)."""
    if any(what not in places.get(zone, ()) for zone, what in zip(slots, items, strict=True)):
        places = {zone: set(items) for zone in slots}  # something came there in a way that the seat could not follow at all
    items, slots = sorted(items), sorted(slots)
    rng.shuffle(items)
    if all(places[zone].issuperset(items) for zone in set(slots)):
        return list(zip(slots, items, strict=True))
    holds: list[str | None] = [None] * len(slots)

    def lay(what: str, tried: set[int]) -> bool:
        """Find a slot for an item; one that lies there may have to move on."""
        fitting = [at for at, zone in enumerate(slots) if what in places[zone] and at not in tried]
        rng.shuffle(fitting)
        for at in sorted(fitting, key=lambda at: holds[at] is not None):
            tried.add(at)
            other = holds[at]
            if other is None or lay(other, tried):
                holds[at] = what
                return True
        return False

    for what in items:
        lay(what, set())
    return [(zone, what) for zone, what in zip(slots, holds, strict=True) if what is not None]


def _relive(
    title: Title, table: Table, tail: Sequence[Event], drawn: int, seat: str, surfaced: set[str], rng: Random
) -> World | None:
    """Make the decisions since the mark again; None where the seat would have seen something else."""
    mark, made = table.copy(), list[Event]()
    waiting = list(groups([item for item in tail if item.kind != RULED]))
    opening = waiting.pop(0) if waiting and waiting[0][0].kind in (CREATED, ADVANCED) else []
    try:
        run = Run(title, table, _memory(opening, surfaced, rng), drawn)
    except (BrokenLog, RulesCrashed):
        return None
    schema = table.schema
    if opening:
        made = events_of(run.first, opening[0], opening[0].version - 1)
        if _sight(schema, opening, seat) != _sight(schema, made, seat):
            return None
    for group in waiting:
        again = _once(run, group, seat, surfaced, rng)
        if again is None:
            return None
        run = again[0]
        made += again[1]
    run.source = guess(rng)
    return World(mark, made, run)


def _once(run: Run, group: list[Event], seat: str, surfaced: set[str], rng: Random) -> tuple[Run, list[Event]] | None:
    """One decision again, as the seat saw it; an answer that it may not read is supposed."""
    first = group[0]
    schema = run.table.schema
    due = _sight(schema, group, seat)
    readable = redact.event(schema, first, seat).answer == first.answer
    for _ in range(1 if readable and not _hidden_draw(group) else TRIES):
        trial = run.fork(_memory(group, surfaced, rng))
        try:
            ask = trial.question(first.seat, first.ask)
            answer = first.answer if readable else ask.sample(rng)
            veil = trial.veil(ask, answer)
            parts = trial.answer(first.seat, first.ask, answer)
        except (Refused, BrokenLog, RulesCrashed):
            continue
        cites = [Cite(ask.cite, QUESTION)]
        base = Event(0, first.kind, first.seat, first.ask, answer, cites=cites, at=first.at, cause=first.cause, veil=veil)
        made = events_of(parts, base, first.version - 1)
        if _sight(schema, made, seat) == due:
            return trial, made
    return None


def _sight(schema: Schema, events: Iterable[Event], seat: str) -> list[Any]:
    """What a seat saw, without what it could not: digests and links are left out."""
    seen = [redact.event(schema, item, seat) for item in events]
    return [(item.kind, item.seat, item.ask, item.answer, item.chance, item.ops, item.shown, item.mark) for item in seen]


def _hidden_draw(group: Iterable[Event]) -> bool:
    return any(type(outcome).__name__ != "Rolled" for item in group for outcome in item.chance)


def _memory(group: Iterable[Event], surfaced: set[str], rng: Random) -> Source:
    """Dice and cards that the seat saw come as they came; other draws come as they may."""
    left: list[Chance] = [outcome for item in group for outcome in item.chance]
    fresh = guess(rng)

    def source(request: Roll | Draw | Shuffle, pool: Sequence[Any], ordinal: int) -> Any:
        outcome = left.pop(0) if left else None
        if outcome is not None and (type(request) is Roll or getattr(outcome, "item", None) in surfaced):
            value = same_draw(request, pool, outcome)
            if value is not None:
                return value
        if type(request) is Draw:
            quiet = [item for item in pool if item not in surfaced]
            return rng.choice(quiet or list(pool))
        return fresh(request, pool, ordinal)

    return source
