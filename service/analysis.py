"""The analyst's desk: what-if lines, rollouts in many processes, swings, sweeps and luck, on anything a log holds.

A rollout is kept by its start, policy and seed, batch by batch: a batch done twice counts once, and a broken-off one goes on.
"""

from __future__ import annotations

import csv
import io
import math
import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from contextlib import nullcontext
from itertools import pairwise
from multiprocessing import get_context
from typing import Any, NamedTuple, Protocol

import msgspec

from domain import games
from domain.bots import POLICIES
from domain.kernel.errors import NotFound, Refused
from domain.kernel.event import DECIDED, SEALED, Chance, Event, Rolled
from domain.kernel.title import END
from domain.log import Log, effective, groups
from domain.rollout import Estimate, Outcome, Start, estimates, playout, precise, start_at
from domain.whatif import decision_at

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


def batch(start: bytes, policy: str, seed: str, number: int) -> bytes:
    """Some playouts, in a process that needs nothing but these arguments. A batch is always whole: it may be wanted again for more."""
    position = msgspec.msgpack.decode(start, type=Start)
    title = games.get(position.title)
    return msgspec.msgpack.encode([playout(title, position, policy, seed, number * BATCH + i) for i in range(BATCH)])


def processes(workers: int | None = None) -> ProcessPoolExecutor:
    """A pool to play in: one process a core, started clean, since a server with threads must not be forked."""
    return ProcessPoolExecutor(max_workers=workers or os.cpu_count(), mp_context=get_context("forkserver"))


