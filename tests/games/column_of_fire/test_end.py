"""Spending VP (CF-14), the end and final scoring (CF-9, CF-15), two and three players (CF-16)."""

import pytest

from domain.games.column_of_fire import TITLE
from domain.games.column_of_fire.data import DICE
from domain.kernel import END


def on_cards(case, seat, *but):
    """All dice of a player lie on characters, except these."""
    cards = iter(("ENG-04", "FRA-03", "NED-06", "SPA-06", "ENG-13"))
    for die in DICE:
        if die not in but:
            case.character(seat, next(cards), die, 3)
    return case


def last_turn(case):
    """Nothing is left of the year but the end of its last turn."""
    return case.at(case.seats[-1], "end_turn")


def test_E60_declining_costs_1_vp_and_nothing_else_happens(column):
    case = column().vp("red", 5).turn("red")
    top = case.t.face_up("england")
    case.play("red", "take_character", "decline")
    assert case.t.vp("red") == 4
    assert case.lies("england") == "" and case.t.houses("red") == {} and case.t.face_up("england") == top
    assert case.offered("move_disc")
    assert "CF-14.1" in case.rules and "CF-7.1" not in case.rules


def test_E61_without_a_free_die_1_vp_is_lost_and_nothing_moves(column):
    case = on_cards(column().vp("red", 5), "red").disc("red", "T02").turn("red").pass_until("end_turn")
    assert case.t.vp("red") == 4 and case.t.disc("red") == "T02"
    assert not any(event.chance for event in case.events)
    assert case.asked == ("red", "end_turn")


def test_E62_a_die_is_taken_off_for_3_vp_and_rolled_at_once(column):
    case = column().vp("red", 7).character("red", "FRA-03", "blue", 5).rolls(blue=2).turn("red")
    case.play("red", "window", ["remove_die", "blue"])
    assert case.t.vp("red") == 4 and "FRA-03" in case.t.zones["removed"]
    case.pass_until("take_character")
    assert case.t.shows("red", "blue") == 2 and "CF-14.2" in case.rules


def test_taking_the_religion_die_off_rolls_it_again_with_the_choice(column):
    case = column().vp("red", 7).religion("red", "catholic", 2).rolls_religion(5).turn("red")
    case.play("red", "window", ["remove_die", "black"]).play("red", "choose_religion", "protestant")
    assert case.t.vp("red") == 5  # 3 paid, 1 as the only Protestant (A-22, CF-13.3)
    assert (case.t.religion("red"), case.t.shows("red", "black")) == ("protestant", 5)


def test_taking_a_die_off_loch_leven_frees_it(column):
    case = column().loch_leven("red", "violet", 3).turn("red", 1).play("red", "window", ["remove_die", "violet"])
    assert case.t.vp("red") == 7 and "violet" in case.t.free("red")


def test_nobody_pays_what_he_has_not(column):
    case = column().vp("red", 2).tiles("red", "AD15").turn("red")
    assert "taking a die off costs 3 VP (CF-12.6)" in case.refuses("red", "window", ["remove_die", "black"])
    poor = column().vp("red", 0).turn("red")
    assert "CF-12.6" in poor.refuses("red", "take_character", "decline")


def test_who_cannot_take_a_character_keeps_0(column):
    case = on_cards(column().vp("red", 0), "red").turn("red").pass_until("end_turn")
    assert case.t.vp("red") == 0 and "CF-14.1" in case.rules


@pytest.mark.parametrize(("limit", "again"), [(0, True), (1, False), (2, True)])
def test_A21_how_often_a_turn_a_die_is_taken_off(column, limit, again):
    case = column(max_paid_removals_per_turn=limit).character("red", "FRA-03", "blue", 5).character("red", "ENG-04", "white", 5)
    case.tiles("red", "AD01").turn("red").play("red", "window", ["remove_die", "blue"])
    assert (["remove_die", "white"] in case.offered("window")) is again
    if not again:
        assert "A-21" in case.refuses("red", "window", ["remove_die", "white"])


def test_E63_final_scoring(column):
    case = last_turn(column().house("red", "england", 1).house("red", "spain", 2).house("red", "france", 3))
    case.protection("red", 1).goods("red", cloth=2, wine=1).tiles("red", "AD01", "AD06").t.set("end", "fifty_points")
    case.finish("blue")
    assert case.t.vp("red") == 10 + 6 + 1 + 1 + 3
    assert case.t.items("revealed:red") == ["AD01", "AD06"] and case.run.over
    assert "Red at the end: houses 6, protection 1, goods 1, tiles 3." in case.story


