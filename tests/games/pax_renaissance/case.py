"""Positions of Pax Renaissance in the game's words: given a table, when a banker decides, then ..."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from domain.bots import guess
from domain.games.pax_renaissance import TITLE
from domain.games.pax_renaissance.data import CARDS, EMPIRES, EMPORIA, KIND, MAPS, REGION, SLOTS
from domain.games.pax_renaissance.invariants import invariants
from domain.games.pax_renaissance.table import PaxTable
from domain.kernel import Cite, Draw, Refused, Roll, Run, redact

Given = Callable[["Case"], None]


class Chance:
    """Scripted chance: what is to come up, by key; luck for everything else."""

    def __init__(self, script: dict[str, list[Any]]) -> None:
        self.script = {key: list(outcomes) for key, outcomes in script.items()}
        self.luck = guess(Random(1))

    def __call__(self, request: Any, pool: Any, ordinal: int) -> Any:
        wanted = self.script.get(request.key)
        if wanted:
            outcome = wanted.pop(0)
            assert isinstance(request, Roll) or outcome in pool, f"{outcome} cannot come up for {request.key}"
            return outcome
        if isinstance(request, Draw) and request.key == "deal_banks":
            return pool[0]
        return self.luck(request, pool, ordinal)


class Case:
    """A table in the middle of primus's turn: an empty map, every empire in the stack, five florins each."""

    def __init__(
        self, seats: int = 3, banks: tuple[str, ...] = ("fugger", "medici", "coeur", "marchionni"), **options: Any
    ) -> None:
        self.chance = Chance({"deal_banks": list(banks[:seats])})
        names = TITLE.seats(seats)
        self.run = Run(TITLE, TITLE.lay(names, options), self.chance)
        self.log: list[Cite] = []
        t = self.table
        for zone in [*(f"city:{slot}" for slot in SLOTS), *(zone for zone in t.zones if zone.startswith("border:"))]:
            for token in t.items(zone):
                if token in KIND:
                    t.move(token, zone, "supply")
        self.given(active(names[0]), *(florins(**{seat: 5}) for seat in names))

    @property
    def table(self) -> PaxTable:
        return self.run.table  # type: ignore[return-value]

    def given(self, *setting: Given) -> Case:
        """Lay the table, then stand at the question of primus's first action."""
        for lay in setting:
            lay(self)
        t = self.table
        t.cache.clear()
        assert invariants(t) == []
        self.run = Run(TITLE, t, self.chance)
        return self

    def fetch(self, card: str, to: str) -> None:
        """Bring a card from wherever it is; another takes its place in the market."""
        t = self.table
        zone = next(zone for zone, held in t.zones.items() if held and card in held and zone != "box")
        t.move(card, zone, to)
        if zone.startswith("market:"):
            spare = next(zone for zone in sorted(t.zones) if zone.startswith("unused:") and t.zones[zone])
            self.fetch_any(spare, zone)

    def fetch_any(self, source: str, to: str) -> None:
        plain = next(card for card in self.table.items(source) if card in CARDS and not CARDS[card].comet)
        self.table.move(plain, source, to)

    def when(self, seat: str, **decisions: Any) -> Case:
        """A banker decides, once or several times in this order."""
        for key, answer in decisions.items():
            self.log += [cite for part in self.run.answer(seat, key, answer) for cite in part.cites]
            assert invariants(self.table) == []
        return self

    def refuses(self, seat: str, rule: str, **decision: Any) -> Case:
        """The decision is refused by a rule, and nothing changes."""
        before = self.table.state()
        ((key, answer),) = decision.items()
        with pytest.raises(Refused) as refused:
            self.run.answer(seat, key, answer)
        assert rule in str(refused.value), str(refused.value)
        assert self.table.state() == before
        return self

    # -- then --------------------------------------------------------------------------------------

    @property
    def asked(self) -> tuple[str, str]:
        """Who is asked what."""
        (ask,) = self.run.asks
        return ask.seat, ask.key

    def options(self, key: str) -> list[Any]:
        (ask,) = self.run.asks
        assert ask.key == key, f"{ask.seat} is asked {ask.key}"
        return list(ask.all())

    def said(self, what: str) -> dict[str, Any]:
        """The last thing of this sort the rules said aloud."""
        return next(cite.facts for cite in reversed(self.log) if cite.facts.get("what") == what)

    def cited(self, rule: str) -> bool:
        return any(cite.rule == rule for cite in self.log)

    def seen_by(self, viewer: str) -> PaxTable:
        return redact.table(self.table, viewer)  # type: ignore[return-value]

    def at(self, place: str) -> list[str]:
        """What stands in a city or on a border."""
        return self.table.items(f"border:{place}" if place.startswith("border_") else f"city:{place}")

    def on(self, card: str) -> list[str]:
        return self.table.items(f"on:{card}")

    def row(self, seat: str, side: str) -> list[str]:
        return self.table.items(f"{side}:{seat}")

    def money(self, seat: str) -> int:
        return self.table.florins(seat)


# -- what can be given --------------------------------------------------------------------------------------


