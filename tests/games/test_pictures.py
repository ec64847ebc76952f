"""Every title that draws its board draws it at any moment of any game, for every viewer, and shows nobody what is hidden from him."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from random import Random
from xml.etree import ElementTree

import pytest

from domain.bots import choose, guess
from domain.games import MODULES, TITLES
from domain.games.generalship.board import counted
from domain.games.pax_renaissance.data import KIND, name_of
from domain.kernel import redact
from domain.kernel.run import Run
from domain.kernel.schema import ARBITER, FACE, SPECTATOR
from service.web.forms import hot, spaces

DRAWN = [id for id, title in TITLES.items() if title.picture]
GAMES = [(id, players) for id in DRAWN for players in TITLES[id].players]
EVERY, LONGEST = 10, 700

# Questions that can be answered on the board alone: each of their answers names a space.
ON_THE_BOARD = {
    "generalship": (
        *("choose_nation", "choose_action_tile", "choose_tile_action", "choose_generals", "place_growth", "move", "reinforce"),
        *("choose_retreat", "levy_action", "choose_losses", "upkeep_remove", "edit_alliances", "event_renaissance"),
        *("exchange_advanced", "commit_attack", "arrange_population"),
    ),
    "pax-renaissance": (
        *(
            "activate_victory",
            "choose_location",
            "place_agent_bishop",
            "place_agent_city",
            "place_agent_pirate",
            "place_agent_pawn",
        ),
        *("coronation_king", "casualties", "regime_concession", "emancipate", "op_next", "inquisitor", "behead", "tax_target"),
        *("levy_city", "repress", "vote", "corsair", "siege", "campaign", "hand_limit_discard"),
    ),
}


@cache
def moments(id, players):
    """Every tenth position of a random game with random options, the beginning and the end: the table and the open questions."""
    title, rng = TITLES[id], Random(f"{id} {players}")
    run = Run(title, title.lay(title.seats(players), title.sample_options(rng)), guess(rng))
    found = []
    for number in range(LONGEST):
        if number % EVERY == 0 or run.over:
            found.append((run.table.copy(), [*run.asks], [*run.offers]))
        if run.over:
            break
        ask = choose(run, rng)
        run.answer(ask.seat, ask.key, ask.sample(rng))
    return found


def viewers(table):
    return (*table.seats, SPECTATOR, ARBITER)


def drawn(id, table, viewer, glowing=frozenset()):
    return TITLES[id].picture(redact.table(table, viewer), glowing)


def titles(picture):
    return [one.text for one in ElementTree.fromstring(picture).iter() if one.tag.endswith("title")]


# -- at any moment, for anybody ------------------------------------------------------------------------------


@pytest.mark.parametrize(("id", "players"), GAMES)
def test_a_picture_is_sound_at_every_moment_for_every_viewer(id, players):
    for table, asks, offers in moments(id, players):
        for viewer in viewers(table):
            picture = drawn(id, table, viewer, hot(redact.questions(asks, offers, viewer)))
            root = ElementTree.fromstring(picture)
            assert root.tag.endswith("svg") and " style=" not in picture and "<style" not in picture
            assert all(next(iter(one)).tag.endswith("title") for one in root.iter() if one.get("data-space"))


@pytest.mark.parametrize(("id", "players"), GAMES)
def test_no_glowing_space_lies_in_another_so_that_a_click_means_one_thing(id, players):
    for table, asks, offers in moments(id, players):
        for seat in {ask.seat for ask in asks}:
            root = ElementTree.fromstring(drawn(id, table, seat, hot(redact.questions(asks, offers, seat))))
            for outer in glowing(root):
                assert list(glowing(outer)) == [outer]


def glowing(root):
    return (one for one in root.iter() if "hot" in (one.get("class") or "").split())


# -- what is on the table is on the picture ------------------------------------------------------------------


def pieces(id, t) -> Iterator[str]:
    """What the titles of a picture must say of every seat's pieces."""
    for seat in t.seats:
        if id == "generalship":
            for tile in t.tokens(seat):
                yield from (f"{t.nation(seat).name}: {counted({item: n})} on {tile}" for item, n in t.division(seat, tile).items())
                yield from (f"{ship} on {tile}" for ship in t.fleet(seat, tile) if t.ship(seat, ship))
        elif id == "pax-renaissance":
            yield f"{seat}, {name_of(t.bank(seat))}"
            yield from (f"{name_of(border)}, " for border in t.concessions(seat))
            yield from (f"{seat}: {name_of(card)}" for side in ("west", "east") for card in t.zones[f"{side}:{seat}"])
            yield from (f"cube of {seat}" for _ in t.concessions(seat)[:1])
        elif t.disc(seat):
            yield f"disc of {seat}"


@pytest.mark.parametrize(("id", "players"), GAMES)
def test_every_seats_pieces_are_told_in_the_titles_of_the_picture(id, players):
    told_of = 0
    for table, _, _ in moments(id, players):
        for viewer in viewers(table):
            view = redact.table(table, viewer)
            said = "\n".join(titles(TITLES[id].picture(view, frozenset())))
            for words in pieces(id, view):
                assert words in said, (viewer, words)
                told_of += 1
    assert told_of > 100


