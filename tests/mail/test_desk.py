"""Orders by mail: what is written is done once, in order, up to the first line that cannot be; everybody gets a receipt."""

from __future__ import annotations

import json
import threading

import msgspec
import pytest

from domain import proof
from domain.deadlines import HouseRules
from domain.docket import Docket
from domain.kernel import Ask
from domain.match import Policy
from domain.proof import Signed
from domain.standing import Book
from tests.api import toy
from tests.mail.conftest import Town, options, text


def bid(town, name):
    """The first bid that somebody's newest mail offers."""
    return next(line for line in options(town.last(name)) if line.startswith("bid"))


def test_a_mail_answers_the_open_question_and_a_receipt_says_so(town):
    id = town.match()
    assert "you play red in The Toy" in text(town.to("ana")[0])
    assert options(town.last("ana")) == ["hide left", "hide right"]
    assert town.write(id, "ana", "hide left") == "taken"
    assert "hide left\n    -> done, version 2" in town.last("ana")
    assert town.matches.open_log(id).raw()[-1].answer == "left"
    assert town.kinds("ana") == ["started", "receipt"]


def test_the_receipt_is_signed_for_the_event_in_the_log(town):
    id = town.match()
    town.write(id, "ana", "RED: hide left")
    said = next(line for line in town.last("ana").splitlines() if line.startswith('{"says"'))
    signed = msgspec.json.decode(said, type=Signed)
    proof.check_signature(signed)
    assert signed.says.link == town.matches.open_log(id).raw()[-1].link.hex()
    assert json.loads(said)["says"]["seat"] == "red"


def test_several_orders_in_one_mail_are_done_in_turn_each_on_what_is_asked_then(town):
    id = town.match()
    town.write(id, "ana", f"hide right\n{_first_card(town, id)}  # and bid\nFINAL\n")
    assert [event.ask for event in town.matches.open_log(id).raw()[1:]] == ["hide", "bid"]


def _first_card(town, id):
    card = min(town.matches.open_log(id).table("red").zones["hand:red"])
    return f"bid {card}"


def test_a_mail_ends_at_the_first_refused_line_and_what_was_done_stays_done(town):
    id = town.match()
    town.write(id, "ana", "hide left\nbid a unicorn\nSHOW\n")
    assert town.versions(id) == 2
    said = town.last("ana")
    assert "hide left\n    -> done, version 2" in said and "Line 2 was refused; nothing after it was read" in said
    assert "SCORES" not in said


def test_a_refused_line_is_shown_with_a_caret_and_what_is_legal(town):
    id = town.match()
    town.write(id, "ana", "  hide under the table")
    lines = town.last("ana").splitlines()
    at = next(i for i, line in enumerate(lines) if "hide under" in line)
    assert lines[at + 1].index("^") == lines[at].index("under")
    assert "legal: left | right" in town.last("ana")
    assert town.versions(id) == 1


def test_an_ambiguous_order_does_nothing_and_lists_its_readings(town):
    id = town.match()
    town.write(id, "ana", "hide left")
    town.write(id, "ana", "bid card")
    assert town.versions(id) == 2 and "which item is meant?" in town.last("ana")
    assert all(
        line.removeprefix("bid 1 ") in town.last("ana").split("legal:")[1].splitlines()[0] for line in options(town.last("ana"))
    )


def test_a_slip_of_the_pen_is_read_kindly_only_where_the_match_is_lenient(tmp_path):
    for lenient, version in ((False, 1), (True, 2)):
        town = Town(tmp_path, f"lenient-{lenient}")
        id = town.match(rules=HouseRules(lenient=lenient))
        town.write(id, "ana", "hide lefft")
        assert town.versions(id) == version
        assert ("read as: hide left" in town.last("ana")) is lenient
        town.close()


def test_an_order_for_another_seat_is_refused(town):
    id = town.match()
    town.write(id, "ana", "blue: hide left")
    assert town.versions(id) == 1 and "this address is red's, not blue's" in town.last("ana")


def test_quotations_and_the_signature_are_not_orders(town):
    id = town.match()
    town.write(id, "ana", "hide left\n\n-- \nAna\nhide right\n\nOn Monday Chancery wrote:\n> ORDERS\n> hide right\n> END\n")
    assert town.versions(id) == 2 and "refused" not in town.to("ana")[-1]["Subject"]


