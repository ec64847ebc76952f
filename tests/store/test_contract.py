"""What every store promises: memory, SQLite and PostgreSQL, with real servers and real processes."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import psycopg
import pytest
from eventsourcing.persistence import IntegrityError

from domain.bots import choose, random_legal
from domain.kernel import BrokenLog, Event, NotFound, Refused, Set, Stale
from domain.log import LATEST, Line, Log, Match, Snapshot
from service.bench import MARCH
from service.store import BrokenRow, MemoryStore, Notice, SqlStore, open_store

ROOT = Path(__file__).parents[2]
DATABASES = ["sqlite", "postgres"]
MAIN = Line("main", "main", made=1)


class Place:
    """Somewhere a store can be opened, also twice, and looked at behind its back."""

    def __init__(self, database: str | None) -> None:
        self.database = database
        self._opened: list[SqlStore] = []
        self._memory = MemoryStore()

    def open(self) -> Any:
        if self.database is None:
            return self._memory
        self._opened.append(open_store(self.database))
        return self._opened[-1]

    def sql(self, statement: str, *values: Any) -> list[Any]:
        """What an intruder or a broken disk does."""
        assert self.database is not None
        if self.database.startswith("postgresql"):
            with psycopg.connect(self.database, autocommit=True) as db:
                cursor = db.execute(statement.replace("?", "%s"), values)
                return cursor.fetchall() if cursor.description else []
        with sqlite3.connect(self.database, isolation_level=None) as lite:
            found = lite.execute(statement, values).fetchall()
        lite.close()
        return found

    def process(self, what: str, *more: str) -> subprocess.Popen[str]:
        """A writer in a process of its own, ready to start when it gets a line."""
        command = [sys.executable, "-m", "tests.store.writer", what, str(self.database), "main", *more]
        return subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def close(self) -> None:
        for store in self._opened:
            store.close()


@pytest.fixture(params=["memory", *DATABASES])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    given = {
        "memory": lambda: None,
        "sqlite": lambda: str(tmp_path / "log.db"),
        "postgres": lambda: request.getfixturevalue("postgres"),
    }
    place = Place(given[request.param]())
    yield place
    place.close()


# The promises that only a database can keep.
on_a_database = pytest.mark.parametrize("place", DATABASES, indirect=True)


@pytest.fixture
def store(place: Place) -> Any:
    """A store with an empty match."""
    store = place.open()
    store.add_match(Match("main", "march", b"seed", 1, "A match"), MAIN)
    return store


def event(version: int, **more: Any) -> Event:
    return Event(version, "decided", "red", "count", ops=[Set("count", version - 1, version)], **more)


def events(first: int, last: int) -> list[Event]:
    return [event(version) for version in range(first, last + 1)]


def go(*processes: subprocess.Popen[str]) -> None:
    """Let them all start at the same moment."""
    for process in processes:
        assert process.stdout and process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin
        process.stdin.write("\n")
        process.stdin.flush()


# -- matches and lines --------------------------------------------------------------------------------


def test_a_match_and_its_main_line_are_kept(store, place):
    assert place.open().match("main") == Match("main", "march", b"seed", 1, "A match")
    assert place.open().line("main") == MAIN


def test_matches_and_lines_come_oldest_first(store):
    store.add_match(Match("b", "march", b"", made=3), Line("b", "b", made=3))
    store.add_match(Match("a", "march", b"", made=2), Line("a", "a", made=2))
    store.add_line(Line("what-if", "main", parent="main", at=4, by="red", reason="why not", made=9))
    assert [match.id for match in store.matches()] == ["main", "a", "b"]
    assert store.lines("main") == [MAIN, Line("what-if", "main", "main", 4, "red", "why not", 9)]


def test_a_match_comes_with_its_first_events_or_not_at_all(store, place):
    store.add_match(Match("new", "march", b""), Line("new", "new"), events(1, 2))
    assert store.head("new") == 2
    with pytest.raises(Refused, match="already a match 'new'"):
        store.add_match(Match("new", "march", b""), Line("new", "new"), events(1, 3))
    assert store.head("new") == 2


def test_a_line_id_is_given_once(store):
    with pytest.raises(Refused, match="already a line 'main'"):
        store.add_line(Line("main", "main", at=3))
    assert store.line("main") == MAIN


@pytest.mark.parametrize(
    "look",
    [
        lambda store: store.match("nowhere"),
        lambda store: store.line("nowhere"),
        lambda store: store.read("nowhere", 0, LATEST),
        lambda store: store.head("nowhere"),
        lambda store: store.append("nowhere", events(1, 1)),
    ],
    ids=["match", "line", "read", "head", "append"],
)
def test_what_is_not_there_is_not_found(store, look):
    with pytest.raises(NotFound, match=r"there is no (match|line) 'nowhere'"):
        look(store)


def test_a_match_without_lines_or_events_is_empty_not_missing(store):
    assert store.lines("nowhere") == []
    assert store.read("main", 0, LATEST) == []
    assert (store.head("main"), store.position()) == (0, 0)


# -- events -------------------------------------------------------------------------------------------


def test_events_are_read_back_as_they_were(store, place):
    first = Event(1, "created", answer={"title": "march", "seats": ["red"]}, mark=True, digest=b"d", link=b"l", at=5)
    store.append("main", [first])
    store.append("main", events(2, 9))
    other = place.open()
    assert other.read("main", 0, LATEST) == [first, *events(2, 9)]
    assert other.read("main", 3, 6) == events(4, 6)
    assert other.read("main", 9, LATEST) == []
    assert other.head("main") == 9


def test_whoever_writes_second_is_stale_and_stores_nothing(store, place):
    store.append("main", events(1, 3))
    with pytest.raises(Stale) as stale:
        place.open().append("main", [event(3), event(4)])
    assert (stale.value.expected, stale.value.actual) == (2, 3)
    assert store.read("main", 0, LATEST) == events(1, 3)


def test_a_version_cannot_be_left_out(store):
    store.append("main", events(1, 3))
    with pytest.raises(Stale) as stale:
        store.append("main", [event(5)])
    assert (stale.value.expected, stale.value.actual) == (4, 3)


def test_a_branch_goes_on_after_the_version_it_left(store):
    store.append("main", events(1, 5))
    store.add_line(Line("branch", "main", parent="main", at=3))
    assert store.head("branch") == 0
    with pytest.raises(Stale) as stale:
        store.append("branch", [event(1)])
    assert stale.value.actual == 3
    store.append("branch", events(4, 6))
    assert store.read("branch", 3, LATEST) == events(4, 6)
    assert store.read("branch", 4, 5) == events(5, 5)
    assert store.read("main", 0, LATEST) == events(1, 5)


def test_a_fork_of_a_fork_reads_through_both_and_copies_nothing(place):
    log = played(place.open(), 60)
    fork = log.fork("fork", 40)
    play(fork, 15)
    deep = fork.fork("deep", 50)
    play(deep, 5)
    again = Log(place.open(), MARCH, log.match, place.open().line("deep"))
    assert again.raw() == [*log.raw(0, 40), *fork.raw(40, deep.line.at), *deep.raw(deep.line.at)]
    assert again.whole_table().state() == deep.run.table.state()
    assert [item.version for item in again.raw()] == list(range(1, again.head + 1))


def test_every_version_loads_from_snapshots_as_it_was_played(place):
    log = played(place.open(), 200)
    opened = Log(place.open(), MARCH, log.match, log.line)
    table = MARCH.table(log.schema)
    for item in log.raw():
        table.fold(item.ops)
        if item.version % 7 == 0 or item.mark:
            assert opened.whole_table(item.version).state() == table.state()
    assert place.open().snapshot("game", LATEST).version > 100


def test_a_log_in_use_notices_what_another_process_wrote(place):
    log = played(place.open(), 30)
    other = Log(place.open(), MARCH, log.match, log.line)
    assert log.version == other.head
    play(other, 3)
    assert log.version == other.head
    assert log.run.table.state() == other.run.table.state()
    play(log, 3)
    assert [item.version for item in other.raw()] == list(range(1, other.head + 1))


def played(store: Any, decisions: int) -> Log:
    log = Log.create(store, MARCH, Match("game", "march", b"seed" * 8), seats=list(MARCH.seats(4)))
    play(log, decisions)
    return log


def play(log: Log, decisions: int) -> None:
    rng = Random(decisions)
    for _ in range(decisions):
        ask = choose(log.run, rng)
        log.decide(ask.seat, ask.key, random_legal(log.run, ask, rng))


# -- snapshots ----------------------------------------------------------------------------------------


def snapshot(version: int, count: int = 0) -> Snapshot:
    return Snapshot(version, "schema", 3, b"link", {"bag": {"axe": 2}, "row": ["a", "b"]}, {"count": count or version})


def test_the_nearest_snapshot_not_after_a_version_is_found(store, place):
    for version in (50, 150, 100):
        store.keep("main", snapshot(version))
    found = place.open()
    assert found.snapshot("main", 49) is None
    assert found.snapshot("main", 50) == snapshot(50)
    assert found.snapshot("main", 149) == snapshot(100)
    assert found.snapshot("main", LATEST) == snapshot(150)
    assert found.snapshot("nowhere", LATEST) is None


def test_a_newer_snapshot_of_a_version_takes_the_place_of_the_old(store):
    store.keep("main", snapshot(50))
    store.keep("main", snapshot(50, count=7))
    assert store.snapshot("main", 50).registers == {"count": 7}


def test_playing_on_a_loaded_table_leaves_the_snapshot_alone(store):
    store.keep("main", snapshot(50))
    loaded = store.snapshot("main", 50)
    loaded.zones["bag"]["axe"] = 99
    loaded.zones["row"].append("c")
    loaded.registers["count"] = 99
    assert store.snapshot("main", 50) == snapshot(50)


@on_a_database
def test_a_damaged_snapshot_is_passed_over(store, place):
    store.keep("main", snapshot(50))
    store.keep("main", snapshot(100))
    place.sql("UPDATE log_snapshots SET state = ? WHERE version = 100", b"\x00rubbish")
    assert store.snapshot("main", LATEST) == snapshot(50)
    place.sql("UPDATE log_snapshots SET state = ?", b"")
    assert store.snapshot("main", LATEST) is None


# -- many writers -------------------------------------------------------------------------------------


def test_of_many_threads_exactly_one_wins_each_version(store):
    won: dict[str, list[int]] = {name: [] for name in "abcd"}

    def write(name: str) -> None:
        while (head := store.head("main")) < 60:
            try:
                store.append("main", [Event(head + 1, "decided", name)])
            except Stale:
                continue
            won[name].append(head + 1)

    threads = [threading.Thread(target=write, args=(name,)) for name in won]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    stored = store.read("main", 0, LATEST)
    assert [item.version for item in stored] == list(range(1, len(stored) + 1))
    assert sorted(version for versions in won.values() for version in versions) == [item.version for item in stored]
    assert all(item.version in won[item.seat] for item in stored)


@on_a_database
def test_of_many_processes_exactly_one_wins_each_version(store, place):
    processes = {name: place.process("race", name, "80") for name in ("a", "b", "c")}
    go(*processes.values())
    won = {name: [int(line) for line in process.communicate(timeout=30)[0].split()] for name, process in processes.items()}
    stored = store.read("main", 0, LATEST)
    assert [item.version for item in stored] == list(range(1, len(stored) + 1))
    assert len(stored) >= 80
    assert sum(map(len, won.values())) == len(stored)
    assert all(item.version in won[item.seat] for item in stored)


@on_a_database
def test_what_was_acknowledged_survives_the_death_of_its_writer(store, place):
    writer = place.process("stream")
    go(writer)
    assert writer.stdout
    for _ in range(40):
        writer.stdout.readline()
    writer.kill()
    acknowledged = 40 + len(writer.stdout.readlines())
    writer.wait()
    after = place.open()
    stored = after.read("main", 0, LATEST)
    assert len(stored) in (acknowledged, acknowledged + 1)  # the last one may have been stored, but not told any more
    assert [item.version for item in stored] == list(range(1, len(stored) + 1))
    after.append("main", [event(len(stored) + 1)])


@on_a_database
def test_many_processes_may_open_a_new_database_at_once(place):
    processes = [subprocess.Popen(place_command(place, str(n)), cwd=ROOT, stdin=subprocess.PIPE, text=True) for n in range(4)]
    for process in processes:
        process.communicate("\n", timeout=30)
    assert [process.returncode for process in processes] == [0, 0, 0, 0]
    assert {match.id for match in place.open().matches()} == {"0", "1", "2", "3"}


def place_command(place: Place, line: str) -> list[str]:
    return [sys.executable, "-m", "tests.store.writer", "open", str(place.database), line]


# -- the feed -----------------------------------------------------------------------------------------


def test_the_feed_tells_everything_in_the_order_in_which_it_was_stored(store):
    store.append("main", events(1, 3))
    store.add_line(Line("branch", "main", parent="main", at=2))
    store.append("branch", events(3, 4))
    store.append("main", events(4, 4))
    told = store.notifications(0, 100)
    assert [(line, item.version) for _, line, item in told] == [
        ("main", 1),
        ("main", 2),
        ("main", 3),
        ("branch", 3),
        ("branch", 4),
        ("main", 4),
    ]
    assert told[2] == Notice(told[2].position, "main", event(3))
    assert store.notifications(0, 2) == told[:2]
    assert store.notifications(told[1].position, 2) == told[2:4]
    assert store.notifications(told[-1].position, 100) == []
    assert store.position() == told[-1].position


def test_a_reader_of_the_feed_misses_nothing_while_four_write(store):
    lines = ["main", "b", "c", "d"]
    for line in lines[1:]:
        store.add_line(Line(line, "main", parent="main", at=0))
    total = 4 * 60

    def write(line: str, step: int) -> None:
        for version in range(1, 61, step):
            store.append(line, events(version, version + step - 1))

    threads = [threading.Thread(target=write, args=(line, step)) for line, step in zip(lines, (1, 2, 3, 4), strict=True)]
    with store.subscribe() as feed:
        for thread in threads:
            thread.start()
        told = [next(feed) for _ in range(total)]
    for thread in threads:
        thread.join()
    assert [notice.position for notice in told] == sorted({notice.position for notice in told})
    for line in lines:
        assert [notice.event.version for notice in told if notice.line == line] == list(range(1, 61))
    assert store.notifications(0, total + 1) == told


def test_a_reader_goes_on_after_its_position_and_waits_for_more(store):
    store.append("main", events(1, 3))
    second = store.notifications(0, 100)[1].position
    with store.subscribe(second) as feed:
        assert next(feed).event == event(3)
        threading.Timer(0.05, lambda: store.append("main", [event(4)])).start()
        assert next(feed).event == event(4)


def test_a_reader_can_be_stopped_while_it_waits(store):
    with store.subscribe() as feed:
        threading.Timer(0.05, feed.stop).start()
        assert list(feed) == []


@on_a_database
def test_a_reader_hears_of_what_another_process_writes(store, place):
    writer = place.process("one")
    with store.subscribe() as feed:
        go(writer)
        assert next(feed).event.seat == "elsewhere"
    writer.communicate(timeout=10)


@on_a_database
def test_a_position_is_never_given_twice(store, place):
    store.append("main", events(1, 3))
    before = store.position()
    place.sql("DELETE FROM stored_events WHERE originator_version = 3")
    store.append("main", [event(3)])
    assert store.position() > before


# -- damage -------------------------------------------------------------------------------------------


@on_a_database
@pytest.mark.parametrize("rubbish", [b"", b"\xc1", b"\x93\x01\xa7decided", b"\x92\x03\xa1\xff", b"\x91" * 3000])
def test_a_row_that_cannot_be_read_is_named(store, place, rubbish):
    store.append("main", events(1, 5))
    place.sql("UPDATE stored_events SET state = ? WHERE originator_version = 3", rubbish)
    with pytest.raises(BrokenLog, match=r"line main, version 3: .* restore the database from a backup"):
        store.read("main", 0, LATEST)
    assert store.read("main", 3, LATEST) == events(4, 5)


@on_a_database
def test_a_missing_or_misplaced_row_is_named(store, place):
    store.append("main", events(1, 5))
    place.sql(
        "UPDATE stored_events SET state = (SELECT state FROM stored_events WHERE originator_version = 2) WHERE originator_version = 4"
    )
    with pytest.raises(BrokenLog, match="line main, version 4: the event stored here is version 2"):
        store.read("main", 0, LATEST)
    place.sql("DELETE FROM stored_events WHERE originator_version = 3")
    with pytest.raises(BrokenLog, match="line main, version 3: this version is missing"):
        store.read("main", 0, LATEST)


@on_a_database
def test_the_feed_stops_at_a_broken_row_and_can_go_on_after_it(store, place):
    store.append("main", events(1, 4))
    place.sql("UPDATE stored_events SET state = ? WHERE originator_version = 2", b"\xc1")
    with store.subscribe() as feed:
        assert next(feed).event == event(1)
        with pytest.raises(BrokenRow) as broken:
            next(feed)
        assert (broken.value.line, broken.value.version) == ("main", 2)
        assert next(feed).event == event(3)
    assert [notice.event for notice in store.notifications(broken.value.position, 10)] == events(3, 4)


# -- other tables in the same transaction -------------------------------------------------------------


@on_a_database
def test_other_rows_are_written_if_and_only_if_the_events_are(store, place):
    place.sql("CREATE TABLE outbox (id TEXT PRIMARY KEY, mail TEXT)")
    mail = "INSERT INTO outbox (id, mail) VALUES (?, ?)"
    store.append("main", events(1, 2), also=[(mail, ("1", "100% yours?"))])
    with pytest.raises(Stale):
        store.append("main", events(2, 2), also=[(mail, ("2", "too late"))])
    with pytest.raises(IntegrityError):
        store.append("main", events(3, 3), also=[(mail, ("1", "sent twice"))])
    assert place.sql("SELECT id, mail FROM outbox") == [("1", "100% yours?")]
    assert store.read("main", 0, LATEST) == events(1, 2)
