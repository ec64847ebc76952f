"""One-shots without a battle, and which may be announced (H, I, M2, M3)."""

from __future__ import annotations

from collections.abc import Sequence

from domain.games.pax_renaissance.data import EMPORIA, SLOTS, VICTORIES, name_of
from domain.games.pax_renaissance.pack import Agent, Card, OneShot
from domain.games.pax_renaissance.regime import regime_change
from domain.games.pax_renaissance.table import PaxTable
from domain.games.pax_renaissance.tokens import clockwise, discard, repress
from domain.games.pax_renaissance.war import fights, wage, war_targets
from domain.kernel import Ask, Rules

WARS = ("conspiracy", "peasant_revolt", "religious_war")


def one_shot_refused(t: PaxTable, seat: str, card: Card) -> str | None:
    """E2.0a: why a card's one-shot cannot be announced."""
    shot = card.one_shot
    if shot is None:
        return f"E2.0a: {card.name} has no one-shot"
    if shot.type == "trade_shift":
        if not t.busted(shot.emporium):
            return f"H1.2: {name_of(shot.emporium)} is not busted"
        if shot.emporium == "spice_islands" and not t.tableau_prestige(seat, without=card.id)["discovery"]:
            return "H1.2: the Spice Islands need discovery prestige on another card of your tableau"
    elif shot.type == "coronation" and not suitors(t, card):
        return "I.1: none of her suitors is in the empire stack"
    elif shot.type == "religious_war" and not war_targets(t, shot, card.location or ""):
        return "K1.4: there is no heretic to fight"
    return None


def announce(t: PaxTable, seat: str, card: Card) -> Rules:
    """E2.0a: whether the one-shot takes place; nothing is asked where it cannot."""
    if one_shot_refused(t, seat, card):
        return False
    answer = yield Ask(seat, "announce_oneshot", ["yes", "no"], "E2.0a", about={"card": card.id})
    return answer == "yes"


def perform(t: PaxTable, seat: str, card: Card, agents: Sequence[Agent]) -> Rules:
    """E2.1: the one-shot of a card; back come the agents that have not fought."""
    shot = card.one_shot
    assert shot is not None
    t.say("E2.1", what="one_shot", seat=seat, card=card.id, one_shot=shot.name)
    if shot.type in WARS:
        targets = war_targets(t, shot, card.location or "")
        empire = targets[0]
        if len(targets) > 1:
            empire = yield Ask(seat, "choose_location", targets, "GL-ORT.2", about={"card": card.id})
        yield from wage(t, seat, shot, empire, [agent for agent in agents if fights(agent, shot)])
        return [agent for agent in agents if not fights(agent, shot)]
    if shot.type == "trade_shift":
        trade_shift(t, shot.emporium)
    elif shot.type == "apostasy":
        yield from apostasy(t, shot.religions)
    elif shot.type == "torch":
        torch(t, shot)
    return agents


# -- H1 ---------------------------------------------------------------------------------------------------


def trade_shift(t: PaxTable, emporium: str) -> None:
    """H1.1: the busted marker goes from the named emporium to the open one of the same colour."""
    colour = EMPORIA[emporium]
    closed = t.emporium(colour or "")
    for token in t.items(f"city:{closed}"):
        repress(t, token, f"city:{closed}", SLOTS[closed].empire, "H1.3")
    t.move(f"busted.{colour}", f"city:{emporium}", f"city:{closed}", cite="H1.1")
    t.say("H1.1", what="trade_shift", emporium=emporium, closed=closed)


# -- I ----------------------------------------------------------------------------------------------------


def suitors(t: PaxTable, queen: Card) -> list[str]:
    """I.1: the kings she may marry are in the stack."""
    return [empire for empire in queen.suitors if t.count("stack", empire)]


def coronation(t: PaxTable, seat: str, queen: Card) -> Rules:
    """I.2: a king from the stack, the queen beside him."""
    t.say("E2.1", what="one_shot", seat=seat, card=queen.id, one_shot="coronation")
    kings = suitors(t, queen)
    king = yield Ask(seat, "coronation_king", kings, "I.1", about={"queen": queen.id})
    t.say("I.2", what="coronation", seat=seat, queen=queen.id, empire=king)
    yield from regime_change(t, seat, king, "coronation", queen=queen.id)


# -- M2, M3 -----------------------------------------------------------------------------------------------


def apostasy(t: PaxTable, religions: Sequence[str]) -> Rules:
    """M2.1: who has prestige of both religions loses every card with either; all are judged before anything goes."""
    doomed: list[str] = []
    for seat in clockwise(t):
        shown = t.tableau_prestige(seat)
        if all(shown[religion] for religion in religions) and not t.abilities("immune_to_apostasy", seat):
            doomed += [card for card in t.tableau(seat) if set(t.prestige_of(card)) & set(religions)]
    t.say("M2.1", what="apostasy", religions=list(religions), cards=doomed)
    for card in doomed:
        if t.spot(card) is not None:  # not gone with its king or suzerain
            yield from discard(t, card, "M2.2")


def torch(t: PaxTable, shot: OneShot) -> None:
    """M3.1: an active victory card is turned back."""
    t.set(f"victory:{shot.victory}", False, cite="M3.1")
    t.say("M3.1", what="torch", victory=VICTORIES[shot.victory].id)
