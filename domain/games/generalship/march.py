"""Pages 16 and 17: the march action, one move after the other; moving in on somebody starts a battle."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from domain.games.generalship.data import KIND, TILES
from domain.games.generalship.fleet import CAPACITY, room
from domain.games.generalship.movement import (
    Pace,
    boarders,
    can_leave,
    enter_port,
    go_aboard,
    has_room,
    leave_port,
    put_ashore,
    sail,
    sailable,
    walk,
)
from domain.games.generalship.orders import Orders
from domain.games.generalship.retreat import cubes_off
from domain.games.generalship.schema import DONE, camp, camps
from domain.games.generalship.table import ERAS, Answer, Counted, Field
from domain.games.generalship.turn import next_actor
from domain.kernel import Ask, Counts, Pick, Rules


def march(t: Field) -> Rules:
    """G16.1-3: one move of a group, or the end of this player's march."""
    seat = t.get("actor")
    pace = Pace(t, seat, led=True)
    orders = march_orders(t, seat, pace)
    order = None
    if orders:
        choice = Orders(orders, lambda words: why_not(t, seat, pace, words), lambda order: bold(t, seat, order))
        order = yield Ask(seat, "move", choice, "G16.3", optional=True)
    if order is None:
        finish(t, seat)
        return next_actor(t)
    what, *words = order.split()
    entered = yield from MOVES[what](t, seat, pace, *words)
    for tile in entered:
        if t.foes(seat, tile):
            return (yield from meet(t, seat, tile))
        t.take(seat, tile)
    return "march"


def bold(t: Field, seat: str, order: str) -> bool:
    """Into enemies, into another nation, to a guest in the own one, or out to sea."""
    to = order.split()[-1]
    return to not in TILES or t.land.home.get(to, seat) != seat or bool(t.present(to)) or order.startswith("leave")


def finish(t: Field, seat: str) -> None:
    """G17.16: whoever has moved has finished, with or without points left."""
    for tile, spent, zone in camps(seat):
        if spent in (1, 2):
            for item, n in sorted(t.zones[zone].items()):
                t.move(item, zone, camp(seat, tile, DONE), n, cite="G17.16")
    for ship in t.fleet(seat):
        if t.sailed(seat, ship):
            t.set(f"sailed:{seat}:{ship}", DONE, cite="G17.16")


def march_over(t: Field) -> Rules:
    """G18.9-10: second cubes off, and the war paradigm moves on once."""
    for seat in t.order:
        cubes_off(t, seat)
    era = ERAS[(ERAS.index(t.get("era")) + 1) % len(ERAS)]
    t.set("era", era, cite="G18.10")
    t.tell("era", "G18.10", era=era)
    return "end_turn"
    yield


def meet(t: Field, seat: str, tile: str) -> Rules:
    """G17.11, R37: the tile becomes a battlefield; of two allied stacks there the attacker names the first to fight."""
    foes = t.foes(seat, tile)
    defender = foes[0]
    if len(foes) > 1:
        defender = yield Ask(seat, "name_defender", foes, "G17.15", about={"tile": tile})
    t.set("battlefield", tile, cite="G17.11")
    t.set("attacker", seat, cite="G19.1")
    t.set("defender", defender, cite="G19.1")
    t.tell("attacks", "G17.11", who=t.name(seat), whom=t.name(defender), tile=tile)
    return "reinforce_defender"


# -- what can be ordered -----------------------------------------------------------------------------


def march_orders(t: Field, seat: str, pace: Pace) -> list[str]:
    """Every single step somebody of the seat could make now; all of it is public."""
    orders: list[str] = []
    for tile, spent, zone in camps(seat):
        if t.zones[zone] and spent != DONE:
            kinds = {KIND[item] for item in t.zones[zone]}
            for to in t.near(tile):
                if not TILES[to].sea and any(pace.walks(kind, spent, to) for kind in kinds) and t.may_enter(seat, to):
                    orders.append(f"march {source(tile, spent)} {to}")
    for tile in sorted({t.berth(seat, ship) for ship in t.fleet(seat)}):
        orders += fleet_orders(t, seat, pace, tile)
    return orders


def source(tile: str, spent: int) -> str:
    """Units that have not moved are named by their tile, others also by what they have spent."""
    return f"{tile}+{spent}" if spent else tile


