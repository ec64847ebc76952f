"""Every option and every ruling switch, both ways."""

import pytest

from domain.games.pax_renaissance.data import PACK
from domain.games.pax_renaissance.schema import OPTIONS
from domain.games.pax_renaissance.victory import supremacy
from domain.kernel import FACE
from tests.games.pax_renaissance.case import (
    Case,
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
    side,
    tableau,
    token,
    vacant,
)

ENGLAND_FRANCE, ENGLAND_PORTUGAL, FRANCE_HRE = "border_england_france", "border_england_portugal", "border_france_hre"
ARAGON_FRANCE, ARAGON_PORTUGAL, ARAGON_PAPAL = "border_aragon_france", "border_aragon_portugal", "border_aragon_papal_states"
MAMLUK_OTTOMAN, BYZANTIUM_HUNGARY, HUNGARY_OTTOMAN = "border_mamluk_ottoman", "border_byzantium_hungary", "border_hungary_ottoman"
OTTOMAN_PAPAL, HRE_HUNGARY = "border_ottoman_papal_states", "border_hre_hungary"


def test_every_option_has_a_test_here():
    with open(__file__, encoding="utf-8") as here:
        text = here.read()
    assert [name for name in OPTIONS if f"def test_{name}" not in text] == []


# -- variants ----------------------------------------------------------------------------------------------


def test_astrology_lays_the_next_cards_open():
    pax = Case(astrology=True)
    foreseen = pax.seen_by("secundus").items("next:east")
    assert foreseen[0] in PACK.cards and pax.table.deck_size("east") == 20
    pax.given(vacant("east", 1)).when("primus", action=None).when("primus", action=None)
    assert pax.table.card_at("east", 5) == foreseen[0]
    assert pax.table.items("next:east") != foreseen and pax.table.deck_size("east") == 19


def test_astrology_off_shows_nothing():
    pax = Case()
    assert pax.table.items("next:east") == []
    assert set(pax.seen_by("secundus").zones["deck:east:upper"]) == {"?"}


@pytest.mark.parametrize("on, earned", [(False, 1), (True, 0)])
def test_bankruptcy(on, earned):
    pax = Case(bankruptcy=on).given(market("east", 0, florins=0), pirate("islamic", BYZANTIUM_HUNGARY))
    pax.when("primus", action=["fair", "east"], levy_city="tana")
    assert pax.money("primus") == 5 + earned


@pytest.mark.parametrize("on, west, east", [(False, ["PR057"], ["PR115"]), (True, ["PR115"], ["PR057"])])
def test_expert(on, west, east):
    """N1: Holy Land Crusade is located in the East, Soninke Wangara in the West."""
    pax = Case(expert=on).given(hand("primus", "PR057", "PR115"))
    pax.when("primus", action=["play", "PR057"], place_agent_city=None)
    pax.when("primus", action=["play", "PR115"], announce_oneshot="no")
    assert (pax.row("primus", "west"), pax.row("primus", "east")) == (west, east)


@pytest.mark.parametrize("on, extra", [(False, 0), (True, 60)])
def test_expansion(on, extra):
    pax = Case(expansion=on)
    assert sum(zone.startswith("on:P") for zone in pax.table.zones) == 88 + extra


@pytest.mark.parametrize("on, extra", [(False, 0), (True, 16)])
def test_extra_cards(on, extra):
    pax = Case(extra_cards=on)
    assert sum(zone.startswith("on:P") for zone in pax.table.zones) == 88 + extra


# -- ruling switches ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("on, seen", [(True, ["PR064"]), (False, ["?"])])
def test_open_hands(on, seen):
    pax = Case(open_hands=on).given(hand("primus", "PR064"))
    assert pax.seen_by("secundus").items("hand:primus") == seen
    assert pax.seen_by("primus").items("hand:primus") == ["PR064"]


@pytest.mark.parametrize("order, east", [("east_first", "PR064"), ("west_first", "PR065")])
def test_refresh_order(order, east):
    pax = Case(refresh_order=order).given(
        deck("east"), deck("west", "PR064", "PR065", "PR066"), vacant("east", 1), vacant("west", 1)
    )
    pax.chance.script["draw_west"] = ["PR064", "PR065"]
    pax.when("primus", action=None).when("primus", action=None)
    assert pax.table.card_at("east", 5) == east


@pytest.mark.parametrize("ruling, optional", [("mandatory_if_free", False), ("optional", True)])
def test_agents_after_oneshot(ruling, optional):
    pax = Case(agents_after_oneshot=ruling).given(hand("primus", "PR102"))
    pax.when("primus", action=["play", "PR102"], announce_oneshot="yes")
    assert (None in pax.options("place_agent_pawn")) is optional


@pytest.mark.parametrize("ruling, asked", [("per_agent", "choose_location"), ("one_empire", "place_agent_city")])
def test_region_agents(ruling, asked):
    pax = Case(region_agents=ruling).given(hand("primus", "PR095"))
    pax.when("primus", action=["play", "PR095"], announce_oneshot="no", choose_location="hungary")
    pax.when("primus", place_agent_city=["knight.islamic", "buda"])
    assert pax.asked == ("primus", asked)


