"""The Small Court with faults planted in it: every one of them is something a title once got wrong, or easily might."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from domain.kernel import Ask, AskAll, Event, Move, Op, Pick, Roll, Rules, Schema, Section, Title, redact
from tests.contract import proof
from tests.contract.proof import Court, court, hand, kind, purse


def variant(**steps: Callable[[Court], Rules]) -> Title:
    return msgspec.structs.replace(proof.TITLE, steps={**proof.TITLE.steps, **steps})


def only_holders_are_asked(t: Court, seat: str) -> Rules:
    """A window that asks only those who hold a veto."""
    holders = [other for other in t.holders(seat) if any(kind(item) == "veto" for item in t.items(hand(other)))]
    if not holders:
        return True
    vetoes = yield AskAll([Ask(other, "veto", Pick(t, hand(other), 0, 1, only=is_veto), "SC 7.5") for other in holders])
    return not any(vetoes.values())


def is_veto(item: str) -> bool:
    return kind(item) == "veto"


def skipped_when_the_hand_has_none(t: Court, seat: str) -> Rules:
    """A question to one seat that is left out where it holds nothing to answer with."""
    for other in t.holders(seat):
        if any(kind(item) == "veto" for item in t.items(hand(other))):
            veto = yield Ask(other, "veto", Pick(t, hand(other), 0, 1, only=is_veto), "SC 7.5", secret=True)
            if veto:
                t.move(veto[0][0], hand(other), "discard", cite="SC 7.5")
                return False
    return True


def dice_for_holders(t: Court, seat: str) -> Rules:
    """Chance that is drawn only where somebody holds something: dice are public."""
    if any(kind(item) == "veto" for other in t.holders(seat) for item in t.items(hand(other))):
        yield Roll(1, "verdict", "SC 7.5")
    return True


def secret_forgotten(t: Court, seat: str) -> Rules:
    """The letter slipped into the deck is named by a public answer."""
    if not t.total(hand(seat)):
        return
    slipped = yield Ask(seat, "slip", t.items(hand(seat)), "SC 7.2")
    t.move(slipped, hand(seat), "deck", to=0, cite="SC 7.2")
    yield from proof.draw_letter(t, seat, "SC 7.2")


def peek_told_aloud(t: Court, seat: str) -> Rules:
    """A peek for one seat is stated aloud to all."""
    other = yield Ask(seat, "spied_on", t.others(seat), "SC 7.4")
    t.show(seat, hand(other), t.items(hand(other)))
    t.say("SC 7.4", letters=t.items(hand(other)))


def peek_by_question(t: Court, seat: str) -> Rules:
    """A question whose options show another hand, without a peek."""
    victims = t.holders(seat)
    if victims:
        wanted = yield Ask(seat, "slip", t.items(hand(victims[0])), "SC 7.3", secret=True)
        t.move(wanted, hand(victims[0]), hand(seat), cite="SC 7.3")


def told_by_refusal(t: Court, seat: str) -> Rules:
    """A reason that tells what another hand holds."""
    other = t.others(seat)[0]

    def why(taken: dict[str, int]) -> str | None:
        return f"{other} holds {', '.join(t.items(hand(other)))}" if taken else None

    yield Ask(seat, "slip", Pick(t, purse(seat), 0, 1, why), "SC 7.3")


calls = {"made": 0}


def a_global_outlives_its_step(t: Court) -> Rules:
    """What was counted in earlier steps changes what is asked."""
    calls["made"] += 1
    deed = yield Ask(t.active, "deed", ["rest", "deal"] if calls["made"] % 3 else ["rest"], "SC 5.1")
    yield from proof.DEEDS[deed](t, t.active)
    t.add("turns", 1)
    return "turn" if t.get("turns") < len(t.seats) else "posts"


def an_unsorted_bag(t: Court) -> Rules:
    """Options in the order in which a bag happens to be stored."""
    for seat in t.seats:
        if t.total(court(seat)) > 1:
            sent = yield Ask(seat, "posts", list(t.zones[court(seat)]), "SC 9.1", secret=True)
            t.move(sent, court(seat), f"gate:{seat}", cite="SC 9.2")
    return "clash"


def a_set_in_iteration(t: Court) -> Rules:
    """Options in the order of a set: another one in every process."""
    for seat in t.seats:
        if t.total(court(seat)) > 1:
            sent = yield Ask(seat, "posts", list(set(t.items(court(seat)))), "SC 9.1", secret=True)
            t.move(sent, court(seat), f"gate:{seat}", cite="SC 9.2")
    return "clash"


SET_IN_ITERATION = variant(posts=a_set_in_iteration)


def past_the_verbs(t: Court, seat: str) -> Rules:
    """A zone changed without an op."""
    t.zones[purse(seat)]["coin"] = t.coins(seat) + 1
    yield from proof.draw_letter(t, seat, "SC 5.3")


def op_forged_past_the_verbs(t: Court, seat: str) -> Rules:
    """An op that is recorded but never happened."""
    t.ops.append(Move("coin", "box", purse(seat)))
    yield from proof.draw_letter(t, seat, "SC 5.3")


def raises_half_way(t: Court, seat: str) -> Rules:
    """A rule that fails after it has begun to change the table."""
    t.move("coin", "box", purse(seat), cite="SC 5.3")
    yield from proof.draw_letter(t, seat, "SC 5.3")
    raise KeyError("the rule has a bug")


def eats_its_answer(t: Court) -> Rules:
    """A rule that changes the answer it was given, and with it the record."""
    for seat in t.seats:
        if t.total(hand(seat)):
            buried = yield Ask(seat, "bury", Pick(t, hand(seat), 1), "SC 11.2")
            while buried:
                item, _ = buried.pop()
                t.move(item, hand(seat), "deck", to=0, cite="SC 11.2")
    return "reckoning"


def nothing_to_answer(t: Court, seat: str) -> Rules:
    """A question without a legal answer."""
    yield Ask(seat, "slip", Pick(t, "discard", 30, 30), "SC 5.3")


def no_rule_cited(t: Court, seat: str) -> Rules:
    yield Ask(seat, "slip", ["yes", "no"], "")


def reads_the_view(t: Court) -> list[Section]:
    """A board that takes the back of an agent for its face."""
    strongest = max(int(agent.split("-")[1]) for seat in t.seats for agent in t.items(court(seat)))
    return [Section("strongest", ["strength"], [[str(strongest)]])]


def draws_published(schema: Schema, seen: Event, viewer: str) -> Event:
    """A gate that lets the outcomes of hidden draws through."""
    return msgspec.structs.replace(GATE(schema, seen, viewer), chance=seen.chance)


def blurred_in_order(schema: Schema, ops: list[Op], viewer: str) -> tuple[list[Op], dict[int, int]]:
    """A gate that blurs every move by itself and leaves it where it happened."""
    seen: list[Op] = []
    places: dict[int, int] = {}
    for index, op in enumerate(ops):
        shown, there = MANY(schema, [op], viewer)
        if there:
            places[index] = len(seen)
        seen += shown
    return seen, places


GATE, MANY = redact.event, redact._ops
