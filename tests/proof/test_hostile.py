"""S14: files made to do harm are refused with the first bad item, at the cost of their own size, and nothing is written."""

from __future__ import annotations

import io
import os
import struct
import time
import tracemalloc
import zipfile
from functools import cache
from pathlib import Path

import msgspec
import pytest

from domain.kernel.errors import Refused
from domain.kernel.event import CREATED, Event
from domain.kernel.ops import Move
from domain.log import Log
from domain.proof import Unproven
from service import archive, bundle
from service.store.memory import MemoryStore
from tests.proof.forger import MAIN, manifest, rewritten, signed_again, whole
from tests.proof.smugglers import deal, play

MEGABYTE = 1 << 20


@cache
def game() -> Log:
    return play(deal(rounds=10), 40)


@cache
def good() -> bytes:
    return whole(game())


def zipped(*entries: tuple[zipfile.ZipInfo | str, bytes], method: int = zipfile.ZIP_STORED) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as opened:
        for name, content in entries:
            opened.writestr(name, content, method)
    return made.getvalue()


def refused(raw: bytes, seconds: float = 1, megabytes: float = 16) -> Unproven:
    """The refusal, which came quickly and without much memory."""
    tracemalloc.start()
    started = time.process_time()
    try:
        with pytest.raises(Unproven) as caught:
            bundle.check(raw)
        spent, (_, peak) = time.process_time() - started, tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert spent < seconds and peak < megabytes * MEGABYTE, (spent, peak)
    return caught.value


@pytest.mark.parametrize(
    "name",
    [
        "../evil",
        "lines/../../evil",
        "/etc/passwd",
        "..\\evil",
        "C:\\evil",
        "\\\\host\\evil",
        "lines/./x",
        "~/.profile",
        "LINES/0.jsonl",
        "x" * 200,
        "lines/ü.jsonl",
    ],
)
def test_S14_a_name_that_leads_out_of_the_bundle_is_refused(name):
    found = refused(zipped(("manifest.json", b"{}"), (name, b"evil")))
    assert found.where and found.where != "'manifest.json'"


def test_S14_a_link_is_refused():
    link = zipfile.ZipInfo("lines/0.jsonl")
    link.create_system, link.external_attr = 3, 0o120777 << 16
    assert "is a link" in refused(zipped((link, b"/etc/passwd"))).reason


def test_S14_two_entries_of_one_name_are_refused():
    with pytest.warns(UserWarning, match="Duplicate"):
        raw = zipped(("manifest.json", b"{}"), ("manifest.json", b"{ }"))
    assert "two entries" in refused(raw).reason


def test_S14_a_zip_bomb_is_not_inflated():
    bomb = zipped(("manifest.json", b"\0" * (200 * MEGABYTE)), method=zipfile.ZIP_DEFLATED)
    assert len(bomb) * 100 < 200 * MEGABYTE
    assert "neither compressed" in refused(bomb).reason


def test_S14_entries_that_share_their_bytes_are_refused():
    """A small file that would be read as a thousand times itself."""
    body = b"x" * MEGABYTE
    local = archive.LOCAL.pack(b"PK\3\4", 20, 0, 0, 0, 0x21, 0, len(body), len(body), 1, 0) + b"a" + body
    directory = b"".join(
        archive.CENTRAL.pack(b"PK\1\2", 20, 20, 0, 0, 0, 0x21, 0, len(body), len(body), 4, 0, 0, 0, 0, 0, 0) + b"%04d" % number
        for number in range(1000)
    )
    raw = local + directory + archive.END.pack(b"PK\5\6", 0, 0, 1000, 1000, len(directory), len(local), 0)
    assert "does not begin where the one before ends" in refused(raw).reason


def test_S14_a_million_entries_are_not_listed():
    """The library needs half a minute to write one: the directory is made by hand."""
    entry = archive.CENTRAL.pack(b"PK\1\2", 20, 20, 0, 0, 0, 0x21, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0) + b"a"
    directory = entry * 600_000
    zip64 = struct.pack("<4sQ2H2I4Q", b"PK\6\6", 44, 45, 45, 0, 0, 10**6, 10**6, len(directory), 0)
    zip64 += struct.pack("<4sIQI", b"PK\6\7", 0, len(directory), 1)
    raw = directory + zip64 + archive.END.pack(b"PK\5\6", 0, 0, 0xFFFF, 0xFFFF, len(directory), 0, 0)
    assert "65535 or more entries" in refused(raw).reason
    lying = directory + archive.END.pack(b"PK\5\6", 0, 0, 1024, 1024, len(directory), 0, 0)
    refused(lying)


def test_S14_too_large_a_file_is_not_read(tmp_path):
    path = tmp_path / "large.zip"
    with path.open("wb") as file:
        file.truncate(archive.LARGEST + 1)
    with pytest.raises(Unproven, match="larger than"):
        bundle.load(path)
    assert "larger than" in refused(bytes(archive.LARGEST + 1)).reason


