"""People in front of the pages: each with cookies of their own, filling in the forms that they are given."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from random import Random

import pytest

from domain.match import Policy
from service.settings import Settings
from service.wsgi import close, create_app

HERE = "http://localhost"


class Form(HTMLParser):
    """Every form of a page: where it goes, and what it would send as it stands."""

    def __init__(self, html):
        super().__init__()
        self.all = []
        self._select = None
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag == "form":
            self.all.append({"action": given.get("action", ""), "method": given.get("method", "get"), "fields": {}, "choices": {}})
        if not self.all:
            return
        fields, choices = self.all[-1]["fields"], self.all[-1]["choices"]
        name, value = given.get("name"), given.get("value", "")
        if tag == "input" and name:
            if given.get("type") in ("radio", "checkbox"):
                choices.setdefault(name, []).append(value)
                if "checked" in given:
                    fields[name] = value
            else:
                fields[name] = value
        elif tag == "textarea" and name:
            fields[name] = ""
        elif tag == "select":
            self._select = name
        elif tag == "option" and self._select:
            choices.setdefault(self._select, []).append(value)
            if "selected" in given or self._select not in fields:
                fields[self._select] = value

    def handle_endtag(self, tag):
        if tag == "select":
            self._select = None


class Visitor:
    """Somebody with a browser, signed in or passing by."""

    def __init__(self, world, name=""):
        self.world, self.name = world, name
        self.client = world.app.test_client()
        self.id = ""
        if name:
            known = world.service.accounts.named(name) or world.service.accounts.create(name)
            self.id = known.id
            with self.client.session_transaction() as session:
                session["account"] = [known.id, known.epoch]

    def get(self, path, **headers):
        return self.client.get(path, base_url=HERE, headers={"Accept": "text/html", **headers})

    def page(self, path):
        """The text of a page that must be there; redirects are followed."""
        answer = self.client.get(path, base_url=HERE, headers={"Accept": "text/html"}, follow_redirects=True)
        assert answer.status_code == 200, (path, answer.status_code, answer.text[-800:])
        return answer.text

    def post(self, path, fields=None, *, token=None, origin=HERE, follow=False):
        """Send a form as a browser does, with the form token unless another one is given."""
        if token is None:
            self.client.get("/sign-in", base_url=HERE)
            with self.client.session_transaction() as session:
                token = session["csrf"]
        headers = {"Origin": origin} if origin else {}
        return self.client.post(
            path, data={"csrf": token, **(fields or {})}, base_url=HERE, headers=headers, follow_redirects=follow
        )

    def forms(self, path):
        return Form(self.page(path)).all

    def submit(self, path, ending, **changes):
        """Fill in the form of a page whose address ends so, and send it."""
        form = next(one for one in self.forms(path) if one["method"] == "post" and one["action"].endswith(ending))
        fields = {**form["fields"], **changes}
        return self.post(form["action"] or path, fields, token=fields.pop("csrf"), follow=True)


class World:
    def __init__(self, app):
        self.app, self.service = app, app.extensions["chancery"]
        self.court = app.extensions["court"]

    def visitor(self, name=""):
        return Visitor(self, name)

    def match(self, *people, title="column-of-fire", decisions=0, start=True, bots=0, seed="pages", **policy):
        """A match with these people in its seats; the first is the game master."""
        service = self.service
        master = people[0]
        playing = people[1:] if policy.get("game_master") == "everything" else people
        made = service.open(
            master.id, title, players=len(playing) + bots, name=f"A match of {master.name}", policy=Policy(**policy)
        )
        for person in playing:
            link = service.invite(master.id, made.id)[1] if policy.get("seating") == "invited" and person is not master else ""
            service.join(person.id, made.id, link=link)
        for seat in service.register.load(made.id).free:
            service.seat_bot(master.id, made.id, seat, "random")
        if start:
            service.start(master.id, made.id)
            self.play(made.id, decisions, seed)
        return made.id

    def play(self, id, decisions, seed="pages"):
        """Let everybody answer at random, so many times or until the game is over."""
        rng = Random(seed)
        for _ in range(decisions):
            match = self.service.register.load(id)
            run = self.log(id).run
            if run.over:
                self.service.drive(id)
                return
            ask = next((ask for ask in (*run.asks, *run.offers) if ask.seat not in match.bots), None)
            if ask is None:
                self.service.drive(id)
                continue
            self.service.decide(match.holder(ask.seat), id, ask.seat, ask.key, ask.sample(rng))

    def log(self, id):
        return self.service.open_log(self.service.register.load(id).line)

    def asked(self, id):
        """Who has to answer, and what."""
        ask = self.log(id).run.asks[0]
        return ask.seat, ask

    def at(self, id, page=""):
        """The address of the table, or of a page beside it."""
        return f"/m/{id}/{self.service.register.load(id).line}{page}"


def without_tokens(html):
    """A page but for the form token, which is random."""
    return re.sub(r'name=\\?"csrf\\?" value=\\?"[^"]*"', "", html)


@pytest.fixture
def settings(tmp_path):
    return Settings(db=str(tmp_path / "pages.db"), secret="s" * 40, signing="5" * 64, limit="off")


@pytest.fixture
def world(settings):
    app = create_app(settings)
    yield World(app)
    close(app)


@pytest.fixture
def ana(world):
    return world.visitor("Ana")


@pytest.fixture
def ben(world):
    return world.visitor("Ben")


@pytest.fixture
def cem(world):
    return world.visitor("Cem")


@pytest.fixture
def eve(world):
    """Somebody with an account who has nothing to do with any match."""
    return world.visitor("Eve")
