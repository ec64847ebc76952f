"""Edge cases the text decides (EXAMPLES, part B)."""

import pytest

from domain.games.pax_renaissance.data import CARDS
from domain.games.pax_renaissance.ops import majority
from domain.games.pax_renaissance.victory import lacks, supreme, victory_refused
from tests.games.pax_renaissance.case import (
    Case,
    active,
    carries,
    cube,
    deck,
    done,
    florins,
    hand,
    king,
    maid,
    market,
    pirate,
    republic,
    serf,
    side,
    tableau,
    token,
    trades_from,
    used_up,
    vacant,
    victory,
)

ENGLAND_FRANCE, ENGLAND_PORTUGAL, FRANCE_HRE = "border_england_france", "border_england_portugal", "border_france_hre"
ARAGON_FRANCE, ARAGON_PORTUGAL, ARAGON_PAPAL = "border_aragon_france", "border_aragon_portugal", "border_aragon_papal_states"
MAMLUK_OTTOMAN, BYZANTIUM_HUNGARY, HUNGARY_OTTOMAN = "border_mamluk_ottoman", "border_byzantium_hungary", "border_hungary_ottoman"
OTTOMAN_PAPAL, HRE_HUNGARY, HRE_PAPAL = "border_ottoman_papal_states", "border_hre_hungary", "border_hre_papal_states"


def test_PRB01_a_comet_is_bought_with_a_full_hand():
    pax = Case().given(hand("primus", "PR064", "PR065"), market("east", 2, "PR119"), florins(primus=2))
    pax.refuses("primus", "E1.7", action=["purchase", "west", 1])
    pax.when("primus", action=["purchase", "east", 2])
    assert pax.options("activate_victory") == ["holy", "imperial", "globalization", "renaissance"]
    pax.when("primus", activate_victory="imperial")
    assert pax.table.get("victory:imperial") is True
    assert pax.money("primus") == 0 and pax.table.count("discard", "PR119") == 1
    assert pax.table.total("hand:primus") == 2


def test_PRB02_a_card_with_a_fresh_florin_cannot_be_bought_in_the_same_turn():
    pax = Case().given(florins(primus=9), market("east", 0, florins=0)).when("primus", action=["purchase", "east", 3])
    pax.refuses("primus", "E1.6", action=["purchase", "east", 1])
    pax.refuses("primus", "E1.6", action=["purchase", "east", 2])
    legal = pax.options("action")
    assert ["purchase", "east", 4] in legal and ["purchase", "west", 1] in legal
    pax.when("primus", action=["fair", "east"])
    assert pax.said("fair")["profits"] == 1 + 2


def test_PRB02_the_lock_ends_with_the_turn():
    pax = Case().given(florins(primus=9)).when("primus", action=["purchase", "east", 3])
    pax.when("primus", action=None)
    assert pax.asked == ("secundus", "action")
    assert ["purchase", "east", 1] in pax.options("action")


def test_PRB03_what_can_be_done_twice():
    pax = Case().given(
        tableau("primus", "east", "PR100"),
        tableau("primus", "west", "PR064"),
        hand("primus", "PR062", "PR063"),
        market("east", 1, florins=1),
        market("west", 1, florins=1),
        victory("imperial"),
    )
    pax.given(king("england", "primus"), king("france", "primus"))
    pax.when("primus", action=["ops", "east"], op_next=["PR100", "commerce.east"], commerce=1)
    pax.refuses("primus", "D1.1: the east ops", action=["ops", "east"])
    legal = pax.options("action")
    for deed in (["ops", "west"], ["fair", "east"], ["fair", "west"], ["play", "PR062"], ["sell", "PR062"]):
        assert deed in legal
    assert ["declare_victory", "imperial"] in legal and None in legal


def test_PRB03_two_sales_in_a_turn():
    pax = Case().given(hand("primus", "PR062", "PR063"))
    pax.when("primus", action=["sell", "PR062"]).when("primus", action=["sell", "PR063"])
    assert pax.money("primus") == 9


def test_PRB03_a_fair_is_held_once_a_turn():
    pax = Case().given(done("fair:east"))
    pax.refuses("primus", "D1.1", action=["fair", "east"])


