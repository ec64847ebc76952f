"""No edge from hidden information: a seat's rollouts and branches of a running match guess an opponent's secrets no better than the seat could.

Each trial takes a position of a real game and two items that the seat cannot tell apart, one of them in a hidden place of an opponent.
A coin decides which; the seat's rollout and branch are then asked to tell. With the whole table to look at, the same questions tell.
"""

from __future__ import annotations

import os
from functools import cache
from random import Random

import msgspec
import pytest

from domain.kernel import FACE, ROW, Ask, Schema, Shuffle, Title, hidden, redact
from domain.log import Log, Match
from domain.rollout import Start, playout, start_at, suppose
from service.store.memory import MemoryStore
from tests.domain.games_played import play

TRIALS = 2_000 if os.environ.get("CHANCERY_SOAK") else 120
TITLES = ("column-of-fire", "generalship", "pax-renaissance")
REACH = 0.02 if TRIALS >= 2_000 else 0.15


@cache
def game(title: str, number: int):
    return play(title, 3, f"edge {number}")


def swapped(start: Start, one: str, other: str) -> Start:
    """The same position with two items in each other's place."""
    names = {one: other, other: one}

    def zone(held):
        if isinstance(held, list):
            return [names.get(item, item) for item in held]
        return {names.get(item, item): n for item, n in held.items()}

    return msgspec.structs.replace(start, zones={name: zone(held) for name, held in start.zones.items()})


def secret(start: Start, schema, rng: Random):
    """Two items that may lie in each other's place, one of them in a hidden zone of an opponent: (zone, item, other)."""
    levels = schema.levels(start.seat)
    moved = {op.item for item in start.tail for op in item.ops if hasattr(op, "item")}
    sure = {(item, zone) for item, zone, _ in start.known}
    lie = [
        (zone, item)
        for zone, held in sorted(start.zones.items())
        if levels[zone] < FACE
        for item in sorted(set(held))
        if item not in moved
        and (item, zone) not in sure
        and (list(held).count(item) if isinstance(held, list) else held[item]) == 1
    ]
    theirs = [place for place in lie if any(f":{seat}" in place[0] for seat in start.seats if seat != start.seat)]
    rng.shuffle(theirs)
    once = {item for _, item in lie if sum(item in held for held in start.zones.values()) == 1}
    for zone, item in theirs:
        twins = [
            (there, other)
            for there, other in lie
            if there != zone
            and other != item
            and schema.back(other) == schema.back(item)
            and other in start.places.get(zone, ())
            and item in start.places.get(there, ())
        ]
        twins = [place for place in twins if place[1] in once and item in once]
        if twins:
            return zone, item, rng.choice(twins)[1]
    return None


