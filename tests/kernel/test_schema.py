"""The schema: what is not declared cannot be used, and what does not say who may look is an error at start-up (L5)."""

from __future__ import annotations

import pytest

from domain.kernel import (
    ARBITER,
    BACK,
    BAG,
    COUNT,
    FACE,
    HIDDEN,
    NOTHING,
    OPEN,
    ROW,
    SPECTATOR,
    BrokenLog,
    Schema,
    SchemaError,
    Sight,
    Table,
    hidden,
    own,
)
from tests.kernel import toy


@pytest.mark.parametrize(
    ("declare", "message"),
    [
        (lambda s: s.zone("deck", BAG, None), "does not declare who may look"),
        (lambda s: s.register("vp", int, None), "does not declare who may look"),
        (lambda s: s.zone("deck", "heap", OPEN), "unknown kind 'heap'"),
        (lambda s: s.register("cards", list, OPEN), "must hold int, str or bool"),
        (lambda s: s.zone("box", BAG, OPEN), "declared twice"),
        (lambda s: (s.zone("deck", BAG, OPEN), s.register("deck", int, OPEN)), "declared twice"),
        (lambda s: s.zone("hand", BAG, own("purple")), "unknown seat 'purple'"),
        (lambda s: s.zone("hand", BAG, Sight(7)), "level of sight that there is not"),
        (lambda s: s.zone("hand", BAG, Sight(FACE, {"red": COUNT})), "a seat less than it shows everybody"),
        (lambda s: s.zone("hand", BAG, own("red", others=9)), "level of sight that there is not"),
    ],
)
def test_a_wrong_declaration_is_an_error_at_start_up(declare, message):
    with pytest.raises(SchemaError, match=message):
        declare(Schema(["red", "blue"]))


def test_a_zone_cannot_be_declared_without_its_sight():
    with pytest.raises(TypeError):
        Schema(["red"]).zone("deck", BAG)


@pytest.mark.parametrize("name", [SPECTATOR, ARBITER, HIDDEN, ""])
def test_no_seat_has_a_name_that_means_something_else(name):
    with pytest.raises(SchemaError, match="cannot be called"):
        Schema(["red", name])


def test_a_seat_sits_once():
    with pytest.raises(SchemaError):
        Schema(["red", "red"])


def test_nobody_and_anybody_are_different_and_neither_is_a_seat():
    assert OPEN.level("red") == OPEN.level(SPECTATOR) == OPEN.level("a stranger") == FACE
    assert hidden().level("red") == hidden().level(SPECTATOR) == hidden().level("a stranger") == COUNT
    hand = own("red", others=BACK)
    assert (hand.level("red"), hand.level("blue"), hand.level(SPECTATOR)) == (FACE, BACK, BACK)
    assert hidden(NOTHING).level(ARBITER) == FACE


def test_what_is_left_of_an_item_at_each_level():
    schema = toy.schema()
    assert [schema.coarse("ace:1", level) for level in (FACE, BACK, COUNT)] == ["ace:1", "ace", HIDDEN]


def test_the_digest_of_a_schema_changes_with_everything_a_log_depends_on():
    def declared(kind=BAG, sight=OPEN, holds=int, seats=("red", "blue")):
        s = Schema(seats)
        s.zone("deck", kind, sight)
        s.register("vp", holds, OPEN)
        return s.digest()

    digests = [declared(), declared(kind=ROW), declared(sight=hidden()), declared(holds=str), declared(seats=("blue", "red"))]
    assert len(set(digests)) == len(digests) and declared() == declared()


def test_a_snapshot_of_another_schema_does_not_fit():
    with pytest.raises(BrokenLog, match="no zone 'cellar'"):
        Table.restored(toy.schema(), {"cellar": {}}, {})
