"""Pages 13 to 15: levy and modernise."""

from __future__ import annotations

import msgspec
import pytest

from domain.games.generalship.data import CIRCLES
from domain.kernel import Move
from tests.games.generalship.campaign import (
    Campaign,
    allied,
    battles,
    commander,
    developed,
    fleet,
    people,
    people_on,
    stack,
    stores,
)


def levy(war: Campaign, nation: str, *units: str) -> Campaign:
    for unit in units:
        war.when(nation, "levy_action", f"levy {unit}")
    return war


@pytest.mark.parametrize(("n", "food"), [(1, 1), (2, 1), (3, 2), (4, 2)])
def test_EX49_light_infantry_prices(n, food):
    war = Campaign().given(stores("austria", 5)).action("austria", "levy_and_modernise")
    levy(war, "austria", *["light_infantry"] * n)
    assert war.food("austria") == 5 - food
    assert len(war.people("austria")) == 5 - n


def test_EX50_people_of_the_capital_go_when_the_highest_are_inactive(war):
    war.given(people_on("france", "I II III IV V VI.a VI.b"), stack("england", "FR-left", "1 light_infantry"), stores("france", 5))
    levy(war.action("france", "levy_and_modernise"), "france", "archers", "archers", "archers")
    assert war.people("france") == ["IV", "V", "VI.a", "VI.b"]


def test_EX51_with_an_ally_the_highest_numbers_go(war):
    war.given(people_on("france", "I II III IV V VI.a VI.b"), stack("england", "FR-left", "1 light_infantry"), stores("france", 5))
    war.given(allied("england", "france")).action("france", "levy_and_modernise").when("france", "levy_action", "levy archers")
    assert war.options("france", "levy_action") == ["VI.a", "VI.b"]
    war.when("france", "levy_action", "VI.b")
    levy(war, "france", "archers", "archers")
    assert war.people("france") == ["I", "II", "III", "IV"]


def test_EX52_technology_is_needed():
    war = Campaign(land={"S2": "N10"}).given(stores("austria", 5, 2)).action("austria", "levy_and_modernise")
    war.refuse("austria", "levy_action", "levy heavy_cavalry", "G14.1")
    war.when("austria", "levy_action", "levy galley AU-right")
    assert war.stack("austria", "AU-right") == {"galley": 1}


def test_EX53_an_occupied_capital_raises_no_regiments_but_squadrons(monkeypatch):
    # In this pack circle I lies in the capital, so that nobody would be active (R8); another pack may have it elsewhere.
    circles = [msgspec.structs.replace(CIRCLES["austria"][0], tile="AU-right"), *CIRCLES["austria"][1:]]
    monkeypatch.setitem(CIRCLES, "austria", circles)
    war = Campaign(land={"S1": "N10"}).given(stack("france", "AU-cap", "1 archers"), stores("austria", 5))
    war.action("austria", "levy_and_modernise")
    war.refuse("austria", "levy_action", "levy archers", "G14.4")
    war.when("austria", "levy_action", "levy galley AU-right")
    assert war.stack("austria", "AU-right") == {"galley": 1}


def test_with_the_capital_all_people_are_inactive_where_it_holds_circle_one():
    war = Campaign(land={"S1": "N10"}).given(stack("france", "AU-cap", "1 archers"), stores("austria", 5))
    war.action("austria", "levy_and_modernise")
    war.refuse("austria", "levy_action", "levy galley AU-right", "G14.2")


def test_an_ally_in_the_capital_does_not_block_the_levy():
    war = Campaign().given(stack("france", "AU-cap", "1 archers"), stores("austria", 5), allied("austria", "france"))
    war.action("austria", "levy_and_modernise").when("austria", "levy_action", "levy archers")
    assert war.stack("austria", "AU-cap") == {"archers": 1}


def test_EX54_all_galleys_are_on_the_map():
    war = Campaign(land={"S2": "N10"}).given(stores("austria", 5), stack("austria", "AU-right", "8 galley"))
    war.action("austria", "levy_and_modernise")
    war.refuse("austria", "levy_action", "levy galley AU-right", "G13.3")


def test_squadrons_need_an_own_coast_without_strangers():
    war = Campaign(land={"S2": "N10"}).given(
        stores("austria", 5), allied("austria", "france"), stack("france", "AU-right", "1 archers")
    )
    war.action("austria", "levy_and_modernise")
    reason = war.refuse("austria", "levy_action", "levy galley AU-right", "G14.5")
    assert "no tile now" in reason


