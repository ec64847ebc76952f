"""The worked examples of the rulebook (EXAMPLES, part A)."""

from domain.games.pax_renaissance.data import BORDERS, BORDERS_OF, EMPIRES
from domain.games.pax_renaissance.victory import supreme
from tests.games.pax_renaissance.case import (
    Case,
    carries,
    cube,
    florins,
    hand,
    king,
    market,
    pirate,
    serf,
    side,
    tableau,
    token,
)

ENGLAND_FRANCE, ENGLAND_PORTUGAL, FRANCE_HRE = "border_england_france", "border_england_portugal", "border_france_hre"
ARAGON_FRANCE, ARAGON_PORTUGAL, ARAGON_PAPAL = "border_aragon_france", "border_aragon_portugal", "border_aragon_papal_states"
MAMLUK_OTTOMAN, BYZANTIUM_HUNGARY = "border_mamluk_ottoman", "border_byzantium_hungary"


def test_PRA01_the_fourth_card_costs_three_laid_on_the_cards_to_the_left():
    pax = Case().given(florins(primus=5), market("west", 3, "PR064", florins=2))
    pax.when("primus", action=["purchase", "west", 3])
    assert [pax.table.florins_at("west", column) for column in range(6)] == [1, 1, 1, 0, 0, 0]
    assert pax.money("primus") == 5 - 3 + 2
    assert pax.table.items("hand:primus") == ["PR064"]
    assert pax.table.card_at("west", 3) == ""


def test_PRA02_florins_on_a_card_cannot_finance_it():
    pax = Case().given(florins(primus=2), market("west", 3, "PR064", florins=2))
    pax.refuses("primus", "E1.1", action=["purchase", "west", 3])


def flanders_guild() -> Case:
    return Case().given(hand("primus", "PR064"), cube("secundus", FRANCE_HRE))


def test_PRA03_flanders_guild_revolts():
    pax = flanders_guild().when("primus", action=["play", "PR064"], announce_oneshot="yes")
    assert pax.said("battle")["attackers"] == 1 and pax.said("battle")["defenders"] == 0
    assert pax.options("place_survivors") == [["pawn.fugger", ENGLAND_FRANCE], ["pawn.fugger", ARAGON_FRANCE]]
    pax.when("primus", place_survivors=["pawn.fugger", ENGLAND_FRANCE])
    assert pax.row("primus", "west") == ["PR064", "france"]
    assert pax.table.get("side:france") == "king"
    assert FRANCE_HRE in pax.options("regime_concession")
    pax.when("primus", regime_concession=FRANCE_HRE)
    assert pax.money("primus") == 4
    assert pax.on("france") == ["pawn.medici"]
    assert pax.table.concessions("primus", "france") == [ENGLAND_FRANCE, FRANCE_HRE]


def test_PRA03_the_second_concession_is_free_on_an_empty_border():
    pax = flanders_guild().when(
        "primus", action=["play", "PR064"], announce_oneshot="yes", place_survivors=["pawn.fugger", ENGLAND_FRANCE]
    )
    pax.when("primus", regime_concession=ARAGON_FRANCE)
    assert pax.money("primus") == 5
    assert pax.table.concessions("primus", "france") == [ENGLAND_FRANCE, ARAGON_FRANCE]


def test_PRA04_the_same_card_without_the_one_shot():
    pax = flanders_guild().when("primus", action=["play", "PR064"], announce_oneshot="no")
    places = [place for _, place in pax.options("place_agent_pawn")[1:]]
    assert places == [ENGLAND_FRANCE, FRANCE_HRE, ARAGON_FRANCE]
    pax.when("primus", place_agent_pawn=["pawn.fugger", ENGLAND_FRANCE])
    assert pax.money("primus") == 5
    assert pax.table.count("stack", "france") == 1
    assert pax.table.concessions("primus") == [ENGLAND_FRANCE]


def silenced_commerce() -> Case:
    return Case().given(
        tableau("primus", "west", "PR067", "PR066", "PR033"),
        carries("PR066", "bishop.reformist"),
        market("west", 1, florins=1),
        market("west", 2, florins=1),
    )


