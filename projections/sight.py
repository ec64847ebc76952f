"""Who sees an event otherwise than the public does, and who learns something by it: from declared sights alone."""

from __future__ import annotations

from domain.kernel.event import Event, Rolled
from domain.kernel.ops import Move, Set
from domain.kernel.schema import ARBITER, FACE, SPECTATOR, Schema


class Sights:
    """What a schema's sights come to, worked out once: the gate itself stays `redact`."""

    def __init__(self, schema: Schema) -> None:
        self.seats = schema.seats
        self._schema = schema
        # Seats that see a place better or worse than the public does.
        self._apart = {
            name: frozenset(seat for seat, level in sight.seats.items() if level != sight.others)
            for name, sight in schema.sights.items()
        }
        self._open = frozenset(name for name, sight in schema.sights.items() if sight.others == FACE)
        self.blind = {
            viewer: frozenset(name for name, level in schema.levels(viewer).items() if level != FACE)
            for viewer in (*schema.seats, SPECTATOR)
        }
        self._learners: dict[tuple[str, str], tuple[str, ...]] = {}

    def privy(self, event: Event, names: set[str]) -> set[str]:
        """The viewers for whom an event may look different from what the public gets, but for the digest of the table.

        `names` are the places its ops touch.
        """
        found: set[str] = set()
        veil = event.veil
        if veil is not None:
            names = names.union(veil.zones)
            found.update(veil.seats, (event.seat,) if event.seat else (), (ARBITER,))
        for name in names:
            if apart := self._apart[name]:
                found |= apart
        if event.shown:
            found.update(peek.seat for peek in event.shown)
            found.add(ARBITER)
        elif not names <= self._open or any(type(outcome) is not Rolled for outcome in event.chance):
            found.add(ARBITER)
        return found

    def learners(self, src: str, dst: str) -> tuple[str, ...]:
        """The seats that see what comes from one place to the other only since it came there."""
        found = self._learners.get((src, dst))
        if found is None:
            levels = {seat: self._schema.levels(seat) for seat in self.seats}
            found = tuple(seat for seat in self.seats if levels[seat][src] < FACE <= levels[seat][dst])
            self._learners[src, dst] = found
        return found

    def learnt(self, event: Event) -> dict[str, int]:
        """How many items each seat came to see, as far as this (redacted) event tells."""
        found: dict[str, int] = {}
        for op in event.ops:
            if type(op) is Move:
                for seat in self.learners(op.src, op.dst):
                    found[seat] = found.get(seat, 0) + op.n
        for peek in event.shown:
            found[peek.seat] = found.get(peek.seat, 0) + len(peek.items)
        return found


def places(event: Event) -> set[str]:
    """The zones and registers an event's ops touch."""
    found: set[str] = set()
    for op in event.ops:
        if type(op) is Move:
            found.add(op.src)
            found.add(op.dst)
        elif type(op) is Set:
            found.add(op.register)
        else:
            found.add(op.zone)
    return found
