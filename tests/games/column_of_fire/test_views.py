"""What the players may see: advantage tiles and decks stay hidden, everything else is open (CF-1)."""

from domain.games.column_of_fire import TITLE
from domain.games.column_of_fire.data import COUNTRIES
from domain.kernel import redact
from domain.kernel.schema import SPECTATOR


def asked(case, viewer):
    case.start()
    return redact.questions(case.run.asks, case.run.offers, viewer)


def test_others_see_how_many_tiles_a_player_holds_and_not_which(column):
    case = column().tiles("red", "AD11", "AD15").turn("red")
    assert case.view("red").items("tiles:red") == ["AD11", "AD15"]
    assert case.view("yellow").items("tiles:red") == case.view(SPECTATOR).items("tiles:red") == ["?", "?"]


def test_nobody_sees_into_decks_and_piles(column):
    view = column().view("red")
    assert all(set(view.zones[f"deck:{country}"]) == {"?"} for country in COUNTRIES)
    assert set(view.zones["pile:1"]) == set(view.zones["pile:2"]) == {"?"}


def test_whether_a_window_is_asked_does_not_depend_on_which_tiles_are_held(column):
    usable, useless = column().vp("red", 0).tiles("red", "AD15").turn("red"), column().vp("red", 0).tiles("red", "AD11").turn("red")
    assert usable.asked == useless.asked == ("red", "window")
    assert asked(usable, "yellow") == asked(useless, "yellow") == [{"seat": "red", "key": "window"}]
    assert asked(usable, "red") != asked(useless, "red")


def test_passing_a_window_tells_nothing_about_the_tiles(column):
    seen = []
    for tile in ("AD15", "AD11"):
        case = column().vp("red", 0).tiles("red", tile).turn("red", 1).play("red", "window", "pass")
        seen.append([redact.event(case.t.schema, event, "yellow").ops for event in case.events])
    assert seen[0] == seen[1]


def test_a_spent_tile_is_open(column):
    case = column().tiles("red", "AD21").turn("red").play("red", "window", ["spend", "AD21"])
    assert case.view("yellow").items("spent") == ["AD21"]


def test_a_drawn_tile_is_told_to_its_owner_only(column):
    case = column().character("red", "ENG-11", "white", 3).next_tile("AD15").turn("red", 1)
    case.play("red", "use_character", ["gain_advantage", 1])
    told = {}
    for viewer in ("red", "yellow"):
        told[viewer] = [line for event in case.events for line in TITLE.tell(redact.event(case.t.schema, event, viewer), str)]
    assert any("AD15" in line for line in told["red"])
    assert not any("AD15" in line for line in told["yellow"])
    assert "Red draws an advantage tile." in told["yellow"]


def test_the_scoreboard_projects_tiles_for_their_owner_only(column):
    case = column().tiles("red", "AD11").turn("red")
    own, others = (
        next(score.facts for score in TITLE.score(case.view(viewer)) if score.seat == "red") for viewer in ("red", "blue")
    )
    assert "tiles 3" in own["at the end"] and "tiles" not in others["at the end"]
    assert own["advantage tiles"] == others["advantage tiles"] == 1


def test_the_board_shows_countries_decks_track_and_displays(column):
    case = column().house("red", "england", 4).stones("england", "CP").character("red", "FRA-03", "blue", 4).disc("red", "T07")
    sections = {section.name: section for section in TITLE.board(case.view("yellow"))}
    england = sections["Countries"].rows[0]
    assert england[5][0].seat == "red" and england[8] == "CP.." and "cloth 4" in england[10]
    assert sections["Action track"].rows[7][3][0].seat == "red"
    assert "Cloth merchant [blue 4]" in sections["Displays"].rows[0][3]
    assert all(len(row) == len(section.head) for section in sections.values() for row in section.rows)


def test_the_diplomacy_table_says_who_would_score_and_who_be_expelled(column):
    case = (
        column().house("red", "england", 4).house("yellow", "england", 2).stones("england", "CCP").religion("yellow", "protestant")
    )
    found = {(relation.seat, relation.status): relation for relation in TITLE.diplomacy(case.t)}
    assert found["red", "would score 4 in England"].cite == "CF-11.7"
    assert found["yellow", "would be expelled from England"].note == "C 2, P 1, N 0, 1 free"
    assert found["yellow", "minority"].cite == "CF-13.1"
    assert found["red", "catholic"].note == "chooses again in the first half-year 3 from now"


def test_every_refusal_names_the_rule(column):
    case = column().turn("red")
    assert case.refuses("red", "window", "nonsense").startswith("CF-18.1: ")
    assert case.refuses("red", "take_character", 7).startswith("CF-6.2: ")
    case.play("red", "take_character", "decline")
    assert case.refuses("red", "move_disc", ["pink", 1]).startswith("CF-8.1: ")
