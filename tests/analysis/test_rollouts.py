"""Rollouts as jobs: each batch counts once, a broken-off one goes on, and a seat learns nothing it may not know."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

from domain.kernel import NotFound, Refused
from domain.match import Policy
from service import analysis
from service.database import Database
from service.matches import Matches
from service.rollouts import DONE, Rollouts
from service.settings import Settings
from service.store import open_store

ROOT = Path(__file__).resolve().parents[2]


class Desk:
    """Ana's running game against a bot, some decisions in."""

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
        for _ in range(25):
            ask = self.matches.open_log(self.id).run.question("red", self.matches.open_log(self.id).run.asks[0].key)
            self.matches.decide(self.ana, self.id, "red", ask.key, ask.sample(rng))


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    return Desk(str(tmp_path_factory.mktemp("desk") / "desk.db"))


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


def test_rq_workers_play_batches_once_also_when_one_is_killed(tmp_path: Path, redis_server: str) -> None:
    desk = Desk(str(tmp_path / "rq.db"), redis_server)
    environment = {**os.environ, "CHANCERY_DB": str(tmp_path / "rq.db"), "CHANCERY_REDIS": redis_server, "PYTHONPATH": str(ROOT)}
    job = desk.rollouts.ask(desk.ana, desk.id, n=160, seed="rq")

    def worker() -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "rq.cli", "worker", "--url", redis_server, "--burst", "rollouts"]
        return subprocess.Popen(command, env=environment, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    first = worker()
    until = time.monotonic() + 60
    while desk.rollouts.status(desk.ana, desk.id, job.id).done == 0 and time.monotonic() < until:
        time.sleep(0.05)
    first.send_signal(signal.SIGKILL)
    first.wait()
    desk.rollouts._enqueue(job.id, desk.rollouts._database.read("SELECT key FROM rollouts WHERE id = ?", job.id)[0][0], 160)
    others = [worker(), worker()]
    for other in others:
        other.wait(timeout=120)
    done = desk.rollouts.status(desk.ana, desk.id, job.id)
    assert done.state == DONE and done.done == 160 and all(one.n == 160 for one in done.found)
