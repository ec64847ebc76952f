"""The application service: every entrance (API, pages, mail, terminal) plays through here.

Who may do what is decided here (docs/who-may-what.md); what the rules allow is decided by the log. Whoever may not know of a
thing gets the answer for things that do not exist.
"""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple, TypeVar

import structlog

from domain import games
from domain.bots import SEATED, random_legal
from domain.kernel import redact
from domain.kernel.ask import Ask
from domain.kernel.errors import ChanceryError, NotFound, Refused, RulesCrashed, Stale
from domain.kernel.event import SEALED, UNDONE, Event
from domain.kernel.ops import Op
from domain.kernel.run import Run
from domain.kernel.schema import ARBITER, SPECTATOR
from domain.kernel.title import Title
from domain.log import LATEST, Line, Log, Store
from domain.log import Match as Kept
from domain.match import BOT, FINISHED, GAME_MASTER, OPEN, PLAYER, RUNNING, Forbidden, Invited, Match, Policy, nonces
from domain.match import SPECTATOR as WATCHER
from domain.whatif import suppose_line
from service.accounts import Accounts
from service.branches import Branches
from service.database import Database
from service.live import Feed
from service.looks import CHUNK, Bench, Look, Shelf
from service.metrics import CONFLICTS
from service.pacts import Pacts
from service.register import TRIES, Busy, LookedAt, Register
from service.titles import Titles

LATE = "late"  # why the house rules call for a substitute
BOT_ANSWERS = 200
BOT_SECONDS = 2.0
MOST_BRANCHES = 2_000
LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # none that look alike

T = TypeVar("T")
logger = structlog.get_logger(__name__)


class KeyReused(ChanceryError):
    """An idempotency key came back with another request."""


class Decided(NamedTuple):
    """A decision as it is stored: the version after it, and what its seat may see of it and of what followed up to the next question."""

    version: int
    events: list[Event]
    replayed: bool = False


def now() -> int:
    return int(time.time() * 1000)


def luck_of_its_own() -> Random:
    """Luck that nobody can know beforehand."""
    return Random(secrets.randbits(128))


def new_id(n: int = 10) -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(n))


