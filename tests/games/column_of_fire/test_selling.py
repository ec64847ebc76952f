"""Houses and selling goods (CF-10)."""

import pytest


def ship(column, *houses, goods, space="T00", **options):
    """Red's disc is about to reach a space of the track with the violet die."""
    case = column(**options).goods("red", **goods)
    for country in houses:
        case.house("red", country, 3)
    return reach(case, space)


def reach(case, space):
    """Red's next step leads to this space."""
    before = f"T{(int(space[1:]) - 1) % 20:02}"
    for seat, other in zip(case.seats[1:], [one for one in ("T02", "T04", "T08", "T12") if one not in (space, before)]):
        case.disc(seat, other)
    colour = {"T00": "violet", "T05": "violet", "T10": "violet", "T11": "white", "T01": "white", "T14": "brown"}[space]
    return case.disc("red", before).at("red", "move").play("red", "move_disc", [colour, 0])


@pytest.mark.parametrize(
    ("sale", "vp"),
    [(None, 0), (["sell", "cloth@england"], 4), (["sell", "wine@england"], 2), (["sell", "cloth@england", "wine@england"], 6)],
)
def test_E44_a_ship_sells_one_of_each_kind(column, sale, vp):
    case = ship(column, "england", goods={"cloth": 2, "wine": 1})
    assert len(case.offered("use_space")) == 4
    assert "only one cloth a turn can be sold in england (CF-10.3)" in case.refuses(
        "red", "use_space", ["sell", "cloth@england", "cloth@england"]
    )
    case.play("red", "use_space", sale)
    assert case.t.vp("red") == 10 + vp
    assert case.t.total("goods:red") == 3 - (len(sale) - 1 if sale else 0)


@pytest.mark.parametrize(
    ("sale", "vp", "left"),
    [
        (["sell", "wine@england", "wine@netherlands"], 6, 1),
        (["sell", "wine@netherlands"], 4, 2),
        (["sell", "wine@england"], 2, 2),
    ],
)
def test_E45_a_goods_space_sells_one_tile_in_each_country(column, sale, vp, left):
    case = ship(column, "netherlands", "england", goods={"wine": 3}, space="T11")
    assert "CF-10.3" in case.refuses("red", "use_space", ["sell", "wine@england", "wine@england"])
    case.play("red", "use_space", sale)
    assert case.t.vp("red") == 10 + vp and case.t.goods("red") == {"wine": left}


@pytest.mark.parametrize(
    ("sale", "vp"), [(["sell", "book@france"], 4), (["sell", "ore@france"], 2), (["sell", "book@france", "ore@france"], 6)]
)
def test_E46_the_blue_ship_sells_book_and_ore(column, sale, vp):
    case = ship(column, "france", goods={"book": 1, "ore": 1}, space="T05").play("red", "use_space", sale)
    assert case.t.vp("red") == 10 + vp


def test_E47_a_goods_space_gives_or_sells_not_both(column):
    case = ship(column, "england", goods={"cloth": 1}, space="T01")
    assert case.offered("use_space") == [None, ["gain_good", "cloth"], ["sell", "cloth@england"]]
    assert "without a house in spain nothing can be sold there (CF-10.1)" in case.refuses(
        "red", "use_space", ["sell", "cloth@spain"]
    )
    assert case.refuses("red", "use_space", [["gain_good", "cloth"], ["sell", "cloth@england"]]).startswith("CF-17.5")
    case.play("red", "use_space", ["sell", "cloth@england"])
    assert case.t.vp("red") == 14 and case.t.goods("red") == {}
    taken = ship(column, "england", goods={"cloth": 1}, space="T01").play("red", "use_space", ["gain_good", "cloth"])
    assert taken.t.vp("red") == 10 and taken.t.goods("red") == {"cloth": 2}


def test_E48_without_a_house_nothing_is_sold(column):
    case = ship(column, goods={"ore": 1}, space="T10")
    assert case.asked[1] != "use_space" and "CF-17.15" in case.rules
    captain = column().goods("red", ore=1).character("red", "ENG-05", "white", 3).turn("red", 1).finish("red")
    assert captain.t.vp("red") == 10 and captain.t.goods("red") == {"ore": 1}
    assert "use_character" not in [event.ask for event in captain.events]


