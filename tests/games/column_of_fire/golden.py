"""Golden games as text: decisions (`>`), what chance gave (`.`), and the chronicle between them.

A golden game is replayed from its own decisions and chance, so bots may change. `python -m tests.games.column_of_fire.golden` writes them anew.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from domain.bots import POLICIES, guess
from domain.games.column_of_fire import TITLE
from domain.kernel import Drawn, Event, Rolled, Run
from domain.kernel.event import CREATED, DECIDED
from domain.log import events_of

FOLDER = Path(__file__).parents[2] / "golden"
SEEDS = {2: 52, 3: 53, 4: 54}


def path(players: int) -> Path:
    return FOLDER / f"column-of-fire-{players}p.txt"


def told(events: list[Event]) -> Iterator[str]:
    for event in events:
        if event.ask:
            yield f"> {event.seat} {event.ask} {json.dumps(event.answer)}"
        for outcome in event.chance:
            value = outcome.values if type(outcome) is Rolled else outcome.item if type(outcome) is Drawn else outcome.order
            yield f". {outcome.key} {json.dumps(value)}"
        yield from TITLE.tell(event, str)


def score(run: Run) -> Iterator[str]:
    for line in TITLE.score(run.table):
        yield f"{line.seat}: {line.points} VP; " + "; ".join(f"{name} {value}" for name, value in line.facts.items())
    yield f"won by {', '.join(TITLE.winners(run.table))}"


def record(players: int) -> str:
    """A game between a greedy and random players."""
    rng = Random(SEEDS[players])
    run = Run(TITLE, TITLE.lay(TITLE.seats(players)), guess(rng))
    lines = list(told(events_of(run.first, Event(0, CREATED), 0)))
    while not run.over:
        ask = run.asks[0]
        answer = POLICIES["greedy" if ask.seat == "red" else "random"](run, ask, rng)
        lines += told(events_of(run.answer(ask.seat, ask.key, answer), Event(0, DECIDED, ask.seat, ask.key, answer), 0))
    return "\n".join([*lines, *score(run), ""])


def replay(players: int, text: str) -> str:
    """The same game from the decisions and the chance in its text."""
    chance = [json.loads(line.split(" ", 2)[2]) for line in text.splitlines() if line.startswith(". ")]
    source = iter(chance)
    run = Run(TITLE, TITLE.lay(TITLE.seats(players)), lambda request, pool, ordinal: next(source))
    lines = list(told(events_of(run.first, Event(0, CREATED), 0)))
    for line in text.splitlines():
        if line.startswith("> "):
            seat, key, given = line[2:].split(" ", 2)
            answer: Any = json.loads(given)
            lines += told(events_of(run.answer(seat, key, answer), Event(0, DECIDED, seat, key, answer), 0))
    return "\n".join([*lines, *score(run), ""])


if __name__ == "__main__":
    for players in TITLE.players:
        path(players).write_text(record(players), encoding="utf-8")
