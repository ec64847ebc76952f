"""Pages 19 to 22: the steps of a battle and its aftermath."""

from __future__ import annotations

import pytest

from tests.games.generalship.campaign import (
    Campaign,
    allied,
    battles,
    cards,
    commander,
    developed,
    era,
    fleet,
    owns,
    pairs,
    points,
    power,
    stack,
)

FIELD = {"S1": "N01", "S2": "N02", "S4": "N04", "S5": "N10", "S3": "N08"}


def clash(attackers: str = "3 archers", defenders: str = "3 archers", tile: str = "N01") -> Campaign:
    """England stands against France; England owns N02 to fall back on, France its own land."""
    war = Campaign(land=FIELD).given(stack("france", tile, defenders, spent=9), stack("england", tile, attackers, spent=9))
    return war.given(owns("france", tile), owns("england", "N02"))


# -- step 1 ------------------------------------------------------------------------------------------


def test_EX70_the_defender_forces_the_withdrawal():
    war = clash().given(power("france", "G01", "G02"), power("england", "G03"), battles("england", 2))
    war.battle("withdrawal", "england", "france", "N01").when("france", "force_withdrawal", "yes")
    assert (war.pp("france"), war.pp("england")) == (["G01"], ["G03", "G02"])
    assert war.stack("england", "N02") == {"archers": 3} and war.stack("england", "N01") == {}
    assert (war.battles("england"), war.battles("france")) == (3, 0)
    assert (war.vp("england"), war.vp("france")) == (0, 0)


def test_the_card_given_stays_hidden_from_third_parties():
    war = clash().given(power("france", "G01", "G02")).battle("withdrawal", "england", "france", "N01")
    war.when("france", "force_withdrawal", "yes")
    assert "G02" not in repr(war.log_of("austria"))
    assert "G02" in repr(war.log_of("england"))


def test_EX71_without_pp_no_withdrawal_is_forced():
    war = clash().battle("withdrawal", "england", "france", "N01")
    war.not_asked("france", "force_withdrawal")


def test_EX72_the_battle_count_stays_at_five():
    war = clash().given(power("france", "G01"), battles("england", 5)).battle("withdrawal", "england", "france", "N01")
    war.when("france", "force_withdrawal", "yes")
    assert war.battles("england") == 5


# -- step 2 ------------------------------------------------------------------------------------------


def test_EX73_cards_for_alexandros():
    land = clash().given(commander("england", "G01"), era("fortresses")).battle("deal", "england", "france", "N01")
    assert land.hand("england") == (5, 4)
    sea = Campaign(land=FIELD).given(fleet("england", "N10", "galley"), fleet("france", "N10", "galley"))
    sea.given(commander("england", "G01"), era("fortresses")).battle("deal", "england", "france", "N10")
    assert sea.hand("england") == (5, 1)


def test_EX74_the_era_of_infantry():
    war = clash("4 light_infantry", "2 archers 1 artillery").given(commander("england", "G04"), commander("france", "G03"))
    war.battle("deal", "england", "france", "N01")
    assert (war.hand("england")[1], war.hand("france")[1]) == (5, 4)


@pytest.mark.parametrize(("units", "cards"), [("1 light_cavalry", 0), ("2 light_cavalry", 1), ("3 light_cavalry", 2)])
def test_the_era_of_cavalry(units, cards):
    war = clash(units).given(commander("england", "G04"), era("cavalry")).battle("deal", "england", "france", "N01")
    assert war.hand("england") == (6, 3 + cards), "Epaminondas attacks with one more basic card"


def test_EX75_an_era_does_not_help_in_the_other_kind_of_battle():
    war = Campaign(land=FIELD).given(fleet("england", "N10", "galley", "5 archers"), fleet("france", "N10", "galley"))
    war.given(commander("england", "G03")).battle("deal", "england", "france", "N10")
    assert war.hand("england") == (5, 1)


