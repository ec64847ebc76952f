"""The one gate: everything that leaves for a viewer passes here, and what is not declared visible is not shown.

`fold(redact(log, seat)) == redact(fold(log), seat)`: a seat can rebuild its own view from its own log, and nothing more.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from domain.kernel.ask import Ask
from domain.kernel.errors import Refused
from domain.kernel.event import ALOUD, Cite, Event, Rolled
from domain.kernel.ops import Move, Op, Reorder, Set
from domain.kernel.schema import ARBITER, FACE, HIDDEN, NOTHING, Schema
from domain.kernel.table import Table


def event(schema: Schema, seen: Event, viewer: str) -> Event:
    """What a viewer may see of an event. The table digest is left out: hidden cards could be guessed from it."""
    if viewer == ARBITER:
        return seen
    if _open(schema, seen, viewer):
        return msgspec.structs.replace(seen, digest=b"") if seen.digest else seen
    ops, places = _ops(schema, seen.ops, viewer)
    answer, readable = _answer(schema, seen, viewer)
    return msgspec.structs.replace(
        seen,
        answer=answer,
        chance=[outcome for outcome in seen.chance if type(outcome) is Rolled],
        ops=ops,
        cites=[
            cite if cite.op < 0 or cite.op == places[cite.op] else Cite(cite.rule, places[cite.op], cite.facts)
            for cite in seen.cites
            if cite.op in places or cite.op == ALOUD or (cite.op < ALOUD and readable)
        ],
        shown=[peek for peek in seen.shown if peek.seat == viewer],
        digest=b"",
    )


def _open(schema: Schema, seen: Event, viewer: str) -> bool:
    """Whether nothing but the digest is kept from a viewer. Most events are like that, and need no closer look."""
    if seen.veil is not None or seen.shown:
        return False
    for outcome in seen.chance:
        if type(outcome) is not Rolled:
            return False
    levels = schema.levels(viewer)
    for op in seen.ops:
        if type(op) is Move:
            if levels[op.src] != FACE or levels[op.dst] != FACE:
                return False
        elif levels[op.register if type(op) is Set else op.zone] != FACE:
            return False
    last = len(seen.ops)
    return all(cite.op < last for cite in seen.cites)


def insiders(schema: Schema, seen: Event) -> set[str]:
    """The seats that may see an event differently: all others see exactly what a spectator does."""
    names: set[str] = set()
    for op in seen.ops:
        if type(op) is Move:
            names.add(op.src)
            names.add(op.dst)
        else:
            names.add(op.register if type(op) is Set else op.zone)
    found = {peek.seat for peek in seen.shown}
    if seen.veil is not None:
        found.update((seen.seat, *seen.veil.seats))
        names.update(seen.veil.zones)
    for name in names:
        if seats := schema.sights[name].seats:
            found.update(seats)
    return found


def _ops(schema: Schema, ops: list[Op], viewer: str) -> tuple[list[Op], dict[int, int]]:
    """The ops a viewer sees, and where each op seen in full now stands.

    Moves seen only as backs are summed and sorted: their order and grouping would tell the faces apart.
    """
    levels = schema.levels(viewer)
    seen: list[Op] = []
    places: dict[int, int] = {}
    blurred: dict[tuple[str, str, str], int] = {}
    for index, op in enumerate(ops):
        if type(op) is Move:
            source, target = levels[op.src], levels[op.dst]
            best = source if source > target else target
            if best == FACE:
                if (op.at >= 0 and source != FACE) or (op.to >= 0 and target != FACE):
                    op = Move(op.item, op.src, op.dst, op.n, op.at if source == FACE else -1, op.to if target == FACE else -1)
            else:
                if best != NOTHING:
                    key = (schema.coarse(op.item, best), op.src, op.dst)
                    blurred[key] = blurred.get(key, 0) + op.n
                continue
        elif type(op) is Set:
            level = levels[op.register]
            if level != FACE:
                if level != NOTHING and (op.old is None) != (op.new is None):
                    seen.append(Set(op.register, None if op.old is None else HIDDEN, None if op.new is None else HIDDEN))
                continue
        elif levels[op.zone] != FACE:
            if levels[op.zone] != NOTHING:
                seen.append(Reorder(op.zone, []))
            continue
        places[index] = len(seen)
        seen.append(op)
    seen += [Move(item, src, dst, n) for (item, src, dst), n in sorted(blurred.items())]
    return seen, places


def _answer(schema: Schema, seen: Event, viewer: str) -> tuple[Any, bool]:
    """The answer as far as a viewer may read it, and whether that is all of it."""
    veil = seen.veil
    if veil is None or seen.seat == viewer or viewer in veil.seats:
        return seen.answer, True
    if not veil.zones:
        return HIDDEN, False
    levels = schema.levels(viewer)
    level = min(levels[zone] for zone in veil.zones)
    if level == FACE:
        return seen.answer, True
    if level == NOTHING:
        return HIDDEN, False
    backs: dict[str, int] = {}
    for item, n in seen.answer or ():
        back = schema.coarse(item, level)
        backs[back] = backs.get(back, 0) + n
    return sorted([back, n] for back, n in backs.items()), False


def table(whole: Table, viewer: str) -> Table:
    """The table as a viewer sees it: hidden items are backs or `?`, hidden rows lose their order."""
    view = whole.copy()
    if viewer == ARBITER:
        return view
    schema = whole.schema
    levels = schema.levels(viewer)
    view.zones = {name: zone(schema, held, levels[name]) for name, held in view.zones.items()}
    view.registers = {name: register(value, levels[name]) for name, value in view.registers.items() if levels[name] != NOTHING}
    return view


def zone(schema: Schema, held: Any, level: int) -> Any:
    """What lies in a zone, as it is seen at a level."""
    if level == FACE or not held:
        return held
    if level == NOTHING:
        return type(held)()
    if type(held) is list:
        return sorted(schema.coarse(item, level) for item in held)
    backs: dict[str, int] = {}
    for item, n in held.items():
        back = schema.coarse(item, level)
        backs[back] = backs.get(back, 0) + n
    return backs


def register(value: Any, level: int) -> Any:
    """A register's value, as it is seen at a level above nothing."""
    return value if level == FACE else HIDDEN


