"""Battles, civil wars and religious wars (BAT, J, K)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import permutations

from domain.games.pax_renaissance.data import BORDERS, BORDERS_OF, CITIES, FAITH, KIND, MAPS, PACK, SLOTS, SLOTS_OF, places
from domain.games.pax_renaissance.pack import Agent, OneShot
from domain.games.pax_renaissance.regime import place_zone, refuges, regime_change
from domain.games.pax_renaissance.table import PaxTable
from domain.games.pax_renaissance.tokens import kill, settle, supplied
from domain.kernel import Ask, Counts, Rules

# Who fights: (zone, token), one entry a piece.
Force = list[tuple[str, str]]

AGENTS_WHO_FIGHT = {war: row["kinds"] for war, row in PACK.raw["battle_table"]["rows"][0].items() if isinstance(row, dict)}
RULE = {"conspiracy": "J1.1", "peasant_revolt": "J2.1", "religious_war": "K1.1"}
VACANT = "vacant"


# -- BAT: battles ---------------------------------------------------------------------------------------


def weight(t: PaxTable, zone: str, token: str) -> int:
    """BAT.7: a white token in Venice counts double while the Duchy of Ferrara stands unsilenced, whoever owns it."""
    slot = SLOTS.get(zone.removeprefix("city:"))
    strength = 1
    if slot is not None:
        for _, effect in t.abilities("battle_weight"):
            if effect["city"] == slot.city and effect["religion"] == FAITH[token]:
                strength *= effect["factor"]
    return strength


def battle(t: PaxTable, seat: str, attackers: Force, defenders: Force) -> Rules:
    """BAT.1-BAT.3: an exchange one for one; the attack succeeds if an attacker survives."""
    strong = sum(weight(t, *one) for one in attackers)
    facing = sum(weight(t, *one) for one in defenders)
    loss = min(strong, facing)
    # Both sides are weighed before anybody dies.
    weights = {one: weight(t, *one) for one in (*attackers, *defenders)}
    for force in (attackers, defenders):
        yield from casualties(t, seat, force, loss, weights)
    t.say("BAT.3", what="battle", seat=seat, attackers=strong, defenders=facing, won=strong > facing)
    return strong > facing


def casualties(t: PaxTable, seat: str, force: Force, loss: int, weights: dict[tuple[str, str], int]) -> Rules:
    """BAT.2: the attacking player names the dead of both sides; where all must die there is nothing to name."""
    loss = payable([weights[one] for one in force], loss)
    if loss == 0:
        return
    pieces = {f"{zone} {token}": (zone, token) for zone, token in force}
    of = Counter(f"{zone} {token}" for zone, token in force)
    if loss == sum(weights[one] for one in force):
        fallen = sorted(of.items())
    elif len(of) == 1:
        name = next(iter(of))
        fallen = [(name, loss // weights[pieces[name]])]
    else:
        heavy = max(weights[one] for one in force)

        def why(taken: dict[str, int]) -> str | None:
            dead = sum(weights[pieces[name]] * n for name, n in taken.items())
            return None if dead == loss else f"BAT.7: the dead must add up to {loss}, these make {dead}"

        named = yield Ask(seat, "casualties", Counts(of, -(-loss // heavy), loss, why), "BAT.2", about={"losses": loss})
        fallen = [(name, n) for name, n in named]
    for name, n in fallen:
        zone, token = pieces[name]
        for _ in range(n):
            kill(t, token, zone, "BAT.4")


def payable(weights: Sequence[int], loss: int) -> int:
    """BAT.7: the loss, or one less where no choice of tokens adds up to it exactly.

    >>> payable([1, 1, 2], 3), payable([2], 1), payable([2, 2], 3)
    (3, 0, 2)
    """
    sums = {0}
    for one in weights:
        sums |= {total + one for total in sums}
    return loss if loss in sums else loss - 1


# -- J, K: wars -----------------------------------------------------------------------------------------


def war_targets(t: PaxTable, shot: OneShot, location: str) -> list[str]:
    """Where a war may be waged: anywhere in the location, a religious one only against heretics (K1.4, the cursed law)."""
    return [empire for empire in places(location) if shot.type != "religious_war" or heretics(t, empire, shot.religion)]


def heretics(t: PaxTable, empire: str, religion: str) -> Force:
    """K1.3: rooks, knights and pirates of another colour; repressed tokens are none."""
    return [(zone, token) for zone, token in (*t.rulers(empire), *t.pirates(empire)) if FAITH[token] != religion]


def fights(agent: Agent, shot: OneShot) -> bool:
    """E2.1: whether an agent must fight in this war; bishops never do."""
    return agent.kind in AGENTS_WHO_FIGHT[shot.type] and (not shot.religion or agent.religion == shot.religion)


def wage(t: PaxTable, seat: str, shot: OneShot, empire: str, agents: Sequence[Agent]) -> Rules:
    """A war, from the call to arms to the regime change (E2.1, K2.2)."""
    t.say(RULE[shot.type], what="war", seat=seat, war=shot.name, empire=empire)
    for agent in agents:
        token = agent.token(t.bank(seat))
        source = yield from supplied(t, seat, token)  # BAT.11
        if source is not None:
            t.move(token, source, "fleet" if agent.kind == "pirate" else "camp", cite="E2.1")
    attackers, defenders = MUSTER[shot.type](t, seat, empire, shot.religion)
    attackers += yield from join(t, seat, shot, empire)
    won = yield from battle(t, seat, attackers, defenders)
    if not won:
        return
    if shot.type == "religious_war" and MAPS[empire].flipped(t.map_side(empire)) == shot.religion:
        yield from flip(t, seat, empire, "K2.1")
    elif shot.type == "conspiracy" and t.theocracy(empire):
        if (yield Ask(seat, "flip_theocracy", ["yes", "no"], "J1.2", about={"empire": empire})) == "yes":
            yield from flip(t, seat, empire, "J1.2")
    yield from place_survivors(t, seat, empire)
    yield from regime_change(t, seat, empire, "war")


def conspirators(t: PaxTable, seat: str, empire: str, religion: str) -> tuple[Force, Force]:
    """J1.1: agents, repressed knights and rooks, pirates of any colour against the ruling class."""
    for token in t.repressed(empire):
        if KIND[token] in ("knight", "rook"):
            t.move(token, f"on:{empire}", "camp", cite="J1.1")
    return [*beside(t), *t.pirates(empire)], t.rulers(empire)


def rebels(t: PaxTable, seat: str, empire: str, religion: str) -> tuple[Force, Force]:
    """J2.1: agents, serfs of any colour, own concessions and pirates of any colour against the ruling class."""
    for token in t.repressed(empire):
        if KIND[token] == "pawn":
            t.move(token, f"on:{empire}", "camp", cite="J2.1")
    own = [(f"border:{border}", t.pawn(seat)) for border in t.concessions(seat, empire)]
    return [*beside(t), *t.pirates(empire), *own], t.rulers(empire)


def believers(t: PaxTable, seat: str, empire: str, religion: str) -> tuple[Force, Force]:
    """K1.2: agents, rooks, knights and pirates of the war's colour here, and such knights in adjacent map cards."""
    here = [(zone, token) for zone, token in (*t.rulers(empire), *t.pirates(empire)) if FAITH[token] == religion]
    nearby = [one for other in t.adjacent(empire) for one in t.rulers(other) if one[1] == f"knight.{religion}"]
    return [*beside(t), *here, *nearby], heretics(t, empire, religion)


