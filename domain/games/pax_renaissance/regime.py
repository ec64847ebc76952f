"""Regime change: the empire card, a concession, emancipation (RC)."""

from __future__ import annotations

from domain.games.pax_renaissance.data import BORDERS, BORDERS_OF, EMPIRES, KIND, KING, REGION, REPUBLIC
from domain.games.pax_renaissance.legal import Legal
from domain.games.pax_renaissance.table import PaxTable
from domain.games.pax_renaissance.tokens import available, discard, home, kill, repress, settle, supplied
from domain.kernel import Ask, Rules


def regime_change(t: PaxTable, seat: str, empire: str, cause: str, victor: str = "", queen: str = "") -> Rules:
    """RC: always by the active player."""
    if cause == "campaign":
        changed = yield from become_vassal(t, seat, empire, victor)
        if not changed:
            return
    else:
        yield from change_hands(t, seat, empire)  # RC.s1
    if queen:
        t.move(queen, f"hand:{seat}", f"on:{empire}", cite="I.2")
    for token in t.items("camp"):
        t.move(token, "camp", f"on:{empire}", cite="RC.1")  # surplus survivors
    yield from settle(t)
    yield from regime_concession(t, seat, empire)  # RC.s2
    yield from emancipate(t, seat, [empire], "RC.s3")


def change_hands(t: PaxTable, seat: str, empire: str) -> Rules:
    """RC.s1 but for campaigns: from the stack or another's tableau a King, an own empire turns over."""
    spot = t.spot(empire)
    outermost = f"{REGION[empire]}:{seat}"
    yield from strip(t, empire)
    if t.bishop(empire) and t.options["bishop_on_regime_change"] == "discarded":
        kill(t, t.bishop(empire), f"on:{empire}", "RC.3")
    if spot is None or spot.seat != seat:
        t.move(empire, home(t, empire), outermost, cite="RC.s1")
        t.set(f"side:{empire}", KING, cite="RC.s1")
    else:
        t.set(f"side:{empire}", REPUBLIC if t.is_king(empire) else KING, cite="RC.4")
        if spot.main != empire:
            t.move(empire, home(t, empire), outermost, cite="RC.s1")  # a vassal no more
    t.say("RC.s1", what="regime", seat=seat, empire=empire, side=t.get(f"side:{empire}"))


def become_vassal(t: PaxTable, seat: str, empire: str, victor: str) -> Rules:
    """F9.5: King side up beneath the victor, or beneath the victor's suzerain; inside the own family nothing changes."""
    lord, spot = t.spots()[victor].main, t.spot(empire)
    if spot is not None and spot.main == lord:
        t.say("F9.6", what="strawman", seat=seat, empire=empire)
        return False
    yield from strip(t, empire)
    if bishop := t.bishop(empire):
        kill(t, bishop, f"on:{empire}", "F9.5")
    t.move(empire, home(t, empire), f"on:{lord}", cite="F9.5")
    t.set(f"side:{empire}", KING, cite="F9.5")
    t.say("F9.5", what="vassal", seat=seat, empire=empire, lord=lord)
    return True


def strip(t: PaxTable, empire: str) -> Rules:
    """The queen and the vassals of an empire whose regime changes are discarded."""
    for card in t.family(empire)[1:]:
        yield from discard(t, card, "RC.s1")


def concession_refused(t: PaxTable, seat: str, border: str) -> str | None:
    """E2.2-E: why no cube of this banker may be put on a border."""
    if t.pirate(border):
        return "E2.2-E: a pirate holds that border, no cube may be placed there at any price"
    if t.concession(border) and t.florins(seat) < 1:
        return "E2.2-E: repressing the cube there costs 1 florin, and you have none"
    return None


def regime_concession(t: PaxTable, seat: str, empire: str) -> Rules:
    """RC.s2: one own cube on a border of the empire."""
    borders = Legal(lambda: [border.id for border in BORDERS_OF[empire]], lambda border: concession_refused(t, seat, border))
    if not available(t, t.pawn(seat)) or not borders.possible():
        return
    border = yield Ask(seat, "regime_concession", borders, "RC.s2", optional=True, about={"empire": empire})
    if border is not None:
        yield from place_concession(t, seat, border, empire, "RC.s2")


def place_concession(t: PaxTable, seat: str, border: str, empire: str, cite: str) -> Rules:
    """A cube onto a border; one that lies there is repressed for a florin onto the empire used (GL-UNTERDRUECKEN.3)."""
    source = yield from supplied(t, seat, t.pawn(seat))
    if source is None:
        return
    if there := t.concession(border):
        t.pay(seat, 1, "GL-UNTERDRUECKEN.2")
        repress(t, there, f"border:{border}", empire, "GL-UNTERDRUECKEN.3")
    t.move(t.pawn(seat), source, f"border:{border}", cite=cite)
    t.say(cite, what="concession", seat=seat, border=border)


def emancipate(t: PaxTable, seat: str, empires: list[str], cite: str) -> Rules:
    """RC.s3: repressed tokens onto empty cities and borders, free, as many as wanted, one after the other."""
    while options := [
        [empire, token, place]
        for empire in empires
        for token in sorted(set(t.repressed(empire)))
        for place in refuges(t, token, empire)
    ]:
        freed = yield Ask(seat, "emancipate", options, cite, optional=True)
        if freed is None:
            return
        empire, token, place = freed
        t.move(token, f"on:{empire}", place_zone(place), cite=cite)
        t.say(cite, what="freed", seat=seat, token=token, place=place)


def refuges(t: PaxTable, token: str, empire: str) -> list[str]:
    """Where a token can go on a conquered map card: an empty city, or an empty border for a cube (BAT.5, BAT.9)."""
    if KIND[token] == "pawn":
        return t.empty_borders(empire)
    return [slot.id for slot in t.free_slots(empire) if t.fits(token, slot)]


def place_zone(place: str) -> str:
    return f"border:{place}" if place in BORDERS else f"city:{place}"


def in_region(region: str) -> list[str]:
    return [empire for empire in EMPIRES if REGION[empire] == region]
