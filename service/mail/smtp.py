"""Mails in, by SMTP or LMTP: behind our own mail server, which checks senders and keeps spam away. Never open to the world."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

from domain.kernel.errors import ChanceryError
from service.database import Unavailable
from service.mail.office import Office
from service.mail.post import Post
from service.mail.reading import LARGEST
from service.register import Busy

MOST_RECIPIENTS = 5
NOBODY = "550 5.1.1 nobody is reached here"
ANSWERS = {
    "taken": "250 2.0.0 received",
    "waits": "250 2.0.0 received, waits for its sender's word",
    "again": "250 2.0.0 already received",
    "dropped": "250 2.0.0 received, not answered",
    "refused": NOBODY,
    "unknown": NOBODY,
    "too large": "552 5.3.4 a mail has at most 320 KB",
    "busy": "451 4.3.0 try again later",
}


class Handler:
    """What to say to a mail server."""

    def __init__(self, post: Post) -> None:
        self._post = post
        self._threads = ThreadPoolExecutor(max_workers=8, thread_name_prefix="mail")

    async def handle_RCPT(self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[Any]) -> str:
        if self._post.office.addresses.place(address) is None:
            return NOBODY
        if len(envelope.rcpt_tos) >= MOST_RECIPIENTS:
            return "452 4.5.3 too many recipients"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        raw = envelope.content if isinstance(envelope.content, bytes) else str(envelope.content or "").encode()
        loop = asyncio.get_running_loop()
        answers = [
            await loop.run_in_executor(self._threads, self._deliver, raw, recipient, (envelope.mail_from or "").strip("<>"))
            for recipient in envelope.rcpt_tos
        ]
        if isinstance(server, LMTP):
            return "\r\n".join(ANSWERS[answer] for answer in answers)
        return ANSWERS[min(answers, key=list(ANSWERS).index)]

    def _deliver(self, raw: bytes, recipient: str, sender: str) -> str:
        try:
            return self._post.deliver(raw, recipient, sender)
        except (Unavailable, Busy):
            return "busy"

    def close(self) -> None:
        self._threads.shutdown()


class Door(Controller):
    """The server, in a thread of its own."""

    def __init__(self, post: Post, host: str, port: int, *, lmtp: bool = False) -> None:
        logging.getLogger("mail.log").setLevel(logging.CRITICAL)  # it would write down addresses, which are keys
        self._lmtp = lmtp
        super().__init__(Handler(post), hostname=host, port=port)

    def factory(self) -> SMTP:
        kind = LMTP if self._lmtp else SMTP
        return kind(self.handler, data_size_limit=LARGEST, ident="Chancery", enable_SMTPUTF8=False)

    def stop(self, no_assert: bool = False) -> None:
        super().stop(no_assert)
        self.handler.close()


@contextmanager
def at_work(office: Office, *, lmtp: bool = False) -> Iterator[str]:
    """Mails come in, the post goes its rounds and mails go out, as long as this lasts; gives the address of the door."""
    host, _, port = office.settings.mail_in.rpartition(":")
    post = Post(office)
    door = Door(post, host, int(port), lmtp=lmtp)
    try:
        door.start()
    except OSError as taken:
        post.stop()
        raise ChanceryError(f"mails cannot come in at {host}:{port}: {taken.strerror}") from None
    post.start()
    try:
        yield f"{host}:{port}"
    finally:
        door.stop()
        post.stop()
