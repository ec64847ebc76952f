"""Religion conflicts (CF-11)."""

from __future__ import annotations

from itertools import permutations

from domain.games.column_of_fire.data import COUNTRIES
from domain.games.column_of_fire.schema import SPACES
from domain.games.column_of_fire.table import Column
from domain.kernel import Ask, Rules


def conflicts(t: Column) -> Rules:
    """CF-11.2, CF-11.5: all pending conflicts, in an order the active player chooses."""
    pending = [country for country in COUNTRIES if t.full(country)]
    if len(pending) > 1:
        pending = yield Ask(t.active, "conflict_order", [list(order) for order in permutations(pending)], "CF-11.5")
    for country in pending:
        resolve(t, country)


def resolve(t: Column, country: str) -> None:
    """More stones of a religion win; its houses score their numbers, those of the other are lost."""
    winner, stones = t.winning(country), t.stones(country)
    t.say("CF-11.6" if winner else "CF-11.10", country=country, winner=winner, **stones)
    if winner:
        for number, space in SPACES[country]:
            for seat in t.items(space):
                if t.religion(seat) == winner:
                    t.gain(seat, number, "CF-11.7")
                else:
                    t.move(seat, space, f"houses:{seat}", cite="CF-11.8")
    for kind, n in stones.items():
        t.move(kind, f"stones:{country}", "box", n, cite="CF-11.11")
