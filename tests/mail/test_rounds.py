"""What goes out: to each seat what it wants and may know, once; deadlines, reminders, standing orders, press."""

from __future__ import annotations

import re

import pytest

from domain.deadlines import DAY, HOUR, Calendar, HouseRules, Vector
from domain.standing import Book
from service.mail.situation import situation
from tests.mail.conftest import MONDAY, options, text

DAYS = Vector(next=48 * 60, grace=24 * 60)


def bid(town, name):
    return next(line for line in options(town.last(name)) if line.startswith("bid"))


def deadline(town, id, seat="red"):
    return town.office.calendar(id).of(town.matches.register.load(id).line, seat)


# -- which mails ------------------------------------------------------------------------------------------


def test_a_seat_gets_a_question_once_and_nothing_when_others_are_asked(town):
    id = town.match()
    for _ in range(3):
        town.post.round()
    assert town.kinds("ana") == town.kinds("ben") == ["started"]
    town.write(id, "ana", "hide left")
    assert town.kinds("ben") == ["started", "question"]
    town.write(id, "ana", bid(town, "ana"))
    assert town.kinds("ben") == ["started", "question"] and town.kinds("ana") == ["started", "receipt", "receipt"]


@pytest.mark.parametrize(("mode", "kinds"), [("instant", ["started", "report"]), ("blocking", ["started"]), ("none", ["started"])])
def test_who_is_not_asked_hears_of_it_as_they_wish(town, mode, kinds):
    id = town.match("column-of-fire", players=3)
    asked = next(name for name in ("ana", "ben", "cem") if "YOU ARE ASKED" in town.last(name))
    others = [name for name in ("ana", "ben", "cem") if name != asked]
    for name in others:
        town.wish(id, name, mode=mode)
    town.write(id, asked, options(town.last(asked))[0])
    waited = situation(town.matches, town.matches.register.load(id)).waited_for()
    idle = [name for name in others if town.seat(id, name) not in waited]
    assert idle and all(town.kinds(name) == kinds for name in idle)


def test_a_digest_comes_once_a_day_at_its_hour(town):
    id = town.match()
    town.wish(id, "ben", mode="digest", hour="18:00", zone="Europe/Madrid")
    town.write(id, "ana", "hide left")
    assert town.kinds("ben") == ["started"]
    town.later(hours=4, minutes=59)
    town.post.sweep()
    town.post.round()
    assert town.kinds("ben") == ["started"]
    town.later(minutes=2)  # 18:01 in Madrid
    town.post.sweep()
    town.post.round()
    assert town.kinds("ben") == ["started", "digest"] and options(town.last("ben"))
    town.later(hours=23)
    town.post.sweep()
    town.post.round()
    assert town.kinds("ben") == ["started", "digest"]


def test_every_mail_has_a_stable_id_a_thread_and_plain_text_of_72_columns_first(town):
    id = town.match("column-of-fire")
    for mail in town.sent:
        assert re.fullmatch(rf"<{id}\.\d+\.(red|yellow)\.started@play\.example\.org>", mail["Message-ID"])
        assert "\r\nList-Unsubscribe: <https://chancery.example/mail/unsubscribe/" in mail.raw
        assert mail["References"].startswith(f"<{id}.0.") and mail["Auto-Submitted"] == "auto-generated"
        assert [part.get_content_type() for part in mail.iter_parts()] == ["text/plain", "multipart/related"]
        prose = [line for line in text(mail).splitlines() if not line.startswith(("  *", "http")) and "@" not in line]
        assert max(map(len, prose)) <= 72


def test_the_end_is_told_to_everybody_with_the_winner(town):
    id = town.match()
    for _ in range(40):
        for name in ("ana", "ben"):
            offered = options(town.last(name))
            if "YOU ARE ASKED" in town.last(name) and town.matches.register.load(id).state == "running":
                town.write(id, name, offered[0], answers=town.to(name)[-1])
    assert town.matches.register.load(id).state == "finished"
    for name in ("ana", "ben"):
        assert town.kinds(name)[-1] == "ended" or "The game is over." in town.last(name)
        assert "The winner is" in town.last(name)
    before = len(town.sent)
    town.later(days=1)
    town.post.round()
    assert len(town.sent) == before


