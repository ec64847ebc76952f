"""Treaties at the Small Court: one kind of clause for everything that the treaties of the biggest titles need.

Medioevo Universale has directed and mutual clauses, terms, payments, pacts with numbers and targets, secret treaties and breaches that
end a treaty; Virgin Queen has binding bundles carried out at once, limits, and gifts that fall away when somebody else was first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from domain.kernel import Ask, Counts, Event, Move, Number, OneOf
from domain.treaties import IF, UNTIL, Clause, Condition, Kind
from tests.contract import proof
from tests.contract.proof import POSTS, Court, purse

# -- a payment: VQ 9.1.03 gifts, MU-C.4 payments; carried out by the deal of SC 6 -------------------------


def can_pay(t: Court, clause: Clause) -> str | None:
    n = clause.given["coins"]
    return None if t.coins(clause.by) >= n else f"{clause.by} has no {n} coins"


def pay(t: Court, clause: Clause, ask: Ask) -> list[Any] | None:
    """Four questions of the rules, each answered when it is asked."""
    bundle = [["coin", clause.given["coins"]]]
    if ask.key == "confirm" and ask.seat in (clause.by, clause.to):
        meant = ask.about == {"with": clause.by, "gives": bundle, "takes": []}
        return ["yes"] if meant else None
    answers = {"deed": "deal", "partner": clause.to, "give": bundle, "take": []}
    return [answers[ask.key]] if ask.seat == clause.by and ask.key in answers and can_pay(t, clause) is None else None


def paid(t: Court, clause: Clause, event: Event) -> str:
    moved = sum(
        op.n for op in event.ops if type(op) is Move and (op.item, op.src, op.dst) == ("coin", purse(clause.by), purse(clause.to))
    )
    return "kept" if moved >= clause.given["coins"] else ""


# -- no raids: MU-C.9 non-aggression, VQ 9.4.07 ----------------------------------------------------------


def raids(t: Court, clause: Clause, ask: Ask, answer: Any) -> str | None:
    both = {clause.by, clause.to}
    return "you do not raid each other" if ask.key == "victim" and {ask.seat, answer} == both else None


def raided(t: Court, clause: Clause, event: Event) -> str:
    return "broken" if event.ask == "victim" and {event.seat, event.answer} == {clause.by, clause.to} else ""


# -- conditions ------------------------------------------------------------------------------------------


def round_over(t: Court, clause: Clause, given: Mapping[str, Any]) -> bool:
    return bool(t.get("round", 1) > given["round"])


def poorer(t: Court, clause: Clause, given: Mapping[str, Any]) -> bool:
    return t.coins(clause.to) < t.coins(clause.by)


def seats(t: Court, by: str, to: str) -> OneOf:
    return OneOf([seat for seat in t.seats if seat not in (by, to)])


CLAUSES = {
    "payment": Kind(
        sentence="{by} pays {to} {coins} coins",
        words=("pays", "payment"),
        fields={"coins": lambda t, by, to: Number(1, max(1, t.coins(by)))},
        cite="SC 6.1",
        binding=True,
        once=True,
        possible=can_pay,
        answer=pay,
        judge=paid,
        watches=frozenset({"confirm"}),
    ),
    "no_raids": Kind(
        sentence="{by} and {to} do not raid each other",
        cite="SC 5.4",
        mutual=True,
        binding=True,
        forbids=raids,
        judge=raided,
        watches=frozenset({"victim"}),
    ),
    # MU-C.6 right of way: directed, in certain areas.
    "way": Kind(
        sentence="{by} lets {to} pass {posts}",
        words=("gives way to", "way"),
        fields={"posts": lambda t, by, to: Counts(dict.fromkeys(POSTS, 1), 1)},
        cite="SC 9.1",
    ),
    # MU-C.10-11 pacts: so many units against somebody.
    "attack_pact": Kind(
        sentence="{by} stands by {to} against {target} with {agents} agents",
        words=("stands by", "attack pact"),
        fields={"target": seats, "agents": lambda t, by, to: Number(1, 6)},
        cite="SC 9.1",
    ),
}

CONDITIONS = {
    "round": Condition(
        sentence="until the end of round {round}",
        use=UNTIL,
        holds=round_over,
        fields={"round": lambda t, by, to: Number(t.get("round", 1), 3)},
        cite="SC 11.3",
    ),
    "poorer": Condition(sentence="if {to} is poorer", use=IF, holds=poorer, cite="SC 12.1"),
}

TITLE = msgspec.structs.replace(proof.TITLE, clauses=CLAUSES, conditions=CONDITIONS)
