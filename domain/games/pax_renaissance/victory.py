"""Victories and the end of the game (L)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from domain.games.pax_renaissance.data import BORDERS, EMPIRES, FAITH, RELIGIONS, START
from domain.games.pax_renaissance.table import PaxTable


class Margin(NamedTuple):
    """One condition of a victory: what counts, how much of it there is, how much is needed."""

    what: str
    have: int
    need: int

    @property
    def lacks(self) -> int:
        return max(0, self.need - self.have)


def margins(t: PaxTable, seat: str, victory: str) -> list[Margin]:
    """How far a banker is from a victory."""
    kept: list[Margin] = t.kept(("margins", seat, victory), lambda: CONDITIONS[victory](t, seat))
    return kept


def lacks(t: PaxTable, seat: str, victory: str) -> int:
    return sum(margin.lacks for margin in margins(t, seat, victory))


def victory_refused(t: PaxTable, seat: str, victory: str) -> str | None:
    """L2.1, M3.2"""
    if not t.get(f"victory:{victory}"):
        return f"L2.1: the {victory} victory is not active"
    for margin in margins(t, seat, victory):
        if margin.lacks:
            return f"L2.1: you have {margin.have} of the {margin.need} {margin.what} this victory needs"
    if t.get("actions", 0) < cost(t, victory):
        if t.disreputed(victory):
            return "M3.2: a torch brings this victory into disrepute, it takes both actions of a turn"
        return "D1.1: both actions of this turn are spent"
    return None


def cost(t: PaxTable, victory: str) -> int:
    """E6: one action; two if disreputed (M3.2)."""
    return 2 if t.disreputed(victory) else 1


# -- L3 holy ----------------------------------------------------------------------------------------------


def holy(t: PaxTable, seat: str) -> list[Margin]:
    """The religion nearest to winning for this banker: supreme, and with more prestige than any opponent has."""
    bishops, tokens = supremacy(t, seat)
    ways = []
    for religion in RELIGIONS:
        rivals = [t.prestige(other)[religion] for other in t.opponents(seat)]
        others = [one for one in RELIGIONS if one != religion]
        ways.append(
            [
                Margin(f"{religion} bishops", bishops[religion], sum(bishops[one] for one in others) + 1),
                Margin(f"{religion} tokens in theocracies", tokens[religion], sum(tokens[one] for one in others) + 1),
                Margin(f"{religion} prestige", t.prestige(seat)[religion], max(rivals, default=0) + 1),
            ]
        )
    return min(ways, key=lambda way: sum(margin.lacks for margin in way))


def supremacy(t: PaxTable, seat: str = "") -> tuple[dict[str, int], dict[str, int]]:
    """L3: bishops in play, and tokens in theocracies of their own religion, as they count for a banker."""
    bishops, tokens = t.kept("supremacy", lambda: standing(t))
    if more := counted_as(t, seat, "bishop_islamic") if seat else 0:
        return {**bishops, "islamic": bishops["islamic"] + more}, tokens
    return bishops, tokens


def standing(t: PaxTable) -> tuple[dict[str, int], dict[str, int]]:
    """How the three religions stand for everybody."""
    bishops, tokens = dict.fromkeys(RELIGIONS, 0), dict.fromkeys(RELIGIONS, 0)
    for bishop, _ in t.bishops():
        bishops[FAITH[bishop]] += 1
    for empire in EMPIRES:
        if t.theocracy(empire):
            tokens[t.map_side(empire)] += sum(FAITH[token] == t.map_side(empire) for _, token in t.rulers(empire))
    for border in BORDERS.values():
        if pirate := t.pirate(border.id):
            tokens[FAITH[pirate]] += ashore(t, border.between, FAITH[pirate])
            for _, effect in t.abilities("count_as"):
                if effect["from"] == f"pirate_{FAITH[pirate]}":  # Zionist State: for everybody, supremacy is nobody's own
                    bishops["reformist"] += "bishop_reformist" in effect["to"]
                    tokens["reformist"] += ashore(t, border.between, "reformist") if "token_reformist" in effect["to"] else 0
    return bishops, tokens


def ashore(t: PaxTable, between: tuple[str, str], religion: str) -> int:
    """How often a pirate counts for the theocracies of a religion beside it: once, unless the table rules otherwise."""
    beside = sum(t.map_side(empire) == religion for empire in between)
    return beside if t.options["pirate_double_count"] else min(beside, 1)


def supreme(t: PaxTable, seat: str = "") -> str:
    """The supreme religion, if there is one."""
    bishops, tokens = supremacy(t, seat)
    for religion in RELIGIONS:
        if 2 * bishops[religion] > sum(bishops.values()) and 2 * tokens[religion] > sum(tokens.values()):
            return religion
    return ""


def counted_as(t: PaxTable, seat: str, what: str) -> int:
    """M4: what a banker's cards let count additionally as something else."""
    total = 0
    for _, effect in t.abilities("count_as", seat):
        if effect["to"] == what:
            total += 1 if effect["from"] == "this_card" else t.prestige(seat)[effect["from"]]
    return total


# -- L4, L5, L6 -------------------------------------------------------------------------------------------


def ahead(t: PaxTable, seat: str, what: str, by: int, count: Callable[[str], int]) -> Margin:
    """So many more than the opponent with most."""
    return Margin(what, count(seat), max((count(other) for other in t.opponents(seat)), default=0) + by)


def imperial(t: PaxTable, seat: str) -> list[Margin]:
    return [ahead(t, seat, "kings", START.imperial_margin[len(t.seats)], lambda one: len(t.kings(one)))]


def globalization(t: PaxTable, seat: str) -> list[Margin]:
    return [
        ahead(t, seat, "concessions", 2, lambda one: len(t.concessions(one)) + counted_as(t, one, "concession")),
        ahead(t, seat, "discovery prestige", 1, lambda one: t.prestige(one)["discovery"]),
    ]


def renaissance(t: PaxTable, seat: str) -> list[Margin]:
    return [
        ahead(t, seat, "republics", 1, lambda one: len(t.republics(one)) + counted_as(t, one, "republic")),
        ahead(t, seat, "law prestige", 2, lambda one: t.prestige(one)["law"] + counted_as(t, one, "law")),
    ]


CONDITIONS = {"holy": holy, "imperial": imperial, "globalization": globalization, "renaissance": renaissance}


# -- the end ----------------------------------------------------------------------------------------------


def declare(t: PaxTable, seat: str, victory: str) -> None:
    """L2.1: the game is over at once."""
    end(t, victory, [seat], "L2.1")


def patrons(t: PaxTable) -> list[str]:
    """L2.2: most patron prestige, then most florins; still tied they share the victory."""
    best = max((t.prestige(seat)["patron"], t.florins(seat)) for seat in t.bankers())
    return [seat for seat in t.bankers() if (t.prestige(seat)["patron"], t.florins(seat)) == best]


def end(t: PaxTable, ending: str, winners: list[str], cite: str) -> None:
    for seat in winners:
        t.set(f"won:{seat}", True, cite=cite)
    t.set("ending", ending, cite=cite)
    t.say(cite, what="end", ending=ending, winners=winners)
