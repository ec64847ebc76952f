"""A post office on a real SQLite file, with people who write and get mails; time is what the test says."""

from __future__ import annotations

import atexit
import email
import email.policy
import re
import shutil
import tempfile
from email.message import EmailMessage
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from domain import games
from domain.deadlines import Calendar, HouseRules
from service.database import Database
from service.mail.office import Office, Wish
from service.mail.paper import BULLET
from service.mail.post import Post
from service.mail.reader import Reader
from service.matches import Matches
from service.settings import Settings
from service.store import open_store
from tests.api.toy import TITLE as TOY
from tests.contract.proof import TITLE as COURT

DOMAIN, TRUSTED = "play.example.org", "mx.play.example.org"
MONDAY = 1_803_902_400_000  # 1 March 2027, noon UTC


READER = Reader()  # one process for all tests: it starts again when a test ends it


@cache
def empty() -> str:
    """A database with all its tables and nothing in them."""
    home = tempfile.TemporaryDirectory(prefix="chancery-mail-")
    atexit.register(home.cleanup)
    path = str(Path(home.name) / "empty.db")
    with open_store(Settings(db=path)) as store:
        Database(store).migrate()
    return path


class Titles:
    """The real titles, the toy and the proof title."""

    def get(self, id: str) -> Any:
        return {"toy": TOY, COURT.id: COURT}.get(id) or games.get(id)

    def all(self) -> list[Any]:
        return [TOY, *games.all()]


class Town:
    """Everything of one server, and the mails that left it."""

    def __init__(self, folder: Path, name: str = "town", **settings: str) -> None:
        given = {"db": str(folder / f"{name}.db"), "secret": "s" * 40, "signing": "5" * 64, "url": "https://chancery.example"}
        self.settings = Settings(**{**given, "mail": DOMAIN, "mail_trust": TRUSTED, **settings})
        if not settings.get("db"):
            shutil.copy(empty(), self.settings.db)
        self.store = open_store(self.settings)
        self.database = Database(self.store)
        self.database.migrate()
        self.time = self.steady = MONDAY
        self.matches = Matches(self.store, self.database, self.settings.key(), titles=Titles(), clock=lambda: self.time)
        self.office = Office(self.matches, self.database, self.settings, steady=lambda: self.steady, machine="test")
        self.sent: list[Any] = []
        self.boxes: dict[str, list[Any]] = {}
        self.letters = 0
        self.post = Post(self.office, None if self.settings.mail_out else self._postbox, READER)
        self.people: dict[str, Any] = {}

    def _postbox(self, sender: str, recipient: str, mail: bytes) -> None:
        self.sent.append(email.message_from_bytes(mail, policy=email.policy.default))
        self.sent[-1].raw = mail.decode("ascii")
        self.boxes.setdefault(recipient, []).append(self.sent[-1])

    def later(self, **span: int) -> None:
        """Time goes by, for the clock and for the machine."""
        by = sum(
            n * {"days": 86_400_000, "hours": 3_600_000, "minutes": 60_000, "seconds": 1_000}[unit] for unit, n in span.items()
        )
        self.time += by
        self.steady += by

    def person(self, name: str) -> Any:
        if name not in self.people:
            self.people[name] = self.matches.accounts.create(name, email=f"{name}@home.example")
        return self.people[name]

    def match(self, title: str = "toy", players: int = 2, rules: HouseRules | None = None, **opened: Any) -> str:
        """A running match of ana, ben, cem; ana is the game master."""
        names = ["ana", "ben", "cem", "dee"][:players]
        id = self.matches.open(self.person("ana").id, title, players=players, **opened).id
        for name in names:
            self.matches.join(self.person(name).id, id)
        if rules is not None:
            self.office.facts.change(Calendar, id, lambda book: book.set_rules(rules))
        self.matches.start(self.person("ana").id, id)
        self.post.round()
        return id

    def seat(self, id: str, name: str) -> str:
        return self.matches.register.load(id).seats_of(self.people[name].id)[0]

    def wish(self, id: str, name: str, **wanted: Any) -> None:
        self.office.set_wish(id, self.seat(id, name), self.people[name].id, Wish(**wanted))

    def address(self, id: str, name: str) -> str:
        match = self.matches.register.load(id)
        return self.office.address(match, self.seat(id, name), self.people[name])

    # -- mails in --------------------------------------------------------------------------------

    def written(self, name: str, text: str, *, answers: Any = None, subject: str = "orders", date: str = "") -> bytes:
        """A mail as the mail server of this town hands it on."""
        mail = EmailMessage()
        mail["From"] = f"{name.title()} <{name}@home.example>"
        mail["Subject"] = subject
        self.letters += 1
        mail["Date"] = date or f"Mon, 01 Mar 2027 04:{self.letters // 60:02}:{self.letters % 60:02} +0000"
        mail["Message-ID"] = f"<{abs(hash((name, text)))}@home.example>"
        if answers is not None:
            mail["In-Reply-To"] = answers["Message-ID"]
        mail.set_content(text)
        return vouched(f"{name}@home.example") + mail.as_bytes()

    def write(self, id: str, name: str, text: str, **more: Any) -> str:
        """Send a mail with orders, and let the post go round."""
        outcome = self.post.deliver(self.written(name, text, **more), self.address(id, name), f"{name}@home.example")
        self.post.round()
        return outcome

    # -- mails out -------------------------------------------------------------------------------

    def to(self, name: str) -> list[Any]:
        return self.boxes.get(f"{name}@home.example", [])

    def last(self, name: str) -> str:
        """The text of the newest mail to somebody."""
        return text(self.to(name)[-1])

    def kinds(self, name: str) -> list[str]:
        """What kinds of mails somebody got, in order."""
        return [mail["Message-ID"].split("@")[0].split(".")[3].split("-")[0] for mail in self.to(name)]

    def versions(self, id: str) -> int:
        return self.store.head(self.matches.register.load(id).line)

    def close(self) -> None:
        self.store.close()


def vouched(sender: str, server: str = TRUSTED, verdict: str = "pass") -> bytes:
    domain = sender.rpartition("@")[2]
    return (
        f"Authentication-Results: {server}; dmarc={verdict} (p=reject) header.from={domain}\r\nReceived: by {server}\r\n".encode()
    )


def text(mail: Any) -> str:
    return mail.get_body(("plain",)).get_content().replace("\r\n", "\n")


def options(body: str) -> list[str]:
    """The answers a mail offers to whoever reads it."""
    return [line.removeprefix(BULLET) for line in body.splitlines() if line.startswith(BULLET)]


def masked(mail: Any) -> str:
    """A mail without what is random by design: hashes, signatures, signed links."""
    return re.sub(r"[0-9a-f]{64,}|unsubscribe/[\w.-]+|waiting/[\w.-]+", "*", mail.raw)


@pytest.fixture(scope="session", autouse=True)
def reader():
    yield READER
    READER.close()


@pytest.fixture
def folder():
    """A folder in memory: the disk has tests of its own."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None, prefix="chancery-mail-") as found:
        yield Path(found)


@pytest.fixture
def town(folder):
    found = Town(folder)
    yield found
    found.close()


@pytest.fixture
def world():
    from tests.mail.world import World

    found = World()
    yield found
    found.close()


@pytest.fixture
def served(folder, world):
    """A town that sends by SMTP, with its door open."""
    from service.mail.smtp import Door
    from tests.mail.world import free_port

    found = Town(folder, mail_out=f"smtp://127.0.0.1:{world.port}")
    found.door = Door(found.post, "127.0.0.1", free_port())
    found.door.start()
    yield found
    found.door.stop()
    found.post.stop()
    found.close()
