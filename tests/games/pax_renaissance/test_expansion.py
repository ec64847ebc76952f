"""The expansion: polymaths, apostasy, torches and the abilities of its cards (M)."""

import pytest

from domain.games.pax_renaissance.data import CARDS
from domain.games.pax_renaissance.ops import majority, vote_cost
from domain.games.pax_renaissance.victory import margins, supremacy
from tests.games.pax_renaissance.case import (
    Case,
    active,
    carries,
    cube,
    florins,
    hand,
    king,
    maid,
    market,
    pirate,
    republic,
    side,
    tableau,
    token,
    victory,
)

ENGLAND_FRANCE, FRANCE_HRE, ARAGON_FRANCE = "border_england_france", "border_france_hre", "border_aragon_france"
ARAGON_PORTUGAL, OTTOMAN_PAPAL, MAMLUK_OTTOMAN = "border_aragon_portugal", "border_ottoman_papal_states", "border_mamluk_ottoman"
BYZANTIUM_HUNGARY, HUNGARY_OTTOMAN, HRE_HUNGARY = "border_byzantium_hungary", "border_hungary_ottoman", "border_hre_hungary"


def pax(*setting, **options) -> Case:
    return Case(**{"expansion": True, "extra_cards": True, **options}).given(*setting)


# -- M1, M2, M3 --------------------------------------------------------------------------------------------


def test_M1_a_polymath_brings_no_agents():
    case = pax(hand("primus", "PX131")).when("primus", action=["play", "PX131"])
    assert case.row("primus", "west") == ["PX131"] and case.asked == ("primus", "action")


def test_M2_2_a_queen_goes_alone_and_her_king_stays():
    case = pax(hand("primus", "PX098"), king("hungary", "secundus", queen="PR104"), tableau("secundus", "west", "PR029"))
    case.when("primus", action=["play", "PX098"], announce_oneshot="yes")
    assert case.row("secundus", "east") == ["hungary"] and case.on("hungary") == []
    assert case.table.count("discard", "PR104") == case.table.count("discard", "PR029") == 1


def test_M2_2_a_card_that_goes_itself_still_places_its_bishop():
    case = pax(hand("primus", "PX098"), tableau("primus", "west", "PR029", "PR050"))
    case.when("primus", action=["play", "PX098"], announce_oneshot="yes")
    assert case.table.tableau("primus") == ["PR050"]
    assert case.options("place_agent_bishop") == [["bishop.reformist", "PR050"]]


def test_M2_2_without_another_card_of_the_location_the_bishop_is_not_placed():
    case = pax(hand("primus", "PX098"), tableau("primus", "west", "PR031"))
    case.when("primus", action=["play", "PX098"], announce_oneshot="yes")
    assert case.table.tableau("primus") == [] and case.asked == ("primus", "action")


def test_M2_3_an_apostasy_nobody_suffers_may_be_announced():
    case = pax(hand("primus", "PX154")).when("primus", action=["play", "PX154"], announce_oneshot="yes")
    assert case.said("apostasy")["cards"] == []


def test_M3_1_a_torch_turns_an_active_victory_back_until_the_next_comet():
    case = pax(hand("primus", "PX145"), victory("imperial"), market("east", 1, "PR119"))
    case.when("primus", action=["play", "PX145"], announce_oneshot="yes", place_agent_city=["knight.catholic", "vienna"])
    assert case.table.get("victory:imperial") is False
    case.when("primus", action=["purchase", "east", 1], activate_victory="imperial")
    assert case.table.get("victory:imperial") is True


# -- M4: abilities -----------------------------------------------------------------------------------------


def test_hermeticism_keeps_all_cards_of_its_owner_loud():
    case = pax(tableau("primus", "west", "PX136", "PR064"), carries("PR064", "bishop.catholic"), carries("PX136", "bishop.islamic"))
    assert not case.table.silenced("PR064") and case.table.disreputed("holy")