def fleet_orders(t: Field, seat: str, pace: Pace, tile: str) -> list[str]:
    orders: list[str] = []
    ships = t.fleet(seat, tile)
    seas = [to for to in t.near(tile) if TILES[to].sea and t.may_enter(seat, to)]
    ports = [to for to in t.near(tile) if TILES[to].port and t.may_enter(seat, to)]
    if any(sailable(t, seat, pace, ship) for ship in ships):
        orders += [f"sail {tile} {to}" for to in seas]
    for ship in ships:
        if can_leave(t, seat, ship):
            orders += [f"leave {ship} {to}" for to in seas]
        elif sailable(t, seat, pace, ship):
            orders += [f"port {ship} {to}" for to in ports]
            if ports and t.aboard(seat, ship):
                orders.append(f"land {ship}")
            if has_room(t, seat, ship) and any(boarders(t, seat, pace, to) for to in t.near(tile)):
                orders.append(f"board {ship}")
    return orders


# -- moves: each returns the tiles entered -----------------------------------------------------------


def move_regiments(t: Field, seat: str, pace: Pace, origin: str, to: str) -> Rules:
    """Regiments from one tile that have spent the same, to an adjacent land tile."""
    tile, _, points = origin.partition("+")
    spent = int(points or 0)
    zone = camp(seat, tile, spent)
    group = Pick(t, zone, 1, None, only=lambda item: pace.walks(KIND[item], spent, to))
    units = yield from which(seat, group, {"part": "units", "from": origin, "to": to})
    walk(t, seat, pace, tile, spent, to, units)
    t.tell("marches", "G16.3", who=t.name(seat), n=sum(units.values()), origin=tile, tile=to)
    return [to]


def which(seat: str, group: Counts, about: dict[str, Any]) -> Rules:
    """Which units move; with a single one there is nothing to ask."""
    if sum(group.of.values()) == 1:
        return dict(group.of)
    answer: Answer = yield Ask(seat, "move", group, "G16.3", about=about)
    return dict(answer)  # type: ignore[arg-type]


def move_squadrons(t: Field, seat: str, pace: Pace, tile: str, to: str) -> Rules:
    """Squadrons from one sea tile to the next, with whoever is aboard."""
    able = {ship: 1 for ship in t.fleet(seat, tile) if sailable(t, seat, pace, ship)}
    chosen = yield from which(seat, Counts(able, 1), {"part": "squadrons", "from": tile, "to": to})
    for ship in sorted(chosen):
        sail(t, seat, pace, ship, to)
    t.tell("sails", "G17.1", who=t.name(seat), n=len(chosen), origin=tile, tile=to)
    return [to]


def move_out_of_port(t: Field, seat: str, pace: Pace, ship: str, to: str) -> Rules:
    """G17.2: a squadron leaves port, with up to five regiments of the tile."""
    tile = t.berth(seat, ship)
    able = boarders(t, seat, pace, tile)
    units: Counted = {}
    if able:
        zones = [camp(seat, tile, spent) for spent in (0, 1, 2)]
        group = Pick(t, zones, 0, CAPACITY, lambda taken: too_many(taken, able), only=able.__contains__)
        about = {"part": "units", "ship": ship, "to": to}
        units = dict((yield Ask(seat, "move", group, "G17.2", about=about)))
    leave_port(t, seat, ship, to, units)
    t.tell("leaves_port", "G17.2", who=t.name(seat), n=sum(units.values()), origin=tile, tile=to)
    return [to]


def too_many(taken: Counted, able: Counted) -> str | None:
    for item, n in taken.items():
        if n > able[item]:
            return f"only {able[item]} of {item} can still move (G17.17)"
    return None


def move_into_port(t: Field, seat: str, pace: Pace, ship: str, to: str) -> Rules:
    """G17.3: a squadron and all aboard go onto a plain or forest."""
    origin = t.berth(seat, ship)
    enter_port(t, seat, ship, to)
    t.tell("enters_port", "G17.3", who=t.name(seat), origin=origin, tile=to)
    return [to]
    yield


