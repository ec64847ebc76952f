"""The table of Generalship: what lies where, and who may look (G01, zones and who sees them)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from domain.games.generalship.data import (
    ACTION_TILES,
    CARDS,
    KIND,
    LAND_TILES,
    NEUTRAL,
    PACK,
    TECHNOLOGIES,
    UNITS,
)
from domain.kernel import BACK, BAG, HIDDEN, OPEN, ROW, Option, Schema, hidden, own

SEATS = ("north", "east", "south", "west")

# A unit that has moved keeps what it spent (G16.2); DONE is the second cube on its stack (G17.8).
DONE = 9
SPENT = (0, 1, 2, DONE)
HULLS = tuple(f"ship{n + 1}" for n in range(sum(unit.count for unit in UNITS.values() if unit.kind == "ship")))
SPACES = ("1", "2")
DECKS = ("land_basic", "land_advanced", "naval_basic", "naval_advanced")

OPTIONS = {
    "draft": Option("lobby", ("lobby", "random"), "G04.1", "who chooses his nation first: the order of the lobby, or chance (R5)"),
    "follow_order": Option(
        "track", ("track", "rotate"), "G08.6", "the other players act in the order of the track, or round from the active one (R7)"
    ),
    "tie_break": Option(
        "order", ("order", "shared"), "G02.5", "a tie at a capital end goes to the earlier player, or is a shared win (R4)"
    ),
    "neutral_layout": Option(
        "free_corners",
        ("free_corners", "sea_by_sea"),
        "G04.3",
        "a sea may lie in any corner of the neutral area, or always only next to another sea (R6)",
    ),
}

_CARD_BACKS = {card: "basic" if tactic.basic else "advanced" for card, tactic in CARDS.items()}
_BACKS = KIND | _CARD_BACKS | {"basic": "basic", "advanced": "advanced"}


def back(item: str) -> str:
    """What others see of a face-down piece: a token's colour, a tactic card's silver or gold (G06.3, G19.3)."""
    return _BACKS.get(item, HIDDEN)


def camp(seat: str, tile: str, spent: int = 0) -> str:
    """The zone of a seat's regiments on a land tile that have spent so many movement points."""
    return f"camp:{seat}:{tile}:{spent}"


def hull(seat: str, ship: str) -> str:
    """The zone of one squadron and the regiments aboard."""
    return f"hull:{seat}:{ship}"


@cache
def camps(seat: str) -> list[tuple[str, int, str]]:
    """All camps of a seat: tile, points spent, zone."""
    return [(tile, spent, camp(seat, tile, spent)) for tile in LAND_TILES for spent in SPENT]


@cache
def hulls(seat: str) -> list[tuple[str, str, str]]:
    """All hulls of a seat: name, zone, the register that says where it lies."""
    return [(ship, hull(seat, ship), f"berth:{seat}:{ship}") for ship in HULLS]


def pair(one: str, other: str) -> str:
    """Two seats in one name, whoever is named first."""
    return f"{min(one, other)}+{max(one, other)}"


def schema(seats: Sequence[str], options: dict[str, Any]) -> Schema:
    """Every zone and register of a game for these seats."""
    s = Schema(seats, options, back)
    for zone in ("order", "map"):
        s.zone(zone, ROW, OPEN)
    for zone in ("pile", "generals", "technology", "events"):
        s.zone(zone, BAG, hidden())
    for deck in DECKS:
        s.zone(deck, BAG, hidden(BACK))
    for zone in ("passed", "retired", "learnt", "supply", "played"):
        s.zone(zone, BAG, OPEN)
    for space in PACK.event_spaces.values():
        s.zone(f"event:{space}", BAG, OPEN)
    for tile in ACTION_TILES:
        s.zone(f"circles:{tile}", BAG, OPEN)
    for space in SPACES:
        s.zone(f"alliance:{space}", BAG, OPEN)
    for seat in seats:
        _seat(s, seat)
    for name in ("turn", "clock", "cycle", "deficit"):
        s.register(name, int, OPEN)
    for name in (
        *("era", "tile", "action", "actor", "event", "developer", "subject", "payer", "ending"),
        *("battlefield", "attacker", "defender", "striker", "beaten", "outcome", "style"),
    ):
        s.register(name, str, OPEN)
    s.register("ambushed", bool, OPEN)
    for tile in NEUTRAL:
        s.register(f"owner:{tile}", str, OPEN)
    for technology in TECHNOLOGIES:
        s.register(f"by:{technology}", str, OPEN)
    for index, seat in enumerate(seats):
        for other in seats[index + 1 :]:
            _between(s, pair(seat, other))
    return s


def _seat(s: Schema, seat: str) -> None:
    mine, tokens = own(seat), own(seat, others=BACK)
    s.zone(f"people:{seat}", BAG, OPEN)
    s.zone(f"commander:{seat}", BAG, OPEN)
    s.zone(f"open:{seat}", BAG, OPEN)
    s.zone(f"pp:{seat}", ROW, mine)
    for name in ("dealt", "unused", "knowledge"):
        s.zone(f"{name}:{seat}", BAG, mine)
    for name in ("hand", "tossed", "laid"):
        s.zone(f"{name}:{seat}", BAG, tokens)
    for _, _, zone in camps(seat):
        s.zone(zone, BAG, tokens)
    for ship, zone, berth in hulls(seat):
        s.zone(zone, BAG, tokens)
        s.register(berth, str, OPEN)
        s.register(f"sailed:{seat}:{ship}", int, OPEN)
    s.register(f"nation:{seat}", str, OPEN)
    for name in ("vp", "food", "metal", "battles"):
        s.register(f"{name}:{seat}", int, OPEN)


def _between(s: Schema, two: str) -> None:
    """What the diplomacy table remembers of two players: when they allied or parted, by whom, for how much PP, and help given."""
    for name in ("since", "parted", "cost"):
        s.register(f"{name}:{two}", int, OPEN)
    for name in ("maker", "breaker"):
        s.register(f"{name}:{two}", str, OPEN)
    for giver in two.split("+"):
        s.register(f"helped:{two}:{giver}", int, OPEN)
