"""Games to look at: played at random by bots, with undos and branches, on any store."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import msgspec

from domain import games
from domain.bots import choose, random_legal
from domain.kernel.errors import NotFound, Refused, Stale
from domain.kernel.title import Relation, Score, Title
from domain.log import Log, Match, Store
from tests.contract import proof

SECOND = 1000


def letters(t: proof.Court, seat: str, kind: str) -> int:
    """How many letters of a kind somebody can see in a hand."""
    return sum(proof.kind(letter) == kind for letter in t.items(proof.hand(seat)))


# The Small Court with a scoreboard and a diplomacy table that tell whatever they can see: everybody is told something else.
GOSSIP = msgspec.structs.replace(
    proof.TITLE,
    id="gossip",
    score=lambda t: [Score(seat, letters(t, seat, "veto")) for seat in t.seats],
    diplomacy=lambda t: [
        Relation(seat, other, "may rob") for seat in t.seats for other in t.seats if seat != other and letters(t, seat, "thief")
    ],
)


class Titles:
    """The real titles and The Small Court."""

    def get(self, id: str) -> Title:
        return {COURT: proof.TITLE, GOSSIP.id: GOSSIP}.get(id) or games.get(id)


TITLES = Titles()
COLUMN, COURT = "column-of-fire", proof.TITLE.id


def begin(store: Store, title: str, id: str, players: int = -1) -> Log:
    """A new match, the biggest table unless told."""
    found = TITLES.get(title)
    match = Match(id=id, title=title, seed=id.encode().ljust(32, b"."), made=SECOND)
    return Log.create(store, found, match, seats=found.seats(found.players[players]))


def steps(log: Log, rng: Random, most: int, undo: float = 0.15) -> Iterator[int]:
    """Play on, now and then taking the last decision back; after each step the version it came to."""
    for _ in range(most):
        if log.run.over:
            return
        ask = choose(log.run, rng)
        log.decide(ask.seat, ask.key, random_legal(log.run, ask, rng), at=(log.head + 1) * SECOND)
        while rng.random() < undo:
            try:
                log.undo(ask.seat, at=(log.head + 1) * SECOND)
            except (Refused, Stale):
                break
        yield log.head


def play(store: Store, title: str, id: str, most: int = 10_000, *, players: int = -1, undo: float = 0.15) -> Log:
    log = begin(store, title, id, players)
    for _ in steps(log, Random(id), most, undo):
        pass
    return log


def branch(log: Log, id: str, version: int, most: int, by: str = "analyst") -> Log:
    """A branch from the question at or after a version, played on differently."""
    for at in range(version, log.head + 1):
        try:
            log.run_at(at)
        except NotFound:
            continue
        fork = log.fork(id, at, by=by, reason="what if", at=at * SECOND)
        for _ in steps(fork, Random(id), most):
            pass
        return fork
    raise AssertionError("there is no question to branch from")
