"""What must hold after every event, and what a campaign of games has to meet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from domain.games.column_of_fire.data import CARDS, COUNTRIES, DICE, EVENTS, HIGHEST, PACK, SPACE, TILES
from domain.games.column_of_fire.schema import PILES, SPACES
from domain.games.column_of_fire.table import DECK_USED_UP, FIFTY_POINTS, Column
from domain.kernel import Event, Move, Set

ALL_CARDS = (*CARDS, *EVENTS, *PACK.loch_leven)
ALL_TILES = tuple(TILES)
CARD_ZONES = (*(f"{zone}:{country}" for zone in ("deck", "top") for country in COUNTRIES), "event", "removed")


def invariants(t: Column) -> list[str]:
    """Every card, tile, die and house lies in exactly one place, and every number is one its die or track has."""
    return list(_broken(t)) if t.get("year") else []


def _broken(t: Column) -> Iterator[str]:
    yield from _once(t, "card", ALL_CARDS, [*CARD_ZONES, *(f"{z}:{seat}" for z in ("display", "loch_leven") for seat in t.seats)])
    yield from _once(t, "tile", ALL_TILES, [*PILES, "spent", *(f"{z}:{seat}" for z in ("tiles", "revealed") for seat in t.seats)])
    for seat in t.seats:
        yield from _once(t, f"die of {seat}", DICE, [f"{zone}:{seat}" for zone in ("free", "dice", "prison")])
        yield from _seat(t, seat)
    for country in COUNTRIES:
        yield from _country(t, country)
    discs = [t.disc(seat) for seat in t.seats]
    if len(set(discs)) < len(discs) or not set(discs) <= set(SPACE):
        yield f"the discs stand on {discs} (CF-1.9)"


def _once(t: Column, what: str, wanted: Sequence[str], zones: Iterable[str]) -> Iterator[str]:
    found = [item for zone in zones for item in (t.items(zone) if t.total(zone) != len(t.zones[zone]) else t.zones[zone])]
    if len(found) == len(wanted) and set(found) == set(wanted):
        return
    for item in sorted({*found, *wanted}):
        if found.count(item) != (item in wanted):
            yield f"{what} {item} lies in {found.count(item)} places"


def _seat(t: Column, seat: str) -> Iterator[str]:
    if len(t.zones[f"display:{seat}"]) != len(t.zones[f"dice:{seat}"]):
        yield f"{seat} has a character without a die (CF-17.16)"
    for die in t.on_cards(seat):
        number = t.shows(seat, die)
        if number is None or not 1 <= number <= HIGHEST[die]:
            yield f"{seat}'s {die} die shows {number}"
    houses = t.zones[f"houses:{seat}"].get(seat, 0) + len(t.houses(seat))
    if houses != PACK.houses or set(t.zones[f"houses:{seat}"]) - {seat}:
        yield f"{seat} has {houses} houses"
    if t.vp(seat) < 0 and not t.options["allow_negative_vp"]:
        yield f"{seat} has {t.vp(seat)} VP (A-16)"
    if t.vp(seat) >= PACK.end_trigger and not t.get("end"):
        yield f"{seat} has {t.vp(seat)} VP and no end flag is set (CF-9.1)"


def _country(t: Column, country: str) -> Iterator[str]:
    if t.free_spaces(country) < 0 or set(t.zones[f"stones:{country}"]) - set(PACK.stones):
        yield f"{country} holds {t.stones(country)} (CF-11.3)"
    if t.total(f"stone:{country}") > 1 or (t.zones[f"stone:{country}"] and not t.face_up(country)):
        yield f"a stone lies on no character in {country}"
    standing = [seat for _, space in SPACES[country] if t.zones[space] for seat in t.items(space)]
    if len(set(standing)) < len(standing) or len(standing) != sum(1 for _, space in SPACES[country] if t.zones[space]):
        yield f"houses of {country}: {standing} (CF-6.7)"


# -- what a campaign has to meet -----------------------------------------------------------------------

CATALOGUE = {
    "decisions": (
        "choose_colour",
        "name_start_player",
        "choose_religion",
        "use_character",
        "window",
        "use_tile",
        "end_turn",
        "take_character",
        "drop_stone_with_protection",
        "upgrade_house",
        "move_disc",
        "use_space",
        "place_bonus_neutral",
        "answer_negative_event",
        "loch_leven_die",
        "event_good",
        "answer_positive_event",
        "conflict_order",
    ),
    "chances": (
        "start_player",
        "deal_loch_leven",
        "redraw_loch_leven",
        "religion_die",
        "free_dice",
        "turn_up",
        "advantage_tiles",
        "advantage_tile",
    ),
    "characters": tuple(CARDS),
    "characters used": tuple(CARDS),
    "events": tuple(EVENTS),
    "tiles": tuple(tile.id for tile in TILES.values() if tile.spendable),
    "spaces": tuple(SPACE),
    "endings": (FIFTY_POINTS, DECK_USED_UP),
}


def exercised(event: Event) -> Iterator[tuple[str, str]]:
    """What of the catalogue one event shows."""
    if event.ask:
        yield "decisions", event.ask
    for outcome in event.chance:
        yield "chances", outcome.key
    for op in event.ops:
        if type(op) is Move:
            if op.dst.startswith("display:"):
                yield "characters", op.item
            elif op.dst == "spent":
                yield "tiles", op.item
        elif type(op) is Set:
            if op.register.startswith("disc:") and op.old is not None:
                yield "spaces", op.new
            elif op.register == "end" and op.new:
                yield "endings", op.new
    for cite in event.cites:
        if "card" in cite.facts and "used" in cite.facts:
            yield "characters used", cite.facts["card"]
        if "event" in cite.facts:
            yield "events", cite.facts["event"]
