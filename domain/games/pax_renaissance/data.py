"""The cards, the map and the numbers of Pax Renaissance, made once from the data pack; and the check of any other pack."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from domain.games.pax_renaissance.pack import FILES, Pack

FOLDER = Path(__file__).parent / "data"

EAST, WEST = "east", "west"
SIDES = (WEST, EAST)
RELIGIONS = ("catholic", "islamic", "reformist")
PRESTIGE = ("catholic", "islamic", "reformist", "discovery", "law", "patron")
COLOURS = {"catholic": "white", "islamic": "black", "reformist": "red"}
KING, REPUBLIC = "king", "republic"
MEDIEVAL = "medieval"


def load(folder: Path = FOLDER) -> Pack:
    """A data pack out of a folder."""
    return Pack(folder)


def digest(folder: Path = FOLDER) -> str:
    """What a match pins: the same pack gives the same digest however its files are laid out."""
    raw = [msgspec.json.decode((folder / f"{name}.json").read_bytes()) for name in FILES]
    return hashlib.sha256(msgspec.json.encode(raw, order="sorted")).hexdigest()[:16]


PACK = load()
DIGEST = digest()

CARDS, EMPIRES, MAPS, BORDERS, CITIES, SLOTS = PACK.cards, PACK.empires, PACK.maps, PACK.borders, PACK.cities, PACK.slots
ROUTES, BANKS, TOKENS, START, VICTORIES, OPS = PACK.routes, PACK.banks, PACK.tokens, PACK.start, PACK.victories, PACK.ops

SLOTS_OF = {empire: [slot for slot in SLOTS.values() if slot.empire == empire] for empire in MAPS}
BORDERS_OF = {empire: [border for border in BORDERS.values() if empire in border.between] for empire in MAPS}
REGION = {empire: card.region for empire, card in MAPS.items()}
REGIONS = {f"the_{side}": [empire for empire in MAPS if REGION[empire] == side] for side in SIDES}
EMPORIA = {city.id: city.emporium for city in CITIES.values() if city.emporium}
ROW_OF = {"black": EAST, "white": WEST}
# What a token is, and of which religion; pawns have none (GL-RELIGION.1).
KIND = {token: token.partition(".")[0] for token in TOKENS}
FAITH = {token: "" if KIND[token] == "pawn" else token.partition(".")[2] for token in TOKENS}


def places(location: str) -> list[str]:
    """The empires a location means (GL-ORT.2).

    >>> places("the_east"), places("france")
    (['hungary', 'byzantium', 'ottoman', 'mamluk'], ['france'])
    """
    return REGIONS.get(location) or [location]


def shares(one: str, other: str) -> bool:
    """Whether two locations are the same place (GL-ORT.3).

    >>> shares("ottoman", "the_east"), shares("ottoman", "mamluk"), shares("the_west", "the_west")
    (True, False, True)
    """
    return one == other or one in REGIONS.get(other, ()) or other in REGIONS.get(one, ())


def name_of(item: str, _: Callable[[str], str] = str) -> str:
    """What people call a card, an empire, a border, a place, a token or a banker; `_` translates.

    >>> name_of("PR064"), name_of("border_aragon_france"), name_of("constantinople:2"), name_of("rook.islamic")
    ('Flanders Guild', 'Aragon–France', 'Constantinople', 'black rook')
    """
    if item in CARDS:
        return _(CARDS[item].name)
    if item in MAPS:
        return _(MAPS[item].name)
    if item in BORDERS:
        return "–".join(_(MAPS[empire].name) for empire in BORDERS[item].between)
    if item in SLOTS:
        name = CITIES[SLOTS[item].city].name
        return _(name.title() if name.isupper() else name)
    if item in REGIONS:
        return _(item.replace("_", " ").title())
    sort, of = item.partition(".")[::2]
    if sort in ("knight", "rook", "bishop"):
        return _(f"{COLOURS.get(of, of)} {sort}")
    if sort in ("pawn", "busted"):
        return (_("{bank} cube") if sort == "pawn" else _("{bank} marker")).format(bank=of.title())
    return _(item.replace("_", " ").title() if item in BANKS or item in VICTORIES else item)


# -- checking a pack -----------------------------------------------------------------------------------


def check(folder: Path) -> list[str]:
    """What is wrong with a data pack: missing files, dangling references, missing provenance, wrong counts."""
    missing = [f"{name}.json is missing" for name in FILES if not (folder / f"{name}.json").is_file()]
    if missing:
        return missing
    try:
        pack = load(folder)
    except (msgspec.MsgspecError, KeyError, TypeError, ValueError, StopIteration) as wrong:
        return [f"the pack cannot be read: {wrong}"]
    return [*_provenance(pack), *_references(pack), *_map(pack), *_counts(pack)]


def _provenance(pack: Pack) -> Iterator[str]:
    yield from (f"{name}.json does not say where it comes from" for name in FILES if not pack.raw[name].get("provenance"))
    for item in (*pack.cards.values(), *pack.empires.values(), *pack.cities.values()):
        if not item.provenance:
            yield f"{item.id} does not say where it comes from"
    for card in pack.cards.values():
        yield from (
            f"{card.id}: ability {ability.title!r} has no provenance" for ability in card.abilities if not ability.provenance
        )
    for place in pack.maps.values():
        if not place.start_side_provenance or not place.other_side_provenance:
            yield f"map card {place.id} does not say where its sides come from"


def _references(pack: Pack) -> Iterator[str]:
    locations = {*pack.maps, *REGIONS}
    for card in pack.cards.values():
        if card.deck not in SIDES:
            yield f"{card.id}: unknown deck {card.deck!r}"
        if card.location is None and card.suit not in ("queen", "comet"):
            yield f"{card.id} has no location"
        if card.location is not None and card.location not in locations:
            yield f"{card.id}: unknown location {card.location!r}"
        yield from (f"{card.id}: unknown suitor {empire!r}" for empire in card.suitors if empire not in pack.empires)
        yield from (f"{card.id}: unknown prestige {prestige!r}" for prestige in card.prestige if prestige not in PRESTIGE)
        if shot := card.one_shot:
            if shot.type not in pack.one_shots:
                yield f"{card.id}: unknown one-shot {shot.type!r}"
            if shot.emporium and shot.emporium not in pack.routes:
                yield f"{card.id}: unknown emporium {shot.emporium!r}"
            if shot.victory and shot.victory not in pack.victories:
                yield f"{card.id}: unknown victory {shot.victory!r}"
        for agent in card.agents:
            if agent.kind != "pawn" and agent.token("") not in pack.tokens:
                yield f"{card.id}: there is no token for its agent {agent.kind} {agent.religion}"
    faces = {f"{empire.id} ({side})": getattr(empire, side) for empire in pack.empires.values() for side in (KING, REPUBLIC)}
    for name, item in {**pack.cards, **faces}.items():
        names = [op.name for op in item.ops]
        yield from (f"{name}: unknown op {op.op!r}" for op in item.ops if op.op not in pack.ops)
        if len(set(names)) < len(names):
            yield f"{name} has the same op twice"


def _map(pack: Pack) -> Iterator[str]:
    if set(pack.maps) != set(pack.empires):
        yield "map cards and empires differ"
    for place in pack.maps.values():
        yield from (f"{place.id}: unknown city {city!r}" for city in place.cities if city not in pack.cities)
        yield from (f"{place.id}: unknown border {border!r}" for border in place.borders if border not in pack.borders)
        yield from (f"{place.id}: unknown neighbour {other!r}" for other in place.adjacent if other not in pack.maps)
        if sum(pack.cities[city].capital for city in place.cities if city in pack.cities) != 1:
            yield f"{place.id} has not exactly one capital"
    for border in pack.borders.values():
        if any(border.id not in pack.maps[end].borders for end in border.between if end in pack.maps):
            yield f"{border.id} is not listed by the map cards it lies between"
    for slot in pack.slots.values():
        side = pack.maps[slot.empire]
        yield from (
            f"{slot.id} has no symbol on the {face} side" for face in (side.start_side, side.other_side) if face not in slot.levies
        )
        yield from (f"{slot.id}: unknown levy {token!r}" for token in slot.levies.values() if token not in pack.tokens)
    for route in pack.routes.values():
        if route.emporium not in pack.cities:
            yield f"unknown emporium {route.emporium!r}"
        for stop in route.path:
            if (stop.map_card or stop.border) not in {*pack.maps, *pack.borders}:
                yield f"route of {route.emporium}: unknown stop {stop}"
            if stop.border in pack.borders and not pack.borders[stop.border].sea:
                yield f"route of {route.emporium} crosses the land border {stop.border}"
    yield from (
        f"start token in unknown place {token.place!r}" for token in pack.start.start_tokens if token.place not in pack.slots
    )
    yield from (f"{bank.id}: unknown border {bank.border!r}" for bank in pack.banks.values() if bank.border not in pack.borders)


def _counts(pack: Pack) -> Iterator[str]:
    counts = pack.raw["pieces"]["card_counts"]
    for deck in SIDES:
        found = sum(card.deck == deck for card in (*pack.base.values(), *pack.comets.values()))
        if found != counts[deck]:
            yield f"the {deck} deck has {found} cards, not {counts[deck]}"
        comets = sum(card.deck == deck for card in pack.comets.values())
        if comets != pack.start.deck.comets_per_deck:
            yield f"the {deck} deck has {comets} comets, not {pack.start.deck.comets_per_deck}"
    expected = {
        "empire": pack.empires,
        "map": pack.maps,
        "player": pack.banks,
        "victory": pack.victories,
        "expansion": pack.expansion,
    }
    for what, found_cards in expected.items():
        if len(found_cards) != counts[what]:
            yield f"there are {len(found_cards)} {what} cards, not {counts[what]}"
    if len(pack.cards) != sum(len(some) for some in (pack.base, pack.comets, pack.expansion, pack.promos)):
        yield "a card id is used twice"
    for token, n in pack.tokens.items():
        used = sum(start.token == token for start in pack.start.start_tokens)
        if used > n:
            yield f"{used} of {token} stand on the map at the start, but there are only {n}"
