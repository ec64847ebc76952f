"""The board as SVG: the map of hexagons, the status board beside it, the units, and every player's generals and cards."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt
from typing import NamedTuple

from domain.games.generalship.board import counted
from domain.games.generalship.data import (
    ACTION_TILES,
    CARDS,
    CIRCLES,
    EVENTS,
    GENERALS,
    KIND,
    NATIONS,
    PACK,
    TECHNOLOGIES,
    TILES,
    UNITS,
)
from domain.games.generalship.economy import usable_circles
from domain.games.generalship.pack import Technology, Tile
from domain.games.generalship.schema import DONE, SEATS, SPACES, camp, camps
from domain.games.generalship.table import ERAS, WIN_AT, Field
from domain.games.generalship.turn import free_circles, tiles_in_use
from domain.svg import Hot, board, circle, piece, rect, shape, short, space, text, told

WIDTH, EDGE = 1200, 12
MAP_WIDTH, MAP_HIGH = 690, 726
CHIP, CHIP_HIGH, PITCH = 33, 18, 20
CARD_HIGH, UNIT_HIGH = 38, 62
CARDS_LEFT = 396  # where a player's cards begin, right of his numbers

LETTERS = {
    "light_infantry": "LI",
    "heavy_infantry": "HI",
    "muskets": "Mu",
    "archers": "Ar",
    "artillery": "At",
    "light_cavalry": "LC",
    "heavy_cavalry": "HC",
    "galley": "Ga",
    "galleon": "Gn",
    "infantry": "I",
    "cavalry": "C",
    "ship": "S",
}
SIGNS = {
    "mountain": "M-9 6l6-12 4 7 2-4 6 9z",
    "forest": "M-5 6v-3h-4l4-9 4 9h-3v3zM4 6v-3h-4l4-9 4 9h-3v3z",
    "sea": "M-9-1q3-5 6 0t6 0 6 0M-9 5q3-5 6 0t6 0 6 0",
    "fortress": "M-7 7v-13h3v3h2v-3h4v3h2v-3h3v13h-5v-4h-4v4z",
    "capital": "M0-7l2 5h5l-4 3 2 5-5-3-5 3 2-5-4-3h5z",
    "food": "M0 7v-8m0 0c-4-1-4-4-3-6 3 1 4 3 3 6zm0 0c4-1 4-4 3-6-3 1-4 3-3 6z",
    "metal": "M-7 5l3-8h8l3 8z",
}


class Chip(NamedTuple):
    """A few tokens of one kind in one place: the answer that names them, how many, how many of them finished, aboard what."""

    name: str
    item: str
    n: int
    done: int
    where: str


def picture(t: Field, hot: Hot) -> str:
    """The whole table as one drawing; the names in `hot` can be chosen now."""
    grid = Grid(t)
    status, below = _status(t, EDGE + grid.width + 16, hot)
    parts = [*_map(t, grid, hot), status]
    if below + 3 * UNIT_HIGH <= grid.bottom:
        parts += _units(t, EDGE + grid.width + 16, below + 6, 3, hot)
        y = grid.bottom + 14
    else:
        y = max(grid.bottom, below) + 14
        parts += _units(t, EDGE, y, len(UNITS), hot)
        y += UNIT_HIGH + 2
    if t.get("battlefield"):
        drawn, high = _battle(t, y, hot)
        parts.append(drawn)
        y += high + 8
    for seat in t.order or t.seats:
        drawn, high = _player(t, seat, y, hot)
        parts.append(drawn)
        y += high + 8
    clock = f", turn {t.get('clock')}" if t.get("clock") else ""
    return board("general", f"Generalship{clock}", WIDTH, y + 4, parts)


def seat_class(seat: str) -> str:
    return f"seat-{SEATS.index(seat)}"


def called(t: Field, seat: str) -> str:
    """The nation's name once it is chosen, before that the seat."""
    nation = t.get(f"nation:{seat}")
    return NATIONS[nation].name if nation else seat.title()


