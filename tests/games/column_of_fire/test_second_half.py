"""The second half-year, part 1: roll, take a character, place a house (CF-6)."""

import pytest

from domain.games.column_of_fire.data import CARDS, COUNTRIES


def houses(case, country):
    """Who stands where in a country."""
    return {seat: number for seat in case.seats if (number := case.t.house(country, seat))}


def test_E12_only_free_dice_are_rolled_and_one_takes_the_character_of_its_colour(column):
    case = column().face_up("ENG-07").rolls(white=4)
    case.character("green", "SPA-06", "brown", 3).character("green", "NED-06", "orange", 3).turn("green")
    case.play("green", "take_character", ["take", "white", "england"]).play("green", "use_character", None)
    rolled = next(outcome for event in case.events for outcome in event.chance if outcome.key == "free_dice")
    assert len(rolled.values) == 3 and "Green rolls white 4, blue 1, violet 1." in case.story
    assert case.display("green") == [("SPA-06", "brown", 3), ("NED-06", "orange", 3), ("ENG-07", "white", 4)]


def test_E13_the_violet_die_takes_a_character_of_any_country(column):
    case = column().face_up("SPA-06").rolls(violet=5).turn("green")
    assert [["take", "violet", country] in case.offered("take_character") for country in COUNTRIES] == [True] * 4
    case.play("green", "take_character", ["take", "violet", "spain"]).play("green", "use_character", None)
    assert case.display("green") == [("SPA-06", "violet", 5)]
    assert case.t.house("spain", "green") == 5
    assert "violet" not in [die for die, _ in case.offered("move_disc")]
    assert "CF-8.8" in case.refuses("green", "move_disc", ["violet", 0])


def test_E14_stone_is_placed_before_the_house(column):
    case = column().stones("england", "C").face_up("ENG-07", stone="P").rolls(white=4).turn("green")
    case.play("green", "take_character", ["take", "white", "england"])
    assert case.lies("england") == "CP" and not houses(case, "england")  # the window after the stone, before the house
    assert case.asked == ("green", "window")
    case.play("green", "window", "pass")
    assert houses(case, "england") == {"green": 4}


@pytest.mark.parametrize(
    ("standing", "number", "then"),
    [
        pytest.param({"red": 4}, 4, {"red": 3, "green": 4}, id="E15"),
        pytest.param({"red": 4, "yellow": 3}, 4, {"red": 3, "yellow": 2, "green": 4}, id="E16"),
        pytest.param({"red": 4, "yellow": 2}, 4, {"red": 3, "yellow": 2, "green": 4}, id="E17"),
        pytest.param({"red": 1}, 1, {"green": 1}, id="E18"),
        pytest.param({"red": 3, "yellow": 2, "blue": 1}, 3, {"red": 2, "yellow": 1, "green": 3}, id="chain off space 1"),
    ],
)
def test_displacement(column, standing, number, then):
    case = column().face_up("ENG-04").rolls(white=number)
    for seat, space in standing.items():
        case.house(seat, "england", space)
    case.turn("green").play("green", "take_character", ["take", "white", "england"]).pass_until("use_character")
    assert houses(case, "england") == then


def test_E18_a_house_pushed_off_space_1_goes_back_to_its_owner(column):
    case = column().house("red", "england", 1).goods("red", cloth=1).face_up("ENG-04").rolls(white=1).turn("green")
    case.play("green", "take_character", ["take", "white", "england"]).pass_until("use_character")
    assert case.t.total("houses:red") == 4 and case.t.vp("red") == 10
    selling = column().goods("red", cloth=1).disc("red", "T19").rolls().at("red", "move")
    selling.play("red", "move_disc", ["violet", 0])
    assert selling.asked[1] != "use_space"  # nothing to sell in England without a house (CF-10.1)


def test_E19_a_house_is_raised(column):
    case = column().house("green", "england", 2).face_up("ENG-04").rolls(white=4).turn("green")
    case.play("green", "take_character", ["take", "white", "england"]).play("green", "upgrade_house", "yes")
    assert houses(case, "england") == {"green": 4} and case.t.total("houses:green") == 3
    assert not case.t.zones["house:england:2"]


@pytest.mark.parametrize("number", [4, 2])
def test_E20_an_equal_or_lower_number_changes_nothing(column, number):
    case = column().house("green", "england", 4).face_up("ENG-04").rolls(white=number).turn("green")
    case.play("green", "take_character", ["take", "white", "england"]).pass_until("use_character")
    assert houses(case, "england") == {"green": 4}
    assert case.display("green") == [("ENG-04", "white", number)]
    assert "upgrade_house" not in [event.ask for event in case.events]


def test_E21_raising_may_be_declined(column):
    case = column().house("green", "england", 2).house("red", "england", 4).face_up("ENG-04").rolls(white=4).turn("green")
    case.play("green", "take_character", ["take", "white", "england"]).play("green", "upgrade_house", "no")
    assert houses(case, "england") == {"green": 2, "red": 4}