# -- deadlines --------------------------------------------------------------------------------------------


def test_a_question_gets_its_deadline_once_and_reminders_come_in_time(town):
    id = town.match(rules=HouseRules({"": DAYS}))
    due = deadline(town, id).due
    assert due == MONDAY + 2 * DAY
    assert "due Wed 3 Mar 2027 12:00 UTC" in " ".join(town.last("ana").split())
    for hours, kinds in ((23, 0), (2, 1), (20, 1), (2, 2), (2, 3), (22, 3), (2, 4)):
        town.later(hours=hours)
        town.post.round()
        town.post.round()
        assert town.kinds("ana").count("due") == kinds, hours
        assert deadline(town, id).due == due
    ids = [mail["Message-ID"].split(".")[3].split("@")[0] for mail in town.to("ana")]
    assert ids == ["started", "due-half", "due-2h", "due-late-0", "due-late-1"]


def test_at_the_deadline_everybody_learns_who_is_late_and_nothing_else(town):
    id = town.match(rules=HouseRules({"": DAYS}))
    town.later(hours=48, seconds=1)
    town.post.round()
    assert town.kinds("ben") == ["started", "late"] and "The orders of red are late." in town.last("ben")
    assert town.versions(id) == 1


@pytest.mark.parametrize(
    ("late", "answer"), [("wait", None), ("default", "left"), ("regent", {"left", "right"}), ("draft", "right")]
)
def test_after_the_grace_the_policy_of_the_match_acts(town, late, answer):
    id = town.match(rules=HouseRules({"": DAYS}, late=late))
    town.write(id, "ana", "DRAFT\nhide right")
    town.later(hours=71)
    town.post.round()
    assert town.versions(id) == 1
    town.later(hours=1, seconds=1)
    town.post.round()
    log = town.matches.open_log(id).raw()
    if answer is None:
        assert len(log) == 1
    else:
        assert log[1].answer in answer and log[1].cause.startswith("deadline#")
        assert town.office.calendar(id).missed() == {"red": 1}


def test_hold_is_never_a_missed_order(town):
    id = town.match(rules=HouseRules({"": DAYS}, late="default"))
    town.write(id, "ana", "HOLD")
    town.later(hours=60)
    town.post.round()
    assert "late" not in town.kinds("ben") and "due" not in town.kinds("ana")
    town.later(hours=13)
    town.post.round()
    assert town.versions(id) > 1 and town.office.calendar(id).missed() == {}
    assert [one.how for one in town.office.calendar(id).closed.values()] == ["held"]


def test_each_kind_of_question_has_its_own_time(town):
    id = town.match(rules=HouseRules({"": DAYS, "bid": Vector(next=60, grace=0)}))
    town.write(id, "ana", "hide left")
    assert deadline(town, id).due == town.time + HOUR and deadline(town, id, "blue").due == town.time + HOUR


def test_a_receipt_says_when_the_next_answer_is_due_and_nothing_of_a_deadline_that_is_met(town):
    id = town.match(rules=HouseRules({"": DAYS, "bid": Vector(next=60, grace=0)}))
    town.later(hours=5)
    town.write(id, "ana", "hide left")
    assert "Your answer is due Mon 1 Mar 2027 18:00 UTC." in " ".join(town.last("ana").split())
    town.write(id, "ana", bid(town, "ana"))
    assert "due" not in town.last("ana")


