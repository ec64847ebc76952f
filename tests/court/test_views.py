"""Views of matches whose rules or readings changed on the way say what the log says."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from domain.bots import choose
from domain.log import Log
from projections import Views
from projections.runner import Runner
from projections.stores.memory import MemoryDocuments
from tests.court.editions import SECOND, Editions
from tests.court.test_readings import TITLE, started
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


class Counting:
    """One title, in which a word counts once or twice."""

    def get(self, id: str) -> Any:
        return TITLE


@pytest.mark.parametrize("more", [1, 2, 4])
def test_the_inbox_after_another_reading_goes_by_it(more):
    """Given words that count twice since a ruling, in the middle of a step whoever is asked is waited for, and the line does not stand still."""
    log = started("yes", "yes")
    log.rule({"text": "twice"}, options={"double": True})
    for _ in range(more):
        log.decide("red", "word", "yes")
    views = looked_at(log, Counting())
    assert [(one["seat"], one["question"]) for one in views.inbox(line=log.line.id)["waiting"]] == [("red", "word")]


def test_the_inbox_after_other_rules_were_adopted_goes_by_them():
    log, editions = play("column-of-fire", 3, "views", stop=40), Editions()
    editions.newest = SECOND
    log.upgrade(SECOND, anew=True)
    play_on(log, 25)
    for newest in (SECOND, editions.library("", "1")):
        editions.newest = newest
        waiting = {(one["seat"], one["question"]) for one in looked_at(log, editions).inbox(line=log.line.id)["waiting"]}
        assert waiting == {(ask.seat, ask.key) for ask in log.run.asks}
