"""For whoever runs it: health, readiness, counters, logs, limits, headers, several processes at once."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import pytest

from service.database import Database
from service.settings import Settings
from service.store import open_store
from service.wsgi import close, create_app
from tests.api.conftest import World
from tests.api.server import ROOT
from tests.api.toy import Titles


def test_alive_and_ready(world):
    assert world.client.get("/healthz").json == {"status": "alive"}
    assert world.client.get("/readyz").json["status"] == "ready"


def test_not_ready_while_the_database_is_away_or_the_process_stops(world, monkeypatch):
    from eventsourcing.persistence import OperationalError

    def away(*_, **__):
        raise OperationalError("no answer")

    with monkeypatch.context() as broken:
        broken.setattr(world.service.store._recorder, "rows", away)
        answer = world.client.get("/readyz")
        assert answer.status_code == 503 and answer.json["database"] == "Unavailable"
        assert world.client.get("/healthz").status_code == 200
    world.app.extensions["stopping"] = True
    assert world.client.get("/readyz").status_code == 503


def test_decisions_conflicts_and_requests_are_counted(world, anna, bert):
    def counted(name):
        found = [line for line in world.client.get("/metrics").text.splitlines() if line.startswith(name)]
        return float(found[0].rsplit(" ", 1)[1]) if found else 0.0

    match = world.match(anna, bert)
    accepted, refused = (
        counted('chancery_decisions_total{outcome="accepted"}'),
        counted('chancery_decisions_total{outcome="refused"}'),
    )
    anna.decide(match, "hide", "up")
    anna.decide(match, "hide", "left")
    assert counted('chancery_decisions_total{outcome="accepted"}') == accepted + 1
    assert counted('chancery_decisions_total{outcome="refused"}') == refused + 1
    for name in (
        "chancery_requests_seconds",
        "chancery_conflicts",
        "chancery_projection_lag",
        "chancery_queue_depth",
        "chancery_streams",
    ):
        assert name in world.client.get("/metrics").text
    assert match not in world.client.get("/metrics").text


@pytest.fixture
def limited(tmp_path, request):
    """An app with a limit of three requests a minute, on memory or on Redis."""
    redis = request.getfixturevalue("redis_server") if request.param == "redis" else ""
    app = create_app(
        Settings(db=str(tmp_path / "limited.db"), secret="s" * 40, limit="3/minute", redis=redis), titles=Titles(), background=False
    )
    yield World(app)
    close(app)


@pytest.mark.parametrize("limited", ["memory", "redis"], indirect=True)
def test_the_fourth_call_of_three_a_minute_is_one_too_many(limited):
    anna, bert = limited.person("Anna"), limited.person("Bert")
    assert [anna.get("/me").status_code for _ in range(4)] == [200, 200, 200, 429]
    refused = anna.get("/me")
    assert refused.mimetype == "application/problem+json" and refused.headers["Retry-After"]
    assert bert.get("/me").status_code == 200
    assert [limited.client.get("/healthz").status_code for _ in range(5)] == [200] * 5


def test_guessing_passwords_is_slowed_down(tmp_path):
    app = create_app(Settings(db=str(tmp_path / "x.db"), secret="s" * 40), titles=Titles(), background=False)
    guesses = [
        app.test_client().post("/api/v1/sign-ins", json={"name": "A", "password": f"guess {n}"}).status_code for n in range(12)
    ]
    assert guesses == [401] * 10 + [429] * 2
    close(app)


def test_logs_are_json_and_hold_no_secret(tmp_path):
    """Canaries in a token, a password, an answer, a card and an error: none of them is in what the server writes."""
    script = """
