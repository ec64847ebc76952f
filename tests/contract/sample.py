"""How much of every title the contract looks at: little in every run, a lot in `make soak` or by environment variables."""

from __future__ import annotations

import os
from functools import cache
from random import Random

from domain import games
from domain.contract import Game, play
from domain.kernel import Title
from service.store.memory import MemoryStore
from tests.contract import proof

SOAK = bool(os.environ.get("CHANCERY_SOAK"))


def _size(name: str, short: int, long: int) -> int:
    return int(os.environ.get(f"CONTRACT_{name}", long if SOAK else short))


GAMES = _size("GAMES", 1, 8)  # of each player count
DECISIONS = _size("DECISIONS", 1_000, 5_000)  # of each game: most end before
PAIRS = _size("PAIRS", 500, 3_000)  # of worlds of each title
HASH_SEEDS = _size("HASH_SEEDS", 20, 20)

TITLES = [id for id in (proof.TITLE.id, *games.TITLES) if id in os.environ.get("CONTRACT_TITLES", id).split(",")]


def title(id: str) -> Title:
    return proof.TITLE if id == proof.TITLE.id else games.get(id)


@cache
def game(id: str, players: int, number: int) -> Game:
    """A recorded game; those with an odd number use options drawn at random."""
    return record(title(id), players, number)


def record(title: Title, players: int, number: int) -> Game:
    options = title.sample_options(Random(number)) if number % 2 else title.settle()
    return play(title, MemoryStore(), str(number), players=players, options=options, most=DECISIONS)


def sampled(id: str) -> list[Game]:
    """All games of a title that the contract looks at: every player count, default options and drawn ones."""
    # The proof title's games are short: many of them cost less than one of a big title.
    numbers = 10 * GAMES if id == proof.TITLE.id else GAMES
    return [game(id, players, number) for number in range(numbers) for players in title(id).players]
