"""Other readings of the rules: what a decision would have come to if a ruling switch of the title stood another way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from domain.kernel import redact
from domain.kernel.chance import Recorded
from domain.kernel.errors import BrokenLog, Refused
from domain.kernel.event import ADVANCED, CREATED, RULED, Event
from domain.kernel.run import Run
from domain.kernel.schema import ARBITER, Schema
from domain.kernel.table import Table
from domain.kernel.title import Title
from domain.log import Log, groups
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
    copy = mark.copy()
    table = title.table.restored(schema, {zone: held for zone, held in copy.zones.items() if held is not None}, copy.registers)
    waiting = list(groups([item for item in events if item.kind != RULED]))
    opening = waiting.pop(0) if waiting and waiting[0][0].kind in (CREATED, ADVANCED) else []
    recorded = Recorded(outcome for item in opening for outcome in item.chance)
    version, seat = opening[0].version if opening else 0, ""
    try:
        run = Run(title, table, recorded, drawn)
        for group in waiting:
            version, seat = group[0].version, group[0].seat
            recorded.left = [outcome for item in group for outcome in item.chance]
            run.answer(group[0].seat, group[0].ask, group[0].answer)
            if recorded.left:
                return base._replace(outcome=CHANCE, version=version)
    except Refused as no:
        mine = viewer in (ARBITER, seat)
        return base._replace(outcome=REFUSED, version=version, rule=no.rule, reason=no.reason if mine else "")
    except BrokenLog:
        return base._replace(outcome=CHANCE, version=version)
    except Exception:  # a table of one reading may make no sense under another
        return base
    apart = differences(redact.table(after, viewer), redact.table(run.table, viewer))
    return base._replace(outcome=DIFFERS if apart else SAME, version=version if apart else 0, changes=apart)
