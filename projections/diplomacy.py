"""The diplomacy table: how everybody stands to everybody now, and for each pair what changed when."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from domain.kernel.event import UNDONE
from projections.view import Moment, Row

name = "diplomacy"
schema = 1

Pairs = dict[tuple[str, str], list[list[str]]]


def fold(head: Any, moment: Moment) -> tuple[Any, Sequence[Row]]:
    """Rows are [version, at, whether by an undo, [seat, other, [status, note, rule] ...] of every pair that changed].

    The head is all relations, as the title says them. A pair may have several.
    """
    if moment.said == head:
        return head, ()
    now, before = _pairs(moment.said), _pairs(head or ())
    changed = [[*pair, *said] for pair, said in now.items() if before.get(pair) != said]
    changed += [list(pair) for pair in before if pair not in now]
    event = moment.event
    return moment.said, [[event.version, event.at, event.kind == UNDONE, changed]] if changed else []


def _pairs(relations: Sequence[dict[str, str]]) -> Pairs:
    found: Pairs = {}
    for said in relations:
        found.setdefault((said["seat"], said["other"]), []).append([said["status"], said["note"], said["cite"]])
    return found


def now(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Every relation in force."""
    found: Pairs = {}
    for _, _, _, changed in rows:
        found.update({(seat, other): said for seat, other, *said in changed})
    return [{"seat": seat, "other": other, **_told(said)} for (seat, other), all_said in sorted(found.items()) for said in all_said]


def history(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """For each pair, oldest first, what held from when on; no relations: nothing binds it any more."""
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for version, at, undo, changed in rows:
        for seat, other, *said in changed:
            entry = {"version": version, "at": at, "by_undo": undo, "relations": [_told(one) for one in said]}
            found.setdefault((seat, other), []).append(entry)
    return [{"seat": seat, "other": other, "changes": found[seat, other]} for seat, other in sorted(found)]


def _told(said: Sequence[str]) -> dict[str, str]:
    return dict(zip(("status", "note", "cite"), said))
