"""PostgreSQL: the library's recorder, which locks the table so that positions commit in order, and wakes readers by NOTIFY."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import psycopg
from eventsourcing.persistence import IntegrityError, InterfaceError, OperationalError, StoredEvent
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore, PostgresFactory
from eventsourcing.utils import retry
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import tuple_row
from psycopg.sql import SQL, Identifier

from domain.kernel.errors import ChanceryError
from service.store.feed import Bell
from service.store.tables import FOLLOWS, TABLES, Statement

MIGRATING = 0x4368616E63657279  # "Chancery", the advisory lock of whoever makes the tables
# A connection may have gone stale: the server was restarted, or a firewall dropped it.
again: Callable[[Any], Any] = retry((InterfaceError, OperationalError), max_attempts=10, wait=0.2)


@lru_cache(maxsize=256)
def dialect(sql: str) -> str:
    return sql.replace("%", "%%").replace("?", "%s")


def environment(url: str) -> dict[str, str]:
    """An address in the words of the library."""
    given = conninfo_to_dict(url)
    return {
        "POSTGRES_DBNAME": str(given.get("dbname", "")),
        "POSTGRES_HOST": str(given.get("host", "")),
        "POSTGRES_PORT": str(given.get("port", "5432")),
        "POSTGRES_USER": str(given.get("user", "")),
        "POSTGRES_PASSWORD": str(given.get("password", "")),
        "POSTGRES_CONNECT_TIMEOUT": "10",
        "POSTGRES_LOCK_TIMEOUT": "10",
        "POSTGRES_URL": url,
    }


class Listener:
    """Rung by NOTIFY, from any process on any machine. A connection of its own: LISTEN lasts as long as it does."""

    def __init__(self, address: dict[str, Any], channel: str) -> None:
        self._db = psycopg.connect(**address, autocommit=True)
        self._db.execute(SQL("LISTEN {}").format(Identifier(channel)))

    def wait(self, timeout: float) -> None:
        for _ in self._db.notifies(timeout=timeout, stop_after=1):
            pass

    def ring(self) -> None:
        """A reader that is told to stop finds out at its next look."""

    def close(self) -> None:
        self._db.close()


class Recorder(PostgresApplicationRecorder):
    def __init__(self, datastore: PostgresDatastore, *, events_table_name: str = "stored_events") -> None:
        if datastore.enable_db_functions:
            # The stored function inserts without the table lock: positions commit out of order and readers miss events.
            raise ChanceryError("POSTGRES_ENABLE_DB_FUNCTIONS must stay off: projections would lose events")
        super().__init__(datastore, events_table_name=events_table_name)
        del self.sql_create_statements[self.create_insert_function_statement_index]

    def migrate(self) -> None:
        """Make what is missing; of several processes that start at once one does it and the others wait."""
        with self.datastore.get_connection() as lock:
            lock.execute("SELECT pg_advisory_lock(%s)", [MIGRATING])
            try:
                if self.rows("SELECT to_regclass('stored_events')")[0][0] is None:
                    self.create_table()
                self.datastore.register_type_adapters()
                self.write([(statement, ()) for statement in TABLES])
            finally:
                lock.execute("SELECT pg_advisory_unlock(%s)", [MIGRATING])

    @again
    def insert_events(self, stored_events: Sequence[StoredEvent], *, also: Sequence[Statement] = (), **_: Any) -> Sequence[int]:
        first = stored_events[0]
        line, before = first.originator_id, first.originator_version - 1
        with self.datastore.get_connection() as db, db.transaction():
            with db.pipeline(), db.cursor() as events, db.cursor(row_factory=tuple_row) as follows:
                self._insert_stored_events(events, stored_events)  # locks the table, notifies, inserts
                for sql, given in also:
                    follows.execute(dialect(sql), given)
                follows.execute(dialect(f"SELECT {FOLLOWS}"), (line, before, line, before))
                found = follows.fetchone()
                positions = [row["notification_id"] for row in events.fetchall()]
            if not found or not found[0]:
                raise IntegrityError(f"version {before + 1} does not follow the newest of line {line}")
        return positions

    @again
    def rows(self, sql: str, given: Sequence[Any] = ()) -> list[Any]:
        with self.datastore.get_connection() as db, db.cursor(row_factory=tuple_row, binary=True) as cursor:
            return cursor.execute(dialect(sql), given, prepare=True).fetchall()

    @again
    def write(self, statements: Sequence[Statement]) -> None:
        with self.datastore.get_connection() as db, db.transaction():
            for sql, given in statements:
                db.execute(dialect(sql), given)

    def write_softly(self, sql: str, given: Sequence[Any]) -> None:
        self.write([(sql, given)])

    def bell(self) -> Bell:
        return Listener({**self.datastore.pool.kwargs, "row_factory": tuple_row}, self.channel_name)


class Factory(PostgresFactory):
    application_recorder_class = Recorder

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        # The library passes on five parts of the address, empty or not; sslmode and the others matter too.
        pool = self.datastore.pool
        pool.kwargs = {**conninfo_to_dict(self.env["POSTGRES_URL"]), **{name: part for name, part in pool.kwargs.items() if part}}
