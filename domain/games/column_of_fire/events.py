"""Turning up the next card (CF-7) and what events do (CF-12)."""

from __future__ import annotations

from collections.abc import Callable

from domain.games.column_of_fire.data import BLACK, CARDS, EVENTS, GOODS, RULE, EventCard
from domain.games.column_of_fire.dice import imprison
from domain.games.column_of_fire.legal import YES, YES_NO, Legal
from domain.games.column_of_fire.table import DECK_USED_UP, Column
from domain.kernel import Ask, Draw, Rules

Happens = Callable[[Column, EventCard], Rules]


def turn_up(t: Column, country: str, happens: Happens) -> Rules:
    """CF-7.1, CF-7.2: turn cards up until a character lies on the deck; `happens` is what becomes of an event on the way."""
    deck = f"deck:{country}"
    while t.zones[deck]:
        card = yield Draw(deck, "turn_up", "CF-7.1")
        if card in CARDS:
            t.move(card, deck, f"top:{country}", cite="CF-7.1")
            t.move(CARDS[card].stone, "box", f"stone:{country}", cite="CF-7.1")
            return
        t.move(card, deck, "event", cite="CF-7.2")
        yield from happens(t, EVENTS[card])
        t.move(card, "event", "removed", cite="CF-7.2")
    t.say("CF-15.2", country=country)
    if "end" not in t.registers:
        t.set("end", DECK_USED_UP, cite="CF-15.1")


def ignored(t: Column, card: EventCard) -> Rules:
    """The card is removed without effect."""
    t.say("CF-7.3", ignored=card.id)
    yield from ()


def one_a_turn(t: Column, card: EventCard) -> Rules:
    """CF-7.3: at most one event takes place in a turn."""
    if t.get("event_done"):
        yield from ignored(t, card)
        return
    t.set("event_done", True, cite="CF-7.3")
    t.say("CF-7.2", event=card.id)
    affected = [seat for seat in t.clockwise(t.active) if hits(t, card, seat)]  # A-15; checked once (CF-12.10)
    for seat in affected:
        yield from EFFECT[card.effect.op](t, seat, card)


def on_removal(t: Column, card: EventCard) -> Rules:
    """A-08: whether an event turned up by removing a character takes place."""
    yield from (one_a_turn if t.options["events_on_removal_reveal"] else ignored)(t, card)


def hits(t: Column, card: EventCard, seat: str) -> bool:
    """CF-12.4: everybody the card names, wherever the deck belongs."""
    affects = card.affects
    if affects.religion:
        return t.religion(seat) == affects.religion
    return t.house(affects.house_in, seat) > 0 if affects.house_in else affects.all


# -- what events do ----------------------------------------------------------------------------------


def averts(t: Column, seat: str, card: EventCard) -> Rules:
    """CF-12.2: an affected player may return a protection tile to be spared, he alone."""
    if not t.protection(seat):
        return False
    answer = yield Ask(seat, "answer_negative_event", YES_NO, "CF-12.2", about={"event": card.id})
    if answer != YES:
        return False
    t.move("protection", f"protection:{seat}", "box", cite="CF-12.2")
    t.say("CF-12.2", averted=card.id, seat=seat)
    return True


def lose_vp(t: Column, seat: str, card: EventCard) -> Rules:
    """CF-12.5"""
    vp = int(card.effect.vp)
    if t.loss(seat, vp) and not (yield from averts(t, seat, card)):
        t.lose(seat, vp, RULE["lose_vp"])


def discard_good(t: Column, seat: str, card: EventCard) -> Rules:
    """CF-12.10: goods go back to the supply, of the named kind or of the player's choice; fewer if he has fewer (A-18)."""
    goods, named, cite = t.zones[f"goods:{seat}"], card.effect.good, RULE["discard_good"]

    def kinds() -> list[str]:
        return [good for good in GOODS if good in goods and good == (named or good)]

    if not kinds() or (yield from averts(t, seat, card)):
        return
    for _ in range(card.effect.count):
        held = kinds()
        if not held:
            return
        good = held[0]
        if len(held) > 1:
            good = yield Ask(seat, "event_good", held, cite, about={"event": card.id})
        t.move(good, f"goods:{seat}", "box", cite=cite)


def die_to_loch_leven(t: Column, seat: str, card: EventCard) -> Rules:
    """CF-12.7: one die, free or from a character, goes to Loch Leven; without one nothing happens (A-17)."""
    dice, cite = eligible(t, seat), RULE["die_to_loch_leven"]
    if not dice or (yield from averts(t, seat, card)):
        return
    die = dice[0]
    if len(dice) > 1:
        choice = Legal(dice, lambda answer: why_not_die(t, seat, answer))
        die = yield Ask(seat, "loch_leven_die", choice, cite, about={"event": card.id, "number": card.effect.value})
    imprison(t, seat, die, card.effect.value, cite)


def eligible(t: Column, seat: str) -> list[str]:
    """Free dice and dice on characters; not the one just chosen to take a character."""
    chosen = t.get("die") if seat == t.active else None
    return [die for die in (*t.free(seat), *t.zones[f"dice:{seat}"]) if die != chosen]


def why_not_die(t: Column, seat: str, die: object) -> str | None:
    if die == BLACK:
        return "the religion die never goes to Loch Leven (CF-12.7)"
    if die in t.zones[f"prison:{seat}"]:
        return f"the {die} die is on Loch Leven already (CF-12.7)"
    return None


def protection_for_vp(t: Column, seat: str, card: EventCard) -> Rules:
    """CF-12.3: a protection tile for as many VP as the religion die shows."""
    if not t.protection(seat):
        return
    vp = t.shows(seat, BLACK) if card.effect.vp == "religion_die" else int(card.effect.vp)
    answer = yield Ask(seat, "answer_positive_event", YES_NO, "CF-12.3", about={"event": card.id, "vp": vp})
    if answer == YES:
        t.move("protection", f"protection:{seat}", "box", cite="CF-12.3")
        t.gain(seat, vp or 0, "CF-12.3")


EFFECT: dict[str, Callable[[Column, str, EventCard], Rules]] = {
    "lose_vp": lose_vp,
    "discard_good": discard_good,
    "die_to_loch_leven": die_to_loch_leven,
    "protection_for_vp": protection_for_vp,
}
