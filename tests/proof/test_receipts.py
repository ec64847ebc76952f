"""Receipts, promises and heads: what the server signed, it can be held to."""

from __future__ import annotations

import hashlib
from functools import cache

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain import proof
from domain.kernel import chain
from domain.log import Log
from domain.proof import Entry, Head, Promise, Signed, Unproven
from service import bundle
from tests.proof.forger import KEY, rewritten, seen_by, whole
from tests.proof.smugglers import deal, play


@cache
def game() -> Log:
    return play(deal(rounds=10))


def bid(log: Log, seat: str = "red"):
    return next(item for item in log.raw() if item.ask == "bid" and item.seat == seat)


def test_a_receipt_says_what_was_accepted_where_and_when():
    item = bid(game())
    signed = proof.sign(KEY, proof.receipt("match-1", "match-1", item, b"BID 3 please"))
    proof.check_signature(signed)
    says = signed.says
    assert (says.seat, says.ask, says.version, says.at) == ("red", "bid", item.version, item.at)
    assert says.answer == hashlib.sha256(b"BID 3 please").hexdigest() and says.link == item.link.hex()
    assert msgspec.json.decode(msgspec.json.encode(signed), type=Signed) == signed


def test_an_answer_that_came_as_data_is_hashed_in_one_form():
    item = bid(game())
    assert proof.receipt("m", "m", item).answer == hashlib.sha256(str(item.answer).encode()).hexdigest()
    assert proof.received({"b": 1, "a": [2]}) == proof.received({"a": [2], "b": 1})


def test_every_decision_has_a_receipt_that_the_finished_match_bears_out():
    checked = bundle.check(whole(game()))
    decisions = [item for item in game().raw() if item.ask]
    assert len(decisions) > 50
    for item in decisions:
        bundle.stands(checked, proof.sign(KEY, proof.receipt("match-1", "match-1", item)))


@pytest.mark.parametrize("field", ["match", "line", "version", "link", "seat", "ask", "answer", "at"])
def test_a_receipt_with_anything_changed_is_not_the_servers(field):
    signed = proof.sign(KEY, proof.receipt("match-1", "match-1", bid(game())))
    value = getattr(signed.says, field)
    forged = msgspec.structs.replace(signed.says, **{field: value + 1 if isinstance(value, int) else value + "x"})
    with pytest.raises(Unproven, match="signature"):
        proof.check_signature(msgspec.structs.replace(signed, says=forged))


def test_a_receipt_convicts_a_server_that_changed_the_decision_since():
    item = bid(game())
    receipt = proof.sign(KEY, proof.receipt("match-1", "match-1", item))
    changed = rewritten(game(), lambda other: msgspec.structs.replace(other, cause="later") if other.version == 2 else other)
    with pytest.raises(Unproven, match="signed for something else") as caught:
        bundle.stands(bundle.check(whole(changed)), receipt)
    assert caught.value.version == item.version


def test_a_receipt_convicts_a_server_that_left_the_decision_out():
    last = [item for item in game().raw() if item.ask][-1]
    receipt = proof.sign(KEY, proof.receipt("match-1", "match-1", last))
    shorter = bundle.check(whole(rewritten(game(), lambda item: item, last.version - 1)))
    with pytest.raises(Unproven, match="missing"):
        bundle.stands(shorter, receipt)


def test_a_statement_of_another_key_says_nothing_about_this_bundle():
    other = Ed25519PrivateKey.from_private_bytes(b"o" * 32)
    with pytest.raises(Unproven, match="another key"):
        bundle.stands(bundle.check(whole(game())), proof.sign(other, proof.receipt("match-1", "match-1", bid(game()))))


def test_a_signature_under_one_kind_of_statement_does_not_serve_for_another():
    head = Head("m", "m", 1, "00")
    forged = Signed(Promise("m", "m", "1", "00", 1), proof.public_key(KEY), proof.sign(KEY, head).signature)
    with pytest.raises(Unproven):
        proof.check_signature(forged)


def test_S16_the_seed_and_the_nonce_promised_at_joining_are_the_ones_used():
    checked, header = bundle.check(seen_by(game(), "red")), game().header
    kept = Promise("match-1", "red", header.commitment, "r1", 1)
    bundle.stands(checked, proof.sign(KEY, kept))
    with pytest.raises(Unproven, match="seed is not the one that was promised"):
        bundle.stands(checked, proof.sign(KEY, msgspec.structs.replace(kept, commitment="00" * 32)))
    with pytest.raises(Unproven, match="nonce of red was left out"):
        bundle.stands(checked, proof.sign(KEY, msgspec.structs.replace(kept, nonce="mine")))


def entries(log: Log, seat: str) -> list[Entry]:
    return [proof.entry(log.schema, item, seat, log.secret_of(item.version)) for item in log.raw()]


@pytest.mark.parametrize("seat", ["red", "blue", "green", "spectator"])
def test_a_seat_checks_its_own_log_without_any_secret_but_its_own_salts(seat):
    link = chain.START
    for version, held in enumerate(entries(game(), seat), 1):
        proof.check_entry(held, seat, game().schema.seats, link, version)
        link = held.link
    assert link == game().raw()[-1].link


@pytest.mark.parametrize(
    "change",
    [
        lambda held: {"salt": b"x" * 32},
        lambda held: {"salt": b""},
        lambda held: {"salt": held.salt * 40},
        lambda held: {"link": b"x" * 32},
        lambda held: {"mine": None},
        lambda held: {"others": {**held.others, "blue": b"x" * 32}},
        lambda held: {"others": {name: value for name, value in held.others.items() if name != "green"}},
        lambda held: {"others": {**held.others, "red": b"x" * 32}},
        lambda held: {"others": {**held.others, "nobody": b"x" * 32}},
        lambda held: {"others": {**held.others, "blue": held.others["blue"] + b"green=" + held.others["green"]}},
        lambda held: {"public": msgspec.structs.replace(held.public, at=1)},
        lambda held: {"public": msgspec.structs.replace(held.public, version=9)},
        lambda held: {"mine": msgspec.structs.replace(held.mine, answer=9)},
    ],
)
def test_a_seat_sees_any_change_to_what_it_holds(change):
    version = bid(game()).version
    held = entries(game(), "red")[version - 1]
    before = game().raw()[version - 2].link
    proof.check_entry(held, "red", game().schema.seats, before, version)
    with pytest.raises(Unproven):
        proof.check_entry(msgspec.structs.replace(held, **change(held)), "red", game().schema.seats, before, version)
