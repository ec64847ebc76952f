"""What you may not know never leaves the server: not by asking for what is another's, not by comparing what you get."""

from __future__ import annotations

import itertools
import re
import sqlite3
from contextlib import closing
from urllib.parse import urlencode

import pytest

from service.api import events
from service.settings import Settings
from service.wsgi import close, create_app
from tests.api.conftest import World
from tests.api.test_matches import MISSING
from tests.api.toy import Titles

NOBODYS = "nosuchthing"

# A body that would be right, where one made from its schema would not be.
BODIES = {
    "/matches/{match}/decisions": {"seat": "red", "key": "hide", "answer": "left"},
    "/matches/{match}/undo": {"seat": "red"},
}


def operations(world):
    """Every operation of the OpenAPI document: (method, path, parameters in the query)."""
    for path, item in world.spec["paths"].items():
        for method in ("get", "post", "put", "delete"):
            if method in item:
                query = {given["name"]: given for given in item[method].get("parameters", []) if given.get("in") == "query"}
                yield method.upper(), path.removeprefix("/api/v1"), query


def example(schema, spec):
    """The smallest thing that a schema accepts."""
    if "$ref" in schema:
        return example(spec["components"]["schemas"][schema["$ref"].rsplit("/", 1)[-1]], spec)
    if schema.get("enum"):
        return schema["enum"][0]
    kind = schema.get("type", "string")
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "object":
        return {name: example(schema["properties"][name], spec) for name in schema.get("required", [])}
    if kind in ("integer", "number"):
        return max(1, schema.get("minimum", 1))
    return {"array": [], "boolean": True}.get(kind, "x" * max(1, schema.get("minLength", 1)))


def ask(world, person, method, path, **given):
    """Call an operation with ids, required query and body filled in; everything that comes back but the date."""
    spec = world.spec
    about = spec["paths"][f"/api/v1{path}"][method.lower()]
    known = {"match": "", "seat": "red", "title": "toy"}
    ids = {name: given.get(name, known.get(name, NOBODYS)) for name in re.findall(r"{(\w+)}", path)}
    required = [said for said in about.get("parameters", []) if said.get("in") == "query" and said.get("required")]
    query = {**{said["name"]: example(said["schema"], spec) for said in required}, **given.get("query", {})}
    body = given.get("body", BODIES.get(path))
    if body is None and "requestBody" in about:
        body = example(about["requestBody"]["content"]["application/json"]["schema"], spec)
    address = path.format(**ids) + ("?" + urlencode(query) if query else "")
    sent = {"If-Match": '"1"'} if method == "POST" else {"Prefer": "wait=5"}
    answer = world.call(method, address, body, token=person.token, headers=sent)
    headers = {name: value for name, value in answer.headers if name not in ("Date", "Location")}
    data = b"" if answer.mimetype == "text/event-stream" else answer.data
    if path.endswith(("/head", "/case")):  # links are salted commitments and signatures cover them: they differ and tell nothing
        data, headers["ETag"] = re.sub(rb"[0-9a-f]{64,}", b"(commitment)", data), ""
    return answer.status_code, headers, data


@pytest.fixture
def closed(world, anna, bert):
    """A running match that only its two players may know of."""
    return world.match(anna, bert, policy={"seating": "invited", "spectators": "nobody"})


def test_another_persons_match_is_as_if_it_were_not_there(world, anna, bert, cleo, closed):
    """Every route: a stranger gets for a match that exists what anybody gets for one that does not."""
    tried = 0
    for method, path, _ in operations(world):
        if "{match}" in path:
            tried += 1
            real = ask(world, cleo, method, path, match=closed)
            assert real == ask(world, cleo, method, path, match=NOBODYS), (method, path)
            assert real[0] == 404 and b"no such thing" in real[2], (method, path)
    assert tried > 20
    assert anna.get(f"/matches/{closed}").json["version"] == 1


def test_another_seat_is_as_if_it_were_not_there(world, anna, bert, closed):
    """Every route that takes a viewer or a seat."""
    tried = 0
    for method, path, query in operations(world):
        if "{match}" in path and "as" in query:
            tried += 1
            for viewer in ("red", "arbiter"):
                real = ask(world, bert, method, path, match=closed, query={"as": viewer})
                assert real == ask(world, bert, method, path, match=closed, query={"as": NOBODYS}), (method, path)
                assert real[0] == 404
    assert tried >= 8
    for path in ("/matches/{match}/decisions", "/matches/{match}/undo"):
        foreign = ask(world, bert, "POST", path, match=closed, body={**BODIES[path], "seat": "red"})
        nobodys = ask(world, bert, "POST", path, match=closed, body={**BODIES[path], "seat": NOBODYS})
        assert foreign == nobodys and foreign[0] == 404
    assert anna.get(f"/matches/{closed}").json["version"] == 1


def test_another_line_is_as_if_it_were_not_there(world, anna, bert, cleo, closed):
    """Every route that takes a line: one of another match, one of somebody else, one that does not exist."""
    match = cleo.post("/matches", {"title": "toy", "players": 2, "policy": {"game_master": "everything"}}).json["id"]
    for person in (anna, bert):
        person.post(f"/matches/{match}/join", {})
    cleo.post(f"/matches/{match}/start")
    branch = cleo.post(f"/matches/{match}/lines", {}).json["id"]
    tried = 0
    for method, path, query in operations(world):
        if "{match}" in path and "line" in query:
            tried += 1
            nobodys = ask(world, anna, method, path, match=match, query={"line": NOBODYS})
            assert nobodys[0] == 404
            assert ask(world, anna, method, path, match=match, query={"line": branch}) == nobodys, (method, path)
            assert ask(world, anna, method, path, match=match, query={"line": closed}) == nobodys, (method, path)
    assert tried >= 9


