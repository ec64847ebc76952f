"""Tableau ops: the action (E4) and the nine ops (F)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from domain.games.pax_renaissance.agents import raid
from domain.games.pax_renaissance.data import (
    BORDERS,
    BORDERS_OF,
    CARDS,
    EMPIRES,
    FAITH,
    KIND,
    MAPS,
    OPS,
    REGION,
    SIDES,
    name_of,
    places,
    shares,
)
from domain.games.pax_renaissance.legal import Legal
from domain.games.pax_renaissance.levy import levy
from domain.games.pax_renaissance.pack import Op
from domain.games.pax_renaissance.regime import place_zone, regime_change
from domain.games.pax_renaissance.schema import COLUMNS
from domain.games.pax_renaissance.table import PaxTable
from domain.games.pax_renaissance.tokens import discard, enter, kill, repress, settle
from domain.games.pax_renaissance.war import Force, battle
from domain.kernel import Ask, Rules

BOTH = "both"


class Use(NamedTuple):
    """A card about to perform one of its ops for a seat."""

    t: PaxTable
    seat: str
    card: str
    op: Op

    @property
    def location(self) -> str:
        return self.t.location(self.card)


class Procedure(NamedTuple):
    """An op: what one might aim it at, why not, and what it does."""

    targets: Callable[[Use], Sequence[Any]]
    why: Callable[[Use, Any], str | None]
    do: Callable[[Use, Any], Rules]


# -- E4: the action --------------------------------------------------------------------------------------


def ops_left(t: PaxTable, seat: str, side: str) -> Legal:
    """E4.1: each card of the side (or of both, M4) may perform one of its ops, once, in any order."""
    cards = [card for one in SIDES if side in (one, BOTH) for card in t.cards(seat, one)]
    return Legal(
        lambda: [[card, op.name] for card in cards for op in t.ops_of(card)],
        lambda answer: op_refused(t, seat, answer[0], answer[1]),
    )


def op_refused(t: PaxTable, seat: str, card: str, name: str) -> str | None:
    if t.get(f"used:{card}"):
        return f"E4.1: {name_of(card)} has already performed an op in this action"
    op = named(t, card, name)
    if t.silenced(card) and not OPS[op.op].usable_when_silenced:
        return f"E4.7: a bishop silences {name_of(card)}, only its religious ops work"
    aims = targets(Use(t, seat, card, op))
    return None if aims.possible() else aims.objection()


def named(t: PaxTable, card: str, name: str) -> Op:
    return next(op for op in t.ops_of(card) if op.name == name)


def targets(use: Use) -> Legal:
    procedure = PROCEDURES[use.op.op]
    return Legal(lambda: procedure.targets(use), lambda target: procedure.why(use, target))


def perform_op(t: PaxTable, seat: str, card: str, name: str) -> Rules:
    """One op of one card: the target, then what it does."""
    use = Use(t, seat, card, named(t, card, name))
    sort = OPS[use.op.op]
    key = "tax_target" if sort.id == "tax" else sort.id
    target = yield Ask(seat, key, targets(use), sort.rule, about={"card": card, "op": name})
    t.say(sort.rule, what="op", seat=seat, card=card, op=sort.id, target=target)
    yield from PROCEDURES[sort.id].do(use, target)
    yield from settle(t)


# -- F1 inquisitor ---------------------------------------------------------------------------------------


def bishops_moves(use: Use) -> list[list[str]]:
    """Each bishop of the colour, anywhere in play, to any unit."""
    units = [card for card, spot in use.t.spots().items() if card == spot.main]
    stand = [main for bishop, main in use.t.bishops() if FAITH[bishop] == use.op.religion]
    return [[here, there] for here in stand for there in units if there != here]


def inquisitor_refused(use: Use, move: list[str]) -> str | None:
    t, (here, there) = use.t, move
    one, other = t.spots()[here], t.spots()[there]
    if one[:2] == other[:2] and abs(one.place - other.place) == 1:  # F1.1 (a)
        return None
    if any(shares(a, b) for a in t.locations(here) for b in t.locations(there)):  # F1.1 (b)
        return None
    return f"F1.1: {name_of(there)} is neither next to {name_of(here)} nor in the same location"


def inquisitor(use: Use, move: list[str]) -> Rules:
    t, (here, there) = use.t, move
    yield from enter(t, use.seat, t.bishop(here), f"on:{here}", there)


# -- F2 commerce -----------------------------------------------------------------------------------------


def columns(use: Use) -> list[int]:
    return list(COLUMNS)


def commerce_refused(use: Use, column: int) -> str | None:
    t, row = use.t, use.op.row
    if not t.florins_at(row, column):
        return f"F2: there is no florin in column {column} of the {row} row"
    if not t.card_at(row, column) and not t.options["commerce_empty_slot"]:
        return "F2: the florins there lie on no card"
    return None


def commerce(use: Use, column: int) -> Rules:
    use.t.move("florin", f"florins:{use.op.row}:{column}", f"money:{use.seat}", cite="F2")
    yield from ()


# -- F3 behead -------------------------------------------------------------------------------------------


def heads(use: Use) -> list[str]:
    return list(use.t.spots())


def behead_refused(use: Use, card: str) -> str | None:
    t = use.t
    if card == use.card:
        return "F3.1: a card cannot behead itself"
    limits = CARDS[use.card].effects.get("restrict_behead") if use.card in CARDS else None
    if limits:  # M4
        bishop = t.bishop(t.spots()[card].main)
        if shares(t.location(card), f"the_{limits['side']}") and bishop and FAITH[bishop] in limits["bishops"]:
            return None
        return f"M4: {name_of(use.card)} only beheads a card of the {limits['side']} that carries such a bishop"
    if shares(use.location, t.location(card)):
        return None
    return f"F3.1: {name_of(card)} is not located in {name_of(use.location)}"


def behead(use: Use, card: str) -> Rules:
    t = use.t
    yield from discard(t, card, "F3.1")
    if card in EMPIRES and t.spot(use.card) is not None:
        yield from discard(t, use.card, "F3.2")  # the assassin


# -- F4 tax ----------------------------------------------------------------------------------------------


def taxable(use: Use) -> list[list[str]]:
    return [[border.id, empire] for empire in places(use.location) for border in BORDERS_OF[empire] if use.t.concession(border.id)]


def tax_refused(use: Use, target: list[str]) -> str | None:
    return f"F4.1: {name_of(target[1])} is saturated" if use.t.saturated(target[1]) else None


def tax(use: Use, target: list[str]) -> Rules:
    """F4.2: the owner pays or represses, then places a levy (F4.3)."""
    t, (border, empire) = use.t, target
    pawn = t.concession(border)
    owner = t.owner(pawn)
    answer = "repress"
    if t.florins(owner):
        answer = yield Ask(owner, "tax_response", ["pay", "repress"], "F4.2", about={"border": border, "empire": empire})
    if answer == "pay":
        t.pay(owner, 1, "F4.2")
    else:
        repress(t, pawn, f"border:{border}", empire, "F4.2")
    t.say("F4.2", what="taxed", seat=owner, answer=answer, border=border, empire=empire)
    yield from levy(t, owner, empire, "F4.3")


# -- F5 repress ------------------------------------------------------------------------------------------


def oppressable(use: Use) -> list[list[str]]:
    """Every token in the location: in a city, or on a border, with the empire it would go to."""
    t = use.t
    return [
        [place, empire]
        for empire in places(use.location)
        for place in (
            *(slot.id for slot in t.slots(empire) if t.occupant(slot.id)),
            *(border.id for border in BORDERS_OF[empire] if t.zones[f"border:{border.id}"]),
        )
    ]


def token_at(t: PaxTable, place: str) -> str:
    """The token that can be repressed there: pirates cannot be (GL-PIRAT.1)."""
    return t.concession(place) if place in BORDERS else t.occupant(place)


def repress_refused(use: Use, target: list[str]) -> str | None:
    token = token_at(use.t, target[0])
    if not token:
        return "GL-PIRAT.1: pirates cannot be repressed"
    return None if KIND[token] in use.op.kinds else f"F5.1: this op represses {' or '.join(use.op.kinds)}, not a {KIND[token]}"


def repress_op(use: Use, target: list[str]) -> Rules:
    place, empire = target
    repress(use.t, token_at(use.t, place), place_zone(place), empire, "F5.1")
    use.t.earn(use.seat, 1, "F5.3")
    yield from ()


# -- F6 vote ---------------------------------------------------------------------------------------------


def electorates(use: Use) -> list[str]:
    return list(EMPIRES)


def votes(t: PaxTable, seat: str, empire: str) -> int:
    """F6.2: concessions on the empire's borders, doubled by the ability (M4)."""
    count = len(t.concessions(seat, empire))
    for _, effect in t.abilities("concession_multiplier", seat):
        if "vote" in effect["in"]:
            count *= effect["factor"]
    return count


