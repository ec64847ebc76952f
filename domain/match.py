"""The life of a match around its game: who was asked, who sits where since when, who may watch, how it began and ended.

Facts, then fold, then decide. The game itself is in the log; here is everything the rules of the game do not know.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

import msgspec

from domain.kernel.errors import ChanceryError, NotFound, Refused
from domain.kernel.title import Title

BOT = "bot:"
OPEN, RUNNING, FINISHED, CANCELLED = "open", "running", "finished", "cancelled"
PLAYER, GAME_MASTER, SPECTATOR = "player", "game master", "spectator"


class Forbidden(ChanceryError):
    """Somebody who may know of the match wants what is not theirs to do."""


# -- facts (storage format: add fields at the end, never rename or reorder) ---------------------------


class Policy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The house rules of a match, fixed when it is opened.

    `delay` holds spectators back by so many seconds; `afterwards` says whether everything is shown when the game is over; `upgrade`
    who has to agree to other rules; an event older than `window` versions is not taken back by a ruling any more.
    """

    seating: Literal["open", "invited"] = "open"
    game_master: Literal["public", "everything"] = "public"
    spectators: Literal["anybody", "invited", "nobody"] = "anybody"
    delay: int = 0
    undo: Literal["touched", "all", "master", "free", "never"] = "touched"
    afterwards: Literal["shown", "hidden"] = "shown"
    upgrade: Literal["all", "master", "never"] = "all"
    arbiter: Literal["master", "vote"] = "master"
    window: int = 200


class Opened(msgspec.Struct, frozen=True, tag="opened"):
    """The seed is chosen before anybody joins, so that nobody's nonce can have been known to it."""

    title: str
    name: str
    seats: list[str]
    options: dict[str, Any]
    policy: Policy
    host: str
    seed: bytes
    at: int


class Invited(msgspec.Struct, frozen=True, tag="invited"):
    """An invitation to a seat, or to watch where `seat` is empty and `role` says so. It can be taken once."""

    id: str
    role: str
    seat: str
    note: str
    at: int


class Withdrawn(msgspec.Struct, frozen=True, tag="withdrawn"):
    id: str
    at: int


class Joined(msgspec.Struct, frozen=True, tag="joined"):
    """A player or a bot takes a seat and adds a nonce to the dice."""

    seat: str
    holder: str
    nonce: str
    invitation: str
    at: int


class Left(msgspec.Struct, frozen=True, tag="left"):
    seat: str
    at: int


class Watched(msgspec.Struct, frozen=True, tag="watched"):
    account: str
    invitation: str
    at: int


class Started(msgspec.Struct, frozen=True, tag="started"):
    at: int


class Substituted(msgspec.Struct, frozen=True, tag="substituted"):
    """Somebody else holds the seat after this version. The record before stays the former holder's."""

    seat: str
    holder: str
    version: int
    invitation: str
    reason: str
    at: int


class Called(msgspec.Struct, frozen=True, tag="called"):
    """The seat is open for a substitute: its holder keeps it until somebody comes."""

    seat: str
    reason: str
    at: int


class CallEnded(msgspec.Struct, frozen=True, tag="call_ended"):
    """The holder is back, or the game master wants nobody else."""

    seat: str
    at: int


class Adopted(msgspec.Struct, frozen=True, tag="adopted"):
    """The match goes on on another line."""

    line: str
    reason: str
    at: int


class Finished(msgspec.Struct, frozen=True, tag="finished"):
    version: int
    at: int


class Cancelled(msgspec.Struct, frozen=True, tag="cancelled"):
    reason: str
    at: int


Fact = (
    Opened
    | Invited
    | Withdrawn
    | Joined
    | Left
    | Watched
    | Started
    | Substituted
    | Adopted
    | Finished
    | Cancelled
    | Called
    | CallEnded
)


