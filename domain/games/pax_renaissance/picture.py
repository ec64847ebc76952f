"""The board as SVG: ten map cards with the borders and trade routes between them, the market, the victories, every banker's tableau."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from domain.games.pax_renaissance.board import carried
from domain.games.pax_renaissance.data import (
    BORDERS,
    CARDS,
    CITIES,
    EMPIRES,
    FAITH,
    KIND,
    MAPS,
    RELIGIONS,
    ROUTES,
    SIDES,
    SLOTS_OF,
    VICTORIES,
    name_of,
)
from domain.games.pax_renaissance.pack import Op, Slot
from domain.games.pax_renaissance.schema import COLUMNS, SEATS
from domain.games.pax_renaissance.table import PaxTable
from domain.svg import Hot, board, broken, circle, lines, piece, rect, said, shape, short, space, text

WIDTH = 1200
LAND_WIDTH, LAND_HIGH, GAP, CROSS = 186, 150, 54, 48
LEFT, TOP = 27, 14
LANE = 138  # how far below a map card's upper edge the trade routes run along
QUAY = LAND_WIDTH - 18  # and how far right of its left edge they run across
MARKET = TOP + 2 * LAND_HIGH + CROSS + 30
ROW = 118
AIMS = MARKET + 2 * ROW + 6
TABLEAUS = AIMS + 84
CELL, STEP, IN_LINE, CARD_HIGH, STRIP = 95, 99, 5, 84, 20
BANK, BANK_LEFT = 178, 511

# Pieces around the origin, about twenty units high; a religion is told by the shape of the tile as well as by its colour.
GLYPHS = {
    "rook": "M-7-9h4v3h2v-3h2v3h2v-3h4v6l-2 2v6l2 2v2h-14v-2l2-2v-6l-2-2z",
    "knight": "M-5 9c0-4 4-6 3-9l-4 2-2-2c1-3 2-6 5-7l1-3 2 2c5 0 7 6 7 17z",
    "bishop": "M0-10c4 4 6 6 6 9 0 3-1 4-3 5v2h3v3h-12v-3h3v-2c-2-1-3-2-3-5 0-3 2-5 6-9z",
    "pirate": "M-9 3h18l-3 6h-12zM-1-9v10h-7zM1-7v8h6z",
}
TILES = {
    "catholic": "M-10-12h20q2 0 2 2v20q0 2-2 2h-20q-2 0-2-2v-20q0-2 2-2z",
    "islamic": "M0-13a13 13 0 1 0 .01 0z",
    "reformist": "M-6-13h12l7 7v12l-7 7h-12l-7-7v-12z",
}
CROWN = "M-8 4v-9l4 4 4-6 4 6 4-4v9z"
WAVE = "M-9 2q3-5 6 0t6 0 6 0"
SHORT = {"commerce": "comm.", "inquisitor": "inquis.", "campaign": "campaign", "corsair": "corsair", "repress": "repress"}


def picture(t: PaxTable, hot: Hot) -> str:
    """The whole table as one drawing; the names in `hot` can be chosen now."""
    parts = [part for empire in MAPS for part in _land(t, empire, hot)]
    parts += _routes(t)
    parts += (_border(t, border, hot) for border in BORDERS)
    parts += (part for n, row in enumerate(SIDES) for part in _market(t, row, MARKET + n * ROW, hot))
    parts += _aims(t, hot)
    y: float = TABLEAUS
    for seat in t.seats:
        drawn, high = _tableau(t, seat, y, hot)
        parts.append(drawn)
        y += high + 10
    active = f", turn of {t.get('active')}" if t.get("active") else ""
    return board("pax", f"Pax Renaissance{active}", WIDTH, y, [rect("sea", 8, 6, WIDTH - 16, MARKET - 20, 12), *parts])


def seat_class(seat: str) -> str:
    return f"seat-{SEATS.index(seat)}"


# -- pieces ------------------------------------------------------------------------------------------------


def _token(token: str, x: float, y: float, size: float = 22, kind: str = "") -> str:
    """A knight, rook, bishop or pirate on the tile of its religion, or a banker's cube left out by the caller."""
    sort, _, faith = token.partition(".")
    scale = size / 26
    tile = shape(f"faith {faith} {kind}", TILES.get(faith, TILES["catholic"]), x, y, scale)
    return tile + shape(f"glyph on-{faith} {kind}", GLYPHS[sort], x, y, scale * 0.78)


