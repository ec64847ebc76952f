"""Why an answer is refused: the rule that forbids it, in words. Runs only after a refusal, on any answer whatever."""

from __future__ import annotations

from typing import Any

from domain.games.column_of_fire.data import (
    BUYERS,
    COUNTRIES,
    DICE,
    HIGHEST,
    HOME,
    PRICE,
    SKIP,
    SPACE,
    TAKE_OFF,
    TILES,
    VIOLET,
    Effect,
)
from domain.games.column_of_fire.table import Column


def why_not(t: Column, seat: str, effect: Effect, answer: Any) -> str | None:
    """Against an action of a symbol."""
    if effect.op == "choose_one" and isinstance(answer, list) and any(isinstance(part, list) for part in answer):
        return "only one of the two symbols may be used each time (CF-6.10)"
    match answer:
        case ["sell", *sold]:
            return _sale(t, seat, effect, sold)
        case ["sell_any_for_3", str(good), *_]:
            return _captain(t, seat, good)
        case ["stone", str(mode), str(kind), str(country)]:
            return _stone(t, effect, mode, kind, country)
        case ["neutral_stone", str(country)] if country in COUNTRIES and t.full(country):
            return _full(country)
        case ["neutral_stone", *_]:
            return "the symbol places one neutral stone in a country and never removes one (CF-17.9)"
        case ["turn_die", str(die), str(way)]:
            return _turn(t, seat, die, way)
        case ["remove_die", str(die)]:
            return _off_a_card(t, seat, die)
        case ["remove_character", str(card)]:
            return _removal(t, seat, card)
        case ["gain_good", str(good)]:
            return f"this symbol does not give {good} (CF-17.1)"
        case ["gain_advantage", *_]:
            return "a tile is drawn from a pile that holds one (CF-17.2)"
    return None


def _full(country: str) -> str:
    return f"no religion space is free in {country}, so no stone can be added there (CF-11.3)"


def _sale(t: Column, seat: str, effect: Effect, sold: list[Any]) -> str:
    pairs = [tuple(sale.split("@")) for sale in sold if isinstance(sale, str) and sale.count("@") == 1]
    if len(pairs) < len(sold) or not sold:
        return "a sale is written good@country (CF-10.2)"
    for good, country in pairs:
        if (good, country) not in PRICE:
            return f"{country} does not buy {good} (CF-1.7)"
        if (effect.country or country) != country or (effect.good or good) != good:
            return f"{good} cannot be sold in {country} from this space ({'CF-10.4' if effect.country else 'CF-10.5'})"
        if not t.house(country, seat):
            return f"without a house in {country} nothing can be sold there (CF-10.1)"
        if pairs.count((good, country)) > 1 or f"{good}@{country}" in t.zones["sold"]:
            return f"only one {good} a turn can be sold in {country} (CF-10.3)"
        if [kind for kind, _ in pairs].count(good) > t.count(f"goods:{seat}", good):
            return f"there is not enough {good} to sell (CF-10.2)"
    return "name the sales in the order of the options (CF-10.2)"


def _captain(t: Column, seat: str, good: str) -> str:
    if good not in BUYERS:
        return f"there is no good {good} (CF-10.6)"
    if not t.count(f"goods:{seat}", good):
        return f"there is no {good} to sell (CF-10.6)"
    if not any(t.house(country, seat) for country in BUYERS[good]):
        return f"selling {good} needs a house in {' or '.join(BUYERS[good])} (CF-10.6)"
    return f"{good} was sold there this turn already (CF-10.3, A-12)"


def _stone(t: Column, effect: Effect, mode: str, kind: str, country: str) -> str | None:
    if country not in COUNTRIES:
        return None
    if kind not in (effect.kinds or ("neutral",)):
        return f"this symbol does not show a {kind} stone (CF-17.6)"
    if effect.op == "neutral_stone":
        return "the symbol places one neutral stone and never removes one (CF-17.9)"
    if mode == "place" and t.full(country):
        return _full(country)
    return f"no {kind} stone lies in {country} (CF-17.6)" if mode == "remove" else None


