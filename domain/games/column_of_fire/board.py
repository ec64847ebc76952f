"""The board as tables of text, and how the players stand to each other."""

from __future__ import annotations

from collections.abc import Iterator

from domain.games.column_of_fire.data import BLACK, CARDS, COUNTRIES, PACK, TILES, TRACK, Effect
from domain.games.column_of_fire.schema import PILES, SPACES
from domain.games.column_of_fire.scoring import track_vp
from domain.games.column_of_fire.table import DECK_USED_UP, FIFTY_POINTS, Column
from domain.kernel import HIDDEN, Relation, Section, Span

Row = list[str | list[Span]]

LETTER = {"catholic": "C", "protestant": "P", "neutral": "N"}
ENDS = {FIFTY_POINTS: "50 VP were reached: this is the last year", DECK_USED_UP: "a deck is used up: this is the last year"}


def board(t: Column) -> list[Section]:
    return [_year(t), _countries(t), _decks(t), _track(t), _points(t), _displays(t), _stocks(t), _supply(t)]


def _owner(seat: str, text: str = "") -> list[Span]:
    return [Span(text or seat, seat)]


def _year(t: Column) -> Section:
    active, start = t.get("active", ""), t.get("start", "")
    now: Row = [str(t.get("year", 0)), str(t.get("half", 0)), _owner(active), _owner(start), ENDS.get(t.get("end"), "")]
    return Section("Year", ["Year", "Half-year", "Active", "Start player", "End"], [now])


def _countries(t: Column) -> Section:
    numbers = [str(number) for number, _ in SPACES[COUNTRIES[0]]]
    rows: list[Row] = []
    for country in COUNTRIES:
        card = PACK.countries[country]
        houses = [_owner(next(iter(t.zones[space]))) if t.zones[space] else "" for _, space in SPACES[country]]
        stones = "".join(LETTER[kind] * n for kind, n in t.stones(country).items())
        sales = ", ".join(f"{sale.good} {sale.vp}" for sale in card.sales)
        torch = "torch" if t.full(country) else ""
        rows.append([f"{card.name}, {card.city}", card.die, *houses, stones + "." * t.free_spaces(country), torch, sales])
    return Section("Countries", ["Country", "Die", *numbers, "Stones", "Conflict", "Buys"], rows)


def _decks(t: Column) -> Section:
    rows: list[Row] = []
    for country in COUNTRIES:
        card = CARDS.get(t.face_up(country))
        shown = [card.name, card.text, "".join(t.items(f"stone:{country}"))] if card else ["", "", ""]
        rows.append([PACK.countries[country].name, *shown, str(t.total(f"deck:{country}"))])
    return Section("Decks", ["Country", "Face up", "Action", "Stone", "Cards below"], rows)


def _track(t: Column) -> Section:
    discs = {t.disc(seat): seat for seat in t.seats}
    rows = [[space.id, space.colour, symbol(space.effect), _owner(discs[space.id]) if space.id in discs else ""] for space in TRACK]
    return Section("Action track", ["Space", "Colour", "Action", "Disc"], rows)


def symbol(effect: Effect) -> str:
    """A symbol in words.

    >>> symbol(TRACK[0].effect), symbol(TRACK[1].effect)
    ('ship to England', 'take or sell cloth')
    """
    match effect.op:
        case "ship":
            return f"ship to {PACK.countries[effect.country].name}"
        case "good_or_sell":
            return f"take or sell {effect.good}"
        case "gain_good":
            return f"1 {effect.good}"
        case "gain_vp":
            return f"{effect.vp} VP"
        case "stone":
            return f"{' or '.join(effect.modes)} a {' or '.join(effect.kinds)} stone"
        case "choose_one":
            return " | ".join(symbol(option) for option in effect.options)
        case op:
            return SYMBOLS[op]


SYMBOLS = {
    "gain_advantage": "1 advantage tile",
    "gain_any_good": "1 good of choice",
    "advance": "disc to the next free space",
    "remove_character": "remove a character",
    "neutral_stone": "place a neutral stone",
    "die_plus_minus_1": "turn a die by 1",
    "sell_any_for_3": "sell 1 good for 3 VP",
    "gain_protection": "1 protection tile",
    "remove_die": "take a die off a card",
    "final_vp": "VP at the end",
}


def _points(t: Column) -> Section:
    order = sorted(t.seats, key=lambda seat: -t.vp(seat))
    return Section("VP track", ["Player", "VP", "Disc"], [[_owner(seat), str(t.vp(seat)), track_vp(t.vp(seat))] for seat in order])