def test_E64_the_end_flag_stays(column):
    case = (
        column(2)
        .vp("red", 49)
        .religion("red", "protestant")
        .religion("yellow", "protestant")
        .disc("red", "T01")
        .disc("yellow", "T00")
    )
    case.character("red", "ENG-06", "white", 3).face_up("SPA-06").next_cards("EV-SPA-2", "SPA-13").rolls(brown=4).turn("red", 1)
    case.play("red", "use_character", ["gain_vp", 2]).finish("red").finish("yellow")
    assert case.t.vp("red") == 51 and case.t.get("end") == "fifty_points" and case.t.get("half") == 2
    case.play("red", "take_character", ["take", "brown", "spain"]).play("red", "use_character", None)  # each Protestant loses 2
    case.play("red", "move_disc", ["blue", 1]).play("red", "use_space", None).finish("red")  # and 1 for leaving out a space
    assert case.t.vp("red") == 48 and case.t.get("end") == "fifty_points"
    case.play("yellow", "take_character", "decline").play("yellow", "move_disc", ["white", 0]).play("yellow", "use_space", None)
    case.finish("yellow")
    assert case.run.over and case.t.get("year") == 1


def test_the_year_is_played_to_its_end(column):
    case = column().vp("red", 60)
    case.t.set("end", "fifty_points")
    case.at("red", "end_turn").finish("red")
    assert not case.run.over and case.t.active == "yellow"  # CF-9.1


def test_E65_vp_tiles_neither_count_to_50_nor_can_be_spent(column):
    case = column().vp("red", 48).tiles("red", "AD11").turn("red")
    assert "VP tiles count at the end of the game and can never be spent (CF-18.3)" in case.refuses(
        "red", "window", ["spend", "AD11"]
    )
    assert ["spend", "AD11"] not in case.offered("window")
    assert case.t.get("end") is None


def won(column, **seats):
    """The winners of a game that ends with these scores, goods and religion dice."""
    case = last_turn(column())
    for seat, (vp, goods, die) in seats.items():
        case.vp(seat, vp).goods(seat, cloth=goods).religion(seat, "catholic", die)
    case.t.set("end", "fifty_points")
    case.finish("blue")
    return TITLE.winners(case.t)


def test_E66_if_everything_is_equal_several_win(column):
    assert won(column, red=(50, 2, 3), yellow=(50, 2, 3)) == ["red", "yellow"]


def test_ties_are_broken_by_goods_then_by_the_religion_die(column):
    assert won(column, red=(50, 2, 3), yellow=(49, 4, 1)) == ["yellow"]  # both 51 after their goods
    assert won(column, red=(50, 2, 3), yellow=(50, 2, 4)) == ["yellow"]
    assert won(column, red=(51, 0, 1), yellow=(49, 2, 5)) == ["red"]


def test_nobody_has_won_before_the_end(column):
    case = column().vp("red", 99).start()
    assert TITLE.winners(case.t) == []


def test_E67_where_a_deck_is_used_up_a_die_still_places_a_house(column):
    case = column().used_up("spain").vp("red", 10).rolls(brown=5)
    case.t.set("end", "deck_used_up")
    case.turn("red").play("red", "take_character", ["house_only", "brown", "spain"])
    assert case.t.house("spain", "red") == 5 and case.display("red") == [] and case.lies("spain") == ""
    assert case.t.vp("red") == 10 and "brown" in case.t.free("red")
    assert ["brown", 0] in case.offered("move_disc")


def test_E67_the_last_card_of_a_deck_ends_the_game_after_the_year(column):
    case = column().face_up("SPA-06").last_card("spain").rolls(brown=5).turn("blue")
    case.play("blue", "take_character", ["take", "brown", "spain"]).play("blue", "use_character", None).pass_until("move_disc")
    assert case.t.get("end") == "deck_used_up" and case.t.used_up("spain")
    case.play("blue", "move_disc", case.offered("move_disc")[0])
    if case.asked[1] == "use_space":
        case.play("blue", "use_space", None)
    case.finish("blue")
    assert case.run.over and case.t.get("step") == END


def test_a_removal_that_uses_up_a_deck_ends_the_game_too(column):
    case = column().character("red", "ENG-10", "white", 3).face_up("SPA-06").last_card("spain").turn("red", 1)
    case.play("red", "use_character", ["remove_character", "SPA-06"])
    assert case.t.get("end") == "deck_used_up" and "CF-15.2" in case.rules


