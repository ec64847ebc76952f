"""Linking takes two short cuts, so that storing a decision stays cheap: neither may change a single byte."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.kernel import (
    BACK,
    BAG,
    NOTHING,
    OPEN,
    ROW,
    SPECTATOR,
    Cite,
    Drawn,
    Event,
    Move,
    Reorder,
    Rolled,
    Schema,
    Set,
    Shown,
    Veil,
    chain,
    hidden,
    own,
    redact,
)

SEATS = ("red", "blue", "green")


def table_with_every_sight() -> Schema:
    schema = Schema(SEATS, back=lambda item: "b:" + item.removeprefix("b:")[0])
    schema.zone("market", BAG, OPEN)
    schema.zone("track", ROW, OPEN)
    schema.zone("deck", ROW, hidden())
    schema.zone("vault", BAG, hidden(NOTHING))
    schema.zone("hand:red", BAG, own("red"))
    schema.zone("hand:blue", BAG, own("blue", others=BACK))
    schema.zone("shared", BAG, own("red", "green", others=NOTHING))
    schema.register("turn", int, OPEN)
    schema.register("plan:blue", int, own("blue"))
    return schema


SCHEMA = table_with_every_sight()
zones = st.sampled_from(sorted(SCHEMA.zones))
registers = st.sampled_from(["turn", "plan:blue"])
items = st.sampled_from(["apple", "axe", "bread"])
places = st.integers(-1, 2)
values = st.none() | st.integers(0, 3)
ops = st.one_of(
    st.builds(Move, items, zones, zones, st.integers(1, 2), places, places),
    st.builds(Set, registers, values, values),
    st.builds(Reorder, st.sampled_from(["track", "deck"]), st.just([1, 0])),
)
chance = st.one_of(
    st.builds(Rolled, st.just("dice"), st.sampled_from(SEATS), st.just([1, 2]), st.just([2])),
    st.builds(Drawn, st.just("draw"), zones, items),
)
veils = st.none() | st.builds(Veil, st.lists(zones, max_size=2), st.lists(st.sampled_from(SEATS), max_size=2))
events = st.builds(
    Event,
    st.integers(1, 9),
    st.just("decided"),
    st.sampled_from(SEATS),
    st.just("play"),
    st.lists(st.tuples(items, st.integers(1, 2)).map(list), max_size=2),
    st.lists(chance, max_size=2),
    st.lists(ops, max_size=4),
    st.lists(st.builds(Cite, st.just("1.1"), st.integers(-2, 4)), max_size=3),
    st.lists(st.builds(Shown, st.sampled_from(SEATS), zones, st.just(["axe"])), max_size=1),
    digest=st.sampled_from([b"", b"digest"]),
    veil=veils,
)


@given(events)
def test_an_event_without_secrets_is_redacted_as_if_it_had_been_looked_at_closely(event: Event) -> None:
    for viewer in (*SEATS, SPECTATOR):
        short = redact.event(SCHEMA, event, viewer)
        with pytest.MonkeyPatch.context() as closely:
            closely.setattr(redact, "_open", lambda *_: False)
            assert short == redact.event(SCHEMA, event, viewer)


@given(events)
def test_whoever_is_no_insider_sees_what_a_spectator_sees(event: Event) -> None:
    insiders = redact.insiders(SCHEMA, event)
    for seat in SEATS:
        if seat not in insiders:
            assert chain.part(SCHEMA, event, seat) == chain.part(SCHEMA, event, SPECTATOR)


@given(events)
def test_a_link_is_what_the_parts_of_every_audience_make_it(event: Event) -> None:
    public, found = chain.commitments(SCHEMA, event, b"secret")
    assert public == chain.part(SCHEMA, event, SPECTATOR)
    assert found == {
        audience: chain.commitment(salt, chain.part(SCHEMA, event, audience))
        for audience, salt in chain.salts(SCHEMA, b"secret", event.version).items()
    }