def test_the_era_of_ships():
    war = Campaign(land=FIELD).given(
        fleet("england", "N10", "galley"), fleet("england", "N10", "galley"), fleet("france", "N10", "galley")
    )
    war.given(commander("england", "G37"), commander("france", "G03"), era("ships")).battle("deal", "england", "france", "N10")
    assert (war.hand("england"), war.hand("france")) == ((5, 6), (5, 2))


def test_EX76_without_a_commander_five_basic_cards_and_nothing_else():
    war = clash(defenders="4 archers", tile="N04").given(developed("metallurgy", "stirrup", "architecture"))
    war.battle("deal", "england", "france", "N04")
    assert war.hand("france") == (5, 0)


def test_EX77_rivals_count_as_none():
    war = clash().given(commander("england", "G49"), commander("france", "G48")).battle("deal", "england", "france", "N01")
    assert (war.hand("england"), war.hand("france")) == ((5, 0), (5, 0))
    irregular = clash(defenders="1 light_cavalry 1 artillery").given(commander("england", "G49"), commander("france", "G48"))
    irregular.given(cards("france", "LB3", "LB5", "LA5")).battle("attack", "england", "france", "N01", striker="france")
    irregular.when("france", "commit_attack", pairs("LB3-1", "LB5-1", "LA5-1", "light_cavalry", "artillery"))
    irregular.when("england", "commit_attack", [])
    assert "France attacks with 12, England defends with 0." in irregular.told(), (
        "no horse artillery for Napoleon against Wellington"
    )


@pytest.mark.parametrize(
    ("age", "built", "dealt"),
    [("cavalry", False, (6, 2)), ("cavalry", True, (5, 3)), ("fortresses", False, (5, 3)), ("fortresses", True, (5, 4))],
)
def test_EX78_the_fortress_before_and_after_architecture(age, built, dealt):
    war = clash(defenders="1 archers", tile="N04").given(commander("france", "G13"), era(age))
    war.given(*([developed("metallurgy", "stirrup", "architecture")] if built else []))
    war.battle("deal", "england", "france", "N04")
    assert war.hand("france") == dealt


def test_a_siege_master_ignores_the_fortress():
    war = clash(defenders="1 archers", tile="N04").given(commander("france", "G13"), commander("england", "G09"), era("cavalry"))
    war.battle("deal", "england", "france", "N04")
    assert war.hand("france") == (5, 2)


def test_EX79_advanced_cards_are_exchanged_once():
    war = clash().given(cards("france", "LB1", "LB1", "LB1", "LB1", "LB2", "LA1", "LA2", "LA3"), cards("england", "LA1"))
    war.battle("exchange_cards", "england", "france", "N01")
    war.refuse("france", "exchange_advanced", pairs("LB1-1"), "G21.2")
    war.when("france", "exchange_advanced", pairs("LA1-1", "LA2-1"))
    assert war.hand("france") == (7, 1)
    assert war.asked() == [("england", "exchange_advanced")], "no second time"


def test_exchanged_cards_stay_hidden_from_the_enemy():
    war = clash().given(cards("france", "LA1", "LA7")).battle("exchange_cards", "england", "france", "N01")
    war.when("france", "exchange_advanced", pairs("LA7-1"))
    assert "LA7-1" not in repr(war.log_of("england"))
    assert war.view("england").zones[f"tossed:{war.seats['france']}"] == {"advanced": 1}


# -- steps 3 to 5 ------------------------------------------------------------------------------------


def test_EX80_pursuit_stops_the_retreat_and_the_attacker_may_retreat_himself():
    war = (
        clash()
        .given(cards("france", "LA7", "LA1"), cards("england", "LA8", "LA7"))
        .battle("retreat_cards", "england", "france", "N01")
    )
    war.when("france", "play_retreat", "yes").when("england", "play_pursuit", "yes")
    assert sorted(war.now.zones["played"]) == ["LA7-1", "LA8-1"]
    assert war.asked() == [("england", "play_retreat")]
    war.when("england", "play_retreat", "yes").when("france", "play_pursuit", "no")
    assert war.stack("england", "N02") == {"archers": 3}
    assert (war.battles("england"), war.battles("france")) == (1, 1)
    assert (war.vp("england"), war.vp("france")) == (0, 0)


