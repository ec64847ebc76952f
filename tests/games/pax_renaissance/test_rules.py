"""Rules in play that no numbered case shows, chapter by chapter."""

import pytest

from domain.games.pax_renaissance.data import VICTORIES
from tests.games.pax_renaissance.case import (
    Case,
    active,
    carries,
    cube,
    deck,
    florins,
    hand,
    king,
    market,
    pirate,
    republic,
    serf,
    side,
    tableau,
    token,
    trades_from,
    vacant,
    victory,
)

ENGLAND_FRANCE, ENGLAND_PORTUGAL, FRANCE_HRE = "border_england_france", "border_england_portugal", "border_france_hre"
ARAGON_FRANCE, ARAGON_PORTUGAL, ARAGON_PAPAL = "border_aragon_france", "border_aragon_portugal", "border_aragon_papal_states"
MAMLUK_OTTOMAN, BYZANTIUM_HUNGARY, HUNGARY_OTTOMAN = "border_mamluk_ottoman", "border_byzantium_hungary", "border_hungary_ottoman"
OTTOMAN_PAPAL, HRE_HUNGARY, HRE_PAPAL = "border_ottoman_papal_states", "border_hre_hungary", "border_hre_papal_states"


# -- E1, D2 ------------------------------------------------------------------------------------------------


def test_E1_3_a_florin_for_a_vacant_column_goes_to_the_other_row():
    pax = (
        Case()
        .given(florins(primus=9), vacant("west", 1), market("west", 3, "PR064"))
        .when("primus", action=["purchase", "west", 3])
    )
    assert pax.table.florins_at("east", 1) == 1 and pax.table.florins_at("west", 1) == 0
    pax.refuses("primus", "E1.6", action=["purchase", "east", 1])  # it carries a fresh florin too


def test_E1_3_where_both_columns_are_vacant_the_florin_goes_to_china():
    pax = Case().given(florins(primus=2), vacant("west", 1), vacant("east", 1)).when("primus", action=["purchase", "west", 2])
    assert pax.money("primus") == 0
    assert sum(pax.table.florins_at(row, column) for row in ("east", "west") for column in range(6)) == 1


def test_E1_7_a_full_hand_is_no_obstacle_with_gutenberg():
    pax = Case().given(hand("primus", "PR062", "PR063"), tableau("primus", "west", "PR071"))
    pax.when("primus", action=["purchase", "west", 1])
    assert pax.table.total("hand:primus") == 3


def test_E1_7_another_bankers_bishop_costs_cards_at_once():
    pax = Case().given(
        tableau("secundus", "west", "PR071", "PR062"),
        hand("secundus", "PR063", "PR064", "PR065"),
        carries("PR062", "bishop.reformist"),
        tableau("primus", "west", "PR033"),
    )
    pax.when("primus", action=["ops", "west"], op_next=["PR033", "inquisitor.reformist"], inquisitor=["PR062", "PR071"])
    assert pax.asked == ("secundus", "hand_limit_discard")
    pax.when("secundus", hand_limit_discard=[["PR064", 1]])
    assert pax.table.items("hand:secundus") == ["PR063", "PR065"] and pax.table.count("discard", "PR064") == 1
    assert pax.asked == ("primus", "action")


def test_D1_2_a_pass_forfeits_one_action():
    pax = Case().when("primus", action=None)
    assert pax.asked == ("primus", "action") and pax.table.get("actions") == 1
    pax.when("primus", action=None)
    assert pax.asked == ("secundus", "action")


def test_L2_2_the_patrons_victory_comes_when_both_decks_are_empty():
    pax = Case().given(deck("east"), deck("west", "PR064"), vacant("west", 1))
    pax.given(tableau("secundus", "west", "PR052"), florins(primus=30))
    pax.when("primus", action=None).when("primus", action=None)
    assert pax.run.over and pax.table.get("ending") == "patron"
    assert [seat for seat in pax.table.seats if pax.table.get(f"won:{seat}")] == ["secundus"]


