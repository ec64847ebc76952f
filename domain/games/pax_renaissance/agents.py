"""Placing the agents of a card (E2.2)."""

from __future__ import annotations

from collections.abc import Sequence

from domain.games.pax_renaissance.data import BORDERS_OF, CITIES, MAPS, REGIONS, SLOTS, name_of
from domain.games.pax_renaissance.legal import Legal
from domain.games.pax_renaissance.pack import Agent
from domain.games.pax_renaissance.regime import concession_refused, place_concession
from domain.games.pax_renaissance.table import PaxTable
from domain.games.pax_renaissance.tokens import available, enter, kill, repress, settle, supplied
from domain.kernel import Ask, Choice, OneOf, Rules

KEY = {"bishop": "place_agent_bishop", "knight": "place_agent_city", "rook": "place_agent_city"}
KEY |= {"pirate": "place_agent_pirate", "pawn": "place_agent_pawn"}
CITE = {"bishop": "E2.2-B", "knight": "E2.2-C", "rook": "E2.2-C", "pirate": "E2.2-D", "pawn": "E2.2-E"}


def place_agents(t: PaxTable, seat: str, agents: Sequence[Agent], location: str, *, after_one_shot: bool) -> Rules:
    """E2.2: the agents of a card, in any order, where the card's location is; after a one-shot they must be if they can (E2.1)."""
    left = list(agents)
    taken: list[str] = []  # by earlier agents of this card (E2.2-F)
    empire = "" if location in REGIONS else location
    must = after_one_shot and t.options["agents_after_oneshot"] == "mandatory_if_free"
    while left := [agent for agent in left if available(t, agent.token(t.bank(seat)))]:
        kind = left[0].kind
        choice: Choice
        if kind == "bishop":
            units = t.units_at(location)
            choice, free = OneOf(candidates(t, seat, left, units)), any(not t.bishop(main) for main in units)
        else:
            asked = location in REGIONS and (not empire or t.options["region_agents"] == "per_agent")  # GL-ORT.7
            free = any(vacancies(t, left, one) for one in (REGIONS[location] if asked else [empire]))
            if asked:
                empire = yield from choose_location(t, seat, left, location, taken, optional=not (must and free))
                if not empire:
                    return
            choice = spots_for(t, seat, left, empire, taken)
        if not choice.count():
            return
        placed = yield Ask(seat, KEY[kind], choice, CITE[kind], optional=not (must and free), about={"location": location})
        if placed is None:
            return
        token, place = placed
        left.remove(next(agent for agent in left if agent.token(t.bank(seat)) == token))
        taken.append(place)
        yield from PLACE[kind](t, seat, token, place, empire)


def candidates(t: PaxTable, seat: str, left: Sequence[Agent], where: Sequence[str]) -> list[list[str]]:
    """Every remaining agent at every place."""
    return [[token, place] for token in sorted({agent.token(t.bank(seat)) for agent in left}) for place in where]


def choose_location(t: PaxTable, seat: str, left: Sequence[Agent], region: str, taken: list[str], *, optional: bool) -> Rules:
    """GL-ORT.2: which empire of the region an agent goes to; nowhere, where it need not be placed."""
    options = [empire for empire in REGIONS[region] if spots_for(t, seat, left, empire, taken).possible()]
    if not options:
        return ""
    return (yield Ask(seat, "choose_location", options, "GL-ORT.2", optional=optional)) or ""


def spots_for(t: PaxTable, seat: str, left: Sequence[Agent], empire: str, taken: list[str]) -> Legal:
    """Where the remaining agents may stand on a map card, with the reasons against the rest."""
    kind = left[0].kind
    forbidden = t.options["second_agent_same_place"] == "forbidden"

    def why(answer: list[str]) -> str | None:
        place = answer[1]
        if forbidden and place in taken:
            return "E2.2-F: another agent of this card already stands there"
        if kind == "pawn":
            return concession_refused(t, seat, place)
        if kind == "pirate":
            return None if place in seas else "E2.2-D: a pirate needs a sea border"
        return city_refused(t, seat, place)

    seas = [border.id for border in BORDERS_OF[empire] if border.sea]
    if kind in ("pawn", "pirate"):
        where = [border.id for border in BORDERS_OF[empire]]
    else:
        cities = MAPS[empire].cities
        doors = {agent.token(""): [door for city in cities for door in entrances(t, city, agent.token(""))] for agent in left}
        return Legal(lambda: [[token, door] for token in sorted(doors) for door in doors[token]], why)
    options = candidates(t, seat, left, where)
    return Legal(lambda: options, why)


