"""A Column of Fire in two editions: in the second, leaving out spaces on the way costs a point more, at once."""

from __future__ import annotations

from typing import Any

import msgspec

from domain.games import column_of_fire
from domain.games.column_of_fire import second_half
from domain.kernel import NotFound

FIRST = column_of_fire.TITLE


def move(t: Any) -> Any:
    """The move of the disc, with a surcharge on what CF-8.3 costs."""
    seat, rules, answer = t.get("active"), second_half.move(t), None
    while True:
        before = t.vp(seat)
        try:
            request = rules.send(answer)
        except StopIteration as done:
            return done.value
        if any(cite.rule == "CF-8.3" and cite.op >= 0 for cite in t.cites) and t.vp(seat) < before:
            t.add(f"vp:{seat}", -1, cite="CF-8.3")
        answer = yield request


SECOND = msgspec.structs.replace(FIRST, rules="2", steps={**FIRST.steps, "move": move})


class Editions:
    """Both are at hand; which is the newest changes while matches run."""

    def __init__(self) -> None:
        self.newest = FIRST

    def get(self, id: str) -> Any:
        if id != FIRST.id:
            raise NotFound(f"there is no title {id!r}")
        return self.newest

    def all(self) -> list[Any]:
        return [self.newest]

    def library(self, id: str, rules: str) -> Any:
        return {"1": FIRST, "2": SECOND}.get(rules)
