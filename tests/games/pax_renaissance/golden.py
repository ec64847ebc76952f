"""Golden games as text: the setting (`#`), decisions (`>`), what chance gave (`.`), and the chronicle between them.

A golden game is replayed from its own decisions and chance, so bots may change. `python -m tests.games.pax_renaissance.golden` writes
them anew: one for each number of bankers, one for each way a game can end.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from domain.bots import POLICIES, guess
from domain.games.pax_renaissance import TITLE, bias
from domain.kernel import Ask, Drawn, Event, Roll, Run
from domain.kernel.event import CREATED, DECIDED
from domain.log import events_of

FOLDER = Path(__file__).parents[2] / "golden"
ENDINGS = ("holy", "imperial", "globalization", "renaissance", "patron", "bankruptcy")
GAMES = (*(f"{players}p" for players in TITLE.players), *ENDINGS)


def path(name: str) -> Path:
    return FOLDER / f"pax-renaissance-{name}.txt"


def told(events: list[Event]) -> Iterator[str]:
    for event in events:
        if event.ask:
            yield f"> {event.seat} {event.ask} {json.dumps(event.answer)}"
        for outcome in event.chance:
            yield f". {outcome.key} {json.dumps(outcome.item if type(outcome) is Drawn else outcome.values)}"
        yield from TITLE.tell(event, str)


def result(run: Run) -> Iterator[str]:
    for line in TITLE.score(run.table):
        yield f"{line.seat}: {line.points}; " + "; ".join(f"{name} {value}" for name, value in line.facts.items())
    yield f"{run.table.get('ending')}: won by {', '.join(TITLE.winners(run.table))}"


def play(players: int, options: dict[str, Any], source: Any, decide: Callable[[Run], tuple[Ask, Any] | None]) -> tuple[Run, str]:
    run = Run(TITLE, TITLE.lay(TITLE.seats(players), options), source)
    lines = [f"# {players} bankers {json.dumps(options, sort_keys=True)}", *told(events_of(run.first, Event(0, CREATED), 0))]
    while not run.over and (decision := decide(run)):
        ask, answer = decision
        lines += told(events_of(run.answer(ask.seat, ask.key, answer), Event(0, DECIDED, ask.seat, ask.key, answer), 0))
    return run, "\n".join([*lines, *result(run), ""])


def record(players: int, options: dict[str, Any], seed: int) -> tuple[Run, str]:
    """A game of ambitious bankers."""
    rng = Random(seed)

    def decide(run: Run) -> tuple[Ask, Any]:
        ask = run.asks[0]
        wanted = bias(run, ask, rng)
        return ask, wanted if wanted is not None else POLICIES["random"](run, ask, rng)

    return play(players, options, guess(rng), decide)


def replay(text: str) -> str:
    """The same game from the decisions and the chance in its text."""
    lines = text.splitlines()
    _, count, _, options = lines[0].split(" ", 3)
    chance = iter([json.loads(line.split(" ", 2)[2]) for line in lines if line.startswith(". ")])
    decisions = iter([line[2:].split(" ", 2) for line in lines if line.startswith("> ")])

    def decide(run: Run) -> tuple[Ask, Any] | None:
        decision = next(decisions, None)
        return decision and (run.question(decision[0], decision[1]), json.loads(decision[2]))

    return play(int(count), json.loads(options), lambda request, pool, ordinal: _fitting(request, next(chance)), decide)[1]


def _fitting(request: Any, outcome: Any) -> Any:
    assert isinstance(outcome, list) == isinstance(request, Roll), f"{outcome!r} cannot come up for {request.key}"
    return outcome


def setting(name: str) -> tuple[list[int], dict[str, Any]]:
    """How many bankers may play a golden game, and with which options."""
    if name[0].isdigit():
        return [int(name[0])], {"expansion": name == "4p", "expert": name == "4p"}
    if name == "bankruptcy":
        return [2], {"bankruptcy": True}
    return [3, 4], {}


def main() -> None:
    for name in GAMES:
        counts, options = setting(name)
        for seed in range(4000):
            run, text = record(counts[seed % len(counts)], options, seed)
            if name[0].isdigit() or run.table.get("ending") == name:
                path(name).write_text(text, encoding="utf-8")
                break


if __name__ == "__main__":
    main()
