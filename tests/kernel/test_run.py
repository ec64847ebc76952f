"""The run: answers are atomic, questions are well formed, and a run never goes on for ever (L2)."""

from __future__ import annotations

from random import Random

import pytest

from domain.bots import guess
from domain.kernel import (
    END,
    HIDDEN,
    Ask,
    AskAll,
    AskAny,
    BrokenLog,
    Counts,
    Draw,
    NotAsked,
    Refused,
    Roll,
    RulesCrashed,
    Run,
    Set,
    Shuffle,
    Veil,
    redact,
)
from domain.kernel.chance import Fair
from tests.kernel import toy


def started(play, **more) -> Run:
    return Run(toy.title(play, **more), toy.table(), Fair(b"seed", (), "toy"))


def position(run: Run):
    """Everything that must not change when an answer fails."""
    return run.table.digest(), run.drawn, run.over, run.sealed, redact.questions(run.asks, run.offers, "arbiter"), run.table.ops


# -- atomic answers -------------------------------------------------------------------------------------


def bug(t):
    raise KeyError("a bug")


def too_few(t):
    t.move("ace:1", "deck", "open", 5)


def no_such_place(t):
    t.move("king:1", "box", "line", to=99)


def two_into_a_row(t):
    t.move("king:1", "open", "line", 2)


def no_such_zone(t):
    t.move("king:1", "open", "cellar")


def wrong_type(t):
    t.set("clock", "late")


FAILURES = {failure.__name__: failure for failure in (bug, too_few, no_such_place, two_into_a_row, no_such_zone, wrong_type)}


def risky(fail):
    """Chance before the first question, steps with and without a question between, then a rule that fails half-way."""

    def setup(t):
        t.move("ace:1", "box", "deck")
        t.move("king:1", "box", "open", 2)
        return "middle"
        yield

    def middle(t):
        [pips] = yield Roll(1, "opening", "T 1")
        t.set("clock", pips, cite="T 1")
        first = yield Ask("red", "first", ["a", "b"], "T 2")
        t.set("word", first, cite="T 2")
        yield Roll(2, "between", "T 2")
        while True:
            second = yield Ask("blue", "second", ["fine", "fail", "on"], "T 3")
            t.add("clock", 10, cite="T 3")
            t.move((yield Draw("deck", "card", "T 3")), "deck", "hand:blue")
            t.show("green", "deck", [])
            if second == "fail":
                fail(t)
            t.move("ace:1", "hand:blue", "deck")
            if second == "on":
                return "after"

    def after(t):
        t.move("king:2", "box", "pile")
        yield Shuffle("pile", "mix", "T 4")
        yield Ask("green", "third", ["end"], "T 4")
        return END

    return setup, {"middle": middle, "after": after}


@pytest.mark.parametrize("fail", FAILURES.values(), ids=FAILURES)
def test_L2_a_rule_that_fails_half_way_changes_nothing_and_the_game_goes_on_as_if_it_had_not_been_tried(fail):
    setup, steps = risky(fail)
    failing, calm = started(setup, steps=steps), started(setup, steps=steps)
    for run in (failing, calm):
        run.answer("red", "first", "a")
        run.answer("blue", "second", "fine")
    before = position(failing)
    for _ in range(3):
        with pytest.raises((RulesCrashed, BrokenLog)):
            failing.answer("blue", "second", "fail")
        assert position(failing) == before
    for answer in (("blue", "second", "fine"), ("blue", "second", "on"), ("green", "third", "end")):
        assert failing.answer(*answer) == calm.answer(*answer), "the same ops, chance and peeks"
    assert failing.over and position(failing) == position(calm)


def test_L2_a_failure_in_a_later_step_takes_the_steps_before_it_back():
    """Given an answer that ends a step, when the next step fails, then the answer was not made."""

    def ask(t):
        yield Ask("red", "go", ["well", "badly"], "T 1")
        t.add("clock", 1)
        return "next"

    def following(t):
        t.add("clock", 1)
        yield Roll(1, "die", "T 2")
        raise ValueError("a bug")

    run = started(ask, steps={"next": following})
    before = position(run)
    with pytest.raises(RulesCrashed, match=r"failed on red's answer 'well' to 'go'.*nothing was changed"):
        run.answer("red", "go", "well")
    assert position(run) == before and run.table.get("step") is None