def test_what_stands_around_the_order_block_is_ignored(town):
    id = town.match()
    town.write(id, "ana", "Dear all, my move:\n\nORDERS\nhide left\nEND\n\nSee you, hide right")
    assert town.matches.open_log(id).raw()[-1].answer == "left" and town.versions(id) == 2


def test_a_draft_is_kept_until_final_and_forgotten_by_clear(town):
    id = town.match()
    town.write(id, "ana", "DRAFT\nhide right\n")
    assert town.versions(id) == 1 and "kept as your draft" in town.last("ana")
    town.write(id, "ana", "STATUS")
    assert "Your draft:\n    hide right" in town.last("ana")
    town.write(id, "ana", "CLEAR")
    assert town.office.facts.load(Book, id).drafted("red", town.people["ana"].id) == ""
    town.write(id, "ana", "FINAL")
    assert "you have no draft" in town.last("ana")
    town.later(minutes=11)
    town.write(id, "ana", f"DRAFT\nhide left\n{_first_card(town, id)}\n")
    assert town.versions(id) == 1
    town.write(id, "ana", "FINAL")
    assert [event.ask for event in town.matches.open_log(id).raw()[1:]] == ["hide", "bid"]


def test_show_status_and_help_change_nothing_and_tell_what_the_seat_may_know(town):
    id = town.match("column-of-fire")
    before = town.versions(id)
    town.write(id, "ana", "SHOW\nSTATUS\nSHOW log\nSHOW press\nSHOW standing\nHELP")
    assert town.versions(id) == before
    said = town.last("ana")
    assert "SCORES" in said and "Late: nobody." in said and "You have no standing orders." in said and "ENDPRESS" in said


def test_undo_takes_back_what_nobody_learnt_anything_by(town):
    id = town.match()
    town.write(id, "ana", "hide left")
    town.write(id, "ana", "UNDO")
    assert town.matches.open_log(id).raw()[-1].kind == "undone"
    assert "taken back, version 3" in town.last("ana")


def test_going_back_is_asked_and_voted_on_by_mail(town):
    id = town.match(policy=Policy(undo="touched"))
    town.write(id, "ana", "hide left")
    town.write(id, "ana", bid(town, "ana"))
    town.write(id, "ben", bid(town, "ben"))
    town.write(id, "ana", "UNDO 2 I misread my card")
    assert "it takes the consent of blue" in town.last("ana")
    town.write(id, "ben", "STATUS")
    assert "red asks to go back to version 2" in town.last("ben")
    town.write(id, "ben", "VOTE undo 2 yes")
    assert town.matches.register.load(id).line != id
    assert "you are asked" in town.last("ana").lower()
    assert town.kinds("ana")[-1] == "question"  # the game went back: its questions are new


def test_a_dispute_is_opened_by_mail(town):
    id = town.match()
    town.write(id, "ana", "hide left")
    town.write(id, "ben", "DISPUTE 2 red hid it too late")
    book: Docket = town.office.court.docket(town.people["ana"].id, id)
    assert [one.claimed.claim for one in book.disputes.values()] == ["red hid it too late"]


def test_orders_outside_a_running_match_are_refused_politely(town):
    id = town.match()
    town.matches.cancel(town.people["ana"].id, id)
    town.write(id, "ana", "hide left")
    assert "the match is cancelled" in town.last("ana")


def test_a_question_with_the_name_of_a_command_is_answered_and_the_command_still_works(town):
    def coin(t):
        t.set("coin", (yield Ask("red", "help", ["left", "right"], "TOY 2.1", secret=True)))
        return "bid"

    helpful = msgspec.structs.replace(toy.TITLE, steps={**toy.TITLE.steps, "coin": coin})
    town.matches.titles = town.matches._shelf._titles = type("Titles", (), {"get": lambda self, id: helpful})()
    id = town.match()
    assert options(town.last("ana")) == ["help left", "help right"]
    town.write(id, "ana", "HELP")
    assert town.versions(id) == 1 and "ENDPRESS" in town.last("ana")
    town.write(id, "ana", "help left")
    assert town.matches.open_log(id).raw()[-1].answer == "left"