def test_E22_a_character_taken_with_4_serves_four_times(column):
    case = column().face_up("ENG-07").rolls(white=4).turn("green")
    case.play("green", "take_character", ["take", "white", "england"])
    case.play("green", "use_character", ["stone", "place", "catholic", "spain"])
    assert case.display("green") == [("ENG-07", "white", 4)]
    uses = 1
    shown = []
    for number in (4, 3, 2, 1):
        later = column().character("green", "ENG-07", "white", number).turn("green", 1)
        if number > 1:
            later.play("green", "use_character", ["stone", "place", "catholic", "spain"])
            uses += 1
        later.finish("green")
        shown.append(later.t.shows("green", "white"))
    assert shown == [3, 2, 1, None] and uses == 4
    assert "ENG-07" in later.t.zones["removed"]


def test_E23_walsingham_places_or_removes_one_stone_of_a_religion(column):
    case = column().stones("france", "CPNN").stones("spain", "P").stones("england", "").face_up("ENG-07").rolls(white=4)
    case.turn("green").play("green", "take_character", ["take", "white", "england"])
    offered = case.offered("use_character")
    assert None in offered
    for country in ("england", "netherlands", "spain"):
        assert ["stone", "place", "catholic", country] in offered and ["stone", "place", "protestant", country] in offered
    removals = [way[2:] for way in offered if way and way[1] == "remove"]
    # England holds the stone Walsingham brought himself.
    assert sorted(removals) == [
        ["catholic", "france"],
        ["protestant", "england"],
        ["protestant", "france"],
        ["protestant", "spain"],
    ]
    assert "CF-11.3" in case.refuses("green", "use_character", ["stone", "place", "catholic", "france"])
    assert "does not show a neutral stone (CF-17.6)" in case.refuses(
        "green", "use_character", ["stone", "remove", "neutral", "france"]
    )
    assert "CF-17.6" in case.refuses("green", "use_character", ["stone", "place", "neutral", "spain"])
    assert "CF-17.6" in case.refuses("green", "use_character", ["stone", "remove", "catholic", "spain"])
    case.play("green", "use_character", ["stone", "remove", "protestant", "spain"])
    assert case.lies("spain") == ""


def test_E24_stone_house_card_use_reveal_and_its_stone_in_this_order(column):
    case = column().face_up("ENG-04").next_cards("ENG-06").rolls(white=4).turn("green")
    case.play("green", "take_character", ["take", "white", "england"])
    case.play("green", "use_character", ["gain_good", "wine"]).pass_until("move_disc")
    assert case.in_order("CF-6.3", "CF-6.5", "CF-6.8", "CF-6.9", "CF-17.1", "CF-7.1", "CF-7.1")
    moved = [(op.item, op.dst) for event in case.events for op in event.ops if hasattr(op, "item")]
    assert moved[-7:] == [
        ("catholic", "stones:england"),
        ("green", "house:england:4"),
        ("ENG-04", "display:green"),
        ("white", "dice:green"),
        ("wine", "goods:green"),
        ("ENG-06", "top:england"),
        ("neutral", "stone:england"),
    ]


def test_E25_a_protection_tile_keeps_the_stone_away(column):
    case = column().protection("green", 1).protection("blue", 1).stones("france", "P").face_up("FRA-03", stone="C").rolls(blue=4)
    case.turn("green").play("green", "take_character", ["take", "blue", "france"])
    assert "the game waits for green" in case.refuses("blue", "drop_stone_with_protection", "yes")
    case.play("green", "drop_stone_with_protection", "yes").pass_until("use_character")
    assert case.lies("france") == "P" and not case.t.zones["stone:france"]
    assert case.t.protection("green") == 0 and case.t.protection("blue") == 1
    assert houses(case, "france") == {"green": 4} and case.display("green") == [("FRA-03", "blue", 4)]


def test_the_protection_tile_may_be_kept(column):
    case = column().protection("green", 1).face_up("FRA-03", stone="C").rolls(blue=4).turn("green")
    case.play("green", "take_character", ["take", "blue", "france"]).play("green", "drop_stone_with_protection", "no")
    assert case.lies("france") == "C" and case.t.protection("green") == 1


def test_E26_a_full_country_takes_no_more_stones(column):
    case = column().tiles("green", "AD17").protection("green", 1).stones("spain", "CPP").religion("green", "catholic")
    case.face_up("SPA-06", stone="C").rolls(brown=6).turn("green")
    case.play("green", "window", ["spend", "AD17"]).play("green", "use_tile", ["stone", "place", "catholic", "spain"])
    case.play("green", "take_character", ["take", "brown", "spain"]).pass_until("use_character")
    assert case.lies("spain") == "CCPP" and case.t.protection("green") == 1  # at no cost, no question
    assert not case.t.zones["stone:spain"]
    assert houses(case, "spain") == {"green": 6} and case.display("green") == [("SPA-06", "brown", 6)]
    case.play("green", "use_character", None).play("green", "move_disc", ["blue", 0]).play("green", "use_space", None)
    assert case.lies("spain") == "CCPP"
    case.finish("green")
    assert case.lies("spain") == "" and "CF-11.10" in case.rules


