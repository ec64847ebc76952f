"""Another reading of the rules: what it would have changed, and adopted by a ruling from the last mark on."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from domain import games
from domain.audit import audit, rerun
from domain.bots import choose
from domain.kernel import Ask, Refused, Set
from domain.kernel.event import RULED
from domain.kernel.title import Option
from domain.log import Log, groups
from domain.readings import CHANCE, DIFFERS, REFUSED, SAME, correction, moved, readings
from domain.whatif import change_decision
from tests.domain.games_played import play
from tests.kernel import toy


def counting(t: Any) -> Any:
    """Red writes a word that counts once, or twice where the house reads it so; three times "no" end the step."""
    for _ in range(3):
        word = yield Ask("red", "word", ["yes", "no"] if t.options["negation"] else ["yes"], "T 1")
        t.set("word", word, cite="T 1")
        t.add("clock", 2 if t.options["double"] else 1, cite="T 2")
    return "setup"


OPTIONS = {
    "double": Option(False, (False, True), "T 2", "a word counts twice"),
    "negation": Option(True, (True, False), "T 1", "no may be said"),
}
TITLE = msgspec.structs.replace(toy.title(counting), options=OPTIONS)


def started(*words: str) -> Log:
    log = toy.log(TITLE)
    for word in words:
        log.decide("red", "word", word)
    return log


def found(log: Log, version: int) -> dict[str, Any]:
    group = next(group for group in groups(log.raw()) if group[0].version == version)
    return {reading.option: reading for reading in readings(log, group, "arbiter")}


def test_each_switch_is_tried_on_a_disputed_decision_and_says_what_it_would_have_changed():
    log = started("yes", "no")
    first, second = found(log, 2), found(log, 3)
    assert (first["negation"].outcome, second["negation"].outcome) == (SAME, REFUSED)
    assert (second["negation"].version, second["negation"].rule) == (3, "T 1")
    assert first["double"].outcome == DIFFERS
    assert [(change.where, change.left, change.right) for change in first["double"].changes] == [("clock", 1, 2)]
    assert [(change.left, change.right) for change in second["double"].changes] == [(2, 4)]


def test_a_reading_that_disagrees_is_adopted_from_the_last_mark_and_the_step_starts_anew():
    log = started("yes", "yes", "yes", "yes", "no")
    ruled, *_ = log.rule({"text": "words count twice"}, options={"double": True})
    assert (ruled.kind, ruled.mark, ruled.answer["options"]) == (RULED, True, {"double": True})
    assert log.whole_table().get("clock") == 3, "what was counted since the mark is taken back"
    log.decide("red", "word", "yes")
    assert log.whole_table().get("clock") == 5
    assert Log(log.store, TITLE, log.match, log.line).run.table.get("clock") == 5
    assert audit(log).clean and log.terms()["options"]["double"] is True and log.terms(3)["options"]["double"] is False


def test_a_reading_that_agrees_with_everything_since_the_mark_leaves_it_as_it_stands():
    log = started("yes", "yes")
    (ruled,) = log.rule({"text": "nobody says no"}, options={"negation": False})
    assert not ruled.mark and not ruled.ops and log.whole_table().get("clock") == 2
    with pytest.raises(Refused):
        log.decide("red", "word", "no")
    log.decide("red", "word", "yes")
    assert audit(log).clean


def test_a_reading_and_a_correction_in_one_ruling():
    log = started("yes", "yes", "yes", "yes")
    log.rule({"text": "and all counts double"}, [Set("clock", 3, 6)], options={"double": True})
    log.decide("red", "word", "yes")
    assert log.whole_table().get("clock") == 8 and audit(log).clean


@pytest.mark.parametrize("options", [{"double": False}, {"double": "often"}, {"weather": True}])
def test_a_reading_that_there_is_not_or_that_holds_already_is_refused(options):
    log = started("yes")
    with pytest.raises(Refused):
        log.rule({"text": "so be it"}, options=options)
    assert log.head == 2 and log.run.table.get("clock") == 1


def test_a_reading_outlives_snapshots_forks_and_undo():
    log = started()
    log.rule({"text": "twice"}, options={"double": True})
    for _ in range(70):
        log.decide("red", "word", "yes")
    assert log.store.snapshot(log.line.id, log.head).terms == {"options": {"double": True}}
    again = Log(log.store, TITLE, log.match, log.line)
    again.decide("red", "word", "yes")
    again.undo("red")
    fork = again.fork("fork")
    fork.decide("red", "word", "yes")
    assert fork.whole_table().get("clock") == 142
    early = again.fork("early", 1)
    early.decide("red", "word", "yes")
    assert early.whole_table().get("clock") == 1, "a branch from before the ruling goes by the old reading"
    assert audit(again).clean and audit(fork).clean and audit(early).clean


def test_a_reading_that_lays_the_table_differently_cannot_be_adopted():
    log = play("pax-renaissance", 2, "open hands", stop=20)
    with pytest.raises(Refused, match="laid differently"):
        log.rule({"text": "show your hands"}, options={"open_hands": not log.header.options["open_hands"]})


def test_a_reading_that_the_table_contradicts_is_refused():
    log = play("column-of-fire", 3, "below zero", stop=60)
    log.rule({"text": "a debt"}, [Set("vp:red", log.standpoint()[0].get("vp:red"), -2)], options={"allow_negative_vp": True})
    with pytest.raises(Refused, match="such a table cannot be"):
        log.rule({"text": "no debts"}, options={"allow_negative_vp": False})
    assert audit(log, games.library).clean


@pytest.mark.parametrize(
    ("title", "switches"),
    [
        ("column-of-fire", {("allow_negative_vp", REFUSED), ("max_paid_removals_per_turn", DIFFERS)}),
        ("generalship", {("follow_order", DIFFERS)}),
        ("pax-renaissance", {("bankruptcy", DIFFERS), ("refresh_order", CHANCE)}),
    ],
)
def test_every_reading_of_a_title_can_be_tried_on_every_decision(title, switches):
    log = play(title, 3, "r2", stop=120)
    tried = {(one.option, one.outcome) for group in groups(log.raw()) for one in readings(log, group, "arbiter")}
    assert switches <= tried and any(outcome == SAME for _, outcome in tried)


# -- adopted for a decision of the past --------------------------------------------------------------------


def test_a_table_is_corrected_as_if_the_rules_had_always_been_read_so():
    log = started("yes", "no", "yes", "yes", "yes")
    ops = correction(log, 3, {"double": True})
    assert ops == [Set("clock", 3, 6)], "the first three words, from the mark before the disputed one; the others are said again"
    log.rule({"text": "twice"}, ops, options={"double": True})
    log.decide("red", "word", "yes")
    assert log.whole_table().get("clock") == 8 and audit(log).clean


def test_where_a_decision_could_not_have_been_made_only_going_back_is_left():
    log = started("yes", "yes", "no")
    with pytest.raises(Refused, match="the decision at version 4 would be refused: rewind"):
        correction(log, 2, {"negation": False})


@pytest.mark.parametrize(
    ("title", "option"),
    [("generalship", "follow_order"), ("pax-renaissance", "bankruptcy")],
)
def test_a_real_decision_is_corrected_by_a_reading_and_the_game_plays_on(title, option):
    """Given a decision that the other reading changes, the ruling makes the table exactly what that reading gives."""
    corrected = 0
    for seed in ("r2", "readings"):
        log, rng = play(title, 3, seed, stop=15), Random(seed)
        for _ in range(80):
            if log.run.over:
                break
            ask = choose(log.run, rng)
            log.decide(ask.seat, ask.key, ask.sample(rng))
            *_, last = groups(log.raw())
            found = [one for one in readings(log, last, "arbiter") if (one.option, one.outcome) == (option, DIFFERS)]
            if found:
                ops = correction(log, last[0].version, {option: found[0].value})
                log.rule({"text": "read otherwise"}, ops, options={option: found[0].value})
                corrected += 1
                break
        for _ in range(10):
            if not log.run.over:
                ask = choose(log.run, rng)
                log.decide(ask.seat, ask.key, ask.sample(rng))
        assert audit(log, games.library).clean
    assert corrected == 2


def test_any_table_is_made_any_other_by_ops():
    rng = Random(3)
    logs = [play(title, 3, seed, stop=60) for title in ("column-of-fire", "generalship", "pax-renaissance") for seed in ("a", "b")]
    for log in logs:
        for _ in range(10):
            one, other = (log.whole_table(rng.randint(2, log.head)) for _ in range(2))
            one.fold(moved(one, other))
            assert one.state() == other.state()


# -- made again ---------------------------------------------------------------------------------------------


def test_a_decision_is_made_again_under_the_pinned_and_under_newer_rules():
    log = started("yes", "no")
    second = list(groups(log.raw()))[2]
    newer = msgspec.structs.replace(TITLE, rules="2", steps={"setup": _thrice})
    assert rerun(log, TITLE, second) is None
    diverged = rerun(log, newer, second)
    assert diverged is not None and diverged.version == 2, "the rules part from the record where the step began"


def _thrice(t: Any) -> Any:
    for _ in range(3):
        t.set("word", (yield Ask("red", "word", ["yes", "no"], "T 1")), cite="T 1")
        t.add("clock", 3, cite="T 2")
    return "setup"


def test_lent_luck_is_checked_against_the_line_that_lent_it():
    log = play("column-of-fire", 3, "lent", stop=80)
    group = next(group for group in groups(log.raw()) if group[0].kind == "decided" and group[0].version > 20)
    grown = change_decision(log, "other", group[0].version, group[0].answer).log
    report = audit(grown, games.library)
    assert report.clean and report.draws > audit(log, games.library).draws / 2
    events = log.store._events[grown.line.id]
    at = next(
        n for n, item in enumerate(events) if item.cause.startswith("as at") and any(o.key == "free_dice" for o in item.chance)
    )
    rolled = next(outcome for outcome in events[at].chance if outcome.key == "free_dice")
    other = msgspec.structs.replace(rolled, values=[face % 6 + 1 for face in rolled.values])
    events[at] = msgspec.structs.replace(events[at], chance=[other if one == rolled else one for one in events[at].chance])
    finding = audit(grown, games.library).finding
    assert finding is not None and finding.version <= events[at].version and "the line it comes from gives" in finding.reason
