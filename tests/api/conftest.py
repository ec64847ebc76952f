"""A service with a few people in it, on a real SQLite file; the API is called through Flask's own client."""

from __future__ import annotations

from functools import cached_property

import pytest

from service.settings import Settings
from service.wsgi import close, create_app
from tests.api.toy import Titles

API = "/api/v1"


class Person:
    """Somebody with an account, calling the API with a token of theirs."""

    def __init__(self, world, name):
        self.world, self.name = world, name
        account = world.service.accounts.create(name)
        self.id = account.id
        self.token = world.service.accounts.issue(account.id)[1]

    def get(self, path, **headers):
        return self.world.call("GET", path, token=self.token, headers=headers)

    def post(self, path, body=None, **headers):
        return self.world.call("POST", path, body, token=self.token, headers=headers)

    def put(self, path, body=None):
        return self.world.call("PUT", path, body, token=self.token)

    def delete(self, path):
        return self.world.call("DELETE", path, token=self.token)

    def questions(self, match):
        """What this person has to answer now."""
        return [ask for ask in self.get(f"/matches/{match}/questions").json["items"] if "choice" in ask]

    def decide(self, match, key, answer, *, expect=None, once="", query="", seat=None):
        """Answer a question as a client would: with the version that was read."""
        if expect is None:
            expect = self.get(f"/matches/{match}/questions").json["version"]
        seat = seat or next(held["seat"] for held in self.get(f"/matches/{match}").json["seats"] if held["yours"])
        headers = {"If-Match": f'"{expect}"', **({"Idempotency-Key": once} if once else {})}
        return self.post(f"/matches/{match}/decisions{query}", {"seat": seat, "key": key, "answer": answer}, **headers)


class World:
    def __init__(self, app):
        self.app, self.service = app, app.extensions["chancery"]
        self.client = app.test_client()

    def call(self, method, path, body=None, *, token="", headers=None):
        sent = {**({"Authorization": f"Bearer {token}"} if token else {}), **(headers or {})}
        path = path if path.startswith("/api") else API + path
        return self.client.open(path, method=method, json=body, headers=sent)

    def person(self, name):
        return Person(self, name)

    @cached_property
    def spec(self):
        """The OpenAPI document."""
        return self.client.get("/openapi.json").json

    def match(self, *people, start=True, **given):
        """A match of the toy with these people in its seats; the first is the game master."""
        opened = people[0].post("/matches", {"title": "toy", "players": max(2, len(people)), **given})
        assert opened.status_code == 201, opened.json
        id = opened.json["id"]
        for person in people:
            if given.get("policy", {}).get("seating") == "invited" and person is not people[0]:
                link = people[0].post(f"/matches/{id}/invitations", {}).json["link"]
                assert person.post(f"/matches/{id}/join", {"invitation": link}).status_code == 200
            else:
                assert person.post(f"/matches/{id}/join", {}).status_code == 200
        if start:
            assert people[0].post(f"/matches/{id}/start").status_code == 200
        return id

    def play_on(self, match, people, decisions):
        """Let people answer the first legal thing, so many times or until the game is over; how often they did."""
        done = 0
        for _ in range(decisions * 2):
            for person in people:
                for ask in person.questions(match):
                    if done < decisions and person.decide(match, ask["key"], ask["answers"][0]).status_code == 201:
                        done += 1
        return done


@pytest.fixture
def settings(tmp_path):
    return Settings(db=str(tmp_path / "chancery.db"), secret="s" * 40, limit="off")


@pytest.fixture
def world(settings):
    app = create_app(settings, titles=Titles())
    yield World(app)
    close(app)


@pytest.fixture
def anna(world):
    return world.person("Anna")


@pytest.fixture
def bert(world):
    return world.person("Bert")


@pytest.fixture
def cleo(world):
    return world.person("Cleo")
