"""Imagined worlds: consistent with everything the seat saw, and no better than a guess about the rest."""

from __future__ import annotations

import os
from collections import Counter
from random import Random

import pytest

from domain.kernel import redact
from domain.luck import sheet
from domain.rollout import estimates, playout, precise, stand, start_at, wilson
from tests.domain.games_played import finished

TRIALS = 2000 if os.environ.get("CHANCERY_SOAK") else 200


def question_near(log, version: int) -> int:
    """A version at which something is asked."""
    while log.raw(version, version + 1) and log.raw(version, version + 1)[0].kind == "advanced":
        version += 1
    return version


@pytest.mark.parametrize("share", [0.2, 0.5, 0.8])
@pytest.mark.parametrize("seat", ["red", "yellow"])
def test_an_imagined_world_looks_the_same_to_its_seat(share: float, seat: str) -> None:
    log = finished()
    version = question_near(log, int(log.head * share))
    start = start_at(log, version, seat)
    real = log.run_at(version)
    for n in range(8):
        world = stand(log.title, start, Random(n))
        assert redact.table(world.table, seat).state() == redact.table(real.table, seat).state()
        assert redact.questions(world.asks, world.offers, seat) == redact.questions(real.asks, real.offers, seat)


def test_hidden_tiles_are_guessed_no_better_than_by_chance() -> None:
    """How often the imagined owner of a tile is the real one, against how often that happens if tiles are dealt blindly."""
    log = finished()
    hits = expected = 0.0
    trials = 0
    for share in (0.3, 0.5, 0.7):
        version = question_near(log, int(log.head * share))
        table = log.whole_table(version)
        hidden = [zone for zone in ("tiles:yellow", "tiles:green", "pile:1", "pile:2") if table.total(zone)]
        items = [(item, zone) for zone in hidden for item in table.items(zone)]
        size = Counter(zone for _, zone in items)
        start = start_at(log, version, "red")
        for n in range(TRIALS // 3):
            world = stand(log.title, start, Random(n)).table
            for item, zone in items:
                hits += world.count(zone, item) > 0
                expected += size[zone] / len(items)
                trials += 1
    assert abs(hits - expected) / trials < 0.02


def test_playouts_depend_on_nothing_but_start_policy_seed_and_number() -> None:
    log = finished()
    start = start_at(log, question_near(log, log.head * 2 // 3), "red")
    once = [playout(log.title, start, "random", "seed", n) for n in range(3)]
    assert once == [playout(log.title, start, "random", "seed", n) for n in range(3)]
    assert once != [playout(log.title, start, "random", "other", n) for n in range(3)]


def test_estimates_count_each_playout_once_and_sum_to_one() -> None:
    log = finished()
    start = start_at(log, question_near(log, log.head * 3 // 4))
    outcomes = [playout(log.title, start, "random", "seed", n) for n in range(12)]
    found = estimates([*outcomes, *outcomes[:5]], start.seats)
    assert [one.n for one in found] == [12] * 3
    assert sum(one.win for one in found) == pytest.approx(1)
    assert all(one.low <= one.win <= one.high for one in found)
    assert not precise(found, 0.01) and precise(found, 0.5)


def test_an_interval_narrows_with_its_sample() -> None:
    wide, narrow = wilson(0.3, 20), wilson(0.3, 2000)
    assert narrow[1] - narrow[0] < wide[1] - wide[0] and wilson(0.0, 0) == (0.0, 1.0)


def test_the_luck_sheet_counts_every_die_and_warns_of_small_samples() -> None:
    log = finished()
    rows = sheet(log.raw())
    rolled = sum(len(outcome.values) for event in log.raw() for outcome in event.chance if hasattr(outcome, "values"))
    assert sum(row.n for row in rows) == rolled
    assert all(row.note for row in rows if row.n < 30)
