"""What-if lines: exact as far as they stay legal, and never a word about the future."""

from __future__ import annotations

import os
from itertools import count
from random import Random

import pytest

from domain.audit import audit
from domain.bots import guess
from domain.kernel import NotFound, Refused, Rolled, Run
from domain.kernel.event import DECIDED, SEALED
from domain.log import PARENTS_LUCK, effective, groups
from domain.whatif import FRESH, SAME, Borrowed, change_chance, change_decision, differences, first_divergence
from tests.domain.games_played import finished, play

PAIRS = 500 if os.environ.get("CHANCERY_SOAK") else 40
ids = (f"line-{n}" for n in count())


def decisions(log):
    return [group for group in groups(effective(log.raw())) if group[0].kind in (DECIDED, SEALED)]


def test_a_changed_decision_is_replayed_exactly_as_far_as_it_stays_legal() -> None:
    """For random changes the branch equals a run from scratch on the same inputs, and stops at the same decision."""
    log = finished()
    all_groups = list(groups(effective(log.raw())))
    rng = Random("what if")
    stopped = 0
    for _ in range(PAIRS):
        number = rng.randrange(1, len(all_groups))
        changed = all_groups[number][0]
        ask = log.run_at(changed.version - 1).question(changed.seat, changed.ask)
        answer = ask.sample(rng)
        grown = change_decision(log, next(ids), changed.version, answer)

        run = Run(log.title, log.title.lay(log.header.seats, log.header.options), guess(rng))
        fresh = grown.log.source()
        refused = None
        run.source = Borrowed([outcome for event in all_groups[0] for outcome in event.chance], fresh)
        run = Run(log.title, log.title.lay(log.header.seats, log.header.options), run.source)
        for at, group in enumerate(all_groups[1:], 1):
            run.source = Borrowed([outcome for event in group for outcome in event.chance], fresh)
            given = answer if at == number else group[0].answer
            try:
                run.answer(group[0].seat, group[0].ask, given)
            except Refused:
                refused = group[0].version
                break
        assert run.table.state() == grown.log.whole_table().state()
        assert (grown.stopped.version if grown.stopped else None) == refused
        stopped += refused is not None
    assert stopped, "some change must make a later decision illegal"


def test_the_decision_that_stops_the_replay_names_its_rule() -> None:
    log = finished()
    grown = next(
        grown
        for group in decisions(log)
        if group[0].ask == "take_character"
        for option in log.run_at(group[0].version - 1).question(group[0].seat, group[0].ask).all()
        if option != group[0].answer
        for grown in [change_decision(log, next(ids), group[0].version, option)]
        if grown.stopped
    )
    assert grown.stopped.rule.startswith("CF-") and grown.stopped.reason
    assert grown.log.run.question(grown.log.run.asks[0].seat, grown.log.run.asks[0].key), "the analyst can go on from there"


def test_one_die_can_come_out_differently() -> None:
    log = finished()
    group = next(
        group for group in decisions(log) if any(type(o) is Rolled and len(o.values) >= 3 for e in group for o in e.chance)
    )
    outcomes = [outcome for event in group for outcome in event.chance]
    index = next(n for n, outcome in enumerate(outcomes) if type(outcome) is Rolled and len(outcome.values) >= 3)
    wanted = [6] * len(outcomes[index].values)
    grown = change_chance(log, next(ids), group[0].version, index, wanted)
    again = [outcome for event in grown.log.raw(group[0].version - 1) for outcome in event.chance]
    assert again[index].values == wanted
    assert grown.log.line.luck == PARENTS_LUCK and audit(grown.log).clean
    assert first_divergence(log, grown.log) is not None
    with pytest.raises(Refused, match="cannot come up"):
        change_chance(log, next(ids), group[0].version, index, [9] * len(wanted))
    with pytest.raises(NotFound):
        change_chance(log, next(ids), group[0].version, 99, wanted)


def test_fresh_luck_is_the_lines_own_and_audited_as_such() -> None:
    log = finished()
    group = decisions(log)[5]
    ask = log.run_at(group[0].version - 1).question(group[0].seat, group[0].ask)
    grown = change_decision(log, next(ids), group[0].version, ask.sample(Random(1)), luck=FRESH)
    assert grown.log.line.luck != PARENTS_LUCK and audit(grown.log).clean


def test_an_illegal_change_is_refused_and_no_line_is_made() -> None:
    log = play("column-of-fire", 2, "refused", stop=20)
    before = len(log.store.lines(log.match.id))
    with pytest.raises(Refused):
        change_decision(log, next(ids), decisions(log)[3][0].version, "something else entirely", luck=SAME)
    assert len(log.store.lines(log.match.id)) == before


def test_two_tables_differ_in_what_was_moved_and_set() -> None:
    log = finished()
    assert differences(log.whole_table(), log.whole_table()) == []
    found = differences(log.whole_table(5), log.whole_table())
    assert {"vp:red"} <= {one.where for one in found}
