"""Mails that are to go out: a row each, made once and sent until it went.

Rows are not written with the events but derived from the log afterwards, by keys that follow from it: (line, version, seat, kind) is
the left part of the Message-ID, and unique. It comes to the same: the log is the durable record, a crash between a decision and its
mails leaves the mails to the next round, and a round that is made twice, or by two processes at once, finds its rows there already.
The whole mail is in the row, so that whatever is sent twice is the same mail, with the same Message-ID.
"""

from __future__ import annotations

import re
import secrets
import smtplib
import ssl
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from typing import NamedTuple, Protocol
from urllib.parse import unquote, urlsplit

import structlog
from prometheus_client import Counter, Gauge

from domain.kernel.errors import ChanceryError
from domain.match import Match
from service.accounts import Account
from service.database import Clash, Database, Statement
from service.mail.paper import PICTURE, Paper, as_html, as_text, plain
from service.mail.wishes import TEXT, Wishes
from service.register import Busy

TRIES = 20
BATCH = 50
MINUTE = 60_000
# How long to wait after each failure; then the mail counts as lost.
PATIENCE = [1, 5, 15, 30, 60, 120, 240, 480, 720, 1440, 1440, 1440]
QUIET = 10 * MINUTE  # between two mails that say something is wrong
ERROR = "error"
PNG = re.compile(r"(Content-Type: image/png.*?\r\n\r\n)[A-Za-z0-9+/=\r\n]+(?=\r\n--)", re.DOTALL)

INSERT = (
    "INSERT INTO outbox (id, match, seat, number, kind, line, version, account, recipient, mail, made, due,"
    " tries, claim, sent, failed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, '', 0, 0)"
)

OUT = Counter("chancery_mails_out", "Mails by what became of them.", ["outcome"])
QUEUED = Gauge("chancery_mails_waiting", "Mails that wait to be sent.", multiprocess_mode="max")

log = structlog.get_logger(__name__)


class Last(NamedTuple):
    """The newest mail to a seat that told it how the game stands."""

    line: str
    version: int
    made: int


class Row(NamedTuple):
    """A mail on its way."""

    id: str
    match: str
    seat: str
    recipient: str
    mail: str
    tries: int


class Postbox(Protocol):
    """Where mails go out."""

    def __call__(self, sender: str, recipient: str, mail: bytes) -> None:
        """Hand a mail over, or raise what `smtplib` raises."""
        ...


class Links(Protocol):
    """What every mail needs besides its words."""

    def address(self, match: Match, seat: str, account: Account) -> str: ...
    def unsubscribe(self, match: Match, seat: str, account: Account) -> str: ...


