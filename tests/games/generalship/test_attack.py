"""Pages 23 to 27: what an attack is worth, on land and at sea, and what it costs the loser."""

from __future__ import annotations

import pytest

from domain.games.generalship.formation import read, style_of
from tests.games.generalship.campaign import Campaign, cards, commander, fleet, owns, pairs, stack

FIELD = {"S1": "N01", "S2": "N02", "S4": "N03", "S5": "N10", "S3": "N11"}


def land(attackers: str, defenders: str) -> Campaign:
    """England attacks France on a plain."""
    war = Campaign(land=FIELD).given(stack("france", "N01", defenders, spent=9), stack("england", "N01", attackers, spent=9))
    return war.given(owns("france", "N01"), owns("england", "N02"))


def begin(war: Campaign, tile: str = "N01", striker: str = "england") -> Campaign:
    return war.battle("attack", "england", "france", tile, striker=striker)


def told_fight(war: Campaign) -> str:
    return [line for line in war.told() if "attacks with" in line][-1]


# -- land --------------------------------------------------------------------------------------------


def test_EX87_four_heavy_infantry_and_archers_attack_with_twenty():
    war = land("4 heavy_infantry 1 archers", "1 archers").given(cards("england", "LB2", "LB5", "LB7"))
    begin(war).when("england", "commit_attack", pairs("LB2-1", "LB5-1", "LB7-1", "4 heavy_infantry", "archers"))
    war.when("france", "commit_attack", [])
    assert told_fight(war) == "England attacks with 20, France defends with 0."


def test_EX88_hammer_and_anvil_defend_with_sixteen():
    war = land("4 heavy_infantry 1 archers", "1 archers 2 light_infantry 1 light_cavalry")
    war.given(cards("england", "LB2", "LB5", "LB7"), cards("france", "LB1", "LB3", "LA3"))
    begin(war).when("england", "commit_attack", pairs("LB2-1", "LB5-1", "LB7-1", "4 heavy_infantry", "archers"))
    war.when("france", "commit_attack", pairs("LB1-1", "LB3-1", "LA3-1", "2 light_infantry", "light_cavalry"))
    assert told_fight(war) == "England attacks with 20, France defends with 16."
    assert war.now.get("deficit") == 4


def test_EX89_exactly_the_three_loss_sets():
    war = land("1 archers", "1 archers 2 light_infantry 1 light_cavalry")
    war.battle("losses", "england", "france", "N01", beaten="france", deficit=4, style="land", outcome="fought")
    assert sorted(war.options("france", "choose_losses")) == sorted(
        [pairs("2 light_infantry@N01"), pairs("archers@N01", "light_infantry@N01"), pairs("light_cavalry@N01")]
    )
    assert "could be spared" in war.refuse("france", "choose_losses", pairs("light_cavalry@N01", "archers@N01"), "G24.1")
    war.refuse("france", "choose_losses", pairs("archers@N01"), "G24.1")


def test_EX90_all_regiments_are_lost_and_the_galley_retreats():
    field = {"S1": "N01", "S2": "N10", "S4": "N03"}
    war = Campaign(land=field).given(
        stack("france", "N01", "2 light_infantry 1 galley", spent=9), stack("england", "N01", "3 archers", spent=9)
    )
    war.given(owns("france", "N01", "N10"))
    war.battle("losses", "england", "france", "N01", beaten="france", deficit=7, style="land", outcome="fought")
    war.when("france", "choose_losses", pairs("2 light_infantry@N01"))
    assert war.all_units("france") == {"galley": 1}
    assert war.stack("france", "N10") == {"galley": 1}


def test_EX91_at_most_five_regiments():
    war = begin(land("6 light_infantry", "1 archers").given(cards("england", "LB2", "LB2")))
    war.refuse("england", "commit_attack", pairs("LB2-1", "LB2-2", "6 light_infantry"), "G23.1")


