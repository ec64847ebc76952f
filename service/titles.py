"""What the service needs of a collection of titles: `domain.games`, or a few of them in a test."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from domain.kernel.title import Title


class Titles(Protocol):
    def get(self, id: str) -> Title: ...
    def all(self) -> Sequence[Title]: ...
