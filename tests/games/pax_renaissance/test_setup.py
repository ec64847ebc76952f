"""The setup (C)."""

import pytest

from domain.games.pax_renaissance.data import BANKS, CARDS
from domain.kernel import Refused, Run
from tests.games.pax_renaissance.case import TITLE, Chance


def laid(seats: int, script=None, **options):
    return Run(TITLE, TITLE.lay(TITLE.seats(seats), options), Chance(script or {})).table


@pytest.mark.parametrize("seats, size", [(2, 22), (3, 26), (4, 30)])
def test_C5_1_deck_sizes(seats, size):
    t = laid(seats)
    assert t.deck_size("east") == t.deck_size("west") == size - 6


def test_C4_1_tokens_stand_in_the_capitals():
    t = laid(2)
    assert [t.occupant(f"constantinople:{slot}") for slot in (1, 2, 3)] == ["rook.islamic", "knight.islamic", "knight.islamic"]
    assert t.occupant("london") == "rook.catholic" and t.occupant("bordeaux") == ""
    assert t.emporium("black") == "tana" and t.emporium("white") == "trebizond"


def test_C1_1_two_map_cards_begin_as_theocracies():
    t = laid(2)
    assert {empire for empire in ("papal_states", "mamluk", "france", "ottoman") if t.theocracy(empire)} == {
        "papal_states",
        "mamluk",
    }


def test_C2_C3_a_bank_brings_ten_cubes_and_a_concession():
    t = laid(2, {"deal_banks": ["medici", "coeur"]})
    assert t.bank("primus") == "medici" and t.concessions("primus") == [BANKS["medici"].border]
    assert t.count("supply", "pawn.medici") == 9 and t.count("supply", "pawn.fugger") == 0


def test_C7_1_fugger_begins_with_three_florins():
    t = laid(3, {"deal_banks": ["medici", "coeur", "fugger"]})
    assert t.get("active") == "tertius"
    assert [t.florins(seat) for seat in ("tertius", "primus", "secundus")] == [3, 4, 5]


def test_C7_1_without_fugger_chance_picks_the_start_player():
    t = laid(3, {"deal_banks": ["medici", "coeur", "marchionni"], "pick_start_player": [[1]]})
    assert t.get("active") == "secundus" and t.florins("primus") == 5


def test_C6_1_the_first_card_of_each_row_lies_face_down():
    t = laid(3)
    for row in ("east", "west"):
        assert all(t.card_at(row, column) in CARDS for column in range(6))
        assert t.schema.levels("primus")[f"market:{row}:0"] < t.schema.levels("primus")[f"market:{row}:1"]


def test_N1_eleven_western_cards_go_east():
    t = laid(3, expert=True)
    east = [card for zone in t.zones if zone.endswith((":east", ":east:upper", ":east:lower")) for card in t.items(zone)]
    row = [t.card_at("east", column) for column in range(6)]
    strangers = [card for card in (*east, *row) if card in CARDS and CARDS[card].deck == "west"]
    assert len(strangers) == 11


@pytest.mark.parametrize("seats", [1, 5])
def test_two_to_four_bankers(seats):
    with pytest.raises(Refused, match="2, 3, 4"):
        TITLE.lay([f"seat{n}" for n in range(seats)])
