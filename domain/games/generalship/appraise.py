"""What a position is worth to a seat, judged by what it sees: good enough for a bot that looks one decision ahead."""

from __future__ import annotations

from domain.games.generalship.data import ACTION_TILES, CARDS, KIND, PACK, TECHNOLOGIES, TILES, UNITS
from domain.games.generalship.economy import population, usable_circles
from domain.games.generalship.formation import Laid, bonus, read
from domain.games.generalship.schema import camps, hulls
from domain.games.generalship.table import WIN_AT, Field, open_technologies
from domain.games.generalship.upkeep import upkeep_due
from domain.kernel import END

VP, PEOPLE, FOOD, METAL, POWER, GENERAL, POINT, TILE = 100.0, 7.0, 5.0, 6.0, 9.0, 7.0, 26.0, 14.0
THREE_TILES, OCCUPIED, CAPITAL = 35.0, 30.0, 250.0
# What others see of a token is worth what the average token of its class is worth.
WORTH = {unit.id: 2.0 + 1.2 * ((unit.land.atk + unit.land.dfn) if unit.land else 7) for unit in UNITS.values()}
WORTH |= {"infantry": 10.0, "cavalry": 14.0, "ship": 10.0}
STRENGTH = {unit.id: (unit.land.atk + unit.land.dfn) / 2 if unit.land else 1.0 for unit in UNITS.values()}
STRENGTH |= {"infantry": 3.2, "cavalry": 5.2, "ship": 1.0}


def appraise(t: Field, seat: str) -> float:
    """The own standing against the best of the others."""
    if t.get("clock") is None:
        return setup_value(t, seat)
    mine = standing(t, seat) + outlook(t, seat)
    theirs = max(standing(t, other) for other in t.order if other != seat)
    if t.get("step") == END:
        best = max(t.vp(other) for other in t.order if other != seat)
        return 10_000.0 * (t.vp(seat) - best) + mine
    return mine - 0.4 * theirs


def setup_value(t: Field, seat: str) -> float:
    sealed = t.get(f"sealed:{seat}")
    return 0.0 if sealed else 1.0


def standing(t: Field, seat: str) -> float:
    """Points, people, stores, power, tiles, troops."""
    points = t.vp(seat)
    value = VP * points + 8.0 * points * points / WIN_AT
    value += PEOPLE * population(t, seat)
    value += FOOD * min(t.food(seat), 6) + 0.8 * max(0, t.food(seat) - 6)
    value += METAL * min(t.metal(seat), 4) + 0.8 * max(0, t.metal(seat) - 4)
    value += POWER * min(t.pp(seat), 4) + GENERAL * min(t.total(f"unused:{seat}"), 3)
    value += POINT * min(5.0, sum(PACK.points.get(card, 1.5) for card in t.items(f"knowledge:{seat}")))
    if commander := t.commander(seat):
        value += 12.0 + 5.0 * commander.advanced_land + 2.0 * commander.advanced_naval + 3.0 * len(commander.abilities)
    tiles = len(t.neutral_tiles(seat))
    value += TILE * min(tiles, 4) + (THREE_TILES if tiles >= 3 else 0.0)
    value += troops(t, seat) + 2.0 * t.battles(seat)
    value -= 4.0 * max(0, upkeep_due(t, seat) - t.food(seat)) + 2.0 * upkeep_due(t, seat)
    nation = t.nation(seat)
    for tile in nation.tiles:
        if t.occupied(tile):
            value -= CAPITAL if TILES[tile].capital else OCCUPIED
    value -= 2.0 * (len(nation.circles) - len(usable_circles(t, seat)))
    return value


def troops(t: Field, seat: str) -> float:
    """Every token, less and less for the tenth and the twentieth."""
    total = 0.0
    for zone in (*(zone for _, _, zone in camps(seat)), *(zone for _, zone, _ in hulls(seat))):
        for item, n in t.zones[zone].items():
            total += WORTH[item] * n
    for zone in (f"laid:{seat}", f"open:{seat}"):
        for item, n in t.zones[zone].items():
            total += WORTH.get(item, 0.0) * n
    return total if total < 120 else 120 + 0.3 * (total - 120)


def outlook(t: Field, seat: str) -> float:
    """What the question on the table promises: the tile just taken, the battle just begun, the cards just laid."""
    value = 0.0
    if t.get("tile") and t.get("actor") == seat and t.get("step") != "march":
        value += promise(t, seat)
    field = t.get("battlefield")
    if field and seat in (t.get("attacker"), t.get("defender")):
        value += battle(t, seat, field)
    return value


def promise(t: Field, seat: str) -> float:
    """The worth of a chosen action that is still to be done."""
    match ACTION_TILES[t.get("tile")].kind:
        case "cards" if t.get("action") == "technology_cards":
            held = sum(PACK.points[card] for card in t.zones[f"knowledge:{seat}"])
            affordable = any(0 < TECHNOLOGIES[name].points <= held for name in open_technologies(t))
            return 120.0 if affordable else 70.0
        case "cards":
            return 12.0
        case "economy":
            return 22.0 if t.get("action") == "production" else 18.0
        case "levy":
            return 4.0 * min(t.food(seat), 5)
        case "march":
            return 25.0
    return 0.0


def battle(t: Field, seat: str, field: str) -> float:
    """Odds by strength on the field; then the value of what is laid down."""
    other = t.get("defender") if seat == t.get("attacker") else t.get("attacker")
    mine, theirs = strength(t, seat, field), strength(t, other, field)
    odds = mine / (mine + theirs) if mine + theirs else 0.5
    value = 160.0 * (odds - (0.56 if seat == t.get("attacker") else 0.4))
    hand = t.zones[f"hand:{seat}"]
    value += sum(3.0 if CARDS[card].basic else 4.0 for card in hand)
    laid = read(t.zones[f"laid:{seat}"])
    if laid.regiments or laid.squadron or laid.cards:
        value += 6.0 * worth(t, seat, laid, "atk" if seat == t.get("striker") else "dfn")
    return value


def strength(t: Field, seat: str, field: str) -> float:
    units = {**t.division(seat, field)}
    for number in t.fleet(seat, field):
        for item, n in t.aboard(seat, number).items():
            units[item] = units.get(item, 0) + n
    for item, n in t.zones[f"laid:{seat}"].items():
        if item in KIND:
            units[item] = units.get(item, 0) + n
    commander = t.commander(seat)
    return sum(STRENGTH[item] * min(n, 6) for item, n in units.items()) * (1.25 if commander else 1.0)


def worth(t: Field, seat: str, laid: Laid, side: str) -> float:
    gain = getattr(bonus(laid, t.commander(seat)), side)
    total = float(gain)
    for item, n in laid.regiments.items():
        unit = UNITS[item]
        values = [value for value in unit.naval.values() if value] if TILES[t.get("battlefield")].sea else [unit.land]
        total += n * max(getattr(value, side) for value in values if value)
    return total - 0.5 * len(laid.cards)
