"""The end of the game (CF-9) and the scoreboard."""

from __future__ import annotations

from domain.games.column_of_fire.data import (
    BLACK,
    CARDS,
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