def majority(t: PaxTable, empire: str) -> str:
    """Who has strictly more votes than every other banker; nobody in a tie."""
    polled = sorted(((votes(t, seat, empire), seat) for seat in t.bankers()), reverse=True)
    best = polled[0]
    return best[1] if best[0] and (len(polled) == 1 or best[0] > polled[1][0]) else ""


def vote_cost(t: PaxTable, seat: str, empire: str) -> int:
    """F6.3: a florin for each repressed token, less the discount (M4)."""
    discount = sum(t.prestige(seat)[effect["per"]] for _, effect in t.abilities("vote_discount", seat))
    return max(0, len(t.repressed(empire)) - discount)


def vote_refused(use: Use, empire: str) -> str | None:
    t, spot = use.t, use.t.spot(empire)
    if spot is None:
        return f"F6.1: {name_of(empire)} is in the empire stack"
    side = spot.side if t.options["vote_side"] == "tableau_side" else REGION[empire]
    if side != use.op.side:
        return f"F6.1: {name_of(empire)} is in the {side}, this is a vote in the {use.op.side}"
    if majority(t, empire) != use.seat:
        return f"F6.2: you have not the most concessions on the borders of {name_of(empire)}"
    if t.florins(use.seat) < vote_cost(t, use.seat, empire):
        return f"F6.3: the vote costs {vote_cost(t, use.seat, empire)} florins, you have {t.florins(use.seat)}"
    return None


