"""A rule is fixed under a hundred running matches: every past folds unchanged, and exactly those that part from it now are named."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from domain import games
from domain.bots import choose
from domain.games import column_of_fire
from domain.kernel.ops import Set
from domain.log import Log, Match
from service.cli import main
from service.settings import Settings
from service.store import open_store
from tests.court.editions import FIRST as OLD
from tests.court.editions import SECOND as NEW

MATCHES = 100


def affected(log: Log) -> bool:
    """Whether the fix bears on the step in play: by the record alone, without running any rules."""
    _, tail, _ = log.standpoint()
    return any(cite.rule == "CF-8.3" and cite.op >= 0 and type(event.ops[cite.op]) is Set for event in tail for cite in event.cites)


@pytest.fixture(scope="module")
def running(tmp_path_factory: Any) -> Path:
    """A hundred games of A Column of Fire, each stopped somewhere else, some right in the middle of a move."""
    path = tmp_path_factory.mktemp("upgrade") / "chancery.db"
    store = open_store(Settings(db=str(path)))
    for number in range(MATCHES):
        rng = Random(f"upgrade {number}")
        match = Match(f"m{number:03}", OLD.id, rng.randbytes(32), made=1)
        log = Log.create(store, OLD, match, seats=list(OLD.seats(2 + number % 3)), nonces=["a", "b"])
        wanted = number % 4 == 0
        for decision in range(90):
            if decision >= 8 + number % 17 and (not wanted or affected(log)):
                break
            ask = choose(log.run, rng)
            log.decide(ask.seat, ask.key, ask.sample(rng))
    store.close()
    return path


@pytest.fixture
def newer(monkeypatch: Any) -> None:
    """The program is the newer one from here on."""
    monkeypatch.setattr(column_of_fire, "TITLE", NEW)


def test_all_fold_unchanged_and_the_dry_run_names_exactly_those_that_diverge_inside_the_turn(running, newer, monkeypatch, capsys):
    monkeypatch.setenv("CHANCERY_DB", str(running))
    store = open_store(Settings(db=str(running)))
    before = {match.id: Log(store, OLD, match, store.line(match.id)).whole_table().digest() for match in store.matches()}
    due = {match.id for match in store.matches() if affected(Log(store, OLD, match, store.line(match.id)))}
    heads = {id: store.head(id) for id in before}
    assert len(before) == MATCHES and games.get(OLD.id).rules == "2"

    monkeypatch.setenv("COLUMNS", "300")
    monkeypatch.setattr(sys, "argv", ["chancery", "upgrade", "--dry-run"])
    with pytest.raises(SystemExit) as left:
        main()
    said = capsys.readouterr().out

    for match in store.matches():
        assert Log(store, NEW, match, store.line(match.id)).whole_table().digest() == before[match.id], "the past does not change"
        assert store.head(match.id) == heads[match.id], "a dry run writes nothing"
    named = dict(re.findall(r"(m\d{3}): stays with rules 1: version (\d+)", said))
    assert set(named) == due and 10 < len(due) < 60, said[-500:]
    assert left.value.code == 1 and f"{MATCHES} matches looked at, {MATCHES} go by other rules or data, {len(due)} diverge" in said
    for id, version in named.items():
        log = Log(store, OLD, store.match(id), store.line(id))
        assert any(item.version == int(version) for item in log.standpoint()[1]), "where it parts lies inside the current step"
    store.close()
