"""Pages 13 to 15: levy and modernise."""

from __future__ import annotations

from collections import Counter

from domain.games.generalship.data import KIND, PACK, TILES, UNITS
from domain.games.generalship.economy import active_people
from domain.games.generalship.fleet import launch
from domain.games.generalship.orders import Orders
from domain.games.generalship.pack import Modernisation, Price
from domain.games.generalship.schema import camp
from domain.games.generalship.table import Field
from domain.games.generalship.turn import next_actor
from domain.kernel import Ask, Rules

PATHS = {(path.old, path.new): path for path in PACK.modernise}
TWO_FOR_ONE = "light_infantry"  # G13.5
# From this battle count on a modernisation is cheaper by food and metal, below by one of the two (G15.3).
BOTH_FROM = next(
    step["range"][0] for step in PACK.tracks["battle_count"]["modernise_discount"] if step["discount"].endswith("and 1 metal")
)


class Levies:
    """What a player has levied in this action: it sets prices (G13.5) and may not be modernised (G13.2)."""

    def __init__(self) -> None:
        self.new: Counter[str] = Counter()
        self.light = 0
        self.discounted = False


def levy(t: Field) -> Rules:
    """G13.1: as many units as the player likes and can pay, in any order; he may decline (R33)."""
    seat = t.get("actor")
    so_far = Levies()
    while True:
        orders = levy_orders(t, seat, so_far) + modernise_orders(t, seat, so_far)
        choice = Orders(orders, lambda words: why_not(t, seat, so_far, words))
        answer = yield Ask(seat, "levy_action", choice, "G13.1", optional=True)
        if answer is None:
            return next_actor(t)
        what, unit, *more = answer.split()
        if what == "levy":
            yield from raise_unit(t, seat, so_far, unit, *more)
        else:
            modernise(t, seat, unit, *more)


# -- levy --------------------------------------------------------------------------------------------


def price(t: Field, seat: str, so_far: Levies, unit: str) -> Price:
    """G13.4-5: every second light infantry is free; a commander may give one unit of a class cheaper."""
    cost = UNITS[unit].cost
    if unit == TWO_FOR_ONE and so_far.light % 2:
        return Price()
    return Price(max(0, cost.food - discount(t, seat, so_far, unit)), cost.metal)


def discount(t: Field, seat: str, so_far: Levies, unit: str) -> int:
    if so_far.discounted:
        return 0
    return sum(ability.food for ability in t.abilities(seat, "levy_discount") if ability.unit_class == KIND[unit])


def affordable(t: Field, seat: str, cost: Price) -> bool:
    return t.food(seat) >= cost.food and t.metal(seat) >= cost.metal


def available(t: Field, unit: str) -> bool:
    technology = UNITS[unit].technology
    return technology is None or t.developed(technology)


def levy_orders(t: Field, seat: str, so_far: Levies) -> list[str]:
    if not active_people(t, seat):
        return []
    orders: list[str] = []
    for unit, kind in UNITS.items():
        if available(t, unit) and t.zones["supply"].get(unit) and affordable(t, seat, price(t, seat, so_far, unit)):
            if kind.kind == "ship":
                orders += [f"levy {unit} {tile}" for tile in shipyards(t, seat)]
            elif not t.occupied(t.nation(seat).capital):  # G14.4, R34
                orders.append(f"levy {unit}")
    return orders


def shipyards(t: Field, seat: str) -> list[str]:
    """G14.5: own plains and forests next to a sea, without units of other players."""
    return [
        tile
        for tile in sorted(t.land.near)
        if TILES[tile].port
        and t.holder(tile) == seat
        and t.present(tile) in ([], [seat])
        and any(TILES[other].sea for other in t.near(tile))
    ]


def raise_unit(t: Field, seat: str, so_far: Levies, unit: str, tile: str = "") -> Rules:
    """G13.4, G14.2-5: one population of the highest active number, the price, and the token, shown to all."""
    people = active_people(t, seat)
    highest = [circle.id for circle in people if circle.number == people[-1].number]
    circle = highest[0]
    if len(highest) > 1:
        circle = yield Ask(seat, "levy_action", highest, "G14.2", about={"part": "population", "unit": unit})
    t.move(circle, f"people:{seat}", "box", cite="G14.2")
    cost = price(t, seat, so_far, unit)
    if cost.food < UNITS[unit].cost.food and discount(t, seat, so_far, unit):
        so_far.discounted = True
    t.add(f"food:{seat}", -cost.food, cite="G13.4")
    t.add(f"metal:{seat}", -cost.metal, cite="G13.4")
    so_far.light += unit == TWO_FOR_ONE
    if tile:
        so_far.new[f"{unit}@{launch(t, seat, unit, tile, 'G14.5')}"] += 1
    else:
        capital = t.nation(seat).capital
        t.move(unit, "supply", camp(seat, capital), cite="G14.4")
        so_far.new[f"{unit}@{capital}"] += 1
    t.tell("levies", "G14.3", who=t.name(seat), unit=UNITS[unit].name, tile=tile or t.nation(seat).capital)


