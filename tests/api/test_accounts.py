"""Every way in, and every way that must not be one."""

from __future__ import annotations

import time
from urllib.parse import quote

import pytest
import time_machine

PASSWORD = "correct horse battery"


def made(world, name="Dora", **given):
    return world.client.post("/api/v1/accounts", json={"name": name, "password": PASSWORD, **given})


def sign_in(world, name="Dora", password=PASSWORD):
    return world.client.post("/api/v1/sign-ins", json={"name": name, "password": password})


def test_an_account_is_made_and_entered_by_its_password(world):
    assert made(world, email="Dora@Example.org").json["email"] == "dora@example.org"
    signed_in = sign_in(world, "DORA")
    assert signed_in.status_code == 201
    me = world.client.get("/api/v1/me", headers={"Authorization": f"Bearer {signed_in.json['token']}"})
    assert me.json["name"] == "Dora"


def test_neither_password_nor_token_is_stored_as_it_is(world):
    made(world)
    token = sign_in(world).json["token"]
    rows = [*world.service.store.rows("SELECT * FROM accounts"), *world.service.store.rows("SELECT * FROM tokens")]
    assert "$argon2id$" in str(rows)
    assert PASSWORD not in str(rows) and token not in str(rows) and token.removeprefix("chancery_") not in str(rows)


def test_a_wrong_name_and_a_wrong_password_get_the_same_answer_in_about_the_same_time(world):
    made(world)

    def took(name):
        began = time.perf_counter()
        answer = sign_in(world, name, "not the password")
        return time.perf_counter() - began, answer.status_code, answer.data

    known, unknown = [took("Dora") for _ in range(3)], [took("Nobody") for _ in range(3)]
    assert {answer[1:] for answer in known} == {answer[1:] for answer in unknown} and known[0][1] == 401
    assert min(unknown)[0] > min(known)[0] / 3


@pytest.mark.parametrize("name", ["", " ", "x" * 41, "two\nlines", "Dora\u202e", "<b>", "a@b", "-", "Dora\x00"])
def test_a_name_that_is_none(world, name):
    assert made(world, name).status_code == 422


def test_a_name_belongs_to_one_person_whatever_its_letters(world):
    assert made(world, "Dora").status_code == 201
    assert made(world, "dORA").status_code == 422
    assert made(world, "Eva", email="x@example.org").status_code == 201
    assert made(world, "Emil", email="X@example.org").status_code == 422


@pytest.mark.parametrize("email", ["nobody", "a@b", "a b@example.org", "a@example.org\nBcc: all@example.org", "<a@example.org>"])
def test_an_address_that_is_none(world, email):
    assert made(world, email=email).status_code == 422


def test_a_short_password_is_refused(world):
    assert made(world, password="short").status_code == 422


def test_a_sign_in_link_works_once_for_a_quarter_of_an_hour(world, anna):
    link = world.service.accounts.sign_in_link(anna.id)
    with time_machine.travel(time.time() + 16 * 60):
        assert world.client.post("/api/v1/sign-ins/link", json={"link": link}).status_code == 401
    assert world.client.post("/api/v1/sign-ins/link", json={"link": link}).status_code == 201
    assert world.client.post("/api/v1/sign-ins/link", json={"link": link}).status_code == 401


def test_a_link_is_good_for_one_purpose_only(world, anna):
    match = world.match(anna, start=False)
    invitation = anna.post(f"/matches/{match}/invitations", {}).json["link"]
    assert world.client.post("/api/v1/sign-ins/link", json={"link": invitation}).status_code == 401
    link = world.service.accounts.sign_in_link(anna.id)
    assert anna.post(f"/matches/{match}/join", {"invitation": link}).status_code == 422


def test_a_link_signed_with_another_secret_is_worth_nothing(world, anna):
    from service.accounts import Accounts

    other = Accounts(world.service.accounts._database, b"another secret" * 4, world.service.clock)
    assert world.client.post("/api/v1/sign-ins/link", json={"link": other.sign_in_link(anna.id)}).status_code == 401


def test_tokens_are_listed_without_their_secrets_and_can_be_revoked(world, anna):
    made_token = anna.post("/tokens", {"label": "laptop", "days": 7}).json
    listed = anna.get("/tokens")
    assert [token["label"] for token in listed.json["items"]] == ["", "laptop"]
    assert made_token["token"] not in listed.text
    assert anna.delete(f"/tokens/{made_token['id']}").status_code == 204
    gone = world.client.get("/api/v1/me", headers={"Authorization": f"Bearer {made_token['token']}"})
    assert gone.status_code == 401


def test_a_new_password_ends_every_token(world, anna):
    world.service.accounts.set_password(anna.id, PASSWORD)
    assert anna.get("/me").status_code == 401


def test_an_account_has_no_end_of_tokens(world, anna):
    statuses = [anna.post("/tokens", {}).status_code for _ in range(55)]
    assert statuses.count(201) == 49 and statuses[-1] == 422


def test_the_cookie_of_the_pages_reads_but_changes_only_from_our_own_pages(world, anna):
    client = world.app.test_client()
    with client.session_transaction() as session:
        session["account"] = [anna.id, 0]
    assert client.get("/api/v1/me").json["name"] == "Anna"
    body = {"title": "toy", "players": 2}
    foreign = {"Origin": "http://evil.example", "Sec-Fetch-Site": "cross-site"}
    assert client.post("/api/v1/matches", json=body, headers=foreign).status_code == 401
    assert client.post("/api/v1/matches", json=body).status_code == 401
    assert client.post("/api/v1/matches", json=body, headers={"Sec-Fetch-Site": "same-origin"}).status_code == 201
    world.service.accounts.set_password(anna.id, PASSWORD)
    assert client.get("/api/v1/me").status_code == 401


def test_where_registration_is_closed_nobody_makes_an_account(world):
    world.app.config["REGISTRATION"] = "closed"
    assert made(world).status_code == 403


@pytest.mark.parametrize("name", ["'; DROP TABLE accounts; --", "Robert%s", "{{7*7}}"])
def test_nothing_typed_is_ever_run(world, anna, name):
    match = anna.post("/matches", {"title": "toy", "players": 2, "name": name}).json["id"]
    assert anna.get(f"/matches/{match}").json["name"] == name
    assert anna.get(f"/matches?title={quote('toy')}").json["items"][0]["name"] == name