def own(t: Field, seat: str) -> bool:
    """Whether the viewer looks into this seat's hidden things; where nobody holds any it cannot be told, and any may be his."""
    known = t.cache.get("own")
    if known is None:
        known = t.cache["own"] = {one for one in t.seats if _open(t, one)} or set(t.seats)
    return seat in known


def _open(t: Field, seat: str) -> bool:
    zones = [f"{name}:{seat}" for name in ("pp", "dealt", "unused", "knowledge")]
    return any(card in GENERALS or card in PACK.points for zone in zones for card in t.zones[zone]) or any(
        item in UNITS for _, _, zone in camps(seat) for item in t.zones[zone]
    )


def _disc(t: Field, seat: str, x: float, y: float, r: float = 10) -> str:
    """A player's cylinder or cube, with the initial of his seat."""
    return circle(f"disc {seat_class(seat)}", x, y, r) + text(x, y + 4, seat[0].upper(), "onpiece", "middle")


# -- the map -----------------------------------------------------------------------------------------------


class Grid:
    """Where every hexagon lies: as large as the room allows."""

    def __init__(self, t: Field) -> None:
        slots = PACK.layouts[len(t.seats)].slots
        at = {slot["id"]: (sqrt(3) * (slot["q"] + slot["r"] / 2), 1.5 * slot["r"]) for slot in slots}
        left, top = min(x for x, _ in at.values()), min(y for _, y in at.values())
        wide, high = max(x for x, _ in at.values()) - left + sqrt(3), max(y for _, y in at.values()) - top + 2
        self.r = min(MAP_WIDTH / wide, MAP_HIGH / high)
        self.width, self.bottom = wide * self.r, EDGE + high * self.r
        self.at = {slot: (EDGE + (x - left + sqrt(3) / 2) * self.r, EDGE + (y - top + 1) * self.r) for slot, (x, y) in at.items()}

    def hexagon(self, x: float, y: float, kind: str, inset: float = 1.5) -> str:
        r, half = self.r - inset, (self.r - inset) * sqrt(3) / 2
        points = ((0, -r), (half, -r / 2), (half, r / 2), (0, r), (-half, r / 2), (-half, -r / 2))
        return f'<polygon class="{kind}" points="{" ".join(f"{x + a:.1f},{y + b:.1f}" for a, b in points)}"/>'


def _laid(t: Field) -> dict[str, str]:
    """Which tile lies on which slot (G04.2, G04.5); nation tiles once every nation is chosen."""
    found = dict(zip(PACK.layouts[len(t.seats)].neutral_fill_order, t.zones["map"], strict=False))
    nations = [t.get(f"nation:{seat}") for seat in t.seats]
    if all(nations):
        for position, nation in enumerate(sorted(nations, key=lambda one: NATIONS[one].start_order), 1):
            for role, tile in zip(("cap", "left", "right"), NATIONS[nation].tiles, strict=True):
                found[f"P{position}-{role}"] = tile
    return found


def _map(t: Field, grid: Grid, hot: Hot) -> Iterator[str]:
    laid = _laid(t)
    # What glows comes last, so that no neighbour covers its edge.
    for slot, (x, y) in sorted(grid.at.items(), key=lambda place: laid.get(place[0]) in hot):
        if slot in laid:
            yield from _tile(t, grid, laid[slot], x, y, hot)
        else:
            yield grid.hexagon(x, y, "void")


