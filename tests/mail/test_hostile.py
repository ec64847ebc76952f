"""Mails of enemies and of broken programs: nothing crashes, hangs, grows, leaks or answers for ever."""

from __future__ import annotations

import logging
import os
import time
import unicodedata
from itertools import pairwise
from pathlib import Path

import pytest
import structlog

from service import logs, metrics
from service.mail.reading import LARGEST
from tests.mail.conftest import READER, vouched
from tests.mail.malformed import HEAD, corpus, part

SOAK = bool(os.environ.get("CHANCERY_SOAK"))
KNOWN = {"taken", "again", "waits", "dropped", "refused", "unknown", "too large"}


def peak(process) -> int:
    """The most memory a process ever had, in MB."""
    lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) >> 10


def processor(process) -> float:
    """The processor seconds a process used."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_S3_malformed_mails_never_crash_hang_or_eat_memory(town):
    id = town.match()
    READER.read(HEAD)
    process, count, slowest = READER._process, 0, 0.0
    for name, raw in corpus():
        before = processor(process)
        assert town.post.deliver(raw, town.address(id, "ana"), "ana@home.example") in KNOWN, name
        assert READER._process is process, f"the reader died over {name}"
        slowest = max(slowest, processor(process) - before)
        count += 1
    town.post.round()
    assert count >= 200 and slowest < 2.5 and peak(process) < 100
    assert town.versions(id) == 1  # none of them was an order
    assert town.write(id, "ana", "hide left") == "taken" and town.versions(id) == 2


def test_S4_what_is_too_large_is_refused_at_once(town):
    id = town.match()
    for raw in (
        HEAD + b"\r\n" + b"x" * 10_000_000,
        HEAD + b"\r\n" + b"hide left " * 100_000,
        HEAD + b"\r\n" + b"hide left\r\n" * 100_000,
    ):
        started = time.process_time()
        assert len(raw) > LARGEST and town.post.deliver(raw, town.address(id, "ana")) == "too large"
        assert time.process_time() - started < 0.2
    assert town.versions(id) == 1


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("hide left\n" * 600, "at most 500 lines"),
        ("hide left " * 60, "at most 400 characters"),
        ("IF a THEN " * 5_000 + "b", "at most 400 characters"),
        ("x\n" * 60_000, "at most 64 KB"),
    ],
)
def test_S4_too_many_orders_are_refused_politely(town, text, says):
    id = town.match()
    started = time.process_time()
    raw = part("text/plain; charset=utf-8", text.encode())
    town.post.deliver(raw, town.address(id, "ana"))
    assert time.process_time() - started < 0.2
    town.post.round()
    assert town.versions(id) == 1 and says in " ".join(town.last("ana").split())


# -- letters ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_S5_composed_and_decomposed_letters_read_the_same(town, form):
    id = town.match()
    town.write(id, "ana", unicodedata.normalize(form, "híde LÉFT"))
    assert town.matches.open_log(id).raw()[-1].answer == "left"


@pytest.mark.parametrize("letter", ["\u202e", "\u200b", "\u2066", "\x00", "\x07"])
def test_S5_invisible_letters_are_refused_with_their_place(town, letter):
    id = town.match()
    raw = part("text/plain; charset=utf-8", f"ORDERS\r\nhide {letter}left\r\nEND".encode())
    town.post.deliver(raw, town.address(id, "ana"))
    town.post.round()
    assert town.versions(id) == 1 and "refused" in town.last("ana")
    assert letter not in town.last("ana")


@pytest.mark.parametrize("text", ["rеd: hide left", "hide lеft", "🎲 hide left", "hide left 🎲", "ｒｅｄ： hide"])
def test_S5_look_alikes_and_emoji_never_match(town, text):
    id = town.match()
    town.write(id, "ana", text)
    assert town.versions(id) == 1 and "refused" in town.last("ana")


# -- headers ----------------------------------------------------------------------------------------------

FIELDS = {
    "message-id", "date", "from", "to", "subject", "in-reply-to", "references", "auto-submitted", "x-auto-response-suppress",
    "list-unsubscribe", "list-unsubscribe-post", "mime-version", "content-type",
}  # fmt: skip


def test_S6_nothing_anybody_writes_makes_a_header_or_a_recipient(town):
    id = town.match("column-of-fire", name="Fire\r\nBcc: eve@evil.example\r\n\r\nX")
    inject = "Bcc: eve@evil.example\nTo: eve@evil.example\n\n.\nMAIL FROM:<x>"
    town.write(id, "ana", f"PRESS to all\n{inject}\nENDPRESS", subject="x")
    more = "Message-ID: <a@b>\r\n\tBcc: eve@evil.example\r\nIn-Reply-To: <x\r\n y>\r\n"
    town.post.deliver(part("text/plain", b"STATUS\r\n", more=more), town.address(id, "ana"))
    town.write(id, "ana", "PRESS to yellow\r\nBcc: x\nENDPRESS")
    town.post.round()
    assert "press" in town.kinds("ben")
    for mail in town.sent:
        assert {name.lower() for name in mail} <= FIELDS and len(mail.keys()) == len(set(mail.keys()))
        assert mail["To"] in ("ana@home.example", "ben@home.example")
        assert "evil" not in str(mail["Subject"]).split("Bcc")[0] and "\n" not in str(mail["Subject"])
    assert {row[0] for row in town.database.read("SELECT recipient FROM outbox")} == {"ana@home.example", "ben@home.example"}


# -- loops ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "field",
    [
        b"Auto-Submitted: auto-replied", b"Auto-Submitted: auto-generated; x=y", b"Precedence: bulk", b"Precedence: list", b"Return-Path: <>",
        b"List-Id: <x.example>", b"X-Autoreply: yes", b"Content-Type: multipart/report; boundary=x",
    ],
)  # fmt: skip
def test_S19_what_no_person_wrote_is_never_answered(town, field):
    id = town.match()
    for number in range(50):
        raw = field + b"\r\n" + HEAD + b"\r\nI am away %d\r\n" % number
        assert town.post.deliver(raw, town.address(id, "ana"), "ana@home.example") == "dropped"
    town.post.round()
    assert town.kinds("ana") == ["started"]


def test_S19_a_machine_that_hides_what_it_is_gets_one_answer_in_ten_minutes(town):
    id = town.match()
    answered = 0
    for number in range(120):  # two hours, one mail a minute
        town.write(id, "ana", f"I am on holiday until Monday ({number}).")
        town.later(minutes=1)
        town.post.round()
        answered = town.kinds("ana").count("error")
    assert 10 <= answered <= 13
    times = sorted(row[0] for row in town.database.read("SELECT sent FROM outbox WHERE kind = 'error' AND sent > 0"))
    assert all(later - earlier >= 600_000 for earlier, later in pairwise(times))


def test_S19_a_storm_of_bounces_does_not_stop_the_game(town):
    id = town.match()
    started = time.monotonic()
    for number in range(1000 if SOAK else 200):
        assert town.post.deliver(HEAD + b"\r\nundelivered %d" % number, town.address(id, "ana"), "") == "dropped"
    assert time.monotonic() - started < 60
    assert town.write(id, "ana", "hide left") == "taken" and town.versions(id) == 2
    assert town.kinds("ana") == ["started", "receipt"]


def test_a_fault_of_our_own_puts_one_mail_aside_and_the_others_go_on(town):
    id = town.match()
    decide = town.matches.decide
    town.matches.decide = lambda *given, **more: 1 / 0
    assert town.write(id, "ana", "hide right") == "taken"
    assert "something is broken on our side" in " ".join(town.last("ana").split())
    town.matches.decide = decide
    town.later(minutes=5)
    assert town.write(id, "ana", "hide left") == "taken"
    assert town.matches.open_log(id).raw()[-1].answer == "left"


# -- logs -------------------------------------------------------------------------------------------------


def test_S20_no_secret_gets_into_logs_or_metrics(town, capsys):
    root = logging.getLogger()
    kept, level = root.handlers[:], root.level
    try:
        logs.configure(logging.DEBUG)
        id = town.match()
        hand = town.matches.open_log(id).table("red").zones["hand:red"]
        town.write(id, "ana", "PRESS to blue\nCANARY-PRESS\nENDPRESS")
        town.write(id, "ana", "hide CANARY-ORDER")
        town.write(id, "ana", f"hide left\nbid {min(hand)}\nIF asked dare THEN dare CANARY-STANDING")
        town.post.deliver(b"From: CANARY-FROM\r\n\r\nCANARY-BODY", town.address(id, "ana"))
        town.post.deliver(HEAD + b"\r\nCANARY-BODY", "CANARY-ADDRESS@play.example.org")
        failing = town.post._postbox

        def broken(sender, recipient, mail):
            raise ConnectionError(f"CANARY-ERROR {recipient} {mail!r}")

        town.post._postbox = broken
        town.write(id, "ben", "bid CANARY-BID")
        town.post._postbox = failing
        decide = town.matches.decide
        town.matches.decide = lambda *given, **more: 1 / 0
        town.write(id, "ben", "bid 1 " + min(town.matches.open_log(id).table("blue").zones["hand:blue"]))
        town.matches.decide = decide
        structlog.get_logger("x").info("canary reached the log", match=id)
        said = capsys.readouterr()
        written = said.err + said.out + metrics.text().decode()
    finally:
        root.handlers[:], root.level = kept, level
        structlog.reset_defaults()
    assert "canary reached the log" in written and "mail not sent" in written and "mail put aside" in written
    token = town.address(id, "ana").split("+")[2].split("@")[0]
    for secret in ("CANARY", token, "home.example", *hand):
        assert secret not in written, secret


def test_a_vouched_mail_is_what_the_tests_think_it_is():
    assert vouched("ana@home.example").startswith(b"Authentication-Results: mx.play.example.org; dmarc=pass")
