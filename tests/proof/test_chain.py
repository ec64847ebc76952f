"""The chain: what it commits to, and what the bare commitments do not tell."""

from __future__ import annotations

import msgspec
import pytest

from domain.audit import audit
from domain.kernel import chain
from domain.kernel.errors import Refused
from domain.kernel.event import ADVANCED, Event
from domain.kernel.ops import Set
from domain.kernel.schema import ARBITER
from domain.log import Line, Match
from service.store.memory import MemoryStore
from tests.proof.smugglers import deal, play


def test_S9_an_event_with_nothing_hidden_has_the_same_commitments_as_one_with_a_secret():
    """Else a link that can be made from the public part alone would tell that blue's ledger did not change."""
    log = deal()
    plain = Event(9, ADVANCED, ops=[Set("round", 1, 2)])
    secret = msgspec.structs.replace(plain, ops=[*plain.ops, Set("ledger:blue", 1, 2)])
    one, other = (chain.commitments(log.schema, item, b"k" * 32) for item in (plain, secret))
    assert one[0] == other[0]
    assert set(one[1]) == set(other[1]) == {"red", "blue", "green", ARBITER}
    assert one[1]["red"] == other[1]["red"] and one[1]["blue"] != other[1]["blue"]


def test_S9_the_same_secret_on_two_lines_gives_different_commitments():
    log = deal()
    item = log.raw()[-1]
    here, there = (chain.commitments(log.schema, item, chain.secret(log.match.seed, line))[1] for line in ("a", "b"))
    assert not set(here.values()) & set(there.values())


def test_S9_a_salt_of_one_seat_says_nothing_about_another_salt():
    schema = deal().schema
    salts = {salt for version in range(20) for salt in chain.salts(schema, b"k" * 32, version).values()}
    assert len(salts) == 20 * len(("red", "blue", "green", ARBITER)) and all(len(salt) == 32 for salt in salts)


def test_L6_a_record_keeps_its_luck_under_another_id_and_is_not_played_on():
    log = play(deal("old"), 20)
    store = MemoryStore()
    store.add_match(Match("new", "smugglers", log.match.seed), Line("new", "new", origin="old"))
    store.append("new", log.raw())
    copy = type(log)(store, log.title, store.match("new"), store.line("new"))
    assert audit(copy).clean
    ask = copy.run.asks[0]
    with pytest.raises(Refused, match="fork it to play on"):
        copy.decide(ask.seat, ask.key, next(ask.all()))
    branch = copy.fork("branch")
    branch.decide(ask.seat, ask.key, next(ask.all()))
    assert branch.head > copy.head and audit(branch).clean