@pytest.mark.parametrize(("cavalry", "names", "atk"), [(3, ("LB4",), 12 + 9), (2, ("LB3",), 8), (5, ("LB4", "LB3"), 20)])
def test_EX92_irregulars_of_pyrros(cavalry, names, atk):
    war = land(f"{cavalry} light_cavalry", "1 archers").given(commander("england", "G02"), cards("england", *names, "LA5"))
    begin(war).when("england", "commit_attack", pairs(*(f"{name}-1" for name in names), "LA5-1", f"{cavalry} light_cavalry"))
    war.when("france", "commit_attack", [])
    assert told_fight(war) == f"England attacks with {atk}, France defends with 0."


def test_EX93_only_one_advanced_card():
    war = land("3 light_infantry 1 light_cavalry", "1 archers").given(cards("england", "LB2", "LB3", "LA1", "LA3"))
    begin(war)
    war.refuse("england", "commit_attack", pairs("LB2-1", "LB3-1", "LA1-1", "LA3-1", "3 light_infantry", "light_cavalry"), "G23.5")


def test_a_regiment_without_a_card_cannot_fight():
    war = begin(land("2 archers", "1 archers").given(cards("england", "LB1", "LB7")))
    war.refuse("england", "commit_attack", pairs("LB7-1", "2 archers"), "G23.2")
    war.refuse("england", "commit_attack", pairs("LB1-1", "LB7-1", "archers"), "G23.2")
    assert war.legal("england", "commit_attack", pairs("LB7-1", "archers"))


def test_types_are_not_mixed_on_one_card():
    war = begin(land("1 light_infantry 1 heavy_infantry", "1 archers").given(cards("england", "LB1")))
    war.refuse("england", "commit_attack", pairs("LB1-1", "light_infantry", "heavy_infantry"), "G23.2")


def test_ambush_retreat_and_pursuit_are_no_attack_cards():
    war = begin(land("1 archers", "1 archers").given(cards("england", "LB5", "LA6")))
    war.refuse("england", "commit_attack", pairs("LB5-1", "LA6-1", "archers"), "G23.7")


def test_an_advanced_card_whose_condition_is_not_met_is_spent_for_nothing():
    war = land("1 archers", "1 light_cavalry").given(cards("england", "LB5", "LA2"))
    begin(war).when("england", "commit_attack", pairs("LB5-1", "LA2-1", "archers")).when("france", "commit_attack", [])
    assert told_fight(war) == "England attacks with 4, France defends with 0."


def test_ships_do_not_fight_on_land():
    war = begin(land("1 archers 1 galley", "1 archers").given(cards("england", "LB5")))
    assert not war.legal("england", "commit_attack", pairs("galley"))


def test_zizka_spares_losses():
    war = land("1 archers", "2 light_infantry").given(commander("france", "G30"))
    war.battle("losses", "england", "france", "N01", beaten="france", deficit=4, style="land", outcome="fought")
    assert war.question("france", "choose_losses").about["difference"] == 2


def test_the_second_side_sees_only_backs():
    war = land("2 archers 1 light_cavalry", "1 archers").given(cards("england", "LB5", "LB3", "LA2"))
    begin(war).when("england", "commit_attack", pairs("LB5-1", "LB3-1", "LA2-1", "2 archers", "light_cavalry"))
    seen = war.view("france").zones[f"laid:{war.seats['england']}"]
    assert seen == {"infantry": 2, "cavalry": 1, "basic": 2, "advanced": 1}
    answer = [event.answer for event in war.log_of("france") if event.ask == "commit_attack"]
    assert answer == [[["advanced", 1], ["basic", 2], ["cavalry", 1], ["infantry", 2]]]


# -- naval -------------------------------------------------------------------------------------------


def sea(attackers: str, defenders: str, ships: tuple[str, str] = ("galley", "galley")) -> Campaign:
    """An English fleet attacks a French one on N10."""
    war = Campaign(land=FIELD).given(fleet("france", "N10", ships[1], defenders, sailed=9))
    return war.given(fleet("england", "N10", ships[0], attackers, sailed=9), owns("france", "N10"), owns("england", "N11"))


