"""Pages 16 to 18: marching, ships, reinforcement, ownership."""

from __future__ import annotations

import pytest

from tests.games.generalship.campaign import (
    Campaign,
    allied,
    commander,
    era,
    fleet,
    owns,
    pairs,
    power,
    stack,
)

# North to south of Austria's front in these cases: AU-right touches S1 and S2, AU-left touches S2 and S3.
PLAINS = {"S1": "N01", "S2": "N02", "S4": "N05", "S3": "N08", "S5": "N03"}


def test_EX59_how_far_cavalry_goes():
    war = Campaign(land=PLAINS).given(stack("austria", "N02", "3 light_cavalry")).action("austria", "march")
    war.when("austria", "move", "march N02 N01").when("austria", "move", pairs("light_cavalry"))
    war.when("austria", "move", "march N01+1 FR-left")
    assert war.stack("austria", "FR-left") == {"light_cavalry": 1}
    war.when("austria", "move", "march N02 N05").when("austria", "move", pairs("light_cavalry"))
    assert not any(order and order.startswith("march N05") for order in war.options("austria", "move")), "a forest ends the move"
    war.refuse("austria", "move", "march N02 N08", "G17.1")


def test_EX60_a_forest_needs_all_points():
    war = Campaign(land=PLAINS).given(stack("austria", "N01", "1 light_cavalry", spent=1)).action("austria", "march")
    war.refuse("austria", "move", "march N01+1 N05", "G17.1")
    assert war.legal("austria", "move", "march N01+1 N02")


def test_infantry_makes_one_step_and_enters_mountains():
    war = Campaign(land=PLAINS).given(stack("austria", "AU-left", "2 archers")).action("austria", "march")
    war.when("austria", "move", "march AU-left N08").when("austria", "move", pairs("archers"))
    assert war.options("austria", "move") == [
        None,
        *(f"march AU-left {tile}" for tile in ("AU-cap", "AU-right", "N02", "N08")),
    ]


SEA = {"S2": "N10", "S1": "N01", "S3": "N02", "S5": "N11", "S4": "N09"}


def test_EX61_a_squadron_leaves_port_with_four():
    war = Campaign(land=SEA).given(stack("austria", "N01", "4 archers 1 galley")).action("austria", "march")
    war.when("austria", "move", "leave ship1 N10").when("austria", "move", pairs("4 archers"))
    assert war.stack("austria", "N10") == {"archers": 4, "galley": 1}
    assert war.asked()[0][1] == "choose_action_tile", "none of them moves on, the march is over"


def test_a_squadron_takes_no_more_than_five_along():
    war = Campaign(land=SEA).given(stack("austria", "N01", "6 archers 1 galley")).action("austria", "march")
    war.when("austria", "move", "leave ship1 N10")
    war.refuse("austria", "move", pairs("6 archers"), "G17.2")


def test_EX62_one_combined_boarding_from_two_tiles():
    war = Campaign(land=SEA).given(fleet("austria", "N10", "galley"), stack("austria", "N01", "1 archers"))
    war.given(stack("austria", "N02", "2 light_infantry")).action("austria", "march").when("austria", "move", "board ship1")
    war.when("austria", "move", pairs("archers@N01", "light_infantry@N02"))
    assert war.stack("austria", "N10") == {"archers": 1, "galley": 1, "light_infantry": 1}
    assert war.now.sailed(war.seats["austria"], "ship1") == 9
    assert "finished" in war.refuse("austria", "move", "board ship1", "G17.17")


def test_EX63_no_landing_on_a_mountain():
    war = Campaign(land={"S1": "N10", "S4": "N08", "S2": "N01"}).given(fleet("austria", "N10", "galley", "2 archers"))
    war.action("austria", "march")
    war.refuse("austria", "move", "port ship1 N08", "G17.3")
    war.when("austria", "move", "land ship1")
    war.refuse("austria", "move", pairs("archers@N08"), "G17.5")
    war.when("austria", "move", pairs("archers@N01"))
    assert war.stack("austria", "N01") == {"archers": 1}


def test_EX64_the_sixth_finds_no_room():
    war = Campaign(land=SEA).given(fleet("austria", "N10", "galley", "5 archers"), stack("austria", "N01", "1 archers"))
    war.action("austria", "march")
    assert "full" in war.refuse("austria", "move", "board ship1", "G17.7")
    almost = Campaign(land=SEA).given(fleet("austria", "N10", "galley", "4 archers"), stack("austria", "N01", "2 archers"))
    almost.action("austria", "march").when("austria", "move", "board ship1")
    almost.refuse("austria", "move", pairs("2 archers@N01"), "G17.4")