def test_an_extension_and_a_pause_move_the_deadline(town):
    id = town.match(rules=HouseRules({"": DAYS}))
    due = deadline(town, id).due
    change = town.office.facts.change
    change(Calendar, id, lambda book: book.extend("red", 60, "gm", "", town.time))
    assert deadline(town, id).due == due + HOUR
    change(Calendar, id, lambda book: book.pause(5 * 24 * 60, "gm", "holidays", town.time))
    town.later(days=4)
    town.post.round()
    assert town.kinds("ana") == ["started"]
    change(Calendar, id, lambda book: book.resume(town.time))
    assert deadline(town, id).due == due + HOUR + 4 * DAY


def test_a_pause_is_voted_by_more_than_half_and_ends_by_itself(town):
    id = town.match("column-of-fire", players=3, rules=HouseRules({"": DAYS}, late="default"))
    before = town.versions(id)
    town.write(id, "ana", "VOTE pause 3 days")
    assert "more than half" in town.last("ana")
    town.write(id, "ben", "VOTE pause 2 days")
    assert "the match is paused" in town.last("ben")
    town.later(days=4)
    town.post.round()
    assert town.versions(id) == before and town.office.calendar(id).paused is None
    town.later(days=1, seconds=2)
    town.post.round()
    assert town.versions(id) > before


def test_R14_a_clock_that_jumps_a_day_ahead_makes_nobody_late(town):
    id = town.match(rules=HouseRules({"": DAYS}, late="default"))
    town.later(hours=47)
    town.time += DAY
    town.post.round()
    assert town.versions(id) == 1 and town.office.clock.alarm and "late" not in town.kinds("ben")
    town.time -= DAY
    town.later(hours=25, seconds=2)
    town.post.round()
    assert town.versions(id) > 1 and not town.office.clock.alarm


def test_R14_a_clock_that_jumps_a_day_back_gives_nobody_another_day(town):
    id = town.match(rules=HouseRules({"": DAYS}, late="default"))
    due = deadline(town, id).due
    town.time -= DAY
    town.post.round()
    assert deadline(town, id).due == due and town.office.clock.alarm
    town.later(hours=72, seconds=2)
    town.post.round()
    assert town.versions(id) > 1


# -- standing orders --------------------------------------------------------------------------------------


def test_a_standing_order_answers_so_often_as_it_says_and_each_use_is_on_record(town):
    id = town.match()
    town.write(id, "ana", "IF asked dare 2 times THEN dare rest\nIF asked hide every time THEN hide left")
    assert "standing order 1: when asked dare, dare rest (2 times)" in town.last("ana")
    assert town.versions(id) == 2  # asked at once, answered at once
    book = town.office.facts.load(Book, id)
    (one, use), *_ = book.uses("red", town.people["ana"].id)
    event = town.matches.open_log(id).raw(use.version - 1, use.version)[0]
    assert (one.lodged.question, event.ask, event.answer, event.seat) == ("hide", "hide", "left", "red")
    assert event.cause.startswith("mail#")  # others are not told that it was lodged in advance
    town.write(id, "ana", "SHOW standing")
    assert "Used: version 2 by standing order 2." in town.last("ana")


def test_a_standing_order_is_its_seats_alone_and_can_be_cancelled(town):
    id = town.match()
    town.write(id, "ana", "IF asked bid every time THEN bid nothing")
    town.write(id, "ben", "SHOW standing\nSTATUS")
    assert "You have no standing orders." in town.last("ben") and "bid nothing" not in town.last("ben")
    town.write(id, "ben", "CLEAR 1")
    assert "you have no standing order 1" in town.last("ben")
    town.write(id, "ana", "CLEAR 1")
    assert town.office.facts.load(Book, id).of("red", town.people["ana"].id) == []


def test_a_standing_order_lapses_when_the_hand_changes(town):
    id = town.match()
    card = min(town.matches.open_log(id).table("red").zones["hand:red"])
    town.write(id, "ana", f"IF asked bid every time until my hand changes THEN bid {card}")
    town.write(id, "ana", "hide left")
    assert [event.ask for event in town.matches.open_log(id).raw()[1:]] == ["hide", "bid"]
    town.write(id, "ben", bid(town, "ben"))
    for order in ("dare rest", "hide left"):
        name = next(name for name in ("ana", "ben") if order in options(town.last(name)))
        town.write(id, name, order)
    assert [fact.why for _, fact in town.office.facts.load(Book, id).ended.values()] == ["your hand has changed"]
    assert "red" in situation(town.matches, town.matches.register.load(id)).waited_for()


