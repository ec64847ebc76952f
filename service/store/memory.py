"""A store in memory: for playouts, fuzzing and the contract; nothing outlives the process."""

from __future__ import annotations

import threading
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from domain.kernel.errors import NotFound, Refused, Stale
from domain.kernel.event import Event
from domain.log import Line, Match, Snapshot
from service.store.feed import Feed, LocalBell, Notice, ring


class MemoryStore:
    def __init__(self) -> None:
        self._matches: dict[str, Match] = {}
        self._lines: dict[str, Line] = {}
        self._events: dict[str, list[Event]] = {}
        self._snapshots: dict[str, list[Snapshot]] = {}
        self._stored: list[tuple[str, Event]] = []
        self._bells: set[LocalBell] = set()
        self._lock = threading.Lock()

    # -- matches and lines -----------------------------------------------------------------------

    def add_match(self, match: Match, line: Line, events: Sequence[Event] = ()) -> None:
        if match.id in self._matches:
            raise Refused("", f"there is already a match {match.id!r}")
        self.add_line(line)
        self._matches[match.id] = match
        if events:
            self.append(line.id, events)

    def match(self, id: str) -> Match:
        if id not in self._matches:
            raise NotFound(f"there is no match {id!r}")
        return self._matches[id]

    def matches(self) -> list[Match]:
        return sorted(self._matches.values(), key=lambda match: (match.made, match.id))

    def add_line(self, line: Line) -> None:
        if line.id in self._lines:
            raise Refused("", f"there is already a line {line.id!r}")
        self._lines[line.id] = line
        self._events[line.id] = []

    def line(self, id: str) -> Line:
        if id not in self._lines:
            raise NotFound(f"there is no line {id!r}")
        return self._lines[id]

    def lines(self, match: str) -> list[Line]:
        return sorted((line for line in self._lines.values() if line.match == match), key=lambda line: (line.made, line.id))

    # -- events ----------------------------------------------------------------------------------

    def append(self, line: str, events: Sequence[Event]) -> None:
        with self._lock:
            head = self.head(line) or self._lines[line].at
            if events[0].version != head + 1:
                raise Stale(events[0].version - 1, head)
            self._events[line] += events
            self._stored += [(line, item) for item in events]
        if self._bells:
            ring(self._bells)

    def read(self, line: str, gt: int, lte: int) -> list[Event]:
        after = self.line(line).at
        return self._events[line][max(0, gt - after) : max(0, lte - after)]

    def head(self, line: str) -> int:
        self.line(line)
        events = self._events[line]
        return events[-1].version if events else 0

    # -- the feed --------------------------------------------------------------------------------

    def notifications(self, gt: int, limit: int) -> list[Notice]:
        return [Notice(position, *stored) for position, stored in enumerate(self._stored[gt : gt + limit], gt + 1)]

    def position(self) -> int:
        return len(self._stored)

    def subscribe(self, gt: int = 0) -> Feed:
        return Feed(self.notifications, LocalBell(self._bells), gt)

    # -- snapshots -------------------------------------------------------------------------------

    def keep(self, line: str, snapshot: Snapshot) -> None:
        kept = self._snapshots.setdefault(line, [])
        index = bisect_left(kept, snapshot.version, key=_version)
        same = index < len(kept) and kept[index].version == snapshot.version
        kept[index : index + same] = [snapshot]

    def snapshot(self, line: str, lte: int) -> Snapshot | None:
        kept = self._snapshots.get(line, [])
        index = bisect_right(kept, lte, key=_version)
        if not index:
            return None
        found = kept[index - 1]
        zones = {name: held.copy() for name, held in found.zones.items()}
        return Snapshot(found.version, found.schema, found.drawn, found.link, zones, dict(found.registers), found.terms)


def _version(snapshot: Snapshot) -> int:
    return snapshot.version
