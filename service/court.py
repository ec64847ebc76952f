"""The court: going back by consent, disputes settled by replay, rulings that are kept as case law.

Who may ask, vote, claim and rule is decided here; the docket keeps it, the log carries it out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

import msgspec

from domain import docket
from domain.audit import audit
from domain.docket import ANALYSED, CORRECTED, REWOUND, STANDS, Dispute, Docket, Rewind, Touch
from domain.games import library, summaries
from domain.kernel import redact
from domain.kernel.errors import BrokenLog, NotFound, Refused
from domain.kernel.event import ADVANCED, QUESTION, Event
from domain.kernel.ops import Move, Op, Reorder, Set
from domain.kernel.schema import ARBITER
from domain.log import Log, resume
from domain.match import GAME_MASTER, PLAYER, Forbidden, Match
from service.database import Clash, Database
from service.looks import Look
from service.matches import Matches, new_id
from service.register import TRIES, Busy

T = TypeVar("T")

WINDOW = 200  # versions after which a claim gets an analysis branch, not a rewrite


class Reading(NamedTuple):
    """Another reading of the rules, and whether it would have changed the event."""

    option: str
    value: Any
    cite: str
    differs: bool
    note: str


class Precedent(NamedTuple):
    id: str
    title: str
    rule: str
    match: str
    outcome: str
    text: str
    at: int


class Court:
    """Ask, vote, claim, answer, rule."""

    def __init__(self, matches: Matches, database: Database) -> None:
        self._matches, self._database = matches, database

    # -- the docket ------------------------------------------------------------------------------

    def docket(self, who: str, id: str) -> Docket:
        """The docket of a match, for those who may know of the match."""
        self._matches.see(who, id)
        return self._load(id)

    def _load(self, id: str) -> Docket:
        rows = self._database.read("SELECT body FROM docket WHERE match = ? ORDER BY version", id)
        return Docket(id, [docket.decode(row[0]) for row in rows])

    def _change(self, id: str, verb: Callable[[Docket], T]) -> T:
        for _ in range(TRIES):
            found = self._load(id)
            refused: Refused | None = None
            try:
                result = verb(found)
            except Refused as no:
                refused = no  # what came to light on the way (a request that lapsed) is on record all the same
            first = found.version - len(found.new)
            rows = [
                ("INSERT INTO docket (match, version, body) VALUES (?, ?, ?)", (id, number, docket.encode(fact).decode()))
                for number, fact in enumerate(found.new, first + 1)
            ]
            try:
                if rows:
                    self._database.write(*rows)
            except Clash:
                continue
            if refused is not None:
                raise refused
            self._matches.feed.publish(id)
            return result
        raise Busy("others wrote to the docket at the same moment; try again")

    # -- going back ------------------------------------------------------------------------------

    def touch(self, who: str, id: str, version: int) -> Touch:
        """What going back to a version of the main line would take back."""
        match = self._matches.see(who, id)
        log = self._log(match)
        if not 1 <= version < log.head:
            raise NotFound(f"there is no version {version} to go back to")
        return docket.touches(log.schema, log.raw(), version)

    def ask_rewind(self, who: str, id: str, seat: str, version: int, reason: str) -> Rewind:
        """Ask to go back; granted at once where it touches nobody, else when everybody it touches agrees."""
        match = self._player(who, id, seat)
        policy = match.policy.undo
        if policy in ("never", "free"):
            raise Forbidden("in this match nothing is taken back but what nobody has learnt anything by")
        log = self._log(match)
        version = _question(log, version)
        touch = self.touch(who, id, version)
        needs = touch.seats(seat)
        if policy == "all" or touch.draws or seat in touch.learnt:
            needs = [other for other in match.seats if other != seat]  # whoever asks has learnt something: that touches everybody
        if policy == "master":
            needs = [] if who == match.host else ["game master"]
        needs = [one for one in needs if one not in match.bots]
        at = self._matches.clock()
        request = self._change(id, lambda book: book.ask_rewind(new_id(), seat, match.line, version, needs, reason, at))
        if request.agreed:
            self._go_back(match, request)
        return self._load(id).rewinds[request.asked.id]

    def vote(self, who: str, id: str, request: str, seat: str, agrees: bool) -> Rewind:
        """One touched seat's consent or refusal."""
        match = self._matches.see(who, id)
        if seat == "game master":
            if who != match.host:
                raise Forbidden("only the game master may do that")
        else:
            self._player(who, id, seat)
        found = self._change(id, lambda book: book.vote(request, seat, agrees, self._matches.clock()))
        if found.agreed:
            self._go_back(match, found)
        return self._load(id).rewinds[request]

    def withdraw(self, who: str, id: str, request: str, seat: str) -> None:
        self._player(who, id, seat)
        self._change(id, lambda book: book.withdraw(request, seat, self._matches.clock()))

    def _go_back(self, match: Match, request: Rewind) -> None:
        """The game goes on on a branch: the taken-back line stays readable, and its luck is never used again."""
        asked = request.asked
        line = self._branch(match, asked.version, f"taken back by {asked.seat}: {asked.reason}"[:120])
        self._change(match.id, lambda book: book.grant(asked.id, line, self._matches.clock()))
        self._matches.adopt(match.id, line, f"rewind {asked.id}")

    def _branch(self, match: Match, version: int, reason: str) -> str:
        log = self._log(match)
        return log.fork(new_id(), version, by=match.host, reason=reason, at=self._matches.clock()).line.id

    # -- disputes --------------------------------------------------------------------------------

    def claim(self, who: str, id: str, version: int, claim: str, evidence: Sequence[int] = (), line: str = "") -> Dispute:
        """Anybody at the table disputes an event."""
        look = self._matches.look(who, id, line=line, what="dispute")
        if not {PLAYER, GAME_MASTER} & set(look.match.roles(who)):
            raise Forbidden("only those at the table may dispute an event")
        look.known(version)
        at = self._matches.clock()
        return self._change(id, lambda book: book.claim(new_id(), who, look.line.id, version, claim, evidence, at))

    def answer(self, who: str, id: str, dispute: str, text: str) -> Dispute:
        match = self._matches.see(who, id)
        if not {PLAYER, GAME_MASTER} & set(match.roles(who)):
            raise Forbidden("only those at the table may answer a claim")
        return self._change(id, lambda book: book.answer(dispute, who, text, self._matches.clock()))

    def rule(
        self, who: str, id: str, dispute: str, outcome: str, text: str, *, rules: Sequence[str] = (), ops: Sequence[Any] = ()
    ) -> Dispute:
        """The arbiter rules: it stands, the table is corrected, the game goes back, or it was too long ago and is only analysed."""
        match = self._matches.see(who, id)
        if GAME_MASTER not in match.roles(who):
            raise Forbidden("only the game master may rule")
        if outcome not in (STANDS, CORRECTED, REWOUND, ANALYSED):
            raise Refused("", f"a ruling cannot be {outcome!r}", legal=[STANDS, CORRECTED, REWOUND, ANALYSED])
        claimed = self._load(id).open_dispute(dispute).claimed
        log = self._matches.open_log(claimed.line)
        if outcome in (CORRECTED, REWOUND) and claimed.line != match.line:
            raise Refused("", "the game goes on on another line: this can only stand or be analysed", legal=[STANDS, ANALYSED])
        if outcome == REWOUND and log.head - claimed.version > WINDOW:
            raise Refused(
                "", f"this was more than {WINDOW} versions ago: analyse it on a branch instead", legal=[STANDS, CORRECTED, ANALYSED]
            )
        at = self._matches.clock()
        ruling = {"text": text, "dispute": dispute, "outcome": outcome, "on": list(rules)}
        line, version = claimed.line, log.head
        if outcome in (REWOUND, ANALYSED):
            line = self._branch(match, _before(log, claimed.version), f"ruling: {text}"[:120])
            if outcome == REWOUND:
                self._matches.adopt(id, line, f"dispute {dispute}")
        else:
            written = _written(ops) if outcome == CORRECTED else []
            if outcome == CORRECTED and not written:
                raise Refused("", "a correction needs the ops that make it")
            version = self._matches.record_ruling(claimed.line, ruling, written, at)
        found = self._change(id, lambda book: book.rule(dispute, who, outcome, text, rules, line, version, at))
        for rule in rules or [""]:
            row = (new_id(16), match.title, rule, id, outcome, text, at)
            self._database.write(
                ("INSERT INTO rulings (id, title, rule, match, outcome, text, at) VALUES (?, ?, ?, ?, ?, ?, ?)", row)
            )
        return found

    def precedents(self, title: str, rule: str = "") -> list[Precedent]:
        """Rulings on a title, perhaps on one of its rules, newest first."""
        where, values = ("AND rule = ?", [rule]) if rule else ("", [])
        rows = self._database.read(
            f"SELECT id, title, rule, match, outcome, text, at FROM rulings WHERE title = ? {where} ORDER BY at DESC LIMIT 100",
            title,
            *values,
        )
        return [Precedent(*row) for row in rows]

    # -- the case file ---------------------------------------------------------------------------

    def case_file(self, who: str, id: str, line: str, version: int) -> dict[str, Any]:
        """Everything about one event that bears on a dispute, as far as the reader may see it."""
        look = self._matches.look(who, id, line=line, what="case file")
        group = self._group(look, version)
        first = group[0]
        log = self._matches.open_log(look.line.id)
        report = audit(log, library)
        seen = [redact.event(log.schema, event, look.viewer) for event in group]
        asked = self._asked(log, look, first)
        return {
            "version": first.version,
            "before": look.table(first.version - 1).state() if first.version > 1 else {},
            "after": look.table(group[-1].version).state(),
            "question": asked,
            "answer": seen[0].answer,
            "received": first.at,
            "chance": [msgspec.to_builtins(outcome) for event in seen for outcome in event.chance],
            "ops": [msgspec.to_builtins(op) for event in seen for op in event.ops],
            "why": why(look, seen),
            "verdict": _verdict(report, first.version),
            "readings": [reading._asdict() for reading in self.readings(log, group, look.viewer)],
        }

    def _group(self, look: Look, version: int) -> list[Event]:
        """The decision at a version with what it set off, as the reader's own log has it."""
        version = look.known(version)
        log = self._matches.open_log(look.line.id)
        while version > 1 and log.raw(version - 1, version)[0].kind == ADVANCED:
            version -= 1
        found = log.raw(version - 1, version)
        while (more := log.raw(found[-1].version, found[-1].version + 1)) and more[0].kind == ADVANCED:
            found += more
        return found

    def _asked(self, log: Log, look: Look, first: Event) -> dict[str, Any] | None:
        """The question and what was legal: in full for the seat that was asked and for those who may see everything."""
        if not first.ask:
            return None
        run = log.run_at(first.version - 1)
        found = redact.questions(run.asks, run.offers, look.viewer)
        return next((one for one in found if (one["seat"], one["key"]) == (first.seat, first.ask)), None)

    def readings(self, log: Log, group: Sequence[Event], viewer: str) -> list[Reading]:
        """Each ruling switch of the title turned the other way, from the last mark: would the event have come out differently?"""
        found: list[Reading] = []
        if not group[0].ask:
            return found
        table, tail, drawn = log.standpoint(group[0].version - 1)
        for name, option in log.title.options.items():
            for value in option.choices:
                if value == log.header.options[name]:
                    continue
                other = log.title.lay(log.header.seats, {**log.header.options, name: value})
                other.zones, other.registers = table.copy().zones, dict(table.registers)
                try:
                    resume(log.title, other, [*tail, *group], log.source(), drawn)
                except (BrokenLog, Refused) as differs:
                    # How it differs may hang on what others hold: only that it does is everybody's business.
                    found.append(Reading(name, value, option.cite, True, str(differs) if viewer == ARBITER else ""))
                except Exception:  # a table of one reading may make no sense under another
                    found.append(Reading(name, value, option.cite, True, "the game cannot be read this way"))
                else:
                    found.append(Reading(name, value, option.cite, False, ""))
        return found

    # -- who -------------------------------------------------------------------------------------

    def _player(self, who: str, id: str, seat: str) -> Match:
        match = self._matches.see(who, id)
        if seat not in match.seats_of(who):
            raise NotFound(f"there is no seat {seat!r}")
        return match

    def _log(self, match: Match) -> Log:
        if not match.lines:
            raise Refused("", "the game has not started")
        return self._matches.open_log(match.line)