def test_a_landing_may_go_to_several_tiles():
    war = Campaign(land=SEA).given(fleet("austria", "N10", "galley", "3 archers")).action("austria", "march")
    war.when("austria", "move", "land ship1").when("austria", "move", pairs("archers@N01", "archers@N02"))
    assert (war.owner("N01"), war.owner("N02")) == ("austria", "austria")
    assert war.stack("austria", "N10") == {"archers": 1, "galley": 1}
    assert war.asked()[0][1] == "choose_action_tile", "ship and regiments have finished"


def test_only_one_tile_of_a_landing_may_have_to_be_fought_for():
    war = Campaign(land=SEA).given(fleet("austria", "N10", "galley", "3 archers"))
    war.given(stack("france", "N01", "1 archers"), stack("england", "N02", "1 archers")).action("austria", "march")
    war.when("austria", "move", "land ship1")
    war.refuse("austria", "move", pairs("archers@N01", "archers@N02"), "G17.11")


def test_squadrons_sail_together_and_carry_their_regiments():
    war = Campaign(land=SEA).given(fleet("austria", "N10", "galley", "2 archers"), fleet("austria", "N10", "galley"))
    war.action("austria", "march").when("austria", "move", "sail N10 N11").when("austria", "move", pairs("ship1", "ship2"))
    assert war.stack("austria", "N11") == {"archers": 2, "galley": 2}
    assert war.owner("N11") == "austria"


def test_a_squadron_that_moved_does_not_leave_port():
    war = (
        Campaign(land=SEA)
        .given(stack("austria", "N01", "1 galley", spent=9))
        .starts("march", "austria", tile="AT4", action="march")
    )
    war.not_asked("austria", "move")


def test_regiments_do_not_walk_into_the_sea():
    war = Campaign(land=SEA).given(stack("austria", "N01", "1 archers")).action("austria", "march")
    war.refuse("austria", "move", "march N01 N10", "G17.1")


@pytest.mark.parametrize(("card", "order"), [("G06", "march N02 N08"), ("G01", "march N01+1 N05"), ("G28", "march N02+2 N01")])
def test_commanders_change_the_march(card, order):
    war = Campaign(land=PLAINS).given(commander("austria", card), stack("austria", "N02", "1 light_cavalry"))
    war.given(stack("austria", "N01", "1 light_cavalry", spent=1), stack("austria", "N02", "1 light_cavalry", spent=2))
    war.action("austria", "march")
    assert war.legal("austria", "move", order)
    plain = Campaign(land=PLAINS).given(
        stack("austria", "N02", "1 light_cavalry"), stack("austria", "N01", "1 light_cavalry", spent=1)
    )
    plain.given(stack("austria", "N02", "1 light_cavalry", spent=2)).action("austria", "march")
    assert not plain.legal("austria", "move", order)


def test_EX65_who_was_attacked_does_not_march_later_in_the_turn():
    war = Campaign(land=PLAINS).given(stack("austria", "N02", "1 archers"), stack("byzantium", "N03", "2 archers"))
    war.given(stack("byzantium", "BY-cap", "1 archers"), power("byzantium", "G01"), owns("austria", "N02")).action(
        "austria", "march"
    )
    war.when("austria", "move", "march N02 N03").when("byzantium", "force_withdrawal", "yes")
    assert war.stack("byzantium", "N03") == {"archers": 2}
    assert war.asked() == [("byzantium", "move")]
    assert {order.split()[1] for order in war.options("byzantium", "move") if order} == {"BY-cap"}
    war.refuse("byzantium", "move", "march N03 N02", "G17.1")


