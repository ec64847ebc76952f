"""The board as sections, and the diplomacy table."""

from __future__ import annotations

from itertools import combinations

from domain.games.generalship.data import ACTION_TILES, CIRCLES, EVENTS, GENERALS, PACK, TECHNOLOGIES, TILES, UNITS
from domain.games.generalship.economy import usable_circles
from domain.games.generalship.schema import DONE, SPACES, camp, pair
from domain.games.generalship.table import ERAS, Counted, Field
from domain.games.generalship.turn import free_circles, tiles_in_use
from domain.games.generalship.upkeep import upkeep_due
from domain.kernel import HIDDEN, Relation, Section, Span
from domain.kernel.title import Cell


def board(t: Field) -> list[Section]:
    """Everything that lies on the table, as far as the viewer sees it."""
    if t.get("clock") is None:
        return [drafting(t), laid(t)]
    return [
        *(battle(t) if t.get("battlefield") else []),
        the_map(t),
        nations(t),
        people(t),
        generals(t),
        action_tiles(t),
        status(t),
        technology_tree(t),
    ]


def drafting(t: Field) -> Section:
    rows: list[list[Cell]] = [
        [
            [Span(seat, seat)],
            t.get(f"nation:{seat}") or "",
            " ".join(t.items(f"people:{seat}")),
            *(str(t.get(f"{goods}:{seat}") or 0) for goods in ("food", "metal")),
            ", ".join(name(card) for zone in ("dealt", "unused", "pp") for card in t.items(f"{zone}:{seat}")),
            commander.name if (commander := t.commander(seat)) else "",
        ]
        for seat in t.order or t.seats
    ]
    return Section("Nations", ["seat", "nation", "people", "food", "metal", "generals", "commander"], rows)


def laid(t: Field) -> Section:
    """The tiles of the neutral area laid so far, in their order."""
    return Section("Map", ["tile", "what it is"], [[tile, TILES[tile].terrain] for tile in t.zones["map"]])


def counted(units: Counted) -> str:
    """`2 archers, 1 galley`; to others `2 infantry, 1 ship`."""
    return ", ".join(f"{n} {UNITS[item].name if item in UNITS else item}" for item, n in sorted(units.items()))


def stack(t: Field, seat: str, tile: str) -> str:
    """One player's division or fleet on a tile, squadron by squadron, finished units marked."""
    parts: list[str] = []
    if not TILES[tile].sea:
        for spent, mark in ((0, ""), (1, " (moved 1)"), (2, " (moved 2)"), (DONE, " (finished)")):
            if units := t.zones[camp(seat, tile, spent)]:
                parts.append(counted(units) + mark)
    for ship in t.fleet(seat, tile):
        aboard = counted(t.aboard(seat, ship))
        mark = " (finished)" if t.sailed(seat, ship) == DONE else ""
        parts.append(f"{ship}: {t.ship(seat, ship) or 'wreck'}{mark}" + (f" carrying {aboard}" if aboard else ""))
    return "; ".join(parts)


def the_map(t: Field) -> Section:
    """Tile by tile: what it is, whose it is, who stands there, what lies next to it."""
    rows: list[list[Cell]] = []
    for tile in sorted(t.land.near):
        data = TILES[tile]
        signs = [
            data.terrain,
            *(["capital"] if data.capital else []),
            *(["fortress"] if data.fortress else []),
            *([f"growth {data.growth}"] if data.growth else []),
            *([f"{data.resources.food} food"] if data.resources.food else []),
            *([f"{data.resources.metal} metal"] if data.resources.metal else []),
            *([f"exchange {data.exchange.food}:{data.exchange.metal}"] if data.exchange else []),
        ]
        holder = t.holder(tile)
        stacks: list[Span] = []
        for seat in t.present(tile):
            stacks.append(Span(("; " if stacks else "") + stack(t, seat, tile), seat))
        owner: Cell = [Span(t.nation(holder).name, holder)] if holder else ""
        rows.append([tile, ", ".join(signs), owner, "occupied" if t.occupied(tile) else "", stacks, " ".join(t.near(tile))])
    return Section("Map", ["tile", "what it is", "owner", "", "units", "next to"], rows)


def nations(t: Field) -> Section:
    rows: list[list[Cell]] = [
        [
            str(place),
            [Span(t.nation(seat).name, seat)],
            *(str(n) for n in (t.vp(seat), t.pp(seat), t.battles(seat), t.food(seat), t.metal(seat))),
            str(upkeep_due(t, seat)),
            str(len(t.neutral_tiles(seat))),
        ]
        for place, seat in enumerate(t.order, 1)
    ]
    return Section("Nations", ["order", "nation", "VP", "PP", "battles", "food", "metal", "upkeep now", "neutral tiles"], rows)


def people(t: Field) -> Section:
    """Circles in order: [x] people, (x) inactive people, x free, x! free but barred."""
    rows: list[list[Cell]] = []
    for seat in t.order:
        usable = usable_circles(t, seat)
        held = t.zones[f"people:{seat}"]
        circles = [
            (f"[{c.id}]" if c in usable else f"({c.id})") if c.id in held else c.id if c in usable else f"{c.id}!"
            for c in CIRCLES[t.nation(seat).id]
        ]
        rows.append([[Span(t.nation(seat).name, seat)], f"{len(held)}/{t.nation(seat).max_population}", " ".join(circles)])
    return Section("Population", ["nation", "people", "circles"], rows)


