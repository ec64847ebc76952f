"""S16: the dice are fair, every draw follows from the committed seed, and each seat had a share in it."""

from __future__ import annotations

import os
from collections import Counter
from functools import cache
from itertools import permutations

import pytest

from domain.kernel.ask import D6, Draw, Roll, Shuffle
from domain.kernel.chance import Fair, commitment
from domain.log import Log
from service import bundle
from tests.proof.forger import whole
from tests.proof.smugglers import COIN, D10, TITLE, deal, play

THROWS = 1_000_000 if os.environ.get("CHANCERY_SOAK") else 100_000
# Chi-square that fair dice exceed once in a thousand times, by degrees of freedom.
ONCE_IN_A_THOUSAND = {1: 10.828, 5: 20.515, 7: 24.322, 9: 27.877, 19: 43.820, 35: 66.619}


def chi_square(seen: Counter, outcomes: int) -> float:
    expected = sum(seen.values()) / outcomes
    return sum((n - expected) ** 2 / expected for n in seen.values()) + expected * (outcomes - len(seen))


@cache
def source() -> Fair:
    return Fair(b"f" * 32, ["r1", "b2"], "line")


@pytest.mark.parametrize("faces", [COIN, D6, tuple(range(1, 9)), D10, tuple(range(1, 21))], ids=lambda faces: f"d{len(faces)}")
def test_S16_every_kind_of_die_is_fair(faces):
    fair, roll = source(), Roll(10, "dice", "", faces=faces)
    seen = Counter(face for ordinal in range(THROWS // 10) for face in fair(roll, faces, ordinal))
    assert sum(seen.values()) == THROWS
    assert chi_square(seen, len(faces)) < ONCE_IN_A_THOUSAND[len(faces) - 1]


def test_S16_two_dice_of_one_roll_and_the_same_die_of_two_rolls_are_independent():
    fair, roll = source(), Roll(2, "dice", "", faces=D6)
    rolls = [tuple(fair(roll, D6, ordinal)) for ordinal in range(THROWS // 10)]
    assert chi_square(Counter(rolls), 36) < ONCE_IN_A_THOUSAND[35]
    assert chi_square(Counter(zip((a for a, _ in rolls), (a for a, _ in rolls[1:]))), 36) < ONCE_IN_A_THOUSAND[35]


def test_S16_shuffles_and_draws_are_fair():
    fair = source()
    orders = Counter(tuple(fair(Shuffle("deck", "shuffle", ""), "abc", ordinal)) for ordinal in range(THROWS // 5))
    assert set(orders) == set(permutations(range(3))) and chi_square(orders, 6) < ONCE_IN_A_THOUSAND[5]
    drawn = Counter(fair(Draw("bag", "draw", ""), "abcdefgh", ordinal) for ordinal in range(THROWS // 5))
    assert chi_square(drawn, 8) < ONCE_IN_A_THOUSAND[7]


def test_S16_a_loaded_die_would_be_noticed():
    fair = source()
    loaded = Counter(max(fair(Roll(1, "dice", ""), D6, n)[0], 2 if n % 50 == 0 else 1) for n in range(THROWS))
    assert chi_square(loaded, 6) > ONCE_IN_A_THOUSAND[5]


@pytest.mark.parametrize(
    "other", [Fair(b"g" * 32, ["r1", "b2"], "line"), Fair(b"f" * 32, ["r1", "b3"], "line"), Fair(b"f" * 32, ["r1", "b2"], "fork")]
)
def test_S16_seed_nonce_of_every_seat_and_line_all_count(other):
    roll = Roll(40, "dice", "")
    assert source()(roll, D6, 0) != other(roll, D6, 0)


@cache
def finished() -> Log:
    return play(deal(rounds=60, copies=99))


def test_S16_every_draw_of_a_finished_game_follows_from_the_seed_without_the_rules():
    draws = sum(len(item.chance) for item in finished().raw())
    found = bundle.check(whole(finished())).draws
    assert draws > 200 and (found.recomputed, found.left) == (draws, 0)


def test_S16_and_with_the_rules():
    checked = bundle.check(whole(finished()))
    (report,) = bundle.rerun(checked, lambda id, rules: TITLE)
    assert report.clean and report.draws == checked.draws.recomputed


def test_S16_the_seed_is_committed_to_in_the_first_event():
    assert finished().raw()[0].answer["commitment"] == commitment(finished().match.seed)
