"""Where deadlines, standing orders, press and treaties are kept: facts by match, changed by whoever is first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from domain import deadlines, press, standing, treaties
from domain.deadlines import Calendar
from domain.kernel.errors import ChanceryError
from domain.press import Archive
from domain.standing import Book
from domain.treaties import Treaties
from service.database import Clash, Database
from service.register import TRIES, Busy

A = TypeVar("A", Calendar, Book, Archive, Treaties)
T = TypeVar("T")

STREAMS: dict[type, tuple[str, Any, Any]] = {
    Calendar: ("deadlines", deadlines.encode, deadlines.decode),
    Book: ("standing", standing.encode, standing.decode),
    Archive: ("press", press.encode, press.decode),
    Treaties: ("treaties", treaties.encode, treaties.decode),
}


class Facts:
    """Load, act, save; from the start again if somebody else was first."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def load(self, kind: type[A], match: str) -> A:
        stream, _, decode = STREAMS[kind]
        rows = self._database.read("SELECT body FROM mail_facts WHERE match = ? AND stream = ? ORDER BY version", match, stream)
        return kind(match, [decode(row[0]) for row in rows])

    def change(self, kind: type[A], match: str, verb: Callable[[A], T]) -> T:
        stream, encode, _ = STREAMS[kind]
        for _ in range(TRIES):
            found = self.load(kind, match)
            refused: ChanceryError | None = None
            try:
                result = verb(found)
            except ChanceryError as no:
                refused = no  # what came to light on the way (a standing order that lapsed) is on record all the same
            first = found.version - len(found.new)
            rows = [
                (
                    "INSERT INTO mail_facts (match, stream, version, body) VALUES (?, ?, ?, ?)",
                    (match, stream, number, encode(fact).decode()),
                )
                for number, fact in enumerate(found.new, first + 1)
            ]
            try:
                if rows:
                    self._database.write(*rows)
            except Clash:
                continue
            if refused is not None:
                raise refused
            return result
        raise Busy("others wrote at the same moment; try again")

    def matches(self, kind: type[A]) -> list[str]:
        """Every match that has such facts."""
        rows = self._database.read("SELECT DISTINCT match FROM mail_facts WHERE stream = ?", STREAMS[kind][0])
        return [row[0] for row in rows]
