"""What a position is worth to a bot: VP now, and what pieces, characters and pending conflicts promise."""

from __future__ import annotations

from domain.games.column_of_fire.data import (
    BLACK,
    BUYERS,
    CARDS,
    GOODS_VP,
    HOUSE_VP,
    PRICE,
    PROTECTION_VP,
    SPACE,
    TILES,
    VIOLET,
    Effect,
)
from domain.games.column_of_fire.scoring import tile_vp
from domain.games.column_of_fire.selling import Action
from domain.games.column_of_fire.symbols import actions
from domain.games.column_of_fire.table import Column
from domain.kernel import HIDDEN

# VP that one use of a symbol brings, roughly.
WORTH = {
    "gain_good": 1.7,
    "gain_any_good": 2.1,
    "gain_advantage": 1.6,
    "gain_protection": 1.1,
    "gain_vp": 2.0,
    "sell_any_for_3": 1.4,
    "stone": 0.8,
    "neutral_stone": 0.4,
    "advance": 1.4,
    "remove_character": 0.1,
    "die_plus_minus_1": 0.5,
    "remove_die": 0.2,
}
USES = (0.0, 1.0, 1.9, 2.6, 3.1, 3.5, 3.8)  # what n uses of a character count: far years count less
FREE_DIE, FREE_VIOLET, CAPTIVE, RELIGION_YEAR, UNKNOWN_TILE = 1.3, 0.5, -0.3, 0.1, 1.6
HOUSE, PER_NUMBER, EXPELLED = 1.5, 0.2, 3.5
QUIET = 0.05  # waiving the windows of a turn gives something up
FIRST_SALE, SECOND_SALE = 0.5, 0.25  # of the price, for goods still to be sold


def appraise(t: Column, seat: str) -> float:
    """The worth of a seat's own view of the table."""
    last_year = t.get("end") is not None
    houses = t.houses(seat)
    worth = t.vp(seat) + t.protection(seat) * float(PROTECTION_VP.vp) + _goods(t, seat, houses)
    for country, number in houses.items():
        worth += float(HOUSE_VP.vp) + _house(t, country, number, t.religion(seat))
    for tile, n in t.zones[f"tiles:{seat}"].items():
        worth += n * (UNKNOWN_TILE if tile == HIDDEN else tile_vp(tile) or WORTH[TILES[tile].effect.op])
    if not last_year:
        worth += _people(t, seat)
    if t.get("active") == seat:
        worth -= QUIET if t.get("quiet") else 0.0
        worth += _under_way(t, seat, last_year=last_year)
    return worth


def _goods(t: Column, seat: str, houses: dict[str, int]) -> float:
    """Goods bring their share at the end, and more where a house could sell them."""
    worth = 0.0
    for good, n in t.zones[f"goods:{seat}"].items():
        prices = sorted((PRICE[good, country] for country in BUYERS[good] if country in houses), reverse=True)
        worth += n * float(GOODS_VP.vp) / GOODS_VP.per
        if prices:
            worth += prices[0] * (FIRST_SALE + (SECOND_SALE if n > 1 else 0.0))
    return worth


def _house(t: Column, country: str, number: int, religion: str) -> float:
    """A house hopes for its number if its religion wins the stones there, and fears for itself if the other does."""
    stones = t.zones[f"stones:{country}"]
    lead = sum(n if kind == religion else -n for kind, n in stones.items() if kind != "neutral")
    left = t.free_spaces(country)
    if left <= 0:
        return number if lead > 0 else -EXPELLED if lead < 0 else 0.0
    chance = 0.5 + 0.4 * max(-1.0, min(1.0, lead / (left + 1)))
    return PER_NUMBER * number + (chance * number - (1 - chance) * EXPELLED) / (left + 1)


def _people(t: Column, seat: str) -> float:
    worth = FREE_DIE * len(t.zones[f"free:{seat}"]) + CAPTIVE * len(t.zones[f"prison:{seat}"])
    worth += RELIGION_YEAR * (t.shows(seat, BLACK) or 0) + (FREE_VIOLET if VIOLET in t.zones[f"free:{seat}"] else 0.0)
    for card, die in zip(t.zones[f"display:{seat}"], t.zones[f"dice:{seat}"], strict=True):
        worth += _worth(CARDS[card].effect) * USES[(t.shows(seat, die) or 1) - 1]
    return worth


def _worth(effect: Effect) -> float:
    return max(map(_worth, effect.options)) if effect.options else WORTH[effect.op]


def _under_way(t: Column, seat: str, *, last_year: bool) -> float:
    """A character chosen but not yet taken, a space reached but not yet used."""
    if t.get("step") == "move":
        return max((_brings(way) for way in actions(t, seat, SPACE[t.disc(seat)].effect)), default=0.0)
    die, country = t.get("die"), t.get("country")
    if not die:
        return 0.0
    number, stands = t.shows(seat, die) or 0, t.house(country, seat)
    worth = _worth(CARDS[t.face_up(country)].effect) * USES[1 if last_year else number] - (0 if last_year else FREE_DIE)
    if not stands:
        worth += float(HOUSE_VP.vp)
    if stands < number:
        worth += _house(t, country, number, t.religion(seat)) - (_house(t, country, stands, t.religion(seat)) if stands else 0.0)
    return worth


def _brings(way: Action) -> float:
    """What an action of the track brings at once, less what it uses up."""
    if way[0] == "sell":
        sales = [str(sale).split("@") for sale in way[1:]]
        return sum((PRICE[good, country] * (1 - FIRST_SALE) for good, country in sales), 0.0)
    return WORTH.get(str(way[0]), 0.5)
