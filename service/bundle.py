"""Bundles: a match as one file that anybody can check without a database (docs/bundle-format.md).

A whole bundle holds everything hidden and the seed: for everybody after the end, before that for the arbiter alone. A seat's
bundle holds what the seat may read and the proof that it is what was played.
"""

from __future__ import annotations

import hashlib
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain import proof
from domain.audit import Library, Report, audit
from domain.kernel import chain
from domain.kernel.chance import Fair, commitment
from domain.kernel.errors import ChanceryError, NotFound, Refused
from domain.kernel.event import Chance, Cite, Event, Header, Shown, Veil
from domain.kernel.ops import Op
from domain.kernel.schema import ARBITER, SPECTATOR
from domain.log import LATEST, OWN_LUCK, Line, Log, Match, Store
from domain.proof import Entry, Unproven
from service import archive
from service.store.memory import MemoryStore

MANIFEST, SIGNATURE = "manifest.json", "manifest.sig"
LONGEST_ROW = 1 << 20
MOST_SEATS = 20
MOST_COPIED = 3_000_000  # things on tables that branches grow from

Id = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_.-]{1,80}\Z")]
IdOrNone = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_.-]{0,80}\Z")]
Text = Annotated[str, msgspec.Meta(pattern=r"^[^\x00-\x1f\x7f]*\Z", max_length=500)]
Hash = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{64}\Z")]
Seed = Annotated[str, msgspec.Meta(pattern=r"^([0-9a-f]{2}){0,64}\Z")]


# -- the format (add fields at the end; anything else is another version) -------------------------------


