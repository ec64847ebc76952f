"""What-if lines: exact as far as they stay legal, and never a word about the future."""

from __future__ import annotations

import os
from functools import cache
from itertools import count
from random import Random
from typing import Any

import msgspec
import pytest

from domain.audit import audit
from domain.borrowed import Borrowed
from domain.kernel import NotFound, Refused, Rolled, Run
from domain.kernel.chance import Source
from domain.kernel.event import DECIDED, SEALED, Event
from domain.log import PARENTS_LUCK, Log, effective, groups
from domain.whatif import FRESH, SAME, change_chance, change_decision, differences, first_divergence
from tests.domain.games_played import finished, play

PAIRS = 500 if os.environ.get("CHANCERY_SOAK") else 40
TITLES = ("column-of-fire", "generalship", "pax-renaissance")
ids = (f"line-{n}" for n in count())


def decisions(log):
    return [group for group in groups(effective(log.raw())) if group[0].kind in (DECIDED, SEALED)]


@cache
def matches() -> list[Log]:
    """Whole games of every title, some with another number of players."""
    return [finished(), *(play(title, seats, f"pairs {seats}") for title in TITLES for seats in (2, 3))]


def from_scratch(log: Log, number: int, answer: Any, lent: list[Any], fresh: Source) -> tuple[Run, int | None]:
    """The whole game run anew with one decision and its luck changed: where it stands, and the first decision that was refused."""
    told = list(groups(effective(log.raw())))
    run = Run(log.title, log.title.lay(log.header.seats, log.header.options), Borrowed(drawn(told[0]), fresh))
    for at, group in enumerate(told[1:], 1):
        run.source = Borrowed(lent if at == number else drawn(group), fresh)
        try:
            run.answer(group[0].seat, group[0].ask, answer if at == number else group[0].answer)
        except Refused:
            return run, group[0].version
    return run, None


def drawn(group: list[Event]) -> list[Any]:
    return [outcome for event in group for outcome in event.chance]


def test_a_changed_decision_or_die_is_replayed_exactly_as_far_as_it_stays_legal() -> None:
    """For random (match, change) pairs the branch equals a run from scratch on the same inputs, and stops at the same decision."""
    rng = Random("what if")
    stopped = dice = 0
    for pair in range(PAIRS):
        log = matches()[pair % len(matches())]
        told = list(groups(effective(log.raw())))
        rolls = [n for n, group in enumerate(told) if n and any(type(outcome) is Rolled for outcome in drawn(group))]
        number = rng.choice(rolls) if pair % 2 and rolls else rng.randrange(1, len(told))
        changed, lent = told[number][0], drawn(told[number])
        answer = changed.answer
        if pair % 2 and rolls:
            dice += 1
            index = rng.choice([n for n, outcome in enumerate(lent) if type(outcome) is Rolled])
            values = [rng.choice(lent[index].faces) for _ in lent[index].values]
            lent[index] = msgspec.structs.replace(lent[index], values=values)
            grown = change_chance(log, next(ids), changed.version, index, values)
        else:
            answer = log.run_at(changed.version - 1).question(changed.seat, changed.ask).sample(rng)
            grown = change_decision(log, next(ids), changed.version, answer)
        run, refused = from_scratch(log, number, answer, lent, grown.log.source())
        assert run.table.state() == grown.log.whole_table().state()
        assert (grown.stopped.version if grown.stopped else None) == refused
        stopped += refused is not None
    assert stopped and dice, "some change must make a later decision illegal, and some be of dice"


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
