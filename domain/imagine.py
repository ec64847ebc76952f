"""Imagined worlds: a running game as one seat may suppose it to be, with everything it cannot know dealt anew.

The seat's redacted log says what it knows: what it sees now, and what it saw go into a hidden place and cannot have left since.
Everything else that is hidden and looks alike from outside is exchanged at random; the decisions since the last mark are then made
again, and a world in which the seat would have seen anything else is thrown away.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

from domain.bots import guess
from domain.kernel import redact
from domain.kernel.ask import Draw, Roll, Shuffle
from domain.kernel.chance import Source
from domain.kernel.errors import BrokenLog, Refused
from domain.kernel.event import ADVANCED, CREATED, QUESTION, RULED, SEALED, Chance, Cite, Event
from domain.kernel.ops import Move
from domain.kernel.run import Run
from domain.kernel.schema import FACE, HIDDEN, Schema
from domain.kernel.table import Table
from domain.kernel.title import Title
from domain.log import events_of, groups
from domain.whatif import same_draw

WORLDS, TRIES = 60, 12

Known = Counter[tuple[str, str]]  # (item, hidden zone): how many of it the seat knows to lie there


def known(schema: Schema, events: Iterable[Event], seat: str) -> Known:
    """What a seat knows of hidden places from its own log alone."""
    levels = schema.levels(seat)
    sure: Known = Counter()
    for item in events:
        seen = redact.event(schema, item, seat)
        for move in (op for op in seen.ops if type(op) is Move):
            if FACE in (levels[move.src], levels[move.dst]):
                if levels[move.dst] < FACE:
                    sure[move.item, move.dst] += move.n
                if levels[move.src] < FACE:
                    sure[move.item, move.src] = max(0, sure[move.item, move.src] - move.n)
            else:
                # Something left a hidden place unseen: whatever looked like it and was known to be there may be gone.
                for what, zone in [pair for pair in sure if pair[1] == move.src and _alike(schema, pair[0], move.item)]:
                    del sure[what, zone]
        for peek in seen.shown:
            for what, n in Counter(peek.items).items():
                sure[what, peek.zone] = max(sure[what, peek.zone], n)
    return +sure


def _alike(schema: Schema, item: str, seen: str) -> bool:
    """Whether an item can be what was seen only as a back, or not even that."""
    return seen in (HIDDEN, schema.back(item))


def imagine(title: Title, mark: Table, tail: Sequence[Event], drawn: int, seat: str, sure: Known, rng: Random) -> Run:
    """One world the seat cannot tell from the real one, standing at the same question, with luck of its own."""
    surfaced = _surfaced(mark.schema, tail, seat)
    for _ in range(WORLDS):
        table = mark.copy()
        _deal(table, seat, sure, surfaced, rng)
        run = _relive(title, table, tail, drawn, seat, surfaced, rng)
        if run is not None:
            return run
    raise Refused("", "no other world fits what this seat has seen; branch from an earlier or later question")


def _surfaced(schema: Schema, tail: Sequence[Event], seat: str) -> set[str]:
    """Items whose faces the seat saw since the mark: where they were is no secret any more."""
    found: set[str] = set()
    for item in tail:
        seen = redact.event(schema, item, seat)
        levels = schema.levels(seat)
        found.update(op.item for op in seen.ops if type(op) is Move and FACE in (levels[op.src], levels[op.dst]))
        found.update(what for peek in seen.shown for what in peek.items)
    return found


def _deal(table: Table, seat: str, sure: Known, surfaced: set[str], rng: Random) -> None:
    """Exchange what the seat cannot tell apart between the places it cannot see into."""
    schema = table.schema
    levels = schema.levels(seat)
    loose: dict[str, list[str]] = {}
    places: dict[str, list[tuple[str, int]]] = {}
    for zone in sorted(table.zones):
        held = table.zones[zone]
        if held is None or levels[zone] == FACE:
            continue
        fixed = Counter({what: n for (what, where), n in sure.items() if where == zone})
        entries = list(enumerate(held)) if type(held) is list else list(enumerate(table.items(zone)))
        for index, what in entries:
            if what in surfaced:
                continue
            if fixed[what] > 0:
                fixed[what] -= 1
                continue
            back = schema.back(what)
            loose.setdefault(back, []).append(what)
            places.setdefault(back, []).append((zone, index))
    dealt: dict[tuple[str, int], str] = {}
    for back, items in sorted(loose.items()):
        rng.shuffle(items)
        dealt.update(zip(places[back], items, strict=True))
    for zone in {zone for zone, _ in dealt}:
        now = [dealt.get((zone, index), what) for index, what in enumerate(table.items(zone))]
        table.zones[zone] = now if type(table.zones[zone]) is list else dict(Counter(now))


def _relive(
    title: Title, table: Table, tail: Sequence[Event], drawn: int, seat: str, surfaced: set[str], rng: Random
) -> Run | None:
    """Make the decisions since the mark again; None where the seat would have seen something else."""
    waiting = list(groups([item for item in tail if item.kind != RULED]))
    opening = waiting.pop(0) if waiting and waiting[0][0].kind in (CREATED, ADVANCED) else []
    try:
        run = Run(title, table, _memory(opening, surfaced, rng), drawn)
    except BrokenLog:
        return None
    schema = table.schema
    if opening and _sight(schema, opening, seat) != _sight(schema, events_of(run.first, opening[0], opening[0].version - 1), seat):
        return None
    while waiting and waiting[-1][0].kind == SEALED and not _resolved(waiting[-1]) and waiting[-1][0].seat != seat:
        waiting.pop()  # another seat's sealed answer that nobody has seen: it is asked again
    for group in waiting:
        again = _once(run, group, seat, surfaced, rng)
        if again is None:
            return None
        run = again
    run.source = guess(rng)
    return run


def _resolved(group: Sequence[Event]) -> bool:
    return not any(type(op) is not Move and getattr(op, "register", "") == f"sealed:{group[0].seat}" for op in group[0].ops)


def _once(run: Run, group: list[Event], seat: str, surfaced: set[str], rng: Random) -> Run | None:
    """One decision again, as the seat saw it; a hidden answer is supposed."""
    first = group[0]
    schema = run.table.schema
    due = _sight(schema, group, seat)
    readable = (
        first.veil is None or first.seat == seat or first.kind == SEALED or redact.event(schema, first, seat).answer == first.answer
    )
    for _ in range(1 if readable and not _hidden_draw(group) else TRIES):
        trial = run.fork(_memory(group, surfaced, rng))
        try:
            ask = trial.question(first.seat, first.ask)
            answer = first.answer if readable else ask.sample(rng)
            veil = trial.veil(ask, answer)
            parts = trial.answer(first.seat, first.ask, answer)
        except (Refused, BrokenLog):
            continue
        base = Event(
            0,
            first.kind,
            first.seat,
            first.ask,
            answer,
            cites=[Cite(ask.cite, QUESTION)],
            at=first.at,
            cause=first.cause,
            veil=veil,
        )
        if _sight(schema, events_of(parts, base, first.version - 1), seat) == due:
            return trial
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