class Told(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """An event with its fields by name."""

    version: int
    kind: str
    seat: str = ""
    ask: str = ""
    answer: Any = None
    chance: list[Chance] = []
    ops: list[Op] = []
    cites: list[Cite] = []
    shown: list[Shown] = []
    mark: bool = False
    cause: str = ""
    at: int = 0
    veil: Veil | None = None
    digest: bytes = b""


class Row(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One line of a file: the event (whole, or its public part), and what a seat needs to check it."""

    event: Told
    link: bytes
    mine: Told | None = None
    salt: bytes = b""
    others: dict[str, bytes] = {}


class Held(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of the match, where its events are, and its head with the server's signature."""

    id: Id
    parent: IdOrNone
    at: Annotated[int, msgspec.Meta(ge=0)]
    by: Text
    reason: Text
    made: int
    luck: Annotated[str, msgspec.Meta(pattern=r"^(own|parent)\Z")]
    origin: IdOrNone
    file: str
    version: int
    link: Hash
    signature: str

    @property
    def key(self) -> str:
        return self.origin or self.id


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the bundle is and what is in it."""

    format: Literal["chancery bundle"]
    version: Literal[1]
    viewer: str
    match: Id
    name: Text
    made: int
    header: Header
    seed: Seed
    layout: proof.Layout | None
    lines: Annotated[list[Held], msgspec.Meta(min_length=1, max_length=archive.MOST_ENTRIES)]
    files: dict[str, Hash]
    key: Hash

    @property
    def whole(self) -> bool:
        return self.viewer == ARBITER


class Checked(msgspec.Struct, frozen=True):
    """A bundle that holds. `events` by line id are whole ones, or as its viewer may read them."""

    manifest: Manifest
    events: dict[str, list[Event]]
    links: dict[tuple[str, int], bytes]
    draws: proof.Draws

    @property
    def count(self) -> int:
        return len(self.links)


# -- writing --------------------------------------------------------------------------------------------


def entitled(log: Log, viewer: str) -> str:
    """Whose bundle a viewer may have: when the game is over everybody may have the whole one."""
    return ARBITER if log.run.over else viewer


def export(log: Log, viewer: str, key: Ed25519PrivateKey) -> bytes:
    """The bundle of a match for a viewer: all lines for the arbiter, for others the line asked for and those it grew from."""
    if viewer not in (ARBITER, SPECTATOR, *log.schema.seats):
        raise NotFound(f"there is no seat {viewer!r}; choose one of {', '.join([*log.schema.seats, SPECTATOR, ARBITER])}")
    match, backs = log.match, dict[str, str]()
    schema = proof.noting(log.schema, backs)
    files: dict[str, bytes] = {}
    held: list[Held] = []
    for number, line in enumerate(_lines(log, viewer)):
        events = log.store.read(line.id, line.at, LATEST)
        secret = chain.secret(match.seed, line.key)
        if viewer == ARBITER:
            for item in events:
                chain.commitments(schema, item, secret)  # notes the backs
            rows = [Row(_told(item), item.link) for item in events]
        else:
            rows = [_row(proof.entry(schema, item, viewer, secret)) for item in events]
        name = f"lines/{number}.jsonl"
        files[name] = b"".join(msgspec.json.encode(row) + b"\n" for row in rows)
        before = log.store.read(line.parent, line.at - 1, line.at) if line.parent else []
        last = (events or before)[-1]
        signed = proof.sign(key, proof.Head(match.id, line.key, last.version, last.link.hex()))
        by, reason = (line.by, line.reason) if viewer == ARBITER else ("", "")
        held.append(
            Held(
                line.id,
                line.parent,
                line.at,
                by,
                reason,
                line.made,
                line.luck,
                line.origin,
                name,
                last.version,
                last.link.hex(),
                signed.signature,
            )
        )
    whole = viewer == ARBITER
    manifest = Manifest(
        "chancery bundle",
        1,
        viewer,
        match.id,
        match.name,
        match.made,
        log.header,
        match.seed.hex() if whole else "",
        proof.layout(log.schema, backs) if whole else None,
        held,
        {name: hashlib.sha256(content).hexdigest() for name, content in files.items()},
        proof.public_key(key),
    )
    text = _text(manifest)
    raw = archive.pack({MANIFEST: text, SIGNATURE: key.sign(_to_sign(text)).hex().encode(), **files})
    check(raw)  # nothing leaves that would not be accepted
    return raw


def _lines(log: Log, viewer: str) -> list[Line]:
    """The lines to hand out, every one after its parent. Supposed worlds are nobody's record: they are left out with what grew from them."""
    known = _played(log.store.lines(log.match.id))
    if log.line.id not in known:
        raise Refused("", "this line is a world that somebody supposed: there is nothing to prove about it")
    if viewer != ARBITER:
        asked = [log.line]
        while asked[-1].parent:
            asked.append(known[asked[-1].parent])
        known = {line.id: line for line in asked}

    def depth(line: Line) -> int:
        return 0 if not line.parent else 1 + depth(known[line.parent])

    return sorted(known.values(), key=lambda line: (depth(line), line.made, line.key))


def _played(lines: Sequence[Line]) -> dict[str, Line]:
    """The lines that grew from the game itself."""
    known = {line.id: line for line in lines}

    def supposed(line: Line) -> bool:
        return bool(line.imagined) or (line.parent in known and supposed(known[line.parent]))

    return {line.id: line for line in lines if not supposed(line)}


def _told(item: Event) -> Told:
    return Told(**{name: getattr(item, name) for name in Told.__struct_fields__})


def _row(held: Entry) -> Row:
    return Row(_told(held.public), held.link, _told(held.mine) if held.mine else None, held.salt, held.others)


def _text(manifest: Manifest) -> bytes:
    return msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n"


def _to_sign(manifest: bytes) -> bytes:
    return b"chancery bundle\0" + manifest


# -- checking -------------------------------------------------------------------------------------------


def load(path: Path) -> bytes:
    """The bytes of a bundle file, if it is a plain file of a sensible size."""
    found = path.stat()
    if not stat.S_ISREG(found.st_mode):
        raise Unproven("this is no plain file", where=str(path))
    if found.st_size > archive.LARGEST:
        raise Unproven(f"the file is larger than {archive.LARGEST >> 20} MB", where=str(path))
    return path.read_bytes()


def check(raw: bytes) -> Checked:
    """Everything that can be checked without database, rules and network; the first thing that does not hold is named."""
    files = archive.unpack(raw)
    manifest = _manifest(files)
    changed = [name for name, digest in manifest.files.items() if hashlib.sha256(files[name]).hexdigest() != digest]
    if not changed and archive.pack(files) != raw:
        raise Unproven("the zip file around the bundle was changed")
    # A file that is not the signed one is only read to name its first bad event, which the chain alone tells.
    checked = _whole(manifest, files, folding=not changed) if manifest.whole else _seen(manifest, files)
    if changed:
        raise Unproven("the file is not the one that was signed", where=changed[0])
    return checked


def _manifest(files: dict[str, bytes]) -> Manifest:
    if list(files)[:2] != [MANIFEST, SIGNATURE]:
        raise Unproven(f"a bundle begins with {MANIFEST} and {SIGNATURE}")
    text = files[MANIFEST]
    try:
        manifest = msgspec.json.decode(text, type=Manifest)
        same = _text(manifest) == text
    except (ValueError, OverflowError, RecursionError) as wrong:
        raise Unproven(f"it cannot be read: {wrong}", where=MANIFEST) from None
    if not same:
        raise Unproven("it is not written as bundles are written", where=MANIFEST)
    if not proof.signed_by(manifest.key, _to_sign(text), files[SIGNATURE].decode("ascii", "replace")):
        raise Unproven("the signature of the bundle is not the key's", where=MANIFEST)
    header = manifest.header
    if len(header.seats) > MOST_SEATS or len(set(header.seats)) != len(header.seats) or {ARBITER, SPECTATOR} & set(header.seats):
        raise Unproven("the seats are not what seats can be", where=MANIFEST)
    if manifest.viewer not in (ARBITER, SPECTATOR, *header.seats):
        raise Unproven(f"there is no viewer {manifest.viewer!r}", where=MANIFEST)
    if manifest.whole != bool(manifest.seed) or manifest.whole != (manifest.layout is not None):
        raise Unproven("a whole bundle has the seed and the layout of the table, no other has", where=MANIFEST)
    named = [line.file for line in manifest.lines]
    if [MANIFEST, SIGNATURE, *named] != list(files) or named != list(manifest.files):
        odd = next(iter(set(files) ^ {MANIFEST, SIGNATURE, *named, *manifest.files}), named[0])
        raise Unproven("the bundle does not hold the files its manifest names, in that order", where=odd)
    _tree(manifest)
    return manifest


def _tree(manifest: Manifest) -> None:
    """Lines grow from the main one, each from a line before it."""
    known: dict[str, Held] = {}
    for line in manifest.lines:
        if not known:
            fits = (line.id, line.parent, line.at, line.luck) == (manifest.match, "", 0, OWN_LUCK)
        else:
            parent = known.get(line.parent)
            fits = parent is not None and parent.at < line.at <= parent.version and line.id not in known
        if not fits or line.version < line.at or line.version < 1:
            raise Unproven(f"line {line.id!r} does not fit where it says it grows", where=MANIFEST)
        if line.key in {other.key for other in known.values()}:
            raise Unproven(f"line {line.id!r} has the chance of another line", where=MANIFEST)
        signed = proof.Signed(proof.Head(manifest.match, line.key, line.version, line.link), manifest.key, line.signature)
        try:
            proof.check_signature(signed)
        except Unproven as wrong:
            raise Unproven(wrong.reason, where=f"line {line.id!r}") from None
        known[line.id] = line


def _rows(line: Held, files: dict[str, bytes]) -> Iterator[tuple[int, Row]]:
    """The rows of a line with the version each must have; the last must be the signed head."""
    version, link, text = line.at, b"", files[line.file]
    decoder = msgspec.json.Decoder(Row)
    place = 0
    while place < len(text):
        version += 1
        if version > line.version:
            raise Unproven("there are events after the signed head", version, line.file)
        end = text.find(b"\n", place, place + LONGEST_ROW)
        if end < 0:
            raise Unproven("the row is cut off or too long", version, line.file)
        try:
            row = decoder.decode(text[place:end])
            same = msgspec.json.encode(row) == text[place:end]
        except (ValueError, OverflowError, RecursionError) as wrong:
            raise Unproven(f"the row cannot be read: {wrong}", version, line.file) from None
        if not same:
            raise Unproven("the row is not written as bundles are written", version, line.file)
        yield version, row
        link, place = row.link, end + 1
    if version != line.version:
        raise Unproven(f"the events end here, but the signed head is version {line.version}", version, line.file)
    if version > line.at and link.hex() != line.link:
        raise Unproven("the last event is not the signed head", version, line.file)


def _event(told: Told, link: bytes = b"") -> Event:
    fields = {name: getattr(told, name) for name in Told.__struct_fields__}
    return Event(**fields, link=link)


def _whole(manifest: Manifest, files: dict[str, bytes], *, folding: bool) -> Checked:
    """A whole bundle: every seat's part and, if the files are the signed ones, the fold and the draws as far as the log tells them."""
    header, seed = manifest.header, bytes.fromhex(manifest.seed)
    if commitment(seed) != header.commitment:
        raise Unproven("the seed is not the one that was committed to", 1)
    assert manifest.layout is not None
    try:
        schema = proof.rebuilt(manifest.layout, header)
    except (ChanceryError, KeyError, ValueError) as wrong:
        raise Unproven(f"the layout of the table does not hold: {wrong}", where=MANIFEST) from None
    events: dict[str, list[Event]] = {}
    links: dict[tuple[str, int], bytes] = {}
    draws, copied = proof.Draws(), 0
    branches = {(line.parent, line.at) for line in manifest.lines}
    standing: dict[tuple[str, int], tuple[bytes, proof.Folded]] = {("", 0): (chain.START, proof.Folded(schema))}
    for line in manifest.lines:
        link, folded = standing[line.parent, line.at]
        folded = folded.copy()
        secret = chain.secret(seed, line.key)
        fair = Fair(seed, header.nonces, line.key) if line.luck == OWN_LUCK else None
        written: list[Event] = []
        try:
            for version, row in _rows(line, files):
                item = _event(row.event, row.link)
                if row.mine is not None or row.salt or row.others:
                    raise Unproven("a whole event needs no parts and no commitments beside it", version)
                proof.check_event(schema, item, secret, link, version)
                if folding:
                    folded.add(item, fair)
                link = item.link
                written.append(item)
                links[line.key, version] = link
                if (line.id, version) in branches:
                    copied += folded.size
                    if copied > MOST_COPIED:
                        raise Unproven("too many branches of too large a table", version)
                    standing[line.id, version] = link, folded.copy()
        except Unproven as wrong:
            raise Unproven(wrong.reason, wrong.version, line.file) from None
        if link.hex() != line.link:
            raise Unproven("the head is not the event it grows from", line.at, line.file)
        events[line.id] = written
        draws.recomputed += folded.draws.recomputed
        draws.left += folded.draws.left
    _begins(header, events[manifest.match][0])
    return Checked(manifest, events, links, draws)


def _seen(manifest: Manifest, files: dict[str, bytes]) -> Checked:
    """A seat's or a spectator's bundle: the public parts, the seat's own, the bare commitments of the others."""
    header, viewer = manifest.header, manifest.viewer
    events: dict[str, list[Event]] = {}
    links: dict[tuple[str, int], bytes] = {}
    branches = {(line.parent, line.at) for line in manifest.lines}
    standing = {("", 0): chain.START}
    for line in manifest.lines:
        link = standing[line.parent, line.at]
        written: list[Event] = []
        try:
            for version, row in _rows(line, files):
                held = Entry(_event(row.event), row.link, row.others, _event(row.mine) if row.mine else None, row.salt)
                proof.check_entry(held, viewer, header.seats, link, version)
                link = row.link
                written.append(msgspec.structs.replace(held.mine or held.public, link=link))
                links[line.key, version] = link
                if (line.id, version) in branches:
                    standing[line.id, version] = link
        except Unproven as wrong:
            raise Unproven(wrong.reason, wrong.version, line.file) from None
        if link.hex() != line.link:
            raise Unproven("the head is not the event it grows from", line.at, line.file)
        events[line.id] = written
    _begins(header, events[manifest.match][0])
    return Checked(manifest, events, links, proof.Draws())


def _begins(header: Header, first: Event) -> None:
    if first.answer != msgspec.to_builtins(header):
        raise Unproven("the match did not begin with what the manifest says", 1)


def agree(newer: Checked, older: Checked) -> None:
    """Whether everything that was proven by an older bundle of the same match still stands in a newer one."""
    if not set(newer.links) & set(older.links):
        raise Unproven("the two bundles are of different matches")
    lines = {line.key for line in newer.manifest.lines}
    for (line, version), link in older.links.items():
        if line not in lines and not newer.manifest.whole:
            continue  # a seat's bundle holds one line and those it grew from
        if newer.links.get((line, version)) != link:
            missing = (line, version) not in newer.links
            raise Unproven("the event is missing here" if missing else "another event stood here before", version, f"line {line!r}")


def stands(checked: Checked, signed: proof.Signed) -> None:
    """Whether a bundle bears out a promise, a receipt or a head that the server signed."""
    if signed.key != checked.manifest.key:
        raise Unproven("the statement is signed by another key than the bundle")
    proof.check_statement(signed, checked.manifest.header, lambda line, version: checked.links.get((line, version)))


# -- importing ------------------------------------------------------------------------------------------


def rerun(checked: Checked, library: Library) -> list[Report]:
    """The rules run again on every line of a whole bundle; empty where the title is not at hand."""
    header = checked.manifest.header
    title = library(header.title, header.rules)
    if title is None or title.data != header.data:
        return []
    store = MemoryStore()
    match = restore(store, checked)
    try:
        return [audit(Log(store, title, match, line), library) for line in store.lines(match.id)]
    except (ChanceryError, LookupError, TypeError, ValueError) as strange:
        raise Unproven(f"the rules of {title.name} make no sense of it: {strange}") from None


def restore(store: Store, checked: Checked) -> Match:
    """The match of a whole bundle under its own id, to be played on here."""
    return _keep(store, checked, {line.id: line.id for line in checked.manifest.lines})


def study(store: Store, checked: Checked, id: str) -> Match:
    """The match of a whole bundle under another id, as a record: nobody plays on, but it can be looked at and forked."""
    lines = checked.manifest.lines
    return _keep(store, checked, {line.id: id if not line.parent else f"{id}-{number}" for number, line in enumerate(lines)})


def _keep(store: Store, checked: Checked, names: dict[str, str]) -> Match:
    manifest = checked.manifest
    if not manifest.whole:
        raise Refused("", f"this is {manifest.viewer}'s view of a match: only a whole bundle can be imported")
    for id in names.values():
        try:
            store.line(id)
        except NotFound:
            continue
        raise Refused("", f"{id!r} is already here: import it as a study, under an id of its own")
    match = Match(names[manifest.match], manifest.header.title, bytes.fromhex(manifest.seed), manifest.made, manifest.name)
    for held in manifest.lines:
        id, parent = names[held.id], names.get(held.parent, "")
        origin = held.origin if id == held.id else held.key
        line = Line(id, match.id, parent, held.at, held.by, held.reason, held.made, held.luck, origin)
        if parent:
            store.add_line(line)
        else:
            store.add_match(match, line)
        if checked.events[held.id]:
            store.append(id, checked.events[held.id])
    return match
