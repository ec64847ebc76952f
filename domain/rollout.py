"""Rollouts: many playouts from one position, and what they say about who wins, with honest intervals.

A `Start` holds all a worker needs, so that playouts run in any process without a database; results depend on nothing but the start,
the policy, the seed and the playout's number, so that a batch done twice counts once.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

import msgspec

from domain.borrowed import Borrowed
from domain.bots import POLICIES, choose, guess
from domain.imagine import Lore, World, imagine, known
from domain.kernel.event import Chance, Event
from domain.kernel.run import Run
from domain.kernel.schema import FACE
from domain.kernel.table import Table
from domain.kernel.title import Title
from domain.log import Log, effective, resume

ENDLESS = 20_000


class Start(msgspec.Struct, frozen=True):
    """A position to play from; with a seat, only what that seat knows of it."""

    title: str
    rules: str
    seats: list[str]
    options: dict[str, Any]
    zones: dict[str, Any]
    registers: dict[str, Any]
    tail: list[Event]
    drawn: int
    seat: str = ""
    known: list[tuple[str, str, int]] = []
    places: dict[str, list[str]] = {}
    # Decisions with which every playout begins, each with the luck that it is lent: (seat, question, answer, draws).
    then: list[tuple[str, str, Any, list[Chance]]] = []

    def key(self, policy: str, seed: str) -> str:
        """The same start, policy and seed have the same results: what to cache them by."""
        return hashlib.sha256(msgspec.msgpack.encode([self, policy, seed], order="sorted")).hexdigest()[:32]


class Outcome(msgspec.Struct, frozen=True):
    """How one playout ended: each seat's share of the win and its points."""

    number: int
    wins: dict[str, float]
    points: dict[str, int]
    decisions: int


class Estimate(msgspec.Struct, frozen=True):
    """What playouts say about a seat; the interval holds the truth in 95 of 100 such estimates."""

    seat: str
    win: float
    low: float
    high: float
    mean: float
    spread: float
    quartiles: tuple[float, float, float]
    n: int


def start_at(log: Log, version: int | None = None, seat: str = "") -> Start:
    """The position of a version, as it is or (with a seat) as that seat knows it."""
    mark, tail, drawn = _standpoint(log, version, seat) if seat else log.standpoint(version)
    lore = (
        known(log.schema, log.raw(0, tail[0].version - 1 if tail else version or log.head), seat) if seat else Lore(Counter(), {})
    )
    zones = {name: held for name, held in mark.zones.items() if held}
    return Start(
        log.header.title,
        log.title.rules,
        log.header.seats,
        mark.schema.options,
        zones,
        mark.registers,
        tail,
        drawn,
        seat,
        [(item, zone, n) for (item, zone), n in sorted(lore.sure.items())],
        {zone: sorted(items) for zone, items in sorted(lore.places.items())},
    )


def _standpoint(log: Log, version: int | None, seat: str) -> tuple[Table, list[Event], int]:
    """The last mark at which no register held what the seat may not read: nothing could be dealt in its place."""
    mark, tail, drawn = log.standpoint(version)
    levels = log.schema.levels(seat)
    if all(levels[name] == FACE for name in mark.registers):
        return mark, tail, drawn
    table, drawn, best = log.title.table(log.schema), 0, 0
    live = effective(log.raw(0, version or log.head))
    found = table.copy(), 0
    for at, item in enumerate(live, 1):
        table.fold(item.ops)
        drawn += len(item.chance)
        if item.mark and all(levels[name] == FACE for name in table.registers):
            found, best = (table.copy(), drawn), at
    return found[0], live[best:], found[1]


def stand(title: Title, start: Start, rng: Random) -> Run:
    """A run at the start: the real one, or one world as its seat may suppose it."""
    if start.seat:
        return suppose(title, start, rng).run
    return resume(title, _table(title, start), start.tail, guess(rng), start.drawn)


def suppose(title: Title, start: Start, rng: Random) -> World:
    """One world as the seat of a start may suppose it."""
    lore = Lore(
        Counter({(item, zone): n for item, zone, n in start.known}), {zone: set(items) for zone, items in start.places.items()}
    )
    return imagine(title, _table(title, start), start.tail, start.drawn, start.seat, lore, rng)


def _table(title: Title, start: Start) -> Table:
    schema = title.schema(start.seats, start.options)
    zones = {name: held.copy() for name, held in start.zones.items()}
    return title.table.restored(schema, zones, dict(start.registers))


def playout(title: Title, start: Start, policy: str, seed: str, number: int) -> Outcome:
    """One game played to its end."""
    rng = Random(f"{seed}:{number}")
    run = stand(title, start, rng)
    play = POLICIES[policy]
    decisions = 0
    for seat, key, answer, lent in start.then:
        run.source = Borrowed(lent, guess(rng))
        run.answer(seat, key, answer)
    run.source = guess(rng)
    while not run.over and decisions < ENDLESS:
        ask = choose(run, rng)
        run.answer(ask.seat, ask.key, play(run, ask, rng))
        decisions += 1
    winners = title.winners(run.table)
    wins = {seat: (1 / len(winners) if seat in winners else 0.0) for seat in run.table.seats}
    return Outcome(number, wins, {score.seat: score.points for score in title.score(run.table)}, decisions)


def estimates(outcomes: Iterable[Outcome], seats: Sequence[str]) -> list[Estimate]:
    """Win probability and points of every seat, each playout counted once."""
    once = {outcome.number: outcome for outcome in outcomes}
    return [_estimate(seat, [once[number] for number in sorted(once)]) for seat in seats] if once else []


def _estimate(seat: str, outcomes: list[Outcome]) -> Estimate:
    n = len(outcomes)
    win = sum(outcome.wins[seat] for outcome in outcomes) / n
    low, high = wilson(win, n)
    points = sorted(outcome.points.get(seat, 0) for outcome in outcomes)
    mean = sum(points) / n
    spread = math.sqrt(sum((value - mean) ** 2 for value in points) / (n - 1)) if n > 1 else 0.0
    quartiles = (float(points[n // 4]), float(points[n // 2]), float(points[min(n - 1, 3 * n // 4)]))
    return Estimate(seat, win, low, high, mean, spread, quartiles, n)


def wilson(share: float, n: int, z: float = 1.96) -> tuple[float, float]:
    """The interval of a share, honest also near 0 and 1.

    >>> [round(end, 2) for end in wilson(0.5, 100)]
    [0.4, 0.6]
    """
    if not n:
        return 0.0, 1.0
    middle = share + z * z / (2 * n)
    reach = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    return max(0.0, (middle - reach) / scale), min(1.0, (middle + reach) / scale)


def precise(found: Iterable[Estimate], precision: float) -> bool:
    """Whether every interval is narrow enough to stop."""
    return all((one.high - one.low) / 2 <= precision for one in found)