class Tenure(msgspec.Struct, frozen=True):
    """Who held a seat, after which version and up to which (None while it lasts), and when a substitute came."""

    seat: str
    holder: str
    since: int = 0
    until: int | None = None
    came: int = 0


# -- the match ----------------------------------------------------------------------------------------


class Match:
    """A match as its facts say it is. Every verb checks, then records one fact in `new`."""

    def __init__(self, id: str, facts: Iterable[Fact]) -> None:
        self.id = id
        self.version = 0
        self.state = OPEN
        self.begun = False
        self.tenures: list[Tenure] = []
        self.nonces: dict[str, str] = {}
        self.invitations: dict[str, Invited] = {}
        self.spectators: list[str] = []
        self.lines = [id]  # the lines the match was played on, the one in force last
        self.calls: dict[str, Called] = {}
        self.ended = 0
        self.new: list[Fact] = []
        for fact in facts:
            self._fold(fact)

    @classmethod
    def open(
        cls,
        id: str,
        title: Title,
        *,
        players: int,
        host: str,
        seed: bytes,
        at: int,
        name: str = "",
        options: dict[str, Any] | None = None,
        policy: Policy | None = None,
    ) -> Match:
        """A new match with free seats."""
        if players not in title.players:
            allowed = ", ".join(map(str, title.players))
            raise Refused("", f"{title.name} is for {allowed} players, not {players}", legal=list(title.players))
        match = cls(id, ())
        seats, settled = list(title.seats(players)), title.settle(options)
        match._record(Opened(title.id, name or title.name, seats, settled, policy or Policy(), host, seed, at))
        return match

    # -- reading ---------------------------------------------------------------------------------

    @property
    def line(self) -> str:
        """The line the match is played on."""
        return self.lines[-1]

    def holder(self, seat: str) -> str:
        """Who sits there now; nobody: empty."""
        return next((tenure.holder for tenure in self.tenures if tenure.seat == seat and tenure.until is None), "")

    def came(self, seat: str) -> int:
        """When the holder of a seat took it over from somebody else; 0 for whoever sits there from the start."""
        return next((tenure.came for tenure in self.tenures if tenure.seat == seat and tenure.until is None), 0)

    def seats_of(self, account: str) -> list[str]:
        return [seat for seat in self.seats if account and self.holder(seat) == account]

    @property
    def free(self) -> list[str]:
        """Seats nobody holds."""
        return [seat for seat in self.seats if not self.holder(seat)]

    @property
    def bots(self) -> dict[str, str]:
        """The policy of every seat a bot holds."""
        return {seat: self.holder(seat).removeprefix(BOT) for seat in self.seats if self.holder(seat).startswith(BOT)}

    def roles(self, account: str) -> list[str]:
        """What somebody is in this match: nothing at all for strangers to a closed one."""
        found = [PLAYER] if self.seats_of(account) else []
        if account and account == self.host:
            found.append(GAME_MASTER)
        if self.policy.spectators == "anybody" or account in self.spectators:
            found.append(SPECTATOR)
        return found

    # -- before the game -------------------------------------------------------------------------

    def invite(self, id: str, *, role: str = PLAYER, seat: str = "", note: str = "", at: int) -> None:
        """Keep a place for whoever brings the invitation; on a running match, for the next holder of a seat."""
        if role == PLAYER:
            if self.state not in (OPEN, RUNNING):
                raise Refused("", f"nobody can be invited to play: the match is {self.state}")
            if seat and seat not in self.seats:
                raise NotFound(f"there is no seat {seat!r}")
            if self.state == RUNNING and not seat:
                raise Refused("", "name the seat: on a running match an invitation is for a substitute", legal=list(self.seats))
        elif role != SPECTATOR:
            raise Refused("", f"there are no invitations as {role!r}", legal=[PLAYER, SPECTATOR])
        self._record(Invited(id, role, seat if role == PLAYER else "", note, at))

    def withdraw(self, id: str, at: int) -> None:
        if id not in self.invitations:
            raise NotFound(f"there is no invitation {id!r}")
        self._record(Withdrawn(id, at))

    def join(self, holder: str, *, seat: str = "", nonce: str, invitation: str = "", at: int) -> str:
        """Take a seat: the one named or the one invited to, else the first free one that nobody else was invited to."""
        invited = self._invited(invitation, PLAYER)
        if self.state != OPEN:
            raise Refused("", f"nobody can join: the match is {self.state}")
        if holder == self.host and self.policy.game_master == "everything":
            raise Forbidden("a game master who sees everything cannot play")
        if self.seats_of(holder):
            raise Refused("", f"you already sit as {self.seats_of(holder)[0]}")
        if invited is None and self.policy.seating == "invited" and holder != self.host and not holder.startswith(BOT):
            raise Forbidden("seats of this match are taken by invitation")
        kept = {other.seat for other in self.invitations.values() if other.role == PLAYER and other.seat}
        if invited is not None and invited.seat:
            seat = seat or invited.seat
            if seat != invited.seat:
                raise Refused("", f"you are invited to sit as {invited.seat}", legal=[invited.seat])
        if seat and seat not in self.seats:
            raise NotFound(f"there is no seat {seat!r}")
        can = [free for free in self.free if free not in kept or (invited and invited.seat == free) or holder == self.host]
        seat = seat or next(iter(can), "")
        if seat not in can:
            raise Refused("", f"the seat {seat} is taken" if seat else "every seat is taken", legal=can)
        self._record(Joined(seat, holder, nonce, invitation, at))
        return seat

    def leave(self, holder: str, at: int) -> None:
        """Give a seat up before the game starts."""
        held = self.seats_of(holder)
        if not held:
            raise Refused("", "you hold no seat here")
        if self.state != OPEN:
            raise Refused("", "the game has started: ask the game master for a substitute")
        self._record(Left(held[0], at))

    def seat_bot(self, seat: str, policy: str, nonce: str, at: int) -> None:
        """Let a bot play a free seat from the start."""
        if seat not in self.seats:
            raise NotFound(f"there is no seat {seat!r}")
        if self.state != OPEN:
            raise Refused("", "the game has started: let the bot take over as a substitute")
        if seat not in self.free:
            raise Refused("", f"the seat {seat} is taken", legal=self.free)
        self._record(Joined(seat, BOT + policy, nonce, "", at))

    def watch(self, account: str, invitation: str, at: int) -> None:
        if self._invited(invitation, SPECTATOR) is not None:
            self._record(Watched(account, invitation, at))

    def _invited(self, invitation: str, role: str) -> Invited | None:
        if not invitation:
            return None
        found = self.invitations.get(invitation)
        if found is None or found.role != role:
            raise Refused("", "this invitation was used or withdrawn: ask for a new one")
        return found

    # -- the game --------------------------------------------------------------------------------

    def start(self, at: int) -> None:
        self.startable()
        self._record(Started(at))

    def startable(self) -> None:
        if self.state != OPEN:
            raise Refused("", f"the match cannot start: it is {self.state}")
        if self.free:
            raise Refused("", f"nobody sits as {', '.join(self.free)} yet", legal=self.free)

    def substitute(self, seat: str, holder: str, *, version: int, invitation: str = "", reason: str = "", at: int) -> None:
        """Somebody else, or a bot, holds the seat from now on, and with it everything the seat may see."""
        invited = self._invited(invitation, PLAYER)
        if seat not in self.seats:
            raise NotFound(f"there is no seat {seat!r}")
        if self.state != RUNNING:
            raise Refused("", f"there is nobody to substitute: the match is {self.state}")
        if invited is not None and invited.seat != seat:
            raise Refused("", f"you are invited to sit as {invited.seat}", legal=[invited.seat])
        if holder == self.host and self.policy.game_master == "everything":
            raise Forbidden("a game master who sees everything cannot play")
        if self.seats_of(holder):
            raise Refused("", f"you already sit as {self.seats_of(holder)[0]}: two seats would know each other's secrets")
        before = [tenure.seat for tenure in self.tenures if tenure.holder == holder and tenure.seat != seat]
        if before and not holder.startswith(BOT):
            raise Refused("", f"you sat as {before[0]} and know its secrets: somebody else has to take {seat}")
        self._record(Substituted(seat, holder, version, invitation, reason, at))

    def call(self, seat: str, reason: str, at: int) -> None:
        """Open a seat for a substitute, until one comes or its holder is back."""
        if seat not in self.seats:
            raise NotFound(f"there is no seat {seat!r}")
        if self.state != RUNNING:
            raise Refused("", f"there is nobody to substitute: the match is {self.state}")
        if seat not in self.calls:
            self._record(Called(seat, reason, at))

    def end_call(self, seat: str, at: int) -> None:
        if seat in self.calls:
            self._record(CallEnded(seat, at))

    def adopt(self, line: str, reason: str, at: int) -> None:
        """Go on on another line: the way back to an earlier moment that everybody agreed to."""
        if self.state not in (RUNNING, FINISHED):
            raise Refused("", f"there is no line to adopt: the match is {self.state}")
        if line != self.line:
            self._record(Adopted(line, reason, at))

    def finish(self, version: int, at: int) -> None:
        if self.state == RUNNING:
            self._record(Finished(version, at))

    def cancel(self, reason: str, at: int) -> None:
        if self.state not in (OPEN, RUNNING):
            raise Refused("", f"there is nothing to cancel: the match is {self.state}")
        self._record(Cancelled(reason, at))

    # -- the fold --------------------------------------------------------------------------------

    def _record(self, fact: Fact) -> None:
        self._fold(fact)
        self.new.append(fact)

    def _fold(self, fact: Fact) -> None:
        self.version += 1
        match fact:
            case Opened():
                self.title, self.name, self.seats, self.options = fact.title, fact.name, fact.seats, fact.options
                self.policy, self.host, self.seed, self.made = fact.policy, fact.host, fact.seed, fact.at
            case Invited():
                self.invitations[fact.id] = fact
            case Withdrawn():
                self.invitations.pop(fact.id, None)
            case Joined():
                self.invitations.pop(fact.invitation, None)
                self.nonces[fact.seat] = fact.nonce
                self.tenures.append(Tenure(fact.seat, fact.holder))
            case Left():
                self.nonces.pop(fact.seat, None)
                self.tenures = [tenure for tenure in self.tenures if tenure.seat != fact.seat]
            case Watched():
                self.invitations.pop(fact.invitation, None)
                self.spectators.append(fact.account)
            case Started():
                self.state, self.begun = RUNNING, True
            case Substituted():
                self.invitations.pop(fact.invitation, None)
                self.calls.pop(fact.seat, None)
                self.tenures = [self._closed(tenure, fact) for tenure in self.tenures]
                self.tenures.append(Tenure(fact.seat, fact.holder, fact.version, came=fact.at))
            case Called():
                self.calls[fact.seat] = fact
            case CallEnded():
                self.calls.pop(fact.seat, None)
            case Adopted():
                self.lines.append(fact.line)
                self.state, self.ended = RUNNING, 0
            case Finished():
                self.state, self.ended = FINISHED, fact.version
            case Cancelled():
                self.state = CANCELLED

    def _closed(self, tenure: Tenure, by: Substituted) -> Tenure:
        if tenure.seat != by.seat or tenure.until is not None:
            return tenure
        return Tenure(tenure.seat, tenure.holder, tenure.since, by.version, tenure.came)


def nonces(match: Match) -> Sequence[str]:
    """What the seats added to the dice, in the order of the seats."""
    return [match.nonces[seat] for seat in match.seats]


encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Fact).decode
