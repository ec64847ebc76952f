"""The hash chain: any change to the past is visible, also to a seat that may read only its own part.

link = H(previous link, public part, one salted commitment for every seat and for the arbiter).
A seat can check the public parts, its own parts with its salts, and the bare commitments of the others.
Everybody has a commitment in every event: leaving one out would tell that there was nothing to hide from the others.
"""

from __future__ import annotations

import hashlib
import hmac

import msgspec

from domain.kernel import redact
from domain.kernel.event import Event, encode
from domain.kernel.schema import ARBITER, SPECTATOR, Schema

START = b"\0" * 32


def secret(seed: bytes, line: str) -> bytes:
    """The key of a line's salts. Each line has its own: the same part on two lines must not give the same commitment."""
    return hmac.digest(seed, b"salts\0" + line.encode(), "sha256")


def salts(schema: Schema, secret: bytes, version: int) -> dict[str, bytes]:
    """What each audience needs to check its part of an event, and of no other."""
    stream = hashlib.shake_128(b"%s%d" % (secret, version)).digest(32 * len(schema.audiences))
    return {audience: stream[32 * place : 32 * place + 32] for place, audience in enumerate(schema.audiences)}


def part(schema: Schema, seen: Event, audience: str) -> bytes:
    """The bytes an audience may see of an event, without its link."""
    shown = redact.event(schema, seen, audience)
    return encode(msgspec.structs.replace(shown, link=b"") if shown.link else shown)


def commitment(salt: bytes, part: bytes) -> bytes:
    return hashlib.sha256(salt + part).digest()


def commitments(schema: Schema, seen: Event, secret: bytes) -> tuple[bytes, dict[str, bytes]]:
    """The public part, and a commitment to what the arbiter and every seat may see."""
    shown = redact.event(schema, seen, SPECTATOR)
    public = encode(msgspec.structs.replace(shown, link=b"") if shown.link else shown)
    others = () if shown is seen else (ARBITER, *redact.insiders(schema, seen))  # who see more than everybody
    found = {
        audience: commitment(salt, part(schema, seen, audience) if audience in others else public)
        for audience, salt in salts(schema, secret, seen.version).items()
    }
    return public, found


def join(previous: bytes, public: bytes, found: dict[str, bytes]) -> bytes:
    """The next link."""
    parts = [previous, hashlib.sha256(public).digest()]
    for audience in sorted(found):
        parts += (audience.encode(), b"=", found[audience])
    return hashlib.sha256(b"".join(parts)).digest()


def link(previous: bytes, schema: Schema, seen: Event, secret: bytes) -> bytes:
    return join(previous, *commitments(schema, seen, secret))
