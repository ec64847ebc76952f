"""The inbox: on which line the game waits for whom, for which question, and since when. Never what anybody holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from domain.kernel import redact
from domain.kernel.event import SEALED, UNDONE, Event
from domain.kernel.ops import Set
from domain.kernel.run import Run
from domain.kernel.schema import SPECTATOR
from projections.view import Moment, Row

name = "inbox"
schema = 1


def fold(head: Any, moment: Moment) -> tuple[Any, Sequence[Row]]:
    """The head is [version, at] of the newest question and {seat: the same} of those who took a sealed answer back since."""
    event = moment.event
    when = [event.version, event.at]
    if head is not None and _seals(event):
        return ([head[0], {**head[1], event.seat: when}] if event.kind == UNDONE else head), ()
    return [when, {}], ()


def _seals(event: Event) -> bool:
    """Whether all it does is to seal one's answer, or to unseal it again: everybody else is still asked the same."""
    if event.kind not in (SEALED, UNDONE) or len(event.ops) != 1:
        return False
    op = event.ops[0]
    return type(op) is Set and op.register == f"sealed:{event.seat}" and (op.new is None) == (event.kind == UNDONE)


def waiting(head: Any, run: Run) -> dict[str, Any]:
    """Whom a game waits for at a question: what the public may know of it, and no more."""
    opened, again = head
    asked = redact.questions(run.asks, run.offers, SPECTATOR)
    found = []
    for ask in asked:
        version, at = again.get(ask["seat"], opened)
        found.append({"seat": ask["seat"], "question": ask["key"], "asked": version, "since": at})
    return {"waiting": found, "anybody": not asked and not run.over, "over": run.over}
