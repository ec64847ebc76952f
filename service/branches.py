"""What is said about lines: their names, tags and comments, what grew on them, and with whom they are shared."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from domain.whatif import Stopped
from service.database import Clash, Database

TRIES = 5

# -- facts (storage format: add fields at the end, never rename or reorder) ---------------------------


class Named(msgspec.Struct, frozen=True, tag="named"):
    by: str
    at: int
    name: str


class Tagged(msgspec.Struct, frozen=True, tag="tagged"):
    by: str
    at: int
    tags: list[str]


class Commented(msgspec.Struct, frozen=True, tag="commented"):
    """A comment on a line, or on one version of it."""

    by: str
    at: int
    text: str
    version: int = 0


class Shared(msgspec.Struct, frozen=True, tag="shared"):
    """A link was made: for reading, or for playing on the line together."""

    by: str
    at: int
    share: str
    together: bool


class Unshared(msgspec.Struct, frozen=True, tag="unshared"):
    by: str
    at: int
    share: str


class Entered(msgspec.Struct, frozen=True, tag="entered"):
    """Somebody used a link."""

    by: str
    at: int
    share: str


class Grew(msgspec.Struct, frozen=True, tag="grew"):
    """How a what-if line came to be: what was changed where, how many of the parent's later decisions stand, and what stopped them."""

    by: str
    at: int
    parent: str
    version: int
    what: str  # "answer", "outcome" or "" for playing on
    luck: str
    replayed: int = 0
    stopped: Stopped | None = None
    asked: int = 0  # the version of the line at which its own first question stands


class Manned(msgspec.Struct, frozen=True, tag="manned"):
    """Which seats bots play on the line, and how they think; the others are played by people."""

    by: str
    at: int
    bots: dict[str, str]


Fact = Named | Tagged | Commented | Shared | Unshared | Entered | Grew | Manned
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Fact).decode


class About:
    """What the facts about a line come to."""

    def __init__(self, facts: Iterable[Fact] = ()) -> None:
        self.name = ""
        self.tags: list[str] = []
        self.comments: list[Commented] = []
        self.shares: dict[str, Shared] = {}
        self.grew: Grew | None = None
        self.bots: dict[str, str] = {}
        self._entered: list[Entered] = []
        self.count = 0
        for fact in facts:
            self.count += 1
            match fact:
                case Named():
                    self.name = fact.name
                case Tagged():
                    self.tags = fact.tags
                case Commented():
                    self.comments.append(fact)
                case Shared():
                    self.shares[fact.share] = fact
                case Unshared():
                    self.shares.pop(fact.share, None)
                case Entered():
                    self._entered.append(fact)
                case Grew():
                    self.grew = fact
                case Manned():
                    self.bots = fact.bots

    @property
    def guests(self) -> dict[str, bool]:
        """Who came in by a link that still holds, and whether they may play on the line."""
        found: dict[str, bool] = {}
        for entered in self._entered:
            share = self.shares.get(entered.share)
            if share is not None:
                found[entered.by] = found.get(entered.by, False) or share.together
        return found


NOTHING_SAID = About()


class Branches:
    """The facts about lines, in our own tables."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def about(self, line: str) -> About:
        rows = self._database.read("SELECT body FROM line_facts WHERE line = ? ORDER BY number", line)
        return About(_decode(row[0]) for row in rows) if rows else NOTHING_SAID

    def of_match(self, match: str) -> dict[str, About]:
        """About every line of a match of which something is said."""
        facts: dict[str, list[Fact]] = {}
        for line, body in self._database.read("SELECT line, body FROM line_facts WHERE match = ? ORDER BY line, number", match):
            facts.setdefault(line, []).append(_decode(body))
        return {line: About(said) for line, said in facts.items()}

    def heads(self, match: str) -> dict[str, int]:
        """The newest version of every line of a match on which something has happened."""
        sql = (
            "SELECT originator_id, MAX(originator_version) FROM stored_events"
            " WHERE originator_id IN (SELECT id FROM log_lines WHERE match = ?) GROUP BY originator_id"
        )
        return dict(self._database.read(sql, match))

    def count(self, match: str) -> int:
        """How many lines a match has."""
        found: int = self._database.read("SELECT COUNT(*) FROM log_lines WHERE match = ?", match)[0][0]
        return found

    def add(self, match: str, line: str, *facts: Fact) -> None:
        """Add facts, behind those that are there."""
        for attempt in range(TRIES):
            first = self.about(line).count + 1
            try:
                self._database.write(
                    *(
                        ("INSERT INTO line_facts (match, line, number, body) VALUES (?, ?, ?, ?)", (match, line, number, body))
                        for number, body in enumerate((_encode(fact).decode() for fact in facts), first)
                    )
                )
                return
            except Clash:
                if attempt == TRIES - 1:
                    raise
