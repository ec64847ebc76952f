"""A whole game over real SMTP, by players who know nothing but their own mails; the door; what a crash leaves behind."""

from __future__ import annotations

import email
import email.policy
import logging
import os
import queue
import smtplib
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest
import structlog
from aiosmtpd.controller import Controller
from typer.testing import CliRunner

from domain.standing import Book
from service.cli import app, mail
from service.database import Database
from service.mail.outbox import Smtp
from service.mail.smtp import Door
from service.matches import Matches
from service.settings import Settings
from service.store import open_store
from tests.mail.conftest import Titles, Town, options, text, vouched

SOAK = bool(os.environ.get("CHANCERY_SOAK"))
ROOT = Path(__file__).resolve().parents[2]


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


class World:
    """The mail server of the world outside: whatever is sent lands in somebody's mailbox."""

    def __init__(self):
        self.boxes: dict[str, queue.Queue] = {}
        self.port = free_port()
        self._server = Controller(self, hostname="127.0.0.1", port=self.port)
        self._server.start()

    async def handle_DATA(self, server, session, envelope):
        for recipient in envelope.rcpt_tos:
            self.boxes.setdefault(recipient, queue.Queue()).put(
                email.message_from_bytes(envelope.content, policy=email.policy.default)
            )
        return "250 OK"

    def close(self):
        self._server.stop()


@pytest.fixture
def world():
    found = World()
    yield found
    found.close()


class Player:
    """Somebody who reads their mails and answers by copying one of the orders in them."""

    def __init__(self, name, world, door):
        self.name, self.door = name, smtplib.SMTP("127.0.0.1", door, timeout=30)
        self.box = world.boxes.setdefault(f"{name}@home.example", queue.Queue())
        self.rng = Random(name)
        self.over = False
        self.written = self.sent = 0  # orders, mails

    def lodge(self, mail):
        """Tell once what is always the same."""
        habits = {"use character": "pass", "use space": "pass", "window": "rest", "drop stone with protection": "no"}
        self.answer(mail, "\r\n".join(f"IF asked {question} every time THEN {answer}" for question, answer in habits.items()))
        self.written -= 1

    def check_mail(self):
        """Read what came; answer the newest mail that asks something. Whether there was any."""
        newest = None
        while not self.box.empty():
            newest = self.box.get()
            if ".started@" in newest["Message-ID"]:
                self.lodge(newest)
            self.over = self.over or "The game is over." in text(newest)
        if newest is None:
            return False
        offered = options(text(newest).split("YOU MAY, AT ANY TIME")[0])
        if "YOU ARE ASKED" in text(newest) and not self.over:
            calm = [line for word in ("rest", "pass", " no", "end") for line in offered if line.endswith(word)]
            self.answer(newest, calm[0] if calm else self.rng.choice(offered))
        return True

    def answer(self, mail, order):
        self.written, self.sent = self.written + 1, self.sent + 1
        own = f"{self.name}@home.example"
        raw = (
            vouched(own)
            + (
                f"From: {own}\r\nTo: {mail['From']}\r\nSubject: Re: {mail['Subject']}\r\nIn-Reply-To: {mail['Message-ID']}\r\n"
                f"Date: Mon, 01 Mar 2027 04:00:00 +0000\r\nMessage-ID: <{self.sent}@{own}>\r\n\r\n"
                f"{order}\r\n\r\nOn Monday Chancery wrote:\r\n> take everything\r\n-- \r\n{self.name}, message {self.sent}\r\n"
            ).encode()
        )
        self.door.sendmail(own, [mail["From"].addresses[0].addr_spec], raw)


@pytest.fixture
def served(tmp_path, world):
    """A town that sends by SMTP, with its door open."""
    town = Town(tmp_path, mail_out=f"smtp://127.0.0.1:{world.port}")
    town.door = Door(town.post, "127.0.0.1", free_port())
    town.door.start()
    yield town
    town.door.stop()
    town.close()


def test_a_whole_game_by_mail_ends_as_the_same_decisions_do_through_the_service(served, world, tmp_path):
    town, id = served, served.match("column-of-fire")
    players = [Player(name, world, town.door.port) for name in ("ana", "ben")]
    until = time.monotonic() + 300
    while not all(player.over for player in players) and time.monotonic() < until:
        for player in players:
            player.check_mail()
        town.post.round()
    assert all(player.over for player in players)

    log = town.matches.open_log(id)
    decisions = [event for event in log.raw() if event.kind in ("decided", "sealed")]
    assert len(decisions) > 100 and {event.cause.partition("#")[0] for event in decisions} == {"mail"}
    book = town.office.facts.load(Book, id)
    by_habit = sum(len(book.uses(town.seat(id, name), town.people[name].id)) for name in ("ana", "ben"))
    assert by_habit > 50 and sum(player.written for player in players) + by_habit == len(decisions)
    twin = replayed(town, tmp_path)
    for event in decisions:
        twin.decide(twin.register.load(id).holder(event.seat), id, event.seat, event.ask, event.answer)
    assert twin.open_log(id).whole_table().state() == log.whole_table().state()
    assert twin.register.load(id).state == "finished"


