"""Other readings of the rules: what a decision would have come to if a ruling switch of the title stood another way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from domain.kernel import redact
from domain.kernel.chance import Recorded
from domain.kernel.errors import BrokenLog, Refused
from domain.kernel.event import ADVANCED, CREATED, RULED, Event
from domain.kernel.ops import Move, Op, Reorder, Set
from domain.kernel.run import Part, Run
from domain.kernel.schema import ARBITER, Schema
from domain.kernel.table import Table
from domain.kernel.title import Title
from domain.log import Log, effective, groups
from domain.whatif import Difference, differences

SAME, DIFFERS, REFUSED, CHANCE, IMPOSSIBLE, UNTOLD = "same", "differs", "refused", "chance", "impossible", "untold"


class Reading(NamedTuple):
    """One switch another way: how it would have gone, where it parts from the record, by which rule, and what would lie otherwise."""

    option: str
    value: Any
    cite: str
    outcome: str
    version: int = 0
    rule: str = ""
    reason: str = ""
    changes: Sequence[Difference] = ()

    @property
    def differs(self) -> bool:
        return self.outcome in (DIFFERS, REFUSED, CHANCE)


def readings(log: Log, group: Sequence[Event], viewer: str) -> list[Reading]:
    """Every ruling switch turned every other way from the last mark up to the end of a decision, as a viewer may see the outcome."""
    if not group[0].ask:
        return []
    table, tail, drawn = log.standpoint(group[0].version - 1)
    events = [*tail, *group]
    after = log.whole_table(group[-1].version)
    told = [redact.event(log.schema, item, viewer) for item in events]
    return compared(log.title, table, events, told, after, drawn, viewer)


def compared(
    title: Title, mark: Table, events: Sequence[Event], told: Sequence[Event], after: Table, drawn: int, viewer: str
) -> list[Reading]:
    """The readings of what was decided since a mark; `told` is the same as the viewer may read it."""
    now = mark.schema.options
    found = []
    for name, option in title.options.items():
        for value in option.choices:
            if value == now[name]:
                continue
            base = Reading(name, value, option.cite, IMPOSSIBLE)
            schema = title.schema(mark.schema.seats, {**now, name: value})
            if schema.digest() == mark.schema.digest():
                base = _read(base, title, schema, mark, events, told, after, drawn, viewer)
            found.append(base)
    return found


def _read(
    base: Reading,
    title: Title,
    schema: Schema,
    mark: Table,
    events: Sequence[Event],
    told: Sequence[Event],
    after: Table,
    drawn: int,
    viewer: str,
) -> Reading:
    if any(seen.answer != item.answer for seen, item in zip(told, events, strict=True)):
        return base._replace(outcome=UNTOLD)  # whoever may not read a decision may not try it out either
    made: list[Part] = []
    try:
        run = _again(title, schema, mark, events, drawn, made)
    except _Stopped as stopped:
        if viewer != ARBITER and (viewer != stopped.seat or not _open(schema, made, viewer)):
            return base._replace(outcome=UNTOLD)  # what stops it may be what others hold
        return base._replace(outcome=stopped.outcome, version=stopped.version, rule=stopped.rule, reason=stopped.reason)
    except Exception:  # a table of one reading may make no sense under another
        return base if viewer == ARBITER else base._replace(outcome=UNTOLD)
    if viewer != ARBITER and not _open(schema, made, viewer):
        return base._replace(outcome=UNTOLD)  # another reading could turn up what the viewer never saw
    apart = differences(redact.table(after, viewer), redact.table(run.table, viewer))
    return base._replace(outcome=DIFFERS if apart else SAME, version=events[-1].version if apart else 0, changes=apart)


def _open(schema: Schema, made: Sequence[Part], viewer: str) -> bool:
    """Whether everything the rules did lies before a viewer's eyes: then nothing hidden can have had a say in it."""
    events = [Event(0, ADVANCED, chance=part.chance, ops=part.ops, shown=part.shown) for part in made]
    return all(redact.event(schema, item, viewer) is item for item in events)


class _Stopped(Exception):
    """Where the decisions of the record cannot be made again under another reading, and why."""

    def __init__(self, outcome: str, version: int, seat: str = "", rule: str = "", reason: str = "") -> None:
        self.outcome, self.version, self.seat, self.rule, self.reason = outcome, version, seat, rule, reason


