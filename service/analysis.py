"""The analyst's desk: what-if lines, rollouts in many processes, swings, sweeps and luck, on anything a log holds.

A rollout is kept by its start, policy and seed, batch by batch: a batch done twice counts once, and a broken-off one goes on.
"""

from __future__ import annotations

import csv
import io
import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import pairwise
from multiprocessing import get_context
from typing import Any, NamedTuple, Protocol

import msgspec

from domain import games
from domain.bots import POLICIES
from domain.kernel.errors import NotFound, Refused
from domain.kernel.event import DECIDED, SEALED, Rolled
from domain.log import Log, effective, groups
from domain.rollout import Estimate, Outcome, Start, estimates, playout, precise, start_at
from domain.whatif import change_chance, change_decision

BATCH = 20
MOST = 5_000


class Progress(NamedTuple):
    """How far a rollout is."""

    done: int
    wanted: int
    found: list[Estimate]
    finished: bool


class Results(Protocol):
    """Where finished batches are kept."""

    def load(self, key: str) -> dict[int, list[Outcome]]: ...
    def save(self, key: str, number: int, outcomes: list[Outcome]) -> None: ...


class Kept:
    """Batches in memory."""

    def __init__(self) -> None:
        self._kept: dict[str, dict[int, list[Outcome]]] = {}

    def load(self, key: str) -> dict[int, list[Outcome]]:
        return dict(self._kept.get(key, {}))

    def save(self, key: str, number: int, outcomes: list[Outcome]) -> None:
        self._kept.setdefault(key, {})[number] = outcomes


def batch(start: bytes, policy: str, seed: str, first: int, n: int) -> bytes:
    """Some playouts, in a process that needs nothing but these arguments."""
    position = msgspec.msgpack.decode(start, type=Start)
    title = games.get(position.title)
    return msgspec.msgpack.encode([playout(title, position, policy, seed, first + i) for i in range(n)])


