"""Our own tables (accounts, the life of matches) in the database of the log, changed by numbered migrations.

Statements use `?` for values and only what SQLite and PostgreSQL both understand.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from importlib import resources
from typing import Any, Protocol

from eventsourcing.persistence import IntegrityError, PersistenceError

from domain.kernel.errors import ChanceryError

Statement = tuple[str, Sequence[Any]]
BOOK = "CREATE TABLE IF NOT EXISTS migrations (number BIGINT PRIMARY KEY, at BIGINT NOT NULL)"


class Clash(ChanceryError):
    """A row that must be unique is there already."""


class Unavailable(ChanceryError):
    """The database does not answer."""


class Tables(Protocol):
    """What a store offers for other tables than its own."""

    def rows(self, sql: str, given: Sequence[Any] = ()) -> list[Any]: ...
    def write(self, statements: Sequence[Statement]) -> None: ...


class Database:
    """Read one statement, or write several all or nothing."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def read(self, sql: str, *values: Any) -> list[Any]:
        try:
            return self._tables.rows(sql, values)
        except PersistenceError as down:
            raise Unavailable("the database does not answer; try again in a moment") from down

    def write(self, *statements: Statement) -> None:
        try:
            self._tables.write(statements)
        except IntegrityError as clash:
            raise Clash("that is there already") from clash
        except PersistenceError as down:
            raise Unavailable("the database does not answer; try again in a moment") from down

    def migrate(self) -> list[int]:
        """Apply the changes that are missing, each once, also if several processes start at the same moment."""
        with suppress(Clash):  # PostgreSQL, if another process makes the table at the same moment
            self.write((BOOK, ()))
        applied = []
        for number, sql in numbered():
            if number in self.pending():
                try:  # the number first: whoever comes second finds it taken and changes nothing
                    self.write(
                        ("INSERT INTO migrations (number, at) VALUES (?, ?)", (number, int(time.time() * 1000))),
                        *((statement, ()) for statement in _statements(sql)),
                    )
                except Clash:
                    continue
                applied.append(number)
        return applied

    def pending(self) -> list[int]:
        """The changes that `migrate` would apply."""
        done = {row[0] for row in self.read("SELECT number FROM migrations")}
        return [number for number, _ in numbered() if number not in done]


def numbered() -> list[tuple[int, str]]:
    """The changes there are, oldest first."""
    files = (file for file in resources.files("service.migrations").iterdir() if file.name.endswith(".sql"))
    return sorted((int(file.name.split("_")[0]), file.read_text()) for file in files)


def _statements(sql: str) -> list[str]:
    lines = [line for line in sql.splitlines() if not line.lstrip().startswith("--")]
    return [statement.strip() for statement in "\n".join(lines).split(";") if statement.strip()]
