"""Every view on real games, compared with what one finds by going through the log by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import Any

import msgspec
import pytest

from domain.kernel import redact
from domain.kernel.errors import NotFound
from domain.kernel.event import ADVANCED, SEALED, UNDONE, Event
from domain.kernel.schema import ARBITER, SPECTATOR
from domain.log import Log, effective, groups
from projections import Views, sight
from projections.fan import VIEWS, Fan
from projections.runner import Runner
from projections.standings import Result, places, ratings
from projections.stores.memory import MemoryDocuments
from service.store import MemoryStore
from tests.projections.played import COLUMN, COURT, TITLES, begin, branch, play, steps

TITLE_IDS = [COURT, "gossip", COLUMN, "pax-renaissance", "generalship"]


def looked_at(store: MemoryStore, **more: Any) -> Views:
    """Views of everything that is in the store."""
    documents = MemoryDocuments()
    Runner(store, documents, TITLES).rebuild()
    return Views(store, documents, TITLES, **more)


def viewers(log: Log) -> list[str]:
    return [*log.schema.seats, SPECTATOR, ARBITER]


def by_hand(log: Log, viewer: str, ask: Callable[[Any], Any]) -> list[tuple[Event, Any]]:
    """What a title says to a viewer at every question: the whole truth folded, then redacted, then asked, each time anew."""
    table, found = log.title.table(log.schema), []
    for group in groups(log.raw()):
        for event in group:
            table.fold(event.ops)
        found.append((group[-1], msgspec.to_builtins(ask(redact.table(table, viewer)))))
    return found


@pytest.fixture(scope="module", params=TITLE_IDS)
def game(request: pytest.FixtureRequest) -> tuple[Log, Views]:
    store = MemoryStore()
    log = play(store, request.param, "m", 160)
    return log, looked_at(store)


# -- scoreboard ----------------------------------------------------------------------------------------


def test_history_tells_the_points_at_every_question(game: tuple[Log, Views]) -> None:
    log, views = game
    for viewer in viewers(log):
        due = by_hand(log, viewer, lambda table: {score.seat: score.points for score in log.title.score(table)})
        told = {row["version"]: row for row in views.scoreboard("m", viewer)["history"]}
        points: dict[str, int] = {}
        for event, said in due:
            row = told.pop(event.version, None)
            assert row is not None or said == points, f"version {event.version} is missing for {viewer}"
            points = row["points"] if row else points
            assert points == said and (row is None or row["at"] == event.at)
        assert not told


def test_history_marks_what_was_undone(game: tuple[Log, Views]) -> None:
    log, views = game
    live = {event.version for event in effective(log.raw())} | {event.version for event in log.raw() if event.kind == UNDONE}
    for row in views.scoreboard("m", SPECTATOR)["history"]:
        if row["undone"]:
            assert row["version"] not in live or any(
                event.kind == UNDONE and event.answer < row["version"] < event.version for event in log.raw()
            )
        elif row["version"] not in {event.version for event in log.raw() if event.kind == UNDONE}:
            assert row["version"] in live


def test_the_scoreboard_shows_each_viewer_what_the_title_says_of_their_own_table(game: tuple[Log, Views]) -> None:
    log, views = game
    for viewer in viewers(log):
        shown = views.scoreboard("m", viewer)
        assert shown["version"] == log.head
        assert shown["scores"] == msgspec.to_builtins(log.title.score(log.table(viewer)))


def test_a_view_can_be_read_as_of_an_earlier_version(game: tuple[Log, Views]) -> None:
    log, views = game
    upto = log.head // 2
    assert views.scoreboard("m", SPECTATOR, upto)["version"] == upto
    assert views.scoreboard("m", SPECTATOR, upto)["scores"] == msgspec.to_builtins(log.title.score(log.table(SPECTATOR, upto)))
    assert all(row["version"] <= upto for row in views.scoreboard("m", SPECTATOR, upto)["history"])
    assert views.timeline("m", SPECTATOR, upto)["moments"][-1]["version"] <= upto
    assert all(entry["version"] <= upto for entry in views.chronicle("m", SPECTATOR, limit=10_000, upto=upto)["entries"])


# -- diplomacy -----------------------------------------------------------------------------------------


def test_relations_are_the_titles_and_every_change_is_dated(game: tuple[Log, Views]) -> None:
    log, views = game
    for viewer in viewers(log):
        due = by_hand(log, viewer, log.title.diplomacy)
        told = views.diplomacy("m", viewer)
        order = lambda relation: (relation["seat"], relation["other"], relation["status"])  # noqa: E731
        assert sorted(told["relations"], key=order) == sorted(due[-1][1], key=order)
        changed = sorted({change["version"] for pair in told["history"] for change in pair["changes"]})
        before: Any = []
        expected = []
        for event, said in due:
            if sorted(said, key=order) != sorted(before, key=order):
                expected.append(event.version)
            before = said
        assert changed == expected


# -- timeline ------------------------------------------------------------------------------------------


def test_who_is_not_privy_sees_what_the_public_sees(game: tuple[Log, Views]) -> None:
    """The shortcut is sound: whoever is not named gets the same redacted event as the public, but for the digest."""
    log, _ = game
    sights = sight.Sights(log.schema)
    for event in log.raw():
        public = redact.event(log.schema, event, SPECTATOR)
        privy = sights.privy(event, sight.places(event))
        for viewer in set(viewers(log)) - privy:
            seen = redact.event(log.schema, event, viewer)
            assert msgspec.structs.replace(seen, digest=b"") == public, (viewer, event.version)


def test_moments_are_the_decisions_and_tell_what_going_back_would_touch(game: tuple[Log, Views]) -> None:
    log, views = game
    for viewer in viewers(log):
        moments = views.timeline("m", viewer)["moments"]
        events = log.events(viewer)
        assert [(moment["kind"], moment["seat"], moment["question"], moment["version"]) for moment in moments] == [
            (group[0].kind, group[0].seat, group[0].ask, group[-1].version) for group in groups(events)
        ]
        live = list(groups(effective(events)))
        assert [moment["version"] for moment in moments if "touches" in moment] == [group[-1].version for group in live]
        assert {moment["version"] for moment in moments if moment["undone"]} == {
            group[-1].version for group in groups(events) if group[0].kind != UNDONE
        } - {group[-1].version for group in live}
        for index, moment in enumerate([moment for moment in moments if "touches" in moment]):
            later = live[index + 1 :]
            touches = moment["touches"]
            assert touches["decisions"] == _count(group[0].seat for group in later if group[0].seat)
            assert touches["draws"] == sum(len(event.chance) for group in later for event in group)
            assert touches["learnt"] == _learnt(log, [event for group in later for event in group])


def _count(seats: Iterable[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for seat in seats:
        found[seat] = found.get(seat, 0) + 1
    return found


def _learnt(log: Log, events: list[Event]) -> dict[str, int]:
    """How many items each seat came to see: moved from where it could not look to where it can, or shown."""
    found: dict[str, int] = {}
    for event in events:
        for op in event.ops:
            if hasattr(op, "src"):
                for seat in log.schema.seats:
                    if log.schema.sights[op.src].level(seat) < 3 <= log.schema.sights[op.dst].level(seat):
                        found[seat] = found.get(seat, 0) + op.n
        for peek in event.shown:
            found[peek.seat] = found.get(peek.seat, 0) + len(peek.items)
    return found


def test_branches_are_shown_to_those_who_may_know_of_them(store: MemoryStore) -> None:
    log = play(store, COURT, "m", 60)
    fork = branch(log, "f", 20, 5)
    views = looked_at(store)
    assert views.timeline("m", SPECTATOR)["branches"] == []
    shown = views.timeline("m", SPECTATOR, lines=["m", "f", "another"])["branches"]
    assert shown == [{"line": "f", "parent": "m", "at": fork.line.at, "by": "analyst", "reason": "what if", "made": fork.line.made}]
    assert views.timeline("m", SPECTATOR, upto=fork.line.at - 1, lines=["f"])["branches"] == []


# -- inbox ---------------------------------------------------------------------------------------------


def test_the_inbox_names_who_is_asked_at_every_question(store: MemoryStore) -> None:
    log = begin(store, COURT, "m")
    for _ in steps(log, Random("inbox"), 80):
        waiting = looked_at(store).inbox("m")
        due = sorted((ask.seat, ask.key) for ask in log.run.asks)
        assert sorted((ask["seat"], ask["question"]) for ask in waiting["waiting"]) == due
        assert waiting["over"] == log.run.over and waiting["anybody"] == (not due and not log.run.over)
        assert waiting["version"] == log.head
        assert all(set(ask) == {"seat", "question", "asked", "since"} for ask in waiting["waiting"])


def test_sealed_answers_of_others_do_not_start_the_wait_anew(store: MemoryStore) -> None:
    log = begin(store, COURT, "m")
    opened = log.head
    log.decide("birch", "aim", "coins", at=50_000)
    log.decide("ash", "aim", "letters", at=60_000)
    assert log.raw()[-1].kind == SEALED
    asked = {ask["seat"]: ask for ask in looked_at(store).inbox("m")["waiting"]}
    assert {seat: ask["asked"] for seat, ask in asked.items()} == {"cedar": opened, "doric": opened}
    assert asked["cedar"]["since"] == log.raw()[0].at
    log.undo("ash", at=70_000)
    asked = {ask["seat"]: ask for ask in looked_at(store).inbox("m")["waiting"]}
    assert {seat: ask["asked"] for seat, ask in asked.items()} == {"ash": log.head, "cedar": opened, "doric": opened}
    assert asked["ash"]["since"] == 70_000


def test_the_inbox_of_all_lines_lists_the_longest_wait_first(store: MemoryStore) -> None:
    logs = [play(store, COURT, f"m{n}", 8 + n, undo=0) for n in range(4)]
    views = looked_at(store)
    found = views.inbox()["waiting"]
    assert [ask["since"] for ask in found] == sorted(ask["since"] for ask in found)
    assert {(ask["line"], ask["seat"], ask["question"]) for ask in found} == {
        (log.line.id, ask.seat, ask.key) for log in logs for ask in log.run.asks
    }
    assert {ask["seat"] for ask in views.inbox(seat="ash")["waiting"]} <= {"ash"}


# -- chronicle -----------------------------------------------------------------------------------------


def test_the_chronicle_tells_each_viewer_the_redacted_log(game: tuple[Log, Views]) -> None:
    log, views = game
    live = {event.version for event in effective(log.raw())}
    for viewer in viewers(log):
        entries = views.chronicle("m", viewer, limit=100_000)["entries"]
        told = {entry["version"]: entry for entry in entries}
        for event in log.events(viewer):
            sentences = log.title.tell(event, str)
            if sentences:
                assert told[event.version]["sentences"] == sentences
            if event.version in told and event.kind != UNDONE:
                assert told[event.version]["undone"] == (event.version not in live)


def test_the_chronicle_is_read_in_pages(game: tuple[Log, Views]) -> None:
    log, views = game
    whole = views.chronicle("m", SPECTATOR, limit=100_000)
    assert whole["next"] is None and whole["version"] == log.head
    after: int | None = 0
    found = []
    while after is not None:
        page = views.chronicle("m", SPECTATOR, after=after, limit=37)
        found += page["entries"]
        after = page["next"]
    assert found == whole["entries"]


def test_the_chronicle_speaks_the_readers_language(store: MemoryStore) -> None:
    play(store, COURT, "m", 30)
    german = {"{item} goes to {place}": "{item} kommt nach {place}"}
    views = looked_at(store, translate=lambda language: lambda text: german.get(text, text) if language == "de" else text)
    assert any(
        "kommt nach" in line for entry in views.chronicle("m", SPECTATOR, language="de")["entries"] for line in entry["sentences"]
    )
    assert any("goes to" in line for entry in views.chronicle("m", SPECTATOR)["entries"] for line in entry["sentences"])


# -- branches ------------------------------------------------------------------------------------------


def test_a_branch_shows_its_parents_past_and_its_own_present(store: MemoryStore) -> None:
    log = play(store, COLUMN, "m", 60)
    fork = branch(log, "f", 30, 25)
    deeper = branch(fork, "g", fork.line.at + 10, 10)
    for _ in steps(log, Random("on"), 10):
        pass
    views = looked_at(store)
    for line in (fork, deeper):
        name = line.line.id
        for viewer in viewers(line):
            due = by_hand(line, viewer, lambda table: {score.seat: score.points for score in line.title.score(table)})  # noqa: B023
            rows = views.scoreboard(name, viewer)["history"]
            for event, said in due:
                assert next(row for row in reversed(rows) if row["version"] <= event.version)["points"] == said
            relations = {(relation.seat, relation.other): relation.status for relation in line.title.diplomacy(line.table(viewer))}
            assert {
                (said["seat"], said["other"]): said["status"] for said in views.diplomacy(name, viewer)["relations"]
            } == relations
        moments = views.timeline(name, SPECTATOR)["moments"]
        assert [moment["version"] for moment in moments] == [group[-1].version for group in groups(line.raw())]
        live = {event.version for event in effective(line.raw())}
        for entry in views.chronicle(name, SPECTATOR, limit=10_000)["entries"]:
            assert entry["kind"] == UNDONE or entry["undone"] == (entry["version"] not in live)
    assert views.diplomacy("f", SPECTATOR)["version"] == fork.head


def test_a_branch_on_which_nothing_happened_yet_shows_where_it_starts(store: MemoryStore) -> None:
    log = play(store, COURT, "m", 40)
    fork = branch(log, "f", 20, 0)
    views = looked_at(store)
    assert views.scoreboard("f", SPECTATOR)["version"] == fork.line.at
    assert views.timeline("f", SPECTATOR)["moments"][-1]["version"] == fork.line.at
    assert {(ask["seat"], ask["question"]) for ask in views.inbox("f")["waiting"]} == {(ask.seat, ask.key) for ask in fork.run.asks}


# -- standings -----------------------------------------------------------------------------------------


def finished(store: MemoryStore, id: str) -> Log:
    log = play(store, COURT, id, undo=0)
    assert log.run.over
    return log


def test_standings_rate_the_players_of_finished_games(store: MemoryStore) -> None:
    logs = [finished(store, f"m{n}") for n in range(6)]
    play(store, COURT, "running", 20)
    people = dict(zip(logs[0].schema.seats, ("anna", "bert", "carl", "dora")))
    found = looked_at(store, players=lambda result: people).standings(COURT)["ratings"]
    won = {people[seat]: sum(seat in log.title.winners(log.whole_table()) for log in logs) for seat in people}
    assert {entry["player"]: entry["won"] for entry in found} == won
    assert all(entry["games"] == 6 for entry in found)
    assert [entry["rating"] for entry in found] == sorted((entry["rating"] for entry in found), reverse=True)


def test_games_that_do_not_count_are_not_rated(store: MemoryStore) -> None:
    finished(store, "m")
    views = looked_at(store, players=lambda result: None)
    assert views.standings(COURT)["ratings"] == []
    assert views.standings("column-of-fire")["ratings"] == []


def test_of_a_match_that_ended_twice_the_second_end_counts(store: MemoryStore) -> None:
    log = finished(store, "m")
    fork = branch(log, "f", log.head // 2, 10_000)
    assert fork.run.over
    counted = []
    looked_at(store, players=lambda result: counted.append(result.line) or {"ash": "anna", "birch": "bert"}).standings(COURT)
    views = looked_at(store, players=lambda result: {"ash": "anna", "birch": "bert"} if result.line == "m" else None)
    assert counted == ["m", "f"]
    assert {entry["player"]: entry["games"] for entry in views.standings(COURT)["ratings"]} == {"anna": 1, "bert": 1}


def test_who_wins_more_is_rated_higher() -> None:
    games = [Result(f"m{n}", f"m{n}", 9, 0, {"red": 1, "blue": 2, "green": 2}) for n in range(8)]
    games += [Result("x", "x", 9, 0, {"red": 3, "blue": 1, "green": 2})]
    found = ratings(
        games, lambda result: {"red": "anna", "blue": "bert", "green": "carl" if result.match == "x" else "bert's aunt"}
    )
    assert found[0]["player"] == "anna"
    assert {entry["player"]: (entry["games"], entry["won"]) for entry in found} == {
        "anna": (9, 8),
        "bert": (9, 1),
        "carl": (1, 0),
        "bert's aunt": (8, 0),
    }


def test_winners_are_placed_first_and_ties_share_a_place() -> None:
    assert places(["blue"], {"red": 9, "blue": 3, "green": 9, "white": 1}) == {"blue": 1, "green": 2, "red": 2, "white": 4}
    assert places([], {"red": 9, "blue": 3, "green": 9}) == {"blue": 3, "green": 1, "red": 1}


# -- all of them ---------------------------------------------------------------------------------------


def test_nobody_else_is_a_viewer(game: tuple[Log, Views]) -> None:
    _, views = game
    for look in (views.scoreboard, views.diplomacy, views.timeline, views.chronicle):
        with pytest.raises(NotFound):
            look("m", "a stranger")
        with pytest.raises(NotFound):
            look("no such line", SPECTATOR)


def test_how_a_log_is_cut_into_batches_does_not_matter(store: MemoryStore) -> None:
    """Byte for byte: one event group at a time, or all at once."""
    logs = [play(store, title, f"{title}-{n}", 60) for title in (COURT, COLUMN) for n in range(2)]
    branch(logs[0], "f", 20, 20)
    whole = MemoryDocuments()
    Runner(store, whole, TITLES).rebuild()
    for seed in range(3):
        rng, parts = Random(seed), MemoryDocuments()
        editions = [edition for view in VIEWS if (edition := whole.current(view))]
        notices, start = store.notifications(0, 1 << 30), 0
        fan = Fan(store, TITLES, parts, editions)
        while start < len(notices):
            end = start + rng.randint(1, 40)
            while end < len(notices) and notices[end].event.kind == ADVANCED:
                end += 1
            fan.take(notices[start:end])
            if rng.random() < 0.2:
                fan = Fan(store, TITLES, parts, editions)  # a new process that remembers nothing
            start = end
        for edition in editions:
            assert parts.all(edition) == whole.all(edition), edition
