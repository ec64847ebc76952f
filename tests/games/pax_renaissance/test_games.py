"""Whole games: golden ones, and random ones over bankers and options with every event checked."""

from random import Random

import pytest

from domain.bots import POLICIES, guess
from domain.fuzz import play, unmet
from domain.games.pax_renaissance import TITLE, bias
from domain.kernel import Run
from tests.games.pax_renaissance import golden


@pytest.mark.parametrize("name", golden.GAMES)
def test_a_golden_game_is_replayed_word_for_word(name):
    text = golden.path(name).read_text(encoding="utf-8")
    assert golden.replay(text) == text
    ending = text.splitlines()[-1].partition(":")[0]
    assert ending == name if name in golden.ENDINGS else ending in golden.ENDINGS


@pytest.mark.parametrize("number", range(24))
def test_a_random_game_keeps_every_invariant(number):
    played = play(TITLE, "tests", number)
    assert played.dump is None, f"{played.dump.failure}: {played.dump.detail}"
    assert played.winners


def test_a_few_ambitious_games_meet_every_op_and_one_shot():
    def ambitious(run, ask, rng):
        return bias(run, ask, rng) or ask.sample(rng)

    with_options = [number for number in range(48) if number // len(TITLE.players) % 2]
    seen = {pair for number in with_options for pair in play(TITLE, "tests", number, ambitious).seen}
    missing = unmet(TITLE, seen)
    assert missing.get("ops", []) == [] and missing.get("one_shots", []) == []


def test_a_greedy_banker_beats_random_ones():
    won = 0
    for number in range(9):
        rng = Random(number)
        seats = TITLE.seats(TITLE.players[number % 3])
        run = Run(TITLE, TITLE.lay(seats), guess(rng))
        while not run.over:
            ask = run.asks[0]
            policy = "greedy" if ask.seat == seats[number % len(seats)] else "random"
            run.answer(ask.seat, ask.key, POLICIES[policy](run, ask, rng))
        won += seats[number % len(seats)] in TITLE.winners(run.table)
    assert won >= 6  # a random one would win three or four
