"""What a position is worth to a seat, judged by what it sees: good enough for a bot that looks one decision ahead."""

from __future__ import annotations

from domain.games.generalship.data import ACTION_TILES, KIND, PACK, TECHNOLOGIES, TILES, UNITS
from domain.games.generalship.economy import population
from domain.games.generalship.formation import Laid, bonus, read
from domain.games.generalship.schema import back, camp
from domain.games.generalship.table import Field, open_technologies
from domain.games.generalship.upkeep import upkeep_due
from domain.kernel import END

POINTS = PACK.points
VP, PEOPLE, FOOD, METAL, POWER, GENERAL, KNOWLEDGE = 100.0, 5.0, 4.0, 5.0, 10.0, 6.0, 28.0
TILE, THREE_TILES, OCCUPIED, CAPITAL = 16.0, 60.0, 30.0, 300.0
ENOUGH_POINTS, ENOUGH_FOOD, ENOUGH_METAL = 4.0, 6, 3
# What others see of a token is worth what the average token of its class is worth.
STRENGTH = {unit.id: (unit.land.atk + unit.land.dfn) / 2 if unit.land else 2.0 for unit in UNITS.values()}
STRENGTH |= {"infantry": 3.2, "cavalry": 5.2, "ship": 2.0}
WORTH = {token: 6.0 + 3.6 * strength for token, strength in STRENGTH.items()}
ENOUGH_TROOPS = 150.0


def appraise(t: Field, seat: str) -> float:
    """The own standing against the best of the others."""
    if t.get("clock") is None:
        return 0.0
    others = [other for other in t.order if other != seat]
    if t.get("step") == END:
        return 10_000.0 * (t.vp(seat) - max(map(t.vp, others)))
    mine = standing(t, seat) + outlook(t, seat)
    return mine - 0.5 * max(VP * t.vp(other) + 0.3 * troops(t, other) + (12.0 if t.commander(other) else 0.0) for other in others)


def standing(t: Field, seat: str) -> float:
    """Points, people, stores, power, knowledge, tiles, troops; less what upkeep and occupation cost."""
    value = VP * t.vp(seat) + PEOPLE * population(t, seat)
    value += plenty(t.food(seat), ENOUGH_FOOD, FOOD) + plenty(t.metal(seat), ENOUGH_METAL, METAL)
    value += plenty(t.pp(seat), 3, POWER) + plenty(t.total(f"unused:{seat}"), 2, GENERAL)
    if wanted(t):
        value += plenty(knowledge(t, seat), ENOUGH_POINTS, KNOWLEDGE)
    if commander := t.commander(seat):
        value += 15.0 + 6.0 * commander.advanced_land + 2.0 * commander.advanced_naval + 3.0 * len(commander.abilities)
    tiles = len(t.neutral_tiles(seat))
    value += plenty(tiles, 4, TILE) + (THREE_TILES if tiles >= 3 else 0.0)
    value += plenty(troops(t, seat), ENOUGH_TROOPS, 1.0) + 3.0 * t.battles(seat)
    due = upkeep_due(t, seat)
    value -= 3.0 * due + 10.0 * max(0, due - t.food(seat))
    for tile in t.nation(seat).tiles:
        if t.occupied(tile):
            value -= CAPITAL if TILES[tile].capital else OCCUPIED
    return value


def plenty(amount: float, enough: float, worth: float) -> float:
    """The first ones count in full, what is beyond enough hardly."""
    return worth * (min(amount, enough) + 0.15 * max(0.0, amount - enough))


def knowledge(t: Field, seat: str) -> float:
    """Technology points at hand; a card one cannot see is an average one."""
    return sum(POINTS.get(card, 1.5) for card in t.items(f"knowledge:{seat}"))


def troops(t: Field, seat: str) -> float:
    found = [*t.tokens(seat).values(), t.zones[f"laid:{seat}"], t.zones[f"open:{seat}"]]
    return sum(WORTH[item] * n for units in found for item, n in units.items() if item in WORTH)