class Outbox:
    """Add, send, look up."""

    def __init__(self, database: Database, domain: str, links: Links, clock: Callable[[], int]) -> None:
        self._database, self._domain, self._links, self._clock = database, domain, links, clock
        self._wishes = Wishes(database)

    # -- adding ----------------------------------------------------------------------------------

    def add(
        self,
        match: Match,
        seat: str,
        account: Account,
        kind: str,
        line: str,
        version: int,
        paper: Paper,
        *,
        mark: str = "",
        answers: str = "",
        also: Sequence[Statement] = (),
    ) -> bool:
        """Put a mail in; False if it is there already or says too often that something is wrong. `also` is written with the mail."""
        id = f"{line}.{version}.{seat}.{kind}{f'-{mark}' if mark else ''}"
        for _ in range(TRIES):
            now, number = self._clock(), 1 + self._numbered(match.id, seat)
            due = self._quiet_until(match.id, seat) if kind == ERROR else now
            if due is None or self.there(id):
                return False
            mail = self._written(match, seat, account, id, paper, answers, now)
            row = (id, match.id, seat, number, kind, line, version, account.id, account.email, mail, now, due)
            try:
                self._database.write((INSERT, row), *also)
            except Clash:
                continue  # another mail to this seat came first
            return True
        raise Busy("others wrote to the same seat again and again")

    def add_for(self, account: Account, recipient: str, id: str, paper: Paper) -> None:
        """Put in a mail that is about no match: to an address that is to be confirmed."""
        now, number = self._clock(), 1 + self._numbered("", account.id)
        mail = EmailMessage(policy=SMTP.clone(cte_type="7bit", max_line_length=900))
        mail["Message-ID"] = f"<{id}@{self._domain}>"
        mail["Date"] = format_datetime(datetime.fromtimestamp(now / 1000, UTC))
        mail["From"] = f"Chancery <nobody@{self._domain}>"
        mail["To"] = recipient
        mail["Subject"] = _header(paper.subject)
        mail["Auto-Submitted"] = "auto-generated"
        mail.set_content(as_text(paper.blocks))
        row = (id, "", account.id, number, "address", "", 0, account.id, recipient, mail.as_bytes().decode("ascii"), now, now)
        self._database.write((INSERT, row))

    def _quiet_until(self, match: str, seat: str) -> int | None:
        """When a seat may hear again that something is wrong: not within ten minutes, and not while such a mail waits."""
        rows = self._database.read(
            "SELECT sent, failed FROM outbox WHERE match = ? AND seat = ? AND kind = ? ORDER BY number DESC LIMIT 1",
            match,
            seat,
            ERROR,
        )
        if rows and not any(rows[0]):
            return None
        return max(self._clock(), rows[0][0] + QUIET if rows else 0)

    def _numbered(self, match: str, seat: str) -> int:
        rows = self._database.read("SELECT max(number) FROM outbox WHERE match = ? AND seat = ?", match, seat)
        return rows[0][0] or 0

    def _written(self, match: Match, seat: str, account: Account, id: str, paper: Paper, answers: str, at: int) -> str:
        """The whole mail, in letters any server passes on; its header is not folded, for a folded link is none."""
        mail, own = EmailMessage(policy=SMTP.clone(cte_type="7bit", max_line_length=900)), self._links.address(match, seat, account)
        thread = f"<{match.id}.0.{seat}.thread@{self._domain}>"
        mail["Message-ID"] = f"<{id}@{self._domain}>"
        mail["Date"] = format_datetime(datetime.fromtimestamp(at / 1000, UTC))
        mail["From"] = f"Chancery <{own}>"
        mail["To"] = account.email
        mail["Subject"] = _header(paper.subject)
        if answers:
            mail["In-Reply-To"] = f"<{answers}>"
        mail["References"] = f"{thread} <{answers}>" if answers else thread
        mail["Auto-Submitted"] = "auto-generated"
        mail["X-Auto-Response-Suppress"] = "All"
        link = self._links.unsubscribe(match, seat, account)
        mail["List-Unsubscribe"] = f"<{link}>"
        mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        mail.set_content(as_text(paper.blocks))
        wish = self._wishes.of(match.id, seat, account.id)
        if wish.form == TEXT:
            return mail.as_bytes().decode("ascii")
        mail.add_alternative(as_html(paper.blocks, wish.language), subtype="html")
        if paper.picture:
            html = mail.get_payload()[1]  # type: ignore[index]
            html.add_related(paper.picture, "image", "png", cid=f"<{PICTURE}>", filename="board.png", disposition="inline")  # type: ignore[union-attr]
            html.set_boundary(f"=_{id}.{PICTURE}")  # type: ignore[union-attr]
        mail.set_boundary(f"=_{id}")  # nothing in a mail is left to chance: made again it is the same
        return mail.as_bytes().decode("ascii")

    # -- looking up ------------------------------------------------------------------------------

    def there(self, id: str) -> bool:
        return bool(self._database.read("SELECT 1 FROM outbox WHERE id = ?", id))

    def told(self, match: str, seat: str, account: str, kinds: Sequence[str]) -> Last | None:
        """The newest mail of these kinds to a seat while this account holds it."""
        marks = ", ".join("?" for _ in kinds)
        rows = self._database.read(
            f"SELECT line, version, made FROM outbox WHERE match = ? AND seat = ? AND account = ? AND kind IN ({marks})"
            " ORDER BY number DESC LIMIT 1",
            match,
            seat,
            account,
            *kinds,
        )
        return Last(*rows[0]) if rows else None

    def ids(self, match: str, kind: str) -> set[str]:
        """The ids of every mail of a kind in a match."""
        return {row[0] for row in self._database.read("SELECT id FROM outbox WHERE match = ? AND kind = ?", match, kind)}

    def lost(self, match: str) -> dict[str, int]:
        """How many mails to each seat could not be delivered: for the game master."""
        rows = self._database.read("SELECT seat, count(*) FROM outbox WHERE match = ? AND failed > 0 GROUP BY seat", match)
        return {row[0]: row[1] for row in rows}

    # -- sending ---------------------------------------------------------------------------------

    def send(self, postbox: Postbox) -> int:
        """Send what is due; how many went. Of several senders one sends each mail, unless it dies over it."""
        now, sent = self._clock(), 0
        rows = [
            Row(*row)
            for row in self._database.read(
                "SELECT id, match, seat, recipient, mail, tries FROM outbox WHERE sent = 0 AND failed = 0 AND due <= ?"
                " ORDER BY due, made, match, seat, number LIMIT ?",
                now,
                BATCH,
            )
        ]
        QUEUED.set(len(rows))
        for row in rows:
            if self._claim(row, now):
                sent += self._send(row, postbox)
        return sent

    def _claim(self, row: Row, now: int) -> bool:
        """Make this try ours: if we die over it, the mail is due again after the wait of a failed one."""
        claim = secrets.token_hex(8)
        wait = PATIENCE[min(row.tries, len(PATIENCE) - 1)] * MINUTE
        self._database.write(
            (
                "UPDATE outbox SET tries = tries + 1, claim = ?, due = ? WHERE id = ? AND tries = ? AND sent = 0",
                (claim, now + wait, row.id, row.tries),
            )
        )
        return bool(self._database.read("SELECT 1 FROM outbox WHERE id = ? AND claim = ?", row.id, claim))

    def _send(self, row: Row, postbox: Postbox) -> bool:
        own = row.mail.split("From: Chancery <", 1)[1].split(">", 1)[0]
        try:
            postbox(own, row.recipient, row.mail.encode("ascii"))
        except (smtplib.SMTPException, OSError) as failed:
            for_good = isinstance(failed, smtplib.SMTPResponseException) and 500 <= failed.smtp_code < 600
            if isinstance(failed, smtplib.SMTPRecipientsRefused):
                for_good = all(500 <= code < 600 for code, _ in failed.recipients.values())
            if for_good or row.tries + 1 >= len(PATIENCE):
                self._database.write(("UPDATE outbox SET failed = ? WHERE id = ?", (self._clock(), row.id)))
            OUT.labels("lost" if for_good else "delayed").inc()
            log.warning("mail not sent", match=row.match, seat=row.seat, error=type(failed).__name__, lost=for_good)
            return False
        kept = PNG.sub(r"\1", row.mail)  # a picture of every move of every game would fill the database
        self._database.write(("UPDATE outbox SET sent = ?, mail = ? WHERE id = ?", (self._clock(), kept, row.id)))
        OUT.labels("sent").inc()
        return True


