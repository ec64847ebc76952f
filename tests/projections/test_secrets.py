"""What you may not know is in none of your documents: two worlds that you cannot tell apart give you the same bytes."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import msgspec
import pytest

from domain import worlds
from domain.contract import Game
from domain.kernel.event import Event
from domain.log import Log, Match
from domain.worlds import Swap
from projections import Views, diplomacy, inbox, scoreboard, timeline
from projections.fan import Fan
from projections.stores import Edition
from projections.stores.memory import MemoryDocuments
from service.store import MemoryStore
from tests.projections.played import COLUMN, COURT, TITLES, play

SWAPS = 10
VIEWS = (scoreboard, diplomacy, timeline, inbox)


def other_world(game: Game, swap: Swap, monkeypatch: pytest.MonkeyPatch) -> list[list[Event]]:
    """The groups of the world where the two items are each other, as the rules play it, up to where the viewer could tell."""
    found = list(game.groups[: swap.start])
    monkeypatch.setattr(worlds, "_looks_alike", lambda game, swap, number, made, run: found.append(made))
    monkeypatch.setattr(worlds, "_refuses_alike", lambda *_: None)
    worlds.compare(game, swap, most=60)
    return [
        [msgspec.structs.replace(item, at=mine.at) for item, mine in zip(made, here, strict=True)]
        for made, here in zip(found, game.groups)
    ]


def documents(log: Log, events: list[Event], viewer: str) -> tuple[dict[str, bytes], dict[str, Any]]:
    """A viewer's documents of a log, as bytes, and what is read from them."""
    store, kept = MemoryStore(), MemoryDocuments()
    store.add_match(Match(id="m", title=log.title.id, seed=b"m" * 32), log.line)
    store.append("m", events)
    editions = [Edition(view.name, view.schema, 1) for view in VIEWS]
    Fan(store, TITLES, kept, editions).take(store.notifications(0, 1 << 30))
    for edition in editions:
        kept.flip(edition)
    mine = {
        f"{edition.view}/{name}": body
        for edition in editions
        for name, body in kept.all(edition).items()
        if name == "m" or f"/{viewer}" in name or "/spectator" in name
    }
    views = Views(store, kept, TITLES)
    looks = ("scoreboard", "diplomacy", "timeline", "chronicle")
    return mine, {look: getattr(views, look)("m", viewer) for look in looks}


@pytest.mark.parametrize("title", [COURT, "gossip", COLUMN, "pax-renaissance", "generalship"])
def test_documents_are_the_same_in_worlds_that_look_the_same(title: str, monkeypatch: pytest.MonkeyPatch) -> None:
    differed = 0
    rng = Random(title)
    for number in range(2):
        game = Game(play(MemoryStore(), title, "m", 100, undo=0, players=number % len(TITLES.get(title).players)))
        for _ in range(SWAPS):
            swap = worlds.some_swap(game, rng)
            if swap is None:
                continue
            there = other_world(game, swap, monkeypatch)
            here = game.groups[: len(there)]
            if here == there:
                continue
            differed += 1
            ours, read = documents(game.log, [item for group in here for item in group], swap.viewer)
            theirs, read_there = documents(game.log, [item for group in there for item in group], swap.viewer)
            assert ours == theirs, f"{swap.viewer} can tell {swap.one} from {swap.other}"
            assert json.dumps(read) == json.dumps(read_there)
    assert differed >= 5, "too few worlds to compare"


def test_a_seats_documents_do_not_name_what_others_hold() -> None:
    """The Small Court: letters in hand, aims and agents of others appear in nothing that is kept for a seat or the public."""
    store, kept = MemoryStore(), MemoryDocuments()
    log = play(store, COURT, "m", 60)
    editions = [Edition(view.name, view.schema, 1) for view in VIEWS]
    Fan(store, TITLES, kept, editions).take(store.notifications(0, 1 << 30))
    for edition in editions:
        for name, body in kept.all(edition).items():
            if "/arbiter" not in name:
                for letter in log.whole_table().items("deck"):
                    assert letter.encode() not in body, f"{letter} is named in {edition} {name}"
