"""A Column of Fire (Michael Rieneck, Kosmos 2017): trade and religion in four countries, for 2 to 4 players."""

from __future__ import annotations

from domain.games.column_of_fire import first_half, scoring, second_half, setup, turns
from domain.games.column_of_fire.appraise import appraise
from domain.games.column_of_fire.bias import bias
from domain.games.column_of_fire.board import board, diplomacy
from domain.games.column_of_fire.data import CARDS, DIGEST, PACK, TILES
from domain.games.column_of_fire.invariants import CATALOGUE, exercised, invariants
from domain.games.column_of_fire.picture import picture
from domain.games.column_of_fire.prompts import PROMPTS
from domain.games.column_of_fire.schema import schema, seats
from domain.games.column_of_fire.table import Column
from domain.games.column_of_fire.tell import tell
from domain.kernel import Option, Title

__all__ = ["TITLE", "bias"]

BOTH = (False, True)

OPTIONS = {
    "events_on_removal_reveal": Option(
        PACK.flags["events_on_removal_reveal"], BOTH, "A-08", "an event turned up by removing a character takes place"
    ),
    "captain_counts_for_limit": Option(
        PACK.flags["captain_counts_for_limit"], BOTH, "A-12", "a captain's sale counts for the limit of one good a turn and country"
    ),
    "allow_negative_vp": Option(PACK.flags["allow_negative_vp"], BOTH, "A-16", "involuntary losses may lead below 0 VP"),
    "max_paid_removals_per_turn": Option(
        PACK.flags["max_paid_removals_per_turn"] or 0,
        (0, 1, 2, 3),
        "A-21",
        "how often a turn a die may be taken off for 3 VP; 0 is no limit",
    ),
    "advantage_reshuffle": Option(
        PACK.flags["advantage_reshuffle"], BOTH, "A-27", "spent advantage tiles are drawn again when both piles are empty"
    ),
    "house_only_costs_vp": Option(
        PACK.flags["house_only_costs_vp"],
        BOTH,
        "A-23",
        "a die chosen only for a house, in a country whose deck is used up, costs 1 VP",
    ),
    "start_player": Option(
        "first", ("first", "random", "named"), "CF-2.3", "the first seat starts, a random one, or one the first seat names"
    ),
    "choose_colours": Option(False, BOTH, "CF-2.2", "the players choose their colours; else a seat has its own"),
}

TITLE = Title(
    id="column-of-fire",
    name="A Column of Fire",
    rules="1",
    players=tuple(sorted(PACK.players)),
    seats=seats,
    schema=schema,
    table=Column,
    first="setup",
    steps={
        "setup": setup.setup,
        "deal": setup.deal,
        "turn_down": first_half.turn_down,
        "roll": second_half.roll,
        "choose": second_half.choose,
        "stone": second_half.stone,
        "house": second_half.house,
        "take": second_half.take,
        "reveal": second_half.reveal,
        "move": second_half.move,
        "end_turn": turns.end_turn,
        "final_scoring": scoring.final_scoring,
    },
    options=OPTIONS,
    data=DIGEST,
    provisional=PACK.provisional,
    score=scoring.score,
    points=lambda t: {seat: t.vp(seat) for seat in t.seats},
    winners=scoring.winners,
    board=board,
    picture=picture,
    prompts=PROMPTS,
    diplomacy=diplomacy,
    public_relations=True,
    appraise=appraise,
    tell=tell,
    invariants=invariants,
    catalogue=CATALOGUE,
    exercised=exercised,
    special=tuple(TILES),
    vocabulary={card.id: (card.name, card.german) for card in CARDS.values()},
)