@pytest.mark.parametrize("purses, winners", [((3, 7, 5), ["secundus"]), ((7, 7, 5), ["primus", "secundus"])])
def test_L2_2_florins_break_a_tie_of_patrons(purses, winners):
    pax = Case().given(deck("east"), deck("west", "PR064"), vacant("west", 1))
    pax.given(florins(**dict(zip(pax.table.seats, purses, strict=True))))
    pax.when("primus", action=None).when("primus", action=None)
    assert [seat for seat in pax.table.seats if pax.table.get(f"won:{seat}")] == winners


# -- E2 ----------------------------------------------------------------------------------------------------


def test_E2_2_a_region_card_picks_an_empire_for_each_agent():
    pax = Case().given(hand("primus", "PR095")).when("primus", action=["play", "PR095"], announce_oneshot="no")
    pax.when("primus", choose_location="hungary", place_agent_city=["knight.islamic", "buda"])
    assert pax.options("choose_location") == [None, "hungary", "byzantium", "ottoman", "mamluk"]
    pax.when("primus", choose_location="mamluk", place_agent_city=["knight.islamic", "cairo"])
    assert pax.at("buda") == pax.at("cairo") == ["knight.islamic"]


def test_E2_2_F_the_second_agent_may_repress_the_first():
    pax = Case().given(hand("primus", "PR057"), king("mamluk", "secundus"), token("rook.islamic", "cyprus"))
    pax.when("primus", action=["play", "PR057"], announce_oneshot="no")
    pax.when("primus", place_agent_city=["knight.catholic", "cairo"]).when("primus", place_agent_city=["knight.catholic", "cairo"])
    assert pax.on("mamluk") == ["knight.catholic"] and pax.money("primus") == 4


def test_E2_1_after_a_trade_shift_an_agent_must_be_placed_where_there_is_room():
    pax = Case().given(hand("primus", "PR102")).when("primus", action=["play", "PR102"], announce_oneshot="yes")
    pax.refuses("primus", "E2.2-E", place_agent_pawn=None)


def test_E2_2_B_a_bishop_may_come_to_any_card_of_the_location():
    pax = Case().given(hand("primus", "PR086"), tableau("secundus", "east", "PR091", "PR089", "PR093"))
    pax.when("primus", action=["play", "PR086"])
    assert [card for _, card in pax.options("place_agent_bishop")[1:]] == ["PR086", "PR091", "PR089"]
    pax.when("primus", place_agent_bishop=["bishop.islamic", "PR091"])
    assert pax.table.silenced("PR091")


# -- F -----------------------------------------------------------------------------------------------------


def test_F1_2_a_bishop_on_a_suzerain_silences_queen_and_vassals():
    pax = Case().given(king("ottoman", "primus", queen="PR105", vassals=("hre",)), carries("ottoman", "bishop.catholic"))
    assert all(pax.table.silenced(card) for card in ("ottoman", "PR105", "hre"))


def test_F1_2_a_bishop_reaches_a_suzerain_through_its_vassals_location():
    pax = Case().given(
        king("ottoman", "secundus", vassals=("hre",)),
        tableau("primus", "west", "PR033", "PR050"),
        carries("PR050", "bishop.reformist"),
    )
    pax.when("primus", action=["ops", "west"], op_next=["PR033", "inquisitor.reformist"], inquisitor=["PR050", "ottoman"])
    assert pax.on("ottoman") == ["bishop.reformist", "hre"]


def test_F1_4_entering_a_unit_pacifies_a_token_on_a_vassal():
    pax = Case().given(
        king("ottoman", "secundus", vassals=("hre",)),
        serf("secundus", "hre"),
        tableau("primus", "west", "PR033", "PR050"),
        carries("PR050", "bishop.reformist"),
    )
    pax.when("primus", action=["ops", "west"], op_next=["PR033", "inquisitor.reformist"], inquisitor=["PR050", "ottoman"])
    assert pax.options("pacify") == [None, ["hre", "pawn.medici"]]


