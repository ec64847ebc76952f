"""The chronicle: sentences from what the rules stated aloud. Nothing hidden is ever stated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from domain.games.generalship.data import NATIONS, TILES
from domain.kernel import Event

Translate = Callable[[str], str]
Template = Callable[[Translate, dict[str, Any]], str]


def many(one: Callable[[Translate], str], more: Callable[[Translate], str]) -> Template:
    """A sentence for one and a sentence for more of them."""
    return lambda _, facts: one(_) if facts["n"] == 1 else more(_)


SENTENCES: dict[str, Template] = {
    # set-up
    "nation": lambda _, f: _("The seat {seat} takes {who}."),
    "laid": lambda _, f: _("{tile} is laid into the neutral area."),
    "commander": lambda _, f: _("{who} appoints {general} commander."),
    # turns
    "tile": lambda _, f: _("Turn {turn}: {who} takes the {tile} tile."),
    "produces": lambda _, f: _("{who} produces {food} food and {metal} metal."),
    "give_food": lambda _, f: _("{who} exchanges {food} food for {metal} metal."),
    "give_metal": lambda _, f: _("{who} exchanges {metal} metal for {food} food."),
    "grows": lambda _, f: _("{who} grows by {n} population.") if f["n"] else _("{who} does not grow."),
    "draws_generals": many(lambda _: _("{who} draws a general card."), lambda _: _("{who} draws {n} general cards.")),
    "power": lambda _, f: _("{who} raises political power to {n}."),
    "draws_technology": many(lambda _: _("{who} draws a technology card."), lambda _: _("{who} draws {n} technology cards.")),
    "develops": lambda _, f: _("{who} develops {technology}."),
    "develops_free": lambda _, f: _("The Renaissance brings {technology} to {who}, without points."),
    "points": many(
        lambda _: _("{who} scores a victory point and has {total}."),
        lambda _: _("{who} scores {n} victory points and has {total}."),
    ),
    # events
    "event": lambda _, f: _("An event: {event}."),
    "dismissed": lambda _, f: _("{who} loses the commander {general}."),
    "loses_power": lambda _, f: _("{who} loses a PP card and has {n} left."),
    "plague_people": lambda _, f: _("The plague takes {n} population from {who}."),
    "plague_units": lambda _, f: _("The plague takes {n} units from {who}."),
    # alliances
    "put": lambda _, f: _("{who} puts the cube of {whom} into alliance space {space}."),
    "take": lambda _, f: _("{who} pays a PP card and takes the cube of {whom} out of alliance space {space}."),
    "allied": lambda _, f: _("{who} and {whom} are allies now."),
    "parted": lambda _, f: _("{by} ends the alliance of {who} and {whom}, at a price of {cost} PP in all."),
    "guest_leaves": lambda _, f: _("{who} has to leave {tile}, a guest no longer."),
    # levy
    "levies": lambda _, f: _("{who} levies {unit} on {tile}."),
    "modernises": lambda _, f: _("{who} modernises {old} to {new} on {tile}."),
    # march
    "marches": many(
        lambda _: _("{who} marches with a regiment from {origin} to {tile}."),
        lambda _: _("{who} marches with {n} regiments from {origin} to {tile}."),
    ),
    "sails": many(
        lambda _: _("{who} sails with a squadron from {origin} to {tile}."),
        lambda _: _("{who} sails with {n} squadrons from {origin} to {tile}."),
    ),
    "leaves_port": lambda _, f: _("A squadron of {who} leaves port from {origin} to {tile} with {n} regiments."),
    "enters_port": lambda _, f: _("A squadron of {who} enters port from {origin} on {tile}."),
    "lands": lambda _, f: _("{who} lands {n} regiments on {tile}."),
    "boards": lambda _, f: _("{who} embarks {n} regiments from {origin} on {tile}."),
    "era": lambda _, f: _("The war paradigm moves on: the era of {era}."),
    # battle
    "attacks": lambda _, f: _("{who} attacks {whom} on {tile}."),
    "reinforces": many(lambda _: _("{who} reinforces {tile} with a unit."), lambda _: _("{who} reinforces {tile} with {n} units.")),
    "forces": lambda _, f: _("{who} gives up a PP card and forces {whom} to withdraw."),
    "dealt": lambda _, f: _("{who} gets {basic} basic and {advanced} advanced tactic cards."),
    "swaps_cards": many(
        lambda _: _("{who} exchanges a card for a basic one."), lambda _: _("{who} exchanges {n} cards for basic ones.")
    ),
    "plays": lambda _, f: _("{who} plays {card}."),
    "ambush_succeeds": lambda _, f: _("The ambush of {who} succeeds."),
    "ambush_fails": lambda _, f: _("The ambush of {who} fails."),
    "lays_down": lambda _, f: _("{who} lays down {units}; cards: {cards}.") if f["units"] else _("{who} lays down no units."),
    "fight": lambda _, f: (
        _("{who} attacks with {atk}, {whom} defends with {dfn}.")
        if f["style"] == "land"
        else _("{who} attacks with {atk}, {whom} defends with {dfn} ({style}).")
    ),
    "loses": lambda _, f: _("{who} loses {units}."),
    "drowned": lambda _, f: _("{n} regiments of {who} drown."),
    "retreats": lambda _, f: _("{who} retreats to {tile}."),
    "lost_in_retreat": lambda _, f: _("{n} units of {who} find no way of retreat and are lost."),
    "wins": lambda _, f: _("{who} wins the battle against {whom}."),
    # scoring
    "scoring": lambda _, f: _("Scoring phase {cycle}."),
    "disbands": lambda _, f: _("{who} disbands {n} units."),
    "pays": lambda _, f: _("{who} pays {food} food for upkeep."),
    "helps": lambda _, f: _("{who} pays {food} food for the upkeep of {whom}."),
    "order": lambda _, f: _("The player order is now: {order}."),
    # the end
    "ten_points": lambda _, f: _("{who} has ten victory points: the game is over."),
    "capital": lambda _, f: _("The capital of {whom} is in the hands of {who}: the game is over."),
    "swap": lambda _, f: _("{who} swaps victory points with {whom}."),
}

# Facts that are names to be translated, and facts that are the names of tiles.
NAMES = ("who", "whom", "by", "general", "technology", "event", "unit", "old", "new", "card", "era", "style")
PLACES = ("tile", "origin")


def tell(event: Event, _: Translate) -> list[str]:
    """What happened, in the order in which it was stated."""
    return [
        SENTENCES[facts["told"]](_, facts).format(**{name: word(name, fact, _) for name, fact in facts.items() if name != "told"})
        for facts in (cite.facts for cite in event.cites)
        if facts.get("told") in SENTENCES
    ]


def word(name: str, fact: Any, _: Translate) -> Any:
    if name in PLACES and fact in TILES:
        return place(fact, _)
    if name in NAMES or name == "tile":
        return _(NATIONS[fact].name if fact in NATIONS else fact)
    if name == "order":
        return ", ".join(word("who", seat, _) for seat in fact.split(", "))
    return _(fact) if isinstance(fact, str) else fact


def place(tile: str, _: Translate) -> str:
    """A tile as players call it: its name and what it is."""
    return f"{tile} ({_(TILES[tile].terrain)})"
