"""The action symbols of characters, advantage tiles and the action track (CF-17).

An action is a list: a word and its parameters, such as `["stone", "place", "catholic", "england"]`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from domain.games.column_of_fire import selling
from domain.games.column_of_fire.data import COUNTRIES, GOODS, HIGHEST, PACK, RULE, SPACE, VIOLET, Effect
from domain.games.column_of_fire.dice import remove, take_off, turn
from domain.games.column_of_fire.events import on_removal, turn_up
from domain.games.column_of_fire.legal import YES, YES_NO, Legal
from domain.games.column_of_fire.schema import PILES
from domain.games.column_of_fire.table import Column
from domain.games.column_of_fire.why import why_not
from domain.kernel import Ask, Draw, Rules

Action = list[Any]

UP, DOWN = "up", "down"


# -- what a symbol allows now --------------------------------------------------------------------------


def actions(t: Column, seat: str, effect: Effect) -> list[Action]:
    """Every way to carry a symbol out; none if it cannot be (CF-17.15)."""
    return ALLOWS[effect.op](t, seat, effect)


def _piles(t: Column) -> list[int]:
    """The piles a tile can be drawn from; spent tiles may come back when both are empty (A-27)."""
    return t.piles() or ([1] if t.options["advantage_reshuffle"] and t.zones["spent"] else [])


def _stones(t: Column, seat: str, effect: Effect) -> list[Action]:
    """CF-17.6: one stone shown, in one country: placed where a space is free, or removed where one lies."""
    ways: list[Action] = []
    for country in COUNTRIES:
        if "place" in effect.modes and not t.full(country):
            ways += [["stone", "place", kind, country] for kind in effect.kinds]
        if "remove" in effect.modes:
            ways += [["stone", "remove", kind, country] for kind in effect.kinds if kind in t.zones[f"stones:{country}"]]
    return ways


def _turns(t: Column, seat: str, effect: Effect) -> list[Action]:
    """CF-17.10: up or down by 1, never past the die's faces (A-26)."""
    ways: list[Action] = []
    for die in t.on_cards(seat):
        number = t.shows(seat, die) or 0
        if number < HIGHEST[die]:
            ways.append(["turn_die", die, UP])
        if number > 1:
            ways.append(["turn_die", die, DOWN])
    return ways


def _removable(t: Column, seat: str, effect: Effect) -> list[Action]:
    """CF-17.8: own characters and face-up ones; the one being taken does not lie on its deck any more. Never another's (A-28)."""
    tops = [t.face_up(country) for country in COUNTRIES if country != t.get("country")]
    return [["remove_character", card] for card in (*t.zones[f"display:{seat}"], *filter(None, tops))]


ALLOWS: dict[str, Callable[[Column, str, Effect], list[Action]]] = {
    "gain_good": lambda t, seat, effect: [["gain_good", effect.good]],
    "gain_advantage": lambda t, seat, effect: [["gain_advantage", pile] for pile in _piles(t)],
    "gain_any_good": lambda t, seat, effect: [["gain_good", good] for good in GOODS],
    "ship": lambda t, seat, effect: selling.ship_sales(t, seat, effect.country),
    "good_or_sell": lambda t, seat, effect: [["gain_good", effect.good], *selling.good_sales(t, seat, effect.good)],
    "stone": _stones,
    "advance": lambda t, seat, effect: [["advance"]],
    "remove_character": _removable,
    "neutral_stone": lambda t, seat, effect: [["neutral_stone", country] for country in COUNTRIES if not t.full(country)],
    "die_plus_minus_1": _turns,
    "sell_any_for_3": lambda t, seat, effect: selling.captain_sales(t, seat),
    "gain_vp": lambda t, seat, effect: [["gain_vp", effect.vp]],
    "gain_protection": lambda t, seat, effect: [["gain_protection"]],
    "remove_die": lambda t, seat, effect: [["remove_die", die] for die in t.on_cards(seat)],
    "choose_one": lambda t, seat, effect: [way for option in effect.options for way in actions(t, seat, option)],  # CF-6.10
    "final_vp": lambda t, seat, effect: [],  # CF-18.3
}


# -- carrying it out -----------------------------------------------------------------------------------


def act(t: Column, seat: str, action: Action) -> Rules:
    """Carry an action out."""
    yield from ACTS[action[0]](t, seat, *action[1:]) or ()


