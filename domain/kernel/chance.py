"""Fair chance: every outcome follows from a seed committed to at the start, the seats' nonces, the line and the draw's number.

A fork has its own line id, so it never sees its parent's future; an undone draw keeps its number, so nobody fishes by undoing.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from domain.kernel.ask import Draw, Roll, Shuffle
from domain.kernel.errors import BrokenLog
from domain.kernel.event import Chance, Drawn, Rolled, Shuffled

# A source answers a request: which request, out of what, and the number of the draw in its line.
Source = Callable[[Roll | Draw | Shuffle, Sequence[Any], int], Any]


def commitment(seed: bytes) -> str:
    """What is published at the start; the seed itself is revealed at the end.

    >>> commitment(b"seed")[:8]
    '19b25856'
    """
    return hashlib.sha256(seed).hexdigest()


class Fair:
    """The source of a real game."""

    def __init__(self, seed: bytes, nonces: Iterable[str], line: str) -> None:
        self._key = hmac.digest(seed, "\0".join([*nonces, line]).encode(), "sha256")

    def below(self, n: int, ordinal: int, part: int) -> int:
        """A number from 0 to n-1, without bias: values that would favour low numbers are drawn again."""
        limit = (1 << 64) // n * n
        again = 0
        while True:
            block = hmac.digest(self._key, b"%d:%d:%d" % (ordinal, part, again), "sha256")
            value = int.from_bytes(block[:8], "big")
            if value < limit:
                return value % n
            again += 1

    def __call__(self, request: Roll | Draw | Shuffle, pool: Sequence[Any], ordinal: int) -> Any:
        if type(request) is Roll:
            return [pool[self.below(len(pool), ordinal, part)] for part in range(request.n)]
        if type(request) is Draw:
            return pool[self.below(len(pool), ordinal, 0)]
        order = list(range(len(pool)))
        for i in range(len(order) - 1, 0, -1):
            j = self.below(i + 1, ordinal, i)
            order[i], order[j] = order[j], order[i]
        return order


class Recorded:
    """The source of a replay: what the log says came up, checked against what the rules ask for."""

    def __init__(self, chance: Iterable[Chance] = ()) -> None:
        self.left = list(chance)

    def __call__(self, request: Roll | Draw | Shuffle, pool: Sequence[Any], ordinal: int) -> Any:
        if not self.left:
            raise BrokenLog(f"the rules need chance for {request.key!r} where the log has none")
        outcome = self.left.pop(0)
        if outcome.key != request.key:
            raise BrokenLog(f"the rules need chance for {request.key!r} where the log has {outcome.key!r}")
        if type(request) is Roll and type(outcome) is Rolled:
            if len(outcome.values) == request.n and set(outcome.values) <= set(pool) and outcome.faces == list(request.faces):
                return outcome.values
        elif type(request) is Draw and type(outcome) is Drawn:
            if outcome.zone == request.zone and outcome.item in pool:
                return outcome.item
        elif type(request) is Shuffle and type(outcome) is Shuffled:
            if outcome.zone == request.zone and sorted(outcome.order) == list(range(len(pool))):
                return outcome.order
        raise BrokenLog(f"{outcome!r} cannot have come up for {request.key!r}")


def record(request: Roll | Draw | Shuffle, value: Any) -> Chance:
    """The outcome of a request, as it is stored."""
    if type(request) is Roll:
        return Rolled(request.key, request.seat, list(request.faces), value)
    if type(request) is Draw:
        return Drawn(request.key, request.zone, value)
    return Shuffled(request.key, request.zone, value)