def test_a_defender_who_slips_away_leaves_the_tile():
    war = clash().given(cards("france", "LA7"), cards("england", "LA1")).battle("retreat_cards", "england", "france", "N01")
    war.when("france", "play_retreat", "yes").when("england", "play_pursuit", "no")
    assert war.owner("N01") == "england" and war.stack("france", "FR-left") == {"archers": 3}


def test_the_window_is_opened_whether_or_not_the_card_is_held():
    war = clash().given(cards("france", "LA1"), cards("england", "LA1")).battle("retreat_cards", "england", "france", "N01")
    assert war.options("france", "play_retreat") == ["no"]
    war.refuse("france", "play_retreat", "yes", "G21.3")


def test_EX81_an_ambush_with_pursuit_skips_the_defenders_attack():
    war = (
        clash()
        .given(cards("england", "LA6", "LA8", "LB1"), cards("france", "LA7", "LB1"))
        .battle("ambush", "england", "france", "N01")
    )
    war.when("england", "play_ambush", "yes").when("france", "counter_ambush", "yes").when("england", "play_pursuit", "yes")
    assert "The ambush of England succeeds." in war.told()
    assert war.asked() == [("england", "commit_attack")], "only step 7 is fought"
    war.when("england", "commit_attack", []).when("france", "commit_attack", [])
    assert [line for line in war.told() if "attacks with" in line] == ["England attacks with 0, France defends with 0."]


def test_EX82_a_failed_ambush():
    war = clash().given(cards("england", "LA6", "LA1"), cards("france", "LA7")).battle("ambush", "england", "france", "N01")
    war.when("england", "play_ambush", "yes").when("france", "counter_ambush", "yes").when("england", "play_pursuit", "no")
    assert "The ambush of England fails." in war.told()
    assert sorted(war.now.zones["played"]) == ["LA6-1", "LA7-1"]
    assert war.asked() == [("france", "commit_attack")]


def test_cards_are_bought_for_power():
    war = clash().given(
        cards("france", "LA1", "LB3", "LB4"), power("france", "G01", "G02"), power("england", "G03"), cards("england", "LB1")
    )
    war.battle("buy_cards", "england", "france", "N01", ambushed=False).when("france", "paid_exchange", pairs("LA1-1", "LB3-1"))
    assert war.pp("france") == ["G01"] and war.hand("france") == (3, 0)
    war.when("france", "paid_exchange", [])
    assert war.asked() == [("england", "paid_exchange")] and war.pp("france") == ["G01"]
    war.refuse("england", "paid_exchange", pairs("LB1-1", "LB1-2"), "G21.7")


def test_an_exchange_is_limited_by_the_basic_cards_left():
    war = clash().given(power("france", "G01"))
    for name in ("LB1", "LB2", "LB3", "LB4", "LB5", "LB6"):
        war.given(cards("austria", *[name] * 4))
    war.given(cards("austria", "LB7", "LB7", "LB7"), cards("france", "LA1", "LA2"))
    war.battle("buy_cards", "england", "france", "N01", ambushed=False)
    war.refuse("france", "paid_exchange", pairs("LA1-1", "LA2-1"), "G21.7")
    war.when("france", "paid_exchange", pairs("LA1-1"))
    assert war.asked() == [("france", "commit_attack")], "no basic card is left"


# -- steps 6 and 7, aftermath ------------------------------------------------------------------------