def _cube(t: PaxTable, pawn: str, x: float, y: float, size: float = 22) -> str:
    """A banker's cube with his initial."""
    owner = t.owner(pawn)
    square = rect(f"cube {seat_class(owner)}", x - size / 2, y - size / 2, size, size, 3)
    return square + text(x, y + 4, owner[0].upper(), "onpiece", "middle")


def _piece(t: PaxTable, token: str, x: float, y: float, size: float = 22) -> str:
    return _cube(t, token, x, y, size) if KIND.get(token) == "pawn" else _token(token, x, y, size)


def _words(t: PaxTable, token: str) -> str:
    return f"cube of {t.owner(token)}" if KIND.get(token) == "pawn" else name_of(token)


def _disc(seat: str, x: float, y: float, r: float = 11) -> str:
    return circle(f"disc {seat_class(seat)}", x, y, r) + text(x, y + 4, seat[0].upper(), "onpiece", "middle")


def _florins(n: int, x: float, y: float) -> str:
    return circle("florin", x, y, 11) + text(x, y + 4, str(n), "onflorin", "middle")


# -- the map -----------------------------------------------------------------------------------------------


def _at(empire: str) -> tuple[float, float]:
    land = MAPS[empire]
    return LEFT + land.column * (LAND_WIDTH + GAP), TOP + (land.row == "south") * (LAND_HIGH + CROSS)


def _land(t: PaxTable, empire: str, hot: Hot) -> Iterator[str]:
    """A map card: its name, its ruler, its religion, its cities. What cannot be chosen itself lies inside, so that a click goes to the card."""
    x, y = _at(empire)
    side, spot = t.map_side(empire), t.spot(empire)
    faith = f" of-{side}" if t.theocracy(empire) else ""
    inside = rect(f"ground land{faith}", x, y, LAND_WIDTH, LAND_HIGH, 10) + text(x + 10, y + 20, name_of(empire), "person")
    ruler = "its card is in the stack"
    if spot is not None:
        rank = t.get(f"side:{empire}") if spot.main == empire else f"vassal of {name_of(spot.main)}"
        ruler = f"{t.face(empire).name}, {rank}, {spot.seat}"
        inside += _disc(spot.seat, x + QUAY - 21, y + 50) + (
            shape("crown", CROWN, x + QUAY - 21, y + 36) if t.is_king(empire) else ""
        )
    if t.theocracy(empire):
        inside += shape(f"faith {side} crest", TILES[side], x + QUAY - 21, y + 112)
        inside += text(x + QUAY - 21, y + 117, side[0].upper(), f"letter on-{side}", "middle")
    above = []
    for name, title, drawn in _cities(t, empire, x, y):
        if chosen := next((one for one in (name, f"city:{name}", name.partition(":")[0]) if one in hot), ""):
            above.append(space(chosen, title, hot, drawn, "space city"))
        else:
            inside += piece(title, drawn, "city")
    theocracy = f"{side} theocracy" if t.theocracy(empire) else side
    yield space(empire, f"{name_of(empire)}: {theocracy}; {ruler}", hot, inside)
    yield from above


def _cities(t: PaxTable, empire: str, x: float, y: float) -> Iterator[tuple[str, str, str]]:
    """Each place of a map card: its name, what is there, its drawing. A city is a line; one of several places has its name above them."""
    line = 0
    for city in MAPS[empire].cities:
        places = [
            slot for slot in SLOTS_OF[empire] if slot.city == city and (not slot.spare or t.in_use(slot) or t.occupant(slot.id))
        ]
        line += 2 if CITIES[city].slots else 1
        below = y + 20 + 24 * line
        for n, slot in enumerate(places):
            title, drawn = _place(t, slot, x + 20 + 25 * n, below)
            if n == 0:
                at, up = (x + 10, 20) if CITIES[city].slots else (x + 12 + 25 * len(places), 0)
                drawn += text(at, below + 4 - up, name_of(slot.id), "city capital" if CITIES[city].capital else "city")
                if colour := CITIES[city].emporium:
                    drawn += shape(f"pennant {colour}", "M0-6v12M0-6h9l-3 3 3 3h-9", x + 124, below)
            yield slot.id, title, drawn


