"""What a title's table is made of, and who may look: declared once, checked at start-up, default deny."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from domain.kernel.errors import SchemaError

NOTHING, COUNT, BACK, FACE = 0, 1, 2, 3
HIDDEN = "?"

# Viewers are seats or one of these two. "Anybody may look" is OPEN; "nobody may look" is hidden(). They share no word.
SPECTATOR = "spectator"
ARBITER = "arbiter"

BAG, ROW, BANK = "bag", "row", "bank"


class Sight(msgspec.Struct, frozen=True):
    """How much of a zone or register each viewer sees: some seats by name, everybody else alike."""

    others: int
    seats: dict[str, int] = {}

    def level(self, viewer: str) -> int:
        return FACE if viewer == ARBITER else self.seats.get(viewer, self.others)


OPEN = Sight(FACE)


def hidden(others: int = COUNT) -> Sight:
    """Nobody sees the faces: a face-down deck."""
    return Sight(others)


def own(*seats: str, others: int = COUNT) -> Sight:
    """Only these seats see the faces: a hand."""
    return Sight(others, dict.fromkeys(seats, FACE))


class Schema:
    """The zones and registers of one game: title, seats and options together decide them."""

    def __init__(
        self, seats: Iterable[str], options: Mapping[str, Any] | None = None, back: Callable[[str], str] = lambda item: HIDDEN
    ) -> None:
        self.seats = tuple(seats)
        self.audiences = (ARBITER, *self.seats)
        self.options = dict(options or {})
        self.back = back
        self.zones: dict[str, str] = {}
        self.registers: dict[str, type] = {}
        self.sights: dict[str, Sight] = {}
        self._levels: dict[str, dict[str, int]] = {}
        if clash := {SPECTATOR, ARBITER, HIDDEN, ""} & set(self.seats):
            raise SchemaError(f"a seat cannot be called {clash.pop()!r}")
        self.zone("box", BANK, OPEN)
        self.register("step", str, OPEN)
        for seat in self.seats:
            self.register(f"sealed:{seat}", object, own(seat))

    def zone(self, name: str, kind: str, sight: Sight) -> str:
        """A place for items: BAG counts them, ROW keeps their order (top is last), BANK is an uncounted supply."""
        if kind not in (BAG, ROW, BANK):
            raise SchemaError(f"zone {name!r}: unknown kind {kind!r}")
        self._declare(name, sight)
        self.zones[name] = kind
        return name

    def register(self, name: str, holds: type, sight: Sight) -> str:
        """A place for one value of the given type; empty until set."""
        if holds not in (int, str, bool, object):
            raise SchemaError(f"register {name!r} must hold int, str or bool: lists and maps are zones")
        self._declare(name, sight)
        self.registers[name] = holds
        return name

    def _declare(self, name: str, sight: Sight) -> None:
        if not isinstance(sight, Sight):
            raise SchemaError(f"{name!r} does not declare who may look at it")
        if not {sight.others, *sight.seats.values()} <= {NOTHING, COUNT, BACK, FACE}:
            raise SchemaError(f"{name!r} declares a level of sight that there is not")
        if any(level < sight.others for level in sight.seats.values()):
            raise SchemaError(f"{name!r} shows a seat less than it shows everybody")
        if name in self.sights:
            raise SchemaError(f"{name!r} is declared twice")
        if strange := set(sight.seats) - set(self.seats):
            raise SchemaError(f"{name!r} names an unknown seat {strange.pop()!r}")
        self.sights[name] = sight

    def levels(self, viewer: str) -> dict[str, int]:
        """How much this viewer sees of every zone and register."""
        found = self._levels.get(viewer)
        if found is None:
            found = self._levels[viewer] = {name: sight.level(viewer) for name, sight in self.sights.items()}
        return found

    def coarse(self, item: str, level: int) -> str:
        """What is left of an item at a level of sight."""
        return item if level == FACE else self.back(item) if level == BACK else HIDDEN

    def digest(self) -> str:
        shape = [self.seats, self.zones, {name: kind.__name__ for name, kind in self.registers.items()}, self.sights]
        return hashlib.sha256(msgspec.json.encode(shape, order="sorted")).hexdigest()[:16]
