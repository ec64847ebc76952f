"""The audit: is this log what the rules, the seed and the chain say it is? The first divergence is named, with both readings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from domain.borrowed import Borrowed
from domain.kernel import chain
from domain.kernel.ask import Draw, Roll, Shuffle
from domain.kernel.chance import Fair, Recorded, Source, commitment
from domain.kernel.errors import BrokenLog
from domain.kernel.event import ADOPTED, ADVANCED, CREATED, RULED, UNDONE, Event, Header
from domain.kernel.run import Run
from domain.kernel.title import Title
from domain.log import OWN_LUCK, Diverged, Line, Log, effective, groups, replay, resume

# Why a decision stands on an analyst's line: it was changed there, or made again as at a version of the line it grew from.
WHAT_IF, AS_AT = "what if", "as at "

# Finds the title for an id and a rules version; None where that version is not at hand any more.
Library = Callable[[str, str], Title | None]


class Report(msgspec.Struct):
    """What an audit looked at, and the first thing it found wrong."""

    events: int = 0
    decisions: int = 0
    draws: int = 0
    rules: list[str] = []
    skipped: list[str] = []
    finding: Diverged | None = None

    @property
    def clean(self) -> bool:
        return self.finding is None


class _Checked(Recorded):
    """Recorded chance, compared with what the committed seed gives for the same draw, or with the luck that another line lent."""

    def __init__(self, seed: bytes, nonces: Iterable[str]) -> None:
        super().__init__()
        self._seed, self._nonces = seed, list(nonces)
        self._fair: dict[str, Fair] = {}
        self.line = ""
        self.version = 0
        self.draws = 0
        self.lent: Source | None = None
        self.chosen = False  # by an analyst, on a line of his own
        self.lenders: dict[str, dict[int, list[Event]]] = {}  # the decisions of lines that lent their luck, by version

    def fair(self) -> Fair:
        """The line's own luck."""
        return self._fair.get(self.line) or self._fair.setdefault(self.line, Fair(self._seed, self._nonces, self.line))

    def __call__(self, request: Roll | Draw | Shuffle, pool: Sequence[Any], ordinal: int) -> Any:
        value = super().__call__(request, pool, ordinal)
        if self.chosen:
            return value
        due = (self.lent or self.fair())(request, pool, ordinal)
        self.draws += 1
        if value != due:
            whose = "the line it comes from" if self.lent else "the committed seed"
            raise Diverged(self.version, request.cite, f"{request.key} gave {value!r}, but {whose} gives {due!r}", value, due)
        return value


def audit(log: Log, library: Library | None = None, progress: Callable[[int], None] = lambda done: None) -> Report:
    """Check the chain, then run the rules again on every recorded decision, with every draw recomputed from the seed."""
    report = Report()
    try:
        events = log.raw()
        report.events = len(events)
        broken = _chain(log, events)
        _rules(log, events, library or (lambda title, rules: log.title if rules == log.title.rules else None), report, progress)
        report.finding = broken
    except Diverged as found:
        report.finding = found if broken is None or found.version < broken.version else _explained(broken, found)
    except BrokenLog as found:
        report.finding = Diverged(0, "", str(found))
    return report


def _chain(log: Log, events: Sequence[Event]) -> Diverged | None:
    """The first event whose link does not follow from the one before."""
    previous = chain.START
    for expected, item in enumerate(events, 1):
        if item.version != expected:
            return Diverged(expected, "", f"version {expected} is missing: the next one stored is {item.version}")
        due = chain.link(previous, log.schema, item, log.secret_of(item.version))
        if item.link != due:
            return Diverged(
                item.version, "", "the hash chain is broken: this event is not the one that was accepted", item.link, due
            )
        previous = item.link
    return None


def _explained(broken: Diverged, found: Diverged) -> Diverged:
    """A broken chain, with what the rules have to say about the same place."""
    if found.version != broken.version:
        return broken
    return Diverged(broken.version, found.rule, f"{broken.reason}; and {found.reason}", found.recorded, found.expected)