def test_F3_3_a_queen_may_behead_her_own_king():
    pax = Case().given(king("aragon", "primus", queen="PR072"))
    pax.when("primus", action=["ops", "west"], op_next=["PR072", "behead"], behead="aragon")
    assert pax.table.count("stack", "aragon") == 1 and pax.table.count("discard", "PR072") == 1


def test_F3_3_beheading_a_queen_leaves_the_king():
    pax = Case().given(king("ottoman", "secundus", queen="PR105"), tableau("primus", "east", "PR086"))
    pax.when("primus", action=["ops", "east"], op_next=["PR086", "behead"], behead="PR105")
    assert pax.row("secundus", "east") == ["ottoman"] and pax.row("primus", "east") == ["PR086"]


def test_F4_2_a_taxed_owner_may_let_the_cube_be_repressed():
    pax = Case().given(king("mamluk", "secundus"), cube("tertius", MAMLUK_OTTOMAN), tableau("primus", "west", "PR057"))
    pax.when("primus", action=["ops", "west"], op_next=["PR057", "tax"], tax_target=[MAMLUK_OTTOMAN, "mamluk"])
    pax.when("tertius", tax_response="repress", levy_city="cairo")
    assert pax.on("mamluk") == ["pawn.coeur"] and pax.money("tertius") == 5 and pax.at("cairo") == ["rook.islamic"]


def test_F6_a_vote_makes_a_vassal_a_republic():
    """Rulebook L370: three serfs cost three florins, and the last concession must repress a rival's."""
    pax = Case().given(
        king("france", "primus", vassals=("papal_states",)),
        carries("papal_states", "pawn.coeur", "pawn.coeur", "pawn.coeur"),
        cube("primus", ARAGON_PAPAL),
        cube("primus", OTTOMAN_PAPAL),
        cube("secundus", HRE_PAPAL),
        tableau("primus", "west", "PR068"),
    )
    pax.when("primus", action=["ops", "west"], op_next=["PR068", "vote.west"], vote="papal_states")
    assert pax.money("primus") == 2
    assert pax.row("primus", "west") == ["france", "PR068", "papal_states"]
    assert pax.table.get("side:papal_states") == "republic"
    pax.when("primus", regime_concession=HRE_PAPAL)
    assert pax.money("primus") == 1
    assert pax.on("papal_states") == ["pawn.coeur"] * 3 + ["pawn.medici"]


def test_F6_3_every_repressed_token_must_be_paid():
    pax = Case().given(
        king("aragon", "secundus"),
        carries("aragon", "rook.catholic", "pawn.coeur"),
        cube("primus", ARAGON_FRANCE),
        tableau("primus", "west", "PR068"),
        florins(primus=1),
        market("west", 1, florins=1),
    )
    pax.when("primus", action=["ops", "west"])
    pax.refuses("primus", "F6", op_next=["PR068", "vote.west"])


def test_F6_4_a_vote_turns_an_own_republic_back_into_a_king_that_may_act():
    pax = Case().given(republic("aragon", "primus"), cube("primus", ARAGON_FRANCE), tableau("primus", "west", "PR068"))
    pax.given(token("knight.catholic", "valencia"), market("west", 1, florins=1))
    pax.when("primus", action=["ops", "west"], op_next=["PR068", "vote.west"], vote="aragon", regime_concession=None)
    assert pax.table.is_king("aragon") and pax.row("primus", "west") == ["aragon", "PR068"]
    assert ["aragon", "campaign"] in pax.options("op_next")  # E4.2: the card was not yet used


def test_E4_2_an_empire_that_acted_may_not_act_again_as_a_republic():
    pax = Case().given(
        king("aragon", "primus"),
        token("knight.catholic", "valencia"),
        cube("primus", ARAGON_FRANCE),
        tableau("primus", "west", "PR068"),
        market("west", 1, florins=2),
    )
    pax.when("primus", action=["ops", "west"], op_next=["aragon", "campaign"], campaign="portugal", regime_concession=None)
    pax.when("primus", op_next=["PR068", "vote.west"], vote="aragon", regime_concession=None)
    assert pax.table.get("side:aragon") == "republic" and pax.table.count("stack", "portugal") == 1
    assert pax.asked == ("primus", "action")


