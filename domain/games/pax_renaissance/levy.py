"""Levies (G4), raised by fairs and taxes."""

from __future__ import annotations

from domain.games.pax_renaissance.data import SLOTS
from domain.games.pax_renaissance.table import PaxTable
from domain.games.pax_renaissance.tokens import available, supplied
from domain.kernel import Ask, Rules


def levy(t: PaxTable, seat: str, empire: str, cite: str) -> Rules:
    """G4.2: one token of the symbol of an unoccupied city, if there is one."""
    free = [slot.id for slot in t.free_slots(empire)]
    if not free:
        return  # G4.3 saturated
    place = free[0] if len(free) == 1 else (yield Ask(seat, "levy_city", free, cite, about={"empire": empire}))
    token = SLOTS[place].levies[t.map_side(empire)]
    if available(t, token):
        source = yield from supplied(t, seat, token)
        if source is not None:
            t.move(token, source, f"city:{place}", cite="G4.2")
            t.say("G4.2", what="levy", token=token, place=place)
