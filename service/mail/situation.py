"""Where a match stands, for whoever writes or reads its mails: what is asked of whom, since which version."""

from __future__ import annotations

from collections.abc import Sequence

from domain.kernel.ask import Ask
from domain.kernel.event import SEALED, UNDONE, Event
from domain.kernel.ops import Set
from domain.kernel.run import Run
from domain.kernel.title import Title
from domain.log import Log
from domain.match import Match
from service.matches import Matches


class Situation:
    """One version of the line a match is played on. Others' questions are in it: what leaves for a seat is asked for by seat."""

    def __init__(self, match: Match, log: Log, version: int, run: Run) -> None:
        self.match, self.version, self.run = match, version, run
        self._log = log

    @property
    def line(self) -> str:
        return self._log.line.id

    @property
    def title(self) -> Title:
        return self._log.title

    @property
    def over(self) -> bool:
        return self.run.over

    def must(self, seat: str) -> list[Ask]:
        """What a seat has to answer."""
        return [ask for ask in self.run.asks if ask.seat == seat]

    def may(self, seat: str) -> list[Ask]:
        """What a seat may answer beside that."""
        return [ask for ask in self.run.offers if ask.seat == seat]

    def called(self, seat: str) -> bool:
        """Whether the game waits for this seat: alone, with others, or for whoever is first."""
        return bool(self.must(seat)) or (not self.run.asks and bool(self.may(seat)))

    def asks(self, seat: str) -> list[Ask]:
        return [*self.must(seat), *self.may(seat)]

    def waited_for(self) -> list[str]:
        """The seats that have to answer."""
        return list(dict.fromkeys(ask.seat for ask in self.run.asks))

    def opened(self, seat: str) -> int:
        """The version since which a seat is asked what it is asked now: others who seal their answers change nothing."""
        version = self.version
        while version > 1:
            last = self._log.raw(version - 1, version)[0]
            if last.seat == seat or not _seals(last):
                break
            version -= 1
        return version


def _seals(event: Event) -> bool:
    """Whether all it does is to seal an answer or to unseal it again."""
    if event.kind == SEALED:
        return len(event.ops) == 1
    return event.kind == UNDONE and [op.register for op in event.ops if type(op) is Set] == [f"sealed:{event.seat}"]


def situation(matches: Matches, match: Match) -> Situation:
    """Where a match stands now, on a run of its own that nobody else touches."""
    matches.look(match.host, match.id, note=False)  # lays the first line of a match whose start broke off
    log = matches.open_log(match.line)
    version = log.head
    return Situation(match, log, version, log.run_at(version))


def people(match: Match, seats: Sequence[str] = ()) -> list[str]:
    """The seats that people hold."""
    return [seat for seat in seats or match.seats if match.holder(seat) and seat not in match.bots]
