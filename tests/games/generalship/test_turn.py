"""Pages 6 and 8: taking tiles, and what the others do."""

from __future__ import annotations

from domain.kernel import Move
from tests.games.generalship.campaign import FOUR, Campaign, stack, stores


def test_EX01_on_a_two_action_tile_the_others_do_the_other_action(war):
    war.starts("turn")
    war.when("austria", "choose_action_tile", "AT1").when("austria", "choose_tile_action", "production")
    assert war.food("austria") == 2
    assert [war.food(nation) for nation in FOUR[1:]] == [0, 0, 0]
    assert [line for line in war.told() if "produces" in line] == ["Austria produces 2 food and 0 metal."]
    # Byzantium chooses between its two circles VI; England and France have no choice and wait for it.
    assert war.asked() == [("byzantium", "place_growth")]
    assert len(war.people("england")) == len(war.people("france")) == 5
    war.when("byzantium", "place_growth", "VI.a")
    grown = [line.split()[0] for line in war.told() if "grows" in line]
    assert grown == ["Byzantium", "England", "France"]


def test_EX02_two_circles_stay_empty_then_comes_the_scoring(war):
    war.starts("turn")
    for n, tile in enumerate(("AT5", "AT3", "AT7", "AT1", "AT2", "AT2", "AT1", "AT8")):
        nation = war.asked()[0][0]
        assert nation == FOUR[n % 4]
        war.when(nation, "choose_action_tile", tile)
        assert cylinders(war) == n + 1
        while war.now.get("tile"):
            nation, key = war.asked()[0]
            war.when(nation, key, war.options(nation, key)[0])
    moved = [op.src for event in war.events for op in event.ops if isinstance(op, Move) and op.src.startswith("circles:")]
    assert len(moved) == 8, "eight cylinders of ten circles come back"
    assert "Scoring phase 1." in war.told()
    assert cylinders(war) == 0


def cylinders(war: Campaign) -> int:
    return sum(war.now.total(f"circles:AT{n}") for n in range(1, 9))


def test_EX03_a_full_tile_cannot_be_chosen():
    war = Campaign("austria", "france").starts("turn")
    war.when("austria", "choose_action_tile", "AT4")
    assert "AT4" not in war.options("france", "choose_action_tile")
    assert "no circle of AT4 is free" in war.refuse("france", "choose_action_tile", "AT4", "G08.1")


def test_EX04_the_alliance_tile_gives_the_others_nothing():
    war = Campaign("austria", "byzantium", "england").starts("turn")
    war.when("austria", "choose_action_tile", "AT5").when("austria", "edit_alliances", None)
    assert war.asked() == [("byzantium", "choose_action_tile")]


def test_EX05_followers_on_the_levy_tile_may_decline(war):
    war.given(stores("austria", food=2)).action("austria", "levy_and_modernise")
    war.when("austria", "levy_action", None)
    assert war.food("byzantium") == 0
    war.when("byzantium", "levy_action", None)
    assert war.asked() == [("england", "levy_action")]


def marching_order(follow_order: str) -> list[str]:
    war = Campaign(follow_order=follow_order)
    war.given(*(stack(nation, f"{nation[:2].upper()}-cap", "1 light_infantry") for nation in FOUR if nation != "england"))
    war.given(stack("england", "N01", "1 light_infantry")).action("england", "march")
    while war.now.get("tile"):
        nation, key = war.asked()[0]
        war.when(nation, key, None)
    return [nation for nation, key in war.acted() if key == "move"]


def test_EX06_followers_act_in_the_order_of_the_track():
    assert marching_order("track") == ["england", "austria", "byzantium", "france"]


def test_follow_order_rotate_goes_round_from_the_active_player():
    assert marching_order("rotate") == ["england", "france", "austria", "byzantium"]


def test_a_player_may_take_the_same_tile_twice_while_circles_are_free():
    war = Campaign("austria", "france").starts("turn")
    war.when("austria", "choose_action_tile", "AT2").when("austria", "choose_tile_action", "general_cards")
    war.when("austria", "general_action", "draw").when("france", "technology_action", "draw")
    war.when("france", "choose_action_tile", "AT3")
    war.when("france", "levy_action", None).when("austria", "levy_action", None)
    war.when("austria", "choose_action_tile", "AT2")
    assert war.now.count("circles:AT2", war.seats["austria"]) == 2