def _place(t: PaxTable, slot: Slot, x: float, y: float) -> tuple[str, str]:
    """Who stands in a place of a city, or whom a levy would raise there."""
    city, token = CITIES[slot.city], t.occupant(slot.id)
    levy = slot.levies[t.map_side(slot.empire)]
    drawn = circle("ground spot", x, y, 12.5)
    if token.startswith("busted"):
        state = "busted"
        drawn += circle(f"busted {city.emporium}", x, y, 9) + shape("strike", "M-5-5l10 10M5-5l-10 10", x, y)
    elif token:
        state = name_of(token)
        drawn += _token(token, x, y)
    else:
        state = f"empty, levies a {name_of(levy)}"
        drawn += _token(levy, x, y, 18, "levy")
    what = [name_of(slot.id), *(["capital"] if city.capital else []), *([f"{city.emporium} emporium"] if city.emporium else [])]
    return f"{', '.join(what)}: {state}", drawn


def _mooring(border: str) -> tuple[float, float]:
    """Where the token of a border lies: in the gap between its two map cards, on the lane of the routes."""
    (x, y), (other, below) = (_at(empire) for empire in BORDERS[border].between)
    if y == below:
        return max(x, other) - GAP / 2, y + LANE
    return x + QUAY, max(y, below) - CROSS / 2


def _border(t: PaxTable, border: str, hot: Hot) -> str:
    x, y = _mooring(border)
    sea = BORDERS[border].sea
    held = t.items(f"border:{border}")
    inside = circle(f"ground gap {'water' if sea else 'dry'}", x, y, 17)
    if not held and sea:
        inside += shape("wave", WAVE, x, y)
    for n, token in enumerate(held):
        at = x + 8 * (2 * n - len(held) + 1)
        inside += _cube(t, token, at, y) if KIND[token] == "pawn" else _token(f"pirate.{FAITH[token]}", at, y, 25)
    words = [_words(t, token) if KIND[token] == "pawn" else f"{FAITH[token]} pirate" for token in held]
    return space(border, f"{name_of(border)}, {'sea' if sea else 'land'} border: {', '.join(words) or 'empty'}", hot, inside)


def _routes(t: PaxTable) -> Iterator[str]:
    """The two routes in force, from emporium to arrow head, side by side where they share the water."""
    for colour, shift in (("white", -3), ("black", 3)):
        route = ROUTES[t.emporium(colour)]
        points = [_mooring(stop.border) if stop.border else _berth(stop.map_card) for stop in route.path]
        path = "M" + "L".join(f"{x + shift:g} {y + shift:g}" for x, y in points)
        (x0, y0), (x1, y1) = points[-2:]
        turn = {(True, False): 0, (False, False): 180, (False, True): 90}.get((x1 > x0, y1 > y0 and x1 == x0), -90)
        head = f'<path class="head" d="M-1-6l11 6-11 6z" transform="translate({x1 + shift:g} {y1 + shift:g}) rotate({turn})"/>'
        start = circle("head", points[0][0] + shift, points[0][1] + shift, 4.5)
        words = f"the {route.fair} fair's route: {' to '.join(name_of(stop.map_card) for stop in route.path if stop.map_card)}"
        yield f'<g class="route {colour}">{said(words)}<path class="edge" d="{path}"/><path d="{path}"/>{start}{head}</g>'


def _berth(empire: str) -> tuple[float, float]:
    x, y = _at(empire)
    return x + QUAY, y + LANE


# -- cards -------------------------------------------------------------------------------------------------


def _op(op: Op) -> str:
    detail = op.religion or op.row or op.side
    return f"{SHORT.get(op.op, op.op)} {detail[0].upper()}" if detail else SHORT.get(op.op, op.op)


def _described(card: str) -> str:
    """Everything a card says, in words."""
    if card not in CARDS:
        return "a card face down"
    data = CARDS[card]
    parts = [
        f"{data.name}, {data.suit}" + (f" of {name_of(data.location)}" if data.location else ""),
        *([f"suitors {', '.join(map(name_of, data.suitors))}"] if data.suitors else []),
        *(
            [f"agents {', '.join(f'{agent.religion or str()} {agent.kind}'.strip() for agent in data.agents)}"]
            if data.agents
            else []
        ),
        *([f"ops {', '.join(op.name for op in data.ops)}"] if data.ops else []),
        *([f"prestige {', '.join(data.prestige)}"] if data.prestige else []),
        *([f"one-shot {data.one_shot.name.replace('_', ' ')}"] if data.one_shot else []),
        *(f"{ability.title}: {ability.text}" for ability in data.abilities),
    ]
    return "; ".join(parts)


