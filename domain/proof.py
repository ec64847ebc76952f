"""Proof: what a seat can check during the game, and everybody after its end, without believing the server.

During the game a seat holds of every event the public part, its own part with the salt of that part, and the bare commitments
to what the others see: together they give the link, so nothing it was told can be changed behind its back. After the end the
seed is revealed, all salts and every draw follow from it, and the whole log gives the very links that everybody already holds.
What the server promises it signs (Ed25519): the seed before anybody joins, every decision it accepts, the head of a line.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from domain.kernel import chain, redact
from domain.kernel.ask import Draw, Roll, Shuffle
from domain.kernel.chance import Fair
from domain.kernel.errors import BrokenLog, ChanceryError
from domain.kernel.event import UNDONE, Chance, Drawn, Event, Header, Rolled, Shuffled, encode
from domain.kernel.ops import Move, Reorder
from domain.kernel.schema import ARBITER, SPECTATOR, Schema, Sight
from domain.kernel.table import Table

# What no game needs and a forged log might try.
LARGEST_TABLE, LARGEST_POOL, MOST_TRIES = 20_000, 5_000, 20_000
MISFITS = (LookupError, TypeError, ValueError, AttributeError, OverflowError, RecursionError)


class Unproven(ChanceryError):
    """The first thing that does not hold: where, at which version, and why."""

    def __init__(self, reason: str, version: int = 0, where: str = "") -> None:
        place = f"{where}{', ' if where and version else ''}{f'version {version}' if version else ''}"
        super().__init__(f"{place}: {reason}" if place else reason)
        self.reason, self.version, self.where = reason, version, where


# -- a seat's log ---------------------------------------------------------------------------------------


class Entry(msgspec.Struct, frozen=True):
    """One event as a viewer holds it; `mine` is left out where a seat sees what everybody sees."""

    public: Event
    link: bytes
    others: dict[str, bytes]
    mine: Event | None = None
    salt: bytes = b""


def entry(schema: Schema, item: Event, viewer: str, secret: bytes) -> Entry:
    """What a seat or a spectator is given of an event."""
    _, found = chain.commitments(schema, item, secret)
    public = _bare(redact.event(schema, item, SPECTATOR))
    if viewer == SPECTATOR:
        return Entry(public, item.link, found)
    mine = _bare(redact.event(schema, item, viewer))
    del found[viewer]
    return Entry(public, item.link, found, None if mine == public else mine, chain.salts(schema, secret, item.version)[viewer])


def _bare(item: Event) -> Event:
    return msgspec.structs.replace(item, link=b"")


def check_entry(held: Entry, viewer: str, seats: Sequence[str], previous: bytes, version: int) -> None:
    """Whether what a viewer holds of an event follows the link before it."""
    found, mine = dict(held.others), held.mine or held.public
    if held.public.version != version or mine.version != version:
        raise Unproven(f"the event here says it is version {held.public.version}", version)
    if viewer != SPECTATOR:
        if viewer in found:
            raise Unproven(f"a commitment to {viewer}'s own part is given instead of the part", version)
        if len(held.salt) != 32:
            raise Unproven("the salt is not a salt", version)
        found[viewer] = chain.commitment(held.salt, _encoded(mine))
    elif held.mine is not None or held.salt:
        raise Unproven("a spectator has no part of its own", version)
    if set(found) != {*seats, ARBITER} or any(len(one) != 32 for one in found.values()):
        raise Unproven("there must be one commitment for every seat and one for the arbiter", version)
    if chain.join(previous, _encoded(held.public), found) != held.link:
        raise Unproven("the hash chain is broken: this event is not the one that was accepted", version)


def _encoded(item: Event) -> bytes:
    try:
        return encode(item)
    except MISFITS as strange:
        raise Unproven(f"no event can say this: {strange}", item.version) from None


# -- the whole log --------------------------------------------------------------------------------------


def check_event(schema: Schema, item: Event, secret: bytes, previous: bytes, version: int) -> None:
    """Whether a whole event follows the link before it, with every seat's part as that seat was given it."""
    if item.version != version:
        raise Unproven(f"the event here says it is version {item.version}", version)
    try:
        due = chain.link(previous, schema, item, secret)
    except MISFITS as strange:
        raise Unproven(f"the event does not fit the table: {strange!r}", version) from None
    if due != item.link:
        raise Unproven("the hash chain is broken: this event is not the one that was accepted", version)


class Draws(msgspec.Struct):
    """Draws recomputed from the seed, and those left to the rules, who alone know out of which items was drawn."""

    recomputed: int = 0
    left: int = 0


