"""What a question accepts. A choice checks an answer (with the reason), counts, lists, samples and describes itself.

Answers are plain data: strings, numbers, lists of them. Nobody ever enumerates three million formations.
"""

from __future__ import annotations

import itertools
import math
import reprlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Protocol

from domain.kernel.errors import SchemaError

TRIES = 40

Why = Callable[[dict[str, Any]], str | None]

_short = reprlib.Repr()
_short.maxstring = _short.maxother = 80
quoted = _short.repr  # whatever a client sends, a refusal stays one sentence


def same(one: Any, other: Any) -> bool:
    """Equal also in type, all the way down: True == 1 == 1.0 in Python, but not in a log."""
    if type(one) is not type(other):
        return False
    if type(one) in (list, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


class Choice(Protocol):
    """The five things every choice can do."""

    def refusal(self, answer: Any) -> str | None:
        """Why the answer is not acceptable; None if it is."""
        ...

    def count(self) -> int:
        """How many answers there are at most."""
        ...

    def all(self) -> Iterator[Any]:
        """Every acceptable answer."""
        ...

    def sample(self, rng: Random) -> Any:
        """One acceptable answer at random."""
        ...

    def describe(self) -> dict[str, Any]:
        """The choice as data, for clients and people."""
        ...


class DeadEnd(SchemaError):
    """A question without any acceptable answer: a bug in a title."""


class OneOf:
    """One of a list of options.

    >>> OneOf(["catholic", "protestant"]).refusal("none")
    "'none' is not one of the options"
    """

    __slots__ = ("options",)

    def __init__(self, options: Iterable[Any]) -> None:
        self.options = options if type(options) is list else list(options)

    def refusal(self, answer: Any) -> str | None:
        if any(same(option, answer) for option in self.options):
            return None
        return f"{quoted(answer)} is not one of the options"

    def count(self) -> int:
        return len(self.options)

    def all(self) -> Iterator[Any]:
        return iter(self.options)

    def sample(self, rng: Random) -> Any:
        if not self.options:
            raise DeadEnd("there is nothing to choose from")
        return rng.choice(self.options)

    def describe(self) -> dict[str, Any]:
        return {"type": "one_of", "options": self.options}


class Number:
    """A whole number from `low` to `high`."""

    __slots__ = ("high", "low")

    def __init__(self, low: int, high: int) -> None:
        self.low, self.high = low, high

    def refusal(self, answer: Any) -> str | None:
        if type(answer) is int and self.low <= answer <= self.high:
            return None
        return f"{quoted(answer)} is not a whole number from {self.low} to {self.high}"

    def count(self) -> int:
        return max(0, self.high - self.low + 1)

    def all(self) -> Iterator[int]:
        return iter(range(self.low, self.high + 1))

    def sample(self, rng: Random) -> int:
        if self.high < self.low:
            raise DeadEnd(f"no number lies between {self.low} and {self.high}")
        return rng.randint(self.low, self.high)

    def describe(self) -> dict[str, Any]:
        return {"type": "number", "low": self.low, "high": self.high}


class Counts:
    """A handful: so many of each item, as a sorted list of [item, n] pairs. `why` refuses a handful with a reason.

    `likely` holds answers to fall back on where a handful taken at random is rarely acceptable.

    >>> Counts({"cloth": 2, "wine": 1}, most=2).refusal([["cloth", 3]])
    'there are only 2 of cloth'
    """

    __slots__ = ("least", "likely", "most", "of", "why")

    def __init__(
        self, of: Mapping[str, int], least: int = 0, most: int | None = None, why: Why | None = None, likely: Sequence[Any] = ()
    ) -> None:
        self.of = dict(sorted(of.items()))
        self.least = least
        self.most = sum(self.of.values()) if most is None else most
        self.why = why
        self.likely = likely

    def refusal(self, answer: Any) -> str | None:
        if type(answer) is not list:
            return "a handful is a list of [item, number] pairs"
        for pair in answer:
            if type(pair) is not list or len(pair) != 2 or type(pair[0]) is not str or type(pair[1]) is not int or pair[1] < 1:
                return "a handful is a list of [item, number] pairs"
        taken = dict(answer)
        if len(taken) != len(answer) or list(taken) != sorted(taken):
            return "name each item once, in alphabetical order"
        for item, n in taken.items():
            if n > self.of.get(item, 0):
                return f"there are only {self.of[item]} of {item}" if item in self.of else f"{quoted(item)} is no choice here"
        if not self.least <= sum(taken.values()) <= self.most:
            return f"take {self.least} to {self.most}" if self.least != self.most else f"take exactly {self.least}"
        return self.why(taken) if self.why else None

    def count(self) -> int:
        return math.prod(n + 1 for n in self.of.values())

    def all(self) -> Iterator[list[list[Any]]]:
        for numbers in itertools.product(*(range(n, -1, -1) for n in self.of.values())):
            answer = [[item, n] for item, n in zip(self.of, numbers, strict=True) if n]
            if self.refusal(answer) is None:
                yield answer

    def sample(self, rng: Random) -> list[list[Any]]:
        pool = [item for item, n in self.of.items() for _ in range(n)]
        least, most = max(self.least, 0), min(self.most, len(pool))
        if least > most:
            raise DeadEnd(f"{self.least} to {self.most} cannot be taken from {len(pool)}")
        for _ in range(TRIES):
            some = rng.sample(pool, rng.randint(least, most))
            answer = [[item, some.count(item)] for item in sorted(set(some))]
            if self.refusal(answer) is None:
                return answer
        if likely := [answer for answer in self.likely if self.refusal(answer) is None]:
            return list(rng.choice(likely))
        for answer in self.all():
            return answer
        raise DeadEnd("no handful is acceptable")

    def describe(self) -> dict[str, Any]:
        return {"type": "counts", "of": self.of, "least": self.least, "most": self.most}


class Pick(Counts):
    """A handful out of zones: others see the answer exactly as far as they can see into those zones."""

    __slots__ = ("zones",)

    def __init__(
        self,
        table: Any,
        zones: str | Sequence[str],
        least: int = 0,
        most: int | None = None,
        why: Why | None = None,
        *,
        only: Callable[[str], bool] | None = None,
        likely: Sequence[Any] = (),
    ) -> None:
        self.zones = [zones] if type(zones) is str else list(zones)
        of: dict[str, int] = {}
        for zone in self.zones:
            for item in table.items(zone):
                if only is None or only(item):
                    of[item] = of.get(item, 0) + 1
        super().__init__(of, least, most, why, likely)


class Assign:
    """One option for each slot (hits to units, fleets to destinations): a list in slot order."""

    __slots__ = ("slots", "why")

    def __init__(self, slots: Mapping[str, Sequence[Any]], why: Why | None = None) -> None:
        self.slots = {slot: list(options) for slot, options in slots.items()}
        self.why = why

    def refusal(self, answer: Any) -> str | None:
        if type(answer) is not list or len(answer) != len(self.slots):
            return f"name one option for each of: {', '.join(self.slots)}"
        for slot, options, chosen in zip(self.slots, self.slots.values(), answer, strict=True):
            if not any(same(option, chosen) for option in options):
                return f"{quoted(chosen)} is not an option for {slot}"
        return self.why(dict(zip(self.slots, answer, strict=True))) if self.why else None

    def count(self) -> int:
        return math.prod(len(options) for options in self.slots.values())

    def all(self) -> Iterator[list[Any]]:
        for answer in map(list, itertools.product(*self.slots.values())):
            if self.refusal(answer) is None:
                yield answer

    def sample(self, rng: Random) -> list[Any]:
        if all(self.slots.values()):
            for _ in range(TRIES):
                answer = [rng.choice(options) for options in self.slots.values()]
                if self.refusal(answer) is None:
                    return answer
        for answer in self.all():
            return answer
        raise DeadEnd("no assignment is acceptable")

    def describe(self) -> dict[str, Any]:
        return {"type": "assign", "slots": self.slots}