def _again(title: Title, schema: Schema, mark: Table, events: Sequence[Event], drawn: int, made: list[Part] | None = None) -> Run:
    """The decisions since a mark made again on its table, with the luck they had; `made` is what the rules did."""
    made = [] if made is None else made
    copy = mark.copy()
    table = title.table.restored(schema, {zone: held for zone, held in copy.zones.items() if held is not None}, copy.registers)
    waiting = list(groups([item for item in events if item.kind != RULED]))
    opening = waiting.pop(0) if waiting and waiting[0][0].kind in (CREATED, ADVANCED) else []
    recorded = Recorded(outcome for item in opening for outcome in item.chance)
    version, seat = opening[0].version if opening else 0, ""
    try:
        run = Run(title, table, recorded, drawn)
        made += run.first
        for group in waiting:
            version, seat = group[0].version, group[0].seat
            recorded.left = [outcome for item in group for outcome in item.chance]
            made += run.answer(group[0].seat, group[0].ask, group[0].answer)
            if recorded.left:
                raise _Stopped(CHANCE, version)
    except Refused as no:
        raise _Stopped(REFUSED, version, seat, no.rule, no.reason) from no
    except BrokenLog as other:
        raise _Stopped(CHANCE, version) from other
    return run


# -- adopted ------------------------------------------------------------------------------------------------


def correction(log: Log, version: int, options: dict[str, Any]) -> list[Op]:
    """The ops that make the table of the last mark what it would be, had the rules been read so since the mark before a version.

    Every decision stands as it was made, with the luck it had; where one could not have been made, only going back is left.
    """
    if version < 2:
        raise Refused("", "before the first event there is nothing to read otherwise")
    mark, tail, drawn = log.standpoint(version - 1)
    since = [item for item in effective(log.raw(version - 1)) if item.version >= version]
    if any(item.kind == RULED and (item.mark or {"rules", "options"} & set(item.answer)) for item in since):
        raise Refused("", "another ruling has changed the table since: write the correction as ops, or rewind")
    schema = log.title.schema(log.header.seats, log.title.settle({**mark.schema.options, **options}))
    if schema.digest() != log.header.schema:
        raise Refused("", "under this reading the table is laid differently: it cannot be adopted in a game that runs")
    try:
        run = _again(log.title, schema, mark, [*tail, *since], drawn)
    except _Stopped as stopped:
        why = "be refused" if stopped.outcome == REFUSED else "take other dice or cards"
        raise Refused(
            stopped.rule, f"under this reading the decision at version {stopped.version} would {why}: rewind to before it instead"
        ) from stopped
    except Exception as crash:
        raise Refused("", "the game cannot be read this way") from crash
    return moved(log.standpoint()[0], run.since_mark()[0])


def moved(table: Table, other: Table) -> list[Op]:
    """The ops that make one table the other. What is hidden goes from place to place directly, never over the open box."""
    ops: list[Op] = []
    spare: dict[str, list[tuple[str, int]]] = {}  # item: where too many of it lie
    short: dict[str, list[tuple[str, int]]] = {}
    rows = [zone for zone, held in table.zones.items() if type(held) is list and held != other.zones[zone]]
    for zone, held in table.zones.items():
        if type(held) is dict:
            there: dict[str, int] = other.zones[zone]
            for item in sorted({*held, *there}):
                by = there.get(item, 0) - held.get(item, 0)
                if by:
                    (short if by > 0 else spare).setdefault(item, []).append((zone, abs(by)))
    for zone in rows:
        for item in table.zones[zone]:
            spare.setdefault(item, []).append((zone, 1))
        for item in other.zones[zone]:
            short.setdefault(item, []).append((zone, 1))
    work = table.copy()
    for item in sorted({*spare, *short}):
        sources = [zone for zone, n in spare.get(item, ()) for _ in range(n)]
        targets = [zone for zone, n in short.get(item, ()) for _ in range(n)]
        for zone in [one for one in sources if one in rows and one in targets]:
            sources.remove(zone)
            targets.remove(zone)  # it stays in its row, whose order is set at the end
        for n in range(max(len(sources), len(targets))):
            source, target = (sources[n] if n < len(sources) else "box"), (targets[n] if n < len(targets) else "box")
            at = work.zones[source].index(item) if source in rows else -1
            to = len(work.zones[target]) if target in rows else -1
            ops.append(Move(item, source, target, 1, at, to))
            work.fold(ops[-1:])
    for zone in rows:
        left, order = list(enumerate(work.zones[zone])), []
        for item in other.zones[zone]:
            place = next(place for place in left if place[1] == item)
            left.remove(place)
            order.append(place[0])
        if order != list(range(len(order))):
            ops.append(Reorder(zone, order))
    for register in sorted({*table.registers, *other.registers}):
        if table.registers.get(register) != other.registers.get(register):
            ops.append(Set(register, table.registers.get(register), other.registers.get(register)))
    return ops
