"""G12.7-13, G28.6: what a treaty can promise here. Alliances and help with upkeep are carried out; everything else is talk."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from domain.games.generalship.alliances import LIMITS
from domain.games.generalship.schema import SPACES, pair
from domain.games.generalship.table import Field
from domain.games.generalship.upkeep import upkeep_due
from domain.kernel import Ask, Event, Number, OneOf, Set
from domain.treaties import UNTIL, Clause, Condition, Kind

MOST_FOOD, LAST_CYCLE = 99, 99


# -- alliances ------------------------------------------------------------------------------------------


def can_ally(t: Field, clause: Clause) -> str | None:
    """G12.7: with three or four players, in a space with room for both."""
    if len(t.seats) not in LIMITS:
        return "there are no alliances with two players"
    space = f"alliance:{clause.given['space']}"
    missing = [seat for seat in (clause.by, clause.to) if seat not in t.zones[space]]
    if t.total(space) + len(missing) > LIMITS[len(t.seats)]:
        return f"space {clause.given['space']} has no room for both"
    return None


def ally(t: Field, clause: Clause, ask: Ask) -> list[Any] | None:
    """G12.10: whoever of the two takes the alliance action puts in what is missing."""
    if ask.key != "edit_alliances" or ask.seat not in (clause.by, clause.to):
        return None
    outside = [seat for seat in (clause.by, clause.to) if not any(seat in t.zones[f"alliance:{space}"] for space in SPACES)]
    return [f"put {outside[0]} {clause.given['space']}"] if outside else None


def parts(t: Field, clause: Clause, ask: Ask, answer: Any) -> str | None:
    """Neither takes out what makes them allies; anybody else may (G12.10)."""
    both = (clause.by, clause.to)
    if ask.key == "edit_alliances" and ask.seat in both and t.allied(*both) and answer is not None:
        what, whose, _ = answer.split()
        if what == "take" and whose in both:
            return f"you are allied with {both[1] if ask.seat == both[0] else both[0]} by treaty"
    return None


def allied(t: Field, clause: Clause, event: Event) -> Literal["", "kept", "broken"]:
    """The word is kept when the alliance is made."""
    since = f"since:{pair(clause.by, clause.to)}"
    made = any(type(op) is Set and op.register == since and op.new is not None for op in event.ops)
    return "kept" if made else ""


# -- help with upkeep -----------------------------------------------------------------------------------


def help_with_upkeep(t: Field, clause: Clause, ask: Ask) -> list[Any] | None:
    """G28.6: as much as was promised, or as there is."""
    if ask.key != "upkeep_help" or (ask.seat, ask.about["for"]) != (clause.by, clause.to):
        return None
    assert isinstance(ask.choice, Number)
    return [min(clause.given["food"], ask.choice.high)]


def too_little(t: Field, clause: Clause, ask: Ask, answer: Any) -> str | None:
    promised = help_with_upkeep(t, clause, ask)
    return None if promised is None or answer >= promised[0] else f"you help {clause.to} with {promised[0]} food"


def helped(t: Field, clause: Clause, event: Event) -> Literal["", "kept", "broken"]:
    if (event.seat, t.get("payer")) != (clause.by, clause.to):
        return ""
    most = min(clause.given["food"], t.food(clause.by), upkeep_due(t, clause.to))
    return "kept" if event.answer >= most else "broken"


# -- talk -----------------------------------------------------------------------------------------------


def attacked(t: Field, clause: Clause, event: Event) -> Literal["", "kept", "broken"]:
    """G19.1: one of them makes the other the defender of a battle."""
    new = {op.register: op.new for op in event.ops if type(op) is Set}
    return "broken" if {new.get("attacker"), new.get("defender")} == {clause.by, clause.to} else ""


def cycle_over(t: Field, clause: Clause, given: Mapping[str, Any]) -> bool:
    return bool(t.get("cycle", 1) > given["cycle"])


CLAUSES = {
    "alliance": Kind(
        sentence="{by} and {to} are allies in space {space}",
        words=("allies with", "alliance with", "alliance"),
        fields={"space": lambda t, by, to: OneOf(list(SPACES))},
        cite="G12.7",
        mutual=True,
        binding=True,
        possible=can_ally,
        answer=ally,
        forbids=parts,
        judge=allied,
        watches=frozenset({"edit_alliances"}),
    ),
    "upkeep_help": Kind(
        sentence="{by} helps {to} with {food} food whenever upkeep is due",
        words=("helps", "upkeep help"),
        fields={"food": lambda t, by, to: Number(1, MOST_FOOD)},
        cite="G28.6",
        binding=True,
        answer=help_with_upkeep,
        forbids=too_little,
        judge=helped,
        watches=frozenset({"upkeep_help"}),
    ),
    "non_aggression": Kind(
        sentence="{by} and {to} do not attack each other",
        words=("peace with", "non aggression"),
        cite="G12.13",
        mutual=True,
        judge=attacked,
        watches=frozenset({"defender"}),
    ),
}

CONDITIONS = {
    "cycle": Condition(
        sentence="until the end of cycle {cycle}",
        use=UNTIL,
        holds=cycle_over,
        fields={"cycle": lambda t, by, to: Number(max(1, t.get("cycle", 1)), LAST_CYCLE)},
        cite="G29.5",
    ),
}
