"""Views in a database: the SQLite file that holds the log (the embedded default), or PostgreSQL where there is no Redis."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

from eventsourcing.persistence import IntegrityError, PersistenceError

from projections.stores import Change, Conflict, Edition, Lost, Standing, Unavailable

TABLES = (
    "CREATE TABLE IF NOT EXISTS view_pointers (view_name TEXT PRIMARY KEY, edition TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS view_editions "
    "(edition TEXT PRIMARY KEY, position BIGINT NOT NULL, revision BIGINT NOT NULL, documents BIGINT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS view_documents (edition TEXT, name TEXT, body BYTEA NOT NULL, PRIMARY KEY (edition, name))",
)
NAMES_AT_ONCE = 500
BUSY = 10.0

BEGIN = "INSERT INTO view_editions (edition, position, revision, documents) VALUES (?, 0, 0, 0) ON CONFLICT DO NOTHING"
PUT = (
    "INSERT INTO view_documents (edition, name, body) VALUES (?, ?, ?) "
    "ON CONFLICT (edition, name) DO UPDATE SET body = excluded.body"
)
# Where the edition does not stand where the change starts from, the revision would become empty, and that is forbidden.
ADVANCE = (
    "UPDATE view_editions SET position = ?, documents = documents + ?, "
    "revision = CASE WHEN position = ? AND revision = ? THEN revision + 1 END WHERE edition = ?"
)
POINT = (
    "INSERT INTO view_pointers (view_name, edition) VALUES (?, ?) ON CONFLICT (view_name) DO UPDATE SET edition = excluded.edition"
)

Statement = tuple[str, Sequence[Any]]


class Tables(Protocol):
    """A database that reads a statement and writes several all or nothing, `?` for each value; `SqlStore` is one."""

    def rows(self, sql: str, given: Sequence[Any] = ()) -> list[Any]: ...
    def write(self, statements: Sequence[Statement]) -> None: ...
    def migrate(self, more: Sequence[str] = ()) -> None: ...


class SqlDocuments:
    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        with _available():
            tables.migrate(TABLES)

    def current(self, view: str) -> Edition | None:
        rows = self._rows("SELECT edition FROM view_pointers WHERE view_name = ?", view)
        return Edition.parse(rows[0][0]) if rows else None

    def flip(self, edition: Edition) -> None:
        others = [name for (name,) in self._rows("SELECT edition FROM view_editions") if name != str(edition)]
        old = [name for name in others if Edition.parse(name).view == edition.view]
        self._write([(POINT, (edition.view, str(edition))), *(step for name in old for step in _forget(name))])

    def standing(self, edition: Edition) -> Standing:
        rows = self._rows("SELECT position, revision FROM view_editions WHERE edition = ?", str(edition))
        return Standing(*rows[0]) if rows else Standing()

    def check(self, edition: Edition) -> None:
        rows = self._rows("SELECT documents FROM view_editions WHERE edition = ?", str(edition))
        due = rows[0][0] if rows else 0
        held = self._rows("SELECT COUNT(*) FROM view_documents WHERE edition = ?", str(edition))[0][0]
        if held != due:
            raise Lost(f"{edition} holds {held} documents, not {due}")

    def get(self, edition: Edition, keys: Sequence[str]) -> list[bytes | None]:
        found: dict[str, bytes] = {}
        for names in _some(keys):
            rows = self._rows(
                f"SELECT name, body FROM view_documents WHERE edition = ? AND name IN ({_marks(names)})", str(edition), *names
            )
            found.update(rows)
        return [found.get(name) for name in keys]

    def all(self, edition: Edition) -> dict[str, bytes]:
        return dict(self._rows("SELECT name, body FROM view_documents WHERE edition = ? ORDER BY name", str(edition)))

    def commit(self, changes: Mapping[Edition, Change]) -> None:
        statements: list[Statement] = []
        for edition, change in changes.items():
            name, since = str(edition), change.since
            statements.append((BEGIN, (name,)))
            statements += [(PUT, (name, key, body)) for key, body in change.puts.items()]
            fresh = len(change.puts) - self._held(name, list(change.puts))
            statements.append((ADVANCE, (change.position, fresh, since.position, since.revision, name)))
        try:
            self._write(statements)
        except IntegrityError as clash:
            raise Conflict("somebody else wrote the views") from clash

    def _held(self, edition: str, names: Sequence[str]) -> int:
        count = "SELECT COUNT(*) FROM view_documents WHERE edition = ? AND name IN"
        return sum(self._rows(f"{count} ({_marks(some)})", edition, *some)[0][0] for some in _some(names))

    def drop(self, edition: Edition) -> None:
        self._write(_forget(str(edition)))

    def close(self) -> None:
        if isinstance(self._tables, SoftFile):
            self._tables.close()

    def _rows(self, sql: str, *given: Any) -> list[Any]:
        with _available():
            return self._tables.rows(sql, given)

    def _write(self, statements: Sequence[Statement]) -> None:
        with _available():
            self._tables.write(statements)


class SoftFile:
    """The SQLite file of the log through connections of our own that do not wait for the disk.

    In WAL mode such a commit survives the death of the process, not a power cut; then the views are a little behind, never wrong.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._own = threading.local()
        self._all: list[sqlite3.Connection] = []

    def _connection(self) -> sqlite3.Connection:
        db: sqlite3.Connection | None = getattr(self._own, "db", None)
        if db is None:
            db = sqlite3.connect(self._path, timeout=BUSY, isolation_level=None, check_same_thread=False)
            db.execute("PRAGMA journal_mode=WAL")
            db.execute("PRAGMA synchronous=NORMAL")
            self._own.db = db
            self._all.append(db)
        return db

    def rows(self, sql: str, given: Sequence[Any] = ()) -> list[Any]:
        return self._connection().execute(sql, given).fetchall()

    def write(self, statements: Sequence[Statement]) -> None:
        db = self._connection()
        db.execute("BEGIN IMMEDIATE")
        try:
            for sql, given in statements:
                db.execute(sql, given)
            db.execute("COMMIT")
        except BaseException:
            if db.in_transaction:
                db.execute("ROLLBACK")
            raise

    def migrate(self, more: Sequence[str] = ()) -> None:
        self.write([(statement, ()) for statement in more])

    def close(self) -> None:
        for db in self._all:
            db.close()
        self._all.clear()
        self._own = threading.local()


@contextmanager
def _available() -> Iterator[None]:
    try:
        yield
    except IntegrityError:
        raise
    except sqlite3.IntegrityError as clash:
        raise IntegrityError(str(clash)) from clash
    except (sqlite3.Error, PersistenceError) as down:
        raise Unavailable(f"the database of the views does not answer: {down}") from down


def _forget(edition: str) -> list[Statement]:
    return [
        ("DELETE FROM view_documents WHERE edition = ?", (edition,)),
        ("DELETE FROM view_editions WHERE edition = ?", (edition,)),
    ]


def _some(names: Sequence[str]) -> Iterator[Sequence[str]]:
    return (names[start : start + NAMES_AT_ONCE] for start in range(0, len(names), NAMES_AT_ONCE))


def _marks(names: Sequence[str]) -> str:
    return ",".join("?" * len(names))
