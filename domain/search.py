"""Flat Monte-Carlo search: no title code, no look at what the seat may not know."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import Any

from domain.bots import choose, guess
from domain.imagine import common_lore, imagine
from domain.kernel import redact
from domain.kernel.ask import Ask
from domain.kernel.chance import Recorded
from domain.kernel.errors import ChanceryError, Refused
from domain.kernel.event import ADVANCED, DECIDED, QUESTION, SEALED, Cite, Event
from domain.kernel.run import Run
from domain.kernel.table import Table
from domain.log import events_of

CANDIDATES, WORLDS, DEPTH = 8, 4, 12


def best(run: Run, ask: Ask, rng: Random) -> Any:
    """Each candidate is tried in the same imagined worlds, so that luck does not decide between them."""
    few = ask.count() <= CANDIDATES
    options = list(islice(ask.all(), CANDIDATES)) if few else [ask.sample(rng) for _ in range(CANDIDATES)]
    if len(options) == 1:
        return options[0]
    worlds = [world for _ in range(WORLDS) if (world := supposed(run, ask.seat, rng)) is not None]
    if not worlds:
        return ask.sample(rng)
    luck = rng.random()
    values = [sum(_value(world, ask, option, Random(luck)) for world in worlds) for option in options]
    return options[max(range(len(options)), key=values.__getitem__)]


def supposed(run: Run, seat: str, rng: Random) -> Run | None:
    """A world that a seat may suppose it plays in; None where none can be found."""
    try:
        mark, tail, drawn = _events(run)
        return imagine(run.title, mark, tail, drawn, seat, common_lore(run.title, mark), rng).run
    except ChanceryError:
        return None


def _events(run: Run) -> tuple[Table, list[Event], int]:
    """What happened since the last mark, as events."""
    mark, opening, trail, drawn = run.since_mark()
    recorded = Recorded(opening)
    again = Run(run.title, mark.copy(), recorded, drawn)
    events = events_of([part for part in again.first if part.ops or part.chance], Event(0, ADVANCED), 0)
    for seat, key, answer, chance in trail:
        recorded.left = list(chance)
        ask = again.question(seat, key)
        kind = SEALED if again.sealed and ask in again.asks else DECIDED
        first = Event(0, kind, seat, key, answer, cites=[Cite(ask.cite, QUESTION)], veil=again.veil(ask, answer))
        events += events_of(again.answer(seat, key, answer), first, len(events))
    return mark, events, drawn


def _value(world: Run, ask: Ask, option: Any, rng: Random) -> float:
    """How well the seat stands a dozen random decisions later."""
    trial = world.fork(guess(rng))
    try:
        trial.answer(ask.seat, ask.key, option)
    except Refused:
        return float("-inf")
    for _ in range(DEPTH):
        if trial.over:
            break
        other = choose(trial, rng)
        trial.answer(other.seat, other.key, other.sample(rng))
    return trial.title.appraise(redact.table(trial.table, ask.seat), ask.seat)
