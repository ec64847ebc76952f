"""Rollouts as jobs: asked for over the API or the pages, played by a pool of processes, or by RQ workers where there is Redis.

A seat's rollout of a running match starts from what that seat knows: hidden things are dealt anew in every playout.
"""

from __future__ import annotations

import base64
import threading
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
        if policy not in POLICIES:
            raise Refused("", f"there is no policy {policy!r}", legal=sorted(POLICIES))
        if not 1 <= n <= analysis.MOST:
            raise Refused("", f"between 1 and {analysis.MOST} playouts are made, not {n}")
        look = self._matches.look(who, id, viewer=viewer, line=line, what="rollout")
        at = look.known(version)
        whole = look.viewer == ARBITER or (look.match.state == FINISHED and look.match.policy.afterwards == "shown")
        start = start_at(self._matches.open_log(look.line.id), at, "" if whole else look.viewer)
        job, key = new_id(12), start.key(policy, seed)
        packed = base64.b64encode(msgspec.msgpack.encode(start)).decode()
        names = "id, match, line, version, viewer, account, key, start, policy, seed, wanted, precision, state, made"
        row = (
            job,
            id,
            look.line.id,
            at,
            look.viewer,
            who,
            key,
            packed,
            policy,
            seed,
            n,
            str(precision),
            QUEUED,
            self._matches.clock(),
        )
        self._database.write((f"INSERT INTO rollouts ({names}) VALUES ({', '.join('?' * len(row))})", row))
        if self._redis:
            self._enqueue(job, key, n)
        return self.status(who, id, job)

    def status(self, who: str, id: str, job: str) -> Job:
        """How far a rollout is: for whoever asked for it."""
        self._matches.see(who, id)
        rows = self._database.read(
            "SELECT line, version, viewer, key, start, policy, seed, wanted, precision, state FROM rollouts"
            " WHERE id = ? AND match = ? AND account = ?",
            job,
            id,
            who,
        )
        if not rows:
            raise NotFound(f"there is no rollout {job!r}")
        line, version, viewer, key, start, policy, seed, wanted, precision, state = rows[0]
        outcomes = [outcome for made in self._batches.load(key).values() for outcome in made if outcome.number < wanted]
        found = estimates(outcomes, _unpacked(start).seats)
        if state in (QUEUED, RUNNING) and (
            len(outcomes) >= wanted or (float(precision) and found and precise(found, float(precision)))
        ):
            state = DONE
            self._set(job, DONE)
        return Job(job, id, line, version, viewer, policy, seed, wanted, float(precision), state, len(outcomes), found)

    def of_match(self, who: str, id: str) -> list[Job]:
        """The asker's rollouts of a match, newest first."""
        self._matches.see(who, id)
        rows = self._database.read(
            "SELECT id FROM rollouts WHERE match = ? AND account = ? ORDER BY made DESC, id LIMIT 50", id, who
        )
        return [self.status(who, id, row[0]) for row in rows]

    def cancel(self, who: str, id: str, job: str) -> Job:
        if self.status(who, id, job).state in (QUEUED, RUNNING):
            self._set(job, CANCELLED)
        return self.status(who, id, job)

    def _set(self, job: str, state: str) -> None:
        self._database.write(("UPDATE rollouts SET state = ? WHERE id = ?", (state, job)))

    # -- the embedded worker ---------------------------------------------------------------------

    def work(self) -> bool:
        """Play one queued rollout to its end; False if there is none. A broken-off one goes on where it was."""
        rows = self._database.read(
            "SELECT id, key, start, policy, seed, wanted, precision FROM rollouts WHERE state IN (?, ?) ORDER BY made, id LIMIT 1",
            QUEUED,
            RUNNING,
        )
        if not rows:
            return False
        job, _, start, policy, seed, wanted, precision = rows[0]
        self._set(job, RUNNING)
        how: dict[str, Any] = {"n": wanted, "policy": policy, "seed": seed, "precision": float(precision)}
        try:
            for _ in analysis.rollout(
                _unpacked(start),
                **how,
                results=self._batches,
                workers=self._workers,
                stop=lambda: self._stopped.is_set() or self._gone(job),
            ):
                pass
        except ChanceryError as failed:
            log.error("a rollout failed", job=job, error=type(failed).__name__)
            self._set(job, FAILED)
            return True
        if not self._stopped.is_set() and not self._gone(job):
            self._set(job, DONE)
        return True

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
        rows = database.read("SELECT key, start, policy, seed, wanted, state FROM rollouts WHERE id = ?", job)
        if not rows or rows[0][5] == CANCELLED:
            return 0
        key, start, policy, seed, wanted, _ = rows[0]
        batches = Batches(database)
        have = batches.load(key)
        for number in numbers:
            if number not in have:
                first = number * analysis.BATCH
                made = analysis.batch(base64.b64decode(start), policy, seed, first, min(analysis.BATCH, wanted - first))
                batches.save(key, number, msgspec.msgpack.decode(made, type=list[Outcome]))
    return len(numbers)


def _unpacked(start: str) -> Start:
    return msgspec.msgpack.decode(base64.b64decode(start), type=Start)