def _rules(log: Log, events: Sequence[Event], library: Library, report: Report, progress: Callable[[int], None]) -> None:
    header = msgspec.convert(events[0].answer, Header)
    if commitment(log.match.seed) != header.commitment:
        raise Diverged(1, "", "the seed is not the one that was committed to")
    source = _Checked(log.match.seed, header.nonces)
    title = _find(library, header.title, header.rules, report)
    run: Run | None = None
    kept: list[Event] = []
    options = dict(header.options)
    for group in groups(events):
        first = group[0]
        line = log.store.line(log.line_of(first.version))
        source.line, source.version = line.key, first.version
        _whose_luck(source, log, line, first)
        if first.kind == CREATED and line.imagined and title:
            run = _again(title, options, log, group, source)  # a supposed world is laid, not set up
        elif first.kind == CREATED and title:
            source.left = [outcome for item in group for outcome in item.chance]
            run = resume(title, title.lay(header.seats, header.options), group, source, 0, source)
        elif first.kind == UNDONE and run:
            kept = effective([*kept, first])
            run = _back(run, title or log.title, kept, first, source)
            continue
        elif first.kind == RULED:
            if "rules" in first.answer:
                title = _find(library, header.title, first.answer["rules"], report)
            options |= first.answer.get("options", {})
            if first.mark:
                kept += group[:1]
            run = _again(title, options, log, [*kept, *group[1:]], source) if title else None
            kept += group[1:]
            continue
        elif first.kind == ADOPTED:
            continue
        elif run:
            replay(run, source, group)
        kept += group
        if first.kind not in (CREATED, ADVANCED):
            report.decisions += 1
        if report.decisions % 50 == 0:
            progress(first.version)
    report.draws = source.draws


def _find(library: Library, title: str, rules: str, report: Report) -> Title | None:
    found = library(title, rules)
    (report.rules if found else report.skipped).append(rules)
    return found


def _back(run: Run, title: Title, kept: list[Event], undone: Event, source: _Checked) -> Run:
    """After an undo the game stands where it stood: at the decisions still in force since the last mark."""
    table = run.table.copy()
    try:
        table.fold(undone.ops)
    except BrokenLog as wrong:
        raise Diverged(undone.version, "L7", f"the undo does not fit the table: {wrong}", undone.ops) from wrong
    marked = max((index for index, item in enumerate(kept) if item.mark), default=-1)
    tail = kept[marked + 1 :]
    due = table.state()
    for item in reversed(tail):
        table.unfold(item.ops)
    drawn = sum(len(item.chance) for item in kept[: marked + 1])
    again = resume(title, table, tail, source, drawn)
    if again.table.state() != due:
        raise Diverged(undone.version, "L7", "the undo does not lead back to the version it names", undone.ops)
    return again


def _again(title: Title, options: dict[str, Any], log: Log, kept: list[Event], source: _Checked) -> Run:
    """Under new rules or another reading of them: from the last mark on."""
    table = title.lay(log.header.seats, options)
    marked = max((index for index, item in enumerate(kept) if item.mark), default=-1)
    drawn = 0
    for item in kept[: marked + 1]:
        table.fold(item.ops)
        drawn += len(item.chance)
    # What a ruling set off is new, and its draws are checked; what it left standing was checked before.
    fresh = source if marked >= 0 and kept[marked].kind == RULED else None
    return resume(title, table, kept[marked + 1 :], source, drawn, fresh)


def _whose_luck(source: _Checked, log: Log, line: Line, first: Event) -> None:
    """On an analyst's line a decision made again has the luck of the one it repeats; the one that was changed has what the analyst chose."""
    source.lent, source.chosen = None, False
    if line.luck == OWN_LUCK and not line.imagined:
        return
    source.chosen = first.cause == WHAT_IF or bool(line.imagined)
    if first.cause.startswith(AS_AT) and not line.imagined:
        if line.parent not in source.lenders:
            parent = Log(log.store, log.title, log.match, log.store.line(line.parent))
            source.lenders[line.parent] = {group[0].version: group for group in groups(effective(parent.raw()))}
        again = source.lenders[line.parent].get(int(first.cause.removeprefix(AS_AT)))
        if again and (again[0].seat, again[0].ask, again[0].answer) == (first.seat, first.ask, first.answer):
            source.lent = Borrowed([outcome for item in again for outcome in item.chance], source.fair())
        else:
            source.chosen = True  # grown from a line that went on elsewhere: whose luck it was cannot be told


def rerun(log: Log, title: Title, group: Sequence[Event]) -> Diverged | None:
    """One decision made again under some version of the rules, from the last mark, its draws recomputed: where it parts from the record."""
    first = group[0]
    table, tail, drawn = log.standpoint(first.version - 1) if first.version > 1 else (title.lay(log.header.seats), [], 0)
    schema = title.schema(log.header.seats, table.schema.options if first.version > 1 else log.header.options)
    if schema.digest() != log.header.schema:
        return Diverged(first.version, "", f"rules {title.rules} lay the table differently")
    laid = title.table.restored(schema, {name: held for name, held in table.zones.items() if held is not None}, table.registers)
    source = _Checked(log.match.seed, log.header.nonces)
    line = log.store.line(log.line_of(first.version))
    source.line, source.version = line.key, first.version
    _whose_luck(source, log, line, first)
    try:
        if first.version == 1:
            resume(title, laid, group, source, 0, source)
        elif first.ask:
            run = resume(title, laid, tail, source, drawn)
            replay(run, source, group)
    except Diverged as found:
        return found
    except Exception as crash:
        return Diverged(first.version, "", f"rules {title.rules} fail here: {type(crash).__name__}")
    return None
