"""The speed bars: each measured here and now, against a raw driver on the same rows wherever that makes sense.

Games are played in memory and copied into a fresh SQLite file, row for row what playing there would have stored. A game of a
title ends long before version 5,000, so how loading grows with length is measured on a made-up march that goes on and on.
Every figure is the best of several tries. What waits for the disk (append, undo) still says as much about the disk as about us:
linking, encoding and checking cost some 25 us, so an append reaches 0.7 of a raw insert where a sync takes 40 us or more.
"""

from __future__ import annotations

import gc
import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from statistics import median, quantiles
from time import perf_counter

import msgspec

from domain.audit import audit
from domain.bots import choose, guess, random_legal
from domain.kernel import BAG, END, OPEN, Ask, Draw, Refused, Roll, Rules, Run, Schema, Table, Title, chain, hidden, own
from domain.kernel.event import DECIDED, SEALED, decode, encode
from domain.log import Log, Match
from domain.rollout import start_at
from service.analysis import playouts_per_second
from service.store import MemoryStore, SqlStore, open_store

LONG = 5_100  # versions of the march
FOLDED = 1_000  # events folded, as many as the peers were measured on
PEER_MS = 169.0  # boardgame.io 0.50 replaying 1,000 moves
BIG = 200  # zones and registers from which on a title counts as a big one
MOST_DECISIONS = 4_000


class Bar(msgspec.Struct, frozen=True):
    """One measured value and what it must reach; `ok` says whether it did."""

    name: str
    value: float
    bar: float
    ok: bool
    unit: str


def _most(name: str, value: float, bar: float, unit: str) -> Bar:
    return Bar(name, value, bar, value <= bar, unit)


def _least(name: str, value: float, bar: float, unit: str) -> Bar:
    return Bar(name, value, bar, value >= bar, unit)


def run(title: Title, progress: Callable[[str], None] = lambda what: None) -> list[Bar]:
    """Every bar, in one process on one machine: compare them with each other, not with another day's."""
    with tempfile.TemporaryDirectory(prefix="chancery-bench-") as folder, _quiet():
        progress("playing games to measure on")
        played = MemoryStore()
        games = list(_games(title, played))
        march = _game(MARCH, played, "march", upto=LONG)
        with open_store(f"{folder}/bench.db") as store, open_store(f"{folder}/bare.db") as bare:
            for log in (*games, march):
                _copy(played, store, log, snapshots=True)
            for log in games:
                _copy(played, bare, log, snapshots=False)
            mine = [_opened(store, log) for log in games]
            long = _opened(store, march)
            bars = [*_loading(mine, long, progress), *_branching(store, mine, long, progress)]
            bars += _folding(Path(folder) / "bare.db", [_opened(bare, log) for log in games], progress)
            bars += _appending(Path(folder) / "raw.db", bare, games[0], progress)
            bars += _judging(title, mine, progress)
        return bars


# -- the bars -----------------------------------------------------------------------------------------


