"""The board in rows and words, and the diplomacy table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from domain.games.pax_renaissance.data import (
    BORDERS,
    BORDERS_OF,
    CARDS,
    CITIES,
    EMPIRES,
    KIND,
    MAPS,
    RELIGIONS,
    ROUTES,
    SIDES,
    SLOTS,
    TOKENS,
    VICTORIES,
    name_of,
    places,
)
from domain.games.pax_renaissance.ops import majority, vote_cost
from domain.games.pax_renaissance.schema import COLUMNS
from domain.games.pax_renaissance.table import PaxTable
from domain.games.pax_renaissance.victory import lacks, supremacy, supreme, victory_refused
from domain.kernel import Relation, Section, Span
from domain.kernel.title import Cell


def board(t: PaxTable) -> list[Section]:
    """The map, its borders and routes, the market, the tableaus, the victories, the supply."""
    active = t.get("active")
    return [
        Section("Map", ["empire", "side", "empire card", "cities"], [map_row(t, empire) for empire in MAPS]),
        Section("Borders", ["border", "kind", "token"], [border_row(t, border) for border in BORDERS]),
        Section("Trade routes", ["fair", "emporium", "profits waiting", "voyage"], [route_row(t, row) for row in SIDES[::-1]]),
        Section("Market", ["row", *(str(column) for column in COLUMNS), "deck"], [market_row(t, row) for row in SIDES[::-1]]),
        *(tableau_section(t, seat) for seat in t.seats),
        Section("Victories", ["victory", "state", "torch"], [victory_row(t, victory) for victory in VICTORIES]),
        Section("Religions", ["religion", "bishops", "tokens in theocracies", ""], religion_rows(t)),
        Section("Supply", ["kind", *RELIGIONS, "cubes"], supply_rows(t)),
        Section(
            "Empire stack", ["empires"], [[", ".join(name_of(empire) for empire in EMPIRES if t.count("stack", empire)) or "none"]]
        ),
        Section("Status", ["turn of"], [[[Span(active, active)] if active else ""]]),
    ]


def map_row(t: PaxTable, empire: str) -> list[Cell]:
    spot = t.spot(empire)
    side = t.map_side(empire) + (" theocracy" if t.theocracy(empire) else "")
    holder: Cell = "in the stack"
    if spot is not None:
        rank = t.get(f"side:{empire}") if spot.main == empire else f"vassal of {name_of(spot.main)}"
        holder = [Span(spot.seat, spot.seat), Span(f" ({rank}, {t.face(empire).name})")]
    return [name_of(empire), side, holder, "; ".join(city_words(t, city) for city in MAPS[empire].cities)]


def city_words(t: PaxTable, city: str) -> str:
    slots = [slot.id for slot in SLOTS.values() if slot.city == city and (not slot.spare or t.occupant(slot.id))]
    symbols = [name_of(SLOTS[slot].levies[t.map_side(SLOTS[slot].empire)]) for slot in slots]
    held = [
        f"busted ({symbol})" if t.occupant(slot).startswith("busted") else name_of(t.occupant(slot)) or f"empty ({symbol})"
        for slot, symbol in zip(slots, symbols, strict=True)
    ]
    return f"{CITIES[city].name}: {', '.join(held)}"


def border_row(t: PaxTable, border: str) -> list[Cell]:
    tokens = [
        Span(f"cube of {t.owner(token)}", t.owner(token)) if KIND[token] == "pawn" else Span(f"{name_of(token).split()[0]} pirate")
        for token in t.items(f"border:{border}")
    ]
    return [name_of(border), "sea" if BORDERS[border].sea else "land", tokens or ""]


def route_row(t: PaxTable, row: str) -> list[Cell]:
    emporium = t.emporium("black" if row == "east" else "white")
    stops = [name_of(stop.map_card) for stop in ROUTES[emporium].path if stop.map_card]
    return [row, name_of(emporium), str(t.florins_at(row, 0)), " → ".join(stops)]


def market_row(t: PaxTable, row: str) -> list[Cell]:
    cells: list[Cell] = [row]
    for column in COLUMNS:
        card, florins = t.card_at(row, column), t.florins_at(row, column)
        name = "vacant" if not card else "face down" if column == 0 else name_of(card)
        lock = " (locked)" if column and t.get(f"locked:{row}:{column}") else ""
        cells.append(f"{name}{f' +{florins}' if florins else ''}{lock}")
    ahead = next(iter(t.zones[f"next:{row}"]), "")
    return [*cells, f"{t.deck_size(row)}{f', next {name_of(ahead)}' if ahead else ''}"]


def tableau_section(t: PaxTable, seat: str) -> Section:
    rows: list[list[Cell]] = []
    for side in SIDES:
        for card in t.cards(seat, side):
            rows.append(
                [
                    side,
                    card_words(t, card),
                    place_words(t, card),
                    ", ".join(t.prestige_of(card)),
                    ops_words(t, card),
                    carried(t, card),
                ]
            )
    hand = [name_of(card) if card in CARDS else "a card" for card in t.items(f"hand:{seat}")]
    maids = [name_of(card) for card in t.items(f"maids:{seat}")]
    rows.append(["hand", ", ".join(hand), "", "", "", f"{t.florins(seat)} florins"])
    if maids:
        rows.append(
            [
                "old maids",
                ", ".join(maids),
                "",
                ", ".join(one for card in t.items(f"maids:{seat}") for one in CARDS[card].prestige),
                "",
                "",
            ]
        )
    return Section(f"{seat}: {name_of(t.bank(seat))}", ["side", "card", "location", "prestige", "ops", "carries"], rows)


def card_words(t: PaxTable, card: str) -> str:
    main = t.spots()[card].main
    if card == main:
        return f"{name_of(card)} ({t.get(f'side:{card}')})" if card in EMPIRES else name_of(card)
    return f"  {'vassal' if card in EMPIRES else 'queen'} {name_of(card)}"


def place_words(t: PaxTable, card: str) -> str:
    return name_of(t.location(card))


def ops_words(t: PaxTable, card: str) -> str:
    words = ", ".join(op.name for op in t.ops_of(card))
    return f"({words}) silenced" if t.silenced(card) and words else words


def carried(t: PaxTable, card: str) -> str:
    tokens = Counter(item for item in t.items(f"on:{card}") if item in KIND)
    return ", ".join(f"{n} {name_of(token)}" if n > 1 else name_of(token) for token, n in sorted(tokens.items()))


def victory_row(t: PaxTable, victory: str) -> list[Cell]:
    state = "active" if t.get(f"victory:{victory}") else "inactive"
    return [VICTORIES[victory].title, state, "costs two actions" if t.disreputed(victory) else ""]


def religion_rows(t: PaxTable) -> list[list[Cell]]:
    bishops, tokens = supremacy(t)
    ruling = supreme(t)
    return [[one, str(bishops[one]), str(tokens[one]), "supreme" if one == ruling else ""] for one in RELIGIONS]


def supply_rows(t: PaxTable) -> list[list[Cell]]:
    rows: list[list[Cell]] = [
        [f"{kind}s", *(str(t.count("supply", f"{kind}.{religion}")) for religion in RELIGIONS), ""]
        for kind in ("bishop", "knight", "rook")
    ]
    cubes = ", ".join(f"{seat} {t.count('supply', t.pawn(seat))} of {TOKENS.get(t.pawn(seat), 0)}" for seat in t.seats)
    return [*rows, ["pawns", "", "", "", cubes]]


# -- diplomacy ---------------------------------------------------------------------------------------------


def diplomacy(t: PaxTable) -> list[Relation]:
    """Crowns, couples, vassals, silence, and who threatens whom with a vote, a tax or a victory."""
    return [*crowns(t), *polls(t), *taxes(t), *threats(t)]


def crowns(t: PaxTable) -> Iterator[Relation]:
    for empire in EMPIRES:
        spot = t.spot(empire)
        if spot is None:
            continue
        if spot.main != empire:
            yield Relation(spot.seat, "", "suzerain", f"{name_of(spot.main)} over {name_of(empire)}", "GL-VASALL.1")
        elif t.is_king(empire):
            yield Relation(spot.seat, "", "king", t.face(empire).name, "B3.1")
        else:
            yield Relation(spot.seat, "", "republic", t.face(empire).name, "RC.4")
        if queen := t.queen(empire):
            yield Relation(spot.seat, "", "royal couple", f"{name_of(empire)} and {name_of(queen)}", "I1.1")
    for bishop, main in t.bishops():
        note = f"{name_of(bishop)} on {name_of(main)}"
        yield Relation(t.spots()[main].seat, "", "silenced" if t.silenced(main) else "bishop", note, "F1.7")


def polls(t: PaxTable) -> Iterator[Relation]:
    """F6.2: whose concessions stand at whose empires, and who could be voted out."""
    for empire in EMPIRES:
        spot = t.spot(empire)
        if spot is None:
            continue
        leader = majority(t, empire)
        for seat in t.bankers():
            held = len(t.concessions(seat, empire))
            if held and seat != spot.seat:
                yield Relation(seat, spot.seat, "concessions", f"{held} at {name_of(empire)}", "F6.2")
        if leader:
            note = f"{name_of(empire)}, for {vote_cost(t, leader, empire)} florins"
            if leader == spot.seat:
                yield Relation(leader, "", "could turn over", note, "F6.4")
            else:
                yield Relation(leader, spot.seat, "could vote out", note, "F6.2")


def taxes(t: PaxTable) -> Iterator[Relation]:
    """F4.1: whose unsilenced cards could tax whose concessions."""
    for seat in t.bankers():
        taxed: dict[str, list[str]] = {}
        for card in t.tableau(seat):
            if not t.silenced(card) and any(op.op == "tax" for op in t.ops_of(card)):
                for empire in places(t.location(card)):
                    for border in () if t.saturated(empire) else BORDERS_OF[empire]:
                        if pawn := t.concession(border.id):
                            taxed.setdefault(t.owner(pawn), []).append(name_of(border.id))
        for owner, borders in sorted(taxed.items()):
            if owner != seat:
                yield Relation(seat, owner, "could tax", ", ".join(sorted(set(borders))), "F4.1")


def threats(t: PaxTable) -> Iterator[Relation]:
    for seat in t.bankers():
        for victory in VICTORIES:
            if t.get(f"victory:{victory}") and not lacks(t, seat, victory):
                ready = t.get("active") == seat and victory_refused(t, seat, victory) is None
                yield Relation(seat, "", "can declare victory" if ready else "meets a victory", VICTORIES[victory].title, "L2.1")
