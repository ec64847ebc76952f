"""What is on record about a match besides its game: facts are folded, verbs check and record new ones, a store keeps those."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, TypeVar

F = TypeVar("F")


class Folded(Generic[F]):
    """Made of facts alone. `new` are those that are not stored yet; `version` counts all of them."""

    def __init__(self, match: str, facts: Iterable[F] = ()) -> None:
        self.match = match
        self.version = 0
        self.new: list[F] = []
        self.begin()
        for fact in facts:
            self._take(fact)

    def begin(self) -> None:
        """What there is before the first fact."""
        raise NotImplementedError

    def fold(self, fact: F) -> None:
        """What a fact changes."""
        raise NotImplementedError

    def _take(self, fact: F) -> None:
        self.version += 1
        self.fold(fact)

    def _record(self, fact: F) -> None:
        self._take(fact)
        self.new.append(fact)
