"""The second half-year, part 2: the action track (CF-8)."""

import pytest

from domain.games.column_of_fire.data import DICE, SPACE


def test_E36_violet_leads_to_the_next_ship(column):
    case = column().disc("yellow", "T06").disc("red", "T02").disc("green", "T03").disc("blue", "T04")
    case.house("yellow", "spain", 2).goods("yellow", ore=1).at("yellow", "move").play("yellow", "move_disc", ["violet", 0])
    assert case.t.disc("yellow") == "T10"
    assert ["sell", "ore@spain"] in case.offered("use_space")


def test_E37_occupied_spaces_are_not_counted_when_skipping(column):
    case = column().disc("yellow", "T06").disc("green", "T16").disc("red", "T02").disc("blue", "T03")
    case.house("yellow", "england", 1).goods("yellow", cloth=1).at("yellow", "move")
    case.play("yellow", "move_disc", ["white", 1])
    assert case.t.disc("yellow") == "T01" and case.t.vp("yellow") == 9
    assert case.offered("use_space") == [None, ["gain_good", "cloth"], ["sell", "cloth@england"]]
    assert "CF-8.3" in case.rules


def test_E37_the_own_starting_space_is_never_reached(column):
    case = column().disc("yellow", "T06").disc("green", "T16").at("yellow", "move")
    assert [skips for die, skips in case.offered("move_disc") if die == "white"] == [0, 1]
    assert "CF-8.4" in case.refuses("yellow", "move_disc", ["white", 2])


def test_E38_without_a_free_die_the_disc_stays(column):
    case = column().disc("red", "T02").character("red", "ENG-04", "white", 2).character("red", "FRA-03", "blue", 2)
    case.character("red", "SPA-06", "brown", 2).character("red", "NED-06", "orange", 2).face_up("ENG-03").rolls(violet=4)
    case.turn("red").play("red", "take_character", ["take", "violet", "england"]).play("red", "use_character", None)
    case.pass_until("end_turn")
    assert case.asked == ("red", "end_turn") and case.t.disc("red") == "T02" and case.t.vp("red") == 10
    assert "CF-8.7" in case.rules


def test_E39_with_a_free_die_the_disc_must_move_but_the_space_need_not_be_used(column):
    case = column().disc("red", "T01").at("red", "move")
    assert "with a free die the disc must move (CF-8.1)" in case.refuses("red", "move_disc", None)
    case.play("red", "move_disc", ["blue", 0]).play("red", "use_space", None)
    assert case.t.disc("red") == "T02" and case.t.vp("red") == 10


def test_E40_the_die_that_moves_stays_free(column):
    case = column().disc("red", "T01").at("red", "move").play("red", "move_disc", ["blue", 0])
    assert "blue" in case.t.free("red")


@pytest.mark.parametrize("number", [1, 6])
def test_E41_only_the_colour_counts(column, number):
    case = column().disc("red", "T01").rolls(orange=number).turn("red").play("red", "take_character", "decline")
    case.play("red", "move_disc", ["orange", 0])
    assert case.t.disc("red") == "T03"


def test_E42_with_all_ships_occupied_violet_leads_nowhere(column):
    case = column()
    for seat, space in zip(case.seats, ("T00", "T05", "T10", "T15")):
        case.disc(seat, space)
    case.at("red", "move")
    assert "no violet space can be reached (CF-8.4, A-10)" in case.refuses("red", "move_disc", ["violet", 0])


def test_E43_ships_are_reached_by_the_violet_die_only(column):
    case = column().character("red", "ENG-04", "violet", 3).disc("red", "T06").at("red", "move")
    ends = set()
    for die, skips in case.offered("move_disc"):
        again = column().character("red", "ENG-04", "violet", 3).disc("red", "T06").at("red", "move")
        ends.add(SPACE[again.play("red", "move_disc", [die, skips]).t.disc("red")].colour)
    assert ends == set(DICE) - {"violet"}
    assert "CF-8.8" in case.refuses("red", "move_disc", ["violet", 0])


def test_if_no_die_leads_anywhere_there_is_no_action(column):
    case = column()
    for seat, space in zip(case.seats, ("T00", "T05", "T10", "T15")):
        case.disc(seat, space)
    for die, card in (("white", "ENG-04"), ("blue", "FRA-03"), ("brown", "SPA-06"), ("orange", "NED-06")):
        case.character("red", card, die, 3)
    case.at("red", "move").pass_until("end_turn")
    assert case.asked == ("red", "end_turn") and case.t.disc("red") == "T00"


def test_at_most_three_spaces_are_left_out(column):
    case = column(2).vp("red", 30).disc("red", "T02").disc("yellow", "T00").at("red", "move")
    assert [skips for die, skips in case.offered("move_disc") if die == "white"] == [0, 1, 2, 3]
    assert "CF-8.4" in case.refuses("red", "move_disc", ["white", 4])
    case.play("red", "move_disc", ["white", 3])
    assert case.t.disc("red") == "T01" and case.t.vp("red") == 27


def test_began_means_the_space_where_this_movement_starts(column):
    case = column(2).tiles("red", "AD25").disc("red", "T01").disc("yellow", "T19").at("red", "move")
    case.play("red", "window", ["spend", "AD25"]).play("red", "use_space", None)
    assert case.t.disc("red") == "T02"
    assert ["white", 3] in case.offered("move_disc")  # T01 can be reached again, T02 cannot
    case.play("red", "move_disc", ["white", 3])
    assert case.t.disc("red") == "T01"


def test_advancing_goes_to_the_next_unoccupied_space_of_any_colour(column):
    case = (
        column()
        .character("red", "ENG-08", "white", 3)
        .disc("red", "T03")
        .disc("green", "T04")
        .disc("blue", "T06")
        .disc("yellow", "T07")
    )
    case.turn("red", 1).play("red", "use_character", ["advance"])
    assert case.t.disc("red") == "T05" and case.t.vp("red") == 10  # CF-17.7, A-11: also a ship, without a die
