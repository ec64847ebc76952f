"""The zones and registers of a game, and who may look at them (CF-1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from domain.games.column_of_fire.data import BLACK, CARDS, COUNTRIES, DICE, EVENTS, PACK, TILES
from domain.kernel import BAG, OPEN, ROW, Schema, hidden, own

SEATS = ("red", "yellow", "green", "blue")
PILES = ("pile:1", "pile:2")

# The zone of each placement space, from space 1 up.
SPACES = {
    country.id: tuple((number, f"house:{country.id}:{number}") for number in country.placement_spaces)
    for country in PACK.countries.values()
}


def seats(n: int) -> tuple[str, ...]:
    return SEATS[:n]


def back(item: str) -> str:
    """What the back of a card or tile shows: its deck, or that it is an advantage tile."""
    if item in CARDS:
        return f"{CARDS[item].country} card"
    if item in EVENTS:
        return f"{EVENTS[item].deck} card"
    return "advantage tile" if item in TILES else item


def schema(seats: Sequence[str], options: dict[str, Any]) -> Schema:
    """Everything lies open but the decks, the piles of advantage tiles and each player's own tiles."""
    s = Schema(seats, options, back)
    for country in COUNTRIES:
        s.zone(f"deck:{country}", BAG, hidden())
        s.zone(f"top:{country}", BAG, OPEN)  # the face-up character of the deck
        s.zone(f"stone:{country}", BAG, OPEN)  # the stone that lies on it
        s.zone(f"stones:{country}", BAG, OPEN)  # the stones on the religion spaces
        for _, space in SPACES[country]:
            s.zone(space, BAG, OPEN)  # a house is called by its owner's seat
    for pile in PILES:
        s.zone(pile, BAG, hidden())
    s.zone("tiles", ROW, hidden())  # the advantage tiles while they are shuffled
    s.zone("loch_leven", BAG, hidden())
    s.zone("event", BAG, OPEN)
    s.zone("spent", BAG, OPEN)
    s.zone("removed", BAG, OPEN)
    s.zone("sold", BAG, OPEN)  # markers of this turn's sales, "cloth@england"
    s.zone("to_turn_down", ROW, OPEN)  # dice and cards still to come in this first half-year turn, the next one on top
    for seat in seats:
        s.zone(f"free:{seat}", BAG, OPEN)
        s.zone(f"display:{seat}", ROW, OPEN)  # characters from left to right ...
        s.zone(f"dice:{seat}", ROW, OPEN)  # ... and the dice on them, in the same order
        s.zone(f"prison:{seat}", ROW, OPEN)  # dice on the Loch Leven card, in order of arrival
        s.zone(f"loch_leven:{seat}", BAG, OPEN)
        s.zone(f"goods:{seat}", BAG, OPEN)
        s.zone(f"protection:{seat}", BAG, OPEN)
        s.zone(f"houses:{seat}", BAG, OPEN)
        s.zone(f"tiles:{seat}", BAG, own(seat))
        s.zone(f"revealed:{seat}", BAG, OPEN)
        s.register(f"vp:{seat}", int, OPEN)
        s.register(f"religion:{seat}", str, OPEN)
        s.register(f"disc:{seat}", str, OPEN)
        s.register(f"colour:{seat}", str, OPEN)
        for die in (*DICE, BLACK):
            s.register(f"die:{seat}:{die}", int, OPEN)  # empty: a free die without a rolled number
    s.register("start", str, OPEN)
    s.register("active", str, OPEN)
    s.register("year", int, OPEN)
    s.register("half", int, OPEN)
    s.register("end", str, OPEN)  # why the game ends after this year
    # For one turn only:
    s.register("die", str, OPEN)  # chosen to take a character ...
    s.register("country", str, OPEN)  # ... of this country, until the next card is turned up
    s.register("event_done", bool, OPEN)  # CF-7.3
    s.register("paid", int, OPEN)  # dice taken off for VP
    s.register("quiet", bool, OPEN)  # the active player wants no more windows
    return s
