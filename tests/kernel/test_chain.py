"""The chain: whatever is changed in a stored event, for whomever it was visible, the next link does not follow any more."""

from __future__ import annotations

import msgspec
import pytest

from domain.audit import audit
from domain.kernel import Cite, Drawn, Event, Move, Rolled, Set, Shown, Veil, chain
from domain.kernel.event import DECIDED, SEALED
from domain.kernel.schema import ARBITER, SPECTATOR
from tests.contract.sample import game
from tests.kernel import toy

EVENT = Event(
    7,
    DECIDED,
    "red",
    "play",
    "ace:1",
    [Rolled("die", "red", [1, 2], [2]), Drawn("card", "deck", "ace:1")],
    [Move("ace:1", "deck", "hand:red"), Set("clock", 1, 2)],
    [Cite("T 1", 0), Cite("T 2", facts={"n": 1})],
    [Shown("red", "deck", ["king:1"])],
    True,
    "mail 17",
    1_700_000_000_000,
    Veil(),
    b"d" * 16,
)

FORGED = {
    "version": 8,
    "kind": SEALED,
    "seat": "blue",
    "ask": "pass",
    "answer": "ace:2",
    "chance": [EVENT.chance[0], Drawn("card", "deck", "ace:2")],
    "ops": [Move("ace:2", "deck", "hand:red"), EVENT.ops[1]],
    "cites": [Cite("T 9", 0), EVENT.cites[1]],
    "shown": [Shown("red", "deck", ["king:2"])],
    "mark": False,
    "cause": "mail 18",
    "at": EVENT.at + 1,
    "veil": None,
    "digest": b"e" * 16,
}


def test_every_field_of_an_event_is_tried():
    assert set(FORGED) == set(Event.__struct_fields__) - {"link"}


@pytest.mark.parametrize("field", FORGED)
def test_S9_every_forged_field_breaks_the_link(field):
    schema = toy.schema()
    forged = msgspec.structs.replace(EVENT, **{field: FORGED[field]})
    assert chain.link(chain.START, schema, forged, b"k") != chain.link(chain.START, schema, EVENT, b"k")


def test_a_link_depends_on_all_links_before_and_not_on_itself():
    schema = toy.schema()
    assert chain.link(b"x" * 32, schema, EVENT, b"k") != chain.link(chain.START, schema, EVENT, b"k")
    linked = msgspec.structs.replace(EVENT, link=b"l" * 32)
    assert chain.link(chain.START, schema, linked, b"k") == chain.link(chain.START, schema, EVENT, b"k")


def test_what_only_one_seat_sees_changes_its_commitment_and_nobody_elses_part():
    schema = toy.schema()
    forged = msgspec.structs.replace(EVENT, shown=FORGED["shown"])
    (public, found), (other_public, other) = (chain.commitments(schema, item, b"k") for item in (EVENT, forged))
    assert public == other_public and {audience for audience in found if found[audience] != other[audience]} == {"red", ARBITER}
    assert b"king:1" not in chain.part(schema, EVENT, SPECTATOR) and b"king:1" not in chain.part(schema, EVENT, "blue")


@pytest.mark.parametrize("field", FORGED)
def test_S9_the_audit_finds_a_forged_field_in_the_middle_of_a_game(field):
    log = game("small-court", 3, 0).log
    events = log.store._events[log.line.id]
    index = len(events) // 2
    true = events[index]
    value = {
        "version": true.version + 1,
        "kind": DECIDED if true.kind == SEALED else SEALED,
        "chance": [*true.chance, Rolled("extra", "", [1], [1])],
        "ops": [*true.ops, Set("round", None, 9)],
        "cites": [*true.cites, Cite("SC 99")],
        "shown": [*true.shown, Shown("ash", "deck", ["veto-1"])],
        "mark": not true.mark,
        "veil": Veil(["deck"]),
        "answer": ["forged"],
    }.get(field, FORGED[field])
    events[index] = msgspec.structs.replace(true, **{field: value})
    try:
        found = audit(log).finding
        assert found is not None and found.version == true.version
    finally:
        events[index] = true
    assert audit(log).clean
