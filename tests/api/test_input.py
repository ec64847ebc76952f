"""Whatever is sent, the answer is a problem document and nothing is stored that should not be."""

from __future__ import annotations

import json

import pytest

RIGHT = {"seat": "red", "key": "hide", "answer": "left"}


@pytest.fixture
def match(world, anna, bert):
    return world.match(anna, bert)


def send(world, person, match, data, content_type="application/json", **headers):
    sent = {"Authorization": f"Bearer {person.token}", "If-Match": '"1"', **headers}
    return world.client.post(f"/api/v1/matches/{match}/decisions", data=data, content_type=content_type, headers=sent)


def refused(world, match, answer, *statuses):
    """A problem document of one of these statuses, and the game where it was."""
    assert answer.status_code in statuses, (answer.status_code, answer.data[:200])
    assert answer.mimetype == "application/problem+json"
    said = answer.json
    assert said["status"] == answer.status_code and said["detail"] and said["type"].startswith("/problems/")
    assert len(answer.data) < 4000
    assert world.service.store.head(match) == 1


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b'"left"',
        b"\xff\xfe",
        b'{"seat": "red", "key": "hide"}',
        b'{"seat": "red", "key": "hide", "answer": "left", "extra": 1}',
        b'{"seat": 1, "key": "hide", "answer": "left"}',
        b'{"seat": "red", "key": ["hide"], "answer": "left"}',
        b'{"seat": "red", "key": "hide", "answer": {"a": 1}}',
        b'{"seat": "red", "key": "hide", "answer": 1.5}',
        b'{"seat": "red", "key": "hide", "answer": NaN}',
        b'{"seat": "red", "key": "hide", "answer": 1e999}',
        b'{"seat": "red", "key": "hide", "answer": 123456789012345678901234567890}',
        b'{"seat": "red", "key": "hide", "answer": "le\\u0000ft"}',
        b'{"seat": "red", "key": "hide", "answer": "\\ud800"}',
        b'{"seat": "red", "key": "hide", "answer": "left\\u202e"}',
        b'{"seat": "r\\u0000ed", "key": "hide", "answer": "left"}',
        b'{"seat": "", "key": "hide", "answer": "left"}',
        b'{"seat": "red", "key": "hide", "answer": true}',
        b'{"seat": "red", "key": "hide", "answer": null}',
        b'{"seat": "red", "key": "hide", "answer": ["left"]}',
        b'{"seat": "red", "key": "hide", "answer": "LEFT"}',
        json.dumps({**RIGHT, "answer": "x" * 2_000}).encode(),
        json.dumps({**RIGHT, "answer": [1] * 6_000}).encode(),
        json.dumps({**RIGHT, "answer": [[[[[[[[[[[[1]]]]]]]]]]]]}).encode(),
    ],
    ids=lambda data: data[:40].decode("ascii", "replace"),
)
def test_a_body_that_is_not_a_decision(world, anna, match, data):
    refused(world, match, send(world, anna, match, data), 400, 422)


@pytest.mark.parametrize("data", [b"[" * 30_000, b'{"answer":' * 6_000], ids=["lists", "objects"])
def test_a_body_nested_without_end(world, anna, match, data):
    refused(world, match, send(world, anna, match, data), 400, 422)


def test_a_huge_body_is_refused_unread(world, anna, match):
    refused(world, match, send(world, anna, match, b" " * 10_000_000), 413)


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/xml"])
def test_a_body_that_is_not_json(world, anna, match, kind):
    refused(world, match, send(world, anna, match, json.dumps(RIGHT), kind), 415)


@pytest.mark.parametrize("version", ["", "x", '"x"', "-1", "1.5", "99999999999", "1, 2", "*"])
def test_a_version_that_is_none(world, anna, match, version):
    refused(world, match, send(world, anna, match, json.dumps(RIGHT), **{"If-Match": version}), 412, 422)


@pytest.mark.parametrize("key", ["x" * 201, "with space", "tab\tin it", "ümlaut"])
def test_an_idempotency_key_that_is_none(world, anna, match, key):
    refused(world, match, send(world, anna, match, json.dumps(RIGHT), **{"Idempotency-Key": key}), 422)