def _tile(t: Field, grid: Grid, tile: str, x: float, y: float, hot: Hot) -> Iterator[str]:
    """A hexagon with its signs, circles and stacks. What cannot be chosen itself lies inside, so that a click goes to the tile."""
    data, home, holder = TILES[tile], t.land.home.get(tile), t.holder(tile)
    guest = holder if holder != home else None
    inside = grid.hexagon(x, y, f"ground {data.terrain}{' battle' if t.get('battlefield') == tile else ''}")
    if home:
        inside += grid.hexagon(x, y, f"realm {seat_class(home)}", 5)
    line = y - grid.r / 2
    inside += text(x - 8 * bool(guest), line, tile, "tile", "middle") + _signs(data, x, line + 14)
    if guest:
        at = x + 1 + 3.5 * len(tile)
        inside += rect(f"cube {seat_class(guest)}", at, line - 11.5, 15, 15, 3)
        inside += text(at + 7.5, line, guest[0].upper(), "onpiece", "middle")
    stacks = [(seat, chips) for seat in t.seats if (chips := _chips(t, seat, tile))]
    drawn = _circles(t, home, tile, x, line + 34, hot) if home else []
    drawn += _stacks(t, stacks, x, line + (56 if drawn else 36), int((grid.r * sqrt(3) - 8) // (CHIP + 2)), hot)
    inside += "".join(part for chosen, part in drawn if not chosen)
    words = [
        f"{called(t, home)}, {tile}: {data.terrain}" if home else f"{tile}: {data.terrain}",
        *(["capital"] if data.capital else []),
        *(["fortress"] if data.fortress else []),
        *([f"growth {data.growth}"] if data.growth else []),
        *([f"{data.resources.food} food"] if data.resources.food else []),
        *([f"{data.resources.metal} metal"] if data.resources.metal else []),
        *([f"exchange {data.exchange.food} food and {data.exchange.metal} metal"] if data.exchange else []),
        *([f"owned by {called(t, holder)}"] if holder else []),
        *(["occupied"] if t.occupied(tile) else []),
    ]
    yield space(tile, ", ".join(words), hot, inside)
    yield from (part for chosen, part in drawn if chosen)


def _signs(data: Tile, x: float, y: float) -> str:
    """Terrain, capital, fortress, growth, resources: a row of signs in the upper part of the hexagon."""
    signs = [
        *([data.terrain] if data.terrain in SIGNS else []),
        *(["capital"] if data.capital else []),
        *(["fortress"] if data.fortress else []),
        *([f"+{data.growth}"] if data.growth else []),
        *["food"] * data.resources.food,
        *["metal"] * data.resources.metal,
        *([f"{data.exchange.food}:{data.exchange.metal}"] if data.exchange else []),
    ]
    drawn, at = "", x - 10.5 * (len(signs) - 1)
    for sign in signs:
        drawn += shape(f"sign {sign}", SIGNS[sign], at, y) if sign in SIGNS else text(at, y + 4, sign, "figure", "middle")
        at += 21
    return drawn


def _circles(t: Field, seat: str, tile: str, x: float, y: float, hot: Hot) -> list[tuple[bool, str]]:
    """The population circles of a nation tile: filled, free, or barred by an occupation; and whether each can be chosen itself."""
    here = [one for one in CIRCLES[t.nation(seat).id] if one.tile == tile]
    usable, held = usable_circles(t, seat), t.zones[f"people:{seat}"]
    found = list[tuple[bool, str]]()
    for n, one in enumerate(here):
        at = x + 20 * (n - (len(here) - 1) / 2)
        state = ("people" if one in usable else "inactive people") if one.id in held else ("free" if one in usable else "barred")
        inside = circle(f"ground population {state} {seat_class(seat)}", at, y, 8.3)
        inside += text(at, y + 4, str(one.number), f"numeral {state}", "middle")
        gains = [f"{n} {name}" for name, n in (("food", one.yields.food), ("metal", one.yields.metal)) if n]
        title = f"{called(t, seat)}, circle {one.id}: {state}{', yields ' + ' and '.join(gains) if gains else ''}"
        chosen = one.id in hot and own(t, seat)
        found.append((chosen, space(one.id, title, hot, inside) if chosen else piece(title, inside)))
    return found


def _chips(t: Field, seat: str, tile: str) -> list[Chip]:
    """A player's tokens on a tile as the viewer sees them: regiments by type or class, then squadron after squadron with who is aboard."""
    found = list[Chip]()
    if tile not in t.tokens(seat):
        return found
    if not TILES[tile].sea:
        done = t.zones[camp(seat, tile, DONE)]
        found += [Chip(f"{item}@{tile}", item, n, done.get(item, 0), f"on {tile}") for item, n in t.division(seat, tile).items()]
    for ship in t.fleet(seat, tile):
        finished = t.sailed(seat, ship) == DONE
        if kind := t.ship(seat, ship):
            found.append(Chip(ship, kind, 1, int(finished), f"{ship} on {tile}"))
        found += [Chip(f"{item}@{ship}", item, n, n * finished, f"aboard {ship}") for item, n in t.aboard(seat, ship).items()]
    return found


def _stacks(t: Field, stacks: list[tuple[str, list[Chip]]], x: float, y: float, in_line: int, hot: Hot) -> list[tuple[bool, str]]:
    """Chips in lines, every player beginning a new one; and whether each can be chosen itself."""
    found = list[tuple[bool, str]]()
    for seat, chips in stacks:
        for first in range(0, len(chips), in_line):
            line = chips[first : first + in_line]
            for n, chip in enumerate(line):
                at = x + (CHIP + 2) * (n - (len(line) - 1) / 2)
                found.append(_chip(t, seat, chip, at, y, hot))
            y += PITCH
    return found


def _chip(t: Field, seat: str, chip: Chip, x: float, y: float, hot: Hot) -> tuple[bool, str]:
    aboard = " aboard" if chip.where.startswith("aboard") else ""
    rx = 9 if KIND[chip.item] == "ship" else 4
    inside = rect(f"ground chip {seat_class(seat)}{aboard}", x - CHIP / 2, y - CHIP_HIGH / 2, CHIP, CHIP_HIGH, rx)
    inside += text(x, y + 4, f"{chip.n} {LETTERS[chip.item]}", "onpiece", "middle")
    if chip.done:
        inside += rect("second", x + CHIP / 2 - 6, y - CHIP_HIGH / 2 - 3, 8, 8, 2)
    title = f"{called(t, seat)}: {counted({chip.item: chip.n})} {chip.where}{f', {chip.done} finished' if chip.done else ''}"
    names = (chip.name, f"{chip.item}@{chip.name}")
    chosen = next((name for name in names if name in hot and chip.item in UNITS), "")
    return bool(chosen), space(chosen, title, hot, inside) if chosen else piece(title, inside)


# -- the status board ----------------------------------------------------------------------------------------


def _status(t: Field, x: float, hot: Hot) -> tuple[str, float]:
    """Turn, order, paradigm, points, alliances, action tiles, technologies, one below the other; also where it ends."""
    width, y = WIDTH - EDGE - x, float(EDGE)
    parts = list[str]()
    for draw, high in ((_clock, 66), (_track, 60), (_alliances, 46 if len(t.seats) > 2 else 0)):
        if high:
            parts += draw(t, x, y, width, hot)
            y += high
    if not all(t.get(f"nation:{seat}") for seat in t.seats):
        parts += _nations(t, x, y, width, hot)
        return "".join(parts), y + 4 * 66
    tiles = tiles_in_use(t)
    half = (width - 8) / 2
    for n, tile in enumerate(tiles):
        parts.append("".join(_action(t, tile, x + (n % 2) * (half + 8), y + (n // 2) * 54, half, hot)))
    y += 54 * -(-len(tiles) // 2) + 6
    drawn, y = _technologies(t, x, y, width, hot)
    return "".join(parts) + drawn, y


def _clock(t: Field, x: float, y: float, width: float, hot: Hot) -> Iterator[str]:
    turn = f"Turn {t.get('clock')}" if t.get("clock") else "Setting up"
    order = ", ".join(called(t, seat) for seat in t.order)
    inside = rect("ground panel", x, y, width, 58, 8) + text(x + 12, y + 23, turn, "name")
    for place, seat in enumerate(reversed(t.order)):
        inside += _disc(t, seat, x + width - 20 - 25 * place, y + 17)
    if t.order:
        inside += text(x + width - 36 - 25 * (len(t.order) - 1), y + 21, "order", "soft", "end")
    each = (width - 24) / len(ERAS)
    for n, era in enumerate(ERAS):
        now = " now" if era == t.get("era") else ""
        inside += rect(f"era{now}", x + 12 + n * each, y + 33, each - 4, 18, 9)
        inside += text(x + 10 + n * each + each / 2, y + 46, era, f"detail{now}", "middle")
    yield piece(f"{turn}; player order {order or 'not set'}; era of {t.get('era') or 'none'}", inside)


def _track(t: Field, x: float, y: float, width: float, hot: Hot) -> Iterator[str]:
    """Victory points up to the ten that win."""
    each = width / (WIN_AT + 1)
    for n in range(WIN_AT + 1):
        yield rect(f"plot{' goal' if n == WIN_AT else ''}", x + n * each, y, each - 3, 52, 5)
        yield text(x + n * each + each / 2 - 1.5, y + 13, str(n), "soft", "middle")
    for cell in range(WIN_AT + 1):
        here = [seat for seat in t.seats if max(0, min(WIN_AT, t.vp(seat))) == cell]
        middle = x + cell * each + each / 2 - 1.5
        for n, seat in enumerate(here):
            at = middle + (0 if len(here) == 1 else 9 if n % 2 else -9)
            line = y + (33 if len(here) < 3 else 25 + 18 * (n // 2))
            yield piece(f"{called(t, seat)}: {t.vp(seat)} victory points", _disc(t, seat, at, line, 8))


def _alliances(t: Field, x: float, y: float, width: float, hot: Hot) -> Iterator[str]:
    half = (width - 8) / 2
    for n, name in enumerate(SPACES):
        at, allies = x + n * (half + 8), t.items(f"alliance:{name}")
        inside = rect("ground panel", at, y, half, 38, 8) + text(at + 12, y + 23, f"Alliance {name}", "heading")
        for place, seat in enumerate(allies):
            inside += _disc(t, seat, at + half - 20 - 24 * place, y + 19)
        yield space(name, f"alliance {name}: {', '.join(called(t, seat) for seat in allies) or 'empty'}", hot, inside)


def _nations(t: Field, x: float, y: float, width: float, hot: Hot) -> Iterator[str]:
    """Before the game: the four nations, and who leads them."""
    for n, nation in enumerate(NATIONS.values()):
        by, at = next((seat for seat in t.seats if t.get(f"nation:{seat}") == nation.id), ""), y + 66 * n
        inside = rect("ground panel", x, at, width, 58, 8) + text(x + 14, at + 25, nation.name, "name")
        inside += text(x + 14, at + 45, f"{nation.max_population} people at most", "soft")
        inside += _disc(t, by, x + width - 26, at + 29, 12) if by else ""
        yield space(nation.id, f"{nation.name}: {f'led by {by}' if by else 'free'}", hot, inside)


def _action(t: Field, tile: str, x: float, y: float, width: float, hot: Hot) -> Iterator[str]:
    """An action tile: its actions, and its circles with the cylinders on them."""
    data, taken = ACTION_TILES[tile], t.items(f"circles:{tile}")
    now = " now" if t.get("tile") == tile else ""
    inside = rect(f"ground action {data.kind}{now}", x, y, width, 48, 8) + text(x + 12, y + 19, data.kind.title(), "heading")
    for n in range(data.circles):
        at = x + width - 18 - 24 * n
        inside += _disc(t, taken[n], at, y + 15, 9) if n < len(taken) else circle("hole", at, y + 15, 9)
    words = [action.replace("_", " ") for action in data.actions]
    above, at = "", x + 12
    for action, name in zip(data.actions, words, strict=True):
        if len(words) < 2:
            break
        name = name.removesuffix(" cards").removeprefix("population ")
        wide = 18 + 6.8 * len(told(name))
        pill = rect("ground pill", at, y + 26, wide, 17, 8) + text(at + wide / 2, y + 38.5, name, "detail", "middle")
        if action in hot and now:
            above += space(action, action.replace("_", " "), hot, pill)
        else:
            inside += pill
        at += wide + 6
    if len(words) == 1:
        inside += text(x + 12, y + 38.5, words[0], "detail")
    held = ", ".join(called(t, seat) for seat in taken) or "nobody"
    yield space(tile, f"{tile}, {' or '.join(words)}: taken by {held}, {free_circles(t, tile)} free", hot, inside)
    yield above


def _technologies(t: Field, x: float, y: float, width: float, hot: Hot) -> tuple[str, float]:
    """The tree in its columns with the events after them, then the two last tracks; also where it ends."""
    columns = sorted({one.column for one in TECHNOLOGIES.values() if one.column})
    each, parts = (width + 6) / len(columns), list[str]()
    for n, column in enumerate(columns):
        boxes = [one for one in TECHNOLOGIES.values() if one.column == column]
        for line, one in enumerate(boxes):
            parts.append(_technology(t, one, x + n * each, y + 46 * line + 23 * (2 - len(boxes)), each - 6, hot))
        name = PACK.event_spaces.get(column, "")
        events = [EVENTS[event].name for event in t.items(f"event:{name}") if event in EVENTS] if name else []
        inside = rect(f"event{'' if events else ' none'}", x + n * each, y + 92, each - 6, 20, 5)
        inside += text(
            x + n * each + (each - 6) / 2, y + 106, short(events[0] if events else "event", int(each / 6.9)), "soft", "middle"
        )
        parts.append(piece(f"event after column {column}: {', '.join(events) or 'none yet'}", inside))
    final = [one for one in TECHNOLOGIES.values() if not one.column]
    y, each = y + 120, (width + 6) / 3
    for n, one in enumerate(final):
        parts.append(_technology(t, one, x + (n % 3) * each, y + (n // 3) * 46, each - 6, hot))
    return "".join(parts), y + 46 * -(-len(final) // 3)


def _technology(t: Field, one: Technology, x: float, y: float, width: float, hot: Hot) -> str:
    by = t.get(f"by:{one.id}")
    cost = f"{one.points} points" if one.points else f"{one.price.food} food {one.price.metal} metal"
    inside = rect(f"ground technology{' known' if by else ''}", x, y, width, 40, 6)
    inside += text(x + 8, y + 17, short(one.name, int((width - 10) / 7.1)), "title small")
    inside += text(x + 8, y + 32, cost if not by else f"{one.vp} VP", "soft")
    if by in t.seats:
        inside += _disc(t, by, x + width - 14, y + 27, 9)
    opens = f"; brings {', '.join(name.replace('_', ' ') for name in one.unlocks)}" if one.unlocks else ""
    state = f"developed by {called(t, by)}" if by in t.seats else ("known" if by else "not developed")
    return space(one.id, f"{one.name}: costs {cost}, {one.vp} VP{opens}; {state}", hot, inside)


# -- units and cards -------------------------------------------------------------------------------------------


def _units(t: Field, left: float, top: float, in_line: int, hot: Hot) -> Iterator[str]:
    """What can be levied, for how much, and how many tokens are left."""
    each = (WIDTH - EDGE - left + 6) / in_line
    for n, unit in enumerate(UNITS.values()):
        x, y, left_over = left + n % in_line * each, top + n // in_line * UNIT_HIGH, t.count("supply", unit.id)
        closed = " closed" if unit.technology and not t.developed(unit.technology) else ""
        cost = " ".join(f"{n} {name}" for name, n in (("food", unit.cost.food), ("metal", unit.cost.metal)) if n)
        inside = rect(f"ground unit{closed}", x, y, each - 6, 56, 7) + text(x + 9, y + 18, unit.name.capitalize(), "title")
        strength = f"{unit.land.atk} / {unit.land.dfn}" if unit.land else "at sea"
        inside += text(x + 9, y + 33, cost, "soft") + text(x + 9, y + 48, strength, "soft")
        inside += text(x + each - 15, y + 48, f"{LETTERS[unit.id]} · {left_over}", "detail", "end")
        needs = f", needs {TECHNOLOGIES[unit.technology].name}" if closed and unit.technology else ""
        value = f", attack {unit.land.atk}, defence {unit.land.dfn} on land" if unit.land else ""
        yield space(unit.id, f"{unit.name}: {cost}{value}{needs}; {left_over} in the supply", hot, inside)


class Flow:
    """Cards side by side, in as many lines as they need."""

    def __init__(self, x: float, y: float, right: float) -> None:
        self.left, self.right, self.x, self.y = x, right, x, y
        self.parts = list[str]()

    def room(self, width: float) -> tuple[float, float]:
        """The place for the next card of a width."""
        if self.x + width > self.right and self.x > self.left:
            self.x, self.y = self.left, self.y + CARD_HIGH + 5
        at = self.x
        self.x += width + 5
        return at, self.y

    def caption(self, words: str) -> None:
        x, y = self.room(7.2 * len(told(words)))
        self.parts.append(text(x, y + 23, words, "soft"))

    def card(self, name: str, lines: tuple[str, str], title: str, hot: Hot, kind: str = "card") -> None:
        """A card the viewer can read."""
        width = 18 + max(8.2 * len(told(lines[0])), 6.6 * len(told(lines[1])))
        x, y = self.room(width)
        inside = rect(f"ground {kind}", x, y, width, CARD_HIGH, 6)
        inside += text(x + 9, y + 16, lines[0], "title") + text(x + 9, y + 31, lines[1], "soft")
        self.parts.append(space(name, title, hot, inside))

    def back(self, title: str, mark: str = "", kind: str = "") -> None:
        """A card face down."""
        x, y = self.room(26)
        inside = rect(f"ground back {kind}", x, y, 26, CARD_HIGH, 5)
        self.parts.append(piece(title, inside + text(x + 13, y + 24, mark, "figure", "middle")))

    @property
    def bottom(self) -> float:
        return self.y + CARD_HIGH


def _player(t: Field, seat: str, y: float, hot: Hot) -> tuple[str, float]:
    """A player's row: his numbers, his commander, and his cards as the viewer sees them; also how high it is."""
    name, people = called(t, seat), t.total(f"people:{seat}")
    flow = Flow(CARDS_LEFT, y + 8, WIDTH - EDGE - 8)
    commander = t.commander(seat)
    if commander:
        _general(flow, commander.id, f"{name}, commander", hot, "commander")
    for zone, words in (("dealt", "dealt"), ("unused", "unused"), ("pp", "PP")):
        held = t.zones[f"pp:{seat}"] if zone == "pp" else t.items(f"{zone}:{seat}")
        if held:
            flow.caption(words)
        for card in held:
            _general(flow, card, f"{name}, {words}", hot)
    points = t.items(f"knowledge:{seat}")
    if points:
        flow.caption("technology")
    for card in points:
        if card in PACK.points:
            flow.card(card, (str(PACK.points[card]), ""), f"{name}: technology card of {PACK.points[card]} points", hot)
        else:
            flow.back(f"{name}: a technology card", "T")
    high = flow.bottom + 8 - y
    facts = (("VP", t.vp(seat)), ("food", t.food(seat)), ("metal", t.metal(seat)), ("people", people), ("battles", t.battles(seat)))
    now = " now" if t.get("actor") == seat else ""
    inside = rect(f"ground player {seat_class(seat)}{now}", EDGE, y, CARDS_LEFT - EDGE - 14, high, 8)
    inside += _disc(t, seat, EDGE + 22, y + high / 2, 12) + text(EDGE + 42, y + high / 2 - 2, name, "person")
    inside += text(EDGE + 42, y + high / 2 + 14, seat, "soft")
    for n, (what, count) in enumerate(facts):
        at = EDGE + 152 + 47 * n
        inside += text(at, y + high / 2 - 1, str(count), "figure", "middle") + text(
            at, y + high / 2 + 14, short(what, 8), "soft", "middle"
        )
    title = f"{name} ({seat}): {', '.join(f'{count} {what}' for what, count in facts)}, {t.pp(seat)} PP"
    row = rect(f"row {seat_class(seat)}", EDGE, y, WIDTH - 2 * EDGE, high, 8)
    return row + space(seat, title, hot, inside) + "".join(flow.parts), high


def _general(flow: Flow, card: str, title: str, hot: Hot, kind: str = "card") -> None:
    if card not in GENERALS:
        flow.back(f"{title}: a general face down", "G")
        return
    general = GENERALS[card]
    signs = [sign for sign in ("christian", "muslim", "coup") if getattr(general, sign)]
    powers = [ability.kind.replace("_", " ") for ability in general.abilities]
    rival = [f"rival of {GENERALS[general.rival].name}"] if general.rival else []
    words = "; ".join([f"{general.advanced_land} land, {general.advanced_naval} naval", *signs, *powers, *rival])
    lower = f"{general.advanced_land} land {general.advanced_naval} sea" + (
        f" · {powers[0]}" if kind == "commander" and powers else ""
    )
    flow.card(card, (general.name, lower), f"{title}: {general.name}: {words}", hot, kind)


def _battle(t: Field, y: float, hot: Hot) -> tuple[str, float]:
    """The two sides of a battle and their tactic cards as the viewer sees them; also how high it is."""
    field, top = t.get("battlefield"), y
    parts = [text(EDGE + 12, y + 22, f"Battle on {field}", "name"), text(EDGE + 190, y + 22, TILES[field].terrain, "soft")]
    y += 34
    for role in ("attacker", "defender"):
        seat = t.get(role)
        if seat not in t.seats:
            continue
        flow = Flow(EDGE + 190, y, WIDTH - EDGE - 8)
        for zone, words in (("hand", "hand"), ("laid", "laid down"), ("open", "revealed")):
            held = t.items(f"{zone}:{seat}")
            if held:
                flow.caption(words)
            for card in held:
                _tactic(flow, card, f"{called(t, seat)}, {words}", hot)
        parts.append(_disc(t, seat, EDGE + 24, y + 19, 12) + text(EDGE + 44, y + 17, called(t, seat), "person"))
        parts += [text(EDGE + 44, y + 32, role, "soft"), *flow.parts]
        y = flow.bottom + 10
    return rect("arena", EDGE, top, WIDTH - 2 * EDGE, y - top, 8) + "".join(parts), y - top


def _tactic(flow: Flow, card: str, title: str, hot: Hot) -> None:
    """A tactic card, a unit laid down with it, or the back of either."""
    if card in CARDS:
        kind = "silver" if CARDS[card].basic else "gold"
        flow.card(card, (CARDS[card].name, card), f"{title}: {CARDS[card].name}", hot, kind)
    elif card in UNITS:
        flow.card(card, (UNITS[card].name.capitalize(), "unit"), f"{title}: {UNITS[card].name}", hot)
    else:
        mark, kind = {"basic": ("B", "silver"), "advanced": ("A", "gold")}.get(card, (LETTERS.get(card, "?"), ""))
        flow.back(f"{title}: {card if card in LETTERS or kind else 'something'} face down", mark, kind)
