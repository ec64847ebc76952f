"""Bots: policies that answer a question. They decide on what their seat can see, with luck of their own."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from random import Random
from typing import Any

from domain.kernel import redact
from domain.kernel.ask import Ask, Draw, Roll, Shuffle
from domain.kernel.chance import Source
from domain.kernel.errors import Refused
from domain.kernel.run import Run

# A policy answers one question of a run.
Policy = Callable[[Run, Ask, Random], Any]

LOOK_AT = 16


def guess(rng: Random) -> Source:
    """Chance as a bot imagines it: never the game's own."""

    def source(request: Roll | Draw | Shuffle, pool: Any, ordinal: int) -> Any:
        if type(request) is Roll:
            return [rng.choice(pool) for _ in range(request.n)]
        if type(request) is Draw:
            return rng.choice(pool)
        return rng.sample(range(len(pool)), len(pool))

    return source


def random_legal(run: Run, ask: Ask, rng: Random) -> Any:
    """Any legal answer."""
    return ask.sample(rng)


def greedy(run: Run, ask: Ask, rng: Random) -> Any:
    """The answer after which the title appraises the seat's own view best; a sample where there are many."""
    options = list(islice(ask.all(), LOOK_AT)) if ask.count() <= LOOK_AT else [ask.sample(rng) for _ in range(LOOK_AT)]
    if len(options) == 1:
        return options[0]
    best, best_value = options[0], float("-inf")
    for option in options:
        trial = run.fork(guess(rng))
        try:
            trial.answer(ask.seat, ask.key, option)
        except Refused:
            continue
        value = run.title.appraise(redact.table(trial.table, ask.seat), ask.seat) + rng.random() * 1e-6
        if value > best_value:
            best, best_value = option, value
    return best


def search(run: Run, ask: Ask, rng: Random) -> Any:
    """Flat Monte Carlo for any title: the answer after which short random play, in worlds the seat may suppose, goes best."""
    from domain.search import best

    return best(run, ask, rng)


def fair(policy: Policy) -> Policy:
    """The policy, thinking in a world its seat may suppose: how a try would end could tell what others hold."""

    def think(run: Run, ask: Ask, rng: Random) -> Any:
        from domain.search import supposed

        world = supposed(run, ask.seat, rng)
        return random_legal(run, ask, rng) if world is None else policy(world, ask, rng)

    return think


# For worlds that are supposed already, or open to everybody: playouts, fuzz, studies.
POLICIES: dict[str, Policy] = {"random": random_legal, "greedy": greedy, "search": search}
# For a seat at a real table.
SEATED: dict[str, Policy] = {**POLICIES, "greedy": fair(greedy)}


def choose(run: Run, rng: Random, offer_rate: float = 0.1) -> Ask:
    """Which open question to answer next: one that must be, or now and then an offer."""
    if run.offers and (not run.asks or rng.random() < offer_rate):
        return rng.choice(run.offers)
    return rng.choice(run.asks)