def rollout(
    start: Start,
    *,
    n: int = 200,
    policy: str = "random",
    seed: str = "0",
    precision: float = 0.0,
    results: Results | None = None,
    workers: int | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> Iterator[Progress]:
    """Playouts from a position, in batches over processes; tells after each batch how far it is. Stops early when precise enough."""
    if policy not in POLICIES:
        raise Refused("", f"there is no policy {policy!r}", legal=sorted(POLICIES))
    if not 1 <= n <= MOST:
        raise Refused("", f"between 1 and {MOST} playouts are made, not {n}")
    kept = results or Kept()
    key, packed = start.key(policy, seed), msgspec.msgpack.encode(start)
    done = kept.load(key)
    numbers = [number for number in range(-(-n // BATCH)) if number not in done]
    outcomes = [outcome for number in sorted(done) for outcome in done[number] if outcome.number < n]
    yield _progress(outcomes, n, start.seats, finished=not numbers)
    if not numbers:
        return
    with ProcessPoolExecutor(max_workers=workers or os.cpu_count(), mp_context=get_context("forkserver")) as pool:
        waiting: dict[Future[bytes], int] = {}
        while numbers or waiting:
            while numbers and len(waiting) < 2 * (workers or os.cpu_count() or 1):
                number = numbers.pop(0)
                waiting[pool.submit(batch, packed, policy, seed, number * BATCH, min(BATCH, n - number * BATCH))] = number
            ready, _ = wait(waiting, return_when=FIRST_COMPLETED)
            for future in ready:
                made = msgspec.msgpack.decode(future.result(), type=list[Outcome])
                kept.save(key, waiting.pop(future), made)
                outcomes += made
            found = _progress(outcomes, n, start.seats, finished=not numbers and not waiting)
            enough = precision > 0 and len(outcomes) >= 2 * BATCH and precise(found.found, precision)
            if enough or stop():
                for future in waiting:
                    future.cancel()
                yield found._replace(finished=True)
                return
            yield found


def _progress(outcomes: Sequence[Outcome], n: int, seats: Sequence[str], *, finished: bool) -> Progress:
    return Progress(len({outcome.number for outcome in outcomes}), n, estimates(outcomes, seats), finished)


def complete(start: Start, **how: Any) -> list[Estimate]:
    """A whole rollout, without watching it."""
    last: list[Estimate] = []
    for progress in rollout(start, **how):
        last = progress.found
    return last


# -- swings ----------------------------------------------------------------------------------------------


class Swing(NamedTuple):
    """How a seat's chances changed by one event, and whether a decision or chance did it."""

    version: int
    seat: str
    ask: str
    cause: str
    change: dict[str, float]
    largest: float


def swings(
    log: Log, *, points: int = 12, n: int = 40, policy: str = "random", seed: str = "0", workers: int | None = None
) -> list[Swing]:
    """The curve of win probability of a finished game at so many questions, and what lay between them."""
    versions = [group[-1].version for group in groups(effective(log.raw()))]
    chosen = sorted(
        {versions[min(len(versions) - 1, index * (len(versions) - 1) // max(1, points - 1))] for index in range(points)}
    )
    curve: list[tuple[int, dict[str, float]]] = []
    for version in chosen:
        if log.run_at(version).over:
            winners = log.title.winners(log.whole_table(version))
            curve.append((version, {seat: float(seat in winners) / max(1, len(winners)) for seat in log.schema.seats}))
        else:
            found = complete(start_at(log, version), n=n, policy=policy, seed=seed, workers=workers)
            curve.append((version, {one.seat: one.win for one in found}))
    made: list[Swing] = []
    for (before, left), (after, right) in pairwise(curve):
        change = {seat: right[seat] - left[seat] for seat in right}
        event = next((item for item in log.raw(before, after) if item.kind in (DECIDED, SEALED)), None)
        drawn = any(item.chance for item in log.raw(before, after))
        largest = max(abs(value) for value in change.values())
        cause = "chance" if drawn else "decision"
        made.append(Swing(after, event.seat if event else "", event.ask if event else "", cause, change, largest))
    return made


# -- sweeps ----------------------------------------------------------------------------------------------


class Swept(NamedTuple):
    """One alternative and what it comes to."""

    alternative: Any
    found: list[Estimate]
    note: str = ""


def sweep_decision(
    log: Log, version: int, new_id: Callable[[], str], *, answers: Sequence[Any] | None = None, n: int = 60, **how: Any
) -> list[Swept]:
    """Every alternative at one decision, each rolled out from the question after it."""
    first = next((group[0] for group in groups(effective(log.raw())) if group[0].version == version), None)
    if first is None or first.kind not in (DECIDED, SEALED):
        raise NotFound(f"version {version} is no decision")
    ask = log.run_at(version - 1).question(first.seat, first.ask)
    listed = list(answers) if answers is not None else list(ask.all()) if ask.count() <= 24 else None
    if listed is None:
        raise Refused(ask.cite, f"there are {ask.count()} answers: name the ones to compare")
    rows = []
    for answer in listed:
        grown = change_decision(log, new_id(), version, answer, reason=f"sweep {version}")
        at = next(item.version for item in grown.log.raw(version - 1))
        rows.append(Swept(answer, _after(grown.log, at, n, **how), grown.stopped.reason if grown.stopped else ""))
    return rows


def sweep_die(log: Log, version: int, index: int, new_id: Callable[[], str], *, n: int = 60, **how: Any) -> list[Swept]:
    """All faces of one die, each rolled out."""
    group = next((group for group in groups(effective(log.raw())) if group[0].version == version), None)
    outcomes = [outcome for item in group or [] for outcome in item.chance]
    if not 0 <= index < len(outcomes) or type(outcomes[index]) is not Rolled:
        raise NotFound(f"draw {index} of version {version} is no roll of dice")
    rolled: Rolled = outcomes[index]  # type: ignore[assignment]
    rows = []
    for face in sorted(set(rolled.faces)):
        grown = change_chance(log, new_id(), version, index, [face, *rolled.values[1:]], reason=f"sweep {version}")
        rows.append(Swept([face, *rolled.values[1:]], _after(grown.log, version, n, **how)))
    return rows


def _after(log: Log, version: int, n: int, **how: Any) -> list[Estimate]:
    """The rollout from the question that follows a decision."""
    while (more := log.raw(version, version + 1)) and more[0].kind == "advanced":
        version += 1
    if log.run_at(version).over:
        winners = log.title.winners(log.whole_table(version))
        points = {score.seat: score.points for score in log.title.score(log.whole_table(version))}
        share = {seat: 1 / len(winners) if seat in winners else 0.0 for seat in log.schema.seats}
        return estimates([Outcome(0, share, points, 0)], log.schema.seats)
    return complete(start_at(log, version), n=n, **how)


def as_csv(rows: Sequence[Swept]) -> str:
    """A sweep as a table for a spreadsheet; text that looks like a formula is quoted."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["alternative", "seat", "win", "low", "high", "points", "playouts", "note"])
    for row in rows:
        said = str(row.alternative)
        said = f"'{said}" if said[:1] in "=+-@" else said
        for one in row.found:
            writer.writerow(
                [said, one.seat, f"{one.win:.3f}", f"{one.low:.3f}", f"{one.high:.3f}", f"{one.mean:.1f}", one.n, row.note]
            )
    return out.getvalue()


def playouts_per_second(start: Start, policy: str = "random", seconds: float = 1.0) -> float:
    """How fast one core plays a position out."""
    title = games.get(start.title)
    began, n = time.perf_counter(), 0
    while time.perf_counter() - began < seconds:
        playout(title, start, policy, "speed", n)
        n += 1
    return n / (time.perf_counter() - began)
