"""Treaties by mail: offered, answered, told to those who may know, and nobody else the wiser."""

from __future__ import annotations

import itertools
import re
import secrets
from random import Random

import pytest

from domain.deadlines import HouseRules, Vector
from domain.treaties import Treaties
from tests.mail.conftest import Town, masked, text

RULES = HouseRules({"": Vector(next=48 * 60, grace=24 * 60)}, late="default")


def only(town, id):
    return list(town.office.facts.load(Treaties, id).all.values())[-1]


def joined(body):
    return " ".join(body.split())


@pytest.fixture
def three(town):
    """Ana (red), Ben (blue) and Cem (green)."""
    return town.match("toy", players=3)


def test_an_offer_goes_to_its_parties_and_their_answers_come_back(town, three):
    town.write(three, "ana", "OFFER red promises blue: I bid low; blue promises red: so do I")
    made = only(town, three)
    assert f"offer {made.id} to blue" in joined(town.last("ana"))
    assert town.kinds("ben") == ["started", "treaty"] and town.kinds("cem") == ["started"]
    mail = town.last("ben")
    assert "1. red promises blue: I bid low (a promise)" in mail and f"ACCEPT {made.id}" in mail
    town.write(three, "ben", f"accept {made.id.upper()}")
    assert f"treaty {made.id} is in force" in town.last("ben")
    assert town.kinds("cem") == ["started", "treaty"] and "is in force" in town.last("cem")
    assert town.kinds("ana")[-1] == "treaty"
    for _ in range(2):
        town.post.look_after(three)
        town.post.round()
    assert town.kinds("ben").count("treaty") == town.kinds("cem").count("treaty") == 1


def test_a_counter_offer_a_refusal_and_a_withdrawal_reach_the_other_side(town, three):
    town.write(three, "ana", "OFFER red promises blue: peace")
    first = only(town, three).id
    town.write(three, "ben", f"COUNTER {first} red promises blue: peace; red promises blue: gold")
    second = only(town, three).id
    assert "counter-offer" in joined(town.last("ana")) and second != first
    town.write(three, "ana", f"REFUSE {second} too dear")
    assert f"The offer {second} is refused. (too dear)" in town.last("ben")
    town.write(three, "ana", "OFFER for 2 days red promises blue: peace")
    third = only(town, three).id
    town.write(three, "ana", f"WITHDRAW {third}")
    assert f"The offer {third} is withdrawn." in town.last("ben")
    assert "treaty" not in town.kinds("cem")


def test_an_offer_that_nobody_answers_lapses_and_its_parties_hear_of_it(town, three):
    town.write(three, "ana", "OFFER for 2 days red promises blue: peace")
    made = only(town, three)
    town.later(days=2, seconds=1)
    town.post.sweep()
    town.post.round()
    assert only(town, three).closed.how == "lapsed"
    assert f"The offer {made.id} has lapsed" in town.last("ana") and f"The offer {made.id} has lapsed" in town.last("ben")


def test_a_claimed_breach_is_told_to_everybody_and_opens_a_secret_treaty(town, three):
    town.write(three, "ana", "OFFER secret red promises blue: no tricks")
    made = only(town, three)
    town.write(three, "ben", f"ACCEPT {made.id}")
    assert "treaty" not in town.kinds("cem")
    town.write(three, "ben", f"BREACH {made.id} 1 he tricked me")
    assert "blue claims a breach of clause 1: he tricked me" in joined(town.last("cem"))
    town.write(three, "cem", "SHOW treaties")
    assert f"{made.id}: agreed" in town.last("cem") and "he tricked me" in town.last("cem")


def test_a_clause_that_is_none_is_refused_with_a_caret_and_what_would_be(town, three):
    town.write(three, "ana", "OFFER red marries blue")
    said = town.last("ana")
    assert "this is no kind of clause here" in said and "legal: promises" in said and re.search(r"\n +\^ ", said)
    town.later(minutes=11)
    town.write(three, "ana", "ACCEPT zzzzz")
    assert "you have no treaty or offer 'zzzzz'" in joined(town.last("ana"))


def test_one_mail_with_an_offer_makes_one_offer(town, three):
    raw = town.written("ana", "OFFER red promises blue: once")
    for _ in range(5):
        town.post.deliver(raw, town.address(three, "ana"), "ana@home.example")
    town.post.round()
    assert len(town.office.facts.load(Treaties, three).all) == 1 and town.kinds("ben").count("treaty") == 1


def test_who_wants_no_secrets_by_mail_reads_an_offer_on_the_page(town, three):
    town.wish(three, "ben", secrets=False)
    town.write(three, "ana", "OFFER red promises blue: a secret plan")
    assert "news of an offer" in town.last("ben") and "secret plan" not in town.last("ben")