def _loading(mine: list[Log], long: Log, progress: Callable[[str], None]) -> Iterator[Bar]:
    progress("loading any version")
    heads = [(log, log.head) for log in mine]
    every = max(1, sum(head for _, head in heads) // 300)
    took = [_best(partial(log.whole_table, version)) for log, head in heads for version in range(1, head + 1, every)]
    yield _most("load any version, with snapshots: p95", quantiles(took, n=20)[-1] * 1e3, 2, "ms")

    progress("loading versions of a long game")
    # A whole interval between snapshots around each version: how far the nearest one is must not decide.
    early, late = (sum(_best(partial(long.whole_table, version)) for version in range(at - 25, at + 25)) for at in (100, 5_000))
    yield _most("load version 5,000 against version 100", late / early, 1.5, "times")


def _branching(store: SqlStore, mine: list[Log], long: Log, progress: Callable[[str], None]) -> Iterator[Bar]:
    progress("forking")
    log, number = mine[0], count()
    line = log.line

    def forks() -> None:
        for _ in range(50):
            n = next(number)
            store.add_line(msgspec.structs.replace(line, id=f"fork-{n}", parent=line.id, at=1, made=n))

    yield _most("fork, in the store", _best(forks, 20) / 50 * 1e6, 50, "us")

    progress("undoing")
    took = _undone(log.fork("undo", max(1, log.head // 2)), 40) or _undone(long.fork("undo-march", LONG // 2), 40)
    typical = min(median(took[start : start + 10]) for start in range(0, len(took), 10))
    yield _most("undo one decision", typical * 1e3, 1, "ms")


def _folding(path: Path, games: list[Log], progress: Callable[[str], None]) -> Iterator[Bar]:
    progress("folding 1,000 events")
    spans, left = [], FOLDED
    for log in games:
        spans.append((log, min(left, log.head)))
        left -= spans[-1][1]
    sql = "SELECT state FROM stored_events WHERE originator_id = ? AND originator_version <= ? ORDER BY originator_version"
    with sqlite3.connect(path) as db:
        raw, fold = _against(
            lambda: [[decode(state) for (state,) in db.execute(sql, (log.line.id, upto))] for log, upto in spans],
            lambda: [log.whole_table(upto) for log, upto in spans],
        )
    db.close()
    thousand = fold * FOLDED / (FOLDED - max(0, left))
    yield _most("fold 1,000 events against reading and decoding their rows", fold / raw, 2, "times")
    yield _least("replay 1,000 moves against boardgame.io's 169 ms", PEER_MS / (thousand * 1e3), 20, "times faster")


def _appending(path: Path, store: SqlStore, log: Log, progress: Callable[[str], None]) -> Iterator[Bar]:
    """The same events into the same table of two files, by the bare driver and by us, turn about: both meet the same disk."""
    progress("appending")
    open_store(str(path)).close()  # makes the tables
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA synchronous=FULL")
    laid = (
        next(item.version for item in log.raw() if item.kind in (DECIDED, SEALED)) - 1
    )  # the table is laid in one go, with the match
    states = [encode(item) for item in log.raw(laid, laid + 40)]
    events = [
        msgspec.structs.replace(item, link=b"") for item in log.raw(laid, laid + 40)
    ]  # as the rules leave them, not linked yet
    insert = "INSERT INTO stored_events (originator_id, originator_version, topic, state) VALUES (?, ?, ?, ?)"

    def both(line: str) -> tuple[float, float]:
        store.add_line(msgspec.structs.replace(log.line, id=line, parent=log.line.id, at=laid))
        raw = own_ = 0.0
        link = chain.START
        for item, state in zip(events, states, strict=True):
            start = perf_counter()
            db.execute(insert, (line, item.version, item.kind, state))
            between = perf_counter()
            link = chain.link(link, log.schema, item, log.match.seed)
            store.append(line, [msgspec.structs.replace(item, link=link)])
            own_ += perf_counter() - between
            raw += between - start
        return raw, own_

    took = [both(f"appended-{number}") for number in range(40)]
    db.close()
    raw, own_ = (min(one[side] for one in took) for side in (0, 1))
    yield _least("append one event, linked, against a raw insert", raw / own_, 0.7, "times")


def _judging(title: Title, mine: list[Log], progress: Callable[[str], None]) -> Iterator[Bar]:
    progress("auditing")
    decisions = sum(audit(log).decisions for log in mine)
    took = sum(_best(partial(audit, log), 12) for log in mine)
    big = len(mine[0].schema.sights) > BIG
    yield _least("audit, on a big title" if big else "audit", decisions / took, 3_000 if big else 10_000, "decisions/s")

    progress("playing out")
    rng, until, done = Random(1), perf_counter() + 3, 0
    started = perf_counter()
    while perf_counter() < until or not done:
        playing = Run(title, title.lay(_seats(title)), guess(rng))
        for _ in range(MOST_DECISIONS):
            if playing.over:
                break
            ask = choose(playing, rng)
            playing.answer(ask.seat, ask.key, random_legal(playing, ask, rng))
        done += 1
    yield _least("full random playouts", done / (perf_counter() - started), 1, "games/s")

    progress("rolling out")
    half = start_at(mine[0], mine[0].question_after(mine[0].head // 2))
    yield _least("rollouts from the middle of a game, on one core", playouts_per_second(half, seconds=2), 1, "playouts/s")


# -- games to measure on ------------------------------------------------------------------------------


def _seats(title: Title) -> list[str]:
    return list(title.seats(max(title.players)))


def _games(title: Title, store: MemoryStore) -> Iterator[Log]:
    """As many games as it takes to have 1,000 events."""
    events = 0
    for number in range(FOLDED):
        log = _game(title, store, f"game-{number}")
        events += log.head
        yield log
        if events >= FOLDED:
            return


def _game(title: Title, store: MemoryStore, id: str, upto: int = 1 << 60) -> Log:
    rng = Random(id)
    log = Log.create(store, title, Match(id, title.id, rng.randbytes(32)), seats=_seats(title))
    for _ in range(MOST_DECISIONS):
        if log.run.over or log.version >= upto:
            break
        ask = choose(log.run, rng)
        log.decide(ask.seat, ask.key, random_legal(log.run, ask, rng))
    return log


def _copy(played: MemoryStore, store: SqlStore, log: Log, *, snapshots: bool) -> None:
    store.add_match(log.match, log.line)
    store.append(log.line.id, log.raw())
    version = log.head if snapshots else 0
    while kept := played.snapshot(log.line.id, version):
        store.keep(log.line.id, kept)
        version = kept.version - 1


def _opened(store: SqlStore, log: Log) -> Log:
    return Log(store, log.title, log.match, log.line)


def _undone(log: Log, most: int) -> list[float]:
    """How long taking back took, each time it was possible."""
    rng, took = Random(1), list[float]()
    for _ in range(400):
        if log.run.over or len(took) == most:
            break
        ask = choose(log.run, rng)
        answer = random_legal(log.run, ask, rng)
        log.decide(ask.seat, ask.key, answer)
        try:
            log.undoable(ask.seat)
        except Refused:
            continue
        started = perf_counter()
        log.undo(ask.seat)
        took.append(perf_counter() - started)
        log.decide(ask.seat, ask.key, answer)
    return took


# -- timing -------------------------------------------------------------------------------------------


@contextmanager
def _quiet() -> Iterator[None]:
    """No garbage collection in the middle of a measurement; what it would cost falls on nobody in particular."""
    enabled = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _time(work: Callable[[], object]) -> float:
    started = perf_counter()
    work()
    return perf_counter() - started


def _best(work: Callable[[], object], times: int = 5) -> float:
    return min(_time(work) for _ in range(times))


def _against(raw: Callable[[], object], own_: Callable[[], object], times: int = 20) -> tuple[float, float]:
    """The best of each, in turns, so that a busy moment of the machine hits both."""
    pairs = [(_time(raw), _time(own_)) for _ in range(times)]
    return min(pair[0] for pair in pairs), min(pair[1] for pair in pairs)


# -- the march: a made-up title that does not end -----------------------------------------------------

PLACES = 80
CARDS = [f"card-{n:02}" for n in range(40)]
MARCHERS = ("red", "blue", "green", "yellow")


def _map(seats: Iterable[str], options: dict[str, object]) -> Schema:
    schema = Schema(seats, options)
    for place in range(PLACES):
        schema.zone(f"place:{place}", BAG, OPEN)
    schema.zone("deck", BAG, hidden())
    for seat in schema.seats:
        schema.zone(f"hand:{seat}", BAG, own(seat))
        schema.register(f"glory:{seat}", int, OPEN)
    schema.register("turn", int, OPEN)
    return schema


def _muster(t: Table) -> Rules:
    for card in CARDS:
        t.move(card, "box", "deck", cite="M1")
    for place in range(PLACES):
        t.move(f"{t.seats[place % len(t.seats)]}/army", "box", f"place:{place}", 3, cite="M2")
    t.set("turn", 0)
    return "turn"
    yield  # a step that asks nothing is a coroutine too


def _turn(t: Table) -> Rules:
    """Draw, march three places on, fight, give a card back: one decision that can be taken back, one that cannot."""
    seat = t.seats[t.get("turn") % len(t.seats)]
    card = yield Draw("deck", "draw", "M3")
    t.move(card, "deck", f"hand:{seat}", cite="M3")
    armies = [place for place in range(PLACES) if t.count(f"place:{place}", f"{seat}/army")]
    start = yield Ask(seat, "march", armies, "M4")
    for step in range(3):
        t.move(f"{seat}/army", f"place:{(start + step) % PLACES}", f"place:{(start + step + 1) % PLACES}", cite="M4")
    yield Ask(seat, "fight", ["boldly", "warily"], "M5")
    dice = yield Roll(2, "fight", "M5", seat=seat)
    t.add(f"glory:{seat}", sum(dice), cite="M5")
    if t.total(f"hand:{seat}") > 5:
        t.move(t.items(f"hand:{seat}")[0], f"hand:{seat}", "deck", cite="M6")
    t.add("turn", 1)
    return "turn" if t.get("turn") < LONG else END


MARCH = Title(
    id="march",
    name="The Long March",
    rules="1",
    players=(len(MARCHERS),),
    seats=lambda n: MARCHERS[:n],
    schema=_map,
    steps={"setup": _muster, "turn": _turn},
    score=lambda t: [],
    winners=lambda t: [],
)