def test_EX66_reinforcement_first_the_attacked_then_the_attacker():
    land = {"S1": "N01", "S2": "N02", "S4": "N03", "S7": "N04"}
    war = Campaign(land=land).given(commander("france", "G16"), stack("france", "N01", "1 archers"))
    war.given(stack("france", "FR-right", "1 light_cavalry"), stack("france", "FR-left", "1 archers", spent=9))
    war.given(stack("england", "N02", "2 archers"), stack("england", "N04", "1 light_cavalry")).action("england", "march")
    war.when("england", "move", "march N02 N01").when("england", "move", pairs("archers"))
    assert war.asked() == [("france", "reinforce")]
    assert war.options("france", "reinforce") == [None, "march FR-right FR-left N01", "march FR-right N03 N01"]
    war.refuse("france", "reinforce", "march FR-left N01", "G17.12")
    war.when("france", "reinforce", "march FR-right N03 N01")
    assert war.stack("france", "N01") == {"archers": 1, "light_cavalry": 1}
    assert war.owner("N03") == "france", "passing through counts"
    assert war.asked() == [("england", "reinforce")]
    war.when("england", "reinforce", "march N02 N01")
    assert war.stack("england", "N01") == {"archers": 2}


def test_commander_abilities_do_not_bring_reinforcements():
    land = {"S1": "N01", "S2": "N02", "S4": "N03", "S7": "N04"}
    war = Campaign(land=land).given(commander("france", "G16"), stack("france", "N01", "1 archers"))
    war.given(stack("france", "N04", "1 light_cavalry", spent=1), stack("england", "N02", "1 archers")).action("england", "march")
    war.when("england", "move", "march N02 N01")
    assert war.asked() != [("france", "reinforce")], "one point spent of two leaves one: N04 is two steps away"


def test_regiments_reinforce_a_naval_battle_by_boarding():
    war = Campaign(land=SEA).given(fleet("austria", "N10", "galley"), stack("austria", "N01", "2 archers"))
    war.given(fleet("france", "N11", "galley", "1 archers")).action("france", "march").when("france", "move", "sail N11 N10")
    assert war.options("austria", "reinforce") == [None, "board N01 ship1"]
    war.when("austria", "reinforce", "board N01 ship1").when("austria", "reinforce", pairs("2 archers"))
    assert war.stack("austria", "N10") == {"archers": 2, "galley": 1}


def test_ships_reinforce_by_sea_and_by_landing():
    land = {"S1": "N01", "S2": "N10", "S5": "N11", "S3": "N02"}
    war = Campaign(land=land).given(stack("austria", "N01", "1 archers"), fleet("austria", "N11", "galley", "2 archers"))
    war.given(stack("france", "FR-left", "1 archers"), owns("austria", "N10")).action("france", "march")
    war.when("france", "move", "march FR-left N01")
    assert war.options("austria", "reinforce") == [None, "port ship1 N10 N01", "land ship1 N10 N01"]
    war.when("austria", "reinforce", "land ship1 N10 N01").when("austria", "reinforce", pairs("archers"))
    assert war.stack("austria", "N01") == {"archers": 2}
    assert war.stack("austria", "N10") == {"archers": 1, "galley": 1}


def test_a_squadron_leaves_port_to_reinforce():
    land = {"S1": "N01", "S2": "N10", "S5": "N11", "S3": "N02"}
    war = Campaign(land=land).given(fleet("austria", "N10", "galley"), stack("austria", "N01", "1 galley 2 archers"))
    war.given(fleet("france", "N11", "galley", "1 archers")).action("france", "march").when("france", "move", "sail N11 N10")
    assert "leave ship2 N10" in war.options("austria", "reinforce")
    war.when("austria", "reinforce", "leave ship2 N10").when("austria", "reinforce", pairs("archers"))
    assert war.stack("austria", "N10") == {"archers": 1, "galley": 2}


def test_EX67_passing_through_makes_owner():
    war = (
        Campaign(land=PLAINS)
        .given(owns("france", "N02"), stack("austria", "AU-right", "1 light_cavalry"))
        .action("austria", "march")
    )
    war.when("austria", "move", "march AU-right N02").when("austria", "move", "march N02+1 N03")
    assert (war.owner("N02"), war.owner("N03")) == ("austria", "austria")
    assert war.stack("austria", "N02") == {}


def test_EX68_an_enemy_nation_tile_is_lost_on_leaving():
    war = Campaign(land=PLAINS).given(stack("england", "FR-left", "2 archers")).action("england", "march")
    assert war.owner("FR-left") == "england" and war.now.occupied("FR-left")
    war.when("england", "move", "march FR-left N01").when("england", "move", pairs("2 archers"))
    assert war.owner("FR-left") == "france" and not war.now.occupied("FR-left")


