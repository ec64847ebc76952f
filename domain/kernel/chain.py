"""The hash chain: any change to the past is visible, also to a seat that may read only its own part.

link = H(previous link, public part, one salted commitment for each audience that sees more than the public).
A seat can check the public parts, its own parts with its salts, and the bare commitments of the others.
"""

from __future__ import annotations

import hashlib
import hmac

import msgspec

from domain.kernel import redact
from domain.kernel.event import Event, encode
from domain.kernel.schema import ARBITER, SPECTATOR, Schema

START = b"\0" * 32


def salt(secret: bytes, version: int, audience: str) -> bytes:
    # A salt is given to its audience: the prefix keeps it apart from everything else made from the same secret.
    return hmac.digest(secret, b"salt\0%d:%s" % (version, audience.encode()), "sha256")


def part(schema: Schema, seen: Event, audience: str) -> bytes:
    """The bytes an audience may see of an event, without its link."""
    shown = redact.event(schema, seen, audience)
    return encode(msgspec.structs.replace(shown, link=b"") if shown.link else shown)


def commitments(schema: Schema, seen: Event, secret: bytes) -> tuple[bytes, dict[str, bytes]]:
    """The public part, and a commitment for everybody who sees more than that."""
    public = part(schema, seen, SPECTATOR)
    whole = part(schema, seen, ARBITER)
    found: dict[str, bytes] = {}
    if whole != public:
        found[ARBITER] = hmac.digest(salt(secret, seen.version, ARBITER), whole, "sha256")
        for seat in schema.seats:
            mine = part(schema, seen, seat)
            if mine != public:
                found[seat] = hmac.digest(salt(secret, seen.version, seat), mine, "sha256")
    return public, found


def join(previous: bytes, public: bytes, found: dict[str, bytes]) -> bytes:
    """The next link."""
    link = hashlib.sha256(previous + hashlib.sha256(public).digest())
    for audience in sorted(found):
        link.update(audience.encode() + b"=" + found[audience])
    return link.digest()


def link(previous: bytes, schema: Schema, seen: Event, secret: bytes) -> bytes:
    return join(previous, *commitments(schema, seen, secret))