def _header(text: str) -> str:
    """A subject: one line of a decent length."""
    return plain("".join(letter for letter in text if letter.isprintable() or letter == " "))[:150]


class Smtp:
    """The mail server that takes our mails, as an address of the settings says; the connection is kept while there is work."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        if not parts.hostname:
            raise ChanceryError("CHANCERY_MAIL_OUT names no host: smtp://localhost:25")
        self._secure = parts.scheme == "smtps"
        self._host, self._port = parts.hostname, parts.port or (465 if self._secure else 25)
        self._user, self._password = unquote(parts.username or ""), unquote(parts.password or "")
        self._server: smtplib.SMTP | None = None

    def __call__(self, sender: str, recipient: str, mail: bytes) -> None:
        try:
            self._connected().sendmail(sender, [recipient], mail)
        except (smtplib.SMTPServerDisconnected, ConnectionError):
            self.close()
            self._connected().sendmail(sender, [recipient], mail)

    def _connected(self) -> smtplib.SMTP:
        if self._server is None:
            safe = ssl.create_default_context()
            if self._secure:
                self._server = smtplib.SMTP_SSL(self._host, self._port, timeout=30, context=safe)
            else:
                self._server = smtplib.SMTP(self._host, self._port, timeout=30)
                self._server.ehlo()
                if self._server.has_extn("starttls"):
                    self._server.starttls(context=safe)
            if self._user:
                self._server.login(self._user, self._password)
        return self._server

    def close(self) -> None:
        if self._server is not None:
            try:
                self._server.quit()
            except (smtplib.SMTPException, OSError):
                self._server.close()
            self._server = None
