"""The analyst at the terminal: branches, rollouts, sweeps and luck, on a game that was played to its end."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing

from domain.kernel.event import decode
from tests.cli.test_cli import Terminal, chancery, match  # noqa: F401


def decisions(terminal: Terminal, id: str):
    """The decisions of a game, in order."""
    with closing(sqlite3.connect(terminal.db)) as db:
        rows = db.execute("SELECT state FROM stored_events WHERE originator_id = ? ORDER BY originator_version", (id,)).fetchall()
    return [item for item in (decode(row[0]) for row in rows) if item.kind == "decided"]


def test_a_decision_is_changed_as_it_was_and_as_a_seat_may_suppose(chancery: Terminal, match: str) -> None:  # noqa: F811
    chosen = next(item for item in decisions(chancery, match)[20:] if isinstance(item.answer, str))
    for eyes in ([], ["--as", chosen.seat]):
        said = chancery("whatif", match, "--at", str(chosen.version), "--answer", f'"{chosen.answer}"', *eyes)
        assert re.search(r"Line \S+: \d+ later decisions stand", said)


def test_a_moment_near_the_end_is_rolled_out_and_swept_into_a_table(chancery: Terminal, match: str, tmp_path) -> None:  # noqa: F811
    last = decisions(chancery, match)[-12]
    assert "95 % interval" in chancery("rollout", match, "--at", str(last.version), "--n", "20")
    table = tmp_path / "sweep.csv"
    chancery("sweep", match, "--at", str(last.version), "--n", "4", "--csv", str(table))
    assert table.read_text().startswith("alternative,seat,win")


def test_the_luck_sheet_sets_every_seats_dice_against_what_it_could_expect(chancery: Terminal, match: str) -> None:  # noqa: F811
    said = chancery("luck", match)
    assert "expected" in said and "red" in said and "yellow" in said and "free dice" in said