def why(look: Look, events: Sequence[Event]) -> list[dict[str, Any]]:
    """The rules an event rests on, in order: the question, what was said aloud with its facts, what was done by which rule."""
    found: list[dict[str, Any]] = []
    for event in events:
        for cite in event.cites:
            if cite.rule:
                op = event.ops[cite.op] if 0 <= cite.op < len(event.ops) else None
                kind = "question" if cite.op == QUESTION else "done" if op is not None else "said"
                found.append(
                    {
                        "rule": cite.rule,
                        "summary": summaries(look.title.id).get(cite.rule, ""),
                        "kind": kind,
                        "facts": cite.facts,
                        "op": msgspec.to_builtins(op) if op is not None else None,
                    }
                )
    return found


def _question(log: Log, version: int) -> int:
    """The question at or after a version."""
    while (more := log.raw(version, version + 1)) and more[0].kind == ADVANCED:
        version += 1
    return version


def _before(log: Log, version: int) -> int:
    """The question that led to an event: before its decision, not between that and what it set off."""
    while version > 1 and log.raw(version - 1, version)[0].kind == ADVANCED:
        version -= 1
    return max(1, version - 1)


def _verdict(report: Any, version: int) -> str:
    if report.clean:
        return "the rules, run again, say exactly what the log says"
    found = report.finding
    if found.version == version:
        return f"the rules, run again, do not say what the log says here: {found.reason}"
    return f"the log is wrong at version {found.version}: {found.reason}"


def _written(ops: Sequence[Any]) -> list[Op]:
    """Ops as an arbiter writes them."""
    try:
        return [msgspec.convert(op, Move | Set | Reorder) for op in ops]
    except msgspec.ValidationError as wrong:
        raise Refused(
            "", f'a correction is a list of ops like ["s", register, old, new] or ["m", item, from, to]: {wrong}'
        ) from None