def use(t: Column, seat: str, key: str, effect: Effect, cite: str, **about: str) -> Rules:
    """A card or space may be used; one that can do nothing is not asked about (CF-17.15)."""
    options = actions(t, seat, effect)
    if not options:
        t.say("CF-17.15", **about)
        return
    choice = Legal(options, lambda answer: why_not(t, seat, effect, answer))
    action = yield Ask(seat, key, choice, cite, optional=True, about=about)
    if action is not None:
        t.say(cite, **about, used=action[0])
        yield from act(t, seat, action)


def gain_good(t: Column, seat: str, good: str) -> None:
    t.move(good, "box", f"goods:{seat}", cite=RULE["gain_good"])


def gain_advantage(t: Column, seat: str, number: int) -> Rules:
    """CF-17.2: one tile, face down, usable at once in this turn."""
    cite, pile = RULE["gain_advantage"], PILES[number - 1]
    if not t.piles():
        for tile in t.items("spent"):
            t.move(tile, "spent", pile, cite="A-27")
    tile = yield Draw(pile, "advantage_tile", cite)
    t.move(tile, pile, f"tiles:{seat}", cite=cite)
    t.set("quiet", None, cite=cite)  # whoever waived his windows did not know of this tile


def stone(t: Column, seat: str, mode: str, kind: str, country: str) -> None:
    if mode == "place":
        place_stone(t, kind, "box", country, RULE["stone"])
    else:
        t.move(kind, f"stones:{country}", "box", cite=RULE["stone"])


def place_stone(t: Column, kind: str, source: str, country: str, cite: str) -> None:
    """A stone on a free religion space; the last one brings the torch (CF-6.4)."""
    t.move(kind, source, f"stones:{country}", cite=cite)
    if t.full(country):
        t.say("CF-6.4", torch=country)


def advance(t: Column, seat: str) -> Rules:
    """CF-17.7: to the next unoccupied space, whatever its colour (A-11)."""
    yield from reach(t, seat, t.ahead(seat)[0], RULE["advance"])


def reach(t: Column, seat: str, space: str, cite: str) -> Rules:
    """The disc ends its movement: the space may be used (CF-8.5); with two or three players a ship brings a stone (CF-16.1)."""
    t.set(f"disc:{seat}", space, cite=cite)
    effect = SPACE[space].effect
    yield from use(t, seat, "use_space", effect, RULE[effect.op], space=space)
    bonus = SPACE[space].colour == VIOLET and PACK.players[len(t.seats)].violet_bonus_neutral
    if bonus and not t.full(effect.country):
        answer = yield Ask(seat, "place_bonus_neutral", YES_NO, "CF-16.1", about={"country": effect.country})
        if answer == YES:
            place_stone(t, "neutral", "box", effect.country, "CF-16.1")


def remove_character(t: Column, seat: str, card: str) -> Rules:
    """CF-17.8: an own character, or a deck's face-up one; then the next is turned up at once (A-08)."""
    cite = RULE["remove_character"]
    if card in t.zones[f"display:{seat}"]:
        remove(t, seat, card, cite)
        return
    country = next(country for country in COUNTRIES if t.face_up(country) == card)
    t.move(card, f"top:{country}", "removed", cite=cite)
    for kind in t.items(f"stone:{country}"):
        t.move(kind, f"stone:{country}", "box", cite=cite)
    yield from turn_up(t, country, on_removal)


def turn_die(t: Column, seat: str, die: str, way: str) -> None:
    turn(t, seat, die, 1 if way == UP else -1, RULE["die_plus_minus_1"])


def gain_protection(t: Column, seat: str) -> None:
    t.move("protection", "box", f"protection:{seat}", cite=RULE["gain_protection"])


ACTS: dict[str, Callable[..., Rules | None]] = {
    "gain_good": gain_good,
    "gain_advantage": gain_advantage,
    "sell": selling.sell,
    "stone": stone,
    "advance": advance,
    "remove_character": remove_character,
    "neutral_stone": lambda t, seat, country: place_stone(t, "neutral", "box", country, RULE["neutral_stone"]),
    "turn_die": turn_die,
    "sell_any_for_3": selling.captain,
    "gain_vp": lambda t, seat, vp: t.gain(seat, vp, RULE["gain_vp"]),
    "gain_protection": gain_protection,
    "remove_die": lambda t, seat, die: take_off(t, seat, die, RULE["remove_die"]),
}
