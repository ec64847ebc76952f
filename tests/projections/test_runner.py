"""The runner: follows the log, parks what it cannot digest, rebuilds beside, heals by itself. On real stores."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from domain.kernel.event import ADVANCED, Event
from domain.kernel.ops import Set
from domain.kernel.schema import SPECTATOR
from domain.kernel.title import Title
from projections import Views, runner, scoreboard
from projections.fan import PARKED, VIEWS, Fan
from projections.runner import Runner, in_force
from projections.stores import Documents, Edition
from projections.stores.memory import MemoryDocuments
from projections.stores.sql import SoftFile, SqlDocuments
from projections.view import unpack
from service.store import MemoryStore, SqlStore
from tests.contract import proof
from tests.projections.played import COURT, TITLES, begin, branch, play, steps

Make = Callable[[], Documents]


def everything(documents: Documents) -> dict[str, dict[str, bytes]]:
    """All documents in force."""
    found = {edition.view: documents.all(edition) for view in VIEWS if (edition := in_force(documents, view))}
    assert not any(unpack(held.pop(PARKED)) for held in found.values() if PARKED in held)
    return found


def rebuilt(store: Any, titles: Any = TITLES) -> dict[str, dict[str, bytes]]:
    """All documents as they come out of the log at once."""
    documents = MemoryDocuments()
    Runner(store, documents, titles).rebuild()
    return everything(documents)


@pytest.fixture
def running(make_documents: Make, file_store: SqlStore) -> Iterator[tuple[Runner, Views, SqlStore]]:
    """A runner on a SQLite log, the views in any store."""
    documents = make_documents()
    found = Runner(file_store, documents, TITLES).start()
    yield found, Views(file_store, make_documents(), TITLES), file_store
    found.stop()


def test_views_follow_play_and_equal_a_rebuild(running: tuple[Runner, Views, SqlStore], documents: Documents) -> None:
    follower, views, store = running
    log = begin(store, COURT, "m")
    for number, version in enumerate(steps(log, Random(1), 60)):
        if number % 10 == 0:
            assert views.wait(timeout=10)
            assert views.timeline("m", SPECTATOR)["version"] == version
    branch(log, "f", 20, 10)
    assert views.wait(timeout=10)
    assert everything(documents) == rebuilt(store)
    assert follower.parked() == [] and follower.restarts == 0


def test_a_new_runner_goes_on_where_the_last_one_stopped(make_documents: Make, file_store: SqlStore) -> None:
    log = begin(file_store, COURT, "m")
    played = steps(log, Random(2), 80)
    for _ in range(6):
        for _ in range(10):
            next(played, None)
        follower = Runner(file_store, make_documents(), TITLES).start()
        assert Views(file_store, make_documents(), TITLES).wait(timeout=10)
        follower.stop()
    assert everything(make_documents()) == rebuilt(file_store)


def test_events_that_come_twice_count_once(make_documents: Make, store: MemoryStore) -> None:
    """Whole batches and single events come again, to the same fan and to a new one."""
    play(store, COURT, "m", 50)
    play(store, COURT, "n", 50)
    documents = make_documents()
    editions = [Edition(name, view.schema, 1) for name, view in VIEWS.items()]
    fan = Fan(store, TITLES, documents, editions)
    notices = store.notifications(0, 10_000)
    rng, start = Random(3), 0
    while start < len(notices):
        end = start + rng.randint(1, 30)
        while end < len(notices) and notices[end].event.kind == ADVANCED:
            end += 1
        batch = notices[max(0, start - 25) : end]
        fan.take([notice for notice in batch for _ in range(2)])
        if rng.random() < 0.3:
            fan = Fan(store, TITLES, documents, editions)
        fan.take(notices[:end])
        start = end
    for edition in editions:
        documents.flip(edition)
    assert everything(documents) == rebuilt(store)


def test_two_runners_at_once_get_in_each_others_way_and_no_more(make_documents: Make, file_store: SqlStore) -> None:
    both = [Runner(file_store, make_documents(), TITLES).start() for _ in range(2)]
    log = begin(file_store, COURT, "m")
    for _ in steps(log, Random(4), 40):
        time.sleep(0.005)
    assert Views(file_store, make_documents(), TITLES).wait(timeout=20)
    for one in both:
        one.stop()
    assert everything(make_documents()) == rebuilt(file_store)


def test_views_are_rebuilt_beside_those_in_force_while_the_game_goes_on(
    running: tuple[Runner, Views, SqlStore], make_documents: Make
) -> None:
    follower, views, store = running
    log = begin(store, COURT, "m")
    played = steps(log, Random(5), 400, undo=0.05)
    for _ in range(30):
        next(played)
    assert views.wait(timeout=10)
    before = {view: make_documents().current(view) for view in VIEWS}
    rebuilding = threading.Thread(target=follower.rebuild)
    rebuilding.start()
    while rebuilding.is_alive():
        next(played, None)
        assert views.timeline("m", SPECTATOR)["moments"]
    rebuilding.join()
    for _ in range(5):
        next(played, None)
    assert views.wait(timeout=10)
    after = {view: make_documents().current(view) for view in VIEWS}
    assert all(after[view].build == before[view].build + 1 for view in VIEWS)  # type: ignore[union-attr]
    assert everything(make_documents()) == rebuilt(store)


def test_a_new_schema_is_built_beside_the_old_one(
    running: tuple[Runner, Views, SqlStore], make_documents: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program with a newer scoreboard starts: the old documents stay in force until the new ones are whole."""
    follower, views, store = running
    play(store, COURT, "m", 30)
    assert views.wait(timeout=10)
    follower.stop()
    documents = make_documents()
    old = documents.current("scoreboard")
    monkeypatch.setattr(scoreboard, "schema", 2)
    assert old is not None and in_force(documents, "scoreboard") is None
    assert views.scoreboard("m", SPECTATOR)["history"]  # folded on the spot meanwhile
    newer = Runner(store, make_documents(), TITLES).start()
    assert views.wait(timeout=10)
    newer.stop()
    assert documents.current("scoreboard") == Edition("scoreboard", 2, 1)
    assert documents.all(old) == {}
    assert documents.current("timeline") == Edition("timeline", 1, 1)


