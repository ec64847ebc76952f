"""The docket of a match: what was asked to be taken back and who agreed, what was disputed and how it was ruled.

Facts, then fold, then decide. Nothing is ever struck from it; rulings are case law.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from domain.facts import Folded
from domain.kernel.errors import NotFound, Refused
from domain.kernel.event import DECIDED, SEALED, Event
from domain.kernel.ops import Move
from domain.kernel.schema import FACE, Schema
from domain.log import effective

HOUR = 3_600_000
PATIENCE = 72 * HOUR  # how long consent may take
COOL_DOWN = HOUR  # doubled by every refusal
ANSWER_TIME = 48 * HOUR  # for the seats to answer a claim

STANDS, CORRECTED, REWOUND, ANALYSED = "stands", "corrected", "rewound", "analysed"


# -- facts (storage format: add fields at the end, never rename or reorder) ---------------------------


class RewindAsked(msgspec.Struct, frozen=True, tag="rewind_asked"):
    """A seat wants to go back farther than it may by itself; `needs` are the seats that must agree."""

    id: str
    seat: str
    line: str
    version: int
    needs: list[str]
    reason: str
    at: int


class Voted(msgspec.Struct, frozen=True, tag="voted"):
    id: str
    seat: str
    agrees: bool
    at: int


class RewindClosed(msgspec.Struct, frozen=True, tag="rewind_closed"):
    """Granted with the line the game goes on on, refused, withdrawn or lapsed."""

    id: str
    outcome: Literal["granted", "refused", "withdrawn", "lapsed"]
    line: str
    at: int


class Claimed(msgspec.Struct, frozen=True, tag="claimed"):
    """A dispute about one event: what is wrong with it, and the versions that show it."""

    id: str
    by: str
    line: str
    version: int
    claim: str
    evidence: list[int]
    due: int
    at: int


class Answered(msgspec.Struct, frozen=True, tag="answered"):
    id: str
    by: str
    text: str
    at: int


class Ruled(msgspec.Struct, frozen=True, tag="ruled"):
    """How a dispute ended, by whom, and the rules it turned on: findable by title and rule."""

    id: str
    by: str
    outcome: Literal["stands", "corrected", "rewound", "analysed"]
    text: str
    rules: list[str]
    line: str
    version: int
    at: int
    reading: dict[str, Any] = {}


class UpgradeProposed(msgspec.Struct, frozen=True, tag="upgrade_proposed"):
    """Somebody wants the match to go on under other rules or data; `needs` are those who must agree."""

    id: str
    by: str
    line: str
    rules: str
    data: str
    needs: list[str]
    reason: str
    at: int


class UpgradeClosed(msgspec.Struct, frozen=True, tag="upgrade_closed"):
    """Adopted with the version of the event that says so, refused, withdrawn or lapsed."""

    id: str
    outcome: Literal["adopted", "refused", "withdrawn", "lapsed"]
    version: int
    at: int


class Said(msgspec.Struct, frozen=True):
    """What a ruling says: its outcome, words and rules, and the ops or the reading that correct the table."""

    dispute: str
    outcome: str
    text: str
    rules: list[str]
    ops: list[Any]
    reading: dict[str, Any]


class RulingMoved(msgspec.Struct, frozen=True, tag="ruling_moved"):
    """Where the table is its own arbiter: a seat moves a ruling, and `voters` decide on it."""

    id: str
    by: str
    said: Said
    voters: list[str]
    at: int


class MotionClosed(msgspec.Struct, frozen=True, tag="motion_closed"):
    id: str
    outcome: Literal["carried", "rejected", "lapsed"]
    at: int


Fact = (
    RewindAsked | Voted | RewindClosed | Claimed | Answered | Ruled | UpgradeProposed | UpgradeClosed | RulingMoved | MotionClosed
)

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Fact).decode


# -- what going back would touch -------------------------------------------------------------------------


class Touch(msgspec.Struct, frozen=True):
    """What going back to a version takes back: others' decisions, draws, and what seats have learnt, which no undo makes unseen."""

    decided: dict[str, int]
    draws: int
    learnt: dict[str, int]

    def seats(self, asking: str) -> list[str]:
        """Whose consent it takes: everybody else who decided, learnt or was found out since."""
        return sorted((self.decided.keys() | self.learnt.keys()) - {asking})