def test_epicurean_swerve_saves_from_apostasy():
    case = pax(tableau("primus", "west", "PX155", "PR080"), tableau("primus", "east", "PR086"), hand("primus", "PX154"))
    case.when("primus", action=["play", "PX154"], announce_oneshot="yes")
    assert {"PR080", "PR086"} <= set(case.table.tableau("primus"))


def test_the_grand_mufti_beheads_only_beside_a_bishop():
    case = pax(
        tableau("primus", "east", "PX118"),
        tableau("secundus", "east", "PR093", "PR091", "PR096"),
        carries("PR091", "bishop.catholic"),
        carries("PR096", "bishop.reformist"),
    )
    case.when("primus", action=["ops", "east"], op_next=["PX118", "behead"])
    assert case.options("behead") == ["PR096"]
    case.refuses("primus", "M4", behead="PR091")


def test_elizabeth_bathory_starts_a_revolt_by_her_end():
    case = pax(king("hungary", "primus", queen="PX095"), carries("hungary", "pawn.fugger", "pawn.medici"))
    case.when("primus", action=["use_ability_action", "PX095"])
    assert case.said("battle")["attackers"] == 2 and case.table.count("discard", "PX095") == 1
    case.when("primus", place_survivors=["pawn.fugger", HRE_HUNGARY]).when(
        "primus", place_survivors=["pawn.medici", HUNGARY_OTTOMAN]
    )
    assert case.table.get("side:hungary") == "republic"


def test_a_silenced_queen_offers_no_action():
    case = pax(king("hungary", "primus", queen="PX095"), carries("hungary", "bishop.catholic"))
    case.refuses("primus", "not one of the options", action=["use_ability_action", "PX095"])


def test_the_oratory_chooses_its_apostasy():
    case = pax(tableau("primus", "west", "PX129"), tableau("secundus", "east", "PR086"), tableau("secundus", "west", "PR080"))
    case.when("primus", action=["use_ability_action", "PX129"])
    assert case.options("choose_apostasy") == [["catholic", "islamic"], ["catholic", "reformist"], ["islamic", "reformist"]]
    case.when("primus", choose_apostasy=["islamic", "reformist"])
    assert case.table.tableau("secundus") == [] and case.table.tableau("primus") == ["PX129"]


def test_the_podesta_holds_one_fair_for_nothing():
    case = pax(tableau("primus", "west", "PX097"), market("east", 0, florins=0), pirate("islamic", BYZANTIUM_HUNGARY))
    case.when("primus", action=["fair", "east"], levy_city="tana")
    assert case.table.get("actions") == 2
    case.when("primus", action=["fair", "west"], levy_city="caffa")
    assert case.table.get("actions") == 1


def test_a_free_action_is_left_when_both_are_spent():
    case = pax(tableau("primus", "east", "PX101", "PR102"), market("east", 1, florins=1), active("primus", actions=1))
    case.when("primus", action=None)
    assert case.options("action") == [None, ["ops", "east"]]
    case.refuses("primus", "D1.1", action=["fair", "east"])
    case.when("primus", action=["ops", "east"], op_next=["PR102", "commerce.east"], commerce=1)
    assert case.asked == ("secundus", "action") and case.money("primus") == 6


def test_the_end_of_a_turn_may_be_chosen_before_a_free_action():
    case = pax(tableau("primus", "west", "PX134", "PR064"), market("west", 1, florins=1), active("primus", actions=1))
    case.when("primus", action=None).when("primus", action=None)
    assert case.asked == ("secundus", "action")


def test_gritti_spies_join_east_and_west():
    case = pax(tableau("primus", "east", "PX110", "PR102"), tableau("primus", "west", "PR064"))
    case.given(market("east", 1, florins=1), market("west", 1, florins=1))
    case.when("primus", action=["ops", "both"], op_next=["PR102", "commerce.east"], commerce=1)
    case.when("primus", op_next=["PR064", "commerce.west"], commerce=1)
    assert case.money("primus") == 7 and case.table.get("actions") == 1
    case.refuses("primus", "D1.1", action=["ops", "west"])