# -- exactly once -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("named", [True, False])
def test_R6_one_mail_delivered_100_times_in_parallel_has_one_effect_and_one_receipt(town, named):
    id = town.match()
    whole = town.written("ana", "hide left\nSHOW")
    address, outcomes = town.address(id, "ana"), []

    def deliver(number):
        raw = f"Received: from relay{number}\r\n".encode() + whole if number % 3 == 0 else whole
        if not named and number % 2:
            raw = b"".join(line for line in raw.splitlines(keepends=True) if not line.startswith(b"Message-ID"))
        outcomes.append(town.post.deliver(raw, address, "ana@home.example"))

    threads = [threading.Thread(target=deliver, args=(number,)) for number in range(100)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    town.post.round()
    assert sorted(set(outcomes)) == ["again", "taken"] and outcomes.count("taken") == 1
    assert town.versions(id) == 2 and town.kinds("ana").count("receipt") == 1


def test_R6_a_mail_cut_off_between_two_lines_is_finished_once(town):
    id = town.match()
    card = _first_card(town, id)
    decide, calls = town.matches.decide, []

    def dies(*given, **more):
        calls.append(1)
        done = decide(*given, **more)
        if len(calls) in (1, 2):
            raise SystemExit  # decided, but nobody could note that it was
        return done

    town.matches.decide = dies
    for _ in range(2):
        with pytest.raises(SystemExit):
            if not calls:
                town.post.deliver(town.written("ana", f"hide left\n{card}"), town.address(id, "ana"), "ana@home.example")
            else:
                town.later(minutes=1)
                town.post.desk.leftovers()
    town.later(minutes=1)
    town.post.round()
    assert [event.ask for event in town.matches.open_log(id).raw()[1:]] == ["hide", "bid"]
    assert town.kinds("ana").count("receipt") == 1 and "2 understood" in town.to("ana")[-1]["Subject"]


# -- old mails --------------------------------------------------------------------------------------------


def test_S2_the_same_mail_again_is_already_received(town):
    id = town.match()
    raw = town.written("ana", "hide left")
    assert town.post.deliver(raw, town.address(id, "ana")) == "taken"
    town.later(days=9)
    assert town.post.deliver(raw, town.address(id, "ana")) == "again"
    assert town.versions(id) == 2


def test_S2_an_answer_to_a_question_that_is_closed_does_nothing(town):
    id = town.match()
    old = town.to("ana")[-1]
    town.write(id, "ana", "hide left", answers=old)
    town.write(id, "ana", bid(town, "ana"), answers=town.to("ana")[-1])
    town.write(id, "ben", bid(town, "ben"))
    before = town.versions(id)
    town.write(id, "ana", "hide left", answers=old, date="Tue, 02 Mar 2027 09:00:00 +0000")
    assert town.versions(id) == before and "phase closed: you answer version 1" in town.last("ana")


def test_S2_a_sealed_answer_of_another_seat_does_not_close_the_question(town):
    id = town.match()
    town.write(id, "ana", "hide left")
    asked = town.to("ben")[-1]
    town.write(id, "ana", bid(town, "ana"))
    town.write(id, "ben", bid(town, "ben"), answers=asked)
    assert "done, version" in town.last("ben")


def test_S2_the_address_of_a_former_holder_is_nobody(town):
    id = town.match()
    old = town.address(id, "ana")
    link = town.matches.invite(town.people["ana"].id, id, seat="red")[1]
    town.matches.join(town.person("eve").id, id, link=link)
    assert town.post.deliver(town.written("ana", "hide left"), old) == "unknown"
    assert town.post.deliver(town.written("eve", "hide left"), old) == "waits"
    assert town.versions(id) == 1


def test_a_seat_without_secrets_in_its_mails_gets_none(town):
    town.person("ana")
    id = town.matches.open(town.people["ana"].id, "toy", players=2).id
    for name in ("ana", "ben"):
        town.matches.join(town.person(name).id, id)
    town.wish(id, "ana", secrets=False)
    town.matches.start(town.people["ana"].id, id)
    town.post.round()
    hand = town.matches.open_log(id).table("red").zones["hand:red"]
    town.write(id, "ana", "hide left")
    town.write(id, "ana", "bid nonsense\n")
    town.later(minutes=11)
    town.post.round()
    assert len(town.to("ana")) == 3
    for mail in town.to("ana"):
        assert not any(card in mail.as_string() for card in hand) and '"says"' not in text(mail)
