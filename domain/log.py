"""The log of one line of one match: decide, read at any version for any viewer, undo, fork.

Events, then fold, then decide. The log knows no database: a `Store` keeps events, lines and snapshots for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import msgspec

from domain.kernel import chain, redact
from domain.kernel.ask import Ask
from domain.kernel.chance import Fair, Recorded, Source, commitment
from domain.kernel.errors import BrokenLog, ChanceryError, NotFound, Refused, RulesCrashed, Stale
from domain.kernel.event import ADVANCED, CREATED, DECIDED, QUESTION, RULED, SEALED, UNDONE, Cite, Event, Header
from domain.kernel.ops import Move, Op, Set
from domain.kernel.run import Part, Run
from domain.kernel.schema import Schema
from domain.kernel.table import Table
from domain.kernel.title import END, Title

LATEST = 1 << 60
SNAPSHOT_EVERY = 50
# Whose luck a line has: its own, drawn from the seed; or, on an analyst's line, its parent's as far as the draws are the same.
OWN_LUCK, PARENTS_LUCK = "own", "parent"


# -- what a store keeps (storage format: add fields at the end) --------------------------------------


class Line(msgspec.Struct, frozen=True):
    """One line of a match: the main one, or a branch whose versions go on after `at` of its parent. Nothing is copied."""

    id: str
    match: str
    parent: str = ""
    at: int = 0
    by: str = ""
    reason: str = ""
    made: int = 0
    luck: str = OWN_LUCK
    origin: str = ""  # the id it had where it was played: an imported record, which nobody plays on
    imagined: str = ""  # the seat from whose knowledge it starts: a world of its own from version 1, with nothing of its parent's

    @property
    def key(self) -> str:
        """What its chance and its salts are made from besides the seed."""
        return self.origin or self.id


class Match(msgspec.Struct, frozen=True):
    """What the server keeps about a match besides its log. The seed stays secret until the end."""

    id: str
    title: str
    seed: bytes
    made: int = 0
    name: str = ""


class Snapshot(msgspec.Struct, frozen=True, array_like=True):
    """A table at a mark. Derived and disposable: a snapshot of another schema is ignored, never converted."""

    version: int
    schema: str
    drawn: int
    link: bytes
    zones: dict[str, Any]
    registers: dict[str, Any]
    terms: dict[str, Any] = {}  # what rulings changed so far: rules, data, options


class Store(Protocol):
    """Where logs live. One contract test runs against every implementation."""

    def add_match(self, match: Match, line: Line, events: Sequence[Event] = ()) -> None: ...
    def match(self, id: str) -> Match: ...
    def matches(self) -> list[Match]: ...
    def add_line(self, line: Line) -> None: ...
    def line(self, id: str) -> Line: ...
    def lines(self, match: str) -> list[Line]: ...
    def append(self, line: str, events: Sequence[Event]) -> None: ...
    def read(self, line: str, gt: int, lte: int) -> list[Event]: ...
    def head(self, line: str) -> int: ...
    def keep(self, line: str, snapshot: Snapshot) -> None: ...
    def snapshot(self, line: str, lte: int) -> Snapshot | None: ...


# -- pure functions over events -----------------------------------------------------------------------


def effective(events: Sequence[Event]) -> list[Event]:
    """The events in force: an `undone` event takes back everything after the version it names."""
    kept: list[Event] = []
    for item in events:
        if item.kind == UNDONE:
            while kept and kept[-1].version > item.answer:
                kept.pop()
        else:
            kept.append(item)
    return kept


def changed_terms(before: dict[str, Any], events: Sequence[Event]) -> dict[str, Any]:
    """What a line goes by after these events, as far as rulings made it differ from the header: rules, data, options."""
    for item in events:
        if item.kind == RULED:
            said = {name: item.answer[name] for name in ("rules", "data") if name in item.answer}
            options = {**before.get("options", {}), **item.answer.get("options", {})}
            before = {**before, **said, **({"options": options} if options else {})}
    return before


def groups(events: Sequence[Event]) -> Iterator[list[Event]]:
    """Events by decision: each with what the rules did unasked because of it."""
    group: list[Event] = []
    for item in events:
        if group and item.kind != ADVANCED:
            yield group
            group = []
        group.append(item)
    if group:
        yield group


def reveals(schema: Schema, group: Sequence[Event]) -> str | None:
    """Why a decision cannot simply be taken back: it drew, showed or turned something up. None if it did not."""
    for item in group:
        if item.chance:
            return "chance was drawn"
        if item.shown:
            return "something was shown"
        for op in item.ops:
            if type(op) is Move:
                for viewer in schema.seats:
                    levels = schema.levels(viewer)
                    before, after = levels[op.src], levels[op.dst]
                    if before < after and schema.coarse(op.item, before) != schema.coarse(op.item, after):
                        return "something was turned up"  # unnamed: it may have been for another seat's eyes
            elif type(op) is Set:
                if op.new is None and op.register.startswith("sealed:"):
                    return "the sealed answers were opened"
                if op.register == "step" and op.new == END:
                    return "the game is over"  # and everything may come out
    return None


def same(parts: Sequence[Part], recorded: Sequence[Event]) -> int | None:
    """The index of the first recorded event that the rules do not make the same way; None if all are."""
    for index, item in enumerate(recorded):
        if index >= len(parts):
            return index
        part = parts[index]
        if part.ops != item.ops or part.chance != item.chance or part.mark != item.mark or part.shown != item.shown:
            return index
        if part.mark and part.digest != item.digest:
            return index
    return len(recorded) if len(parts) > len(recorded) else None


class Diverged(BrokenLog):
    """The rules do not say what the log says: where, by which rule, and both versions of it."""

    def __init__(self, version: int, rule: str, reason: str, recorded: Any = None, expected: Any = None) -> None:
        super().__init__(f"version {version}{f' ({rule})' if rule else ''}: {reason}")
        self.version, self.rule, self.reason, self.recorded, self.expected = version, rule, reason, recorded, expected


def resume(title: Title, table: Table, tail: Sequence[Event], source: Source, drawn: int, recorded: Recorded | None = None) -> Run:
    """Start the rules on a marked table and feed them the recorded decisions; every recorded op must come out again.

    `drawn` counts the effective draws up to the mark; `recorded` feeds the draws after it; `source` is for what comes then.
    """
    recorded = recorded or Recorded()
    waiting = list(groups([item for item in tail if item.kind != RULED]))
    opening = waiting.pop(0) if waiting and waiting[0][0].kind in (CREATED, ADVANCED) else []
    recorded.left = [outcome for item in opening for outcome in item.chance]
    try:
        run = Run(title, table, recorded, drawn)
    except Diverged:
        raise
    except BrokenLog as wrong:
        raise Diverged(opening[0].version if opening else 0, "", str(wrong), recorded=opening) from wrong
    _compare([part for part in run.first if opening or part.ops or part.chance or part.shown], opening)
    for group in waiting:
        replay(run, recorded, group)
    run.source = source
    return run


def replay(run: Run, recorded: Recorded, group: Sequence[Event]) -> list[Part]:
    """Make one recorded decision again and compare what comes of it with the record."""
    first = group[0]
    recorded.left = [outcome for item in group for outcome in item.chance]
    rule = ""
    try:
        rule = run.question(first.seat, first.ask).cite
        parts = run.answer(first.seat, first.ask, first.answer)
    except Refused as refused:
        raise Diverged(
            first.version, refused.rule or rule, f"the rules refuse this decision: {refused.reason}", recorded=group
        ) from refused
    except Diverged:
        raise
    except (BrokenLog, RulesCrashed) as wrong:
        raise Diverged(first.version, rule, str(wrong), recorded=group) from wrong
    if recorded.left:
        raise Diverged(first.version, rule, f"the log has chance the rules do not ask for: {recorded.left[0]!r}", recorded=group)
    _compare(parts, group)
    return parts


def _compare(parts: Sequence[Part], group: Sequence[Event]) -> None:
    index = same(parts, group)
    if index is None:
        return
    part = parts[index] if index < len(parts) else None
    if not group:
        raise Diverged(0, "", "the rules go on where the log stops", recorded=[], expected=part.ops if part else [])
    item = group[min(index, len(group) - 1)]
    cites = part.cites if part else item.cites
    at = next((n for n, (a, b) in enumerate(zip(part.ops, item.ops, strict=False)) if a != b), 0) if part else 0
    rule = next((cite.rule for cite in reversed(cites) if cite.op <= at), cites[0].rule if cites else "")
    raise Diverged(
        item.version,
        rule,
        "the rules give other ops than the log has",
        recorded=item.ops,
        expected=part.ops if part else [],
    )


# -- the log ------------------------------------------------------------------------------------------


class Log:
    """One line. Holds the run at its head while in use; a second process that writes first makes this one `Stale`."""

    def __init__(self, store: Store, title: Title, match: Match, line: Line) -> None:
        self.store, self.title, self.match, self.line = store, title, match, line
        self._lineage = self._trace()
        first = next(iter(self._read(0, 1)), None)
        if first is None:
            raise NotFound(f"line {line.id} has no events")
        self.header = msgspec.convert(first.answer, Header)
        self.schema = title.schema(self.header.seats, self.header.options)
        self._shape = self.schema.digest()
        self._run: Run | None = None
        self._version = 0
        self._link = chain.START
        self._last_snapshot = 0
        self._fair: Fair | None = None
        self._secrets: dict[str, bytes] = {}
        self._terms: dict[str, Any] = {}  # of the run
        self._schemas: dict[str, Schema] = {}  # under other readings

    @classmethod
    def create(
        cls,
        store: Store,
        title: Title,
        match: Match,
        *,
        seats: Sequence[str],
        options: dict[str, Any] | None = None,
        nonces: Sequence[str] = (),
    ) -> Log:
        """Set the game up; its first event says what it is and commits to the seed."""
        table = title.lay(seats, options)
        schema = table.schema
        header = Header(
            title=title.id,
            rules=title.rules,
            data=title.data,
            schema=schema.digest(),
            seats=list(seats),
            options=schema.options,
            commitment=commitment(match.seed),
            nonces=list(nonces),
        )
        line = Line(id=match.id, match=match.id, made=match.made)
        run = Run(title, table, Fair(match.seed, nonces, line.key))
        events = events_of(run.first, Event(0, CREATED, answer=msgspec.to_builtins(header), at=match.made), 0)
        events, _ = _chained(events, chain.START, schema, chain.secret(match.seed, line.key))
        store.add_match(match, line, events)
        return cls(store, title, match, line)

    @classmethod
    def begin(cls, store: Store, title: Title, match: Match, line: Line, events: Sequence[Event]) -> Log:
        """A line that starts with events of its own, at version 1: a supposed world."""
        first = msgspec.convert(events[0].answer, Header)
        linked, _ = _chained(events, chain.START, title.schema(first.seats, first.options), chain.secret(match.seed, line.key))
        store.add_line(line)
        store.append(line.id, linked)
        return cls(store, title, match, line)

    # -- reading ---------------------------------------------------------------------------------

    def _trace(self) -> list[tuple[str, int, int]]:
        """Which lines hold which versions, oldest first."""
        found, line, upto = [], self.line, LATEST
        while True:
            found.append((line.id, line.at, upto))
            if not line.parent:
                return found[::-1]
            upto = min(upto, line.at)
            line = self.store.line(line.parent)

    def _read(self, gt: int, lte: int = LATEST) -> list[Event]:
        found: list[Event] = []
        for line, after, upto in self._lineage:
            if upto > gt and after < lte:
                found += self.store.read(line, max(after, gt), min(upto, lte))
        return found

    @property
    def head(self) -> int:
        """The newest version stored, also if another process wrote it."""
        return max(self.store.head(self.line.id), self.line.at)

    def line_of(self, version: int) -> str:
        """The line on which a version was written."""
        return next(line for line, after, _ in reversed(self._lineage) if after < version)

    def secret_of(self, version: int) -> bytes:
        """The key of the salts of the line on which a version was or will be written."""
        line = self.line_of(version)
        if line not in self._secrets:
            self._secrets[line] = chain.secret(self.match.seed, self.store.line(line).key)
        return self._secrets[line]

    def events(self, viewer: str, gt: int = 0, lte: int = LATEST) -> list[Event]:
        """The log as a viewer may read it."""
        return [redact.event(self.schema, item, viewer) for item in self._read(gt, lte)]

    def raw(self, gt: int = 0, lte: int = LATEST) -> list[Event]:
        """The whole truth: for the audit and the arbiter, never for a seat."""
        return self._read(gt, lte)

    def _nearest(self, version: int) -> tuple[int, Table, Snapshot | None]:
        for line, after, upto in reversed(self._lineage):
            if after >= version:
                continue
            kept = self.store.snapshot(line, min(upto, version))
            if kept is not None and kept.version > after and kept.schema == self._shape:
                return kept.version, self.title.table.restored(self.schema, kept.zones, kept.registers), kept
        return 0, self.title.table(self.schema), None

    def whole_table(self, version: int | None = None) -> Table:
        """The table at a version, by folding ops alone: no rules are run."""
        version = self._known(version)
        start, table, kept = self._nearest(version)
        events = self._read(start, version)
        for item in events:
            table.fold(item.ops)
        table.schema = self._schema_under(changed_terms(kept.terms if kept else {}, events))
        return table

    def table(self, viewer: str, version: int | None = None) -> Table:
        """The table at a version as a viewer sees it."""
        return redact.table(self.whole_table(version), viewer)

    def run_at(self, version: int | None = None) -> Run:
        """The game standing at the question of a version, ready to be played on or looked at."""
        return self._resume(self._known(version))[0]

    def questions(self, viewer: str, version: int | None = None) -> list[dict[str, Any]]:
        """What was or is asked at a version, as far as a viewer may know."""
        run = self.run if version is None else self.run_at(version)
        return redact.questions(run.asks, run.offers, viewer)

    def _known(self, version: int | None) -> int:
        head = self.head
        if version is None:
            return head
        if not 1 <= version <= head:
            raise NotFound(f"there is no version {version}: the log of {self.line.id} has versions 1 to {head}")
        return version

    def standpoint(self, version: int | None = None) -> tuple[Table, list[Event], int]:
        """Where the rules start to reach a version: the table at the last mark in force, the events since, the draws before."""
        return self._standpoint(self._known(version))[:3]

    def terms(self, version: int | None = None) -> dict[str, Any]:
        """What the line goes by at a version: the rules, the data, the options."""
        changed = self._standpoint(self._known(version))[4]
        header = self.header
        options = {**header.options, **changed.get("options", {})}
        return {"rules": header.rules, "data": header.data, **changed, "options": options}

    def _schema_under(self, terms: dict[str, Any]) -> Schema:
        """The schema with the options that rulings left in force."""
        options = terms.get("options")
        if not options:
            return self.schema
        key = f"{self.title.rules} {sorted(options.items())}"
        if key not in self._schemas:
            self._schemas[key] = self.title.schema(self.header.seats, {**self.header.options, **options})
        return self._schemas[key]

    def _standpoint(self, version: int) -> tuple[Table, list[Event], int, bytes, dict[str, Any]]:
        before = version
        while True:
            start, table, kept = self._nearest(before)
            events = self._read(start, version)
            back = min((item.answer for item in events if item.kind == UNDONE), default=version)
            if back >= start:
                break
            before = back  # something older than the snapshot was taken back: start from an older one
        live = effective(events)
        marked = max((index for index, item in enumerate(live) if item.mark), default=-1)
        drawn = kept.drawn if kept else 0
        for item in live[: marked + 1]:
            table.fold(item.ops)
            drawn += len(item.chance)
        link = events[-1].link if events else kept.link if kept else chain.START
        self._last_snapshot = max(start, self._last_snapshot)
        terms = changed_terms(kept.terms if kept else {}, events)
        table.schema = self._schema_under(terms)
        return table, live[marked + 1 :], drawn, link, terms

    def _resume(self, version: int) -> tuple[Run, bytes, dict[str, Any]]:
        """Fold to the last mark in force, then run the rules on the decisions after it."""
        table, tail, drawn, link, terms = self._standpoint(version)
        try:
            run = resume(self.title, table, tail, self.source(), drawn)
        except BrokenLog:
            # A version inside a group of events (after a decision, before what it set off) has no question of its own.
            if any(item.kind == ADVANCED for item in self._read(version, version + 1)):
                raise NotFound(f"version {version} lies between a decision and what it set off: nothing is asked there") from None
            if terms.get("rules", self.header.rules) != self.title.rules:
                raise NotFound(
                    f"version {version} was played by rules that are not at hand: it can be looked at, not asked"
                ) from None
            raise
        return run, link, terms

    def source(self) -> Source:
        """The line's own fair luck."""
        if self._fair is None:
            self._fair = Fair(self.match.seed, self.header.nonces, self.line.key)
        return self._fair

    @property
    def run(self) -> Run:
        """The run at the head, resumed if need be."""
        head = self.head
        if self._run is None or self._version != head:
            self._run, self._link, self._terms = self._resume(head)
            self._version = head
        return self._run

    @property
    def version(self) -> int:
        """The version the run stands at."""
        _ = self.run
        return self._version

    def asked(self, seat: str, key: str) -> Ask:
        return self.run.question(seat, key)

    # -- deciding --------------------------------------------------------------------------------

    def decide(
        self,
        seat: str,
        key: str,
        answer: Any,
        *,
        at: int = 0,
        cause: str = "",
        expect: int | None = None,
        dry: bool = False,
        source: Source | None = None,
    ) -> list[Event]:
        """Check a decision by the rules, carry it out, store it. Stores nothing if refused, stale or broken.

        A `dry` one stores nothing either, and tells what it would do only as far as nobody would learn anything by it.
        A `source` lends an analyst's line the luck of another.
        """
        run = self.run
        if expect is not None and expect != self._version:
            raise Stale(expect, self._version)
        self._go_by_what_was_agreed()
        ask = run.check(seat, key, answer)
        kind = SEALED if run.sealed and ask in run.asks else DECIDED
        first = Event(0, kind, seat, key, answer, cites=[Cite(ask.cite, QUESTION)], cause=cause, at=at, veil=run.veil(ask, answer))
        if dry:
            return self._foreseen(first)
        run.source = source or self.source()
        return self._append(events_of(run.answer(seat, key, answer), first, self._version))

    def _go_by_what_was_agreed(self) -> None:
        """Nothing is decided by other rules or data than those the table agreed to."""
        rules, data = (self._terms.get(name, getattr(self.header, name)) for name in ("rules", "data"))
        if (rules, data) != (self.title.rules, self.title.data):
            raise Refused(
                "L7", f"the match goes by rules {rules}, and rules {self.title.rules} are at hand: agree to go on under them first"
            )

    def _foreseen(self, first: Event) -> list[Event]:
        """What a decision would do; nothing where it would draw, show or turn something up."""
        trial = self.run.fork(Recorded())
        try:
            events = events_of(trial.answer(first.seat, first.ask, first.answer), first, self._version)
        except BrokenLog:
            return []
        return [] if reveals(self.schema, events) else events

    def _append(self, events: list[Event]) -> list[Event]:
        try:
            if self.line.origin:
                raise Refused("", f"line {self.line.id} is an imported record and stays as it is: fork it to play on")
            linked, last = _chained(events, self._link, self.schema, self.secret_of(events[0].version))
            self.store.append(self.line.id, linked)
        except BaseException:
            self._run = None  # it went on, the log did not
            raise
        self._version, self._link = linked[-1].version, last
        self._snap(linked)
        return linked

    def _snap(self, events: list[Event]) -> None:
        marked = next((index for index in range(len(events) - 1, -1, -1) if events[index].mark), None)
        if marked is None or self._run is None or events[marked].version - self._last_snapshot < SNAPSHOT_EVERY:
            return
        table, drawn = self._run.table.copy(), self._run.drawn
        for item in reversed(events[marked + 1 :]):
            table.unfold(item.ops)
            drawn -= len(item.chance)
        at = events[marked]
        filled = {name: held for name, held in table.zones.items() if held}
        self.store.keep(self.line.id, Snapshot(at.version, self._shape, drawn, at.link, filled, table.registers, self._terms))
        self._last_snapshot = at.version

    # -- undo and fork ---------------------------------------------------------------------------

    def undoable(self, seat: str) -> int:
        """The version a seat may freely go back to: before its last decision, if nobody learnt anything by it since."""
        head, back = self.head, 10  # nearly always the last few events tell
        while True:
            live = effective(self._read(max(0, head - back), head))
            decisions = list(groups(live))
            if len(decisions) > 1 or back >= head:
                break
            back *= 4
        last = decisions[-1] if decisions else []
        if not last or last[0].kind not in (DECIDED, SEALED) or last[0].seat != seat:
            whose = f"the last decision was {last[0].seat}'s" if last and last[0].seat else "nothing has been decided since"
            raise Refused("L7", f"there is nothing {seat} can simply take back: {whose}; ask the table for a rewind", seat=seat)
        why = reveals(self.schema, last)
        if why is not None:
            raise Refused("L7", f"{seat} cannot simply take that back: {why}; ask the table for a rewind", seat=seat)
        previous = [item for item in live if item.version < last[0].version]
        return previous[-1].version if previous else last[0].version - 1

    def undo(self, seat: str, *, at: int = 0, cause: str = "", expect: int | None = None) -> list[Event]:
        """Take a seat's last decision back by an event whose ops are the inverses: nothing is deleted."""
        if expect is not None and expect != self.head:
            raise Stale(expect, self.head)
        target = self.undoable(seat)
        _ = self.run
        back: list[Op] = [op.inverse() for item in reversed(effective(self._read(target))) for op in reversed(item.ops)]
        undone = Event(self._version + 1, UNDONE, seat, answer=target, ops=back, cause=cause, at=at)
        self._run = None
        return self._append([undone])

    def fork(
        self, id: str, version: int | None = None, *, by: str = "", reason: str = "", at: int = 0, luck: str = OWN_LUCK
    ) -> Log:
        """A new line from the question at or after a version. Nothing is copied, and its chance is its own."""
        version = self.question_after(version)
        line = Line(id=id, match=self.match.id, parent=self.line_of(version), at=version, by=by, reason=reason, made=at, luck=luck)
        self.store.add_line(line)
        return Log(self.store, self.title, self.match, line)

    def question_after(self, version: int | None) -> int:
        """The first version at or after one at which something is asked: not between a decision and what it set off."""
        version = self._known(version)
        while (more := self._read(version, version + 1)) and more[0].kind == ADVANCED:
            version += 1
        return version

    # -- rulings ---------------------------------------------------------------------------------

    def rule(
        self,
        answer: dict[str, Any],
        ops: Sequence[Op] = (),
        *,
        options: dict[str, Any] | None = None,
        cites: Sequence[Cite] = (),
        at: int = 0,
        cause: str = "",
    ) -> list[Event]:
        """Record an arbiter's ruling. Ops correct the table as it stood at the last mark, and the step in play starts anew on it.

        `options` are another reading of the rules from the last mark on. What was decided since that mark is taken back by the
        same event, unless the other reading agrees with it: half a step cannot stand on another table.
        """
        first = Event(0, RULED, answer={**answer, "options": options} if options else answer, cites=list(cites), cause=cause, at=at)
        if not ops and not options:
            return self._append([msgspec.structs.replace(first, version=self.version + 1)])
        return self._under(first, self.title, self._read_as(options or {}), ops)

    def _read_as(self, options: dict[str, Any]) -> Schema:
        """The schema under other ruling switches, if the table as it stands can be read that way."""
        now = self.run.table.schema
        settled = self.title.settle({**now.options, **options})
        if settled == now.options:
            if options:
                raise Refused("", "the match goes by this reading already")
            return now
        schema = self.title.schema(self.header.seats, settled)
        if schema.digest() != self._shape:
            raise Refused("", "under this reading the table is laid differently: it cannot be adopted in a game that runs")
        return schema

    def _under(self, first: Event, title: Title, schema: Schema, ops: Sequence[Op] = (), *, anew: bool = True) -> list[Event]:
        """Go on under these rules and options: as it stands where they agree with all since the last mark, else anew from the mark."""
        self._run, self._version = None, self.head  # it may be that the rules at hand cannot even reach the head
        version = self._version
        table, tail, drawn, self._link, _ = self._standpoint(version)
        known = set(title.invariants(table)) if title is self.title else None
        try:
            table.fold(ops)
        except BrokenLog as wrong:
            raise Refused("", f"the correction does not fit the table: {wrong}") from wrong
        table = _laid(title, schema, table)
        if known is not None and not known.issuperset(title.invariants(table)):
            raise Refused("", "such a table cannot be: rewind, or correct it otherwise")
        if not ops:
            try:
                resume(title, table.copy(), tail, self.source(), drawn)
            except Exception as diverged:  # also rules that crash: the line goes on under those it has
                if not anew:
                    raise Refused(
                        "", f"rules {title.rules} disagree since the last mark; try again at the next. {diverged}"
                    ) from diverged
            else:
                return self._ruled([msgspec.structs.replace(first, version=version + 1)], title)
        back: list[Op] = [op.inverse() for item in reversed(tail) for op in reversed(item.ops)]
        digest = table.digest()
        ruled = msgspec.structs.replace(first, version=version + 1, ops=[*back, *ops], mark=True, digest=digest)
        try:
            run = Run(title, table, self.source(), drawn + sum(len(item.chance) for item in tail))
        except (ChanceryError, LookupError, TypeError, ValueError) as crash:
            raise Refused("", "the rules cannot go on from the last mark this way") from crash
        opening = [part for part in run.first if part.ops or part.chance or part.cites or part.shown or part.mark]
        return self._ruled([ruled, *events_of(opening, Event(0, ADVANCED, cause=first.cause, at=first.at), version + 1)], title)

    def _ruled(self, events: list[Event], title: Title) -> list[Event]:
        stored = self._append(events)
        self.title = title
        return stored

    # -- rules upgrade ---------------------------------------------------------------------------

    def rules_in_force(self) -> tuple[str, str]:
        """The version of the rules and the digest of the data this line goes by."""
        terms = self.terms()
        return terms["rules"], terms["data"]

    def upgrade(self, title: Title, *, at: int = 0, cause: str = "", anew: bool = False) -> list[Event]:
        """Go on under another version of the rules, if they agree with everything since the last mark.

        `anew` is for a table that agreed to it: where they disagree, what was decided since the mark is taken back.
        """
        schema = title.schema(self.header.seats, self.terms()["options"])
        if schema.digest() != self._shape:
            raise Refused("", f"rules {title.rules} lay the table differently: the match stays with the rules it has")
        first = Event(0, RULED, answer={"rules": title.rules, "data": title.data}, cause=cause, at=at)
        return self._under(first, title, schema, anew=anew)


def _laid(title: Title, schema: Schema, table: Table) -> Table:
    """A copy of a table as a title and its options lay it."""
    copy = table.copy()
    return title.table.restored(schema, {name: held for name, held in copy.zones.items() if held is not None}, copy.registers)


def events_of(parts: Sequence[Part], first: Event, version: int) -> list[Event]:
    """One event for each part: the first carries the decision, the others are what the rules then did unasked."""
    made: list[Event] = []
    for part in parts:
        version += 1
        base = first if not made else Event(0, ADVANCED, at=first.at, cause=first.cause)
        made.append(
            Event(
                version,
                base.kind,
                base.seat,
                base.ask,
                base.answer,
                part.chance,
                part.ops,
                base.cites + part.cites,
                part.shown,
                part.mark,
                base.cause,
                base.at,
                base.veil,
                part.digest,
            )
        )
    return made


def _chained(events: Sequence[Event], previous: bytes, schema: Schema, secret: bytes) -> tuple[list[Event], bytes]:
    linked: list[Event] = []
    for item in events:
        previous = chain.link(previous, schema, item, secret)
        linked.append(msgspec.structs.replace(item, link=previous))
    return linked, previous
