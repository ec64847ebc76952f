"""What must hold after every event, and what a campaign of games has to meet."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from domain.games.generalship.alliances import LIMITS
from domain.games.generalship.data import (
    ACTION_TILES,
    CARDS,
    CIRCLES,
    EVENTS,
    GENERALS,
    KIND,
    NEUTRAL,
    PACK,
    TACTICS,
    TECHNOLOGIES,
    TILES,
    UNITS,
)
from domain.games.generalship.fleet import CAPACITY
from domain.games.generalship.schema import DECKS, SPACES, camps, hulls
from domain.games.generalship.table import MOST_BATTLES, Field
from domain.kernel import Event, Move, Set

CYLINDERS = PACK.setup["per_player"]["cylinders"]


def invariants(t: Field) -> list[str]:
    """What is broken, in words; nothing most of the time."""
    if t.get("turn") is None:
        return []
    return [*pieces(t), *stacks(t), *nations(t), *status(t)]


@cache
def _places(seats: tuple[str, ...]) -> dict[str, list[str]]:
    """The zones where each kind of piece can lie."""
    return {
        "generals": ["generals", "retired", *(f"{z}:{s}" for s in seats for z in ("dealt", "unused", "commander", "pp"))],
        "technology": ["technology", "learnt", *(f"knowledge:{s}" for s in seats)],
        "tactics": ["played", *DECKS, *(f"{z}:{s}" for s in seats for z in ("hand", "tossed", "laid", "open"))],
        "events": ["events", *(f"event:{space}" for space in PACK.event_spaces.values())],
        "tiles": ["pile", "passed", "map"],
        "units": [
            *("supply", *(f"{z}:{s}" for s in seats for z in ("laid", "open"))),
            *(zone for s in seats for _, _, zone in camps(s)),
            *(zone for s in seats for _, zone, _ in hulls(s)),
        ],
    }


BOX = {
    "generals": dict.fromkeys(GENERALS, 1),
    "technology": dict.fromkeys(PACK.points, 1),
    "tactics": dict.fromkeys(CARDS, 1),
    "events": dict.fromkeys(EVENTS, 1),
    "tiles": dict.fromkeys(NEUTRAL, 1),
    "units": {unit.id: unit.count for unit in UNITS.values()},
}


def pieces(t: Field) -> Iterator[str]:
    """G01: no piece is made or lost."""
    for kind, zones in _places(t.seats).items():
        found: dict[str, int] = {}
        for zone in zones:
            held = t.zones[zone]
            if type(held) is list:
                for item in held:
                    found[item] = found.get(item, 0) + 1
            else:
                for item, n in held.items():
                    found[item] = found.get(item, 0) + n
        for item, n in BOX[kind].items():
            if found.get(item, 0) != n:
                yield f"{found.get(item, 0)} of {item} lie on the table, not {n}"


def stacks(t: Field) -> Iterator[str]:
    """G06.2, G17.7, G17.10: ships carry at most five; enemies share a tile only in battle."""
    for seat in t.seats:
        for ship, zone, berth in hulls(seat):
            held = t.zones[zone]
            if held and berth not in t.registers:
                yield f"{zone} lies nowhere"
            regiments = sum(n for item, n in held.items() if KIND[item] != "ship")
            if regiments > CAPACITY and not t.get("beaten"):
                yield f"{regiments} regiments are aboard {ship} of {seat}"
            if regiments and held and not TILES[t.berth(seat, ship)].sea:
                yield f"regiments are aboard {ship} of {seat} in port"
    for tile in t.land.near:
        there = t.present(tile)
        if len(there) > 1 and tile != t.get("battlefield"):
            for seat in there:
                if t.foes(seat, tile) and t.get("step") not in ("alliance", "march"):
                    yield f"enemies share {tile} without a battle"


def nations(t: Field) -> Iterator[str]:
    """G05.2, G08.8, G08.11: people on circles of the nation, within its maximum; nothing is owed."""
    for seat in t.seats:
        nation, people = t.nation(seat), t.zones[f"people:{seat}"]
        circles = {circle.id for circle in CIRCLES[nation.id]}
        if not set(people) <= circles or any(n != 1 for n in people.values()):
            yield f"{seat} has people outside the circles of {nation.name}"
        if len(people) > nation.max_population:
            yield f"{nation.name} has {len(people)} people"
        if min(t.food(seat), t.metal(seat), t.vp(seat)) < 0:
            yield f"{nation.name} has less than nothing"
        if not 0 <= t.battles(seat) <= MOST_BATTLES:
            yield f"{nation.name} has a battle count of {t.battles(seat)}"
        if t.total(f"commander:{seat}") > 1:
            yield f"{nation.name} has two commanders"


def status(t: Field) -> Iterator[str]:
    """G03.1, G06.4, G12.10: order, circles, alliance spaces."""
    if sorted(t.order) != sorted(t.seats):
        yield "somebody is missing on the order track"
    for tile in ACTION_TILES.values():
        if t.total(f"circles:{tile.id}") > tile.circles:
            yield f"{tile.id} has too many cylinders"
    for seat in t.seats:
        if sum(t.count(f"circles:{tile}", seat) for tile in ACTION_TILES) > CYLINDERS:
            yield f"{seat} has more than {CYLINDERS} cylinders"
        if sum(t.count(f"alliance:{space}", seat) for space in SPACES) > 1:
            yield f"{seat} has two cubes in the alliance area"
    if len(t.seats) > 2 and any(t.total(f"alliance:{space}") > LIMITS[len(t.seats)] for space in SPACES):
        yield "an alliance space holds too many cubes"
    for neutral in NEUTRAL:
        if t.get(f"owner:{neutral}") and neutral not in t.zones["map"]:
            yield f"{neutral} has an owner but is not in play"


DECISIONS = [
    *("choose_nation", "choose_generals", "choose_action_tile", "choose_tile_action", "arrange_population"),
    *("exchange_resources", "place_growth", "general_action", "technology_action", "edit_alliances", "levy_action", "move"),
    *("reinforce", "force_withdrawal", "exchange_advanced", "play_retreat", "play_pursuit", "play_ambush", "counter_ambush"),
    *("paid_exchange", "commit_attack", "choose_losses", "choose_retreat", "trim_capacity", "battle_reward"),
    *("event_black_death", "event_renaissance", "upkeep_remove", "upkeep_help", "upkeep_pay", "capital_swap", "name_defender"),
]
# Decks are unordered: a draw from one is what a shuffle and the top card are at a real table, so shuffles leave no trace.
CHANCES = [
    *("draft_order", "neutral_tile", "draw_general", "draw_technology", "draw_event", "deal_tactics", "draw_basic_exchange"),
]

CATALOGUE = {
    "decisions": DECISIONS,
    "chances": CHANCES,
    "generals": list(GENERALS),
    "tactics dealt": list(CARDS),
    "tactics played": list(TACTICS),
    "technology cards": list(PACK.points),
    "technologies": list(TECHNOLOGIES),
    "tiles": [*NEUTRAL, *(tile for tile in TILES if tile not in NEUTRAL)],
    "action tiles": list(ACTION_TILES),
    "events": list(EVENTS),
    "endings": ["ten_points", "capital"],
}


def exercised(event: Event) -> Iterator[tuple[str, str]]:
    """Commanders appointed, cards played, tiles laid, technologies developed, events drawn, endings reached."""
    for op in event.ops:
        if type(op) is Move:
            if op.dst.startswith("commander:"):
                yield "generals", op.item
            elif op.dst == "played":
                yield "tactics played", CARDS[op.item].id
            elif op.dst.startswith("hand:"):
                yield "tactics dealt", op.item
            elif op.dst == "learnt":
                yield "technology cards", op.item
            elif op.dst == "map":
                yield "tiles", op.item
            elif op.dst.startswith("circles:"):
                yield "action tiles", op.dst.removeprefix("circles:")
            elif op.dst.startswith("event:"):
                yield "events", op.item
        elif type(op) is Set and op.new is not None:
            if op.register.startswith("by:"):
                yield "technologies", op.register.removeprefix("by:")
            elif op.register == "ending":
                yield "endings", op.new
            elif op.register.startswith("nation:"):
                for tile in TILES.values():
                    if tile.nation == op.new:
                        yield "tiles", tile.id
