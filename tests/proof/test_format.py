"""A bundle can be checked by somebody who has read docs/bundle-format.md and has none of this program."""

from __future__ import annotations

import base64
import hashlib
import hmac
import io
import json
import zipfile
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from tests.proof.forger import seen_by, whole
from tests.proof.smugglers import deal, play

EMPTY: dict[str, Any] = {
    "version": 0, "kind": "", "seat": "", "ask": "", "answer": None, "chance": [], "ops": [], "cites": [], "shown": [],
    "mark": False, "cause": "", "at": 0, "veil": None, "digest": "",
}  # fmt: skip


def encode(event: dict[str, Any]) -> bytes:
    fields = {**EMPTY, **event}
    fields["digest"] = base64.b64decode(fields["digest"])
    return msgspec.msgpack.encode([*fields.values(), b""])


def sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


@pytest.mark.parametrize("seat", ["red", "blue", "spectator"])
def test_a_seats_bundle_by_the_documentation_alone(seat):
    opened = zipfile.ZipFile(io.BytesIO(seen_by(play(deal(), 60), seat)))
    manifest, text = json.loads(opened.read("manifest.json")), opened.read("manifest.json")
    key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(manifest["key"]))
    key.verify(bytes.fromhex(opened.read("manifest.sig").decode()), b"chancery bundle\0" + text)
    (line,) = manifest["lines"]
    rows = opened.read(line["file"])
    assert hashlib.sha256(rows).hexdigest() == manifest["files"][line["file"]]

    link = bytes(32)
    for number, row in enumerate(map(json.loads, rows.splitlines()), 1):
        assert row["event"]["version"] == number
        found = {name: base64.b64decode(value) for name, value in row["others"].items()}
        if seat != "spectator":
            found[seat] = sha256(base64.b64decode(row["salt"]) + encode(row.get("mine", row["event"])))
        assert set(found) == {"arbiter", *manifest["header"]["seats"]}
        link = sha256(link + sha256(encode(row["event"])) + b"".join(name.encode() + b"=" + found[name] for name in sorted(found)))
        assert link == base64.b64decode(row["link"])
    head = {"what": "head", "match": manifest["match"], "line": line["id"], "version": number, "link": link.hex()}
    key.verify(bytes.fromhex(line["signature"]), b"chancery\0" + json.dumps(head, separators=(",", ":")).encode())


def test_the_first_dice_of_a_whole_bundle_by_the_documentation_alone():
    opened = zipfile.ZipFile(io.BytesIO(whole(play(deal(), 60))))
    manifest = json.loads(opened.read("manifest.json"))
    seed, header = bytes.fromhex(manifest["seed"]), manifest["header"]
    assert hashlib.sha256(seed).hexdigest() == header["commitment"]
    key = hmac.digest(seed, "\0".join([*header["nonces"], manifest["match"]]).encode(), "sha256")
    number = checked = 0
    for row in map(json.loads, opened.read("lines/0.jsonl").splitlines()):
        for outcome in row["event"].get("chance", []):
            if outcome[0] == "roll":
                *_, faces, values = outcome
                blocks = [hmac.digest(key, b"%d:%d:0" % (number, part), "sha256") for part in range(len(values))]
                assert values == [faces[int.from_bytes(block[:8], "big") % len(faces)] for block in blocks]
                checked += len(values)
            number += 1
    assert checked > 10