def fold(view: Table, viewer: str, ops: Iterable[Op]) -> None:
    """Fold redacted ops into a redacted table."""
    view.cache.clear()
    schema, zones = view.schema, view.zones
    levels = schema.levels(viewer)
    # Blurred moves come last, also where they happened first: hidden rows are counted, and only the sum has to fit.
    rows: dict[str, dict[str, int]] = {}
    for op in ops:
        if type(op) is Move:
            for zone, by in ((op.src, -op.n), (op.dst, op.n)):
                level, held = levels[zone], zones[zone]
                if held is None or level == NOTHING:
                    continue
                item = schema.coarse(op.item, level) if level != FACE and op.item != HIDDEN else op.item
                if type(held) is dict:
                    left = held.get(item, 0) + by
                    if left:
                        held[item] = left
                    else:
                        held.pop(item, None)
                elif level == FACE:
                    if by < 0:
                        del held[op.at]
                    else:
                        held.insert(op.to, item)
                else:
                    change = rows.setdefault(zone, {})
                    change[item] = change.get(item, 0) + by
        elif type(op) is Set:
            if op.new is None:
                view.registers.pop(op.register, None)
            else:
                view.registers[op.register] = op.new
        elif op.order:
            row = zones[op.zone]
            row[:] = [row[i] for i in op.order]
    for zone, change in rows.items():
        row = zones[zone]
        for item, by in change.items():
            row += [item] * by
            for _ in range(-by):
                row.remove(item)
        row.sort()


def questions(asks: Iterable[Ask], offers: Iterable[Ask], viewer: str) -> list[dict[str, Any]]:
    """What is asked: a seat's own questions in full, of others only who is asked what; others' offers not at all."""
    mine = [
        {**ask.describe(), "must": True} if viewer in (ask.seat, ARBITER) else {"seat": ask.seat, "key": ask.key} for ask in asks
    ]
    return mine + [{**ask.describe(), "must": False} for ask in offers if viewer in (ask.seat, ARBITER)]


def refusal(error: Refused, viewer: str) -> Refused:
    """An error as a viewer may read it: what is legal for another seat is that seat's business."""
    if viewer in (error.seat, ARBITER, ""):
        return error
    return type(error)("", "that question is not yours to answer", seat="", key=error.key)
