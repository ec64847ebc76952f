"""The board as SVG: the loop of the action track around four countries, the VP track, and every player's display from left to right."""

from __future__ import annotations

from collections.abc import Iterator

from domain import svg
from domain.games.column_of_fire.board import symbol
from domain.games.column_of_fire.data import BLACK, CARDS, COUNTRIES, PACK, TRACK
from domain.games.column_of_fire.schema import SEATS, SPACES
from domain.games.column_of_fire.table import Column

WIDTH, CELL, HIGH = 1200, 160, 66
TOP, INNER_TOP = 8, 84
COUNTRY_WIDTH, COUNTRY_HEIGHT = 424, 214
ROW = 58
RELIGION = {"catholic": "C", "protestant": "P"}


def picture(t: Column, hot: frozenset[str]) -> str:
    """The whole table as one drawing; the names in `hot` can be chosen now."""
    height = 84 + 2 * (COUNTRY_HEIGHT + 10) + 84 + 60 + ROW * len(t.seats) + 16
    year = f"year {t.get('year', 0)}, half-year {t.get('half', 0)}"
    parts = [
        *_track(t, hot),
        *(
            part
            for n, country in enumerate(COUNTRIES)
            for part in _country(t, country, 168 + (n % 2) * 440, INNER_TOP + (n // 2) * 224, hot)
        ),
        *_points(t, 84 + 2 * (COUNTRY_HEIGHT + 10) + 84),
        *(part for n, seat in enumerate(t.seats) for part in _display(t, seat, height - 12 - ROW * (len(t.seats) - n), hot)),
    ]
    return svg.board("column", f"A Column of Fire, {year}", WIDTH, height, parts)


def seat(name: str) -> str:
    return f"seat-{SEATS.index(name)}"


# -- the action track -----------------------------------------------------------------------------------


def _places() -> Iterator[tuple[float, float]]:
    """Clockwise: seven above, three on the right, seven below, three on the left."""
    step = (WIDTH - 16) / 7
    bottom = INNER_TOP + 2 * (COUNTRY_HEIGHT + 10) + 4
    side = (bottom - INNER_TOP) / 3
    yield from ((8 + n * step, TOP) for n in range(7))
    yield from ((WIDTH - CELL + 4, INNER_TOP + n * side) for n in range(3))
    yield from ((8 + n * step, bottom) for n in range(6, -1, -1))
    yield from ((8, INNER_TOP + n * side) for n in range(2, -1, -1))


def _track(t: Column, hot: frozenset[str]) -> Iterator[str]:
    discs = {t.disc(one): one for one in t.seats}
    for space, (x, y) in zip(TRACK, _places(), strict=False):
        here = discs.get(space.id, "")
        tall = 140 if INNER_TOP <= y < INNER_TOP + 2 * COUNTRY_HEIGHT else HIGH
        inside = f'<rect class="ground die-{space.colour}" x="{x:g}" y="{y:g}" width="150" height="{tall}" rx="8"/>'
        inside += svg.text(x + 10, y + 17, space.id, "tiny") + svg.lines(
            x + 10, y + 34, symbol(space.effect), 21, 2 if tall == HIGH else 4, "label"
        )
        if here:
            inside += _disc(x + 132, y + 17, 11, here, f"disc of {here}")
        yield svg.space(
            space.id, f"{space.id}, {space.colour}: {symbol(space.effect)}{f', disc of {here}' if here else ''}", hot, inside
        )


# -- countries ------------------------------------------------------------------------------------------


def _country(t: Column, country: str, x: float, y: float, hot: frozenset[str]) -> Iterator[str]:
    land = PACK.countries[country]
    sales = " · ".join(f"{sale.good} {sale.vp}" for sale in land.sales)
    stones = [kind for kind, n in t.stones(country).items() for _ in range(n)]
    words = f"{land.name}: stones {', '.join(stones) or 'none'}, buys {sales}{', conflict pending' if t.full(country) else ''}"
    ground = f'<rect class="ground land" x="{x:g}" y="{y:g}" width="{COUNTRY_WIDTH}" height="{COUNTRY_HEIGHT}" rx="12"/>'
    ground += f'<rect class="die-{land.die}" x="{x:g}" y="{y:g}" width="10" height="{COUNTRY_HEIGHT}" rx="4"/>'
    ground += svg.text(x + 24, y + 28, land.name, "name") + svg.text(x + 24, y + 46, f"{land.city} · buys {sales}", "small")
    for n in range(PACK.players[len(t.seats)].religion_spaces):
        kind = f"stone {stones[n]}" if n < len(stones) else "stone none"
        ground += f'<circle class="{kind}" cx="{x + 290 + 30 * n:g}" cy="{y + 26:g}" r="11"/>'
        if n < len(stones):
            ground += svg.text(x + 290 + 30 * n, y + 30, stones[n][0].upper(), "onstone", "middle")
    if t.full(country):
        ground += f'<path class="torch" d="M{x + 262:g} {y + 34:g}q-8-10 0-20q8 10 0 20z"/>'
    for number, zone in SPACES[country]:
        at = x + 30 + (number - 1) * 64
        owner = next(iter(t.zones[zone]), "")
        ground += f'<rect class="plot" x="{at:g}" y="{y + 60:g}" width="54" height="48" rx="6"/>' + svg.text(
            at + 8, y + 74, str(number), "tiny"
        )
        if owner:
            ground += f'<path class="house {seat(owner)}" d="M{at + 27:g} {y + 64:g}l17 13v25h-34v-25z">{svg.said(f"{owner} on {number}")}</path>'
            ground += svg.text(at + 27, y + 95, owner[0].upper(), "onpiece", "middle")
    yield svg.space(country, words, hot, ground)
    card = CARDS.get(t.face_up(country))
    left, below = t.total(f"deck:{country}"), y + 118
    inside = f'<rect class="ground card" x="{x + 24:g}" y="{below:g}" width="386" height="84" rx="8"/>'
    if card is None:
        yield svg.space(
            f"deck:{country}", f"{land.name}: no face-up character", hot, inside + svg.text(x + 38, below + 30, "no card", "small")
        )
        return
    stone = next(iter(t.zones[f"stone:{country}"]), "none")
    inside += svg.text(x + 38, below + 24, card.name, "person") + svg.lines(x + 38, below + 44, card.text, 50, 3, "small")
    inside += f'<circle class="stone {stone}" cx="{x + 388:g}" cy="{below + 20:g}" r="10"/>' + svg.text(
        x + 400, below + 76, f"{left} below", "tiny", "end"
    )
    yield svg.space(card.id, f"{land.name}, face up: {card.name}: {card.text}; stone {stone}; {left} cards below", hot, inside)


# -- points and displays ---------------------------------------------------------------------------------


def _points(t: Column, y: float) -> Iterator[str]:
    step = (WIDTH - 24) / 50
    for n in range(1, 51):
        x = 12 + (n - 1) * step
        yield f'<rect class="plot" x="{x:.1f}" y="{y:g}" width="{step - 2:.1f}" height="22" rx="3"/>'
        if n % 5 == 0:
            yield svg.text(x + step / 2 - 1, y + 15, str(n), "tiny", "middle")
    for one in t.seats:
        vp = t.vp(one)
        if vp > 0:
            x = 12 + ((vp - 1) % 50) * step + step / 2 - 1
            shift = 6 * sum(t.vp(other) % 50 == vp % 50 for other in t.seats[: t.seats.index(one)])
            yield _disc(x, y + 32 + shift, 8, one, f"{one}: {vp} VP")


def _disc(x: float, y: float, r: float, owner: str, title: str) -> str:
    """A player's disc, with the initial for eyes that do not tell the colours apart."""
    disc = f'<circle class="disc {seat(owner)}" cx="{x:.1f}" cy="{y:g}" r="{r:g}">{svg.said(title)}</circle>'
    return disc + svg.text(x, y + 4, owner[0].upper(), "onpiece", "middle")


def _die(x: float, y: float, colour: str, value: int | None, name: str, title: str, hot: frozenset[str]) -> str:
    inside = f'<rect class="ground die die-{colour}" x="{x:g}" y="{y:g}" width="24" height="24" rx="5"/>'
    return svg.space(name, title, hot, inside + svg.text(x + 12, y + 17, str(value or ""), f"ondie on-{colour}", "middle"))


def _display(t: Column, one: str, y: float, hot: frozenset[str]) -> Iterator[str]:
    mine = hot if one == t.get("active") else frozenset()
    yield f'<rect class="row {seat(one)}" x="8" y="{y:g}" width="{WIDTH - 16}" height="{ROW - 6}" rx="8"/>'
    yield f'<rect class="house {seat(one)}" x="8" y="{y:g}" width="8" height="{ROW - 6}" rx="3"/>'
    yield svg.text(26, y + 20, one, "person") + svg.text(26, y + 38, f"{t.vp(one)} VP · {t.religion(one)}", "small")
    x = 160.0
    yield _die(x, y + 8, BLACK, t.shows(one, BLACK), BLACK, f"religion die of {one}: {t.shows(one, BLACK) or 'none'}", mine)
    yield svg.text(x + 12, y + 46, RELIGION.get(t.religion(one), ""), "tiny", "middle")
    x += 36
    for die in t.zones[f"prison:{one}"]:
        yield _die(x, y + 8, die, t.shows(one, die), die, f"{die} die of {one} in Loch Leven: {t.shows(one, die)}", mine)
        yield svg.text(x + 12, y + 46, "prison", "tiny", "middle")
        x += 36
    for card, die in zip(t.zones[f"display:{one}"], t.zones[f"dice:{one}"], strict=False):
        who = CARDS[card]
        inside = f'<rect class="ground card" x="{x:g}" y="{y + 4:g}" width="128" height="{ROW - 14}" rx="6"/>' + svg.lines(
            x + 8, y + 20, who.name, 12, 2, "small"
        )
        yield svg.space(card, f"{one}: {who.name}: {who.text}", mine, inside)
        yield _die(x + 98, y + 12, die, t.shows(one, die), die, f"{die} die of {one} on {who.name}: {t.shows(one, die)}", mine)
        x += 134
    at = WIDTH - 204.0 - 28 * len(t.free(one))
    for die in t.free(one):
        yield _die(at, y + 14, die, t.shows(one, die), die, f"free {die} die of {one}: {t.shows(one, die) or 'not rolled'}", mine)
        at += 28
    goods = "  ".join(f"{n} {good}" for good, n in sorted(t.goods(one).items()))
    tiles = t.total(f"tiles:{one}") + t.total(f"revealed:{one}")
    yield svg.text(WIDTH - 190, y + 18, goods or "no goods", "small")
    yield svg.text(WIDTH - 190, y + 34, f"{t.protection(one)} protection · {tiles} tiles", "small")
