"""How somebody wants their mails: usually, and for one seat where that is different."""

from __future__ import annotations

from typing import Literal

import msgspec

from domain import deadlines
from domain.kernel.errors import Refused
from domain.match import Forbidden, Match
from service.database import Database
from service.languages import LANGUAGES

INSTANT, BLOCKING, DIGEST, NONE = "instant", "blocking", "digest", "none"
MODES = (INSTANT, BLOCKING, DIGEST, NONE)
PICTURE, HTML, TEXT = "picture", "html", "text"
FORMS = (PICTURE, HTML, TEXT)
FIELDS = "mode, hour, zone, secrets, form, language"


class Wish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many mails, at which hour the digest, in whose time, whether with one's own secrets, in which form and language."""

    mode: Literal["instant", "blocking", "digest", "none"] = "blocking"
    hour: str = "18:00"
    zone: str = "UTC"
    secrets: bool = True
    form: Literal["picture", "html", "text"] = "picture"
    language: str = "en"

    def check(self) -> None:
        """Complain about the first that cannot be done."""
        for value, known in ((self.mode, MODES), (self.form, FORMS), (self.language, tuple(LANGUAGES))):
            if value not in known:
                raise Refused("", f"mails cannot be {value[:20]!r}", legal=list(known))
        if not self.hour:
            raise Refused("", "say at which hour the digest comes", legal=["18:00"])
        deadlines.checked(deadlines.Vector(clock=self.hour, zone=self.zone))


class Wishes:
    """Read and write them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, match: str, seat: str, account: str) -> Wish:
        """For a seat while this account holds it: its own, else what the account usually wants."""
        return self._found(match, seat, account) or self.usual(account)

    def own(self, match: str, seat: str, account: str) -> bool:
        """Whether a seat is different from what its holder usually wants."""
        return self._found(match, seat, account) is not None

    def usual(self, account: str) -> Wish:
        return self._found("", account, account) or Wish()

    def set(self, match: str, seat: str, account: str, wish: Wish) -> None:
        wish.check()
        row = (match, seat, account, wish.mode, wish.hour, wish.zone, int(wish.secrets), wish.form, wish.language)
        insert = f"INSERT INTO mail_seats (match, seat, account, {FIELDS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
        self._database.write((CLEAR, (match, seat)), (insert, row))

    def set_usual(self, account: str, wish: Wish) -> None:
        self.set("", account, account, wish)

    def clear(self, match: str, seat: str) -> None:
        """As usual again."""
        self._database.write((CLEAR, (match, seat)))

    def _found(self, match: str, seat: str, account: str) -> Wish | None:
        rows = self._database.read(
            f"SELECT {FIELDS} FROM mail_seats WHERE match = ? AND seat = ? AND account = ?", match, seat, account
        )
        return Wish(*rows[0][:3], bool(rows[0][3]), *rows[0][4:]) if rows else None


CLEAR = "DELETE FROM mail_seats WHERE match = ? AND seat = ?"


def held(match: Match, seat: str, account: str) -> None:
    """Only who holds a seat says how its mails are."""
    if seat not in match.seats or match.holder(seat) != account:
        raise Forbidden("only who holds this seat says how its mails are")
