"""What a view is: a pure fold of events, each as one viewer may see it, into a document that only grows.

A document is a small `head` (what the fold needs to go on) and `rows` (what is read). Rows are kept in pages, so that a decision
writes a few kilobytes and not the whole past; every row starts with the version it belongs to, so that a reader can stop at any.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Protocol

import msgspec

from domain.kernel.event import Event
from projections.sight import Sights

PAGE = 64

pack = msgspec.msgpack.Encoder().encode
unpack = msgspec.msgpack.Decoder().decode

Row = list[Any]


class Moment(NamedTuple):
    """One event through the eyes of one viewer, with what the title says of the table after it, seen through the same eyes."""

    viewer: str
    event: Event
    sights: Sights
    step: str
    said: Any = None
    asks: bool = False  # whether the game stands at a question now


class View(Protocol):
    """A name, a schema version (raise it whenever the documents' meaning changes) and a fold."""

    name: str
    schema: int

    def fold(self, head: Any, moment: Moment) -> tuple[Any, Sequence[Row]]:
        """The new head and the rows to add; the same head and no rows where nothing changed. Nothing else is read or changed."""
        ...


class Document:
    """One document in the making: its head, its newest page, and which of its pages have to be stored."""

    __slots__ = ("_full", "changed", "head", "key", "n", "page")

    def __init__(self, key: str, n: int = 0, head: Any = None, page: list[Row] | None = None) -> None:
        self.key, self.n, self.head = key, n, head
        self.page: list[Row] = page or []
        self.changed = False
        self._full: dict[str, bytes] = {}

    def add(self, head: Any, rows: Iterable[Row]) -> None:
        self.head, self.changed = head, True
        for row in rows:
            if self.n and self.n % PAGE == 0:
                self._full[page_key(self.key, self.n // PAGE - 1)] = pack(self.page)
                self.page = []
            self.page.append(row)
            self.n += 1

    def taken(self) -> dict[str, bytes]:
        """What has to be stored."""
        puts, self._full, self.changed = self._full, {}, False
        if self.page:
            puts[page_key(self.key, (self.n - 1) // PAGE)] = pack(self.page)
        puts[self.key] = pack([self.n, self.head])
        return puts


def key(line: str, viewer: str) -> str:
    return f"{line}/{viewer}"


def page_key(key: str, page: int) -> str:
    return f"{key}/{page}"


def pages(key: str, n: int) -> list[str]:
    """The keys of all pages of a document with n rows."""
    return [page_key(key, page) for page in range((n + PAGE - 1) // PAGE)]


def parted(public: Sequence[Row], head: Any, own: Sequence[Row]) -> Sequence[Row]:
    """A viewer's rows: the public's up to where the viewer's own begin, if they do (the head is [since when, ...])."""
    return [*(row for row in public if row[0] < head[0]), *own] if head else public
