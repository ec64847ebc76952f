"""The course of a game as its viewer may know it: turns, dice, whose decision, what was taken back. For the scrubber, the chronicle, charts.

A log only grows, so what was read once is kept and read on from there.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from functools import cached_property
from typing import NamedTuple

from flask import current_app

from domain.kernel.event import UNDONE, Event
from domain.kernel.ops import Set
from service.looks import CHUNK, Look

# The register by which a title counts its turns has one of these names, the first it has.
TURNS = ("year", "clock", "turn", "round")
KEPT = 256


class Step(NamedTuple):
    """What the scrubber needs to know of one event."""

    version: int
    at: int
    kind: str
    seat: str
    dice: bool
    turn: tuple[str, int] | None
    back: int | None


class Turn(NamedTuple):
    """A turn (year, round) that stands: how it is counted, its number, its first version."""

    kind: str
    number: int
    version: int


class Course:
    """The steps of a line up to the newest version its viewer may see."""

    def __init__(self, steps: list[Step]) -> None:
        self.steps = steps
        self.undos = [(step.back, step.version) for step in steps if step.back is not None]
        self._undone = bytearray(len(steps) + 1)
        for back, undo in self.undos:
            self._undone[back + 1 : undo] = bytes([True]) * (undo - back - 1)

    def undone(self, version: int) -> bool:
        """Whether an undo took a version back."""
        return bool(self._undone[version])

    @cached_property
    def turns(self) -> list[Turn]:
        return [Turn(*step.turn, step.version) for step in self.steps if step.turn and not self.undone(step.version)]


class Courses:
    """The courses this process has read, the least used one dropped first."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._steps: OrderedDict[tuple[str, str], list[Step]] = OrderedDict()

    def of(self, look: Look) -> Course:
        key, head = (look.line.id, look.viewer), look.head
        with self._lock:
            known = self._steps.setdefault(key, [])
            self._steps.move_to_end(key)
            while len(self._steps) > KEPT:
                self._steps.popitem(last=False)
            steps = known[:head]
        registers = look.table(1).schema.registers if len(steps) < head else {}
        counted = next((name for name in TURNS if name in registers), "")
        while len(steps) < head:
            steps += [_step(event, counted) for event in look.events(len(steps), CHUNK)]
        with self._lock:
            known += steps[len(known) :]
        return Course(steps)


def course(look: Look) -> Course:
    """The course of what a look shows."""
    found: Courses = current_app.extensions["courses"]
    return found.of(look)


def _step(event: Event, counted: str) -> Step:
    turn = next(((counted, op.new) for op in event.ops if type(op) is Set and op.register == counted and type(op.new) is int), None)
    dice = bool(event.chance)
    return Step(event.version, event.at, event.kind, event.seat, dice, turn, event.answer if event.kind == UNDONE else None)
