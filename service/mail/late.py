"""What is answered for a seat that is late, as the house rules of its match say."""

from __future__ import annotations

from random import Random
from typing import Any

from domain import orders
from domain.bots import SEATED, random_legal
from domain.deadlines import DEFAULT, DRAFT, REGENT
from domain.kernel.ask import Ask
from domain.kernel.errors import RulesCrashed
from domain.orders import OrderError
from domain.standing import Book
from service.mail.facts import Facts
from service.mail.situation import Situation


def answer_for(facts: Facts, now: Situation, ask: Ask, late: str) -> list[Any] | None:
    """The answer, in a list; None: the game waits, or somebody else is called."""
    if late == DEFAULT:
        return [plainest(ask)]
    if late == REGENT:
        rng = Random(f"{now.line} {now.version} {ask.seat}")
        try:
            return [SEATED["greedy"](now.run, ask, rng)]
        except RulesCrashed:
            return [random_legal(now.run, ask, rng)]
    if late == DRAFT:
        holder = now.match.holder(ask.seat)
        for line in facts.load(Book, now.match.id).drafted(ask.seat, holder).splitlines():
            try:
                return [orders.read(now.title, [ask], line).answer]
            except OrderError:
                continue  # it answers another question
    return None


def plainest(ask: Ask) -> Any:
    """The plainest answer to a question: pass, no, nothing, or the first there is."""
    if ask.optional:
        return None
    plain: list[Any] = [False, "no", "pass", []]
    for answer in plain:
        if ask.refusal(answer) is None:
            return answer
    return next(ask.all())
