"""The scoreboard, now and over time: a row at every mark at which somebody's points (or what is shown beside them) changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from domain.kernel.event import UNDONE
from projections.view import Moment, Row

name = "scoreboard"
schema = 1


def fold(head: Any, moment: Moment) -> tuple[Any, Sequence[Row]]:
    """Rows are [version, at, step, version gone back to or None, scores]; the head is the newest scores."""
    event = moment.event
    back = event.answer if event.kind == UNDONE else None
    if moment.said == head and back is None:
        return head, ()
    return moment.said, [[event.version, event.at, moment.step, back, moment.said]]


def now(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """The scores as they stand."""
    return list(rows[-1][4]) if rows else []


def history(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """The points of every seat from each version on; what was undone stays in, marked."""
    found: list[dict[str, Any]] = []
    for version, at, step, back, scores in rows:
        if back is not None:
            for entry in reversed(found):
                if entry["version"] <= back:
                    break
                entry["undone"] = True
        points = {score["seat"]: score["points"] for score in scores}
        found.append({"version": version, "at": at, "step": step, "points": points, "undone": False})
    return found