def move_ashore(t: Field, seat: str, pace: Pace, ship: str) -> Rules:
    """G17.5, R18: one combined landing, also on several tiles; a tile that must be fought for is the last and only one."""
    aboard = t.aboard(seat, ship)
    beaches = [to for to in t.near(t.berth(seat, ship)) if TILES[to].port and t.may_enter(seat, to)]

    def possible(taken: Counted) -> str | None:
        split = by_place(taken)
        for item, n in aboard.items():
            if sum(units.get(item, 0) for units in split.values()) > n:
                return f"there are only {n} of {item} aboard (G17.7)"
        if sum(bool(t.foes(seat, tile)) for tile in split) > 1:
            return "a battle interrupts the landing: name only one tile that must be fought for (G17.11)"
        return None

    everybody = {f"{item}@{to}": n for item, n in aboard.items() for to in beaches}
    likely = [[[f"{item}@{to}", n] for item, n in aboard.items()] for to in beaches]
    choice = Counts(everybody, 1, sum(aboard.values()), possible, likely)
    # Hidden: others see classes and ships from the moves.
    answer = yield Ask(seat, "move", choice, "G17.5", secret=True, about={"part": "landing", "ship": ship})
    split = by_place(dict(answer))
    for tile, units in split.items():
        put_ashore(t, seat, ship, tile, units)
        t.tell("lands", "G17.5", who=t.name(seat), n=sum(units.values()), tile=tile)
    return sorted(split, key=lambda tile: bool(t.foes(seat, tile)))


def by_place(labels: Counted) -> dict[str, Counted]:
    """`archers@N01` counts as {place: {type: n}}."""
    split: dict[str, Counted] = {}
    for label, n in sorted(labels.items()):
        item, place = label.split("@")
        split.setdefault(place, {})[item] = n
    return split


def move_aboard(t: Field, seat: str, pace: Pace, ship: str) -> Rules:
    """G17.4: one combined boarding from any adjacent plains and forests; everybody has finished."""
    able = {f"{item}@{tile}": n for tile in t.near(t.berth(seat, ship)) for item, n in boarders(t, seat, pace, tile).items()}
    choice = Counts(able, 1, min(room(t, seat, ship), sum(able.values())))
    answer = yield Ask(seat, "move", choice, "G17.4", secret=True, about={"part": "boarding", "ship": ship})
    for tile, units in by_place(dict(answer)).items():
        go_aboard(t, seat, ship, tile, units)
        t.tell("boards", "G17.4", who=t.name(seat), n=sum(units.values()), origin=tile, tile=t.berth(seat, ship))
    t.set(f"sailed:{seat}:{ship}", DONE, cite="G17.6")
    return []


MOVES: dict[str, Callable[..., Rules]] = {
    "march": move_regiments,
    "sail": move_squadrons,
    "leave": move_out_of_port,
    "port": move_into_port,
    "land": move_ashore,
    "board": move_aboard,
}


# -- refusals ----------------------------------------------------------------------------------------


def why_not(t: Field, seat: str, pace: Pace, words: list[str]) -> str | None:
    """The first rule that stands against a move."""
    if len(words) == 3 and words[0] in ("march", "sail", "leave", "port") and words[2] in t.land.near:
        tile = t.berth(seat, words[1]) if words[1] in t.fleet(seat) else words[1].partition("+")[0]
        if tile not in t.land.near:
            return f"you have nothing at {words[1]!r} to move (G16.3)"
        if words[2] not in t.near(tile):
            return f"{words[2]} is not next to {tile} (G16.3)"
        if not t.may_enter(seat, words[2]):
            return f"{words[2]} is a tile of an ally (G12.8)"
        return why_no_step(words[0], words[2])
    if len(words) == 2 and words[0] in ("land", "board") and words[1] in t.fleet(seat):
        ship = words[1]
        if not sailable(t, seat, pace, ship):
            return "the squadron has finished its movement or is in port (G17.17)"
        if words[0] == "board":
            return "nobody next to the squadron can board it (G17.4)" if has_room(t, seat, ship) else "the squadron is full (G17.7)"
        return "nobody aboard can land on a neighbouring plain or forest (G17.5)"
    return None


def why_no_step(what: str, to: str) -> str | None:
    terrain = TILES[to].terrain
    if what == "march":
        if TILES[to].sea:
            return "regiments enter the sea only aboard a squadron: board or leave (G17.1)"
        return f"no unit there that has the points can enter a {terrain} (G17.1)"
    if what == "sail":
        return "only squadrons at sea with points left sail, and only to sea (G17.1)"
    if what == "leave":
        return "a squadron leaves port for a neighbouring sea tile, and only if it has not moved (G17.2)"
    return f"a squadron with points left enters a plain or forest from sea, not a {terrain} (G17.3)"