def positions(trials: int):
    """Positions with something to guess: (title, start, zone, item, other, coin, luck)."""
    rng, made, tried = Random("edge"), 0, 0
    while made < trials:
        tried += 1
        assert tried < 40 * trials + 400, "there is too little to guess"
        title = TITLES[tried % len(TITLES)]
        log = game(title, tried % (7 * len(TITLES)) // len(TITLES))
        version = log.question_after(rng.randrange(log.head // 5, log.head * 9 // 10))
        start = start_at(log, version, rng.choice(log.schema.seats))
        found = secret(start, log.schema, rng)
        if found is None:
            continue
        made += 1
        yield log.title, start, *found, rng.random() < 0.5, rng.random()


def area(scores: list[float], labels: list[bool]) -> float:
    """The chance that a positive scores above a negative, ties counting half: 0.5 is a guess."""
    ranked = sorted(zip(scores, labels, strict=True))
    above = below = ties = 0.0
    at = 0
    negatives = labels.count(False)
    while at < len(ranked):
        end = at
        while end < len(ranked) and ranked[end][0] == ranked[at][0]:
            end += 1
        yes = sum(label for _, label in ranked[at:end])
        no = (end - at) - yes
        above += yes * below
        ties += yes * no
        below += no
        at = end
    return (above + ties / 2) / (labels.count(True) * negatives)


def holds(table, zone: str, item: str) -> bool:
    return table.count(zone, item) > 0


@cache
def trials():
    """What a seat's branches and rollouts say in every trial, with the truth; and what the whole table would say."""
    labels, branches, rollouts, peeking = [], [], [], []
    for title, start, zone, item, other, coin, luck in positions(TRIALS):
        real = swapped(start, item, other) if coin else start
        world = suppose(title, real, Random(luck))
        branches.append(float(holds(world.run.table, zone, item)) - float(holds(world.run.table, zone, other)))
        owner = next(seat for seat in start.seats if seat != start.seat and f":{seat}" in zone)
        outcome = playout(title, real, "random", f"{luck}", 0)
        rollouts.append(outcome.points.get(owner, 0) + outcome.wins[owner])
        peeking.append(float(item in real.zones[zone]) - float(other in real.zones[zone]))
        labels.append(not coin)
    return labels, branches, rollouts, peeking


def test_a_branch_of_a_running_match_guesses_no_secret() -> None:
    labels, branches, _, peeking = trials()
    assert abs(area(branches, labels) - 0.5) <= REACH, area(branches, labels)
    assert area(peeking, labels) == 1.0, "the question can be answered by somebody who sees everything"


def test_a_rollout_of_a_running_match_guesses_no_secret() -> None:
    labels, _, rollouts, _ = trials()
    assert abs(area(rollouts, labels) - 0.5) <= REACH, area(rollouts, labels)


def test_worlds_a_seat_cannot_tell_apart_are_supposed_and_played_out_alike() -> None:
    """Stronger than any guess: with the same luck, branches and rollouts are the same, whatever the others hold."""
    for compared, (title, start, _, item, other, _, luck) in enumerate(positions(30)):
        twin = swapped(start, item, other)
        assert twin != start
        one, two = (suppose(title, real, Random(luck)) for real in (start, twin))
        assert one.mark.state() == two.mark.state() and one.run.table.state() == two.run.table.state()
        if compared < 9:
            assert playout(title, start, "random", "same", 1) == playout(title, twin, "random", "same", 1)


@pytest.mark.parametrize("title", TITLES)
def test_a_supposed_world_looks_like_the_real_one_to_its_seat_at_any_question(title: str) -> None:
    log, rng = game(title, 0), Random(title)
    for _ in range(12):
        version, seat = log.question_after(rng.randrange(1, log.head)), rng.choice(log.schema.seats)
        world, real = suppose(log.title, start_at(log, version, seat), rng).run, log.run_at(version)
        assert redact.table(world.table, seat).state() == redact.table(real.table, seat).state()
        assert redact.questions(world.asks, world.offers, seat) == redact.questions(real.asks, real.offers, seat)


def test_the_order_of_a_face_down_deck_is_dealt_anew() -> None:
    """Everybody saw which cards were shuffled into the deck; nobody knows what lies on top."""

    def laid(seats, options):
        schema = Schema(seats, options)
        schema.zone("deck", ROW, hidden())
        return schema

    def setup(t):
        for number in range(6):
            t.move(f"card-{number}", "box", "deck", cite="T1")
        yield Shuffle("deck", "shuffle", "T1")
        return "turn"

    def turn(t):
        yield Ask(t.seats[0], "go on", ["yes"], "T2")
        return "turn"

    steps = {"setup": setup, "turn": turn}
    title = Title(
        id="deck",
        name="Deck",
        rules="1",
        players=(2,),
        seats=lambda n: ["red", "blue"],
        schema=laid,
        steps=steps,
        score=list,
        winners=list,
    )
    log = Log.create(MemoryStore(), title, Match("deck", "deck", b"d" * 32), seats=["red", "blue"])
    orders = {tuple(suppose(title, start_at(log, 1, "red"), Random(n)).run.table.items("deck")) for n in range(10)}
    assert len(orders) > 5 and {tuple(sorted(order)) for order in orders} == {tuple(f"card-{n}" for n in range(6))}