def test_EX117_the_levied_type_is_announced(war):
    war.given(stores("austria", 1)).action("austria", "levy_and_modernise").when("austria", "levy_action", "levy archers")
    shown = [op for event in war.log_of("france") for op in event.ops if isinstance(op, Move) and op.item == "archers"]
    assert len(shown) == 1 and "Austria levies archers on AU-cap (forest)." in war.told("france")
    assert war.view("france").zones[f"camp:{war.seats['austria']}:AU-cap:0"] == {"infantry": 1}


def test_a_commander_gives_one_unit_of_a_class_cheaper(war):
    war.given(commander("austria", "G25"), stores("austria", 3)).action("austria", "levy_and_modernise")
    levy(war, "austria", "light_cavalry")
    assert war.food("austria") == 2
    levy(war, "austria", "light_cavalry")
    assert war.food("austria") == 0


def test_nobody_to_levy(war):
    war.given(people("austria", 0), stores("austria", 5)).action("austria", "levy_and_modernise")
    war.refuse("austria", "levy_action", "levy archers", "G14.2")


def test_price_is_checked(war):
    war.action("austria", "levy_and_modernise")
    war.refuse("austria", "levy_action", "levy archers", "G13.4")


# -- modernise ---------------------------------------------------------------------------------------


def test_EX55_light_to_heavy_infantry_is_free(war):
    war.given(developed("metallurgy"), battles("austria", 1), stack("austria", "N01", "1 light_infantry"))
    war.action("austria", "levy_and_modernise").when("austria", "levy_action", "modernise light_infantry@N01 heavy_infantry metal")
    assert war.stores("austria") == (0, 0) and war.battles("austria") == 0
    assert war.stack("austria", "N01") == {"heavy_infantry": 1}
    assert "Austria modernises light infantry to heavy infantry on N01 (plain)." in war.told("france")


@pytest.mark.parametrize(("count", "discount", "stores_before"), [(2, "food", (0, 1)), (2, "metal", (1, 0)), (4, "both", (0, 0))])
def test_EX56_light_infantry_to_muskets(count, discount, stores_before):
    war = Campaign().given(developed("metallurgy", "stirrup", "architecture", "gunpowder"), battles("austria", count))
    war.given(stack("austria", "N01", "1 light_infantry"), stores("austria", *stores_before)).action(
        "austria", "levy_and_modernise"
    )
    war.when("austria", "levy_action", f"modernise light_infantry@N01 muskets {discount}")
    assert war.stores("austria") == (0, 0) and war.battles("austria") == count - 1
    assert war.stack("austria", "N01") == {"muskets": 1}


def test_EX57_no_battles_no_modernisation(war):
    war.given(developed("metallurgy"), stack("austria", "N01", "1 light_infantry"), stores("austria", 5, 5))
    war.action("austria", "levy_and_modernise")
    war.refuse("austria", "levy_action", "modernise light_infantry@N01 heavy_infantry metal", "G15.2")


@pytest.mark.parametrize("old", ["light_cavalry", "archers"])
def test_EX58_not_across_branches(old):
    war = Campaign().given(developed("metallurgy", "stirrup", "architecture", "gunpowder"), battles("austria", 3))
    war.given(stack("austria", "N01", f"1 {old}"), stores("austria", 5, 5)).action("austria", "levy_and_modernise")
    war.refuse("austria", "levy_action", f"modernise {old}@N01 muskets both", "G15.1")


def test_a_unit_is_not_levied_and_modernised_in_one_turn(war):
    war.given(developed("metallurgy"), battles("austria", 2), stores("austria", 3, 3)).action("austria", "levy_and_modernise")
    levy(war, "austria", "light_infantry")
    war.refuse("austria", "levy_action", "modernise light_infantry@AU-cap heavy_infantry metal", "G13.2")


def test_ships_are_modernised_at_sea():
    war = Campaign(land={"S2": "N10"}).given(developed("metallurgy", "stirrup", "sea_navigation"), battles("austria", 3))
    war.given(fleet("austria", "N10", "galley", "2 archers")).action("austria", "levy_and_modernise")
    war.when("austria", "levy_action", "modernise galley@ship1 galleon both")
    assert war.stack("austria", "N10") == {"archers": 2, "galleon": 1}


def test_a_commander_makes_modernising_cheaper(war):
    war.given(developed("metallurgy", "stirrup"), battles("austria", 1), commander("austria", "G33"), stores("austria", 0, 0))
    war.given(stack("austria", "N01", "1 light_cavalry")).action("austria", "levy_and_modernise")
    war.when("austria", "levy_action", "modernise light_cavalry@N01 heavy_cavalry metal")
    assert war.stack("austria", "N01") == {"heavy_cavalry": 1}
