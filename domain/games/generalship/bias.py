"""How a campaign of random games leans now and then, so that it also meets fleets, late technologies and fallen capitals."""

from __future__ import annotations

from random import Random
from typing import Any

from domain.games.generalship.data import ACTION_TILES
from domain.kernel import Ask, Run


def bias(run: Run, ask: Ask, rng: Random) -> Any:
    """A warlord who lives on fleets: takes few points, disbands nobody, attacks whom he meets. None leaves it to chance."""
    t = run.table
    match ask.key:
        case "choose_action_tile":
            wanted = rng.choice(("economy", "levy", "march", "march", "cards"))
            return next((tile for tile in ask.all() if tile and ACTION_TILES[tile].kind == wanted), None)
        case "battle_reward":
            return "discard_commander"
        case "force_withdrawal":
            return "no"
        case "upkeep_remove":
            return []
        case "move":
            return attack(t, ask, rng)
    return None


def attack(t: Any, ask: Ask, rng: Random) -> Any:
    """Mostly into enemies, best into their capital."""
    orders = [order for order in ask.all() if isinstance(order, str)] if ask.count() < 200 else []
    hostile = [order for order in orders if order.split()[-1] in t.land.near and t.foes(ask.seat, order.split()[-1])]
    foreign = [order for order in orders if t.land.home.get(order.split()[-1], ask.seat) != ask.seat]
    if rng.random() < 0.8 and (hostile or foreign):
        return rng.choice(hostile or foreign)
    return None