def test_S14_what_is_no_plain_file_is_not_read(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, Path("/dev/zero")):
        with pytest.raises(Unproven, match="no plain file"):
            bundle.load(path)


def test_S14_an_encrypted_entry_is_refused():
    raw = bytearray(zipped(("manifest.json", b"{}")))
    place = raw.rindex(b"PK\1\2") + 8
    raw[place] |= 1
    assert "encrypted" in refused(bytes(raw)).reason


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"junk",
        b"null",
        b"[]",
        b"{}",
        b"{" * 1000,
        b"[" * 5_000_000,
        b'{"format":' * 500_000,
        b"9" * 1_000_000,
        b'"' + b"a" * 5_000_000 + b'"',
        b"\xff\xfe",
        b'{"format":"chancery bundle","format":"chancery bundle"}',
        b"1e999",
    ],
    ids=lambda text: text[:12].decode("ascii", "replace"),
)
def test_S14_junk_for_a_manifest_is_refused(text):
    assert refused(archive.pack({"manifest.json": text, "manifest.sig": b""}), megabytes=64).where == "manifest.json"


@pytest.mark.parametrize(
    "row",
    [
        b"junk",
        b"",
        b"null",
        b"[" * 900_000,
        b'{"event":{"version":7,"kind":"decided","answer":' + b"[" * 5000 + b"]" * 5000 + b'},"link":""}',
        b'{"event":{"version":7,"kind":"decided","answer":' + b"9" * 4000 + b'},"link":""}',
        b'{"event":{"version":7,"kind":"decided","ops":[["x"]]},"link":""}',
        b'{"event":{"version":7,"kind":"decided","ops":[["m","silk0","nowhere","deck",1,-1,-1]]},"link":""}',
        b'{"event":{"version":7,"kind":"decided","ops":[["r","nowhere",[0]]]},"link":""}',
        b'{"event":{"version":7,"kind":"decided","veil":[["nowhere"],[]]},"link":""}',
        b'{"event":{"version":7,"kind":"decided","answer":7,"veil":[["deck"],[]]},"link":""}',
        b'{"event": {"version":7,"kind":"decided"},"link":""}',
        b'{"event":{"version":-7,"kind":"decided"},"link":""}',
        b'{"event":{"version":7,"kind":"decided"},"link":"' + b"A" * (2 * MEGABYTE) + b'"}',
        b"\xff",
    ],
    ids=lambda row: row[:60].decode("ascii", "replace"),
)
def test_S14_junk_for_an_event_is_refused_with_its_version_even_if_it_is_signed(row):
    files = archive.unpack(good())
    lines = files[MAIN].splitlines()
    files[MAIN] = b"\n".join([*lines[:6], row, *lines[7:]]) + b"\n"
    found = refused(signed_again(archive.pack(files)), megabytes=64)
    assert (found.where, found.version) == (MAIN, 7)


def test_S14_a_manifest_without_its_files_or_with_others_is_refused():
    files = archive.unpack(good())
    assert refused(archive.pack({name: files[name] for name in list(files)[:2]})).where == MAIN
    assert refused(archive.pack({**files, "lines/1.jsonl": b""})).where == "lines/1.jsonl"
    assert "begins with" in refused(archive.pack(dict(reversed(files.items())))).reason


def test_S14_other_digests_are_refused():
    files = archive.unpack(good())
    found = manifest(good())["files"][MAIN]
    files["manifest.json"] = files["manifest.json"].replace(found.encode(), b"0" * 64)
    assert refused(archive.pack(files)).where == "manifest.json"


def test_S14_a_bag_with_more_pieces_than_atoms_costs_nothing():
    """Somebody signs a log of their own in which a draw is made from a million million cards."""

    def heap(item: Event) -> Event:
        if item.kind != CREATED:
            return msgspec.structs.replace(item, digest=b"", mark=False)
        guards = [op for op in item.ops if type(op) is Move and op.dst == "harbour"]
        ops = [msgspec.structs.replace(op, n=10**12) if op in guards else op for op in item.ops]
        return msgspec.structs.replace(item, ops=ops, digest=b"", mark=False)

    started = time.process_time()
    assert bundle.check(whole(rewritten(game(), heap, 5))).draws.left == 1
    assert time.process_time() - started < 1


def test_S14_a_table_that_grows_without_end_is_refused():
    def grown(item: Event) -> Event:
        if item.version != 2:
            return item
        return msgspec.structs.replace(item, ops=[*item.ops, *(Move(f"c{n}", "box", "market") for n in range(20_001))])

    with pytest.raises(Unproven, match="things on the table") as caught:
        whole(rewritten(game(), grown, 3))
    assert caught.value.version == 2


def test_S14_nothing_is_written_when_a_bundle_is_refused(tmp_path):
    store = MemoryStore()
    with pytest.raises((Unproven, Refused)):
        bundle.restore(store, bundle.check(good()[:-1]))
    assert not store.matches() and not list(tmp_path.iterdir())
