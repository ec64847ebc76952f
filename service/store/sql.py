"""The store on a database: what `domain.log.Store` promises, on the recorder of SQLite or of PostgreSQL."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import lru_cache
from itertools import count
from typing import Any, Self

import msgspec
from eventsourcing.persistence import IntegrityError, StoredEvent

from domain.kernel.errors import NotFound, Refused, Stale
from domain.kernel.event import Event, decode, encode
from domain.log import Line, Match, Snapshot
from service.store import tables
from service.store.application import UNREADABLE, BrokenRow, GameLog, event_of
from service.store.feed import Feed, Notice
from service.store.tables import Statement

_pack = msgspec.msgpack.Encoder().encode
_match = msgspec.msgpack.Decoder(Match).decode
_line = msgspec.msgpack.Decoder(Line).decode
_snapshot = msgspec.msgpack.Decoder(Snapshot).decode


class SqlStore:
    """Open it after a server has forked its workers: connections do not survive that. Close it at the end, or use `with`."""

    def __init__(self, application: GameLog) -> None:
        self._application = application
        self._recorder: Any = application.recorder
        self.line = lru_cache(maxsize=4096)(self._line)  # a line never changes

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._application.close()

    def migrate(self, more: Sequence[str] = ()) -> None:
        """Make the tables that are missing, and those of other parts given as `CREATE ... IF NOT EXISTS`; several processes may."""
        self._recorder.migrate()
        try:
            self._recorder.write([(statement, ()) for statement in more])
        except IntegrityError:  # PostgreSQL, if another process made one at the same moment: now it is there
            self._recorder.write([(statement, ()) for statement in more])

    # -- matches and lines -----------------------------------------------------------------------

    def add_match(self, match: Match, line: Line, events: Sequence[Event] = ()) -> None:
        """A match, its main line and its first events, all or nothing."""
        rows = [_match_row(match), _line_row(line)]
        try:
            if events:
                self._insert(line.id, events, rows)
            else:
                self._recorder.write(rows)
        except IntegrityError:
            raise Refused("", f"there is already a match {match.id!r}") from None

    def match(self, id: str) -> Match:
        for row in self._recorder.rows(tables.MATCH, (id,)):
            return _match(row[0])
        raise NotFound(f"there is no match {id!r}")

    def matches(self) -> list[Match]:
        return [_match(row[0]) for row in self._recorder.rows(tables.MATCHES)]

    def add_line(self, line: Line) -> None:
        try:
            self._recorder.write_softly(*_line_row(line))
        except IntegrityError:
            raise Refused("", f"there is already a line {line.id!r}") from None

    def _line(self, id: str) -> Line:
        for row in self._recorder.rows(tables.LINE, (id,)):
            return _line(row[0])
        raise NotFound(f"there is no line {id!r}")

    def lines(self, match: str) -> list[Line]:
        return [_line(row[0]) for row in self._recorder.rows(tables.LINES, (match,))]

    # -- events ----------------------------------------------------------------------------------

    def append(self, line: str, events: Sequence[Event], also: Sequence[Statement] = ()) -> None:
        """Store events that follow the newest of a line, durably, all or none; else `Stale`.

        `also` are statements for other tables in the same transaction, as (sql, values) with `?` for each value:
        `also=[("INSERT INTO outbox (id, mail) VALUES (?, ?)", (id, mail))]`. They are written if and only if the events are.
        """
        try:
            self._insert(line, events, also)
        except IntegrityError:
            head = self.head(line) or self.line(line).at
            if events[0].version == head + 1:
                raise  # the events fit: it is one of the other tables that objects
            raise Stale(events[0].version - 1, head) from None

    def _insert(self, line: str, events: Sequence[Event], also: Sequence[Statement]) -> None:
        # Topics are the kinds of events, never module paths: code may move, the log may not.
        rows = [StoredEvent(line, item.version, item.kind, encode(item)) for item in events]
        self._recorder.insert_events(rows, also=also)

    def read(self, line: str, gt: int, lte: int) -> list[Event]:
        rows = self._recorder.rows(tables.EVENTS, (line, gt, lte))
        if not rows:
            self.line(line)
            return []
        try:
            events = [decode(state) for _, state in rows]
        except UNREADABLE:
            events = [event_of(line, version, state) for version, state in rows]  # says which one
        for expected, item, (version, state) in zip(count(rows[0][0]), events, rows):
            if version != expected:
                raise BrokenRow(line, expected, "this version is missing")
            if item.version != version:
                event_of(line, version, state)
        return events

    def head(self, line: str) -> int:
        """The newest version stored on a line by any process, 0 if none: looked up each time, by the key."""
        found: int | None = self._recorder.rows(tables.HEAD, (line,))[0][0]
        if found is None:
            self.line(line)
        return found or 0

    # -- the feed --------------------------------------------------------------------------------

    def notifications(self, gt: int, limit: int) -> list[Notice]:
        """Events of all lines stored after a position, in order; up to the first broken one, which raises if it comes first."""
        found: list[Notice] = []
        stored: StoredEvent
        for stored in self._recorder.select_notifications(gt, limit, inclusive_of_start=False):
            line, position = str(stored.originator_id), stored.id
            try:
                found.append(Notice(position, line, event_of(line, stored.originator_version, stored.state, position)))
            except BrokenRow:
                if not found:
                    raise
                break
        return found

    def position(self) -> int:
        """The position of the newest event of all lines, 0 if there is none."""
        return self._recorder.max_notification_id() or 0

    def subscribe(self, gt: int = 0) -> Feed:
        """Events of all lines after a position, those to come too."""
        return Feed(self.notifications, self._recorder.bell(), gt)

    # -- snapshots -------------------------------------------------------------------------------

    def keep(self, line: str, snapshot: Snapshot) -> None:
        self._recorder.write_softly(tables.KEEP, (line, snapshot.version, zlib.compress(_pack(snapshot), 1)))

    def snapshot(self, line: str, lte: int) -> Snapshot | None:
        while rows := self._recorder.rows(tables.NEAREST, (line, lte)):
            version, state = rows[0]
            try:
                return _snapshot(zlib.decompress(state))
            except (*UNREADABLE, zlib.error):
                lte = version - 1  # a damaged snapshot is worth nothing: an older one will do
        return None

    # -- other tables ----------------------------------------------------------------------------

    def rows(self, sql: str, given: Sequence[Any] = ()) -> list[Any]:
        """Read from any table of the database, `?` for each value."""
        found: list[Any] = self._recorder.rows(sql, given)
        return found

    def write(self, statements: Sequence[Statement]) -> None:
        """Write to other tables, all or nothing, durably."""
        self._recorder.write(statements)


def _match_row(match: Match) -> Statement:
    return tables.ADD_MATCH, (match.id, match.made, _pack(match))


def _line_row(line: Line) -> Statement:
    return tables.ADD_LINE, (line.id, line.match, line.at, line.made, _pack(line))
