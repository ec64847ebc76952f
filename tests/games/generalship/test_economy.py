"""Pages 8 and 9: production, exchange, growth."""

from __future__ import annotations

import pytest

from domain.games.generalship.data import TILES
from tests.games.generalship.campaign import Campaign, allied, commander, owns, people, people_on, stack, stores

# -- production --------------------------------------------------------------------------------------


def produce(war: Campaign, nation: str, circle: str = "") -> tuple[int, int]:
    """The stores after a production that began with nothing."""
    war.action(nation, "production")
    if circle:
        war.when(nation, "arrange_population", circle)
    return war.stores(nation)


def test_EX07_france_with_three_people(war):
    assert produce(war.given(people("france", 3)), "france") == (2, 0)


@pytest.mark.parametrize(("circle", "stores"), [("VI.a", (2, 1)), ("VI.b", (3, 0))])
def test_EX08_france_with_six_people_chooses(circle, stores):
    war = Campaign().given(people("france", 6, "VI.b")).action("france", "production")
    assert war.options("france", "arrange_population") == ["VI.a", "VI.b"]
    war.refuse("france", "arrange_population", "V", "G08.9")
    war.when("france", "arrange_population", circle)
    assert war.stores("france") == stores
    assert war.people("france") == ["I", "II", "III", "IV", "V", circle]


@pytest.mark.parametrize(("n", "stores"), [(0, (0, 0)), (1, (1, 0))])
def test_EX09_france_with_nobody_and_with_one(n, stores):
    assert produce(Campaign().given(people("france", n)), "france") == stores


@pytest.mark.parametrize(("n", "stores"), [(7, (3, 1)), (9, (3, 1)), (10, (4, 1))])
def test_EX10_france_with_seven_nine_and_ten(n, stores):
    assert produce(Campaign().given(people("france", n)), "france") == stores


@pytest.mark.parametrize(("circle", "stores"), [("XI.a", (4, 2)), ("XI.b", (5, 1))])
def test_EX11_france_with_eleven_chooses(circle, stores):
    assert produce(Campaign().given(people("france", 11, "XI.a")), "france", circle) == stores


def test_EX12_an_occupied_tile_makes_the_sixth_inactive(war):
    war.given(people("france", 6, "VI.b"), stack("england", "FR-right", "1 light_infantry"))
    assert produce(war, "france") == (2, 0)
    assert ("france", "arrange_population") not in war.acted() + war.asked()
    assert "VI.b" in war.people("france")


@pytest.mark.parametrize(("circle", "stores"), [("VI.b", (3, 0)), ("VI.a", (2, 1))])
def test_EX13_an_ally_on_the_tile_does_not_hinder(circle, stores):
    war = Campaign().given(people("france", 6, "VI.b"), stack("england", "FR-right", "1 light_infantry"))
    assert produce(war.given(allied("england", "france")), "france", circle) == stores


def test_EX14_england_exchanges_once(war):
    war.given(people("england", 7), stores("england", food=1, metal=1)).action("england", "production")
    assert war.stores("england") == (4, 2)
    war.when("england", "exchange_resources", "give_food")
    assert war.stores("england") == (2, 3)
    war.not_asked("england", "exchange_resources")


def test_EX14_england_may_give_metal_instead(war):
    war.given(people("england", 7), stores("england", food=1, metal=1)).action("england", "production")
    war.when("england", "exchange_resources", "give_metal")
    assert war.stores("england") == (6, 1)


def test_EX15_no_exchange_outside_production(war):
    war.given(people("england", 7), stores("england", food=4, metal=2)).action("england", "population_growth")
    war.not_asked("england", "exchange_resources")
    assert war.stores("england") == (4, 2)


def test_englands_exchange_needs_the_seventh_active(war):
    war.given(people("england", 7), stack("france", "EN-cap", "1 light_infantry"), stores("england", food=4, metal=2))
    war.action("england", "production")
    war.not_asked("england", "exchange_resources")


def test_EX16_an_occupied_low_tile_makes_everything_above_inactive(war):
    war.given(people_on("france", "I II III IV V VI.a VI.b"), stack("england", "FR-left", "1 light_infantry"))
    assert produce(war, "france") == (2, 0)


