"""The second half-year: roll, take a character, place a house (CF-6), turn up a card (CF-7), move the disc (CF-8)."""

from __future__ import annotations

from typing import Any

from domain.games.column_of_fire.data import CARDS, COUNTRIES, DECLINE, DICE, HOME, PACK, SKIP, SPACE, VIOLET
from domain.games.column_of_fire.events import one_a_turn, turn_up
from domain.games.column_of_fire.legal import YES, YES_NO, Legal
from domain.games.column_of_fire.schema import SPACES
from domain.games.column_of_fire.symbols import place_stone, reach, use
from domain.games.column_of_fire.table import Column
from domain.games.column_of_fire.why import why_not_move, why_not_take
from domain.games.column_of_fire.window import window
from domain.kernel import Ask, Roll, Rules


def roll(t: Column) -> Rules:
    """CF-6.1: all free dice are rolled, also by a player who means to decline (A-07)."""
    yield from window(t)
    seat = t.active
    dice = t.free(seat)
    if dice:
        numbers = yield Roll(len(dice), "free_dice", "CF-6.1", faces=PACK.faces[DICE[0]], seat=seat)
        t.say("CF-6.1", seat=seat, **dict(zip(dice, numbers, strict=True)))
        for die, number in zip(dice, numbers, strict=True):
            t.set(f"die:{seat}:{die}", number, cite="CF-6.1")
    return "choose"


def choose(t: Column) -> Rules:
    """CF-6.2: one of the dice rolled and a character, or declining for 1 VP (CF-14.1)."""
    yield from window(t)
    seat = t.active
    options = takes(t, seat)
    if not options:
        t.say("CF-14.1", seat=seat, unable=True)
        t.lose(seat, DECLINE, "CF-14.1")
        return "move"
    if t.vp(seat) >= DECLINE:
        options.append("decline")
    answer = yield Ask(seat, "take_character", Legal(options, lambda given: why_not_take(t, seat, given)), "CF-6.2")
    match answer:
        case ["take", die, country]:
            t.set("die", die, cite="CF-6.2")
            t.set("country", country, cite="CF-6.2")
            return "stone"
        case ["house_only", die, country]:  # CF-15.3: the die stays free
            if t.options["house_only_costs_vp"]:
                t.lose(seat, DECLINE, "A-23")
            put_house(t, seat, country, t.shows(seat, die) or 0, "CF-15.3")
        case _:
            t.pay(seat, DECLINE, "CF-14.1")
    return "move"


def takes(t: Column, seat: str) -> list[Any]:
    """Which die may be chosen for which country: to take its character, or for a house where the deck is used up."""
    take: list[Any] = []
    only: list[Any] = []
    for die in t.free(seat):
        number = t.shows(seat, die)
        if number is None:
            continue
        for country in COUNTRIES if die == VIOLET else (HOME[die],):
            if t.face_up(country):
                take.append(["take", die, country])
            elif t.house(country, seat) < number:
                only.append(["house_only", die, country])
    if take and t.options["house_only_costs_vp"] and t.vp(seat) < DECLINE:
        return take
    return take + only


def stone(t: Column) -> Rules:
    """CF-6.3: first the character's stone goes to the country, unless a protection tile keeps it away."""
    seat, country = t.active, t.get("country")
    source = f"stone:{country}"
    (kind,) = t.items(source)
    if t.full(country):
        t.move(kind, source, "box", cite="A-05")
        return "house"
    if t.protection(seat):
        answer = yield Ask(seat, "drop_stone_with_protection", YES_NO, "CF-6.3", about={"country": country, "stone": kind})
        if answer == YES:
            t.move("protection", f"protection:{seat}", "box", cite="CF-6.3")
            t.move(kind, source, "box", cite="CF-6.3")
            return "house"
    place_stone(t, kind, source, country, "CF-6.3")
    return "house"


def house(t: Column) -> Rules:
    """CF-6.5, CF-6.7: a house on the number of the die; an own one there may be raised, never lowered."""
    yield from window(t)
    seat, country = t.active, t.get("country")
    number, stands = t.shows(seat, t.get("die")) or 0, t.house(country, seat)
    if not stands:
        put_house(t, seat, country, number, "CF-6.5")
    elif stands < number:
        answer = yield Ask(seat, "upgrade_house", YES_NO, "CF-6.7", about={"country": country, "stands": stands, "number": number})
        if answer == YES:
            put_house(t, seat, country, number, "CF-6.7")
    else:
        t.say("CF-6.7", seat=seat, country=country, stays=stands)
    return "take"


def put_house(t: Column, seat: str, country: str, number: int, cite: str) -> None:
    """CF-6.6: whoever stands on the space moves one down, and so on; below 1 a house goes back to its owner."""
    spaces = dict(SPACES[country])
    if stands := t.house(country, seat):
        t.move(seat, spaces[stands], f"houses:{seat}", cite="A-04")  # lifted first: the old space counts as free
    pushed: list[tuple[str, int]] = []
    at = number
    while at in spaces and t.zones[spaces[at]]:
        pushed.append((next(iter(t.zones[spaces[at]])), at))
        at -= 1
    for other, old in reversed(pushed):
        t.move(other, spaces[old], spaces.get(old - 1, f"houses:{other}"), cite="CF-6.6")
    t.move(seat, f"houses:{seat}", spaces[number], cite=cite)


def take(t: Column) -> Rules:
    """CF-6.8, CF-6.9: the card comes to the right end of the display with the die on it, and may be used once."""
    yield from window(t)
    seat, die, country = t.active, t.get("die"), t.get("country")
    card = t.face_up(country)
    t.move(card, f"top:{country}", f"display:{seat}", cite="CF-6.8")
    t.move(die, f"free:{seat}", f"dice:{seat}", cite="CF-6.8")
    t.set("die", None, cite="CF-6.8")
    yield from use(t, seat, "use_character", CARDS[card].effect, "CF-6.9", card=card)
    return "reveal"


def reveal(t: Column) -> Rules:
    """CF-7.1: the next card of that deck is turned up."""
    yield from window(t)
    country = t.get("country")
    t.set("country", None, cite="CF-7.1")
    yield from turn_up(t, country, one_a_turn)
    return "move"


def move(t: Column) -> Rules:
    """CF-8.1: the disc must move with a free die, if one leads anywhere (CF-8.7, A-10)."""
    yield from window(t)
    seat = t.active
    ahead = t.ahead(seat)
    targets = {die: [space for space in ahead if SPACE[space].colour == die] for die in t.free(seat)}
    afford = min(PACK.max_skips, t.vp(seat) // SKIP)  # CF-8.3, CF-12.6
    options: list[Any] = [[die, skips] for die, spaces in targets.items() for skips in range(min(len(spaces), max(afford, 0) + 1))]
    if not options:
        t.say("CF-8.7", seat=seat)
        return "end_turn"
    die, skips = yield Ask(seat, "move_disc", Legal(options, lambda given: why_not_move(t, seat, given)), "CF-8.1")
    t.pay(seat, skips * SKIP, "CF-8.3")
    yield from reach(t, seat, targets[die][skips], "CF-8.1")
    return "end_turn"