def touches(schema: Schema, events: Sequence[Event], version: int) -> Touch:
    """What the events in force after a version would take with them."""
    decided: dict[str, int] = {}
    learnt: dict[str, int] = {}
    draws = 0
    for event in effective(events):
        if event.version <= version:
            continue
        if event.kind in (DECIDED, SEALED):
            decided[event.seat] = decided.get(event.seat, 0) + 1
        draws += len(event.chance)
        for peek in event.shown:
            learnt[peek.seat] = learnt.get(peek.seat, 0) + len(peek.items)
        for op in event.ops:
            if type(op) is Move:
                for seat in schema.seats:
                    levels = schema.levels(seat)
                    if levels[op.src] < FACE <= levels[op.dst]:
                        learnt[seat] = learnt.get(seat, 0) + op.n
    return Touch(decided, draws, learnt)


# -- the docket ------------------------------------------------------------------------------------------


class Rewind:
    """A request to go back, with the votes so far."""

    def __init__(self, asked: RewindAsked) -> None:
        self.asked = asked
        self.votes: dict[str, bool] = {}
        self.closed: RewindClosed | None = None

    @property
    def agreed(self) -> bool:
        return all(self.votes.get(seat) for seat in self.asked.needs)


class Upgrade:
    """A proposal to go on under other rules, with the votes so far."""

    def __init__(self, proposed: UpgradeProposed) -> None:
        self.proposed = proposed
        self.votes: dict[str, bool] = {}
        self.closed: UpgradeClosed | None = None

    @property
    def agreed(self) -> bool:
        return all(self.votes.get(seat) for seat in self.proposed.needs)


class Motion:
    """A ruling moved by a seat, with the votes so far."""

    def __init__(self, moved: RulingMoved) -> None:
        self.moved = moved
        self.votes: dict[str, bool] = {}
        self.closed: MotionClosed | None = None

    @property
    def carried(self) -> bool:
        """More than half of those who may vote are for it."""
        return 2 * sum(self.votes.values()) > len(self.moved.voters)

    @property
    def rejected(self) -> bool:
        return 2 * sum(not agrees for agrees in self.votes.values()) >= len(self.moved.voters)


class Dispute:
    """A claim with its answers and, in the end, its ruling."""

    def __init__(self, claimed: Claimed) -> None:
        self.claimed = claimed
        self.answers: list[Answered] = []
        self.ruled: Ruled | None = None


