"""How a campaign of random games leans now and then, so that it also meets late technologies, big fleets and fallen capitals."""

from __future__ import annotations

from random import Random
from typing import Any

from domain.games.generalship.data import ACTION_TILES, TECHNOLOGIES
from domain.games.generalship.table import WIN_AT, Field
from domain.kernel import Ask, Run

ENOUGH = WIN_AT - 3


def bias(run: Run, ask: Ask, rng: Random) -> Any:
    """A warlord who is in no hurry to win: fleets with guns, commanders rather than points. None leaves the answer to chance."""
    t: Field = run.table  # type: ignore[assignment]
    match ask.key:
        case "choose_nation":
            return "england"
        case "choose_action_tile":
            kinds = (
                ("economy", "economy", "levy", "march", "march")
                if t.developed("gunpowder")
                else ("economy", "cards", "cards", "levy")
            )
            kind = rng.choice(kinds)
            return next((tile for tile in ask.all() if tile and ACTION_TILES[tile].kind == kind), None)
        case "choose_tile_action":
            return rng.choice(("production", "technology_cards"))
        case "exchange_resources":
            return "give_food"
        case "general_action":
            return first(ask, rng, "commander", "use")
        case "technology_action":
            return develop(t, ask, rng)
        case "levy_action":
            return first(ask, rng, *rng.sample(("levy galleon", "levy artillery"), 2), "modernise", "levy galley")
        case "move":
            return move(t, ask, rng)
        case "battle_reward":
            return "discard_commander"
        case "force_withdrawal":
            return "no"
        case "play_pursuit" | "play_ambush" | "counter_ambush":
            return "yes"
        case "upkeep_remove" | "exchange_advanced":
            return []
    return None


def orders(ask: Ask) -> list[str]:
    return [order for order in getattr(ask.choice, "options", []) if isinstance(order, str)]


def first(ask: Ask, rng: Random, *wanted: str) -> Any:
    """The first kind of order that can be given, mostly."""
    for begin in wanted:
        found = [order for order in orders(ask) if order.startswith(begin)]
        if found and rng.random() < 0.8:
            return rng.choice(found)
    return None


def develop(t: Field, ask: Ask, rng: Random) -> Any:
    """The tree up to gunpowder, by whoever is not about to win by it."""
    open_now = [order for order in orders(ask) if order.startswith("develop") and TECHNOLOGIES[order.split()[1]].column]
    if open_now and t.vp(ask.seat) < ENOUGH:
        return rng.choice(open_now)
    return "draw"


def move(t: Field, ask: Ask, rng: Random) -> Any:
    """Out to sea with everybody, into enemies, into foreign capitals."""
    of = getattr(ask.choice, "of", None)
    if of is not None and ask.about.get("part") == "units":
        guns_first = sorted((item for item, n in of.items() for _ in range(n)), key=lambda item: item != "artillery")
        aboard = guns_first[: ask.choice.most]  # type: ignore[attr-defined]
        return [[item, aboard.count(item)] for item in sorted(set(aboard))]
    hostile = [order for order in orders(ask) if order.split()[-1] in t.land.near and t.foes(ask.seat, order.split()[-1])]
    foreign = [order for order in orders(ask) if t.land.home.get(order.split()[-1], ask.seat) != ask.seat]
    if (hostile or foreign) and rng.random() < 0.7:
        return rng.choice(hostile or foreign)
    return first(ask, rng, "leave", "board")
