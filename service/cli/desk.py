"""What every command needs: the store, the log a person means, a clock and ids."""

from __future__ import annotations

import secrets
import time

from domain import games
from domain.kernel.errors import NotFound
from domain.kernel.schema import ARBITER, SPECTATOR
from domain.log import Log, Store
from service.settings import Settings
from service.store import open_store

LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # none that look alike


def now() -> int:
    return int(time.time() * 1000)


def new_id(n: int = 8) -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(n))


def store() -> Store:
    return open_store(Settings.from_environment())


def open_log(kept: Store, name: str) -> Log:
    """The log of a match (its main line) or of a line, by id."""
    try:
        line = kept.line(name)
    except NotFound:
        known = ", ".join(match.id for match in kept.matches()[-5:])
        raise NotFound(
            f"there is no match or line {name!r}; {f'the newest matches are {known}' if known else 'make one with: chancery new'}"
        ) from None
    match = kept.match(line.match)
    return Log(kept, games.get(match.title), match, line)


def viewer(log: Log, seat: str | None) -> str:
    """Whose eyes to look through: a seat, the public, or (by default, at your own terminal) everything."""
    if seat is None:
        return ARBITER
    if seat not in (*log.schema.seats, SPECTATOR, ARBITER):
        raise NotFound(f"there is no seat {seat!r}; choose one of {', '.join([*log.schema.seats, SPECTATOR, ARBITER])}")
    return seat
