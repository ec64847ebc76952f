"""Words for people: how an order may be called, what a question asks, what the data pack only guesses."""

from __future__ import annotations

from domain.games.generalship.data import ACTION_TILES, GENERALS, PACK

VOCABULARY: dict[str, tuple[str, ...]] = {
    "choose_nation": ("nation", "play"),
    "choose_generals": ("generals", "keep"),
    "choose_action_tile": ("tile", "take"),
    "choose_tile_action": ("action", "do"),
    "arrange_population": ("arrange", "circle"),
    "exchange_resources": ("exchange", "trade"),
    "place_growth": ("grow", "settle"),
    "general_action": ("general", "generals"),
    "technology_action": ("technology", "research"),
    "edit_alliances": ("alliance", "ally"),
    "levy_action": ("recruit", "levy", "modernise"),
    "move": ("move", "march", "sail"),
    "reinforce": ("reinforce", "join"),
    "force_withdrawal": ("withdrawal", "force"),
    "exchange_advanced": ("swap", "exchange cards"),
    "play_retreat": ("retreat card", "slip away"),
    "play_pursuit": ("pursuit", "pursue"),
    "play_ambush": ("ambush",),
    "counter_ambush": ("counter", "evade ambush"),
    "paid_exchange": ("buy", "buy cards"),
    "commit_attack": ("commit", "lay down"),
    "choose_losses": ("lose", "losses"),
    "choose_retreat": ("retreat", "fall back"),
    "trim_capacity": ("trim", "embark"),
    "battle_reward": ("reward",),
    "event_black_death": ("plague", "bury"),
    "event_renaissance": ("renaissance",),
    "upkeep_remove": ("disband",),
    "upkeep_help": ("help",),
    "upkeep_pay": ("pay",),
    "capital_swap": ("swap points",),
    "name_defender": ("defender", "fight"),
}

# Cards and tiles are ordered by their numbers; by their names too, where those say which one is meant.
VOCABULARY |= {id: (id, general.name) for id, general in GENERALS.items()}
VOCABULARY |= {id: (id, tile.kind) for id, tile in ACTION_TILES.items()}
VOCABULARY |= {f"{id}-{n}": (f"{id}-{n}", tactic.name) for id, tactic in PACK.tactics.items() for n in range(1, tactic.copies + 1)}

PROMPTS: dict[str, str] = {
    "choose_nation": "Which nation do you lead?",
    "choose_generals": "Which general commands, and which one becomes your first political power?",
    "choose_action_tile": "Which action tile do you take?",
    "choose_tile_action": "Which of the two actions do you do? The others do the other one.",
    "arrange_population": "On which of the equal circles does your last population stand?",
    "exchange_resources": "Do you exchange resources?",
    "place_growth": "Which of the equal circles is settled?",
    "general_action": "What do you do with your generals?",
    "technology_action": "Do you draw technology cards or develop a technology?",
    "edit_alliances": "Whose cube do you put into an alliance space, or take out for a PP card?",
    "levy_action": "What do you levy or modernise?",
    "move": "Who moves, and where to?",
    "reinforce": "Who comes to the battlefield?",
    "force_withdrawal": "Do you give a PP card to make the attacker withdraw?",
    "exchange_advanced": "Which advanced cards do you exchange for basic ones?",
    "play_retreat": "Do you play Retreat?",
    "play_pursuit": "Do you play Pursuit?",
    "play_ambush": "Do you play Ambush?",
    "counter_ambush": "Do you play Retreat against the ambush?",
    "paid_exchange": "Which cards do you exchange for a PP card? None is enough.",
    "commit_attack": "Which units and cards do you lay down?",
    "choose_losses": "Which units do you give up?",
    "choose_retreat": "Where do you retreat to?",
    "trim_capacity": "Which regiments find no room, and who goes aboard?",
    "battle_reward": "Do you take victory points, or is the enemy commander discarded?",
    "event_black_death": "Whom does the plague take?",
    "event_renaissance": "Which technology does the Renaissance bring?",
    "upkeep_remove": "Which units do you disband before paying?",
    "upkeep_help": "How much food do you offer for your ally's upkeep?",
    "upkeep_pay": "How much of the upkeep do you pay yourself?",
    "capital_swap": "Do you swap victory points with the owner of the capital?",
    "name_defender": "Whom do you fight first?",
}

PROVISIONAL = (
    "General cards: names, numbers, symbols and abilities of 43 of the 49 are made up; 4 more have only a public name, "
    "Alexandros III and Pyrros I have the rulebook's values.",
    "Tactic cards: advanced land 1, 2 and 4 and advanced naval 1 to 3 are made up, as are the bonuses of Irregulars and the attack "
    "bonus of Hammer and anvil; basic land 4 and 6, basic naval 1, 5 and 6 and advanced naval 6 to 8 are inferred.",
    "Map tiles: terrain, fortress, growth number and resources of all 24 tiles are made up.",
    "Nations: the yields of Austria, Byzantium and England and the tiles of most circles are made up; the French yields are the rulebook's.",
    "Layouts: the maps for 2, 3 and 4 players are made up; that a capital touches only its own front tiles is the rulebook's.",
    "Action tiles: circles per tile and which are used with how many players are made up; their sum is the rulebook's.",
    "Technologies: names and costs of the six final ones are made up; that two technologies share a column is inferred.",
)
