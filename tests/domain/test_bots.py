"""Bots: legal, fair, and better the more they think."""

from __future__ import annotations

import os
from random import Random

import pytest

from domain import games
from domain.bots import POLICIES, SEATED, choose, guess
from domain.kernel import Ask, Draw, Rules, Run, Table
from tests.kernel import toy

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


def a_bluff(t: Table) -> Rules:
    """Blue draws one of two cards that look alike; red may call it. A king called is worth something, an ace costs as much."""
    t.move("ace:1", "box", "vault")
    t.move("king:1", "box", "vault")
    t.move((yield Draw("vault", "card", "T 1")), "vault", "hand:blue")
    if (yield Ask("red", "call", ["call", "pass"], "T 2")) == "call":
        t.move(next(iter(t.zones["hand:blue"])), "hand:blue", "open")
    yield Ask("red", "and then", ["nothing"], "T 3")


def test_a_bot_at_a_real_table_does_not_try_out_what_another_seat_holds() -> None:
    worth = {"king:1": 1.0, "ace:1": -1.0}
    title = toy.title(a_bluff, appraise=lambda table, seat: sum(worth[card] for card in table.zones["open"]))
    for luck in range(10):
        kings, aces = (Run(title, toy.table(), lambda request, pool, ordinal, held=held: held) for held in ("king:1", "ace:1"))
        tried = [POLICIES["greedy"](run, run.asks[0], Random(luck)) for run in (kings, aces)]
        seated = [SEATED["greedy"](run, run.asks[0], Random(luck)) for run in (kings, aces)]
        assert tried == ["call", "pass"], "trying it out on the true table tells"
        assert seated[0] == seated[1]