def outlook(t: Field, seat: str) -> float:
    """What the question on the table promises: the tile just taken, the battle just begun, the cards just laid."""
    field = t.get("battlefield")
    if field:
        return battle(t, seat, field) if seat in (t.get("attacker"), t.get("defender")) else 0.0
    if t.get("actor") == seat and t.get("step") == "march":
        return posture(t, seat)
    if t.get("actor") == seat == t.active and t.get("step") in ("turn", "production", "technology_cards", "levy"):
        return promise(t, seat)
    return 0.0


def promise(t: Field, seat: str) -> float:
    """The worth of a chosen action that is still to be done."""
    match ACTION_TILES[t.get("tile")].kind:
        case "cards" if t.get("action") != "general_cards" and wanted(t):
            held = knowledge(t, seat)
            return 130.0 if held >= min(wanted(t)) else 70.0
        case "cards":
            return 10.0
        case "economy":
            return 24.0 - 2.0 * min(10, t.food(seat))
        case "levy":
            return 5.0 + 3.0 * min(t.food(seat), population(t, seat), 8)
    return 0.0


def wanted(t: Field) -> list[int]:
    """What the technologies cost that cards can still pay for."""
    return [TECHNOLOGIES[name].points for name in open_technologies(t) if TECHNOLOGIES[name].points]


def posture(t: Field, seat: str) -> float:
    """On the march: near weaker enemies, and not moving for nothing."""
    near = {to for tile in t.tokens(seat) for to in t.near(tile)}
    value = 6.0 + appetite(t) / 6 + 14.0 * min(2, sum(TILES[to].kind == "neutral" and t.holder(to) != seat for to in near))
    for tile in t.tokens(seat):
        if not TILES[tile].sea:
            value += 0.5 * sum(t.zones[camp(seat, tile, 0)].values())
        foes = [
            other for near in t.near(tile) for other in t.foes(seat, near) if strength(t, other, near) < strength(t, seat, tile)
        ]
        value += (1.0 + appetite(t) / 20) * min(len(foes), 2)
    return value


def appetite(t: Field) -> float:
    """The longer the war, the bolder: else two cautious players would never end it."""
    return float(min(120, max(0, 4 * (t.get("clock") - 24))))


def battle(t: Field, seat: str, field: str) -> float:
    """Odds by strength on the field; then the cards at hand and what is laid down."""
    attacking = seat == t.get("attacker")
    mine = strength(t, seat, field)
    theirs = strength(t, t.get("defender") if attacking else t.get("attacker"), field)
    odds = mine / (mine + theirs) if mine + theirs else 0.5
    value = 260.0 * (odds - 0.6) + appetite(t) if attacking else 160.0 * (odds - 0.5)
    value += sum(2.0 if back(card) == "basic" else 3.0 for card in t.zones[f"hand:{seat}"])
    laid = read(t.zones[f"laid:{seat}"])
    if laid.regiments or laid.squadron or laid.cards:
        value += 6.0 * worth(t, seat, laid, "atk" if seat == t.get("striker") else "dfn")
    return value


def strength(t: Field, seat: str, field: str) -> float:
    units = [*t.tokens(seat).get(field, {}).items(), *t.zones[f"laid:{seat}"].items()]
    total = sum(STRENGTH[item] * min(n, 5) for item, n in units if item in KIND)
    return total * (1.3 if t.commander(seat) else 1.0)


def worth(t: Field, seat: str, laid: Laid, side: str) -> float:
    """What a formation adds up to, in its best style at sea."""
    total = float(getattr(bonus(laid, t.commander(seat)), side))
    for item, n in laid.regiments.items():
        unit = UNITS[item]
        values = unit.naval.values() if TILES[t.get("battlefield")].sea else [unit.land]
        total += n * max(getattr(value, side) for value in values if value)
    return total
