"""Bots: legal, fair, and better the more they think."""

from __future__ import annotations

import os
from random import Random

import pytest

from domain import games
from domain.bots import POLICIES, choose, guess
from domain.kernel import Run

GAMES = 200 if os.environ.get("CHANCERY_SOAK") else 6
TITLES = [title.id for title in games.all()]


def contest(title_id: str, better: str, worse: str, n: int) -> float:
    """The share of games the better policy wins, seats changing sides."""
    title = games.get(title_id)
    won = 0.0
    for number in range(n):
        rng = Random(f"{better}{number}")
        seats = title.seats(2)
        run = Run(title, title.lay(seats), guess(rng))
        bots = {seat: (better, worse)[(index + number) % 2] for index, seat in enumerate(seats)}
        for _ in range(6_000):
            if run.over:
                break
            ask = choose(run, rng)
            run.answer(ask.seat, ask.key, POLICIES[bots[ask.seat]](run, ask, rng))
        winners = title.winners(run.table)
        won += sum(bots[seat] == better for seat in winners) / max(1, len(winners))
    return won / n


@pytest.mark.parametrize("title_id", TITLES)
def test_greedy_beats_random_clearly(title_id: str) -> None:
    assert contest(title_id, "greedy", "random", GAMES) > 0.75


def test_searching_beats_random_without_any_title_code() -> None:
    assert contest("column-of-fire", "search", "random", 2) == 1


def test_a_bot_never_touches_the_game_it_thinks_about() -> None:
    title = games.get("column-of-fire")
    rng = Random(3)
    run = Run(title, title.lay(title.seats(2)), guess(rng))
    for _ in range(40):
        ask = choose(run, rng)
        before, drawn = run.table.state(), run.drawn
        for policy in POLICIES.values():
            answer = policy(run, ask, Random(1))
            assert ask.refusal(answer) is None
        assert run.table.state() == before and run.drawn == drawn
        run.answer(ask.seat, ask.key, ask.sample(rng))
