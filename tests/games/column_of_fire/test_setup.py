"""Setup (CF-2), and what changes with two players (CF-16)."""

from collections import Counter

import pytest

from domain.games.column_of_fire import TITLE
from domain.games.column_of_fire.data import BLACK, CARDS, COUNTRIES, DICE, PACK, TILES
from domain.kernel import Refused, Roll
from domain.kernel.chance import Fair


def test_E01_a_loch_leven_card_gives_religion_good_tile_and_start_space(column):
    case = column.dealt(luck={"deal_loch_leven": ["LL2", "LL3", "LL4", "LL1"]})
    t = case.set_up
    assert t.religion("blue") == "protestant"
    assert t.protection("blue") == 1
    assert t.goods("blue") == {"ore": 1}
    assert t.disc("blue") == "T00"
    assert t.vp("blue") == 2


def test_E02_the_setup_roll_brings_no_minority_bonus(column):
    # Blue of the case is the third seat here: three players sit as red, yellow and green.
    case = column.dealt(3, luck={"deal_loch_leven": ["LL2", "LL3", "LL1"], "religion_die": [[4], [5], [3]]})
    t = case.set_up
    assert t.zones["prison:green"] == [] and t.items("loch_leven:green") == ["LL1"]
    assert (t.get("year"), t.get("half")) == (1, 1)
    assert (t.religion("green"), t.shows("green", BLACK)) == ("protestant", 3)
    assert t.minority("green")
    assert t.free("green") == list(DICE)
    assert t.vp("green") == 2


def test_E03_events_turned_up_in_setup_have_no_effect(column):
    case = column.dealt(luck={"turn_up": ["EV-ENG-1", "EV-ENG-2", "ENG-07"]})
    t = case.t
    assert {"EV-ENG-1", "EV-ENG-2"} <= set(t.zones["removed"])
    assert t.face_up("england") == "ENG-07" and t.items("stone:england") == ["protestant"]
    assert t.total("deck:england") == 14
    assert all(not t.zones[f"prison:{seat}"] for seat in t.seats)
    assert "Recusants fined is removed without effect" in case.story


def test_E04_the_religion_die_has_two_threes_and_no_six():
    source = Fair(b"a fair seed", ["nonce"], "line")
    request = Roll(1, "religion_die", "CF-5.3", faces=PACK.faces[BLACK], seat="red")
    rolled = Counter(source(request, request.faces, ordinal)[0] for ordinal in range(6000))
    assert sorted(rolled) == [1, 2, 3, 4, 5]
    others = [rolled[face] for face in (1, 2, 4, 5)]
    assert all(850 < n < 1150 for n in others)
    assert 1850 < rolled[3] < 2150


def test_every_piece_is_dealt(column):
    t = column.dealt(luck={}).t
    assert [t.total(f"deck:{country}") for country in COUNTRIES] == [16] * 4
    assert (t.total("pile:1"), t.total("pile:2")) == (14, 14)
    assert all(t.total(f"houses:{seat}") == 4 for seat in t.seats)
    assert not t.zones["loch_leven"]


@pytest.mark.parametrize(("players", "unused"), [(2, 2), (3, 1), (4, 0)])
def test_unused_loch_leven_cards_leave_the_game(column, players, unused):
    t = column.dealt(players, luck={"deal_loch_leven": ["LL1", "LL2", "LL3", "LL4"][:players]}).t
    assert len([card for card in t.zones["removed"] if card.startswith("LL")]) == unused


def test_two_players_of_one_religion_draw_again_until_they_differ(column):
    luck = {"deal_loch_leven": ["LL1", "LL4"], "redraw_loch_leven": ["LL2"]}
    case = column.dealt(2, luck=luck)
    assert (case.t.religion("red"), case.t.religion("yellow")) == ("protestant", "catholic")
    assert case.t.goods("yellow") == {"wine": 1} and case.t.disc("yellow") == "T05"
    assert case.in_order("CF-2.4", "CF-16.3")


def test_it_is_never_the_start_player_who_draws_again(column):
    luck = {"start_player": ["yellow"], "deal_loch_leven": ["LL2", "LL3"], "redraw_loch_leven": ["LL4"]}
    case = column.dealt(2, luck=luck, start_player="random")
    assert (case.t.religion("yellow"), case.t.religion("red")) == ("catholic", "protestant")
    assert case.t.active == "yellow"


def test_three_players_may_share_a_religion(column):
    t = column.dealt(3, luck={"deal_loch_leven": ["LL1", "LL4", "LL2"]}).t
    assert [t.religion(seat) for seat in t.seats] == ["protestant", "protestant", "catholic"]


def test_the_start_player_can_be_named(column):
    case = column.dealt(start_player="named", luck={})
    assert case.asked == ("red", "name_start_player")
    case.play("red", "name_start_player", "green")
    assert case.t.get("start") == case.t.active == "green"


def test_the_start_player_can_be_drawn(column):
    assert column.dealt(start_player="random", luck={"start_player": ["blue"]}).t.active == "blue"


def test_colours_are_chosen_in_seat_order_and_only_once(column):
    case = column.dealt(3, choose_colours=True, luck={})
    case.play("red", "choose_colour", "green")
    assert "CF-2.2" in case.refuses("yellow", "choose_colour", "green")
    case.play("yellow", "choose_colour", "light_blue").play("green", "choose_colour", "red")
    assert [case.t.get(f"colour:{seat}") for seat in case.seats] == ["green", "light_blue", "red"]


@pytest.mark.parametrize("players", [1, 5])
def test_the_game_is_for_two_to_four(players):
    with pytest.raises(Refused, match="2, 3, 4 players"):
        TITLE.lay(["red", "yellow", "green", "blue", "white"][:players])


def test_every_option_cites_its_rule():
    assert set(PACK.flags) <= set(TITLE.options)
    assert all(option.cite.startswith(("A-", "CF-")) for option in TITLE.options.values())
    with pytest.raises(Refused, match="A-21"):
        TITLE.settle({"max_paid_removals_per_turn": 99})


def test_the_decks_and_tiles_are_complete():
    assert len(CARDS) == 52 and len(TILES) == 28
