"""The order language: what is said can be read, what cannot be read is pointed at, nothing is guessed."""

from __future__ import annotations

import os
import string
import time
import unicodedata
from random import Random

import pytest

from domain import games, orders
from domain.bots import choose, guess
from domain.kernel import Ask, Assign, Counts, Number, Run

GAMES = 200 if os.environ.get("CHANCERY_SOAK") else 2
TITLES = [title.id for title in games.all()]
COLUMN = games.get("column-of-fire")


@pytest.mark.parametrize("id", TITLES)
def test_every_option_of_every_question_can_be_said_and_read_back(id: str) -> None:
    title, rng = games.get(id), Random(id)
    for number in range(GAMES):
        run = Run(title, title.lay(title.seats(title.players[number % len(title.players)])), guess(rng))
        decisions = 0
        while not run.over and decisions < 400:
            ask = choose(run, rng)
            open_now = [other for other in (*run.asks, *run.offers) if other.seat == ask.seat]
            options = list(ask.all()) if ask.count() <= 12 else [ask.sample(rng) for _ in range(4)]
            for option in options:
                said = orders.say(title, ask, option)
                assert orders.read(title, open_now, said) == orders.Order(ask.key, option), said
            run.answer(ask.seat, ask.key, rng.choice(options))
            decisions += 1


def ask(choice, key="take_character", **more):
    return Ask("red", key, choice, "CF-6.2", **more)


def test_case_accents_and_ends_of_words_may_be_left_out() -> None:
    question = ask([["take", "white", "england"], ["take", "blue", "france"]])
    for text in (
        "take character TAKE WHITE ENGLAND",
        "tak char tak whi eng",
        "take white england",
        unicodedata.normalize("NFD", "táke whíte éngland"),
    ):
        assert orders.read(COLUMN, [question], text).answer == ["take", "white", "england"]


def test_an_order_that_can_be_read_in_two_ways_does_nothing_and_lists_both() -> None:
    with pytest.raises(orders.Ambiguous) as found:
        orders.read(
            COLUMN, [ask([["take", "white", "england"], ["take", "white", "spain"], ["take", "blue", "spain"]])], "take white"
        )
    assert [reading.split()[-1] for reading in found.value.legal] == ["england", "spain"]


def test_an_error_points_at_the_word_and_lists_what_is_legal() -> None:
    with pytest.raises(orders.OrderError) as found:
        orders.read(COLUMN, [ask(["catholic", "protestant"], "choose_religion")], "choose religion lutheran")
    assert found.value.at == len("choose religion ") and found.value.legal == ["catholic", "protestant"]
    assert found.value.pointed().splitlines()[1].startswith(" " * found.value.at + "^")


def test_numbers_handfuls_and_assignments_are_read() -> None:
    assert orders.read(COLUMN, [ask(Number(0, 9))], "7").answer == 7
    goods = ask(Counts({"cloth": 2, "wine": 1}))
    assert orders.read(COLUMN, [goods], "2 cloth, 1 wine").answer == [["cloth", 2], ["wine", 1]]
    assert orders.read(COLUMN, [goods], "wine").answer == [["wine", 1]]
    assert orders.read(COLUMN, [goods], "nothing").answer == []
    with pytest.raises(orders.OrderError, match="only 2 of cloth"):
        orders.read(COLUMN, [goods], "3 cloth")
    fleets = ask(Assign({"first": ["brest", "cadiz"], "second": ["brest", "cadiz"]}))
    assert orders.read(COLUMN, [fleets], "first: cadiz, second: brest").answer == ["cadiz", "brest"]


def test_a_pass_is_read_where_passing_is_allowed() -> None:
    assert orders.read(COLUMN, [ask(["a", "b"], optional=True)], "pass").answer is None
    with pytest.raises(orders.OrderError):
        orders.read(COLUMN, [ask(["a", "b"])], "pass")


@pytest.mark.parametrize("letter", ["\u202e", "\u200b", "\x00", "\ufeff"])
def test_invisible_letters_are_refused_with_their_place(letter: str) -> None:
    with pytest.raises(orders.OrderError, match="invisible") as found:
        orders.parse(f"red: take{letter} white")
    assert found.value.at == len("red: take")


def test_a_look_alike_of_another_script_is_never_a_seat_or_an_option() -> None:
    with pytest.raises(orders.OrderError):
        orders.read(COLUMN, [ask(["catholic"], "choose_religion")], "сatholic")  # a Cyrillic c


def test_commands_seats_conditions_comments_and_press_are_told_apart() -> None:
    found, wrong = orders.parse_all(
        "# my orders\nRED: take white england  # first\nIF asked upgrade house THEN upgrade house yes\nVOTE undo 118 yes\nPRESS to blue\nPeace?\nUNDO\nENDPRESS\nFINAL\n"
    )
    assert not wrong
    assert [(line.verb, line.seat) for line in found] == [
        ("ORDER", "RED"),
        ("ORDER", ""),
        ("VOTE", ""),
        ("PRESS", ""),
        ("FINAL", ""),
    ]
    assert found[1].condition == "asked upgrade house" and found[3].text == "to blue\nPeace?\nUNDO"


def test_5000_lines_of_anything_give_only_clean_errors() -> None:
    rng = Random("fuzz")
    question = ask(["catholic", "protestant"], "choose_religion")
    words = [
        "take",
        "choose",
        "religion",
        "catholic",
        "IF",
        "THEN",
        ":",
        "#",
        "red",
        "12",
        "press",
        "vote",
        ",",
        "é",
        "\t",
        "(",
        "\u202e",
    ]
    for _ in range(5000):
        line = " ".join(
            rng.choice([rng.choice(words), "".join(rng.choices(string.printable, k=4))]) for _ in range(rng.randrange(7))
        )
        try:
            parsed = orders.parse(line.replace("\n", " ").replace("\r", " "))
            if parsed and parsed.verb == "ORDER":
                orders.read(COLUMN, [question], parsed.text)
        except orders.OrderError as error:
            assert error.reason and "Traceback" not in error.reason


def test_absurd_texts_are_refused_quickly() -> None:
    started = time.process_time()
    with pytest.raises(orders.OrderError):
        orders.parse_all("red: take white\n" * 100_000)
    with pytest.raises(orders.OrderError):
        orders.parse("take " * 100_000)
    with pytest.raises(orders.OrderError):
        orders.parse("IF a THEN " * 5_000 + "b")
    assert time.process_time() - started < 5
