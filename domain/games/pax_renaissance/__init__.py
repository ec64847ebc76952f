"""Pax Renaissance: bankers, kings and four ways into the modern age."""

from domain.games.pax_renaissance.board import board, diplomacy
from domain.games.pax_renaissance.coverage import CATALOGUE, bias, exercised
from domain.games.pax_renaissance.data import BANKS, BORDERS, CARDS, DIGEST, EMPIRES, MAPS, PACK, SLOTS, START, name_of
from domain.games.pax_renaissance.invariants import invariants
from domain.games.pax_renaissance.picture import picture
from domain.games.pax_renaissance.prompts import PROMPTS
from domain.games.pax_renaissance.schema import OPTIONS, schema, seats
from domain.games.pax_renaissance.scoring import appraise, score, winners
from domain.games.pax_renaissance.table import PaxTable
from domain.games.pax_renaissance.tell import tell
from domain.games.pax_renaissance.turn import STEPS
from domain.kernel import Title

PROVISIONAL = (
    "The religion on the other side of eight map cards is inferred (England, France, Holy Roman Empire, Hungary, Byzantium, Portugal, "
    "Papal States, Ottoman); Hungary and the Papal States are the least certain.",
    "Ten base cards have no one-shot here, because the only known print gives them an apostasy, which the first edition keeps for the "
    "expansion.",
    "Which sixty cards form the expansion is a guess; sixteen more are an option of their own.",
    "Ops, prestige, abilities and torches of the expansion cards are those of the second edition.",
    "Agents, ops, prestige and one-shots of most base cards and of the empire cards are those of the second edition.",
    "The symbols on the theocratic sides of the map are those of the second edition, and the Red Sea is no city.",
    "The Hanseatic League's trade shift is kept from the second edition.",
    "The numbers of the four comets are inferred from gaps in the numbering.",
)

WORDS = {"purchase": ("buy",), "declare_victory": ("declare", "win"), "use_ability_action": ("use",), "the_east": ("The East",)}

TITLE = Title(
    id="pax-renaissance",
    name="Pax Renaissance",
    rules="1",
    players=START.players,
    seats=seats,
    schema=schema,
    steps=STEPS,
    score=score,
    points=lambda t: {seat: t.prestige(seat)["patron"] for seat in t.seats},
    winners=winners,
    options=OPTIONS,
    table=PaxTable,
    data=DIGEST,
    provisional=PROVISIONAL,
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
    # Cards whose whereabouts change what others may do: comets, hand limits, torches, immunities.
    special=[*PACK.comets, *(card.id for card in CARDS.values() if card.torch or "no_hand_limit" in card.effects)],
    vocabulary={
        **WORDS,
        **{card.id: (card.name,) for card in CARDS.values()},
        **{item: (name_of(item),) for item in (*MAPS, *BORDERS, *SLOTS, *BANKS)},
        **{empire: (MAPS[empire].name, card.king.name, card.republic.name) for empire, card in EMPIRES.items()},
    },
)

__all__ = ["TITLE", "bias"]