def vote(use: Use, empire: str) -> Rules:
    use.t.pay(use.seat, vote_cost(use.t, use.seat, empire), "F6.3")
    yield from regime_change(use.t, use.seat, empire, "vote")  # F6.4


# -- F7 corsair ------------------------------------------------------------------------------------------


def voyages(use: Use) -> list[list[str]]:
    t = use.t
    sea = [border.id for border in BORDERS.values() if border.sea]
    here = [one for one in sea if FAITH.get(t.pirate(one)) == use.op.religion]
    return [[one, other] for one in here for other in sea if other != one]


def reach(t: PaxTable, empire: str) -> list[str]:
    """F7.1: the map cards whose sea borders a pirate of this one can sail to."""
    if t.options["corsair_reach"] == "adjacent_diagonal":
        return [empire, *t.adjacent(empire)]
    only_sea = t.options["corsair_reach"] == "shares_sea_border"
    return [empire, *(other for border in BORDERS_OF[empire] if border.sea or not only_sea for other in border.between)]


def corsair_refused(use: Use, voyage: list[str]) -> str | None:
    t, (here, there) = use.t, voyage
    homes = [empire for empire in places(use.location) if empire in BORDERS[here].between]
    if not homes:
        return f"F7.1: that pirate is not on a border of {name_of(use.location)}"
    if not any(end in reach(t, empire) for empire in homes for end in BORDERS[there].between):
        return f"F7.1: {name_of(there)} is too far away"
    if FAITH.get(t.pirate(there)) == use.op.religion:
        return "F7.1: a pirate of the same colour is already there"
    return None


def corsair(use: Use, voyage: list[str]) -> Rules:
    t, (here, there) = use.t, voyage
    raid(t, there, "F7.2")
    t.move(t.pirate(here), f"border:{here}", f"border:{there}", cite="F7.1")
    yield from ()


# -- F8 siege --------------------------------------------------------------------------------------------


def besieged(use: Use) -> list[str]:
    """Every rook, knight or pirate of the location."""
    t = use.t
    zones = [zone for empire in places(use.location) for zone, _ in (*t.rulers(empire), *t.pirates(empire))]
    return [zone.partition(":")[2] for zone in dict.fromkeys(zones)]


def siege(use: Use, place: str) -> Rules:
    t = use.t
    kill(t, t.pirate(place) if place in BORDERS else t.occupant(place), place_zone(place), "F8")
    yield from ()


# -- F9 campaign -----------------------------------------------------------------------------------------


def knights(use: Use, target: str) -> Force:
    """F9.2: every knight on the king's map card, and the slave soldiers of the ability (M4)."""
    t = use.t
    force = [one for one in t.rulers(use.location) if KIND[one[1]] == "knight"]
    for _, effect in t.abilities("repressed_as_knights", use.seat):
        if REGION[target] == effect["targets"]:
            force += [(f"on:{effect['empire']}", token) for token in t.repressed(effect["empire"])]
    return force


def neighbours(use: Use) -> list[str]:
    """Every other map card, the adjacent ones first."""
    near = MAPS[use.card].adjacent
    return [*near, *(empire for empire in MAPS if empire != use.card and empire not in near)]


def campaign_refused(use: Use, target: str) -> str | None:
    t = use.t
    if target not in t.adjacent(use.location):
        return f"F9.1: {name_of(target)} is not adjacent to {name_of(use.location)}"
    if t.spots()[use.card].main == target:
        return "F9.1: a vassal may not campaign against its own suzerain"
    cost = len(knights(use, target))
    if not cost:
        return f"F9.2: there is no knight in {name_of(use.location)}"
    if cost > t.florins(use.seat):
        return f"F9.2: all {cost} knights must attack, at 1 florin each; you have {t.florins(use.seat)}"
    return None


def campaign(use: Use, target: str) -> Rules:
    t = use.t
    attackers = knights(use, target)
    t.pay(use.seat, len(attackers), "F9.2")
    won = yield from battle(t, use.seat, attackers, t.rulers(target))  # F9.3
    if won:
        yield from regime_change(t, use.seat, target, "campaign", victor=use.card)  # F9.5


def no_objection(use: Use, target: Any) -> None:
    return None


PROCEDURES = {
    "inquisitor": Procedure(bishops_moves, inquisitor_refused, inquisitor),
    "commerce": Procedure(columns, commerce_refused, commerce),
    "behead": Procedure(heads, behead_refused, behead),
    "tax": Procedure(taxable, tax_refused, tax),
    "repress": Procedure(oppressable, repress_refused, repress_op),
    "vote": Procedure(electorates, vote_refused, vote),
    "corsair": Procedure(voyages, corsair_refused, corsair),
    "siege": Procedure(besieged, no_objection, siege),
    "campaign": Procedure(neighbours, campaign_refused, campaign),
}
