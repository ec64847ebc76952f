"""The data pack: cards, tiles, track and numbers as typed objects made once from the JSON files."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

FOLDER = Path(__file__).parent / "data"

RELIGIONS = ("catholic", "protestant")
BLACK = "black"
VIOLET = "violet"


class Effect(msgspec.Struct, frozen=True):
    """What a card, tile or space does: an op of `symbols.json` and its parameters."""

    op: str
    good: str = ""
    country: str = ""
    vp: int | str = 0
    value: int = 0
    count: int = 0
    kinds: tuple[str, ...] = ()
    modes: tuple[str, ...] = ()
    options: tuple[Effect, ...] = ()


class Sale(msgspec.Struct, frozen=True):
    good: str
    vp: int


class Country(msgspec.Struct, frozen=True):
    id: str
    name: str
    city: str
    die: str
    placement_spaces: tuple[int, ...]
    sales: tuple[Sale, ...]


class Character(msgspec.Struct, frozen=True):
    id: str
    country: str
    name: str
    german: str
    kind: str
    effect: Effect
    text: str
    stone: str


class Affects(msgspec.Struct, frozen=True):
    """Whom an event hits: everybody, a religion, or whoever has a house in a country."""

    all: bool = False
    religion: str = ""
    house_in: str = ""


class EventCard(msgspec.Struct, frozen=True):
    id: str
    deck: str
    kind: str
    name: str
    affects: Affects
    effect: Effect
    text: str


class Tile(msgspec.Struct, frozen=True):
    id: str
    effect: Effect
    text: str
    spendable: bool


class Space(msgspec.Struct, frozen=True):
    id: str
    index: int
    colour: str
    effect: Effect


class LochLeven(msgspec.Struct, frozen=True):
    id: str
    religion: str
    good: str
    start_space: str


class Players(msgspec.Struct, frozen=True):
    """What changes with the number of players."""

    religion_spaces: int
    violet_bonus_neutral: bool
    different_religions: bool


class FinalScoring(msgspec.Struct, frozen=True):
    """A line of the final scoring: so many VP for every `per` pieces, or what is printed."""

    item: str
    vp: int | str

    @property
    def per(self) -> int:
        first = self.item.split()[0]
        return int(first) if first.isdigit() else 1


class Pack(msgspec.Struct, frozen=True):
    """A whole data pack."""

    countries: dict[str, Country]
    characters: dict[str, Character]
    events: dict[str, EventCard]
    tiles: dict[str, Tile]
    track: tuple[Space, ...]
    loch_leven: dict[str, LochLeven]
    players: dict[int, Players]
    faces: dict[str, tuple[int, ...]]
    colours: tuple[str, ...]
    goods: tuple[str, ...]
    stones: tuple[str, ...]
    houses: int
    start_vp: int
    start_protection: int
    end_trigger: int
    vp_spaces: int
    max_skips: int
    costs: dict[str, int]
    final_scoring: tuple[FinalScoring, ...]
    flags: dict[str, Any]
    rule: dict[str, str]
    provisional: tuple[str, ...]
    digest: str


def _read(folder: Path) -> dict[str, Any]:
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(Path(folder).glob("*.json"))}


def load(folder: Path = FOLDER) -> Pack:
    """The pack in a folder."""
    raw = _read(folder)
    pieces, track, setup = raw["pieces"], raw["action_track"], raw["setup"]

    def by_id(items: list[dict[str, Any]], kind: Any) -> dict[str, Any]:
        return {item["id"]: msgspec.convert(item, kind) for item in items}

    return Pack(
        countries=by_id([{**country, "city": country["city"].split(" (")[0]} for country in raw["board"]["countries"]], Country),
        characters=by_id(raw["characters"]["cards"], Character),
        events=by_id(raw["events"]["cards"], EventCard),
        tiles=by_id(raw["advantage_tiles"]["tiles"], Tile),
        track=msgspec.convert(sorted(track["spaces"], key=lambda space: space["index"]), tuple[Space, ...]),
        loch_leven=by_id(raw["loch_leven"]["cards"], LochLeven),
        players={int(n): msgspec.convert(changes, Players) for n, changes in setup["players"].items()},
        faces={die["colour"]: tuple(die["faces"]) for die in pieces["per_player"]["dice"]},
        colours=tuple(pieces["players"]["colours"]),
        goods=tuple(pieces["totals"]["goods"]),
        stones=tuple(pieces["totals"]["religion_stones"]),
        houses=pieces["per_player"]["trading_houses"],
        start_vp=setup["common"]["start_vp"],
        start_protection=setup["common"]["protection_tiles_per_player"],
        end_trigger=raw["board"]["vp_track"]["end_trigger"],
        vp_spaces=raw["board"]["vp_track"]["spaces"],
        max_skips=track["max_skips"],
        costs=raw["tables"]["vp_costs"],
        final_scoring=msgspec.convert(raw["tables"]["final_scoring"], tuple[FinalScoring, ...]),
        flags=raw["tables"]["config_flags"],
        rule=raw["symbols"]["ops"] | raw["symbols"]["event_ops"],
        provisional=tuple(_provisional(raw)),
        digest=hashlib.sha256(json.dumps(raw, sort_keys=True, ensure_ascii=False).encode()).hexdigest()[:16],
    )


def _guessed(item: dict[str, Any], field: str = "") -> bool:
    source = item.get("provenance", "")
    return "provisional" in (source.get(field, "") if field else source)


def _provisional(raw: dict[str, Any]) -> Iterator[str]:
    """What the pack only guesses, in words."""
    cards, events = raw["characters"]["cards"], raw["events"]["cards"]
    found = {
        "the effect of {n} of {of} characters": ([_guessed(card, "effect") for card in cards]),
        "the country of {n} of {of} characters": ([_guessed(card, "country") for card in cards]),
        "the stone of {n} of {of} characters": ([_guessed(card, "stone") for card in cards]),
        "the effect of {n} of {of} events, in whole or in part": ([_guessed(card, "effect") for card in events]),
        "the title of {n} of {of} events": ([_guessed(card, "name") for card in events]),
        "{n} of {of} advantage tiles, in kind or number": ([_guessed(tile) for tile in raw["advantage_tiles"]["tiles"]]),
        "{n} of {of} Loch Leven cards": ([_guessed(card) for card in raw["loch_leven"]["cards"]]),
        "colour, action or place of {n} of {of} spaces of the action track": (
            [_guessed(space) for space in raw["action_track"]["spaces"]]
        ),
    }
    for words, guesses in found.items():
        if any(guesses):
            yield words.format(n=sum(guesses), of=len(guesses))


# -- checking a pack ----------------------------------------------------------------------------------

FILES = (
    "action_track",
    "advantage_tiles",
    "board",
    "characters",
    "events",
    "loch_leven",
    "pieces",
    "setup",
    "symbols",
    "tables",
)


def check(folder: Path) -> list[str]:
    """What is wrong with the pack in a folder, one sentence each; empty if it is sound."""
    try:
        raw = _read(folder)
    except ValueError as broken:
        return [f"not readable as JSON: {broken}"]
    if missing := [name for name in FILES if name not in raw]:
        return [f"{name}.json is missing" for name in missing]
    try:
        load(folder)
        return list(_problems(raw))
    except (KeyError, TypeError, AttributeError, IndexError, ValueError, msgspec.ValidationError) as wrong:
        return [f"a field is missing or of the wrong kind: {wrong!r}"]


def _problems(raw: dict[str, Any]) -> Iterator[str]:
    for name in FILES:
        if not raw[name].get("provenance"):
            yield f"{name}: no provenance"
    yield from _board_problems(raw)
    yield from _card_problems(raw)
    yield from _track_problems(raw)
    yield from _setup_problems(raw)


def _unlike(name: str, found: Any, wanted: Any) -> Iterator[str]:
    if found != wanted:
        yield f"{name}: {found!r} instead of {wanted!r}"


def _sourced(items: list[dict[str, Any]], fields: tuple[str, ...] = ()) -> Iterator[str]:
    """Every item is named once and says where it comes from."""
    for id, n in Counter(item["id"] for item in items).items():
        if n > 1:
            yield f"{id}: {n} items have this id"
    for item in items:
        source = item.get("provenance")
        if not source or any(not source.get(field) for field in fields):
            yield f"{item['id']}: no provenance"


def _effect_problems(raw: dict[str, Any], where: str, effect: dict[str, Any], *, track: bool) -> Iterator[str]:
    symbols = raw["symbols"]
    op = effect["op"]
    if op not in symbols["ops"]:
        yield f"{where}: unknown op {op!r}"
    if op in symbols["track_only"] and not track:
        yield f"{where}: {op} is a symbol of the action track only"
    if effect.get("good", "book") not in raw["pieces"]["totals"]["goods"]:
        yield f"{where}: unknown good {effect['good']!r}"
    if "country" in effect and effect["country"] not in _countries(raw):
        yield f"{where}: unknown country {effect['country']!r}"
    for kind in effect.get("kinds", ()):
        if kind not in raw["pieces"]["totals"]["religion_stones"]:
            yield f"{where}: unknown stone {kind!r}"
    for option in effect.get("options", ()):
        yield from _effect_problems(raw, where, option, track=track)


def _countries(raw: dict[str, Any]) -> list[str]:
    return [country["id"] for country in raw["board"]["countries"]]


def _board_problems(raw: dict[str, Any]) -> Iterator[str]:
    totals, dice = raw["pieces"]["totals"], raw["pieces"]["per_player"]["dice"]
    prices: dict[str, list[int]] = {}
    yield from _sourced(raw["board"]["countries"])
    for country in raw["board"]["countries"]:
        yield from _unlike(f"{country['id']} prices", sorted(sale["vp"] for sale in country["sales"]), [2, 4])
        yield from _unlike(f"{country['id']} placement spaces", country["placement_spaces"], [1, 2, 3, 4, 5, 6])
        if country["die"] not in [die["colour"] for die in dice]:
            yield f"{country['id']}: unknown die {country['die']!r}"
        for sale in country["sales"]:
            prices.setdefault(sale["good"], []).append(sale["vp"])
            if not sale.get("provenance"):
                yield f"{country['id']} {sale['good']}: no provenance"
            if sale["good"] not in totals["goods"]:
                yield f"{country['id']}: unknown good {sale['good']!r}"
    for good in totals["goods"]:
        yield from _unlike(f"{good} is sold for", sorted(prices.get(good, [])), [2, 4])
    yield from _unlike("cards in all", sum(n for kind, n in totals["cards"].items() if kind != "all"), totals["cards"]["all"])
    yield from _unlike("dice", len(dice) * raw["pieces"]["players"]["max"], totals["dice"])
    yield from _unlike("faces of a die", [len(die["faces"]) for die in dice], [6] * len(dice))


def _card_problems(raw: dict[str, Any]) -> Iterator[str]:
    totals, goods = raw["pieces"]["totals"], set(raw["pieces"]["totals"]["goods"])
    cards, events, tiles = raw["characters"]["cards"], raw["events"]["cards"], raw["advantage_tiles"]["tiles"]
    structure = raw["characters"]["deck_structure"]
    yield from _unlike("characters", len(cards), totals["cards"]["characters"])
    yield from _unlike("events", len(events), totals["cards"]["events"])
    yield from _unlike("advantage tiles", len(tiles), totals["advantage_tiles"])
    yield from _sourced(cards, ("name", "effect", "stone", "country"))
    yield from _sourced(events, ("name", "effect"))
    yield from _sourced(tiles)
    for card in cards:
        yield from _effect_problems(raw, card["id"], card["effect"], track=False)
        if card["country"] not in _countries(raw):
            yield f"{card['id']}: unknown country {card['country']!r}"
        if card["stone"] not in totals["religion_stones"]:
            yield f"{card['id']}: unknown stone {card['stone']!r}"
    for country in _countries(raw):
        kinds = Counter(card["kind"] for card in cards if card["country"] == country)
        wanted = {kind: structure[f"{kind}s_per_deck"] for kind in ("merchant", "captain")} | {"named": structure["named_per_deck"]}
        yield from _unlike(f"characters of the deck of {country}", dict(kinds), wanted)
        sold = {card["effect"].get("good") for card in cards if card["country"] == country and card["kind"] == "merchant"}
        yield from _unlike(f"goods of the merchants of {country}", sorted(map(str, sold)), sorted(goods))
        kinds = Counter(card["kind"] for card in events if card["deck"] == country)
        yield from _unlike(f"events of the deck of {country}", dict(kinds), {"loch_leven": 1, "negative": 2, "positive": 1})
    for card in events:
        if card["effect"]["op"] not in raw["symbols"]["event_ops"]:
            yield f"{card['id']}: unknown op {card['effect']['op']!r}"
        if card["deck"] not in _countries(raw):
            yield f"{card['id']}: unknown country {card['deck']!r}"
        if card["affects"].get("house_in", card["deck"]) not in _countries(raw):
            yield f"{card['id']}: unknown country {card['affects']['house_in']!r}"
        if card["affects"].get("religion", RELIGIONS[0]) not in RELIGIONS:
            yield f"{card['id']}: unknown religion {card['affects']['religion']!r}"
        if card["effect"].get("good", "book") not in goods:
            yield f"{card['id']}: unknown good {card['effect']['good']!r}"
    for tile in tiles:
        yield from _effect_problems(raw, tile["id"], tile["effect"], track=False)
        yield from _unlike(f"{tile['id']} can be spent", tile["spendable"], tile["effect"]["op"] != "final_vp")


def _track_problems(raw: dict[str, Any]) -> Iterator[str]:
    spaces = raw["action_track"]["spaces"]
    known = {space["id"]: space for space in spaces}
    dice = {die["colour"] for die in raw["pieces"]["per_player"]["dice"]} - {BLACK}
    yield from _sourced(spaces)
    yield from _unlike("indices of the track", sorted(space["index"] for space in spaces), list(range(len(spaces))))
    for space in spaces:
        follower = known.get(space["next"])
        if follower is None or follower["previous"] != space["id"] or follower["index"] != (space["index"] + 1) % len(spaces):
            yield f"{space['id']}: the track does not go on to {space['next']!r}"
        if space["colour"] not in dice:
            yield f"{space['id']}: unknown colour {space['colour']!r}"
        yield from _unlike(f"{space['id']} is a ship space", space["effect"]["op"] == "ship", space["colour"] == VIOLET)
        yield from _effect_problems(raw, space["id"], space["effect"], track=True)
    ships = sorted(space["effect"].get("country", "") for space in spaces if space["colour"] == VIOLET)
    yield from _unlike("ship spaces", ships, sorted(_countries(raw)))


def _setup_problems(raw: dict[str, Any]) -> Iterator[str]:
    cards = raw["loch_leven"]["cards"]
    spaces = {space["id"]: space for space in raw["action_track"]["spaces"]}
    yield from _sourced(cards)
    yield from _unlike("Loch Leven cards", len(cards), raw["pieces"]["totals"]["cards"]["loch_leven"])
    for card in cards:
        if card["religion"] not in RELIGIONS:
            yield f"{card['id']}: unknown religion {card['religion']!r}"
        if card["good"] not in raw["pieces"]["totals"]["goods"]:
            yield f"{card['id']}: unknown good {card['good']!r}"
        if card["start_space"] not in spaces:
            yield f"{card['id']}: unknown space {card['start_space']!r}"
    yield from _unlike("start spaces", len({card["start_space"] for card in cards}), len(cards))
    least, most = raw["pieces"]["players"]["min"], raw["pieces"]["players"]["max"]
    yield from _unlike("player counts", sorted(raw["setup"]["players"]), [str(n) for n in range(least, most + 1)])
    for op, rule in (raw["symbols"]["ops"] | raw["symbols"]["event_ops"]).items():
        if not rule.startswith("CF-"):
            yield f"{op}: {rule!r} is no rule"


# -- the pack in play ---------------------------------------------------------------------------------

PACK = load()

COUNTRIES = tuple(PACK.countries)
GOODS = tuple(sorted(PACK.goods))
DICE = tuple(colour for colour in PACK.faces if colour != BLACK)
CARDS = PACK.characters
EVENTS = PACK.events
TILES = PACK.tiles
TRACK = PACK.track
SPACE = {space.id: space for space in TRACK}
RULE = PACK.rule
HOME = {country.die: country.id for country in PACK.countries.values()}
PRICE = {(sale.good, country.id): sale.vp for country in PACK.countries.values() for sale in country.sales}
BUYERS = {good: tuple(country for country in COUNTRIES if (good, country) in PRICE) for good in GOODS}
HIGHEST = {colour: max(faces) for colour, faces in PACK.faces.items()}
HOUSE_VP, PROTECTION_VP, GOODS_VP, _ = PACK.final_scoring
DECLINE, TAKE_OFF, SKIP = (PACK.costs[cost] for cost in ("decline_or_unable_character", "remove_any_own_die", "skip_track_space"))
DIGEST = PACK.digest
CAPTAIN_VP = next(int(op.rpartition("_")[2]) for op in RULE if op.startswith("sell_any_for_"))
