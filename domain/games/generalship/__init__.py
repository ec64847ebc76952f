"""Generalship: from the 4th century B.C. to the 19th century (Minwoo Hyun, Baccum), for 2 to 4 players."""

from __future__ import annotations

from domain.games.generalship.appraise import appraise
from domain.games.generalship.bias import bias
from domain.games.generalship.board import board, diplomacy
from domain.games.generalship.data import CARDS, DIGEST
from domain.games.generalship.invariants import CATALOGUE, exercised, invariants
from domain.games.generalship.picture import picture
from domain.games.generalship.schema import OPTIONS, SEATS, schema
from domain.games.generalship.scoring import score, winners
from domain.games.generalship.steps import STEPS
from domain.games.generalship.table import Field
from domain.games.generalship.tell import tell
from domain.games.generalship.treaties import CLAUSES, CONDITIONS
from domain.games.generalship.words import PROMPTS, PROVISIONAL, VOCABULARY
from domain.kernel import Title

__all__ = ["TITLE", "bias"]

TITLE = Title(
    id="generalship",
    name="Generalship",
    rules="1",
    players=(2, 3, 4),
    seats=lambda n: SEATS[:n],
    schema=schema,
    table=Field,
    steps=STEPS,
    options=OPTIONS,
    data=DIGEST,
    provisional=PROVISIONAL,
    score=score,
    points=lambda t: {seat: t.vp(seat) for seat in t.seats},
    winners=winners,
    board=board,
    picture=picture,
    diplomacy=diplomacy,
    public_relations=True,
    appraise=appraise,
    tell=tell,
    invariants=invariants,
    catalogue=CATALOGUE,
    exercised=exercised,
    # Ambush, retreat and pursuit: the cards that react and cancel.
    special=tuple(card for card, tactic in CARDS.items() if not tactic.basic and tactic.number in (6, 7, 8)),
    vocabulary=VOCABULARY,
    prompts=PROMPTS,
    clauses=CLAUSES,
    conditions=CONDITIONS,
)