def test_PRB04_the_refresh_moves_cards_with_their_florins():
    pax = Case().given(market("east", 0, florins=1), market("east", 2, "PR100", florins=2), vacant("east", 1))
    first = pax.table.card_at("east", 0)
    rest = [pax.table.card_at("east", column) for column in (3, 4, 5)]
    pax.when("primus", action=None).when("primus", action=None)
    assert [pax.table.card_at("east", column) for column in range(5)] == [first, "PR100", *rest]
    assert pax.table.card_at("east", 5) in CARDS
    assert [pax.table.florins_at("east", column) for column in range(6)] == [1, 2, 0, 0, 0, 0]
    assert pax.seen_by("secundus").card_at("east", 0) == "?"


def test_PRB05_an_empty_deck_is_served_by_the_other():
    pax = Case().given(deck("east"), deck("west", "PR064", "PR065", "PR066"), vacant("east", 1))
    pax.chance.script["draw_west"] = ["PR064"]
    pax.when("primus", action=None).when("primus", action=None)
    assert pax.table.card_at("east", 5) == "PR064"
    pax.given(hand("secundus", "PR064")).when("secundus", action=["play", "PR064"], announce_oneshot="no")
    assert pax.row("secundus", "west") == ["PR064"]


def test_PRB06_a_couple_is_sold_together():
    pax = Case().given(king("aragon", "primus", queen="PR072"))
    pax.refuses("primus", "E3.2", action=["sell", "PR072"])
    pax.when("primus", action=["sell", "aragon"])
    assert pax.money("primus") == 9
    assert pax.table.count("stack", "aragon") == 1 and pax.table.count("discard", "PR072") == 1


@pytest.mark.parametrize("bishop, earned", [((), 4), (("bishop.catholic",), 2)])
def test_PRB07_a_ransom_is_paid_unless_silenced(bishop, earned):
    pax = Case().given(tableau("primus", "east", "PR116"), carries("PR116", *bishop))
    pax.when("primus", action=["sell", "PR116"])
    assert pax.money("primus") == 5 + earned


def test_PRB07_no_ransom_from_the_hand():
    pax = Case().given(hand("primus", "PR116")).when("primus", action=["sell", "PR116"])
    assert pax.money("primus") == 7


def knight_for_france(*more, purse=1):
    return Case().given(token("knight.catholic", "paris"), hand("primus", "PR056"), florins(primus=purse), *more)


def test_PRB08_an_agent_represses_the_occupant():
    pax = knight_for_france(king("france", "secundus")).when("primus", action=["play", "PR056"], announce_oneshot="no")
    pax.when("primus", place_agent_city=["knight.catholic", "paris"])
    assert pax.money("primus") == 0
    assert pax.on("france") == ["knight.catholic"] and pax.at("paris") == ["knight.catholic"]


def test_PRB08_without_a_florin_the_city_is_closed():
    pax = knight_for_france(king("france", "secundus"), purse=0).when("primus", action=["play", "PR056"], announce_oneshot="no")
    pax.refuses("primus", "E2.2-C", place_agent_city=["knight.catholic", "paris"])
    assert ["knight.catholic", "lyon"] in pax.options("place_agent_city")


def test_PRB09_an_occupant_dies_if_its_empire_is_in_the_stack():
    pax = knight_for_france().when("primus", action=["play", "PR056"], announce_oneshot="no")
    supply = pax.table.count("supply", "knight.catholic")
    pax.when("primus", place_agent_city=["knight.catholic", "paris"])
    assert pax.money("primus") == 0
    assert pax.table.count("supply", "knight.catholic") == supply  # one came, one went


def test_PRB10_a_third_token_enters_constantinople_freely():
    pax = Case().given(
        token("rook.islamic", "constantinople:1"),
        token("knight.islamic", "constantinople:2"),
        hand("primus", "PR118"),
        florins(primus=0),
    )
    pax.when("primus", action=["play", "PR118"], announce_oneshot="no")
    pax.when("primus", place_agent_city=["rook.reformist", "constantinople:3"])
    assert pax.at("constantinople:3") == ["rook.reformist"] and pax.money("primus") == 0


def test_PRB10_in_a_full_constantinople_one_is_chosen():
    pax = Case().given(
        token("rook.islamic", "constantinople:1"),
        token("knight.islamic", "constantinople:2"),
        token("knight.islamic", "constantinople:3"),
        hand("primus", "PR118"),
        florins(primus=1),
    )
    pax.when("primus", action=["play", "PR118"], announce_oneshot="no", place_agent_city=["rook.reformist", "constantinople"])
    assert pax.options("repress_choice") == ["constantinople:1", "constantinople:2", "constantinople:3"]
    pax.when("primus", repress_choice="constantinople:2")
    assert pax.at("constantinople:2") == ["rook.reformist"] and pax.money("primus") == 0