def test_EX94_melee_goes_before_shooting():
    assert style_of(read({"light_infantry": 1})) == "melee" and style_of(read({"archers": 1})) == "shooting"
    war = sea("1 light_infantry", "1 archers").given(cards("england", "NB1"), cards("france", "NB3"))
    begin(war, "N10").when("england", "commit_attack", pairs("NB1-1", "light_infantry", "galley"))
    war.when("france", "commit_attack", pairs("NB3-1", "archers", "galley"))
    assert told_fight(war) == "England attacks with 3, France defends with 2 (melee)."


def test_EX95_evading_melee():
    war = sea("3 muskets", "2 heavy_infantry 1 light_infantry", ("galleon", "galley"))
    war.given(cards("england", "NB4", "NB3", "NA4"), cards("france", "NB2", "NB7"))
    begin(war, "N10").when("england", "commit_attack", pairs("NB4-1", "NB3-1", "NA4-1", "3 muskets", "galleon"))
    war.when("france", "commit_attack", pairs("NB2-1", "NB7-1", "2 heavy_infantry", "light_infantry", "galley"))
    assert told_fight(war) == "England attacks with 12, France defends with 10 (shooting)."
    assert war.now.get("deficit") == 2


def test_EX96_any_one_regiment_but_not_the_galley():
    war = sea("1 archers", "2 heavy_infantry 1 light_infantry 1 artillery 1 light_cavalry")
    war.battle("losses", "england", "france", "N10", beaten="france", deficit=2, style="shooting", outcome="fought")
    singles = [pairs(f"{unit}@ship1") for unit in ("artillery", "heavy_infantry", "light_cavalry", "light_infantry")]
    assert sorted(war.options("france", "choose_losses")) == singles
    war.refuse("france", "choose_losses", pairs("galley@ship1"), "G27.1")


def test_EX97_artillery_needs_a_committed_galleon():
    war = sea("2 artillery", "1 archers").given(fleet("england", "N10", "galleon", sailed=9), cards("england", "NB6"))
    begin(war, "N10")
    war.refuse("england", "commit_attack", pairs("NB6-1", "2 artillery", "galley"), "G25.2")
    assert war.legal("england", "commit_attack", pairs("NB6-1", "2 artillery", "galleon"))


def test_EX98_cavalry_never_fights_at_sea_but_counts_two_as_loss():
    war = begin(sea("1 light_cavalry", "1 archers").given(cards("england", "NB7")), "N10")
    war.refuse("england", "commit_attack", pairs("NB7-1", "light_cavalry", "galley"), "G25.2")
    lost = sea("1 archers", "1 light_cavalry 1 heavy_cavalry")
    lost.battle("losses", "england", "france", "N10", beaten="france", deficit=2, style="melee", outcome="fought")
    assert sorted(lost.options("france", "choose_losses")) == [pairs("heavy_cavalry@ship1"), pairs("light_cavalry@ship1")]


@pytest.mark.parametrize(("extra", "atk"), [((), 16), (("NA3",), 22)])
def test_EX99_in_bombardment_the_ship_defends(extra, atk):
    war = sea("2 artillery", "3 heavy_infantry", ("galleon", "galley")).given(cards("england", "NB6", *extra))
    war.given(cards("france", "NB2", "NB1"))
    begin(war, "N10").when("england", "commit_attack", pairs("NB6-1", *(f"{card}-1" for card in extra), "2 artillery", "galleon"))
    war.when("france", "commit_attack", pairs("NB2-1", "NB1-1", "3 heavy_infantry", "galley"))
    assert told_fight(war) == f"England attacks with {atk}, France defends with 15 (bombardment)."


def test_EX100_evading_bombardment_breaks_the_fight_off():
    war = sea("2 artillery", "3 heavy_infantry", ("galleon", "galley")).given(
        cards("england", "NB6"), cards("france", "NB2", "NA5")
    )
    begin(war, "N10").when("england", "commit_attack", pairs("NB6-1", "2 artillery", "galleon"))
    war.when("france", "commit_attack", pairs("NB2-1", "NA5-1", "2 heavy_infantry", "galley"))
    assert war.stack("france", "N10") == {"galley": 1, "heavy_infantry": 3}, "no losses"
    assert war.stack("england", "N11") == {"artillery": 2, "galleon": 1}, "the attack failed"


