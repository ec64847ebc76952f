"""Pages 2, 28 and 29: scoring phase, upkeep, player order, the two endings."""

from __future__ import annotations

import pytest

from domain.games.generalship.upkeep import size, supplied, upkeep_due
from tests.games.generalship.campaign import (
    FOUR,
    Campaign,
    allied,
    commander,
    fleet,
    order,
    owns,
    pairs,
    points,
    power,
    stack,
    stores,
)

# Austria's land: capital, two fronts, and three neutral tiles behind a sea-free front.
LAND = {"S1": "N01", "S2": "N02", "S3": "N10", "S4": "N05", "S5": "N11", "S6": "N03"}


def due(war: Campaign, nation: str = "austria") -> int:
    return upkeep_due(war.table, war.seats[nation])


def test_EX102_four_divisions_and_two_fleets():
    war = Campaign(land=LAND)
    war.given(*(stack("austria", tile, "1 archers") for tile in ("AU-cap", "AU-left", "AU-right", "N02")))
    assert due(war) == 0
    war.given(fleet("austria", "N10", "galley"), fleet("austria", "N11", "galley"))
    assert due(war) == 2


def test_EX103_sizes_of_three_infantry_and_five_cavalry(war):
    war.given(stack("austria", "AU-cap", "3 archers"), stack("austria", "AU-left", "5 light_cavalry"))
    assert (size({"infantry": 3}, isolated=False), size({"cavalry": 5}, isolated=False)) == (3, 7)
    assert due(war) == 3


def test_EX104_five_divisions():
    war = Campaign(land=LAND)
    for tile, n in (("AU-cap", 3), ("AU-left", 3), ("AU-right", 4), ("N01", 5), ("N02", 6)):
        war.given(stack("austria", tile, f"{n} archers"))
    assert due(war) == 4


def test_EX105_blocked_fronts_isolate_everything_outside():
    war = Campaign(land=LAND).given(stack("france", "AU-left", "1 archers"), stack("england", "AU-right", "1 archers"))
    war.given(stack("austria", "AU-cap", "1 archers"), stack("austria", "N02", "1 archers"), stack("austria", "N01", "1 archers"))
    assert supplied(war.table, war.seats["austria"]) == {"AU-cap"}
    war.given(allied("austria", "france"))
    assert supplied(war.table, war.seats["austria"]) >= {"AU-cap", "AU-left", "N02", "N01"}, "an ally's stack does not block"


def test_EX106_isolated_cavalry_counts_double_before_rounding():
    war = Campaign(land=LAND).given(stack("austria", "N05", "5 light_cavalry"))
    assert size({"cavalry": 5}, isolated=True) == 15
    assert due(war) == 11
    war.given(*(stack("austria", tile, "1 archers") for tile in ("AU-cap", "AU-left", "AU-right")))
    assert due(war) == 12, "it counts as two stacks: five in all"


def test_a_fallen_capital_supplies_nobody(war):
    war.given(stack("france", "AU-cap", "1 archers"))
    assert supplied(war.table, war.seats["austria"]) == set()


def test_unowned_tiles_break_the_chain():
    war = Campaign(land=LAND).given(stack("austria", "N05", "1 archers"))
    assert "N05" not in supplied(war.table, war.seats["austria"])
    war.given(owns("austria", "N02"))
    assert "N05" in supplied(war.table, war.seats["austria"])


def test_EX107_player_order_by_power(war):
    war.given(order("england", "france", "austria", "byzantium"), power("england", "G01", "G02"))
    war.given(
        power("france", "G03", "G04", "G05"), power("austria", "G06", "G07", "G08"), power("byzantium", "G09", "G10", "G11", "G12")
    )
    war.starts("new_order")
    assert war.order() == ["byzantium", "france", "austria", "england"]
    assert war.asked() == [("byzantium", "choose_action_tile")]


def test_EX108_points_for_tiles_in_player_order():
    war = Campaign("austria", "france").given(points("austria", 9), points("france", 9))
    tiles = war.table.items("map")
    war.given(owns("austria", *tiles[:3]), owns("france", *tiles[3:])).starts("scoring")
    assert war.over() and war.winners() == ["austria"]
    assert (war.vp("austria"), war.vp("france")) == (10, 9)
    six = Campaign("austria", "france").given(owns("france", *tiles)).starts("scoring")
    assert six.vp("france") == 1


def test_EX109_not_enough_food():
    war = Campaign("austria", "france").given(stack("austria", "AU-cap", "8 archers"), stores("austria", 2, 9))
    war.starts("upkeep", payer="austria")
    war.refuse("austria", "upkeep_remove", [], "G28.3")
    war.when("austria", "upkeep_remove", pairs("2 archers@AU-cap")).when("austria", "upkeep_remove", [])
    war.refuse("austria", "upkeep_pay", "2 metal", "G29.3")
    war.when("austria", "upkeep_pay", 2)
    assert war.stores("austria") == (0, 9)
    assert war.stack("austria", "AU-cap") == {"archers": 6}