def test_PRB11_no_cube_beside_a_pirate():
    pax = Case().given(pirate("catholic", ENGLAND_PORTUGAL), hand("primus", "PR062", "PR063"))
    pax.when("primus", action=["play", "PR062"], announce_oneshot="no")
    pax.refuses("primus", "E2.2-E", place_agent_pawn=["pawn.fugger", ENGLAND_PORTUGAL])
    pax.when("primus", place_agent_pawn=None)
    pax.when("primus", action=["play", "PR063"], announce_oneshot="yes")
    assert pax.asked == ("primus", "regime_concession")
    pax.refuses("primus", "E2.2-E", regime_concession=ENGLAND_PORTUGAL)


def test_PRB12_a_pirate_kills_the_cube_it_meets():
    pax = Case().given(cube("secundus", OTTOMAN_PAPAL), hand("primus", "PR091"))
    pax.when("primus", action=["play", "PR091"], place_agent_pirate=["rook.islamic", OTTOMAN_PAPAL])
    assert pax.at(OTTOMAN_PAPAL) == ["rook.islamic"]
    assert pax.table.count("supply", "pawn.medici") == 10
    assert pax.money("primus") == 5 and pax.table.count("supply", "rook.islamic") == 6


def test_PRB12_no_pirate_on_a_land_border():
    pax = Case().given(hand("primus", "PR092")).when("primus", action=["play", "PR092"])
    pax.refuses("primus", "E2.2-D", place_agent_pirate=["rook.islamic", ARAGON_FRANCE])


def test_PRB13_the_diet_of_worms_allows_no_pacification():
    pax = Case().given(
        king("france", "secundus"),
        carries("france", "bishop.islamic"),
        serf("primus", "france"),
        serf("tertius", "france"),
        tableau("primus", "west", "PR033", "PR032"),
        carries("PR032", "bishop.reformist"),
    )
    pax.when("primus", action=["ops", "west"], op_next=["PR033", "inquisitor.reformist"], inquisitor=["PR032", "france"])
    assert pax.on("france") == ["pawn.coeur", "pawn.fugger"]
    assert pax.table.count("supply", "bishop.islamic") == pax.table.count("supply", "bishop.reformist") == 5
    assert pax.asked == ("primus", "action") and pax.cited("F1.3")


def test_PRB14_a_bishop_that_stays_does_not_pacify():
    pax = Case().given(
        king("france", "secundus"),
        carries("france", "bishop.islamic"),
        cube("tertius", ARAGON_FRANCE),
        tableau("primus", "west", "PR048", "PR043"),
    )
    pax.when("primus", action=["ops", "west"], op_next=["PR048", "repress"], repress=[ARAGON_FRANCE, "france"])
    assert pax.on("france") == ["bishop.islamic", "pawn.coeur"]
    assert pax.asked[1] != "pacify"


def test_PRB15_prestige_is_not_silenced():
    pax = Case().given(tableau("primus", "west", "PR080"), carries("PR080", "bishop.catholic"))
    assert pax.table.silenced("PR080")
    assert pax.table.prestige("primus")["reformist"] == 1


def test_PRB16_the_assassin_of_a_king_dies_too():
    pax = Case().given(
        tableau("primus", "east", "PR086"),
        king("ottoman", "secundus", queen="PR105", vassals=("hungary",)),
        carries("hungary", "rook.islamic"),
        serf("tertius", "ottoman"),
    )
    pax.when("primus", action=["ops", "east"], op_next=["PR086", "behead"], behead="ottoman")
    assert pax.table.count("stack", "ottoman") == pax.table.count("stack", "hungary") == 1
    assert pax.table.count("discard", "PR105") == pax.table.count("discard", "PR086") == 1
    assert pax.table.count("supply", "rook.islamic") == 7 and pax.table.count("supply", "pawn.coeur") == 10
    assert pax.table.tableau("primus") == pax.table.tableau("secundus") == []


def test_PRB17_no_tax_on_a_saturated_map_card():
    pax = Case().given(
        token("rook.catholic", "london"),
        token("knight.catholic", "bordeaux"),
        cube("secundus", ENGLAND_FRANCE),
        tableau("primus", "west", "PR054", "PR032"),
        carries("PR032", "bishop.reformist"),
    )
    pax.when("primus", action=["ops", "west"])
    pax.refuses("primus", "F4.1: England is saturated", op_next=["PR054", "tax"])


