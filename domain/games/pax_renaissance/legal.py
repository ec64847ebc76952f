"""Questions whose wrong answers are refused with the rule that forbids them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import Any

from domain.kernel import DeadEnd
from domain.kernel.choice import quoted, same


class Legal:
    """Everything one might think of, and the reason against each; what has none is legal.

    Nothing is listed until somebody wants to see the options: an answer is checked on its own.

    >>> even = Legal(lambda: range(5), lambda n: "X1: it is odd" if n % 2 else None)
    >>> list(even.all()), even.refusal(3), even.refusal(7)
    ([0, 2, 4], 'X1: it is odd', '7 is not one of the options')
    """

    __slots__ = ("_candidates", "_options", "why")

    def __init__(self, candidates: Callable[[], Iterable[Any]], why: Callable[[Any], str | None]) -> None:
        self._candidates, self.why = candidates, why
        self._options: list[Any] | None = None

    def refusal(self, answer: Any) -> str | None:
        if any(one == answer and same(one, answer) for one in self._candidates()):
            return self.why(answer)
        return f"{quoted(answer)} is not one of the options"

    def possible(self) -> bool:
        """Whether there is any legal answer."""
        return any(self.why(one) is None for one in self._candidates())

    def objection(self) -> str:
        """Why there is none: the reason against the first thing one might think of."""
        return next((reason for one in self._candidates() if (reason := self.why(one))), "there is no target")

    def _legal(self) -> list[Any]:
        if self._options is None:
            self._options = [one for one in self._candidates() if self.why(one) is None]
        return self._options

    def count(self) -> int:
        return len(self._legal())

    def all(self) -> Iterator[Any]:
        return iter(self._legal())

    def sample(self, rng: Random) -> Any:
        if not self._legal():
            raise DeadEnd("there is nothing to choose from")
        return rng.choice(self._legal())

    def describe(self) -> dict[str, Any]:
        return {"type": "one_of", "options": self._legal()}