def test_EX100_the_attacking_side_breaks_off_its_own_attack():
    war = sea("3 heavy_infantry", "2 artillery", ("galley", "galleon")).given(
        cards("england", "NB2", "NA5"), cards("france", "NB6")
    )
    begin(war, "N10").when("england", "commit_attack", pairs("NB2-1", "NA5-1", "2 heavy_infantry", "galley"))
    war.when("france", "commit_attack", pairs("NB6-1", "2 artillery", "galleon"))
    assert war.stack("france", "N10") == {"artillery": 2, "galleon": 1}
    assert war.stack("england", "N11") == {"galley": 1, "heavy_infantry": 3}


def test_without_a_committed_ship_nothing_defends_against_bombardment():
    war = sea("1 artillery", "1 heavy_infantry", ("galleon", "galley")).given(cards("england", "NB5"), cards("france", "NB1"))
    begin(war, "N10").when("england", "commit_attack", pairs("NB5-1", "artillery", "galleon"))
    war.when("france", "commit_attack", pairs("NB1-1", "heavy_infantry"))
    assert told_fight(war) == "England attacks with 8, France defends with 0 (bombardment)."


def test_at_most_three_regiments_and_one_squadron_at_sea():
    war = sea("4 archers", "1 archers").given(fleet("england", "N10", "galley", sailed=9), cards("england", "NB4", "NB4"))
    begin(war, "N10")
    war.refuse("england", "commit_attack", pairs("NB4-1", "NB4-2", "4 archers"), "G25.1")
    war.refuse("england", "commit_attack", pairs("NB4-1", "2 archers", "2 galley"), "G25.1")


def test_EX101_a_sunk_ship_takes_its_regiments_down():
    war = sea("1 archers", "4 archers")
    war.battle("losses", "england", "france", "N10", beaten="france", deficit=1, style="bombardment", outcome="fought")
    assert war.all_units("france") == {}
    assert "4 regiments of France drown." in war.told()


def test_with_a_ship_left_only_the_surplus_drowns():
    war = sea("1 archers", "4 archers").given(fleet("france", "N10", "galley", "3 light_infantry", sailed=9), owns("france", "N03"))
    war.battle("losses", "england", "france", "N10", beaten="france", deficit=1, style="bombardment", outcome="fought")
    war.when("france", "choose_losses", pairs("galley@ship1"))
    war.refuse("france", "trim_capacity", pairs("archers@ship1"), "G27.4")
    war.when("france", "trim_capacity", pairs("archers@ship1", "light_infantry@ship2"))
    lost = [line for line in war.told() if "drown" in line]
    assert lost == ["2 regiments of France drown."]


def test_when_regiments_are_not_enough_ships_go_too():
    war = sea("1 archers", "1 archers").given(fleet("france", "N10", "galley", sailed=9))
    war.battle("losses", "england", "france", "N10", beaten="france", deficit=5, style="shooting", outcome="fought")
    assert sorted(war.options("france", "choose_losses")) == [
        pairs("archers@ship1", "galley@ship1"),
        pairs("archers@ship1", "galley@ship2"),
    ]
    war.refuse("france", "choose_losses", pairs("galley@ship1"), "G27.1")


def test_the_survivors_choose_their_ships():
    war = sea("1 archers", "3 archers").given(fleet("france", "N10", "galley", "3 light_infantry", sailed=9))
    war.given(fleet("france", "N10", "galley", "3 light_infantry", sailed=9))
    war.battle("losses", "england", "france", "N10", beaten="france", deficit=1, style="bombardment", outcome="fought")
    war.when("france", "choose_losses", pairs("galley@ship1"))
    assert war.question("france", "trim_capacity").about == {"part": "aboard", "ship": "ship2"}
    war.refuse("france", "trim_capacity", [], "G27.4")
    war.when("france", "trim_capacity", pairs("archers"))
    assert not any("drown" in line for line in war.told())
    assert "archers" not in repr([event.answer for event in war.log_of("england") if event.ask == "trim_capacity"])
