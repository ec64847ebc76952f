"""Treaties between the seats of a match: who may offer, answer, claim and see what, and binding clauses at work.

Every entrance (API, pages, mail) makes treaties here. What the rules themselves bind is carried out by answering the rules' own
questions, and an answer against it is refused, whichever way it comes.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from domain import clauses, observance
from domain.kernel import redact
from domain.kernel.ask import Ask
from domain.kernel.errors import NotFound, Refused
from domain.kernel.schema import SPECTATOR
from domain.kernel.table import Table
from domain.kernel.title import Title
from domain.log import Log
from domain.match import BOT, RUNNING, Match
from domain.observance import BROKEN, KEPT, OVER, Bound, Happened
from domain.treaties import AGREED, OFFERED, Clause, Treaties, Treaty, kinds
from service.database import Database
from service.looks import Look
from service.mail.facts import Facts

if TYPE_CHECKING:
    from service.matches import Matches

LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # none that look alike
NAME = 5
MOST_COURSES = 500

T = TypeVar("T")


class Owed(NamedTuple):
    """An answer that a treaty gives for its seat."""

    ask: Ask
    answer: Any


class Pacts:
    """Offer, answer, claim, look; and keep everybody to what the rules bind."""

    def __init__(self, matches: Matches, database: Database, key: bytes) -> None:
        self._matches, self.facts = matches, Facts(database)
        self._key = hmac.digest(key, b"treaties", "sha256")
        self._courses: dict[tuple[str, str], tuple[int, bool, list[Happened]]] = {}

    # -- looking ---------------------------------------------------------------------------------

    def listed(self, look: Look, who: str) -> list[dict[str, Any]]:
        """Every treaty that somebody may know of, oldest first: private ones only for the holder of a party's seat."""
        if look.line.id not in look.match.lines:
            return []  # nobody agreed on anything on a branch
        viewer = look.viewer if look.viewer in look.match.seats_of(who) else SPECTATOR
        at = self._matches.clock()
        upto = at - look.match.policy.delay * 1000 if look.delayed else at
        found = self.facts.load(Treaties, look.match.id).seen_by(viewer)
        log = self._matches.open_log(look.line.id)
        return [
            self._shown(look, log, one, one.state(at), viewer in one.parties, upto)
            for one in found
            if viewer in one.parties or (one.agreed is not None and one.agreed.at <= upto)
        ]

    def _shown(self, look: Look, log: Log, one: Treaty, state: str, party: bool, upto: int) -> dict[str, Any]:
        title = look.title
        course = [happened for happened in self.course(log, one) if happened.version <= look.head]
        claims = [claim for claim in one.claims if party or claim.at <= upto]
        closed = one.closed if one.closed is not None and (party or one.closed.at <= upto) else None
        return {
            "id": one.id,
            "state": standing(title, one, course) if state == AGREED or closed is None else state,
            "secret": one.offered.secret,
            "public": one.public,
            "parties": one.parties,
            "clauses": [_clause(title, clause, [one for one in course if one.clause == n]) for n, clause in enumerate(one.clauses)],
            "agreed": {"version": one.agreed.version, "at": one.agreed.at} if one.agreed else None,
            "closed": {"how": closed.how, "by": closed.by, "why": closed.why, "at": closed.at} if closed else None,
            "claims": [
                {"clause": claim.clause + 1, "by": claim.by, "text": claim.text, "version": claim.version, "at": claim.at}
                for claim in claims
            ],
            "offer": {
                "by": one.offered.seat,
                "at": one.offered.at,
                "until": one.offered.until,
                "answers": one.offered.answers,
                "accepted": one.accepted,
                "released": one.released,
            }
            if party
            else None,
        }

    def course(self, log: Log, treaty: Treaty) -> list[Happened]:
        """What became of a treaty; worked out again only when the game went on."""
        key, stamp = (log.line.id, f"{log.match.id} {treaty.id}"), (log.head, treaty.closed is not None)
        known = self._courses.get(key)
        if known is None or known[:2] != stamp:
            if len(self._courses) >= MOST_COURSES:
                self._courses.clear()
            known = self._courses[key] = (*stamp, observance.follow(log.title, log, treaty))
        return known[2]

    def described(self, look: Look, by: str, to: str) -> dict[str, Any]:
        """The kinds of clauses there are, with what each leaves open on the table as it is."""
        seats = look.match.seats
        if by not in seats or to not in seats:
            raise NotFound("there is no such seat")
        table = self._matches.open_log(look.line.id).table(SPECTATOR, look.head)
        return {**clauses.describe(look.title, table, by, to), "examples": clauses.examples(look.title, [by, to])}

    # -- making ----------------------------------------------------------------------------------

    def offer(
        self,
        who: str,
        id: str,
        seat: str,
        text: str = "",
        given: Sequence[Clause] = (),
        *,
        secret: bool = False,
        hours: int = 0,
        answers: str = "",
        once: str = "",
    ) -> Treaty:
        """Offer a bundle of clauses, in words or as data; with `answers`, instead of an offer of somebody else."""
        match = self._player(who, id, seat)
        log = self._matches.open_log(match.line)
        table, title, at = log.table(SPECTATOR), log.title, self._matches.clock()
        if text:
            said = clauses.read(title, table, match.seats, text)
            given, secret, hours = said.clauses, secret or said.secret, said.hours or hours
        clauses.check(title, table, match.seats, given, secret=secret)
        for other in {name for clause in given for name in (clause.by, clause.to)}:
            if match.holder(other).startswith(BOT):
                raise Refused("", f"a bot sits as {other}, and bots make no treaties")

        def verb(book: Treaties) -> Treaty:
            book.lapse(at)
            return book.offer(
                self._name(book, seat),
                seat,
                given,
                seats=match.seats,
                at=at,
                secret=secret,
                hours=hours,
                answers=answers,
                source=once,
            )

        return self._changed(match, verb)

    def _name(self, book: Treaties, seat: str) -> str:
        """A name that tells nobody how many offers others have made: it follows from our key and the seat's own offers."""
        for number in range(sum(one.offered.seat == seat for one in book.all.values()), 10_000):
            digest = hmac.digest(self._key, f"{book.match}\0{seat}\0{number}".encode(), "sha256")
            name = "".join(LETTERS[byte % len(LETTERS)] for byte in digest[:NAME])
            if name not in book.all:
                return name
        raise Refused("", "this match has offers enough")

    def accept(self, who: str, id: str, treaty: str, seat: str) -> Treaty:
        """Consent; the last party's puts it in force, and what can be carried out at once is."""
        match = self._player(who, id, seat)
        log, at = self._matches.open_log(match.line), self._matches.clock()
        table = log.table(SPECTATOR)

        def possible(one: Treaty) -> str | None:
            return clauses.impossible(log.title, table, one)

        one = self._changed(
            match, lambda book: book.accept(treaty, seat, possible=possible, line=match.line, version=log.head, at=at)
        )
        if one.agreed is not None:
            self._matches.drive(id)
        return one

    def refuse(self, who: str, id: str, treaty: str, seat: str, why: str = "") -> Treaty:
        match, at = self._player(who, id, seat), self._matches.clock()
        return self._changed(match, lambda book: book.refuse(treaty, seat, at, why))

    def withdraw(self, who: str, id: str, treaty: str, seat: str) -> Treaty:
        """Take an offer back, or agree that a treaty ends."""
        match, at = self._player(who, id, seat), self._matches.clock()
        return self._changed(match, lambda book: book.withdraw(treaty, seat, at))

    def claim(self, who: str, id: str, treaty: str, seat: str, clause: int, text: str) -> Treaty:
        """Say that a clause was broken: the first is number 1."""
        match, at = self._player(who, id, seat, running=False), self._matches.clock()
        version = self._matches.open_log(match.line).head
        return self._changed(match, lambda book: book.claim(treaty, seat, clause - 1, text, version, at))

    def _player(self, who: str, id: str, seat: str, *, running: bool = True) -> Match:
        match = self._matches.see(who, id)
        if seat not in match.seats_of(who):
            raise NotFound(f"there is no seat {seat!r}")
        if not match.begun or (running and match.state != RUNNING):
            raise Refused("", "the game has not started" if not match.begun else f"the match is {match.state}")
        return match

    def _changed(self, match: Match, verb: Callable[[Treaties], Treaty]) -> Treaty:
        """Change the treaties, and wake those who may know: a private offer makes no sound elsewhere."""
        one = self.facts.change(Treaties, match.id, verb)
        if one.public:
            self._matches.tell(match)
        else:
            self._matches.feed.publish(*(f"@{match.holder(seat)}" for seat in one.parties))
        return one

    # -- binding clauses at work -----------------------------------------------------------------

    def hold_to(self, log: Log, seat: str, key: str, answer: Any) -> None:
        """Refuse an answer that would break what the rules bind."""
        if pledges := self._pledges(log, seat):
            observance.hold_to(_public(log), pledges, log.run.question(seat, key), answer)

    def owed(self, log: Log) -> Owed | None:
        """The next question that a treaty answers."""
        pledges = self._pledges(log)
        for ask in log.run.asks if pledges else ():
            mine = [pledge for pledge in pledges if ask.seat in pledge.treaty.parties]
            found = observance.owed(_public(log), mine, ask) if mine else None
            if found is not None:
                return Owed(ask, found[0])
        return None

    def lawful(self, log: Log, ask: Ask) -> list[Any]:
        """An answer for a bot that breaks no treaty of its seat."""
        return observance.lawful(_public(log), self._pledges(log, ask.seat), ask)

    def _pledges(self, log: Log, seat: str = "") -> list[Bound]:
        """The binding clauses that count now, of a seat or of all; on a branch nobody is bound."""
        if not any(kind.binding for kind in log.title.clauses.values()):
            return []
        found = [one for one in self.facts.load(Treaties, log.match.id).in_force() if not seat or seat in one.parties]
        if not found or self._matches.register.load(log.match.id).line != log.line.id:
            return []
        return observance.bound(log.title, _public(log), found, lambda one: self.course(log, one))


def _public(log: Log) -> Table:
    return redact.table(log.run.table, SPECTATOR)


def standing(title: Title, one: Treaty, course: Sequence[Happened]) -> str:
    """How a treaty stands: an offer, in force, broken, over, or however it ended."""
    if one.agreed is None:
        return OFFERED
    if any(happened.what == BROKEN for happened in course):
        return BROKEN
    return OVER if {happened.clause for happened in course if happened.what == OVER} == set(range(len(one.clauses))) else AGREED


def _clause(title: Title, clause: Clause, course: Sequence[Happened]) -> dict[str, Any]:
    kind = kinds(title)[clause.kind]
    whats = [happened.what for happened in course]
    return {
        "kind": clause.kind,
        "by": clause.by,
        "to": clause.to,
        "given": clause.given,
        "terms": [{"name": term.name, "given": term.given} for term in clause.terms],
        "mutual": kind.mutual,
        "binding": kind.binding,
        "rule": kind.cite,
        "text": clauses.say(title, clause),
        "sentence": clauses.tell(title, clause),
        "status": next((what for what in (BROKEN, OVER, KEPT) if what in whats), ""),
        "course": [{"what": one.what, "version": one.version, "at": one.at} for one in course],
    }