def test_a_command_by_the_name_of_an_offer_is_never_taken_for_an_order(town):
    """Generalship asks whether to counter an ambush: COUNTER and the name of an offer still means the offer."""
    id = town.match("generalship", players=3)
    town.write(id, "ana", f"OFFER {town.seat(id, 'ana')} peace with {town.seat(id, 'ben')}")
    made = only(town, id)
    town.write(id, "ben", f"COUNTER {made.id} {town.seat(id, 'ana')} helps {town.seat(id, 'ben')} 2 until cycle 2")
    assert only(town, id).offered.answers == made.id and "binding, G28.6" in town.last("ana")


def test_status_names_the_offers_that_wait_for_an_answer(town, three):
    town.write(three, "ana", "OFFER red promises blue: peace")
    made = only(town, three).id
    town.write(three, "ben", "STATUS")
    assert f"Offers that wait for your answer: {made}." in joined(town.last("ben"))
    town.write(three, "ana", "STATUS")
    assert "Offers that wait" not in town.last("ana")


def test_G12_7_an_alliance_agreed_by_mail_is_made_by_the_rules_own_questions(town):
    id = town.match("generalship", players=3)
    log, rng = town.matches.open_log(id), Random("alliance")
    while (ask := log.run.asks[0]).key != "choose_action_tile":
        town.matches.decide(town.matches.register.load(id).holder(ask.seat), id, ask.seat, ask.key, ask.sample(rng))
    name = next(name for name in town.people if town.seat(id, name) == ask.seat)
    other = next(one for one in town.people if one != name)
    mine, theirs = ask.seat, town.seat(id, other)
    town.write(id, name, f"OFFER {mine} allies with {theirs} space 1")
    town.write(id, other, f"ACCEPT {only(town, id).id}")
    town.write(id, name, "tile AT5")
    assert log.whole_table().allied(mine, theirs)
    assert [event.answer for event in log.raw() if event.cause == "treaty"] == [f"put {mine} 1", f"put {theirs} 1"]
    town.write(id, name, f"alliance take {theirs} 1")
    assert "binds you" in joined(town.last(name)) and log.whole_table().allied(mine, theirs)


# -- two worlds ----------------------------------------------------------------------------------------------


@pytest.fixture
def world(tmp_path, monkeypatch):
    """Worlds whose ids and luck are the same."""
    towns = []

    def make():
        count = itertools.count(1)
        monkeypatch.setattr(secrets, "token_hex", lambda n=32: f"{next(count):0{2 * n}x}"[: 2 * n])
        monkeypatch.setattr(secrets, "token_bytes", lambda n=32: b"the same".ljust(n, b"."))
        monkeypatch.setattr("service.matches.new_id", lambda n=10: f"{next(count):0{n}}")
        town = Town(tmp_path, f"world-{len(towns)}")
        towns.append(town)
        return town, town.match("toy", players=3, rules=RULES)

    yield make
    for town in towns:
        town.close()


def test_S9_what_others_negotiate_changes_no_byte_of_a_third_seats_mails(world):
    seen = []
    for lines in (["STATUS"], ["OFFER red promises blue: war on green"], ["OFFER secret red promises blue: war on green"]):
        town, id = world()
        town.wish(id, "cem", mode="instant")
        for line in lines:
            town.write(id, "ana", line)
        if town.office.facts.load(Treaties, id).all:
            made = only(town, id)
            town.write(id, "ben", f"ACCEPT {made.id}" if made.offered.secret else f"REFUSE {made.id}")
        town.write(id, "cem", "SHOW treaties\nSTATUS\nSHOW log\nACCEPT zzzzz", date="Mon, 01 Mar 2027 05:00:00 +0000")
        town.write(id, "ana", "hide left")
        town.later(hours=30)
        town.post.round()
        town.write(id, "cem", "SHOW treaties\nSHOW press", date="Mon, 01 Mar 2027 06:00:00 +0000")
        seen.append([re.sub(r"[0-9a-f]{40,}", "*", masked(mail)) for mail in town.to("cem")])
    assert len(seen[0]) >= 4 and seen[0] == seen[1] == seen[2]


def test_mails_about_treaties_stay_within_72_columns(town, three):
    town.write(three, "ana", "OFFER red promises blue: peace")
    body = text(town.to("ben")[-1])
    assert max(len(line) for line in body.splitlines() if "://" not in line and "@" not in line) <= 72


def test_a_german_reads_of_a_treaty_in_german(town, three):
    town.wish(three, "ben", language="de")
    town.write(three, "ana", "OFFER red promises blue: Frieden")
    assert "red bietet einen Vertrag an" in joined(town.last("ben")) and "red verspricht blue: Frieden" in joined(town.last("ben"))
