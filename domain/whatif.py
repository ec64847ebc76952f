"""What-if: how two tables differ."""

from __future__ import annotations

from typing import Any, NamedTuple

from domain.kernel.table import Table


class Difference(NamedTuple):
    """One thing that is not the same on two tables."""

    where: str
    what: str
    left: Any
    right: Any


def differences(left: Table, right: Table) -> list[Difference]:
    """Everything that differs, zone by zone, then register by register."""
    found: list[Difference] = []
    for zone in sorted(left.zones):
        a, b = left.zones[zone], right.zones.get(zone)
        if a is None or a == b:
            continue
        if type(a) is list or type(b) is list:
            found.append(Difference(zone, "order", a, b))
            continue
        for item in sorted({*a, *(b or {})}):
            if a.get(item, 0) != (b or {}).get(item, 0):
                found.append(Difference(zone, item, a.get(item, 0), (b or {}).get(item, 0)))
    for register in sorted({*left.registers, *right.registers}):
        if left.get(register) != right.get(register):
            found.append(Difference(register, "", left.get(register), right.get(register)))
    return found
