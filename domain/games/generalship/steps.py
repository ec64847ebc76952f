"""Every step of the game by its name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from domain.games.generalship import alliances, attack, battle, cards, economy, events, levy, march, reinforce, setup, turn, upkeep
from domain.kernel import Rules

STEPS: dict[str, Callable[[Any], Rules]] = {
    step.__name__: step
    for step in (
        *(setup.setup, setup.nations, setup.neutral_area, setup.start_position, setup.first_generals),
        *(turn.turn, turn.end_turn, turn.capital_end),
        *(economy.production, economy.growth),
        *(cards.general_cards, cards.technology_cards, events.event),
        *(alliances.alliance, levy.levy),
        *(march.march, march.march_over, reinforce.reinforce_defender, reinforce.reinforce_attacker),
        *(battle.withdrawal, battle.deal, battle.exchange_cards, battle.retreat_cards, battle.ambush, battle.buy_cards),
        *(attack.attack, attack.losses, attack.leave_field, attack.aftermath),
        *(upkeep.scoring, upkeep.upkeep, upkeep.new_order),
    )
}
