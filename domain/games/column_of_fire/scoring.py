"""The end of the game (CF-9), the scoreboard, and what a position is worth to a bot."""

from __future__ import annotations

from domain.games.column_of_fire.data import (
    BLACK,
    CARDS,
    COUNTRIES,
    GOODS_VP,
    HOUSE_VP,
    PACK,
    PROTECTION_VP,
    TILES,
)
from domain.games.column_of_fire.table import Column
from domain.kernel import END, HIDDEN, Rules, Score


def final_scoring(t: Column) -> Rules:
    """CF-9.4: houses, protection tiles, goods and advantage tiles, for each player."""
    for seat in t.seats:
        for tile in t.items(f"tiles:{seat}"):
            t.move(tile, f"tiles:{seat}", f"revealed:{seat}", cite="CF-9.4")
        parts = final_parts(t, seat)
        t.say("CF-9.4", seat=seat, **parts)
        t.add(f"vp:{seat}", sum(parts.values()), cite="CF-9.4")
    best = max(rank(t, seat) for seat in t.seats)
    t.say("CF-9.5", winners=[seat for seat in t.seats if rank(t, seat) == best])
    yield from ()
    return END


def final_parts(t: Column, seat: str) -> dict[str, int]:
    """What a player's pieces bring at the end, as far as the viewer knows his tiles."""
    goods = t.total(f"goods:{seat}")
    tiles = [*t.items(f"tiles:{seat}"), *t.items(f"revealed:{seat}")]
    return {
        "houses": len(t.houses(seat)) // HOUSE_VP.per * int(HOUSE_VP.vp),
        "protection": t.protection(seat) // PROTECTION_VP.per * int(PROTECTION_VP.vp),
        "goods": goods // GOODS_VP.per * int(GOODS_VP.vp),
        "tiles": sum(tile_vp(tile) for tile in tiles if tile != HIDDEN),
    }


def tile_vp(tile: str) -> int:
    effect = TILES[tile].effect
    return int(effect.vp) if effect.op == "final_vp" else 0


def rank(t: Column, seat: str) -> tuple[int, int, int]:
    """CF-9.5: VP, then unsold goods, then the number on the religion die."""
    return t.vp(seat), t.total(f"goods:{seat}"), t.shows(seat, BLACK) or 0


def winners(t: Column) -> list[str]:
    """CF-9.5: several, if even the religion dice are equal."""
    if t.get("step") != END:
        return []
    best = max(rank(t, seat) for seat in t.seats)
    return [seat for seat in t.seats if rank(t, seat) == best]


# -- the scoreboard ------------------------------------------------------------------------------------


def score(t: Column) -> list[Score]:
    """VP and what stands beside them; tiles only as far as the viewer knows them."""
    return [Score(seat, t.vp(seat), facts(t, seat)) for seat in t.seats]


def facts(t: Column, seat: str) -> dict[str, str | int]:
    number = t.shows(seat, BLACK) or 0
    found: dict[str, str | int] = {
        "vp": track_vp(t.vp(seat)),
        "year": f"{t.get('year', 0)}, half-year {t.get('half', 0)}",
        "religion": f"{t.religion(seat)} ({number})",
        "minority": "yes" if t.religion(seat) and t.minority(seat) else "no",
        "houses": ", ".join(f"{PACK.countries[country].name} {n}" for country, n in t.houses(seat).items()),
        "goods": ", ".join(f"{n} {good}" for good, n in sorted(t.goods(seat).items())),
        "protection": t.protection(seat),
        "advantage tiles": t.total(f"tiles:{seat}"),
        "free dice": ", ".join(t.free(seat)),
        "characters": ", ".join(
            f"{CARDS[card].name} ({die} {t.shows(seat, die)})"
            for card, die in zip(t.zones[f"display:{seat}"], t.zones[f"dice:{seat}"], strict=True)
        ),
        "Loch Leven": ", ".join(f"{die} {t.shows(seat, die)}" for die in t.zones[f"prison:{seat}"]),
    }
    if t.get("end"):
        found["end"] = str(t.get("end"))
    if t.get("step") != END:
        parts = final_parts(t, seat)
        if HIDDEN in t.zones[f"tiles:{seat}"]:
            del parts["tiles"]
        found["at the end"] = ", ".join(f"{what} {vp}" for what, vp in parts.items())
    return found


