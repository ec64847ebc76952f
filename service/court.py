"""The court: going back by consent, disputes settled by replay, rulings that are kept as case law.

Who may ask, vote, claim and rule is decided here; the docket keeps it, the log carries it out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

import msgspec

from domain import docket
from domain.docket import ANALYSED, CORRECTED, REWOUND, STANDS, Claimed, Dispute, Docket, Motion, Rewind, Said, Touch, Upgrade
from domain.kernel.errors import NotFound, Refused
from domain.kernel.event import ADVANCED, ALOUD, Cite
from domain.kernel.ops import Move, Op, Reorder, Set
from domain.kernel.schema import SPECTATOR
from domain.kernel.title import Title
from domain.log import LATEST, Log
from domain.match import FINISHED, GAME_MASTER, PLAYER, Forbidden, Match
from domain.match import SPECTATOR as WATCHER
from domain.readings import correction
from service import case
from service.database import Clash, Database
from service.matches import Matches, new_id
from service.register import TRIES, Busy

T = TypeVar("T")

MASTER = "game master"  # who is no seat, and votes all the same where the house rules leave it to him


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
        """The docket of a match, for those who may know of the match; for mere spectators behind the delay that the match has for them."""
        match = self._matches.see(who, id)
        held_back = match.policy.delay and match.state != FINISHED and match.roles(who) == [WATCHER]
        return self._load(id, self._matches.clock() - match.policy.delay * 1000 if held_back else LATEST)

    def _load(self, id: str, until: int = LATEST) -> Docket:
        rows = self._database.read("SELECT body FROM docket WHERE match = ? ORDER BY version", id)
        facts = [docket.decode(row[0]) for row in rows]
        return Docket(id, [fact for fact in facts if fact.at <= until])

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

    def touch(self, who: str, id: str, version: int, viewer: str = "") -> Touch:
        """What going back to a version of the line in force would take back, no farther than the viewer's own log tells."""
        look = self._matches.look(who, id, viewer, what="touches")
        if not 1 <= version < look.head:
            raise NotFound(f"there is no version {version} to go back to")
        return docket.touches(self._log(look.match).schema, look.events(0, look.head), version)

    def ask_rewind(self, who: str, id: str, seat: str, version: int, reason: str) -> Rewind:
        """Ask to go back; granted at once where it touches nobody, else when everybody it touches agrees.

        Whom it touches is told by the public's log and by the asking seat's own. What a third seat learnt unseen must not show in
        who is asked: that seat keeps what it saw, and may refuse while the request is open.
        """
        match = self._player(who, id, seat)
        policy = match.policy.undo
        if policy in ("never", "free"):
            raise Forbidden("in this match nothing is taken back but what nobody has learnt anything by")
        log = self._log(match)
        version = _question(log, version)
        if not 1 <= version < log.head:
            raise NotFound(f"there is no version {version} to go back to")
        public, mine = (docket.touches(log.schema, log.events(viewer), version) for viewer in (SPECTATOR, seat))
        needs = public.seats(seat)
        if policy == "all" or mine.draws or seat in mine.learnt or mine != public:
            needs = [other for other in match.seats if other != seat]  # whoever asks has learnt something: that touches everybody
        if policy == "master":
            needs = [] if who == match.host else [MASTER]
        needs = [one for one in needs if one not in match.bots]
        at = self._matches.clock()
        request = self._change(id, lambda book: book.ask_rewind(new_id(), seat, match.line, version, needs, reason, at))
        if request.agreed:
            self._go_back(match, request)
        return self._load(id).rewinds[request.asked.id]

    def vote(self, who: str, id: str, request: str, seat: str, agrees: bool) -> Rewind:
        """One touched seat's consent or refusal."""
        match = self._voter(who, id, seat)
        asked = self._load(id).rewinds.get(request)
        unseen = asked is not None and not agrees and seat in match.seats and self._learnt_unseen(match, seat, asked)
        found = self._change(id, lambda book: book.vote(request, seat, agrees, self._matches.clock(), unseen))
        if found.agreed and found.closed is None:
            self._go_back(match, found)
        return self._load(id).rewinds[request]

    def _voter(self, who: str, id: str, seat: str) -> Match:
        """The match, for somebody who may vote for this seat, or as the game master."""
        if seat != MASTER:
            return self._player(who, id, seat)
        match = self._matches.see(who, id)
        if who != match.host:
            raise Forbidden("only the game master may do that")
        return match

    def may_refuse(self, who: str, id: str, request: Rewind) -> list[str]:
        """Seats of somebody's that a request touches unseen: nobody waits for them, but they may refuse."""
        match = self._matches.see(who, id)
        asked = request.asked
        mine = [seat for seat in match.seats_of(who) if seat not in (asked.seat, *asked.needs) and seat not in request.votes]
        return [seat for seat in mine if self._learnt_unseen(match, seat, request)]

    def _learnt_unseen(self, match: Match, seat: str, request: Rewind) -> bool:
        """Whether a seat's own log says that it learnt something which going back would touch."""
        log = self._matches.open_log(request.asked.line)
        return seat in docket.touches(log.schema, log.events(seat), request.asked.version).learnt

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
        self,
        who: str,
        id: str,
        dispute: str,
        outcome: str,
        text: str,
        *,
        rules: Sequence[str] = (),
        ops: Sequence[Any] = (),
        reading: dict[str, Any] | None = None,
    ) -> Dispute:
        """The arbiter rules: it stands, the table is corrected, the game goes back, or it was too long ago and is only analysed.

        A correction is made by ops, or by another reading of the rules (`reading`: option and value) that holds from the mark before the
        event on: every decision stands, and the table becomes what it would be. A game that goes back may go on under another reading.
        """
        match = self._matches.see(who, id)
        if match.policy.arbiter == "vote":
            raise Forbidden("in this match the table rules: move a ruling, and more than half of the seats carry it")
        if GAME_MASTER not in match.roles(who):
            raise Forbidden("only the game master may rule")
        return self._rule(match, who, Said(dispute, outcome, text, list(rules), list(ops), reading or {}))

    def move(
        self,
        who: str,
        id: str,
        dispute: str,
        outcome: str,
        text: str,
        *,
        seat: str,
        rules: Sequence[str] = (),
        ops: Sequence[Any] = (),
        reading: dict[str, Any] | None = None,
    ) -> Motion:
        """Where the table is the arbiter: move a ruling. Whoever moves it is for it; more than half of the seats carry it."""
        match = self._player(who, id, seat)
        if match.policy.arbiter != "vote":
            raise Forbidden("in this match the game master rules")
        said = Said(dispute, outcome, text, list(rules), list(ops), reading or {})
        self._ruling(match, said)
        voters = [one for one in match.seats if one not in match.bots]
        at = self._matches.clock()
        moved = self._change(id, lambda book: book.move(new_id(), seat, said, voters, at))
        return self._carry(match, who, moved)

    def vote_motion(self, who: str, id: str, motion: str, seat: str, agrees: bool) -> Motion:
        """A seat's voice for or against a ruling that was moved."""
        match = self._player(who, id, seat)
        return self._carry(match, who, self._change(id, lambda book: book.vote_motion(motion, seat, agrees, self._matches.clock())))

    def _carry(self, match: Match, who: str, motion: Motion) -> Motion:
        if motion.carried and motion.closed is None:
            self._rule(match, who, motion.moved.said)
            at = self._matches.clock()
            self._change(match.id, lambda book: book.close_motion(motion.moved.id, "carried", at))
        return self._load(match.id).motions[motion.moved.id]

    def _ruling(self, match: Match, said: Said) -> tuple[Claimed, list[Op]]:
        """What a ruling is about and the ops it writes, if it can be made at all."""
        if said.outcome not in (STANDS, CORRECTED, REWOUND, ANALYSED):
            raise Refused("", f"a ruling cannot be {said.outcome!r}", legal=[STANDS, CORRECTED, REWOUND, ANALYSED])
        claimed = self._load(match.id).open_dispute(said.dispute).claimed
        if said.outcome in (CORRECTED, REWOUND) and claimed.line != match.line:
            raise Refused("", "the game goes on on another line: this can only stand or be analysed", legal=[STANDS, ANALYSED])
        window = match.policy.window
        if said.outcome == REWOUND and self._matches.open_log(claimed.line).head - claimed.version > window:
            raise Refused(
                "", f"this was more than {window} versions ago: analyse it on a branch instead", legal=[STANDS, CORRECTED, ANALYSED]
            )
        ops = _written(said.ops)
        if said.outcome == CORRECTED and not ops and not said.reading:
            raise Refused("", "a correction needs the ops that make it, or the reading of the rules that it adopts")
        if (ops and said.outcome != CORRECTED) or (said.reading and said.outcome not in (CORRECTED, REWOUND)):
            raise Refused("", "only a correction has ops, and only a correction or a rewind another reading", legal=[CORRECTED])
        return claimed, ops

    def _rule(self, match: Match, who: str, said: Said) -> Dispute:
        claimed, ops = self._ruling(match, said)
        log, at, line = self._matches.open_log(claimed.line), self._matches.clock(), claimed.line
        ruling = {"text": said.text, "dispute": said.dispute, "outcome": said.outcome, "on": said.rules}
        title = log.title
        cites = [Cite(rule) for rule in said.rules]
        cites += [
            Cite(title.options[name].cite, ALOUD, {name: value}) for name, value in said.reading.items() if name in title.options
        ]
        if said.outcome in (REWOUND, ANALYSED):
            line = self._branch(match, _before(log, claimed.version), f"ruling: {said.text}"[:120])
        elif said.reading and not ops:
            ops = correction(log, _before(log, claimed.version) + 1, said.reading)
        version = log.head
        if said.outcome != ANALYSED:
            version = self._matches.record_ruling(line, ruling, ops, at, options=said.reading, cites=cites)
        if said.outcome == REWOUND:
            self._matches.adopt(match.id, line, f"dispute {said.dispute}")
        elif said.outcome == CORRECTED:
            self._matches.drive(match.id)
        found = self._change(
            match.id,
            lambda book: book.rule(said.dispute, who, said.outcome, said.text, said.rules, line, version, at, said.reading),
        )
        for rule in said.rules or [""]:
            row = (new_id(16), match.title, rule, match.id, said.outcome, said.text, at)
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

    def case_file(self, who: str, id: str, line: str, version: int, viewer: str = "") -> dict[str, Any]:
        """Everything about one event that bears on a dispute, as far as the reader may see it."""
        look = self._matches.look(who, id, viewer, line, what="case file")
        return case.file(look, self._matches.open_log(look.line.id), self._matches.titles, version)

    # -- other rules -----------------------------------------------------------------------------

    def rules_at_hand(self, who: str, id: str) -> dict[str, Any]:
        """The rules a match goes by, those at hand, and how many decisions would have to be made again under them."""
        match = self._matches.see(who, id)
        log, newest = self._log(match), self._matches.titles.get(match.title)
        rules, data = log.rules_in_force()
        said: dict[str, Any] = {
            "rules": rules, "data": data, "newest": newest.rules, "newest_data": newest.data, "differ": False, "again": 0
        }  # fmt: skip
        if (rules, data) != (newest.rules, newest.data):
            diverges = case.diverges(log, newest)
            tail = log.standpoint()[1] if diverges is not None else []
            said |= {"differ": True, "again": sum(bool(item.ask) for item in tail)}
        return said

    def propose_upgrade(self, who: str, id: str, seat: str, reason: str = "") -> Upgrade:
        """Propose to go on under the rules and data at hand: by a seat, or by the game master."""
        match = self._voter(who, id, seat)
        if match.policy.upgrade == "never":
            raise Forbidden("this match keeps the rules it began with")
        if match.policy.upgrade == "master" and seat != MASTER:
            raise Forbidden("in this match the game master decides about other rules")
        log, newest = self._log(match), self._newest(match)
        if newest.schema(log.header.seats, log.terms()["options"]).digest() != log.header.schema:
            raise Refused("", f"rules {newest.rules} lay the table differently: the match stays with the rules it has")
        needs = [] if match.policy.upgrade == "master" else [one for one in match.seats if one != seat and one not in match.bots]
        at = self._matches.clock()
        proposed = self._change(
            id, lambda book: book.propose(new_id(), seat, match.line, newest.rules, newest.data, needs, reason, at)
        )
        return self._go_by(match, proposed)

    def vote_upgrade(self, who: str, id: str, proposal: str, seat: str, agrees: bool) -> Upgrade:
        """A seat's consent or refusal; the last consent needed adopts the rules by an event."""
        match = self._voter(who, id, seat)
        return self._go_by(match, self._change(id, lambda book: book.vote_upgrade(proposal, seat, agrees, self._matches.clock())))

    def withdraw_upgrade(self, who: str, id: str, proposal: str, seat: str) -> Upgrade:
        match, at = self._voter(who, id, seat), self._matches.clock()

        def verb(book: Docket) -> Upgrade:
            if book.open_upgrade(proposal, at).proposed.by != seat:
                raise Refused("L7", "only whoever proposed it may withdraw a proposal")
            return book.close_upgrade(proposal, "withdrawn", 0, at)

        return self._change(match.id, verb)

    def _newest(self, match: Match) -> Title:
        newest = self._matches.titles.get(match.title)
        if self._log(match).rules_in_force() == (newest.rules, newest.data):
            raise Refused("", "the match goes by the newest rules and data already")
        return newest

    def _go_by(self, match: Match, proposal: Upgrade) -> Upgrade:
        asked = proposal.proposed
        if proposal.agreed and proposal.closed is None:
            newest, at = self._newest(match), self._matches.clock()
            if (newest.rules, newest.data) != (asked.rules, asked.data):
                raise Refused("", f"rules {asked.rules} are not the newest any more: propose rules {newest.rules}")
            version = self._matches.go_by(match.line, newest, at)
            self._change(match.id, lambda book: book.close_upgrade(asked.id, "adopted", version, at))
            self._matches.drive(match.id)
        return self._load(match.id).upgrades[asked.id]

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


def _written(ops: Sequence[Any]) -> list[Op]:
    """Ops as an arbiter writes them."""
    try:
        return [msgspec.convert(op, Move | Set | Reorder) for op in ops]
    except msgspec.ValidationError as wrong:
        raise Refused(
            "", f'a correction is a list of ops like ["s", register, old, new] or ["m", item, from, to]: {wrong}'
        ) from None
