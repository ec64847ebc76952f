"""Tokens and cards in and out of play: repressing, killing, discarding, substituting, bishops that enter (glossary, F1)."""

from __future__ import annotations

from domain.games.pax_renaissance.data import CARDS, EMPIRES, KIND, SLOTS, START
from domain.games.pax_renaissance.table import PaxTable
from domain.kernel import Ask, Pick, Rules

SPARE = [slot for slot in SLOTS.values() if slot.spare]


def kill(t: PaxTable, token: str, zone: str, cite: str) -> None:
    """GL-ABWERFEN.1: back to the supply."""
    t.move(token, zone, "supply", cite=cite)


def repress(t: PaxTable, token: str, zone: str, empire: str, cite: str) -> None:
    """GL-UNTERDRUECKEN.1: onto the empire's card, or killed if that is in the stack."""
    if t.in_play(empire):
        t.move(token, zone, f"on:{empire}", cite=cite)
    else:
        kill(t, token, zone, cite)


def supplied(t: PaxTable, seat: str, token: str) -> Rules:
    """GL-VERWALTUNG.1: the zone a needed token comes from; None if there is none, or the seat takes none."""
    if t.count("supply", token):
        return "supply"
    holders = substitutes(t, token)
    if not holders:
        return None
    taken = yield Ask(seat, "substitute_token", holders, "GL-VERWALTUNG.1", optional=True, about={"token": token})
    return taken and f"on:{taken}"


def substitutes(t: PaxTable, token: str) -> list[str]:
    """The empire cards with such a repressed token; a bishop on a card is not repressed (GL-BISCHOF.1)."""
    return [empire for empire in EMPIRES if KIND[token] != "bishop" and t.count(f"on:{empire}", token)]


def available(t: PaxTable, token: str) -> bool:
    """Whether a token can be had at all."""
    return bool(t.count("supply", token) or substitutes(t, token))


def home(t: PaxTable, card: str) -> str:
    """The zone a tableau card or an empire lies in."""
    spot = t.spot(card)
    if spot is None:
        return "stack"
    return f"{spot.side}:{spot.seat}" if spot.main == card else f"on:{spot.main}"


def discard(t: PaxTable, card: str, cite: str) -> Rules:
    """GL-ABWERFEN.1: empires go back to the stack, other cards out of the game, tokens to the supply."""
    _remove(t, card, cite)
    yield from settle(t)


def _remove(t: PaxTable, card: str, cite: str) -> None:
    for other in t.family(card)[1:]:
        _remove(t, other, "I1.3" if other in CARDS else "RC.5")
    for token in t.items(f"on:{card}"):
        kill(t, token, f"on:{card}", "F1.9" if KIND[token] == "bishop" else "GL-ABWERFEN.1")
    t.move(card, home(t, card), "stack" if card in EMPIRES else "discard", cite=cite)
    if card in EMPIRES:
        t.set(f"side:{card}", None)


def settle(t: PaxTable) -> Rules:
    """What follows at once when an ability ends: a spare place is lost, a hand is too big."""
    for slot in SPARE:
        token = t.occupant(slot.id)
        if token and not t.in_use(slot):
            t.move(token, f"city:{slot.id}", "supply" if t.occupant(slot.city) else f"city:{slot.city}", cite="M4")
    for seat in clockwise(t):
        if t.total(f"hand:{seat}") > START.hand_limit and (limit := t.hand_limit(seat)) is not None:
            excess = t.total(f"hand:{seat}") - limit
            gone = yield Ask(seat, "hand_limit_discard", Pick(t, f"hand:{seat}", excess, excess), "E1.7")
            for card, _ in gone:
                t.move(card, f"hand:{seat}", "discard", cite="E1.7")


def clockwise(t: PaxTable) -> list[str]:
    """The bankers in order of play, the active one first."""
    seats = list(t.seats)
    at = seats.index(t.get("active")) if t.get("active") in seats else 0
    return [seat for seat in (*seats[at:], *seats[:at]) if not t.get(f"out:{seat}")]


def enter(t: PaxTable, seat: str, bishop: str, source: str, main: str) -> Rules:
    """A bishop comes onto a unit, moved or placed (F1.3, F1.4)."""
    resident = t.bishop(main)
    t.move(bishop, source, f"on:{main}", cite="F1.1")
    if resident:
        for one in (resident, bishop):  # F1.3 Diet of Worms: no pacification then
            kill(t, one, f"on:{main}", "F1.3")
        t.say("F1.3", what="diet", card=main)
        yield from settle(t)
        return
    yield from settle(t)
    victims = [[empire, token] for empire in t.locations(main) if empire in EMPIRES for token in sorted(set(t.repressed(empire)))]
    if victims and t.in_play(main):
        victim = yield Ask(seat, "pacify", victims, "F1.4", optional=True)
        if victim:
            kill(t, victim[1], f"on:{victim[0]}", "F1.4")
            t.say("F1.4", what="pacify", seat=seat, empire=victim[0], token=victim[1])
