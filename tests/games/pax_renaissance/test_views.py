"""What others see: board, scores, diplomacy, chronicle, and nothing that is hidden."""

from domain.games.pax_renaissance import TITLE
from domain.games.pax_renaissance.data import CARDS
from domain.games.pax_renaissance.invariants import invariants
from domain.kernel import ARBITER, SPECTATOR, Event, Move, redact
from domain.kernel.event import DECIDED
from domain.log import events_of
from tests.games.pax_renaissance.case import (
    Case,
    carries,
    cube,
    hand,
    king,
    market,
    republic,
    serf,
    tableau,
    token,
    vacant,
    victory,
)

ARAGON_FRANCE, ENGLAND_FRANCE, MAMLUK_OTTOMAN = "border_aragon_france", "border_england_france", "border_mamluk_ottoman"


def court(**options) -> Case:
    return Case(**options).given(
        king("aragon", "primus", queen="PR072", vassals=("france",)),
        republic("england", "secundus"),
        carries("aragon", "bishop.catholic"),
        serf("tertius", "france"),
        cube("primus", ARAGON_FRANCE),
        cube("tertius", ENGLAND_FRANCE),
        tableau("secundus", "west", "PR054"),
        hand("primus", "PR064"),
        token("knight.catholic", "paris"),
    )


def texts(sections) -> str:
    cells = [cell for section in sections for row in section.rows for cell in row]
    return " ".join(cell if isinstance(cell, str) else "".join(span.text for span in cell) for cell in cells)


def test_the_board_shows_map_market_and_tableaus():
    board = TITLE.board(court().seen_by(SPECTATOR))
    assert [section.name for section in board][:4] == ["Map", "Borders", "Trade routes", "Market"]
    text = texts(board)
    for word in (
        "PARIS: white knight",
        "vassal of Aragon",
        "queen Isabella of Castille",
        "face down",
        "cube of tertius",
        "republic",
    ):
        assert word in text


def test_the_scoreboard_counts_what_wins():
    score = {line.seat: line for line in TITLE.score(court().seen_by("tertius"))}
    facts = score["primus"].facts
    assert (facts["kings"], facts["vassals"], facts["concessions"], facts["catholic"]) == (2, 1, 1, 1)
    assert score["tertius"].facts["serfs"] == 1 and score["secundus"].facts["republics"] == 1
    assert "imperial (inactive): met" in str(facts["within reach"])


def test_the_diplomacy_table_says_who_threatens_whom():
    found = {(one.seat, one.other, one.status) for one in TITLE.diplomacy(court().seen_by(SPECTATOR))}
    assert ("primus", "", "royal couple") in found and ("primus", "", "suzerain") in found
    assert ("primus", "", "silenced") in found and ("secundus", "", "republic") in found
    assert ("tertius", "secundus", "could vote out") in found  # England, by one concession
    assert ("secundus", "tertius", "could tax") in found


def test_the_diplomacy_table_warns_of_a_victory():
    pax = court().given(victory("imperial"))
    assert ("primus", "can declare victory") in {(one.seat, one.status) for one in TITLE.diplomacy(pax.table)}


def test_every_viewer_can_be_shown_everything():
    pax = court(open_hands=False, astrology=True)
    for viewer in (*pax.table.seats, SPECTATOR, ARBITER):
        view = pax.seen_by(viewer)
        assert TITLE.board(view) and TITLE.score(view) and TITLE.diplomacy(view)
        assert all(TITLE.appraise(view, seat) != 0 for seat in pax.table.seats)


def test_the_chronicle_tells_a_turn():
    pax = court()
    decision = ["purchase", "west", 1]
    card = pax.table.card_at("west", 1)
    events = events_of(pax.run.answer("primus", "action", decision), Event(0, DECIDED, "primus", "action", decision), 0)
    (sentence,) = [line for event in events for line in TITLE.tell(event, str)]
    assert sentence == f"Primus buys {CARDS[card].name} from column 1 and takes 0 florins off it."


def test_the_chronicle_can_be_translated():
    pax = court()
    events = events_of(pax.run.answer("primus", "action", None), Event(0, DECIDED, "primus", "action", None), 0)
    german = {"{seat} passes.": "{seat} passt."}
    told = [line for event in events for line in TITLE.tell(event, lambda template: german.get(template, template))]
    assert told[0] == "Primus passt."


def test_a_deck_and_a_fair_card_never_leak():
    pax = Case(open_hands=False).given(vacant("east", 2))
    view = pax.seen_by("secundus")
    assert view.card_at("west", 0) == "?"
    for zone in ("deck:east:upper", "deck:east:lower", "unused:west"):
        assert set(view.zones[zone]) <= {"?"}
    parts = pax.run.answer("primus", "action", None) + pax.run.answer("primus", "action", None)
    events = [redact.event(pax.table.schema, event, "secundus") for event in events_of(parts, Event(0, DECIDED, "primus"), 0)]
    moved = {op.item for event in events for op in event.ops if isinstance(op, Move)}
    assert pax.table.card_at("east", 5) in moved  # it was turned up
    assert not any(event.chance for event in events)
    hidden = {card for zone in pax.table.zones if zone.startswith(("deck:", "unused:")) for card in pax.table.items(zone)}
    assert not hidden & moved


def test_a_hidden_hand_stays_hidden_when_it_is_too_big():
    pax = Case(open_hands=False).given(
        tableau("secundus", "west", "PR071", "PR062"),
        hand("secundus", "PR063", "PR064", "PR065"),
        carries("PR062", "bishop.reformist"),
        tableau("primus", "west", "PR033"),
    )
    pax.when("primus", action=["ops", "west"], op_next=["PR033", "inquisitor.reformist"], inquisitor=["PR062", "PR071"])
    (asked,) = redact.questions(pax.run.asks, pax.run.offers, "primus")
    assert asked == {"seat": "secundus", "key": "hand_limit_discard"}


def test_invariants_notice_what_is_out_of_place():
    pax = court()
    pax.table.move("knight.catholic", "supply", "border:border_aragon_portugal")
    assert any("knight.catholic" in broken for broken in invariants(pax.table))
    pax = court().given(market("east", 1, florins=3))
    pax.table.move("pawn.fugger", "box", "supply")
    assert "there are 11 of pawn.fugger, not 10" in invariants(pax.table)
    pax = court()
    pax.table.move("bishop.islamic", "supply", "on:aragon")
    assert any("bishop" in broken for broken in invariants(pax.table))


def test_what_is_provisional_is_said_in_words():
    assert len(TITLE.provisional) >= 6 and all(line.endswith(".") for line in TITLE.provisional)
