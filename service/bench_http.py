"""The bars over HTTP: a real server in processes of its own, called by real clients on this machine, as ratios in one run."""

from __future__ import annotations

import http.client
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random

from domain.kernel.title import Title
from projections import bench as views
from projections.stores.sql import SoftFile, SqlDocuments
from service.bench import Bar
from service.settings import Settings
from service.store import open_store
from service.wsgi import assemble

SECRET = "s" * 40
SECONDS = 2.0
STREAMS = 200
EVENTS = 20_000


def run(title: Title, progress: Callable[[str], None] = lambda what: None) -> list[Bar]:
    """Reads against an empty route, the round trip of a decision, live streams beside it, and how far the views lag."""
    with tempfile.TemporaryDirectory() as folder:
        db = str(Path(folder) / "bench.db")
        match, token, seats = _prepared(title, db)
        found: list[Bar] = []
        with _server(folder, db, "api") as port:
            progress("reading over HTTP")
            empty, board, inbox = _rates(port, token, ["/healthz", f"/api/v1/matches/{match}/scoreboard", "/api/v1/inbox"])
            found.append(_bar("scoreboard reads against an empty route", board / empty, 0.5, "times", board / empty >= 0.5))
            found.append(_bar("inbox reads against an empty route", inbox / empty, 0.5, "times", inbox / empty >= 0.5))
            progress("deciding over HTTP")
            times = _decisions(port, match, seats, 60)
            p99 = statistics.quantiles(times, n=100)[98] * 1000
            found.append(_bar("decision round trip, p99", p99, 150, "ms", p99 < 150))
            with _server(folder, db, "streams") as live:
                progress(f"{STREAMS} live streams beside the API")
                alone = _p99(port, f"/api/v1/matches/{match}/scoreboard", token)
                listening = _listen(live, match, token, STREAMS)
                beside = _p99(port, f"/api/v1/matches/{match}/scoreboard", token)
                for one in listening:
                    one.close()
            found.append(
                _bar(f"API p99 with {STREAMS} live streams against without", beside / alone, 1.2, "times", beside / alone <= 1.2)
            )
        progress("how far the views lag, and how fast they are rebuilt")
        with open_store(str(Path(folder) / "views.db")) as store:
            views.fill(store, title, EVENTS)
            documents = SqlDocuments(SoftFile(str(Path(folder) / "views.db")))
            rate = max(views.rebuild(store, documents).wall for _ in range(2))
            lag = views.lag(store, documents, title)
            documents.close()
        found.append(_bar("views rebuilt", rate, 20_000, "events/s", rate >= 20_000))
        found.append(_bar("projection lag, median", lag, 5, "ms", lag < 5))
    return found


def _bar(name: str, value: float, bar: float, unit: str, ok: bool) -> Bar:
    return Bar(name, value, bar, ok, unit)


def _prepared(title: Title, db: str) -> tuple[str, str, dict[str, str]]:
    """A running match; its id, a token, and a token for every seat."""
    service = assemble(Settings(db=db, secret=SECRET))
    people = [service.accounts.create(f"Player {n}") for n in range(min(title.players))]
    match = service.open(people[0].id, title.id, players=len(people))
    for person in people:
        service.join(person.id, match.id)
    service.start(people[0].id, match.id)
    tokens = {service.register.load(match.id).seats_of(person.id)[0]: service.accounts.issue(person.id)[1] for person in people}
    service.store.close()  # type: ignore[attr-defined]
    return match.id, next(iter(tokens.values())), tokens


@contextmanager
def _server(folder: str, db: str, role: str) -> Iterator[int]:
    """gunicorn on a free port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    given = {
        "DB": db,
        "SECRET": SECRET,
        "LIMIT": "off",
        "ROLE": "all" if role == "api" else role,
        "STREAMS": str(STREAMS + 20),
        "BIND": f"127.0.0.1:{port}",
        "WORKERS": "1",
    }
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("CHANCERY_", "PROMETHEUS_"))}
    environment = {**clean, "PYTHONPATH": os.pathsep.join(sys.path), **{f"CHANCERY_{name}": value for name, value in given.items()}}
    command = [sys.executable, "-m", "gunicorn", "-c", "python:service.gunicorn", "service.wsgi:create_app()"]
    with (Path(folder) / f"{role}.log").open("wb") as log:
        process = subprocess.Popen(command, env=environment, cwd=folder, stdout=log, stderr=log)
        try:
            until = time.monotonic() + 30
            while time.monotonic() < until:
                with suppress(OSError, http.client.HTTPException):
                    client = http.client.HTTPConnection("127.0.0.1", port, timeout=1)
                    client.request("GET", "/healthz")
                    if client.getresponse().status == 200:
                        break
                time.sleep(0.05)
            yield port
        finally:
            process.terminate()
            process.wait(timeout=20)


def _get(client: http.client.HTTPConnection, path: str, token: str) -> bytes:
    client.request("GET", path, headers={"Authorization": f"Bearer {token}"})
    return client.getresponse().read()


def _rates(port: int, token: str, paths: list[str]) -> list[float]:
    """Requests a second of each path, in turns so that whatever slows the machine slows all of them."""
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    best = [0.0] * len(paths)
    for path in paths:
        _get(client, path, token)
    for _ in range(4):
        for index, path in enumerate(paths):
            began, n = time.perf_counter(), 0
            while time.perf_counter() - began < SECONDS / 4:
                _get(client, path, token)
                n += 1
            best[index] = max(best[index], n / (time.perf_counter() - began))
    return best


def _p99(port: int, path: str, token: str) -> float:
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    best = float("inf")
    for _ in range(3):
        times = []
        until = time.perf_counter() + SECONDS / 2
        while time.perf_counter() < until:
            began = time.perf_counter()
            _get(client, path, token)
            times.append(time.perf_counter() - began)
        best = min(best, statistics.quantiles(times, n=100)[98])
    return best


def _decisions(port: int, match: str, tokens: dict[str, str], n: int) -> list[float]:
    """Only the decisions are timed, not the questions before them."""
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    rng, times = Random("bench"), []
    for _ in range(4 * n):
        for seat, token in tokens.items():
            asked = json.loads(_get(client, f"/api/v1/matches/{match}/questions", token))
            mine = next((one for one in asked["items"] if one["seat"] == seat and one.get("answers") and one.get("must")), None)
            if mine is None:
                continue
            body = json.dumps({"seat": seat, "key": mine["key"], "answer": rng.choice(mine["answers"])})
            headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json", "If-Match": str(asked["version"])}
            began = time.perf_counter()
            client.request("POST", f"/api/v1/matches/{match}/decisions", body, headers)
            answer = client.getresponse()
            answer.read()
            if answer.status == 201:
                times.append(time.perf_counter() - began)
        if len(times) >= n:
            break
    return times


def _listen(port: int, match: str, token: str, n: int) -> list[socket.socket]:
    request = f"GET /api/v1/matches/{match}/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\r\n".encode()
    found = []
    for _ in range(n):
        one = socket.create_connection(("127.0.0.1", port), timeout=30)
        one.sendall(request)
        found.append(one)
    for one in found:
        one.recv(64)
    return found
