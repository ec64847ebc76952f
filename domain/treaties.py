"""Treaties: what seats offer each other clause by clause, what they agreed on, how it ended, who claims that it was broken.

A title declares its kinds of clauses (`Title.clauses`) and conditions (`Title.conditions`); every title has the promise. Clauses that
the rules make binding are carried out by answering the rules' own questions, all others are promises on record.
Facts, then fold, then decide. Nobody but its parties knows of an offer; a treaty in force is public unless it was made in secret.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal

import msgspec

from domain.facts import Folded
from domain.kernel.ask import Ask
from domain.kernel.choice import Choice
from domain.kernel.errors import NotFound, Refused
from domain.kernel.event import Event
from domain.kernel.schema import ARBITER
from domain.kernel.title import Title

HOUR = 3_600_000
PATIENCE = 7 * 24  # hours an offer stands, unless it says otherwise
LONGEST_PATIENCE = 30 * 24
LONGEST_TEXT = 300
MOST_CLAUSES = 12
MOST_OPEN = 20  # offers of one seat

PROMISE: Final = "promise"
TEXT: Final = "text"  # a field that takes words
UNTIL: Final = "until"
IF: Final = "if"
OFFERED: Final = "offered"
AGREED: Final = "agreed"
REFUSED: Final = "refused"
WITHDRAWN: Final = "withdrawn"
COUNTERED: Final = "countered"
LAPSED: Final = "lapsed"
ENDED: Final = "ended"


# -- what a title declares ---------------------------------------------------------------------------------


class Term(msgspec.Struct, frozen=True):
    """A condition of a clause, by its name in the title, with what it leaves open."""

    name: str
    given: dict[str, Any] = {}


class Clause(msgspec.Struct, frozen=True):
    """What one seat owes another (or both each other, where its kind is mutual)."""

    kind: str
    by: str
    to: str
    given: dict[str, Any] = {}
    terms: list[Term] = []


Domain = Callable[[Any, str, str], Choice] | Literal["text"]


class Kind(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of clause. Every function of it gets the table as the public sees it: what it says is told to others.

    `answer` gives, in a list, how the rules' own question is answered under the clause (None: it is not touched by it); `forbids`
    says why an answer would break it; `judge` recognises in an event that it was kept or broken ("" if neither), and is asked about
    events that answer a question or set a register that `watches` names.
    """

    sentence: str
    words: Sequence[str] = ()
    fields: Mapping[str, Domain] = {}
    cite: str = ""
    mutual: bool = False
    binding: bool = False
    once: bool = False  # kept once, it is done
    secret: bool = True
    possible: Callable[[Any, Clause], str | None] = lambda table, clause: None
    answer: Callable[[Any, Clause, Ask], list[Any] | None] | None = None
    forbids: Callable[[Any, Clause, Ask, Any], str | None] | None = None
    judge: Callable[[Any, Clause, Event], Literal["", "kept", "broken"]] | None = None
    watches: frozenset[str] = frozenset()


class Condition(msgspec.Struct, frozen=True, kw_only=True):
    """When a clause ends (`until` it holds) or counts (`if` it holds), judged on the table as the public sees it."""

    sentence: str
    use: Literal["until", "if"]
    holds: Callable[[Any, Clause, Mapping[str, Any]], bool]
    fields: Mapping[str, Domain] = {}
    cite: str = ""


A_PROMISE = Kind(sentence="{by} promises {to}: {text}", words=("promises", "promise"), fields={"text": TEXT})


def kinds(title: Title) -> dict[str, Kind]:
    """Every kind of clause of a title, the promise last."""
    return {**title.clauses, PROMISE: A_PROMISE}


# -- facts (storage format: add fields at the end, never rename or reorder) ---------------------------------


class Offered(msgspec.Struct, frozen=True, tag="offered"):
    """`answers` is the offer that this one counters; `source` names the request that made it, so that it is made once."""

    id: str
    seat: str
    parties: list[str]
    clauses: list[Clause]
    secret: bool
    until: int
    answers: str
    source: str
    at: int


class Accepted(msgspec.Struct, frozen=True, tag="accepted"):
    id: str
    seat: str
    at: int


