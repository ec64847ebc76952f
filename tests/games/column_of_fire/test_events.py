"""Turning up cards (CF-7), events, protection and Loch Leven (CF-12)."""

import pytest

from domain.games.column_of_fire import TITLE

RECUSANTS, EXCOMMUNICATION, POSITIVE = "EV-ENG-2", "EV-ENG-1", "EV-ENG-4"


def turned_up(column, *cards, players=4, **options):
    """Green is about to take an English character; these cards come up next."""
    case = column(players, **options).face_up("ENG-04").rolls(white=1)
    return case.next_cards(*cards, *(["ENG-06"] if cards[-1].startswith("EV") else []))


def takes(case, seat="green"):
    case.turn(seat).play(seat, "take_character", ["take", "white", "england"]).play(seat, "use_character", None)
    return case.pass_until("move_disc")


def test_E28_only_the_first_event_of_a_turn_takes_place(column):
    case = column().face_up("FRA-04").next_cards("EV-FRA-2", "EV-FRA-3", "FRA-01").rolls(blue=4).goods("red", book=1)
    case.religion("red", "protestant").turn("green")
    case.play("green", "take_character", ["take", "blue", "france"]).play("green", "use_character", None).pass_until("move_disc")
    assert case.t.vp("red") == 8 and case.t.goods("red") == {"book": 1}
    assert {"EV-FRA-2", "EV-FRA-3"} <= set(case.t.zones["removed"])
    assert case.t.face_up("france") == "FRA-01" and case.t.items("stone:france") == ["protestant"]
    assert case.in_order("CF-7.2", "CF-12.5", "CF-7.3", "CF-7.1")


def recusants(column):
    case = turned_up(column, RECUSANTS).vp("red", 10).vp("yellow", 8).vp("green", 9).house("yellow", "england", 3)
    return (
        case.religion("red", "catholic")
        .religion("yellow", "catholic")
        .religion("green", "protestant")
        .religion("blue", "protestant")
    )


def test_E29_an_event_hits_everybody_it_names_in_any_country(column):
    case = takes(recusants(column))
    assert [case.t.vp(seat) for seat in ("red", "yellow", "green")] == [8, 6, 9]


def test_E30_a_protection_tile_averts_an_event_for_its_owner_only(column):
    case = takes(recusants(column).protection("red", 1))
    case.play("red", "answer_negative_event", "yes").pass_until("move_disc")
    assert [case.t.vp(seat) for seat in ("red", "yellow", "green")] == [10, 6, 9]
    assert case.t.protection("red") == 0 and "Red averts the event Recusants fined" in case.story


def test_the_protection_tile_may_be_kept_and_the_event_suffered(column):
    case = takes(recusants(column).protection("red", 1))
    case.play("red", "answer_negative_event", "no").pass_until("move_disc")
    assert case.t.vp("red") == 8 and case.t.protection("red") == 1


def test_E31_a_positive_event_pays_the_religion_die_for_one_tile(column):
    case = turned_up(column, POSITIVE).protection("red", 1).protection("green", 2)
    case.religion("red", "catholic", 4).religion("yellow", "catholic", 2).religion("green", "catholic", 5)
    case.turn("green").play("green", "take_character", ["take", "white", "england"])
    case.play("green", "drop_stone_with_protection", "no").play("green", "use_character", None)
    case.play("green", "answer_positive_event", "yes").play("red", "answer_positive_event", "yes").pass_until("move_disc")
    assert [case.t.vp(seat) for seat in case.seats] == [14, 10, 15, 10]
    assert [case.t.protection(seat) for seat in case.seats] == [0, 0, 1, 0]


def test_E32_a_loch_leven_event_takes_a_free_die(column):
    case = takes(turned_up(column, EXCOMMUNICATION).house("red", "england", 4), "green")
    case.play("green", "loch_leven_die", "brown").play("red", "loch_leven_die", "white")
    assert case.t.zones["prison:red"] == ["white"] and case.t.shows("red", "white") == 3
    assert "white" not in case.t.free("red") and not case.t.zones["prison:yellow"]


def test_E33_a_loch_leven_event_takes_a_die_from_a_character(column):
    case = turned_up(column, EXCOMMUNICATION).house("red", "england", 4).character("red", "FRA-03", "blue", 5)
    case.loch_leven("red", "violet", 2)
    takes(case).play("green", "loch_leven_die", "brown")
    assert "religion die never goes to Loch Leven (CF-12.7)" in case.refuses("red", "loch_leven_die", "black")
    assert "on Loch Leven already (CF-12.7)" in case.refuses("red", "loch_leven_die", "violet")
    case.play("red", "loch_leven_die", "blue")
    assert case.t.zones["prison:red"] == ["violet", "blue"] and case.t.shows("red", "blue") == 3
    assert case.display("red") == [] and "FRA-03" in case.t.zones["removed"]


def test_E34_an_involuntary_loss_stops_at_0(column):
    case = takes(recusants(column).vp("red", 1))
    assert case.t.vp("red") == 0
    assert next(score.facts["vp"] for score in TITLE.score(case.t) if score.seat == "red") == "off the track"
    later = (
        column().vp("red", 0).goods("red", cloth=1).house("red", "spain", 1).character("red", "ENG-05", "white", 3).turn("red", 1)
    )
    later.play("red", "use_character", ["sell_any_for_3", "cloth"])
    assert later.t.vp("red") == 3


