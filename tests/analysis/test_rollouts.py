"""Rollouts as jobs: each batch counts once, a broken-off one goes on, and a seat learns nothing it may not know."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from redis import Redis
from rq import Worker

from domain.kernel import NotFound, Refused
from domain.match import Policy
from domain.rollout import Start
from service import analysis, rollouts
from service.database import Database
from service.matches import Matches
from service.rollouts import DONE, Job, Rollouts
from service.settings import Settings
from service.store import open_store

ROOT = Path(__file__).resolve().parents[2]


class Desk:
    """Ana's running game against a bot, well on its way."""

    def __init__(self, db: str, redis: str = "") -> None:
        self.store = open_store(Settings(db=db))
        database = Database(self.store)
        database.migrate()
        self.matches = Matches(self.store, database, b"k" * 32)
        self.ana, self.eve = (self.matches.accounts.create(name).id for name in ("ana", "eve"))
        self.id = self.matches.open(self.ana, "column-of-fire", players=2, policy=Policy(spectators="nobody")).id
        self.matches.join(self.ana, self.id)
        self.matches.seat_bot(self.ana, self.id, "yellow", "random")
        self.matches.start(self.ana, self.id)
        self.rollouts = Rollouts(self.matches, database, redis, workers=1)
        rng = Random("desk")
        for _ in range(90):  # far into the game: a playout is short
            ask = self.matches.open_log(self.id).run.question("red", self.matches.open_log(self.id).run.asks[0].key)
            self.matches.decide(self.ana, self.id, "red", ask.key, ask.sample(rng))


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    found = Desk(str(tmp_path_factory.mktemp("desk") / "desk.db"))
    yield found
    found.rollouts.stop()
    found.store.close()


def test_a_rollout_is_queued_played_and_read(desk: Desk) -> None:
    job = desk.rollouts.ask(desk.ana, desk.id, n=30, seed="one")
    assert job.state == "queued" and job.viewer == "red"
    while desk.rollouts.work():
        pass
    done = desk.rollouts.status(desk.ana, desk.id, job.id)
    assert done.state == DONE and done.done == 30 and sum(one.win for one in done.found) == pytest.approx(1)


def test_the_same_question_is_answered_from_what_is_kept(desk: Desk) -> None:
    version = desk.matches.look(desk.ana, desk.id).head
    first = desk.rollouts.ask(desk.ana, desk.id, n=20, seed="kept", version=version)
    while desk.rollouts.work():
        pass
    again = desk.rollouts.ask(desk.ana, desk.id, n=20, seed="kept", version=version)
    assert again.done == 20 and again.found == desk.rollouts.status(desk.ana, desk.id, first.id).found


def test_a_rollout_broken_off_goes_on_and_counts_nothing_twice(desk: Desk) -> None:
    job = desk.rollouts.ask(desk.ana, desk.id, n=60, seed="broken")
    desk.rollouts._stopped.set()
    desk.rollouts.work()
    desk.rollouts._stopped.clear()
    before = desk.rollouts.status(desk.ana, desk.id, job.id)
    assert before.state != DONE and before.done < 60
    while desk.rollouts.work():
        pass
    after = desk.rollouts.status(desk.ana, desk.id, job.id)
    assert after.done == 60 and all(one.n == 60 for one in after.found)


def test_a_killed_process_of_the_pool_loses_no_batch_and_none_counts_twice(desk: Desk) -> None:
    job = desk.rollouts.ask(desk.ana, desk.id, n=100, seed="killed")
    working = threading.Thread(target=desk.rollouts.work)
    working.start()
    until(desk, job.id, lambda found: found.done > 0)
    os.kill(next(iter(desk.rollouts._processes()._processes)), signal.SIGKILL)
    working.join(60)
    while desk.rollouts.work():
        pass
    done = desk.rollouts.status(desk.ana, desk.id, job.id)
    assert done.state == DONE and done.done == 100 and all(one.n == 100 for one in done.found)


def test_a_rollout_can_be_cancelled_and_stops_when_precise_enough(desk: Desk) -> None:
    job = desk.rollouts.ask(desk.ana, desk.id, n=500, seed="cancelled")
    assert desk.rollouts.cancel(desk.ana, desk.id, job.id).state == "cancelled"
    rough = desk.rollouts.ask(desk.ana, desk.id, n=400, seed="rough", precision=0.2)
    while desk.rollouts.work():
        pass
    found = desk.rollouts.status(desk.ana, desk.id, rough.id)
    assert found.state == DONE and 40 <= found.done < 400


def test_others_see_neither_the_match_nor_the_rollout(desk: Desk) -> None:
    job = desk.rollouts.ask(desk.ana, desk.id, n=1, seed="mine")
    with pytest.raises(NotFound):
        desk.rollouts.ask(desk.eve, desk.id)
    with pytest.raises(NotFound):
        desk.rollouts.status(desk.eve, desk.id, job.id)
    with pytest.raises(Refused, match="no policy"):
        desk.rollouts.ask(desk.ana, desk.id, policy="genius")
    desk.rollouts.cancel(desk.ana, desk.id, job.id)


