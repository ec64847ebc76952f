"""Page 18: retreat to a tile of one's own, or be lost."""

from __future__ import annotations

from domain.games.generalship.data import KIND, TILES
from domain.games.generalship.fleet import settle_fleet
from domain.games.generalship.schema import DONE, SPENT, camp, camps, hull
from domain.games.generalship.table import Counted, Field
from domain.kernel import Ask, Rules


def retreat(t: Field, seat: str, tile: str, cite: str) -> Rules:
    """G18.1-3: from land or sea, everything a seat has on the tile; what finds no tile is lost."""
    if not TILES[tile].sea:
        yield from retreat_regiments(t, seat, tile)
    yield from retreat_ships(t, seat, tile, cite)


def own_tiles(t: Field, seat: str, tile: str) -> list[str]:
    """Adjacent tiles of one's own: an ally's does not do (G18.3)."""
    return sorted(other for other in t.near(tile) if t.holder(other) == seat)


def retreat_regiments(t: Field, seat: str, tile: str) -> Rules:
    """G18.1, R21: all to one own land tile; if that is a mountain, cavalry goes to another one or is lost."""
    division = t.division(seat, tile)
    if not division:
        return
    cavalry = {item: n for item, n in division.items() if KIND[item] == "cavalry"}
    infantry = {item: n for item, n in division.items() if item not in cavalry}
    refuges = [other for other in own_tiles(t, seat, tile) if not TILES[other].sea]
    for_horses = [other for other in refuges if TILES[other].terrain != "mountain"]
    refuge = yield from choose(t, seat, refuges if infantry else for_horses, "regiments")
    withdraw(t, seat, tile, refuge, infantry)
    if refuge in for_horses or not cavalry:
        withdraw(t, seat, tile, refuge, cavalry)
    else:
        withdraw(t, seat, tile, (yield from choose(t, seat, for_horses, "cavalry")), cavalry)


def retreat_ships(t: Field, seat: str, tile: str, cite: str) -> Rules:
    """G18.1-2: squadrons go to an own sea tile, from sea with everybody aboard."""
    ships = t.fleet(seat, tile)
    if not ships:
        return
    refuge = yield from choose(t, seat, [other for other in own_tiles(t, seat, tile) if TILES[other].sea], "fleet")
    if refuge is None:
        lost = {f"{item}@{ship}": n for ship in ships for item, n in t.zones[hull(seat, ship)].items()}
        t.remove(seat, lost, "G18.3")
        t.tell("lost_in_retreat", "G18.3", who=t.name(seat), n=sum(lost.values()))
        yield from settle_fleet(t, seat, tile, cite)
        return
    for ship in ships:
        t.set(f"berth:{seat}:{ship}", refuge, cite="G18.2")
        t.set(f"sailed:{seat}:{ship}", DONE, cite="G18.4")
    t.tell("retreats", "G18.2", who=t.name(seat), tile=refuge)


def choose(t: Field, seat: str, refuges: list[str], part: str) -> Rules:
    if len(refuges) > 1:
        return (yield Ask(seat, "choose_retreat", refuges, "G18.1", about={"part": part}))
    return refuges[0] if refuges else None


def withdraw(t: Field, seat: str, tile: str, refuge: str | None, units: Counted) -> None:
    """Finished units stand on the refuge (G18.4), or are lost (G18.3)."""
    if not units:
        return
    target = camp(seat, refuge, DONE) if refuge else "supply"
    for item, n in units.items():
        t.shift(item, [camp(seat, tile, spent) for spent in SPENT], target, n, "G18.1" if refuge else "G18.3")
    if refuge:
        t.tell("retreats", "G18.1", who=t.name(seat), tile=refuge)
    else:
        t.tell("lost_in_retreat", "G18.3", who=t.name(seat), n=sum(units.values()))


def cubes_off(t: Field, seat: str) -> None:
    """G18.9: the second cube comes off every stack of a seat."""
    for tile, spent, zone in camps(seat):
        if spent:
            for item, n in sorted(t.zones[zone].items()):
                t.move(item, zone, camp(seat, tile), n, cite="G18.9")
    for ship in t.fleet(seat):
        t.set(f"sailed:{seat}:{ship}", None, cite="G18.9")
