"""Pages 3 to 7: set-up, and what is hidden from whom."""

from __future__ import annotations

from random import Random

import pytest

from domain.bots import guess
from domain.games.generalship import TITLE
from domain.games.generalship.data import TILES
from domain.kernel import HIDDEN, Draw, Run, Shuffle, redact
from tests.games.generalship.campaign import FOUR, fleet, stack


def started(*nations: str, tiles: tuple[str, ...] = (), seed: int = 1, **options) -> Run:
    """A new game whose players choose these nations and, once asked, their first two generals."""
    waiting = list(tiles)
    luck = guess(Random(seed))

    def source(request, pool, ordinal):
        if type(request) is Draw and request.key == "neutral_tile" and waiting:
            return waiting.pop(0)
        return luck(request, pool, ordinal)

    run = Run(TITLE, TITLE.lay(TITLE.seats(len(nations)), options), source)
    wanted = list(nations)
    while run.table.get("clock") is None:
        ask = run.asks[0]
        run.answer(ask.seat, ask.key, wanted.pop(0) if ask.key == "choose_nation" else ask.sample(Random(seed)))
    return run


CORNERS = ("N01", "N02", "N05", "N08")


def test_EX114_a_sea_lies_only_next_to_a_sea():
    run = started("austria", "france", tiles=(*CORNERS, "N10", "N11", "N09", "N12", "N03"))
    assert run.table.zones["map"] == [*CORNERS, "N09", "N03"]
    assert {"N10", "N11", "N12"} <= set(run.table.zones["pile"]), "passed over tiles are back in the pile"
    assert run.table.zones["passed"] == {}


def test_a_sea_next_to_a_sea_may_be_laid():
    run = started("austria", "france", tiles=("N10", "N02", "N05", "N08", "N11", "N03"))
    assert run.table.zones["map"] == ["N10", "N02", "N05", "N08", "N11", "N03"]


def test_an_english_sea_tile_counts():
    run = started("austria", "england", tiles=("N01", "N02", "N05", "N08", "N03", "N10"))
    assert run.table.zones["map"][-1] == "N10"
    assert any(TILES[tile].nation == "england" for tile in run.table.near("N10"))


def test_neutral_layout_sea_by_sea_binds_the_corners_too():
    run = started("austria", "france", tiles=("N10", "N01", "N02", "N05", "N08"), neutral_layout="sea_by_sea")
    assert run.table.zones["map"][0] == "N01"
    assert not any(TILES[tile].sea for tile in run.table.zones["map"])


@pytest.mark.parametrize("nations", [("austria", "france"), ("england", "austria", "byzantium"), FOUR])
def test_EX115_the_start_position(nations):
    t = started(*nations).table
    for seat in t.seats:
        assert sorted(t.zones[f"people:{seat}"]) == ["I", "II", "III", "IV", "V"]
        assert t.tokens(seat) == {t.nation(seat).capital: {"light_infantry": 1}}
        assert (t.food(seat), t.metal(seat), t.pp(seat), t.vp(seat), t.battles(seat)) == (2, 1, 1, 0, 0)
        assert t.commander(seat) is not None
    assert [t.name(seat) for seat in t.order] == [nation for nation in FOUR if nation in nations]
    assert t.get("era") == "infantry"
    assert t.total("retired") == 3 * len(nations)
    assert len(t.zones["map"]) == {2: 6, 3: 6, 4: 9}[len(nations)]


def draft(option: str) -> tuple[list[str], list[str]]:
    """Who chose in which order, and the shuffles made."""
    shuffled: list[str] = []
    luck = guess(Random(3))

    def source(request, pool, ordinal):
        if type(request) is Shuffle:
            shuffled.append(request.key)
            return [2, 0, 3, 1]
        return luck(request, pool, ordinal)

    run = Run(TITLE, TITLE.lay(TITLE.seats(4), {"draft": option}), source)
    chosen: list[str] = []
    while run.asks[0].key == "choose_nation":
        chosen.append(run.asks[0].seat)
        run.answer(run.asks[0].seat, "choose_nation", next(iter(run.asks[0].all())))
    return chosen, shuffled


def test_nations_are_chosen_in_lobby_order_or_by_chance():
    assert draft("lobby") == (["north", "east", "south"], [])
    assert draft("random") == (["south", "north", "west"], ["draft_order"])


def test_a_nation_is_chosen_once():
    run = Run(TITLE, TITLE.lay(TITLE.seats(2)), guess(Random(1)))
    run.answer("north", "choose_nation", "france")
    assert list(run.asks[0].all()) == ["austria", "byzantium", "england"]


def test_EX116_types_are_hidden_classes_are_not(war):
    war.given(
        stack("austria", "AU-cap", "1 heavy_infantry 1 archers 1 light_cavalry"), fleet("england", "EN-left", "galley", "2 archers")
    )
    war.starts("turn")
    camp = f"camp:{war.seats['austria']}:AU-cap:0"
    assert war.view("france").zones[camp] == {"infantry": 2, "cavalry": 1}
    assert war.view("austria").zones[camp] == {"archers": 1, "heavy_infantry": 1, "light_cavalry": 1}
    assert war.view("france").tokens(war.seats["england"]) == {"EN-left": {"ship": 1, "infantry": 2}}
    [the_map] = [section for section in TITLE.board(war.view("france")) if section.name == "Map"]
    assert "archers" not in repr(the_map) and "1 cavalry, 2 infantry" in repr(the_map)


def test_what_nobody_may_see():
    run = started("austria", "france")
    for viewer in ("north", "spectator"):
        view = redact.table(run.table, viewer)
        assert set(view.zones["generals"]) == set(view.zones["pile"]) == set(view.zones["events"]) == {HIDDEN}
        assert set(view.zones["land_advanced"]) == {"advanced"}
