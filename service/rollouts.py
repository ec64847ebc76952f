"""Rollouts as jobs: asked for over the API or the pages, played by a pool of processes, or by RQ workers where there is Redis.

A seat's rollout of a running match starts from what that seat knows: hidden things are dealt anew in every playout.
"""

from __future__ import annotations

import base64
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import suppress
from typing import Any, NamedTuple

import msgspec
import structlog
from eventsourcing.persistence import ConnectionPoolClosedError

from domain.bots import POLICIES
from domain.kernel.errors import ChanceryError, NotFound, Refused
from domain.kernel.schema import ARBITER
from domain.match import FINISHED
from domain.rollout import Estimate, Outcome, Start, estimates, precise, start_at
from service import analysis
from service.database import Clash, Database
from service.matches import Matches, new_id
from service.settings import Settings

QUEUED, RUNNING, DONE, CANCELLED, FAILED = "queued", "running", "done", "cancelled", "failed"
SECONDS = 0.3
QUEUE = "rollouts"
BATCHES_PER_JOB = 2  # an RQ job costs a fork: it must not dominate
MOST_WAITING = 200
PATIENCE = 60_000  # milliseconds without a batch after which the rest is given to the workers once more

log = structlog.get_logger(__name__)


class Job(NamedTuple):
    """A rollout and how far it is."""

    id: str
    match: str
    line: str
    version: int
    viewer: str
    policy: str
    seed: str
    wanted: int
    precision: float
    state: str
    done: int
    found: list[Estimate]
    points: dict[str, dict[int, int]]  # by seat: how many playouts ended with so many points