def test_without_the_spies_ops_are_two_actions():
    case = pax(tableau("primus", "east", "PR102"), market("east", 1, florins=1))
    case.refuses("primus", "E4", action=["ops", "both"])


@pytest.mark.parametrize(
    "card, victory_name, what",
    [("PX102", "globalization", "concessions"), ("PX132", "renaissance", "law prestige")],
)
def test_patrons_count_as_something_else(card, victory_name, what):
    case = pax(tableau("primus", "west", card, "PR060", "PR083"))
    patrons = case.table.prestige("primus")["patron"]
    assert patrons >= 2
    (margin,) = [margin for margin in margins(case.table, "primus", victory_name) if margin.what == what]
    assert margin.have == patrons


def test_an_academy_counts_as_a_republic():
    case = pax(tableau("primus", "east", "PX103"))
    assert margins(case.table, "primus", "renaissance")[0].have == 1


def test_the_mamluk_golden_age_counts_patrons_as_bishops_for_its_owner():
    case = pax(tableau("primus", "east", "PX164"), tableau("primus", "west", "PR060"))
    assert supremacy(case.table, "primus")[0]["islamic"] == 1
    assert supremacy(case.table, "secundus")[0]["islamic"] == 0


def test_the_zionist_state_counts_black_pirates_as_red():
    case = pax(tableau("primus", "east", "PX168"), pirate("islamic", OTTOMAN_PAPAL), side("papal_states", "reformist"))
    bishops, tokens = supremacy(case.table)
    assert bishops["reformist"] == 1 and tokens["reformist"] == 1


def test_jewish_bankers_make_votes_cheaper():
    case = pax(tableau("primus", "east", "PX166"), tableau("primus", "west", "PR060"), king("france", "secundus"))
    case.given(carries("france", "pawn.medici", "pawn.medici"))
    assert vote_cost(case.table, "primus", "france") == 1
    assert vote_cost(case.table, "secundus", "france") == 2


def test_michelangelo_doubles_concessions_in_votes_and_fairs():
    case = pax(tableau("primus", "west", "PX131"), king("hungary", "secundus"), cube("primus", BYZANTIUM_HUNGARY))
    case.given(cube("secundus", HUNGARY_OTTOMAN), market("east", 0, florins=3))
    assert majority(case.table, "hungary") == "primus"
    case.when("primus", action=["fair", "east"], levy_city="tana")
    assert case.money("primus") == 5 + 1 + 2


def test_the_imperial_arsenal_lets_a_cube_live_beside_a_pirate():
    case = pax(tableau("secundus", "east", "PX107"), cube("secundus", MAMLUK_OTTOMAN), hand("primus", "PR091"))
    case.when("primus", action=["play", "PR091"], place_agent_pirate=["rook.islamic", MAMLUK_OTTOMAN])
    assert case.at(MAMLUK_OTTOMAN) == ["pawn.medici", "rook.islamic"]
    case.given(market("east", 0, florins=3), *(token("rook.islamic", city) for city in ("cairo",)))
    case.when("primus", action=["fair", "east"], levy_city="tana")
    case.when("primus", levy_city="buda").when("primus", levy_city="modon")
    assert case.money("secundus") == 6 and case.said("piracy")["border"] == MAMLUK_OTTOMAN
    assert case.table.florins_at("east", 0) == 3 + 2 - 1 - 1 - 1


def test_cryptography_borrows_a_political_op():
    case = pax(tableau("primus", "west", "PX130"), tableau("secundus", "east", "PR092"), cube("tertius", ARAGON_FRANCE))
    case.given(carries("PR092")).when("primus", action=["sell", "PX130"])
    assert case.options("opponent_op") == [None, ["PR092", "repress"]]
    case.when("primus", opponent_op=["PR092", "repress"], repress=[ARAGON_FRANCE, "aragon"])
    assert case.money("primus") == 5 + 2 + 1


