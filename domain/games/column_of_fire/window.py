"""Between two steps of his own turn a player may spend advantage tiles and take dice off for VP (CF-18, CF-14.2)."""

from __future__ import annotations

from random import Random
from typing import Any

from domain.games.column_of_fire.data import TAKE_OFF, TILES
from domain.games.column_of_fire.dice import take_off
from domain.games.column_of_fire.legal import Legal
from domain.games.column_of_fire.symbols import act, actions
from domain.games.column_of_fire.table import Column
from domain.games.column_of_fire.why import why_not, why_not_now
from domain.kernel import Ask, Rules

# PASS goes on to the next step, REST to the end of the turn without being asked again, END ends the turn.
PASS, REST, END_TURN = "pass", "rest", "end"

# How often a player who decides by chance lets a window go by: of eleven windows a turn he uses about one.
LET_GO = 0.9


class Moment(Legal):
    """What can be done now. Listed only when somebody looks: most windows are passed."""

    __slots__ = ("calm", "seat", "table")

    def __init__(self, table: Column, seat: str, calm: list[str]) -> None:
        self.table, self.seat, self.calm = table, seat, calm
        self.why = lambda answer: why_not_now(table, seat, answer)

    @property
    def options(self) -> list[Any]:  # type: ignore[override]
        t, seat = self.table, self.seat
        spends = [["spend", tile] for tile in sorted(t.zones[f"tiles:{seat}"]) if actions(t, seat, TILES[tile].effect)]
        return [*self.calm, *spends, *([["remove_die", die] for die in t.on_cards(seat)] if may_pay(t, seat) else [])]

    def refusal(self, answer: Any) -> str | None:
        return None if answer in self.calm else super().refusal(answer)

    def sample(self, rng: Random) -> Any:
        return self.calm[0] if rng.random() < LET_GO else rng.choice(self.options)


def window(t: Column) -> Rules:
    """A-29: the moments between the steps of a turn."""
    yield from _moments(t, "window", [PASS, REST])


def last_window(t: Column) -> Rules:
    """The moment before the turn ends; afterwards nothing can be done, not even between conflicts (A-14)."""
    yield from _moments(t, "end_turn", [END_TURN])


def _moments(t: Column, key: str, calm: list[str]) -> Rules:
    seat = t.active
    while is_open(t, seat):
        answer = yield Ask(seat, key, Moment(t, seat, calm), "CF-18.1")
        match answer:
            case ["spend", tile]:
                yield from spend(t, seat, tile)
            case ["remove_die", die]:
                t.pay(seat, TAKE_OFF, "CF-14.2")
                t.add("paid", 1, cite="CF-14.2")
                yield from take_off(t, seat, die, "CF-14.2")
            case _:
                if answer == REST:
                    t.set("quiet", True, cite="CF-18.1")
                return


def is_open(t: Column, seat: str) -> bool:
    """Only what everybody sees decides whether a player is asked: how many tiles he has, not which."""
    return not t.get("quiet") and (bool(t.zones[f"tiles:{seat}"]) or may_pay(t, seat))


def may_pay(t: Column, seat: str) -> bool:
    """CF-14.2; how often in a turn is A-21. The religion die always lies on a card."""
    limit = t.options["max_paid_removals_per_turn"]
    return t.vp(seat) >= TAKE_OFF and (not limit or t.get("paid", 0) < limit)


def spend(t: Column, seat: str, tile: str) -> Rules:
    """CF-18.1: the tile goes to the open spent pile (A-27) and its symbol is carried out."""
    effect = TILES[tile].effect
    t.move(tile, f"tiles:{seat}", "spent", cite="CF-18.1")
    ways = actions(t, seat, effect)
    action = ways[0]
    if len(ways) > 1:
        choice = Legal(ways, lambda answer: why_not(t, seat, effect, answer))
        action = yield Ask(seat, "use_tile", choice, "CF-18.1", about={"tile": tile})
    yield from act(t, seat, action)