def test_a_validator_that_fails_is_a_bug_in_the_rules_and_not_an_unknown_error():
    def play(t):
        yield Ask("red", "take", Counts({"a": 1}, why=lambda taken: 1 // 0), "T 1")
        return END

    run = started(play)
    with pytest.raises(RulesCrashed, match="failed on checking red's answer to 'take'"):
        run.check("red", "take", [["a", 1]])
    assert [ask.key for ask in run.asks] == ["take"]


def test_a_failing_right_leaves_the_open_question_open():
    def play(t):
        yield Ask("red", "go", ["on"], "T 1")
        return END

    def interrupt(t, seat, key, answer):
        t.add("clock", 1)
        yield Roll(1, "die", "T 2")
        raise KeyError("a bug")

    run = started(play, standing=lambda t: [Ask("blue", "stop", ["now"], "T 2")], interrupt=interrupt)
    before = position(run)
    with pytest.raises(RulesCrashed):
        run.answer("blue", "stop", "now")
    assert position(run) == before
    run.answer("red", "go", "on")
    assert run.over


# -- endless and ill-formed rules -----------------------------------------------------------------------


def once(request):
    def play(t):
        yield Ask("red", "go", ["on"], "T 1")
        yield request(t)
        return END

    return play


def for_ever(t):
    yield Ask("red", "go", ["on"], "T 1")
    return "round"


def dice_for_ever(t):
    yield Ask("red", "go", ["on"], "T 1")
    while True:
        yield Roll(1, "die", "T 1")


def nowhere(t):
    yield Ask("red", "go", ["on"], "T 1")
    return "nowhere"


def forgotten(t):
    yield Ask("red", "go", ["on"], "T 1")


def circle(t):
    return "round"
    yield


def ask(seat, key):
    return Ask(seat, key, ["on"], "T 1")


ILL = {
    "steps in a circle": (for_ever, "round in circles"),
    "dice without end": (dice_for_ever, "draw 'die' for ever"),
    "an unknown step": (nowhere, "there is no step 'nowhere'"),
    "no next step": (forgotten, "there is no step None"),
    "a question of nobody": (once(lambda t: AskAll([])), "ask a question of nobody"),
    "two questions with one key": (once(lambda t: AskAny([ask("red", "x"), ask("red", "x")])), "one seat with one key"),
    "an offer like the question": (once(lambda t: Ask("red", "x", ["a"], "T", offers=[ask("red", "x")])), "one seat with one key"),
    "a seat asked twice in a sealed round": (once(lambda t: AskAll([ask("red", "x"), ask("red", "y")])), "asked twice"),
    "a question to a stranger": (once(lambda t: ask("purple", "x")), "does not play: purple"),
    "a draw out of nothing": (once(lambda t: Draw("deck", "card", "T 1")), "nothing to draw from deck"),
    "something else than a request": (once(lambda t: "hello"), "the rules failed"),
}


@pytest.mark.parametrize(("play", "message"), ILL.values(), ids=ILL)
def test_ill_formed_rules_are_found_when_they_are_met_and_change_nothing(play, message):
    run = started(play, steps={"round": circle})
    before = position(run)
    with pytest.raises(RulesCrashed, match=message):
        run.answer("red", "go", "on")
    assert position(run) == before


# -- questions and answers ------------------------------------------------------------------------------


def test_refusals_name_the_rule_and_what_is_legal():
    def play(t):
        yield Ask("red", "word", ["yes", "no"], "T 1.2")
        return END

    run = started(play)
    with pytest.raises(Refused, match=r"T 1\.2: 'maybe' is not one of the options") as refused:
        run.check("red", "word", "maybe")
    assert refused.value.rule == "T 1.2" and refused.value.legal == {"type": "one_of", "options": ["yes", "no"]}
    with pytest.raises(NotAsked, match="red is not asked 'bid' now, but: word"):
        run.check("red", "bid", 1)
    with pytest.raises(NotAsked, match="nothing is asked of blue now: the game waits for red"):
        run.check("blue", "word", "yes")
    run.answer("red", "word", "yes")
    with pytest.raises(NotAsked, match="the game is over"):
        run.check("red", "word", "yes")


def sealed_round(t):
    said = yield AskAll([Ask(seat, "bid", [0, 1, 2], "T 1", optional=True) for seat in t.seats])
    t.say("T 2", **said)
    return END


@pytest.mark.parametrize("answer", [None, 0, 2])
def test_L5_in_a_sealed_round_every_answer_looks_the_same_also_a_pass(answer):
    run = started(sealed_round)
    assert run.sealed and run.veil(run.asks[0], answer) == Veil()
    [part] = run.answer("red", "bid", answer)
    assert part.ops == [Set("sealed:red", None, [answer])]
    view = redact.table(run.table, "blue")
    assert view.get("sealed:red") == HIDDEN and redact.table(run.table, "red").get("sealed:red") == [answer]


def test_a_sealed_round_is_answered_in_any_order_and_opened_at_once():
    results = []
    for order in (("red", "blue", "green"), ("green", "red", "blue")):
        run = started(sealed_round)
        bids = {"red": 1, "blue": None, "green": 0}
        for seat in order:
            assert seat in [ask.seat for ask in run.asks]
            parts = run.answer(seat, "bid", bids[seat])
        results.append(parts[0].cites[0].facts)
        assert run.over and not any(name.startswith("sealed:") for name in run.table.registers)
    assert results == [bids, bids]


def test_whoever_answers_an_open_call_first_resumes_the_rules():
    def play(t):
        taken = yield AskAny([Ask(seat, "claim", [1, 2], "T 1") for seat in t.seats])
        t.say("T 1", seat=taken.seat, key=taken.key, answer=taken.answer)
        return END

    run = started(play)
    assert not run.asks and [offer.seat for offer in run.offers] == list(toy.SEATS)
    assert run.answer("blue", "claim", 2)[0].cites[0].facts == {"seat": "blue", "key": "claim", "answer": 2}


def test_an_offer_beside_a_question_may_be_taken_by_another_seat():
    def play(t):
        said = yield Ask("red", "go", ["on"], "T 1", offers=[Ask("blue", "bribe", [1], "T 2")])
        t.say("T 1", kind=type(said).__name__)
        return END

    took, waited = started(play), started(play)
    assert took.answer("blue", "bribe", 1)[0].cites[0].facts == {"kind": "Taken"}
    assert waited.answer("red", "go", "on")[0].cites[0].facts == {"kind": "str"}


def test_a_standing_right_interrupts_a_step_and_the_step_starts_anew():
    def play(t):
        first = yield Ask("red", "first", ["a"], "T 1")
        t.set("word", first)
        yield Ask("red", "second", ["b"], "T 1")
        return END

    def interrupt(t, seat, key, answer):
        more = yield Ask(seat, "how_much", [1, 2], "T 2")
        t.add("clock", more, cite="T 2")

    run = started(play, standing=lambda t: [Ask("blue", "stop", ["now"], "T 2")], interrupt=interrupt)
    run.answer("blue", "stop", "now")
    assert [ask.key for ask in run.asks] == ["how_much"] and run.offers == [], "no right within a right"
    [part] = run.answer("blue", "how_much", 2)
    assert part.mark and run.table.get("clock") == 2
    assert [ask.key for ask in run.asks] == ["first"] and [offer.key for offer in run.offers] == ["stop"]
    run.answer("red", "first", "a")
    assert run.offers == [], "once something has happened in the step, it is not interrupted any more"


def test_no_standing_right_is_offered_after_a_peek():
    """Given a step that begins by showing something, starting it anew would show it twice."""

    def play(t):
        t.show("red", "deck", [])
        yield Ask("red", "go", ["on"], "T 1")
        return END

    assert started(play, standing=lambda t: [Ask("blue", "stop", ["now"], "T 2")]).offers == []


# -- parts, marks and forks -----------------------------------------------------------------------------


def test_L2_a_part_ends_where_a_step_ends():
    setup, steps = risky(lambda t: None)
    run = started(setup, steps=steps)
    assert [part.mark for part in run.first] == [True, False]
    run.answer("red", "first", "a")
    parts = run.answer("blue", "second", "on")
    assert [part.mark for part in parts] == [True, False] and parts[0].digest and not parts[1].digest


@pytest.mark.parametrize("answers", [[], [("red", "first", "b")], [("red", "first", "a"), ("blue", "second", "fine")]])
def test_a_fork_stands_at_the_same_question_and_what_happens_there_stays_there(answers):
    setup, steps = risky(lambda t: None)
    run = started(setup, steps=steps)
    for answer in answers:
        run.answer(*answer)
    before = position(run)
    fork = run.fork(guess(Random(1)))
    assert position(fork)[:5] == before[:5]
    for ask in list(fork.asks):
        fork.answer(ask.seat, ask.key, next(ask.all()))
    assert position(run) == before and fork.table.digest() != run.table.digest()
