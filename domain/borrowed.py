"""Borrowed luck: what came up in one game, lent to another where the same draw is made and it is still possible."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from domain.kernel.ask import Draw, Roll, Shuffle
from domain.kernel.chance import Source
from domain.kernel.event import Chance, Drawn, Rolled, Shuffled


class Borrowed:
    """Luck lent by a recorded game: an outcome is used where the same draw is made and it is still possible, else fresh luck is."""

    def __init__(self, outcomes: Iterable[Chance], fresh: Source) -> None:
        self._left = list(outcomes)
        self._fresh = fresh

    def __call__(self, request: Roll | Draw | Shuffle, pool: Sequence[Any], ordinal: int) -> Any:
        for index, outcome in enumerate(self._left):
            value = same_draw(request, pool, outcome)
            if value is not None:
                del self._left[: index + 1]
                return value
        return self._fresh(request, pool, ordinal)


def same_draw(request: Roll | Draw | Shuffle, pool: Sequence[Any], outcome: Chance) -> Any:
    """What a recorded outcome gives for a request, if it is the same draw and can still come up; else None."""
    if outcome.key != request.key:
        return None
    if type(request) is Roll and type(outcome) is Rolled:
        fits = outcome.seat == request.seat and len(outcome.values) == request.n and set(outcome.values) <= set(pool)
        return outcome.values if fits else None
    if type(request) is Draw and type(outcome) is Drawn:
        return outcome.item if outcome.zone == request.zone and outcome.item in pool else None
    if type(request) is Shuffle and type(outcome) is Shuffled:
        return outcome.order if outcome.zone == request.zone and len(outcome.order) == len(pool) else None
    return None
