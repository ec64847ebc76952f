"""A store in memory: for playouts, fuzzing and the contract; nothing outlives the process."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from domain.kernel.errors import NotFound, Stale
from domain.kernel.event import Event
from domain.log import Line, Match, Snapshot


class MemoryStore:
    def __init__(self) -> None:
        self._matches: dict[str, Match] = {}
        self._lines: dict[str, Line] = {}
        self._events: dict[str, list[Event]] = {}
        self._snapshots: dict[str, list[Snapshot]] = {}

    def add_match(self, match: Match, line: Line) -> None:
        self._matches[match.id] = match
        self.add_line(line)

    def match(self, id: str) -> Match:
        if id not in self._matches:
            raise NotFound(f"there is no match {id!r}")
        return self._matches[id]

    def matches(self) -> list[Match]:
        return list(self._matches.values())

    def add_line(self, line: Line) -> None:
        self._lines[line.id] = line
        self._events[line.id] = []

    def line(self, id: str) -> Line:
        if id not in self._lines:
            raise NotFound(f"there is no line {id!r}")
        return self._lines[id]

    def lines(self, match: str) -> list[Line]:
        return [line for line in self._lines.values() if line.match == match]

    def append(self, line: str, events: Sequence[Event]) -> None:
        head = self.head(line) or self._lines[line].at
        if events[0].version != head + 1:
            raise Stale(events[0].version - 1, head)
        self._events[line] += events

    def read(self, line: str, gt: int, lte: int) -> list[Event]:
        after = self._lines[line].at
        return self._events[line][max(0, gt - after) : max(0, lte - after)]

    def head(self, line: str) -> int:
        events = self._events[line]
        return events[-1].version if events else 0

    def keep(self, line: str, snapshot: Snapshot) -> None:
        self._snapshots.setdefault(line, []).append(snapshot)

    def snapshot(self, line: str, lte: int) -> Snapshot | None:
        kept = self._snapshots.get(line, [])
        index = bisect_right([snapshot.version for snapshot in kept], lte)
        if not index:
            return None
        found = kept[index - 1]
        zones = {name: held.copy() for name, held in found.zones.items()}
        return Snapshot(found.version, found.schema, found.drawn, found.link, zones, dict(found.registers))
