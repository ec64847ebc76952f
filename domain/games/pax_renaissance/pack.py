"""What a data pack holds, as typed objects."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

FILES = ("cards_base", "cards_expansion", "empires", "map", "ops", "pieces", "setup", "victory", "battle_table", "decisions")


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

    def __init__(self, folder: Path) -> None:
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
