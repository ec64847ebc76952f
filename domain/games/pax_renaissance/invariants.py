"""What must hold after every event: every token, card and florin is in exactly one place, and that place may hold it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from domain.games.pax_renaissance.data import (
    BANKS,
    BORDERS,
    CARDS,
    EMPIRES,
    EMPORIA,
    KIND,
    MAPS,
    PACK,
    SLOTS,
    START,
    TOKENS,
)
from domain.games.pax_renaissance.schema import cards_of
from domain.games.pax_renaissance.table import PaxTable

PURSES = ("money", "florins", "profits")
CARD_ZONES = ("deck", "next", "unused", "market", "hand", "maids", "discard", "east", "west", "on")


def invariants(t: PaxTable) -> list[str]:
    """What is broken on a whole table."""
    if t.get("turn") is None:
        return []  # still being set up
    held = [
        (zone, item, n)
        for zone, content in t.zones.items()
        if content
        for item, n in (content.items() if type(content) is dict else Counter(content).items())
    ]
    return [*_counts(t, held), *_homes(held), *_map(t), *_tableaus(t), *_turn(t)]


def _counts(t: PaxTable, held: list[tuple[str, str, int]]) -> Iterator[str]:
    found: Counter[str] = Counter()
    for _, item, n in held:
        found[item] += n
    banks = [t.bank(seat) for seat in t.seats]
    for token, n in TOKENS.items():
        expected = n if KIND[token] != "pawn" or token.partition(".")[2] in banks else 0
        if found[token] != expected:
            yield f"there are {found[token]} of {token}, not {expected}"
    for card in (*EMPIRES, *cards_of(t.options), *PACK.comets, *BANKS):
        if found[card] != 1:
            yield f"{card} is in {found[card]} places"
    for colour in ("black", "white"):
        if found[f"busted.{colour}"] != sum(of == colour for of in START.busted.values()):
            yield f"there are {found[f'busted.{colour}']} {colour} markers"


def _homes(held: list[tuple[str, str, int]]) -> Iterator[str]:
    """Nothing lies where it cannot lie."""
    for zone, item, n in held:
        sort, _, at = zone.partition(":")
        if item == "florin":
            fits = sort in PURSES
        elif item in BANKS:
            fits = sort in ("bank", "banks")
        elif item in CARDS:
            fits = sort in CARD_ZONES and (sort != "on" or (at in EMPIRES and CARDS[item].queen))
        elif item in EMPIRES:
            fits = sort in ("stack", "east", "west") or (sort == "on" and at in EMPIRES)
        elif item.startswith("busted"):
            fits = sort == "city" and EMPORIA.get(at) == item.partition(".")[2]
        else:
            fits = sort in HOMES[KIND[item]] and (KIND[item] == "bishop" or sort != "on" or at in EMPIRES)
        if not fits or (sort in ("city", "market", "next", "bank") and n > 1):
            yield f"{n} of {item} in {zone}"


HOMES = {
    "bishop": ("supply", "on"),
    "knight": ("supply", "on", "city", "camp"),
    "rook": ("supply", "on", "city", "border", "camp", "fleet"),
    "pawn": ("supply", "on", "border", "camp"),
}


def _map(t: PaxTable) -> Iterator[str]:
    for border in BORDERS.values():
        kinds = sorted(KIND[token] for token in t.items(f"border:{border.id}"))
        shared = t.options["expansion"] or t.options["extra_cards"]  # a cube a card protects from pirates
        if kinds not in ([], ["pawn"], ["rook"]) and not (shared and kinds == ["pawn", "rook"]):
            yield f"{kinds} on {border.id}"
        if "rook" in kinds and not border.sea:
            yield f"a pirate on the land border {border.id}"
    for slot in SLOTS.values():
        if t.total(f"city:{slot.id}") > 1:
            yield f"{t.items(f'city:{slot.id}')} in {slot.id}"
    for colour in ("black", "white"):
        open_ones = [city for city, of in EMPORIA.items() if of == colour and not t.busted(city)]
        if len(open_ones) != 1:
            yield f"open {colour} emporia: {open_ones}"
    for empire, card in MAPS.items():
        if t.map_side(empire) not in (card.start_side, card.other_side):
            yield f"{empire} shows {t.map_side(empire)}"


def _tableaus(t: PaxTable) -> Iterator[str]:
    spots = t.spots()
    for empire in EMPIRES:
        if (empire in spots) != (t.get(f"side:{empire}") is not None):
            yield f"{empire} has a side up and is not in play, or the other way round"
        if empire not in spots and t.zones[f"on:{empire}"]:
            yield f"{t.items(f'on:{empire}')} on {empire}, which is in the stack"
    for card, spot in spots.items():
        below = t.items(f"on:{card}")
        bishops = [item for item in below if KIND.get(item) == "bishop"]
        if len(bishops) > (card == spot.main):
            yield f"{bishops} on {card}"
        others = t.family(card)[1:]
        if others and (card != spot.main or not t.is_king(card)):
            yield f"{others} under {card}, which is no king or itself a vassal"
        if sum(other in CARDS for other in others) > 1:
            yield f"{card} has several queens"
    lost = [card for card in cards_of(t.options) if card not in spots and t.zones[f"on:{card}"]]
    if lost:
        yield f"something lies on {lost}, which are not in a tableau"


def _turn(t: PaxTable) -> Iterator[str]:
    idle = not t.get("ops") and not t.get("voyage")
    if idle and t.zones["profits"]:
        yield "profits without a voyage"
    if idle and t.get("actions") == START.actions_per_turn:
        for seat in t.seats:
            limit = t.hand_limit(seat)
            if limit is not None and t.total(f"hand:{seat}") > limit:
                yield f"{seat} holds {t.total(f'hand:{seat}')} cards"
        if t.zones["camp"] or t.zones["fleet"]:
            yield "somebody still stands beside the map"
    if t.get("ending") and not any(t.get(f"won:{seat}") for seat in t.seats):
        yield "the game has ended without a winner"
