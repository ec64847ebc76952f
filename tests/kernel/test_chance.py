"""Chance: fair, unbiased, checkable, and a fork or an undo never learns from it (L6)."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest

from domain.kernel import END, Ask, BrokenLog, Draw, Drawn, Refused, Roll, Rolled, Shuffle, Shuffled
from domain.kernel.chance import Fair, Recorded, commitment, record
from tests.kernel import toy

SEED = b"a seed of the tests"
DIE, DRAW, SHUFFLE = Roll(1, "die", "T 1"), Draw("deck", "card", "T 2"), Shuffle("pile", "mix", "T 3")


def fair(line: str = "main", nonces: tuple[str, ...] = ("n1", "n2"), seed: bytes = SEED) -> Fair:
    return Fair(seed, nonces, line)


def surprise(found: Counter, cells: int) -> float:
    """Chi-square against all cells being equally likely."""
    due = found.total() / cells
    return sum((found[cell] - due) ** 2 / due for cell in found) + (cells - len(found)) * due


def test_dice_are_uniform():
    assert surprise(Counter(fair()(DIE, (1, 2, 3, 4, 5, 6), n)[0] for n in range(12_000)), 6) < 20.5  # p = 0.001 at 5 degrees


def test_several_dice_of_one_roll_are_independent():
    pairs = Counter(tuple(fair()(Roll(2, "dice", "T 1"), (1, 2, 3, 4, 5, 6), n)) for n in range(12_000))
    assert surprise(pairs, 36) < 66.7


def test_draws_and_shuffles_are_uniform():
    assert surprise(Counter(fair()(DRAW, "abcde", n) for n in range(10_000)), 5) < 18.5
    orders = Counter(tuple(fair()(SHUFFLE, "abcd", n)) for n in range(12_000))
    assert set(orders) == set(permutations(range(4))) and surprise(orders, 24) < 49.8


def test_values_that_would_favour_low_numbers_are_drawn_again():
    """Given a pool of three quarters of the range, a plain remainder would hit its first third half of the time."""
    n = 3 << 62
    low = sum(fair().below(n, ordinal, 0) < n // 3 for ordinal in range(4_000))
    assert abs(low / 4_000 - 1 / 3) < 0.03
    assert all(0 <= fair().below(n, ordinal, 0) < n for ordinal in range(100))


def test_an_outcome_depends_on_the_seed_every_nonce_the_line_and_the_number_and_on_nothing_else():
    def outcomes(source: Fair, start: int = 0) -> list[int]:
        return [source.below(1000, ordinal, 0) for ordinal in range(start, start + 20)]

    base = outcomes(fair())
    assert outcomes(fair()) == base
    others = [fair("branch"), fair(nonces=("n1", "n3")), fair(nonces=("n0", "n2")), fair(seed=b"another"), fair(nonces=())]
    assert all(sum(a == b for a, b in zip(outcomes(other), base, strict=True)) < 4 for other in others)
    used = fair()
    outcomes(used, 100)
    assert outcomes(used) == base, "draws made before must not matter"


def test_the_commitment_gives_the_seed_away_to_nobody_and_binds_it():
    assert commitment(SEED) == commitment(SEED) != commitment(b"another") and SEED.hex() not in commitment(SEED)


@pytest.mark.parametrize(
    ("request_", "pool", "outcome"),
    [
        (DIE, (1, 2), Rolled("die", "", [1, 2, 3, 4, 5, 6], [7])),
        (DIE, (1, 2, 3, 4, 5, 6), Rolled("die", "", [1, 2, 3, 4, 5, 6], [1, 2])),
        (DIE, (1, 2, 3, 4, 5, 6), Rolled("other", "", [1, 2, 3, 4, 5, 6], [1])),
        (DIE, (1, 2, 3, 4, 5, 6), Rolled("die", "", [1, 1, 1, 1, 1, 6], [1])),
        (DIE, (1, 2, 3, 4, 5, 6), Drawn("die", "deck", "ace")),
        (DRAW, ["ace"], Drawn("card", "deck", "king")),
        (DRAW, ["ace"], Drawn("card", "pile", "ace")),
        (SHUFFLE, ["ace", "king"], Shuffled("mix", "pile", [0, 0])),
        (SHUFFLE, ["ace", "king"], Shuffled("mix", "line", [1, 0])),
    ],
)
def test_recorded_chance_that_cannot_have_come_up_is_refused(request_, pool, outcome):
    with pytest.raises(BrokenLog):
        Recorded([outcome])(request_, pool, 0)


def test_recorded_chance_gives_what_was_stored_and_then_has_no_more():
    for request, pool in ((DIE, (1, 2, 3, 4, 5, 6)), (DRAW, ["ace", "king"]), (SHUFFLE, ["ace", "king"])):
        value = fair()(request, pool, 3)
        replay = Recorded([record(request, value)])
        assert replay(request, pool, 0) == value
        with pytest.raises(BrokenLog, match="the log has none"):
            replay(request, pool, 0)


# -- on a log -------------------------------------------------------------------------------------------


def rolls(log):
    return [outcome.values[0] for item in log.raw() for outcome in item.chance]


def choice_then_die(t):
    for _ in range(12):
        t.set("word", (yield Ask("red", "word", ["yes", "no"], "T 1")), cite="T 1")
        yield Ask("red", "ready", ["roll"], "T 2")
        [pips] = yield Roll(1, "die", "T 2")
        t.add("clock", pips)
    return END


def test_L6_a_fork_never_sees_the_future_of_its_parent():
    main = toy.log(toy.title(choice_then_die))
    for _ in range(12):
        main.decide("red", "word", "yes")
        main.decide("red", "ready", "roll")
    futures = {tuple(rolls(main))}
    for name in ("a", "b", "c"):
        fork = main.fork(name, 1)
        for _ in range(12):
            fork.decide("red", "word", "yes")
            fork.decide("red", "ready", "roll")
        futures.add(tuple(rolls(fork)))
    assert len(futures) == 4, "every line has luck of its own"


def test_L6_an_undone_decision_does_not_change_the_next_draw():
    """Given the same number of effective draws, undoing and deciding otherwise meets the same die: nobody fishes."""
    calm, fishing = toy.log(toy.title(choice_then_die)), toy.log(toy.title(choice_then_die))
    calm.decide("red", "word", "no")
    for word in ("yes", "no", "yes"):
        fishing.decide("red", "word", word)
        fishing.undo("red")
    fishing.decide("red", "word", "no")
    for log in (calm, fishing):
        log.decide("red", "ready", "roll")
    assert rolls(calm) == rolls(fishing) and fishing.head > calm.head


def test_L6_what_was_drawn_cannot_be_taken_back_by_its_seat_alone():
    log = toy.log(toy.title(choice_then_die))
    log.decide("red", "word", "no")
    log.decide("red", "ready", "roll")
    with pytest.raises(Refused, match="chance was drawn"):
        log.undo("red")
