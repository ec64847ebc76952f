"""Who writes: the address of a seat, which only its holder knows, and the three signs that a mail is its holder's.

The address is `match+seat+token@domain`; the token follows from our key, the holder and the tenure, so that nothing is stored and a
take-over or a new password makes a new one. The signs are the token, the registered sender, and the verdict of our own mail server
(DMARC) that the sender's domain sent it. All three: the mail counts. Two: its holder is asked for a click. Fewer: nothing happens.
"""

from __future__ import annotations

import base64
import hmac
import re
from typing import NamedTuple

from domain.match import BOT, Match
from service.accounts import Account, Accounts
from service.mail.reading import Letter

MASTER = "gm"
LOCAL = re.compile(r"([a-z0-9]{4,32})\+([a-z0-9_-]{1,24})\+([a-z2-7]{26})")
OURS = re.compile(r"([a-z0-9]{4,32})\.(\d{1,9})\.([a-z0-9_-]{1,24})\.([a-z0-9-]{1,40})")
QUOTED = re.compile(r'"[^"]*"')
COMMENT = re.compile(r"\([^()]*\)")


class Place(NamedTuple):
    """What an address says."""

    match: str
    seat: str
    token: str


class Answered(NamedTuple):
    """Which of our mails a mail answers."""

    line: str
    version: int
    seat: str
    kind: str


class Addresses:
    """Seats' addresses, and whether a letter is from whom it should be."""

    def __init__(self, key: bytes, domain: str, trusted: str, accounts: Accounts) -> None:
        self._key = hmac.digest(key, b"mail addresses", "sha256")
        self.domain, self._trusted, self._accounts = domain, trusted.lower(), accounts

    def holder(self, match: Match, seat: str) -> Account | None:
        """The person in a seat, or the game master, if we have an address of theirs."""
        held = self.owner(match, seat)
        account = self._accounts.get(held) if held and not held.startswith(BOT) else None
        return account if account is not None and account.email else None

    def owner(self, match: Match, seat: str) -> str:
        """Whose a seat's address is; that of the game master is no seat's."""
        return match.host if seat == MASTER and seat not in match.seats else match.holder(seat)

    def token(self, match: Match, seat: str, account: Account) -> str:
        tenure = sum(one.seat == seat for one in match.tenures)
        says = "\0".join((match.id, seat, account.id, str(tenure), str(account.epoch)))
        return base64.b32encode(hmac.digest(self._key, says.encode(), "sha256")).decode().lower()[:26]

    def address(self, match: Match, seat: str, account: Account) -> str:
        return f"{match.id}+{seat}+{self.token(match, seat, account)}@{self.domain}"

    def place(self, recipient: str) -> Place | None:
        """What one of our addresses says; None for any other."""
        local, _, domain = recipient.strip().lower().rpartition("@")
        found = LOCAL.fullmatch(local)
        return Place(*found.groups()) if found and domain == self.domain else None

    def answered(self, letter: Letter) -> Answered | None:
        """Which of our mails a letter answers, by the ids it names."""
        for id in letter.replies:
            local, _, domain = id.rpartition("@")
            found = OURS.fullmatch(local)
            if found and domain.lower() == self.domain:
                return Answered(found[1], int(found[2]), found[3], found[4])
        return None

    # -- the three signs -------------------------------------------------------------------------

    def signs(self, place: Place, match: Match, account: Account, letter: Letter) -> tuple[bool, bool, bool]:
        """The token, the sender, the verdict of our mail server."""
        token = hmac.compare_digest(self.token(match, place.seat, account), place.token)
        sender = bool(letter.sender) and letter.sender == (account.email or "").lower()
        return token, sender, self.vouched(letter)

    def vouched(self, letter: Letter) -> bool:
        """Whether our own mail server, and nobody in its name, says that the sender's domain sent this."""
        said = [found for found in map(_said, letter.results) if found[0] == [self._trusted]]
        if not self._trusted or len(said) != 1:
            return False
        verdicts = [words for words in said[0][1:] if words[0].startswith("dmarc")]
        domain = letter.sender.rpartition("@")[2]
        return (
            len(verdicts) == 1
            and verdicts[0][0] == "dmarc=pass"
            and [word for word in verdicts[0] if word.startswith("header.from=")] == [f"header.from={domain}"]
        )


def _said(result: str) -> list[list[str]]:
    """An Authentication-Results as words, the server first, then one list for each verdict; nothing of comments and quotations."""
    text = QUOTED.sub("", result)
    while (bare := COMMENT.sub(" ", text)) != text:
        text = bare
    return [re.sub(r"\s*=\s*", "=", part).lower().split() or [""] for part in text.split(";")]
