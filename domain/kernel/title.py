"""A title: one small object that says everything the rest of Chancery needs to know about a game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Any

import msgspec

from domain.kernel.ask import Ask, Rules
from domain.kernel.errors import Refused
from domain.kernel.event import Event
from domain.kernel.schema import Schema
from domain.kernel.table import Table

END = "end"

Options = dict[str, Any]
Translate = Callable[[str], str]


class Option(msgspec.Struct, frozen=True):
    """A variant or a ruling switch: its default, what it may be, the rule it belongs to."""

    default: Any
    choices: tuple[Any, ...]
    cite: str
    help: str


class Span(msgspec.Struct, frozen=True, array_like=True):
    """A piece of text in a seat's colour."""

    text: str
    seat: str = ""


Cell = str | list[Span]


class Section(msgspec.Struct, frozen=True):
    """One part of the board as rows of cells: drawn in terminals, mails and as the readable form of a picture."""

    name: str
    head: list[str]
    rows: list[list[Cell]]


class Score(msgspec.Struct, frozen=True):
    """One seat's line on the scoreboard: the points that decide, and what the title wants shown beside them."""

    seat: str
    points: int
    facts: dict[str, str | int] = {}


class Relation(msgspec.Struct, frozen=True):
    """How one seat stands to another (or to everybody, `other` empty): the word and what it rests on."""

    seat: str
    other: str
    status: str
    note: str = ""
    cite: str = ""


def nothing(table: Table) -> list[Any]:
    return []


class Title(msgspec.Struct, frozen=True, kw_only=True):
    """Data plus procedures.

    `steps` are coroutine functions started fresh on the table alone; each returns the name of the next, or END. The game
    starts with the step `first` on an empty table: pieces come out of the bank `box`.
    """

    id: str
    name: str
    rules: str
    players: tuple[int, ...]
    seats: Callable[[int], Sequence[str]]
    schema: Callable[[Sequence[str], Options], Schema]
    steps: Mapping[str, Callable[[Any], Rules]]
    score: Callable[[Any], list[Score]]
    winners: Callable[[Any], list[str]]
    options: Mapping[str, Option] = {}
    table: type[Table] = Table
    first: str = "setup"
    data: str = ""
    provisional: Sequence[str] = ()
    # Rights of any seat at the start of a step, and the coroutine that carries one out.
    standing: Callable[[Any], list[Ask]] | None = None
    interrupt: Callable[[Any, str, str, Any], Rules] | None = None
    board: Callable[[Any], list[Section]] = nothing
    # The board as SVG: each space is a focusable group with `data-space`; those in `hot` can be chosen now.
    picture: Callable[[Any, frozenset[str]], str] | None = None
    diplomacy: Callable[[Any], list[Relation]] = nothing
    appraise: Callable[[Any, str], float] = lambda table, seat: 0.0
    # Sentences for an event as a viewer sees it; `_` translates a template.
    tell: Callable[[Event, Translate], list[str]] = lambda event, _: []
    invariants: Callable[[Any], list[str]] = nothing
    # What a fuzz campaign must meet at least once, and what one event shows of it.
    catalogue: Mapping[str, Sequence[str]] = {}
    exercised: Callable[[Event], Iterable[tuple[str, str]]] = lambda event: ()
    # Items the leak test should aim at: cards that open windows, cancel, react.
    special: Sequence[str] = ()
    vocabulary: Mapping[str, Sequence[str]] = {}
    # What a question asks, as a sentence to the asked seat, by its key.
    prompts: Mapping[str, str] = {}
    # The points of `score` alone, {seat: points}, where it works out much beside them: asked for at every question.
    points: Callable[[Any], dict[str, int]] | None = None
    # Whether `diplomacy` says the same to everybody: it is then asked once, of the table as the public sees it.
    public_relations: bool = False
    # What its treaties may say (`domain/treaties.py`): kinds of clauses and conditions, by name.
    clauses: Mapping[str, Any] = {}
    conditions: Mapping[str, Any] = {}

    def settle(self, options: Mapping[str, Any] | None = None) -> Options:
        """The options in full, or a refusal that names the ones there are."""
        given = dict(options or {})
        for name, value in given.items():
            option = self.options.get(name)
            if option is None:
                known = ", ".join(sorted(self.options)) or "none"
                raise Refused("", f"{self.name} has no option {name!r}; there are: {known}", legal=sorted(self.options))
            if not any(value == choice and type(value) is type(choice) for choice in option.choices):
                raise Refused(option.cite, f"option {name} cannot be {value!r}", legal=list(option.choices))
        return {name: given.get(name, option.default) for name, option in self.options.items()}

    def sample_options(self, rng: Random) -> Options:
        return {name: rng.choice(option.choices) for name, option in self.options.items()}

    def lay(self, seats: Sequence[str], options: Mapping[str, Any] | None = None) -> Table:
        """An empty table for these seats and options."""
        if len(seats) not in self.players:
            allowed = ", ".join(map(str, self.players))
            raise Refused("", f"{self.name} is for {allowed} players, not {len(seats)}", legal=list(self.players))
        return self.table(self.schema(seats, self.settle(options)))
