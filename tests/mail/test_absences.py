"""Time for those who are away, somebody else for those who do not come back, and a hold that is never a missed order."""

from __future__ import annotations

import pytest

from domain.deadlines import DAY, HOUR, Calendar, HouseRules, Vector, decode, encode
from domain.kernel.errors import NotFound, Refused
from domain.match import Forbidden, Policy
from tests.mail.conftest import MONDAY, options

DAYS = Vector(next=48 * 60, grace=24 * 60)


def book(absence=14, **vector):
    found = Calendar("m")
    found.set_rules(HouseRules({"": Vector(next=48 * 60, grace=0, **vector)}, absence=absence))
    return found


def deadline(town, id, seat="red"):
    return town.office.calendar(id).of(town.matches.register.load(id).line, seat)


def joined(body):
    return " ".join(body.split())


# -- absences -------------------------------------------------------------------------------------------------


def test_the_time_a_seat_is_away_does_not_run_for_it():
    found = book()
    found.leave("red", DAY, 4 * DAY, 0)
    assert found.ask("m", 1, "red", "bid", 0).due == 2 * DAY + 3 * DAY  # asked before it leaves
    assert found.ask("m", 2, "red", "bid", 2 * DAY).due == 4 * DAY + 2 * DAY  # asked while it is away
    assert found.ask("m", 3, "red", "bid", 4 * DAY).due == 6 * DAY  # asked when it is back
    assert found.ask("m", 1, "blue", "bid", 0).due == 2 * DAY


def test_an_absence_stretches_a_deadline_that_is_open_when_it_is_declared_and_once_only():
    found = book()
    found.ask("m", 1, "red", "bid", 0)
    found.leave("red", DAY, 3 * DAY, HOUR)
    assert found.open["m", 1, "red"].due == 4 * DAY
    found.leave("red", DAY, 4 * DAY, 2 * HOUR)  # a day longer after all
    assert found.open["m", 1, "red"].due == 5 * DAY
    assert found.absence_left("red", 3 * HOUR) == 14 * DAY - 3 * DAY


def test_a_match_stretches_deadlines_as_far_as_its_house_rules_allow():
    found = book(absence=2)
    found.ask("m", 1, "red", "bid", 0)
    found.leave("red", 0, 10 * DAY, 0)
    assert found.open["m", 1, "red"].due == 4 * DAY and found.absence_left("red", 0) == 0
    assert found.ask("m", 2, "red", "bid", DAY).due == 3 * DAY
    none = book(absence=0)
    none.leave("red", 0, 10 * DAY, 0)
    assert none.ask("m", 1, "red", "bid", 0).due == 2 * DAY


def test_a_year_later_the_days_are_there_again():
    found = book(absence=2)
    found.leave("red", 0, 2 * DAY, 0)
    found.ask("m", 1, "red", "bid", 0)
    assert found.absence_left("red", 364 * DAY) == 0 and found.absence_left("red", 366 * DAY) == 2 * DAY


def test_an_absence_is_over_by_itself_or_when_its_seat_is_back():
    found = book()
    found.leave("red", 0, 3 * DAY, 0)
    assert found.away("red", 2 * DAY) is not None and found.away("red", 3 * DAY) is None
    found.come_back("red", DAY)
    assert found.away("red", DAY) is None
    with pytest.raises(NotFound):
        found.come_back("red", DAY)


@pytest.mark.parametrize(("start", "end"), [(5, 5), (5, 4), (0, 61 * DAY), (400 * DAY, 401 * DAY)])
def test_an_absence_that_cannot_be_is_refused(start, end):
    with pytest.raises(Refused):
        book().leave("red", start, end, 0)


def test_a_stretched_deadline_falls_on_the_hour_of_its_vector():
    found = book(clock="20:00")
    found.leave("red", MONDAY, MONDAY + 3 * DAY, MONDAY)
    due = found.ask("m", 1, "red", "bid", MONDAY).due
    assert (due - MONDAY) % DAY == 8 * HOUR and due >= MONDAY + 5 * DAY


def test_the_facts_give_the_same_calendar_again():
    found = book()
    found.leave("red", 0, 3 * DAY, 0)
    found.ask("m", 1, "red", "bid", 0)
    again = Calendar("m", [decode(encode(fact)) for fact in found.new])
    assert again.open == found.open and again.absence_left("red", 0) == found.absence_left("red", 0)
    again.leave("red", 0, 3 * DAY, HOUR)  # the same days once more
    assert again.open == found.open


def test_an_absence_by_mail_in_the_readers_days_and_others_see_only_an_extension(town):
    id = town.match(rules=HouseRules({"": DAYS}))
    town.wish(id, "ana", zone="Europe/Madrid")
    town.write(id, "ana", "ABSENT 2027-03-02 to 2027-03-04")
    said = joined(town.last("ana"))
    assert "from Tue 2 Mar 2027 00:00 CET" in said and "to Fri 5 Mar 2027 00:00 CET" in said
    assert deadline(town, id).due == MONDAY + 5 * DAY
    town.later(days=3)
    town.post.round()
    assert "late" not in town.kinds("ben")
    town.write(id, "ben", "STATUS\nSHOW log")
    assert "absen" not in town.last("ben").lower() and "away" not in town.last("ben").lower()
    town.write(id, "ana", "ABSENT back")
    assert "welcome back" in town.last("ana")


