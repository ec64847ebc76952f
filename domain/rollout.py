"""Rollouts: many playouts from one position, and what they say about who wins, with honest intervals.

A `Start` holds all a worker needs, so that playouts run in any process without a database; results depend on nothing but the start,
the policy, the seed and the playout's number, so that a batch done twice counts once.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

import msgspec

from domain.bots import POLICIES, choose, guess
from domain.imagine import Known, imagine, known
from domain.kernel.event import Event
from domain.kernel.run import Run
from domain.kernel.title import Title
from domain.log import Log, resume

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
    mark, tail, drawn = log.standpoint(version)
    sure: Known = known(log.schema, log.raw(0, tail[0].version - 1 if tail else version or log.head), seat) if seat else Known()
    zones = {name: held for name, held in mark.zones.items() if held}
    facts = [(item, zone, n) for (item, zone), n in sorted(sure.items())]
    header = log.header
    return Start(header.title, log.title.rules, header.seats, header.options, zones, mark.registers, tail, drawn, seat, facts)


def stand(title: Title, start: Start, rng: Random) -> Run:
    """A run at the start: the real one, or one world as its seat may suppose it."""
    schema = title.schema(start.seats, start.options)
    zones = {name: held.copy() for name, held in start.zones.items()}
    table = title.table.restored(schema, zones, dict(start.registers))
    if not start.seat:
        return resume(title, table, start.tail, guess(rng), start.drawn)
    sure = Known({(item, zone): n for item, zone, n in start.known})
    return imagine(title, table, start.tail, start.drawn, start.seat, sure, rng)


def playout(title: Title, start: Start, policy: str, seed: str, number: int) -> Outcome:
    """One game played to its end."""
    rng = Random(f"{seed}:{number}")
    run = stand(title, start, rng)
    run.source = guess(rng)
    play = POLICIES[policy]
    decisions = 0
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
