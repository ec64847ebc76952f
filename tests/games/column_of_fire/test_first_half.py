"""The first half-year (CF-5)."""

from domain.games.column_of_fire.data import BLACK


def numbers(case, seat, *dice):
    return [case.t.shows(seat, die) for die in dice]


def test_E05_dice_are_turned_down_from_left_to_right_and_characters_used(column):
    case = column().religion("red", "catholic", 3)
    case.character("red", "FRA-03", "blue", 4).character("red", "SPA-06", "brown", 2).turn("red", 1)
    case.play("red", "use_character", ["gain_good", "cloth"])
    assert numbers(case, "red", BLACK, "blue", "brown") == [2, 3, 2]  # Feria's turn comes after the merchant was used
    case.play("red", "use_character", ["gain_protection"])
    assert numbers(case, "red", BLACK, "blue", "brown") == [2, 3, 1]
    assert case.t.religion("red") == "catholic"
    assert case.t.goods("red") == {"cloth": 1} and case.t.protection("red") == 1
    turned = [line for line in case.story.splitlines() if " goes from " in line]
    assert turned == [
        "Red's religion die goes from 3 to 2.",
        "Red's blue die goes from 4 to 3.",
        "Red's brown die goes from 2 to 1.",
    ]
    assert case.in_order("CF-5.2", "CF-5.2", "CF-5.6", "CF-17.1", "CF-5.2", "CF-5.6", "CF-17.13")


def test_E06_a_religion_die_of_1_is_rolled_and_the_religion_chosen(column):
    case = column().religion("yellow", "catholic", 1).character("yellow", "NED-06", "orange", 5)
    case.rolls_religion(4).next_tile("AD15").turn("yellow", 1)
    case.play("yellow", "choose_religion", "protestant").play("yellow", "use_character", ["gain_advantage", 1])
    assert (case.t.religion("yellow"), case.t.shows("yellow", BLACK)) == ("protestant", 4)
    assert case.t.shows("yellow", "orange") == 4
    assert case.view("yellow").items("tiles:yellow") == ["AD15"]
    assert case.view("red").items("tiles:yellow") == ["?"]


def test_E07_the_roll_comes_before_the_choice(column):
    case = column().religion("red", "catholic", 1).rolls_religion(2).turn("red", 1)
    assert "red is not asked 'choose_religion' now" in case.refuses_now("red", "choose_religion", "protestant")
    case.play("red", "choose_religion", "protestant")
    rolled = next(event.version for event in case.events if event.chance)
    decided = next(event.version for event in case.events if event.ask == "choose_religion")
    assert rolled < decided


def test_E08_a_character_taken_with_1_is_used_once(column):
    case = column().face_up("ENG-04").rolls(white=1).turn("green")
    case.play("green", "take_character", ["take", "white", "england"]).play("green", "use_character", ["gain_good", "wine"])
    assert case.t.goods("green") == {"wine": 1}
    later = column().character("green", "ENG-04", "white", 1).turn("green", 1).finish("green")
    assert later.t.goods("green") == {} and "ENG-04" in later.t.zones["removed"]
    assert "white" in later.t.free("green") and later.t.shows("green", "white") is None
    assert "CF-5.5" in later.rules and "CF-5.6" not in later.rules


def test_E08_a_die_freed_in_the_first_half_year_is_rolled_in_the_second(column):
    case = column(2).character("yellow", "ENG-04", "white", 1).rolls().rolls(white=6).turn("yellow", 1).finish("yellow")
    assert case.t.get("half") == 2
    case.play("red", "take_character", "decline").play("red", "move_disc", ["white", 0]).play("red", "use_space", None).finish(
        "red"
    )
    assert case.offered("take_character")[0] == ["take", "white", "england"]
    assert case.t.shows("yellow", "white") == 6


def test_E09_loch_leven_comes_before_religion_and_characters(column):
    case = column().loch_leven("red", "violet", 1).religion("red", "catholic", 2).character("red", "ENG-04", "white", 3)
    case.turn("red", 1).play("red", "use_character", ["gain_good", "wine"])
    assert "violet" in case.t.free("red")
    assert numbers(case, "red", BLACK, "white") == [1, 2]
    assert case.in_order("CF-5.7", "CF-5.2", "CF-5.2", "CF-5.6")


