"""The scoreboard over time: a row at every question at which somebody's points are not what they were at the one before.

Only points are kept. What a title shows beside them (houses, hands, what is within reach) is asked of it when somebody looks, from the
table of the same version: it changes with nearly every event, and working it out costs a title far more than the points do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from domain.kernel.event import UNDONE
from projections.view import Moment, Row

name = "scoreboard"
schema = 1


def fold(head: Any, moment: Moment) -> tuple[Any, Sequence[Row]]:
    """Rows are [version, at, step, version gone back to or None, {seat: points}]; the head is the newest points."""
    event = moment.event
    back = event.answer if event.kind == UNDONE else None
    if moment.said == head and back is None:
        return head, ()
    return moment.said, [[event.version, event.at, moment.step, back, moment.said]]


def history(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """The points of every seat from each version on; what was undone stays in, marked."""
    found: list[dict[str, Any]] = []
    for version, at, step, back, points in rows:
        if back is not None:
            for entry in reversed(found):
                if entry["version"] <= back:
                    break
                entry["undone"] = True
        found.append({"version": version, "at": at, "step": step, "points": points, "undone": False})
    return found
