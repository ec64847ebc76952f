"""What a title works out from a table (scores, relations), asked again only when something it read has changed.

A title's function is given a table that notes what is read. Nothing it read has changed: it would say the same again. A viewer
who sees all of it openly gets the same answer as the arbiter. Everybody else is answered from their own redacted table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec

from domain.kernel import redact
from domain.kernel.schema import ARBITER
from domain.kernel.table import Table

EVERYTHING = ""  # no place is called so


class _Noted(dict[str, Any]):
    """A dict that notes which of its keys were asked for."""

    __slots__ = ("names",)

    def __init__(self, held: dict[str, Any], names: set[str]) -> None:
        super().__init__(held)
        self.names = names

    def __getitem__(self, name: str) -> Any:
        self.names.add(name)
        return super().__getitem__(name)

    def get(self, name: str, default: Any = None) -> Any:
        self.names.add(name)
        return super().get(name, default)

    def __contains__(self, name: object) -> bool:
        self.names.add(str(name))
        return super().__contains__(name)

    def __iter__(self) -> Iterator[str]:
        self.names.add(EVERYTHING)
        return super().__iter__()

    def __len__(self) -> int:
        self.names.add(EVERYTHING)
        return super().__len__()

    def keys(self) -> Any:
        self.names.add(EVERYTHING)
        return super().keys()

    def values(self) -> Any:
        self.names.add(EVERYTHING)
        return super().values()

    def items(self) -> Any:
        self.names.add(EVERYTHING)
        return super().items()

    def copy(self) -> dict[str, Any]:
        self.names.add(EVERYTHING)
        return dict(self)


def asked(function: Callable[[Any], Any], table: Table) -> tuple[Any, set[str]]:
    """What a function of the table says, as plain data, and the places it read."""
    names: set[str] = set()
    twin = type(table).__new__(type(table))
    twin.schema, twin.zones, twin.registers = table.schema, _Noted(table.zones, names), _Noted(table.registers, names)
    twin.ops, twin.cites, twin.shown, twin.cache = [], [], [], {}
    return msgspec.to_builtins(function(twin)), names


class Derived:
    """One function of one game's table, for every viewer."""

    def __init__(self, function: Callable[[Any], Any], blind: dict[str, frozenset[str]]) -> None:
        self._function = function
        self._blind = blind
        self._said: dict[str, tuple[Any, set[str]]] = {}
        self.touched: set[str] = set()

    def update(self, table: Table, viewers: Iterable[str]) -> None:
        """Bring every viewer's answer up to date."""
        touched, self.touched = self.touched, set()
        if self._said and not touched:
            return
        whole = self._said.get(ARBITER)
        if whole is None or _affected(whole[1], touched):
            whole = asked(self._function, table)
        openly = EVERYTHING not in whole[1]
        for viewer in viewers:
            if viewer == ARBITER or (openly and whole[1].isdisjoint(self._blind[viewer])):
                self._said[viewer] = whole
                continue
            before = self._said.get(viewer)
            if before is None or _affected(before[1], touched):
                self._said[viewer] = asked(self._function, redact.table(table, viewer))

    def said(self, viewer: str) -> Any:
        return self._said[viewer][0]


def _affected(names: set[str], touched: set[str]) -> bool:
    return EVERYTHING in names or not names.isdisjoint(touched)