def test_PRB18_taxed_without_money():
    pax = Case().given(cube("secundus", MAMLUK_OTTOMAN), florins(secundus=0), tableau("primus", "west", "PR057"))
    pax.when("primus", action=["ops", "west"], op_next=["PR057", "tax"], tax_target=[MAMLUK_OTTOMAN, "mamluk"])
    assert pax.asked == ("secundus", "levy_city")
    assert pax.at(MAMLUK_OTTOMAN) == [] and pax.table.count("supply", "pawn.medici") == 10
    pax.when("secundus", levy_city="cyprus")
    assert pax.at("cyprus") == ["rook.catholic"]
    assert (pax.money("primus"), pax.money("secundus")) == (5, 0)


def test_PRB19_repressing_kills_if_the_empire_is_in_the_stack():
    pax = Case().given(token("rook.islamic", "algiers"), cube("secundus", ARAGON_FRANCE), tableau("primus", "east", "PR092"))
    pax.when("primus", action=["ops", "east"], op_next=["PR092", "repress"], repress=[ARAGON_FRANCE, "aragon"])
    assert pax.table.count("supply", "pawn.medici") == 10
    assert pax.money("primus") == 6


def test_PRB20_pirates_cannot_be_repressed():
    pax = Case().given(king("england", "primus", queen="PR075"), pirate("islamic", ENGLAND_FRANCE))
    pax.when("primus", action=["ops", "west"])
    pax.refuses("primus", "GL-PIRAT.1", op_next=["PR075", "repress"])
    assert ["PR075", "siege"] in pax.options("op_next")


@pytest.mark.parametrize("mine, theirs, winner", [(1, 1, ""), (1, 0, "primus"), (0, 0, ""), (2, 1, "primus")])
def test_PRB21_a_vote_needs_a_strict_majority(mine, theirs, winner):
    borders = [ARAGON_FRANCE, ARAGON_PORTUGAL, ARAGON_PAPAL]
    cubes = [cube("primus", border) for border in borders[:mine]] + [cube("secundus", border) for border in borders[mine:][:theirs]]
    pax = Case().given(king("aragon", "secundus"), *cubes, tableau("primus", "west", "PR068"), market("west", 1, florins=1))
    assert majority(pax.table, "aragon") == winner
    pax.when("primus", action=["ops", "west"])
    if winner:
        pax.when("primus", op_next=["PR068", "vote.west"], vote="aragon", regime_concession=None)
        assert pax.row("primus", "west") == ["PR068", "aragon"]
    else:
        assert ["PR068", "vote.west"] not in pax.options("op_next")


def test_PRB21_the_refusal_of_a_vote_says_why():
    pax = Case().given(
        king("aragon", "secundus"),
        king("france", "secundus"),
        cube("primus", ARAGON_PORTUGAL),
        tableau("primus", "west", "PR068"),
    )
    pax.when("primus", action=["ops", "west"], op_next=["PR068", "vote.west"])
    pax.refuses("primus", "F6.2", vote="france")
    pax.refuses("primus", "F6.1", vote="england")


def test_PRB22_where_a_corsair_sails():
    pax = Case().given(
        tableau("primus", "west", "PR041"),
        pirate("catholic", ARAGON_PORTUGAL),
        pirate("catholic", ARAGON_PAPAL),
        cube("secundus", ENGLAND_PORTUGAL),
    )
    pax.when("primus", action=["ops", "west"], op_next=["PR041", "corsair.catholic"])
    pax.refuses("primus", "F7.1: a pirate of the same colour", corsair=[ARAGON_PORTUGAL, ARAGON_PAPAL])
    pax.refuses("primus", "F7.1", corsair=[ARAGON_PORTUGAL, MAMLUK_OTTOMAN])
    assert [ARAGON_PAPAL, OTTOMAN_PAPAL] in pax.options("corsair")
    pax.when("primus", corsair=[ARAGON_PORTUGAL, ENGLAND_PORTUGAL])
    assert pax.at(ENGLAND_PORTUGAL) == ["rook.catholic"] and pax.at(ARAGON_PORTUGAL) == []
    assert pax.table.count("supply", "pawn.medici") == 10


