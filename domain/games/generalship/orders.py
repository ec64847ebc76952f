"""Choices of this game that know more than the kernel's: why an order cannot be given, and what a player would likely do."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from domain.games.generalship.table import Answer
from domain.kernel import Counts, OneOf


class Orders(OneOf):
    """One of a list of orders; `explain` says, with its rule, why another one is not legal. Every second sample is a bold one."""

    __slots__ = ("bold", "explain")

    def __init__(
        self, options: list[str], explain: Callable[[list[str]], str | None], bold: Callable[[str], bool] | None = None
    ) -> None:
        super().__init__(options)
        self.explain, self.bold = explain, bold

    def refusal(self, answer: Any) -> str | None:
        if type(answer) is str:
            if answer in self.options:
                return None
            if reason := self.explain(answer.split()):
                return reason
        return super().refusal(answer)

    def sample(self, rng: Random) -> Any:
        if self.bold is not None and rng.random() < 0.5 and (bold := [order for order in self.options if self.bold(order)]):
            return rng.choice(bold)
        return super().sample(rng)


class Few(Counts):
    """A handful that is mostly as small as it may be: nobody disbands an army for fun."""

    __slots__ = ()

    def sample(self, rng: Random) -> Answer:
        if rng.random() < 0.1:
            return super().sample(rng)
        pool = [item for item, n in self.of.items() for _ in range(n)]
        some = rng.sample(pool, min(len(pool), max(self.least, 0)))
        return [[item, some.count(item)] for item in sorted(set(some))]