def replayed(town, folder):
    """The same match, before its first decision, in another database."""
    store = open_store(Settings(db=str(folder / "twin.db")))
    database = Database(store)
    database.migrate()
    for table, columns in (("facts", "match, version, body"), ("accounts", "id, name, folded, email, password, epoch, made")):
        for row in town.database.read(f"SELECT {columns} FROM {table}"):
            if table != "facts" or not row[2].startswith('{"type":"finished"'):
                database.write((f"INSERT INTO {table} ({columns}) VALUES ({', '.join('?' for _ in row)})", row))
    return Matches(store, database, town.settings.key(), titles=Titles())


# -- the door ---------------------------------------------------------------------------------------------


def said(wrong: smtplib.SMTPException) -> int:
    found = getattr(wrong, "recipients", None)
    return next(iter(found.values()))[0] if found else wrong.smtp_code


def test_the_door_says_what_became_of_a_mail(served):
    id = served.match()
    raw, own = served.written("ana", "hide left"), "ana@home.example"
    with smtplib.SMTP("127.0.0.1", served.door.port, timeout=30) as door:
        for recipient in ("postmaster@play.example.org", "eve@evil.example", served.address(id, "ana").replace("play", "pray")):
            with pytest.raises(smtplib.SMTPException) as wrong:
                door.sendmail(own, [recipient], raw)
            assert said(wrong.value) == 550
        stranger = served.address(id, "ana").replace(id, "x" * len(id))
        for recipient, mail in ((stranger, raw), (served.address(id, "ana"), b"From: eve@evil.example\r\n\r\nhide left")):
            with pytest.raises(smtplib.SMTPDataError) as wrong:
                door.sendmail(own, [recipient], mail)
            assert (wrong.value.smtp_code, wrong.value.smtp_error) == (550, b"5.1.1 nobody is reached here")
        for expected in (b"received", b"already received"):
            door.mail(own)
            door.rcpt(served.address(id, "ana"))
            assert door.data(raw)[1].endswith(expected)
    assert served.versions(id) == 2


def test_S4_ten_megabytes_are_refused_at_the_door(served):
    id = served.match()
    with smtplib.SMTP("127.0.0.1", served.door.port, timeout=30) as door:
        with pytest.raises(smtplib.SMTPException) as wrong:
            door.sendmail("ana@home.example", [served.address(id, "ana")], b"Subject: x\r\n\r\n" + b"x" * 10_000_000)
        assert said(wrong.value) == 552
    assert served.versions(id) == 1


def test_a_storm_at_the_door_is_answered_and_the_game_goes_on(served):
    id = served.match()
    with smtplib.SMTP("127.0.0.1", served.door.port, timeout=30) as door:
        door.ehlo()
        for number in range(50):
            door.mail("")
            door.rcpt(served.address(id, "ana"))
            assert door.data(b"Subject: undelivered\r\n\r\n%d" % number)[1].endswith(b"not answered")
    assert served.versions(id) == 1


def test_lmtp_answers_for_every_recipient(served):
    id = served.match()
    door = Door(served.post, "127.0.0.1", free_port(), lmtp=True)
    door.start()
    try:
        with smtplib.LMTP("127.0.0.1", door.port) as client:
            client.ehlo_or_helo_if_needed()
            client.mail("ana@home.example")
            client.rcpt(served.address(id, "ana"))
            client.rcpt(served.address(id, "ana").replace(id, "x" * len(id)))
            assert client.data(served.written("ana", "hide left")) == (250, b"2.0.0 received")
            assert client.getreply()[0] == 550
    finally:
        door.stop()
    assert served.versions(id) == 2


# -- out --------------------------------------------------------------------------------------------------


def test_a_mail_that_cannot_be_sent_is_tried_again_and_one_that_is_refused_is_lost(tmp_path, world):
    town = Town(tmp_path, mail_out=f"smtp://127.0.0.1:{free_port()}")
    id = town.match()  # nobody listens there
    rows = town.database.read("SELECT tries, sent, failed FROM outbox")
    assert rows == [(1, 0, 0), (1, 0, 0)]
    town.post.send()
    assert town.database.read("SELECT tries FROM outbox") == [(1,), (1,)]
    town.post._postbox = Smtp(f"smtp://127.0.0.1:{world.port}")
    town.later(minutes=2)
    assert town.post.send() == 2 and town.database.read("SELECT count(*) FROM outbox WHERE sent > 0") == [(2,)]

    def refuses(sender, recipient, mail):
        raise smtplib.SMTPRecipientsRefused({recipient: (550, b"no such user")})

    town.post._postbox = refuses
    town.write(id, "ana", "hide left")
    assert town.office.outbox.lost(id) == {"red": 1, "blue": 1}
    town.close()


