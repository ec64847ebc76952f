"""The action symbols (CF-17) and advantage tiles (CF-18)."""

import pytest

from domain.games.column_of_fire.data import BLACK, GOODS, Effect
from domain.games.column_of_fire.events import eligible
from domain.games.column_of_fire.symbols import actions


def using(column, card, die="white", number=4, **options):
    """Red is about to use a character in the first half-year; its die is turned down by 1 before."""
    return column(**options).character("red", card, die, number)


def test_E70_of_two_symbols_only_one_is_used_each_time(column):
    case = using(column, "ENG-12").turn("red", 1)
    assert case.offered("use_character") == [None, *(["gain_good", good] for good in GOODS), ["gain_protection"]]
    both = [["gain_good", "wine"], ["gain_protection"]]
    assert "only one of the two symbols may be used each time (CF-6.10)" in case.refuses("red", "use_character", both)
    case.play("red", "use_character", ["gain_good", "wine"])
    assert case.t.goods("red") == {"wine": 1} and case.t.protection("red") == 0
    later = using(column, "ENG-12", number=3).turn("red", 1).play("red", "use_character", ["gain_protection"])
    assert later.t.protection("red") == 1


@pytest.mark.parametrize(("way", "number"), [("up", 4), ("down", 2)])
def test_E71_a_die_is_turned_by_1_without_using_its_character(column, way, number):
    case = column().character("red", "ENG-04", "white", 4).character("red", "NED-07", "orange", 4).turn("red", 1)
    case.play("red", "use_character", None)  # the wine merchant, now at 3
    case.play("red", "use_character", ["turn_die", "white", way])
    assert case.t.shows("red", "white") == number and case.t.goods("red") == {}


def test_E71_a_die_never_goes_past_its_faces(column):
    case = column().character("red", "NED-07", "orange", 2).religion("red", "catholic", 5).loch_leven("red", "blue", 6)
    case.loch_leven("red", "white", 2).tiles("red", "AD23").turn("red").play("red", "window", ["spend", "AD23"])
    assert "cannot be turned up (CF-17.10, A-26)" in case.refuses("red", "use_tile", ["turn_die", "blue", "up"])
    assert "cannot be turned up (CF-17.10, A-26)" in case.refuses("red", "use_tile", ["turn_die", BLACK, "up"])
    low = column().character("red", "ENG-04", "white", 1).religion("red", "catholic", 1).tiles("red", "AD23").turn("red")
    low.play("red", "window", ["spend", "AD23"])
    assert "cannot be turned down (CF-17.10, A-26)" in low.refuses("red", "use_tile", ["turn_die", "white", "down"])
    assert "cannot be turned down (CF-17.10, A-26)" in low.refuses("red", "use_tile", ["turn_die", BLACK, "down"])
    assert "CF-17.10" in low.refuses("red", "use_tile", ["turn_die", "violet", "up"])  # a free die


def test_a_card_may_turn_its_own_die(column):
    case = using(column, "NED-07", "orange", 3).turn("red", 1).play("red", "use_character", ["turn_die", "orange", "up"])
    assert case.t.shows("red", "orange") == 3


def test_E72_a_character_may_remove_itself_and_free_its_die(column):
    case = column().face_up("ENG-10").rolls(white=4).turn("red").play("red", "take_character", ["take", "white", "england"])
    case.play("red", "use_character", ["remove_character", "ENG-10"])
    assert case.display("red") == [] and "ENG-10" in case.t.zones["removed"]
    assert "white" in [die for die, _ in case.offered("move_disc")]


def test_a_deck_whose_card_was_just_taken_has_no_face_up_card(column):
    case = column().face_up("ENG-10").rolls(white=4).turn("red").play("red", "take_character", ["take", "white", "england"])
    targets = [way[1] for way in case.offered("use_character") if way]
    assert targets[0] == "ENG-10" and len(targets) == 4
    assert [target[:3] for target in targets[1:]] == ["FRA", "NED", "SPA"]


def test_a_face_up_character_is_removed_with_its_stone_and_replaced(column):
    case = using(column, "ENG-10").face_up("SPA-06").next_cards("SPA-13").turn("red", 1)
    case.play("red", "use_character", ["remove_character", "SPA-06"])
    assert case.t.face_up("spain") == "SPA-13" and case.t.items("stone:spain") == ["neutral"]
    assert case.lies("spain") == "" and "SPA-06" in case.t.zones["removed"]


def test_A28_nobody_removes_another_players_character(column):
    case = using(column, "ENG-10").character("yellow", "SPA-06", "brown", 3).turn("red", 1)
    assert "lies in yellow's display" in case.refuses("red", "use_character", ["remove_character", "SPA-06"])
    assert "CF-17.8" in case.refuses("red", "use_character", ["remove_character", "EV-ENG-1"])


def test_E73_taking_the_religion_die_off_rolls_chooses_and_checks_the_minority(column):
    case = using(column, "ENG-09").religion("red", "catholic", 4).rolls_religion(5).turn("red", 1)
    case.play("red", "use_character", ["remove_die", BLACK])
    assert case.asked == ("red", "choose_religion") and case.t.shows("red", BLACK) == 5
    case.play("red", "choose_religion", "protestant")
    assert case.t.religion("red") == "protestant" and case.t.vp("red") == 11
    assert case.in_order("CF-17.14", "CF-13.1")