def _turn(t: Column, seat: str, die: str, way: str) -> str | None:
    if die not in HIGHEST or way not in ("up", "down"):
        return None
    if missing := _off_a_card(t, seat, die):
        return missing.replace("CF-1.3", "CF-17.10")
    if way == "up":
        return f"the {die} die shows {HIGHEST[die]} and cannot be turned up (CF-17.10, A-26)"
    return f"the {die} die shows 1 and cannot be turned down (CF-17.10, A-26)"


def _off_a_card(t: Column, seat: str, die: str) -> str | None:
    return None if die in t.on_cards(seat) else f"no {die} die of yours lies on a card (CF-1.3)"


def _removal(t: Column, seat: str, card: str) -> str:
    for other in t.seats:
        if other != seat and card in t.zones[f"display:{other}"]:
            return f"{card} lies in {other}'s display; only own or face-up characters can be removed (CF-17.8, A-28)"
    return f"{card} is neither in your display nor face up on a deck (CF-17.8)"


# -- other questions -----------------------------------------------------------------------------------


def why_not_take(t: Column, seat: str, answer: Any) -> str | None:
    """Against the choice of a die and a character."""
    match answer:
        case "decline":
            return "declining costs 1 VP, and nobody may go below 0 of his own will (CF-12.6, A-20)"
        case ["take" | "house_only", str(die), str(country)] if die in DICE and country in COUNTRIES:
            if die not in t.zones[f"free:{seat}"]:
                return f"the {die} die lies on a card and cannot be used (CF-1.3)"
            if t.shows(seat, die) is None:
                return f"the {die} die was freed after the roll and has no number this turn (CF-6.2, A-06)"
            if die != VIOLET and HOME[die] != country:
                return f"the {die} die stands for {HOME[die]} only (CF-6.2)"
            if answer[0] == "take":
                return f"no character can be taken in {country}, its deck is used up (CF-15.3)"
            if not t.used_up(country):
                return f"{country} has a character to take (CF-15.3)"
            return "a die is chosen for a house only where it really places or raises one, and can be paid for (A-23)"
    return None


def why_not_move(t: Column, seat: str, answer: Any) -> str | None:
    """Against a move of the disc."""
    match answer:
        case None | "stay":
            return "with a free die the disc must move (CF-8.1)"
        case [str(die), int(skips)] if die in DICE:
            if die not in t.zones[f"free:{seat}"]:
                return f"the {die} die lies on a card and cannot move the disc ({'CF-8.8' if die == VIOLET else 'CF-1.3'})"
            targets = [space for space in t.ahead(seat) if SPACE[space].colour == die]
            if not targets:
                return f"no {die} space can be reached (CF-8.4, A-10)"
            if skips >= len(targets):
                return f"only {len(targets)} {die} spaces lie ahead, and the disc never ends where it began (CF-8.4)"
            if skips * SKIP > t.vp(seat):
                return f"leaving out {skips} spaces costs {skips * SKIP} VP (CF-12.6)"
            return "0 to 3 spaces may be left out (CF-8.3)"
    return None


def why_not_now(t: Column, seat: str, answer: Any) -> str | None:
    """Against something between two steps."""
    match answer:
        case ["spend", str(tile)]:
            if tile not in t.zones[f"tiles:{seat}"]:
                return f"{tile} is not among your tiles (CF-18.1)"
            if not TILES[tile].spendable:
                return "VP tiles count at the end of the game and can never be spent (CF-18.3)"
            return f"{tile} could do nothing now (CF-17.15)"
        case ["remove_die", str(die)]:
            if missing := _off_a_card(t, seat, die):
                return missing
            if t.vp(seat) < TAKE_OFF:
                return f"taking a die off costs {TAKE_OFF} VP (CF-12.6)"
            return "no more dice may be taken off for VP this turn (CF-14.2, A-21)"
    return None