MUSTER = {"conspiracy": conspirators, "peasant_revolt": rebels, "religious_war": believers}


def beside(t: PaxTable) -> Force:
    """Those who stand beside the map card."""
    return [(zone, token) for zone in ("camp", "fleet") for token in t.items(zone)]


def join(t: PaxTable, seat: str, shot: OneShot, empire: str) -> Rules:
    """BAT.8: the Knights Hospitaller may use rooks like knights."""
    rooks: Force = []
    for _, effect in t.abilities("rooks_as_knights", seat):
        if effect["war"] == shot.war:
            near = [other for other in effect["empires"] if other in t.adjacent(empire)]
            rooks += [one for other in near for one in t.rulers(other) if one[1] == f"rook.{effect['religion']}"]
    if not rooks:
        return []
    of = {zone.removeprefix("city:"): 1 for zone, _ in rooks}
    joined = yield Ask(seat, "join_optional_attackers", Counts(of), "BAT.8")
    named = [slot for slot, _ in joined]
    return [one for one in rooks if one[0].removeprefix("city:") in named]


def flip(t: PaxTable, seat: str, empire: str, cite: str) -> Rules:
    """The map card turns over; tokens keep their cities, in Constantinople the attacker arranges them (K2.1)."""
    side = MAPS[empire].flipped(t.map_side(empire))
    t.set(f"map:{empire}", side, cite=cite)
    t.say(cite, what="flip", empire=empire, side=side)
    for city in MAPS[empire].cities:
        if CITIES[city].slots:
            yield from arrange(t, seat, [slot.id for slot in SLOTS_OF[empire] if slot.city == city])
    yield from settle(t)


def arrange(t: PaxTable, seat: str, slots: list[str]) -> Rules:
    before = [t.occupant(slot) or VACANT for slot in slots]
    ways = [list(way) for way in sorted(set(permutations(before)))]
    if len(ways) == 1:
        return
    after = yield Ask(seat, "arrange_constantinople", ways, "K2.1", about={"slots": slots})
    moved = [slot for slot, old, new in zip(slots, before, after, strict=True) if old != new]
    for slot in moved:
        if token := t.occupant(slot):
            t.move(token, f"city:{slot}", "camp", cite="K2.1")
    for slot, token in zip(slots, after, strict=True):
        if slot in moved and token != VACANT:
            t.move(token, "camp", f"city:{slot}", cite="K2.1")


def place_survivors(t: PaxTable, seat: str, empire: str) -> Rules:
    """BAT.5: survivors beside the map card must go onto it until it is saturated; a pirate without a sea border dies."""
    while options := [
        *([token, place] for token in sorted(t.zones["camp"]) for place in refuges(t, token, empire)),
        *([token, border] for token in sorted(t.zones["fleet"]) for border in sea_gaps(t, empire)),
    ]:
        choice = options[0] if len(options) == 1 else (yield Ask(seat, "place_survivors", options, "BAT.5"))
        token, place = choice
        sails = KIND[token] == "rook" and place in BORDERS
        t.move(token, "fleet" if sails else "camp", place_zone(place), cite="BAT.5")
        t.say("BAT.5", what="survivor", seat=seat, token=token, place=place)
    for token in t.items("fleet"):
        kill(t, token, "fleet", "BAT.5")


def sea_gaps(t: PaxTable, empire: str) -> list[str]:
    return [border.id for border in BORDERS_OF[empire] if border.sea and not t.zones[f"border:{border.id}"]]