# -- what cannot be digested ---------------------------------------------------------------------------


class Moody:
    """Titles whose court cannot count the points of some tables, until it is mended."""

    def __init__(self) -> None:
        self.mended = False
        self.title = msgspec.structs.replace(proof.TITLE, score=self.score)

    def get(self, id: str) -> Title:
        return self.title

    def score(self, t: Any) -> Any:
        if not self.mended and t.get("round") == 1 and len(t.seats) == 3:
            raise ZeroDivisionError("three is a crowd")
        return proof.score(t)


def test_a_view_that_cannot_digest_an_event_leaves_that_line_standing_and_goes_on(
    make_documents: Make, file_store: SqlStore
) -> None:
    titles = Moody()
    follower = Runner(file_store, make_documents(), titles).start()
    views = Views(file_store, make_documents(), titles)
    play(file_store, COURT, "bad", 25, players=1)
    play(file_store, COURT, "good", 25, players=2)
    assert views.wait(timeout=10)
    [parked] = follower.parked()
    assert (parked["view"], parked["line"]) == ("scoreboard", "bad") and "three is a crowd" in parked["error"]
    assert follower.status()["parked"] == views.status()["parked"] == [parked]
    assert views.timeline("bad", SPECTATOR)["version"] == file_store.head("bad")
    assert views.scoreboard("good", SPECTATOR)["version"] == file_store.head("good")
    assert parked["version"] <= parked["upto"] == file_store.head("bad")

    assert follower.retry()[0]["upto"] == file_store.head("bad"), "tried too early it is parked again"
    titles.mended = True
    assert follower.retry("bad") == [] == views.parked()
    follower.stop()
    assert everything(make_documents()) == rebuilt(file_store, titles)


def test_another_process_can_try_again(make_documents: Make, file_store: SqlStore) -> None:
    titles = Moody()
    follower = Runner(file_store, make_documents(), titles).start()
    views = Views(file_store, make_documents(), titles)
    log = play(file_store, COURT, "bad", 15, players=1)
    assert views.wait(timeout=10) and len(follower.parked()) == 1
    titles.mended = True
    assert Runner(file_store, make_documents(), titles).retry() == []
    for _ in steps(log, Random(6), 10):
        pass
    assert views.wait(timeout=10)
    follower.stop()
    assert everything(make_documents()) == rebuilt(file_store, titles)


