"""The contract finds what it is there for: each fault, planted in a title that is clean without it, is named by the right law."""

from __future__ import annotations

import sys

import msgspec
import pytest

from domain import contract, worlds
from domain.contract import Broken, play
from domain.kernel import redact
from service.store.memory import MemoryStore
from tests.contract import faults, proof
from tests.contract.test_anywhere import fingerprints

GAMES, PAIRS = 12, 60


def held_to_the_contract(title):
    """Play the title and check everything; the first law broken is raised."""
    for number in range(GAMES):
        game = play(title, MemoryStore(), f"planted-{number}", players=title.players[number % 3], options={"rounds": 3})
        for law in contract.LAWS.values():
            law(game)
        for pair in range(PAIRS):
            worlds.differing(game, pair)


def caught(title, law, message):
    with pytest.raises(Broken, match=message) as found:
        held_to_the_contract(title)
    assert law in found.value.law, str(found.value)


def test_without_a_fault_nothing_is_found():
    held_to_the_contract(proof.TITLE)


# -- leaks ----------------------------------------------------------------------------------------------

ALIKE = "no view differs between worlds that look alike"


def test_a_window_that_asks_only_holders(monkeypatch):
    monkeypatch.setattr(proof, "stands", faults.only_holders_are_asked)
    caught(proof.TITLE, ALIKE, r"can tell .*veto.* by what is asked: .*ask all who could publicly react")


def test_a_question_skipped_when_the_hand_has_none(monkeypatch):
    monkeypatch.setattr(proof, "stands", faults.skipped_when_the_hand_has_none)
    caught(proof.TITLE, ALIKE, r"can tell .*veto.* by what is asked")


def test_dice_rolled_only_where_something_is_held(monkeypatch):
    monkeypatch.setattr(proof, "stands", faults.dice_for_holders)
    caught(proof.TITLE, ALIKE, r"can tell .*veto.* by the event after .*Rolled")


def test_published_draw_outcomes(monkeypatch):
    monkeypatch.setattr(redact, "event", faults.draws_published)
    caught(proof.TITLE, ALIKE, r"by the event after .*: chance is \[")


def test_the_order_of_blurred_moves(monkeypatch):
    monkeypatch.setattr(redact, "_ops", faults.blurred_in_order)
    caught(proof.TITLE, ALIKE, r"can tell .* by the event after .*: ops is ")


def test_a_secret_answer_forgotten(monkeypatch):
    monkeypatch.setitem(proof.LETTERS_WORK, "forger", faults.secret_forgotten)
    caught(
        proof.TITLE,
        "a public answer names nothing that stays hidden",
        r"'s answer to slip tells \w+ about .* in hand:.*: make it secret",
    )


def test_a_peek_told_aloud(monkeypatch):
    monkeypatch.setitem(proof.LETTERS_WORK, "spy", faults.peek_told_aloud)
    caught(proof.TITLE, ALIKE, r"by the event after spied_on: cites is .*SC 7.4")


def test_a_peek_hidden_in_the_options_of_a_question(monkeypatch):
    monkeypatch.setitem(proof.LETTERS_WORK, "thief", faults.peek_by_question)
    caught(proof.TITLE, ALIKE, r"by what is asked: .*t\.show it")


def test_a_refusal_that_tells_what_another_holds(monkeypatch):
    monkeypatch.setitem(proof.DEEDS, "rest", faults.told_by_refusal)
    caught(proof.TITLE, ALIKE, r"by a refused answer to slip")


# -- memory, order and atomicity ------------------------------------------------------------------------

LIVE = "loading from the last mark asks the live question"


def test_a_module_global_that_outlives_a_step():
    caught(faults.variant(turn=faults.a_global_outlives_its_step), LIVE, "a rule remembers something that is not on the table")


def test_a_bag_read_in_storage_order():
    caught(faults.variant(posts=faults.an_unsorted_bag), LIVE, "reads a bag or set in storage order")


def test_a_set_in_iteration():
    found = {
        fingerprints(sys.executable, seed, "tests.contract.faults:SET_IN_ITERATION")["tests.contract.faults:SET_IN_ITERATION"]
        for seed in range(4)
    }
    assert len(found) > 1, "the order of the set did not show: the hash seed test would not find it"


def test_a_zone_changed_past_the_table_verbs(monkeypatch):
    monkeypatch.setitem(proof.DEEDS, "rest", faults.past_the_verbs)
    caught(proof.TITLE, "the ops alone give the live table", "something changed it without an op")


def test_an_op_written_past_the_table_verbs(monkeypatch):
    monkeypatch.setitem(proof.DEEDS, "rest", faults.op_forged_past_the_verbs)
    caught(proof.TITLE, "the ops alone give the live table", "is not the folded one")


def test_a_rule_that_raises_half_way(monkeypatch):
    monkeypatch.setitem(proof.DEEDS, "rest", faults.raises_half_way)
    caught(
        proof.TITLE,
        "an answer is atomic",
        r"the rules failed on \w+'s answer 'rest'.*the rule has a bug.*the table stayed as it was",
    )


def test_a_rule_that_changes_the_answer_it_was_given():
    caught(faults.variant(close=faults.eats_its_answer), "the audit is clean", "the rules refuse this decision")


def test_a_question_without_a_legal_answer(monkeypatch):
    monkeypatch.setitem(proof.DEEDS, "rest", faults.nothing_to_answer)
    caught(proof.TITLE, "no question without a legal answer", "slip to")


def test_a_question_that_cites_no_rule(monkeypatch):
    monkeypatch.setitem(proof.DEEDS, "rest", faults.no_rule_cited)
    caught(proof.TITLE, "every question cites its rule", "slip to")


def test_a_board_that_needs_hidden_faces():
    caught(msgspec.structs.replace(proof.TITLE, board=faults.reads_the_view), "a title can speak about every view", "for ash")