def _prestige(marks: tuple[str, ...], x: float, y: float) -> str:
    """Prestige as lettered seals, from the right edge to the left."""
    return "".join(
        circle(f"seal {one}", x - 18 * n, y, 8) + text(x - 18 * n, y + 4, one[0].upper(), f"onseal {one}", "middle")
        for n, one in enumerate(marks)
    )


def _wide(card: str, florins: int, x: float, y: float, width: float, high: float) -> str:
    """A card of the market with what it says."""
    data = CARDS[card]
    inside = rect(f"ground card {data.deck}", x, y, width, high, 7)
    letters = int((width - 18 - (24 if florins else 0)) / 8.4)
    inside += lines(x + 9, y + 18, data.name, letters, 2, "title", 15)
    below = y + 18 + 15 * len(broken(data.name, letters, 2))
    place = name_of(data.location) if data.location else ""
    inside += text(x + 9, below, short(" · ".join(part for part in (place, data.suit) if part), int(width / 7)), "soft")
    lower = [
        *([", ".join(map(_op, data.ops))] if data.ops else []),
        *([f"once: {data.one_shot.name.replace('_', ' ')}"] if data.one_shot else []),
        *(ability.title for ability in data.abilities),
    ]
    room = int((y + high - 28 - below) // 14)
    inside += "".join(text(x + 9, below + 14 * n, short(one, int(width / 6.4)), "detail") for n, one in enumerate(lower[:room], 1))
    at = x + 18
    for agent in data.agents:
        if agent.kind == "pawn":
            inside += rect("cube any", at - 8, y + high - 22, 16, 16, 3)
        else:
            inside += _token(f"{agent.kind}.{agent.religion}", at, y + high - 14, 18)
        at += 22
    return inside + _prestige(data.prestige, x + width - 16, y + high - 14)


def _market(t: PaxTable, row: str, y: float, hot: Hot) -> Iterator[str]:
    """One row of the market: the fair, five cards with their florins, the deck."""
    high = ROW - 8
    emporium = t.emporium("black" if row == "east" else "white")
    fair, profits = name_of(emporium), t.florins_at(row, 0)
    inside = rect(f"ground label {row}", 12, y, 84, high, 7) + text(22, y + 24, row.title(), "name")
    inside += lines(22, y + 44, f"fair at {fair}", 12, 2, "soft")
    yield space(row, f"{row} row: fair at {fair}, profits {profits}, deck {t.deck_size(row)}", hot, inside)
    wide = (WIDTH - 12 - 76 - 8 - 102 - 78) / 5
    for column in COLUMNS:
        x, width = (102.0, 72.0) if column == 0 else (180 + (column - 1) * wide, wide - 6)
        card, florins = t.card_at(row, column), t.florins_at(row, column)
        locked = bool(column and t.get(f"locked:{row}:{column}"))
        if card in CARDS and column:
            words, drawn = _described(card), _wide(card, florins, x, y, width, high)
        else:
            back = bool(card) and not (column and card in CARDS)
            words = ("face down" if back else "vacant") if column else ("a card face down" if back else "no card")
            drawn = rect(f"ground {'back' if back else 'void'}", x, y, width, high, 7)
            drawn += text(x + width / 2, y + high / 2 + 26, "fair" if column == 0 else words, "soft", "middle")
        if florins or column == 0:
            spot = (x + width / 2, y + high / 2) if column == 0 else (x + width - 17, y + 17)
            drawn += _florins(florins, *spot)
        if locked:
            drawn += text(x + width - 10, y + 46, "locked", "soft", "end")
        state = f"{row} {column}: {words}; {florins} florins{', bought into this turn' if locked else ''}"
        yield space(f"{row}:{column}", state, hot, drawn)
    x = WIDTH - 12 - 76
    ahead = next(iter(t.zones[f"next:{row}"]), "")
    inside = rect("ground back", x, y, 76, high, 7) + text(x + 38, y + 32, str(t.deck_size(row)), "name", "middle")
    inside += text(x + 38, y + 50, "in the deck", "soft", "middle") + lines(x + 8, y + 68, name_of(ahead), 11, 2, "soft") * bool(
        ahead
    )
    yield piece(f"{row} deck: {t.deck_size(row)} cards{f', next {name_of(ahead)}' if ahead else ''}", inside)


# -- victories, stack, supply ------------------------------------------------------------------------------


def _aims(t: PaxTable, hot: Hot) -> Iterator[str]:
    """The four victory cards, the empires in the stack, the tokens in the supply."""
    high = 72
    for n, (victory, data) in enumerate(VICTORIES.items()):
        x, active, torch = 12 + n * 150, bool(t.get(f"victory:{victory}")), t.disreputed(victory)
        title, _, hero = data.title.partition(" (")
        inside = rect(f"ground aim {'active' if active else 'asleep'}", x, AIMS, 144, high, 7)
        inside += text(x + 10, AIMS + 22, title, "person") + text(x + 10, AIMS + 39, hero.rstrip(")"), "soft")
        state = f"{'active' if active else 'not active'}{', torch' if torch else ''}"
        yield space(victory, f"victory {data.title}: {state}", hot, inside + text(x + 10, AIMS + 58, state, "detail"))
    x, waiting = 614, [name_of(empire) for empire in EMPIRES if t.count("stack", empire)]
    survivors = [*t.items("camp"), *t.items("fleet")]
    inside = rect("ground panel", x, AIMS, 280, high, 7) + text(x + 10, AIMS + 19, "Empires in the stack", "heading")
    inside += lines(x + 10, AIMS + 35, ", ".join(waiting) or "none", 40, 2 if survivors else 3, "detail", 14)
    title = f"empires in the stack: {', '.join(waiting) or 'none'}"
    if survivors:
        title += f"; survivors of the battle: {', '.join(map(name_of, survivors))}"
        inside += text(x + 10, AIMS + 65, "survivors", "soft") + "".join(
            _piece(t, token, x + 74 + 20 * n, AIMS + 61, 17) for n, token in enumerate(survivors)
        )
    yield piece(title, inside)
    x = 900
    yield rect("ground panel", x, AIMS, WIDTH - 12 - x, high, 7) + text(x + 10, AIMS + 19, "Supply", "heading")
    for line, religion in enumerate(RELIGIONS):
        for n, kind in enumerate(("bishop", "knight", "rook")):
            token = f"{kind}.{religion}"
            at, y = x + 84 + n * 66, AIMS + 14 + 22 * line
            inside = rect("ground panel", at - 14, y - 10, 56, 20, 4) + _token(token, at, y, 18)
            yield space(
                token,
                f"{t.count('supply', token)} {name_of(token)}s in the supply",
                hot,
                inside + text(at + 16, y + 4, str(t.count("supply", token)), "detail"),
            )


# -- tableaus ----------------------------------------------------------------------------------------------


def _tableau(t: PaxTable, seat: str, y: float, hot: Hot) -> tuple[str, float]:
    """A banker's row: West to the left, himself, East to the right; the nearest card is the first. Also how high it is."""
    drawn, high = _bank(t, seat, y, hot)
    for side in SIDES:
        families = [t.family(main) for main in t.zones[f"{side}:{seat}"]]
        top = y
        for first in range(0, len(families), IN_LINE):
            line = families[first : first + IN_LINE]
            for n, family in enumerate(line):
                x = BANK_LEFT - 8 - CELL - n * STEP if side == "west" else BANK_LEFT + BANK + 8 + n * STEP
                drawn += "".join(_family(t, seat, family, x, top, hot))
            top += CARD_HIGH + STRIP * (max(map(len, line)) - 1) + 6
        high = max(high, top - y - 6)
    return rect(f"row {seat_class(seat)}", 8, y - 4, WIDTH - 16, high + 8, 9) + drawn, high


def _bank(t: PaxTable, seat: str, y: float, hot: Hot) -> tuple[str, float]:
    x: float = BANK_LEFT
    cubes, pawn = t.count("supply", t.pawn(seat)), t.pawn(seat)
    hand, maids = t.items(f"hand:{seat}"), t.items(f"maids:{seat}")
    kings, republics, held = len(t.kings(seat)), len(t.republics(seat)), len(t.concessions(seat))
    now = " now" if t.get("active") == seat else ""
    out = ", out of the game" if t.get(f"out:{seat}") else ""
    inside = rect(f"ground bank {seat_class(seat)}{now}", x, y, BANK, CARD_HIGH, 7)
    inside += _disc(seat, x + 17, y + 17) + text(x + 33, y + 15, seat, "person")
    inside += text(x + 33, y + 28, name_of(t.bank(seat)) + out, "soft") + _florins(t.florins(seat), x + BANK - 17, y + 17)
    inside += text(x + 9, y + 50, f"{kings} kings · {republics} rep. · {held} conc.", "detail")
    for n, (mark, count) in enumerate(t.prestige(seat).items()):
        mark_x = x + 13 + 28 * n
        inside += circle(f"seal {mark}{'' if count else ' none'}", mark_x, y + 70, 8)
        inside += text(mark_x, y + 74, mark[0].upper(), f"onseal {mark}", "middle") + (
            text(mark_x + 10, y + 74, str(count), "detail") if count else ""
        )
    prestige = ", ".join(f"{count} {mark}" for mark, count in t.prestige(seat).items() if count) or "none"
    title = (
        f"{seat}, {name_of(t.bank(seat))}{out}: {t.florins(seat)} florins, {kings} kings, {republics} republics, {held} concessions, "
        f"{cubes} cubes in the supply, prestige {prestige}"
    )
    drawn = piece(title, inside)
    at: float = y + CARD_HIGH + 3
    strip = rect("ground strip", x, at, BANK, STRIP - 3, 4) + rect(f"cube {seat_class(seat)}", x + 4, at + 3, 11, 11, 2)
    drawn += space(
        pawn, f"{cubes} cubes of {seat} in the supply", hot, strip + text(x + 20, at + 13, f"{cubes} cubes left", "detail")
    )
    for zone, cards in (("in hand", hand), ("old maid", maids)):
        for card in cards:
            at += STRIP
            name = name_of(card) if card in CARDS else "a card face down"
            strip = rect(f"ground strip {'hand' if card in CARDS else 'back'}", x, at, BANK, STRIP - 3, 4)
            strip += text(x + 8, at + 13, short(name, 25), "detail")
            drawn += (
                space(card, f"{seat}, {zone}: {_described(card)}", hot, strip)
                if card in CARDS
                else piece(f"{seat}, {zone}: a card", strip)
            )
    return drawn, at + STRIP - 3 - y


def _family(t: PaxTable, seat: str, family: list[str], x: float, y: float, hot: Hot) -> Iterator[str]:
    """A card of a tableau with its queen and vassals beneath, and the tokens that stand on it."""
    main, silenced = family[0], t.silenced(family[0])
    name = name_of(main)
    inside = rect(
        f"ground card {'crowned' if main in EMPIRES else CARDS[main].deck}{' silenced' if silenced else ''}",
        x,
        y,
        CELL,
        CARD_HIGH,
        6,
    )
    inside += lines(x + 7, y + 15, name, 12, 2, "title small", 13)
    second = y + 15 + 13 * len(broken(name, 12, 2))
    if main in EMPIRES:
        inside += text(x + 7, second, t.get(f"side:{main}") or "", "soft")
        second += 13
    inside += lines(x + 7, second, ", ".join(map(_op, t.ops_of(main))), 14, 2, "detail")
    tokens = sorted(Counter(item for item in t.items(f"on:{main}") if item in KIND).items())
    for n, (token, count) in enumerate(tokens[:4]):
        inside += _piece(t, token, x + 15 + 19 * n, y + CARD_HIGH - 13, 17)
        if count > 1:
            inside += text(x + 22 + 19 * n, y + CARD_HIGH - 3, str(count), "count", "middle")
    inside += _prestige(t.prestige_of(main), x + CELL - 12, y + CARD_HIGH - 13)
    yield space(main, f"{seat}: {_unit(t, main)}{', silenced' if silenced else ''}", hot, inside, "space card")
    for n, card in enumerate(family[1:]):
        at = y + CARD_HIGH + 1 + STRIP * n
        rank = "vassal" if card in EMPIRES else "queen"
        strip = rect(f"ground strip {rank}", x, at, CELL, STRIP - 2, 4)
        strip += text(x + 7, at + 13, short(f"{rank[0].upper()} {name_of(card)}", 13), "detail")
        yield space(card, f"{seat}: {rank} of {name}: {_unit(t, card)}", hot, strip)


def _unit(t: PaxTable, card: str) -> str:
    """A card of a tableau in words, with what it carries."""
    if card in EMPIRES:
        marks = ", ".join(t.prestige_of(card))
        words = f"{name_of(card)}, {t.get(f'side:{card}')}, {t.face(card).name}; ops {', '.join(op.name for op in t.ops_of(card))}"
        words += f"; prestige {marks}" if marks else ""
    else:
        words = _described(card)
    held = carried(t, card)
    return f"{words}; carries {held}" if held else words
