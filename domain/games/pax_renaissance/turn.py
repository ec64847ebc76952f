"""The turn: two actions, then the market refresh (D)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from domain.games.pax_renaissance.data import EAST, SIDES, START, VICTORIES, WEST
from domain.games.pax_renaissance.fair import convene, fair_refused, next_stop, sail
from domain.games.pax_renaissance.legal import Legal
from domain.games.pax_renaissance.market import purchase, purchase_refused, refresh
from domain.games.pax_renaissance.ops import BOTH, ops_left, perform_op
from domain.games.pax_renaissance.play import card_actions, play, use_ability
from domain.games.pax_renaissance.sale import sale_refused, saleable, sell
from domain.games.pax_renaissance.schema import COLUMNS
from domain.games.pax_renaissance.setup import setup
from domain.games.pax_renaissance.table import PaxTable
from domain.games.pax_renaissance.tokens import clockwise, settle
from domain.games.pax_renaissance.victory import cost, declare, end, patrons, victory_refused
from domain.kernel import END, Ask, Rules

ONCE = ("ops:east", "ops:west", "fair:east", "fair:west", "free_fair")


def start(t: PaxTable) -> Rules:
    """C: the table is laid, and the first turn begins."""
    starter = yield from setup(t)
    return begin_turn(t, starter)


def begin_turn(t: PaxTable, seat: str) -> str:
    """D1.1: two actions, and everything that can be done once a turn can be done again."""
    t.set("active", seat, cite="D2.4")
    t.add("turn", 1)
    t.set("actions", START.actions_per_turn)
    for deed in ONCE:
        t.set(f"done:{deed}", None)
    t.say("D1.1", what="turn", seat=seat)
    return "action"


def action(t: PaxTable) -> Rules:
    """D1.1: one action, or a pass (D1.2)."""
    seat = t.get("active")
    chosen = yield Ask(seat, "action", actions(t, seat), "D1.1", optional=True, about={"actions": t.get("actions")})
    if chosen is None:
        t.say("D1.2", what="pass", seat=seat)
        if not t.get("actions"):
            return (yield from end_turn(t))
        t.add("actions", -1, cite="D1.2")
        return (yield from after_action(t))
    deed, *how = chosen
    t.add("actions", -price(t, seat, deed, how), cite="D1.1")
    return (yield from DEEDS[deed](t, seat, *how))


def actions(t: PaxTable, seat: str) -> Legal:
    """Everything a banker might think of doing, and why not."""
    return Legal(
        lambda: [
            *(["purchase", row, column] for row in SIDES for column in COLUMNS if column),
            *(["play", card] for card in sorted(t.zones[f"hand:{seat}"])),
            *(["sell", card] for card in saleable(t, seat)),
            *(["ops", side] for side in (*SIDES, BOTH)),
            *(["fair", row] for row in SIDES),
            *(["declare_victory", victory] for victory in VICTORIES),
            *(["use_ability_action", card] for card in card_actions(t, seat)),
        ],
        lambda answer: action_refused(t, seat, answer),
    )


def action_refused(t: PaxTable, seat: str, answer: list[Any]) -> str | None:
    deed, *how = answer
    if t.get("actions", 0) < price(t, seat, deed, how) and deed != "declare_victory":
        return "D1.1: both actions of this turn are spent, only a free one is left"
    if deed == "purchase":
        return purchase_refused(t, seat, how[0], how[1])
    if deed == "sell":
        return sale_refused(t, seat, how[0])
    if deed == "ops":
        return ops_refused(t, seat, how[0])
    if deed == "fair":
        return f"D1.1: the {how[0]} fair was held in this turn" if t.get(f"done:fair:{how[0]}") else fair_refused(t, how[0])
    if deed == "declare_victory":
        return victory_refused(t, seat, how[0])
    return None


def price(t: PaxTable, seat: str, deed: str, how: list[Any]) -> int:
    """How many of the two actions a deed takes: one, unless a card makes it free (M4) or dear (M3.2)."""
    if deed == "declare_victory":
        return cost(t, how[0])
    free = [effect for _, effect in t.abilities("free_action", seat) if effect["action"] == deed]
    if deed == "ops":
        return 0 if any(effect["side"] == how[0] for effect in free) else 1
    return 0 if free and not t.get("done:free_fair") else 1


# -- the deeds: each returns the next step ---------------------------------------------------------------


def do_purchase(t: PaxTable, seat: str, row: str, column: int) -> Rules:
    yield from purchase(t, seat, row, column)
    return (yield from after_action(t))


def do_play(t: PaxTable, seat: str, card: str) -> Rules:
    yield from play(t, seat, card)
    yield from settle(t)
    return (yield from after_action(t))


def do_sell(t: PaxTable, seat: str, card: str) -> Rules:
    yield from sell(t, seat, card)
    yield from settle(t)
    return (yield from after_action(t))


def do_ability(t: PaxTable, seat: str, card: str) -> Rules:
    yield from use_ability(t, seat, card)
    yield from settle(t)
    return (yield from after_action(t))


def do_victory(t: PaxTable, seat: str, victory: str) -> Rules:
    yield from ()
    declare(t, seat, victory)
    return END


def do_ops(t: PaxTable, seat: str, side: str) -> Rules:
    yield from ()
    for one in SIDES if side == BOTH else (side,):
        t.set(f"done:ops:{one}", True, cite="D1.1")
    t.set("ops", side, cite="E4.1")
    t.say("E4.1", what="ops", seat=seat, side=side)
    return "ops"


def do_fair(t: PaxTable, seat: str, row: str) -> Rules:
    if any(effect["action"] == "fair" for _, effect in t.abilities("free_action", seat)):
        t.set("done:free_fair", True, cite="M4")
    t.set(f"done:fair:{row}", True, cite="D1.1")
    return "voyage" if convene(t, seat, row) else (yield from after_action(t))


DEEDS: dict[str, Callable[..., Rules]] = {
    "purchase": do_purchase,
    "play": do_play,
    "sell": do_sell,
    "ops": do_ops,
    "fair": do_fair,
    "declare_victory": do_victory,
    "use_ability_action": do_ability,
}


def ops_refused(t: PaxTable, seat: str, side: str) -> str | None:
    for one in SIDES if side == BOTH else (side,):
        if t.get(f"done:ops:{one}"):
            return f"D1.1: the {one} ops were performed in this turn"
    if side == BOTH and not t.abilities("combined_ops", seat):
        return "E4: East ops and West ops are different actions"
    left = ops_left(t, seat, side)
    return None if left.possible() else f"E4.1: none of your cards can perform an op there ({left.objection()})"


def ops(t: PaxTable) -> Rules:
    """E4.1: op after op, until the player stops or no card can do anything more."""
    seat = t.get("active")
    choice = ops_left(t, seat, t.get("ops"))
    chosen = (yield Ask(seat, "op_next", choice, "E4.1", optional=True)) if choice.possible() else None
    if chosen is None:
        t.set("ops", None)
        for register in sorted(t.registers):
            if register.startswith("used:"):
                t.set(register, None)
        return (yield from after_action(t))
    card, name = chosen
    t.set(f"used:{card}", True, cite="E4.1")
    yield from perform_op(t, seat, card, name)
    return "ops"


def voyage(t: PaxTable) -> Rules:
    """G3.1: the fair's ship sails from map card to map card; a new step wherever the convener has a choice to make."""
    while (yield from sail(t, t.get("active"))):
        if len(t.free_slots(next_stop(t))) > 1:
            return "voyage"
    return (yield from after_action(t))


