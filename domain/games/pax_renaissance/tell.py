"""The chronicle: sentences from what the rules said aloud."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from domain.games.pax_renaissance.data import VICTORIES, name_of
from domain.kernel import Event

Translate = Callable[[str], str]


def tell(event: Event, _: Translate) -> list[str]:
    """What an event says to whoever may see it; everything told here was said aloud."""
    lines = [
        _(SENTENCES[what]).format_map(Named(cite.facts, _)) for cite in event.cites if (what := subject(cite.facts)) in SENTENCES
    ]
    return [line[:1].upper() + line[1:] for line in lines]


def subject(facts: Mapping[str, Any]) -> str:
    """Which sentence tells these facts."""
    what = str(facts.get("what", ""))
    return f"{what} {'won' if facts['won'] else 'lost'}" if what == "battle" else what


def sentences(_: Translate) -> dict[str, str]:
    return {
        "start": _("{seat} begins."),
        "turn": _("It is {seat}'s turn."),
        "pass": _("{seat} passes."),
        "purchase": _("{seat} buys {card} from column {column} and takes {florins} florins off it."),
        "comet": _("The comet activates the {victory} victory."),
        "play": _("{seat} plays {card}."),
        "one_shot": _("{card} sets off its one-shot: {one_shot}."),
        "war": _("{seat} begins a war in {empire}: {war}."),
        "battle won": _("{attackers} attack, {defenders} defend: the attack succeeds."),
        "battle lost": _("{attackers} attack, {defenders} defend: the attack fails."),
        "flip": _("{empire} turns to its {side} side."),
        "survivor": _("A {token} settles in {place}."),
        "regime": _("{empire} comes under {seat} as a {side}."),
        "vassal": _("{empire} becomes a vassal of {lord}."),
        "strawman": _("{empire} stays where it is: the war was within the family."),
        "concession": _("{seat} takes a concession on {border}."),
        "freed": _("A {token} is freed and goes to {place}."),
        "coronation": _("{queen} marries the king of {empire}."),
        "trade_shift": _("Trade shifts: {emporium} opens, {closed} is busted."),
        "apostasy": _("Apostasy: {religions} cannot stand together. Condemned: {cards}."),
        "torch": _("A torch turns the {victory} victory face down."),
        "bishop": _("A {token} comes to {card}."),
        "agent": _("A {token} enters {place}."),
        "pirate": _("A pirate, a {token}, lies off {border}."),
        "diet": _("Diet of Worms: both bishops on {card} die."),
        "pacify": _("A {token} on {empire} is pacified."),
        "sell": _("{seat} sells {card} for {florins} florins."),
        "ability": _("{seat} uses {card}."),
        "ops": _("{seat} performs {side} ops."),
        "op": _("{card}: {op}, {target}."),
        "taxed": _("{seat} answers the tax in {empire}: {answer}."),
        "fair": _("{seat} convenes the {row} fair in {emporium} with {profits} profits."),
        "no_voyage": _("The only profit goes to the convener: there is no voyage."),
        "levy": _("{place} raises a {token}."),
        "paid": _("The concession on {border} earns {seat} {florins}."),
        "piracy": _("A pirate on {border} takes a florin."),
        "voyage_ends": _("The voyage ends."),
        "refresh": _("The market is refreshed: {east} cards are left in the east, {west} in the west."),
        "ruined": _("{seat} is ruined and leaves the game."),
        "end": _("The game is over ({ending}): {winners}."),
    }


SENTENCES = sentences(str)


class Named(dict[str, str]):
    """Facts in people's words."""

    def __init__(self, facts: Mapping[str, Any], _: Translate) -> None:
        super().__init__({key: words(fact, _) for key, fact in facts.items()})


def words(fact: Any, _: Translate = str) -> str:
    """A fact as people say it.

    >>> words(["PR064", "france"]), words(["border_france_hre", 2])
    ('Flanders Guild, France', 'France–Holy Roman Empire, 2')
    """
    if isinstance(fact, list):
        return ", ".join(words(one, _) for one in fact) or _("nobody")
    if fact in VICTORIES:
        return _(str(fact))
    return name_of(fact, _) if isinstance(fact, str) else str(fact)