@pytest.mark.parametrize("wrong", ["2027-02-30 to 2027-03-04", "for ever", "2027-03-04 to 2027-03-02", "until 2020-01-01"])
def test_an_absence_that_cannot_be_read_is_refused_with_what_can(town, wrong):
    id = town.match(rules=HouseRules({"": DAYS}))
    town.write(id, "ana", f"ABSENT {wrong}")
    assert "was refused" in joined(town.last("ana")) and not town.office.calendar(id).absences


# -- substitutes ----------------------------------------------------------------------------------------------


@pytest.fixture
def called(town):
    """A match in which red was so late that a substitute is called for."""
    id = town.match(rules=HouseRules({"": DAYS}, late="substitute"))
    town.write(id, "ana", "STATUS")
    town.later(hours=73)
    town.post.round()
    return id


def test_after_the_grace_the_seat_is_open_for_a_substitute_and_the_game_waits(town, called):
    match = town.matches.register.load(called)
    assert list(match.calls) == ["red"] and match.holder("red") == town.people["ana"].id and town.versions(called) == 1
    assert town.office.calendar(called).missed() == {"red": 1}
    assert "Your seat is open for a substitute." in town.last("ana")
    assert "A substitute is wanted for red." in town.last("ben")
    assert [found.id for found in town.matches.register.find("", joinable=True)[0]] == [called]
    mails = len(town.sent)
    for _ in range(3):
        town.later(hours=1)
        town.post.round()
    assert len(town.sent) == mails and town.office.calendar(called).missed() == {"red": 1}


def test_a_substitute_has_the_seats_knowledge_a_full_fresh_deadline_and_a_tenure_on_record(town, called):
    hand = town.matches.open_log(called).table("red").zones["hand:red"]
    town.matches.join(town.person("cem").id, called, seat="red")
    town.post.round()
    assert town.kinds("cem")[0] == "started" and options(town.last("cem")) == ["hide left", "hide right"]
    look = town.matches.look(town.people["cem"].id, called, "red")
    assert look.table().zones["hand:red"] == hand
    assert deadline(town, called).due == town.time + 2 * DAY and deadline(town, called).closes == town.time + 3 * DAY
    match = town.matches.register.load(called)
    assert not match.calls
    held = [(tenure.holder, tenure.since, tenure.until) for tenure in match.tenures if tenure.seat == "red"]
    assert held == [(town.people["ana"].id, 0, 1), (town.people["cem"].id, 1, None)]
    with pytest.raises(NotFound):
        town.matches.decide(town.people["ana"].id, called, "red", "hide", "left")
    town.write(called, "cem", "hide left")
    assert town.versions(called) == 2
    town.later(hours=30)
    town.post.round()
    assert "due" in town.kinds("cem")


def test_a_holder_who_comes_back_in_time_keeps_the_seat(town, called):
    town.write(called, "ana", "hide left")
    town.post.round()
    assert not town.matches.register.load(called).calls
    with pytest.raises(Refused, match="nobody can join"):
        town.matches.join(town.person("cem").id, called, seat="red")


def test_whoever_knows_another_seats_secrets_cannot_take_one_over(town, called):
    with pytest.raises(Refused, match="two seats would know"):
        town.matches.join(town.people["ben"].id, called, seat="red")
    town.matches.join(town.person("cem").id, called, seat="red")
    town.matches.call(town.people["ana"].id, called, "blue")
    with pytest.raises(Refused, match="you sat as red and know its secrets"):
        town.matches.join(town.people["ana"].id, called, seat="blue")


def test_where_seats_are_by_invitation_a_call_lets_nobody_in_without_one(town):
    id = town.matches.open(town.person("ana").id, "toy", players=2, policy=Policy(seating="invited")).id
    town.matches.join(town.people["ana"].id, id)
    _, link = town.matches.invite(town.people["ana"].id, id)
    town.matches.join(town.person("ben").id, id, link=link)
    town.matches.start(town.people["ana"].id, id)
    town.matches.call(town.people["ana"].id, id, "blue")
    with pytest.raises((Refused, Forbidden)):
        town.matches.join(town.person("cem").id, id, seat="blue")
    _, link = town.matches.invite(town.people["ana"].id, id, seat="blue")
    assert town.matches.join(town.people["cem"].id, id, link=link)[1] == "blue"


def test_the_absence_of_a_former_holder_is_none_of_the_substitutes(town):
    id = town.match(rules=HouseRules({"": DAYS}))
    town.write(id, "ana", "ABSENT 10 days")
    assert deadline(town, id).due == MONDAY + 12 * DAY
    town.later(minutes=5)
    town.matches.call(town.people["ana"].id, id, "red", "away for long")
    town.matches.join(town.person("cem").id, id)
    town.later(hours=1)
    town.post.round()
    assert deadline(town, id).due == town.time + 2 * DAY and not town.office.calendar(id).absences


@pytest.mark.parametrize("late", ["wait", "default", "draft", "regent", "substitute"])
def test_an_explicit_hold_is_never_a_missed_order_whatever_the_policy(town, late):
    id = town.match(rules=HouseRules({"": DAYS}, late=late))
    town.write(id, "ana", "HOLD")
    for _ in range(4):
        town.later(hours=25)
        town.post.round()
        assert town.office.calendar(id).missed().get("red", 0) == 0
        assert "red" not in town.matches.register.load(id).calls
        assert "due" not in town.kinds("ana") or town.versions(id) > 1
    assert (town.versions(id) > 1) == (late in ("default", "regent", "substitute"))
    first = town.office.calendar(id).closed.get((id, 1, "red"))
    assert first is None or first.how == "held"
