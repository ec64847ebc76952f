"""What a campaign of random games has to meet, and a way of playing that meets the rare things."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from domain.games.pax_renaissance.data import CARDS, MAPS, OPS, PACK, VICTORIES
from domain.kernel import Ask, Event, Run, Set

DECISIONS = PACK.raw["decisions"]
TOP_LEVEL = (*DECISIONS["top_level"], "use_ability_action")
ACTIONS = ("purchase", "play", "sell", "ops west", "ops east", "ops both", "fair west", "fair east", "declare_victory")

CATALOGUE = {
    "decisions": ["action", *(one["id"] for one in (*DECISIONS["decisions"], *DECISIONS["expansion_decisions"]))],
    "chances": [*(one["id"] for one in DECISIONS["chance"]), "draw_east", "draw_west"],
    "actions": [*ACTIONS, "use_ability_action"],
    "ops": list(OPS),
    "one_shots": sorted({card.one_shot.name for card in CARDS.values() if card.one_shot}),
    "cards": list(CARDS),
    "endings": [*VICTORIES, "patron"],
}


def exercised(event: Event) -> Iterator[tuple[str, str]]:
    """What one event shows of the catalogue."""
    if event.ask == "action":
        deed, *how = event.answer or ["pass"]
        yield "decisions", deed
        yield "actions", f"{deed} {how[0]}" if deed in ("ops", "fair") else deed
    for cite in event.cites:
        facts = cite.facts
        what = facts.get("what")
        if what == "op":
            yield "ops", facts["op"]
        elif what == "one_shot":
            yield "one_shots", facts["one_shot"]
        elif what == "play" or (what == "purchase" and CARDS[facts["card"]].comet):
            yield "cards", facts["card"]
    for op in event.ops:
        if type(op) is Set and op.register == "ending":
            yield "endings", op.new


EAGERNESS = {"play": 6.0, "ops": 5.0, "fair": 4.0, "purchase": 3.0, "sell": 0.3, "use_ability_action": 20.0}
EAGER_OPS = {"vote": 8, "campaign": 6, "repress": 6, "tax": 3, "behead": 2, "inquisitor": 2}


def bias(run: Run, ask: Ask, rng: Random) -> Any:
    """Ambitious rather than aimless play, for what random bankers, who sell and pass so much, hardly ever meet.

    Declares any victory at once, buys comets and cards with abilities, plays cards with their one-shots, uses abilities that need a
    sale or an action, fights crusades where the Hospitallers could help, votes and campaigns.
    """
    if ask.key == "announce_oneshot":
        return "yes" if rng.random() < 0.8 else "no"
    if ask.key == "action":
        deeds = list(ask.choice.all())
        return rng.choices(deeds, [eagerness(run.table, ask.seat, *deed) for deed in deeds])[0] if deeds else None
    if ask.key == "op_next":
        options = list(ask.choice.all())
        return rng.choices(options, [EAGER_OPS.get(name.partition(".")[0], 1) for _, name in options])[0]
    if ask.key in ("choose_location", "levy_city"):
        helped = [place for place in ask.choice.all() if place in HELPED]
        return rng.choice(helped) if helped else None
    return ask.choice.sample(rng) if ask.optional and rng.random() < 0.9 else None


def eagerness(t: Any, seat: str, deed: str, *how: Any) -> float:
    """How much an ambitious banker wants to do this."""
    if deed == "declare_victory":
        return 1e6
    if deed == "purchase":
        card = CARDS[t.card_at(*how)]
        crusade = card.one_shot is not None and card.one_shot.war == "crusade" and t.abilities("rooks_as_knights", seat)
        rare = crusade or "on_sell" in card.effects or "rooks_as_knights" in card.effects
        return 1e3 if card.comet else 300.0 if rare else 15.0 if card.abilities else EAGERNESS[deed]
    if deed == "play" and "on_sell" in CARDS[how[0]].effects:
        return 300.0
    if deed == "sell" and how[0] in CARDS and t.spot(how[0]):
        effects = CARDS[how[0]].effects
        return 300.0 if "on_sell" in effects or ("no_hand_limit" in effects and t.total(f"hand:{seat}") > 2) else 0.1
    return EAGERNESS[deed]


# Where the rooks of the Hospitallers stand, and the map cards whose crusades they could join (BAT.8).
KNIGHTS_OF_RHODES = CARDS["PR040"].effects["rooks_as_knights"]["empires"]
HELPED = ["rhodes", *(empire for empire in MAPS if any(empire in MAPS[other].adjacent for other in KNIGHTS_OF_RHODES))]
