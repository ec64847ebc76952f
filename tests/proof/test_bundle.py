"""Bundles: what is in them, what is not, and the way out and in again."""

from __future__ import annotations

import base64
from functools import cache

import msgspec
import pytest

from domain import whatif
from domain.audit import audit
from domain.kernel import chain
from domain.kernel.errors import Refused
from domain.kernel.event import Rolled
from domain.log import Log
from service import archive, bundle
from service.store import open_store
from service.store.memory import MemoryStore
from tests.proof.forger import KEY, manifest, rows, seen_by, whole
from tests.proof.smugglers import TITLE, deal, play


def library(id: str, rules: str):
    return TITLE if rules == TITLE.rules else None


def opened(store, match) -> Log:
    return Log(store, TITLE, match, store.line(match.id))


@cache
def running() -> Log:
    """A game in play, with a branch, a branch nobody has played on yet, and an analyst's line."""
    log = play(deal(copies=99, rounds=60), 90)
    branch = log.fork("quay", 30, by="account-7", reason="what if blue had bid more", at=5)
    play(branch, 45, seed=7)
    branch.fork("quay-2", 40, at=6)
    rolled = next(item for item in log.raw() if item.kind != "created" and item.chance and type(item.chance[0]) is Rolled)
    first = next(item for item in reversed(log.raw(0, rolled.version)) if item.seat)
    drawn = [outcome for item in log.raw(first.version - 1, rolled.version) for outcome in item.chance]
    index = next(number for number, outcome in enumerate(drawn) if outcome.key == "patrol")
    whatif.change_chance(log, "analyst", first.version, index, [6, 6])
    return log


@cache
def over() -> Log:
    return play(deal(rounds=10))


def test_a_whole_bundle_holds_every_line_and_is_what_the_log_is():
    checked = bundle.check(whole(running()))
    assert {line.id for line in checked.manifest.lines} == {"match-1", "quay", "quay-2", "analyst"}
    for line in running().store.lines("match-1"):
        assert checked.events[line.id] == running().store.read(line.id, line.at, 1 << 60)
    assert all(report.clean for report in bundle.rerun(checked, library))


def test_a_bundle_opens_with_any_zip_program_and_reads_as_json(tmp_path):
    import zipfile

    path = tmp_path / "match.zip"
    path.write_bytes(whole(over()))
    with zipfile.ZipFile(path) as opened_zip:
        assert opened_zip.testzip() is None
        assert opened_zip.namelist() == ["manifest.json", "manifest.sig", "lines/0.jsonl"]
    bid = next(row["event"] for row in rows(whole(over())) if row["event"].get("ask") == "bid")
    assert bid["seat"] in TITLE.seats(3) and bid["answer"] in range(6)


@pytest.mark.parametrize("viewer", ["red", "blue", "green", "spectator"])
def test_S9_a_seats_bundle_verifies_without_the_secrets_and_contains_none(viewer):
    log = running()
    raw = seen_by(log, viewer)
    checked = bundle.check(raw)
    assert checked.events["match-1"] == log.events(viewer)

    table, shown = log.whole_table(), {item for event in log.events(viewer) for peek in event.shown for item in peek.items}
    unseen = {
        item for zone in ("deck", *(f"hold:{seat}" for seat in log.schema.seats if seat != viewer)) for item in table.items(zone)
    }
    assert len(unseen) > 100
    after_setup = archive.unpack(raw)["lines/0.jsonl"].split(b"\n", 1)[1]  # which cards there are everybody saw at the start
    for item in unseen - shown:
        assert f'"{item}"'.encode() not in after_setup, f"{viewer} can read {item}"
    guards = {item for seat in log.schema.seats if seat != viewer for item in table.items(f"guards:{seat}")}
    assert guards
    mine = set(table.items(f"guards:{viewer}")) if viewer != "spectator" else set()
    for guard in guards - mine:
        assert guard.encode() not in after_setup

    secret = chain.secret(log.match.seed, "match-1")
    hidden = [log.match.seed, secret]
    hidden += [
        salt
        for version in range(1, log.head + 1)
        for seat, salt in chain.salts(log.schema, secret, version).items()
        if seat != viewer
    ]
    for secret in hidden:
        assert secret not in raw and secret.hex().encode() not in raw and base64.b64encode(secret) not in raw
    for row in rows(raw):
        event = row.get("mine") or row["event"]
        if event.get("ask") == "bid" and event["seat"] != viewer:
            assert event["answer"] == "?"
    assert b"ledger:" not in raw.replace(f"ledger:{viewer}".encode(), b"")


