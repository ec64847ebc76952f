"""The bars of the pages: a long game of a title behind the real application, its match page loaded and stepped through."""

from __future__ import annotations

import logging
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from domain.bots import choose, random_legal
from domain.kernel.errors import Refused
from domain.kernel.title import Title
from domain.log import Log
from projections import bench as views
from service.bench import Bar, _quiet
from service.matches import Matches
from service.settings import Settings
from service.store import MemoryStore
from service.wsgi import close, create_app

EVENTS = 2_000
PAGES, STEPS, ROUNDS = 40, 60, 3
PAGE_MS, STEP_MS = 100.0, 50.0
SMALL = 0.25  # of a whole frame, in the middle of the steps

Spent = tuple[float, float]  # milliseconds by the clock, and of the processor


def run(title: Title, progress: Callable[[str], None] = lambda what: None) -> list[Bar]:
    """The server's time for the match page of a game of 2,000 events at any version, and for a step of the scrubber."""
    with tempfile.TemporaryDirectory(prefix="chancery-bench-") as folder, _unheard():
        app = create_app(Settings(db=str(Path(folder) / "pages.db"), secret="s" * 40, limit="off"))
        try:
            service: Matches = app.extensions["chancery"]
            progress(f"playing {EVENTS} events")
            line, seat, holder = _played(service, title)
            service.views.wait(timeout=120)
            client = app.test_client()
            account = service.accounts.get(holder)
            assert account is not None
            with client.session_transaction() as session:
                session["account"] = [account.id, account.epoch]
            log = service.open_log(line)
            there, rng = f"/m/{line}/{line}", Random("pages")
            with _quiet():
                progress("loading the match page")
                newest = [_loaded(client, [f"{there}?as={seat}"] * PAGES) for _ in range(ROUNDS)]
                anywhere = [
                    _loaded(client, [f"{there}?as={seat}&at={rng.randint(1, log.head)}" for _ in range(PAGES)])
                    for _ in range(ROUNDS)
                ]
                progress("stepping")
                walks = [_walk(client, f"{there}/frame?as={seat}", rng.randint(2, log.head - STEPS)) for _ in range(ROUNDS)]
        finally:
            close(app)
    found: list[Bar] = []
    for name, rounds, bar in (
        (f"match page of {EVENTS} events, newest", newest, PAGE_MS),
        ("match page at any version", anywhere, PAGE_MS),
        ("a step of the scrubber", [spent for spent, _ in walks], STEP_MS),
    ):
        for clock, value in (("", min(wall for wall, _ in rounds)), (" of the processor", min(own for _, own in rounds))):
            found.append(Bar(f"{title.id}: {name}, p95{clock}", value, bar, value < bar, "ms"))
    sent = statistics.median(share for _, share in walks)
    return [*found, Bar(f"{title.id}: what a step sends, against the whole", sent, SMALL, sent < SMALL, "times")]


@contextmanager
def _unheard() -> Iterator[None]:
    """A line for every request would be measured too."""
    before = logging.root.manager.disable
    logging.disable(logging.INFO)
    try:
        yield
    finally:
        logging.disable(before)


def _played(service: Matches, title: Title) -> tuple[str, str, str]:
    """A running game of so many events by random bots; its line, a seat that is asked, and who holds it.

    No game is so long by itself: bots that change their minds often enough make it so.
    """
    usual = views.play(MemoryStore(), title, "usual").head
    people = [service.accounts.create(f"Player {n}") for n in range(title.players[-1])]
    match = service.open(people[0].id, title.id, players=len(people))
    for person in people:
        service.join(person.id, match.id)
    service.start(people[0].id, match.id)
    log, rng = service.open_log(match.id), Random("pages")
    while log.head < EVENTS and not log.run.over:
        ask = choose(log.run, rng)
        for _ in range(2 * EVENTS // usual):
            if log.run.over or not _tried(log, ask.seat, ask.key, rng):
                break
        else:
            if not log.run.over:
                log.decide(ask.seat, ask.key, random_legal(log.run, ask, rng), at=log.head)
    found = service.register.load(match.id)
    seat = next((ask.seat for ask in log.run.asks), found.seats[0])
    return match.id, seat, found.holder(seat) or ""


def _tried(log: Log, seat: str, key: str, rng: Random) -> bool:
    """Decide, and take it back; False if it stands."""
    log.decide(seat, key, random_legal(log.run, log.asked(seat, key), rng), at=log.head)
    try:
        log.undo(seat, at=log.head)
    except Refused:
        return False
    return log.head < EVENTS


class Watch:
    """Times of the server's answers, by the clock and by the processor: a busy machine shows in the difference."""

    def __init__(self) -> None:
        self._wall, self._own = list[float](), list[float]()

    def get(self, client: FlaskClient, path: str) -> TestResponse:
        wall, own = time.perf_counter(), time.thread_time()
        answer = client.get(path)
        self._wall.append((time.perf_counter() - wall) * 1000)
        self._own.append((time.thread_time() - own) * 1000)
        assert answer.status_code == 200, path
        return answer

    @property
    def p95(self) -> Spent:
        """Milliseconds within which 95 of 100 answers were there."""
        return statistics.quantiles(self._wall, n=20)[18], statistics.quantiles(self._own, n=20)[18]


def _loaded(client: FlaskClient, paths: Sequence[str]) -> Spent:
    """Load pages; the first load warms up and does not count."""
    client.get(paths[0])
    watch = Watch()
    for path in paths:
        watch.get(client, path)
    return watch.p95


def _walk(client: FlaskClient, frame: str, start: int) -> tuple[Spent, float]:
    """Step on from a version as the page does; the p95 of a step, and how much it sends of what a whole frame is long."""
    whole = client.get(f"{frame}&at={start}")
    tag, watch, shares = whole.json["tag"], Watch(), []  # type: ignore[index]
    for at in range(start + 1, start + STEPS):
        answer = watch.get(client, f"{frame}&at={at}&from={at - 1}&tag={tag}")
        tag = answer.json["tag"]  # type: ignore[index]
        shares.append(len(answer.data) / len(whole.data))
    return watch.p95, statistics.median(shares)
