"""Buying from the market (E1) and refreshing it (D2)."""

from __future__ import annotations

from domain.games.pax_renaissance.data import CARDS, VICTORIES
from domain.games.pax_renaissance.schema import COLUMNS
from domain.games.pax_renaissance.table import OTHER_ROW, PaxTable
from domain.kernel import Ask, Draw, Rules


def purchase_refused(t: PaxTable, seat: str, row: str, column: int) -> str | None:
    """E1.1"""
    card = t.card_at(row, column)
    if not card:
        return f"E1.1: there is no card in column {column} of the {row} row"
    if t.get(f"locked:{row}:{column}"):
        return "E1.6: a florin was put on that card in this turn"
    if t.florins(seat) < column:
        return f"E1.1: column {column} costs {column} florins before you take those on the card; you have {t.florins(seat)}"
    limit = t.hand_limit(seat)
    if not CARDS[card].comet and limit is not None and t.total(f"hand:{seat}") >= limit:
        return f"E1.7: your hand is full, {limit} cards"
    return None


def purchase(t: PaxTable, seat: str, row: str, column: int) -> Rules:
    """E1: a florin on each card to the left, the card and its florins to the buyer."""
    card, lying = t.card_at(row, column), t.florins_at(row, column)
    t.say("E1.2", what="purchase", seat=seat, row=row, column=column, card=card, florins=lying)
    for left in range(column):
        lay_florin(t, seat, row, left)
    t.move("florin", f"florins:{row}:{column}", f"money:{seat}", lying, cite="E1.4")
    if CARDS[card].comet:
        t.move(card, f"market:{row}:{column}", "discard", cite="L1.1")
        yield from activate_victory(t, seat)
    else:
        t.move(card, f"market:{row}:{column}", f"hand:{seat}", cite="E1.5")


def lay_florin(t: PaxTable, seat: str, row: str, column: int) -> None:
    """E1.2, E1.3: on the card there, else on the one in the same column of the other row, else to China."""
    for one in (row, OTHER_ROW[row]):
        if t.card_at(one, column):
            t.move("florin", f"money:{seat}", f"florins:{one}:{column}", cite="E1.2" if one == row else "E1.3")
            t.set(f"locked:{one}:{column}", True)
            return
    t.pay(seat, 1, "E1.3")


def activate_victory(t: PaxTable, seat: str) -> Rules:
    """L1.1: a comet turns one inactive victory card."""
    inactive = [victory for victory in VICTORIES if not t.get(f"victory:{victory}")]
    if inactive:
        victory = yield Ask(seat, "activate_victory", inactive, "L1.1")
        t.set(f"victory:{victory}", True, cite="L1.1")
        t.say("L1.1", what="comet", seat=seat, victory=victory)


def refresh(t: PaxTable) -> Rules:
    """D2.1: cards move left with their florins, vacancies are filled. False if one could not be."""
    order = ("east", "west") if t.options["refresh_order"] == "east_first" else ("west", "east")  # D2.2
    filled = True
    for row in order:
        full = yield from fill(t, row)
        filled = filled and full
    for register in sorted(t.registers):
        if register.startswith("locked:"):
            t.set(register, None)
    return filled


def fill(t: PaxTable, row: str) -> Rules:
    """One row: every card is laid open before the leftmost is turned face down."""
    while True:
        shift(t, row)
        vacant = [column for column in COLUMNS if not t.card_at(row, column)]
        if not vacant:
            return True
        deck = row if t.deck_size(row) else OTHER_ROW[row]  # D2.2
        if not t.deck_size(deck):
            return False
        yield from draw(t, deck, f"market:{row}:{max(vacant[0], 1)}")


def shift(t: PaxTable, row: str) -> None:
    to = 0
    for column in COLUMNS:
        if card := t.card_at(row, column):
            if column != to:
                t.move(card, f"market:{row}:{column}", f"market:{row}:{to}", cite="D2.1")
                t.move("florin", f"florins:{row}:{column}", f"florins:{row}:{to}", t.florins_at(row, column), cite="D2.1")
            to += 1


def draw(t: PaxTable, deck: str, to: str) -> Rules:
    """The next card of a deck; with the astrology option the one that lies open (C5.4)."""
    if t.options["astrology"]:
        card = next(iter(t.zones[f"next:{deck}"]))
        t.move(card, f"next:{deck}", to, cite="D2.1")
        yield from foretell(t, deck)
    else:
        pile = top(t, deck)
        card = yield Draw(pile, f"draw_{deck}", "D2.1")
        t.move(card, pile, to)


def foretell(t: PaxTable, deck: str) -> Rules:
    """C5.4: the next card of the deck is laid open."""
    if t.deck_size(deck):
        pile = top(t, deck)
        card = yield Draw(pile, f"draw_{deck}", "C5.4")
        t.move(card, pile, f"next:{deck}")


def top(t: PaxTable, deck: str) -> str:
    """The part of the deck that is drawn from: the comets are in the lower one (C5.1)."""
    return f"deck:{deck}:upper" if t.total(f"deck:{deck}:upper") else f"deck:{deck}:lower"
