"""Dice on cards (CF-1.3), the religion die and the minority bonus (CF-5.3, CF-13)."""

from __future__ import annotations

from domain.games.column_of_fire.data import BLACK, PACK, RELIGIONS
from domain.games.column_of_fire.table import Column
from domain.kernel import Ask, Roll, Rules


def roll_religion(t: Column, seat: str, cite: str) -> Rules:
    """The religion die is rolled and put back on the religion card."""
    (number,) = yield Roll(1, "religion_die", cite, faces=PACK.faces[BLACK], seat=seat)
    t.set(f"die:{seat}:{BLACK}", number, cite=cite)


def roll_again(t: Column, seat: str, cite: str) -> Rules:
    """CF-5.3: first the new number, then the choice of religion (A-22), then the minority bonus (CF-13.2)."""
    yield from roll_religion(t, seat, cite)
    religion = yield Ask(seat, "choose_religion", list(RELIGIONS), cite, about={"die": t.shows(seat, BLACK)})
    t.set(f"religion:{seat}", religion, cite=cite)
    minority_bonus(t, seat)


def minority_bonus(t: Column, seat: str) -> None:
    """CF-13.1: 1 VP for the only player of a religion."""
    if t.minority(seat):
        t.say("CF-13.1", seat=seat, religion=t.religion(seat))
        t.gain(seat, 1, "CF-13.1")


def turn(t: Column, seat: str, die: str, by: int, cite: str) -> None:
    """Turn a die on a card up or down; the religion die going down may bring the minority bonus (CF-13.3)."""
    t.add(f"die:{seat}:{die}", by, cite=cite)
    if die == BLACK and by < 0:
        minority_bonus(t, seat)


def take_off(t: Column, seat: str, die: str, cite: str) -> Rules:
    """A die leaves its card: the religion die is rolled again, any other becomes free (CF-14.2, CF-17.14)."""
    if die == BLACK:
        yield from roll_again(t, seat, cite)
    elif die in t.zones[f"prison:{seat}"]:
        release(t, seat, die, cite)
    else:
        remove(t, seat, t.card_of(seat, die), cite)


def release(t: Column, seat: str, die: str, cite: str) -> None:
    """A die leaves Loch Leven. It has no number until it is rolled (A-06)."""
    t.move(die, f"prison:{seat}", f"free:{seat}", cite=cite)
    t.set(f"die:{seat}:{die}", None, cite="A-06")


def remove(t: Column, seat: str, card: str, cite: str) -> None:
    """An own character leaves the game and its die becomes free (CF-17.16, A-25)."""
    die = t.die_of(seat, card)
    t.move(card, f"display:{seat}", "removed", cite=cite)
    t.move(die, f"dice:{seat}", f"free:{seat}", cite="CF-17.16")
    t.set(f"die:{seat}:{die}", None, cite="A-06")


def imprison(t: Column, seat: str, die: str, number: int, cite: str) -> None:
    """CF-12.7: a die, free or from a character that then leaves the game, goes to Loch Leven."""
    if die in t.zones[f"dice:{seat}"]:
        remove(t, seat, t.card_of(seat, die), cite)
    t.move(die, f"free:{seat}", f"prison:{seat}", cite=cite)
    t.set(f"die:{seat}:{die}", number, cite=cite)
