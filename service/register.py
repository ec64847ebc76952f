"""The register of matches: the facts of every match in our own tables, and the lists made of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeVar

from domain.kernel.errors import ChanceryError, NotFound
from domain.match import GAME_MASTER, OPEN, PLAYER, RUNNING, SPECTATOR, Match, decode, encode
from service.database import Clash, Database
from service.metrics import CONFLICTS

TRIES = 5
BOT_PLAYER = "bot"

T = TypeVar("T")


class Busy(ChanceryError):
    """Others wrote again and again while we tried."""


class Summary(NamedTuple):
    """One row of a list of matches."""

    id: str
    title: str
    name: str
    state: str
    made: int


class LookedAt(NamedTuple):
    """A privileged look of a game master."""

    at: int
    account: str
    viewer: str
    what: str
    line: str
    version: int


class Register:
    """Load, change, list."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def load(self, id: str) -> Match:
        """A match by its facts."""
        rows = self._database.read("SELECT body FROM facts WHERE match = ? ORDER BY version", id)
        if not rows:
            raise NotFound(f"there is no match {id!r}")
        return Match(id, [decode(row[0]) for row in rows])

    def add(self, match: Match) -> None:
        """Add the new facts and what they come to; a clash means that somebody else was first."""
        first = match.version - len(match.new)
        wanted = match.free if match.state == OPEN else match.calls if match.state == RUNNING else ()
        joinable = bool(wanted) and match.policy.seating == "open"
        public = match.policy.spectators == "anybody"
        row = (match.id, match.title, match.name, match.state, int(public), int(joinable), match.made)
        self._database.write(
            *(
                ("INSERT INTO facts (match, version, body) VALUES (?, ?, ?)", (match.id, number, encode(fact).decode()))
                for number, fact in enumerate(match.new, first + 1)
            ),
            ("DELETE FROM matches WHERE id = ?", (match.id,)),
            ("DELETE FROM members WHERE match = ?", (match.id,)),
            ("INSERT INTO matches (id, title, name, state, public, joinable, made) VALUES (?, ?, ?, ?, ?, ?, ?)", row),
            *(
                ("INSERT INTO members (match, account, role, seat) VALUES (?, ?, ?, ?)", (match.id, *member))
                for member in _members(match)
            ),
        )
        match.new.clear()

    def change(self, id: str, verb: Callable[[Match], T]) -> tuple[Match, T]:
        """Load, act, save; from the start again if somebody else was first."""
        for _ in range(TRIES):
            match = self.load(id)
            result = verb(match)
            if not match.new:
                return match, result
            try:
                self.add(match)
            except Clash:
                CONFLICTS.inc()
                continue
            return match, result
        raise Busy("others changed the match at the same moment; try again")

    def find(
        self,
        who: str,
        *,
        mine: bool = False,
        joinable: bool = False,
        state: str = "",
        title: str = "",
        after: str = "",
        limit: int = 50,
    ) -> tuple[list[Summary], str]:
        """Matches that somebody may know of, newest first, and where the next page starts."""
        where, values = ["(m.public = 1 OR p.match IS NOT NULL)"], list[Any]([who])
        if mine:
            where.append("p.match IS NOT NULL")
        if joinable:
            where.append("m.joinable = 1")
        for column, value in (("state", state), ("title", title)):
            if value:
                where.append(f"m.{column} = ?")
                values.append(value)
        if after:
            made, _, last = after.partition("-")
            where.append("(m.made < ? OR (m.made = ? AND m.id < ?))")
            values += [int(made), int(made), last]
        rows = self._database.read(
            "SELECT m.id, m.title, m.name, m.state, m.made FROM matches m"
            " LEFT JOIN (SELECT DISTINCT match FROM members WHERE account = ?) p ON p.match = m.id"
            f" WHERE {' AND '.join(where)} ORDER BY m.made DESC, m.id DESC LIMIT ?",
            *values,
            limit + 1,
        )
        found = [Summary(*row) for row in rows[:limit]]
        return found, f"{found[-1].made}-{found[-1].id}" if len(rows) > limit else ""

    def seats(self, who: str) -> list[tuple[str, str]]:
        """Every seat somebody holds in a running match: (match, seat)."""
        return [
            (row[0], row[1])
            for row in self._database.read(
                "SELECT p.match, p.seat FROM members p JOIN matches m ON m.id = p.match"
                " WHERE p.account = ? AND p.role = ? AND m.state = ? ORDER BY m.made, p.match, p.seat",
                who,
                PLAYER,
                RUNNING,
            )
        ]

    def with_bots(self) -> list[str]:
        """Running matches in which bots play."""
        rows = self._database.read(
            "SELECT DISTINCT m.id FROM matches m JOIN members p ON p.match = m.id WHERE m.state = ? AND p.role = ?",
            RUNNING,
            BOT_PLAYER,
        )
        return [row[0] for row in rows]

    def note_look(self, match: str, id: str, look: LookedAt) -> None:
        """Put a privileged look on record."""
        self._database.write(
            (
                "INSERT INTO looks (match, id, at, account, viewer, what, line, version) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (match, id, *look),
            )
        )

    def looks(self, match: str) -> list[LookedAt]:
        rows = self._database.read(
            "SELECT at, account, viewer, what, line, version FROM looks WHERE match = ? ORDER BY at, id", match
        )
        return [LookedAt(*row) for row in rows]


def _members(match: Match) -> Iterator[tuple[str, str, str]]:
    yield match.host, GAME_MASTER, ""
    for seat in match.seats:
        holder = match.holder(seat)
        if holder:
            yield holder, BOT_PLAYER if seat in match.bots else PLAYER, seat
    for account in dict.fromkeys(match.spectators):
        yield account, SPECTATOR, ""
