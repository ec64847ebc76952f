"""How fast views are rebuilt, and how far they lag behind play: `python -m projections.bench [title] [events]`.

Rates are per second of processor time and of wall time; a busy machine shows in the difference.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from random import Random
from typing import Any, NamedTuple

from domain import games
from domain.bots import choose, random_legal
from domain.kernel.title import Title
from domain.log import Log, Match, groups
from projections import Views, start_embedded
from projections.runner import Runner
from projections.stores import Documents
from projections.stores.redis import RedisDocuments
from projections.stores.sql import SoftFile, SqlDocuments
from service.store import MemoryStore, SqlStore, open_store

DECISIONS_AT_ONCE = 100


class Rebuilt(NamedTuple):
    """Events a second."""

    events: int
    processor: float
    wall: float


def play(store: Any, title: Title, id: str, most: int = 1 << 30) -> Log:
    """A game by random bots."""
    rng = Random(id)
    match = Match(id=id, title=title.id, seed=id.encode().ljust(32, b"."))
    log = Log.create(store, title, match, seats=title.seats(title.players[-1]))
    while not log.run.over and log.head < most:
        ask = choose(log.run, rng)
        log.decide(ask.seat, ask.key, random_legal(log.run, ask, rng), at=log.head)
    return log


def fill(store: SqlStore, title: Title, events: int) -> None:
    """Whole games, until there are so many events; a few of one game, a few of the next, as matches are played."""
    played, rest = MemoryStore(), dict[str, list[Any]]()
    while played.position() < events:
        log = play(played, title, f"m{len(rest)}")
        store.add_match(log.match, log.line)
        rest[log.line.id] = list(groups(log.raw()))
    while rest:
        for line, left in list(rest.items()):
            store.append(line, [event for decision in left[:DECISIONS_AT_ONCE] for event in decision])
            rest[line] = left[DECISIONS_AT_ONCE:]
            if not rest[line]:
                del rest[line]


def rebuild(store: SqlStore, documents: Documents, titles: Any = games) -> Rebuilt:
    """All views, from the first event to the last."""
    wall, processor = time.perf_counter(), time.process_time()
    Runner(store, documents, titles).rebuild()
    taken, used = time.perf_counter() - wall, time.process_time() - processor
    return Rebuilt(store.position(), store.position() / used, store.position() / taken)


def lag(store: SqlStore, documents: Documents, title: Title, decisions: int = 200, titles: Any = games, id: str = "lag") -> float:
    """The median time in milliseconds from a stored decision to the moment all views hold it."""
    runner, views, found = start_embedded(store, documents, titles), Views(store, documents, titles), list[float]()
    log, rng = play(store, title, id, 1), Random(id)
    views.wait(timeout=60)
    while len(found) < decisions and not log.run.over:
        ask = choose(log.run, rng)
        log.decide(ask.seat, ask.key, random_legal(log.run, ask, rng), at=log.head)
        stored, position = time.perf_counter(), store.position()
        views.wait(position, timeout=10)
        found.append(time.perf_counter() - stored)
    runner.stop()
    return statistics.median(found) * 1000


def main(title: str = "column-of-fire", events: str = "100000", redis: str = "") -> None:
    """Print the figures; with the address of a Redis (it is emptied of views), also for views kept there."""
    with tempfile.TemporaryDirectory(prefix="chancery-bench-") as folder, open_store(f"{folder}/bench.db") as store:
        found = games.get(title)
        fill(store, found, int(events))
        places: dict[str, Documents] = {"SQLite": SqlDocuments(SoftFile(f"{folder}/bench.db"))}
        if redis:
            places["Redis"] = RedisDocuments(redis, "chancery-bench")
        for name, documents in places.items():
            rate = rebuild(store, documents)
            line = f"{rate.events} events of {found.name}, views in {name}: {rate.processor:.0f}/s of processor, {rate.wall:.0f}/s"
            sys.stdout.write(f"{line}; lag {lag(store, documents, found, id=f'lag-{name}'):.2f} ms\n")
            documents.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
