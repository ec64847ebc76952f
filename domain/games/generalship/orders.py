"""A list of written orders that says why one that is not on it cannot be given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from domain.kernel import OneOf


class Orders(OneOf):
    """One of a list of orders; `explain` gives the reason, with its rule, for an order that is not legal."""

    __slots__ = ("explain",)

    def __init__(self, options: list[str], explain: Callable[[list[str]], str | None]) -> None:
        super().__init__(options)
        self.explain = explain

    def refusal(self, answer: Any) -> str | None:
        if type(answer) is str:
            if answer in self.options:
                return None
            if reason := self.explain(answer.split()):
                return reason
        return super().refusal(answer)
