"""How much it carries: `python -m tests.api.load`. Real gunicorn, real HTTP, a real title; prints the numbers of docs/scaling.md.

The clients run on the same machine, so the figures are what is left beside them.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import selectors
import socket
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

import psutil

from domain import games
from service.settings import Settings
from service.wsgi import assemble
from tests.api.server import Server

say = sys.stdout.write

TITLE = "column-of-fire"
API = "service.wsgi:create_app()"


def prepared(db, redis, matches):
    """Running matches with one person each; (match, token, seat)."""
    service = assemble(Settings(db=db, redis=redis, secret="s" * 40), games)
    found = []
    for number in range(matches):
        people = [service.accounts.create(f"Player {number} {side}") for side in ("a", "b", "c")]
        match = service.open(people[0].id, TITLE, players=3)
        for person in people:
            service.join(person.id, match.id)
        service.start(people[0].id, match.id)
        tokens = {service.register.load(match.id).seats_of(person.id)[0]: service.accounts.issue(person.id)[1] for person in people}
        found.append((match.id, tokens))
    service.store.close()
    return found


class Client:
    """One connection, kept open."""

    def __init__(self, port):
        self._http = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self.times = []

    def call(self, method, path, token, body=None, **headers):
        sent = {"Authorization": f"Bearer {token}", "Content-Type": "application/json", **headers}
        began = time.perf_counter()
        self._http.request(method, f"/api/v1{path}", json.dumps(body) if body is not None else None, sent)
        answer = self._http.getresponse()
        data = answer.read()
        self.times.append(time.perf_counter() - began)
        return answer.status, json.loads(data) if data else None


def reads(port, match, tokens, path, seconds):
    client, token, until = Client(port), next(iter(tokens.values())), time.monotonic() + seconds
    while time.monotonic() < until:
        status, _ = client.call("GET", f"/matches/{match}/{path}", token)
        assert status == 200
    return client.times


def plays(port, match, tokens, seconds):
    """Ask and decide in turn; only the decisions are timed."""
    client, until, decided = Client(port), time.monotonic() + seconds, []
    public = next(iter(tokens.values()))
    while time.monotonic() < until:
        _, asked = client.call("GET", f"/matches/{match}/questions?as=spectator", public)
        if not asked["items"]:
            break
        seat = asked["items"][0]["seat"]
        _, mine = client.call("GET", f"/matches/{match}/questions", tokens[seat])
        ask = next(ask for ask in mine["items"] if "choice" in ask)
        answer = ask["answers"][0] if ask["answers"] else None
        if answer is None and not ask["optional"]:
            break
        body = {"seat": seat, "key": ask["key"], "answer": answer}
        client.times.clear()
        status, _ = client.call("POST", f"/matches/{match}/decisions", tokens[seat], body, **{"If-Match": str(mine["version"])})
        if status == 201:
            decided += client.times
    return decided


def together(work, jobs):
    """Run jobs at once; all their times and how long it took."""
    times, threads = [], []

    def run(job):
        times.extend(work(*job))

    began = time.monotonic()
    for job in jobs:
        threads.append(threading.Thread(target=run, args=(job,)))
        threads[-1].start()
    for thread in threads:
        thread.join()
    return times, time.monotonic() - began


def processor(server):
    """Seconds of processor that the server has used."""
    parts = [psutil.Process(server.process.pid), *psutil.Process(server.process.pid).children(recursive=True)]
    return sum(part.cpu_times().user + part.cpu_times().system for part in parts)


def measured(server, name, work, jobs):
    """Do it, and say how fast it was and what it cost the server."""
    before = processor(server)
    times, took = together(work, jobs)
    tell(name, times, took, (processor(server) - before) / max(1, len(times)))


def tell(name, times, took, cost):
    times = sorted(times)
    if len(times) < 2:
        say(f"{name:44} too few\n")
        return
    cut = statistics.quantiles(times, n=100)
    figures = f"p50 {cut[49] * 1e3:6.1f} ms  p95 {cut[94] * 1e3:6.1f} ms  p99 {cut[98] * 1e3:6.1f} ms"
    say(f"{name:40} {len(times) / took:6.0f} /s  {figures}  {cost * 1e3:5.1f} ms of processor each  n={len(times)}\n")


def memory(server):
    workers = psutil.Process(server.process.pid).children(recursive=True)
    return [round(worker.memory_info().rss / 2**20) for worker in workers]


def listening(port, match, token, count):
    """So many open streams on one selector."""
    waiting = selectors.DefaultSelector()
    request = f"GET /api/v1/matches/{match}/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\r\n".encode()
    for _ in range(count):
        one = socket.create_connection(("127.0.0.1", port), timeout=30)
        one.sendall(request)
        one.setblocking(False)
        waiting.register(one, selectors.EVENT_READ, bytearray())
    return waiting


def heard(waiting, marker, seconds):
    """When each stream got an event; those that did not are missing."""
    found, until = {}, time.monotonic() + seconds
    while len(found) < len(waiting.get_map()) and time.monotonic() < until:
        for key, _ in waiting.select(timeout=0.1):
            key.data.extend(key.fileobj.recv(65536))
            if marker in key.data and key.fd not in found:
                found[key.fd] = time.monotonic()
    return found


def main():
    given = argparse.ArgumentParser()
    given.add_argument("--db", default="")
    given.add_argument("--redis", default="")
    given.add_argument("--workers", type=int, default=2)
    given.add_argument("--clients", type=int, default=8)
    given.add_argument("--seconds", type=float, default=6)
    given.add_argument("--streams", type=int, default=0)
    given = given.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="chancery-load-"))
    db = given.db or str(folder / "load.db")
    matches = prepared(db, given.redis, given.clients)
    kind = "PostgreSQL" if "://" in db else "SQLite"
    role = "api" if given.redis else "all"
    with Server(folder, db, workers=given.workers, redis=given.redis, role=role, app=API) as server:
        name = f"{kind}, {given.workers} workers, {given.clients} clients"
        say(f"{name} on {os.cpu_count()} cores\n")
        for path in ("questions", "table", "log?after=0", "scoreboard"):
            jobs = [(server.port, match, tokens, path, given.seconds / 2) for match, tokens in matches]
            measured(server, f"GET {path}", reads, jobs)
        jobs = [(server.port, match, tokens, given.seconds) for match, tokens in matches]
        measured(server, "POST decisions (with two reads each)", plays, jobs)
        say(f"memory of the workers, MB {memory(server)}\n")
        if given.streams:
            live(server, folder, db, given, matches)


def live(server, folder, db, given, matches):
    """Streams in a pool of their own: do they hear, and does the API feel them?"""
    (match, tokens), others = matches[0], matches[1:]
    with Server(folder, db, workers=1, redis=given.redis, role="streams", streams=given.streams + 50, app=API) as streams:
        before = memory(streams)
        waiting = listening(streams.port, match, next(iter(tokens.values())), given.streams)
        heard(waiting, b"retry:", 60)
        say(f"{given.streams} streams open; memory MB before {before}, with them {memory(streams)}\n")
        for key in waiting.get_map().values():
            key.data.clear()
        plays(server.port, match, tokens, 0.01)
        done = time.monotonic()
        arrived = sorted(at - done for at in heard(waiting, b"event: ", 20).values())
        lost = given.streams - len(arrived)
        half, late = (arrived[int(len(arrived) * part)] * 1e3 for part in (0.5, 0.99))
        say(f"one decision heard by {len(arrived)} streams, {lost} lost; half after {half:.0f} ms, 99% after {late:.0f} ms, ")
        say(f"the last after {arrived[-1] * 1e3:.0f} ms\n")
        jobs = [(server.port, other, held, given.seconds / 2) for other, held in others]
        measured(server, "POST decisions with these streams open", plays, jobs)


if __name__ == "__main__":
    main()
