"""Pages 17 and 27: what becomes of the regiments when squadrons are lost."""

from __future__ import annotations

from domain.games.generalship.data import PACK, TILES
from domain.games.generalship.schema import HULLS, hull
from domain.games.generalship.table import Field
from domain.kernel import Ask, Counts, Rules

CAPACITY = PACK.capacity


def settle_fleets(t: Field, seat: str, cite: str) -> Rules:
    """After squadrons of a seat were lost anywhere: every fleet is brought in order."""
    for tile in sorted({t.berth(seat, ship) for ship in t.fleet(seat)}):
        yield from settle_fleet(t, seat, tile, cite)


def settle_fleet(t: Field, seat: str, tile: str, cite: str) -> Rules:
    """G27.3-4: regiments of lost ships go aboard the others; without room they are lost, without any ship all are."""
    ships = t.fleet(seat, tile)
    afloat = [ship for ship in ships if t.ship(seat, ship)]
    wrecks = [ship for ship in ships if ship not in afloat]
    if TILES[tile].sea and any(t.aboard(seat, ship) for ship in wrecks):
        yield from save_regiments(t, seat, wrecks, afloat, cite)
    for ship in wrecks:
        t.set(f"berth:{seat}:{ship}", None, cite=cite)
        t.set(f"sailed:{seat}:{ship}", None)


def save_regiments(t: Field, seat: str, wrecks: list[str], afloat: list[str], cite: str) -> Rules:
    regiments = {f"{item}@{ship}": n for ship in (*wrecks, *afloat) for item, n in t.aboard(seat, ship).items()}
    surplus = sum(regiments.values()) - CAPACITY * len(afloat)
    if surplus > 0:
        lost = regiments
        if afloat:
            choice = Counts(regiments, surplus, surplus)
            lost = dict((yield Ask(seat, "trim_capacity", choice, "G27.4", about={"part": "drown"})))
        t.remove(seat, lost, cite)
        t.tell("drowned", "G27.4" if afloat else "G27.3", who=t.name(seat), n=sum(lost.values()))
    for index, ship in enumerate(afloat):
        yield from take_aboard(t, seat, wrecks, ship, afloat[index + 1 :])


def take_aboard(t: Field, seat: str, wrecks: list[str], ship: str, later: list[str]) -> Rules:
    """The owner says who goes aboard which of several ships; with one ship or one way there is nothing to say."""
    homeless: dict[str, int] = {}
    for wreck in wrecks:
        for item, n in t.aboard(seat, wreck).items():
            homeless[item] = homeless.get(item, 0) + n
    left = sum(homeless.values())
    most = min(left, room(t, seat, ship))
    least = max(0, left - sum(room(t, seat, other) for other in later))
    if not most:
        return
    going = homeless
    if most > least or most < left:
        about = {"part": "aboard", "ship": ship}
        # Which regiment goes where stays hidden: the moves show their classes.
        going = dict((yield Ask(seat, "trim_capacity", Counts(homeless, least, most), "G27.4", secret=True, about=about)))
    for item, n in sorted(going.items()):
        t.shift(item, [hull(seat, wreck) for wreck in wrecks], hull(seat, ship), n, "G27.4")


def room(t: Field, seat: str, ship: str) -> int:
    """How many more regiments a squadron can carry (G17.7)."""
    return CAPACITY - sum(t.aboard(seat, ship).values())


def launch(t: Field, seat: str, kind: str, tile: str, cite: str) -> str:
    """A new squadron takes the first free name."""
    ship = next(name for name in HULLS if f"berth:{seat}:{name}" not in t.registers)
    t.move(kind, "supply", hull(seat, ship), cite=cite)
    t.set(f"berth:{seat}:{ship}", tile, cite=cite)
    return ship