class Docket(Folded[Fact]):
    """Everything asked and ruled in one match."""

    def begin(self) -> None:
        self.rewinds: dict[str, Rewind] = {}
        self.disputes: dict[str, Dispute] = {}
        self.upgrades: dict[str, Upgrade] = {}
        self.motions: dict[str, Motion] = {}

    # -- going back ------------------------------------------------------------------------------

    def ask_rewind(self, id: str, seat: str, line: str, version: int, needs: Sequence[str], reason: str, at: int) -> Rewind:
        """One request at a time, and after a refusal not at once again."""
        for other in self.rewinds.values():
            if other.closed is None and other.asked.line == line:
                raise Refused(
                    "L7", f"{other.asked.seat} already asks to go back to version {other.asked.version}: answer that first"
                )
        if (until := self.cooling(seat)) > at:
            minutes = -(-(until - at) // 60_000)
            raise Refused("L7", f"the last requests of {seat} were refused: ask again in {minutes} minutes")
        self._record(RewindAsked(id, seat, line, version, list(needs), reason, at))
        return self.rewinds[id]

    def cooling(self, seat: str) -> int:
        """When a seat may ask again: each refusal in a row doubles the wait."""
        closed = [one for one in self.rewinds.values() if one.asked.seat == seat and one.closed is not None]
        refused = 0
        for one in reversed(closed):
            assert one.closed is not None
            if one.closed.outcome != "refused":
                break
            refused += 1
        return closed[-1].closed.at + COOL_DOWN * 2 ** (refused - 1) if refused and closed[-1].closed else 0

    def vote(self, id: str, seat: str, agrees: bool, at: int, unseen: bool = False) -> Rewind:
        """Consent, or its refusal, which ends the request. A seat that it touches `unseen` is not waited for, but may refuse."""
        one = self.open_rewind(id, at)
        if seat not in one.asked.needs and not unseen:
            raise Refused("L7", f"this does not touch {seat}: only {', '.join(one.asked.needs)} need agree", legal=one.asked.needs)
        if seat in one.votes:
            raise Refused("L7", f"{seat} has voted already")
        self._record(Voted(id, seat, agrees, at))
        if not agrees:
            self._record(RewindClosed(id, "refused", "", at))
        return one

    def open_rewind(self, id: str, at: int) -> Rewind:
        """A request that still waits; one that waited too long lapses here."""
        one = self.rewinds.get(id)
        if one is None:
            raise NotFound(f"there is no request {id!r}")
        if one.closed is None and at > one.asked.at + PATIENCE:
            self._record(RewindClosed(id, "lapsed", "", at))
        if one.closed is not None:
            raise Refused("L7", f"this request is {one.closed.outcome} already")
        return one

    def grant(self, id: str, line: str, at: int) -> None:
        one = self.open_rewind(id, at)
        if not one.agreed:
            missing = [seat for seat in one.asked.needs if seat not in one.votes]
            raise Refused("L7", f"{', '.join(missing)} did not agree yet", legal=missing)
        self._record(RewindClosed(id, "granted", line, at))

    def withdraw(self, id: str, seat: str, at: int) -> None:
        if self.open_rewind(id, at).asked.seat != seat:
            raise Refused("L7", "only the seat that asked may withdraw its request")
        self._record(RewindClosed(id, "withdrawn", "", at))

    # -- disputes --------------------------------------------------------------------------------

    def claim(self, id: str, by: str, line: str, version: int, claim: str, evidence: Sequence[int], at: int) -> Dispute:
        """Open a dispute about an event."""
        if not claim.strip():
            raise Refused("", "say what is wrong with this event")
        for other in self.disputes.values():
            if other.ruled is None and (other.claimed.line, other.claimed.version, other.claimed.by) == (line, version, by):
                raise Refused("", "you dispute this event already")
        self._record(Claimed(id, by, line, version, claim.strip(), sorted(set(evidence)), at + ANSWER_TIME, at))
        return self.disputes[id]

    def answer(self, id: str, by: str, text: str, at: int) -> Dispute:
        one = self.open_dispute(id)
        if at > one.claimed.due:
            raise Refused("", "the time for answers is over: the arbiter has the word")
        if not text.strip():
            raise Refused("", "say something")
        self._record(Answered(id, by, text.strip(), at))
        return one

    def open_dispute(self, id: str) -> Dispute:
        one = self.disputes.get(id)
        if one is None:
            raise NotFound(f"there is no dispute {id!r}")
        if one.ruled is not None:
            raise Refused("", f"this dispute is ruled already: {one.ruled.outcome}")
        return one

    def rule(
        self,
        id: str,
        by: str,
        outcome: str,
        text: str,
        rules: Sequence[str],
        line: str,
        version: int,
        at: int,
        reading: dict[str, Any] | None = None,
    ) -> Dispute:
        one = self.open_dispute(id)
        self._record(Ruled(id, by, outcome, text, list(rules), line, version, at, reading or {}))  # type: ignore[arg-type]
        return one

    # -- rulings by vote -------------------------------------------------------------------------

    def move(self, id: str, by: str, said: Said, voters: Sequence[str], at: int) -> Motion:
        """Move a ruling, one at a time on each dispute; whoever moves it is for it."""
        for other in self.motions.values():
            if other.moved.said.dispute == said.dispute and self._motion_waits(other, at):
                raise Refused("", f"{other.moved.by} has moved a ruling on this already: vote on that first")
        self._record(RulingMoved(id, by, said, list(voters), at))
        return self.vote_motion(id, by, True, at)

    def _motion_waits(self, one: Motion, at: int) -> bool:
        """Whether a motion is open; one that waited too long lapses here."""
        if one.closed is None and at > one.moved.at + PATIENCE:
            self._record(MotionClosed(one.moved.id, "lapsed", at))
        return one.closed is None

    def vote_motion(self, id: str, seat: str, agrees: bool, at: int) -> Motion:
        one = self.motions.get(id)
        if one is None:
            raise NotFound(f"there is no motion {id!r}")
        if not self._motion_waits(one, at):
            assert one.closed is not None
            raise Refused("", f"this motion is {one.closed.outcome} already")
        if seat not in one.moved.voters or seat in one.votes:
            raise Refused("", f"{seat} has voted already" if seat in one.votes else f"{seat} has no vote")
        self._record(Voted(id, seat, agrees, at))
        if one.rejected:
            self._record(MotionClosed(id, "rejected", at))
        return one

    def close_motion(self, id: str, outcome: Literal["carried"], at: int) -> None:
        self._record(MotionClosed(id, outcome, at))

    # -- other rules -----------------------------------------------------------------------------

    def propose(self, id: str, by: str, line: str, rules: str, data: str, needs: Sequence[str], reason: str, at: int) -> Upgrade:
        """Propose to go on under other rules or data: one proposal at a time."""
        for other in self.upgrades.values():
            if self._upgrade_waits(other, at):
                raise Refused("L7", f"rules {other.proposed.rules} are proposed already: answer that first")
        self._record(UpgradeProposed(id, by, line, rules, data, list(needs), reason, at))
        return self.upgrades[id]

    def _upgrade_waits(self, one: Upgrade, at: int) -> bool:
        """Whether a proposal is open; one that waited too long lapses here."""
        if one.closed is None and at > one.proposed.at + PATIENCE:
            self._record(UpgradeClosed(one.proposed.id, "lapsed", 0, at))
        return one.closed is None

    def open_upgrade(self, id: str, at: int) -> Upgrade:
        one = self.upgrades.get(id)
        if one is None:
            raise NotFound(f"there is no proposal {id!r}")
        if not self._upgrade_waits(one, at):
            assert one.closed is not None
            raise Refused("L7", f"this proposal is {one.closed.outcome} already")
        return one

    def vote_upgrade(self, id: str, seat: str, agrees: bool, at: int) -> Upgrade:
        """Consent, or its refusal, which ends the proposal."""
        one = self.open_upgrade(id, at)
        if seat not in one.proposed.needs:
            raise Refused("L7", f"{seat} is not asked", legal=one.proposed.needs)
        if seat in one.votes:
            raise Refused("L7", f"{seat} has voted already")
        self._record(Voted(id, seat, agrees, at))
        if not agrees:
            self._record(UpgradeClosed(id, "refused", 0, at))
        return one

    def close_upgrade(self, id: str, outcome: Literal["adopted", "withdrawn"], version: int, at: int) -> Upgrade:
        one = self.open_upgrade(id, at)
        self._record(UpgradeClosed(id, outcome, version, at))
        return one

    # -- fold ------------------------------------------------------------------------------------

    def fold(self, fact: Fact) -> None:
        match fact:
            case RewindAsked():
                self.rewinds[fact.id] = Rewind(fact)
            case Voted():
                asked = self.rewinds.get(fact.id) or self.upgrades.get(fact.id) or self.motions[fact.id]
                asked.votes[fact.seat] = fact.agrees
            case RewindClosed():
                self.rewinds[fact.id].closed = fact
            case Claimed():
                self.disputes[fact.id] = Dispute(fact)
            case Answered():
                self.disputes[fact.id].answers.append(fact)
            case Ruled():
                self.disputes[fact.id].ruled = fact
            case RulingMoved():
                self.motions[fact.id] = Motion(fact)
            case MotionClosed():
                self.motions[fact.id].closed = fact
            case UpgradeProposed():
                self.upgrades[fact.id] = Upgrade(fact)
            case UpgradeClosed():
                self.upgrades[fact.id].closed = fact