def test_cryptography_finds_no_silenced_card():
    case = pax(tableau("primus", "west", "PX130"), tableau("secundus", "east", "PR092"), carries("PR092", "bishop.islamic"))
    case.given(cube("tertius", ARAGON_FRANCE)).when("primus", action=["sell", "PX130"])
    assert case.asked == ("primus", "action")


def test_enclosure_frees_tokens_of_the_west():
    case = pax(tableau("primus", "west", "PX161"), king("france", "secundus"), carries("france", "rook.catholic", "pawn.coeur"))
    case.when("primus", action=["sell", "PX161"], emancipate=["france", "rook.catholic", "lyon"])
    case.when("primus", emancipate=["france", "pawn.coeur", ENGLAND_FRANCE])
    assert case.at("lyon") == ["rook.catholic"] and case.at(ENGLAND_FRANCE) == ["pawn.coeur"]


def test_machiavelli_sells_a_card_with_its_war():
    case = pax(tableau("primus", "west", "PX135"), hand("primus", "PR050"))
    case.when("primus", action=["sell", "PR050"], announce_oneshot="yes", place_survivors=["knight.reformist", "vienna"])
    assert case.table.count("discard", "PR050") == 1 and case.row("primus", "west") == ["PX135", "hre"]
    assert case.money("primus") == 7


def test_machiavelli_sells_no_jihad():
    case = pax(tableau("primus", "west", "PX135"), hand("primus", "PR086"), token("rook.catholic", "rhodes"))
    case.when("primus", action=["sell", "PR086"])
    assert case.asked == ("primus", "action")


def test_a_buffer_state_keeps_portugal_and_france_apart():
    case = pax(king("aragon", "secundus", queen="PX151"))
    assert "france" not in case.table.adjacent("portugal") and "portugal" not in case.table.adjacent("france")
    assert "france" in pax().table.adjacent("portugal")


def test_slave_soldiers_march_as_knights():
    case = pax(tableau("primus", "east", "PX164"), king("mamluk", "primus"), carries("mamluk", "rook.islamic", "pawn.medici"))
    case.when("primus", action=["ops", "east"], op_next=["mamluk", "campaign"], campaign="ottoman")
    assert case.said("battle")["attackers"] == 2 and case.money("primus") == 3


def test_the_wolf_of_rimini_makes_room_in_venice():
    case = pax(tableau("primus", "west", "PX143"), token("knight.catholic", "venice"))
    assert not case.table.saturated("papal_states")
    case.given(token("knight.catholic", "venice:2"))
    assert case.table.saturated("papal_states")
    case.when("primus", action=["sell", "PX143"])
    assert case.at("venice") == ["knight.catholic"] and case.at("venice:2") == []


def test_without_the_wolf_venice_holds_one():
    case = pax(token("knight.catholic", "venice"))
    assert case.table.saturated("papal_states")


def test_a_ransomed_queen_and_her_king_bring_six():
    case = pax(king("hre", "primus", queen="PX138")).when("primus", action=["sell", "hre"])
    assert case.money("primus") == 11


def test_every_ability_of_the_pack_is_known_to_the_rules():
    known = {
        "rooks_as_knights",
        "fair_multiplier",
        "sell_value",
        "no_hand_limit",
        "battle_weight",
        "immune_to_silencing",
        "immune_to_apostasy",
        "restrict_behead",
        "action_discard_for",
        "action",
        "free_action",
        "combined_ops",
        "count_as",
        "vote_discount",
        "concession_multiplier",
        "concession_immune_to_pirates",
        "on_sell",
        "on_sell_any",
        "not_adjacent",
        "repressed_as_knights",
        "city_capacity",
    }
    assert {effect for card in CARDS.values() for effect in card.effects} == known


def test_old_maids_and_republics_keep_their_prestige():
    case = pax(maid("primus", "PR106"), republic("mamluk", "primus"), florins(primus=0))
    assert case.table.prestige("primus")["islamic"] == 2
    assert case.table.tableau_prestige("primus")["islamic"] == 1