def florins(**purses: int) -> Given:
    def lay(case: Case) -> None:
        for seat, n in purses.items():
            case.table.move("florin", f"money:{seat}", "china", case.table.florins(seat))
            case.table.move("florin", "china", f"money:{seat}", n)

    return lay


def active(seat: str, actions: int = 2, **done: bool) -> Given:
    def lay(case: Case) -> None:
        case.table.set("active", seat)
        case.table.set("actions", actions)
        case.table.set("step", "action")

    return lay


def token(item: str, place: str) -> Given:
    """A knight or rook in a city."""
    return lambda case: case.table.move(item, "supply", f"city:{place}")


def pirate(religion: str, border: str) -> Given:
    return lambda case: case.table.move(f"rook.{religion}", "supply", f"border:{border}")


def cube(seat: str, border: str) -> Given:
    return lambda case: case.table.move(case.table.pawn(seat), "supply", f"border:{border}")


def serf(seat: str, empire: str) -> Given:
    return lambda case: case.table.move(case.table.pawn(seat), "supply", f"on:{empire}")


def carries(card: str, *items: str) -> Given:
    """Bishops or repressed tokens on a card."""

    def lay(case: Case) -> None:
        for item in items:
            case.table.move(item, "supply", f"on:{card}")

    return lay


def used_up(item: str) -> Given:
    """No such token is left in the supply: the rest stands somewhere out of the way."""

    def lay(case: Case) -> None:
        for place in [f"on:{empire}" for empire in EMPIRES if case.table.in_play(empire)][-1:]:
            case.table.move(item, "supply", place, case.table.count("supply", item))

    return lay


def hand(seat: str, *cards: str) -> Given:
    def lay(case: Case) -> None:
        for card in cards:
            case.fetch(card, f"hand:{seat}")

    return lay


def tableau(seat: str, side: str, *cards: str) -> Given:
    """Cards of one side, from the player card outwards."""

    def lay(case: Case) -> None:
        for card in cards:
            if card in EMPIRES:
                king(card, seat, side)(case)
            else:
                case.fetch(card, f"{side}:{seat}")

    return lay


def king(empire: str, seat: str, side: str = "", queen: str = "", vassals: tuple[str, ...] = ()) -> Given:
    """An empire in a tableau, King side up, with its queen and vassals."""

    def lay(case: Case) -> None:
        case.table.move(empire, "stack", f"{side or REGION[empire]}:{seat}")
        case.table.set(f"side:{empire}", "king")
        if queen:
            case.fetch(queen, f"on:{empire}")
        for vassal in vassals:
            case.table.move(vassal, "stack", f"on:{empire}")
            case.table.set(f"side:{vassal}", "king")

    return lay


def republic(empire: str, seat: str) -> Given:
    def lay(case: Case) -> None:
        king(empire, seat)(case)
        case.table.set(f"side:{empire}", "republic")

    return lay


def maid(seat: str, queen: str) -> Given:
    return lambda case: case.fetch(queen, f"maids:{seat}")


def side(empire: str, face: str) -> Given:
    """Which side of a map card is up."""
    assert face in (MAPS[empire].start_side, MAPS[empire].other_side)
    return lambda case: case.table.set(f"map:{empire}", face)


def trades_from(emporium: str) -> Given:
    """The open emporium of its colour."""

    def lay(case: Case) -> None:
        t, colour = case.table, EMPORIA[emporium]
        if t.busted(emporium):
            t.move(f"busted.{colour}", f"city:{emporium}", f"city:{t.emporium(colour)}")

    return lay


def market(row: str, column: int, card: str = "", florins: int | None = None, locked: bool = False) -> Given:
    """A card in a column of the market, and the florins on it."""

    def lay(case: Case) -> None:
        t = case.table
        if card:
            old = t.card_at(row, column)
            if old != card:
                case.fetch(card, "discard")
                t.move(old, f"market:{row}:{column}", f"unused:{CARDS[old].deck}")
                t.move(card, "discard", f"market:{row}:{column}")
        if florins is not None:
            t.move("florin", f"florins:{row}:{column}", "china", t.florins_at(row, column))
            t.move("florin", "china", f"florins:{row}:{column}", florins)
        if locked:
            t.set(f"locked:{row}:{column}", True)

    return lay


def vacant(row: str, column: int) -> Given:
    def lay(case: Case) -> None:
        old = case.table.card_at(row, column)
        case.table.move(old, f"market:{row}:{column}", f"unused:{CARDS[old].deck}")

    return lay


def deck(row: str, *cards: str) -> Given:
    """The whole of a deck."""

    def lay(case: Case) -> None:
        t = case.table
        for card in cards:
            case.fetch(card, f"unused:{row}")
        for part in ("upper", "lower"):
            for card in t.items(f"deck:{row}:{part}"):
                t.move(card, f"deck:{row}:{part}", f"unused:{row}")
        for card in cards:
            t.move(card, f"unused:{row}", f"deck:{row}:lower")

    return lay


def victory(name: str, active: bool = True) -> Given:
    return lambda case: case.table.set(f"victory:{name}", active)


def done(*deeds: str) -> Given:
    """What has been done in this turn already."""

    def lay(case: Case) -> None:
        for deed in deeds:
            case.table.set(f"done:{deed}", True)

    return lay