def test_EX17_neutral_tiles_and_their_exchange():
    war = Campaign(land={"S1": "N01", "S2": "N08", "S3": "N10"})
    war.given(owns("austria", "N01", "N08", "N10"), stack("austria", "N08", "1 light_infantry"))
    assert [TILES[tile].terrain for tile in ("N01", "N08", "N10")] == ["plain", "mountain", "sea"]
    war.action("austria", "production")
    assert war.stores("austria") == (3, 1)
    war.when("austria", "exchange_resources", "give_food")
    assert war.stores("austria") == (1, 2)


def test_people_close_ranks_before_they_produce(war):
    war.given(people_on("france", "I II V VIII"))
    assert produce(war, "france") == (2, 0)
    assert war.people("france") == ["I", "II", "III", "IV"]


def test_a_commander_may_add_food_to_production(war):
    assert produce(war.given(people("france", 3), commander("france", "G15")), "france") == (3, 0)


def test_an_exchange_nobody_can_pay_is_not_offered():
    war = Campaign(land={"S1": "N10"}).given(people("austria", 0), owns("austria", "N10")).action("austria", "production")
    war.not_asked("austria", "exchange_resources")


# -- growth ------------------------------------------------------------------------------------------


def test_EX18_france_at_five_fills_both_circles_six(war):
    war.action("france", "population_growth")
    assert war.people("france")[5:] == ["VI.a", "VI.b"]


def test_EX19_austria_at_six_gets_only_one(war):
    assert TILES["AU-left"].growth == 2
    war.given(people("austria", 6, "VI.b")).action("austria", "population_growth")
    war.when("austria", "arrange_population", "VI.b")
    assert war.people("austria")[5:] == ["VI.a", "VI.b"]
    assert "Austria grows by 1 population." in war.told()


@pytest.mark.parametrize("circle", ["IX.a", "IX.b"])
def test_EX20_byzantium_has_only_one_ninth(circle):
    war = Campaign().given(people("byzantium", 8)).action("byzantium", "population_growth")
    assert war.options("byzantium", "place_growth") == ["IX.a", "IX.b"]
    war.when("byzantium", "place_growth", circle)
    assert war.people("byzantium")[-1] == circle and len(war.people("byzantium")) == 9
    full = Campaign().given(people("byzantium", 9, circle)).action("byzantium", "population_growth")
    full.when("byzantium", "arrange_population", circle)
    assert len(full.people("byzantium")) == 9


def test_EX21_the_seventh_takes_the_other_six(war):
    war.given(people("france", 6, "VI.a")).action("france", "population_growth").when("france", "arrange_population", "VI.a")
    assert war.people("france")[5:7] == ["VI.a", "VI.b"]
    war.not_asked("france", "place_growth")


def test_EX22_a_full_nation_does_not_grow(war):
    war.given(people("england", 7)).action("england", "population_growth")
    assert len(war.people("england")) == 7
    assert "England does not grow." in war.told()


def test_EX23_an_occupied_low_tile_stops_growth(war):
    war.given(stack("england", "FR-left", "1 light_infantry")).action("france", "population_growth")
    assert war.people("france") == ["I", "II", "III", "IV", "V"]


@pytest.mark.parametrize(("circle", "people_after"), [("VI.a", ["VI.a", "VI.b"]), ("VI.b", ["VI.b"])])
def test_EX24_austria_at_five_chooses_the_tile(circle, people_after):
    war = Campaign().action("austria", "population_growth").when("austria", "place_growth", circle)
    assert war.people("austria")[5:] == people_after


def test_new_people_that_find_no_usable_circle_are_lost(war):
    war.given(people("france", 2), stack("england", "FR-left", "1 light_infantry")).action("france", "population_growth")
    assert TILES["FR-cap"].growth == 3
    assert war.people("france") == ["I", "II", "III"]


def test_of_two_equal_circles_one_may_be_barred(war):
    war.given(stack("england", "FR-right", "1 light_infantry")).action("france", "population_growth")
    assert war.people("france")[5:] == ["VI.a"]
