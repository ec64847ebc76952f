"""Trade fairs (G)."""

from __future__ import annotations

from domain.games.pax_renaissance.data import EAST, ROUTES, START
from domain.games.pax_renaissance.levy import levy
from domain.games.pax_renaissance.table import PaxTable
from domain.kernel import Rules


def fair_refused(t: PaxTable, row: str) -> str | None:
    """E5.1: there must be a face-down card to discard."""
    return None if t.zones[f"market:{row}:0"] else f"E5.1: the {row} row has no fair card"


def convene(t: PaxTable, seat: str, row: str) -> bool:
    """G1, G2: the profits and the emporium; whether a voyage begins."""
    bonus = START.fair_bonus[len(t.seats)]
    t.move("florin", f"florins:{row}:0", "profits", t.florins_at(row, 0), cite="G1.1")
    t.move("florin", "china", "profits", bonus, cite="G1.1")
    t.move(t.card_at(row, 0), f"market:{row}:0", "discard", cite="G1.1")
    emporium = t.emporium("black" if row == EAST else "white")  # G2.1
    t.say("G1.1", what="fair", seat=seat, row=row, emporium=emporium, profits=t.total("profits"))
    if not t.options["bankruptcy"]:  # G6
        t.move("florin", "profits", f"money:{seat}", cite="G2.2")
    if not t.total("profits"):
        t.say("G2.2", what="no_voyage")
        return False
    t.set("voyage", emporium)
    t.set("stop", 0)
    return True


def sail(t: PaxTable, seat: str) -> Rules:
    """One leg of the voyage: the levy of a map card, then the border behind it. True while it goes on."""
    path, at = ROUTES[t.get("voyage")].path, t.get("stop")
    yield from levy(t, seat, path[at].map_card, "G4.1")
    if at + 1 < len(path):
        pass_border(t, path[at + 1].border)
        if t.total("profits"):
            t.set("stop", at + 2)
            return True
    end_voyage(t)  # G5.1
    return False


def next_stop(t: PaxTable) -> str:
    """The map card the voyage comes to next."""
    return ROUTES[t.get("voyage")].path[t.get("stop")].map_card


def pass_border(t: PaxTable, border: str) -> None:
    """G3.1: the concession is paid, then a pirate takes his florin."""
    if pawn := t.concession(border):
        owner = t.owner(pawn)
        paid = min(t.total("profits"), factor(t, owner, t.get("voyage")))
        t.move("florin", "profits", f"money:{owner}", paid, cite="G3.1")
        t.say("G3.1", what="paid", seat=owner, border=border, florins=paid)
    if t.pirate(border) and t.total("profits"):
        t.move("florin", "profits", "china", cite="G3.1")
        t.say("G3.1", what="piracy", border=border)


def factor(t: PaxTable, seat: str, emporium: str) -> int:
    """How often a concession counts: the Cape of Good Hope in Spice Islands fairs, Michelangelo in all (M4)."""
    times = 1
    for _, effect in t.abilities("fair_multiplier", seat):
        times *= effect["factor"] if effect["emporium"] == emporium else 1
    for _, effect in t.abilities("concession_multiplier", seat):
        times *= effect["factor"] if "fair" in effect["in"] else 1
    return times


def end_voyage(t: PaxTable) -> None:
    """G5.3: what is left of the profits stays on the vacant slot."""
    row = ROUTES[t.get("voyage")].fair
    t.move("florin", "profits", f"florins:{row}:0", t.total("profits"), cite="G5.3")
    t.say("G5.1", what="voyage_ends", stop=t.get("stop"))
    t.set("voyage", None)
    t.set("stop", None)