class Folded:
    """A line folded without any rules: every op must fit, every marked table be the one recorded, every die the seed's."""

    def __init__(self, schema: Schema) -> None:
        self.table = Table(schema)
        self.draws = Draws()
        self._drawn: list[tuple[int, int]] = []  # of each event in force with draws: its version, the draws up to there

    @property
    def drawn(self) -> int:
        """Draws in force: the number of the next one."""
        return self._drawn[-1][1] if self._drawn else 0

    def copy(self) -> Folded:
        """The same line, to go on as a branch."""
        twin = Folded.__new__(Folded)
        twin.table, twin.draws, twin._drawn = self.table.copy(), Draws(), list(self._drawn)
        return twin

    @property
    def size(self) -> int:
        """How much there is to copy."""
        table = self.table
        return sum(len(held) for held in table.zones.values() if held) + len(table.zones) + len(table.registers) + len(self._drawn)

    def add(self, item: Event, fair: Fair | None) -> None:
        """Fold one event; without `fair` its luck was lent by another line and is not the seed's."""
        if item.chance and fair is not None:
            self._recompute(item, fair)
        try:
            self.table.fold(item.ops)
        except (BrokenLog, *MISFITS) as wrong:
            raise Unproven(f"the event does not fit the table: {wrong}", item.version) from None
        if item.ops and self.size > LARGEST_TABLE:
            raise Unproven(f"there are more than {LARGEST_TABLE} things on the table", item.version)
        if item.mark and item.digest != self.table.digest():
            raise Unproven("the table here is not the one that was recorded", item.version)
        if item.kind == UNDONE:
            if type(item.answer) is not int:
                raise Unproven("it takes back nothing that can be named", item.version)
            while self._drawn and self._drawn[-1][0] > item.answer:
                self._drawn.pop()
        elif item.chance:
            self._drawn.append((item.version, self.drawn + len(item.chance)))

    def _recompute(self, item: Event, fair: Fair) -> None:
        drawn: dict[str, dict[int, Drawn]] = {}
        for ordinal, outcome in enumerate(item.chance, self.drawn):
            if type(outcome) is Drawn:
                drawn.setdefault(outcome.zone, {})[ordinal] = outcome
                continue
            due = self._due(item, outcome, fair, ordinal)
            if due != _value(outcome):
                raise Unproven(f"{outcome.key} gave {_value(outcome)!r}, but the committed seed gives {due!r}", item.version)
            self.draws.recomputed += 1
        for zone, waiting in drawn.items():
            many = len(waiting)
            self._explain(zone, waiting, item, fair)
            self.draws.recomputed += many - len(waiting)
            self.draws.left += len(waiting)

    def _due(self, item: Event, outcome: Chance, fair: Fair, ordinal: int) -> Any:
        """What the seed gives for dice and for a shuffle: the record itself says out of what."""
        if type(outcome) is Rolled:
            return fair(Roll(len(outcome.values), outcome.key, ""), outcome.faces or [0], ordinal)
        assert type(outcome) is Shuffled
        if Reorder(outcome.zone, outcome.order) not in item.ops:
            raise Unproven(f"{outcome.zone} was shuffled, but not laid in that order", item.version)
        return fair(Shuffle(outcome.zone, outcome.key, ""), range(len(outcome.order)), ordinal)

    def _explain(self, zone: str, waiting: dict[int, Drawn], item: Event, fair: Fair) -> None:
        """Strike out the draws that the seed gives from the zone as it was at some time during the event."""
        held = self.table.zones.get(zone)
        if held is None or self.table.total(zone) > LARGEST_POOL:
            return
        pool, tries = sorted(self.table.items(zone)), 0
        for op in [None, *item.ops]:
            if op is not None:
                if type(op) is not Move or zone not in (op.src, op.dst) or op.src == op.dst:
                    continue
                if not 0 < op.n <= LARGEST_POOL or len(pool) > LARGEST_POOL:
                    return
                at = bisect_left(pool, op.item)
                pool[at : at + op.n if op.src == zone else at] = [] if op.src == zone else [op.item] * op.n
            for ordinal, outcome in list(waiting.items()) if pool else ():
                if fair(Draw(zone, outcome.key, ""), pool, ordinal) == outcome.item:
                    del waiting[ordinal]
            tries += len(waiting)
            if tries > MOST_TRIES:
                return


def _value(outcome: Chance) -> Any:
    return outcome.values if type(outcome) is Rolled else outcome.order if type(outcome) is Shuffled else outcome.item


# -- who sees what, without the title -------------------------------------------------------------------


