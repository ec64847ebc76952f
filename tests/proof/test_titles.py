"""Every title there is can be proven: exported for every viewer, checked without its rules, re-run with them."""

from __future__ import annotations

from random import Random

import pytest

from domain import games
from domain.bots import choose
from domain.kernel.errors import Refused
from domain.kernel.title import Title
from domain.log import Log, Match
from domain.whatif import suppose_line
from service import bundle
from service.store.memory import MemoryStore
from tests.contract.proof import TITLE as SMALL_COURT
from tests.domain.games_played import play
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


@pytest.mark.parametrize(
    ("id", "reading"), [("column-of-fire", {"allow_negative_vp": True}), ("generalship", {"follow_order": "rotate"})]
)
def test_a_ruling_by_another_reading_is_part_of_the_proof_and_supposed_worlds_are_not(id, reading):
    log, rng = play(id, 3, "proven", stop=30), Random(4)
    log.rule({"text": "read it so"}, options=reading)
    while log.head < 70:
        ask = choose(log.run, rng)
        log.decide(ask.seat, ask.key, ask.sample(rng))
    world = suppose_line(log, "supposed", log.head, log.run.asks[0].seat, rng)
    assert reading.items() <= world.terms()["options"].items(), "a supposed world goes by the same reading"
    checked = bundle.check(bundle.export(log, "arbiter", KEY))
    assert [line.id for line in checked.manifest.lines] == [log.line.id] and world.line.id == "supposed"
    assert [report.clean for report in bundle.rerun(checked, games.library)] == [True]
    for viewer in ("spectator", *log.schema.seats):
        assert bundle.check(bundle.export(log, viewer, KEY)).events[log.line.id] == log.events(viewer)
    with pytest.raises(Refused, match="a world that somebody supposed"):
        bundle.export(world, "arbiter", KEY)
