"""Views of matches whose rules or readings changed on the way say what the log says."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from domain import games
from domain.bots import choose
from domain.log import Log, groups
from domain.readings import DIFFERS, correction, readings
from projections import Views
from projections.runner import Runner
from projections.stores.memory import MemoryDocuments
from tests.court.editions import SECOND, Editions
from tests.domain.games_played import play


def looked_at(log: Log, titles: Any) -> Views:
    documents = MemoryDocuments()
    Runner(log.store, documents, titles).rebuild()
    return Views(log.store, documents, titles)


def play_on(log: Log, decisions: int) -> None:
    rng = Random("on")
    for _ in range(decisions):
        if not log.run.over:
            ask = choose(log.run, rng)
            log.decide(ask.seat, ask.key, ask.sample(rng))


@pytest.mark.parametrize("more", range(1, 7))
def test_the_inbox_after_another_reading_names_who_is_asked(more):
    """Given a ruling by which the others act in another order, whoever is asked then is waited for."""
    log = play("generalship", 3, "views", stop=20)
    while not any((one.option, one.outcome) == ("follow_order", DIFFERS) for one in readings(log, _last(log), "arbiter")):
        play_on(log, 1)
    ops = correction(log, _last(log)[0].version, {"follow_order": "rotate"})
    log.rule({"text": "round"}, ops, options={"follow_order": "rotate"})
    play_on(log, more)
    views = looked_at(log, games)
    waiting = {(one["seat"], one["question"]) for one in views.inbox(line=log.line.id)["waiting"]}
    assert waiting == {(ask.seat, ask.key) for ask in log.run.asks}
    shown = {one["seat"]: one["points"] for one in views.scoreboard(log.line.id, "arbiter")["scores"]}
    assert shown == {score.seat: score.points for score in log.title.score(log.run.table)}


def _last(log: Log) -> Any:
    *_, last = groups(log.raw())
    return last


def test_the_inbox_after_other_rules_were_adopted_goes_by_them():
    log, editions = play("column-of-fire", 3, "views", stop=40), Editions()
    editions.newest = SECOND
    log.upgrade(SECOND, anew=True)
    play_on(log, 25)
    for newest in (SECOND, editions.library("", "1")):
        editions.newest = newest
        waiting = {(one["seat"], one["question"]) for one in looked_at(log, editions).inbox(line=log.line.id)["waiting"]}
        assert waiting == {(ask.seat, ask.key) for ask in log.run.asks}