def test_PRB23_all_knights_or_none():
    pax = Case().given(
        king("hre", "primus"),
        token("knight.catholic", "vienna"),
        token("knight.reformist", "nurnberg"),
        token("knight.catholic", "lubeck"),
        florins(primus=2),
    )
    pax.refuses("primus", "F9.2: all 3 knights must attack", action=["ops", "west"])
    pax.given(florins(primus=3)).when("primus", action=["ops", "west"], op_next=["hre", "campaign"], campaign="france")
    assert pax.money("primus") == 0


def test_PRB24_a_vassal_never_marches_on_its_suzerain():
    pax = Case().given(king("ottoman", "primus", vassals=("hungary",)), token("knight.catholic", "buda"))
    pax.when("primus", action=["ops", "east"], op_next=["hungary", "campaign"])
    pax.refuses("primus", "F9.1", campaign="ottoman")
    assert "byzantium" in pax.options("campaign")


def test_PRB25_a_draw_is_no_success():
    pax = Case().given(
        king("hre", "primus"),
        token("knight.catholic", "vienna"),
        token("knight.reformist", "nurnberg"),
        token("knight.catholic", "paris"),
        token("rook.catholic", "bruges"),
    )
    pax.when("primus", action=["ops", "west"], op_next=["hre", "campaign"], campaign="france")
    assert pax.money("primus") == 3
    assert all(pax.at(city) == [] for city in ("vienna", "nurnberg", "paris", "bruges"))
    assert pax.table.count("stack", "france") == 1


def test_PRB26_the_attacker_names_the_defenders_loss():
    pax = Case().given(
        king("hre", "primus"),
        token("knight.catholic", "vienna"),
        token("knight.catholic", "paris"),
        token("rook.catholic", "bruges"),
    )
    pax.when("primus", action=["ops", "west"], op_next=["hre", "campaign"], campaign="france")
    assert pax.asked == ("primus", "casualties")
    pax.refuses("primus", "BAT.2", casualties=[["city:bruges rook.catholic", 1], ["city:paris knight.catholic", 1]])
    pax.when("primus", casualties=[["city:bruges rook.catholic", 1]])
    assert pax.at("bruges") == [] and pax.at("paris") == ["knight.catholic"] and pax.at("vienna") == []


def test_PRB27_an_only_profit_raises_no_levy():
    pax = Case(seats=2).given(market("east", 0, florins=0)).when("primus", action=["fair", "east"])
    assert pax.money("primus") == 6
    assert not any(pax.table.rulers(empire) for empire in ("byzantium", "hungary", "ottoman", "mamluk"))
    assert pax.table.card_at("east", 0) == "" and pax.asked == ("primus", "action")


def test_PRB28_leftover_profits_stay_for_the_next_fair():
    pax = Case().given(market("east", 0, florins=3), cube("secundus", HUNGARY_OTTOMAN))
    pax.when("primus", action=["fair", "east"], levy_city="caffa")
    pax.when("primus", levy_city="buda").when("primus", levy_city="modon").when("primus", levy_city="cairo")
    assert (pax.money("primus"), pax.money("secundus")) == (6, 6)
    assert pax.table.florins_at("east", 0) == 3 and pax.table.card_at("east", 0) == ""
    following = pax.table.card_at("east", 1)
    pax.when("primus", action=None)
    assert pax.table.card_at("east", 0) == following and pax.table.florins_at("east", 0) == 3


def test_PRB29_piracy_ends_the_voyage():
    pax = Case().given(market("east", 0, florins=0), pirate("reformist", BYZANTIUM_HUNGARY))
    pax.when("primus", action=["fair", "east"], levy_city="tana")
    assert pax.money("primus") == 6
    assert pax.table.rulers("hungary") == [] and pax.at("tana") == ["knight.islamic"]
    assert pax.table.florins_at("east", 0) == 0 and pax.said("piracy")


def test_PRB30_bankruptcy_gives_the_convener_nothing():
    pax = Case(bankruptcy=True).given(
        market("east", 0, florins=0), cube("secundus", BYZANTIUM_HUNGARY), cube("tertius", HUNGARY_OTTOMAN)
    )
    pax.when("primus", action=["fair", "east"], levy_city="tana").when("primus", levy_city="buda")
    assert [pax.money(seat) for seat in ("primus", "secundus", "tertius")] == [5, 6, 6]