class Batches:
    """Finished batches in the database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def load(self, key: str) -> dict[int, list[Outcome]]:
        rows = self._database.read("SELECT number, body FROM rollout_batches WHERE key = ? ORDER BY number", key)
        return {number: msgspec.json.decode(body, type=list[Outcome]) for number, body in rows}

    def save(self, key: str, number: int, outcomes: list[Outcome]) -> None:
        with suppress(Clash):  # somebody else played the same batch: it is the same
            row = (key, number, msgspec.json.encode(outcomes).decode())
            self._database.write(("INSERT INTO rollout_batches (key, number, body) VALUES (?, ?, ?)", row))


class Rollouts:
    """Ask, watch, cancel, work."""

    def __init__(self, matches: Matches, database: Database, redis: str = "", workers: int | None = None) -> None:
        self._matches, self._database, self._redis, self._workers = matches, database, redis, workers
        self._batches = Batches(database)
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None
        self._pool: ProcessPoolExecutor | None = None
        self.finished: Callable[[str], None] = lambda study: None  # told when a rollout of a study is through

    def ask(
        self,
        who: str,
        id: str,
        *,
        version: int | None = None,
        line: str = "",
        viewer: str = "",
        n: int = 200,
        policy: str = "random",
        seed: str = "0",
        precision: float = 0.0,
    ) -> Job:
        """Queue a rollout from a version, as far as the asker may know that position."""
        wanted(policy, n)
        look = self._matches.look(who, id, viewer=viewer, line=line, what="rollout")
        self.room(who)
        log = self._matches.open_log(look.line.id)
        at = log.question_after(look.known(version))
        whole = ARBITER in self._matches.viewers(who, look.match, look.line) and (viewer == ARBITER or look.match.state == FINISHED)
        whole = whole or bool(self._matches.supposed(look.line))  # nothing there is true but what its seat knows
        if not whole and at > look.head:
            raise NotFound(f"there is no version {at}")
        start = start_at(log, at, "" if whole else look.viewer)
        job = self.queue(
            who, id, look.line.id, at, ARBITER if whole else look.viewer, start, n=n, policy=policy, seed=seed, precision=precision
        )
        return self.status(who, id, job)

    def queue(
        self,
        who: str,
        id: str,
        line: str,
        version: int,
        viewer: str,
        start: Start,
        *,
        n: int,
        policy: str,
        seed: str,
        precision: float = 0.0,
        study: str = "",
    ) -> str:
        """Put a rollout on the list of work; whether the asker may know its start is for the caller to know."""
        job, key, now = new_id(12), start.key(policy, seed), self._matches.clock()
        packed = base64.b64encode(msgspec.msgpack.encode(start)).decode()
        names = (
            "id, match, line, version, viewer, account, key, start, policy, seed, wanted, precision, state, made, study, touched"
        )
        row = (job, id, line, version, viewer, who, key, packed, policy, seed, n, str(precision), QUEUED, now, study, now)
        self._database.write((f"INSERT INTO rollouts ({names}) VALUES ({', '.join('?' * len(row))})", row))
        if self._redis:
            self._enqueue(job, key, n)
        return job

    def room(self, who: str) -> None:
        """Nobody fills the list of work alone."""
        sql = "SELECT COUNT(*) FROM rollouts WHERE account = ? AND state IN (?, ?)"
        if self._database.read(sql, who, QUEUED, RUNNING)[0][0] >= MOST_WAITING:
            raise Refused("", f"{MOST_WAITING} of your rollouts are waiting already: let them finish, or cancel some")

    def status(self, who: str, id: str, job: str) -> Job:
        """How far a rollout is: for whoever asked for it."""
        self._matches.see(who, id)
        rows = self._database.read(
            "SELECT line, version, viewer, key, start, policy, seed, wanted, precision, state, touched FROM rollouts"
            " WHERE id = ? AND match = ? AND account = ?",
            job,
            id,
            who,
        )
        if not rows:
            raise NotFound(f"there is no rollout {job!r}")
        line, version, viewer, key, start, policy, seed, n, precision, state, touched = rows[0]
        outcomes = [outcome for made in self._batches.load(key).values() for outcome in made if outcome.number < n]
        seats = _unpacked(start).seats
        found = estimates(outcomes, seats)
        if state in (QUEUED, RUNNING):
            if len(outcomes) >= n or (float(precision) and found and precise(found, float(precision))):
                state = DONE
                self._set(job, DONE)
            elif self._redis and self._matches.clock() - touched > PATIENCE:
                self._touch(job)
                self._enqueue(job, key, n)  # its worker may have died; a batch that is played twice counts once
        points = {seat: dict(sorted(Counter(outcome.points.get(seat, 0) for outcome in outcomes).items())) for seat in seats}
        return Job(job, id, line, version, viewer, policy, seed, n, float(precision), state, len(outcomes), found, points)

    def of_match(self, who: str, id: str) -> list[Job]:
        """The asker's rollouts of a match, newest first."""
        self._matches.see(who, id)
        rows = self._database.read(
            "SELECT id FROM rollouts WHERE match = ? AND account = ? AND study = ? ORDER BY made DESC, id LIMIT 50", id, who, ""
        )
        return [self.status(who, id, row[0]) for row in rows]

    def cancel(self, who: str, id: str, job: str) -> Job:
        if self.status(who, id, job).state in (QUEUED, RUNNING):
            self._set(job, CANCELLED)
        return self.status(who, id, job)

    # -- those of a study ------------------------------------------------------------------------

    def states(self, study: str) -> dict[str, str]:
        """The state of every rollout of a study."""
        return dict(self._database.read("SELECT id, state FROM rollouts WHERE study = ?", study))

    def settle(self, study: str) -> None:
        """See which rollouts of a study are done: where others work, nobody tells us."""
        for id, job, who in self._database.read(
            "SELECT match, id, account FROM rollouts WHERE study = ? AND state IN (?, ?)", study, QUEUED, RUNNING
        ):
            self.status(who, id, job)

    def found(self, study: str) -> dict[str, list[Estimate]]:
        """What every rollout of a study says so far."""
        sql = "SELECT r.id, r.wanted, b.body FROM rollouts r JOIN rollout_batches b ON b.key = r.key WHERE r.study = ?"
        outcomes: dict[str, list[Outcome]] = {}
        for job, n, body in self._database.read(sql, study):
            made = msgspec.json.decode(body, type=list[Outcome])
            outcomes.setdefault(job, []).extend(outcome for outcome in made if outcome.number < n)
        return {job: estimates(made, list(made[0].wins)) for job, made in outcomes.items() if made}

    def cancel_all(self, study: str) -> None:
        self._database.write(
            ("UPDATE rollouts SET state = ? WHERE study = ? AND state IN (?, ?)", (CANCELLED, study, QUEUED, RUNNING))
        )

    def _touch(self, job: str) -> None:
        self._database.write(("UPDATE rollouts SET touched = ? WHERE id = ?", (self._matches.clock(), job)))

    def _set(self, job: str, state: str) -> None:
        self._database.write(("UPDATE rollouts SET state = ? WHERE id = ?", (state, job)))

    # -- the embedded worker ---------------------------------------------------------------------

    def work(self) -> bool:
        """Play one queued rollout to its end; False if there is none. A broken-off one goes on where it was."""
        rows = self._database.read(
            "SELECT id, study, start, policy, seed, wanted, precision FROM rollouts WHERE state IN (?, ?) ORDER BY made, id LIMIT 1",
            QUEUED,
            RUNNING,
        )
        if not rows:
            return False
        job, study, start, policy, seed, n, precision = rows[0]
        self._set(job, RUNNING)
        how: dict[str, Any] = {"n": n, "policy": policy, "seed": seed, "precision": float(precision)}
        try:
            for _ in analysis.rollout(
                _unpacked(start),
                **how,
                results=self._batches,
                pool=self._processes(),
                stop=lambda: self._stopped.is_set() or self._gone(job),
            ):
                pass
        except BrokenExecutor:
            self._close_pool()  # one of its processes was killed: what it had not finished is played again
            return True
        except ChanceryError as failed:
            log.error("a rollout failed", job=job, error=type(failed).__name__)
            self._set(job, FAILED)
        else:
            if not self._stopped.is_set() and not self._gone(job):
                self._set(job, DONE)
        if study and not self._stopped.is_set():
            self.finished(study)
        return True

    def _processes(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = analysis.processes(self._workers)
        return self._pool

    def _close_pool(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None

    def _gone(self, job: str) -> bool:
        return self._database.read("SELECT state FROM rollouts WHERE id = ?", job)[0][0] == CANCELLED

    def start(self) -> Rollouts:
        """Work in a thread of this process."""
        self._thread = threading.Thread(target=self._run, name="rollouts", daemon=True)
        self._thread.start()
        return self

    def _run(self) -> None:
        while not self._stopped.wait(SECONDS):
            try:
                while not self._stopped.is_set() and self.work():
                    pass
            except ConnectionPoolClosedError:
                return  # the service is closed
            except Exception as failed:
                log.error("rollouts start again", error=type(failed).__name__)

    def stop(self) -> None:
        self._stopped.set()
        if self._thread is not None:
            self._thread.join(timeout=20)
        self._close_pool()

    # -- RQ ----------------------------------------------------------------------------------------

    def _enqueue(self, job: str, key: str, n: int) -> None:
        """One RQ job for a few batches each; those that are there already are not played again."""
        from redis import Redis
        from rq import Queue, Retry

        have = self._batches.load(key)
        numbers = [number for number in range(-(-n // analysis.BATCH)) if number not in have]
        queue = Queue(QUEUE, connection=Redis.from_url(self._redis))
        for first in range(0, len(numbers), BATCHES_PER_JOB):
            queue.enqueue(play, job, numbers[first : first + BATCHES_PER_JOB], retry=Retry(max=3), result_ttl=60, job_timeout=600)


def play(job: str, numbers: list[int]) -> int:
    """Some batches of a rollout, in an RQ worker: reads the job from the database and writes its batches there."""
    from service.store import open_store

    with open_store(Settings.from_environment()) as store:
        database = Database(store)  # type: ignore[arg-type]
        rows = database.read("SELECT key, start, policy, seed, state FROM rollouts WHERE id = ?", job)
        if not rows or rows[0][4] == CANCELLED:
            return 0
        key, start, policy, seed, _ = rows[0]
        batches = Batches(database)
        have = batches.load(key)
        for number in numbers:
            if number not in have:
                made = analysis.batch(base64.b64decode(start), policy, seed, number)
                batches.save(key, number, msgspec.msgpack.decode(made, type=list[Outcome]))
                database.write(("UPDATE rollouts SET touched = ? WHERE id = ?", (int(time.time() * 1000), job)))
    return len(numbers)


def wanted(policy: str, n: int) -> None:
    """Whether a rollout can be made so."""
    if policy not in POLICIES:
        raise Refused("", f"there is no policy {policy!r}", legal=sorted(POLICIES))
    if not 1 <= n <= analysis.MOST:
        raise Refused("", f"between 1 and {analysis.MOST} playouts are made, not {n}")


def _unpacked(start: str) -> Start:
    return msgspec.msgpack.decode(base64.b64decode(start), type=Start)
