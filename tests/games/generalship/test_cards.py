"""Pages 7, 10 to 12: generals, technologies, events."""

from __future__ import annotations

import pytest

from domain.games.generalship import TITLE
from domain.games.generalship.data import GENERALS, PACK, TECHNOLOGIES
from domain.kernel import HIDDEN, Run, redact
from tests.games.generalship.campaign import (
    FOUR,
    Campaign,
    battles,
    commander,
    developed,
    fleet,
    knowledge,
    order,
    pairs,
    people,
    points,
    power,
    stack,
    stores,
    unused,
)

# -- generals ----------------------------------------------------------------------------------------


def test_EX25_two_generals_are_kept_in_secret_and_shown_together():
    war = Campaign("austria", "france")
    hands = {"austria": ["G01", "G02", "G03", "G04", "G05"], "france": ["G06", "G07", "G08", "G09", "G10"]}
    for nation, cards in hands.items():
        for card in cards:
            war.table.move(card, "generals", f"dealt:{war.seats[nation]}")
    war.starts("first_generals")
    assert war.asked() == [("austria", "choose_generals"), ("france", "choose_generals")]
    war.refuse("austria", "choose_generals", ["G01", "G01"], "G07.4")
    war.refuse("austria", "choose_generals", ["G01", "G06"], "G07.4")
    war.when("austria", "choose_generals", ["G01", "G02"])
    assert war.commander("austria") is None, "nothing is shown before both have chosen"
    assert all(event.answer != ["G01", "G02"] for event in war.log_of("france"))
    war.when("france", "choose_generals", ["G07", "G06"])
    assert (war.commander("austria"), war.commander("france")) == ("G01", "G07")
    assert (war.pp("austria"), war.pp("france")) == (["G02"], ["G06"])
    assert war.now.total("retired") == 6
    assert war.view("france").zones[f"pp:{war.seats['austria']}"] == [HIDDEN]


def test_EX26_three_unused_generals_are_used(war):
    war.given(commander("austria", "G10"), unused("austria", "G01", "G02", "G03")).action("austria", "general_cards")
    war.when("austria", "general_action", "use").when("austria", "general_action", "commander G01")
    assert "commander G02" not in war.options("austria", "general_action")
    war.when("austria", "general_action", "power G02").when("austria", "general_action", "power G03")
    assert war.commander("austria") == "G01"
    assert war.pp("austria") == ["G02", "G03"]
    assert war.now.zones["retired"] == {"G10": 1}
    assert war.now.total(f"unused:{war.seats['austria']}") == 0


def test_what_goes_to_power_stays_hidden(war):
    war.given(unused("austria", "G01", "G02")).action("austria", "general_cards")
    war.when("austria", "general_action", "use").when("austria", "general_action", "power G02")
    assert "G02" not in repr(war.log_of("france"))
    assert "G02" in repr(war.log_of("austria"))


def test_EX27_the_rightmost_pp_card_is_the_emergency_commander(war):
    war.given(power("austria", "G01", "G02")).action("austria", "general_cards").when("austria", "general_action", "promote")
    assert war.commander("austria") == "G02"
    assert war.pp("austria") == ["G01"]


def test_EX28_the_emergency_rule_needs_both_conditions(war):
    war.given(power("austria", "G01", "G02"), unused("austria", "G03")).action("austria", "general_cards")
    war.refuse("austria", "general_action", "promote", "G10.4")
    war.when("austria", "general_action", "use").when("austria", "general_action", "commander G03")
    assert war.commander("austria") == "G03"


def test_with_a_commander_nobody_is_promoted(war):
    war.given(commander("austria", "G04"), power("austria", "G01")).action("austria", "general_cards")
    war.refuse("austria", "general_action", "promote", "G10.4")


def test_EX29_the_others_draw_or_develop_technology(war):
    war.given(*(knowledge(nation, f"T2-0{n}", f"T2-1{n}") for n, nation in enumerate(FOUR[1:], 1)))
    war.starts("turn").when("austria", "choose_action_tile", "AT2").when("austria", "choose_tile_action", "general_cards")
    war.when("austria", "general_action", "draw")
    assert war.options("byzantium", "technology_action") == ["draw", "develop metallurgy"]
    war.not_asked("byzantium", "general_action")
    war.when("byzantium", "technology_action", "draw")
    assert war.asked() == [("england", "technology_action")]


