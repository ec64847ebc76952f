"""The data pack: sound, pinned, and checked when somebody brings another."""

import json
import shutil

import pytest

from domain.games.pax_renaissance.data import CARDS, DIGEST, EMPIRES, FOLDER, PACK, check, digest, load


def test_the_pack_is_sound():
    assert check(FOLDER) == []
    assert (len(PACK.base), len(PACK.comets), len(PACK.expansion), len(PACK.promos)) == (88, 4, 60, 16)


def test_a_pack_can_be_loaded_from_any_folder(tmp_path):
    shutil.copytree(FOLDER, tmp_path / "pack")
    assert load(tmp_path / "pack").cards == CARDS and digest(tmp_path / "pack") == DIGEST


def altered(tmp_path, file, change):
    pack = tmp_path / "pack"
    shutil.copytree(FOLDER, pack)
    content = json.loads((pack / f"{file}.json").read_text(encoding="utf-8"))
    change(content)
    (pack / f"{file}.json").write_text(json.dumps(content), encoding="utf-8")
    return pack


@pytest.mark.parametrize(
    "file, change, complaint",
    [
        ("cards_base", lambda pack: pack["cards"][0].update(location="atlantis"), "PR029: unknown location 'atlantis'"),
        ("cards_base", lambda pack: pack["cards"][0].update(provenance=[]), "PR029 does not say where it comes from"),
        ("cards_base", lambda pack: pack["cards"].pop(), "the east deck has 34 cards, not 35"),
        ("cards_base", lambda pack: pack["cards"][0].update(ops=[{"op": "bribe"}]), "PR029: unknown op 'bribe'"),
        ("cards_base", lambda pack: pack["cards"][0].update(prestige=["fame"]), "PR029: unknown prestige 'fame'"),
        ("cards_expansion", lambda pack: pack["cards"][0].update(in_expansion60=False), "there are 59 expansion cards, not 60"),
        ("empires", lambda pack: pack["empires"].pop(), "map cards and empires differ"),
        ("map", lambda pack: pack["map_cards"][0]["cities"].append("camelot"), "england: unknown city 'camelot'"),
        ("map", lambda pack: pack["routes"][0]["path"].append({"border": "border_aragon_france"}), "crosses the land border"),
        ("map", lambda pack: pack.pop("provenance"), "map.json does not say where it comes from"),
        ("pieces", lambda pack: pack["tokens"]["knight"].update(islamic=2), "3 of knight.islamic stand on the map at the start"),
        ("victory", lambda pack: pack["victories"].pop(), "there are 3 victory cards, not 4"),
    ],
)
def test_a_broken_pack_is_found_out(tmp_path, file, change, complaint):
    problems = check(altered(tmp_path, file, change))
    assert any(complaint in problem for problem in problems), problems


def test_a_missing_file_is_named(tmp_path):
    pack = altered(tmp_path, "map", lambda content: None)
    (pack / "map.json").unlink()
    assert check(pack) == ["map.json is missing"]


def test_an_unreadable_file_is_no_crash(tmp_path):
    pack = altered(tmp_path, "empires", lambda content: content.pop("empires"))
    assert len(check(pack)) == 1 and "cannot be read" in check(pack)[0]


def test_every_card_says_how_sure_it_is():
    for name in ("cards_base", "cards_expansion"):
        assert all(card["provenance"] for card in PACK.raw[name]["cards"])
    assert all(empire.provenance for empire in EMPIRES.values())
