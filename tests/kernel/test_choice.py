"""Choices: what they sample and list they accept, what they accept they list, and junk is refused with a reason."""

from __future__ import annotations

from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.kernel import Ask, Assign, Counts, DeadEnd, Number, OneOf, Pick
from domain.kernel.choice import same
from tests.kernel import toy

names = st.sampled_from(["a", "b", "c", "d"])
scalars = st.none() | st.booleans() | st.integers(-3, 6) | st.sampled_from([0.0, 1.0, 2.5]) | names | st.text(max_size=3)
junk = st.recursive(scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names, inner, max_size=2), max_leaves=8)
handfuls = st.dictionaries(names, st.integers(1, 3), max_size=3)


def at_most(limit):
    """A validator that refuses more than so much of anything."""
    return lambda taken: (
        None if max([n for n in taken.values() if type(n) is int], default=0) <= limit else f"at most {limit} of a kind (T 1)"
    )


def all_different(taken):
    values = list(map(str, taken.values()))
    return None if len(set(values)) == len(values) else "each only once (T 2)"


@st.composite
def counts(draw):
    least = draw(st.integers(0, 3))
    likely = draw(st.lists(st.lists(st.tuples(names, st.integers(1, 2)).map(list), max_size=2), max_size=2))
    return Counts(
        draw(handfuls), least, draw(st.none() | st.integers(0, 4)), draw(st.none() | st.integers(0, 2).map(at_most)), likely
    )


@st.composite
def picks(draw):
    table = toy.table()
    for item, n in draw(handfuls).items():
        table.move(item, "box", "open", n)
    for item in draw(st.lists(names, max_size=2)):
        table.move(item, "box", "pile")
    only = draw(st.sampled_from([None, lambda item: item != "a"]))
    return Pick(table, draw(st.sampled_from(["open", ["open", "pile"]])), 0, draw(st.none() | st.integers(0, 3)), only=only)


options = st.lists(scalars | st.lists(scalars, max_size=2), max_size=4)
choices = st.one_of(
    options.map(OneOf),
    st.builds(Number, st.integers(-2, 2), st.integers(-2, 4)),
    counts(),
    picks(),
    st.builds(Assign, st.dictionaries(names, options, max_size=3), st.sampled_from([None, all_different])),
)


@toy.examples(300)
@given(choices, st.integers())
def test_a_sample_is_accepted_and_only_a_dead_end_has_none(choice, seed):
    try:
        answer = choice.sample(Random(seed))
    except DeadEnd:
        assert list(choice.all()) == []
    else:
        assert choice.refusal(answer) is None


@toy.examples(300)
@given(choices)
def test_all_answers_are_accepted_and_not_more_than_counted(choice):
    answers = list(choice.all())
    assert len(answers) <= choice.count()
    assert all(choice.refusal(answer) is None for answer in answers)


@toy.examples(500)
@given(choices, junk)
def test_an_answer_is_accepted_exactly_if_it_is_listed(choice, answer):
    reason = choice.refusal(answer)
    if reason is None:
        assert any(same(answer, listed) for listed in choice.all())
    else:
        assert type(reason) is str and reason
        assert not any(same(answer, listed) for listed in choice.all())


@toy.examples(100)
@given(choices)
def test_a_choice_can_be_told_to_a_client(choice):
    told = msgspec.json.decode(msgspec.json.encode(choice.describe()))
    assert told["type"] in ("one_of", "number", "counts", "assign")


@pytest.mark.parametrize("choice", [OneOf([1, ["a", 1]]), Number(0, 3), Counts({"a": 1}), Assign({"slot": [1]})])
@pytest.mark.parametrize("answer", [True, 1.0, [True], ["a", True], [["a", True]], [["a", 1.0]], [1.0]])
def test_true_and_one_point_nought_do_not_pass_for_one(choice, answer):
    assert choice.refusal(answer)


def test_a_refusal_of_whatever_was_sent_stays_one_short_sentence():
    deep = []
    for _ in range(900):
        deep = [deep]
    for answer in ("x" * 100_000, ["x"] * 10_000, deep, {"x": deep}):
        for choice in (OneOf(["a"]), Number(1, 2), Counts({"a": 1}), Assign({"slot": ["a"]})):
            assert len(choice.refusal(answer)) < 400
    assert len(Counts({"a": 1}).refusal([["x" * 100_000, 1]])) < 400


@pytest.mark.parametrize(
    ("choice", "answer", "reason"),
    [
        (OneOf(["a"]), "b", "'b' is not one of the options"),
        (Number(1, 3), 4, "4 is not a whole number from 1 to 3"),
        (Counts({"a": 1}), [["a", 2]], "there are only 1 of a"),
        (Counts({"a": 1}), [["b", 1]], "'b' is no choice here"),
        (Counts({"a": 2}, 2, 2), [["a", 1]], "take exactly 2"),
        (Counts({"a": 2, "b": 1}), [["b", 1], ["a", 1]], "name each item once, in alphabetical order"),
        (Assign({"left": ["a"], "right": ["a"]}), ["a"], "name one option for each of: left, right"),
        (Assign({"left": ["a"], "right": ["a"]}, all_different), ["a", "a"], "each only once (T 2)"),
    ],
)
def test_the_reason_says_what_is_wrong(choice, answer, reason):
    assert choice.refusal(answer) == reason


def test_where_a_random_handful_rarely_fits_a_likely_one_is_taken_if_it_fits():
    def exact(taken):
        return None if taken == {"a": 20} else "all of a (T 3)"

    many = dict.fromkeys("abcdef", 20)
    assert Counts(many, why=exact, likely=[[["b", 1]], [["a", 20]]]).sample(Random(1)) == [["a", 20]]


def test_an_optional_question_may_be_passed_and_its_dead_end_is_a_pass():
    stuck = Ask("red", "take", Counts({"a": 1}, why=lambda taken: "never (T 4)"), "T 4", optional=True)
    assert stuck.refusal(None) is None and {stuck.sample(Random(n)) for n in range(20)} == {None}
    assert Ask("red", "take", ["a"], "T 4").refusal(None)
    both = Ask("red", "take", ["a"], "T 4", optional=True)
    assert {both.sample(Random(n)) for n in range(40)} == {None, "a"} and list(both.all()) == [None, "a"] and both.count() == 2
