"""Every title keeps the contract (L9): the laws of `domain.contract` and the swapped worlds of `domain.worlds`.

    CONTRACT_TITLES=small-court CONTRACT_GAMES=3 CONTRACT_PAIRS=2000 pytest tests/contract/test_titles.py

holds one title to it, more thoroughly than usual.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from domain import contract, worlds
from tests.contract.sample import PAIRS, TITLES, sampled

titles = pytest.mark.parametrize("title", TITLES)


@titles
def test_random_games_can_be_played(title):
    for game in sampled(title):
        assert len(game.groups) > 1, f"{game.name} asks nobody"


@pytest.mark.parametrize("law", contract.LAWS)
@titles
def test_law(title, law):
    for game in sampled(title):
        contract.LAWS[law](game)


@titles
def test_no_seat_can_tell_swapped_worlds_apart(title):
    games = sampled(title)
    compared = []

    @settings(
        max_examples=PAIRS,
        derandomize=True,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.sampled_from(games), st.integers(0, 2**32))
    def alike(game, seed):
        compared.append(worlds.differing(game, seed))

    alike()
    assert any(compared) or all(length is None for length in compared), "no pair of worlds could be compared at all"


def test_the_proof_title_meets_all_it_was_made_for():
    games = sampled("small-court")
    title = games[0].title
    met = {("decisions", item.ask) for game in games for item in game.events}
    met |= {("chances", outcome.key) for game in games for item in game.events for outcome in item.chance}
    met |= {pair for game in games for item in game.events for pair in title.exercised(item)}
    assert {(kind, name) for kind, names in title.catalogue.items() for name in names} <= met
