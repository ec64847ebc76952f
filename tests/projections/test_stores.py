"""One contract for every store of views: documents and position together, exactly once, or not at all."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread

import pytest
import redis

from projections.stores import Change, Conflict, Documents, Edition, Lost, Standing, Unavailable
from projections.stores.redis import RedisDocuments
from projections.stores.sql import SoftFile, SqlDocuments

FIRST, SECOND = Edition("timeline", 1, 1), Edition("timeline", 1, 2)
OTHER = Edition("inbox", 3, 7)

Make = Callable[[], Documents]


def put(documents: Documents, edition: Edition, position: int, **puts: bytes) -> None:
    documents.commit({edition: Change(documents.standing(edition), position, puts)})


def test_what_was_committed_is_read_by_others_with_its_position(make_documents: Make) -> None:
    ours, theirs = make_documents(), make_documents()
    put(ours, FIRST, 5, a=b"one", b=b"two")
    put(ours, FIRST, 9, b=b"three")
    assert theirs.get(FIRST, ["b", "none", "a"]) == [b"three", None, b"one"]
    assert theirs.standing(FIRST) == Standing(9, 2)
    assert theirs.all(FIRST) == {"a": b"one", "b": b"three"}


def test_an_unknown_edition_is_empty_and_stands_at_the_start(documents: Documents) -> None:
    assert documents.standing(FIRST) == Standing(0, 0)
    assert documents.all(FIRST) == {} and documents.get(FIRST, ["a"]) == [None] and documents.get(FIRST, []) == []
    assert documents.current("timeline") is None
    documents.check(FIRST)


def test_the_same_change_is_taken_once(documents: Documents) -> None:
    change = Change(documents.standing(FIRST), 5, {"a": b"one"})
    documents.commit({FIRST: change})
    with pytest.raises(Conflict):
        documents.commit({FIRST: Change(change.since, 5, {"a": b"twice"})})
    assert documents.all(FIRST) == {"a": b"one"} and documents.standing(FIRST) == Standing(5, 1)


def test_a_change_from_where_the_edition_does_not_stand_is_refused_whole(documents: Documents) -> None:
    put(documents, FIRST, 5, a=b"one")
    for since in (Standing(4, 1), Standing(5, 2), Standing(0, 0), Standing(6, 1)):
        with pytest.raises(Conflict):
            documents.commit({FIRST: Change(since, 7, {"a": b"other", "new": b"x"})})
    assert documents.all(FIRST) == {"a": b"one"} and documents.standing(FIRST) == Standing(5, 1)


def test_of_two_who_write_at_the_same_moment_one_wins(make_documents: Make) -> None:
    """Each round both start from the same standing: exactly one change is taken."""
    taken: list[int] = []

    def write(documents: Documents, who: int, since: Standing) -> None:
        try:
            documents.commit({FIRST: Change(since, since.position + 1, {"who": b"%d" % who})})
            taken.append(who)
        except Conflict:
            pass

    both = make_documents(), make_documents()
    for round in range(1, 11):
        since = both[0].standing(FIRST)
        threads = [Thread(target=write, args=(documents, who, since)) for who, documents in enumerate(both)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(taken) == round
        assert both[1].standing(FIRST) == Standing(round, round) and both[1].get(FIRST, ["who"]) == [b"%d" % taken[-1]]


def test_several_editions_advance_in_one_call(documents: Documents) -> None:
    documents.commit({FIRST: Change(Standing(), 3, {"a": b"1"}), OTHER: Change(Standing(), 3, {"b": b"2"})})
    assert documents.standing(FIRST).position == documents.standing(OTHER).position == 3
    assert documents.all(OTHER) == {"b": b"2"}


def test_a_flip_puts_the_new_edition_in_force_and_drops_the_old(make_documents: Make) -> None:
    documents, reader = make_documents(), make_documents()
    put(documents, FIRST, 5, a=b"old")
    documents.flip(FIRST)
    put(documents, OTHER, 5, a=b"other view")
    documents.flip(OTHER)
    put(documents, SECOND, 6, a=b"new")
    assert reader.current("timeline") == FIRST and reader.get(FIRST, ["a"]) == [b"old"]
    documents.flip(SECOND)
    assert reader.current("timeline") == SECOND and reader.all(FIRST) == {} and reader.standing(FIRST) == Standing()
    assert reader.current("inbox") == OTHER and reader.get(OTHER, ["a"]) == [b"other view"]


def test_a_late_writer_of_a_dropped_edition_is_refused(make_documents: Make) -> None:
    late, documents = make_documents(), make_documents()
    put(late, FIRST, 5, a=b"one")
    since = late.standing(FIRST)
    documents.drop(FIRST)
    with pytest.raises(Conflict):
        late.commit({FIRST: Change(since, 6, {"a": b"ghost"})})
    assert documents.all(FIRST) == {}


def test_many_and_big_documents(documents: Documents) -> None:
    puts = {f"line/{n}": bytes([n % 256]) * 2_000 for n in range(3_000)}
    documents.commit({FIRST: Change(Standing(), 10, puts)})
    documents.check(FIRST)
    names = [f"line/{n}" for n in range(0, 3_000, 7)]
    assert documents.get(FIRST, names) == [puts[name] for name in names]


def test_sqlite_documents_that_vanish_alone_are_noticed(file: str) -> None:
    tables = SoftFile(file)
    documents = SqlDocuments(tables)
    put(documents, FIRST, 5, a=b"1", b=b"2")
    put(documents, FIRST, 6, b=b"3", c=b"4")
    documents.check(FIRST)
    tables.write([("DELETE FROM view_documents WHERE name = 'b'", ())])
    with pytest.raises(Lost):
        documents.check(FIRST)
    documents.close()


def test_redis_documents_that_vanish_alone_are_noticed_at_once(redis_server: str) -> None:
    documents = RedisDocuments(redis_server)
    put(documents, FIRST, 5, a=b"1", b=b"2")
    since = documents.standing(FIRST)
    with redis.Redis.from_url(redis_server) as client:
        client.hdel("chancery:{timeline}:1.1", "b")
    with pytest.raises(Lost):
        documents.standing(FIRST)
    with pytest.raises(Lost):
        documents.commit({FIRST: Change(since, 6, {"a": b"1"})})
    documents.close()


def test_redis_that_forgets_everything_stands_at_the_start(redis_server: str) -> None:
    documents = RedisDocuments(redis_server)
    put(documents, FIRST, 5, a=b"1")
    since = documents.standing(FIRST)
    with redis.Redis.from_url(redis_server) as client:
        client.flushall()
    assert documents.standing(FIRST) == Standing()
    with pytest.raises(Conflict):
        documents.commit({FIRST: Change(since, 6, {"a": b"2"})})
    documents.close()


def test_redis_keys_of_a_view_share_one_slot_and_carry_the_schema(redis_server: str) -> None:
    documents = RedisDocuments(redis_server)
    put(documents, FIRST, 5, a=b"1")
    documents.flip(FIRST)
    with redis.Redis.from_url(redis_server, decode_responses=True) as client:
        assert sorted(client.keys()) == ["chancery:{timeline}:1.1", "chancery:{timeline}:current"]
    documents.close()


def test_redis_that_may_evict_is_warned_about(redis_server: str) -> None:
    documents = RedisDocuments(redis_server)
    assert documents.warn() == ""
    with redis.Redis.from_url(redis_server) as client:
        client.config_set("maxmemory-policy", "allkeys-lru")
        try:
            assert "noeviction" in documents.warn()
        finally:
            client.config_set("maxmemory-policy", "noeviction")
    documents.close()


def test_redis_that_is_not_there_is_unavailable() -> None:
    documents = RedisDocuments("redis://127.0.0.1:1/0")
    with pytest.raises(Unavailable):
        documents.current("timeline")
    with pytest.raises(Unavailable):
        documents.commit({FIRST: Change(Standing(), 1, {})})
