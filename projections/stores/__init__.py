"""Where views are kept: documents and the position they stand at, always together. One contract, several stores.

An edition is one build of one view: `timeline:1.3` is the third build of the timeline's schema 1. Readers follow a pointer to the
edition in force; a new one is built beside it, then the pointer flips.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from domain.kernel.errors import ChanceryError


class Unavailable(ChanceryError):
    """The store of the views does not answer."""


class Conflict(ChanceryError):
    """Somebody else wrote to this edition, or it is gone: read again where it stands."""


class Lost(ChanceryError):
    """Documents are missing that were stored: this edition is worth nothing any more."""


class Edition(NamedTuple):
    """One build of one view."""

    view: str
    schema: int
    build: int

    def __str__(self) -> str:
        return f"{self.view}:{self.schema}.{self.build}"

    @classmethod
    def parse(cls, text: str) -> Edition:
        """The edition a pointer names.

        >>> Edition.parse("timeline:1.3")
        Edition(view='timeline', schema=1, build=3)
        """
        view, _, number = text.rpartition(":")
        schema, _, build = number.partition(".")
        return cls(view, int(schema), int(build))


class Standing(NamedTuple):
    """How far an edition has come: the position of its newest event, and how often it was written."""

    position: int = 0
    revision: int = 0


class Documents(Protocol):
    """Keeps editions. Any call may raise `Unavailable`."""

    def current(self, view: str) -> Edition | None:
        """The edition in force."""
        ...

    def flip(self, edition: Edition) -> None:
        """Put an edition in force; older ones of the same view are dropped."""
        ...

    def standing(self, edition: Edition) -> Standing:
        """How far an edition is; `Lost` where that can be seen at a glance to be untrue. An unknown edition is at 0."""
        ...

    def check(self, edition: Edition) -> None:
        """Look whether all documents are there; else `Lost`."""
        ...

    def get(self, edition: Edition, keys: Sequence[str]) -> list[bytes | None]:
        """Documents as they were at one moment."""
        ...

    def all(self, edition: Edition) -> dict[str, bytes]:
        """Every document of an edition."""
        ...

    def commit(self, changes: Mapping[Edition, Change]) -> None:
        """Per edition all or nothing, and only if it still stands where the change starts from; else `Conflict` or `Lost`."""
        ...

    def drop(self, edition: Edition) -> None:
        """Forget an edition."""
        ...

    def close(self) -> None: ...


class Change(NamedTuple):
    """Documents to put, and the position they bring the edition to."""

    since: Standing
    position: int
    puts: Mapping[str, bytes]

    @property
    def standing(self) -> Standing:
        """Where the edition stands afterwards."""
        return Standing(self.position, self.since.revision + 1)
