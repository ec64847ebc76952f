"""The cards, the map and the numbers of Pax Renaissance as typed objects, made once from the data pack."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

FOLDER = Path(__file__).parent / "data"
FILES = ("cards_base", "cards_expansion", "empires", "map", "ops", "pieces", "setup", "victory", "battle_table", "decisions")

EAST, WEST = "east", "west"
SIDES = (WEST, EAST)
RELIGIONS = ("catholic", "islamic", "reformist")
PRESTIGE = ("catholic", "islamic", "reformist", "discovery", "law", "patron")
COLOURS = {"catholic": "white", "islamic": "black", "reformist": "red"}
KING, REPUBLIC = "king", "republic"
MEDIEVAL = "medieval"


class Op(msgspec.Struct, frozen=True):
    """One op symbol: what it does, and the religion, row, side or kinds of token it names."""

    op: str
    religion: str = ""
    row: str = ""
    side: str = ""
    kinds: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """How a player calls it, unique on a card.

        >>> Op("commerce", row="west").name, Op("siege").name
        ('commerce.west', 'siege')
        """
        detail = self.religion or self.row or self.side
        return f"{self.op}.{detail}" if detail else self.op


class Agent(msgspec.Struct, frozen=True):
    """A token that a card brings into play; a pawn is the active player's."""

    kind: str
    religion: str | None = None

    def token(self, bank: str) -> str:
        """The piece it is: a pirate is a rook (GL-PIRAT.1), a pawn has its banker's colour.

        >>> Agent("pirate", "islamic").token("fugger"), Agent("pawn").token("fugger")
        ('rook.islamic', 'pawn.fugger')
        """
        return f"pawn.{bank}" if self.kind == "pawn" else f"{'rook' if self.kind == 'pirate' else self.kind}.{self.religion}"


class OneShot(msgspec.Struct, frozen=True):
    """The event a card may set off when it is played."""

    type: str
    war: str = ""
    religion: str = ""
    emporium: str = ""
    religions: tuple[str, ...] = ()
    victory: str = ""

    @property
    def name(self) -> str:
        """A religious war goes by its own name."""
        return self.war or self.type


class Ability(msgspec.Struct, frozen=True):
    """A lasting power of a card while it is in a tableau and not silenced."""

    title: str
    text: str
    effect: dict[str, Any]
    provenance: str = ""


class Torch(msgspec.Struct, frozen=True):
    """Which victory a torch brings into disrepute."""

    victory: str


class Card(msgspec.Struct, frozen=True, dict=True):
    """A tableau card or a comet."""

    id: str
    name: str
    deck: str
    suit: str
    provenance: tuple[str, ...] = ()
    location: str | None = None
    agents: tuple[Agent, ...] = ()
    ops: tuple[Op, ...] = ()
    prestige: tuple[str, ...] = ()
    one_shot: OneShot | None = None
    suitors: tuple[str, ...] = ()
    abilities: tuple[Ability, ...] = ()
    torch: Torch | None = None
    in_expansion60: bool = True

    @property
    def comet(self) -> bool:
        return self.suit == "comet"

    @property
    def queen(self) -> bool:
        return self.suit == "queen"

    @cached_property
    def effects(self) -> dict[str, dict[str, Any]]:
        """Its abilities by the name of their effect."""
        return {ability.effect["effect"]: ability.effect for ability in self.abilities}


class Face(msgspec.Struct, frozen=True):
    """One side of an empire card."""

    name: str
    ops: tuple[Op, ...]
    prestige: tuple[str, ...]


class EmpireCard(msgspec.Struct, frozen=True):
    """An empire card: a King on one side, a Republic on the other."""

    id: str
    region: str
    king: Face
    republic: Face
    provenance: tuple[str, ...] = ()


class MapCard(msgspec.Struct, frozen=True):
    """A map card with its two sides."""

    id: str
    name: str
    region: str
    row: str
    column: int
    start_side: str
    other_side: str
    cities: tuple[str, ...]
    borders: tuple[str, ...]
    adjacent: tuple[str, ...]
    start_side_provenance: str = ""
    other_side_provenance: str = ""

    def flipped(self, side: str) -> str:
        return self.other_side if side == self.start_side else self.start_side


class Border(msgspec.Struct, frozen=True):
    """The gap between two map cards; a trade route crosses a sea border."""

    id: str
    between: tuple[str, str]
    sea: bool


class Symbol(msgspec.Struct, frozen=True):
    """A city symbol: the levy raised there."""

    kind: str
    religion: str

    @property
    def token(self) -> str:
        return f"{self.kind}.{self.religion}"


class CitySlot(msgspec.Struct, frozen=True):
    """One of several places in a city, with a symbol of its own."""

    slot: int
    levy_by_side: dict[str, Symbol]


class City(msgspec.Struct, frozen=True):
    """A city of a map card."""

    id: str
    name: str
    map_card: str
    capital: bool
    capacity: int
    emporium: str | None = None
    levy_by_side: dict[str, Symbol] = {}
    slots: tuple[CitySlot, ...] = ()
    provenance: tuple[str, ...] = ()


class Slot(msgspec.Struct, frozen=True):
    """A place for one token: a city, or one of Constantinople's three places; `spare` is one only an ability opens."""

    id: str
    city: str
    empire: str
    levies: dict[str, str]
    spare: bool = False


class Stop(msgspec.Struct, frozen=True):
    """A stop of a voyage: a map card or a border."""

    map_card: str = ""
    border: str = ""


class Route(msgspec.Struct, frozen=True):
    """A trade route from its emporium to the arrow head."""

    emporium: str
    colour: str
    fair: str
    path: tuple[Stop, ...]