def test_E49_a_captain_sells_for_3_whatever_the_price(column):
    case = column().house("red", "spain", 1).goods("red", cloth=1).character("red", "ENG-05", "white", 3).turn("red", 1)
    case.play("red", "use_character", ["sell_any_for_3", "cloth"])
    assert case.t.vp("red") == 13 and case.t.goods("red") == {}


def test_a_captain_refuses_what_no_house_can_sell(column):
    case = column().house("red", "spain", 1).goods("red", cloth=1, wine=1).character("red", "ENG-05", "white", 3).turn("red", 1)
    assert "selling wine needs a house in england or netherlands (CF-10.6)" in case.refuses(
        "red", "use_character", ["sell_any_for_3", "wine"]
    )
    assert "there is no book to sell (CF-10.6)" in case.refuses("red", "use_character", ["sell_any_for_3", "book"])


def test_E50_a_house_stays_when_its_character_leaves(column):
    case = column().house("red", "spain", 5).goods("red", ore=1).character("red", "SPA-06", "brown", 1).turn("red", 1).finish("red")
    assert "SPA-06" in case.t.zones["removed"] and case.t.house("spain", "red") == 5
    selling = ship(column, "spain", goods={"ore": 1}, space="T10")
    assert ["sell", "ore@spain"] in selling.offered("use_space")


def test_the_limit_holds_for_the_whole_turn(column):
    """A-13: an advance symbol and the die movement of one turn share the limit."""
    case = column().tiles("red", "AD25").house("red", "england", 3).goods("red", cloth=3)
    case.disc("red", "T00").disc("yellow", "T02").disc("green", "T03").disc("blue", "T04").at("red", "move")
    case.play("red", "window", ["spend", "AD25"]).play("red", "use_space", ["sell", "cloth@england"])
    case.play("red", "move_disc", ["brown", 1])
    assert case.t.disc("red") == "T14"
    assert case.offered("use_space") == [None, ["gain_good", "cloth"]]
    assert "only one cloth a turn can be sold in england (CF-10.3)" in case.refuses("red", "use_space", ["sell", "cloth@england"])


def test_the_limit_counts_anew_in_the_next_turn(column):
    case = ship(column, "england", goods={"cloth": 2}).play("red", "use_space", ["sell", "cloth@england"])
    assert case.t.items("sold") == ["cloth@england"]
    case.finish("red")
    assert not case.t.zones["sold"]  # CF-4.1


@pytest.mark.parametrize("counts", [False, True])
def test_A12_whether_a_captain_counts_for_the_limit(column, counts):
    case = column(captain_counts_for_limit=counts).house("red", "england", 1).goods("red", cloth=3).tiles("red", "AD13", "AD14")
    reach(case, "T00").play("red", "use_space", ["sell", "cloth@england"])
    spends = [option for option in case.offered("end_turn") if option[0] == "spend"]
    if counts:
        assert spends == []
        assert "AD13 could do nothing now (CF-17.15)" in case.refuses("red", "end_turn", ["spend", "AD13"])
    else:
        case.play("red", "end_turn", ["spend", "AD13"]).play("red", "end_turn", ["spend", "AD14"])
        assert case.t.vp("red") == 20 and case.t.goods("red") == {}


def test_A12_a_captain_that_counts_names_the_country_and_blocks_it(column):
    case = column(captain_counts_for_limit=True).house("red", "england", 1).house("red", "spain", 1).goods("red", cloth=3)
    case.tiles("red", "AD13", "AD14").turn("red", 1).play("red", "window", ["spend", "AD13"])
    assert case.offered("use_tile") == [["sell_any_for_3", "cloth", "england"], ["sell_any_for_3", "cloth", "spain"]]
    case.play("red", "use_tile", ["sell_any_for_3", "cloth", "england"]).play("red", "window", ["spend", "AD14"])
    assert case.t.items("sold") == ["cloth@england", "cloth@spain"] and case.t.vp("red") == 16


def test_countries_buy_two_goods_only(column):
    case = ship(column, "england", goods={"cloth": 1, "book": 1})
    assert "england does not buy book (CF-1.7)" in case.refuses("red", "use_space", ["sell", "book@england"])
    assert "CF-10.2" in case.refuses("red", "use_space", ["sell", "wine@england"])
    assert "CF-10.2" in case.refuses("red", "use_space", ["sell"])
    assert "CF-10.4" in case.refuses("red", "use_space", ["sell", "cloth@spain"])
