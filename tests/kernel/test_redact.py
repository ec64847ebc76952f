"""The gate: a viewer's own log gives exactly its own view, and what it may not know is not in it (L5)."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.kernel import (
    ARBITER,
    HIDDEN,
    SPECTATOR,
    Ask,
    Cite,
    Drawn,
    Event,
    Move,
    NotAsked,
    Pick,
    Refused,
    Reorder,
    Rolled,
    Set,
    Shown,
    Shuffled,
    Veil,
    redact,
)
from domain.kernel.event import DECIDED, QUESTION, encode
from tests.kernel import toy
from tests.kernel.test_ops import played

VIEWERS = [*toy.SEATS, SPECTATOR]
schema = toy.schema()


def cut(ops, sizes):
    """The ops as events of the given sizes, the rest in a last one."""
    events, at = [], 0
    for size in [*sizes, len(ops)]:
        events.append(Event(len(events) + 1, DECIDED, "red", "go", ops=ops[at : at + size]))
        at += size
    return events


@toy.examples(200)
@given(played(), st.lists(st.integers(0, 8), max_size=6))
def test_L5_folding_the_redacted_log_gives_the_redacted_table_at_every_version(table, sizes):
    whole = toy.table()
    views = {viewer: redact.table(whole, viewer) for viewer in VIEWERS}
    for item in cut(table.ops, sizes):
        whole.fold(item.ops)
        for viewer, view in views.items():
            redact.fold(view, viewer, redact.event(schema, item, viewer).ops)
            assert view.state() == redact.table(whole, viewer).state()


@toy.examples(200)
@given(played(), st.sampled_from(toy.SEATS))
def test_seats_that_are_no_insiders_see_what_a_spectator_sees(table, seat):
    item = Event(
        1, DECIDED, seat, "go", "x", ops=table.ops, cites=table.cites, veil=Veil([], ["blue"]), shown=[Shown("red", "deck", [])]
    )
    public = encode(redact.event(schema, item, SPECTATOR))
    for other in set(toy.SEATS) - redact.insiders(schema, item):
        assert encode(redact.event(schema, item, other)) == public


@toy.examples(200)
@given(played(), st.permutations(["1", "2"]))
def test_L5_events_that_differ_only_behind_equal_backs_look_alike(table, numbers):
    """Given two aces that never lie open, which of them moved, in which order and in how many moves does not show."""

    def renamed(op):
        if type(op) is Move:
            return msgspec.structs.replace(op, item=op.item[:-1] + numbers[int(op.item[-1]) - 1])
        return op

    levels = schema.levels(SPECTATOR)
    blurred = [op for op in table.ops if type(op) is not Move or max(levels[op.src], levels[op.dst]) < 3]
    one = Event(1, DECIDED, ops=blurred)
    other = Event(1, DECIDED, ops=[*map(renamed, blurred)])
    assert encode(redact.event(schema, one, SPECTATOR)) == encode(redact.event(schema, other, SPECTATOR))


def test_L5_order_and_grouping_of_blurred_moves_do_not_show():
    one = [Move("king:1", "camp", "deck"), Move("ace:1", "camp", "deck"), Move("ace:2", "camp", "deck")]
    other = [Move("ace:1", "camp", "deck", 2), Move("king:2", "camp", "deck")]
    seen = redact.event(schema, Event(1, DECIDED, ops=one), "red").ops
    assert seen == redact.event(schema, Event(1, DECIDED, ops=other), "red").ops
    assert seen == [Move("ace", "camp", "deck", 2), Move("king", "camp", "deck", 1)]


def test_a_hidden_row_can_pass_on_what_came_into_it_in_the_same_event():
    """Given an empty pile, a card slipped into it unseen and then turned up from it folds, although the blurred move is told last."""
    table = toy.table()
    table.move("ace:1", "box", "hand:red")
    view = redact.table(table, "blue")
    table.ops.clear()
    table.move("ace:1", "hand:red", "pile")
    table.move("ace:1", "pile", "open")
    redact.fold(view, "blue", redact.event(schema, Event(1, DECIDED, ops=table.ops), "blue").ops)
    assert view.state() == redact.table(table, "blue").state() and view.zones["open"] == {"ace:1": 1}


@pytest.mark.parametrize(
    ("op", "viewer", "seen"),
    [
        (Move("ace:1", "deck", "open"), "red", [Move("ace:1", "deck", "open")]),
        (Move("ace:1", "open", "deck"), "red", [Move("ace:1", "open", "deck")]),
        (Move("ace:1", "deck", "hand:red"), "red", [Move("ace:1", "deck", "hand:red")]),
        (Move("ace:1", "deck", "hand:red"), "blue", [Move(HIDDEN, "deck", "hand:red")]),
        (Move("ace:1", "deck", "camp"), "blue", [Move("ace", "deck", "camp")]),
        (Move("ace:1", "vault", "well", 1, -1, 0), "blue", []),
        (Move("ace:1", "vault", "deck"), "blue", [Move(HIDDEN, "vault", "deck")]),
        (Move("ace:1", "pile", "open", 1, 4), "blue", [Move("ace:1", "pile", "open")]),
        (Move("ace:1", "open", "pile", 1, -1, 4), "blue", [Move("ace:1", "open", "pile")]),
        (Move("ace:1", "line", "pile", 1, 2, 4), "blue", [Move("ace:1", "line", "pile", 1, 2)]),
        (Reorder("pile", [1, 0]), "blue", [Reorder("pile", [])]),
        (Reorder("well", [1, 0]), "blue", []),
        (Reorder("court:blue", [1, 0]), "blue", [Reorder("court:blue", [1, 0])]),
        (Set("clock", 1, 2), "blue", [Set("clock", 1, 2)]),
        (Set("word", None, "yes"), "blue", [Set("word", None, HIDDEN)]),
        (Set("word", "yes", "no"), "blue", []),
        (Set("word", "yes", None), "blue", [Set("word", HIDDEN, None)]),
        (Set("ghost", None, True), "blue", []),
        (Set("aim:red", None, "gold"), "red", [Set("aim:red", None, "gold")]),
    ],
)
def test_what_is_seen_of_an_op(op, viewer, seen):
    assert redact.event(schema, Event(1, DECIDED, ops=[op]), viewer).ops == seen
    assert redact.event(schema, Event(1, DECIDED, ops=[op]), ARBITER).ops == [op]


def test_a_view_hides_faces_order_values_and_whole_zones():
    table = toy.table()
    for zone in ("open", "deck", "camp", "vault", "line", "pile", "stack", "well", "hand:red"):
        table.move("king:1", "box", zone)
        table.move("ace:2", "box", zone)
    table.set("word", "yes")
    table.set("ghost", True)
    table.set("aim:red", "gold")
    view = redact.table(table, "blue")
    assert view.zones["deck"] == view.zones["hand:red"] == {HIDDEN: 2} and view.zones["camp"] == {"king": 1, "ace": 1}
    assert view.zones["pile"] == [HIDDEN, HIDDEN] and view.zones["stack"] == ["ace", "king"]
    assert view.zones["vault"] == {} and view.zones["well"] == [] and view.zones["line"] == ["king:1", "ace:2"]
    assert view.registers == {"word": HIDDEN, "aim:red": HIDDEN}
    assert redact.table(table, "red").zones["hand:red"] == {"king:1": 1, "ace:2": 1}
    assert redact.table(table, ARBITER).state() == table.state()
    assert table.registers["word"] == "yes", "the whole table stays whole"


def test_dice_are_public_draws_and_shuffles_are_not():
    chance = [Rolled("die", "red", [1, 2], [1]), Drawn("card", "deck", "ace:1"), Shuffled("mix", "pile", [0, 1])]
    for viewer in VIEWERS:
        assert redact.event(schema, Event(1, DECIDED, "red", chance=chance), viewer).chance == chance[:1]
    assert redact.event(schema, Event(1, DECIDED, "red", chance=chance), ARBITER).chance == chance


def test_a_peek_is_given_to_its_seat_only():
    item = Event(1, DECIDED, "blue", shown=[Shown("red", "deck", ["ace:1"]), Shown("green", "deck", ["king:1"])])
    assert redact.event(schema, item, "red").shown == item.shown[:1]
    assert redact.event(schema, item, "blue").shown == redact.event(schema, item, SPECTATOR).shown == []


def test_the_digest_of_the_table_is_told_to_nobody():
    item = Event(1, DECIDED, "red", mark=True, digest=b"d" * 16)
    assert {redact.event(schema, item, viewer).digest for viewer in VIEWERS} == {b""}


@pytest.mark.parametrize(
    ("veil", "viewer", "seen"),
    [
        (None, "blue", [["ace:1", 1], ["king:1", 2]]),
        (Veil(), "red", [["ace:1", 1], ["king:1", 2]]),
        (Veil(), "blue", HIDDEN),
        (Veil([], ["blue"]), "blue", [["ace:1", 1], ["king:1", 2]]),
        (Veil([], ["blue"]), "green", HIDDEN),
        (Veil(["open"]), "blue", [["ace:1", 1], ["king:1", 2]]),
        (Veil(["camp"]), "blue", [["ace", 1], ["king", 2]]),
        (Veil(["deck"]), "blue", [[HIDDEN, 3]]),
        (Veil(["vault"]), "blue", HIDDEN),
        (Veil(["open", "deck"]), "blue", [[HIDDEN, 3]]),
        (Veil(["hand:blue"]), "blue", [["ace:1", 1], ["king:1", 2]]),
    ],
)
def test_what_is_read_of_an_answer(veil, viewer, seen):
    item = Event(1, DECIDED, "red", "take", [["ace:1", 1], ["king:1", 2]], veil=veil)
    assert redact.event(schema, item, viewer).answer == seen


@pytest.mark.parametrize(
    ("secret", "readers"),
    [
        (False, {"blue", "green"}),
        (True, set()),
        (["blue"], {"blue"}),
        ([], set()),
        ((), set()),
        (lambda answer: answer == "yes", set()),
    ],
)
def test_who_reads_the_answer_to_a_secret_question(secret, readers):
    """An empty list of readers means nobody, not everybody."""
    ask = Ask("red", "word", ["yes", "no"], "T 1", secret=secret)
    item = Event(1, DECIDED, "red", "word", "yes", veil=ask.veil("yes"))
    assert {viewer for viewer in ("blue", "green") if redact.event(schema, item, viewer).answer == "yes"} == readers


def test_a_secret_may_depend_on_the_answer_and_a_pick_hides_behind_its_zones():
    ask = Ask("red", "word", ["yes", "no"], "T 1", secret=lambda answer: answer == "yes")
    assert ask.veil("no") is None and ask.veil("yes") == Veil()
    assert Ask("red", "take", Pick(toy.table(), ["deck", "open"]), "T 1").veil([]) == Veil(["deck", "open"])


def test_a_rule_is_cited_to_those_who_see_what_it_was_applied_to():
    cites = [Cite("T 1", QUESTION), Cite("T 2", 0), Cite("T 3", 1), Cite("T 4", facts={"n": 1}), Cite("T 5", 9)]
    ops = [Move("ace:1", "deck", "hand:red"), Set("clock", None, 1)]
    item = Event(1, DECIDED, "red", "take", "x", ops=ops, cites=cites, veil=Veil())
    assert [cite.rule for cite in redact.event(schema, item, "red").cites] == ["T 1", "T 2", "T 3", "T 4"]
    seen = redact.event(schema, item, "blue")
    assert seen.cites == [Cite("T 3", 0), Cite("T 4", facts={"n": 1})]
    assert seen.ops[0] == ops[1], "the index of a citation follows its op"


def test_of_others_questions_only_seat_and_key_are_told_and_of_their_offers_nothing():
    asks = [Ask("red", "play", ["ace:1"], "T 1"), Ask("blue", "play", ["king:1"], "T 1")]
    offers = [Ask("red", "react", ["ace:1"], "T 2"), Ask("blue", "react", ["king:1"], "T 2")]
    seen = redact.questions(asks, offers, "red")
    assert [(line["seat"], line["key"], "choice" in line) for line in seen] == [
        ("red", "play", True),
        ("blue", "play", False),
        ("red", "react", True),
    ]
    assert set(seen[1]) == {"seat", "key"}
    assert redact.questions(asks, offers, SPECTATOR) == [{"seat": "red", "key": "play"}, {"seat": "blue", "key": "play"}]
    assert len(redact.questions(asks, offers, ARBITER)) == 4


def test_another_seats_refusal_says_nothing_of_its_reason():
    error = NotAsked("T 1", "you hold no ace", seat="red", key="play", legal=["king:1"])
    assert redact.refusal(error, "red") is error is redact.refusal(error, ARBITER)
    seen = redact.refusal(error, "blue")
    assert (
        type(seen) is NotAsked and isinstance(seen, Refused) and "ace" not in str(seen) and seen.legal is None and seen.rule == ""
    )
