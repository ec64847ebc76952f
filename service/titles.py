"""What the service needs of a collection of titles: `domain.games`, or a few of them in a test."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from domain.kernel.title import Title


class Titles(Protocol):
    def get(self, id: str) -> Title: ...
    def all(self) -> Sequence[Title]: ...


def edition(titles: Titles, id: str, rules: str) -> Title | None:
    """A title in the version of the rules that a log names; None where that is not at hand any more."""
    found: Title | None = titles.library(id, rules) if hasattr(titles, "library") else None
    if found is None and titles.get(id).rules == rules:
        return titles.get(id)
    return found
