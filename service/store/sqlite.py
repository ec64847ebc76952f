"""SQLite: the library's recorder with declared positions, a useful statement cache and one durable commit per decision."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from eventsourcing.persistence import IntegrityError, InterfaceError, OperationalError, PersistenceError, StoredEvent
from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteConnection, SQLiteConnectionPool, SQLiteDatastore, SQLiteFactory

from service.store.feed import Bell, LocalBell, ring
from service.store.tables import FOLLOWS, TABLES, Statement

BUSY = 10  # seconds that a writer waits for the writers of other processes

# An event that follows nothing has no version, and a row without one is refused.
ADD_EVENT = (
    f"INSERT INTO stored_events (originator_id, originator_version, topic, state) VALUES (?, CASE WHEN {FOLLOWS} THEN ? END, ?, ?)"
)

# Readers of a file in this process, whichever store they came from.
_bells: defaultdict[str, set[LocalBell]] = defaultdict(set)


class Pool(SQLiteConnectionPool):
    """Connections that keep 128 prepared statements (the library's `cached_statements=True` means one)."""

    def _create_connection(self) -> SQLiteConnection:
        try:
            db = sqlite3.connect(self.db_name, timeout=BUSY, isolation_level=None, check_same_thread=False, cached_statements=128)
            _write_ahead(db)
            db.execute("PRAGMA synchronous=FULL")  # a commit that was acknowledged survives a power cut
        except sqlite3.Error as wrong:
            raise InterfaceError(f"cannot open the database file {self.db_name}: {wrong}") from wrong
        db.row_factory = sqlite3.Row  # the library reads rows by name
        return SQLiteConnection(db, self.max_age)


def _write_ahead(db: sqlite3.Connection) -> None:
    """Readers never wait for the writer. The switch itself does not heed the busy timeout, so wait here."""
    until = time.monotonic() + BUSY
    while True:
        try:
            db.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError:
            if time.monotonic() > until:
                raise
            time.sleep(0.01)


class Datastore(SQLiteDatastore):
    """One connection for writers, who have to take turns anyway, and as many for readers as there ever were at once."""

    def __init__(self, db_name: str) -> None:
        super().__init__(db_name, originator_id_type="text")
        self.pool = Pool(db_name=db_name, pool_timeout=BUSY)
        self.turn = threading.Lock()
        self._idle: list[sqlite3.Connection] = []  # a list's pop and append are atomic
        self._writer: sqlite3.Connection | None = None

    def rows(self, sql: str, given: Sequence[Any]) -> list[Any]:
        try:
            db = self._idle.pop()
        except IndexError:
            db = self.pool._create_connection()._sqlite_conn
            db.row_factory = None
        try:
            return db.execute(sql, given).fetchall()
        except sqlite3.Error as wrong:
            raise _translated(wrong) from wrong
        finally:
            self._idle.append(db)

    def writer(self) -> sqlite3.Connection:
        """The writer's connection, for who holds `turn`; outside a transaction, so a single statement is one by itself."""
        if self._writer is None:
            self._writer = self.pool._create_connection()._sqlite_conn
        return self._writer

    def close(self) -> None:
        super().close()
        for db in (*getattr(self, "_idle", ()), getattr(self, "_writer", None)):
            if db is not None:
                db.close()
        self._idle, self._writer = [], None


@contextmanager
def _transaction(db: sqlite3.Connection) -> Iterator[None]:
    """The write lock is taken first, so that nothing read in it can be out of date."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def _translated(wrong: sqlite3.Error) -> PersistenceError:
    """SQLite's errors in the library's words."""
    if isinstance(wrong, sqlite3.IntegrityError):
        return IntegrityError(str(wrong))
    return OperationalError(str(wrong)) if isinstance(wrong, sqlite3.OperationalError) else PersistenceError(str(wrong))


class Recorder(SQLiteApplicationRecorder):
    datastore: Datastore

    def __init__(self, datastore: Datastore) -> None:
        super().__init__(datastore)
        self._bells = _bells[str(Path(datastore.pool.db_name).absolute())]

    def construct_create_table_statements(self) -> list[str]:
        # A declared key: a position is never given twice, neither after a deletion nor by VACUUM.
        events = (
            f"CREATE TABLE IF NOT EXISTS {self.events_table_name} (rowid INTEGER PRIMARY KEY AUTOINCREMENT, "
            "originator_id TEXT NOT NULL, originator_version INTEGER NOT NULL, topic TEXT NOT NULL, state BLOB NOT NULL, "
            "UNIQUE (originator_id, originator_version))"
        )
        return [events, *TABLES]

    def migrate(self) -> None:
        self.write([(statement, ()) for statement in self.create_table_statements])

    def insert_events(self, stored_events: Sequence[StoredEvent], *, also: Sequence[Statement] = (), **_: Any) -> Sequence[int]:
        try:
            with self.datastore.turn:
                db = self.datastore.writer()
                if len(stored_events) == 1 and not also:
                    positions = [_insert(db, stored_events[0])]
                else:
                    with _transaction(db):
                        for sql, given in also:
                            db.execute(sql, given)
                        positions = [_insert(db, stored) for stored in stored_events]
        except sqlite3.Error as wrong:
            raise _translated(wrong) from wrong
        if self._bells:
            ring(self._bells)
        return positions

    def rows(self, sql: str, given: Sequence[Any] = ()) -> list[Any]:
        return self.datastore.rows(sql, given)

    def write(self, statements: Sequence[Statement]) -> None:
        try:
            with self.datastore.turn, _transaction(db := self.datastore.writer()):
                for sql, given in statements:
                    db.execute(sql, given)
        except sqlite3.Error as wrong:
            raise _translated(wrong) from wrong

    def write_softly(self, sql: str, given: Sequence[Any]) -> None:
        """One row that need not reach the disk at once.

        With synchronous=NORMAL a commit goes to the write-ahead log without an fsync: it survives the death of the
        process, not a power cut. The next decision's commit (FULL) syncs the whole log, this row first. So a branch can
        be lost only while nothing has been decided anywhere after it, and no decision can be stored without its branch.
        """
        try:
            with self.datastore.turn:
                db = self.datastore.writer()
                db.execute("PRAGMA synchronous=NORMAL")
                try:
                    db.execute(sql, given)
                finally:
                    db.execute("PRAGMA synchronous=FULL")
        except sqlite3.Error as wrong:
            raise _translated(wrong) from wrong

    def bell(self) -> Bell:
        return LocalBell(self._bells)


def _insert(db: sqlite3.Connection, stored: StoredEvent) -> int:
    """One event, if it follows; its position."""
    line, version = stored.originator_id, stored.originator_version
    before = version - 1
    return db.execute(ADD_EVENT, (line, line, before, line, before, version, stored.topic, stored.state)).lastrowid or 0


class Factory(SQLiteFactory):
    application_recorder_class = Recorder

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        self.datastore = Datastore(self.datastore.pool.db_name)
