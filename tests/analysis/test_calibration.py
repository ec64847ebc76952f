"""Rollouts are calibrated: what they foretold in the middle of games is what came of them about as often as they said."""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from domain.rollout import estimates, playout, start_at
from service.analysis import Foretold, brier, reliability
from tests.domain.games_played import play

SOAK = bool(os.environ.get("CHANCERY_SOAK"))
# In the middle of 300 games; the suite looks at a few near their end, where a few playouts tell enough.
GAMES, PLAYOUTS, MOMENT = (300, 40, 0.5) if SOAK else (6, 12, 0.85)
TITLE, SEATS = "column-of-fire", 3


def foretold(number: int) -> list[Foretold]:
    """What rollouts say at some moment of a game between greedy bots, and who won it."""
    log = play(TITLE, SEATS, f"calibration {number}", "greedy")
    version = log.question_after(int(log.head * MOMENT))
    start = start_at(log, version)
    found = estimates([playout(log.title, start, "random", "calibration", n) for n in range(PLAYOUTS)], log.header.seats)
    winners = log.title.winners(log.whole_table())
    return [Foretold(one.win, 1 / len(winners) if one.seat in winners else 0.0) for one in found]


def all_games() -> list[Foretold]:
    if not SOAK:
        return [one for number in range(GAMES) for one in foretold(number)]
    with ProcessPoolExecutor(2, mp_context=get_context("forkserver")) as pool:
        return [one for game in pool.map(foretold, range(GAMES), chunksize=5) for one in game]


def test_what_was_foretold_at_half_time_comes_about_as_often_as_said() -> None:
    said = all_games()
    score, base = brier(said), brier([Foretold(1 / SEATS, one.came) for one in said])
    table = reliability(said)
    assert sum(row.n for row in table) == len(said) == GAMES * SEATS
    assert score < base, (score, base, table)
    if SOAK:
        likely, unlikely = table[-1], table[0]
        assert likely.came > unlikely.came + 0.2, table
        assert sum(row.n * abs(row.said - row.came) for row in table) / len(said) < 0.15, table


def test_a_reliability_table_counts_everything_once_and_a_perfect_prophet_scores_nothing() -> None:
    said = [Foretold(share / 10, float(share > 5)) for share in range(11)]
    assert sum(row.n for row in reliability(said)) == 11
    assert brier([Foretold(one.came, one.came) for one in said]) == 0 < brier(said)
