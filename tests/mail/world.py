"""The world outside: a mail server of its own on loopback, and players who know nothing but the mails that reach them."""

from __future__ import annotations

import email
import email.policy
import queue
import smtplib
import socket
from collections.abc import Sequence
from email.message import EmailMessage
from random import Random

from aiosmtpd.controller import Controller

from tests.mail.conftest import options, text, vouched

MAY = "YOU MAY, AT ANY TIME"


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


class World:
    """The mail server of the world outside: whatever is sent lands in somebody's mailbox."""

    def __init__(self) -> None:
        self.boxes: dict[str, queue.Queue[EmailMessage]] = {}
        self.port = free_port()
        self._server = Controller(self, hostname="127.0.0.1", port=self.port)
        self._server.start()

    def box(self, address: str) -> queue.Queue[EmailMessage]:
        return self.boxes.setdefault(address, queue.Queue())

    async def handle_DATA(self, server, session, envelope) -> str:
        for recipient in envelope.rcpt_tos:
            self.box(recipient).put(email.message_from_bytes(envelope.content, policy=email.policy.default))
        return "250 OK"

    def close(self) -> None:
        self._server.stop()


class Player:
    """Somebody who reads their mails and answers by copying one of the orders in them, written now this way, now that."""

    def __init__(self, name: str, world: World, door: int, habits: Sequence[str] = (), calm: Sequence[str] = ()) -> None:
        self.name, self.own = name, f"{name}@home.example"
        self.door = smtplib.SMTP("127.0.0.1", door, timeout=30)
        self.box = world.box(self.own)
        self.rng = Random(name)
        self.habits, self.calm = habits, calm
        self.over = False
        self.orders = self.sent = self.refused = 0

    def check_mail(self) -> None:
        """Read what came; answer the newest mail that asks something."""
        newest = None
        while not self.box.empty():
            newest = self.box.get()
            self.over = self.over or "The game is over." in text(newest)
            self.refused += "refused" in newest["Subject"]
            if self.habits and ".started@" in newest["Message-ID"]:
                self.answer(newest, "\r\n".join(self.habits))
        if newest is None or self.over or "YOU ARE ASKED" not in text(newest):
            return
        offered = options(text(newest).split(MAY)[0])
        dull = [line for word in self.calm for line in offered if line.endswith(word)]
        self.orders += 1
        self.answer(newest, self.worded(newest, dull[0] if dull else self.rng.choice(offered)))

    def worded(self, mail: EmailMessage, order: str) -> str:
        """The same order as different people write it."""
        seat = mail["Subject"].rsplit("]", 1)[0].split()[-1]
        ways = [
            order,
            order.upper(),
            f"ORDERS\r\n{seat}: {order}\r\nEND\r\nSee you on Sunday",
            f"  * {order}   # so be it",
            f"{seat}: {order}",
        ]
        return self.rng.choice(ways)

    def answer(self, mail: EmailMessage, words: str) -> None:
        self.sent += 1
        head = (
            f"From: {self.own}\r\nTo: {mail['From']}\r\nSubject: Re: {mail['Subject']}\r\nIn-Reply-To: {mail['Message-ID']}\r\n"
            f"Date: Mon, 01 Mar 2027 04:00:00 +0000\r\nMessage-ID: <{self.sent}@{self.own}>\r\n\r\n"
        )
        body = f"{words}\r\n\r\nOn Monday Chancery wrote:\r\n> take everything\r\n-- \r\n{self.name}, message {self.sent}\r\n"
        self.door.sendmail(self.own, [mail["From"].addresses[0].addr_spec], vouched(self.own) + (head + body).encode())

    def close(self) -> None:
        self.door.close()
