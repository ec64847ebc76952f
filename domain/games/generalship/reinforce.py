"""Page 17: before a battle first the attacked player, then the attacker may bring more units to the field."""

from __future__ import annotations

from typing import Any

from domain.games.generalship.data import KIND, TILES
from domain.games.generalship.fleet import CAPACITY, room
from domain.games.generalship.march import source, too_many
from domain.games.generalship.movement import (
    Pace,
    boarders,
    can_leave,
    enter_port,
    has_room,
    leave_port,
    peaceful,
    put_ashore,
    sailable,
)
from domain.games.generalship.orders import Orders
from domain.games.generalship.schema import DONE, SPENT, camp, camps, hull
from domain.games.generalship.table import Counted, Field
from domain.kernel import Ask, Pick, Rules


def reinforce_defender(t: Field) -> Rules:
    """G17.12: the attacked player first."""
    yield from reinforce(t, t.get("defender"))
    return "reinforce_attacker"


def reinforce_attacker(t: Field) -> Rules:
    """G17.12: then the attacker; after that everybody on the field has finished for this turn (G17.8)."""
    yield from reinforce(t, t.get("attacker"))
    for seat in (t.get("attacker"), t.get("defender")):
        engage(t, seat, t.get("battlefield"))
    return "withdrawal"


def engage(t: Field, seat: str, tile: str) -> None:
    """All units of a seat on the tile take part and get their second cube (G17.8)."""
    if not TILES[tile].sea:
        for spent in SPENT[:-1]:
            for item, n in sorted(t.zones[camp(seat, tile, spent)].items()):
                t.move(item, camp(seat, tile, spent), camp(seat, tile, DONE), n, cite="G17.8")
    for ship in t.fleet(seat, tile):
        t.set(f"sailed:{seat}:{ship}", DONE, cite="G17.8")


def reinforce(t: Field, seat: str) -> Rules:
    """G17.12-13: one group after the other, as long as somebody can reach the field and the player wants it."""
    field = t.get("battlefield")
    pace = Pace(t, seat, led=False)  # commander abilities do not apply
    while orders := reinforcements(t, seat, pace, field):
        choice = Orders(
            orders, lambda words: "only units that can reach the battlefield unfinished, without another battle (G17.12)"
        )
        order = yield Ask(seat, "reinforce", choice, "G17.12", optional=True, about={"battlefield": field})
        if order is None:
            return
        what, group, *path = order.split()
        n = yield from JOIN[what](t, seat, pace, group, path, field)
        for tile in path[:-1]:
            t.take(seat, tile)  # G18.5: passing through counts
        t.tell("reinforces", "G17.12", who=t.name(seat), n=n, tile=field)


def reinforcements(t: Field, seat: str, pace: Pace, field: str) -> list[str]:
    """Every group that can reach the battlefield, with its way there (R20: no other battle on the way)."""
    found = by_sea(t, seat, pace, field)
    if TILES[field].sea:
        vessels = [ship for ship in t.fleet(seat, field) if sailable(t, seat, pace, ship) and has_room(t, seat, ship)]
        for origin, spent, way in ways(t, seat, pace, field):
            found += [f"board {source(origin, spent)} {' '.join([*way, ship])}" for ship in vessels]
    else:
        found += [f"march {source(origin, spent)} {' '.join([*way, field])}" for origin, spent, way in ways(t, seat, pace, field)]
    return found


def ways(t: Field, seat: str, pace: Pace, field: str) -> list[tuple[str, int, list[str]]]:
    """Camps from which somebody reaches the field on foot or horse: directly, or over one tile between."""
    found: list[tuple[str, int, list[str]]] = []
    for tile, spent, zone in camps(seat):
        if not t.zones[zone] or spent == DONE or tile == field:
            continue
        for way in ([], *([between] for between in t.near(tile) if field in t.near(between) and not TILES[between].sea)):
            if field in t.near(way[0] if way else tile) and all(peaceful(t, seat, step) for step in way):
                kinds = {KIND[item] for item in t.zones[zone]}
                if any(reaches(pace, kind, spent, way, tile, field) for kind in kinds):
                    found.append((tile, spent, way))
    return found


def reaches(pace: Pace, kind: str, spent: int, way: list[str], tile: str, field: str) -> bool:
    """Whether a regiment has the points for the way and the last step, which may be aboard a squadron."""
    for step in way:
        if not pace.walks(kind, spent, step):
            return False
        spent = pace.after(kind, spent, step)
    if TILES[field].sea:
        return TILES[way[-1] if way else tile].port and pace.left(kind, spent) > 0
    return pace.walks(kind, spent, field)