def generals(t: Field) -> Section:
    """Commanders open; unused generals, PP and technology cards as the viewer sees them."""
    rows: list[list[Cell]] = []
    for seat in t.order:
        commander = t.commander(seat)
        shown = ""
        if commander:
            signs = [sign for sign in ("christian", "muslim", "coup") if getattr(commander, sign)]
            rival = [f"rival of {GENERALS[commander.rival].name}"] if commander.rival else []
            powers = [ability.kind.replace("_", " ") for ability in commander.abilities]
            cards = f"{commander.advanced_land} land, {commander.advanced_naval} naval"
            shown = f"{commander.name} ({'; '.join([cards, *signs, *rival, *powers])})"
        unused = [name(card) for zone in ("dealt", "unused") for card in t.items(f"{zone}:{seat}")]
        power = [name(card) for card in t.zones[f"pp:{seat}"]]
        knowledge = [f"{PACK.points[card]}" if card in PACK.points else HIDDEN for card in t.items(f"knowledge:{seat}")]
        rows.append([[Span(t.nation(seat).name, seat)], shown, ", ".join(unused), ", ".join(power), " ".join(knowledge)])
    return Section("Generals and cards", ["nation", "commander", "unused", "PP, rightmost last", "technology points"], rows)


def name(card: str) -> str:
    return GENERALS[card].name if card in GENERALS else HIDDEN


def action_tiles(t: Field) -> Section:
    rows: list[list[Cell]] = []
    for tile in tiles_in_use(t):
        cylinders: list[Span] = []
        for seat in t.items(f"circles:{tile}"):
            cylinders.append(Span((", " if cylinders else "") + t.nation(seat).name, seat))
        actions = " or ".join(action.replace("_", " ") for action in ACTION_TILES[tile].actions)
        rows.append([tile, actions, cylinders, str(free_circles(t, tile))])
    return Section("Action tiles", ["tile", "action", "taken by", "free"], rows)


def status(t: Field) -> Section:
    """Turn, paradigm, alliances."""
    spaces = [", ".join(t.nation(seat).name for seat in t.items(f"alliance:{space}")) or "empty" for space in SPACES]
    rows: list[list[Cell]] = [
        ["turn", str(t.get("clock"))],
        ["acting", [Span(t.nation(actor).name, actor)] if (actor := t.get("actor")) else ""],
        ["action tile", " ".join(filter(None, (t.get("tile"), t.get("action"))))],
        ["war paradigm", " > ".join(f"[{era}]" if era == t.get("era") else era for era in ERAS)],
    ]
    if len(t.seats) > 2:
        rows.append(["alliance spaces", " | ".join(spaces)])
    return Section("Status", ["", ""], rows)


def technology_tree(t: Field) -> Section:
    rows: list[list[Cell]] = []
    for id, technology in TECHNOLOGIES.items():
        by = t.get(f"by:{id}")
        cost = (
            f"{technology.points} points" if technology.points else f"{technology.price.food} food {technology.price.metal} metal"
        )
        space = PACK.event_spaces.get(technology.column)
        event = ", ".join(EVENTS[e].name for e in t.items(f"event:{space}")) if space else ""
        owner: Cell = [Span(t.nation(by).name, by)] if by else ""
        rows.append([technology.name, cost, str(technology.vp), owner, event])
    return Section("Technologies", ["technology", "cost", "VP", "developed by", "event of its column"], rows)


def battle(t: Field) -> list[Section]:
    """The two sides with their cards as far as the viewer sees them."""
    rows: list[list[Cell]] = []
    for role in ("attacker", "defender"):
        seat = t.get(role)
        zones = [f"{zone}:{seat}" for zone in ("hand", "laid", "open")]
        rows.append([[Span(t.nation(seat).name, seat)], role, *(cards(t.zones[zone]) for zone in zones)])
    field = t.get("battlefield")
    return [Section(f"Battle on {field} ({TILES[field].terrain})", ["nation", "", "hand", "laid down", "revealed"], rows)]


def cards(held: Counted) -> str:
    return ", ".join(f"{n} {item}" if n > 1 else item for item, n in sorted(held.items()))


# -- diplomacy ---------------------------------------------------------------------------------------


def diplomacy(t: Field) -> list[Relation]:
    """Alliances and their history, occupied and liberated tiles, help with upkeep, rival commanders."""
    if t.get("clock") is None:
        return []
    found: list[Relation] = []
    for one, other in combinations(sorted(t.seats), 2):
        found += between(t, one, other)
    for tile in sorted(t.land.home):
        home = t.land.home[tile]
        for guest in t.present(tile):
            if guest != home:
                status = "occupies" if t.occupied(tile) else "guest of"
                note = "" if t.occupied(tile) else "occupation suspended by the alliance"
                found.append(Relation(guest, home, f"{status} {tile}", note, "G09.1" if t.occupied(tile) else "G12.12"))
    return found


def between(t: Field, one: str, other: str) -> list[Relation]:
    two = pair(one, other)
    found: list[Relation] = []
    if t.allied(one, other):
        maker, since = t.get(f"maker:{two}"), t.get(f"since:{two}")
        note = f"since turn {since}, made by {t.nation(maker).name}" if maker else ""
        found.append(Relation(one, other, "allied", note, "G12.7"))
    elif breaker := t.get(f"breaker:{two}"):
        cost = t.get(f"cost:{two}", 0)
        note = f"ended in turn {t.get(f'parted:{two}')} by {t.nation(breaker).name} for {cost} PP"
        found.append(Relation(one, other, "parted", note, "G12.10"))
    for giver, taker in ((one, other), (other, one)):
        if food := t.get(f"helped:{two}:{giver}"):
            found.append(Relation(giver, taker, "paid for", f"{food} food of upkeep so far", "G28.6"))
    mine, theirs = t.commander(one), t.commander(other)
    if mine and theirs and (mine.rival == theirs.id or theirs.rival == mine.id):
        found.append(Relation(one, other, "rival commanders", f"{mine.name} and {theirs.name}", "G10.7"))
    return found