import structlog
from service.settings import Settings
from service.wsgi import create_app, close
from tests.api.conftest import World
from tests.api.toy import Titles
app = create_app(Settings(db=DB, secret="s" * 40, limit="off"), titles=Titles())
world = World(app)
anna, bert = world.person("Anna"), world.person("Bert")
match = world.match(anna, bert)
world.client.post("/api/v1/accounts", json={"name": "Dora", "password": "canary-password", "email": "canary@example.org"})
world.client.post("/api/v1/sign-ins", json={"name": "Dora", "password": "canary-password"})
anna.decide(match, "hide", "canary-answer")
link = anna.post(f"/matches/{match}/invitations", {"seat": "blue"}).json["link"]
anna.decide(match, "hide", "left")
structlog.get_logger("x").info("said", token="canary-token", password="canary-password", answer="canary-answer")
def broken(*_, **__): raise RuntimeError("canary-message card-01")
world.service.register.find = broken
world.client.get("/api/v1/matches")
close(app)
print("TOKEN", anna.token)
print("LINK", link)
"""
    done = subprocess.run(
        [sys.executable, "-c", script.replace("DB", repr(str(tmp_path / "x.db")))],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    token, link = (line.split(" ", 1)[1] for line in done.stdout.splitlines() if line.startswith(("TOKEN", "LINK")))
    entries = [json.loads(line) for line in done.stderr.splitlines()]
    assert any(entry["event"] == "fault" and entry["error"] == "RuntimeError" and entry["where"] for entry in entries)
    assert any(entry["event"] == "request" and entry["match"] for entry in entries)
    for secret in ("canary", "card-", token, link):
        assert secret not in done.stderr


def test_every_answer_carries_the_headers_that_protect_a_reader(world, anna):
    for path in ("/api/v1/titles", "/api/v1/me", "/docs", "/openapi.json", "/api/v1/nothing", "/healthz"):
        headers = world.client.get(path, headers={"Authorization": f"Bearer {anna.token}"}).headers
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert "default-src 'self'" in headers["Content-Security-Policy"]
    assert anna.get("/me").headers["Cache-Control"] == "private, no-store"


def test_the_containers_are_given_settings_that_there_are():
    folder = ROOT / "docker"
    named = {name for file in folder.iterdir() for name in re.findall(r"CHANCERY_([A-Z]+)", file.read_text())}
    assert {name.lower() for name in named} <= set(Settings.__struct_fields__)
    compose = (folder / "compose.yaml").read_text()
    assert "noeviction" in compose and {"api", "streams", "worker", "postgres", "redis"} <= set(
        re.findall(r"^  (\w+):$", compose, re.M)
    )


def test_the_handbook_names_every_setting_and_only_routes_that_there_are(world):
    handbook = (ROOT / "docs" / "operations.md").read_text()
    assert {name.lower() for name in re.findall(r"`CHANCERY_([A-Z]+)`", handbook)} <= set(Settings.__struct_fields__)
    ours = {
        "db",
        "redis",
        "secret",
        "signing",
        "url",
        "role",
        "bind",
        "workers",
        "threads",
        "streams",
        "limit",
        "registration",
        "proxies",
    }
    assert ours <= {name.lower() for name in re.findall(r"`CHANCERY_([A-Z]+)`", handbook)}
    spec = world.client.get("/openapi.json").json["paths"]
    for address in re.findall(r"^\| `(/[^`]*)`", (ROOT / "docs" / "api.md").read_text(), re.M):
        assert f"/api/v1/matches/{{match}}{address.partition('?')[0]}" in spec, address


def test_the_servers_own_configuration_is_sound(tmp_path):
    """gunicorn reads it, loads the application, and finds nothing to complain about."""
    environment = {**os.environ, "CHANCERY_DB": str(tmp_path / "x.db"), "CHANCERY_SECRET": "s" * 40}
    command = [sys.executable, "-m", "gunicorn", "--check-config", "-c", "python:service.gunicorn"]
    for role in ("all", "api", "streams"):
        done = subprocess.run(command, cwd=ROOT, env={**environment, "CHANCERY_ROLE": role}, capture_output=True, timeout=60)
        assert done.returncode == 0, done.stderr[-1000:]


def test_migrations_are_applied_once_in_order_and_only_added_to(tmp_path):
    with open_store(str(tmp_path / "x.db")) as store:
        database = Database(store)
        first = database.migrate()
        assert first == sorted(set(first)) and first[0] == 1 and database.migrate() == [] and database.pending() == []


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_several_processes_may_start_on_an_empty_database_at_once(tmp_path, request, kind):
    db = str(tmp_path / "x.db") if kind == "sqlite" else request.getfixturevalue("postgres")
    script = (
        f"from service.settings import Settings; from service.wsgi import assemble; assemble(Settings(db={db!r}, secret='s' * 40))"
    )
    started = [subprocess.Popen([sys.executable, "-c", script], cwd=ROOT, stderr=subprocess.PIPE) for _ in range(4)]
    assert [(process.wait(60), process.stderr.read()[-500:]) for process in started] == [(0, b"")] * 4


def test_the_same_game_on_postgresql_with_views_in_redis(tmp_path, postgres, redis_server):
    """Production in one process: PostgreSQL for the log, Redis for views and wake-ups, the runner beside it."""
    from projections import open_documents, start_embedded

    settings = Settings(db=postgres, redis=redis_server, secret="s" * 40, limit="off")
    app = create_app(settings, titles=Titles())
    world = World(app)
    runner = start_embedded(world.service.store, open_documents(settings, world.service.store), Titles())
    try:
        anna, bert = world.person("Anna"), world.person("Bert")
        match = world.match(anna, bert)
        world.play_on(match, [anna, bert], 40)
        assert anna.get(f"/matches/{match}").json["state"] == "finished"
        board = anna.get(f"/matches/{match}/scoreboard", Prefer="wait=10").json
        assert board["version"] == anna.get(f"/matches/{match}").json["version"]
        assert {entry["player"] for entry in anna.get("/titles/toy/standings", Prefer="wait=10").json["items"]} == {"Anna", "Bert"}
    finally:
        runner.stop()
        close(app)