class Matches:
    """Open, join, start, look, decide, undo, fork."""

    def __init__(
        self,
        store: Store,
        database: Database,
        key: bytes,
        *,
        titles: Titles = games,
        clock: Callable[[], int] = now,
        feed: Feed | None = None,
        accounts: Accounts | None = None,
        views: Any = None,
        bot_seconds: float = BOT_SECONDS,
    ) -> None:
        self.store, self.titles, self.clock, self.views = store, titles, clock, views
        self.register = Register(database)
        self.branches = Branches(database)
        self.accounts = accounts or Accounts(database, key, clock)
        self.feed = feed or Feed()
        self._key = hmac.digest(key, b"requests", "sha256")
        self._bot_seconds = bot_seconds
        self._shelf = Shelf(store, titles)
        self.pacts = Pacts(self, database, key)

    # -- the life of a match ---------------------------------------------------------------------

    def open(
        self,
        who: str,
        title: str,
        *,
        players: int,
        name: str = "",
        options: dict[str, Any] | None = None,
        policy: Policy | None = None,
    ) -> Match:
        """A new match; whoever opens it is its game master."""
        match = Match.open(
            new_id(),
            self.titles.get(title),
            players=players,
            host=who,
            seed=secrets.token_bytes(32),
            at=self.clock(),
            name=name,
            options=options,
            policy=policy,
        )
        self.register.add(match)
        return match

    def see(self, who: str, id: str) -> Match:
        """A match, for somebody who may know of it."""
        match = self.register.load(id)
        if not match.roles(who):
            raise NotFound(f"there is no match {id!r}")
        return match

    def _change(self, id: str, verb: Callable[[Match], T]) -> tuple[Match, T]:
        match, result = self.register.change(id, verb)
        self.tell(match)
        return match, result

    def _as_master(self, who: str, id: str, verb: Callable[[Match], T]) -> tuple[Match, T]:
        """Change a match as only its game master may."""

        def checked(match: Match) -> T:
            master(who, match)
            return verb(match)

        return self._change(id, checked)

    def tell(self, match: Match) -> None:
        """Wake everybody who waits for news of a match."""
        people = {match.host, *(match.holder(seat) for seat in match.seats)}
        self.feed.publish(match.id, *(f"@{account}" for account in sorted(people) if account and not account.startswith(BOT)))

    def invite(self, who: str, id: str, *, role: str = PLAYER, seat: str = "", note: str = "") -> tuple[Invited, str]:
        """An invitation and the signed link that stands for it."""
        invitation = new_id()
        match, _ = self._as_master(
            who, id, lambda match: match.invite(invitation, role=role, seat=seat, note=note, at=self.clock())
        )
        return match.invitations[invitation], self.accounts.invitation_link(id, invitation)

    def invitations(self, who: str, id: str) -> list[Invited]:
        match = self.register.load(id)
        master(who, match)
        return list(match.invitations.values())

    def withdraw(self, who: str, id: str, invitation: str) -> None:
        self._as_master(who, id, lambda match: match.withdraw(invitation, self.clock()))

    def join(self, who: str, id: str, *, seat: str = "", nonce: str = "", link: str = "") -> tuple[Match, str]:
        """Take a free seat, take over a running one by invitation, or a place among invited spectators; gives the seat taken."""
        invitation = self._brought(id, link)

        def verb(match: Match) -> str:
            invited = match.invitations.get(invitation)
            if not match.roles(who) and invited is None and match.policy.seating == "invited":
                raise NotFound(f"there is no match {id!r}")
            if invited is not None and invited.role == WATCHER:
                match.watch(who, invitation, self.clock())
                return ""
            called = seat or next(iter(match.calls), "")
            if invited is not None and match.state == RUNNING:
                at = self._bench(match).log.head
                match.substitute(invited.seat, who, version=at, invitation=invitation, reason="invited", at=self.clock())
                return invited.seat
            if invited is None and called in match.calls and match.policy.seating == "open":
                at = self._bench(match).log.head
                match.substitute(called, who, version=at, reason="came at the call", at=self.clock())
                return called
            return match.join(who, seat=seat, nonce=nonce or secrets.token_hex(16), invitation=invitation, at=self.clock())

        return self._change(id, verb)

    def _brought(self, id: str, link: str) -> str:
        """The invitation a link stands for: the link of another match is none."""
        if not link:
            return ""
        found = self.accounts.invitation(link)
        if found is None or found[0] != id:
            raise Refused("", "this invitation is not valid: ask for a new one")
        return found[1]

    def leave(self, who: str, id: str) -> Match:
        """Give a seat up before the game starts."""
        self.see(who, id)
        return self._change(id, lambda match: match.leave(who, self.clock()))[0]

    def seat_bot(self, who: str, id: str, seat: str, policy: str = "greedy") -> Match:
        """Let a bot play a free seat; on a running match, take a seat over."""
        if policy not in SEATED:
            raise Refused("", f"there is no bot {policy!r}", legal=sorted(SEATED))

        def verb(match: Match) -> None:
            if match.state == RUNNING:
                at = self._bench(match).log.head
                match.substitute(seat, BOT + policy, version=at, reason="left to a bot", at=self.clock())
            else:
                match.seat_bot(seat, policy, secrets.token_hex(16), self.clock())

        match, _ = self._as_master(who, id, verb)
        self.drive(id)
        return match

    def call(self, who: str, id: str, seat: str, reason: str = "") -> Match:
        """Open a seat for a substitute: whoever may join a match may then take it."""
        return self._as_master(who, id, lambda match: match.call(seat, reason, self.clock()))[0]

    def end_call(self, who: str, id: str, seat: str) -> Match:
        return self._as_master(who, id, lambda match: match.end_call(seat, self.clock()))[0]

    def call_for_late(self, id: str, seat: str) -> Match:
        """The house rules call for a substitute: for our own use."""
        return self._change(id, lambda match: match.call(seat, LATE, self.clock()))[0]

    def end_late_call(self, id: str, seat: str) -> Match:
        """Its holder is back."""
        return self._change(id, lambda match: match.end_call(seat, self.clock()))[0]

    def start(self, who: str, id: str) -> Match:
        """Begin: the seed was chosen when the match was opened, the nonces came with the players."""
        match, _ = self._as_master(who, id, lambda match: match.start(self.clock()))
        self._bench(match)
        self.drive(id)
        return self.register.load(id)

    def cancel(self, who: str, id: str, reason: str = "") -> Match:
        return self._as_master(who, id, lambda match: match.cancel(reason, self.clock()))[0]

    def adopt(self, id: str, line: str, reason: str) -> Match:
        """Go on on another line of the match. Whether everybody agreed is for the caller to know."""
        if self.store.line(line).match != id:
            raise NotFound(f"there is no line {line!r}")
        match, _ = self._change(id, lambda match: match.adopt(line, reason, self.clock()))
        self.drive(id)
        return match

    # -- logs ------------------------------------------------------------------------------------

    def _bench(self, match: Match, line: str = "") -> Bench:
        """The log of a line; that a match has started is enough for its first one to be laid."""
        line = line or match.line
        try:
            return self._shelf.take(line)
        except NotFound:
            if line != match.id or not match.begun:
                raise NotFound(f"there is no line {line!r}") from None
        self._lay(match)
        return self._shelf.take(line)

    def _lay(self, match: Match) -> None:
        """Create the log once: a start that broke off, or two at the same moment, give the same log."""
        kept = Kept(id=match.id, title=match.title, seed=match.seed, made=self.clock(), name=match.name)
        try:
            title = self.titles.get(match.title)
            Log.create(self.store, title, kept, seats=match.seats, options=match.options, nonces=nonces(match))
        except (Refused, Stale):
            if not self.store.head(match.id):
                raise

    # -- looking ---------------------------------------------------------------------------------

    def viewers(self, who: str, match: Match, line: Line | None = None) -> list[str]:
        """Through whose eyes somebody may look, the usual one first; in a supposed world, which holds no secrets, through all."""
        roles = match.roles(who)
        if not roles:
            return []
        own = match.seats_of(who)
        if line is not None and (supposed := self.supposed(line)) and self._may_see(who, match, line):
            return [supposed, SPECTATOR, *(seat for seat in match.seats if seat != supposed), ARBITER]
        sees_all = GAME_MASTER in roles and match.policy.game_master == "everything"
        if sees_all or (match.state == FINISHED and match.policy.afterwards == "shown"):
            return [*own, SPECTATOR, *(seat for seat in match.seats if seat not in own), ARBITER]
        return [*own, SPECTATOR]

    def supposed(self, line: Line) -> str:
        """The seat from whose knowledge a line starts, or the line it branches off; empty where it holds the true table."""
        while line.parent and not line.imagined:
            line = self.store.line(line.parent)
        return line.imagined

    def look(
        self, who: str, id: str, viewer: str = "", line: str = "", *, what: str = "", note: bool = True, match: Match | None = None
    ) -> Look:
        """A look at a line through the eyes of a seat, the public or (where allowed) the arbiter; `match` where it is at hand."""
        match = match or self.register.load(id)
        if not self.viewers(who, match):
            raise NotFound(f"there is no match {id!r}")
        if not match.begun:
            raise NotFound("the game has not started")
        bench = self._bench(match, line)
        if not self._may_see(who, match, bench.log.line):
            raise NotFound(f"there is no line {line!r}")
        allowed = self.viewers(who, match, bench.log.line)
        viewer = viewer or allowed[0]
        if viewer not in allowed:
            raise NotFound(f"there is no viewer {viewer!r}")
        look = Look(bench, match, bench.log.line, viewer, self._upto(match, match.roles(who), bench))
        if (
            note
            and match.state != FINISHED
            and viewer != SPECTATOR
            and viewer not in match.seats_of(who)
            and not self.supposed(look.line)
        ):
            self.register.note_look(id, new_id(16), LookedAt(self.clock(), who, viewer, what, look.line.id, look.head))
        return look

    def _may_see(self, who: str, match: Match, line: Line) -> bool:
        """A branch of a running game is its maker's, and those with whom it is shared: played out, it may show what others hold."""
        if line.match != match.id:
            return False
        if line.id in match.lines or (who and line.by == who):
            return True
        if match.state == FINISHED and match.policy.afterwards == "shown":
            return True
        return bool(who) and who in self.branches.about(line.id).guests

    def _upto(self, match: Match, roles: Sequence[str], bench: Bench) -> int:
        """How far somebody may see: mere spectators of a running game are held back by the delay."""
        if not match.policy.delay or roles != [WATCHER] or match.state == FINISHED:
            return LATEST
        until = self.clock() - match.policy.delay * 1000
        upto = bench.log.head
        while upto > 0:
            for item in reversed(bench.log.raw(max(0, upto - CHUNK), upto)):
                if item.at <= until:
                    return item.version
            upto -= CHUNK
        return 0

    def looks(self, who: str, id: str) -> list[LookedAt]:
        """The privileged looks at a match, for its players and game master."""
        if not {PLAYER, GAME_MASTER} & set(self.see(who, id).roles(who)):
            raise Forbidden("the record of looks is for the players and the game master")
        return self.register.looks(id)

    # -- deciding --------------------------------------------------------------------------------

    def decide(
        self,
        who: str,
        id: str,
        seat: str,
        key: str,
        answer: Any,
        *,
        expect: int | None = None,
        once: str = "",
        line: str = "",
        via: str = "api",
    ) -> Decided:
        """Answer a question. With `once`, the same request is carried out at most once, however often it arrives."""

        def act(log: Log, cause: str) -> list[Event]:
            self.pacts.hold_to(log, seat, key, answer)
            return log.decide(seat, key, answer, at=self.clock(), cause=cause)

        def same(first: Event) -> bool:
            return (first.seat, first.ask) == (seat, key) and _equal(first.answer, answer)

        return self._write(who, id, seat, act, same, expect=expect, once=once, line=line, via=via)

    def check(self, who: str, id: str, seat: str, key: str, answer: Any, *, expect: int | None = None, line: str = "") -> int:
        """A dry run: the version it would answer, or the refusal. What would come of it is not told: dice and secrets decide that."""
        bench = self._playable(who, self.see(who, id), seat, line)
        with bench.lock:
            version = bench.log.version
            _unchanged(bench, seat, expect, version)
            bench.log.run.check(seat, key, answer)
            self.pacts.hold_to(bench.log, seat, key, answer)
            return version

    def undo(
        self, who: str, id: str, seat: str, *, expect: int | None = None, once: str = "", line: str = "", via: str = "api"
    ) -> Decided:
        """Take the seat's last decision back, if nobody learnt anything by it."""
        match = self.see(who, id)
        self._playable(who, match, seat, line)
        if match.policy.undo == "never" and line in ("", match.line):
            raise Forbidden("nothing is taken back in this match")

        def act(log: Log, cause: str) -> list[Event]:
            return log.undo(seat, at=self.clock(), cause=cause)

        def same(first: Event) -> bool:
            return (first.kind, first.seat) == (UNDONE, seat)

        return self._write(who, id, seat, act, same, expect=expect, once=once, line=line, via=via)

    def _write(
        self,
        who: str,
        id: str,
        seat: str,
        act: Callable[[Log, str], list[Event]],
        same: Callable[[Event], bool],
        *,
        expect: int | None,
        once: str,
        line: str,
        via: str,
    ) -> Decided:
        """Carry a request out once: check that its question still stands, act, and start over if somebody else was first."""
        match = self.see(who, id)
        for _ in range(TRIES):
            bench = self._playable(who, match, seat, line)
            with bench.lock:
                cause = self._cause(via, who, bench.log.line.id, once)
                done = bench.made(cause) if once else None
                if done is not None:
                    events = bench.group(done)
                    if not same(events[0]):
                        raise KeyReused("this idempotency key was used for another request: use a new one")
                    return Decided(events[-1].version, _seen(bench.log, events, seat), replayed=True)
                _unchanged(bench, seat, expect, bench.log.version)
                try:
                    events = act(bench.log, cause)
                except Stale:
                    CONFLICTS.inc()
                    continue
                except Refused:
                    raise
                except BaseException:
                    self._shelf.forget(bench.log.line.id)  # its run may be ahead of what is stored
                    raise
            self.tell(match)
            if bench.log.line.id == match.line:
                self.drive(id)
            else:
                self.drive_branch(match, bench.log.line.id)
            return Decided(events[-1].version, _seen(bench.log, events, seat))
        raise Busy("others wrote at the same moment, again and again; read the game again, then decide")

    def _cause(self, via: str, who: str, line: str, once: str) -> str:
        """Where a decision came from; with a key, a mark that tells only us whose request it was."""
        if not once:
            return via
        mark = hmac.digest(self._key, "\0".join((who, line, once)).encode(), "sha256")
        return f"{via}#{mark[:16].hex()}"

    def _playable(self, who: str, match: Match, seat: str, line: str) -> Bench:
        """The line to write on, for somebody who may: the seat's holder, or the maker of a branch of their own."""
        line = line or match.line
        if line in match.lines:
            if seat not in match.seats_of(who):
                raise NotFound(f"there is no seat {seat!r}")
            if match.state not in (RUNNING, FINISHED):
                raise Refused("", "the game has not started" if match.state == OPEN else f"the match is {match.state}")
            if line != match.line:
                raise Refused("", "the match goes on on another line", legal=[match.line])
            return self._bench(match)
        bench = self._bench(match, line)
        if bench.log.line.match != match.id or not self.plays(who, bench.log.line) or seat not in match.seats:
            raise NotFound(f"there is no line {line!r}")
        return bench

    def plays(self, who: str, line: Line) -> bool:
        """Whether a branch is somebody's to play on: their own, or one that is shared to be played on together."""
        return bool(who) and (line.by == who or self.branches.about(line.id).guests.get(who, False))

    # -- lines -----------------------------------------------------------------------------------

    def lines(self, who: str, id: str) -> list[Line]:
        """The lines of a match that somebody may know of."""
        match = self.see(who, id)
        return [line for line in self.store.lines(id) if self._may_see(who, match, line)] if match.begun else []

    def heads(self, who: str, id: str, lines: Sequence[Line]) -> dict[str, int]:
        """The newest version of each line, as far as somebody may see it."""
        match, newest = self.see(who, id), self.branches.heads(id)
        found = {line.id: max(line.at, newest.get(line.id, 0)) for line in lines}
        held_back = {line.id: self.look(who, id, SPECTATOR, line.id, match=match).head for line in lines if match.policy.delay}
        return {**found, **held_back}

    def fork(self, who: str, id: str, *, version: int | None = None, line: str = "", viewer: str = "", reason: str = "") -> Line:
        """A branch of one's own to try things on."""

        def act(log: Log, at: int, seat: str, made: dict[str, Any]) -> Log:
            if seat:
                return suppose_line(log, new_id(), at, seat, luck_of_its_own(), **made)
            return log.fork(new_id(), at, **made)

        return self.grow(who, id, act, version=version, line=line, viewer=viewer, reason=reason).line

    def grow(
        self,
        who: str,
        id: str,
        act: Callable[[Log, int, str, dict[str, Any]], T],
        *,
        version: int | None = None,
        line: str = "",
        viewer: str = "",
        reason: str = "",
    ) -> T:
        """Make a branch; `act` gets the log, the version, whose knowledge to start from, and what a new line is told about itself."""
        if self.branches.count(id) >= MOST_BRANCHES and sum(one.by == who for one in self.store.lines(id)) >= MOST_BRANCHES:
            raise Refused("", f"you have {MOST_BRANCHES} branches of this match already")
        made = self.peer(who, id, act, version=version, line=line, viewer=viewer, reason=reason)
        self.feed.publish(id)
        return made

    def peer(
        self,
        who: str,
        id: str,
        act: Callable[[Log, int, str, dict[str, Any]], T],
        *,
        version: int | None = None,
        line: str = "",
        viewer: str = "",
        reason: str = "",
    ) -> T:
        """Think about a moment: of the true table for those who may see everything anyway, else from what a seat of theirs knows."""
        match = self.see(who, id)
        own = match.seats_of(who)
        bench = self._bench(match, line) if match.begun else None
        whole = bench is not None and ARBITER in self.viewers(who, match, bench.log.line)
        seat = "" if whole or not own else viewer if viewer in own else own[0]
        look = self.look(who, id, ARBITER if whole else seat, line, match=match, what="branch")
        if not who or not (whole or seat):
            raise Forbidden("a running game is branched by those who play it, from what they know, and a finished one by anybody")
        assert bench is not None
        with bench.lock:
            return act(bench.log, look.known(version), seat, {"by": who, "reason": reason, "at": self.clock()})

    # -- for the court ---------------------------------------------------------------------------

    def open_log(self, line: str) -> Log:
        """A line's log, whoever asks: for our own use."""
        return self._shelf.take(line).log

    def record_ruling(self, line: str, ruling: dict[str, Any], ops: Sequence[Op], at: int, **more: Any) -> int:
        """Write a ruling into the log of a line; gives its version."""
        return self._written(line, lambda log: log.rule(ruling, ops, at=at, cause="ruling", **more))

    def go_by(self, line: str, title: Title, at: int) -> int:
        """Go on under other rules, as the table agreed to, even if something has to be decided again; gives the version."""
        version = self._written(line, lambda log: log.upgrade(title, at=at, cause="agreed", anew=True))
        self._shelf.forget(line)  # so that the rules now in force are looked up
        return version

    def _written(self, line: str, write: Callable[[Log], list[Event]]) -> int:
        bench = self._shelf.take(line)
        with bench.lock:
            try:
                return write(bench.log)[-1].version
            except BaseException:
                self._shelf.forget(line)
                raise

    # -- bots ------------------------------------------------------------------------------------

    def drive(self, id: str) -> int:
        """Let the bots answer until a person is asked, within bounds, and note the end of the game; how many answers they gave."""
        match = self.register.load(id)
        if match.state != RUNNING:
            return 0
        answered = self._let_bots_answer(match, self._bench(match), match.bots)
        bench = self._bench(match)
        with bench.lock:
            if bench.log.run.over:
                self._finish(id, bench.log.version)
        return answered

    def drive_branch(self, match: Match, line: str) -> int:
        """Let the bots of a branch answer until it is somebody else's turn."""
        bots = self.branches.about(line).bots
        return self._let_bots_answer(match, self._bench(match, line), bots) if bots else 0

    def _let_bots_answer(self, match: Match, bench: Bench, bots: Mapping[str, str]) -> int:
        answered, until = 0, time.monotonic() + self._bot_seconds
        while answered < BOT_ANSWERS and time.monotonic() < until:
            with bench.lock:
                if bench.log.run.over:
                    break
                ask = _for_bots(bots, bench.log.run)
                bound = bench.log.line.id == match.line and self._answer_by_treaty(bench, match)
                if not bound and (ask is None or not self._answer_for_bot(bench, bots[ask.seat], ask)):
                    break
            answered += 1
            self.tell(match)
        return answered

    def waits_for_bots(self, id: str) -> bool:
        """Whether `drive` has something left to do."""
        match = self.register.load(id)
        if match.state != RUNNING:
            return False
        bench = self._bench(match)
        with bench.lock:
            return bench.log.run.over or _for_bots(match.bots, bench.log.run) is not None

    def _finish(self, id: str, version: int) -> None:
        self._change(id, lambda match: match.finish(version, self.clock()))

    def _answer_by_treaty(self, bench: Bench, match: Match) -> bool:
        """Let a treaty answer what the rules ask."""
        owed = self.pacts.owed(bench.log)
        if owed is None:
            return False
        try:
            bench.log.decide(owed.ask.seat, owed.ask.key, owed.answer, at=self.clock(), cause="treaty")
        except Stale:
            return True  # somebody else wrote: look again
        except (Refused, RulesCrashed) as failed:
            logger.error("treaty not carried out", match=match.id, seat=owed.ask.seat, error=type(failed).__name__)
            return False
        except BaseException:
            self._shelf.forget(bench.log.line.id)
            raise
        return True

    def _answer_for_bot(self, bench: Bench, policy: str, ask: Ask) -> bool:
        log = bench.log
        # The bot's luck follows from the seed too, so that a game against bots can be played again exactly.
        luck = f"bot\0{log.line.id}\0{log.version}\0{ask.seat}".encode()
        rng = Random(hmac.digest(log.match.seed, luck, "sha256"))
        for think in (SEATED.get(policy, random_legal), random_legal, random_legal, self._lawful(log)):
            try:
                answer = think(log.run, ask, rng)
                self.pacts.hold_to(log, ask.seat, ask.key, answer)
                log.decide(ask.seat, ask.key, answer, at=self.clock(), cause="bot")
                return True
            except Stale:
                return True  # somebody else wrote: look again
            except (Refused, RulesCrashed) as failed:
                logger.error("bot failed", match=log.match.id, version=log.version, seat=ask.seat, error=type(failed).__name__)
            except BaseException:
                self._shelf.forget(log.line.id)
                raise
        return False

    def _lawful(self, log: Log) -> Callable[[Run, Ask, Random], Any]:
        """What a bot does that treaties keep from what it would do."""
        return lambda run, ask, rng: next(iter(self.pacts.lawful(log, ask)), None)