def test_S9_a_seats_bundle_of_a_branch_says_neither_who_made_it_nor_what_for():
    log = running()
    raw = bundle.export(Log(log.store, TITLE, log.match, log.store.line("quay")), "red", KEY)
    assert {line.id for line in bundle.check(raw).manifest.lines} == {"match-1", "quay"}
    assert b"account-7" not in raw and b"blue had bid" not in raw


def test_the_whole_bundle_is_for_everybody_when_the_game_is_over_and_not_before():
    assert bundle.entitled(running(), "red") == "red"
    assert bundle.entitled(over(), "red") == "arbiter"


def test_round_trip_under_its_own_id_is_byte_equal_also_through_a_database(tmp_path):
    raw = whole(running())
    with open_store(str(tmp_path / "other.db")) as store:
        match = bundle.restore(store, bundle.check(raw))
        assert bundle.export(opened(store, match), "arbiter", KEY) == raw
    for seat in TITLE.seats(3):
        store = MemoryStore()
        match = bundle.restore(store, bundle.check(raw))
        assert bundle.export(opened(store, match), seat, KEY) == seen_by(running(), seat)


def test_round_trip_as_a_study_is_byte_equal_apart_from_the_ids():
    raw = whole(running())
    store = running().store
    match = bundle.study(store, bundle.check(raw), "study")
    again = bundle.export(opened(store, match), "arbiter", KEY)
    before, after = archive.unpack(raw), archive.unpack(again)
    assert {name: before[name] for name in before if name.startswith("lines/")} == {
        name: after[name] for name in after if name.startswith("lines/")
    }
    was, now = manifest(raw), manifest(again)
    assert (now["match"], now["lines"][0]["origin"]) == ("study", "match-1")
    for found in (was, now):
        found["match"] = ""
        for line in found["lines"]:
            line.update(id="", parent="", origin="", signature="")
    assert was == now
    assert all(report.clean for report in bundle.rerun(bundle.check(again), library))


def test_L7_a_study_is_not_played_on_but_forked():
    store = MemoryStore()
    log = opened(store, bundle.study(store, bundle.check(whole(running())), "study"))
    ask = log.run.asks[0]
    with pytest.raises(Refused, match="fork it to play on"):
        log.decide(ask.seat, ask.key, next(ask.all()))
    fork = log.fork("mine")
    fork.decide(ask.seat, ask.key, next(ask.all()))
    assert audit(fork).clean


def test_a_restored_match_goes_on_with_the_luck_it_would_have_had():
    there = deal(rounds=60)
    play(there, 40)
    store = MemoryStore()
    here = opened(store, bundle.restore(store, bundle.check(whole(there))))
    play(there, 80, seed=9)
    play(here, 80, seed=9)
    assert here.raw() == there.raw() and audit(here).clean


def test_a_match_that_is_already_here_is_not_overwritten():
    store = MemoryStore()
    checked = bundle.check(whole(running()))
    bundle.restore(store, checked)
    before = store.position()
    with pytest.raises(Refused, match="already here"):
        bundle.restore(store, checked)
    assert store.position() == before


def test_a_seats_view_is_not_imported():
    store = MemoryStore()
    with pytest.raises(Refused, match="only a whole bundle"):
        bundle.restore(store, bundle.check(seen_by(running(), "red")))
    assert not store.matches()


def test_undone_decisions_and_a_change_of_rules_are_part_of_the_proof():
    log = play(deal(rounds=60), 24)
    while log.run.asks[0].key != "sell" or log.run.asks[0].seat != "red":
        ask = log.run.asks[0]
        log.decide(ask.seat, ask.key, next(ask.all()))
    log.decide("red", "sell", [])
    log.undo("red")
    newer = msgspec.structs.replace(TITLE, rules="2")
    log.upgrade(newer)
    play(log, 60, seed=2)
    checked = bundle.check(whole(log))
    reports = bundle.rerun(checked, lambda id, rules: {"1": TITLE, "2": newer}.get(rules))
    assert [report.clean for report in reports] == [True] and reports[0].rules == ["1", "2"]
    assert checked.draws.left == 0


def test_without_the_title_everything_but_the_rules_is_checked():
    checked = bundle.check(whole(over()))
    assert bundle.rerun(checked, lambda id, rules: None) == []
    assert checked.draws.recomputed == sum(len(item.chance) for item in over().raw())