def test_E4_2_an_empire_gained_in_the_action_may_still_act():
    pax = Case().given(king("hre", "primus"), token("knight.catholic", "vienna"), king("france", "secundus"))
    pax.given(carries("france", "knight.catholic"))
    pax.when("primus", action=["ops", "west"], op_next=["hre", "campaign"], campaign="france", regime_concession=None)
    pax.when("primus", emancipate=["france", "knight.catholic", "lyon"])
    pax.when("primus", op_next=["france", "campaign"])
    pax.refuses("primus", "F9.1: a vassal", campaign="hre")
    pax.when("primus", campaign="aragon")
    assert pax.on("hre") == ["aragon", "france"]  # the victor's suzerain is the suzerain


def test_F9_6_a_suzerain_who_beats_his_own_vassal_changes_nothing():
    pax = Case().given(king("ottoman", "primus", vassals=("hungary",)), token("rook.catholic", "varna"))
    pax.given(token("knight.islamic", "constantinople:2"), token("knight.reformist", "constantinople:3"))
    pax.when("primus", action=["ops", "east"], op_next=["ottoman", "campaign"], campaign="hungary")
    pax.when("primus", casualties=[["city:constantinople:3 knight.reformist", 1]])
    assert pax.said("battle")["won"] and pax.cited("F9.6")
    assert pax.on("ottoman") == ["hungary"] and pax.asked == ("primus", "action")


def test_F9_6_a_vassal_who_beats_a_sibling_changes_nothing():
    pax = Case().given(king("ottoman", "primus", vassals=("hungary", "hre")), token("knight.catholic", "buda"))
    pax.when("primus", action=["ops", "east"], op_next=["hungary", "campaign"], campaign="hre")
    assert pax.said("battle")["won"] and pax.cited("F9.6")
    assert pax.on("ottoman") == ["hre", "hungary"] and pax.money("primus") == 4


def test_F9_6_another_own_empire_becomes_a_vassal():
    pax = Case().given(
        king("france", "primus", queen="PR073"),
        carries("france", "bishop.catholic"),
        king("aragon", "primus"),
        token("knight.catholic", "valencia"),
    )
    pax.when("primus", action=["ops", "west"], op_next=["aragon", "campaign"], campaign="france", regime_concession=ARAGON_FRANCE)
    assert pax.row("primus", "west") == ["aragon"] and pax.on("aragon") == ["france"]
    assert pax.table.count("discard", "PR073") == 1 and pax.table.count("supply", "bishop.catholic") == 5


# -- G -----------------------------------------------------------------------------------------------------


def test_G5_a_voyage_with_three_profits():
    """Rulebook L458: Hungary is saturated, and only the rook's place in Constantinople is free."""
    pax = Case().given(
        market("east", 0, florins=1),
        token("knight.islamic", "tana"),
        cube("secundus", BYZANTIUM_HUNGARY),
        cube("tertius", MAMLUK_OTTOMAN),
        token("knight.catholic", "buda"),
        token("knight.reformist", "varna"),
        token("knight.islamic", "constantinople:2"),
        token("knight.islamic", "constantinople:3"),
        token("rook.reformist", "modon"),
        token("rook.catholic", "rhodes"),
    )
    pax.when("primus", action=["fair", "east"], levy_city="caffa")
    assert pax.at("constantinople:1") == ["rook.islamic"]
    assert [pax.money(seat) for seat in pax.table.seats] == [6, 6, 6]
    assert pax.at("cairo") == [] and pax.table.florins_at("east", 0) == 0