def test_another_persons_token_and_invitation_are_as_if_they_were_not_there(world, anna, bert, closed):
    token = anna.get("/tokens").json["items"][0]["id"]
    assert bert.delete(f"/tokens/{token}").json == bert.delete(f"/tokens/{NOBODYS}").json == MISSING
    other = world.match(bert, start=False)
    invitation = bert.post(f"/matches/{other}/invitations", {}).json["id"]
    assert anna.delete(f"/matches/{closed}/invitations/{invitation}").json == MISSING


def test_passers_by_and_players_of_other_seats_see_no_hand_in_any_byte(world, anna, bert):
    """A canary: the names of cards somebody holds are in nobody else's answers, logs or metrics."""
    match = world.match(anna, bert)
    hand = set(anna.get(f"/matches/{match}/table").json["zones"]["hand:red"])
    anna.decide(match, "hide", "left")
    passer = world.person("Passer")
    assert len(hand) == 3
    for method, path, query in operations(world):
        if method == "GET" and "{match}" in path and not path.endswith("events"):
            later = {
                name: n for name, n in (("after", 1), ("version", 2)) if name in query
            }  # cards come out of the box openly, once
            for person in (bert, passer):
                _, _, body = ask(world, person, method, path, match=match, query=later)
                assert not any(card.encode() in body for card in hand), (path, body)


def every_byte(world, person, match):
    """All that somebody can get out of the API about a match, right or wrong."""
    found = {}
    for method, path, query in operations(world):
        if method == "GET" and "{match}" in path:
            for viewer in ("", "blue", "spectator", "red", "arbiter") if "as" in query else ("",):
                asked = {"as": viewer} if viewer else {}
                if path.endswith("/events"):
                    found[path, viewer] = stream(world, person, match, viewer)
                    continue
                found[path, viewer] = ask(world, person, method, path, match=match, query=asked)
                if "version" in query:
                    for version in range(1, 6):
                        found[path, viewer, version] = ask(
                            world, person, method, path, match=match, query={**asked, "version": version}
                        )
    wrong = [
        {"seat": "blue", "key": "bid", "answer": []},
        {"seat": "blue", "key": "bid", "answer": [["card-01", 9]]},
        {"seat": "blue", "key": "hide", "answer": "left"},
        {"seat": "blue", "key": "dare", "answer": "roll"},
        {"seat": "red", "key": "bid", "answer": []},
    ]
    for number, body in enumerate(wrong):
        for query in ({}, {"dry_run": "true"}):
            key = "decide", number, *query
            found[key] = ask(world, person, "POST", "/matches/{match}/decisions", match=match, body=body, query=query)
    found["undo"] = ask(world, person, "POST", "/matches/{match}/undo", match=match, body={"seat": "blue"})
    found["inbox"] = ask(world, person, "GET", "/inbox")
    found["matches"] = ask(world, person, "GET", "/matches")
    found["standings"] = ask(world, person, "GET", "/titles/{title}/standings")
    return found


def stream(world, person, match, viewer):
    """The first bytes of a live stream, up to where it would wait."""
    path = f"/api/v1/matches/{match}/events?after=0" + (f"&as={viewer}" if viewer else "")
    answer = world.client.get(path, headers={"Authorization": f"Bearer {person.token}"})
    if answer.status_code != 200:
        return answer.status_code, answer.data
    parts = list(itertools.takewhile(lambda part: b"still here" not in part, answer.response))
    answer.close()
    return parts


def test_two_worlds_a_seat_cannot_tell_apart_give_it_the_same_bytes(tmp_path, monkeypatch):
    """Red hides a coin and seals a bid, six ways; nothing blue or the public can get differs: body, tag, length, error text, stream."""
    monkeypatch.setattr(events, "ALIVE_SECONDS", 0.02)
    settings = [Settings(db=str(tmp_path / f"world-{n}.db"), secret="s" * 40, limit="off") for n in range(6)]
    first = create_app(settings[0], titles=Titles())
    world = World(first)
    red, blue = world.person("Red"), world.person("Blue")
    match = world.match(red, blue)
    cards = sorted(red.get(f"/matches/{match}/table").json["zones"]["hand:red"])
    frozen = world.service.clock() + 1000
    world.service.views.wait(timeout=5)
    close(first)
    for other in settings[1:]:
        with closing(sqlite3.connect(settings[0].db)) as source, closing(sqlite3.connect(other.db)) as target:
            source.backup(target)

    seen = []
    for chosen, (side, card) in zip(settings, itertools.product(("left", "right"), cards)):
        app = create_app(chosen, titles=Titles())
        world.app, world.service, world.client = app, app.extensions["chancery"], app.test_client()
        world.service.clock = lambda: frozen
        assert red.decide(match, "hide", side).status_code == 201
        assert red.decide(match, "bid", [[card, 1]]).status_code == 201
        assert world.service.views.wait(timeout=5)
        seen.append(every_byte(world, blue, match))
        passer = world.person("Passer")
        passer.id = ""
        seen[-1].update(
            {("passer", *key): value for key, value in every_byte(world, passer, match).items() if isinstance(key, tuple)}
        )
        close(app)
    assert len(seen) == 6 and len(seen[0]) > 80
    for other in seen[1:]:
        assert set(other) == set(seen[0])
        for key, value in seen[0].items():
            assert other[key] == value, key