class Bank(msgspec.Struct, frozen=True):
    """A player card."""

    id: str
    colour: str
    concession: str
    border: str
    always_starts: bool = False


class StartToken(msgspec.Struct, frozen=True):
    """A token on the map at the start."""

    city: str
    kind: str
    religion: str
    slot: int | None = None

    @property
    def place(self) -> str:
        return self.city if self.slot is None else f"{self.city}:{self.slot}"

    @property
    def token(self) -> str:
        return f"{self.kind}.{self.religion}"


class Deck(msgspec.Struct, frozen=True):
    """How a deck is built."""

    bottom_cards: int
    comets_per_deck: int
    top_cards_per_player: int


class Start(msgspec.Struct, frozen=True):
    """The numbers of setup.json."""

    players: tuple[int, ...]
    start_florins: tuple[int, ...]
    deck: Deck
    market_columns: int
    fair_bonus: dict[int, int]
    imperial_margin: dict[int, int]
    hand_limit: int
    actions_per_turn: int
    busted: dict[str, str]
    start_tokens: tuple[StartToken, ...]
    options: tuple[dict[str, Any], ...]
    switches: tuple[dict[str, Any], ...]

    @property
    def transferred(self) -> int:
        """How many cards the expert variant moves (N1)."""
        return next(option["west_to_east"] for option in self.options if option["id"] == "expert")


class Victory(msgspec.Struct, frozen=True):
    """A victory card."""

    id: str
    rule: str
    title: str


class OpSort(msgspec.Struct, frozen=True):
    """What ops.json says of a kind of op."""

    id: str
    rule: str
    kind: str = msgspec.field(name="class")
    usable_when_silenced: bool = False


class Pack:
    """A data pack, ready to use."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self.raw = {name: msgspec.json.decode((folder / f"{name}.json").read_bytes()) for name in FILES}
        raw = self.raw
        base = msgspec.convert(raw["cards_base"]["cards"], list[Card])
        comets = msgspec.convert(raw["cards_base"]["comets"], list[Card])
        extra = msgspec.convert(raw["cards_expansion"]["cards"], list[Card])
        self.base = {card.id: card for card in base}
        self.comets = {card.id: card for card in comets}
        self.expansion = {card.id: card for card in extra if card.in_expansion60}
        self.promos = {card.id: card for card in extra if not card.in_expansion60}
        self.cards = {**self.base, **self.comets, **self.expansion, **self.promos}
        self.empires = _by_id(msgspec.convert(raw["empires"]["empires"], list[EmpireCard]))
        self.maps = _by_id(msgspec.convert(raw["map"]["map_cards"], list[MapCard]))
        self.borders = _by_id(msgspec.convert(raw["map"]["borders"], list[Border]))
        self.cities = _by_id(msgspec.convert(raw["map"]["cities"], list[City]))
        self.routes = {route.emporium: route for route in msgspec.convert(raw["map"]["routes"], list[Route])}
        self.banks = _by_id(msgspec.convert(raw["pieces"]["banks"], list[Bank]))
        self.tokens = dict(_tokens(raw["pieces"]["tokens"], self.banks))
        self.start = msgspec.convert(raw["setup"], Start, strict=False)
        self.victories = _by_id(msgspec.convert(raw["victory"]["victories"], list[Victory]))
        self.ops = _by_id(msgspec.convert(raw["ops"]["ops"], list[OpSort]))
        self.one_shots = [one["id"] for one in raw["ops"]["one_shots"]]
        self.slots = {slot.id: slot for city in self.cities.values() for slot in _slots(city, self.cards)}


def _by_id(items: list[Any]) -> dict[str, Any]:
    return {item.id: item for item in items}


def _tokens(counts: dict[str, Any], banks: dict[str, Bank]) -> Iterator[tuple[str, int]]:
    for kind in ("bishop", "knight", "rook"):
        for religion, n in counts[kind].items():
            yield f"{kind}.{religion}", n
    for bank in banks:
        yield f"pawn.{bank}", counts["pawn_per_bank"]


def _slots(city: City, cards: dict[str, Card]) -> Iterator[Slot]:
    if not city.slots:
        yield Slot(city.id, city.id, city.map_card, {side: symbol.token for side, symbol in city.levy_by_side.items()})
    for one in city.slots:
        levies = {side: symbol.token for side, symbol in one.levy_by_side.items()}
        yield Slot(f"{city.id}:{one.slot}", city.id, city.map_card, levies)
    if any(card.effects.get("city_capacity", {}).get("city") == city.id for card in cards.values()):
        levies = {side: symbol.token for side, symbol in city.levy_by_side.items()}
        yield Slot(f"{city.id}:2", city.id, city.map_card, levies, spare=True)


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


def name_of(item: str) -> str:
    """What people call a card, an empire, a border, a place, a token or a banker.

    >>> name_of("PR064"), name_of("border_aragon_france"), name_of("constantinople:2"), name_of("rook.islamic")
    ('Flanders Guild', 'Aragon–France', 'Constantinople', 'black rook')
    """
    if item in CARDS:
        return CARDS[item].name
    if item in MAPS:
        return MAPS[item].name
    if item in BORDERS:
        return "–".join(MAPS[empire].name for empire in BORDERS[item].between)
    if item in SLOTS:
        name = CITIES[SLOTS[item].city].name
        return name.title() if name.isupper() else name
    if item in REGIONS:
        return item.replace("_", " ").title()
    sort, _, of = item.partition(".")
    if sort in ("knight", "rook", "bishop"):
        return f"{COLOURS.get(of, of)} {sort}"
    if sort in ("pawn", "busted"):
        return f"{of.title()} {'cube' if sort == 'pawn' else 'marker'}"
    return item.replace("_", " ").title() if item in BANKS or item in VICTORIES else item


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
