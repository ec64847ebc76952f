"""What-if lines as people use them: branch, change a decision or a draw, name, comment, tag, share by link.

A finished match is branched with everything open. A running one is branched by those who play it, from what their seat knows.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from domain.bots import SEATED
from domain.kernel.ask import Ask
from domain.kernel.errors import ChanceryError, NotFound, Refused
from domain.kernel.event import DECIDED, SEALED, Chance, Drawn, Event
from domain.log import Line, Log
from domain.match import FINISHED, Forbidden, Match
from domain.whatif import FRESH, SAME, Grown, change_chance, change_decision, decision_at, readable, suppose_line
from service.branches import About, Commented, Entered, Fact, Grew, Manned, Named, Shared, Tagged, Unshared
from service.matches import Matches, luck_of_its_own, new_id

SHARE_SECONDS = 400 * 86_400
LONGEST_NAME, LONGEST_COMMENT, LONGEST_TAG, MOST_TAGS, MOST_COMMENTS = 60, 2_000, 30, 8, 200
ANSWER, OUTCOME = "answer", "outcome"


class Turning(NamedTuple):
    """A decision that can be changed: what was decided, what could have been, and what was drawn. As its reader may know it."""

    event: Event
    last: int  # the version of what it set off
    ask: Ask | None
    chance: list[Chance]
    known: bool  # whether its reader may know what was decided
    pools: dict[str, list[str]]  # what else could have been drawn, from where


class WhatIf:
    """Branch, change, say, share."""

    def __init__(self, matches: Matches) -> None:
        self._matches = matches

    # -- growing ---------------------------------------------------------------------------------

    def branch(self, who: str, id: str, *, version: int | None = None, line: str = "", viewer: str = "", reason: str = "") -> Line:
        """Play on from a version, on a line of one's own."""

        def act(log: Log, at: int, seat: str, made: dict[str, Any]) -> tuple[Line, Grew]:
            if seat:
                grown = suppose_line(log, new_id(), at, seat, luck_of_its_own(), **made)
            else:
                grown = log.fork(new_id(), at, **made)
            return grown.line, Grew(who, made["at"], log.line.id, at, "", FRESH, asked=grown.head)

        made, grew = self._matches.grow(who, id, act, version=version, line=line, viewer=viewer, reason=reason)
        self._matches.branches.add(id, made.id, grew)
        return made

    def change(
        self,
        who: str,
        id: str,
        version: int,
        *,
        answer: Any = None,
        draw: int | None = None,
        outcome: Any = None,
        luck: str = SAME,
        line: str = "",
        viewer: str = "",
        reason: str = "",
    ) -> Grown:
        """Change the decision at a version, or (with `draw`) one draw of it; what followed is made again as far as it stays legal."""

        def act(log: Log, at: int, seat: str, made: dict[str, Any]) -> tuple[Grown, Grew]:
            how = {**made, "luck": luck, "seat": seat, **({"rng": luck_of_its_own()} if seat else {})}
            if draw is not None:
                grown, what = change_chance(log, new_id(), at, draw, outcome, **how), OUTCOME
            else:
                grown, what = change_decision(log, new_id(), at, answer, **how), ANSWER
            asked = grown.log.line.at or _start(grown.log)
            stopped = grown.stopped
            return grown, Grew(who, made["at"], log.line.id, at, what, luck, grown.replayed, stopped, asked)

        grown, grew = self._matches.grow(who, id, act, version=version, line=line, viewer=viewer, reason=reason)
        self._matches.branches.add(id, grown.log.line.id, grew)
        return grown

    def turning(self, who: str, id: str, version: int, *, line: str = "", viewer: str = "") -> Turning:
        """The decision at a version, with what else was legal, as far as whoever asks may know it."""

        def act(log: Log, at: int, seat: str, _: dict[str, Any]) -> Turning:
            group = decision_at(log, at, seat)
            first = group[0]
            known = not seat or readable(log, first)
            ask = None
            if not seat or first.seat == seat:  # what another seat could have done depends on what it holds
                ask = _asked(log, first)
            chance = [outcome for item in group for outcome in item.chance]
            before = log.whole_table(first.version - 1) if not seat and first.version > 1 else None
            zones = {outcome.zone for outcome in chance if type(outcome) is Drawn}
            pools = {zone: sorted(set(before.items(zone))) for zone in zones if before.zones[zone]} if before else {}
            return Turning(first, group[-1].version, ask, chance, known, pools)

        return self._matches.peer(who, id, act, version=version, line=line, viewer=viewer)

    # -- saying ----------------------------------------------------------------------------------

    def about(self, who: str, id: str, line: str) -> About:
        """What is said about a line that somebody may see."""
        self._matches.look(who, id, line=line, note=False)
        return self._matches.branches.about(line)

    def say(
        self,
        who: str,
        id: str,
        line: str,
        *,
        name: str | None = None,
        tags: list[str] | None = None,
        comment: str = "",
        version: int = 0,
        bots: dict[str, str] | None = None,
    ) -> About:
        """Name and tag one's own branch, and say which seats bots play on it; comment on any line that one may see."""
        look = self._matches.look(who, id, line=line, note=False)
        now, facts = self._matches.clock(), list[Fact]()
        if name is not None or tags is not None or bots is not None:
            self._own(who, look.match, look.line)
        if name is not None:
            facts.append(Named(who, now, _plain(name, LONGEST_NAME)))
        if tags is not None:
            facts.append(Tagged(who, now, sorted({_plain(tag, LONGEST_TAG) for tag in tags} - {""})[:MOST_TAGS]))
        if bots is not None:
            for seat, policy in bots.items():
                if seat not in look.match.seats:
                    raise Refused("", f"there is no seat {seat!r}", legal=look.match.seats)
                if policy not in SEATED:
                    raise Refused("", f"there is no bot {policy!r}", legal=sorted(SEATED))
            facts.append(Manned(who, now, bots))
        if comment.strip():
            self._speaks(who, look.match, look.line)
            if len(self._matches.branches.about(line).comments) >= MOST_COMMENTS:
                raise Refused("", f"a line has at most {MOST_COMMENTS} comments")
            said = comment.strip()[:LONGEST_COMMENT]
            facts.append(Commented(who, now, "".join(c for c in said if c.isprintable() or c == "\n"), look.known(version or None)))
        if not facts:
            raise Refused("", "say something: a name, tags, bots or a comment")
        self._matches.branches.add(id, line, *facts)
        if bots:
            self._matches.drive_branch(look.match, line)
        return self._matches.branches.about(line)

    def _own(self, who: str, match: Match, line: Line) -> None:
        if not who or line.by != who or line.id in match.lines:
            raise Forbidden("a branch is named, tagged and shared by whoever made it")

    def _speaks(self, who: str, match: Match, line: Line) -> None:
        """On lines of the match itself its press is the place to talk while it runs."""
        if not who or (line.id in match.lines and match.state != FINISHED):
            raise Forbidden("comments are for branches, and for matches that are over")

    # -- sharing ---------------------------------------------------------------------------------

    def share(self, who: str, id: str, line: str, *, together: bool = False) -> str:
        """A link to a branch: for whoever holds it and may know of the match, to look at or to play on together."""
        look = self._matches.look(who, id, line=line, note=False)
        self._own(who, look.match, look.line)
        if look.match.state != FINISHED and not self._matches.supposed(look.line):
            raise Forbidden("this branch holds the true table of a running game: it is shared when the game is over")
        held = self._matches.branches.about(line).shares
        share = next((one.share for one in held.values() if one.together == together), "")
        if not share:
            share = new_id(12)
            self._matches.branches.add(id, line, Shared(who, self._matches.clock(), share, together))
        return self.link(id, line, share)

    def link(self, id: str, line: str, share: str) -> str:
        """The signed word that stands for a share."""
        return self._matches.accounts.sign("line", [id, line, share])

    def unshare(self, who: str, id: str, line: str, share: str) -> None:
        """Take a link back; who came in by it is out again."""
        look = self._matches.look(who, id, line=line, note=False)
        self._own(who, look.match, look.line)
        if share not in self._matches.branches.about(line).shares:
            raise NotFound(f"there is no link {share!r}")
        self._matches.branches.add(id, line, Unshared(who, self._matches.clock(), share))

    def opened(self, who: str, id: str, link: str) -> tuple[Line, Shared]:
        """The line a link leads to and what it allows, for somebody who may know of the match."""
        self._matches.see(who, id)
        found = self._matches.accounts.unsign("line", link, SHARE_SECONDS)
        held = self._matches.branches.about(found[1]).shares.get(found[2]) if found and found[0] == id else None
        if held is None:
            raise NotFound("there is no such link")
        return self._matches.store.line(found[1]), held

    def enter(self, who: str, id: str, link: str) -> Line:
        """Use a link: from now on the line is theirs too, to look at or to play on."""
        line, held = self.opened(who, id, link)
        may = self._matches.branches.about(line.id).guests.get(who)
        if line.by != who and (may is None or (held.together and not may)):
            self._matches.branches.add(id, line.id, Entered(who, self._matches.clock(), held.share))
        return line


def _asked(log: Log, first: Event) -> Ask | None:
    """The question that a decision answered."""
    if first.kind not in (DECIDED, SEALED):
        return None
    try:
        return log.run_at(first.version - 1).question(first.seat, first.ask)
    except ChanceryError:
        return None


def _start(log: Log) -> int:
    """Where the changed decision of a supposed world stands: the first that was made otherwise."""
    return next((item.version - 1 for item in log.raw() if item.cause == "what if"), log.head)


def _plain(said: str, longest: int) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in said).split())[:longest]