def rollout(
    start: Start,
    *,
    n: int = 200,
    policy: str = "random",
    seed: str = "0",
    precision: float = 0.0,
    results: Results | None = None,
    workers: int | None = None,
    pool: Executor | None = None,
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
    with nullcontext(pool) if pool is not None else processes(workers) as pool:
        waiting: dict[Future[bytes], int] = {}
        while numbers or waiting:
            while numbers and len(waiting) < 2 * (workers or os.cpu_count() or 1):
                number = numbers.pop(0)
                waiting[pool.submit(batch, packed, policy, seed, number)] = number
            ready, _ = wait(waiting, return_when=FIRST_COMPLETED)
            for future in ready:
                made = msgspec.msgpack.decode(future.result(), type=list[Outcome])
                kept.save(key, waiting.pop(future), made)
                outcomes += [outcome for outcome in made if outcome.number < n]
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


# -- calibration -----------------------------------------------------------------------------------------


class Foretold(NamedTuple):
    """A win probability that was given, and what came of it: the seat's share of the win."""

    said: float
    came: float


class Reliable(NamedTuple):
    """Of the predictions in one range: how many, what they said on average, how often it came."""

    low: float
    high: float
    n: int
    said: float
    came: float


def brier(foretold: Sequence[Foretold]) -> float:
    """The mean squared error of predictions: 0 is perfect."""
    return sum((one.said - one.came) ** 2 for one in foretold) / len(foretold)


def reliability(foretold: Sequence[Foretold], ranges: int = 5) -> list[Reliable]:
    """Predictions by range, against what came of them."""
    rows = []
    for number in range(ranges):
        inside = [one for one in foretold if min(ranges - 1, int(one.said * ranges)) == number]
        if inside:
            n = len(inside)
            said, came = sum(one.said for one in inside) / n, sum(one.came for one in inside) / n
            rows.append(Reliable(number / ranges, (number + 1) / ranges, n, said, came))
    return rows


# -- swings ----------------------------------------------------------------------------------------------


class Point(NamedTuple):
    """The chances at a question of the game; `decided` where the decision that follows is made but its luck has not fallen yet."""

    version: int
    wins: dict[str, float]
    decided: bool = False


class Swing(NamedTuple):
    """How the chances changed between two questions: by decisions or by chance, and whether the playouts can tell it from noise."""

    after: int
    version: int
    seat: str
    ask: str
    cause: str
    change: dict[str, float]
    by_chance: dict[str, float]
    clear: bool

    @property
    def largest(self) -> float:
        return max(map(abs, self.change.values()), default=0.0)


DECISION, CHANCE, SEVERAL = "decision", "chance", "several decisions"
COARSE, FINE, EACH, CLOSE = 13, 44, 4, 8  # points at first and in all, looked at more closely each time, told apart in the end


def questions(log: Log) -> list[int]:
    """The versions of the questions in force, from the set-up to the last."""
    return [group[-1].version for group in groups(effective(log.raw()))]


def next_points(asked: Sequence[int], curve: Sequence[Point]) -> list[int]:
    """Where to look next: evenly first, then in the middle of the spans where the chances changed most."""
    if not curve:
        last = len(asked) - 1
        return sorted({asked[n * last // (COARSE - 1)] for n in range(COARSE)})
    if len(curve) >= min(FINE, len(asked)):
        return []
    spans = sorted(pairwise(curve), key=lambda span: -_largest(span))[:CLOSE]
    middles = [_between(asked, left.version, right.version) for left, right in spans]
    return sorted([version for version in middles if version][:EACH])


def _largest(span: tuple[Point, Point]) -> float:
    left, right = span
    return max((abs(right.wins[seat] - left.wins[seat]) for seat in right.wins), default=0.0)


def _between(asked: Sequence[int], left: int, right: int) -> int:
    inner = [version for version in asked if left < version < right]
    return inner[len(inner) // 2] if inner else 0


def to_split(log: Log, curve: Sequence[Point]) -> list[int]:
    """The largest changes by one decision that was followed by chance: the question before each, to tell the two apart."""
    asked = questions(log)
    single = [(left, right) for left, right in pairwise(curve) if not _between(asked, left.version, right.version)]
    single.sort(key=lambda span: -_largest(span))
    return [left.version for left, right in single[:CLOSE] if any(item.chance for item in log.raw(left.version, right.version))]


def swings(log: Log, curve: Sequence[Point], n: int) -> list[Swing]:
    """What lay between the points of a curve, in order."""
    asked = questions(log)
    decided = {point.version: point.wins for point in curve if point.decided}
    made: list[Swing] = []
    for left, right in pairwise([point for point in curve if not point.decided]):
        change = {seat: right.wins[seat] - left.wins[seat] for seat in right.wins}
        between = log.raw(left.version, right.version)
        event = next((item for item in between if item.kind in (DECIDED, SEALED)), None)
        drawn = any(item.chance for item in between)
        by_chance = dict.fromkeys(change, 0.0)
        cause = SEVERAL
        if not _between(asked, left.version, right.version):
            half = decided.get(left.version)
            if half is not None:
                by_chance = {seat: right.wins[seat] - half[seat] for seat in change}
            elif drawn:
                by_chance = change
            luck = max(map(abs, by_chance.values()), default=0.0)
            skill = max((abs(change[seat] - by_chance[seat]) for seat in change), default=0.0)
            cause = CHANCE if luck > skill else DECISION
        # Two estimates of n playouts each hardly ever differ by more than this where nothing changed, also if many are compared.
        noise = 3 * max((math.sqrt(2 * share * (1 - share) / n) for share in left.wins.values()), default=0.0)
        clear = max(map(abs, change.values()), default=0.0) > max(noise, 1 / n)
        made.append(
            Swing(
                left.version,
                right.version,
                event.seat if event else "",
                event.ask if event else "",
                cause,
                change,
                by_chance,
                clear,
            )
        )
    return made


def chances(log: Log, version: int, **how: Any) -> dict[str, float]:
    """Every seat's chance to win at a question; at the end, what came of it."""
    known = result(log, version)
    return known if known is not None else {one.seat: one.win for one in complete(start_at(log, version), **how)}


def result(log: Log, version: int) -> dict[str, float] | None:
    """Who won, if the game is over at a version."""
    table = log.whole_table(version)
    if table.get("step") != END:
        return None
    winners = log.title.winners(table)
    return {seat: float(seat in winners) / max(1, len(winners)) for seat in log.schema.seats}


def find_swings(log: Log, *, n: int = 60, workers: int | None = None, **how: Any) -> list[Swing]:
    """The curve of win probability of a game, and what lay between its points."""
    with processes(workers) as pool:
        return _find_swings(log, n=n, pool=pool, **how)


def _find_swings(log: Log, *, n: int, **how: Any) -> list[Swing]:
    asked = questions(log)
    curve: list[Point] = []
    while more := next_points(asked, curve):
        curve = sorted([*curve, *(Point(version, chances(log, version, n=n, **how)) for version in more)])
    for version in to_split(log, curve):
        start = msgspec.structs.replace(start_at(log, version), then=[made_again(decision_at(log, version + 1)[0])])
        curve.append(Point(version, {one.seat: one.win for one in complete(start, n=n, **how)}, decided=True))
    return swings(log, sorted(curve, key=lambda point: (point.version, point.decided)), n)


# -- sweeps ----------------------------------------------------------------------------------------------


class Swept(NamedTuple):
    """One alternative and what it comes to."""

    alternative: Any
    found: list[Estimate]
    note: str = ""


Made = tuple[str, str, Any, list[Chance]]
MOST_ALTERNATIVES = 24


def made_again(first: Event, answer: Any = None, lent: Sequence[Chance] = ()) -> Made:
    """A recorded decision, or another answer to its question, as the beginning of a playout."""
    return first.seat, first.ask, first.answer if answer is None else answer, list(lent)


def alternatives(log: Log, version: int, answers: Sequence[Any] | None = None) -> list[tuple[Any, Made]]:
    """Every answer that was legal at one decision, or those that are named."""
    first = decision_at(log, version)[0]
    ask = log.run_at(first.version - 1).question(first.seat, first.ask)
    if answers is None and ask.count() > MOST_ALTERNATIVES:
        raise Refused(ask.cite, f"there are {ask.count()} answers: name the ones to compare")
    listed = list(ask.all()) if answers is None else list(answers)
    for answer in listed:
        if (reason := ask.refusal(answer)) is not None:
            raise Refused(ask.cite, reason, legal=ask.describe()["choice"])
    return [(answer, (first.seat, first.ask, answer, [])) for answer in listed]


def faces(log: Log, version: int, index: int) -> list[tuple[Any, Made]]:
    """All faces of the first die of one roll; what else was drawn there stays as it was."""
    group = decision_at(log, version)
    outcomes: list[Chance] = [outcome for item in group for outcome in item.chance]
    if not 0 <= index < len(outcomes) or type(outcomes[index]) is not Rolled:
        raise NotFound(f"draw {index} of version {version} is no roll of dice")
    rolled: Rolled = outcomes[index]  # type: ignore[assignment]
    found = []
    for face in sorted(set(rolled.faces)):
        values = [face, *rolled.values[1:]]
        outcomes[index] = msgspec.structs.replace(rolled, values=values)
        found.append((values, made_again(group[0], lent=outcomes)))
    return found


def sweep(
    log: Log, version: int, listed: Sequence[tuple[Any, Made]], *, n: int = 60, workers: int | None = None, **how: Any
) -> list[Swept]:
    """Each alternative at one decision, rolled out."""
    before = start_at(log, decision_at(log, version)[0].version - 1)
    with processes(workers) as pool:
        return [Swept(said, complete(msgspec.structs.replace(before, then=[made]), n=n, pool=pool, **how)) for said, made in listed]


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