# -- modernise ---------------------------------------------------------------------------------------


def modernise_orders(t: Field, seat: str, so_far: Levies) -> list[str]:
    """G15.1-5: along the branches of the tree, for battle counts, where the new token is in supply."""
    if not t.battles(seat):
        return []
    old = {label: n - so_far.new[label] for label, n in t.units(seat).items()}
    return [
        f"modernise {label} {path.new} {less}"
        for label, n in old.items()
        if n > 0
        for path in PACK.modernise
        if path.old == label.split("@")[0] and available(t, path.new) and t.zones["supply"].get(path.new)
        for less in discounts(t, seat, path)
        if affordable(t, seat, difference(t, seat, path, less))
    ]


def discounts(t: Field, seat: str, path: Modernisation) -> list[str]:
    """G15.3: what the battle count before the modernisation lets the player leave out."""
    if t.battles(seat) >= BOTH_FROM:
        return ["both"]
    return [name for name in ("food", "metal") if getattr(path.difference, name) > 0] or ["food"]


def difference(t: Field, seat: str, path: Modernisation, less: str) -> Price:
    """G15.3: the price of the new type less that of the old and the discount, never below nothing."""
    food = path.difference.food - (less in ("food", "both")) - sum(a.food for a in t.abilities(seat, "modernise_discount"))
    return Price(max(0, food), max(0, path.difference.metal - (less in ("metal", "both"))))


def modernise(t: Field, seat: str, label: str, new: str, less: str) -> None:
    """G15.2-6: the battle count falls at once, the token is replaced where it is and announced (R17)."""
    old, place = label.split("@")
    cost = difference(t, seat, PATHS[old, new], less)
    t.add(f"food:{seat}", -cost.food, cite="G15.3")
    t.add(f"metal:{seat}", -cost.metal, cite="G15.3")
    t.add(f"battles:{seat}", -1, cite="G15.2")
    zone = next(zone for zone in t.zones_of(seat, place) if t.zones[zone].get(old))
    t.move(old, zone, "supply", cite="G15.5")
    t.move(new, "supply", zone, cite="G15.4")
    where = place if place in TILES else t.berth(seat, place)
    t.tell("modernises", "G15.6", who=t.name(seat), old=UNITS[old].name, new=UNITS[new].name, tile=where)


# -- refusals ----------------------------------------------------------------------------------------


def why_not(t: Field, seat: str, so_far: Levies, words: list[str]) -> str | None:
    """The first rule that stands against an order."""
    if words[:1] == ["levy"] and 2 <= len(words) <= 3 and words[1] in UNITS:
        return why_no_levy(t, seat, so_far, *words[1:])
    if words[:1] == ["modernise"] and len(words) == 4 and words[1].split("@")[0] in UNITS and words[2] in UNITS:
        return why_no_modernisation(t, seat, so_far, *words[1:])
    return None


def why_no_levy(t: Field, seat: str, so_far: Levies, unit: str, tile: str = "") -> str | None:
    kind = UNITS[unit]
    cost = price(t, seat, so_far, unit)
    if not available(t, unit):
        return f"{kind.name} needs {kind.technology} first (G14.1)"
    if not t.zones["supply"].get(unit):
        return f"all tokens of {kind.name} are on the map (G13.3)"
    if kind.kind != "ship" and t.occupied(t.nation(seat).capital):
        return "your capital is occupied: no regiments can be levied (G14.4)"
    if not active_people(t, seat):
        return "there is no active population to levy (G14.2)"
    if not affordable(t, seat, cost):
        return f"{kind.name} costs {cost.food} food and {cost.metal} metal (G13.4)"
    if kind.kind == "ship":
        return f"squadrons are built on: {', '.join(shipyards(t, seat)) or 'no tile now'} (G14.5)"
    return None


def why_no_modernisation(t: Field, seat: str, so_far: Levies, label: str, new: str, less: str) -> str | None:
    path = PATHS.get((label.split("@")[0], new))
    if path is None:
        return f"{label.split('@')[0]} cannot become {new} (G15.1)"
    if not t.battles(seat):
        return "modernising needs a battle count of at least 1 (G15.2)"
    if not available(t, new):
        return f"{UNITS[new].name} needs {UNITS[new].technology} first (G15.1)"
    if not t.zones["supply"].get(new):
        return f"all tokens of {UNITS[new].name} are on the map (G15.5)"
    if t.units(seat).get(label, 0) <= so_far.new[label]:
        return f"there is no {label} that was not levied in this turn (G13.2)"
    if less in discounts(t, seat, path) and not affordable(t, seat, difference(t, seat, path, less)):
        return "you cannot pay the difference (G15.3)"
    return f"the discount is one of: {', '.join(discounts(t, seat, path))} (G15.3)"
