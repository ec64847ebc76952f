"""The scoreboard, the winners, and what a position is worth to a bot."""

from __future__ import annotations

from domain.games.pax_renaissance.data import CARDS, EMPIRES, PRESTIGE, ROUTES, SIDES, VICTORIES
from domain.games.pax_renaissance.fair import factor
from domain.games.pax_renaissance.schema import COLUMNS
from domain.games.pax_renaissance.table import PaxTable
from domain.games.pax_renaissance.victory import lacks
from domain.kernel import Score


def score(t: PaxTable) -> list[Score]:
    """Points are patron prestige: they decide if nobody declares a victory (L2.2)."""
    return [Score(seat, t.prestige(seat)["patron"], facts(t, seat)) for seat in t.seats]


def facts(t: PaxTable, seat: str) -> dict[str, str | int]:
    """What the table wants to see of a banker at a glance."""
    prestige, maids = t.prestige(seat), [CARDS[card].name for card in sorted(t.zones[f"maids:{seat}"]) if card in CARDS]
    vassals = [empire for empire in t.kings(seat) if t.spots()[empire].main != empire]
    return {
        "bank": t.bank(seat).title(),
        "florins": t.florins(seat),
        "income": income(t, seat),
        "hand": t.total(f"hand:{seat}"),
        "concessions": len(t.concessions(seat)),
        "serfs": sum(t.count(f"on:{empire}", t.pawn(seat)) for empire in EMPIRES),
        "kings": len(t.kings(seat)),
        "vassals": len(vassals),
        "republics": len(t.republics(seat)),
        **{kind: prestige[kind] for kind in PRESTIGE},
        "old maids": ", ".join(maids),
        "ops": " / ".join(f"{side} {sum(bool(t.ops_of(card)) for card in t.cards(seat, side))}" for side in SIDES),
        "within reach": ", ".join(within_reach(t, seat)),
    }


def income(t: PaxTable, seat: str) -> int:
    """Florins a fair on each active route would pay at most to this banker's concessions (G3.1)."""
    total = 0
    for colour in ("black", "white"):
        emporium = t.emporium(colour)
        on_route = [
            stop.border for stop in ROUTES[emporium].path if stop.border and t.pawn(seat) in t.zones[f"border:{stop.border}"]
        ]
        total += len(on_route) * factor(t, seat, emporium)
    return total


def within_reach(t: PaxTable, seat: str) -> list[str]:
    """Each victory with what is missing: active ones first."""
    ranked = sorted(VICTORIES, key=lambda victory: (not t.get(f"victory:{victory}"), lacks(t, seat, victory)))
    return [
        f"{victory}{'' if t.get(f'victory:{victory}') else ' (inactive)'}: {lacks(t, seat, victory) or 'met'}" for victory in ranked
    ]


def winners(t: PaxTable) -> list[str]:
    return [seat for seat in t.seats if t.get(f"won:{seat}")]


def appraise(t: PaxTable, seat: str) -> float:
    """What a seat sees of its prospects: victories near and far, then the means to get there."""
    if t.get("ending"):
        return 1000.0 if t.get(f"won:{seat}") else -1000.0
    if t.get(f"out:{seat}"):
        return -1000.0
    value = prospects(t, seat) + means(t, seat)
    rivals = [prospects(t, other) for other in t.opponents(seat)]
    return value - 0.6 * max(rivals, default=0.0) - impatience(t)


def prospects(t: PaxTable, seat: str) -> float:
    """Victories: the nearer the better, an active one much more so, and the patron's."""
    value = 2.0 * t.prestige(seat)["patron"]
    for victory in VICTORIES:
        missing = lacks(t, seat, victory)
        weight = 3.0 if t.get(f"victory:{victory}") else 1.0
        value += weight * (6.0 if not missing else 4.0 / (1 + missing))
    return value


def means(t: PaxTable, seat: str) -> float:
    """Money, cards, crowns and trade; and ops still to be performed in this action."""
    florins, cards = t.florins(seat), t.tableau(seat)
    value = 0.4 * min(florins, 5) + 0.1 * max(florins - 5, 0)
    value += 0.7 * min(t.total(f"hand:{seat}"), 2)
    value += 1.0 * len(cards) + 0.4 * sum(len(t.ops_of(card)) for card in cards) + 0.6 * sum(t.prestige(seat).values())
    value += 2.0 * len(t.kings(seat)) + 2.5 * len(t.republics(seat)) + 1.0 * len(t.concessions(seat)) + 0.3 * income(t, seat)
    if t.get("ops") and t.get("active") == seat:
        value += 0.15 * sum(not t.get(f"used:{card}") and useful(t, card) for card in cards)
    return value


def useful(t: PaxTable, card: str) -> bool:
    """Whether a card has more to offer than to move bishops about."""
    return not t.silenced(card) and any(op.op != "inquisitor" for op in t.ops_of(card))


def impatience(t: PaxTable) -> float:
    """Bots that fare well must not go round in circles: the cards that are left weigh more from round to round (D1.3)."""
    left = sum(t.deck_size(row) + sum(bool(t.zones[f"market:{row}:{column}"]) for column in COLUMNS) for row in SIDES)
    return 0.02 * t.get("turn", 0) / len(t.seats) * left