class Agreed(msgspec.Struct, frozen=True, tag="agreed"):
    """All parties accepted: in force after this version of this line."""

    id: str
    line: str
    version: int
    at: int


class Closed(msgspec.Struct, frozen=True, tag="closed"):
    """An offer that came to nothing, or a treaty that all parties let go."""

    id: str
    how: Literal["refused", "withdrawn", "countered", "lapsed", "ended"]
    by: str
    why: str
    at: int


class Released(msgspec.Struct, frozen=True, tag="released"):
    """A party wants to be free of a treaty in force: it ends when all do."""

    id: str
    seat: str
    at: int


class Claimed(msgspec.Struct, frozen=True, tag="claimed"):
    """A party says that a clause was broken. A secret treaty is public from now on."""

    id: str
    clause: int
    by: str
    text: str
    version: int
    at: int


Fact = Offered | Accepted | Agreed | Closed | Released | Claimed
encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Fact).decode


# -- one treaty ---------------------------------------------------------------------------------------------


class Treaty:
    """An offer and what became of it."""

    def __init__(self, offered: Offered) -> None:
        self.offered = offered
        self.accepted = [offered.seat]
        self.agreed: Agreed | None = None
        self.closed: Closed | None = None
        self.released: list[str] = []
        self.claims: list[Claimed] = []

    @property
    def id(self) -> str:
        return self.offered.id

    @property
    def parties(self) -> list[str]:
        return self.offered.parties

    @property
    def clauses(self) -> list[Clause]:
        return self.offered.clauses

    def state(self, at: int) -> str:
        """Offered, agreed (in force), or how it ended; an offer that nobody answered in time has lapsed."""
        if self.closed is not None:
            return self.closed.how
        if self.agreed is not None:
            return AGREED
        return LAPSED if at >= self.offered.until else OFFERED

    @property
    def public(self) -> bool:
        """Whether everybody may know of it: it was agreed, and not in secret or not any more."""
        return self.agreed is not None and (not self.offered.secret or bool(self.claims))

    def seen_by(self, viewer: str) -> bool:
        return viewer in (*self.parties, ARBITER) or self.public


# -- the treaties of a match --------------------------------------------------------------------------------