def test_EX83_equal_values_hold():
    war = clash("2 light_cavalry", "3 archers").given(cards("france", "LB6"), cards("england", "LB3"))
    war.battle("attack", "england", "france", "N01", striker="france")
    war.when("france", "commit_attack", pairs("LB6-1", "3 archers")).when(
        "england", "commit_attack", pairs("LB3-1", "2 light_cavalry")
    )
    assert "France attacks with 12, England defends with 12." in war.told()
    assert war.stack("england", "N01") == {"light_cavalry": 2}
    assert sorted(war.now.zones["played"]) == ["LB3-1", "LB6-1"]
    assert war.asked() == [("england", "commit_attack")]


def failed_attack(*words) -> Campaign:
    war = clash("2 archers", "3 archers").given(cards("england", "LB5"), cards("france", "LB6"), *words)
    war.battle("attack", "england", "france", "N01", striker="england")
    war.when("england", "commit_attack", pairs("LB5-1", "2 archers"))
    return war.when("france", "commit_attack", pairs("LB6-1", "3 archers"))


def test_EX84_an_attacker_who_fails_retreats_without_losses():
    war = failed_attack(commander("england", "G01"))
    assert "England attacks with 8, France defends with 9." in war.told()
    assert war.stack("england", "N02") == {"archers": 2} and war.stack("france", "N01") == {"archers": 3}
    assert (war.battles("england"), war.battles("france")) == (1, 1)
    assert war.options("france", "battle_reward") == ["vp", "discard_commander"]
    war.when("france", "battle_reward", "vp")
    assert war.vp("france") == 1 and war.commander("england") == "G01"


def test_the_reward_may_be_the_enemy_commander():
    war = failed_attack(commander("england", "G01")).when("france", "battle_reward", "discard_commander")
    assert war.vp("france") == 0 and war.commander("england") is None


def won_attack(*words, attackers: str = "3 archers", defenders: str = "1 light_infantry") -> Campaign:
    war = clash(attackers, defenders).given(cards("england", "LB6"), *words)
    war.battle("attack", "england", "france", "N01", striker="england")
    return war.when("england", "commit_attack", pairs("LB6-1", "3 archers")).when("france", "commit_attack", [])


def test_EX85_without_an_enemy_commander_only_points():
    war = won_attack()
    assert war.vp("england") == 2
    assert ("england", "battle_reward") not in war.acted() + war.asked()
    assert war.owner("N01") == "england"


def test_EX86_who_landed_and_finds_no_own_land_is_lost():
    war = Campaign(land={"S1": "N01", "S2": "N10", "S4": "N02"}).given(fleet("england", "N10", "galley", sailed=9))
    war.given(stack("england", "N01", "2 archers", spent=9), stack("france", "N01", "1 archers", spent=9), owns("france", "N01"))
    war.given(power("france", "G01")).battle("withdrawal", "england", "france", "N01").when("france", "force_withdrawal", "yes")
    assert war.all_units("england") == {"galley": 1}
    assert war.stack("england", "N10") == {"galley": 1}
    assert "2 units of England find no way of retreat and are lost." in war.told()


def test_retreating_cavalry_does_not_climb_mountains():
    war = Campaign(land={"S2": "N02", "S3": "N08", "S5": "N03"}).given(
        stack("england", "N02", "1 archers 1 light_cavalry", spent=9)
    )
    war.given(
        stack("france", "N02", "1 archers", spent=9), owns("france", "N02"), owns("england", "N08", "N03"), power("france", "G01")
    )
    war.battle("withdrawal", "england", "france", "N02").when("france", "force_withdrawal", "yes")
    assert war.options("england", "choose_retreat") == ["N03", "N08"]
    war.when("england", "choose_retreat", "N08")
    assert war.stack("england", "N08") == {"archers": 1} and war.stack("england", "N03") == {"light_cavalry": 1}


def test_an_allys_tile_is_no_refuge():
    war = clash().given(allied("england", "austria"), power("france", "G01"))
    war.given(owns("austria", "N02")).battle("withdrawal", "england", "france", "N01").when("france", "force_withdrawal", "yes")
    assert war.all_units("england") == {}