@pytest.mark.parametrize("id", DRAWN)
def test_whatever_changes_on_a_picture_changes_in_the_tables_beside_it(id):
    """Every fact of the board is in a table too: no step alters the drawing alone."""
    title, rng = TITLES[id], Random(f"tables {id}")
    run = Run(title, title.lay(title.seats(title.players[-1])), guess(rng))
    shown, changed = None, 0
    for _ in range(120):
        if run.over:
            break
        view = redact.table(run.table, SPECTATOR)
        now = title.picture(view, frozenset()), (title.board(view), title.score(view))
        if shown and shown[0] != now[0]:
            changed += 1
            assert shown[1] != now[1], run.asks
        shown = now
        ask = choose(run, rng)
        run.answer(ask.seat, ask.key, ask.sample(rng))
    assert changed > 20


@pytest.mark.parametrize("id", ON_THE_BOARD)
def test_an_answer_can_be_given_by_clicking(id):
    met = Counter()
    for table, ask in questions(id):
        if ask.key in ON_THE_BOARD[id] and met[ask.key] < 6:
            met[ask.key] += 1
            question = ask.describe()
            root = ElementTree.fromstring(drawn(id, table, ask.seat, hot([question])))
            there = {one.get("data-space") for one in glowing(root)}
            for answer in answers(question["choice"]):
                assert there & set(spaces(answer)), (question, answer)
    assert len(met) >= 0.8 * len(ON_THE_BOARD[id]), sorted(set(ON_THE_BOARD[id]) - set(met))


def questions(id):
    """Every question of a few games in which the players are out for more than luck brings them."""
    title, bias = TITLES[id], import_module(MODULES[id]).bias
    for number, players in enumerate((*title.players, *title.players)):
        rng = Random(f"{players} {number}")
        run = Run(title, title.lay(title.seats(players), title.sample_options(rng)), guess(rng))
        for _ in range(LONGEST):
            if run.over:
                break
            ask = choose(run, rng)
            yield run.table, ask
            wanted = bias(run, ask, rng) if rng.random() < 0.5 else None
            run.answer(ask.seat, ask.key, ask.sample(rng) if wanted is None or ask.refusal(wanted) else wanted)


def answers(choice):
    if choice["type"] == "assign":
        return [option for options in choice["slots"].values() for option in options]
    return choice["options"] if choice["type"] == "one_of" else list(choice["of"])


@pytest.mark.parametrize("id", DRAWN)
def test_every_decision_has_its_sentence(id):
    title = TITLES[id]
    assert set(title.catalogue["decisions"]) <= set(title.prompts)
    assert all(sentence[-1] in ".?" and sentence[0].isupper() for sentence in title.prompts.values())


# -- what is hidden stays hidden -----------------------------------------------------------------------------


def swapped(table, viewer, rng):
    """The same table with two items the viewer cannot tell apart in each other's place; None if there are none."""
    schema, levels = table.schema, table.schema.levels(viewer)
    lie = [(item, zone) for zone, held in sorted(table.zones.items()) if levels[zone] < FACE for item in sorted(set(held))]
    rng.shuffle(lie)
    for one, here in lie:
        for other, there in lie:
            if one != other and here != there and schema.back(one) == schema.back(other):
                return put(put(table.copy(), here, one, other), there, other, one)
    return None


def put(table, zone, old, new):
    """A new item in the place of an old one."""
    held = table.zones[zone]
    if isinstance(held, list):
        held[held.index(old)] = new
    else:
        held[old] -= 1
        if not held[old]:
            del held[old]
        held[new] = held.get(new, 0) + 1
    table.cache.clear()
    return table


@pytest.mark.parametrize(("id", "players"), GAMES)
def test_worlds_that_differ_in_hidden_items_only_look_alike(id, players):
    rng, compared, unlike = Random(id), 0, 0
    for table, _, _ in moments(id, players):
        for viewer in (*table.seats, SPECTATOR):
            other = swapped(table, viewer, rng)
            if other is not None:
                assert drawn(id, table, viewer) == drawn(id, other, viewer)
                compared += 1
                unlike += any(drawn(id, table, seat) != drawn(id, other, seat) for seat in table.seats)
    assert compared > 20
    assert unlike or id != "generalship"  # its players do see their own cards: the worlds were not the same


def test_a_picture_tells_others_the_class_of_a_unit_and_its_owner_the_type():
    table = next(t for t, _, _ in reversed(moments("generalship", 2)) if any(t.units("north", [tile]) for tile in t.land.near))
    mine, theirs = (" ".join(titles(drawn("generalship", table, viewer))) for viewer in ("north", "east"))
    units = [label.split("@") for label in table.units("north")]
    name = table.nation("north").name
    types = {f"{name}: {n} {item.replace('_', ' ')}" for item, _ in units for n in range(1, 30)}
    assert any(words in mine for words in types) and not any(f"{words} on" in theirs for words in types)


def test_a_hand_is_drawn_face_down_for_the_others():
    title = TITLES["pax-renaissance"]
    rng = Random(4)
    run = Run(title, title.lay(title.seats(2), {"open_hands": False}), guess(rng))
    while not run.over and not run.table.items("hand:primus"):
        ask = choose(run, rng)
        run.answer(ask.seat, ask.key, ask.sample(rng))
    card = run.table.items("hand:primus")[0]
    assert card not in KIND
    assert f'data-space="{card}"' in drawn("pax-renaissance", run.table, "primus")
    theirs = drawn("pax-renaissance", run.table, "secundus")
    assert f'data-space="{card}"' not in theirs and "primus, in hand: a card" in theirs
