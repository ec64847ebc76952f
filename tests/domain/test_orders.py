"""The order language: what is said can be read, what cannot be read is pointed at, nothing is guessed."""

from __future__ import annotations

import os
import string
import time
import unicodedata
from itertools import islice
from random import Random

import pytest

from domain import games, orders
from domain.bots import choose, guess
from domain.kernel import Ask, Assign, Counts, Number, Run

SOAK = bool(os.environ.get("CHANCERY_SOAK"))
GAMES = 200 if SOAK else 2
LISTED, SOME = (2_000, 200) if SOAK else (24, 8)  # of a question with more options than the first, so many are tried
TITLES = [title.id for title in games.all()]
COLUMN = games.get("column-of-fire")


def questions(title, number):
    """Every question of a fuzz game, with what else its seat is asked then."""
    rng = Random(f"{title.id} {number}")
    options = title.sample_options(rng) if number % 2 else None
    run = Run(title, title.lay(title.seats(title.players[number % len(title.players)]), options), guess(rng))
    for _ in range(5_000 if SOAK else 400):
        if run.over:
            return
        asked = choose(run, rng)
        yield asked, [other for other in (*run.asks, *run.offers) if other.seat == asked.seat], rng
        run.answer(asked.seat, asked.key, asked.sample(rng))


@pytest.mark.parametrize("id", TITLES)
def test_every_option_of_every_question_can_be_said_and_read_back(id: str) -> None:
    title, met, said_so_far = games.get(id), set(), 0
    for number in range(GAMES):
        for asked, open_now, rng in questions(title, number):
            options = list(asked.all()) if asked.count() <= LISTED else [asked.sample(rng) for _ in range(SOME)]
            mark = (asked.key, str(options), str([(other.key, other.choice.describe()) for other in open_now]))
            if mark in met:
                continue  # the same question with the same answers
            met.add(mark)
            for option in options:
                said = orders.say(title, asked, option)
                assert as_mailed(said, open_now, title) == orders.Order(asked.key, option), said
                said_so_far += 1
    assert said_so_far > 100 * GAMES
    if SOAK:
        print(f"{id}: {GAMES} games, {len(met)} different questions, {said_so_far} orders said and read back")  # noqa: T201


def as_mailed(said, open_now, title):
    """What a line of a mail means; a question may be called by the name of a command."""
    line = orders.parse(f"  {said}  # so be it")
    text = line.text if line.verb == "ORDER" else f"{line.verb} {line.text}"
    return orders.read(title, open_now, text)


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


@pytest.mark.parametrize("text", ["--5", "5-", "\U00010a40", "9" * 300, "1e3", "0x1", "-", "+5", "5.0"])
def test_what_only_looks_like_a_number_is_none(text: str) -> None:
    for question in (ask(Number(0, 9)), ask(Counts({"cloth": 2, "wine": 1}))):
        with pytest.raises(orders.OrderError):
            orders.read(COLUMN, [question], text)


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


@pytest.mark.parametrize("id", TITLES)
def test_5000_lines_of_anything_give_only_clean_errors(id: str) -> None:
    """Garbage, broken orders, and words of real orders in any order, on what is really asked."""
    title, rng = games.get(id), Random(f"fuzz {id}")
    signs = [
        "IF",
        "THEN",
        ":",
        "#",
        "red",
        "12",
        "-1",
        "press",
        "vote",
        ",",
        "é",
        "\t",
        "(",
        "\u202e",
        "help",
        "pass",
        "nothing",
        "\ud800",
        "٣",
        "²",
    ]
    read = refused = 0
    for asked, open_now, _ in islice(questions(title, 0), 100):
        said = [orders.say(title, asked, asked.sample(rng)) for _ in range(4)]
        words = [*" ".join(said).split(), *signs]
        for _ in range(50):
            parts = [rng.choice([rng.choice(words), "".join(rng.choices(string.printable, k=4))]) for _ in range(rng.randrange(8))]
            broken = list(rng.choice(said))
            broken[rng.randrange(len(broken))] = rng.choice(signs)
            text = rng.choice([" ".join(parts), "".join(broken), " ".join(rng.sample(words, min(5, len(words))))])
            try:
                lines, wrong = orders.parse_all(text)
                for _, error in wrong:
                    raise error
                for line in lines:
                    if line.verb == "ORDER":
                        orders.read(title, open_now, line.text)
                        read += 1
            except orders.OrderError as error:
                assert error.reason and 0 <= error.at <= len(error.line) and "Traceback" not in error.pointed()
                refused += 1
    assert refused > 1_000 and read > 10


@pytest.mark.skipif(not SOAK, reason="a figure of the soak, not a test for a busy machine")
def test_100_orders_are_parsed_in_50_milliseconds() -> None:
    title = games.get("pax-renaissance")
    orders.parse("take white england")
    asked = [
        (open_now, orders.say(title, asked, asked.sample(rng))) for asked, open_now, rng in islice(questions(title, 0), 1)
    ] * 100
    best = 1.0
    for _ in range(5):
        started = time.process_time()
        lines, wrong = orders.parse_all("\n".join(f"RED: {said}" for _, said in asked))
        for line, (open_now, _) in zip(lines, asked, strict=True):
            orders.read(title, open_now, line.text)
        best = min(best, time.process_time() - started)
    assert not wrong and best < 0.05


def test_absurd_texts_are_refused() -> None:
    with pytest.raises(orders.OrderError):
        orders.parse_all("red: take white\n" * 100_000)
    with pytest.raises(orders.OrderError):
        orders.parse("take " * 100_000)
    with pytest.raises(orders.OrderError):
        orders.parse("IF a THEN " * 5_000 + "b")
