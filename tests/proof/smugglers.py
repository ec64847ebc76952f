"""Smugglers: a small game with everything a proof has to deal with.

Hidden hands, a shuffled deck, a bag, dice of three kinds, sealed bids, peeks, faces and backs, and a ledger nobody else knows of.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from domain.bots import choose
from domain.kernel.ask import Ask, AskAll, Draw, Roll, Rules, Shuffle
from domain.kernel.choice import Pick
from domain.kernel.schema import BACK, BAG, NOTHING, OPEN, ROW, Schema, hidden, own
from domain.kernel.table import Table
from domain.kernel.title import END, Option, Score, Title
from domain.log import Log, Match
from service.store.memory import MemoryStore

GOODS = ("silk", "amber", "saltpetre", "relics", "pearls", "tulips")
GUARDS = ("captain-bribed", "captain-stern", "clerk-bribed", "clerk-stern")
D10 = tuple(range(10))
COIN = (0, 1)


def schema(seats: Sequence[str], options: dict[str, Any]) -> Schema:
    made = Schema(
        seats, options, back=lambda item: item.split("-")[0] if "-" in item else item if item in ("captain", "clerk") else "?"
    )
    made.zone("deck", ROW, hidden())
    made.zone("harbour", BAG, hidden(BACK))
    made.zone("market", BAG, OPEN)
    made.register("round", int, OPEN)
    for seat in seats:
        made.zone(f"hold:{seat}", BAG, own(seat))
        made.zone(f"guards:{seat}", BAG, own(seat, others=BACK))
        made.register(f"ledger:{seat}", int, own(seat, others=NOTHING))
        made.register(f"gold:{seat}", int, OPEN)
    return made


def setup(t: Table) -> Rules:
    for good in GOODS:
        for n in range(t.options["copies"]):
            t.move(f"{good}{n}", "box", "deck", cite="S-1")
    for guard in GUARDS:
        t.move(guard, "box", "harbour", t.options["copies"], cite="S-2")
    yield Shuffle("deck", "shuffle_deck", "S-3")
    t.set("round", 1)
    return "night"


def night(t: Table) -> Rules:
    for seat in t.seats:
        card = t.zones["deck"][-1]
        t.move(card, "deck", f"hold:{seat}", cite="N-1")
    bids = yield AskAll([Ask(seat, "bid", range(6), "N-2") for seat in t.seats])
    best = max(t.seats, key=lambda seat: (bids[seat], seat))
    guard = yield Draw("harbour", "hire_guard", "N-3")
    t.move(guard, "harbour", f"guards:{best}", cite="N-3")
    t.set(f"ledger:{best}", t.get(f"ledger:{best}", 0) + bids[best], cite="N-4")
    t.show(best, "deck", t.zones["deck"][-1:])
    return "day"


def day(t: Table) -> Rules:
    dice = yield Roll(2, "patrol", "D-1")
    wind = yield Roll(1, "wind", "D-2", faces=D10)
    luck = yield Roll(1, "luck", "D-3", faces=COIN)
    for seat in t.seats:
        for item, n in (yield Ask(seat, "sell", Pick(t, [f"hold:{seat}"], 0, 1), "D-4")):
            t.move(item, f"hold:{seat}", "market", n, cite="D-4")
            t.add(f"gold:{seat}", sum(dice) + wind[0] + luck[0], cite="D-5")
    if len(t.zones["deck"]) < len(t.seats) + 1 or not t.total("harbour") or t.get("round") >= t.options["rounds"]:
        return END
    t.add("round", 1)
    return "night"


TITLE = Title(
    id="smugglers",
    name="Smugglers",
    rules="1",
    players=(2, 3),
    seats=lambda n: ("red", "blue", "green")[:n],
    schema=schema,
    steps={"setup": setup, "night": night, "day": day},
    score=lambda t: [Score(seat, t.get(f"gold:{seat}", 0)) for seat in t.seats],
    winners=lambda t: [max(t.seats, key=lambda seat: t.get(f"gold:{seat}", 0))] if t.get("step") == END else [],
    options={
        "copies": Option(8, (4, 8, 99), "S-1", "cards of each good"),
        "rounds": Option(10, (2, 10, 60), "S-4", "rounds at most"),
    },
    data="smugglers-data",
)


def deal(id: str = "match-1", seed: bytes = b"s" * 32, store: MemoryStore | None = None, **options: Any) -> Log:
    """A new game of three."""
    match = Match(id, "smugglers", seed, made=1_700_000_000_000, name="A night at the quay")
    return Log.create(store or MemoryStore(), TITLE, match, seats=TITLE.seats(3), options=options, nonces=["r1", "b2", "g3"])


def play(log: Log, upto: int = 1 << 60, seed: int = 1) -> Log:
    """Random legal decisions to the end, or to about a version."""
    rng = Random(seed)
    while not log.run.over and log.head < upto:
        ask = choose(log.run, rng)
        log.decide(ask.seat, ask.key, ask.sample(rng), at=1_700_000_000_000 + log.head * 1000)
    return log
