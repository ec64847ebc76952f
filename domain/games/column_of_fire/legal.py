"""A choice out of options that can say which rule forbids anything else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from domain.kernel import OneOf

YES, NO = "yes", "no"
YES_NO = [YES, NO]


class Legal(OneOf):
    """One of a list of options; `why` names the rule against an answer that is none of them."""

    __slots__ = ("why",)

    def __init__(self, options: list[Any], why: Callable[[Any], str | None]) -> None:
        super().__init__(options)
        self.why = why

    def refusal(self, answer: Any) -> str | None:
        reason = super().refusal(answer)
        return None if reason is None else self.why(answer) or reason
