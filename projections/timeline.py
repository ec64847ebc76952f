"""The timeline: every decision and mark, what was taken back, and for each moment one could go back to what that would touch.

The public's rows are the document. A viewer who sees an event otherwise than the public has a row of their own for it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from domain.kernel.event import ADVANCED, UNDONE
from domain.log import Line
from projections.view import Moment, Row

name = "timeline"
schema = 1


def fold(head: Any, moment: Moment) -> tuple[Any, Sequence[Row]]:
    """Rows are [version, at, kind, seat, question, next step if one ended here, draws, {seat: items it came to see}, version gone back to].

    The head is [version gone back to, version] of every undo.
    """
    event = moment.event
    back, learnt = None, moment.sights.learnt(event)
    if event.kind == UNDONE:
        back, learnt = event.answer, {}
        head = [*(head or ()), [back, event.version]]
    step = moment.step if event.mark else ""
    return head, [[event.version, event.at, event.kind, event.seat, event.ask, step, len(event.chance), learnt, back]]


def merged(public: Sequence[Row], head: Any, own: Sequence[Row]) -> Sequence[Row]:
    """A viewer's rows: their own in place of the public's."""
    mine = {row[0]: row for row in own}
    return [mine.get(row[0], row) for row in public] if mine else public


def struck(undos: Iterable[Sequence[int]], version: int) -> bool:
    """Whether one of these undos, each [version gone back to, version of the undo], took a version back."""
    return any(back < version < undo for back, undo in undos)


def moments(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Each decision with what the rules did because of it. Its version is a question: one can go back to it, or branch off there.

    `touches` says what going back to it would take back: whose decisions, draws that would be made again, and what whom has seen since,
    which no undo makes unseen.
    """
    found: list[dict[str, Any]] = []
    live: list[int] = []  # indexes of what is in force
    for version, at, kind, seat, ask, step, draws, learnt, back in rows:
        if kind == ADVANCED and found:
            moment = found[-1]
        else:
            moment = {"kind": kind, "seat": seat, "question": ask, "steps": [], "draws": 0, "learnt": {}, "undone": False}
            if back is not None:
                moment["back"] = back
                while live and found[live[-1]]["version"] > back:
                    found[live.pop()]["undone"] = True
            else:
                live.append(len(found))
            found.append(moment)
        moment["version"], moment["at"] = version, at
        moment["draws"] += draws
        _add(moment["learnt"], learnt)
        if step:
            moment["steps"].append(step)
    decisions: dict[str, int] = {}
    draws, learnt, after = 0, dict[str, int](), None
    for index in reversed(live):
        moment = found[index]
        moment["next"] = after
        moment["touches"] = {"decisions": dict(decisions), "draws": draws, "learnt": dict(learnt)}
        if moment["seat"]:
            decisions[moment["seat"]] = decisions.get(moment["seat"], 0) + 1
            after = {"seat": moment["seat"], "question": moment["question"]}
        draws += moment["draws"]
        _add(learnt, moment["learnt"])
    return found


def _add(to: dict[str, int], more: dict[str, int]) -> None:
    for seat, n in more.items():
        to[seat] = to.get(seat, 0) + n


def branches(lines: Iterable[Line], of: Collection[str]) -> list[dict[str, Any]]:
    """Where other lines branch off these."""
    return [
        {"line": line.id, "parent": line.parent, "at": line.at, "by": line.by, "reason": line.reason, "made": line.made}
        for line in lines
        if line.parent in of and line.id not in of
    ]
