"""Who somebody is: accounts, passwords, sign-in links, API tokens, and the signed links that invite to a seat.

Nothing that lets anybody in is stored as it is: passwords as argon2id, tokens as digests; links are signed and say what they are for.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import unicodedata
from collections.abc import Callable
from typing import Any

import msgspec
from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError
from itsdangerous import BadData, URLSafeTimedSerializer

from domain.kernel.errors import ChanceryError, Refused
from service.database import Clash, Database

NAME = re.compile(r"[\w](?:[\w .'-]{0,38}[\w.])?")
EMAIL = re.compile(r"[^\s@<>\"]{1,64}@[^\s@<>\"]{1,190}\.[^\s@<>\".]{2,63}")
SHORTEST_PASSWORD, LONGEST_PASSWORD = 10, 200
SIGN_IN_SECONDS = 15 * 60
INVITATION_SECONDS = 60 * 24 * 3600
TOKEN_DAYS = 365
MOST_TOKENS = 50
DAY = 24 * 3600 * 1000
TOKEN = "chancery_"

# A password nobody has: a wrong name takes as long as a wrong password.
NOBODY = "$argon2id$v=19$m=65536,t=3,p=4$c29tZXNhbHRzb21lc2FsdA$8n3mC1cF3rXzjQJv2Yz1YkE0Qb0m0y2bq2i6k1v8p3E"


class NotSignedIn(ChanceryError):
    """No token, password or link that we know."""


class Account(msgspec.Struct, frozen=True):
    id: str
    name: str
    email: str | None
    made: int
    epoch: int


class Token(msgspec.Struct, frozen=True):
    """An API token as its owner sees it later: never the token itself."""

    id: str
    label: str
    made: int
    expires: int


class Accounts:
    """Every way in."""

    def __init__(self, database: Database, key: bytes, clock: Callable[[], int], hasher: PasswordHasher | None = None) -> None:
        self._database, self._key, self._clock = database, key, clock
        self._hasher = hasher or PasswordHasher()

    # -- accounts --------------------------------------------------------------------------------

    def create(self, name: str, password: str = "", email: str | None = None) -> Account:
        """A new account. Without a password it is entered by sign-in links only."""
        name = unicodedata.normalize("NFC", name)
        if not NAME.fullmatch(name):
            raise Refused("", "a name has 1 to 40 letters, digits, spaces, dots, dashes or apostrophes")
        if password and not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
            raise Refused("", f"a password has {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} characters")
        email = _email(email)
        account = Account(secrets.token_hex(8), name, email, self._clock(), 0)
        hashed = self._hasher.hash(password) if password else ""
        try:
            self._database.write(
                (
                    "INSERT INTO accounts (id, name, folded, email, password, epoch, made) VALUES (?, ?, ?, ?, ?, 0, ?)",
                    (account.id, name, name.casefold(), email, hashed, account.made),
                )
            )
        except Clash:
            raise Refused("", "that name or address belongs to somebody already") from None
        return account

    def get(self, id: str) -> Account | None:
        return self._one("id = ?", id)

    def named(self, name: str) -> Account | None:
        return self._one("folded = ?", unicodedata.normalize("NFC", name).casefold())

    def addressed(self, email: str) -> Account | None:
        return self._one("email = ?", email.strip().lower())

    def names(self, ids: set[str]) -> dict[str, str]:
        """The names of several accounts."""
        if not ids:
            return {}
        marks = ", ".join("?" for _ in ids)
        return {row[0]: row[1] for row in self._database.read(f"SELECT id, name FROM accounts WHERE id IN ({marks})", *sorted(ids))}

    def _one(self, where: str, value: str) -> Account | None:
        rows = self._database.read(f"SELECT id, name, email, made, epoch FROM accounts WHERE {where}", value)
        return Account(*rows[0]) if rows else None

    # -- passwords -------------------------------------------------------------------------------

    def check(self, name: str, password: str) -> Account:
        """The account that this name and password open."""
        account = self.named(name)
        rows = self._database.read("SELECT password FROM accounts WHERE id = ?", account.id) if account else []
        hashed = rows[0][0] if rows and rows[0][0] else NOBODY
        try:
            self._hasher.verify(hashed, password[:LONGEST_PASSWORD])
        except (Argon2Error, InvalidHashError):
            raise NotSignedIn("that name and password do not belong together") from None
        if account is None or hashed == NOBODY:
            raise NotSignedIn("that name and password do not belong together")
        return account

    def set_password(self, account: str, password: str) -> None:
        """A new password signs everybody out who came in before."""
        if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
            raise Refused("", f"a password has {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} characters")
        hashed = self._hasher.hash(password)
        self._database.write(
            ("UPDATE accounts SET password = ?, epoch = epoch + 1 WHERE id = ?", (hashed, account)),
            ("DELETE FROM tokens WHERE account = ?", (account,)),
        )

    def set_email(self, account: str, email: str) -> None:
        """Where this account's mails go; whoever has the address already keeps it."""
        try:
            self._database.write(("UPDATE accounts SET email = ? WHERE id = ?", (_email(email), account)))
        except Clash:
            raise Refused("", "that address belongs to somebody already") from None

    # -- links -----------------------------------------------------------------------------------

    def sign(self, purpose: str, content: Any) -> str:
        """A token for a link that works for this purpose only."""
        return str(URLSafeTimedSerializer(self._key, salt=f"chancery {purpose}").dumps(content))

    def unsign(self, purpose: str, token: str, seconds: int) -> Any:
        """What a link says, if we signed it for this purpose and it is not too old; else None."""
        try:
            return URLSafeTimedSerializer(self._key, salt=f"chancery {purpose}").loads(token, max_age=seconds)
        except (BadData, ValueError):
            return None

    def sign_in_link(self, account: str) -> str:
        """A token that lets its bearer in once, for a quarter of an hour."""
        return self.sign("sign-in", [account, secrets.token_hex(8)])

    def sign_in(self, link: str) -> Account:
        """Use a sign-in link up."""
        found = self.unsign("sign-in", link, SIGN_IN_SECONDS)
        account = self.get(found[0]) if found else None
        if account is None:
            raise NotSignedIn("this sign-in link is not valid any more: ask for a new one")
        now = self._clock()
        try:
            self._database.write(
                ("DELETE FROM used_links WHERE expires < ?", (now,)),
                ("INSERT INTO used_links (id, expires) VALUES (?, ?)", (found[1], now + SIGN_IN_SECONDS * 1000)),
            )
        except Clash:
            raise NotSignedIn("this sign-in link is not valid any more: ask for a new one") from None
        return account

    def invitation_link(self, match: str, invitation: str) -> str:
        return self.sign("invitation", [match, invitation])

    def invitation(self, link: str) -> tuple[str, str] | None:
        """The match and invitation a link stands for; None if we did not sign it or it is too old."""
        found = self.unsign("invitation", link, INVITATION_SECONDS)
        return (found[0], found[1]) if found else None

    # -- API tokens ------------------------------------------------------------------------------

    def issue(self, account: str, label: str = "", days: int = TOKEN_DAYS) -> tuple[Token, str]:
        """A new API token: as it is listed, and the secret itself, which is shown this once."""
        secret = TOKEN + secrets.token_urlsafe(32)
        now = self._clock()
        token = Token(secrets.token_hex(6), label, now, now + days * DAY)
        if len(self.tokens(account)) >= MOST_TOKENS:
            raise Refused("", f"an account has at most {MOST_TOKENS} tokens: revoke one first")
        self._database.write(
            ("DELETE FROM tokens WHERE account = ? AND expires < ?", (account, now)),
            (
                "INSERT INTO tokens (id, digest, account, label, made, expires) VALUES (?, ?, ?, ?, ?, ?)",
                (token.id, _digest(secret), account, label, token.made, token.expires),
            ),
        )
        return token, secret

    def bearer(self, secret: str) -> Account:
        """Whose API token this is."""
        rows = self._database.read(
            "SELECT a.id, a.name, a.email, a.made, a.epoch FROM tokens t JOIN accounts a ON a.id = t.account"
            " WHERE t.digest = ? AND t.expires > ?",
            _digest(secret),
            self._clock(),
        )
        if not rows:
            raise NotSignedIn("this token is not valid: make a new one")
        return Account(*rows[0])

    def tokens(self, account: str) -> list[Token]:
        rows = self._database.read(
            "SELECT id, label, made, expires FROM tokens WHERE account = ? AND expires > ? ORDER BY made, id",
            account,
            self._clock(),
        )
        return [Token(*row) for row in rows]

    def revoke(self, account: str, id: str) -> bool:
        """Whether there was such a token."""
        found = any(token.id == id for token in self.tokens(account))
        self._database.write(("DELETE FROM tokens WHERE account = ? AND id = ?", (account, id)))
        return found


def _digest(secret: str) -> str:
    # A token has 256 random bits: a plain digest cannot be turned back, and looking it up tells nothing by its time.
    return hashlib.sha256(secret.encode()).hexdigest()


def checked_email(email: str) -> str:
    """A mail address as we keep it, or a refusal."""
    found = _email(email)
    if found is None:
        raise Refused("", "that is not a mail address")
    return found


def _email(email: str | None) -> str | None:
    if not email:
        return None
    email = email.strip().lower()
    if not EMAIL.fullmatch(email) or not email.isprintable():
        raise Refused("", "that is not a mail address")
    return email
