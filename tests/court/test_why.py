"""Why: for every event the rules in order, with dice, modifiers and result, as data and as sentences; and for every refusal its rule."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from domain.kernel.event import Rolled
from domain.log import Log, groups
from service.case import summary, why
from tests.court.disputes import SEATS
from tests.court.test_disputes import Room, app  # noqa: F401
from tests.domain.games_played import play

TITLES = list(SEATS)


@cache
def game(title: str) -> Log:
    return play(title, 3, "why", stop=250)


@pytest.mark.parametrize("title", TITLES)
def test_every_decision_says_what_was_asked_and_every_rule_says_what_it_is(title):
    log = game(title)
    for group in groups(log.raw()):
        steps = why(log.title, group)
        assert steps or not any(event.ops for event in group), group[0].version
        assert all(step["summary"] for step in steps if step["rule"]), group[0].version
        assert all(step["sentence"] for step in steps if step["facts"] or step["op"] or step["dice"])
        if group[0].ask:
            assert steps[0]["kind"] == "question" and group[0].seat in steps[0]["sentence"]


@pytest.mark.parametrize("title", TITLES)
def test_every_die_is_told_once_with_the_rule_it_was_rolled_for(title):
    log, told = game(title), 0
    for group in groups(log.raw()):
        rolled = [outcome.values for event in group for outcome in event.chance if type(outcome) is Rolled]
        steps = [step for step in why(log.title, group) if step["kind"] == "dice"]
        assert [step["dice"]["values"] for step in steps] == rolled
        assert all(step["rule"] for step in steps)
        told += len(rolled)
    assert told > 5 or title != "column-of-fire", "only A Column of Fire rolls dice in play"


@pytest.mark.parametrize(
    ("title", "rule", "facts"),
    [
        ("column-of-fire", "CF-6.1", {"seat", "white", "blue"}),
        ("generalship", "G08.10", {"who", "food", "metal"}),
        ("pax-renaissance", "G1.1", {"row", "emporium", "profits"}),
    ],
)
def test_inputs_and_modifiers_are_told_by_name(title, rule, facts):
    log = game(title)
    found = [step for group in groups(log.raw()) for step in why(log.title, group) if step["rule"] == rule and step["facts"]]
    assert found and all(facts <= set(step["facts"]) for step in found[:3])
    assert all(str(value) in step["sentence"] for step in found[:3] for value in step["facts"].values() if type(value) is int)


@pytest.mark.parametrize("title", TITLES)
def test_a_refusal_says_its_rule_and_what_the_rule_says(app: Any, title: str) -> None:  # noqa: F811
    room = Room(app, title)
    ask = room.log.run.asks[0]
    person = room.seats[ask.seat]
    sent = {"Authorization": f"Bearer {person.token}", "If-Match": f'"{room.log.head}"'}
    body = {"seat": ask.seat, "key": ask.key, "answer": ["no", "such", "answer"]}
    refused = app.test_client().post(f"/api/v1{room.path}/decisions", json=body, headers=sent)
    assert refused.status_code == 422
    assert refused.json["rule"] == ask.cite and refused.json["says"] == summary(title, ask.cite) and refused.json["legal"]
