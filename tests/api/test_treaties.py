"""Treaties by the API: who may offer, answer and see what, and that a third seat learns nothing of what others negotiate."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from service.settings import Settings
from service.wsgi import close, create_app
from tests.api.conftest import World
from tests.api.test_secrets import NOBODYS, ask, operations
from tests.api.toy import Titles

WORD = "red promises blue: I bid low"
ANSWERS = ("accept", "refuse", "withdraw", "claims")


@pytest.fixture
def three(world, anna, bert, cleo):
    """Anna red, Bert blue, Cleo green."""
    return world.match(anna, bert, cleo)


def offered(person, match, seat, text=WORD, **more):
    answer = person.post(f"/matches/{match}/treaties", {"seat": seat, "text": text, **more})
    assert answer.status_code == 201, answer.json
    return answer.json


def ids(person, match, viewer=""):
    found = person.get(f"/matches/{match}/treaties" + (f"?as={viewer}" if viewer else "")).json["items"]
    return [one["id"] for one in found]


def test_an_offer_is_its_parties_until_it_is_in_force_then_everybodys(world, anna, bert, cleo, three):
    made = offered(anna, three, "red")
    assert made["state"] == "offered" and made["offer"]["by"] == "red" and made["clauses"][0]["text"] == WORD
    assert ids(anna, three) == ids(bert, three) == [made["id"]] and ids(cleo, three) == ids(anna, three, "spectator") == []
    agreed = bert.post(f"/matches/{three}/treaties/{made['id']}/accept", {"seat": "blue"}).json
    assert agreed["state"] == "agreed" and not agreed["clauses"][0]["binding"]
    (seen,) = cleo.get(f"/matches/{three}/diplomacy", Prefer="wait=5").json["treaties"]
    assert seen["id"] == made["id"] and seen["offer"] is None and seen["clauses"][0]["sentence"] == "red promises blue: I bid low"


def test_a_counter_offer_a_refusal_and_a_withdrawal(world, anna, bert, three):
    first = offered(anna, three, "red")
    second = offered(bert, three, "blue", "blue promises red: so do I; red promises blue: thanks", answers=first["id"])
    third = offered(anna, three, "red", answers=second["id"])
    assert bert.post(f"/matches/{three}/treaties/{third['id']}/refuse", {"seat": "blue", "why": "no"}).json["state"] == "refused"
    fourth = offered(anna, three, "red")
    assert anna.post(f"/matches/{three}/treaties/{fourth['id']}/withdraw", {"seat": "red"}).json["state"] == "withdrawn"
    states = [one["state"] for one in bert.get(f"/matches/{three}/treaties").json["items"]]
    assert states == ["countered", "countered", "refused", "withdrawn"]


def test_a_breach_that_no_rule_can_recognise_is_claimed_and_recorded_as_a_claim(world, anna, bert, cleo, three):
    made = offered(anna, three, "red", secret=True)
    bert.post(f"/matches/{three}/treaties/{made['id']}/accept", {"seat": "blue"})
    assert ids(cleo, three) == []
    found = bert.post(f"/matches/{three}/treaties/{made['id']}/claims", {"seat": "blue", "clause": 1, "text": "red bid high"})
    assert found.status_code == 201
    (seen,) = cleo.get(f"/matches/{three}/treaties").json["items"]
    assert seen["claims"][0]["text"] == "red bid high" and seen["clauses"][0]["status"] == ""


def test_words_that_are_no_clause_and_clauses_that_are_none_are_refused(world, anna, three):
    answer = anna.post(f"/matches/{three}/treaties", {"seat": "red", "text": "red marries blue"})
    assert answer.status_code == 422 and "no kind of clause" in answer.json["detail"] and answer.json["legal"] == ["promises"]
    data = {"kind": "promise", "by": "red", "to": "blue", "given": {"text": "a; b"}}
    answer = anna.post(f"/matches/{three}/treaties", {"seat": "red", "clauses": [data]})
    assert answer.status_code == 422 and "semicolons" in answer.json["detail"]
    answer = anna.post(f"/matches/{three}/treaties", {"seat": "red"})
    assert answer.status_code == 422 and "1 to 12 clauses" in answer.json["detail"]


def test_an_idempotency_key_makes_one_offer(world, anna, three):
    body = {"seat": "red", "clauses": [{"kind": "promise", "by": "red", "to": "blue", "given": {"text": "once"}}]}
    for _ in range(3):
        anna.post(f"/matches/{three}/treaties", body, **{"Idempotency-Key": "k-1"})
    assert len(ids(anna, three)) == 1


def test_the_kinds_of_clauses_describe_themselves(world, anna, three):
    found = anna.get(f"/matches/{three}/clauses?by=blue&to=green").json
    assert [one["kind"] for one in found["clauses"]] == ["promise"] and found["examples"] == ["blue promises green: your words"]


def test_another_seats_and_another_pairs_treaties_are_as_if_they_were_not_there(world, anna, bert, cleo, three):
    """Every route that takes a seat or a treaty: somebody else's gives what one gives that does not exist."""
    made = offered(anna, three, "red")
    paths = [path for method, path, _ in operations(world) if method == "POST" and "/treaties" in path]
    assert len(paths) == 1 + len(ANSWERS)
    for path in paths:
        body = {"seat": "red", "text": WORD, "clause": 1}
        body = {
            name: body[name] for name in body if name in required(world, path) or (name == "text" and path.endswith("treaties"))
        }
        foreign = ask(world, cleo, "POST", path, match=three, treaty=made["id"], body=body)
        nobodys = ask(world, cleo, "POST", path, match=three, treaty=NOBODYS, body={**body, "seat": NOBODYS})
        assert foreign == nobodys and foreign[0] == 404, path
        if "{treaty}" in path:
            own = {**body, "seat": "green"}
            real = ask(world, cleo, "POST", path, match=three, treaty=made["id"], body=own)
            assert real == ask(world, cleo, "POST", path, match=three, treaty=NOBODYS, body=own) and real[0] == 404, path
    counter = {"seat": "green", "text": "green promises red: hello", "answers": made["id"]}
    real = ask(world, cleo, "POST", "/matches/{match}/treaties", match=three, body=counter)
    assert real == ask(world, cleo, "POST", "/matches/{match}/treaties", match=three, body={**counter, "answers": "zzzzz"})
    assert ids(anna, three) == [made["id"]] and ids(cleo, three) == []


