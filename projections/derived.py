"""What a title works out from a table (scores, relations), asked again only when something it read has changed.

A title's function is given a table that notes what is read. Nothing it read has changed: it would say the same again. A viewer
who sees all of it openly gets the same answer as the arbiter. Everybody else is answered from the table as they see it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from domain.kernel import redact
from domain.kernel.schema import ARBITER, FACE, NOTHING, SPECTATOR
from domain.kernel.table import Table

EVERYTHING = ""  # no place is called so
UNSEEN: Any = object()


class _Noted(dict[str, Any]):
    """Holds what was asked for so far, as a viewer may see it, and only that: what is asked for again costs nothing more."""

    __slots__ = ("absent", "held", "seen")

    def __init__(self, held: Mapping[str, Any], seen: Callable[[str, Any], Any]) -> None:
        super().__init__()
        self.held, self.seen = held, seen
        self.absent: set[str] = set()

    def __missing__(self, name: str) -> Any:
        if name in self.held:
            found = self.seen(name, self.held[name])
            if found is not UNSEEN:
                self[name] = found
                return found
        self.absent.add(name)
        raise KeyError(name)

    def get(self, name: str, default: Any = None) -> Any:
        try:
            return self[name]
        except KeyError:
            return default

    def __contains__(self, name: object) -> bool:
        return self.get(str(name), UNSEEN) is not UNSEEN

    def _everything(self) -> dict[str, Any]:
        self.absent.add(EVERYTHING)
        seen = {name: self.seen(name, value) for name, value in self.held.items()}
        return {name: value for name, value in seen.items() if value is not UNSEEN}

    def __iter__(self) -> Iterator[str]:
        return iter(self._everything())

    def __len__(self) -> int:
        return len(self._everything())

    def keys(self) -> Any:
        return self._everything().keys()

    def values(self) -> Any:
        return self._everything().values()

    def items(self) -> Any:
        return self._everything().items()

    def copy(self) -> dict[str, Any]:
        return self._everything()

    def asked(self) -> set[str]:
        return self.absent.union(super().__iter__())


def asked(function: Callable[[Any], Any], table: Table, viewer: str) -> tuple[Any, set[str]]:
    """What a function of the table says to a viewer, as plain data, and the places it read."""
    schema, levels = table.schema, table.schema.levels(viewer)

    def zone(name: str, held: Any) -> Any:
        return held if (level := levels[name]) == FACE else redact.zone(schema, held, level)

    def register(name: str, value: Any) -> Any:
        return redact.register(value, level) if (level := levels[name]) != NOTHING else UNSEEN

    zones, registers = _Noted(table.zones, zone), _Noted(table.registers, register)
    twin = type(table).__new__(type(table))
    twin.schema, twin.zones, twin.registers = schema, zones, registers
    twin.ops, twin.cites, twin.shown, twin.cache = [], [], [], {}
    return msgspec.to_builtins(function(twin)), zones.asked() | registers.asked()


class Derived:
    """One function of one game's table, for every viewer."""

    def __init__(self, function: Callable[[Any], Any], blind: dict[str, frozenset[str]], public: bool = False) -> None:
        self._function, self._blind, self._public = function, blind, public
        self._said: dict[str, tuple[Any, set[str]]] = {}
        self._read: set[str] = set()  # all that anybody's answer rests on
        self.touched: set[str] = set()

    def update(self, table: Table, viewers: Iterable[str]) -> bool:
        """Bring every viewer's answer up to date; whether anything had to be asked again."""
        touched, self.touched = self.touched, set()
        if self._said and not _affected(self._read, touched):
            return False
        whole = self._said.get(ARBITER)
        if whole is None or _affected(whole[1], touched):
            whole = asked(self._function, table, SPECTATOR if self._public else ARBITER)
        openly = EVERYTHING not in whole[1]
        for viewer in viewers:
            if self._public or viewer == ARBITER or (openly and whole[1].isdisjoint(self._blind[viewer])):
                self._said[viewer] = whole
                continue
            before = self._said.get(viewer)
            if before is None or _affected(before[1], touched):
                self._said[viewer] = asked(self._function, table, viewer)
        self._read = set().union(*{id(names): names for _, names in self._said.values()}.values())
        return True

    def said(self, viewer: str) -> Any:
        return self._said[viewer][0]


def _affected(names: set[str], touched: set[str]) -> bool:
    return EVERYTHING in names or not names.isdisjoint(touched)