def test_alternatives_and_faces_are_swept_and_written_as_a_table(desk: Desk) -> None:
    log = desk.matches.open_log(desk.id)
    event = next(
        event
        for event in reversed(log.raw())
        if event.kind == "decided" and 2 <= log.run_at(event.version - 1).question(event.seat, event.ask).count() <= 6
    )
    rows = analysis.sweep(log, event.version, analysis.alternatives(log, event.version), n=4, workers=1)
    assert len(rows) >= 2
    table = analysis.as_csv([*rows, rows[0]._replace(alternative="=cmd()")])
    assert table.startswith("alternative,seat,win") and "'=cmd()" in table


class Workers:
    """RQ workers in processes of their own, on the desk's database."""

    def __init__(self, folder: Path, redis: str) -> None:
        self._folder, self._redis = folder, redis
        self._environment = {**os.environ, "CHANCERY_DB": str(folder / "rq.db"), "CHANCERY_REDIS": redis, "PYTHONPATH": str(ROOT)}
        self._all: list[subprocess.Popen[bytes]] = []

    def start(self, n: int = 1) -> list[subprocess.Popen[bytes]]:
        command = [sys.executable, "-m", "rq.cli", "worker", "-w", "service.farm.Worker", "--url", self._redis, "rollouts"]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        made = [subprocess.Popen(command, env=self._environment, cwd=self._folder, **quiet) for _ in range(n)]
        self._all += made
        end = time.monotonic() + 60
        with Redis.from_url(self._redis) as redis:
            while len(Worker.all(redis)) < sum(process.poll() is None for process in self._all) and time.monotonic() < end:
                time.sleep(0.1)
        return made

    def stop(self) -> None:
        for process in self._all:
            if process.poll() is None:
                process.terminate()
        for process in self._all:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@pytest.fixture
def farm(tmp_path: Path, redis_server: str) -> Iterator[tuple[Desk, Workers]]:
    desk, workers = Desk(str(tmp_path / "rq.db"), redis_server), Workers(tmp_path, redis_server)
    yield desk, workers
    workers.stop()
    desk.store.close()


def until(desk: Desk, job: str, done: Callable[[Job], bool], seconds: float = 180) -> Job:
    """Watch a rollout as its page does."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = desk.rollouts.status(desk.ana, desk.id, job)
        if done(found):
            return found
        time.sleep(0.05)
    raise AssertionError(f"it did not come to that: {found.state}, {found.done} of {found.wanted}")


def test_a_killed_rq_worker_loses_no_batch_and_none_counts_twice(
    farm: tuple[Desk, Workers], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it had not finished is given to the others once more by whoever watches."""
    desk, workers = farm
    monkeypatch.setattr(rollouts, "PATIENCE", 3_000)
    job = desk.rollouts.ask(desk.ana, desk.id, n=120, seed="rq")
    (first,) = workers.start()
    until(desk, job.id, lambda found: found.done > 0)
    os.kill(first.pid, signal.SIGKILL)
    first.wait()
    before = desk.rollouts.status(desk.ana, desk.id, job.id)
    assert 0 < before.done < 120
    workers.start(2)
    done = until(desk, job.id, lambda found: found.state == DONE)
    assert done.done == 120 and all(one.n == 120 for one in done.found)
    kept = desk.rollouts._database.read("SELECT number FROM rollout_batches ORDER BY number")
    assert [row[0] for row in kept] == list(range(6))
    again = analysis.rollout(_start(desk, job.id), n=120, seed="rq", workers=1)
    assert list(again)[-1].found == done.found, "the same as without any worker dying"


def _start(desk: Desk, job: str) -> Start:
    return rollouts._unpacked(desk.rollouts._database.read("SELECT start FROM rollouts WHERE id = ?", job)[0][0])


@pytest.mark.skipif(not os.environ.get("CHANCERY_SOAK"), reason="says something on a quiet machine only")
def test_two_rq_workers_are_at_least_1_6_times_as_fast_as_one(farm: tuple[Desk, Workers]) -> None:
    desk, workers = farm

    def took(seed: str) -> float:
        warm = desk.rollouts.ask(desk.ana, desk.id, n=80, seed=f"warm {seed}")
        until(desk, warm.id, lambda found: found.state == DONE)
        began = time.monotonic()
        job = desk.rollouts.ask(desk.ana, desk.id, n=800, seed=seed)
        until(desk, job.id, lambda found: found.state == DONE, 600)
        return time.monotonic() - began

    workers.start()
    one = took("one")
    workers.start()
    two = took("two")
    figures = f"800 playouts: {one:.1f} s with one worker, {two:.1f} s with two, {one / two:.2f} times"
    assert one / two >= 1.6, figures
