"""The luck sheet: what each seat rolled against what it could expect, honest about small samples."""

from __future__ import annotations

import math
from collections.abc import Iterable

import msgspec

from domain.kernel.event import Event, Rolled

FEW, STRANGE = 30, 1.96


class Luck(msgspec.Struct, frozen=True):
    """One seat's dice for one purpose."""

    seat: str
    purpose: str
    n: int
    total: int
    expected: float
    z: float
    note: str


def sheet(events: Iterable[Event]) -> list[Luck]:
    """Every seat and purpose; dice are public, so everybody may read it."""
    sums: dict[tuple[str, str], list[float]] = {}
    for item in events:
        for outcome in item.chance:
            if type(outcome) is Rolled and outcome.values:
                mean = sum(outcome.faces) / len(outcome.faces)
                variance = sum((face - mean) ** 2 for face in outcome.faces) / len(outcome.faces)
                entry = sums.setdefault((outcome.seat or item.seat or "table", outcome.key), [0, 0, 0, 0])
                dice = len(outcome.values)
                for index, more in enumerate((dice, sum(outcome.values), dice * mean, dice * variance)):
                    entry[index] += more
    rows = []
    for (seat, purpose), (n, total, expected, variance) in sorted(sums.items()):
        z = (total - expected) / math.sqrt(variance) if variance else 0.0
        rows.append(Luck(seat, purpose, int(n), int(total), expected, z, _note(int(n), z, len(sums))))
    return rows


def _note(n: int, z: float, comparisons: int) -> str:
    """What a reader should not conclude."""
    if n < FEW:
        return f"only {n} dice: says little"
    if abs(z) > STRANGE:
        return f"one in twenty looks like this by chance alone, and this sheet compares {comparisons}"
    return ""