def by_sea(t: Field, seat: str, pace: Pace, field: str) -> list[str]:
    """Squadrons that reach the field, or a beach of it, directly or over one sea tile between."""
    found: list[str] = []
    for ship in t.fleet(seat):
        tile = t.berth(seat, ship)
        if tile == field:
            continue
        points = sailable(t, seat, pace, ship)
        for way in ([], *([between] for between in t.near(tile) if TILES[between].sea and peaceful(t, seat, between))):
            if field not in t.near(way[-1] if way else tile) or points <= len(way):
                continue
            path = " ".join([*way, field])
            if TILES[field].sea:
                found.append(f"sail {ship} {path}")
            elif TILES[field].port:
                found.append(f"port {ship} {path}")
                if t.aboard(seat, ship):
                    found.append(f"land {ship} {path}")
        if TILES[field].sea and field in t.near(tile) and can_leave(t, seat, ship):
            found.append(f"leave {ship} {field}")
    return found


# -- how they join: each returns the number of units -------------------------------------------------


def join_on_foot(t: Field, seat: str, pace: Pace, group: str, path: list[str], field: str) -> Rules:
    tile, _, points = group.partition("+")
    spent = int(points or 0)
    able = Pick(t, camp(seat, tile, spent), 1, only=lambda item: reaches(pace, KIND[item], spent, path[:-1], tile, field))
    units = yield from which(seat, able, {"part": "units", "from": group})
    for item, n in sorted(units.items()):
        t.move(item, camp(seat, tile, spent), camp(seat, field, DONE), n, cite="G17.12")
    return sum(units.values())


def which(seat: str, able: Pick, about: dict[str, Any]) -> Rules:
    if sum(able.of.values()) == 1:
        return dict(able.of)
    return dict((yield Ask(seat, "reinforce", able, "G17.12", about=about)))


def join_by_sailing(t: Field, seat: str, pace: Pace, ship: str, path: list[str], field: str) -> Rules:
    t.set(f"berth:{seat}:{ship}", field, cite="G17.12")
    t.set(f"sailed:{seat}:{ship}", DONE, cite="G17.8")
    return 1 + sum(t.aboard(seat, ship).values())
    yield


def join_from_port(t: Field, seat: str, pace: Pace, ship: str, path: list[str], field: str) -> Rules:
    able = boarders(t, seat, pace, t.berth(seat, ship))
    units: Counted = {}
    if able:
        zones = [camp(seat, t.berth(seat, ship), spent) for spent in (0, 1, 2)]
        choice = Pick(t, zones, 0, CAPACITY, lambda taken: too_many(taken, able), only=able.__contains__)
        units = dict((yield Ask(seat, "reinforce", choice, "G17.2", about={"part": "units", "ship": ship})))
    leave_port(t, seat, ship, field, units)
    return 1 + sum(units.values())


def join_in_port(t: Field, seat: str, pace: Pace, ship: str, path: list[str], field: str) -> Rules:
    n = 1 + sum(t.aboard(seat, ship).values())
    enter_port(t, seat, ship, field)
    return n
    yield


def join_ashore(t: Field, seat: str, pace: Pace, ship: str, path: list[str], field: str) -> Rules:
    if path[:-1]:
        t.set(f"berth:{seat}:{ship}", path[0], cite="G17.12")
    able = Pick(t, hull(seat, ship), 1, only=lambda item: KIND[item] != "ship")
    units = yield from which(seat, able, {"part": "units", "ship": ship})
    put_ashore(t, seat, ship, field, units)
    return sum(units.values())


def join_aboard(t: Field, seat: str, pace: Pace, group: str, path: list[str], field: str) -> Rules:
    """`board N01 N02 ship3`: out of the camp at N01, over N02, aboard ship3 on the battlefield."""
    tile, _, points = group.partition("+")
    spent = int(points or 0)
    zone, ship = camp(seat, tile, spent), path[-1]

    def able(item: str) -> bool:
        return reaches(pace, KIND[item], spent, path[:-1], tile, field)

    units = yield from which(seat, Pick(t, zone, 1, room(t, seat, ship), only=able), {"part": "units", "ship": ship})
    for item, n in sorted(units.items()):
        t.move(item, zone, hull(seat, ship), n, cite="G17.4")
    return sum(units.values())


JOIN = {
    "march": join_on_foot,
    "sail": join_by_sailing,
    "leave": join_from_port,
    "port": join_in_port,
    "land": join_ashore,
    "board": join_aboard,
}
