"""Generalship: from the 4th century B.C. to the 19th century."""

from __future__ import annotations

from domain.games.generalship.data import DIGEST
from domain.games.generalship.schema import OPTIONS, SEATS, schema
from domain.games.generalship.scoring import score, winners
from domain.games.generalship.steps import STEPS
from domain.games.generalship.table import Field
from domain.kernel import Title

TITLE = Title(
    id="generalship",
    name="Generalship",
    rules="1",
    players=(2, 3, 4),
    seats=lambda n: SEATS[:n],
    schema=schema,
    steps=STEPS,
    score=score,
    winners=winners,
    options=OPTIONS,
    table=Field,
    data=DIGEST,
)
