"""The words of Generalship over the table: who stands where, who owns what, who is allied with whom."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from domain.games.generalship.data import GENERALS, KIND, NATIONS, PACK, TECHNOLOGIES, TILES
from domain.games.generalship.pack import Ability, General, Nation
from domain.games.generalship.schema import DONE, SPACES, camp, camps, hull, hulls
from domain.kernel import Table

ERAS = PACK.tracks["war_paradigm"]["clockwise"]
MOST_BATTLES = PACK.tracks["battle_count"]["max"]
WIN_AT = PACK.tracks["victory"]["win_at"]

Counted = dict[str, int]
Answer = list[list[Any]]


class Geography(NamedTuple):
    """The map as laid: neighbours of every tile, and whose nation a tile belongs to."""

    near: dict[str, tuple[str, ...]]
    home: dict[str, str]


@lru_cache(maxsize=1024)
def geography(players: int, nations: tuple[tuple[str, str], ...], laid: tuple[str, ...]) -> Geography:
    """G04.2, G04.5: nations take the seat positions in start order, neutral tiles the slots in filling order."""
    layout = PACK.layouts[players]
    at = dict(zip(layout.neutral_fill_order, laid, strict=False))
    home: dict[str, str] = {}
    for position, (seat, nation) in enumerate(sorted(nations, key=lambda taken: NATIONS[taken[1]].start_order), 1):
        for role, tile in zip(("cap", "left", "right"), NATIONS[nation].tiles, strict=True):
            at[f"P{position}-{role}"] = tile
            home[tile] = seat
    near = {
        at[slot]: tuple(at[other] for other in others if other in at) for slot, others in layout.adjacency.items() if slot in at
    }
    return Geography(near, home)


def handful(counted: Counted) -> Answer:
    """A count as an answer of [item, n] pairs."""
    return [[item, n] for item, n in sorted(counted.items()) if n]


class Field(Table):
    """A table of Generalship."""

    __slots__ = ()

    # -- players ---------------------------------------------------------------------------------

    @property
    def order(self) -> list[str]:
        """The seats in player order (G03.1)."""
        return self.zones["order"]

    @property
    def active(self) -> str:
        """Whose turn it is (G08.7)."""
        order = self.order
        return order[self.registers.get("turn", 0) % len(order)]

    def others(self, seat: str) -> list[str]:
        """G08.6, R7: the other players, in the order in which they act after a seat."""
        order = self.order
        if self.options["follow_order"] == "rotate":
            at = order.index(seat)
            return order[at + 1 :] + order[:at]
        return [other for other in order if other != seat]

    def nation(self, seat: str) -> Nation:
        return NATIONS[self.registers[f"nation:{seat}"]]

    def name(self, seat: str) -> str:
        """The nation's id once it is chosen, before that the seat."""
        return self.registers.get(f"nation:{seat}", seat)

    def vp(self, seat: str) -> int:
        return self.registers.get(f"vp:{seat}", 0)

    def food(self, seat: str) -> int:
        return self.registers.get(f"food:{seat}", 0)

    def metal(self, seat: str) -> int:
        return self.registers.get(f"metal:{seat}", 0)

    def battles(self, seat: str) -> int:
        return self.registers.get(f"battles:{seat}", 0)

    def pp(self, seat: str) -> int:
        """Political power: the face-down cards right of the commander (G07.6)."""
        return len(self.zones[f"pp:{seat}"])

    def developed(self, technology: str) -> bool:
        return f"by:{technology}" in self.registers

    # -- commanders ------------------------------------------------------------------------------

    def commander(self, seat: str) -> General | None:
        for card in self.zones[f"commander:{seat}"]:
            return GENERALS[card]
        return None

    def abilities(self, seat: str, kind: str) -> list[Ability]:
        """G10.9, R36: what the present commander can do, looked up at the moment of use."""
        commander = self.commander(seat)
        return [ability for ability in commander.abilities if ability.kind == kind] if commander else []

    # -- alliances -------------------------------------------------------------------------------

    def allied(self, one: str, other: str) -> bool:
        """G12.7: cubes in the same alliance space."""
        return any(one in self.zones[f"alliance:{space}"] and other in self.zones[f"alliance:{space}"] for space in SPACES)

    def allies(self, seat: str) -> list[str]:
        return [other for other in self.order if other != seat and self.allied(seat, other)]

    # -- the map ---------------------------------------------------------------------------------

    @property
    def land(self) -> Geography:
        found = self.cache.get("land")
        if found is None:
            nations = tuple((seat, self.registers[f"nation:{seat}"]) for seat in self.seats if f"nation:{seat}" in self.registers)
            found = self.cache["land"] = geography(len(self.seats), nations, tuple(self.zones["map"]))
        return found

    def near(self, tile: str) -> tuple[str, ...]:
        return self.land.near[tile]

    def tokens(self, seat: str) -> dict[str, Counted]:
        """Where a seat has which units, as far as the viewer sees their types; squadrons and all aboard included."""
        found = self.cache.get(("tokens", seat))
        if found is None:
            found = {}
            zones, registers = self.zones, self.registers
            for tile, _, zone in camps(seat):
                if zones[zone]:
                    _add(found.setdefault(tile, {}), zones[zone])
            for _, zone, berth in hulls(seat):
                if zones[zone]:
                    _add(found.setdefault(registers[berth], {}), zones[zone])
            self.cache["tokens", seat] = found
        return found

    def forces(self, seat: str) -> dict[str, Counted]:
        """Where a seat has how many units of each class: everybody may know that (G01.12)."""
        found = self.cache.get(("forces", seat))
        if found is None:
            found = {}
            for tile, units in self.tokens(seat).items():
                kinds = found[tile] = dict[str, int]()
                for item, n in units.items():
                    kinds[KIND[item]] = kinds.get(KIND[item], 0) + n
            self.cache["forces", seat] = found
        return found

    def present(self, tile: str) -> list[str]:
        """The seats with units on a tile, in seat order."""
        found: dict[str, list[str]] | None = self.cache.get("present")
        if found is None:
            found = self.cache["present"] = {}
            for seat in self.seats:
                for where in self.tokens(seat):
                    found.setdefault(where, []).append(seat)
        return found.get(tile, [])

    def foes(self, seat: str, tile: str) -> list[str]:
        """The seats with units on a tile that a seat would have to fight there."""
        return [other for other in self.present(tile) if other != seat and not self.allied(seat, other)]

    def holder(self, tile: str) -> str | None:
        """Who owns a tile now (G18.5-8): the cube on a neutral tile; on a nation tile guests as long as they are alone there."""
        home = self.land.home.get(tile)
        if home is None:
            return self.registers.get(f"owner:{tile}")
        there = self.present(tile)
        return there[0] if there and home not in there else home

    def occupied(self, tile: str) -> bool:
        """G09.1: units of somebody who is not an ally of the nation's owner stand on the tile."""
        there = self.present(tile)
        home = self.land.home.get(tile) if there else None
        return home is not None and any(other != home and not self.allied(other, home) for other in there)

    def may_enter(self, seat: str, tile: str) -> bool:
        """G12.8: not onto an ally's tile, except to fight somebody there; the own nation is always open."""
        if self.foes(seat, tile) or self.land.home.get(tile) == seat:
            return True
        holder = self.holder(tile)
        return holder is None or holder == seat or not self.allied(seat, holder)

    def neutral_tiles(self, seat: str) -> list[str]:
        return [tile for tile in self.zones["map"] if self.registers.get(f"owner:{tile}") == seat]

    def take(self, seat: str, tile: str) -> None:
        """G18.5: a unit that enters a neutral tile makes it its player's own."""
        if TILES[tile].kind == "neutral":
            self.set(f"owner:{tile}", seat, cite="G18.5")

    # -- ships -----------------------------------------------------------------------------------

    def fleet(self, seat: str, tile: str | None = None) -> list[str]:
        """The names of a seat's squadrons, all or those on a tile."""
        registers = self.registers
        return [ship for ship, _, berth in hulls(seat) if berth in registers and (tile is None or registers[berth] == tile)]

    def berth(self, seat: str, ship: str) -> str:
        return self.registers[f"berth:{seat}:{ship}"]

    def sailed(self, seat: str, ship: str) -> int:
        return self.registers.get(f"sailed:{seat}:{ship}", 0)

    def aboard(self, seat: str, ship: str) -> Counted:
        """The regiments aboard a squadron."""
        return {item: n for item, n in sorted(self.zones[hull(seat, ship)].items()) if KIND.get(item) != "ship"}

    def ship(self, seat: str, ship: str) -> str | None:
        """The squadron's type, if it still swims."""
        return next((item for item in self.zones[hull(seat, ship)] if KIND.get(item) == "ship"), None)

    # -- units -----------------------------------------------------------------------------------

    def division(self, seat: str, tile: str) -> Counted:
        """A seat's regiments on a land tile, by type, whatever they have spent."""
        found: Counted = {}
        if not TILES[tile].sea:
            for spent in (0, 1, 2, DONE):
                for item, n in self.zones[camp(seat, tile, spent)].items():
                    found[item] = found.get(item, 0) + n
        return dict(sorted(found.items()))

    def units(self, seat: str, tiles: Iterable[str] | None = None) -> Counted:
        """A seat's units by type and place: `archers@N01` on land, `archers@ship3` aboard a squadron, `galley@ship3` the squadron itself."""
        wanted = None if tiles is None else set(tiles)
        found: Counted = {}
        for tile, _, zone in camps(seat):
            if self.zones[zone] and (wanted is None or tile in wanted):
                for item, n in self.zones[zone].items():
                    found[f"{item}@{tile}"] = found.get(f"{item}@{tile}", 0) + n
        for ship, zone, berth in hulls(seat):
            if self.zones[zone] and (wanted is None or self.registers[berth] in wanted):
                for item, n in self.zones[zone].items():
                    found[f"{item}@{ship}"] = n
        return dict(sorted(found.items()))

    def zones_of(self, seat: str, place: str) -> list[str]:
        """The zones behind a place of `units`: most spent first, because those units lose least."""
        if place in TILES:
            return [camp(seat, place, spent) for spent in (DONE, 2, 1, 0)]
        return [hull(seat, place)]

    def shift(self, item: str, sources: Iterable[str], target: str, n: int, cite: str = "") -> None:
        """Move so many of an item to a zone, from the first sources that hold any."""
        for source in sources:
            some = min(n, self.zones[source].get(item, 0))
            self.move(item, source, target, some, cite=cite)
            n -= some

    def remove(self, seat: str, labels: Counted, cite: str) -> None:
        """Units go back to the supply, seen by all (G01.12)."""
        for label, n in sorted(labels.items()):
            item, place = label.split("@")
            self.shift(item, self.zones_of(seat, place), "supply", n, cite)

    # -- the chronicle ---------------------------------------------------------------------------

    def tell(self, told: str, rule: str, **facts: Any) -> None:
        """State aloud what happened, for the chronicle; nothing hidden goes in."""
        self.say(rule, told=told, **facts)


