"""Data packs: what `chancery data check` finds."""

import json
import shutil

import pytest

from domain import games
from domain.games.column_of_fire import TITLE, data
from domain.kernel import NotFound


@pytest.fixture
def pack(tmp_path):
    shutil.copytree(data.FOLDER, tmp_path / "pack")
    return tmp_path / "pack"


def edit(pack, name, change):
    path = pack / f"{name}.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    change(content)
    path.write_text(json.dumps(content), encoding="utf-8")


def test_the_own_pack_is_sound():
    assert data.check(data.FOLDER) == []


def test_the_digest_follows_the_content(pack):
    assert data.load(pack).digest == TITLE.data
    edit(pack, "setup", lambda content: content["common"].update(start_vp=3))
    assert data.load(pack).digest != TITLE.data


@pytest.mark.parametrize(
    ("name", "change", "problem"),
    [
        ("characters", lambda c: c["cards"][0]["effect"].update(op="fly"), "ENG-01: unknown op 'fly'"),
        ("characters", lambda c: c["cards"][0].update(country="utopia"), "ENG-01: unknown country 'utopia'"),
        ("characters", lambda c: c["cards"][0]["provenance"].pop("stone"), "ENG-01: no provenance"),
        ("characters", lambda c: c["cards"][1].update(id="ENG-01"), "ENG-01: 2 items have this id"),
        ("characters", lambda c: c["cards"].pop(), "characters: 51 instead of 52"),
        ("events", lambda c: c["cards"][1]["affects"].update(religion="none"), "EV-ENG-2: unknown religion 'none'"),
        (
            "advantage_tiles",
            lambda c: c["tiles"][12]["effect"].update(op="ship"),
            "AD13: ship is a symbol of the action track only",
        ),
        ("action_track", lambda c: c["spaces"][1]["effect"].update(good="tea"), "T01: unknown good 'tea'"),
        ("action_track", lambda c: c["spaces"][3].update(next="T09"), "T03: the track does not go on to 'T09'"),
        ("loch_leven", lambda c: c["cards"][0].update(start_space="T99"), "LL1: unknown space 'T99'"),
        ("board", lambda c: c.pop("provenance"), "board: no provenance"),
        ("board", lambda c: c["countries"][0]["sales"][0].update(vp=9), "england prices: [2, 9] instead of [2, 4]"),
        ("pieces", lambda c: c.pop("totals"), "a field is missing or of the wrong kind: KeyError('totals')"),
    ],
)
def test_a_broken_pack_is_found_out(pack, name, change, problem):
    edit(pack, name, change)
    assert problem in data.check(pack)


def test_a_missing_or_unreadable_file_is_found_out(pack):
    (pack / "board.json").write_text("{")
    assert "not readable as JSON" in data.check(pack)[0]
    (pack / "board.json").unlink()
    assert data.check(pack) == ["board.json is missing"]


def test_what_is_provisional_is_said_in_words():
    assert "the effect of 26 of 52 characters" in TITLE.provisional
    assert "3 of 4 Loch Leven cards" in TITLE.provisional


def test_the_title_is_listed():
    assert games.get("column-of-fire") is TITLE and TITLE in games.all()
    with pytest.raises(NotFound, match="there is no title 'chess'; there are: column-of-fire"):
        games.get("chess")