def test_G3_1_the_cape_of_good_hope_pays_double_from_the_spice_islands():
    pax = Case().given(
        trades_from("spice_islands"),
        tableau("secundus", "west", "PR042"),
        cube("secundus", ENGLAND_PORTUGAL),
        market("west", 0, florins=2),
    )
    pax.when("primus", action=["fair", "west"], levy_city="toledo")
    assert pax.money("secundus") == 7
    assert pax.said("paid")["florins"] == 2


def test_G3_1_both_cape_cards_pay_four_but_never_more_than_is_left():
    pax = Case().given(
        trades_from("spice_islands"),
        tableau("secundus", "west", "PR042", "PR046"),
        cube("secundus", ENGLAND_PORTUGAL),
        market("west", 0, florins=2),
    )
    pax.when("primus", action=["fair", "west"], levy_city="toledo")
    assert pax.money("secundus") == 5 + 3 and pax.asked == ("primus", "action")


def test_G6_a_ruined_banker_leaves_and_the_last_one_wins():
    pax = Case(seats=2, bankruptcy=True).given(florins(secundus=0), king("france", "primus"), serf("secundus", "france"))
    pax.when("primus", action=None)
    assert pax.table.get("out:secundus") and pax.table.count("supply", "pawn.medici") == 10
    assert pax.run.over and pax.table.get("ending") == "bankruptcy" and pax.table.get("won:primus")


def test_G6_the_game_goes_on_without_the_ruined():
    pax = Case(bankruptcy=True).given(florins(secundus=0), active("primus", actions=1))
    pax.when("primus", action=None)
    assert pax.asked == ("tertius", "action")


def test_G6_without_the_option_nobody_is_ruined():
    pax = Case().given(florins(secundus=0), active("primus", actions=1)).when("primus", action=None)
    assert pax.asked == ("secundus", "action")


# -- I, J, K, RC -------------------------------------------------------------------------------------------


def test_J1_the_conspiracy_of_the_borgias():
    """Rulebook L524: a repressed knight and a pirate overthrow Aragon, whose vassal goes back to the stack."""
    pax = Case().given(
        hand("primus", "PR037"),
        king("aragon", "secundus", vassals=("france",)),
        carries("aragon", "knight.reformist"),
        pirate("islamic", ARAGON_PORTUGAL),
        token("rook.islamic", "algiers"),
    )
    pax.when("primus", action=["play", "PR037"], announce_oneshot="yes", choose_location="aragon")
    pax.when("primus", casualties=[[f"border:{ARAGON_PORTUGAL} rook.islamic", 1]], place_survivors=["knight.reformist", "valencia"])
    assert pax.at("valencia") == ["knight.reformist"] and pax.at(ARAGON_PORTUGAL) == []
    assert pax.row("primus", "west") == ["PR037", "aragon"] and pax.table.count("stack", "france") == 1
    pax.when("primus", regime_concession=ARAGON_PORTUGAL)
    pax.when("primus", place_agent_bishop=["bishop.catholic", "aragon"])
    assert pax.on("aragon") == ["bishop.catholic"]


def test_BAT_5_surplus_survivors_are_repressed():
    pax = Case().given(
        hand("primus", "PR077"),
        side("portugal", "medieval"),
        king("portugal", "secundus"),
        carries("portugal", "rook.catholic", "rook.islamic", "knight.catholic"),
    )
    pax.when("primus", action=["play", "PR077"], announce_oneshot="yes")
    pax.when("primus", place_survivors=["rook.catholic", "toledo"]).when("primus", place_survivors=["knight.catholic", "granada"])
    assert pax.on("portugal") == ["rook.catholic", "rook.catholic", "rook.islamic"]
    assert pax.row("primus", "west")[-1] == "portugal"


