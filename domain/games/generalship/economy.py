"""Pages 8 and 9: population on its circles, production, exchange, growth."""

from __future__ import annotations

from itertools import groupby

from domain.games.generalship.data import CIRCLES, TILES
from domain.games.generalship.pack import Circle, Price
from domain.games.generalship.table import Field
from domain.games.generalship.turn import next_actor
from domain.kernel import Ask, Rules


def usable_circles(t: Field, seat: str) -> list[Circle]:
    """G09.2, G09.12, R8: not on an occupied tile, and no number above the lowest one printed on an occupied tile."""
    nation = t.nation(seat)
    lost = [tile for tile in nation.tiles if t.occupied(tile)]
    circles = CIRCLES[nation.id]
    if not lost:
        return circles
    lowest = min((circle.number for circle in circles if circle.tile in lost), default=len(circles))
    return [circle for circle in circles if circle.tile not in lost and circle.number <= lowest]


def population(t: Field, seat: str) -> int:
    return t.total(f"people:{seat}")


def active_people(t: Field, seat: str) -> list[Circle]:
    """The population that produces and can be levied, lowest number first (G09.2)."""
    people = t.zones[f"people:{seat}"]
    return [circle for circle in usable_circles(t, seat) if circle.id in people]


def arrange(t: Field, seat: str) -> Rules:
    """G08.9, G09.7: active people fill the lowest numbers; of equal highest numbers the player chooses one."""
    before = {circle.id for circle in active_people(t, seat)}
    left, after = len(before), list[str]()
    for _, equal in groupby(usable_circles(t, seat), key=lambda circle: circle.number):
        names = [circle.id for circle in equal]
        if 0 < left < len(names):
            names = [(yield Ask(seat, "arrange_population", names, "G08.9", about={"now": sorted(before & set(names))}))]
        after += names[:left]
        left -= min(left, len(names))
    for circle in sorted(before.difference(after)):
        t.move(circle, f"people:{seat}", "box", cite="G08.9")
    for circle in after:
        if circle not in before:
            t.move(circle, "box", f"people:{seat}", cite="G08.9")


def production(t: Field) -> Rules:
    """G08.8-11, G09.4: people and owned neutral tiles yield what their symbols show; then exchange."""
    seat = t.get("actor")
    yield from arrange(t, seat)
    sources = [circle.yields for circle in active_people(t, seat)]  # G08.10
    sources += [TILES[tile].resources for tile in t.neutral_tiles(seat)]  # G09.4
    food = sum(source.food for source in sources) + sum(ability.food for ability in t.abilities(seat, "production_bonus"))
    metal = sum(source.metal for source in sources)
    t.add(f"food:{seat}", food, cite="G08.10")
    t.add(f"metal:{seat}", metal, cite="G08.10")
    t.tell("produces", "G08.10", who=t.name(seat), food=food, metal=metal)
    for right, rate in exchange_rights(t, seat):
        yield from exchange(t, seat, right, rate)
    return next_actor(t)


def exchange_rights(t: Field, seat: str) -> list[tuple[str, Price]]:
    """G09.5, R9: an active circle with the exchange symbol, and each owned tile with one."""
    rights = [(circle.id, circle.exchange) for circle in active_people(t, seat)]
    rights += [(tile, TILES[tile].exchange) for tile in t.neutral_tiles(seat)]
    return [(right, rate) for right, rate in rights if rate]


def exchange(t: Field, seat: str, right: str, rate: Price) -> Rules:
    """G09.5: once for this right, in either direction, or not at all."""
    give = [
        *(["give_food"] if t.food(seat) >= rate.food else []),
        *(["give_metal"] if t.metal(seat) >= rate.metal else []),
    ]
    if not give:
        return
    about = {"right": right, "food": rate.food, "metal": rate.metal}
    answer = yield Ask(seat, "exchange_resources", give, "G09.5", optional=True, about=about)
    if answer is None:
        return
    sign = -1 if answer == "give_food" else 1
    t.add(f"food:{seat}", sign * rate.food, cite="G09.5")
    t.add(f"metal:{seat}", -sign * rate.metal, cite="G09.5")
    t.tell(answer, "G09.5", who=t.name(seat), food=rate.food, metal=rate.metal)


def growth(t: Field) -> Rules:
    """G09.7-12: as many new people as the tile of the lowest free circle says, on the lowest free circles."""
    seat = t.get("actor")
    yield from arrange(t, seat)
    nation = t.nation(seat)
    gained, gain = 0, nation.max_population
    while gained < gain and population(t, seat) < nation.max_population:  # G09.10
        people = t.zones[f"people:{seat}"]
        lowest = min(circle.number for circle in CIRCLES[nation.id] if circle.id not in people)
        free = [circle for circle in usable_circles(t, seat) if circle.id not in people and circle.number == lowest]
        if not free:
            break  # R10: the lowest free circle is barred
        exception = nation.growth_exception
        if gained:
            offers = {circle.id: gain - gained for circle in free}
        elif exception and population(t, seat) == exception.population:
            offers = {circle.id: exception.gain for circle in free}
        else:
            offers = {circle.id: TILES[circle.tile].growth or 0 for circle in free}  # G09.8, R35
        room = nation.max_population - population(t, seat)
        chosen = free[0].id
        if len(free) > 1 and (len(set(offers.values())) > 1 or min(room, *offers.values()) < len(free)):
            chosen = yield Ask(seat, "place_growth", list(offers), "G09.9", about={"gain": offers})
        if not gained:
            gain = offers[chosen]
            if not gain:
                break
        t.move(chosen, "box", f"people:{seat}", cite="G09.9")
        gained += 1
    t.tell("grows", "G09.8", who=t.name(seat), n=gained)
    return next_actor(t)
