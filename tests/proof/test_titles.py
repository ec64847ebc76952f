"""Every title there is can be proven: exported for every viewer, checked without its rules, re-run with them."""

from __future__ import annotations

from random import Random

import pytest

from domain import games
from domain.bots import choose
from domain.kernel.title import Title
from domain.log import Log, Match
from service import bundle
from service.store.memory import MemoryStore
from tests.contract.proof import TITLE as SMALL_COURT
from tests.proof.forger import KEY


@pytest.mark.parametrize("title", [SMALL_COURT, *games.all()], ids=lambda title: title.id)
def test_a_game_of_every_title_is_proven_for_every_viewer(title: Title):
    rng, seats = Random(3), title.seats(max(title.players))
    log = Log.create(MemoryStore(), title, Match("m", title.id, b"z" * 32), seats=seats, nonces=[f"nonce {seat}" for seat in seats])
    while not log.run.over and log.head < 60:
        ask = choose(log.run, rng)
        log.decide(ask.seat, ask.key, ask.sample(rng))
    whole = bundle.check(bundle.export(log, "arbiter", KEY))
    assert whole.draws.recomputed + whole.draws.left == sum(len(item.chance) for item in log.raw())
    assert [report.clean for report in bundle.rerun(whole, lambda id, rules: title)] == [True]
    for viewer in ("spectator", *seats):
        held = bundle.check(bundle.export(log, viewer, KEY))
        assert held.events["m"] == log.events(viewer)
        bundle.agree(whole, held)
