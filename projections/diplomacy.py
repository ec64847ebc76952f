"""The diplomacy table: how everybody stands to everybody now, and for each pair what changed when."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from domain.kernel.event import UNDONE
from projections.view import Moment, Row

name = "diplomacy"
schema = 1


def fold(head: Any, moment: Moment) -> tuple[Any, Sequence[Row]]:
    """Rows are [version, at, whether by an undo, relations that are new or other, pairs that ended]; the head is all relations."""
    now = {pair(relation): relation for relation in moment.said}
    before = {pair(relation): relation for relation in head or ()}
    if now == before:
        return head, ()
    changed = [relation for at, relation in now.items() if before.get(at) != relation]
    ended = [list(at) for at in before if at not in now]
    event = moment.event
    return moment.said, [[event.version, event.at, event.kind == UNDONE, changed, ended]]


def pair(relation: dict[str, Any]) -> tuple[str, str]:
    return relation["seat"], relation["other"]


def now(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Every relation in force."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for _, _, _, changed, ended in rows:
        for seat, other in ended:
            del found[seat, other]
        found.update({pair(relation): relation for relation in changed})
    return [found[at] for at in sorted(found)]


def history(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """For each pair, oldest first, what it became and when; an empty status says that nothing binds it any more."""
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for version, at, undo, changed, ended in rows:
        gone = [{"seat": seat, "other": other, "status": "", "note": "", "cite": ""} for seat, other in ended]
        for relation in (*gone, *changed):
            what = {name: relation[name] for name in ("status", "note", "cite")}
            found.setdefault(pair(relation), []).append({"version": version, "at": at, "by_undo": undo, **what})
    return [{"seat": seat, "other": other, "changes": found[seat, other]} for seat, other in sorted(found)]
