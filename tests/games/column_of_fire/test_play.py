"""Whole games: golden chronicles, random play under every option, bots."""

from random import Random

import pytest

from domain.bots import POLICIES, choose, guess
from domain.fuzz import play as fuzzed
from domain.games.column_of_fire import TITLE
from domain.kernel import Run
from tests.games.column_of_fire import golden


def winners(players: int, seed: int, *policies: str) -> list[str]:
    """Who wins a game of bots, one policy a seat."""
    rng = Random(seed)
    seats = TITLE.seats(players)
    run = Run(TITLE, TITLE.lay(seats), guess(rng))
    while not run.over:
        ask = choose(run, rng)
        run.answer(ask.seat, ask.key, POLICIES[policies[seats.index(ask.seat)]](run, ask, rng))
    return list(TITLE.winners(run.table))


@pytest.mark.parametrize("players", TITLE.players)
def test_golden_game(players):
    text = golden.path(players).read_text(encoding="utf-8")
    assert golden.replay(players, text) == text


@pytest.mark.parametrize("number", range(30))
def test_random_games_break_nothing(number):
    """Player counts and options vary with the number; invariants hold after every event."""
    outcome = fuzzed(TITLE, "suite", number)
    assert outcome.dump is None, outcome.dump.detail
    assert outcome.winners


@pytest.mark.parametrize("players", TITLE.players)
def test_a_greedy_player_beats_random_ones(players):
    won = sum(winners(players, seed, "greedy", *["random"] * (players - 1)) == ["red"] for seed in range(4))
    assert won >= 3


def test_invariants_find_a_lost_piece(column):
    case = column().start()
    assert TITLE.invariants(case.t) == []
    for item, zone in (("red", "houses:red"), ("white", "free:yellow"), (case.t.face_up("spain"), "top:spain"), ("AD01", "pile:1")):
        broken = case.t.copy()
        zone = zone if item in broken.zones[zone] else "pile:2"
        broken.move(item, zone, "box")
        assert TITLE.invariants(broken)
    for register, value in (("vp:red", -1), ("vp:red", 50), ("die:red:black", 6), ("disc:red", case.t.disc("yellow"))):
        broken = case.t.copy()
        broken.set(register, value)
        assert TITLE.invariants(broken), register


def test_a_campaign_meets_what_the_catalogue_names():
    seen = {item for number in range(24) for item in fuzzed(TITLE, "catalogue", number).seen}
    assert {name for kind, name in seen if kind == "decisions"} == set(TITLE.catalogue["decisions"])
    assert {name for kind, name in seen if kind == "spaces"} == set(TITLE.catalogue["spaces"])
    assert {name for kind, name in seen if kind == "endings"} == set(TITLE.catalogue["endings"])


def test_every_op_of_a_game_carries_its_rule():
    rng = Random(1)
    run = Run(TITLE, TITLE.lay(TITLE.seats(3), {"choose_colours": True}), guess(rng))
    parts = list(run.first)
    while not run.over:
        ask = choose(run, rng)
        assert ask.cite.startswith("CF-")
        parts += run.answer(ask.seat, ask.key, ask.sample(rng))
    for part in parts:
        cited = {cite.op for cite in part.cites}
        bare = [op for index, op in enumerate(part.ops) if index not in cited and getattr(op, "register", "") != "step"]
        assert bare == []
