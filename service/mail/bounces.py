"""Mails that came back: a report of failure to a seat's address marks the mail it is about as lost, for the game master to see."""

from __future__ import annotations

import re

from service.database import Database

FAILED = re.compile(rb"^action:[ \t]*failed\b", re.IGNORECASE | re.MULTILINE)
ABOUT = re.compile(rb"^message-id:[ \t]*(?:\r?\n[ \t]+)?<([a-z0-9_.-]{1,120})@", re.IGNORECASE | re.MULTILINE)


def is_failure(raw: bytes) -> bool:
    """Whether a mail is a server's report (RFC 3464) that one could not be delivered: delays and holiday notes are not."""
    return b"message/delivery-status" in raw.lower() and FAILED.search(raw) is not None


def note(database: Database, match: str, seat: str, raw: bytes, at: int) -> bool:
    """Mark the mail that came back, or where the report does not say which, the newest to this seat; whether there was one."""
    names = {found.decode("ascii") for found in ABOUT.findall(raw)}
    rows = database.read(
        "SELECT id FROM outbox WHERE match = ? AND seat = ? AND sent > 0 AND failed = 0 ORDER BY number DESC LIMIT 200", match, seat
    )
    known = [row[0] for row in rows]
    meant = next((id for id in known if id in names), known[0] if known and not names & _all(database, match, seat) else "")
    if meant:
        database.write(("UPDATE outbox SET failed = ? WHERE id = ?", (at, meant)))
    return bool(meant)


def _all(database: Database, match: str, seat: str) -> set[str]:
    return {row[0] for row in database.read("SELECT id FROM outbox WHERE match = ? AND seat = ?", match, seat)}
