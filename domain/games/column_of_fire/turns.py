"""Years, half-years and turns (CF-4), and how a turn ends."""

from __future__ import annotations

from domain.games.column_of_fire.conflict import conflicts
from domain.games.column_of_fire.data import BLACK
from domain.games.column_of_fire.table import Column
from domain.games.column_of_fire.window import last_window
from domain.kernel import Rules


def next_year(t: Column) -> str:
    """CF-9.6: a new year starts with the start player."""
    t.add("year", 1, cite="CF-9.6")
    t.set("half", 1, cite="CF-4")
    return first_half(t, t.get("start"))


def first_half(t: Column, seat: str) -> str:
    """CF-5.1: the dice on a player's cards come from left to right: Loch Leven, religion, characters."""
    t.set("active", seat, cite="CF-4")
    for place in reversed((*t.zones[f"prison:{seat}"], BLACK, *t.zones[f"display:{seat}"])):
        t.move(place, "box", "to_turn_down", cite="CF-5.1")
    return "turn_down"


def second_half(t: Column, seat: str) -> str:
    t.set("active", seat, cite="CF-4")
    return "roll"


def end_turn(t: Column) -> Rules:
    """A last window, the conflicts (CF-11.2), then the next turn."""
    yield from last_window(t)
    yield from conflicts(t)
    for register in ("event_done", "paid", "quiet"):
        t.set(register, None, cite="CF-4.1")
    for sale in t.items("sold"):
        t.move(sale, "sold", "box", cite="CF-4.1")
    return next_turn(t)


def next_turn(t: Column) -> str:
    """CF-4: first all players' first half-years, then all second ones; the end flag stops the game after the year."""
    seat, start = t.clockwise(t.active)[1], t.get("start")
    if seat != start:
        return first_half(t, seat) if t.get("half") == 1 else second_half(t, seat)
    if t.get("half") == 1:
        t.set("half", 2, cite="CF-4")
        return second_half(t, seat)
    return "final_scoring" if t.get("end") else next_year(t)