def _seen(log: Log, events: Sequence[Event], seat: str) -> list[Event]:
    return [redact.event(log.schema, event, seat) for event in events]


def master(who: str, match: Match) -> None:
    """Only the game master passes; strangers do not learn that there is something to pass."""
    roles = match.roles(who)
    if not roles:
        raise NotFound(f"there is no match {match.id!r}")
    if GAME_MASTER not in roles:
        raise Forbidden("only the game master may do that")


def _unchanged(bench: Bench, seat: str, expect: int | None, version: int) -> None:
    """Whether the question is still the one that was seen: sealed answers of others do not change it."""
    if expect is None or expect == version:
        return
    since = bench.log.raw(expect, version) if 0 < expect < version else []
    if not since or any(item.kind != SEALED or item.seat == seat for item in since):
        raise Stale(expect, version)


def _for_bots(bots: Mapping[str, str], run: Run) -> Ask | None:
    """The next question a bot has to answer; an offer only where nobody but bots could take one."""
    for ask in run.asks:
        if ask.seat in bots:
            return ask
    if not run.asks and run.offers and all(ask.seat in bots for ask in run.offers):
        return run.offers[0]
    return None


def _equal(left: Any, right: Any) -> bool:
    """Equal as JSON: 1 is not true."""
    if type(left) is list and type(right) is list:
        return len(left) == len(right) and all(map(_equal, left, right))
    return type(left) is type(right) and bool(left == right)
