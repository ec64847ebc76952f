"""The laws of the kernel, one by one. Each test fails where its law is bent; the details stand in the other modules here."""

from __future__ import annotations

import pytest

from domain import contract
from domain.audit import audit
from domain.kernel import ARBITER, END, SPECTATOR, Ask, BrokenLog, Move, Refused, Roll, Run, Set, Table, redact
from domain.kernel.chance import Fair
from domain.kernel.event import ADVANCED, QUESTION, UNDONE, decode, encode
from domain.log import groups
from tests.contract.sample import game
from tests.kernel import toy


@pytest.fixture(scope="module", params=[(2, 1), (3, 0), (4, 3)], ids=["2 seats", "3 seats", "4 seats"])
def played(request):
    return game("small-court", *request.param)


def test_L1_every_step_starts_on_the_table_alone(played):
    """At every mark a run that knows nothing but the table asks what is asked live."""
    contract.loading_is_live(played)
    assert len(played.marks) > 10


def test_L1_a_local_does_not_outlive_its_step():
    """Given a step that ends, the next one is a new coroutine: what the first knew is on the table or lost."""
    seen = []

    def first(t):
        t.set("word", (yield Ask("red", "word", ["yes"], "T 1")))
        return "second"

    def second(t):
        seen.append((t.get("word"), type(t)))
        yield Ask("red", "more", ["on"], "T 2")
        return END

    run = Run(toy.title(first, steps={"second": second}), toy.table(), Fair(b"s", (), "l"))
    run.answer("red", "word", "yes")
    Run(toy.title(first, steps={"second": second}), run.table.copy(), Fair(b"s", (), "l"))
    assert seen == [("yes", Table)] * 2


def test_L2_an_event_never_spans_a_step(played):
    """The step register changes only in the last op of a marked event; what follows unasked is an event of its own."""
    for item in played.events:
        steps = [index for index, op in enumerate(item.ops) if type(op) is Set and op.register == "step"]
        assert steps in ([], [len(item.ops) - 1]) and (item.mark or not steps)
    assert any(item.kind == ADVANCED for item in played.events)


def test_L2_questions_are_where_groups_end(played):
    for group in groups(played.events):
        assert all(item.mark for item in group[:-1]), "within a group only steps end"


def test_L3_the_same_seed_and_decisions_give_the_same_bytes(played):
    log, again = played.log, toy.MemoryStore()
    copy = type(log).create(again, log.title, log.match, seats=log.header.seats, options=log.header.options)
    for item in log.raw():
        if item.ask:
            copy.decide(item.seat, item.ask, item.answer)
    assert [encode(item) for item in copy.raw()] == [encode(item) for item in log.raw()]


def test_L3_the_order_in_which_a_snapshot_is_read_back_does_not_matter(played):
    contract.loading_is_live(played)


def test_L4_apply_never_fails_on_our_log_and_fails_loudly_on_any_other(played):
    table = played.title.lay(played.schema.seats, played.schema.options)
    for item in played.events:
        table.fold(decode(encode(item)).ops)
    for missing in range(3):
        table = played.title.lay(played.schema.seats, played.schema.options)
        with pytest.raises(BrokenLog):
            for item in played.events[:missing] + played.events[missing + 1 :]:
                table.fold(item.ops)


def test_L5_a_seat_can_rebuild_its_own_view_and_nothing_more(played):
    contract.views_fold(played)


def test_L5_what_goes_into_another_hand_is_not_named(played):
    """Given letters dealt and drawn, no seat reads in its log which of them another seat got."""
    log = played.log
    for viewer in played.viewers:
        foreign = {f"hand:{seat}" for seat in played.schema.seats if seat != viewer}
        dealt = [
            op for item in log.events(viewer) for op in item.ops if type(op) is Move and op.dst in foreign and op.src == "deck"
        ]
        assert dealt and {op.item for op in dealt} == {"?"}
        assert not any(outcome.key == "blind_draw" for item in log.events(viewer) for outcome in item.chance)


def test_L5_a_spectator_sees_least_and_the_arbiter_all(played):
    log = played.log
    assert log.events(ARBITER) == log.raw()
    for item in log.raw():
        public = redact.event(log.schema, item, SPECTATOR)
        assert public.shown == [] and public.digest == b""


def test_L6_a_fork_never_sees_the_future():
    def dice(t):
        yield Ask("red", "go", ["on"], "T 1")
        yield Roll(20, "dice", "T 1")
        return END

    log = toy.log(toy.title(dice))
    forks = [log.fork(name, 1) for name in ("a", "b")]
    outcomes = {tuple(line.decide("red", "go", "on")[0].chance[0].values) for line in (log, *forks)}
    assert len(outcomes) == 3


def test_L7_nothing_is_deleted():
    """Whatever happens to a line, what was stored stays stored."""

    def words(t):
        t.set("word", (yield Ask("red", "word", ["yes", "no"], "T 1")))
        return "setup"

    log = toy.log(toy.title(words))
    stored = []
    for act in (
        lambda: log.decide("red", "word", "yes"),
        lambda: log.undo("red"),
        lambda: log.decide("red", "word", "no"),
        lambda: log.upgrade(toy.title(words, rules="2")),
        lambda: log.fork("branch").decide("red", "word", "yes"),
    ):
        before = log.raw()
        stored.append(act()[0].kind)
        assert log.raw()[: len(before)] == before
    assert stored == ["decided", UNDONE, "decided", "ruled", "decided"]


def test_L8_every_question_refusal_and_consequence_cites_its_rule(played):
    for item in played.events:
        assert not item.ask or (item.cites[0].op == QUESTION and item.cites[0].rule.startswith("SC "))
    run = played.run(0)
    for ask in (*run.asks, *run.offers):
        with pytest.raises(Refused) as refused:
            run.check(ask.seat, ask.key, {"no": "answer"})
        assert refused.value.rule == ask.cite and str(refused.value).startswith(ask.cite)
    uncited = [item for item in played.events if item.ops and not item.cites]
    assert all([op.register for op in item.ops if type(op) is Set] == ["step"] for item in uncited)


def test_L9_the_proof_title_passes_the_whole_contract(played):
    for law in contract.LAWS.values():
        law(played)
    assert audit(played.log).clean
