"""Selling cards (E3) and what some cards do when they are sold (M4)."""

from __future__ import annotations

from domain.games.pax_renaissance.agents import place_agents
from domain.games.pax_renaissance.data import CARDS, EMPIRES, OPS, name_of
from domain.games.pax_renaissance.legal import Legal
from domain.games.pax_renaissance.oneshots import announce, perform
from domain.games.pax_renaissance.ops import Use, named, perform_op, targets
from domain.games.pax_renaissance.regime import emancipate, in_region
from domain.games.pax_renaissance.table import PaxTable
from domain.games.pax_renaissance.tokens import discard
from domain.kernel import Ask, Rules

MACHIAVELLIAN = [name for card in CARDS.values() for name in card.effects.get("on_sell_any", {}).get("types", ())]


def saleable(t: PaxTable, seat: str) -> list[str]:
    return [*sorted(t.zones[f"hand:{seat}"]), *t.tableau(seat), *sorted(t.zones[f"maids:{seat}"])]


def sale_refused(t: PaxTable, seat: str, card: str) -> str | None:
    if card in t.zones[f"maids:{seat}"] and not t.options["sell_old_maids"]:
        return "E3.5: an old maid is not in the tableau and cannot be sold"
    spot = t.spot(card)
    if spot is not None and card in CARDS and card != spot.main:
        return f"E3.2: a crowned couple is sold together: sell {name_of(spot.main)}"
    return None


def price(t: PaxTable, seat: str, card: str) -> int:
    """E3.1-E3.6: two florins, more for a ransom in the tableau, both of a couple, nothing for vassals."""
    if t.spot(card) is None:
        return 2
    ransom = {one: effect["value"] for one, effect in t.abilities("sell_value", seat)}
    queen = t.queen(card) if card in EMPIRES else ""
    return ransom.get(card, 2) + (ransom.get(queen, 2) if queen else 0)


def sell(t: PaxTable, seat: str, card: str) -> Rules:
    """E3: discard and be paid; then what the sale sets off."""
    florins = price(t, seat, card)
    schemer = bool(t.abilities("on_sell_any", seat))
    effects = [effect for one, effect in t.abilities("on_sell", seat) if one == card]
    t.say("E3.1", what="sell", seat=seat, card=card, florins=florins)
    t.earn(seat, florins, "E3.1")
    if t.spot(card) is not None:
        yield from discard(t, card, "E3.1")
    else:
        t.move(card, f"hand:{seat}" if card in t.zones[f"hand:{seat}"] else f"maids:{seat}", "discard", cite="E3.1")
    for effect in effects:
        if effect["do"] == "emancipate":
            yield from enclosure(t, seat, effect["region"])
        else:
            yield from cryptography(t, seat)
    if schemer and card in CARDS:
        yield from machiavellianism(t, seat, card)


def enclosure(t: PaxTable, seat: str, region: str) -> Rules:
    """Any repressed tokens of a region go free."""
    yield from emancipate(t, seat, in_region(region), "M4")


def cryptography(t: PaxTable, seat: str) -> Rules:
    """One political op of an opponent's unsilenced card, as if it were the seller's."""
    theirs = [card for other in t.opponents(seat) for card in t.tableau(other)]
    choice = Legal(
        lambda: [[card, op.name] for card in theirs for op in t.ops_of(card) if OPS[op.op].kind == "political"],
        lambda answer: foreign_op_refused(t, seat, answer[0], answer[1]),
    )
    if choice.possible():
        answer = yield Ask(seat, "opponent_op", choice, "M4", optional=True)
        if answer is not None:
            yield from perform_op(t, seat, answer[0], answer[1])


def foreign_op_refused(t: PaxTable, seat: str, card: str, name: str) -> str | None:
    if t.silenced(card):
        return f"M4: {name_of(card)} is silenced"
    aims = targets(Use(t, seat, card, named(t, card, name)))
    return None if aims.possible() else aims.objection()


def machiavellianism(t: PaxTable, seat: str, id: str) -> Rules:
    """The civil war, crusade or apostasy of the card just sold, with its agents."""
    card = CARDS[id]
    if card.one_shot is None or card.one_shot.name not in MACHIAVELLIAN:
        return
    if (yield from announce(t, seat, card)):
        agents = yield from perform(t, seat, card, card.agents)
        yield from place_agents(t, seat, agents, card.location or "", after_one_shot=True)
