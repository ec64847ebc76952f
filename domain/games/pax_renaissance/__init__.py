"""Pax Renaissance."""

from domain.games.pax_renaissance.data import DIGEST, START
from domain.games.pax_renaissance.schema import OPTIONS, schema, seats
from domain.games.pax_renaissance.table import PaxTable
from domain.games.pax_renaissance.turn import STEPS
from domain.kernel import Title

TITLE = Title(
    id="pax-renaissance",
    name="Pax Renaissance",
    rules="1",
    players=START.players,
    seats=seats,
    schema=schema,
    steps=STEPS,
    score=lambda t: [],
    winners=lambda t: [s for s in t.seats if t.get(f"won:{s}")],
    options=OPTIONS,
    table=PaxTable,
    data=DIGEST,
)