def test_PRA05_the_order_of_ops_frees_a_silenced_card():
    pax = silenced_commerce().when("primus", action=["ops", "west"])
    pax.refuses("primus", "E4.7", op_next=["PR066", "commerce.west"])
    pax.when("primus", op_next=["PR067", "commerce.west"], commerce=1)
    pax.when("primus", op_next=["PR033", "inquisitor.reformist"], inquisitor=["PR066", "PR067"])
    pax.when("primus", op_next=["PR066", "commerce.west"], commerce=2)
    assert pax.money("primus") == 7
    assert pax.on("PR067") == ["bishop.reformist"]
    assert pax.asked == ("primus", "action")  # every card was used once


def three_inquisitors() -> Case:
    return Case().given(
        tableau("primus", "west", "PR062", "france", "PR063", "PR065", "PR033", "PR039", "PR034"),
        carries("PR065", "bishop.reformist"),
        serf("secundus", "france"),
    )


def test_PRA06_three_inquisitors_walk_one_bishop():
    pax = three_inquisitors().when("primus", action=["ops", "west"])
    pax.when("primus", op_next=["PR033", "inquisitor.reformist"], inquisitor=["PR065", "PR063"])
    assert not pax.table.silenced("PR065")
    pax.when("primus", op_next=["PR039", "inquisitor.reformist"], inquisitor=["PR063", "france"])
    pax.when("primus", pacify=["france", "pawn.medici"])
    assert pax.on("france") == ["bishop.reformist"]
    pax.when("primus", op_next=["PR034", "inquisitor.reformist"], inquisitor=["france", "PR062"])
    assert not any(pax.table.silenced(card) for card in ("PR065", "PR063", "france"))
    assert pax.on("PR062") == ["bishop.reformist"]


def test_PRA06_no_bishop_steps_onto_a_player_card_or_jumps_to_a_far_card():
    pax = three_inquisitors().when("primus", action=["ops", "west"])
    pax.when("primus", op_next=["PR033", "inquisitor.reformist"])
    pax.refuses("primus", "F1", inquisitor=["PR065", "fugger"])
    pax.refuses("primus", "F1.1", inquisitor=["PR065", "PR062"])
    assert ["PR065", "PR033"] in pax.options("inquisitor")  # outwards, back and forth, is legal too


def test_PRA07_behead_across_the_east():
    pax = Case().given(tableau("secundus", "east", "PR089"), tableau("primus", "east", "PR086"))
    pax.when("primus", action=["ops", "east"], op_next=["PR086", "behead"], behead="PR089")
    assert pax.table.count("discard", "PR089") == 1
    assert pax.row("primus", "east") == ["PR086"]


def test_PRA08_tax_through_the_holy_land_crusade():
    pax = Case().given(
        side("mamluk", "catholic"), cube("tertius", MAMLUK_OTTOMAN), florins(tertius=2), tableau("primus", "west", "PR057")
    )
    pax.when("primus", action=["ops", "west"], op_next=["PR057", "tax"], tax_target=[MAMLUK_OTTOMAN, "mamluk"])
    assert pax.asked == ("tertius", "tax_response")
    pax.when("tertius", tax_response="pay", levy_city="cairo")
    assert pax.money("tertius") == 1
    assert pax.at("cairo") == ["rook.catholic"]
    assert pax.at(MAMLUK_OTTOMAN) == ["pawn.coeur"]


def isabella() -> Case:
    return Case().given(
        king("aragon", "primus", queen="PR072"),
        cube("secundus", ARAGON_PORTUGAL),
        token("rook.islamic", "algiers"),
        token("knight.catholic", "valencia"),
    )


def test_PRA09_isabella_represses_a_concession():
    pax = isabella().when("primus", action=["ops", "west"], op_next=["PR072", "repress"])
    assert pax.options("repress") == [["algiers", "aragon"], [ARAGON_PORTUGAL, "aragon"]]
    pax.when("primus", repress=[ARAGON_PORTUGAL, "aragon"])
    assert "pawn.medici" in pax.on("aragon")
    assert pax.money("primus") == 6
    assert ["aragon", "campaign"] in pax.options("op_next")  # the king's own op is still to come