def required(world, path):
    schema = world.spec["paths"][f"/api/v1{path}"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    return world.spec["components"]["schemas"][schema["$ref"].rsplit("/", 1)[-1]].get("required", [])


def negotiate(world, red, blue, match, how):
    """What red and blue do among themselves, in several ways that green must not be able to tell apart."""
    if how == "nothing":
        return
    made = offered(red, match, "red", secret=how == "secret")
    if how == "countered":
        offered(blue, match, "blue", "blue promises red: more", answers=made["id"])
    if how == "refused":
        blue.post(f"/matches/{match}/treaties/{made['id']}/refuse", {"seat": "blue"})
    if how == "secret":
        assert blue.post(f"/matches/{match}/treaties/{made['id']}/accept", {"seat": "blue"}).json["state"] == "agreed"


def test_two_worlds_whose_private_offers_differ_give_a_third_seat_the_same_bytes(tmp_path):
    ways = ("nothing", "open", "countered", "refused", "secret")
    settings = [Settings(db=str(tmp_path / f"world-{n}.db"), secret="s" * 40, limit="off") for n in range(len(ways))]
    first = create_app(settings[0], titles=Titles())
    world = World(first)
    red, blue, green = (world.person(name) for name in ("Red", "Blue", "Green"))
    match = world.match(red, blue, green)
    public = offered(red, match, "red", "red promises green: a seat")
    green.post(f"/matches/{match}/treaties/{public['id']}/accept", {"seat": "green"})
    frozen = world.service.clock() + 1000
    world.service.views.wait(timeout=5)
    close(first)
    for other in settings[1:]:
        with closing(sqlite3.connect(settings[0].db)) as source, closing(sqlite3.connect(other.db)) as target:
            source.backup(target)
    seen = []
    for chosen, how in zip(settings, ways, strict=True):
        app = create_app(chosen, titles=Titles())
        world.app, world.service, world.client = app, app.extensions["chancery"], app.test_client()
        world.service.clock = lambda: frozen
        negotiate(world, red, blue, match, how)
        later = offered(blue, match, "blue", "blue promises green: a chair")  # its name must not count the offers before it
        found = {"offer": {**later, "id": ""}}
        for person in (green, world.person("Passer")):
            for method, path, query in operations(world):
                if method == "GET" and "{match}" in path and not path.endswith("/events"):
                    for viewer in ("", "green", "red", "spectator", "arbiter") if "as" in query else ("",):
                        asked = {"as": viewer} if viewer else {}
                        status, headers, body = ask(world, person, method, path, match=match, query=asked)
                        body = body.replace(later["id"].encode(), b"-----")
                        headers.pop("ETag", None)
                        found[person.name, path, viewer] = status, headers, body
        seen.append(found)
        close(app)
    assert len(seen[0]) > 60
    for other in seen[1:]:
        for key, value in seen[0].items():
            assert other[key] == value, key


def test_spectators_who_are_held_back_hear_of_a_treaty_later(world, anna, bert, cleo):
    match = world.match(anna, bert, policy={"delay": 3600})
    made = offered(anna, match, "red")
    bert.post(f"/matches/{match}/treaties/{made['id']}/accept", {"seat": "blue"})
    assert ids(bert, match) == [made["id"]] and ids(cleo, match) == []
    now = world.service.clock()
    world.service.clock = lambda: now + 3_601_000
    assert ids(cleo, match) == [made["id"]]
