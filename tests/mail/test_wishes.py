"""How somebody's mails come: said on a page, by the API or by a link, usually or for one seat."""

from __future__ import annotations

import re

import pytest

from service.mail.wishes import Wish, Wishes
from service.wsgi import close, create_app
from tests.mail.conftest import options

USUAL = {"mode": "blocking", "hour": "18:00", "zone": "UTC", "secrets": True, "form": "picture", "language": "en"}


class Person:
    """Somebody at the API and on the pages."""

    def __init__(self, app, account):
        self.client = app.test_client()
        self.bearer = {"Authorization": f"Bearer {app.extensions['chancery'].accounts.issue(account.id)[1]}"}

    def call(self, method, path, body=None):
        answer = self.client.open(f"/api/v1{path}", method=method, json=body, headers=self.bearer)
        return answer.status_code, answer.get_json(silent=True)

    def page(self):
        return self.client.get("/account", headers=self.bearer).get_data(as_text=True)

    def send(self, path="/account/mails", **form):
        token = re.search(r'name="csrf" value="([^"]+)"', self.page())[1]
        return self.client.post(path, data={"csrf": token, **form}, headers=self.bearer)


@pytest.fixture
def people(town):
    app = create_app(town.settings, background=False, titles=town.matches.titles)
    yield {"app": app, **{name: Person(app, town.person(name)) for name in ("ana", "ben")}}
    close(app)


def test_the_api_says_and_changes_how_mails_usually_come(town, people):
    assert people["ana"].call("GET", "/me/mail") == (200, USUAL)
    wanted = {**USUAL, "mode": "digest", "hour": "07:30", "zone": "Europe/Berlin", "form": "text", "language": "de"}
    assert people["ana"].call("PUT", "/me/mail", wanted) == (200, wanted) == people["ana"].call("GET", "/me/mail")
    assert people["ben"].call("GET", "/me/mail") == (200, USUAL)
    id = town.match("column-of-fire")
    assert "du spielst red" in town.last("ana") and town.to("ana")[-1].get_content_type() == "text/plain"
    assert town.office.wish(id, "red", town.people["ana"].id).mode == "digest"


@pytest.mark.parametrize("wrong", [
    {"mode": "sometimes"}, {"hour": "25:00"}, {"hour": ""}, {"zone": "Mars/Olympus"}, {"zone": "../../etc/passwd"}, {"secrets": "perhaps"},
    {"form": "opera"}, {"language": "xx"}, {"colour": "red"},
])  # fmt: skip
def test_what_cannot_be_wished_is_refused_and_changes_nothing(people, wrong):
    assert people["ana"].call("PUT", "/me/mail", {**USUAL, **wrong})[0] == 422
    assert people["ana"].call("GET", "/me/mail") == (200, USUAL)


def test_a_seat_may_have_a_way_of_its_own_and_go_back_to_the_usual(town, people):
    id = town.match("column-of-fire")
    path = f"/matches/{id}/seats/red/mail"
    assert people["ana"].call("GET", path) == (200, {**USUAL, "own": False})
    assert people["ana"].call("PUT", path, {"mode": "none", "secrets": False})[1] == {
        **USUAL,
        "mode": "none",
        "secrets": False,
        "own": True,
    }
    assert people["ana"].call("GET", "/me/mail") == (200, USUAL)
    assert people["ana"].call("DELETE", path)[0] == 204
    assert people["ana"].call("GET", path) == (200, {**USUAL, "own": False})


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
def test_nobody_asks_or_says_how_anothers_mails_come(town, people, method):
    id = town.match("column-of-fire")
    body = {"mode": "none"} if method == "PUT" else None
    assert people["ben"].call(method, f"/matches/{id}/seats/red/mail", body)[0] == 403
    assert people["ben"].call(method, f"/matches/{id}/seats/purple/mail", body)[0] == 403
    assert people["ben"].call(method, "/matches/nowhere/seats/red/mail", body)[0] == 404
    assert town.office.wish(id, "red", town.people["ana"].id) == Wish()


def test_the_page_shows_and_changes_it_also_for_one_seat(town, people):
    id = town.match("column-of-fire", name="Sunday table")
    page = people["ana"].page()
    assert "Mails go to ana@home.example." in page and "Sunday table" in page and "as usual" in page
    form = {"mode": "instant", "hour": "08:00", "zone": "Europe/Madrid", "form": "html", "language": "en"}
    assert people["ana"].send(**form).status_code == 302
    assert Wishes(town.database).usual(town.people["ana"].id) == Wish("instant", "08:00", "Europe/Madrid", False, "html", "en")
    assert people["ana"].send(**{"for": f"{id}/red", **form, "mode": "none", "secrets": "1"}).status_code == 302
    assert town.office.wish(id, "red", town.people["ana"].id).mode == "none" and "different from the usual" in people["ana"].page()
    assert people["ana"].send(**{"for": f"{id}/red", "usual": "1"}).status_code == 302
    assert town.office.wish(id, "red", town.people["ana"].id).mode == "instant"
    assert people["ben"].send(**{"for": f"{id}/red", **form}).status_code == 403
    assert people["ana"].send(**{**form, "zone": "Mars"}).status_code == 422


def test_who_reads_pages_in_german_gets_german_mails(town, people):
    assert people["ana"].send("/appearance", language="de", theme="", next="/").status_code == 302
    town.match("column-of-fire")
    assert "du spielst" in town.last("ana") and "you play" in town.last("ben")


def test_a_seat_that_changes_hands_forgets_how_its_mails_came(town):
    id = town.match("column-of-fire")
    town.wish(id, "ana", mode="none")
    town.matches.join(town.person("eve").id, id, link=town.matches.invite(town.people["ana"].id, id, seat="red")[1])
    town.post.round()
    assert "you play red" in town.last("eve") and (options(town.last("eve")) or "waits for" in town.last("eve"))


def test_an_address_is_given_on_the_page_and_counts_when_its_link_is_opened(town, people):
    eve = town.matches.accounts.create("eve")
    town.people["eve"] = eve
    person = Person(people["app"], eve)
    assert "There is no address of yours" in person.page()
    assert person.send("/account/address", address="Eve@Home.example").status_code == 302
    town.post.round()
    assert town.matches.accounts.get(eve.id).email is None
    link = re.search(r"https://chancery\.example(/mail/address/\S+)", town.last("eve"))[1]
    assert "eve@home.example" in person.client.get(link).get_data(as_text=True) and town.matches.accounts.get(eve.id).email is None
    assert person.client.post(link).status_code == 200
    assert town.matches.accounts.get(eve.id).email == "eve@home.example" and "Mails go to eve@home.example." in person.page()
    assert person.client.get(link + "x").status_code == 404


@pytest.mark.parametrize("address", ["", "eve", "eve@", "a@b.c\r\nBcc: x@y.zz", "<eve@home.example>"])
def test_what_is_no_address_gets_no_mail(town, people, address):
    assert people["ana"].send("/account/address", address=address).status_code == 422
    town.post.round()
    assert not town.sent


def test_nobody_takes_anothers_address(town, people):
    assert people["ana"].send("/account/address", address="ben@home.example").status_code == 302
    town.post.round()
    link = re.search(r"https://chancery\.example(/mail/address/\S+)", town.last("ben"))[1]
    people["ana"].client.post(link)
    assert town.matches.accounts.get(town.people["ana"].id).email == "ana@home.example"
