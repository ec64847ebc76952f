"""Page 17: what a step costs, and the moves of regiments and squadrons; marches and reinforcements both use them."""

from __future__ import annotations

from domain.games.generalship.data import KIND, PACK, TILES, UNITS
from domain.games.generalship.fleet import room
from domain.games.generalship.schema import DONE, camp, hull
from domain.games.generalship.table import Counted, Field

POINTS: dict[str, int] = PACK.movement["mp"]
ENTER = PACK.movement["enter"]
FINISHED = max(unit.mp for unit in UNITS.values()) + 1  # nobody has more points than this (G16.2)


class Pace:
    """How far a seat's units go: with the commander's abilities in the own march, without them otherwise (G17.12)."""

    def __init__(self, t: Field, seat: str, *, led: bool) -> None:
        self.points = dict(POINTS)
        self.cost = {kind: {terrain: ENTER[kind][terrain] for terrain in ("plain", "forest", "mountain")} for kind in ENTER}
        if led and (commander := t.commander(seat)):
            for ability in commander.abilities:
                if ability.kind == "move_bonus":
                    self.points[ability.unit_class] += ability.mp
                elif ability.kind in ("terrain_access", "terrain_cost"):
                    self.cost[ability.unit_class][ability.terrain] = ability.cost

    def left(self, kind: str, spent: int) -> int:
        """Movement points a unit has left."""
        return 0 if spent == DONE else max(0, self.points[kind] - spent)

    def walks(self, kind: str, spent: int, tile: str) -> bool:
        """Whether a regiment can step from land onto a land tile (G17.1)."""
        cost = self.cost[kind][TILES[tile].terrain]
        return cost is not None and 0 < cost <= self.left(kind, spent)

    def after(self, kind: str, spent: int, tile: str) -> int:
        """What a regiment has spent after the step; DONE if nothing is left."""
        spent += self.cost[kind][TILES[tile].terrain]
        return spent if spent < min(self.points[kind], FINISHED) else DONE


def peaceful(t: Field, seat: str, tile: str) -> bool:
    """A tile that units enter without a battle."""
    return t.may_enter(seat, tile) and not t.foes(seat, tile)


def walk(t: Field, seat: str, pace: Pace, tile: str, spent: int, to: str, units: Counted) -> None:
    """Regiments go from a camp to an adjacent land tile (G16.3)."""
    for item, n in sorted(units.items()):
        t.move(item, camp(seat, tile, spent), camp(seat, to, pace.after(KIND[item], spent, to)), n, cite="G16.3")


def sail(t: Field, seat: str, pace: Pace, ship: str, to: str) -> None:
    """A squadron goes to an adjacent sea tile for one point; regiments aboard spend nothing (R38)."""
    spent = t.sailed(seat, ship) + 1
    t.set(f"berth:{seat}:{ship}", to, cite="G17.1")
    t.set(f"sailed:{seat}:{ship}", spent if pace.left("ship", spent) and spent < FINISHED else DONE, cite="G17.1")


def leave_port(t: Field, seat: str, ship: str, to: str, units: Counted) -> None:
    """G17.2: a squadron puts to sea with regiments of the tile; none of them moves on."""
    tile = t.berth(seat, ship)
    for item, n in sorted(units.items()):
        t.shift(item, [camp(seat, tile, spent) for spent in (2, 1, 0)], hull(seat, ship), n, "G17.2")
    t.set(f"berth:{seat}:{ship}", to, cite="G17.2")
    t.set(f"sailed:{seat}:{ship}", DONE, cite="G17.6")


def enter_port(t: Field, seat: str, ship: str, to: str) -> None:
    """G17.3: a squadron enters a plain or forest; everybody aboard goes ashore and has finished."""
    put_ashore(t, seat, ship, to, t.aboard(seat, ship), "G17.3")
    t.set(f"berth:{seat}:{ship}", to, cite="G17.3")
    t.set(f"sailed:{seat}:{ship}", DONE, cite="G17.6")


def put_ashore(t: Field, seat: str, ship: str, to: str, units: Counted, cite: str = "G17.5") -> None:
    """G17.5: regiments land; they and the squadron have finished."""
    for item, n in sorted(units.items()):
        t.move(item, hull(seat, ship), camp(seat, to, DONE), n, cite=cite)
    t.set(f"sailed:{seat}:{ship}", DONE, cite="G17.6")


def go_aboard(t: Field, seat: str, ship: str, tile: str, units: Counted) -> None:
    """G17.4: regiments of an adjacent tile board; whoever has spent most goes first, for he loses least."""
    for item, n in sorted(units.items()):
        t.shift(item, [camp(seat, tile, spent) for spent in (2, 1, 0)], hull(seat, ship), n, "G17.4")


def boarders(t: Field, seat: str, pace: Pace, tile: str) -> Counted:
    """R38: regiments on a plain or forest that are not finished and have a point left."""
    found: Counted = {}
    if TILES[tile].port:
        for spent in (0, 1, 2):
            for item, n in t.zones[camp(seat, tile, spent)].items():
                if pace.left(KIND[item], spent):
                    found[item] = found.get(item, 0) + n
    return dict(sorted(found.items()))


def sailable(t: Field, seat: str, pace: Pace, ship: str) -> int:
    """Points a squadron at sea has left; 0 in port."""
    return pace.left("ship", t.sailed(seat, ship)) if TILES[t.berth(seat, ship)].sea else 0


def can_leave(t: Field, seat: str, ship: str) -> bool:
    """G17.2: only a squadron that has not moved leaves port."""
    return not TILES[t.berth(seat, ship)].sea and t.sailed(seat, ship) == 0


def has_room(t: Field, seat: str, ship: str) -> bool:
    return room(t, seat, ship) > 0
