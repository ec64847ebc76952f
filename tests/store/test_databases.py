"""What is particular to SQLite or to PostgreSQL: durability, traps of the library, and errors a person can act on."""

from __future__ import annotations

import pytest

from domain.kernel import ChanceryError, Event
from domain.log import Line, Match, Snapshot
from service.store import StoreError, open_store
from service.store.application import GameLog


def test_sqlite_decisions_are_synced_also_after_a_branch_and_a_snapshot_that_are_not(tmp_path):
    with open_store(str(tmp_path / "log.db")) as store:
        store.add_match(Match("main", "march", b""), Line("main", "main"), [Event(1, "created")])
        store.add_line(Line("branch", "main", parent="main", at=1))
        store.keep("main", Snapshot(1, "", 0, b"", {}, {}))
        assert store._recorder.rows("PRAGMA synchronous") == [(2,)]  # FULL
        assert store._recorder.rows("PRAGMA journal_mode") == [("wal",)]


def test_sqlite_a_file_that_is_no_database_is_named(tmp_path):
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Sir, I have no tables. " * 50)
    with pytest.raises(StoreError, match=r"cannot open the database file .*letter.txt: file is not a database"):
        open_store(str(letter))


def test_sqlite_a_folder_instead_of_a_file_is_named(tmp_path):
    with pytest.raises(StoreError, match=r"cannot open the database file .*: unable to open database file"):
        open_store(str(tmp_path))


def test_postgres_a_stray_variable_cannot_turn_the_insert_function_on(postgres, monkeypatch):
    monkeypatch.setenv("POSTGRES_ENABLE_DB_FUNCTIONS", "y")
    monkeypatch.setenv("POSTGRES_DBNAME", "elsewhere")
    with open_store(postgres) as store:
        store.add_match(Match("main", "march", b""), Line("main", "main"), [Event(1, "created")])
        assert not store._recorder.datastore.enable_db_functions
        assert store._recorder.rows("SELECT proname FROM pg_proc WHERE proname LIKE 'es_insert%'") == []


def test_postgres_a_recorder_with_the_insert_function_on_refuses_to_start(postgres):
    from service.store.postgres import Factory, environment

    with pytest.raises(ChanceryError, match="projections would lose events"):
        GameLog(Factory, {**environment(postgres), "POSTGRES_ENABLE_DB_FUNCTIONS": "y"})


def test_postgres_options_of_the_address_are_heeded(postgres):
    with open_store(f"{postgres}&application_name=chancery-test") as store:
        assert store._recorder.rows("SHOW application_name") == [("chancery-test",)]


def test_postgres_a_server_that_does_not_answer_is_an_error_in_one_sentence():
    with pytest.raises(StoreError, match="the PostgreSQL database of CHANCERY_DB does not answer"):
        open_store("postgresql://somebody@127.0.0.1:1/chancery")
