"""The chronicle: the log told in sentences, to each viewer what they may see of it, in their language; what was undone is struck.

It is told when it is read. Two hundred events take a few milliseconds, wording may change at any time, and nothing has to be rebuilt.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from domain.kernel.event import ADOPTED, RULED, UNDONE, Event
from domain.kernel.title import Title, Translate
from projections.timeline import struck


def told(title: Title, seen: Iterable[Event], undos: Sequence[Sequence[int]], _: Translate) -> list[dict[str, Any]]:
    """The events that have something to tell. They must have passed the gate already."""
    found = []
    for event in seen:
        sentences = title.tell(event, _) or _around(event, _)
        if sentences:
            about = {"version": event.version, "at": event.at, "kind": event.kind, "seat": event.seat, "mark": event.mark}
            found.append({**about, "sentences": list(sentences), "undone": struck(undos, event.version)})
    return found


def _around(event: Event, _: Translate) -> list[str]:
    """What happens around a game and no title tells."""
    if event.kind == UNDONE:
        return [_("{seat} takes back everything after version {version}.").format(seat=event.seat, version=event.answer)]
    if event.kind == RULED and "text" in event.answer:
        return [_("Ruling: {text}").format(text=event.answer["text"])]
    if event.kind == RULED:
        return [_("The game goes on under the rules {rules}.").format(rules=event.answer["rules"])]
    if event.kind == ADOPTED:
        return [_("The match goes on on another line.")]
    return []
