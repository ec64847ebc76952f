"""What a campaign of random games has to meet, and a way of playing that meets the rare things."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from domain.games.pax_renaissance.data import CARDS, OPS, PACK, VICTORIES
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


EAGERNESS = {"play": 6, "ops": 4, "fair": 2, "purchase": 3, "sell": 0.3, "use_ability_action": 6}
EAGER_OPS = {"vote": 8, "campaign": 6, "tax": 3, "behead": 2, "inquisitor": 2}


def bias(run: Run, ask: Ask, rng: Random) -> Any:
    """Ambitious rather than aimless play: declare any victory at once, buy comets, play cards with their one-shots, vote, campaign.

    Random bankers sell and pass so much that republics, supremacy and sixteen of the rarer cards hardly ever turn up.
    """
    t = run.table
    if ask.key == "announce_oneshot":
        return "yes" if rng.random() < 0.8 else "no"
    if ask.key == "action":
        options = list(ask.choice.all())
        for deed in options:
            if deed[0] == "declare_victory" or (deed[0] == "purchase" and CARDS[t.card_at(deed[1], deed[2])].comet):
                return deed
        return rng.choices(options, [EAGERNESS.get(deed[0], 1) for deed in options])[0] if options else None
    if ask.key == "op_next":
        options = list(ask.choice.all())
        return rng.choices(options, [EAGER_OPS.get(name.partition(".")[0], 1) for _, name in options])[0]
    return ask.choice.sample(rng) if ask.optional and rng.random() < 0.9 else None
