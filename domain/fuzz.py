"""Fuzzing: random full games of a title, looking for crashes, dead ends, endless games and broken invariants.

Every game follows from (title, seed, number), so a failure can be played again; it also leaves a dump that `chancery replay` opens.
"""

from __future__ import annotations

import importlib
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import Any

import msgspec

from domain import games
from domain.bots import POLICIES, Policy, choose, guess
from domain.kernel.choice import DeadEnd
from domain.kernel.errors import BrokenLog
from domain.kernel.event import CREATED, DECIDED, QUESTION, SEALED, Cite, Event
from domain.kernel.run import Run
from domain.kernel.title import Title
from domain.log import events_of

ENDLESS = 20_000
GREEDY_EVERY = 10

CRASH, DEAD_END, ENDLESS_GAME, INVARIANT = "crash", "dead end", "endless game", "broken invariant"


class Dump(msgspec.Struct):
    """A whole game as a file: what it was, every event, and what went wrong."""

    title: str
    rules: str
    seats: list[str]
    options: dict[str, Any]
    seed: str
    events: list[Event]
    failure: str = ""
    detail: str = ""
    attempt: list[Any] = []


class Played(msgspec.Struct):
    """The outcome of one fuzzed game."""

    number: int
    decisions: int
    events: int
    seen: list[tuple[str, str]]
    winners: list[str]
    dump: Dump | None = None


def play(title: Title, seed: str, number: int, policy: Policy | None = None) -> Played:
    """One game: player count and options vary with its number, every event is checked against the title's invariants."""
    rng = Random(f"{title.id}:{seed}:{number}")
    seats = list(title.seats(title.players[number % len(title.players)]))
    options = title.sample_options(rng) if number // len(title.players) % 2 else title.settle()
    policy = policy or _policy(title, number, rng)
    dump = Dump(title.id, title.rules, seats, options, f"{seed}:{number}", [])
    seen: Counter[tuple[str, str]] = Counter()
    table = title.lay(seats, options)
    shadow = table.copy()

    def keep(made: list[Event]) -> str:
        dump.events += made
        for item in made:
            seen.update(_exercised(title, item))
            shadow.fold(item.ops)
            if broken := title.invariants(shadow):
                return f"version {item.version}: {broken[0]}"
        return ""

    decisions = 0
    try:
        run = Run(title, table, guess(rng))
        broken = keep(events_of(run.first, Event(0, CREATED), 0))
        while not run.over and not broken:
            if decisions >= ENDLESS:
                dump.failure, dump.detail = ENDLESS_GAME, f"not over after {decisions} decisions"
                break
            ask = choose(run, rng)
            dump.attempt = [ask.seat, ask.key]
            answer = policy(run, ask, rng)
            dump.attempt = [ask.seat, ask.key, answer]
            veil, kind = run.veil(ask, answer), SEALED if run.sealed and ask in run.asks else DECIDED
            parts = run.answer(ask.seat, ask.key, answer)
            first = Event(0, kind, ask.seat, ask.key, answer, cites=[Cite(ask.cite, QUESTION)], veil=veil)
            broken = keep(events_of(parts, first, dump.events[-1].version))
            decisions += 1
        if broken:
            dump.failure, dump.detail = INVARIANT, broken
    except DeadEnd as stuck:
        dump.failure, dump.detail = DEAD_END, f"{dump.attempt}: {stuck}"
    except (BrokenLog, Exception):
        dump.failure, dump.detail = CRASH, traceback.format_exc(limit=-6)
    winners = list(title.winners(shadow)) if not dump.failure else []
    return Played(number, decisions, len(dump.events), sorted(seen), winners, dump if dump.failure else None)


def _exercised(title: Title, item: Event) -> Iterator[tuple[str, str]]:
    if item.ask:
        yield "decisions", item.ask
    for outcome in item.chance:
        yield "chances", outcome.key
    yield from title.exercised(item)


def _policy(title: Title, number: int, rng: Random) -> Policy:
    """Mostly random play; every tenth game greedy, and every third leaning the way the title's rare endings need, if it says so."""
    if number % GREEDY_EVERY == 0:
        return POLICIES["greedy"]
    bias: Callable[[Run, Any, Random], Any] | None = getattr(sys.modules.get(_module(title)), "bias", None)
    if bias is None or number // len(title.players) % 3:
        return POLICIES["random"]

    def leaning(run: Run, ask: Any, rng: Random) -> Any:
        wanted = bias(run, ask, rng)
        return wanted if wanted is not None and ask.refusal(wanted) is None else ask.sample(rng)

    return leaning


def _module(title: Title) -> str:
    return f"domain.games.{title.id.replace('-', '_')}"


def unmet(title: Title, seen: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """What the title's catalogue lists and no game exercised."""
    met = set(seen)
    missing = {kind: [name for name in names if (kind, name) not in met] for kind, names in title.catalogue.items()}
    return {kind: names for kind, names in missing.items() if names}


def batch(title: str, seed: str, numbers: list[int]) -> list[Played]:
    """Some games of a campaign, in a worker process."""
    importlib.import_module(_module(games.get(title)))
    return [play(games.get(title), seed, number) for number in numbers]