def test_units_may_be_removed_to_avoid_paying():
    war = Campaign("austria", "france").given(stack("austria", "AU-cap", "5 archers"), stores("austria", 3))
    war.starts("upkeep", payer="austria").when("austria", "upkeep_remove", pairs("archers@AU-cap"))
    assert war.food("austria") == 3
    war.not_asked("austria", "upkeep_pay")


def test_EX110_an_ally_helps(war):
    war.given(stack("austria", "AU-cap", "8 archers"), stores("austria", 2), stores("france", 3), stores("england", 9))
    war.given(allied("austria", "france")).starts("upkeep", payer="austria")
    war.not_asked("england", "upkeep_help")
    war.when("france", "upkeep_help", 2).when("austria", "upkeep_remove", []).when("austria", "upkeep_pay", 2)
    assert (war.food("austria"), war.food("france"), war.food("england")) == (0, 1, 9)
    assert "France pays 2 food for the upkeep of Austria." in war.told()


def test_an_ally_pays_only_what_is_left(war):
    war.given(stack("austria", "AU-cap", "6 archers"), stores("austria", 2), stores("france", 3), allied("austria", "france"))
    war.starts("upkeep", payer="austria").when("france", "upkeep_help", 2).when("austria", "upkeep_remove", [])
    war.refuse("austria", "upkeep_pay", 3, "G29.3")
    war.when("austria", "upkeep_pay", 1)
    assert (war.food("austria"), war.food("france")) == (1, 2)


def test_a_commander_saves_upkeep(war):
    war.given(stack("austria", "AU-cap", "7 archers"), commander("austria", "G42"))
    assert due(war) == 1


def test_a_disbanded_ship_takes_regiments_without_room():
    war = Campaign(land=LAND).given(fleet("austria", "N10", "galley", "5 archers"), stores("austria", 1))
    war.starts("upkeep", payer="austria").when("austria", "upkeep_remove", pairs("galley@ship1"))
    assert war.all_units("austria") == {}


# -- endings -----------------------------------------------------------------------------------------


def test_EX111_a_capital_end_with_a_swap():
    war = Campaign("austria", "england", "france").given(points("austria", 8), points("france", 3), points("england", 7))
    war.given(stack("france", "AU-cap", "1 archers")).starts("end_turn")
    war.when("france", "capital_swap", "yes")
    assert (war.vp("france"), war.vp("austria")) == (8, 3)
    assert war.over() and war.winners() == ["france"]
    assert war.now.get("ending") == "capital"


def test_the_swap_is_a_choice():
    war = Campaign("austria", "england", "france").given(points("austria", 2), points("france", 3), points("england", 1))
    war.given(stack("france", "AU-cap", "1 archers")).starts("end_turn").when("france", "capital_swap", "no")
    assert war.winners() == ["france"] and war.vp("france") == 3


def test_swaps_go_in_reverse_player_order(war):
    war.given(*(points(nation, n) for nation, n in zip(FOUR, (8, 1, 7, 2), strict=True)))
    war.given(stack("byzantium", "AU-cap", "1 archers"), stack("france", "EN-cap", "1 archers")).starts("end_turn")
    assert war.asked() == [("france", "capital_swap")]
    war.when("france", "capital_swap", "yes").when("byzantium", "capital_swap", "yes")
    assert [war.vp(nation) for nation in FOUR] == [1, 8, 2, 7]


@pytest.mark.parametrize(("tie_break", "winners"), [("order", ["austria"]), ("shared", ["austria", "england"])])
def test_a_tie_at_a_capital_end(tie_break, winners):
    war = Campaign("austria", "england", "france", tie_break=tie_break)
    war.given(points("austria", 5), points("england", 5), points("france", 1), stack("france", "AU-cap", "1 archers"))
    war.starts("end_turn").when("france", "capital_swap", "no")
    assert war.winners() == winners


def test_EX113_allied_units_in_a_capital_do_not_end_the_game(war):
    war.given(stack("france", "AU-cap", "1 archers"), allied("austria", "france"))
    war.action("austria", "population_growth").when("austria", "place_growth", "VI.a")
    assert not war.over()
    assert war.asked() == [("byzantium", "choose_action_tile")]


def test_a_capital_is_checked_only_when_the_turn_is_over():
    war = Campaign("austria", "france", land={"S1": "N01"}).given(
        stack("france", "AU-left", "1 archers"), stack("austria", "AU-right", "1 archers")
    )
    war.action("france", "march").when("france", "move", "march AU-left AU-cap")
    assert not war.over(), "Austria may still march"
    war.when("austria", "move", None)
    assert war.asked() == [("france", "capital_swap")]
