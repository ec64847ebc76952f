"""What the court says about who is touched tells nobody more than their own log does: not of a peek, not of a card."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from domain import worlds
from domain.contract import Game, play, seen_by
from domain.docket import touches
from domain.kernel import Ask, Refused
from domain.kernel.event import CREATED, DECIDED, SEALED, Event
from domain.kernel.run import Run
from domain.kernel.schema import SPECTATOR
from domain.log import events_of
from domain.readings import compared
from service.court import Court
from service.database import Database
from service.matches import Matches
from service.settings import Settings
from service.store import open_store
from service.store.memory import MemoryStore
from tests.contract import sample
from tests.kernel import toy

PAIRS = 60 if os.environ.get("CHANCERY_SOAK") else 6
TITLES = ["column-of-fire", "generalship", "pax-renaissance", "small-court"]


# -- a peek -------------------------------------------------------------------------------------------------


def deal(t: Any) -> Any:
    t.move("ace:1", "box", "deck")
    return "talk"
    yield


def talk(t: Any, peek: bool) -> Any:
    """Red says a word; blue may have been shown the deck meanwhile, which only blue knows."""
    word = yield Ask("red", "word", ["yes", "no"], "T 1")
    t.set("clock", t.get("clock", 0) + 1, cite="T 1")
    if peek and word == "no":
        t.show("blue", "deck", t.items("deck"))
    return "talk"


class Titles:
    """One title, in which blue peeks or does not."""

    def __init__(self, peek: bool) -> None:
        self.title = msgspec.structs.replace(
            toy.title(deal), steps={"setup": deal, "talk": partial(talk, peek=peek)}, players=(3,), seats=lambda n: list(toy.SEATS)
        )

    def get(self, id: str) -> Any:
        return self.title

    def all(self) -> list[Any]:
        return [self.title]


class World:
    """Ana is red, Ben is blue, Cem is green; red said yes, no, yes."""

    def __init__(self, folder: Path, peek: bool) -> None:
        store = open_store(Settings(db=str(folder / f"{peek}.db")))
        self.store, database = store, Database(store)
        database.migrate()
        self.matches = Matches(store, database, b"k" * 32, clock=lambda: 1_000_000, titles=Titles(peek))
        self.court = Court(self.matches, database)
        self.people = [self.matches.accounts.create(name).id for name in ("ana", "ben", "cem")]
        self.id = self.matches.open(self.people[0], "toy", players=3).id
        for who in self.people:
            self.matches.join(who, self.id)
        self.matches.start(self.people[0], self.id)
        for word in ("yes", "no", "yes"):
            self.matches.decide(self.people[0], self.id, "red", "word", word)

    def told(self, who: str) -> list[Any]:
        """Everything the court tells somebody about going back, to whichever version."""
        head = self.matches.look(who, self.id).head
        return [msgspec.to_builtins(self.court.touch(who, self.id, version)) for version in range(1, head)]


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[tuple[World, World]]:
    found = World(tmp_path, peek=True), World(tmp_path, peek=False)
    yield found
    for world in found:
        world.store.close()


def test_a_peek_shows_in_what_the_court_tells_the_seat_that_peeked_and_nobody_else(pair: tuple[World, World]) -> None:
    there, here = pair
    for number in (0, 2):
        assert there.told(there.people[number]) == here.told(here.people[number])
    assert {"blue": 1} in [one["learnt"] for one in there.told(there.people[1])]
    assert all(not one["learnt"] for one in here.told(here.people[1]))


def test_a_request_asks_the_same_seats_whether_or_not_a_rival_peeked(pair: tuple[World, World]) -> None:
    asked = [world.court.ask_rewind(world.people[0], world.id, "red", 2, "a slip") for world in pair]
    assert asked[0].asked.needs == asked[1].asked.needs == []
    assert [one.closed and one.closed.outcome for one in asked] == ["granted", "granted"]


def test_whoever_peeked_may_refuse_an_open_request_and_nobody_else_finds_out_by_trying(pair: tuple[World, World]) -> None:
    for world, peeked in zip(pair, (True, False), strict=True):
        book = "INSERT INTO docket (match, version, body) VALUES (?, 1, ?)"
        line = world.matches.register.load(world.id).line
        body = f'{{"type":"rewind_asked","id":"r1","seat":"red","line":"{line}","version":2,"needs":["green"],"reason":"","at":1000000}}'
        world.court._database.write((book, (world.id, body)))
        request = world.court.docket(world.people[0], world.id).rewinds["r1"]
        offered = [world.court.may_refuse(who, world.id, request) for who in world.people]
        assert offered == [[], ["blue"] if peeked else [], []]
        with pytest.raises(Refused, match="this does not touch blue"):
            world.court.vote(world.people[1], world.id, "r1", "blue", True)
        if peeked:
            assert world.court.vote(world.people[1], world.id, "r1", "blue", False).closed.outcome == "refused"  # type: ignore[union-attr]
        else:
            with pytest.raises(Refused, match="this does not touch blue"):
                world.court.vote(world.people[1], world.id, "r1", "blue", False)


# -- a card -------------------------------------------------------------------------------------------------


def other_world(game: Game, swap: worlds.Swap, most: int = 25) -> Iterator[tuple[int, list[Event]]]:
    """The groups of the other world up to where the viewer sees the difference openly."""
    source, run = worlds.Swapped(swap), None if swap.start == 0 else game.run(swap.start - 1)
    for number in range(swap.start, min(swap.start + most, len(game.groups))):
        group = game.groups[number]
        empty = partial(game.title.lay, game.schema.seats, game.schema.options)
        source.feed(group, partial(game.table, number - 1) if number else empty)
        if run is None:
            run = Run(game.title, empty(), source)
            made = events_of(run.first, Event(0, CREATED, answer=group[0].answer), 0)
        elif group[0].kind not in (DECIDED, SEALED):
            return
        else:
            run.source = source
            found = worlds._decide(game, swap, run, number)
            if found is None:
                return
            made = found
        if source.improvised or worlds._came_to_light(game, swap, number, made, source.improvised):
            return
        yield number, made


def case(game: Game, before: list[Event], group: list[Event], viewer: str) -> Any:
    """What a viewer is told about a decision: whom going back would touch, and what other readings would have changed."""
    table, drawn = game.title.lay(game.schema.seats, game.schema.options), 0
    marked = max((index for index, item in enumerate(before) if item.mark), default=-1)
    for item in before[: marked + 1]:
        table.fold(item.ops)
        drawn += len(item.chance)
    since = [*before[marked + 1 :], *group]
    after = table.copy()
    for item in since:
        after.fold(item.ops)
    told = seen_by(game.schema, since, viewer)
    log = seen_by(game.schema, [*before, *group], viewer)
    touched = [touches(game.schema, log, version) for version in range(max(1, len(log) - 6), len(log))]
    public = seen_by(game.schema, [*before, *group], SPECTATOR)
    needs = [touches(game.schema, public, version).seats("") for version in range(max(1, len(log) - 6), len(log))]
    return touched, needs, compared(game.title, table, since, told, after, drawn, viewer) if group[0].ask else []


def game_of(title: str) -> Game:
    chosen = sample.title(title)
    return play(chosen, MemoryStore(), "quiet", players=3, most=60)


@pytest.mark.parametrize("title", TITLES)
def test_two_worlds_a_viewer_cannot_tell_apart_give_the_same_case(title: str) -> None:
    game, rng, compared_groups = game_of(title), Random(5), 0
    for _ in range(PAIRS):
        swap = worlds.some_swap(game, rng)
        if swap is None:
            continue
        there = [item for group in game.groups[: swap.start] for item in group]
        here = list(there)
        for number, made in other_world(game, swap):
            group = game.groups[number]
            if number % 3 == 0 and group[0].ask:
                assert case(game, here, group, swap.viewer) == case(game, there, made, swap.viewer), (swap, group[0].version)
                compared_groups += 1
            here += group
            there += made
    assert compared_groups > 5