@pytest.mark.parametrize(
    "authorization",
    ["Bearer", "Bearer ", "Bearer nonsense", "Basic YTpi", "Bearer chancery_" + "x" * 43, "bearer \u00e9"],
)
def test_a_token_that_is_none_is_refused_everywhere(world, anna, match, authorization):
    refused(world, match, send(world, anna, match, json.dumps(RIGHT), Authorization=authorization), 401)
    looked = world.client.get("/api/v1/titles", headers={"Authorization": authorization})
    assert looked.status_code == 401 and looked.headers["WWW-Authenticate"].startswith("Bearer")


def test_an_expired_a_revoked_and_a_foreign_token(world, anna, bert, match):
    accounts = world.service.accounts
    token, secret = accounts.issue(anna.id, days=1)
    anna.token = secret
    accounts._clock = lambda now=accounts._clock: now() + 25 * 3600 * 1000
    refused(world, match, send(world, anna, match, json.dumps(RIGHT)), 401)
    accounts._clock = world.service.clock
    assert accounts.revoke(anna.id, token.id)
    refused(world, match, send(world, anna, match, json.dumps(RIGHT)), 401)
    refused(world, match, send(world, bert, match, json.dumps(RIGHT)), 404)


def test_nobody_decides_without_signing_in(world, match):
    answer = world.client.post(f"/api/v1/matches/{match}/decisions", json=RIGHT, headers={"If-Match": "1"})
    refused(world, match, answer, 401)


@pytest.mark.parametrize(
    "query", ["version=0", "version=-1", "version=x", "version=99999999999", "nonsense=1", "line=../../etc", "as=%00"]
)
def test_a_query_that_is_none(world, anna, match, query):
    refused(world, match, anna.get(f"/matches/{match}/table?{query}"), 404, 422)


@pytest.mark.parametrize(
    "path", ["/nothing", "/matches/x/y/z", "/matches/%00", "/matches/..%2f..", "/matches/'; DROP TABLE facts;--"]
)
def test_an_address_that_is_none(world, anna, match, path):
    refused(world, match, anna.get(path), 404)


def test_a_method_that_is_none_says_which_there_are(world, anna, match):
    answer = world.call("PATCH", f"/matches/{match}/table", {}, token=anna.token)
    refused(world, match, answer, 405)
    assert "GET" in answer.headers["Allow"]


@pytest.mark.parametrize(
    "given",
    [
        {"title": "chess", "players": 2},
        {"title": "toy", "players": 7},
        {"title": "toy", "players": "2"},
        {"title": "toy", "players": 2, "options": {"stakes": "enormous"}},
        {"title": "toy", "players": 2, "options": {"colour": "red"}},
        {"title": "toy", "players": 2, "policy": {"undo": "always"}},
        {"title": "toy", "players": 2, "policy": {"unknown": True}},
        {"title": "toy", "players": 2, "policy": {"delay": -1}},
        {"title": "toy", "players": 2, "name": "x" * 200},
        {"title": "toy", "players": 2, "name": "two\nlines"},
    ],
    ids=str,
)
def test_a_match_that_cannot_be(world, anna, given):
    answer = anna.post("/matches", given)
    assert answer.status_code in (404, 422) and answer.mimetype == "application/problem+json"
    assert anna.get("/matches?mine=true").json["items"] == []


def test_a_fault_of_ours_says_nothing_of_what_was_held(world, anna, bert, match, monkeypatch, caplog):
    """A rule that breaks: 500 without detail, nothing stored, and no card or answer in the log."""
    hand = set(anna.get(f"/matches/{match}/table").json["zones"]["hand:red"])

    def broken(table, register, *rest, **more):
        raise ZeroDivisionError(f"the hand was {sorted(hand)}")

    bench = world.service._shelf.take(match)
    monkeypatch.setattr(type(bench.log.run.table), "set", broken)
    with caplog.at_level("INFO"):
        answer = send(world, anna, match, json.dumps(RIGHT))
    refused(world, match, answer, 500)
    assert not any(card in caplog.text.split("Traceback")[0] for card in hand) and not any(card in answer.text for card in hand)
    monkeypatch.undo()
    assert send(world, anna, match, json.dumps(RIGHT)).status_code == 201


def test_when_the_database_is_away_nothing_is_acknowledged_and_nothing_breaks(world, anna, match, monkeypatch):
    from eventsourcing.persistence import OperationalError

    def away(*_, **__):
        raise OperationalError("no answer")

    with monkeypatch.context() as broken:
        broken.setattr(world.service.store._recorder, "insert_events", away)
        refused(world, match, send(world, anna, match, json.dumps(RIGHT)), 503)
    assert send(world, anna, match, json.dumps(RIGHT)).status_code == 201
