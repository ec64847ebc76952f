"""A forged log is found out, at the exact version, with the rule and both readings."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from domain.audit import audit
from domain.kernel import Drawn, Event, Move, Rolled, Set
from domain.kernel.chain import START, link
from domain.log import Log
from tests.domain.games_played import play


@pytest.fixture(scope="module")
def log() -> Log:
    return play("column-of-fire", 3, "audited", stop=150)


def stored(log: Log) -> list[Event]:
    return log.store._events[log.line.id]  # type: ignore[attr-defined]


def forge(log: Log, index: int, *, relink: bool = False, **fields: Any) -> Any:
    """The audit's finding with one stored event changed; relinked, the forger also knew the secret of the chain."""
    events = stored(log)
    before = list(events)
    events[index] = msgspec.structs.replace(events[index], **fields)
    if relink:
        previous = events[index - 1].link if index else START
        for at in range(index, len(events)):
            previous = link(previous, log.schema, msgspec.structs.replace(events[at], link=b""), log.match.seed)
            events[at] = msgspec.structs.replace(events[at], link=previous)
    try:
        return audit(log).finding
    finally:
        events[:] = before


def first(log: Log, fits: Any) -> int:
    return next(index for index, event in enumerate(stored(log)) if index > 10 and fits(event))


def test_a_game_as_it_was_played_is_clean(log: Log) -> None:
    report = audit(log)
    assert report.clean and report.decisions == 150 and report.draws > 10 and report.rules == [log.title.rules]


@pytest.mark.parametrize("relink", [False, True])
def test_a_forged_op_is_found_at_its_version(log: Log, relink: bool) -> None:
    at = first(log, lambda event: any(type(op) is Set and op.register.startswith("vp:") for op in event.ops))
    ops = [
        msgspec.structs.replace(op, new=op.new + 5) if type(op) is Set and op.register.startswith("vp:") else op
        for op in stored(log)[at].ops
    ]
    found = forge(log, at, ops=ops, relink=relink)
    assert found.version == at + 1
    assert found.recorded == ops and found.expected == stored(log)[at].ops
    assert found.rule.startswith("CF-")


def test_a_forged_answer_is_found_at_its_version(log: Log) -> None:
    at = first(log, lambda event: event.ask == "choose_religion" or event.ask == "use_character")
    found = forge(log, at, answer="nobody ever said this", relink=True)
    assert found.version == at + 1 and "refuse" in found.reason


def test_a_forged_die_is_found_at_its_version_even_if_the_rules_would_go_on(log: Log) -> None:
    at = first(log, lambda event: any(type(outcome) is Rolled and len(outcome.values) > 1 for outcome in event.chance))
    chance = [
        msgspec.structs.replace(outcome, values=[7 - value for value in outcome.values]) if type(outcome) is Rolled else outcome
        for outcome in stored(log)[at].chance
    ]
    found = forge(log, at, chance=chance, relink=True)
    assert found.version == at + 1 and "committed seed" in found.reason


def test_a_forged_card_is_found_at_its_version(log: Log) -> None:
    at = first(
        log,
        lambda event: (
            any(type(outcome) is Drawn and outcome.key == "reveal_card" for outcome in event.chance)
            or any(type(o) is Drawn for o in event.chance)
        ),
    )
    drawn = next(outcome for outcome in stored(log)[at].chance if type(outcome) is Drawn)
    table = log.whole_table(at)
    other = next(item for item in table.items(drawn.zone) if item != drawn.item)
    chance = [msgspec.structs.replace(outcome, item=other) if outcome == drawn else outcome for outcome in stored(log)[at].chance]
    ops = [
        msgspec.structs.replace(op, item=other) if type(op) is Move and op.item == drawn.item else op for op in stored(log)[at].ops
    ]
    found = forge(log, at, chance=chance, ops=ops, relink=True)
    assert found.version == at + 1


def test_a_forged_timestamp_breaks_the_chain_at_its_version(log: Log) -> None:
    found = forge(log, 40, at=stored(log)[40].at + 60_000)
    assert found.version == 41 and "chain" in found.reason


def test_a_removed_event_is_missed(log: Log) -> None:
    events = stored(log)
    before = list(events)
    del events[30]
    try:
        assert audit(log).finding.version == 31  # type: ignore[union-attr]
    finally:
        events[:] = before


def test_another_seed_than_the_committed_one_is_found(log: Log) -> None:
    other = Log(log.store, log.title, msgspec.structs.replace(log.match, seed=b"x" * 32), log.line)
    assert audit(other).finding is not None


def test_rules_that_are_not_at_hand_are_named_and_the_rest_is_checked(log: Log) -> None:
    report = audit(log, lambda title, rules: None)
    assert report.clean and report.skipped == [log.title.rules]
