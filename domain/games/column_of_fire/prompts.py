"""What each question asks, as a sentence to the player who is asked."""

PROMPTS = {
    "choose_colour": "Choose your colour.",
    "name_start_player": "Who starts?",
    "choose_religion": "Your religion die was rolled anew: choose your religion.",
    "window": "Spend an advantage tile, pay to take a die off a card, or pass. Rest to be asked no more this turn.",
    "use_tile": "How do you use the tile?",
    "use_character": "Use this character's action?",
    "take_character": "Choose a die and the character it takes, or decline for 1 VP.",
    "drop_stone_with_protection": "Return a protection tile to keep this stone off the country?",
    "upgrade_house": "Move your house up to the higher number?",
    "move_disc": "Move your disc: choose a free die, and pay to skip spaces if you like.",
    "use_space": "Use the action of this space?",
    "place_bonus_neutral": "Place a neutral stone in this country?",
    "answer_negative_event": "Return a protection tile to avert this event for yourself?",
    "answer_positive_event": "Return a protection tile to gain VP?",
    "loch_leven_die": "Which of your dice goes to Loch Leven?",
    "event_good": "Which good do you give away?",
    "end_turn": "Your turn is done: end it, or act once more.",
    "conflict_order": "Several conflicts are pending: in which order are they resolved?",
}