def test_PRA10_what_a_siege_can_hit():
    pax = Case().given(
        tableau("primus", "west", "PR049"),
        token("knight.catholic", "valencia"),
        token("rook.islamic", "algiers"),
        pirate("islamic", ARAGON_PORTUGAL),
        token("knight.catholic", "paris"),
    )
    pax.when("primus", action=["ops", "west"], op_next=["PR049", "siege"])
    assert sorted(pax.options("siege")) == sorted(["valencia", "algiers", ARAGON_PORTUGAL])
    pax.when("primus", siege=ARAGON_PORTUGAL)
    assert pax.at(ARAGON_PORTUGAL) == [] and pax.table.count("supply", "rook.islamic") == 6
    assert pax.money("primus") == 5


def vassal_marches(purse: int = 3) -> Case:
    return Case().given(
        king("ottoman", "primus", vassals=("hre",)),
        token("knight.reformist", "nurnberg"),
        token("knight.catholic", "vienna"),
        king("france", "secundus"),
        carries("france", "rook.catholic", "pawn.fugger"),
        florins(primus=purse),
    )


def test_PRA11_a_vassal_campaigns_for_its_suzerain():
    pax = vassal_marches().when("primus", action=["ops", "east"], op_next=["hre", "campaign"], campaign="france")
    assert pax.money("primus") == 1
    assert pax.on("ottoman") == ["france", "hre"] and pax.table.get("side:france") == "king"
    pax.when("primus", regime_concession=ENGLAND_FRANCE)
    pax.when("primus", emancipate=["france", "rook.catholic", "lyon"])
    pax.when("primus", emancipate=["france", "pawn.fugger", FRANCE_HRE])
    assert pax.at("lyon") == ["rook.catholic"]
    assert pax.table.concessions("primus", "france") == [ENGLAND_FRANCE, FRANCE_HRE]
    assert pax.at("nurnberg") == ["knight.reformist"] and pax.at("vienna") == ["knight.catholic"]
    assert pax.money("primus") == 1


def test_PRA11_one_knight_alone_may_not_march():
    pax = vassal_marches(purse=1).given(tableau("primus", "east", "PR102"), market("east", 1, florins=1))
    pax.when("primus", action=["ops", "east"])
    pax.refuses("primus", "F9.2: all 2 knights must attack", op_next=["hre", "campaign"])
    pax.refuses("primus", "F9.2: there is no knight", op_next=["ottoman", "campaign"])


def test_PRA12_an_east_fair_with_two_profits():
    pax = Case().given(
        market("east", 0, florins=0),
        token("knight.islamic", "tana"),
        cube("secundus", BYZANTIUM_HUNGARY),
        cube("tertius", MAMLUK_OTTOMAN),
    )
    pax.when("primus", action=["fair", "east"])
    assert pax.said("fair")["profits"] == 2
    assert pax.options("levy_city") == ["caffa", "trebizond"]
    pax.when("primus", levy_city="caffa")
    assert (pax.money("primus"), pax.money("secundus"), pax.money("tertius")) == (6, 6, 5)
    assert pax.at("caffa") == ["knight.catholic"] and pax.at("buda") == []
    assert pax.asked == ("primus", "action")


def test_PRA13_a_revolt_against_the_own_vassal():
    pax = Case().given(
        king("ottoman", "primus", vassals=("france",)),
        token("knight.catholic", "paris"),
        token("rook.catholic", "bruges"),
        pirate("islamic", ENGLAND_FRANCE),
        cube("primus", FRANCE_HRE),
        hand("primus", "PR064"),
    )
    pax.when("primus", action=["play", "PR064"], announce_oneshot="yes")
    pax.when("primus", casualties=[[f"border:{ENGLAND_FRANCE} rook.islamic", 1], [f"border:{FRANCE_HRE} pawn.fugger", 1]])
    assert (pax.said("battle")["attackers"], pax.said("battle")["defenders"]) == (3, 2)
    pax.when("primus", place_survivors=["pawn.fugger", FRANCE_HRE])
    assert pax.table.get("side:france") == "republic"
    assert pax.row("primus", "west") == ["PR064", "france"] and pax.on("ottoman") == []
    pax.when("primus", regime_concession=ENGLAND_FRANCE)
    assert pax.table.concessions("primus", "france") == [ENGLAND_FRANCE, FRANCE_HRE]
    assert pax.at("paris") == pax.at("bruges") == []


