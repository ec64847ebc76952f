"""Religion conflicts (CF-11) and the minority bonus (CF-13)."""

import pytest

from domain.games.column_of_fire.data import BLACK


def at_end(case, seat="red"):
    """The player's turn is about to end."""
    return case.at(seat, "end_turn")


def test_E51_the_winning_religion_scores_and_the_other_is_expelled(column):
    case = column().stones("england", "PPPC").house("red", "england", 4).house("green", "england", 2).house("yellow", "england", 5)
    for seat, religion in zip(case.seats, ("protestant", "catholic", "protestant", "protestant")):
        case.religion(seat, religion)
    at_end(case).play("red", "end_turn", "end")
    t = case.t
    assert [t.vp(seat) for seat in case.seats] == [14, 10, 12, 10]
    assert (t.house("england", "red"), t.house("england", "green"), t.house("england", "yellow")) == (4, 2, 0)
    assert t.total("houses:yellow") == 4
    assert case.lies("england") == "" and not t.full("england")
    assert case.in_order("CF-11.6", "CF-11.7", "CF-11.8", "CF-11.11")


@pytest.mark.parametrize("stones", ["PPPC", "PPCN", "PPNN", "PNNN", "CPPP", "NNNP"])
def test_E52_more_stones_win_whatever_their_order(column, stones):
    case = at_end(column().stones("spain", stones).house("red", "spain", 3).religion("red", "protestant"))
    case.house("yellow", "spain", 5).religion("yellow", "catholic").play("red", "end_turn", "end")
    assert (case.t.vp("red"), case.t.vp("yellow")) == (13, 10)
    assert case.t.house("spain", "yellow") == 0 and case.lies("spain") == ""


@pytest.mark.parametrize("stones", ["CCPP", "CPNN", "NNNN"])
def test_E53_equal_numbers_avoid_the_conflict(column, stones):
    case = at_end(column().stones("spain", stones).house("red", "spain", 3).house("yellow", "spain", 5))
    case.religion("red", "protestant").play("red", "end_turn", "end")
    assert (case.t.vp("red"), case.t.vp("yellow")) == (10, 10)
    assert (case.t.house("spain", "red"), case.t.house("spain", "yellow")) == (3, 5)
    assert case.lies("spain") == "" and "CF-11.10" in case.rules


def test_E54_no_stone_can_be_added_to_a_full_country(column):
    case = column().stones("france", "CCPP").character("red", "NED-11", "orange", 3).turn("red", 1)
    assert "no religion space is free in france, so no stone can be added there (CF-11.3)" in case.refuses(
        "red", "use_character", ["neutral_stone", "france"]
    )


def test_E55_removing_a_stone_before_the_end_prevents_the_conflict(column):
    case = column().stones("france", "CPP").face_up("FRA-03", stone="C").rolls(blue=6)
    case.disc("red", "T05").disc("yellow", "T02").disc("green", "T03").disc("blue", "T04").turn("red")
    case.play("red", "take_character", ["take", "blue", "france"]).play("red", "use_character", None)
    assert case.t.full("france")
    case.play("red", "move_disc", ["orange", 0]).play("red", "use_space", ["stone", "remove", "protestant", "france"]).finish("red")
    assert case.lies("france") == "CCP" and "CF-11.6" not in case.rules and "CF-11.10" not in case.rules


def test_E56_conflicts_of_the_first_half_year_come_after_the_last_card(column):
    case = column().stones("spain", "CCC").house("red", "spain", 2).religion("red", "catholic", 3)
    case.character("red", "ENG-07", "white", 3).character("red", "SPA-06", "brown", 3).character("red", "FRA-03", "blue", 3)
    case.turn("red", 1).play("red", "use_character", ["stone", "place", "protestant", "spain"])
    assert case.lies("spain") == "CCCP"
    case.play("red", "use_character", ["gain_protection"]).play("red", "use_character", ["gain_good", "cloth"])
    assert case.lies("spain") == "CCCP" and case.t.vp("red") == 10
    case.play("red", "end_turn", "end")
    assert case.lies("spain") == "" and case.t.vp("red") == 12 and case.t.active == "yellow"