def test_a_standing_order_that_cannot_be_carried_out_ends_and_decides_nothing(town):
    id = town.match()
    town.write(id, "ana", "IF asked hide THEN hide nowhere")
    assert town.versions(id) == 1
    (_, ended), *_ = town.office.facts.load(Book, id).ended.values()
    assert "could not be carried out" in ended.why


def test_a_condition_that_is_none_is_refused_with_what_would_be(town):
    id = town.match("column-of-fire")
    town.write(id, "ana", "IF the king dies THEN pass")
    assert "a condition names the question" in town.last("ana")
    town.later(minutes=11)
    town.write(id, "ana", "IF asked to dance THEN pass")
    assert "is no question of this game" in town.last("ana")


# -- press ------------------------------------------------------------------------------------------------


def test_press_goes_to_those_it_is_for_and_stays_in_their_archive(town):
    id = town.match("column-of-fire", players=3)
    town.write(id, "ana", "PRESS to yellow\nAlliance against green?\nENDPRESS")
    town.write(id, "ana", "PRESS to all\nGood luck!\nENDPRESS")
    assert town.kinds("ben").count("press") == 2 and town.kinds("cem").count("press") == 1
    assert "| Alliance against green?" in text(town.to("ben")[-2])
    for name, knows in (("ben", True), ("cem", False)):
        town.write(id, name, "SHOW press")
        assert ("Alliance" in town.last(name)) is knows and "Good luck!" in town.last(name)


def test_anonymous_press_names_nobody_and_only_where_the_house_allows_it(town):
    id = town.match("column-of-fire", players=3)
    town.write(id, "ana", "PRESS anonymous to all\nRed is a liar\nENDPRESS")
    assert "everybody signs" in town.last("ana")
    town.office.facts.change(Calendar, id, lambda book: book.set_rules(HouseRules(anonymous=True)))
    town.write(id, "ana", "PRESS anonymous to all\nRed is honest\nENDPRESS")
    mail = town.to("ben")[-1]
    assert "Somebody writes to everybody" in text(mail) and "red" not in text(mail).lower().replace("red is honest", "")


def test_press_is_delivered_once(town):
    id = town.match("column-of-fire", players=3)
    town.write(id, "ana", "PRESS\nHello\nENDPRESS")
    for _ in range(3):
        town.post.look_after(id)
        town.post.round()
    assert town.kinds("ben").count("press") == 1


def test_where_the_first_answer_counts_everybody_is_asked(town):
    id = town.match("small-court", players=3)
    for name in ("ana", "ben", "cem"):
        town.write(id, name, "aim coins", answers=town.to(name)[-1])
    for name in ("ana", "ben", "cem"):
        assert "WHOEVER ANSWERS FIRST" in town.last(name) and "speak praise" in town.last(name), name
    town.write(id, "ben", next(line for line in options(town.last("ben")) if line.startswith("speak")), answers=town.to("ben")[-1])
    town.write(id, "cem", "speak praise ash", answers=town.to("cem")[-2])
    assert "refused" in town.last("cem")


def test_what_others_write_to_each_other_is_not_counted_in_a_third_seats_mails(town):
    id = town.match("column-of-fire", players=3)
    for n in range(3):
        town.write(id, "ana", f"PRESS to yellow\nsecret {n}\nENDPRESS")
    town.write(id, "ana", "PRESS to all\nHello\nENDPRESS")
    assert [mail["Message-ID"] for mail in town.to("cem") if "press" in mail["Message-ID"]] == [
        f"<{id}.1.green.press@play.example.org>"
    ]
