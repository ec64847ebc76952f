"""Two worlds that a seat cannot tell apart send it the same mails, byte for byte, but for hashes that are random by design."""

from __future__ import annotations

import itertools
import os
import secrets

import msgspec
import pytest

from domain.deadlines import HouseRules, Vector
from domain.kernel import Draw
from tests.api import toy
from tests.mail.conftest import Town, masked, options

PAIRS = 100 if os.environ.get("CHANCERY_SOAK") else 4
RULES = HouseRules({"": Vector(next=48 * 60, grace=24 * 60)}, late="default")


def setup(t):
    """As the toy, but red always holds the same cards: only luck decides what blue holds."""
    for card in toy.CARDS:
        t.move(card, "box", "deck", cite="TOY 1.1")
    for card in toy.CARDS[:3]:
        t.move(card, "deck", "hand:red", cite="TOY 1.2")
    for seat in t.seats:
        t.set(f"points:{seat}", 0)
    for _ in range(3):
        card = yield Draw("deck", "deal", "TOY 1.2")
        t.move(card, "deck", "hand:blue", cite="TOY 1.2")
    t.set("leader", t.seats[0])
    return "coin"


VEILED = msgspec.structs.replace(toy.TITLE, id="veiled", steps={**toy.TITLE.steps, "setup": setup})


class Veiled:
    def get(self, id):
        return VEILED if id == "veiled" else toy.TITLE

    def all(self):
        return [VEILED, toy.TITLE]


@pytest.fixture
def world(tmp_path, monkeypatch):
    """Make a world whose ids are the same every time and whose luck follows from a word."""
    towns = []

    def make(luck: str, title: str):
        count = itertools.count(1)
        monkeypatch.setattr(secrets, "token_hex", lambda n=32: f"{next(count):0{2 * n}x}"[: 2 * n])
        monkeypatch.setattr(secrets, "token_bytes", lambda n=32: luck.encode().ljust(n, b"."))
        monkeypatch.setattr("service.matches.new_id", lambda n=10: f"{next(count):0{n}}")
        town = Town(tmp_path, f"world-{len(towns)}")
        town.matches.titles = town.matches._shelf._titles = Veiled()
        towns.append(town)
        return town, town.match(title, rules=RULES)

    yield make
    for town in towns:
        town.close()


def mails(town, name):
    return [masked(mail) for mail in town.to(name)]


@pytest.mark.parametrize("pair", range(PAIRS))
def test_S9_what_another_seat_holds_and_seals_changes_no_byte_of_a_mail(world, pair):
    seen, held = [], []
    for luck in (f"one {pair}", f"other {pair}"):
        town, id = world(luck, "veiled")
        held.append(sorted(town.matches.open_log(id).whole_table().zones["hand:blue"]))
        town.write(id, "ana", "hide left\nSTATUS\nSHOW\nSHOW log")
        town.write(
            id,
            "ben",
            f"IF asked dare 3 times THEN dare {'roll' if 'one' in luck else 'rest'}\nDRAFT\n{options(town.last('ben'))[0]}",
        )
        town.write(id, "ben", options(town.last("ben"))[-1])
        town.write(id, "ana", "bid the moon\n")
        town.later(hours=30)
        town.post.round()
        town.write(id, "ana", "SHOW\nSTATUS\nSHOW press")
        town.later(hours=30)
        town.post.round()
        seen.append(mails(town, "ana"))
    assert held[0] != held[1] and len(seen[0]) >= 6 and seen[0] == seen[1]


def test_S9_a_secret_answer_changes_no_byte_of_the_others_mails_to_the_end_of_the_game(world):
    seen, hidden = [], []
    for side in ("left", "right"):
        town, id = world("the same", "toy")
        town.wish(id, "ben", mode="instant")
        for _ in range(60):
            for name in ("ana", "ben"):
                offered = options(town.last(name))
                if offered and town.matches.register.load(id).state == "running":
                    answer = f"hide {side}" if "hide left" in offered and name == "ana" else offered[0]
                    town.write(id, name, answer, answers=town.to(name)[-1])
        assert town.matches.register.load(id).state == "finished"
        hidden.append([event.answer for event in town.matches.open_log(id).raw() if event.ask == "hide" and event.seat == "red"])
        seen.append(mails(town, "ben"))
    assert hidden[0] != hidden[1] and len(seen[0]) > 5 and seen[0] == seen[1]