# -- between actions and turns ---------------------------------------------------------------------------


def after_action(t: PaxTable) -> Rules:
    """G6 after every action; then the next one, or the end of the turn."""
    seat = t.get("active")
    if last_banker(t):
        return END
    if not t.get(f"out:{seat}") and (t.get("actions") or free_actions(t, seat)):
        return "action"
    return (yield from end_turn(t))


def free_actions(t: PaxTable, seat: str) -> bool:
    """M4: whether a banker whose actions are spent could still do something for nothing."""
    deeds = [["ops", EAST], ["ops", WEST], ["fair", EAST], ["fair", WEST]]
    return any(price(t, seat, deed, [how]) == 0 and action_refused(t, seat, [deed, how]) is None for deed, how in deeds)


def end_turn(t: PaxTable) -> Rules:
    """D2: the market is refreshed, perhaps for the last time (L2.2)."""
    filled = yield from refresh(t)
    t.say("D2.1", what="refresh", east=t.deck_size(EAST), west=t.deck_size(WEST))
    depleted = not t.deck_size(EAST) and not t.deck_size(WEST)
    if depleted if t.options["patron_end"] == "depleted" else not filled:
        end(t, "patron", patrons(t), "L2.2")
        return END
    if last_banker(t):
        return END
    seats, at = list(t.seats), list(t.seats).index(t.get("active"))
    return begin_turn(t, next(seat for seat in (*seats[at + 1 :], *seats[: at + 1]) if not t.get(f"out:{seat}")))


def last_banker(t: PaxTable) -> bool:
    """G6: the ruined leave the game; whoever is left alone has won."""
    if not t.options["bankruptcy"]:
        return False
    for seat in clockwise(t):
        if ruined(t, seat):
            t.set(f"out:{seat}", True, cite="G6")
            t.say("G6", what="ruined", seat=seat)
            pawn = t.pawn(seat)
            for zone in sorted(t.zones):
                if zone.startswith("on:") and (n := t.count(zone, pawn)):
                    t.move(pawn, zone, "supply", n, cite="G6")
    left = t.bankers()
    if len(left) == 1:
        end(t, "bankruptcy", left, "G6")
    return len(left) == 1


def ruined(t: PaxTable, seat: str) -> bool:
    """G6: no florins, no cards but the player card, no concessions."""
    return not (t.florins(seat) or t.total(f"hand:{seat}") or t.total(f"maids:{seat}") or t.tableau(seat) or t.concessions(seat))


STEPS = {"setup": start, "action": action, "ops": ops, "voyage": voyage}