def test_EX69_the_paradigm_moves_once_a_march_turn(war):
    camps = {"austria": "AU-cap", "byzantium": "BY-cap", "england": "N07", "france": "FR-cap"}
    war.given(era("ships"), *(stack(nation, tile, "1 archers") for nation, tile in camps.items()))
    war.action("austria", "march")
    for nation in war.seats:
        assert war.now.get("era") == "ships"
        war.when(nation, "move", None)
    assert war.now.get("era") == "infantry"


def test_who_moved_has_finished_when_his_march_ends_and_the_cube_comes_off_with_the_turn():
    war = Campaign("austria", "france", land={"S2": "N01", "S1": "N02"}).given(stack("austria", "AU-right", "2 light_cavalry"))
    war.given(stack("france", "FR-cap", "1 archers")).action("austria", "march")
    war.when("austria", "move", "march AU-right N01").when("austria", "move", pairs("light_cavalry")).when("austria", "move", None)
    zone = f"camp:{war.seats['austria']}"
    assert war.now.zones[f"{zone}:N01:9"] == {"light_cavalry": 1}
    assert war.now.zones[f"{zone}:AU-right:0"] == {"light_cavalry": 1}, "the unmoved one may still reinforce"
    war.when("france", "move", None)
    assert war.now.zones[f"{zone}:N01:0"] == {"light_cavalry": 1}


def test_the_attacker_of_two_allies_names_the_first_defender(war):
    war.given(allied("austria", "france"), stack("austria", "FR-left", "1 archers"), stack("france", "FR-left", "1 archers"))
    war.given(stack("england", "N01", "3 archers")).action("england", "march")
    war.when("england", "move", "march N01 FR-left").when("england", "move", pairs("3 archers"))
    assert war.question("england", "name_defender").count() == 2
    war.when("england", "name_defender", war.seats["france"])
    assert war.now.get("defender") == war.seats["france"]


def test_reinforcements_start_no_other_battle_on_their_way():
    land = {"S1": "N01", "S2": "N02", "S4": "N03", "S7": "N04"}
    war = Campaign(land=land).given(stack("france", "N01", "1 archers"), stack("france", "FR-right", "1 light_cavalry"))
    war.given(stack("england", "N02", "1 archers"), stack("austria", "N03", "1 archers")).action("england", "march")
    war.when("england", "move", "march N02 N01")
    assert war.options("france", "reinforce") == [None, "march FR-right FR-left N01"]


def test_who_reinforced_before_his_own_march_has_finished():
    land = {"S1": "N01", "S2": "N02"}
    war = Campaign("austria", "france", land=land).given(stack("france", "N02", "1 archers"), stack("austria", "N01", "1 archers"))
    war.given(stack("austria", "AU-right", "1 archers"), power("austria", "G01"), owns("france", "N02")).action("france", "march")
    war.when("france", "move", "march N02 N01").when("austria", "reinforce", "march AU-right N01")
    war.when("austria", "force_withdrawal", "yes")
    assert war.stack("austria", "N01") == {"archers": 2}
    assert war.asked()[0][1] == "choose_action_tile", "Austria has nobody left to march"


def test_a_fleet_occupies_a_sea_tile_of_a_nation():
    war = Campaign(land={"S8": "N10"}).given(fleet("france", "N10", "galley", "1 archers")).action("france", "march")
    war.when("france", "move", "sail N10 EN-left")
    assert war.now.occupied("EN-left") and war.owner("EN-left") == "france"


def test_a_squadron_enters_port_with_all_aboard():
    war = Campaign(land=SEA).given(fleet("austria", "N10", "galley", "2 archers")).action("austria", "march")
    war.when("austria", "move", "port ship1 N01")
    assert war.stack("austria", "N01") == {"archers": 2, "galley": 1} and war.stack("austria", "N10") == {}
    assert war.owner("N01") == "austria"
    assert war.asked()[0][1] == "choose_action_tile"


def test_others_see_how_many_of_which_class_move_not_which_types():
    war = (
        Campaign(land=PLAINS)
        .given(stack("austria", "AU-left", "2 archers 1 light_cavalry 1 light_infantry"))
        .action("austria", "march")
    )
    war.when("austria", "move", "march AU-left N02").when("austria", "move", pairs("archers", "light_cavalry"))
    seen = [event.answer for event in war.log_of("france") if event.ask == "move"]
    assert seen == ["march AU-left N02", [["cavalry", 1], ["infantry", 1]]]
    assert "archers" not in repr(war.log_of("france"))