class Layout(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A title's schema as data: enough to redact, fold and check a log where the rules are not at hand."""

    zones: dict[str, str]
    registers: dict[str, str]
    sights: dict[str, Sight]
    backs: dict[str, str]


KINDS: dict[str, type] = {kind.__name__: kind for kind in (int, str, bool, object)}


def layout(schema: Schema, backs: dict[str, str]) -> Layout:
    """The schema as data, with the backs of the items that were moved."""
    registers = {name: kind.__name__ for name, kind in schema.registers.items()}
    return Layout(schema.zones, registers, schema.sights, dict(sorted(backs.items())))


def noting(schema: Schema, backs: dict[str, str]) -> Schema:
    """A twin of a schema that notes the back of every item it is asked for."""
    twin = Schema(schema.seats, schema.options, lambda item: backs.setdefault(item, schema.back(item)))
    twin.zones, twin.registers, twin.sights = schema.zones, schema.registers, schema.sights
    return twin


def rebuilt(held: Layout, header: Header) -> Schema:
    """The schema a layout describes, if it is the one the match began with."""
    schema = Schema(header.seats, header.options, lambda item: held.backs.get(item, item))
    for name, kind in held.zones.items():
        if name not in schema.zones:
            schema.zone(name, kind, held.sights[name])
    for name, holds in held.registers.items():
        if name not in schema.registers:
            schema.register(name, KINDS[holds], held.sights[name])
    if schema.digest() != header.schema:
        raise Unproven("who may see what is not as it was when the match began", 1)
    return schema


# -- what the server signs ------------------------------------------------------------------------------


class Promise(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="what", tag="promise"):
    """Given to a seat when it joins: the seed was chosen before this nonce was known, and both will be used."""

    match: str
    seat: str
    commitment: str
    nonce: str
    at: int


class Receipt(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="what", tag="receipt"):
    """An accepted decision. For its own seat only: from the hash of an answer the answer can be guessed."""

    match: str
    line: str
    version: int
    link: str
    seat: str
    ask: str
    answer: str  # SHA-256 of the answer as it was received
    at: int


class Head(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="what", tag="head"):
    """The newest version of a line: nothing before it can be changed and nothing cut off."""

    match: str
    line: str
    version: int
    link: str


Statement = Promise | Receipt | Head


class Signed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A statement with the server's public key and signature: one line of JSON that a player can keep."""

    says: Statement
    key: str
    signature: str


def public_key(key: Ed25519PrivateKey) -> str:
    return key.public_key().public_bytes_raw().hex()


def sign(key: Ed25519PrivateKey, says: Statement) -> Signed:
    return Signed(says, public_key(key), key.sign(_message(says)).hex())


def _message(says: Statement) -> bytes:
    return b"chancery\0" + msgspec.json.encode(says)


def signed_by(key: str, message: bytes, signature: str) -> bool:
    """Whether the holder of a public key signed this message."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(bytes.fromhex(signature), message)
    except (InvalidSignature, ValueError):
        return False
    return key == key.lower() and signature == signature.lower()


def check_signature(signed: Signed) -> None:
    if not signed_by(signed.key, _message(signed.says), signed.signature):
        raise Unproven(f"the signature under this {type(signed.says).__name__.lower()} is not the key's")


def received(answer: Any) -> bytes:
    """An answer that came as data, as the bytes a receipt hashes."""
    return msgspec.json.encode(answer, order="sorted")


def receipt(match: str, line: str, item: Event, answer: bytes | None = None) -> Receipt:
    """The receipt for an accepted decision; `answer` as it was received, if it came as text."""
    text = received(item.answer) if answer is None else answer
    return Receipt(match, line, item.version, item.link.hex(), item.seat, item.ask, hashlib.sha256(text).hexdigest(), item.at)


def check_statement(signed: Signed, header: Header, link_at: Callable[[str, int], bytes | None]) -> None:
    """Whether a log is the one that was signed for. `link_at` finds the link of a line at a version."""
    check_signature(signed)
    says = signed.says
    if isinstance(says, Promise):
        if says.commitment != header.commitment:
            raise Unproven(f"the seed is not the one that was promised to {says.seat}", 1)
        if (says.seat, says.nonce) not in zip(header.seats, header.nonces, strict=False):
            raise Unproven(f"the nonce of {says.seat} was left out of the dice", 1)
        return
    kept = link_at(says.line, says.version)
    if kept is None:
        raise Unproven(f"the server signed for this version, but it is missing here: line {says.line}", says.version)
    if kept.hex() != says.link:
        raise Unproven(f"the server signed for something else on line {says.line}", says.version)