def test_PRB31_the_spice_islands_need_discoveries_before():
    pax = Case().given(hand("primus", "PR042")).when("primus", action=["play", "PR042"])
    assert pax.asked == ("primus", "place_agent_pawn")  # no one-shot was offered
    pax.when("primus", place_agent_pawn=["pawn.fugger", ARAGON_PORTUGAL])
    assert pax.table.emporium("white") == "trebizond"


def test_PRB31_with_a_discovery_the_spice_trade_shifts_for_good():
    pax = Case().given(hand("primus", "PR042", "PR047"), tableau("primus", "west", "PR044"), token("rook.reformist", "trebizond"))
    pax.when("primus", action=["play", "PR042"], announce_oneshot="yes", place_agent_pawn=["pawn.fugger", ARAGON_PORTUGAL])
    assert pax.table.emporium("white") == "spice_islands" and pax.table.busted("trebizond")
    assert pax.table.count("supply", "rook.reformist") == 7
    pax.when("primus", action=["play", "PR047"])
    assert pax.asked == ("primus", "place_agent_pawn")  # H1.4: no second shift


def test_PRB32_black_shifts_alternate():
    pax = Case().given(trades_from("timbuktu"), hand("primus", "PR102"), market("east", 0, florins=1))
    pax.when("primus", action=["play", "PR102"], announce_oneshot="yes", place_agent_pawn=["pawn.fugger", FRANCE_HRE])
    assert pax.table.emporium("black") == "novgorod"
    assert pax.table.busted("timbuktu") and pax.table.busted("tana")
    pax.when("primus", action=["fair", "east"])
    assert set(pax.options("levy_city")) == {"vienna", "lubeck", "nurnberg", "novgorod"}


def test_PRB33_a_queen_takes_the_side_of_her_king():
    pax = Case().given(hand("primus", "PR103")).when("primus", action=["play", "PR103"], announce_oneshot="yes")
    pax.when("primus", coronation_king="portugal", regime_concession=None)
    assert pax.row("primus", "west") == ["portugal"] and pax.row("primus", "east") == []
    assert pax.table.cards("primus", "west") == ["portugal", "PR103"]
    assert pax.table.location("PR103") == "portugal"


def test_PRB34_without_a_suitor_in_the_stack_she_is_an_old_maid():
    pax = Case().given(*(king(empire, "secundus") for empire in ("france", "england", "aragon", "hre")), hand("primus", "PR073"))
    pax.when("primus", action=["play", "PR073"])
    assert pax.table.items("maids:primus") == ["PR073"]
    assert pax.asked == ("primus", "action")


def test_PRB35_an_old_maid_has_prestige_and_nothing_else():
    pax = Case(expansion=True).given(maid("primus", "PR074"), tableau("primus", "west", "PR080"), hand("primus", "PX098"))
    assert pax.table.prestige("primus")["catholic"] == 1
    assert "PR074" not in pax.table.tableau("primus")
    pax.when("primus", action=["play", "PX098"], announce_oneshot="yes")
    assert pax.table.items("maids:primus") == ["PR074"] and "PR080" in pax.table.tableau("primus")


def borgia_in_rome():
    return Case().given(
        hand("primus", "PR037"), king("papal_states", "secundus"), carries("papal_states", "knight.reformist", "rook.islamic")
    )


@pytest.mark.parametrize("answer, face", [("yes", "reformist"), ("no", "catholic")])
def test_PRB36_a_conspiracy_may_turn_a_theocracy(answer, face):
    pax = borgia_in_rome().when("primus", action=["play", "PR037"], announce_oneshot="yes", choose_location="papal_states")
    pax.when("primus", flip_theocracy=answer)
    assert pax.table.map_side("papal_states") == face


def test_PRB36_a_revolt_turns_nothing():
    pax = Case().given(hand("primus", "PR067")).when("primus", action=["play", "PR067"], announce_oneshot="yes")
    assert pax.asked[1] != "flip_theocracy" and pax.table.map_side("papal_states") == "catholic"


