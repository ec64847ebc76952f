"""The three ops: nothing else ever changes a table, and each carries what its inverse needs.

These classes are the storage format: fields may be added at the end, never renamed or reordered.
"""

from __future__ import annotations

from typing import Any, final

import msgspec


@final
class Move(msgspec.Struct, frozen=True, array_like=True, tag="m", gc=False):
    """`n` copies of an item go from one zone to another; `at` and `to` are positions in ordered zones.

    >>> Move("wine", "supply", "goods:red", 2).inverse()
    Move(item='wine', src='goods:red', dst='supply', n=2, at=-1, to=-1)
    """

    item: str
    src: str
    dst: str
    n: int = 1
    at: int = -1
    to: int = -1

    def inverse(self) -> Move:
        return Move(self.item, self.dst, self.src, self.n, self.to, self.at)


@final
class Set(msgspec.Struct, frozen=True, array_like=True, tag="s", gc=False):
    """A register changes its value; None means the register is empty."""

    register: str
    old: Any
    new: Any

    def inverse(self) -> Set:
        return Set(self.register, self.new, self.old)


@final
class Reorder(msgspec.Struct, frozen=True, array_like=True, tag="r", gc=False):
    """An ordered zone is rearranged: what lay at `order[i]` now lies at `i`. Empty for those who may not look.

    >>> Reorder("deck", [2, 0, 1]).inverse().order
    [1, 2, 0]
    """

    zone: str
    order: list[int]

    def inverse(self) -> Reorder:
        back = [0] * len(self.order)
        for now, before in enumerate(self.order):
            back[before] = now
        return Reorder(self.zone, back)


Op = Move | Set | Reorder
