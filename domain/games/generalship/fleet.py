"""Pages 17 and 27: what becomes of the regiments when squadrons are lost."""

from __future__ import annotations

from domain.games.generalship.data import PACK, TILES
from domain.games.generalship.schema import HULLS, hull
from domain.games.generalship.table import Field
from domain.kernel import Ask, Counts, Rules

CAPACITY = PACK.capacity


def settle_fleets(t: Field, seat: str, cite: str) -> Rules:
    """After squadrons of a seat were lost anywhere: every fleet is brought in order."""
    for tile in sorted({t.berth(seat, number) for number in t.fleet(seat)}):
        yield from settle_fleet(t, seat, tile, cite)


def settle_fleet(t: Field, seat: str, tile: str, cite: str) -> Rules:
    """G27.3-4: regiments of lost ships go aboard the others; without room they are lost, without any ship all are."""
    numbers = t.fleet(seat, tile)
    afloat = [number for number in numbers if t.ship(seat, number)]
    wrecks = [number for number in numbers if number not in afloat]
    if TILES[tile].sea and any(t.aboard(seat, number) for number in wrecks):
        yield from save_regiments(t, seat, wrecks, afloat, cite)
    for number in wrecks:
        t.set(f"berth:{seat}:{number}", None, cite=cite)
        t.set(f"sailed:{seat}:{number}", None)


def save_regiments(t: Field, seat: str, wrecks: list[int], afloat: list[int], cite: str) -> Rules:
    regiments = {f"{item}@{number}": n for number in (*wrecks, *afloat) for item, n in t.aboard(seat, number).items()}
    surplus = sum(regiments.values()) - CAPACITY * len(afloat)
    if surplus > 0:
        lost = regiments
        if afloat:
            choice = Counts(regiments, surplus, surplus)
            lost = dict((yield Ask(seat, "trim_capacity", choice, "G27.4", about={"part": "drown"})))
        t.remove(seat, lost, cite)
        t.tell("drowned", "G27.4" if afloat else "G27.3", who=t.name(seat), n=sum(lost.values()))
    for index, number in enumerate(afloat):
        yield from take_aboard(t, seat, wrecks, number, afloat[index + 1 :])


def take_aboard(t: Field, seat: str, wrecks: list[int], number: int, later: list[int]) -> Rules:
    """The owner says who goes aboard which of several ships; with one ship or one way there is nothing to say."""
    homeless: dict[str, int] = {}
    for wreck in wrecks:
        for item, n in t.aboard(seat, wreck).items():
            homeless[item] = homeless.get(item, 0) + n
    left = sum(homeless.values())
    most = min(left, room(t, seat, number))
    least = max(0, left - sum(room(t, seat, other) for other in later))
    if not most:
        return
    going = homeless
    if most > least or most < left:
        about = {"part": "aboard", "ship": number}
        # Which regiment goes where stays hidden: the moves show their classes.
        going = dict((yield Ask(seat, "trim_capacity", Counts(homeless, least, most), "G27.4", secret=True, about=about)))
    for item, n in sorted(going.items()):
        t.shift(item, [hull(seat, wreck) for wreck in wrecks], hull(seat, number), n, "G27.4")


def room(t: Field, seat: str, number: int) -> int:
    """How many more regiments a squadron can carry (G17.7)."""
    return CAPACITY - sum(t.aboard(seat, number).values())


def launch(t: Field, seat: str, ship: str, tile: str, source: str, cite: str) -> int:
    """A new squadron takes the first free number."""
    number = next(n for n in HULLS if f"berth:{seat}:{n}" not in t.registers)
    t.move(ship, source, hull(seat, number), cite=cite)
    t.set(f"berth:{seat}:{number}", tile, cite=cite)
    return number
