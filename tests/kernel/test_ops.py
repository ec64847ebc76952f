"""Ops: every one can be taken back, and one that does not fit the table is refused loudly and leaves no trace (L4)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.kernel import BrokenLog, Move, Reorder, Set, Table
from tests.kernel import toy

ZONES = sorted(toy.schema().zones)


@st.composite
def played(draw: st.DrawFn) -> Table:
    """A table after some legal verbs."""
    table = toy.table()
    for _ in range(draw(st.integers(0, 40))):
        verb = draw(st.sampled_from(["take", "move", "set", "add", "reorder"]))
        filled = [zone for zone in ZONES if table.zones[zone]]
        if verb == "take" or (verb == "move" and not filled):
            table.move(draw(st.sampled_from(toy.ITEMS)), "box", draw(st.sampled_from(ZONES)))
        elif verb == "move":
            src, dst = draw(st.sampled_from(filled)), draw(st.sampled_from(ZONES))
            item = draw(st.sampled_from(table.items(src)))
            rows = [type(table.zones[zone]) is list for zone in (src, dst)]
            n = 1 if any(rows) else draw(st.integers(0, table.count(src, item)))
            room = len(table.zones[dst]) - (src == dst) if rows[1] else 0
            table.move(item, src, dst, n, to=draw(st.integers(-1, room)) if rows[1] else -1, cite="T 1")
        elif verb == "set":
            table.set("word", draw(st.sampled_from([None, "yes", "no"])))
        elif verb == "add":
            table.add("clock", draw(st.integers(-2, 2)))
        else:
            row = draw(st.sampled_from([zone for zone in ZONES if type(table.zones[zone]) is list]))
            table.reorder(row, draw(st.permutations(range(len(table.zones[row])))))
    return table


@toy.examples(100)
@given(played())
def test_folding_the_ops_gives_the_table_and_unfolding_them_the_empty_one(table):
    again = toy.table()
    again.fold(table.ops)
    assert again.digest() == table.digest() and again.state() == table.state()
    again.unfold(table.ops)
    assert again.state() == toy.table().state() and again.digest() == toy.table().digest()


@toy.examples(100)
@given(played())
def test_an_op_and_its_inverse_undo_each_other_at_every_point(table):
    again = toy.table()
    for op in table.ops:
        before = again.digest()
        again.apply(op)
        again.apply(op.inverse())
        assert again.digest() == before and op.inverse().inverse() == op
        again.apply(op)


@toy.examples(100)
@given(played())
def test_a_copy_and_a_restored_snapshot_are_the_same_table_but_not_the_same_object(table):
    whole = table.state()
    twin, back = table.copy(), Table.restored(table.schema, table.copy().zones, dict(table.registers))
    assert twin.digest() == back.digest() == table.digest()
    twin.move("ace:1", "box", "line")
    twin.set("clock", 99)
    assert table.state() == whole


FORGED = {
    "more than there is": Move("ace:1", "open", "deck", 2),
    "what is not there": Move("king:2", "open", "deck"),
    "nothing": Move("ace:1", "open", "deck", 0),
    "less than nothing": Move("ace:1", "open", "deck", -1),
    "out of a bank, less than nothing": Move("ace:1", "box", "deck", -1),
    "to an unknown zone": Move("ace:1", "open", "cellar"),
    "from an unknown zone": Move("ace:1", "cellar", "open"),
    "from no place in a row": Move("king:1", "line", "open", 1, -1),
    "from the wrong place in a row": Move("king:1", "line", "open", 1, 1),
    "from beyond a row": Move("king:1", "line", "open", 1, 7),
    "to no place in a row": Move("ace:1", "open", "line", 1, -1, -1),
    "to beyond a row": Move("ace:1", "open", "line", 1, -1, 3),
    "beyond a row it leaves": Move("king:1", "line", "line", 1, 0, 2),
    "two at once into a row": Move("ace:1", "box", "line", 2, -1, 0),
    "another old value": Set("clock", 6, 7),
    "an unknown register": Set("calendar", None, 7),
    "an order of other length": Reorder("line", [0]),
    "an order that repeats": Reorder("line", [0, 0]),
    "an order of a bag": Reorder("open", [0]),
    "an order of a bank": Reorder("box", []),
    "an order of nothing": Reorder("cellar", []),
}


@pytest.mark.parametrize("op", FORGED.values(), ids=FORGED)
def test_L4_an_op_that_does_not_fit_is_refused_and_leaves_no_trace(op):
    table = toy.table()
    table.move("ace:1", "box", "open")
    table.move("king:1", "box", "line")
    table.move("king:2", "box", "line")
    table.set("clock", 5)
    before = table.digest()
    with pytest.raises(BrokenLog):
        table.fold([op])
    assert table.digest() == before


@pytest.mark.parametrize(
    ("verb", "message"),
    [
        (lambda t: t.move("ace:1", "deck", "open"), "deck holds 0 of ace:1"),
        (lambda t: t.move("ace:1", "pile", "open"), "pile holds no ace:1"),
        (lambda t: t.move("ace:1", "box", "open", -1), "cannot move -1"),
        (lambda t: t.set("calendar", 1), "no register 'calendar'"),
        (lambda t: t.set("clock", "late"), "holds int, not 'late'"),
        (lambda t: t.set("clock", True), "holds int, not True"),
        (lambda t: t.reorder("pile", [0]), "is no order of pile"),
    ],
)
def test_a_verb_the_table_cannot_do_says_why(verb, message):
    with pytest.raises(BrokenLog, match=message):
        verb(toy.table())


def test_moving_none_and_setting_the_same_value_write_no_op_but_reordering_does():
    """A missing move of none is no secret; a reorder left out would tell that the order stayed."""
    table = toy.table()
    table.move("ace:1", "box", "open", 0)
    table.set("clock", None)
    assert table.ops == []
    table.move("ace:1", "box", "pile")
    table.reorder("pile", [0])
    assert len(table.ops) == 2


def test_in_a_row_the_top_is_last_and_moves_take_the_topmost():
    table = toy.table()
    for item in ("ace:1", "king:1", "ace:1"):
        table.move(item, "box", "line")
    table.move("ace:1", "line", "open")
    assert table.zones["line"] == ["ace:1", "king:1"]
    table.move("king:2", "box", "line", to=1)
    assert table.zones["line"] == ["ace:1", "king:2", "king:1"]
    table.move("ace:1", "line", "line", cite="T 1")
    assert table.zones["line"] == ["king:2", "king:1", "ace:1"]


def test_derived_facts_are_forgotten_by_every_op():
    table = toy.table()
    table.cache["rich"] = False
    table.move("ace:1", "box", "open")
    assert table.cache == {}


def test_the_digest_does_not_depend_on_the_order_of_filling_but_on_everything_else():
    one, other = toy.table(), toy.table()
    one.move("ace:1", "box", "open")
    one.move("king:1", "box", "open")
    one.set("clock", 1)
    other.set("clock", 1)
    other.move("king:1", "box", "open")
    other.move("ace:1", "box", "open")
    assert one.digest() == other.digest()
    other.move("ace:1", "box", "vault")
    assert one.digest() != other.digest()