def test_an_empty_general_deck_is_made_from_the_discards(war):
    for card in list(GENERALS):
        war.table.move(card, "generals", "retired")
    war.action("austria", "general_cards").when("austria", "general_action", "draw")
    assert war.now.total("generals") == 48 and not war.now.zones["retired"]


def test_constantinus_draws_two_and_keeps_one(war):
    war.given(commander("austria", "G17")).chance("draw_general", "G01", "G02").action("austria", "general_cards")
    war.when("austria", "general_action", "draw").when("austria", "general_action", pairs("G02"))
    assert war.now.zones[f"unused:{war.seats['austria']}"] == {"G02": 1}
    assert war.now.zones["retired"] == {"G01": 1}
    assert "G02" not in repr(war.log_of("france"))


# -- technology --------------------------------------------------------------------------------------

HAND = ("T1-01", "T1-02", "T1-03", "T2-01", "T2-02")


@pytest.mark.parametrize("paid", [("T1-01", "T1-02", "T1-03"), ("T1-01", "T2-01"), ("T2-01", "T2-02")])
def test_EX30_three_points_are_paid(paid):
    war = Campaign().given(knowledge("austria", *HAND)).chance("draw_event", "coup").action("austria", "technology_cards")
    war.when("austria", "technology_action", "develop metallurgy").when("austria", "technology_action", pairs(*paid))
    assert war.vp("austria") == 2
    assert sorted(war.now.zones["learnt"]) == sorted(paid), "all cards paid are gone, the excess is lost"


@pytest.mark.parametrize("paid", [("T2-01",), ("T1-01", "T1-02")])
def test_EX30_fewer_points_are_refused(paid):
    war = Campaign().given(knowledge("austria", *HAND)).action("austria", "technology_cards")
    war.when("austria", "technology_action", "develop metallurgy")
    war.refuse("austria", "technology_action", pairs(*paid), "G11.2")


def test_EX31_stirrup_needs_metallurgy(war):
    war.given(knowledge("austria", *HAND)).action("austria", "technology_cards")
    assert "needs Metallurgy" in war.refuse("austria", "technology_action", "develop stirrup", "G11.4")


def test_EX32_gunpowder_needs_only_one_of_two(war):
    war.given(developed("metallurgy", "stirrup", "architecture"), knowledge("austria", *HAND), stores("france", 3, 1))
    war.chance("draw_event", "coup").action("austria", "technology_cards")
    war.when("austria", "technology_action", "develop gunpowder").when("austria", "technology_action", pairs("T1-01", "T2-01"))
    assert war.vp("austria") == 2
    levy = Campaign().given(developed("metallurgy", "stirrup", "architecture", "gunpowder"), stores("france", 5, 2))
    levy.action("france", "levy_and_modernise")
    assert {"levy muskets", "levy artillery"} <= set(levy.options("france", "levy_action"))


def test_EX33_two_points_are_marked_at_once(war):
    war.given(points("austria", 5), knowledge("austria", *HAND)).chance("draw_event", "coup").action("austria", "technology_cards")
    war.when("austria", "technology_action", "develop metallurgy").when("austria", "technology_action", pairs("T1-01", "T2-01"))
    assert war.vp("austria") == 7


@pytest.mark.parametrize(("drawn", "gain"), [(("T1-01", "T1-02"), 2), (("T1-01", "T2-01"), 3), (("T2-01", "T2-02"), 4)])
def test_EX34_two_cards_bring_two_to_four_points(drawn, gain):
    war = Campaign().chance("draw_technology", *drawn).action("austria", "technology_cards")
    war.when("austria", "technology_action", "draw")
    assert sum(PACK.points[card] for card in war.now.items(f"knowledge:{war.seats['austria']}")) == gain


def test_EX35_the_effect_is_for_all_the_points_are_not(war):
    war.given(developed("metallurgy", by="austria"), points("austria", 2), stores("france", 1, 1)).action(
        "france", "levy_and_modernise"
    )
    war.when("france", "levy_action", "levy heavy_infantry")
    assert war.stores("france") == (0, 0)
    assert war.stack("france", "FR-cap") == {"heavy_infantry": 1}
    assert (war.vp("austria"), war.vp("france")) == (2, 0)