def test_E27_a_die_freed_after_the_roll_moves_the_disc_but_takes_nobody(column):
    case = column().character("green", "SPA-06", "brown", 3).rolls(white=4).turn("green")
    case.play("green", "window", "pass").play("green", "window", ["remove_die", "brown"])
    assert case.t.vp("green") == 7 and "SPA-06" in case.t.zones["removed"]
    assert "brown" not in [option[1] for option in case.offered("take_character")]
    assert "A-06" in case.refuses("green", "take_character", ["take", "brown", "spain"])
    case.play("green", "take_character", "decline")
    assert ["brown", 0] in case.offered("move_disc")


def test_a_die_freed_before_the_roll_is_rolled(column):
    case = column().character("green", "SPA-06", "brown", 3).rolls(brown=6).turn("green")
    case.play("green", "window", ["remove_die", "brown"])
    assert ["take", "brown", "spain"] in case.offered("take_character") and case.t.shows("green", "brown") == 6


def test_a_chain_that_runs_into_the_own_old_space_stops_there(column):
    case = column().house("green", "england", 3).house("red", "england", 5).house("yellow", "england", 4)
    case.house("blue", "england", 2).face_up("ENG-04").rolls(white=5).turn("green")
    case.play("green", "take_character", ["take", "white", "england"]).play("green", "upgrade_house", "yes")
    assert houses(case, "england") == {"green": 5, "red": 4, "yellow": 3, "blue": 2}


def test_a_character_stays_in_the_country_of_its_die(column):
    case = column().rolls(white=4).turn("green")
    assert "the white die stands for england only (CF-6.2)" in case.refuses("green", "take_character", ["take", "white", "spain"])
    assert "CF-6.2" in case.refuses("green", "take_character", "anything")


def test_a_die_on_a_card_takes_nobody(column):
    case = column().character("green", "SPA-06", "brown", 3).turn("green")
    assert "CF-1.3" in case.refuses("green", "take_character", ["take", "brown", "spain"])


def test_new_cards_go_to_the_right_end(column):
    case = column().character("green", "ENG-04", "white", 2).face_up("FRA-03").rolls(blue=2).turn("green")
    case.play("green", "take_character", ["take", "blue", "france"]).pass_until("use_character")
    assert [card for card, *_ in case.display("green")] == ["ENG-04", "FRA-03"]


def test_the_windows_of_a_second_half_year(column):
    """A-29: before and after the roll, after stone, house, use and reveal, and after the track action."""
    case = column().stones("england", "").face_up("ENG-04").disc("green", "T01").rolls(white=4).turn("green")
    answers = {
        "window": "pass",
        "take_character": ["take", "white", "england"],
        "use_character": ["gain_good", "wine"],
        "move_disc": ["blue", 0],
        "use_space": ["gain_vp", 2],
        "end_turn": "end",
    }
    asked = []
    while case.asked[0] == "green":
        asked.append(case.asked[1])
        case.play(*case.asked, answers[case.asked[1]])
    assert asked == [
        "window",
        "window",
        "take_character",
        "window",
        "window",
        "use_character",
        "window",
        "window",
        "move_disc",
        "use_space",
        "end_turn",
    ]


def test_a_player_may_waive_the_windows_of_the_rest_of_his_turn(column):
    case = column().face_up("ENG-04").disc("green", "T01").rolls(white=4).turn("green").play("green", "window", "rest")
    assert case.asked == ("green", "take_character")
    case.play("green", "take_character", ["take", "white", "england"]).play("green", "use_character", None)
    case.play("green", "move_disc", ["blue", 0]).play("green", "use_space", None)
    assert case.asked[0] == "blue" and case.asked[1] == "window"  # the next player has his own windows


def test_a_tile_gained_opens_the_windows_again(column):
    case = column().face_up("ENG-11").next_tile("AD15").rolls(white=4).turn("green").play("green", "window", "rest")
    case.play("green", "take_character", ["take", "white", "england"]).play("green", "use_character", ["gain_advantage", 1])
    assert case.asked == ("green", "window")


def test_without_tiles_and_3_vp_nobody_is_asked_in_between(column):
    case = column().vp("green", 2).turn("green").start()
    assert case.asked == ("green", "take_character")


def test_both_parts_are_finished_before_the_next_player(column):
    case = column().face_up("ENG-04").rolls(white=4).turn("green").play("green", "take_character", "decline")
    assert case.offered("move_disc") and case.t.active == "green"  # CF-4.2


@pytest.mark.parametrize("card", sorted(CARDS))
def test_every_character_can_be_taken(column, card):
    country = CARDS[card].country
    case = column().face_up(card).rolls(violet=3).turn("green").play("green", "take_character", ["take", "violet", country])
    case.pass_until("use_character", "move_disc")
    assert case.display("green") == [(card, "violet", 3)]
