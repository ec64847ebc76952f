"""The data pack as typed objects: nothing here is a rule, every number is replaceable by editing the JSON."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from domain.games.generalship.pack import (
    ActionTile,
    General,
    Happening,
    Layout,
    Modernisation,
    Nation,
    Pack,
    Price,
    Tactic,
    Technology,
    Tile,
    Unit,
)

FOLDER = Path(__file__).parent / "data"


def _read(folder: Path) -> dict[str, Any]:
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))}


def _by_id(kind: type[Any], items: list[Any]) -> dict[str, Any]:
    return {item["id"]: msgspec.convert(item, kind) for item in items}


def load(folder: Path = FOLDER) -> Pack:
    """A data pack as typed objects."""
    raw = _read(folder)
    tactics = _by_id(Tactic, raw["tactic_cards"]["types"])
    tree = raw["technologies"]
    return Pack(
        digest=hashlib.sha256(json.dumps(raw, sort_keys=True, ensure_ascii=False).encode()).hexdigest()[:16],
        units=_by_id(Unit, raw["units"]["units"]),
        modernise=msgspec.convert(raw["units"]["modernise_paths"], list[Modernisation]),
        capacity=raw["units"]["squadron_capacity"],
        nations=_by_id(Nation, raw["nations"]["nations"]),
        tiles=_by_id(Tile, raw["map_tiles"]["tiles"]),
        generals=_by_id(General, raw["general_cards"]["cards"]),
        tactics=tactics,
        cards={card["id"]: tactics[card["type"]] for card in raw["tactic_cards"]["cards"]},
        groups=raw["tactic_cards"]["unit_groups"],
        points={card["id"]: card["points"] for card in raw["technology_cards"]["cards"]},
        technologies=_by_id(Technology, tree["technologies"] + tree["final_section"]),
        event_spaces={space["after_column"]: space["id"] for space in tree["event_spaces"]},
        events=_by_id(Happening, raw["events"]["events"]),
        action_tiles=_by_id(ActionTile, raw["action_tiles"]["tiles"]),
        layouts={layout.players: layout for layout in msgspec.convert(raw["layouts"]["layouts"], list[Layout])},
        movement=raw["movement"],
        tables=raw["tables"],
        tracks=raw["tracks"],
        setup=raw["setup"],
        components=raw["components"],
    )


PACK = load()
DIGEST = PACK.digest

UNITS, NATIONS, TILES, GENERALS = PACK.units, PACK.nations, PACK.tiles, PACK.generals
TACTICS, CARDS, TECHNOLOGIES, EVENTS = PACK.tactics, PACK.cards, PACK.technologies, PACK.events
ACTION_TILES = PACK.action_tiles

# The class of a unit type; of a class itself too, because that is what others see of a token.
KIND = {unit.id: unit.kind for unit in UNITS.values()} | {unit.kind: unit.kind for unit in UNITS.values()}
SHIPS = [unit.id for unit in UNITS.values() if unit.kind == "ship"]
NEUTRAL = [tile.id for tile in TILES.values() if tile.kind == "neutral"]
LAND_TILES = [tile.id for tile in TILES.values() if not tile.sea]
# Population circles by nation, lowest number first.
CIRCLES = {nation.id: sorted(nation.circles, key=lambda circle: (circle.number, circle.id)) for nation in NATIONS.values()}


# -- checking a pack ---------------------------------------------------------------------------------

FILES = (
    *("action_tiles", "components", "events", "general_cards", "layouts", "map_tiles", "movement", "nations", "setup"),
    *("tables", "tactic_cards", "technologies", "technology_cards", "tracks", "units"),
)


def check(folder: Path) -> list[str]:
    """What is wrong with the pack in a folder, one sentence each; empty if it is sound."""
    folder = Path(folder)
    try:
        raw = _read(folder)
    except ValueError as broken:
        return [f"not readable as JSON: {broken}"]
    if missing := [name for name in FILES if name not in raw]:
        return [f"{name}.json is missing" for name in missing]
    try:
        pack = load(folder)
        return [
            *_unsourced(raw),
            *_counts(pack),
            *_map_problems(pack),
            *_nation_problems(pack),
            *_card_problems(pack),
            *_tree_problems(pack),
        ]
    except (KeyError, TypeError, AttributeError, IndexError, ValueError, msgspec.ValidationError) as wrong:
        return [f"a field is missing or of the wrong kind: {wrong!r}"]


def _unsourced(raw: dict[str, Any]) -> Iterator[str]:
    """Every file says where it comes from, and every item of the mixed ones."""
    for name in FILES:
        if not raw[name].get("provenance"):
            yield f"{name}.json: no provenance"
    mixed = {
        "map_tiles": ["tiles"],
        "nations": ["nations"],
        "general_cards": ["cards"],
        "tactic_cards": ["types"],
        "technologies": ["technologies", "final_section"],
        "layouts": ["layouts"],
    }
    for name, lists in mixed.items():
        for items in lists:
            for item in raw[name][items]:
                if not item.get("provenance"):
                    yield f"{name}.json: {item.get('id', item.get('players'))} has no provenance"
    for name, items in (
        ("map_tiles", "tiles"),
        ("general_cards", "cards"),
        ("tactic_cards", "cards"),
        ("technology_cards", "cards"),
    ):
        ids = [item["id"] for item in raw[name][items]]
        for id in sorted({id for id in ids if ids.count(id) > 1}):
            yield f"{name}.json: {id} is there {ids.count(id)} times"


def _unlike(what: str, found: Any, wanted: Any) -> Iterator[str]:
    if found != wanted:
        yield f"{what}: {found} instead of {wanted}"


def _counts(pack: Pack) -> Iterator[str]:
    """G01: as many pieces as the box holds."""
    box = pack.components
    yield from _unlike("general cards", len(pack.generals), box["general_cards"])
    yield from _unlike("technology cards", len(pack.points), box["technology_cards"]["total"])
    for points, name in ((1, "one_point"), (2, "two_points")):
        yield from _unlike(f"technology cards of {points}", list(pack.points.values()).count(points), box["technology_cards"][name])
    for deck in ("land_basic", "land_advanced", "naval_basic", "naval_advanced"):
        yield from _unlike(deck, sum(card.deck == deck for card in pack.cards.values()), box["tactic_cards"][deck])
    for kind in ("nation", "neutral"):
        yield from _unlike(f"{kind} tiles", sum(tile.kind == kind for tile in pack.tiles.values()), box["map_tiles"][kind])
    yield from _unlike("action tiles", len(pack.action_tiles), box["action_tiles"])
    yield from _unlike("events", len(pack.events), box["event_tiles"])
    yield from _unlike("unit tokens", {unit.id: unit.count for unit in pack.units.values()}, box["units"])
    people = sum(nation.max_population for nation in pack.nations.values())
    yield from _unlike("population cylinders", people, box["cylinders"]["white_use"]["population"])
    for players in pack.layouts:
        used = [tile for tile in pack.action_tiles.values() if players in tile.used_with_players]
        yield from _unlike(f"circles with {players} players", sum(tile.circles for tile in used), 2 * players + 2)


def _map_problems(pack: Pack) -> Iterator[str]:
    """G04: terrains are known; layouts are symmetric and hold every nation and neutral slot."""
    for tile in pack.tiles.values():
        if tile.terrain not in ("plain", "forest", "mountain", "sea"):
            yield f"{tile.id}: unknown terrain {tile.terrain!r}"
        if (tile.kind == "nation") != (tile.nation in pack.nations):
            yield f"{tile.id}: unknown nation {tile.nation!r}"
    for players, layout in pack.layouts.items():
        slots = {slot["id"] for slot in layout.slots}
        yield from _unlike(f"layout {players}: slots with neighbours", set(layout.adjacency), slots)
        for slot, others in layout.adjacency.items():
            for other in others:
                if slot not in layout.adjacency.get(other, []):
                    yield f"layout {players}: {slot} is next to {other}, but not the other way round"
        neutral = sorted(slot["id"] for slot in layout.slots if slot["kind"] == "neutral")
        yield from _unlike(f"layout {players}: filling order", sorted(layout.neutral_fill_order), neutral)
        for position in range(1, players + 1):
            fronts = [f"P{position}-left", f"P{position}-right"]
            yield from _unlike(
                f"layout {players}: next to capital {position}", sorted(layout.adjacency[f"P{position}-cap"]), fronts
            )


def _nation_problems(pack: Pack) -> Iterator[str]:
    """G05, G08.8: three tiles, the capital first; circles on own tiles, I to V, as many as the maximum."""
    for nation in pack.nations.values():
        for tile in nation.tiles:
            if tile not in pack.tiles or pack.tiles[tile].nation != nation.id:
                yield f"{nation.id}: {tile} is not a tile of this nation"
        yield from _unlike(f"{nation.id}: capitals", [tile for tile in nation.tiles if pack.tiles[tile].capital], nation.tiles[:1])
        for circle in nation.circles:
            if circle.tile not in nation.tiles:
                yield f"{nation.id}: circle {circle.id} lies on {circle.tile}"
        numbers = sorted(circle.number for circle in nation.circles)
        yield from _unlike(f"{nation.id}: lowest circles", numbers[:5], [1, 2, 3, 4, 5])
        usable = len(numbers) - (numbers.count(numbers[-1]) - 1)
        yield from _unlike(f"{nation.id}: people that find a circle", usable, nation.max_population)


def _card_problems(pack: Pack) -> Iterator[str]:
    """G10.5, G23: rivals are mutual, numbers within 0 to 3, options name units and troops that exist."""
    for general in pack.generals.values():
        if general.rival and (general.rival not in pack.generals or pack.generals[general.rival].rival != general.id):
            yield f"{general.id}: {general.rival} is not a rival in return"
        if not (0 <= general.advanced_land <= 3 and 0 <= general.advanced_naval <= 3):
            yield f"{general.id}: advanced cards are 0 to 3"
        for ability in general.abilities:
            if ability.kind not in ABILITIES:
                yield f"{general.id}: unknown ability {ability.kind!r}"
    for tactic in pack.tactics.values():
        yield from _unlike(f"{tactic.id}: copies", sum(card is tactic for card in pack.cards.values()), tactic.copies)
        for option in tactic.options:
            if option.unit and option.unit not in pack.units:
                yield f"{tactic.id}: unknown unit {option.unit!r}"
        if tactic.basic and not tactic.options:
            yield f"{tactic.id}: a basic card without options"
    for group, members in pack.groups.items():
        for unit in members:
            if unit not in pack.units:
                yield f"unit group {group}: unknown unit {unit!r}"


def _tree_problems(pack: Pack) -> Iterator[str]:
    """G11, G12, G15: prerequisites, unit technologies, price differences and event effects fit together."""
    for technology in pack.technologies.values():
        for needed in technology.requires_any:
            if needed not in pack.technologies:
                yield f"{technology.id}: needs the unknown {needed!r}"
    for unit in pack.units.values():
        if unit.technology is not None and unit.technology not in pack.technologies:
            yield f"{unit.id}: needs the unknown {unit.technology!r}"
    for path in pack.modernise:
        old, new = pack.units[path.old].cost, pack.units[path.new].cost
        yield from _unlike(f"{path.old} to {path.new}", path.difference, Price(new.food - old.food, new.metal - old.metal))
    for event in pack.events.values():
        for deed in event.effect.do:
            for kind in deed:
                if kind not in DEEDS:
                    yield f"{event.id}: unknown effect {kind!r}"


# What the rules know how to do; anything else in a pack would be ignored or fail in play.
ABILITIES = (
    *("irregular", "move_bonus", "terrain_access", "terrain_cost", "ignore_fortress", "extra_basic", "levy_discount"),
    *("production_bonus", "upkeep_discount", "loss_reduction", "technology_draw", "general_draw", "modernise_discount"),
)
DEEDS = (
    *("discard_pp_rightmost", "vp", "remove_commander", "remove_population_fraction", "remove_units_fraction"),
    *("commander_from_pp_rightmost", "develop_free_no_vp"),
)
