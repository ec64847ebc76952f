"""Pages 28 and 29: the scoring phase."""

from __future__ import annotations

from domain.games.generalship.data import ACTION_TILES, PACK
from domain.games.generalship.fleet import settle_fleets
from domain.games.generalship.orders import Few
from domain.games.generalship.schema import pair
from domain.games.generalship.table import Counted, Field, score_points
from domain.kernel import END, Ask, Number, Rules

SCORING, UPKEEP = PACK.tables["scoring"], PACK.tables["upkeep"]
# Sizes in halves, so that rounding comes last (G29.1).
HALVES = {kind: int(2 * size) for kind, size in UPKEEP["unit_size"].items()}


def scoring(t: Field) -> Rules:
    """G28.1-2: cylinders back; a point for three neutral tiles, in player order."""
    for tile in ACTION_TILES:
        for seat in t.items(f"circles:{tile}"):
            t.move(seat, f"circles:{tile}", "box", cite="G28.1")
    t.tell("scoring", "G28.1", cycle=t.get("cycle"))
    for seat in t.order:
        if len(t.neutral_tiles(seat)) >= SCORING["neutral_tiles_for_vp"]:
            if score_points(t, seat, SCORING["vp"], "G28.2"):
                return END
    t.set("payer", t.order[0], cite="G28.3")
    return "upkeep"
    yield


# -- what is due -------------------------------------------------------------------------------------


def supplied(t: Field, seat: str) -> set[str]:
    """G29.2: tiles on a chain of own or allied tiles from the own capital; none if that is occupied."""
    capital = t.nation(seat).capital
    if t.occupied(capital):
        return set()
    friends = {seat, *t.allies(seat)}
    near = t.land.near
    reached, edge = {capital}, [capital]
    while edge:
        for tile in near[edge.pop()]:
            if tile not in reached and t.holder(tile) in friends:
                reached.add(tile)
                edge.append(tile)
    return reached


def size(kinds: Counted, *, isolated: bool) -> int:
    """G28.5, G29.1: the size of a stack; isolation doubles it before rounding down."""
    halves = sum(HALVES[kind] * n for kind, n in kinds.items())
    return halves * (UPKEEP["isolated"]["size_factor"] if isolated else 1) // 2


def upkeep_due(t: Field, seat: str) -> int:
    """G28.4-5, G29.1: food for many stacks and for large ones, less what the commander saves."""
    chain = supplied(t, seat)
    stacks = due = 0
    for tile, kinds in t.forces(seat).items():
        isolated = tile not in chain
        stacks += UPKEEP["isolated"]["count_factor"] if isolated else 1
        due += UPKEEP["per_size_above"] * max(0, size(kinds, isolated=isolated) - UPKEEP["free_size"])
    due += UPKEEP["per_stack_above"] * max(0, stacks - UPKEEP["free_stacks"])
    return max(0, due - sum(ability.food for ability in t.abilities(seat, "upkeep_discount")))


# -- paying ------------------------------------------------------------------------------------------


def upkeep(t: Field) -> Rules:
    """G28.3, G28.6: one player's upkeep: allies may offer help, units may or must go, then food is paid."""
    seat = t.get("payer")
    if upkeep_due(t, seat):
        offers = yield from help_of_allies(t, seat)
        yield from remove_units(t, seat, sum(offers.values()))
        yield from pay(t, seat, offers)
    after = t.order.index(seat) + 1
    if after < len(t.order):
        t.set("payer", t.order[after], cite="G28.3")
        return "upkeep"
    t.set("payer", None)
    return "new_order"


def help_of_allies(t: Field, seat: str) -> Rules:
    """G28.6: each ally says how much food he would give at most."""
    offers: Counted = {}
    for ally in t.allies(seat):
        most = min(t.food(ally), upkeep_due(t, seat))
        if most:
            about = {"for": seat, "due": upkeep_due(t, seat), "food": t.food(seat)}
            offers[ally] = yield Ask(ally, "upkeep_help", Number(0, most), "G28.6", about=about)
    return offers


def remove_units(t: Field, seat: str, offered: int) -> Rules:
    """G28.3: units may be given up before paying, and must be while food is short."""
    while due := upkeep_due(t, seat):
        units = t.units(seat)
        short = due > t.food(seat) + offered
        about = {"due": due, "food": t.food(seat), "offered": offered}
        taken = yield Ask(seat, "upkeep_remove", Few(units, 1 if short else 0), "G28.3", about=about)
        if not taken:
            return
        t.remove(seat, dict(taken), "G28.3")
        t.tell("disbands", "G28.3", who=t.name(seat), n=sum(n for _, n in taken))
        yield from settle_fleets(t, seat, "G28.3")


def pay(t: Field, seat: str, offers: Counted) -> Rules:
    """G28.6, G29.3: food only; the player says how much of it is his own, allies give the rest."""
    due = upkeep_due(t, seat)
    if not due:
        return
    least = max(0, due - sum(offers.values()))
    own = yield Ask(seat, "upkeep_pay", Number(least, min(due, t.food(seat))), "G29.3", about={"due": due})
    t.add(f"food:{seat}", -own, cite="G28.3")
    t.tell("pays", "G28.3", who=t.name(seat), food=own)
    rest = due - own
    for ally, offer in offers.items():
        given = min(rest, offer)
        if given:
            t.add(f"food:{ally}", -given, cite="G28.6")
            t.add(f"helped:{pair(seat, ally)}:{ally}", given, cite="G28.6")
            t.tell("helps", "G28.6", who=t.name(ally), whom=t.name(seat), food=given)
        rest -= given


def new_order(t: Field) -> Rules:
    """G29.4-5: by political power, highest first; equal players keep their order."""
    now = t.order
    t.reorder("order", sorted(range(len(now)), key=lambda i: -t.pp(now[i])), cite="G29.4")
    t.tell("order", "G29.4", order=", ".join(t.name(seat) for seat in t.order))
    t.set("turn", 0, cite="G29.5")
    t.add("cycle", 1)
    return "turn"
    yield