def test_events_left_in_a_deck_take_place_on_the_way_to_its_end(column):
    case = column().character("red", "ENG-10", "white", 3).face_up("SPA-06").last_card("spain").religion("yellow", "protestant")
    case.t.move("EV-SPA-2", "removed", "deck:spain")
    case.turn("red", 1).play("red", "use_character", ["remove_character", "SPA-06"])
    assert case.t.vp("yellow") == 8 and case.t.get("end") == "deck_used_up"


def test_a_house_only_choice_must_place_or_raise_a_house(column):
    case = column().used_up("spain").house("red", "spain", 5).rolls(brown=5, violet=6).turn("red")
    offered = case.offered("take_character")
    assert ["house_only", "violet", "spain"] in offered and ["house_only", "brown", "spain"] not in offered
    assert "A-23" in case.refuses("red", "take_character", ["house_only", "brown", "spain"])
    assert "its deck is used up (CF-15.3)" in case.refuses("red", "take_character", ["take", "brown", "spain"])
    assert "CF-15.3" in case.refuses("red", "take_character", ["house_only", "white", "england"])


def test_who_has_only_dice_of_used_up_countries_and_no_house_to_place_is_unable(column):
    case = column().used_up("spain")
    for die, card in (("white", "ENG-04"), ("blue", "FRA-03"), ("orange", "NED-06"), ("violet", "ENG-13")):
        case.character("red", card, die, 3)
    case.house("red", "spain", 5).rolls(brown=4).turn("red").pass_until("move_disc")
    assert case.t.vp("red") == 9 and case.asked == ("red", "move_disc")  # A-23, CF-14.1


@pytest.mark.parametrize(("costs", "vp"), [(False, 10), (True, 9)])
def test_A23_whether_a_house_only_choice_costs_1_vp(column, costs, vp):
    case = column(house_only_costs_vp=costs).used_up("spain").rolls(brown=5).turn("red")
    case.play("red", "take_character", ["house_only", "brown", "spain"])
    assert case.t.vp("red") == vp


def test_A23_with_its_cost_nobody_goes_below_0_for_a_house(column):
    case = column(house_only_costs_vp=True).vp("red", 0).used_up("spain").rolls(brown=5).turn("red")
    assert all(option[0] == "take" for option in case.offered("take_character"))


def test_E68_a_ship_brings_a_neutral_stone_with_three_players(column):
    case = column(3).stones("england", "CP").disc("red", "T19").disc("yellow", "T05").disc("green", "T10").at("red", "move")
    case.play("red", "move_disc", ["violet", 0]).play("red", "place_bonus_neutral", "yes")
    assert case.t.disc("red") == "T00" and case.lies("england") == "CPN" and "CF-16.1" in case.rules
    four = column(4).stones("england", "CP").disc("red", "T19").disc("yellow", "T05").disc("green", "T10").disc("blue", "T15")
    four.at("red", "move").play("red", "move_disc", ["violet", 0])
    assert four.asked == ("red", "end_turn") and four.lies("england") == "CP"


def test_the_neutral_stone_comes_beside_the_sale_and_by_the_advance_symbol(column):
    case = column(2).house("red", "england", 1).goods("red", cloth=1).disc("red", "T19").disc("yellow", "T05")
    case.character("red", "ENG-08", "white", 3).turn("red", 1).play("red", "use_character", ["advance"])
    case.play("red", "use_space", ["sell", "cloth@england"]).play("red", "place_bonus_neutral", "yes")
    assert case.t.vp("red") == 14 and case.lies("england") == "N"


def test_no_neutral_stone_for_a_full_country(column):
    case = column(2).stones("england", "CCP").disc("red", "T19").disc("yellow", "T05").at("red", "move")
    case.play("red", "move_disc", ["violet", 0])
    assert case.asked == ("red", "end_turn") and case.lies("england") == "CCP"


def test_E69_with_two_players_three_stones_fill_a_country(column):
    case = column(2).stones("england", "CP").character("red", "NED-11", "orange", 3).turn("red", 1)
    case.play("red", "use_character", ["neutral_stone", "england"])
    assert case.t.full("england") and "A torch marks England" in case.story
    case.finish("red")
    assert case.lies("england") == "" and case.t.free_spaces("england") == 3  # the cross stays


def test_three_players_have_four_religion_spaces(column):
    assert column(3).stones("england", "CPN").t.free_spaces("england") == 1


def test_the_start_player_never_changes(column):
    case = last_turn(column()).finish("blue")
    assert case.t.get("year") == 2 and case.t.get("half") == 1 and case.t.active == case.t.get("start") == "red"
