"""The door, what goes out, what a crash leaves behind, the commands."""

from __future__ import annotations

import logging
import os
import signal
import smtplib
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from random import Random
from urllib.request import urlopen

import pytest
import structlog
from typer.testing import CliRunner

from service.cli import app, mail
from service.mail.office import TOLD
from service.mail.outbox import Smtp
from service.mail.situation import situation
from service.mail.smtp import Door
from service.mail.wishes import Wish
from tests.mail.conftest import Town, options
from tests.mail.postman import MOMENTS
from tests.mail.world import free_port

SOAK = bool(os.environ.get("CHANCERY_SOAK"))
ROOT = Path(__file__).resolve().parents[2]


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


@pytest.mark.parametrize("moment", ["", *MOMENTS])
def test_R2_killed_at_any_moment_every_mail_goes_out_and_twins_have_one_id(folder, moment):
    """A process plays by mail and is killed, or kills itself at the moment; whatever is left is sent by the next."""
    for number in range(50 if SOAK else 1):
        home, luck = folder / str(number), Random(f"{moment} {number}")
        home.mkdir()
        command = [sys.executable, "-m", "tests.mail.postman", str(home), *([moment, str(luck.randrange(1, 25))] if moment else [])]
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(ROOT)})
        started = process.stdout.readline()
        if moment:
            assert process.wait(timeout=60) == -signal.SIGKILL
        else:
            time.sleep(luck.uniform(0.05, 1.0))
            process.kill()
            process.wait()
        process.stdout.close()
        assert started == b"playing\n"
        town = Town(home, db=str(home / "town.db"))
        town.later(hours=2)
        for _ in range(3):
            town.post.round()
            town.later(hours=2)
        noted = [line for line in (home / "sent").read_text().splitlines() if line.endswith(">")]
        went = noted + [mail["Message-ID"] for mail in town.sent]
        rows = [f"<{row[0]}@play.example.org>" for row in town.database.read("SELECT id FROM outbox")]
        assert set(went) == set(rows) and len(went) <= len(rows) + 1  # what was in the postman's hand may go twice
        assert not town.database.read("SELECT 1 FROM outbox WHERE sent = 0") and not town.database.read(
            "SELECT 1 FROM mails_in WHERE state = 'taken'"
        )
        told = {row[0] for row in town.database.read("SELECT seat FROM outbox WHERE kind = 'started'")}
        assert told == {"red", "blue"}
        assert everybody_knows(town)
        town.close()


def everybody_knows(town):
    """Whether every seat that is asked something in a running match has been mailed about it."""
    for row in town.database.read("SELECT id FROM matches WHERE state = 'running'"):
        match = town.matches.register.load(row[0])
        now = situation(town.matches, match)
        for seat in now.waited_for():
            last = town.office.outbox.told(match.id, seat, match.holder(seat), TOLD)
            if last is None or last.version < now.opened(seat):
                return False
    return True


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
    run("mode", id, "red", "instant", "--language", "de", "--no-secrets")
    run("mode", id, "red", "digest", "--zone", "Asia/Tokyo")
    run("send")
    assert "due" in run("status", id)
    run("extend", id, "5")
    run("pause", id, "12")
    run("resume", id)
    calendar = town.office.calendar(id)
    assert calendar.rules.late == "regent" and calendar.rules.vectors[""].zone == "Europe/Madrid" and calendar.paused is None
    assert town.office.wish(id, "red", town.people["ana"].id) == Wish("digest", "18:00", "Asia/Tokyo", False, "picture", "de")
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


def test_chancery_serve_takes_and_sends_mails_beside_the_pages(tmp_path, world):
    town = Town(tmp_path)
    id = town.match("column-of-fire")
    asked = next(name for name in ("ana", "ben") if "YOU ARE ASKED" in town.last(name))
    pages, door, before = free_port(), free_port(), town.versions(id)
    process = subprocess.Popen(
        [sys.executable, "-m", "service.cli", "serve", "--no-demo", "--port", str(pages)],
        env=environment(town, MAIL_IN=f"127.0.0.1:{door}", MAIL_OUT=f"smtp://127.0.0.1:{world.port}"),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        assert b"Chancery is at" in process.stdout.readline() and b"come in at" in process.stdout.readline()
        with smtplib.SMTP("127.0.0.1", door, timeout=60) as server:
            server.sendmail(f"{asked}@home.example", [town.address(id, asked)], town.written(asked, options(town.last(asked))[0]))
        assert town.versions(id) > before
        receipt = world.box(f"{asked}@home.example").get(timeout=60)
        assert ".receipt-" in receipt["Message-ID"]
        with urlopen(f"http://127.0.0.1:{pages}/readyz", timeout=60) as ready:
            assert ready.status == 200
    finally:
        process.terminate()
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 0 and b"Traceback" not in errors
    town.close()