def test_PRB37_who_fights_in_a_revolt():
    pax = Case().given(
        king("france", "secundus"),
        carries("france", "pawn.medici", "pawn.medici", "knight.catholic"),
        cube("tertius", ARAGON_FRANCE),
        token("knight.catholic", "paris"),
        hand("primus", "PR064"),
    )
    pax.when("primus", action=["play", "PR064"], announce_oneshot="yes")
    assert pax.options("casualties") == [[["camp pawn.fugger", 1]], [["camp pawn.medici", 1]]]
    pax.when("primus", casualties=[["camp pawn.fugger", 1]])
    assert pax.said("battle")["attackers"] == 3  # the agent and two serfs
    assert pax.on("france") == ["knight.catholic"] and pax.at(ARAGON_FRANCE) == ["pawn.coeur"]
    pax.when("primus", place_survivors=["pawn.medici", ENGLAND_FRANCE])
    assert pax.at(ENGLAND_FRANCE) == ["pawn.medici"]  # a concession of its own colour


def test_PRB38_the_cursed_law():
    pax = Case().given(
        token("knight.catholic", "toledo"),
        king("portugal", "secundus"),
        carries("portugal", "rook.islamic"),
        hand("primus", "PR031"),
    )
    pax.when("primus", action=["play", "PR031"])
    assert pax.asked == ("primus", "place_agent_bishop")


def test_PRB39_no_flip_to_a_foreign_side():
    pax = Case().given(
        side("aragon", "catholic"),
        token("rook.catholic", "valencia"),
        token("knight.reformist", "paris"),
        token("knight.reformist", "london"),
        hand("primus", "PR033"),
    )
    pax.when("primus", action=["play", "PR033"], announce_oneshot="yes")  # only Aragon holds heretics
    pax.when("primus", casualties=[["city:london knight.reformist", 1]])
    assert pax.row("primus", "west") == ["PR033", "aragon"]
    assert pax.table.map_side("aragon") == "catholic"


@pytest.mark.parametrize("seats, kings, met", [(3, 3, True), (2, 3, False), (2, 4, True)])
def test_PRB40_the_imperial_margin(seats, kings, met):
    vassals = ("hre", "aragon", "papal_states")[: kings - 1]
    pax = Case(seats=seats).given(king("france", "primus", vassals=vassals), king("england", "secundus"), victory("imperial"))
    if met:
        pax.when("primus", action=["declare_victory", "imperial"])
        assert pax.run.over and pax.table.get("won:primus") and pax.table.get("ending") == "imperial"
    else:
        pax.refuses("primus", "L2.1", action=["declare_victory", "imperial"])


@pytest.mark.parametrize("discovery, met", [(("PR042",), False), (("PR042", "PR044"), True)])
def test_PRB41_globalization(discovery, met):
    mine = (ENGLAND_FRANCE, ENGLAND_PORTUGAL, FRANCE_HRE, ARAGON_FRANCE)
    pax = Case().given(
        *(cube("primus", border) for border in mine),
        cube("secundus", HRE_HUNGARY),
        cube("secundus", HRE_PAPAL),
        king("hungary", "secundus"),
        serf("secundus", "hungary"),
        tableau("primus", "west", *discovery),
        tableau("secundus", "west", "PR049"),
        victory("globalization"),
    )
    assert (["declare_victory", "globalization"] in pax.options("action")) is met


@pytest.mark.parametrize("theirs, met", [(("PR064",), True), (("PR064", "PR065"), False)])
def test_PRB42_renaissance(theirs, met):
    pax = Case().given(
        republic("england", "primus"),
        tableau("primus", "west", "PR068", "PR069"),
        tableau("secundus", "west", *theirs),
        victory("renaissance"),
    )
    assert pax.table.prestige("primus")["law"] == 3
    assert (["declare_victory", "renaissance"] in pax.options("action")) is met


def test_PRB43_an_inactive_victory_cannot_be_declared():
    pax = Case().given(king("france", "primus"), king("england", "primus"))
    assert lacks(pax.table, "primus", "imperial") == 0
    pax.refuses("primus", "L2.1", action=["declare_victory", "imperial"])


def test_PRB44_a_comet_in_the_first_column_is_lost():
    pax = Case().given(market("east", 1, "PR119"), market("east", 0, florins=0))
    pax.when("primus", action=["fair", "east"], levy_city="tana").when("primus", levy_city="buda")
    pax.when("primus", levy_city="modon").when("primus", levy_city="cairo").when("primus", action=None)
    assert pax.table.card_at("east", 0) == "PR119" and pax.seen_by("primus").card_at("east", 0) == "?"
    pax.refuses("secundus", "not one of the options", action=["purchase", "east", 0])
    pax.when("secundus", action=["fair", "east"])
    assert pax.table.count("discard", "PR119") == 1
    assert not any(pax.table.get(f"victory:{name}") for name in ("holy", "imperial", "globalization", "renaissance"))


