"""Over real HTTP against real processes: what is acknowledged is kept, what is asked once happens once."""

from __future__ import annotations

import os
import secrets
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
import requests

from domain.log import Log
from service.settings import Settings
from service.store import open_store
from service.wsgi import assemble
from tests.api.server import Server
from tests.api.toy import TITLE, Titles

KILLS = 200 if os.environ.get("CHANCERY_SOAK") else 5
AT_ONCE = 50


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def db(request, tmp_path_factory):
    """The address of a database that several tests share, a match each."""
    if request.param == "sqlite":
        yield str(tmp_path_factory.mktemp("db") / "chancery.db")
        return
    server, name = request.getfixturevalue("postgres_server"), f"test_{secrets.token_hex(6)}"
    with psycopg.connect(server.get_uri(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        yield server.get_uri(database=name)
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="module")
def server(db, tmp_path_factory):
    with Server(tmp_path_factory.mktemp("server"), db, workers=4) as started:
        yield started


def settled(db):
    """The service on a database, to look behind the API."""
    return assemble(Settings(db=db, secret="s" * 40), Titles())


def two_players(db):
    """A running match and the tokens of its two players, made before the server starts."""
    (match,), tokens = many_matches(db, 1)
    return match, tokens


def many_matches(db, n):
    """Running matches of the same two players, and their tokens."""
    service, found = settled(db), []
    people = [service.accounts.create(f"{name} {secrets.token_hex(3)}") for name in ("Anna", "Bert")]
    tokens = [service.accounts.issue(person.id)[1] for person in people]
    for _ in range(n):
        match = service.open(people[0].id, "toy", players=2)
        for person in people:
            service.join(person.id, match.id)
        service.start(people[0].id, match.id)
        found.append(match.id)
    service.store.close()
    return found, tokens


def headers(token, version, once=""):
    return {"Authorization": f"Bearer {token}", "If-Match": f'"{version}"', **({"Idempotency-Key": once} if once else {})}


def events(db, match):
    store = open_store(db)
    try:
        kept = store.match(match)
        return Log(store, TITLE, kept, store.line(match)).raw()
    finally:
        store.close()


def test_of_fifty_submissions_of_one_decision_exactly_one_is_accepted(db, server):
    match, (anna, _) = two_players(db)
    body = {"seat": "red", "key": "hide", "answer": "left"}

    def submit(number):
        return requests.post(f"{server.url}/api/v1/matches/{match}/decisions", json=body, headers=headers(anna, 1), timeout=30)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        answers = list(pool.map(submit, range(AT_ONCE)))
    statuses = [answer.status_code for answer in answers]
    assert statuses.count(201) == 1, statuses
    assert set(statuses) <= {201, 409, 412}
    assert [event.kind for event in events(db, match)] == ["created", "decided"]


def test_fifty_deliveries_with_one_key_give_one_decision_and_fifty_same_answers(db, server):
    match, (anna, _) = two_players(db)
    body = {"seat": "red", "key": "hide", "answer": "left"}

    def submit(number):
        sent = headers(anna, 1, once="the-same")
        return requests.post(f"{server.url}/api/v1/matches/{match}/decisions", json=body, headers=sent, timeout=30)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        answers = list(pool.map(submit, range(AT_ONCE)))
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.content for answer in answers}) == 1
    assert sum("Idempotent-Replayed" not in answer.headers for answer in answers) == 1
    assert [event.kind for event in events(db, match)] == ["created", "decided"]


def test_every_acknowledged_decision_survives_kill_9(db, tmp_path):
    """Two players hammer one match after the other while the whole server is killed again and again."""
    matches, tokens = many_matches(db, 2 * KILLS)
    server = Server(tmp_path, db, workers=2)
    acknowledged, stopped = {match: {} for match in matches}, threading.Event()

    def play(token, seat):
        session = requests.Session()
        session.headers["Authorization"] = f"Bearer {token}"
        left = list(matches)

        def send(what, body, version):
            sent = session.post(
                f"{server.url}/api/v1/matches/{left[0]}/{what}", json=body, headers={"If-Match": str(version)}, timeout=5
            )
            if sent.status_code == 201:
                first = sent.json()["events"][0]
                acknowledged[left[0]][first["version"]] = (first["seat"], first["key"])
            return sent

        while left and not stopped.is_set():
            try:
                asked = session.get(f"{server.url}/api/v1/matches/{left[0]}/questions", timeout=5).json()
                mine = [ask for ask in asked["items"] if "choice" in ask]
                if asked["over"]:
                    left.pop(0)
                elif mine:
                    done = send(
                        "decisions", {"seat": seat, "key": mine[0]["key"], "answer": mine[0]["answers"][0]}, asked["version"]
                    )
                    if done.status_code == 201:
                        send("undo", {"seat": seat}, done.json()["version"])
                else:
                    time.sleep(0.005)
            except (requests.RequestException, ValueError, KeyError):
                time.sleep(0.02)

    server.start()
    players = [threading.Thread(target=play, args=(token, seat)) for token, seat in zip(tokens, ("red", "blue"))]
    for player in players:
        player.start()
    try:
        for number in range(KILLS):
            time.sleep(0.3 + 0.1 * (number % 4))
            server.kill()
            server.start()
        time.sleep(0.5)
    finally:
        stopped.set()
        for player in players:
            player.join(20)
        server.stop()
    assert sum(map(len, acknowledged.values())) > KILLS, "hardly anybody ever got an answer"
    for match, decisions in acknowledged.items():
        stored = {event.version: (event.seat, event.ask) for event in events(db, match)}
        assert {version: stored.get(version) for version in decisions} == decisions
        assert sorted(stored) == list(range(1, len(stored) + 1))


def test_a_server_told_to_stop_goes_at_once_though_streams_are_open(tmp_path):
    db = str(tmp_path / "chancery.db")
    match, (anna, _) = two_players(db)
    server = Server(tmp_path, db, workers=1).start()
    with requests.get(
        f"{server.url}/api/v1/matches/{match}/events", headers={"Authorization": f"Bearer {anna}"}, stream=True, timeout=10
    ) as stream:
        assert next(stream.iter_lines(chunk_size=1))
        assert server.stop() < 10


def test_workers_count_together(tmp_path):
    db = str(tmp_path / "chancery.db")
    match, (anna, _) = two_players(db)
    with Server(tmp_path, db, workers=2) as server:
        for _ in range(20):
            requests.get(f"{server.url}/api/v1/matches/{match}", headers={"Authorization": f"Bearer {anna}"}, timeout=5)
        counted = requests.get(f"{server.url}/metrics", timeout=5).text
    assert 'chancery_requests_seconds_count{method="GET",route="/api/v1/matches/<id:match>",status="200"} 20.0' in counted


def test_one_worker_killed_the_others_serve_on(tmp_path):
    db = str(tmp_path / "chancery.db")
    match, (anna, _) = two_players(db)
    with Server(tmp_path, db, workers=2) as server:
        children = os.popen(f"ps -o pid= --ppid {server.process.pid}").read().split()
        os.kill(int(children[0]), signal.SIGKILL)
        for _ in range(10):
            answer = requests.get(f"{server.url}/api/v1/matches/{match}", headers={"Authorization": f"Bearer {anna}"}, timeout=5)
            assert answer.status_code == 200
