"""The table: zones holding items, registers holding values. A game's whole state, and nothing else is."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any, Self

import msgspec

from domain.kernel.errors import BrokenLog
from domain.kernel.event import Cite, Shown
from domain.kernel.ops import Move, Op, Reorder, Set
from domain.kernel.schema import BAG, ROW, Schema

Zone = dict[str, int] | list[str]

_canonical = msgspec.msgpack.Encoder(order="sorted")


class Table:
    """Rules change it by `move`, `set`, `add`, `reorder` only; the log replays it by `apply`.

    A title subclasses it with its own words. A bag is a dict of counts, a row a list with the top last, a bank is None.
    """

    __slots__ = ("cache", "cites", "ops", "registers", "schema", "shown", "zones")

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.zones: dict[str, Any] = {
            name: {} if kind == BAG else [] if kind == ROW else None for name, kind in schema.zones.items()
        }
        self.registers: dict[str, Any] = {}
        self.ops: list[Op] = []
        self.cites: list[Cite] = []
        self.shown: list[Shown] = []
        self.cache: dict[Any, Any] = {}

    # -- reading ---------------------------------------------------------------------------------

    @property
    def seats(self) -> tuple[str, ...]:
        return self.schema.seats

    @property
    def options(self) -> dict[str, Any]:
        return self.schema.options

    def get(self, register: str, default: Any = None) -> Any:
        return self.registers.get(register, default)

    def count(self, zone: str, item: str) -> int:
        """How many of an item lie in a zone."""
        held: Zone = self.zones[zone]
        return held.get(item, 0) if isinstance(held, dict) else held.count(item)

    def total(self, zone: str) -> int:
        """How many items of any kind lie in a zone."""
        held = self.zones[zone]
        return sum(held.values()) if type(held) is dict else len(held)

    def items(self, zone: str) -> list[str]:
        """Everything in a zone, one entry a piece: sorted for a bag, in its order for a row."""
        held = self.zones[zone]
        return [item for item in sorted(held) for _ in range(held[item])] if type(held) is dict else list(held)

    # -- the rules' verbs ------------------------------------------------------------------------

    def move(self, item: str, src: str, dst: str, n: int = 1, *, at: int = -1, to: int = -1, cite: str = "") -> None:
        """Move items; in an ordered source the topmost one unless `at` says where, in an ordered target on top unless `to` does."""
        if n == 0:
            return
        if n < 0:
            raise BrokenLog(f"cannot move {n} of {item}")
        held, target = self.zones[src], self.zones[dst]
        if type(held) is list:
            if at < 0:
                if item not in held:
                    raise BrokenLog(f"{src} holds no {item}")
                at = len(held) - 1 - held[::-1].index(item)
        else:
            at = -1
        if type(target) is list:
            if to < 0:
                to = len(target) - (src == dst)
        else:
            to = -1
        self._do(Move(item, src, dst, n, at, to), cite)

    def set(self, register: str, new: Any, *, cite: str = "") -> None:
        """Give a register a value; None empties it."""
        old = self.registers.get(register)
        if old == new and type(old) is type(new):
            return
        kind = self.schema.registers.get(register)
        if kind is None:
            raise BrokenLog(f"there is no register {register!r}")
        if new is not None and kind is not object and type(new) is not kind:
            raise BrokenLog(f"register {register!r} holds {kind.__name__}, not {new!r}")
        self._do(Set(register, old, new), cite)

    def add(self, register: str, by: int, *, cite: str = "") -> None:
        """Raise a number (an empty register counts as 0)."""
        self.set(register, self.registers.get(register, 0) + by, cite=cite)

    def reorder(self, zone: str, order: list[int], *, cite: str = "") -> None:
        """Rearrange an ordered zone: the item at `order[i]` comes to `i`."""
        self._do(Reorder(zone, order), cite)  # also where nothing changes: leaving an op out would tell

    def show(self, seat: str, zone: str, items: Iterable[str]) -> None:
        """Let one seat look at items it could not see: a peek, recorded with the event and given to that seat only."""
        self.shown.append(Shown(seat, zone, list(items)))

    def say(self, rule: str, **facts: Any) -> None:
        """State aloud which rule applies and what it found. Everybody hears it: say nothing hidden."""
        self.cites.append(Cite(rule, -1, facts))

    def _do(self, op: Op, cite: str) -> None:
        self.apply(op)
        if cite:
            self.cites.append(Cite(cite, len(self.ops)))
        self.ops.append(op)
        if self.cache:
            self.cache.clear()

    # -- the fold --------------------------------------------------------------------------------

    def apply(self, op: Op) -> None:
        """Fold one op. Never fails on a log this program wrote, fails loudly on any other."""
        if type(op) is Move:
            # Both ends are checked before either changes: an op that does not fit leaves no trace.
            item, n = op.item, op.n
            held, target = self.zones[op.src], self.zones[op.dst]
            if n < 1:
                raise BrokenLog(f"cannot move {n} of {item}")
            if type(target) is list and (n != 1 or not 0 <= op.to <= len(target) - (target is held)):
                raise BrokenLog(f"{op.dst} has no place {op.to} for {n} of {item}")
            if type(held) is dict:
                left = held.get(item, 0) - n
                if left > 0:
                    held[item] = left
                elif left == 0:
                    del held[item]
                else:
                    raise BrokenLog(f"{op.src} holds {left + n} of {item}, not {n}")
            elif held is not None:
                if n != 1 or not 0 <= op.at < len(held) or held[op.at] != item:
                    raise BrokenLog(f"{op.src} does not hold {item} at {op.at}")
                del held[op.at]
            if type(target) is dict:
                target[item] = target.get(item, 0) + n
            elif target is not None:
                target.insert(op.to, item)
        elif type(op) is Set:
            registers = self.registers
            if op.register not in self.schema.registers:
                raise BrokenLog(f"there is no register {op.register!r}")
            if registers.get(op.register) != op.old:
                raise BrokenLog(f"{op.register} is {registers.get(op.register)!r}, not {op.old!r}")
            if op.new is None:
                registers.pop(op.register, None)
            else:
                registers[op.register] = op.new
        else:
            row = self.zones[op.zone]
            if type(row) is not list or sorted(op.order) != list(range(len(row))):
                raise BrokenLog(f"{op.order} is no order of {op.zone}")
            row[:] = [row[i] for i in op.order]

    def fold(self, ops: Iterable[Op]) -> None:
        self.cache.clear()
        try:
            for op in ops:
                self.apply(op)
        except KeyError as missing:
            raise BrokenLog(f"there is no zone {missing}") from None

    def unfold(self, ops: list[Op]) -> None:
        """Take ops back, last first."""
        self.fold(op.inverse() for op in reversed(ops))

    # -- whole states ----------------------------------------------------------------------------

    def copy(self) -> Self:
        twin = type(self).__new__(type(self))
        twin.schema = self.schema
        twin.zones = {name: None if held is None else held.copy() for name, held in self.zones.items()}
        twin.registers = self.registers.copy()
        twin.ops, twin.cites, twin.shown, twin.cache = [], [], [], {}
        return twin

    def state(self) -> dict[str, dict[str, Any]]:
        """Everything on the table in canonical order; empty zones are left out."""
        zones = {name: self.zones[name] for name in sorted(self.zones) if self.zones[name]}
        return {
            "zones": {name: dict(sorted(held.items())) if type(held) is dict else list(held) for name, held in zones.items()},
            "registers": dict(sorted(self.registers.items())),
        }

    def digest(self) -> bytes:
        """The same table gives the same bytes on any machine."""
        return hashlib.blake2b(_canonical.encode([self.zones, self.registers]), digest_size=16).digest()

    @classmethod
    def restored(cls, schema: Schema, zones: dict[str, Any], registers: dict[str, Any]) -> Self:
        """A table as a snapshot kept it."""
        table = cls(schema)
        for name, held in zones.items():
            if name not in table.zones:
                raise BrokenLog(f"there is no zone {name!r}")
            table.zones[name] = held
        table.registers = registers
        return table
