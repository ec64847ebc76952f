"""Pages 12 and 13: the alliance action changes anybody's alliances without asking him."""

from __future__ import annotations

from domain.games.generalship.data import PACK
from domain.games.generalship.orders import Orders
from domain.games.generalship.retreat import cubes_off, retreat
from domain.games.generalship.schema import SPACES, pair
from domain.games.generalship.table import Field, spend_power
from domain.games.generalship.turn import next_actor
from domain.kernel import Ask, Rules

LIMITS = {int(players): cubes for players, cubes in PACK.tracks["alliances"]["max_cubes_per_space"].items()}


def alliance(t: Field) -> Rules:
    """G12.10-11: cubes go in for nothing and come out for a PP card each; lone cubes are removed at the end."""
    seat = t.get("actor")
    before = allied_pairs(t)
    power = t.pp(seat)
    while orders := alliance_orders(t, seat):
        choice = Orders(orders, lambda words: why_not(t, seat, words), lambda order: reconciles(t, order))
        answer = yield Ask(seat, "edit_alliances", choice, "G12.10", optional=True)
        if answer is None:
            break
        what, whose, space = answer.split()
        if what == "put":
            t.move(whose, "box", f"alliance:{space}", cite="G12.10")
        else:
            spend_power(t, seat, "G12.10")
            t.move(whose, f"alliance:{space}", "box", cite="G12.10")
        t.tell(what, "G12.10", who=t.name(seat), whom=t.name(whose), space=space)
    for space in SPACES:
        if t.total(f"alliance:{space}") == 1:
            t.move(t.items(f"alliance:{space}")[0], f"alliance:{space}", "box", cite="G12.10")
    remember(t, seat, before, power - t.pp(seat))
    yield from part_guests(t)
    return next_actor(t)


def alliance_orders(t: Field, seat: str) -> list[str]:
    """Every single step that keeps the limits (R15)."""
    inside = {other: space for space in SPACES for other in t.zones[f"alliance:{space}"]}
    limit = LIMITS[len(t.seats)]
    orders = [f"put {other} {space}" for other in t.order if other not in inside for space in SPACES if _room(t, space, limit)]
    if t.pp(seat):
        orders += [f"take {other} {inside[other]}" for other in t.order if other in inside]
    return orders


def reconciles(t: Field, order: str) -> bool:
    """Whether a step makes allies of an occupier and the nation he stands in."""
    what, whose, space = order.split()
    others = [other for other in t.zones[f"alliance:{space}"] if other != whose]
    guests = any(other in t.present(tile) for other in others for tile in t.nation(whose).tiles)
    hosts = any(whose in t.present(tile) for other in others for tile in t.nation(other).tiles)
    return what == "put" and (guests or hosts)


def _room(t: Field, space: str, limit: int) -> bool:
    return t.total(f"alliance:{space}") < limit


def why_not(t: Field, seat: str, words: list[str]) -> str | None:
    if len(words) != 3 or words[1] not in t.seats or words[2] not in SPACES:
        return None
    what, whose, space = words
    if what == "take":
        if whose not in t.zones[f"alliance:{space}"]:
            return f"{whose} has no cube in space {space} (G12.10)"
        return "taking a cube out costs a PP card, and you have none (G12.10)"
    if any(whose in t.zones[f"alliance:{other}"] for other in SPACES):
        return f"{whose} already has a cube in the alliance area (G12.10)"
    return f"space {space} holds no more than {LIMITS[len(t.seats)]} cubes (G12.10)"


def allied_pairs(t: Field) -> list[tuple[str, str]]:
    order = sorted(t.order)
    return [(one, other) for index, one in enumerate(order) for other in order[index + 1 :] if t.allied(one, other)]


def remember(t: Field, seat: str, before: list[tuple[str, str]], power: int) -> None:
    """For the diplomacy table: who made or broke which alliance, when, and what it cost him."""
    after = allied_pairs(t)
    for one, other in after:
        if (one, other) not in before:
            two = pair(one, other)
            t.set(f"since:{two}", t.get("clock"))
            t.set(f"maker:{two}", seat)
            t.tell("allied", "G12.7", who=t.name(one), whom=t.name(other))
    for one, other in before:
        if (one, other) not in after:
            two = pair(one, other)
            t.set(f"since:{two}", None)
            t.set(f"parted:{two}", t.get("clock"))
            t.set(f"breaker:{two}", seat)
            t.set(f"cost:{two}", power)
            t.tell("parted", "G12.10", who=t.name(one), whom=t.name(other), by=t.name(seat), cost=power)


def part_guests(t: Field) -> Rules:
    """G12.12, R16: where former allies share a tile the guest retreats at once, without a battle."""
    for tile in sorted(t.land.home):
        host = t.land.home[tile]
        for guest in t.foes(host, tile):
            if host in t.present(tile):
                t.tell("guest_leaves", "G12.12", who=t.name(guest), tile=tile)
                yield from retreat(t, guest, tile, "G12.12")
                cubes_off(t, guest)  # outside a march nobody is finished
