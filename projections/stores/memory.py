"""Views in memory: to fold a single line for a reader while the kept views are being rebuilt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from projections.stores import Change, Conflict, Edition, Standing


class MemoryDocuments:
    def __init__(self) -> None:
        self._current: dict[str, Edition] = {}
        self._standing: dict[Edition, Standing] = {}
        self._documents: dict[Edition, dict[str, bytes]] = {}

    def current(self, view: str) -> Edition | None:
        return self._current.get(view)

    def flip(self, edition: Edition) -> None:
        self._current[edition.view] = edition
        for other in [other for other in self._standing if other.view == edition.view and other != edition]:
            self.drop(other)

    def standing(self, edition: Edition) -> Standing:
        return self._standing.get(edition, Standing())

    def check(self, edition: Edition) -> None:
        """Memory loses nothing but everything."""

    def get(self, edition: Edition, keys: Sequence[str]) -> list[bytes | None]:
        held = self._documents.get(edition, {})
        return [held.get(key) for key in keys]

    def all(self, edition: Edition) -> dict[str, bytes]:
        return dict(sorted(self._documents.get(edition, {}).items()))

    def commit(self, changes: Mapping[Edition, Change]) -> None:
        if any(change.since != self.standing(edition) for edition, change in changes.items()):
            raise Conflict("somebody else wrote the views")
        for edition, change in changes.items():
            self._documents.setdefault(edition, {}).update(change.puts)
            self._standing[edition] = change.standing

    def drop(self, edition: Edition) -> None:
        self._standing.pop(edition, None)
        self._documents.pop(edition, None)

    def close(self) -> None:
        """Nothing to close."""