def test_BAT_7_the_duchy_of_ferrara_doubles_a_white_token_in_venice():
    pax = Case().given(
        tableau("tertius", "west", "PR083"),
        token("knight.catholic", "venice"),
        king("ottoman", "primus"),
        token("knight.islamic", "constantinople:2"),
        token("knight.islamic", "constantinople:3"),
    )
    pax.when("primus", action=["ops", "east"], op_next=["ottoman", "campaign"], campaign="papal_states")
    assert pax.said("battle")["defenders"] == 2 and not pax.said("battle")["won"]
    assert pax.at("venice") == []


def test_BAT_7_one_casualty_does_not_kill_a_doubled_token():
    pax = Case().given(
        tableau("tertius", "west", "PR083"),
        token("knight.catholic", "venice"),
        king("ottoman", "primus"),
        token("knight.islamic", "constantinople:2"),
    )
    pax.when("primus", action=["ops", "east"], op_next=["ottoman", "campaign"], campaign="papal_states")
    assert pax.at("venice") == ["knight.catholic"] and pax.at("constantinople:2") == []


@pytest.mark.parametrize("joined, attackers", [([["rhodes", 1]], 1), ([], 0)])
def test_BAT_8_the_hospitallers_rooks_may_join_a_crusade(joined, attackers):
    pax = Case().given(
        tableau("primus", "west", "PR040"),
        token("rook.catholic", "rhodes"),
        token("rook.islamic", "cairo"),
        hand("primus", "PR057"),
    )
    pax.when("primus", action=["play", "PR057"], announce_oneshot="yes", join_optional_attackers=joined)
    if pax.asked[1] == "casualties":
        pax.when("primus", casualties=pax.options("casualties")[0])
    assert pax.said("battle")["attackers"] == 2 + attackers


def test_J_2_a_war_without_attackers_fails_without_effect():
    pax = Case().given(hand("primus", "PR038"), token("knight.catholic", "venice"))
    pax.when("primus", action=["play", "PR038"], announce_oneshot="yes")
    assert pax.said("battle")["attackers"] == 0 and pax.at("venice") == ["knight.catholic"]
    assert pax.asked == ("primus", "place_agent_bishop")


def test_K2_1_the_attacker_arranges_constantinople_when_ottoman_turns():
    pax = Case().given(
        hand("primus", "PR086"),
        token("rook.islamic", "constantinople:1"),
        token("knight.islamic", "constantinople:2"),
        token("rook.catholic", "rhodes"),
    )
    pax.when("primus", action=["play", "PR086"], announce_oneshot="yes", casualties=[["city:constantinople:2 knight.islamic", 1]])
    assert pax.table.map_side("ottoman") == "islamic"
    pax.when("primus", arrange_constantinople=["vacant", "vacant", "rook.islamic"])
    assert pax.at("constantinople:1") == [] and pax.at("constantinople:3") == ["rook.islamic"]


def test_K1_2_adjacent_knights_fight_but_adjacent_rooks_do_not():
    pax = Case().given(
        hand("primus", "PR036"),
        token("rook.islamic", "algiers"),
        token("rook.catholic", "london"),
        token("knight.catholic", "venice"),
        token("knight.catholic", "buda"),
    )
    pax.when("primus", action=["play", "PR036"], announce_oneshot="yes")
    assert pax.said("battle")["attackers"] == 1  # Venice; Hungary is too far, London's token is a rook


def test_RC_3_a_bishop_stays_when_a_regime_changes():
    pax = Case().given(king("aragon", "secundus"), carries("aragon", "bishop.catholic"), cube("primus", ARAGON_FRANCE))
    pax.given(tableau("primus", "west", "PR068"))
    pax.when("primus", action=["ops", "west"], op_next=["PR068", "vote.west"], vote="aragon", regime_concession=None)
    assert pax.row("primus", "west") == ["PR068", "aragon"] and pax.on("aragon") == ["bishop.catholic"]