def track_vp(vp: int) -> str:
    """How the disc shows a score: past the last space it starts again (CF-1.8).

    >>> track_vp(51), track_vp(50), track_vp(0)
    ('50+1', '50', 'off the track')
    """
    if vp < 1:
        return "off the track" if vp == 0 else f"off the track ({vp})"
    laps, on = divmod(vp - 1, PACK.vp_spaces)
    return f"{laps * PACK.vp_spaces}+{on + 1}" if laps else str(vp)


# -- what a position is worth ----------------------------------------------------------------------------

# VP a use of each symbol is worth to a bot, roughly.
WORTH = {
    "gain_good": 1.6,
    "gain_any_good": 2.0,
    "gain_advantage": 1.5,
    "gain_protection": 1.1,
    "gain_vp": 2.0,
    "sell_any_for_3": 1.5,
    "stone": 0.8,
    "neutral_stone": 0.4,
    "advance": 1.2,
    "remove_character": 0.1,
    "die_plus_minus_1": 0.5,
    "remove_die": 0.2,
    "final_vp": 0.0,
}
FREE_DIE, CAPTIVE, RELIGION_YEAR, UNKNOWN_TILE = 1.3, -0.3, 0.1, 1.5
HOUSE_IN, NUMBER_IN, SALE_IN, IDLE_GOOD = 2.2, 0.25, 0.45, 0.6
DIMINISHING = (0.0, 1.0, 1.9, 2.6, 3.1, 3.5, 3.8)  # a character used n more times; far years count less


def appraise(t: Column, seat: str) -> float:
    """VP now and what houses, goods, tiles, characters and pending conflicts promise."""
    worth = float(t.vp(seat))
    over = t.get("end") is not None
    houses = t.houses(seat)
    mine = t.religion(seat)
    for country, number in houses.items():
        worth += HOUSE_IN + conflict_prospect(t, country, number, mine)
    for good, n in t.goods(seat).items():
        worth += n * (0.5 if over else IDLE_GOOD) + SALE_IN * min(n, 2) * best_price(good, houses)
    worth += t.protection(seat) * 1.1
    for tile, n in t.zones[f"tiles:{seat}"].items():
        worth += n * (UNKNOWN_TILE if tile == HIDDEN else tile_vp(tile) or WORTH[TILES[tile].effect.op])
    for card, die in zip(t.zones[f"display:{seat}"], t.zones[f"dice:{seat}"], strict=True):
        left = (t.shows(seat, die) or 1) - 1
        effect = CARDS[card].effect
        value = max(WORTH[option.op] for option in effect.options) if effect.options else WORTH[effect.op]
        worth += 0.0 if over else value * DIMINISHING[left]
    if not over:
        worth += FREE_DIE * len(t.zones[f"free:{seat}"]) + CAPTIVE * len(t.zones[f"prison:{seat}"])
        worth += RELIGION_YEAR * (t.shows(seat, BLACK) or 0)
        if "violet" in t.zones[f"free:{seat}"]:
            worth += 0.4
    return worth


def conflict_prospect(t: Column, country: str, number: int, religion: str) -> float:
    """What a house hopes for from the stones there: its number if its religion wins, itself if the other does."""
    stones = t.stones(country)
    lead = sum(n if kind == religion else -n if kind != "neutral" else 0 for kind, n in stones.items())
    left = t.free_spaces(country)
    chance = 0.85 if lead > left else 0.15 if -lead > left else 0.5 + 0.35 * lead / (left + 1)
    if left <= 0:
        chance = 1.0 if lead > 0 else 0.0 if lead < 0 else 0.5
        weight = 1.0 if lead else 0.0
    else:
        weight = 1.0 / (left + 1)
    return NUMBER_IN * number + weight * (chance * number - (1 - chance) * 3.0)


def best_price(good: str, houses: dict[str, int]) -> int:
    return max(
        (sale.vp for country in COUNTRIES if country in houses for sale in PACK.countries[country].sales if sale.good == good),
        default=0,
    )