def test_taking_a_die_off_a_character_removes_the_card(column):
    case = using(column, "ENG-09").character("red", "SPA-06", "brown", 3).turn("red", 1)
    case.play("red", "use_character", ["remove_die", "brown"])
    assert "SPA-06" in case.t.zones["removed"] and "brown" in case.t.free("red")
    assert case.display("red") == [("ENG-09", "white", 3)]
    assert case.in_order("CF-17.14", "CF-17.16")


def test_E74_a_tile_is_spent_in_the_turn_it_was_drawn(column):
    case = using(column, "ENG-11").next_tile("AD15").turn("red", 1).play("red", "use_character", ["gain_advantage", 1])
    assert case.t.items("tiles:red") == ["AD15"]
    case.play("red", "end_turn", ["spend", "AD15"]).play("red", "use_tile", ["gain_good", "ore"])
    assert case.t.goods("red") == {"ore": 1} and case.t.items("spent") == ["AD15"]


def test_E75_the_neutral_symbol_never_removes(column):
    case = using(column, "NED-11", "orange").stones("spain", "N").turn("red", 1)
    assert "never removes one (CF-17.9)" in case.refuses("red", "use_character", ["stone", "remove", "neutral", "spain"])
    assert "CF-17.9" in case.refuses("red", "use_character", ["neutral_stone", "spain", "remove"])
    case.play("red", "use_character", ["neutral_stone", "spain"])
    assert case.lies("spain") == "NN"


def test_a_single_stone_symbol_shows_one_religion(column):
    case = column().tiles("red", "AD17").stones("spain", "CP").turn("red").play("red", "window", ["spend", "AD17"])
    assert "does not show a protestant stone (CF-17.6)" in case.refuses(
        "red", "use_tile", ["stone", "place", "protestant", "spain"]
    )
    case.play("red", "use_tile", ["stone", "remove", "catholic", "spain"])
    assert case.lies("spain") == "P"


def test_the_pile_is_chosen_while_both_hold_tiles(column):
    case = using(column, "ENG-11").turn("red", 1)
    assert case.offered("use_character") == [None, ["gain_advantage", 1], ["gain_advantage", 2]]
    one = using(column, "ENG-11")
    for tile in one.t.items("pile:1"):
        one.t.move(tile, "pile:1", "spent")
    one.turn("red", 1)
    assert one.offered("use_character") == [None, ["gain_advantage", 2]]


@pytest.mark.parametrize("again", [False, True])
def test_A27_spent_tiles_and_empty_piles(column, again):
    case = using(column, "ENG-11", advantage_reshuffle=again)
    for pile in ("pile:1", "pile:2"):
        for tile in case.t.items(pile):
            case.t.move(tile, pile, "spent")
    case.turn("red", 1)
    if again:
        case.play("red", "use_character", ["gain_advantage", 1])
        assert case.t.total("tiles:red") == 1 and case.t.total("pile:1") == 27 and not case.t.zones["spent"]
    else:
        case.finish("red")
        assert case.t.total("tiles:red") == 0 and case.t.total("spent") == 28 and case.t.active == "yellow"


def test_any_number_of_tiles_is_spent_in_one_window(column):
    case = column().tiles("red", "AD15", "AD16", "AD21").turn("red")
    case.play("red", "window", ["spend", "AD15"]).play("red", "use_tile", ["gain_good", "wine"])
    case.play("red", "window", ["spend", "AD16"]).play("red", "use_tile", ["gain_good", "wine"])
    case.play("red", "window", ["spend", "AD21"]).play("red", "use_tile", ["neutral_stone", "spain"])
    assert case.t.goods("red") == {"wine": 2} and case.lies("spain") == "N"
    assert case.t.items("spent") == ["AD15", "AD16", "AD21"]


def test_nobody_acts_in_anothers_turn(column):
    case = column().tiles("yellow", "AD15").turn("red").start()
    assert "the game waits for red" in case.refuses_now("yellow", "window", ["spend", "AD15"])  # CF-18.4


def test_only_own_tiles_are_spent(column):
    case = column().tiles("red", "AD15").tiles("yellow", "AD16").turn("red")
    assert "AD16 is not among your tiles (CF-18.1)" in case.refuses("red", "window", ["spend", "AD16"])


def test_advancing_by_a_tile_uses_the_space(column):
    case = column().tiles("red", "AD25").disc("red", "T01").disc("yellow", "T05").turn("red", 1)
    case.play("red", "window", ["spend", "AD25"]).play("red", "use_space", ["gain_vp", 2])
    assert case.t.disc("red") == "T02" and case.t.vp("red") == 12


def test_goods_are_unlimited(column):
    case = using(column, "ENG-13").goods("red", wine=14).turn("red", 1).play("red", "use_character", ["gain_good", "wine"])
    assert case.t.goods("red") == {"wine": 15}  # CF-1.5


def test_the_character_being_taken_and_its_die_are_spoken_for(column):
    """A pack may put `remove_character` on a tile or space: between choice and taking it cannot hit the chosen card."""
    case = column().face_up("ENG-04").rolls(white=4).turn("red").play("red", "take_character", ["take", "white", "england"])
    assert case.asked == ("red", "window") and case.t.face_up("england") == "ENG-04"
    assert ["remove_character", "ENG-04"] not in actions(case.t, "red", Effect("remove_character"))
    assert "white" not in eligible(case.t, "red")