@pytest.mark.parametrize("ruling, legal", [("allowed", True), ("forbidden", False)])
def test_second_agent_same_place(ruling, legal):
    pax = Case(second_agent_same_place=ruling).given(hand("primus", "PR055"))
    pax.when("primus", action=["play", "PR055"], place_agent_city=["knight.catholic", "vienna"])
    again = ["knight.catholic", "vienna"]
    assert (again in pax.options("place_agent_city")) is legal
    if not legal:
        pax.refuses("primus", "E2.2-F", place_agent_city=again)


@pytest.mark.parametrize("on", [False, True])
def test_sell_old_maids(on):
    pax = Case(sell_old_maids=on).given(maid("primus", "PR074"))
    if on:
        pax.when("primus", action=["sell", "PR074"])
        assert pax.money("primus") == 7 and pax.table.count("discard", "PR074") == 1
    else:
        pax.refuses("primus", "E3.5", action=["sell", "PR074"])


@pytest.mark.parametrize("on", [False, True])
def test_commerce_empty_slot(on):
    pax = Case(commerce_empty_slot=on).given(
        tableau("primus", "east", "PR102"),
        vacant("east", 0),
        market("east", 0, florins=2),
        market("east", 1, florins=1),
        done("fair:east"),
    )
    pax.when("primus", action=["ops", "east"], op_next=["PR102", "commerce.east"])
    if on:
        pax.when("primus", commerce=0)
        assert pax.table.florins_at("east", 0) == 1 and pax.money("primus") == 6
    else:
        pax.refuses("primus", "F2", commerce=0)


@pytest.mark.parametrize("ruling, card, name", [("tableau_side", "PR111", "vote.east"), ("map_region", "PR068", "vote.west")])
def test_vote_side(ruling, card, name):
    """A western vassal under an eastern suzerain."""
    pax = Case(vote_side=ruling).given(
        king("ottoman", "secundus", vassals=("hre",)),
        cube("primus", HRE_HUNGARY),
        tableau("primus", "east", "PR111"),
        tableau("primus", "west", "PR068"),
        market("west", 1, florins=1),
        token("knight.catholic", "buda"),
    )
    pax.when("primus", action=["ops", name.partition(".")[2]], op_next=[card, name])
    assert pax.options("vote") == ["hre"]


@pytest.mark.parametrize(
    "ruling, there, far",
    [
        ("shares_border", ENGLAND_FRANCE, MAMLUK_OTTOMAN),
        ("adjacent_diagonal", FRANCE_HRE, MAMLUK_OTTOMAN),
        ("shares_sea_border", OTTOMAN_PAPAL, FRANCE_HRE),
    ],
)
def test_corsair_reach(ruling, there, far):
    """From Aragon: France lies across a land border, the Holy Roman Empire diagonally."""
    pax = Case(corsair_reach=ruling).given(tableau("primus", "west", "PR041"), pirate("catholic", ARAGON_PORTUGAL))
    pax.when("primus", action=["ops", "west"], op_next=["PR041", "corsair.catholic"])
    reached = [border for _, border in pax.options("corsair")]
    assert there in reached and far not in reached


@pytest.mark.parametrize("ruling, left", [("stays", ["bishop.catholic"]), ("discarded", [])])
def test_bishop_on_regime_change(ruling, left):
    pax = Case(bishop_on_regime_change=ruling).given(
        king("aragon", "secundus"),
        carries("aragon", "bishop.catholic"),
        cube("primus", ARAGON_FRANCE),
        tableau("primus", "west", "PR068"),
    )
    pax.when("primus", action=["ops", "west"], op_next=["PR068", "vote.west"], vote="aragon", regime_concession=None)
    assert pax.on("aragon") == left


@pytest.mark.parametrize("ruling, over", [("depleted", True), ("cannot_refill", False)])
def test_patron_end(ruling, over):
    pax = Case(patron_end=ruling).given(deck("east"), deck("west", "PR064"), vacant("west", 1))
    pax.when("primus", action=None).when("primus", action=None)
    assert pax.run.over is over
    if not over:
        pax.given(vacant("west", 1)).when("secundus", action=None).when("secundus", action=None)
        assert pax.run.over and pax.table.get("ending") == "patron"


@pytest.mark.parametrize("on, count", [(False, 1), (True, 2)])
def test_pirate_double_count(on, count):
    pax = Case(pirate_double_count=on).given(side("ottoman", "islamic"), pirate("islamic", MAMLUK_OTTOMAN))
    _, tokens = supremacy(pax.table)
    assert tokens["islamic"] == count


def test_an_unknown_option_or_value_is_refused():
    with pytest.raises(Exception, match="has no option"):
        Case(astrologie=True)
    with pytest.raises(Exception, match=r"F7\.1"):
        Case(corsair_reach="anywhere")


def test_florins_are_open_to_everybody():
    pax = Case(open_hands=False).given(florins(primus=7))
    assert pax.seen_by("spectator").florins("primus") == 7
    assert pax.table.schema.levels("spectator")["money:primus"] == FACE