def test_final_technologies_are_paid_in_points_or_resources():
    five = ("metallurgy", "stirrup", "sea_navigation", "architecture", "gunpowder")
    war = (
        Campaign()
        .given(developed(*five), knowledge("austria", *HAND), stores("austria", 4, 1))
        .action("austria", "technology_cards")
    )
    assert war.options("austria", "technology_action") == ["draw", "develop final_points_1", "develop final_resources_1"]
    war.when("austria", "technology_action", "develop final_resources_1")
    assert (war.vp("austria"), war.stores("austria")) == (1, (0, 0))
    assert war.now.total("events") == 4, "the final section has no events"


def test_a_technology_is_developed_only_once(war):
    war.given(developed("metallurgy"), knowledge("austria", *HAND)).action("austria", "technology_cards")
    war.refuse("austria", "technology_action", "develop metallurgy", "G11.5")


def test_without_cards_to_draw_everybody_is_asked_and_may_pass(war):
    for card in list(PACK.points):
        war.table.move(card, "technology", f"knowledge:{war.seats['france']}")
    war.action("austria", "technology_cards")
    assert war.options("austria", "technology_action") == [None]


def test_wellington_draws_three_technology_cards(war):
    war.given(commander("austria", "G49")).action("austria", "technology_cards").when("austria", "technology_action", "draw")
    assert war.now.total(f"knowledge:{war.seats['austria']}") == 3


# -- events ------------------------------------------------------------------------------------------


def event(name: str, *words, developer: str = "austria") -> Campaign:
    """Metallurgy is developed and brings this event."""
    war = Campaign().given(knowledge(developer, "T1-01", "T2-01"), *words).chance("draw_event", name)
    war.action(developer, "technology_cards").when(developer, "technology_action", "develop metallurgy")
    return war.when(developer, "technology_action", pairs("T1-01", "T2-01"))


def test_EX36_the_second_technology_of_a_column_brings_no_event(war):
    war.given(developed("metallurgy", "stirrup", "sea_navigation"), knowledge("austria", *HAND)).action(
        "austria", "technology_cards"
    )
    war.when("austria", "technology_action", "develop architecture").when("austria", "technology_action", pairs("T1-01", "T2-01"))
    assert war.vp("austria") == 2
    assert war.now.total("events") == 5 and war.now.get("event") is None


def test_EX37_the_developer_is_first_then_player_order():
    christians = zip(FOUR, ("G17", "G18", "G20", "G21"), strict=True)
    war = event("milan", *(commander(nation, card) for nation, card in christians), developer="england")
    scored = [line.split()[0] for line in war.told() if "a victory point" in line]
    assert scored == ["England", "Austria", "Byzantium", "France"]


def test_EX38_coup_costs_the_rightmost_pp_card():
    war = event("coup", commander("france", "G11"), power("france", "G01", "G02"), commander("england", "G08"))
    assert war.pp("france") == ["G01"] and war.commander("france") == "G11"
    assert war.pp("england") == [] and war.commander("england") == "G08"
    assert "G02" in war.now.zones["retired"]


def test_EX39_witch_hunts_replace_the_commander():
    war = event("witch_hunts", commander("france", "G19"), power("france", "G01", "G02"), commander("england", "G07"))
    assert war.commander("france") == "G02" and war.pp("france") == ["G01"]
    assert war.commander("england") is None, "without PP nobody follows"
    assert {"G19", "G07"} <= set(war.now.zones["retired"])


def test_witch_hunts_spare_christians_and_those_without_commander():
    war = event("witch_hunts", commander("france", "G18"), power("england", "G01"))
    assert war.commander("france") == "G18"
    assert war.commander("england") is None and war.pp("england") == ["G01"]


def test_EX40_black_death_takes_thirds_rounded_down():
    war = event(
        "black_death",
        people("austria", 8),
        commander("austria", "G01"),
        stack("austria", "AU-cap", "3 light_infantry 2 archers"),
        stack("austria", "AU-right", "2 galley"),
    )
    assert war.commander("austria") is None
    assert war.options("austria", "event_black_death") == ["VI.a", "VI.b"], "VIII is gone, one of the two VI goes"
    war.when("austria", "event_black_death", "VI.b")
    assert war.people("austria") == ["I", "II", "III", "IV", "V", "VI.a"]
    war.refuse("austria", "event_black_death", pairs("archers@AU-cap"), "G12.5")
    war.when("austria", "event_black_death", pairs("archers@AU-cap", "galley@ship1"))
    assert war.all_units("austria") == {"archers": 1, "galley": 1, "light_infantry": 3}


