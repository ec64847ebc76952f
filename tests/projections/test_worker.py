"""The worker as an operator meets it: what it prints, what it returns, how it stops."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from domain.kernel.event import DECIDED, Event
from domain.kernel.ops import Set
from projections import Views, open_documents
from projections.fan import VIEWS
from service import worker
from service.settings import Settings
from service.store import open_store
from tests.projections.played import COLUMN, play
from tests.projections.test_disasters import worker as started


@pytest.fixture
def settings(file: str, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setenv("CHANCERY_DB", file)
    return Settings(db=file)


def test_it_builds_the_views_of_an_old_log_and_stops_when_told(settings: Settings) -> None:
    with open_store(settings) as store:
        play(store, COLUMN, "m", 30)
        views = Views(store, open_documents(settings, store))
        with started(settings) as running:
            assert views.wait(timeout=60)
            running.send_signal(signal.SIGINT)
            assert running.wait(30) == 0


def test_rebuild_by_hand_puts_new_editions_in_force(settings: Settings) -> None:
    with open_store(settings) as store:
        play(store, COLUMN, "m", 30)
        documents = open_documents(settings, store)
        assert worker.main("rebuild") == 0
        assert worker.main("rebuild", "timeline") == 0
        assert {view: documents.current(view).build for view in VIEWS} == {**dict.fromkeys(VIEWS, 1), "timeline": 2}  # type: ignore[union-attr]
        assert Views(store, documents).wait(timeout=0.1)


def test_parked_lines_are_listed_and_tried_again(settings: Settings, capsys: Any) -> None:
    with open_store(settings) as store:
        log = play(store, COLUMN, "m", 20)
        store.append("m", [Event(log.head + 1, DECIDED, "red", "move", ops=[Set("year", 77, 78)])])
        assert worker.main("rebuild") == 1
        capsys.readouterr()
        assert worker.main("parked") == 1
        assert f"timeline: line m stands before version {log.head}" in capsys.readouterr().out
        assert worker.main("retry", "m") == 1
        assert worker.main("retry", "another") == 1


def test_what_it_does_not_know_is_refused_in_one_sentence(settings: Settings, capsys: Any) -> None:
    assert worker.main("dance") == 1
    assert worker.main("rebuild", "weather") == 1
    assert "rebuild [scoreboard" in capsys.readouterr().err


def test_settings_that_are_no_good_end_it(tmp_path: Path) -> None:
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "service.worker"],
        env={"CHANCERY_DB": str(tmp_path / "no" / "such" / "folder.db")},
        capture_output=True,
    )
    assert done.returncode == 1 and b"there is no folder" in done.stdout + done.stderr
    assert time.monotonic() - began < 30