def torch(*more):
    return Case(expansion=True).given(
        tableau("secundus", "west", "PX136"),
        tableau("primus", "west", "PR029"),
        carries("PR029", "bishop.catholic"),
        token("knight.catholic", "venice"),
        victory("holy"),
        *more,
    )


def test_PRB45_a_torch_makes_a_victory_cost_two_actions():
    pax = torch(tableau("tertius", "west", "PX137"))
    assert supreme(pax.table) == "catholic"
    assert ["declare_victory", "holy"] in pax.options("action")
    pax.when("primus", action=None)
    pax.refuses("primus", "M3.2", action=["declare_victory", "holy"])


def test_PRB45_with_both_actions_it_can_be_declared():
    pax = torch(tableau("tertius", "west", "PX137")).when("primus", action=["declare_victory", "holy"])
    assert pax.run.over and pax.table.get("ending") == "holy"


def test_PRB45_a_silenced_torch_burns_nobody():
    pax = Case(expansion=True).given(
        tableau("secundus", "west", "PX137"),
        carries("PX137", "bishop.catholic"),
        tableau("primus", "west", "PR029"),
        token("knight.catholic", "venice"),
        victory("holy"),
        active("primus", actions=1),
    )
    assert victory_refused(pax.table, "primus", "holy") is None
    pax.when("primus", action=["declare_victory", "holy"])
    assert pax.run.over


def test_PRB46_the_expert_setup():
    pax = Case(expert=True)
    t = pax.table
    pools = {"east": 0, "west": 0}
    for zone, held in t.zones.items():
        for card in held or ():
            if card in CARDS and not CARDS[card].comet:
                pools[zone.split(":")[1]] += 1
    assert pools == {"east": 44, "west": 44}
    pax.given(hand("primus", "PR057")).when("primus", action=["play", "PR057"])
    assert pax.row("primus", "east") == ["PR057"]


def test_PRB47_a_repressed_token_may_be_taken_instead():
    pax = Case().given(king("france", "secundus"), used_up("knight.catholic"), hand("primus", "PR055"))
    pax.when("primus", action=["play", "PR055"], place_agent_city=["knight.catholic", "vienna"])
    assert pax.asked == ("primus", "substitute_token") and pax.options("substitute_token") == [None, "france"]
    before = pax.table.count("on:france", "knight.catholic")
    pax.when("primus", substitute_token="france")
    assert pax.at("vienna") == ["knight.catholic"]
    assert pax.table.count("on:france", "knight.catholic") == before - 1


def test_PRB48_a_pirate_agent_fights_in_a_revolt_and_may_die():
    pax = Case().given(token("knight.catholic", "paris"), hand("primus", "PR048"))
    pax.when("primus", action=["play", "PR048"], announce_oneshot="yes")
    assert (pax.said("battle")["attackers"], pax.said("battle")["defenders"]) == (1, 1)
    assert pax.at("paris") == [] and pax.table.count("stack", "france") == 1
    assert all(pax.at(border) == [] for border in (ENGLAND_FRANCE, FRANCE_HRE, ARAGON_FRANCE))


def test_PRB48_a_surviving_pirate_takes_a_sea_border():
    pax = Case().given(hand("primus", "PR048")).when("primus", action=["play", "PR048"], announce_oneshot="yes")
    assert pax.options("place_survivors") == [["rook.islamic", ENGLAND_FRANCE], ["rook.islamic", FRANCE_HRE]]
    pax.when("primus", place_survivors=["rook.islamic", FRANCE_HRE])
    assert pax.row("primus", "west") == ["PR048", "france"]
    assert pax.options("regime_concession") == [None, ENGLAND_FRANCE, ARAGON_FRANCE]


def test_PRB49_a_vassal_leaves_a_silenced_unit_without_the_bishop():
    pax = Case().given(
        king("ottoman", "secundus", vassals=("hre",)),
        carries("ottoman", "bishop.islamic"),
        cube("primus", HRE_HUNGARY),
        tableau("primus", "east", "PR111"),
    )
    pax.when("primus", action=["ops", "east"], op_next=["PR111", "vote.east"], vote="hre", regime_concession=None)
    assert pax.row("primus", "west") == ["hre"] and pax.on("hre") == []
    assert pax.on("ottoman") == ["bishop.islamic"]
