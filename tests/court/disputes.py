"""Three disputes as tables have them, one for each title: what is claimed, and how it is ruled. Played through any entrance."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

from domain.bots import choose
from domain.kernel.event import Event
from domain.log import Log, groups
from domain.readings import DIFFERS, readings
from service.matches import Matches

SEATS = {
    "column-of-fire": ["red", "yellow", "green"],
    "generalship": ["north", "east", "south"],
    "pax-renaissance": ["primus", "secundus", "tertius"],
}


class Quarrel(NamedTuple):
    """What the table quarrels about."""

    title: str
    claim: str
    outcome: str
    words: str
    rule: str
    reading: tuple[str, Any] | None
    about: Callable[[Log, list[Event]], bool]


def _rolled(log: Log, group: list[Event]) -> bool:
    """Somebody took a character by a die that was rolled before."""
    return group[0].ask == "take_character" and isinstance(group[0].answer, list)


def _read(option: str) -> Callable[[Log, list[Event]], bool]:
    """Another reading makes a difference, and everything in it lies open to everybody."""

    def differs(log: Log, group: list[Event], viewer: str) -> bool:
        return any(one.option == option and one.outcome == DIFFERS for one in readings(log, group, viewer))

    return lambda log, group: all(differs(log, group, viewer) for viewer in log.schema.seats)


def _paid(log: Log, group: list[Event]) -> bool:
    """A fair paid somebody for a concession, or a card was bought."""
    return any(cite.rule in ("G3.1", "E1.2") and cite.facts for event in group for cite in event.cites)


QUARRELS = [
    Quarrel(
        "column-of-fire", "My die showed something else.", "rewound", "The die was misread: take it again.", "CF-6.2", None, _rolled
    ),
    Quarrel(
        "generalship",
        "It goes round from the active player, not along the track.",
        "corrected",
        "Round from the active player it is.",
        "G08.6",
        ("follow_order", "rotate"),
        _read("follow_order"),
    ),
    Quarrel("pax-renaissance", "That was too expensive.", "stands", "One florin on each card before it.", "E1.2", None, _paid),
]


def play_until(matches: Matches, id: str, quarrel: Quarrel, seed: str = "quarrel", most: int = 400) -> list[Event]:
    """Everybody decides at random until there is something to quarrel about; that decision with what it set off."""
    for decision in range(most):
        log = matches.open_log(matches.register.load(id).line)
        if decision > 8:
            *_, last = groups(log.raw())
            if last[0].ask and quarrel.about(log, last):
                return last
        play_on(matches, id, 1, f"{seed} {decision}")
    raise AssertionError("nothing to quarrel about")


def play_on(matches: Matches, id: str, decisions: int, seed: str = "on") -> None:
    """Everybody decides at random, so many times or until the game is over."""
    rng = Random(seed)
    for _ in range(decisions):
        match = matches.register.load(id)
        run = matches.open_log(match.line).run
        if run.over:
            return
        ask = choose(run, rng)
        matches.decide(match.holder(ask.seat), id, ask.seat, ask.key, ask.sample(rng))
