"""The types of a data pack."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct


class Price(Struct, frozen=True):
    """Food and metal."""

    food: int = 0
    metal: int = 0


class Value(Struct, frozen=True):
    """What a unit or card adds to an attack and to a defence."""

    atk: int = 0
    dfn: int = msgspec.field(name="def", default=0)


class Unit(Struct, frozen=True):
    """A type of regiment or squadron."""

    id: str
    kind: str = msgspec.field(name="class")
    count: int
    cost: Price
    technology: str | None
    land: Value | None
    naval: dict[str, Value | None]
    loss_def: dict[str, int]
    mp: int
    upkeep_size: float

    @property
    def name(self) -> str:
        return self.id.replace("_", " ")


class Modernisation(Struct, frozen=True):
    """One line of the technology tree along which a unit is modernised."""

    old: str = msgspec.field(name="from")
    new: str = msgspec.field(name="to")
    difference: Price


class Circle(Struct, frozen=True):
    """A numbered place for one population."""

    id: str
    number: int
    tile: str
    yields: Price
    exchange: Price | None = None


class GrowthException(Struct, frozen=True):
    """A population at which growth brings a fixed gain."""

    population: int
    gain: int


class Nation(Struct, frozen=True):
    """A nation with its three tiles and its population circles."""

    id: str
    name: str
    colour: str
    max_population: int
    start_order: int
    tiles: list[str]
    growth_exception: GrowthException | None
    circles: list[Circle]

    @property
    def capital(self) -> str:
        return self.tiles[0]


class Tile(Struct, frozen=True):
    """A hexagon of the map."""

    id: str
    kind: str
    terrain: str
    fortress: bool
    resources: Price
    exchange: Price | None
    growth: int | None
    capital: bool
    nation: str | None

    @property
    def sea(self) -> bool:
        return self.terrain == "sea"

    @property
    def port(self) -> bool:
        """Ships and boarding regiments use plains and forests only."""
        return self.terrain in ("plain", "forest")


class Ability(Struct, frozen=True):
    """One special ability of a general; which fields count depends on the kind."""

    kind: str
    troop: str = ""
    unit_class: str = ""
    mp: int = 0
    terrain: str = ""
    cost: int = 0
    role: str = "any"
    battle: str = ""
    n: int = 0
    food: int = 0


class General(Struct, frozen=True):
    """A general card."""

    id: str
    name: str
    years: str
    advanced_land: int
    advanced_naval: int
    christian: bool
    muslim: bool
    coup: bool
    rival: str | None
    abilities: list[Ability]

    def advanced(self, battle: str) -> int:
        return self.advanced_naval if battle == "naval" else self.advanced_land


class Cover(Struct, frozen=True):
    """One option of a tactic card: so many regiments of a type, or what a troop of irregulars needs and gives."""

    unit: str = ""
    count: int = 0
    troop: str = ""
    condition: dict[str, int] = {}
    bonus: Value = Value()


class Tactic(Struct, frozen=True):
    """A type of tactic card, of which there are several copies."""

    id: str
    deck: str
    number: int
    name: str
    copies: int
    options: list[Cover] = []
    condition: dict[str, int | str] = {}
    bonus: Value | None = None
    requires_commander_ability: str = ""

    @property
    def basic(self) -> bool:
        return self.deck.endswith("_basic")


class Technology(Struct, frozen=True):
    """A technology of the tree or a step of the final section."""

    id: str
    name: str
    requires_any: list[str]
    vp: int
    unlocks: list[str]
    column: int = 0
    cost_points: int = 0
    cost: dict[str, int] = {}

    @property
    def points(self) -> int:
        """What it costs in technology points; 0 if it is paid in resources."""
        return self.cost_points or self.cost.get("points", 0)

    @property
    def price(self) -> Price:
        return Price(self.cost.get("food", 0), self.cost.get("metal", 0))


class Effect(Struct, frozen=True):
    """Whom an event touches and what it does to him."""

    condition: dict[str, Any] = msgspec.field(name="if")
    do: list[dict[str, Any]]
    once: bool = False


class Happening(Struct, frozen=True):
    """An event tile."""

    id: str
    name: str
    effect: Effect


class ActionTile(Struct, frozen=True):
    """An action tile with its circles for cylinders."""

    id: str
    kind: str
    actions: list[str]
    circles: int
    used_with_players: list[int]
    others: str


class Layout(Struct, frozen=True):
    """Where tiles lie for a number of players."""

    players: int
    adjacency: dict[str, list[str]]
    neutral_fill_order: list[str]
    slots: list[dict[str, Any]]


class Pack(Struct, frozen=True):
    """Everything a game needs to know besides its rules."""

    digest: str
    units: dict[str, Unit]
    modernise: list[Modernisation]
    capacity: int
    nations: dict[str, Nation]
    tiles: dict[str, Tile]
    generals: dict[str, General]
    tactics: dict[str, Tactic]
    cards: dict[str, Tactic]
    groups: dict[str, list[str]]
    points: dict[str, int]
    technologies: dict[str, Technology]
    event_spaces: dict[int, str]
    events: dict[str, Happening]
    action_tiles: dict[str, ActionTile]
    layouts: dict[int, Layout]
    movement: dict[str, Any]
    tables: dict[str, Any]
    tracks: dict[str, Any]
    setup: dict[str, Any]
    components: dict[str, Any]
