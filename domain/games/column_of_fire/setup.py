"""Setup (CF-2), with the changes for two players (CF-16)."""

from __future__ import annotations

from domain.games.column_of_fire.data import CARDS, COUNTRIES, DICE, EVENTS, PACK, TILES
from domain.games.column_of_fire.dice import roll_religion
from domain.games.column_of_fire.events import ignored, turn_up
from domain.games.column_of_fire.schema import PILES
from domain.games.column_of_fire.table import Column
from domain.games.column_of_fire.turns import next_year
from domain.kernel import Ask, Draw, Rules, Shuffle


def setup(t: Column) -> Rules:
    """CF-2.2, CF-2.3: colours and the start player."""
    if t.options["choose_colours"]:
        colours = list(PACK.colours)
        for seat in t.seats:
            colour = yield Ask(seat, "choose_colour", colours, "CF-2.2")
            t.set(f"colour:{seat}", colour, cite="CF-2.2")
            colours = [other for other in colours if other != colour]
    start = t.seats[0]
    if t.options["start_player"] == "named":
        start = yield Ask(t.seats[0], "name_start_player", list(t.seats), "CF-2.3")
    elif t.options["start_player"] == "random":
        start = yield Draw("box", "start_player", "CF-2.3", only=t.seats)
    t.set("start", start, cite="CF-2.3")
    return "deal"


def deal(t: Column) -> Rules:
    """CF-2.4 to CF-2.12, in the order that fixes the random draws."""
    for seat in t.seats:
        t.move(seat, "box", f"houses:{seat}", PACK.houses, cite="CF-2.2")
        for die in DICE:
            t.move(die, "box", f"free:{seat}", cite="CF-2.12")
        t.set(f"vp:{seat}", PACK.start_vp, cite="CF-2.6")
    yield from deal_loch_leven(t)
    for seat in t.seats:
        yield from roll_religion(t, seat, "CF-2.7")  # no minority bonus
    for character in CARDS.values():
        t.move(character.id, "box", f"deck:{character.country}", cite="CF-2.8")
    for event in EVENTS.values():
        t.move(event.id, "box", f"deck:{event.deck}", cite="CF-2.8")
    for country in COUNTRIES:
        yield from turn_up(t, country, ignored)  # CF-2.9, CF-2.10: events have no effect now
    yield from pile_tiles(t)
    return next_year(t)


def deal_loch_leven(t: Column) -> Rules:
    """CF-2.4: a Loch Leven card for each gives religion, a good and the start space; two players differ in religion (CF-16.3)."""
    for id in PACK.loch_leven:
        t.move(id, "box", "loch_leven", cite="CF-2.4")
    dealt: dict[str, str] = {}
    for seat in t.clockwise(t.get("start")):
        dealt[seat] = yield from draw_loch_leven(t, seat, "deal_loch_leven", "CF-2.4")
    if PACK.players[len(t.seats)].different_religions:
        start, other = dealt
        while PACK.loch_leven[dealt[start]].religion == PACK.loch_leven[dealt[other]].religion:
            t.move(dealt[other], f"loch_leven:{other}", "removed", cite="CF-16.3")
            dealt[other] = yield from draw_loch_leven(t, other, "redraw_loch_leven", "CF-16.3")
    for id in t.items("loch_leven"):
        t.move(id, "loch_leven", "removed", cite="CF-2.4")
    for seat in t.seats:
        card = PACK.loch_leven[dealt[seat]]
        t.set(f"religion:{seat}", card.religion, cite="CF-2.4")
        t.move(card.good, "box", f"goods:{seat}", cite="CF-2.4")
        t.move("protection", "box", f"protection:{seat}", PACK.start_protection, cite="CF-2.4")
        t.set(f"disc:{seat}", card.start_space, cite="CF-2.4")


def draw_loch_leven(t: Column, seat: str, key: str, cite: str) -> Rules:
    card = yield Draw("loch_leven", key, cite)
    t.move(card, "loch_leven", f"loch_leven:{seat}", cite=cite)
    return card


def pile_tiles(t: Column) -> Rules:
    """CF-2.11: the advantage tiles are shuffled into two face-down piles."""
    for tile in TILES:
        t.move(tile, "box", "tiles", cite="CF-2.11")
    yield Shuffle("tiles", "advantage_tiles", "CF-2.11")
    half = len(TILES) // len(PILES)
    for number, tile in enumerate(t.items("tiles")):
        t.move(tile, "tiles", PILES[number // half], cite="CF-2.11")