def test_R2_killed_at_any_moment_every_mail_goes_out_and_twins_have_one_id(tmp_path):
    """A process plays by mail and is killed; whatever is left is sent by the next."""
    for number in range(200 if SOAK else 4):
        folder = tmp_path / str(number)
        folder.mkdir()
        command = [sys.executable, "-m", "tests.mail.postman", str(folder)]
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(ROOT)})
        started = process.stdout.readline()
        time.sleep(Random(number).uniform(0.05, 1.0))
        process.kill()
        process.wait()
        assert started == b"playing\n"
        town = Town(folder, db=str(folder / "town.db"))
        town.later(hours=2)
        for _ in range(3):
            town.post.round()
            town.later(hours=2)
        noted = [line for line in (folder / "sent").read_text().splitlines() if line.endswith(">")]
        went = noted + [mail["Message-ID"] for mail in town.sent]
        rows = [f"<{row[0]}@play.example.org>" for row in town.database.read("SELECT id FROM outbox")]
        assert set(went) == set(rows) and len(went) <= len(rows) + 1  # what was in the postman's hand may go twice
        assert not town.database.read("SELECT 1 FROM outbox WHERE sent = 0") and not town.database.read(
            "SELECT 1 FROM mails_in WHERE state = 'taken'"
        )
        told = {row[0] for row in town.database.read("SELECT seat FROM outbox WHERE kind = 'started'")}
        assert told == {"red", "blue"}
        town.close()


# -- the commands -----------------------------------------------------------------------------------------


@contextmanager
def quiet():
    """The logs as they were, whatever a command makes of them."""
    root = logging.getLogger()
    kept, level = root.handlers[:], root.level
    try:
        yield
    finally:
        root.handlers[:], root.level = kept, level
        structlog.reset_defaults()


def environment(town, **more):
    given = {
        "DB": town.settings.db,
        "SECRET": town.settings.secret,
        "MAIL": town.settings.mail,
        "MAIL_TRUST": town.settings.mail_trust,
    }
    return {**os.environ, "PYTHONPATH": str(ROOT), **{f"CHANCERY_{name}": value for name, value in {**given, **more}.items()}}


def test_mails_come_in_by_a_pipe(tmp_path):
    town = Town(tmp_path)
    id = town.match("column-of-fire")
    asked = next(name for name in ("ana", "ben") if "YOU ARE ASKED" in town.last(name))
    before = town.versions(id)
    for recipient, status, outcome in ((town.address(id, asked), 0, b"taken"), ("nobody@play.example.org", 67, b"unknown")):
        done = subprocess.run(
            [sys.executable, "-m", "service.cli", "mail", "deliver", recipient],
            input=town.written(asked, options(town.last(asked))[0]),
            env=environment(town),
            cwd=ROOT,
            capture_output=True,
            timeout=60,
        )
        assert (done.returncode, done.stdout.strip()) == (status, outcome), done.stderr
    assert town.versions(id) > before
    town.close()


def test_the_game_master_keeps_time_from_the_terminal(tmp_path):
    town = Town(tmp_path)
    id = town.match("column-of-fire")

    def run(*words):
        with quiet():
            done = CliRunner().invoke(app, ["mail", *words], env=environment(town))
        assert done.exit_code == 0, done.output
        return done.stdout

    assert mail  # registers its commands
    assert run("address", id, "red").strip() == town.address(id, "ana")
    run("rules", id, "--next", "24", "--clock", "20:00", "--zone", "Europe/Madrid", "--late", "regent")
    run("mode", id, "red", "digest", "--zone", "Asia/Tokyo")
    run("send")
    assert "due" in run("status", id)
    run("extend", id, "5")
    run("pause", id, "12")
    run("resume", id)
    calendar = town.office.calendar(id)
    assert calendar.rules.late == "regent" and calendar.rules.vectors[""].zone == "Europe/Madrid" and calendar.paused is None
    assert town.office.wish(id, "red", town.people["ana"].id).zone == "Asia/Tokyo"
    town.close()


def test_chancery_mail_serve_takes_a_mail_and_stops_when_told(tmp_path):
    town = Town(tmp_path)
    id = town.match("column-of-fire")
    asked = next(name for name in ("ana", "ben") if "YOU ARE ASKED" in town.last(name))
    port, before = free_port(), town.versions(id)
    process = subprocess.Popen(
        [sys.executable, "-m", "service.cli", "mail", "serve"],
        env=environment(town, MAIL_IN=f"127.0.0.1:{port}"),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        assert b"come in at" in process.stdout.readline()
        with smtplib.SMTP("127.0.0.1", port, timeout=30) as door:
            door.sendmail(f"{asked}@home.example", [town.address(id, asked)], town.written(asked, options(town.last(asked))[0]))
        assert town.versions(id) > before
    finally:
        process.terminate()
        _, errors = process.communicate(timeout=30)
    assert process.returncode == 0 and b"Traceback" not in errors
    town.close()
