"""Somebody who changes bundles: a stranger without the server's key, or the server itself, which can sign again."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain import proof
from domain.kernel import chain
from domain.kernel.event import Event
from domain.log import Log
from service import archive, bundle
from service.store.memory import MemoryStore

KEY = Ed25519PrivateKey.from_private_bytes(b"k" * 32)
MAIN = "lines/0.jsonl"

Rows = list[dict[str, Any]]


def whole(log: Log) -> bytes:
    return bundle.export(log, "arbiter", KEY)


def seen_by(log: Log, seat: str) -> bytes:
    return bundle.export(log, seat, KEY)


def rows(raw: bytes, file: str = MAIN) -> Rows:
    return [msgspec.json.decode(line) for line in archive.unpack(raw)[file].splitlines()]


def manifest(raw: bytes) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode(archive.unpack(raw)[bundle.MANIFEST])
    return found


def edited(raw: bytes, edit: Callable[[Rows], object], file: str = MAIN) -> bytes:
    """The bundle with other events, by somebody who cannot sign."""
    files, changed = archive.unpack(raw), rows(raw, file)
    edit(changed)
    files[file] = b"".join(msgspec.json.encode(row) + b"\n" for row in changed)
    return archive.pack(files)


def signed_again(raw: bytes, edit: Callable[[dict[str, Any]], object] = lambda found: None) -> bytes:
    """The bundle with digests, heads and signatures made to fit, by the server."""
    files, found = archive.unpack(raw), manifest(raw)
    edit(found)
    found["key"] = proof.public_key(KEY)
    for name in found["files"]:
        found["files"][name] = hashlib.sha256(files[name]).hexdigest()
    for line in found["lines"]:
        head = proof.Head(found["match"], line["origin"] or line["id"], line["version"], line["link"])
        line["signature"] = proof.sign(KEY, head).signature
    text = msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n"
    signature = KEY.sign(b"chancery bundle\0" + text).hex().encode()
    return archive.pack({**files, bundle.MANIFEST: text, bundle.SIGNATURE: signature})


def rewritten(log: Log, change: Callable[[Event], Event], upto: int = 1 << 60) -> Log:
    """The same match with another past, every link made anew: what a server could do that nobody had a receipt from."""
    store = MemoryStore()
    secret, link, events = chain.secret(log.match.seed, log.line.key), chain.START, []
    for item in log.raw(0, upto):
        changed = change(item)
        link = chain.link(link, log.schema, changed, secret)
        events.append(msgspec.structs.replace(changed, link=link))
    store.add_match(log.match, log.line)
    store.append(log.line.id, events)
    return Log(store, log.title, log.match, log.line)