def _displays(t: Column) -> Section:
    rows: list[Row] = []
    for seat in t.seats:
        prison = ", ".join(f"{die} {t.shows(seat, die)}" for die in t.zones[f"prison:{seat}"])
        cards = zip(t.zones[f"display:{seat}"], t.zones[f"dice:{seat}"], strict=True)
        people = "; ".join(f"{CARDS[card].name} [{die} {t.shows(seat, die)}]: {CARDS[card].text}" for card, die in cards)
        rows.append([_owner(seat), prison, f"{t.religion(seat)} {t.shows(seat, BLACK) or ''}".strip(), people])
    return Section("Displays", ["Player", "Loch Leven", "Religion", "Characters"], rows)


def _stocks(t: Column) -> Section:
    rows: list[Row] = []
    for seat in t.seats:
        free = ", ".join(f"{die} {t.shows(seat, die) or ''}".strip() for die in t.free(seat))
        goods = ", ".join(f"{n} {good}" for good, n in sorted(t.goods(seat).items()))
        houses = str(t.total(f"houses:{seat}"))
        rows.append([_owner(seat, t.get(f"colour:{seat}", seat)), free, goods, str(t.protection(seat)), _tiles(t, seat), houses])
    return Section("Stocks", ["Player", "Free dice", "Goods", "Protection", "Advantage tiles", "Houses"], rows)


def _tiles(t: Column, seat: str) -> str:
    """A player's tiles: their text for whoever may read them."""
    held = [*t.items(f"tiles:{seat}"), *t.items(f"revealed:{seat}")]
    if HIDDEN in held:
        return f"{len(held)} face down"
    return "; ".join(f"{tile}: {TILES[tile].text}" for tile in held)


def _supply(t: Column) -> Section:
    rows: list[Row] = [[f"Advantage tiles, pile {n}", str(t.total(pile))] for n, pile in enumerate(PILES, 1)]
    rows.append(["Spent tiles", ", ".join(t.items("spent"))])
    rows.append(["Removed cards", str(t.total("removed"))])
    return Section("Supply", ["What", "How many"], rows)


# -- diplomacy -------------------------------------------------------------------------------------------


def diplomacy(t: Column) -> list[Relation]:
    """There are no treaties (CF-19.1): what binds and divides is religion, and what a conflict would do now."""
    if not t.get("year"):
        return []
    houses = {seat: t.houses(seat) for seat in t.seats}
    return [*_religions(t), *_pairs(t, houses), *_prospects(t, houses)]


def _religions(t: Column) -> Iterator[Relation]:
    for seat in t.seats:
        years = t.shows(seat, BLACK) or 0
        note = (
            f"chooses again in the first half-year {years} from now" if years > 1 else "chooses again in the next first half-year"
        )
        yield Relation(seat, "", t.religion(seat), note, "CF-5.3")
        if t.minority(seat):
            yield Relation(seat, "", "minority", f"the only {t.religion(seat)} player", "CF-13.1")


def _pairs(t: Column, houses: dict[str, dict[str, int]]) -> Iterator[Relation]:
    for at, seat in enumerate(t.seats):
        for other in t.seats[at + 1 :]:
            shared = [PACK.countries[country].name for country in houses[seat] if country in houses[other]]
            status = "same religion" if t.religion(seat) == t.religion(other) else "different religion"
            yield Relation(seat, other, status, f"both have houses in {', '.join(shared)}" if shared else "", "CF-11.6")


def _prospects(t: Column, houses: dict[str, dict[str, int]]) -> Iterator[Relation]:
    """Who would score and who would be expelled if a conflict broke out now."""
    for country in COUNTRIES:
        stones, winner, name = t.stones(country), t.winning(country), PACK.countries[country].name
        note = ", ".join(f"{LETTER[kind]} {n}" for kind, n in stones.items())
        note += ", torch" if t.full(country) else f", {t.free_spaces(country)} free"
        for seat in t.seats:
            number = houses[seat].get(country)
            if not number:
                continue
            if not winner:
                yield Relation(seat, "", f"unaffected in {name}", note, "CF-11.10")
            elif t.religion(seat) == winner:
                yield Relation(seat, "", f"would score {number} in {name}", note, "CF-11.7")
            else:
                yield Relation(seat, "", f"would be expelled from {name}", note, "CF-11.8")
