"""Playing a hand card (E2) and the actions that cards themselves offer (M4)."""

from __future__ import annotations

from itertools import combinations

from domain.games.pax_renaissance.agents import place_agents
from domain.games.pax_renaissance.data import CARDS, REGION, RELIGIONS
from domain.games.pax_renaissance.oneshots import announce, apostasy, coronation, perform
from domain.games.pax_renaissance.pack import Card, OneShot
from domain.games.pax_renaissance.table import PaxTable
from domain.games.pax_renaissance.tokens import discard
from domain.games.pax_renaissance.war import wage
from domain.kernel import Ask, Rules


def play(t: PaxTable, seat: str, id: str) -> Rules:
    """E2: the card into the tableau, its one-shot, its agents."""
    card = CARDS[id]
    t.say("E2", what="play", seat=seat, card=id)
    if card.queen:
        yield from play_queen(t, seat, card)
        return
    t.move(id, f"hand:{seat}", f"{side_of(t, card)}:{seat}", cite="E2.0")
    agents = card.agents
    announced = yield from announce(t, seat, card)
    if announced:
        agents = yield from perform(t, seat, card, agents)
    yield from place_agents(t, seat, agents, card.location or "", after_one_shot=announced)


def play_queen(t: PaxTable, seat: str, queen: Card) -> Rules:
    """I: crowned beside a king from the stack, else an old maid beneath the player card (I2.1)."""
    if (yield from announce(t, seat, queen)):
        yield from coronation(t, seat, queen)
    else:
        t.move(queen.id, f"hand:{seat}", f"maids:{seat}", cite="I2.1")


def side_of(t: PaxTable, card: Card) -> str:
    """E2.0: by its philosophy; in the expert variant by its location (N1)."""
    if t.options["expert"] and card.location:
        return REGION.get(card.location) or card.location.removeprefix("the_")
    return card.deck


# -- M4: actions of cards ---------------------------------------------------------------------------------


def elizabeth_bathory(t: PaxTable, seat: str, queen: str) -> Rules:
    """The queen is discarded, her king stays, and the peasants rise in her empire without agents."""
    empire = t.location(queen)
    yield from discard(t, queen, "M4")
    yield from wage(t, seat, OneShot("peasant_revolt"), empire, [])


def oratory_of_divine_love(t: PaxTable, seat: str, card: str) -> Rules:
    """An apostasy between two religions of the player's choice."""
    pairs = [list(pair) for pair in combinations(RELIGIONS, 2)]
    religions = yield Ask(seat, "choose_apostasy", pairs, "M4")
    yield from apostasy(t, religions)


CARD_ACTIONS = {"action_discard_for": elizabeth_bathory, "action": oratory_of_divine_love}


def card_actions(t: PaxTable, seat: str) -> dict[str, str]:
    """The cards of a tableau that offer an action, and the effect."""
    return {card: effect for effect in CARD_ACTIONS for card, _ in t.abilities(effect, seat)}


def use_ability(t: PaxTable, seat: str, card: str) -> Rules:
    t.say("M4", what="ability", seat=seat, card=card)
    yield from CARD_ACTIONS[card_actions(t, seat)[card]](t, seat, card)
