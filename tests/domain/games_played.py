"""Whole games for tests, each played once per process."""

from __future__ import annotations

from functools import cache
from random import Random

from domain import games
from domain.bots import POLICIES, choose
from domain.log import Log, Match
from service.store.memory import MemoryStore


def play(title_id: str, seats: int, seed: str, policy: str = "random", stop: int | None = None) -> Log:
    """A fresh game on a store of its own, played to its end or for so many decisions."""
    title = games.get(title_id)
    match = Match(f"{seed}", title.id, seed.encode().ljust(32, b"."), made=1_000)
    log = Log.create(MemoryStore(), title, match, seats=list(title.seats(seats)), nonces=["a", "b"])
    rng = Random(seed)
    decisions = 0
    while not log.run.over and (stop is None or decisions < stop):
        ask = choose(log.run, rng)
        log.decide(ask.seat, ask.key, POLICIES[policy](log.run, ask, rng), at=2_000 + decisions)
        decisions += 1
    return log


@cache
def finished(title_id: str = "column-of-fire", seats: int = 3, seed: str = "golden", policy: str = "greedy") -> Log:
    """A finished game that tests only read or branch."""
    return play(title_id, seats, seed, policy)
