"""Branches cost next to nothing: in the store, to make, and to list."""

from __future__ import annotations

import http.client
import json
import os
import sqlite3
import threading
import time
from contextlib import closing
from random import Random
from statistics import quantiles

import pytest
from werkzeug.serving import WSGIRequestHandler, make_server

from domain.bots import choose
from domain.kernel import NotFound
from service.bench import MARCH
from service.settings import Settings
from service.wsgi import close, create_app

SOAK = bool(os.environ.get("CHANCERY_SOAK"))
BRANCHES, EVENTS = (1_000, 2_000) if SOAK else (150, 600)
SLACK = 1 if SOAK else 4  # the suite runs beside others on a busy machine; the bars are held where the figures are taken


class Quiet(WSGIRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_request(self, *_):
        pass


class March:
    """A collection with the endless march in it."""

    def get(self, id):
        if id != MARCH.id:
            raise NotFound(f"there is no title {id!r}")
        return MARCH

    def all(self):
        return [MARCH]


@pytest.fixture(scope="module")
def marching(tmp_path_factory):
    """A long match that is over, behind a real socket: anybody may branch it."""
    db = str(tmp_path_factory.mktemp("branches") / "march.db")
    app = create_app(Settings(db=db, secret="s" * 40, limit="off"), titles=March())
    service = app.extensions["chancery"]
    master = service.accounts.create("Gil")
    token = service.accounts.issue(master.id)[1]
    match = service.open(master.id, "march", players=4)
    for name in ("Ana", "Ben", "Cem", "Dee"):
        service.join(service.accounts.create(name).id, match.id)
    service.start(master.id, match.id)
    log, rng = service.open_log(match.id), Random("march")
    while log.version < EVENTS:
        ask = choose(log.run, rng)
        log.decide(ask.seat, ask.key, ask.sample(rng))
    service._finish(match.id, log.version)
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=Quiet)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    client = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    yield db, match.id, client, {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    client.close()
    service.feed.close()
    server.shutdown()
    thread.join(10)
    server.server_close()
    close(app)


def asked(client, headers, method, path, body=None):
    """What the server says, and how long it took to say it."""
    sent = json.dumps(body) if body is not None else None
    began = time.perf_counter()
    client.request(method, f"/api/v1{path}", sent, headers)
    answer = client.getresponse()
    content = answer.read()
    took = time.perf_counter() - began
    assert answer.status < 300, content
    return json.loads(content), took


def size(db):
    """How much is stored, with everything written into the file."""
    with closing(sqlite3.connect(db)) as file:
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        pages, page, free = (file.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size", "freelist_count"))
    return (pages - free) * page


def test_a_thousand_branches_of_a_long_match_are_small_quick_and_listed_at_once(marching):
    db, match, client, headers = marching
    rng, before = Random("branches"), size(db)
    took = []
    for number in range(BRANCHES):
        body = {"version": rng.randrange(2, EVENTS), "reason": f"branch {number}"}
        took.append(asked(client, headers, "POST", f"/matches/{match}/lines", body)[1])
    growth = (size(db) - before) / BRANCHES
    listing = min(asked(client, headers, "GET", f"/matches/{match}/lines")[1] for _ in range(5))
    found = asked(client, headers, "GET", f"/matches/{match}/lines")[0]["items"]
    assert len(found) == BRANCHES + 1
    making = quantiles(took, n=4)[0]  # others use this machine too: what a quarter of them took at most
    figures = f"a branch: {growth:.0f} bytes, {1e3 * making:.2f} ms; {len(found)} listed in {1e3 * listing:.0f} ms"
    assert growth < 1024, figures
    assert making < 0.005 * SLACK, figures
    assert listing < 0.1 * SLACK, figures
