"""The hash chain: any change to the past is visible, also to a seat that may read only its own part.

link = H(previous link, public part, one salted commitment for every seat and for the arbiter).
A seat can check the public parts, its own parts with its salts, and the bare commitments of the others.
Everybody has a commitment in every event: leaving one out would tell that there was nothing to hide from the others.
"""

from __future__ import annotations

import hmac
from functools import lru_cache
from hashlib import sha256, shake_128

import msgspec

from domain.kernel import redact
from domain.kernel.event import Event, encode
from domain.kernel.schema import ARBITER, SPECTATOR, Schema

START = b"\0" * 32
SALT = 32


def secret(seed: bytes, line: str) -> bytes:
    """The key of a line's salts. Each line has its own: the same part on two lines must not give the same commitment."""
    return hmac.digest(seed, b"salts\0" + line.encode(), "sha256")


def salts(schema: Schema, secret: bytes, version: int) -> dict[str, bytes]:
    """What each audience needs to check its part of an event, and of no other."""
    stream = _stream(schema, secret, version)
    return {audience: stream[place] for audience, place in _places(schema.audiences)}


def _stream(schema: Schema, secret: bytes, version: int) -> bytes:
    return shake_128(b"%s%d" % (secret, version)).digest(SALT * len(schema.audiences))


@lru_cache(256)
def _places(audiences: tuple[str, ...]) -> list[tuple[str, slice]]:
    """Where in the stream each audience's salt is."""
    return [(audience, slice(SALT * number, SALT * (number + 1))) for number, audience in enumerate(audiences)]


def part(schema: Schema, seen: Event, audience: str) -> bytes:
    """The bytes an audience may see of an event, without its link."""
    shown = redact.event(schema, seen, audience)
    return encode(msgspec.structs.replace(shown, link=b"") if shown.link else shown)


def commitment(salt: bytes, part: bytes) -> bytes:
    return sha256(salt + part).digest()


def commitments(schema: Schema, seen: Event, secret: bytes) -> tuple[bytes, dict[str, bytes]]:
    """The public part, and a commitment to what the arbiter and every seat may see."""
    shown = redact.event(schema, seen, SPECTATOR)
    public = encode(msgspec.structs.replace(shown, link=b"") if shown.link else shown)
    stream, places = _stream(schema, secret, seen.version), _places(schema.audiences)
    found = {audience: sha256(stream[place] + public).digest() for audience, place in places}
    if shown is not seen:
        more = {ARBITER, *redact.insiders(schema, seen)}  # who may see more than everybody
        found |= {one: commitment(stream[place], part(schema, seen, one)) for one, place in places if one in more}
    return public, found


def join(previous: bytes, public: bytes, found: dict[str, bytes]) -> bytes:
    """The next link."""
    parts = [previous, sha256(public).digest()]
    for audience, name in _names(tuple(found)):
        parts += (name, found[audience])
    return sha256(b"".join(parts)).digest()


@lru_cache(256)
def _names(audiences: tuple[str, ...]) -> list[tuple[str, bytes]]:
    """As they stand before the commitments, in order."""
    return [(audience, audience.encode() + b"=") for audience in sorted(audiences)]


def link(previous: bytes, schema: Schema, seen: Event, secret: bytes) -> bytes:
    return join(previous, *commitments(schema, seen, secret))