def test_a_log_that_was_tampered_with_stands_still_in_every_view_and_no_other_does(store: MemoryStore) -> None:
    play(store, COURT, "bad", 20)
    good = begin(store, COURT, "good")
    forged = Event(store.head("bad") + 1, "decided", "ash", "deed", "rest", ops=[Set("round", 77, 78)])
    store.append("bad", [forged])
    for _ in steps(good, Random(7), 20):
        pass
    store.append("bad", [Event(forged.version + 1, "decided", "ash", "deed", "rest")])
    documents = MemoryDocuments()
    follower = Runner(store, documents, TITLES)
    follower.rebuild()
    parked = follower.parked()
    assert {one["view"] for one in parked} == set(VIEWS)
    assert {(one["line"], one["version"], one["upto"]) for one in parked} == {("bad", forged.version, forged.version + 1)}
    views = Views(store, documents, TITLES)
    assert views.timeline("bad", SPECTATOR)["version"] == forged.version - 1
    assert views.timeline("good", SPECTATOR)["version"] == good.head


def test_a_row_that_cannot_be_read_is_parked_and_passed(file_store: SqlStore, file: str) -> None:
    play(file_store, COURT, "bad", 12)
    good = play(file_store, COURT, "good", 12)
    broken = file_store.head("bad")
    SoftFile(file).write(
        [("UPDATE stored_events SET state = ? WHERE originator_id = 'bad' AND originator_version = ?", (b"\xff", broken))]
    )
    documents = SqlDocuments(SoftFile(file))
    follower = Runner(file_store, documents, TITLES).start()
    views = Views(file_store, documents, TITLES)
    assert views.wait(timeout=10)
    assert {(one["view"], one["line"], one["version"]) for one in follower.parked()} >= {("timeline", "bad", broken)}
    assert views.timeline("good", SPECTATOR)["version"] == good.head
    follower.stop()
    documents.close()


def test_the_end_of_a_batch_never_cuts_a_decision(store: MemoryStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "FEW", 2)
    monkeypatch.setattr(runner, "MANY", 16)
    for number in range(4):
        play(store, COURT, f"m{number}", 40)
    documents = MemoryDocuments()
    Runner(store, documents, TITLES).rebuild()
    assert Runner(store, documents, TITLES).parked() == []
    monkeypatch.undo()
    assert everything(documents) == rebuilt(store)


# -- failures around it --------------------------------------------------------------------------------


class Shaky:
    """A store whose feed fails now and then, as a database does that is being restarted."""

    def __init__(self, store: SqlStore) -> None:
        self._store, self._rng = store, Random(8)
        self.failed = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def notifications(self, gt: int, limit: int) -> Any:
        if self._rng.random() < 0.3:
            self.failed += 1
            raise ConnectionError("the server closed the connection")
        return self._store.notifications(gt, limit)


def test_a_store_that_fails_now_and_then_is_asked_again(make_documents: Make, file_store: SqlStore) -> None:
    shaky = Shaky(file_store)
    follower = Runner(shaky, make_documents(), TITLES).start()  # type: ignore[arg-type]
    log = begin(file_store, COURT, "m")
    for _ in steps(log, Random(9), 30):
        time.sleep(0.003)
    assert Views(file_store, make_documents(), TITLES).wait(timeout=30)
    follower.stop()
    assert shaky.failed and follower.restarts and "closed the connection" in follower.error
    assert follower.parked() == []
    assert everything(make_documents()) == rebuilt(file_store)


def test_documents_that_vanish_are_noticed_and_built_again(running: tuple[Runner, Views, SqlStore], make_documents: Make) -> None:
    """All documents of a view go while nobody plays."""
    _, views, store = running
    play(store, COURT, "m", 20)
    assert views.wait(timeout=10)
    documents = make_documents()
    edition = documents.current("timeline")
    assert edition is not None
    documents.drop(edition)
    until = time.monotonic() + 10
    while documents.current("timeline") == edition and time.monotonic() < until:
        time.sleep(0.02)
    assert views.wait(timeout=10)
    assert everything(documents) == rebuilt(store)


def test_without_views_every_line_can_still_be_read(store: MemoryStore) -> None:
    """Nothing is kept, nobody folds: readers get the same, folded on the spot."""
    log = play(store, COURT, "m", 40)
    branch(log, "f", 15, 10)
    kept = MemoryDocuments()
    Runner(store, kept, TITLES).rebuild()
    with_views, without = Views(store, kept, TITLES), Views(store, MemoryDocuments(), TITLES)
    for line in ("m", "f"):
        for viewer in ("ash", SPECTATOR):
            for look in ("scoreboard", "diplomacy", "timeline", "chronicle"):
                assert getattr(without, look)(line, viewer) == getattr(with_views, look)(line, viewer)
        assert without.inbox(line) == with_views.inbox(line)
    assert without.wait(timeout=0.05) is False