class Treaties(Folded[Fact]):
    """Everything that was ever offered in one match."""

    def begin(self) -> None:
        self.all: dict[str, Treaty] = {}

    def seen_by(self, viewer: str) -> list[Treaty]:
        """What a viewer may know of, oldest first: its own, and what is public."""
        return [one for one in self.all.values() if one.seen_by(viewer)]

    def in_force(self) -> list[Treaty]:
        return [one for one in self.all.values() if one.agreed is not None and one.closed is None]

    # -- offering --------------------------------------------------------------------------------

    def offer(
        self,
        id: str,
        seat: str,
        clauses: Sequence[Clause],
        *,
        seats: Sequence[str],
        at: int,
        secret: bool = False,
        hours: int = 0,
        answers: str = "",
        source: str = "",
    ) -> Treaty:
        """Make an offer whose clauses are checked already; the same request makes it once. A counter-offer closes what it answers."""
        for one in self.all.values():
            if source and one.offered.source == source:
                return one
        hours = hours or PATIENCE
        if not 1 <= hours <= LONGEST_PATIENCE:
            raise Refused("", f"an offer stands from 1 hour to {LONGEST_PATIENCE // 24} days")
        if not 1 <= len(clauses) <= MOST_CLAUSES:
            raise Refused("", f"an offer has 1 to {MOST_CLAUSES} clauses")
        named = {name for clause in clauses for name in (clause.by, clause.to)}
        if seat not in named:
            raise Refused("", f"{seat} is no party of this: offer what binds or favours you", legal=[seat])
        if sum(one.offered.seat == seat and one.state(at) == OFFERED for one in self.all.values()) >= MOST_OPEN:
            raise Refused("", f"a seat has at most {MOST_OPEN} open offers: withdraw one first")
        parties = [name for name in seats if name in named]
        if answers:
            countered = self._open(answers, seat, at)
            self._record(Closed(countered.id, COUNTERED, seat, "", at))
        self._record(Offered(id, seat, parties, list(clauses), secret, at + hours * HOUR, answers, source, at))
        return self.all[id]

    # -- answering -------------------------------------------------------------------------------

    def accept(self, id: str, seat: str, *, possible: Callable[[Treaty], str | None], line: str, version: int, at: int) -> Treaty:
        """Consent; the last one puts it in force if all of it is still possible, else nothing of it ever is."""
        one = self._open(id, seat, at)
        if seat in one.accepted:
            return one
        self._record(Accepted(id, seat, at))
        if set(one.accepted) == set(one.parties):
            why = possible(one)
            if why is not None:
                self._record(Closed(id, LAPSED, "", why, at))
                raise Refused("", f"this can no longer be agreed: {why}")
            self._record(Agreed(id, line, version, at))
        return one

    def refuse(self, id: str, seat: str, at: int, why: str = "") -> Treaty:
        """Say no: that is the end of the offer for all."""
        one = self._open(id, seat, at)
        if seat == one.offered.seat:
            raise Refused("", "this offer is your own: withdraw it")
        self._record(Closed(id, REFUSED, seat, why[:LONGEST_TEXT], at))
        return one

    def withdraw(self, id: str, seat: str, at: int) -> Treaty:
        """Take an offer of one's own back; of a treaty in force, agree that it ends: it does when all parties do."""
        one = self._known(id, seat)
        if one.state(at) == AGREED:
            if seat not in one.released:
                self._record(Released(id, seat, at))
            if set(one.released) == set(one.parties):
                self._record(Closed(id, ENDED, seat, "by consent of all parties", at))
            return one
        self._open(id, seat, at)
        if seat != one.offered.seat:
            raise Refused("", f"this offer is {one.offered.seat}'s: refuse it or make a counter-offer")
        self._record(Closed(id, WITHDRAWN, seat, "", at))
        return one

    def lapse(self, at: int) -> None:
        """Close what nobody answered in time."""
        for one in list(self.all.values()):
            if one.closed is None and one.agreed is None and at >= one.offered.until:
                self._record(Closed(one.id, LAPSED, "", "nobody answered in time", at))

    # -- breaches --------------------------------------------------------------------------------

    def claim(self, id: str, seat: str, clause: int, text: str, version: int, at: int) -> Treaty:
        """A party says that a clause was broken: a claim on record, no verdict."""
        one = self._known(id, seat)
        if one.agreed is None:
            raise Refused("", "nobody is bound by an offer that was never agreed")
        if not 0 <= clause < len(one.clauses):
            raise Refused("", f"this treaty has {len(one.clauses)} clauses", legal=list(range(1, len(one.clauses) + 1)))
        if not text.strip():
            raise Refused("", "say what was done against it")
        if any((old.by, old.clause, old.text) == (seat, clause, text.strip()) for old in one.claims):
            return one
        if len(one.claims) >= MOST_OPEN:
            raise Refused("", "there are claims enough about this treaty: open a dispute")
        self._record(Claimed(id, clause, seat, text.strip()[:LONGEST_TEXT], version, at))
        return one

    # -- finding ---------------------------------------------------------------------------------

    def _known(self, id: str, seat: str) -> Treaty:
        """A treaty of one's own: anybody else's is as if it were not there."""
        one = self.all.get(id)
        if one is None or seat not in one.parties:
            raise NotFound(f"you have no treaty or offer {id!r}")
        return one

    def _open(self, id: str, seat: str, at: int) -> Treaty:
        """An offer that still can be answered."""
        one = self._known(id, seat)
        state = one.state(at)
        if state != OFFERED:
            raise Refused("", "this is agreed already" if state == AGREED else f"this offer is {state}")
        return one

    # -- fold ------------------------------------------------------------------------------------

    def fold(self, fact: Fact) -> None:
        match fact:
            case Offered():
                self.all[fact.id] = Treaty(fact)
            case Accepted():
                self.all[fact.id].accepted.append(fact.seat)
            case Agreed():
                self.all[fact.id].agreed = fact
            case Closed():
                self.all[fact.id].closed = fact
            case Released():
                self.all[fact.id].released.append(fact.seat)
            case Claimed():
                self.all[fact.id].claims.append(fact)