def test_PRA14_the_crusade_of_the_jesuits():
    pax = Case().given(
        king("aragon", "primus"),
        token("rook.catholic", "valencia"),
        token("rook.islamic", "algiers"),
        token("knight.catholic", "london"),
        pirate("catholic", ARAGON_PAPAL),
        hand("primus", "PR036"),
    )
    pax.when("primus", action=["play", "PR036"], announce_oneshot="yes", casualties=[["city:valencia rook.catholic", 1]])
    assert (pax.said("battle")["attackers"], pax.said("battle")["defenders"]) == (3, 1)
    assert pax.at("algiers") == pax.at("valencia") == []
    assert pax.at("london") == ["knight.catholic"]
    assert pax.table.map_side("aragon") == "catholic"
    assert pax.table.get("side:aragon") == "republic"
    pax.when("primus", regime_concession=ARAGON_FRANCE)
    assert pax.options("place_agent_bishop") == [["bishop.catholic", "aragon"], ["bishop.catholic", "PR036"]]
    pax.when("primus", place_agent_bishop=["bishop.catholic", "PR036"])
    assert pax.on("PR036") == ["bishop.catholic"]


def test_PRA15_the_ottoman_navy_makes_islam_supreme():
    pax = Case().given(
        tableau("secundus", "east", "PR111"),
        carries("PR111", "bishop.islamic"),
        token("rook.islamic", "cairo"),
        token("knight.catholic", "venice"),
        hand("primus", "PR091"),
    )
    assert supreme(pax.table) == ""
    pax.when("primus", action=["play", "PR091"], place_agent_pirate=["rook.islamic", MAMLUK_OTTOMAN])
    assert supreme(pax.table) == "islamic"


def test_PRA16_the_apostasy_of_the_european_union():
    pax = Case(expansion=True).given(
        hand("primus", "PX154"),
        tableau("primus", "west", "PR080"),
        tableau("primus", "east", "PR086", "PR099"),
        tableau("secundus", "west", "PR032", "PR033", "PR034"),
        king("ottoman", "secundus", vassals=("hungary",)),
        tableau("tertius", "west", "PR039"),
    )
    pax.when("primus", action=["play", "PX154"], announce_oneshot="yes")
    assert pax.table.tableau("primus") == ["PX154"]
    assert pax.table.tableau("secundus") == []
    assert pax.table.count("stack", "ottoman") == pax.table.count("stack", "hungary") == 1
    assert pax.table.tableau("tertius") == ["PR039"]


def test_PRA17_a_deck_for_three():
    pax = Case()
    for row in ("east", "west"):
        dealt = 6
        assert pax.table.deck_size(row) + dealt == 26
        assert pax.table.total(f"deck:{row}:lower") == 14
        comets = {"east": ["PR119", "PR120"], "west": ["PR084", "PR085"]}[row]
        assert all(pax.table.count(f"deck:{row}:lower", comet) == 1 for comet in comets)


def test_PRA18_behead_in_mamluk():
    targets = {
        "PR093": "mamluk",
        "PR089": "the_east",
        "PR091": "ottoman",
        "PR094": "hungary",
        "PR096": "byzantium",
        "PR064": "france",
    }
    pax = Case().given(king("mamluk", "primus", queen="PR105"), tableau("secundus", "east", *targets))
    pax.when("primus", action=["ops", "east"], op_next=["PR105", "behead"])
    assert [card for card in pax.options("behead") if card in targets] == ["PR093", "PR089"]
    pax.refuses("primus", "F3.1", behead="PR091")
    pax.refuses("primus", "F3.1", behead="PR064")


def test_PRA19_borders():
    assert [border.between for border in BORDERS_OF["england"]] == [("england", "france"), ("england", "portugal")]
    assert len(BORDERS_OF["ottoman"]) == 3 and all(border.sea for border in BORDERS_OF["ottoman"])
    assert len(BORDERS) == 13 and sum(border.sea for border in BORDERS.values()) == 9
    assert len(EMPIRES) == 10


def test_PRA20_repressing_an_own_concession():
    pax = Case().given(king("aragon", "secundus"), cube("primus", ARAGON_FRANCE), tableau("primus", "east", "PR092"))
    pax.when("primus", action=["ops", "east"], op_next=["PR092", "repress"], repress=[ARAGON_FRANCE, "aragon"])
    assert pax.money("primus") == 6
    assert pax.on("aragon") == ["pawn.fugger"]