def test_RC_s2_without_a_cube_in_the_supply_a_serf_may_serve():
    pax = Case().given(king("aragon", "secundus"), king("england", "tertius"), cube("primus", ARAGON_FRANCE))
    pax.given(tableau("primus", "west", "PR068"), lambda case: case.table.move("pawn.fugger", "supply", "on:england", 9))
    pax.when("primus", action=["ops", "west"], op_next=["PR068", "vote.west"], vote="aragon", regime_concession=ARAGON_PORTUGAL)
    pax.when("primus", substitute_token="england")
    assert pax.at(ARAGON_PORTUGAL) == ["pawn.fugger"] and pax.table.count("on:england", "pawn.fugger") == 8


def test_L1_1_a_comet_with_all_victories_active_does_nothing():
    pax = Case().given(market("east", 2, "PR119"), *(victory(name) for name in VICTORIES))
    pax.when("primus", action=["purchase", "east", 2])
    assert pax.asked == ("primus", "action") and pax.table.count("discard", "PR119") == 1


def test_H1_3_tokens_on_a_closed_emporium_are_repressed_for_nothing():
    pax = Case().given(
        trades_from("tana"),
        token("knight.islamic", "tana"),
        king("byzantium", "secundus"),
        hand("primus", "PR115"),
        florins(primus=0),
    )
    pax.when("primus", action=["play", "PR115"], announce_oneshot="yes", place_agent_city=["rook.islamic", "timbuktu"])
    assert pax.on("byzantium") == ["knight.islamic"] and pax.money("primus") == 0
    assert pax.at("timbuktu") == ["rook.islamic"] and pax.table.busted("tana")


def test_RC_4_a_strawman_sheds_queen_and_vassals():
    pax = Case().given(
        king("aragon", "primus", queen="PR072", vassals=("france",)), serf("tertius", "france"), cube("primus", ARAGON_PAPAL)
    )
    pax.given(tableau("primus", "west", "PR068"))
    pax.when("primus", action=["ops", "west"], op_next=["PR068", "vote.west"], vote="aragon", regime_concession=None)
    assert pax.table.get("side:aragon") == "republic" and pax.on("aragon") == []
    assert pax.table.count("stack", "france") == 1 and pax.table.count("discard", "PR072") == 1
    assert pax.table.count("supply", "pawn.coeur") == 10


def test_BAT_5_serfs_without_an_empty_border_stay_serfs():
    pax = Case().given(
        king("england", "secundus"),
        carries("england", "pawn.coeur"),
        cube("secundus", ENGLAND_FRANCE),
        cube("tertius", ENGLAND_PORTUGAL),
        hand("primus", "PR062"),
    )
    pax.when("primus", action=["play", "PR062"], announce_oneshot="yes")
    assert pax.on("england") == ["pawn.coeur", "pawn.fugger"] and pax.row("primus", "west") == ["PR062", "england"]


def test_G4_2_a_levy_takes_the_symbol_of_the_side_that_is_up():
    pax = Case().given(side("byzantium", "islamic"), market("east", 0, florins=0), pirate("islamic", BYZANTIUM_HUNGARY))
    pax.when("primus", action=["fair", "east"], levy_city="caffa")
    assert pax.at("caffa") == ["rook.islamic"]


def test_E1_7_selling_gutenberg_costs_the_third_card():
    pax = Case().given(tableau("primus", "west", "PR071"), hand("primus", "PR062", "PR063", "PR064"))
    pax.when("primus", action=["sell", "PR071"])
    assert pax.asked == ("primus", "hand_limit_discard")
    pax.refuses("primus", "E1.7", hand_limit_discard=[])
    pax.when("primus", hand_limit_discard=[["PR062", 1]])
    assert pax.table.total("hand:primus") == 2 and pax.money("primus") == 7


def test_E3_3_a_suzerain_is_sold_for_two_and_a_vassal_may_go_alone():
    pax = Case().given(king("ottoman", "primus", vassals=("hre", "hungary")))
    pax.when("primus", action=["sell", "hre"])
    assert pax.money("primus") == 7 and pax.on("ottoman") == ["hungary"]
    pax.when("primus", action=["sell", "ottoman"])
    assert pax.money("primus") == 9 and pax.table.tableau("primus") == []