def _add(into: Counted, held: Counted) -> None:
    for item, n in held.items():
        into[item] = into.get(item, 0) + n


def score_points(t: Field, seat: str, points: int, cite: str) -> bool:
    """G02.3, G11.7: victory points count at once; at ten the game is over."""
    t.add(f"vp:{seat}", points, cite=cite)
    t.tell("points", cite, who=t.name(seat), n=points, total=t.vp(seat))
    if t.vp(seat) < WIN_AT:
        return False
    t.set("ending", "ten_points", cite="G02.3")
    t.tell("ten_points", "G02.3", who=t.name(seat))
    return True


def dismiss(t: Field, seat: str, cite: str) -> None:
    """A commander goes to the discard pile (G12.4)."""
    for card in t.items(f"commander:{seat}"):
        t.move(card, f"commander:{seat}", "retired", cite=cite)
        t.tell("dismissed", cite, who=t.name(seat), general=GENERALS[card].name)


def promote(t: Field, seat: str, cite: str) -> None:
    """The rightmost PP card, if there is one, becomes commander (G10.4, G12.4)."""
    if t.pp(seat):
        card = t.zones[f"pp:{seat}"][-1]
        t.move(card, f"pp:{seat}", f"commander:{seat}", cite=cite)
        t.tell("commander", cite, who=t.name(seat), general=GENERALS[card].name)


def spend_power(t: Field, seat: str, cite: str) -> None:
    """The rightmost PP card is discarded (G07.6)."""
    t.move(t.zones[f"pp:{seat}"][-1], f"pp:{seat}", "retired", cite=cite)


def open_technologies(t: Field) -> list[str]:
    """G11.4-6: what can be developed next, each once, in the order of the tree."""
    return [
        name
        for name, technology in TECHNOLOGIES.items()
        if not t.developed(name) and (not technology.requires_any or any(map(t.developed, technology.requires_any)))
    ]