def test_after_a_battle_all_tactic_cards_are_back():
    war = won_attack()
    decks = {"land_basic": 28, "land_advanced": 24, "naval_basic": 28, "naval_advanced": 24}
    assert {deck: war.now.total(deck) for deck in decks} == decks
    assert war.now.get("battlefield") is None


def test_EX112_ten_points_end_the_game_in_the_middle_of_the_march():
    war = won_attack(points("england", 8), stack("austria", "AU-cap", "1 archers"))
    assert war.over() and war.winners() == ["england"]
    assert war.now.get("era") == "infantry", "no paradigm move"
    assert ("austria", "move") not in war.acted()


def test_the_second_of_two_allies_is_fought_at_once(war):
    war.given(
        allied("austria", "france"),
        stack("austria", "FR-left", "1 archers", spent=9),
        stack("france", "FR-left", "1 archers", spent=9),
    )
    war.given(stack("england", "FR-left", "3 archers", spent=9), cards("england", "LB6"))
    war.battle("attack", "england", "france", "FR-left", striker="england")
    war.when("england", "commit_attack", pairs("LB6-1", "3 archers")).when("france", "commit_attack", [])
    assert war.vp("england") == 2
    assert war.now.get("defender") == war.seats["austria"] and war.now.get("battlefield") == "FR-left"
    assert war.hand("england") == (5, 0), "a new battle with full decks"


def test_squadrons_alone_on_land_defend_with_nothing_and_retreat():
    war = Campaign(land={"S1": "N01", "S2": "N10"}).given(stack("france", "N01", "2 galley", spent=9), owns("france", "N10"))
    war.given(stack("england", "N01", "3 archers", spent=9), cards("england", "LB6")).battle(
        "attack", "england", "france", "N01", striker="england"
    )
    war.when("england", "commit_attack", pairs("LB6-1", "3 archers")).when("france", "commit_attack", [])
    assert "England attacks with 12, France defends with 0." in war.told()
    assert war.stack("france", "N10") == {"galley": 2} and war.owner("N01") == "england"


def test_a_beaten_fleet_sails_to_an_own_sea_or_is_lost():
    sea = {"S5": "N10", "S2": "N11", "S8": "N12"}
    war = Campaign(land=sea).given(
        fleet("england", "N10", "galley", "2 archers", sailed=9), fleet("france", "N10", "galley", sailed=9)
    )
    war.given(owns("france", "N10"), owns("england", "N11", "N12"), power("france", "G01"))
    war.battle("withdrawal", "england", "france", "N10").when("france", "force_withdrawal", "yes")
    assert war.options("england", "choose_retreat") == ["N11", "N12"]
    war.when("england", "choose_retreat", "N12")
    assert war.stack("england", "N12") == {"archers": 2, "galley": 1}
    lost = Campaign(land=sea).given(
        fleet("england", "N10", "galley", "2 archers", sailed=9), fleet("france", "N10", "galley", sailed=9)
    )
    lost.given(owns("france", "N10"), power("france", "G01")).battle("withdrawal", "england", "france", "N10")
    lost.when("france", "force_withdrawal", "yes")
    assert lost.all_units("england") == {}


def test_after_the_battle_the_units_are_face_down_again():
    war = failed_attack()
    assert war.view("austria").tokens(war.seats["france"])["N01"] == {"infantry": 3}
    assert "archers" in repr(war.log_of("austria")), "what was revealed stays in the log"


def test_losing_the_first_of_two_battles_means_leaving(war):
    war.given(
        allied("austria", "france"),
        stack("austria", "FR-left", "1 archers", spent=9),
        stack("france", "FR-left", "1 archers", spent=9),
    )
    war.given(stack("england", "FR-left", "3 archers", spent=9), power("france", "G01"), owns("england", "N01"))
    war.battle("withdrawal", "england", "france", "FR-left").when("france", "force_withdrawal", "yes")
    assert war.stack("england", "N01") == {"archers": 3}
    assert war.now.get("battlefield") is None
