"""Pages 12 and 13: alliances, made and broken by whoever takes the tile."""

from __future__ import annotations

from domain.games.generalship import TITLE
from tests.games.generalship.campaign import Campaign, allied, fleet, owns, pairs, power, stack, stores


def test_EX43_regrouping_costs_two_pp(war):
    war.given(allied("england", "france", space=1), allied("austria", "byzantium", space=2), power("france", "G01", "G02", "G03"))
    war.action("france", "alliance")
    seat = war.seats
    war.when("france", "edit_alliances", f"take {seat['france']} 1")
    war.when("france", "edit_alliances", f"take {seat['austria']} 2")
    war.when("france", "edit_alliances", f"put {seat['austria']} 1").when("france", "edit_alliances", None)
    assert (war.space(1), war.space(2)) == (["austria", "england"], [])
    assert war.pp("france") == ["G01"]
    relations = {(r.seat, r.other): (r.status, r.note) for r in TITLE.diplomacy(war.now)}
    assert relations[min(seat["austria"], seat["england"]), max(seat["austria"], seat["england"])][0] == "allied"
    status, note = relations[min(seat["england"], seat["france"]), max(seat["england"], seat["france"])]
    assert (status, note) == ("parted", "ended in turn 1 by France for 2 PP")


def test_EX44_the_same_space_means_allied(war):
    war.given(allied("england", "france")).starts("turn")
    assert war.now.allied(war.seats["england"], war.seats["france"])
    assert not war.now.allied(war.seats["england"], war.seats["austria"])


def test_EX45_without_pp_nothing_is_taken_out(war):
    war.given(allied("austria", "byzantium")).action("austria", "alliance")
    assert "you have none" in war.refuse("austria", "edit_alliances", f"take {war.seats['austria']} 1", "G12.10")
    war.when("austria", "edit_alliances", f"put {war.seats['france']} 1")
    assert war.space(1) == ["austria", "byzantium", "france"]


def test_EX46_others_are_put_in_without_consent_and_cost(war):
    war.action("austria", "alliance")
    for nation, space in (("byzantium", 1), ("france", 1), ("england", 2), ("austria", 2)):
        war.when("austria", "edit_alliances", f"put {war.seats[nation]} {space}")
    assert war.space(1) == ["byzantium", "france"]
    assert war.space(2) == ["austria", "england"]


def test_a_space_holds_two_cubes_with_three_players_and_three_with_four(war):
    three = Campaign("austria", "byzantium", "england").given(allied("austria", "byzantium")).action("austria", "alliance")
    three.refuse("austria", "edit_alliances", f"put {three.seats['england']} 1", "G12.10")
    war.given(allied("austria", "byzantium", "england")).action("austria", "alliance")
    war.refuse("austria", "edit_alliances", f"put {war.seats['france']} 1", "G12.10")


def test_a_player_has_one_cube_in_the_whole_area(war):
    war.given(allied("austria", "byzantium")).action("austria", "alliance")
    war.refuse("austria", "edit_alliances", f"put {war.seats['austria']} 2", "G12.10")


def test_lone_cubes_are_removed_for_nothing(war):
    war.given(power("austria", "G01")).action("austria", "alliance")
    war.when("austria", "edit_alliances", f"put {war.seats['france']} 2").when("austria", "edit_alliances", None)
    assert war.space(2) == [] and war.pp("austria") == ["G01"]


def test_EX47_no_entry_on_an_allys_tile():
    war = Campaign(land={"S2": "N01"}).given(allied("austria", "france"), owns("france", "N01"))
    war.given(stack("austria", "AU-left", "1 light_infantry")).action("austria", "march")
    assert "tile of an ally" in war.refuse("austria", "move", "march AU-left N01", "G12.8")


def test_EX48_an_ally_is_liberated(war):
    war.given(allied("austria", "france"), stack("england", "FR-left", "1 light_infantry"), stack("austria", "N01", "3 archers"))
    war.chance("deal_tactics", "LB3-1", "LB3-2", "LB3-3", "LB3-4", "LB4-1", "LB6-1", "LB5-1", "LB5-2", "LB5-3", "LB5-4")
    war.action("austria", "march")
    assert not war.now.may_enter(war.seats["austria"], "FR-right")
    war.when("austria", "move", "march N01 FR-left").when("austria", "move", [["archers", 3]])
    war.when("england", "commit_attack", []).when("austria", "commit_attack", [])
    war.when("austria", "commit_attack", pairs("LB6-1", "3 archers")).when("england", "commit_attack", [])
    assert war.stack("austria", "FR-left") == {"archers": 3}
    assert war.owner("FR-left") == "austria"
    assert not war.now.occupied("FR-left"), "France uses its people there"


def test_EX48_when_the_alliance_ends_the_liberator_occupies(war):
    war.given(allied("austria", "france"), stack("austria", "FR-left", "3 archers"), power("france", "G01"))
    war.action("france", "alliance").when("france", "edit_alliances", f"take {war.seats['austria']} 1")
    war.when("france", "edit_alliances", None)
    assert war.now.occupied("FR-left")


def test_former_allies_on_one_tile_part_and_the_guest_retreats_at_once():
    war = Campaign(land={"S1": "N01", "S4": "N02"}).given(allied("austria", "france"), power("england", "G01"))
    war.given(
        stack("austria", "FR-left", "2 archers"), stack("france", "FR-left", "1 light_infantry"), owns("austria", "N01", "N02")
    )
    war.action("england", "alliance").when("england", "edit_alliances", f"take {war.seats['austria']} 1")
    war.when("england", "edit_alliances", None)
    assert war.options("austria", "choose_retreat") == ["N01", "N02"]
    war.when("austria", "choose_retreat", "N02")
    assert war.stack("austria", "N02") == {"archers": 2} and war.stack("france", "FR-left") == {"light_infantry": 1}
    assert (war.battles("austria"), war.battles("france")) == (0, 0)
    assert war.now.zones[f"camp:{war.seats['austria']}:N02:0"] == {"archers": 2}, "he may march in the next march turn"


def test_becoming_allies_ends_an_occupation(war):
    war.given(stack("england", "FR-left", "1 light_infantry")).action("england", "alliance")
    assert war.now.occupied("FR-left")
    for nation in ("england", "france"):
        war.when("england", "edit_alliances", f"put {war.seats[nation]} 1")
    assert not war.now.occupied("FR-left")


def test_two_players_have_no_alliance_tile():
    war = Campaign("austria", "france").starts("turn")
    assert "AT5" not in war.options("austria", "choose_action_tile")


def test_an_own_tile_held_by_an_ally_stays_open_to_its_owner(war):
    war.given(allied("austria", "france"), stack("austria", "FR-left", "1 archers"), stack("france", "FR-cap", "1 archers"))
    war.given(stores("france", 1)).action("france", "march").when("france", "move", "march FR-cap FR-left")
    assert war.stack("france", "FR-left") == {"archers": 1}
    assert war.now.get("battlefield") is None


def test_doing_nothing_is_allowed(war):
    war.given(fleet("england", "EN-left", "galley")).action("austria", "alliance").when("austria", "edit_alliances", None)
    assert war.asked() == [("byzantium", "choose_action_tile")]
