"""A table with one zone and register of every kind and sight, and titles made of a few lines of rules, for the kernel's tests."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import settings

from domain.kernel import BACK, BAG, BANK, NOTHING, OPEN, ROW, Rules, Schema, Table, Title, hidden, own
from domain.log import Log, Match
from service.store.memory import MemoryStore

SOAK = bool(os.environ.get("CHANCERY_SOAK"))


def examples(short: int) -> settings:
    """So many examples, the same in every run; ten times as many new ones in a soak."""
    return settings(max_examples=10 * short if SOAK else short, derandomize=not SOAK, deadline=None, database=None)


SEATS = ("red", "blue", "green")
ITEMS = ["ace:1", "ace:2", "king:1", "king:2"]


def back(item: str) -> str:
    """The rank is on the back, the number is not."""
    return item.split(":")[0]


def schema(seats: Sequence[str] = SEATS, options: dict[str, Any] | None = None) -> Schema:
    s = Schema(seats, options, back)
    s.zone("mint", BANK, OPEN)
    s.zone("open", BAG, OPEN)
    s.zone("deck", BAG, hidden())
    s.zone("camp", BAG, hidden(BACK))
    s.zone("vault", BAG, hidden(NOTHING))
    s.zone("line", ROW, OPEN)
    s.zone("pile", ROW, hidden())
    s.zone("stack", ROW, hidden(BACK))
    s.zone("well", ROW, hidden(NOTHING))
    s.register("clock", int, OPEN)
    s.register("word", str, hidden())
    s.register("ghost", bool, hidden(NOTHING))
    for seat in seats:
        s.zone(f"hand:{seat}", BAG, own(seat))
        s.zone(f"court:{seat}", ROW, own(seat, others=BACK))
        s.register(f"aim:{seat}", str, own(seat))
    return s


def table() -> Table:
    return Table(schema())


def title(play: Callable[[Table], Rules], *, rules: str = "1", **more: Any) -> Title:
    """A title whose first step is `play`; further steps and fields by name."""
    steps = {"setup": play, **more.pop("steps", {})}
    return Title(
        id="toy",
        name="Toy",
        rules=rules,
        players=(3,),
        seats=lambda n: SEATS,
        schema=more.pop("schema", schema),
        steps=steps,
        score=lambda t: [],
        winners=lambda t: [],
        **more,
    )


def log(made: Title, seed: bytes = b"seed", id: str = "toy") -> Log:
    return Log.create(MemoryStore(), made, Match(id=id, title="toy", seed=seed), seats=SEATS)
