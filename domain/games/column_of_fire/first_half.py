"""The first half-year: dice are turned down and characters used (CF-5)."""

from __future__ import annotations

from domain.games.column_of_fire.data import BLACK, CARDS
from domain.games.column_of_fire.dice import release, remove, roll_again, turn
from domain.games.column_of_fire.symbols import use
from domain.games.column_of_fire.table import Column
from domain.games.column_of_fire.window import window
from domain.kernel import Rules


def turn_down(t: Column) -> Rules:
    """CF-5.2: the next die of the active player is turned down by 1, or expires if it shows 1."""
    yield from window(t)
    seat, rest = t.active, t.zones["to_turn_down"]
    prison, display = t.zones[f"prison:{seat}"], t.zones[f"display:{seat}"]
    while rest:
        place = rest[-1]
        t.move(place, "to_turn_down", "box", cite="CF-5.1")
        if place == BLACK:
            yield from religion_die(t, seat)
            break
        if place in prison:
            loch_leven_die(t, seat, place)
            break
        if place in display:  # a card that has been removed meanwhile is skipped
            yield from character_die(t, seat, place)
            break
    return "turn_down" if rest else "end_turn"


def loch_leven_die(t: Column, seat: str, die: str) -> None:
    if t.shows(seat, die) == 1:
        release(t, seat, die, "CF-5.7")
    else:
        turn(t, seat, die, -1, "CF-5.2")


def religion_die(t: Column, seat: str) -> Rules:
    if t.shows(seat, BLACK) == 1:
        yield from roll_again(t, seat, "CF-5.3")
    else:
        turn(t, seat, BLACK, -1, "CF-5.2")  # CF-5.4


def character_die(t: Column, seat: str, card: str) -> Rules:
    die = t.die_of(seat, card)
    if t.shows(seat, die) == 1:
        remove(t, seat, card, "CF-5.5")  # without being used
        return
    turn(t, seat, die, -1, "CF-5.2")
    yield from use(t, seat, "use_character", CARDS[card].effect, "CF-5.6", card=card)