def test_black_death_sinks_a_ship_with_all_aboard():
    land = {"S2": "N10"}
    war = Campaign(land=land).given(knowledge("austria", "T1-01", "T2-01"), fleet("austria", "N10", "galley", "4 archers"))
    war.chance("draw_event", "black_death").action("austria", "technology_cards")
    war.when("austria", "technology_action", "develop metallurgy").when("austria", "technology_action", pairs("T1-01", "T2-01"))
    war.when("austria", "event_black_death", pairs("galley@ship1"))
    assert war.all_units("austria") == {}


def test_EX41_renaissance_comes_only_once():
    war = event("renaissance")
    free = [line for line in war.told() if "Renaissance brings" in line]
    assert free == ["The Renaissance brings Stirrup to Austria, without points."]
    assert war.vp("austria") == 2
    assert [name for name in TECHNOLOGIES if war.now.developed(name)] == ["metallurgy", "stirrup"]
    assert war.now.total("events") == 6, "stirrup has its own event"


def test_renaissance_lets_the_developer_choose():
    war = (
        Campaign()
        .given(developed("metallurgy"), knowledge("england", "T1-01", "T2-01"))
        .chance("draw_event", "renaissance", "coup")
    )
    war.action("england", "technology_cards").when("england", "technology_action", "develop stirrup")
    war.when("england", "technology_action", pairs("T1-01", "T2-01"))
    assert war.options("england", "event_renaissance") == ["sea_navigation", "architecture"]
    war.when("england", "event_renaissance", "architecture")
    assert war.now.developed("architecture") and not war.now.developed("sea_navigation")
    assert war.vp("england") == 2


def test_ten_points_by_a_technology_end_the_game_without_its_event():
    war = Campaign().given(points("austria", 8), knowledge("austria", "T1-01", "T2-01")).action("austria", "technology_cards")
    war.when("austria", "technology_action", "develop metallurgy").when("austria", "technology_action", pairs("T1-01", "T2-01"))
    assert war.over() and war.winners() == ["austria"]
    assert war.now.total("events") == 8


def test_an_event_may_end_the_game_in_the_middle():
    war = event("milan", commander("byzantium", "G17"), points("byzantium", 9), commander("france", "G18"), points("france", 9))
    assert war.over() and war.winners() == ["byzantium"]
    assert war.vp("france") == 9


@pytest.mark.parametrize(
    ("name", "card", "stays"),
    [
        ("crusades", "G17", False),
        ("crusades", "G22", False),
        ("crusades", "G01", True),
        ("thirty_years_war", "G17", False),
        ("thirty_years_war", "G22", True),
    ],
)
def test_events_against_believers(name, card, stays):
    assert (event(name, commander("france", card)).commander("france") == card) == stays


def test_piracy_rewards_those_with_naval_cards():
    war = event("piracy", commander("france", "G35"), commander("england", "G01"))
    assert (war.vp("france"), war.vp("england")) == (1, 0)


def test_EX42_a_lost_commander_leaves_five_basic_cards_and_the_forced_withdrawal():
    war = event("crusades", commander("austria", "G17"), power("austria", "G01"), battles("france", 0))
    assert war.commander("austria") is None
    attacked = Campaign().given(power("austria", "G02"), stack("austria", "N01", "4 light_infantry"), commander("france", "G03"))
    attacked.given(stack("france", "N01", "1 archers", spent=9)).battle("withdrawal", "france", "austria", "N01")
    assert attacked.asked() == [("austria", "force_withdrawal")], "his PP card can still be used"
    attacked.when("austria", "force_withdrawal", "no")
    assert attacked.hand("austria") == (5, 0)
    assert attacked.hand("france")[1] > 0


def test_event_order_follows_the_track():
    war = event(
        "milan",
        order("france", "england", "byzantium", "austria"),
        *(commander(n, c) for n, c in zip(FOUR, ("G17", "G18", "G20", "G21"), strict=True)),
    )
    assert [line.split()[0] for line in war.told() if "a victory point" in line] == ["Austria", "France", "England", "Byzantium"]


def test_a_spectator_never_sees_a_face_down_general():
    run = Run(TITLE, TITLE.lay(TITLE.seats(3)), Campaign().luck)
    while run.table.get("clock") is None:
        ask = run.asks[0]
        run.answer(ask.seat, ask.key, next(iter(ask.all())))
    view = redact.table(run.table, "spectator")
    hidden = [item for seat in run.table.seats for item in view.zones[f"pp:{seat}"]]
    assert hidden == [HIDDEN] * 3
