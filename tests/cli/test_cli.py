"""The terminal: fixed shapes that scripts rely on, clear errors, nothing stored on bad input."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


class Terminal:
    def __init__(self, folder: Path) -> None:
        self.db = folder / "chancery.db"
        self.folder = folder

    def __call__(self, *words: str, status: int = 0, text: str | None = None) -> str:
        environment = {**os.environ, "CHANCERY_DB": str(self.db), "PYTHONPATH": str(ROOT), "COLUMNS": "200"}
        done = subprocess.run(
            [sys.executable, "-m", "service.cli", *words],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            input=text,
            timeout=120,
        )
        assert done.returncode == status, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout if status == 0 else done.stderr

    def stored(self) -> int:
        with sqlite3.connect(self.db) as db:
            tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type='table' AND name LIKE '%event%'")]
            return sum(db.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in tables)


@pytest.fixture(scope="module")
def chancery(tmp_path_factory: pytest.TempPathFactory) -> Terminal:
    return Terminal(tmp_path_factory.mktemp("terminal"))


@pytest.fixture(scope="module")
def match(chancery: Terminal) -> str:
    """A whole game: the only thing printed is the match id."""
    printed = chancery("new", "column-of-fire", "--seats", "2", "--bots", "random", "--play", "--quiet", "--seed", "terminal")
    assert re.fullmatch(r"[a-z0-9]+\n", printed)
    return printed.strip()


def test_titles_lists_games_and_their_options(chancery: Terminal) -> None:
    assert "column-of-fire" in chancery("titles") and "allow_negative_vp" in chancery("titles")


def test_a_game_is_shown_at_any_version_as_any_seat(chancery: Terminal, match: str) -> None:
    assert "Scoreboard" in chancery("show", match)
    assert "version 20 · as red" in chancery("show", match, "--at", "20", "--as", "red")


def test_the_log_says_which_rules_it_rests_on(chancery: Terminal, match: str) -> None:
    assert "CF-" in chancery("log", match, "--why")


def test_replay_prints_every_step_when_piped(chancery: Terminal, match: str) -> None:
    printed = chancery("replay", match, "--at", "5")
    assert printed.splitlines()[0].lstrip().startswith(("5 ", "6 ", "7 ", "8 ")) and "Scoreboard" in printed


def test_a_clean_game_passes_its_audit(chancery: Terminal, match: str) -> None:
    assert "is clean" in chancery("audit", match)


def test_a_branch_is_made_listed_played_and_compared(chancery: Terminal, match: str) -> None:
    line = chancery("fork", match, "--at", "30", "--reason", "another way", "--quiet").strip()
    assert "another way" in chancery("lines", match)
    chancery("play", line, "--bots", "red=random,yellow=random", "--quiet")
    assert line in chancery("compare", match, line)
    assert "is clean" in chancery("audit", line)


def test_a_person_plays_at_the_terminal_and_takes_back(chancery: Terminal) -> None:
    match = chancery("new", "column-of-fire", "--seats", "2", "--quiet", "--seed", "hot seat").strip()
    printed = chancery("play", match, text="1\n1\n1\n")
    assert "go on with" in printed or "Stopped" in printed


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["show", "nosuchmatch"], "there is no match or line 'nosuchmatch'"),
        (["new", "chess"], "there is no title 'chess'"),
        (["new", "column-of-fire", "--seats", "9"], "2, 3, 4 players"),
        (["new", "column-of-fire", "--option", "nonsense=1"], "no option 'nonsense'"),
        (["new", "column-of-fire", "--bots", "genius", "--play"], "there is no bot 'genius'"),
        (["fuzz", "column-of-fire", "--games", "many"], "--games"),
        (["data", "check", "nowhere"], "there is no folder nowhere"),
        (["nonsense"], "nonsense"),
    ],
)
def test_bad_input_is_one_clear_sentence_and_status_2(chancery: Terminal, match: str, words: list[str], says: str) -> None:
    before = chancery.stored()
    printed = chancery(*words, status=2)
    assert says in printed and printed.startswith("chancery: ")
    assert chancery.stored() == before


def test_a_version_out_of_range_names_the_range(chancery: Terminal, match: str) -> None:
    assert "versions 1 to" in chancery("show", match, "--at", "99999", status=2)
    assert "choose one of red" in chancery("show", match, "--as", "purple", status=2)


def test_a_corrupted_row_is_named_and_nothing_is_stored(chancery: Terminal, match: str, tmp_path: Path) -> None:
    hurt = Terminal(tmp_path)
    shutil.copy(chancery.db, hurt.db)
    with sqlite3.connect(hurt.db) as db:
        table = next(
            n
            for (n,) in db.execute("SELECT name FROM sqlite_master WHERE type='table'")
            if {"state", "originator_version"} <= {c[1] for c in db.execute(f"PRAGMA table_info({n})")}
        )
        db.execute(f"UPDATE {table} SET state = x'c1c1c1' WHERE originator_version = 40")
    before = hurt.stored()
    printed = hurt("audit", match, status=1)
    assert "40" in printed and hurt.stored() == before


def test_fuzz_counts_and_lists_what_was_never_exercised(chancery: Terminal) -> None:
    printed = chancery("fuzz", "column-of-fire", "--games", "6", "--coverage")
    assert re.search(r"6 games, \d+ decisions, \d+ events .* 0 failures", printed) and "characters: " in printed
    assert "never exercised" in chancery("fuzz", "column-of-fire", "--games", "2", "--strict", status=1)


def test_a_failing_game_leaves_a_dump_that_replay_opens(chancery: Terminal) -> None:
    import msgspec

    from domain import games
    from domain.fuzz import play

    title = games.get("column-of-fire")
    crashing = msgspec.structs.replace(title, invariants=lambda table: ["planted"] if table.get("year", 0) > 1 else [])
    played = play(crashing, "dump", 0)
    assert played.dump is not None and played.dump.failure == "broken invariant"
    path = chancery.folder / "dump.json"
    path.write_bytes(msgspec.json.encode(played.dump))
    assert "Scoreboard" in chancery("replay", str(path))


def test_data_check_accepts_our_pack_and_names_a_dangling_reference(chancery: Terminal, tmp_path: Path) -> None:
    ours = ROOT / "domain/games/column_of_fire/data"
    assert "sound" in chancery("data", "check", str(ours))
    broken = tmp_path / "column-of-fire"
    shutil.copytree(ours, broken)
    events = json.loads((broken / "events.json").read_text())
    events["cards"][0]["affects"] = {"house_in": "atlantis"}
    (broken / "events.json").write_text(json.dumps(events))
    assert "atlantis" in chancery("data", "check", str(broken), status=2)
