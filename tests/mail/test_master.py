"""The game master by mail: start, extend, pause, substitute, preview, and mails that came back."""

from __future__ import annotations

import pytest

from domain.deadlines import DAY, HOUR, Calendar, HouseRules, Vector
from domain.match import Policy
from tests.mail.conftest import options

DAYS = Vector(next=48 * 60, grace=24 * 60)


class Office:
    """Gus runs a match of ana and ben and does not play."""

    def __init__(self, town, rules=None, start=True, **policy):
        self.town, gus = town, town.person("gus")
        self.id = town.matches.open(gus.id, "toy", players=2, policy=Policy(**policy)).id
        for name in ("ana", "ben"):
            town.matches.join(town.person(name).id, self.id)
        if rules is not None:
            town.office.facts.change(Calendar, self.id, lambda book: book.set_rules(rules))
        if start:
            town.matches.start(gus.id, self.id)
        town.post.round()

    @property
    def match(self):
        return self.town.matches.register.load(self.id)

    @property
    def address(self):
        return self.town.office.address(self.match, "gm", self.town.people["gus"])

    def write(self, text, by="gus"):
        outcome = self.town.post.deliver(self.town.written(by, text), self.address, f"{by}@home.example")
        self.town.post.round()
        return outcome

    @property
    def said(self):
        return " ".join(self.town.last("gus").split())

    def due(self, seat="red"):
        return self.town.office.calendar(self.id).of(self.match.line, seat).due


@pytest.fixture
def office(town):
    return Office(town, HouseRules({"": DAYS}, late="default"))


def test_a_game_master_who_does_not_play_gets_an_address_and_the_commands(town, office):
    assert town.kinds("gus") == ["master"] and "EXTEND 24 hours" in town.last("gus")
    assert town.to("gus")[0]["From"] == f"Chancery <{office.address}>"


def test_a_match_is_started_by_mail_when_every_seat_is_taken(town):
    office = Office(town, start=False, game_master="everything")
    assert town.kinds("gus") == ["master"]
    office.write("START")
    assert office.match.state == "running" and "the game has started" in office.said
    assert town.kinds("ana") == ["started"]


def test_extend_pause_and_resume(town, office):
    due = office.due()
    office.write("EXTEND red 2 hours dentist\nEXTEND 1 day")
    assert office.due() == due + 2 * HOUR + DAY and "1 deadlines are extended" in office.said
    office.write("PAUSE 3 days")
    assert town.office.calendar(office.id).paused is not None
    town.later(days=1)
    office.write("RESUME")
    assert town.office.calendar(office.id).paused is None and office.due() == due + 2 * HOUR + 2 * DAY


def test_a_substitute_is_called_and_the_link_is_for_one_person(town, office):
    office.write("SUBSTITUTE red")
    assert list(office.match.calls) == ["red"] and "/join/" in town.last("gus")
    link = town.last("gus").split("?link=")[1].split()[0]
    town.matches.join(town.person("cem").id, office.id, link=link)
    assert office.match.holder("red") == town.people["cem"].id and not office.match.calls
    office.write("SUBSTITUTE blue bot")
    assert "blue" in office.match.bots


def test_a_call_that_is_not_needed_any_more_is_ended(town, office):
    office.write("SUBSTITUTE red")
    office.write("KEEP red")
    assert not office.match.calls and "red stays with its holder" in office.said


def test_a_preview_says_what_would_be_done_and_only_to_who_sees_everything_how(town, office):
    office.write("PREVIEW")
    assert "red (hide): default" in office.said and "hide left" not in office.said
    all_seeing = Office(town, HouseRules({"": DAYS}, late="default"), game_master="everything")
    all_seeing.write("PREVIEW")
    assert "red (hide): default: hide left" in all_seeing.said
    looks = town.matches.looks(town.people["gus"].id, all_seeing.id)
    assert [look.what for look in looks] == ["preview"] and town.versions(all_seeing.id) == 1


def test_a_preview_carries_nothing_out_and_draws_nothing(town):
    office = Office(town, HouseRules({"": DAYS}, late="regent"), game_master="everything")
    town.write(office.id, "ana", "hide left")
    for name in ("ana", "ben"):
        town.write(office.id, name, options(town.last(name))[0])
    before = town.versions(office.id)
    office.write("PREVIEW")
    assert "(dare): regent: dare" in office.said and town.versions(office.id) == before


def test_status_tells_who_is_late_and_whose_mails_came_back_and_nothing_they_hold(town, office):
    hands = town.matches.open_log(office.id).whole_table().zones["hand:red"]
    town.later(hours=49)
    town.post.round()
    assert "red is late" in " ".join(town.to("gus")[-1]["Subject"].split())
    office.write("STATUS")
    assert "red: asked, due" in office.said and ", late" in office.said
    assert not any(card in office.said for card in hands)


REPORT = """Return-Path: <>
Auto-Submitted: auto-replied
Content-Type: multipart/report; report-type=delivery-status; boundary="b"
From: MAILER-DAEMON@home.example
Subject: Undelivered

--b
Content-Type: text/plain

Nobody lives here.
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; home.example

Final-Recipient: rfc822; ana@home.example
Action: {action}
Status: 5.1.1

--b
Content-Type: text/rfc822-headers

Message-ID: {id}

--b--
"""


def test_a_mail_that_comes_back_is_lost_and_the_game_master_sees_it(town, office):
    report = REPORT.format(action="failed", id=town.to("ana")[0]["Message-ID"]).replace("\n", "\r\n").encode()
    seat = town.office.address(office.match, "red", town.people["ana"])
    for _ in range(2):
        assert town.post.deliver(report, seat, "") == "dropped"
    assert town.office.outbox.lost(office.id) == {"red": 1}
    town.post.look_after(office.id)
    town.post.round()
    assert "1 mails to red came back" in office.said
    office.write("STATUS")
    assert "1 mails came back" in office.said


def test_a_delay_a_holiday_note_and_a_forged_report_are_no_bounce(town, office):
    own = town.office.address(office.match, "red", town.people["ana"])
    forged = own.replace(own.split("+")[2].split("@")[0], "a" * 26)
    delayed = REPORT.format(action="delayed", id=town.to("ana")[0]["Message-ID"]).encode()
    failed = REPORT.format(action="failed", id=town.to("ana")[0]["Message-ID"]).encode()
    note = b"Auto-Submitted: auto-replied\r\nFrom: ana@home.example\r\n\r\nI am away. Action: failed\r\n"
    for raw, address in ((delayed, own), (note, own), (failed, forged)):
        town.post.deliver(raw, address, "")
    assert town.office.outbox.lost(office.id) == {}


def test_nobody_else_writes_as_the_game_master_and_orders_are_none_of_theirs(town, office):
    assert office.write("CANCEL", by="ana") in ("waits", "refused", "unknown")
    assert office.match.state == "running"
    town.later(minutes=11)
    office.write("hide left")
    assert "is no command of a game master" in office.said and town.versions(office.id) == 1


def test_a_game_master_who_plays_writes_to_the_same_kind_of_address(town):
    id = town.match(rules=HouseRules({"": DAYS}))
    match = town.matches.register.load(id)
    town.post.deliver(town.written("ana", "EXTEND 1 day"), town.office.address(match, "gm", town.people["ana"]), "ana@home.example")
    town.post.round()
    assert "1 deadlines are extended" in " ".join(town.last("ana").split())
    assert "master" not in town.kinds("ana")