def entrances(t: PaxTable, city: str, token: str) -> list[str]:
    """A city of several places goes by its vacant places, or by its own name when it is full (E2.2-C)."""
    open_to = [slot.id for slot in t.slots(CITIES[city].map_card) if slot.city == city and t.fits(token, slot)]
    if len(open_to) < 2:
        return open_to
    return [slot for slot in open_to if not t.occupant(slot)] or [city]


def city_refused(t: PaxTable, seat: str, place: str) -> str | None:
    """E2.2-C: an occupied city costs a florin."""
    if t.florins(seat) or (place in SLOTS and not t.occupant(place)):
        return None
    return f"E2.2-C: {name_of(place)} is occupied, repressing costs 1 florin, and you have none"


def vacancies(t: PaxTable, left: Sequence[Agent], empire: str) -> list[str]:
    """The places where the agents would repress or kill nobody (E2.1)."""
    kind = left[0].kind
    if kind == "pawn":
        return t.empty_borders(empire)
    if kind == "pirate":
        return [border.id for border in BORDERS_OF[empire] if border.sea and not t.zones[f"border:{border.id}"]]
    tokens = [agent.token("") for agent in left]
    return [slot.id for slot in t.free_slots(empire) if any(t.fits(token, slot) for token in tokens)]


# -- one agent -----------------------------------------------------------------------------------------


def place_bishop(t: PaxTable, seat: str, token: str, main: str, empire: str) -> Rules:
    source = yield from supplied(t, seat, token)
    t.say("E2.2-B", what="bishop", seat=seat, token=token, card=main)
    yield from enter(t, seat, token, source, main)


def place_in_city(t: PaxTable, seat: str, token: str, place: str, empire: str) -> Rules:
    """E2.2-C: the occupant is repressed for a florin; in a full city of several places the player names it."""
    source = yield from supplied(t, seat, token)
    if source is None:
        return
    crowd = [slot.id for slot in t.slots(empire) if slot.city == place and t.fits(token, slot)]
    if len(crowd) > 1:
        place = yield Ask(seat, "repress_choice", crowd, "E2.2-C")
    if occupant := t.occupant(place):
        t.pay(seat, 1, "GL-UNTERDRUECKEN.2")
        repress(t, occupant, f"city:{place}", empire, "GL-UNTERDRUECKEN.1")
    t.move(token, source, f"city:{place}", cite="E2.2-C")
    t.say("E2.2-C", what="agent", seat=seat, token=token, place=place)
    yield from settle(t)


def place_pirate(t: PaxTable, seat: str, token: str, border: str, empire: str) -> Rules:
    source = yield from supplied(t, seat, token)
    if source is not None:
        raid(t, border, "E2.2-D")
        t.move(token, source, f"border:{border}", cite="E2.2-D")
        t.say("E2.2-D", what="pirate", seat=seat, token=token, border=border)


def place_pawn(t: PaxTable, seat: str, token: str, border: str, empire: str) -> Rules:
    yield from place_concession(t, seat, border, empire, "E2.2-E")


def raid(t: PaxTable, border: str, cite: str) -> None:
    """E2.2-D, F7.2: whatever a pirate meets on a border is killed, but for a cube its owner's card protects (M4)."""
    for token in t.items(f"border:{border}"):
        if token == t.concession(border) and t.abilities("concession_immune_to_pirates", t.owner(token)):
            continue
        kill(t, token, f"border:{border}", cite)


PLACE = {
    "bishop": place_bishop,
    "knight": place_in_city,
    "rook": place_in_city,
    "pirate": place_pirate,
    "pawn": place_pawn,
}