def test_E57_the_new_house_counts_in_the_conflict_of_its_turn(column):
    case = column().stones("england", "PPP").religion("red", "protestant").face_up("ENG-04", stone="C").rolls(white=6)
    case.disc("red", "T01").disc("yellow", "T03").disc("green", "T04").disc("blue", "T05").turn("red")
    case.play("red", "take_character", ["take", "white", "england"]).play("red", "use_character", None)
    case.play("red", "move_disc", ["blue", 0]).play("red", "use_space", None).finish("red")
    assert case.t.vp("red") == 16 and case.t.house("england", "red") == 6


def test_E58_the_only_player_of_a_religion_gains_1_when_his_die_is_turned_down(column):
    case = column().religion("red", "catholic", 3)
    for seat in case.seats[1:]:
        case.religion(seat, "protestant")
    case.turn("red", 1).finish("red")
    assert case.t.vp("red") == 11 and case.in_order("CF-5.2", "CF-13.1")
    even = column().religion("yellow", "protestant").religion("blue", "protestant").turn("red", 1).finish("red").finish("yellow")
    assert even.t.vp("red") == even.t.vp("yellow") == 10


@pytest.mark.parametrize(("way", "vp"), [("up", 11), ("down", 12)])
def test_E59_only_turning_down_brings_the_minority_bonus(column, way, vp):
    case = column().religion("red", "catholic", 4).character("red", "NED-07", "orange", 3)
    for seat in case.seats[1:]:
        case.religion(seat, "protestant")
    case.turn("red", 1).play("red", "use_character", ["turn_die", BLACK, way])
    assert case.t.vp("red") == vp  # 1 for turning down in the first half-year, 1 more for turning down by the symbol


def test_the_minority_is_checked_after_the_choice_of_religion(column):
    case = column().religion("red", "catholic", 1).rolls_religion(4)
    for seat in case.seats[1:]:
        case.religion(seat, "catholic")
    case.turn("red", 1).play("red", "choose_religion", "protestant")
    assert case.t.vp("red") == 11  # CF-13.2


def test_two_players_of_different_religion_both_have_the_bonus(column):
    case = column(2).religion("red", "catholic").religion("yellow", "protestant").turn("red", 1).finish("red").finish("yellow")
    assert (case.t.vp("red"), case.t.vp("yellow")) == (11, 11)


def test_the_active_player_orders_several_conflicts(column):
    case = at_end(column().stones("england", "CCPP").stones("spain", "CCCC").house("red", "spain", 6).religion("red", "catholic"))
    case.play("red", "end_turn", "end")
    assert case.asked == ("red", "conflict_order")
    assert case.offered("conflict_order") == [["england", "spain"], ["spain", "england"]]
    assert "CF-11.5" in case.refuses("red", "conflict_order", ["spain"])
    case.play("red", "conflict_order", ["spain", "england"])
    assert case.t.vp("red") == 16
    assert case.story.index("Conflict in Spain") < case.story.index("The conflict in England is avoided")


def test_nothing_can_be_done_between_the_end_of_the_turn_and_its_conflicts(column):
    case = at_end(column().stones("england", "CCPP").stones("spain", "CCCC").tiles("red", "AD17")).play("red", "end_turn", "end")
    assert "red is not asked 'window' now" in case.refuses_now("red", "window", ["spend", "AD17"])


def test_houses_that_remain_keep_their_numbers(column):
    case = at_end(
        column().stones("spain", "PPPP").house("red", "spain", 5).house("yellow", "spain", 4).religion("yellow", "protestant")
    )
    case.play("red", "end_turn", "end")
    assert (case.t.house("spain", "red"), case.t.house("spain", "yellow")) == (0, 4)  # CF-11.12


def test_the_turn_of_another_player_ends_with_the_same_conflicts(column):
    case = at_end(column().stones("spain", "CCCP").house("red", "spain", 5), "yellow").play("yellow", "end_turn", "end")
    assert case.t.vp("red") == 15