def test_E35_nobody_goes_below_0_of_his_own_will(column):
    case = column().vp("red", 1).disc("red", "T06").disc("green", "T05").at("red", "move")
    assert "leaving out 2 spaces costs 2 VP (CF-12.6)" in case.refuses("red", "move_disc", ["white", 2])
    case.play("red", "move_disc", ["white", 1])
    assert case.t.vp("red") == 0 and case.t.disc("red") == "T16"


def test_the_active_player_answers_first_then_clockwise(column):
    case = recusants(column).religion("green", "catholic").religion("blue", "catholic")
    for seat in case.seats:
        case.protection(seat, 1)
    case.turn("green").play("green", "take_character", ["take", "white", "england"])
    case.play("green", "drop_stone_with_protection", "no").play("green", "use_character", None)
    case.pass_until("answer_negative_event")
    order = []
    while case.asked[1] == "answer_negative_event":
        order.append(case.asked[0])
        case.play(*case.asked, "yes")
    assert order == ["green", "blue", "red", "yellow"]


def test_an_affected_player_chooses_which_good_to_return(column):
    case = turned_up(column, "EV-ENG-3").house("red", "england", 4).goods("red", book=1, wine=1).goods("green", ore=1)
    takes(case)
    assert case.t.goods("green") == {}  # his only good, without a question
    case.play("red", "event_good", "wine")
    assert case.t.goods("red") == {"book": 1}


def test_an_event_cannot_take_what_nobody_has(column):
    case = column().face_up("FRA-04").next_cards("EV-FRA-3", "FRA-01").rolls(blue=1).goods("red", cloth=2).protection("red", 1)
    case.turn("green").play("green", "take_character", ["take", "blue", "france"]).play("green", "use_character", None)
    case.pass_until("move_disc")
    assert case.t.goods("red") == {"cloth": 2} and case.t.protection("red") == 1
    assert "answer_negative_event" not in [event.ask for event in case.events]


def test_without_an_eligible_die_loch_leven_has_no_effect(column):
    case = turned_up(column, EXCOMMUNICATION).house("red", "england", 4)
    for die in ("white", "blue", "orange", "brown", "violet"):
        case.loch_leven("red", die, 3)
    takes(case).play("green", "loch_leven_die", "brown").pass_until("move_disc")
    assert len(case.t.zones["prison:red"]) == 5


def test_a_protection_tile_keeps_a_die_out_of_loch_leven(column):
    case = turned_up(column, EXCOMMUNICATION).house("red", "england", 4).protection("red", 1)
    takes(case).play("green", "loch_leven_die", "brown").play("red", "answer_negative_event", "yes")
    assert case.t.zones["prison:red"] == [] and case.t.protection("red") == 0


def test_the_character_just_taken_can_be_lost_to_loch_leven(column):
    case = takes(turned_up(column, EXCOMMUNICATION))
    case.play("green", "loch_leven_die", "white").pass_until("move_disc")
    assert case.display("green") == [] and case.t.zones["prison:green"] == ["white"]


def test_a_die_on_loch_leven_neither_takes_nor_moves(column):
    case = column().loch_leven("green", "white", 3).turn("green")
    assert "CF-1.3" in case.refuses("green", "take_character", ["take", "white", "england"])
    case.play("green", "take_character", "decline")
    assert "CF-1.3" in case.refuses("green", "move_disc", ["white", 0])


@pytest.mark.parametrize(("happens", "vp"), [(True, 8), (False, 10)])
def test_A08_events_turned_up_by_removing_a_character(column, happens, vp):
    case = column(events_on_removal_reveal=happens).character("red", "ENG-10", "white", 3).face_up("SPA-01")
    case.religion("yellow", "protestant").next_cards("EV-SPA-2", "SPA-02").turn("red", 1)
    case.play("red", "use_character", ["remove_character", "SPA-01"])
    assert case.t.vp("yellow") == vp and case.t.face_up("spain") == "SPA-02"
    assert {"SPA-01", "EV-SPA-2"} <= set(case.t.zones["removed"])


def test_an_event_by_removal_counts_as_the_one_of_the_turn(column):
    case = column().face_up("ENG-10").next_cards("EV-SPA-2", "SPA-02", RECUSANTS, "ENG-06").rolls(white=3)
    case.religion("yellow", "protestant").face_up("SPA-01").turn("green")
    case.play("green", "take_character", ["take", "white", "england"]).play(
        "green", "use_character", ["remove_character", "SPA-01"]
    )
    case.pass_until("move_disc")
    assert (case.t.vp("yellow"), case.t.vp("red")) == (8, 10)


def test_the_next_turn_may_have_its_own_event(column):
    case = recusants(column).next_cards("EV-FRA-2", "FRA-01").face_up("FRA-04").rolls(blue=1)
    takes(case.disc("green", "T01")).play("green", "move_disc", ["blue", 0]).play("green", "use_space", None)
    case.finish("green").play("blue", "take_character", ["take", "blue", "france"]).play("blue", "use_character", None)
    case.pass_until("move_disc")
    assert case.t.vp("green") == 7  # the massacre hits Protestants


@pytest.mark.parametrize(("negative", "vp"), [(False, 0), (True, -1)])
def test_A16_losses_below_0(column, negative, vp):
    case = turned_up(column, RECUSANTS, allow_negative_vp=negative).religion("red", "catholic").vp("red", 1)
    assert takes(case).t.vp("red") == vp