def test_E10_a_use_that_is_skipped_is_lost(column):
    case = column().character("red", "ENG-04", "white", 4).turn("red", 1).play("red", "use_character", None)
    assert case.t.shows("red", "white") == 3 and case.t.goods("red") == {}
    case.finish("red")
    assert case.t.active == "yellow"


def test_E11_in_the_first_year_only_the_religion_die_is_turned(column):
    case = column.dealt(luck={"religion_die": [[4], [4], [4], [4]]})
    met = set()
    while case.t.get("half") == 1:
        met.add(case.asked[1])
        case.play(*case.asked, {"window": "pass", "end_turn": "end"}[case.asked[1]])
    assert met <= {"window", "end_turn"}
    assert [case.t.shows(seat, BLACK) for seat in case.seats] == [3, 3, 3, 3]


def test_windows_before_the_first_card_and_after_each(column):
    case = column().character("red", "ENG-04", "white", 3).turn("red", 1)
    asked = []
    for answer in ("pass", "pass", ["gain_good", "wine"], "end"):
        asked.append(case.asked[1])
        case.play(*case.asked, answer)
    assert asked == ["window", "window", "use_character", "end_turn"]
    assert case.t.active == "yellow"


def test_no_window_between_the_turn_of_a_die_and_the_use_of_its_character(column):
    case = column().tiles("red", "AD15").character("red", "ENG-04", "white", 3).turn("red", 1)
    case.pass_until("use_character")
    assert "red is not asked 'window' now" in case.refuses_now("red", "window", ["spend", "AD15"])


def test_a_card_removed_before_its_turn_is_skipped(column):
    case = column().character("red", "ENG-04", "white", 3).character("red", "SPA-06", "brown", 3).turn("red", 1)
    case.play("red", "window", ["remove_die", "white"])
    case.play("red", "use_character", ["gain_protection"]).finish("red")
    assert case.t.goods("red") == {} and case.t.protection("red") == 1


def test_a_card_not_yet_reached_is_processed_with_the_number_it_then_has(column):
    case = column().character("red", "NED-07", "orange", 3).character("red", "SPA-06", "brown", 2).turn("red", 1)
    case.play("red", "use_character", ["turn_die", "brown", "down"]).finish("red")
    assert "SPA-06" in case.t.zones["removed"] and case.t.protection("red") == 0  # it showed 1 when reached


def test_a_card_processed_is_not_processed_again(column):
    case = column().character("red", "SPA-06", "brown", 3).character("red", "NED-07", "orange", 3).turn("red", 1)
    case.play("red", "use_character", ["gain_protection"]).play("red", "use_character", ["turn_die", "brown", "up"]).finish("red")
    assert case.t.shows("red", "brown") == 3 and case.t.protection("red") == 1


def test_two_dice_on_loch_leven_go_in_order_of_arrival(column):
    case = column().loch_leven("red", "violet", 3).loch_leven("red", "white", 1).turn("red", 1).finish("red")
    assert case.t.zones["prison:red"] == ["violet"] and case.t.shows("red", "violet") == 2
    assert case.story.index("violet die goes from 3 to 2") < case.story.index("white die is free again")


def test_a_die_sent_to_loch_leven_during_the_pass_is_not_turned_down(column):
    case = column().character("red", "ENG-10", "white", 3).character("red", "FRA-03", "blue", 5).house("red", "spain", 1)
    case.face_up("SPA-01").next_cards("EV-SPA-1", "SPA-02").turn("red", 1)
    case.play("red", "use_character", ["remove_character", "SPA-01"]).play("red", "loch_leven_die", "blue").finish("red")
    assert case.t.zones["prison:red"] == ["blue"] and case.t.shows("red", "blue") == 3
    assert "FRA-03" in case.t.zones["removed"] and case.t.goods("red") == {}


def test_a_die_on_loch_leven_is_free_in_the_third_first_half_year(column):
    case = column(2).loch_leven("red", "white", 3).turn("red", 1)
    left = []
    for _ in range(3):
        case.finish("red")
        left.append("white" in case.t.zones["prison:red"])
        again = column(2)
        if left[-1]:
            again.loch_leven("red", "white", case.t.shows("red", "white"))
        case = again.turn("red", 1)
    assert left == [True, True, False]
