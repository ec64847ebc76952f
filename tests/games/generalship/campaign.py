"""Given, when and then for Generalship: a table set up in the game's words, decisions by nation, scripted chance."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from domain.bots import guess
from domain.games.generalship import TITLE
from domain.games.generalship.data import CARDS, CIRCLES, EVENTS, GENERALS, NATIONS, NEUTRAL, PACK, TILES, UNITS
from domain.games.generalship.schema import camp, hull, hulls
from domain.games.generalship.table import Field
from domain.games.generalship.turn import STEPS as ACTION_STEPS
from domain.kernel import END, Ask, Event, Refused, Run, redact
from domain.kernel.event import ADVANCED, DECIDED
from domain.log import events_of

FOUR = ("austria", "byzantium", "england", "france")

Word = Callable[["Campaign"], None]


class Campaign:
    """One table of Generalship, from the situation a case describes."""

    def __init__(self, *nations: str, land: dict[str, str] | None = None, **options: Any) -> None:
        nations = nations or FOUR
        self.seats = dict(zip(nations, TITLE.seats(len(nations)), strict=True))
        self.nations = {seat: nation for nation, seat in self.seats.items()}
        self.table: Field = TITLE.lay(list(self.seats.values()), options)
        self.script: dict[str, deque[Any]] = {}
        self.luck = guess(Random("campaign"))
        self.events: list[Event] = []
        self.run: Run | None = None
        self._lay_out(land or {})

    def _lay_out(self, land: dict[str, str]) -> None:
        t = self.table
        for nation in sorted(self.seats, key=lambda nation: NATIONS[nation].start_order):
            t.move(self.seats[nation], "box", "order")
        for nation, seat in self.seats.items():
            t.set(f"nation:{seat}", nation)
        for deck, items in (("generals", GENERALS), ("technology", PACK.points), ("events", EVENTS)):
            for item in items:
                t.move(item, "box", deck)
        for card, tactic in CARDS.items():
            t.move(card, "box", tactic.deck)
        for unit in UNITS.values():
            t.move(unit.id, "box", "supply", unit.count)
        slots = PACK.layouts[len(self.seats)].neutral_fill_order
        rest = [tile for tile in NEUTRAL if tile not in land.values()]
        for slot in slots:
            t.move(land[slot] if slot in land else rest.pop(0), "box", "map")
        for tile in NEUTRAL:
            if tile not in t.zones["map"]:
                t.move(tile, "box", "pile")
        t.set("era", "infantry")
        for name, value in (("turn", 0), ("clock", 1), ("cycle", 1)):
            t.set(name, value)
        for nation in self.seats:
            people(nation, 5)(self)

    # -- given -----------------------------------------------------------------------------------

    def given(self, *words: Word) -> Campaign:
        for word in words:
            word(self)
        return self

    def chance(self, key: str, *outcomes: Any) -> Campaign:
        """What the next draws of this kind bring; others fall as they may."""
        self.script.setdefault(key, deque()).extend(outcomes)
        return self

    def starts(self, step: str, nation: str = "", **registers: Any) -> Campaign:
        """The game stands at the beginning of a step; `nation` acts, and is active unless the table says otherwise."""
        t = self.table
        for name, value in registers.items():
            t.set(name, self.seats.get(value, value) if isinstance(value, str) else value)
        if nation:
            t.set("actor", self.seats[nation])
        t.set("step", step)
        self.run = Run(TITLE, t, self._source)
        self._keep(events_of(self.run.first, Event(0, ADVANCED), 0))
        return self

    def action(self, nation: str, action: str) -> Campaign:
        """An active nation has taken the tile with this action and now carries it out."""
        t = self.table
        tile = next(tile for tile in PACK.action_tiles.values() if action in tile.actions)
        t.set("turn", t.order.index(self.seats[nation]))
        t.move(self.seats[nation], "box", f"circles:{tile.id}")
        return self.starts(ACTION_STEPS[action], nation, tile=tile.id, action=action)

    def battle(self, step: str, attacker: str, defender: str, tile: str, **registers: Any) -> Campaign:
        """A battle in the attacker's march stands at the beginning of a step."""
        t = self.table
        t.set("turn", t.order.index(self.seats[attacker]))
        t.move(self.seats[attacker], "box", "circles:AT4")
        registers = {"tile": "AT4", "action": "march", **registers}
        return self.starts(step, attacker, battlefield=tile, attacker=attacker, defender=defender, **registers)

    def _source(self, request: Any, pool: Any, ordinal: int) -> Any:
        waiting = self.script.get(request.key)
        return waiting.popleft() if waiting else self.luck(request, pool, ordinal)

    # -- when ------------------------------------------------------------------------------------

    def when(self, nation: str, key: str, answer: Any) -> Campaign:
        assert self.run is not None
        seat = self.seats[nation]
        ask = self.run.question(seat, key)
        veil = self.run.veil(ask, answer)
        parts = self.run.answer(seat, key, answer)
        version = self.events[-1].version if self.events else 0
        self._keep(events_of(parts, Event(0, DECIDED, seat, key, answer, veil=veil), version))
        return self

    def refuse(self, nation: str, key: str, answer: Any, rule: str) -> str:
        """The decision is refused by this rule and changes nothing; the reason."""
        assert self.run is not None
        before = self.run.table.state()
        with pytest.raises(Refused) as refused:
            self.run.answer(self.seats[nation], key, answer)
        assert rule in str(refused.value), str(refused.value)
        assert self.run.table.state() == before
        return refused.value.reason

    def not_asked(self, nation: str, key: str) -> None:
        assert self.run is not None
        assert (self.seats[nation], key) not in [(ask.seat, ask.key) for ask in self.run.asks]
        with pytest.raises(Refused):
            self.run.answer(self.seats[nation], key, "anything")

    def _keep(self, events: list[Event]) -> None:
        self.events += events

    # -- then ------------------------------------------------------------------------------------

    @property
    def now(self) -> Field:
        assert self.run is not None
        return self.run.table

    def asked(self) -> list[tuple[str, str]]:
        """Who is asked what."""
        assert self.run is not None
        return [(self.nations[ask.seat], ask.key) for ask in self.run.asks]

    def question(self, nation: str, key: str) -> Ask:
        assert self.run is not None
        return self.run.question(self.seats[nation], key)

    def options(self, nation: str, key: str) -> list[Any]:
        return list(self.question(nation, key).all())

    def legal(self, nation: str, key: str, answer: Any) -> bool:
        return self.question(nation, key).refusal(answer) is None

    def over(self) -> bool:
        assert self.run is not None
        return self.run.over and self.now.get("step") == END

    def winners(self) -> list[str]:
        return [self.nations[seat] for seat in TITLE.winners(self.now)]

    def food(self, nation: str) -> int:
        return self.now.food(self.seats[nation])

    def metal(self, nation: str) -> int:
        return self.now.metal(self.seats[nation])

    def stores(self, nation: str) -> tuple[int, int]:
        return self.food(nation), self.metal(nation)

    def vp(self, nation: str) -> int:
        return self.now.vp(self.seats[nation])

    def pp(self, nation: str) -> list[str]:
        return list(self.now.zones[f"pp:{self.seats[nation]}"])

    def battles(self, nation: str) -> int:
        return self.now.battles(self.seats[nation])

    def commander(self, nation: str) -> str | None:
        general = self.now.commander(self.seats[nation])
        return general.id if general else None

    def people(self, nation: str) -> list[str]:
        held = self.now.zones[f"people:{self.seats[nation]}"]
        return [circle.id for circle in CIRCLES[nation] if circle.id in held]

    def stack(self, nation: str, tile: str) -> dict[str, int]:
        """All units of a nation on a tile, by type."""
        return dict(sorted(self.now.tokens(self.seats[nation]).get(tile, {}).items()))

    def all_units(self, nation: str) -> dict[str, int]:
        total: Counter[str] = Counter()
        for units in self.now.tokens(self.seats[nation]).values():
            total.update(units)
        return dict(sorted(total.items()))

    def owner(self, tile: str) -> str | None:
        holder = self.now.holder(tile)
        return self.nations[holder] if holder else None

    def order(self) -> list[str]:
        return [self.nations[seat] for seat in self.now.order]

    def space(self, number: int) -> list[str]:
        return sorted(self.nations[seat] for seat in self.now.zones[f"alliance:{number}"])

    def hand(self, nation: str) -> tuple[int, int]:
        """Basic and advanced tactic cards in a hand."""
        cards = self.now.items(f"hand:{self.seats[nation]}")
        return sum(CARDS[card].basic for card in cards), sum(not CARDS[card].basic for card in cards)

    def view(self, nation: str) -> Field:
        return redact.table(self.now, self.seats[nation])  # type: ignore[return-value]

    def log_of(self, nation: str) -> list[Event]:
        """The log as a nation may read it."""
        return [redact.event(self.now.schema, event, self.seats[nation]) for event in self.events]

    def told(self, nation: str = "") -> list[str]:
        """The chronicle, as everybody or one nation reads it."""
        events = self.log_of(nation) if nation else self.events
        return [sentence for event in events for sentence in TITLE.tell(event, str)]

    def acted(self) -> list[tuple[str, str]]:
        """The decisions so far."""
        return [(self.nations[event.seat], event.ask) for event in self.events if event.ask]


# -- the words of a situation ------------------------------------------------------------------------


def people(nation: str, n: int, *last: str) -> Word:
    """So many people in numerical order; `last` names the circle of those that could stand elsewhere."""

    def word(war: Campaign) -> None:
        t, zone = war.table, f"people:{war.seats[nation]}"
        for circle in t.items(zone):
            t.move(circle, zone, "box")
        low = [circle.id for circle in CIRCLES[nation] if circle.id not in last][: n - len(last)]
        for circle in (*low, *last):
            t.move(circle, "box", zone)

    return word


def people_on(nation: str, circles: str) -> Word:
    """People exactly on these circles."""

    def word(war: Campaign) -> None:
        t, zone = war.table, f"people:{war.seats[nation]}"
        for circle in t.items(zone):
            t.move(circle, zone, "box")
        for circle in circles.split():
            t.move(circle, "box", zone)

    return word


def _units(words: str) -> list[tuple[str, int]]:
    parts = words.split()
    return [(unit, int(n)) for n, unit in zip(parts[::2], parts[1::2], strict=True)]


def stack(nation: str, tile: str, units: str, spent: int = 0) -> Word:
    """Regiments on a land tile, `2 archers 1 light_cavalry`; squadrons stand there in port."""

    def word(war: Campaign) -> None:
        t, seat = war.table, war.seats[nation]
        for unit, n in _units(units):
            if UNITS[unit].kind == "ship":
                for _ in range(n):
                    fleet(nation, tile, unit, sailed=spent)(war)
            else:
                t.move(unit, "supply", camp(seat, tile, spent), n)
        if TILES[tile].kind == "neutral":
            t.set(f"owner:{tile}", seat)

    return word


def fleet(nation: str, tile: str, ship: str, aboard: str = "", sailed: int = 0) -> Word:
    """A squadron with regiments aboard; called ship1, ship2 ... in the order given."""

    def word(war: Campaign) -> None:
        t, seat = war.table, war.seats[nation]
        name = next(name for name, _, berth in hulls(seat) if berth not in t.registers)
        t.move(ship, "supply", hull(seat, name))
        t.set(f"berth:{seat}:{name}", tile)
        if sailed:
            t.set(f"sailed:{seat}:{name}", sailed)
        for unit, n in _units(aboard):
            t.move(unit, "supply", hull(seat, name), n)
        if TILES[tile].kind == "neutral":
            t.set(f"owner:{tile}", seat)

    return word


def owns(nation: str, *tiles: str) -> Word:
    def word(war: Campaign) -> None:
        for tile in tiles:
            war.table.set(f"owner:{tile}", war.seats[nation])

    return word


def allied(*nations: str, space: int = 1) -> Word:
    def word(war: Campaign) -> None:
        for nation in nations:
            war.table.move(war.seats[nation], "box", f"alliance:{space}")

    return word


def commander(nation: str, card: str) -> Word:
    return lambda war: war.table.move(card, "generals", f"commander:{war.seats[nation]}")


def power(nation: str, *cards: str) -> Word:
    """The PP row from left to right."""

    def word(war: Campaign) -> None:
        for card in cards:
            war.table.move(card, "generals", f"pp:{war.seats[nation]}")

    return word


def unused(nation: str, *cards: str) -> Word:
    def word(war: Campaign) -> None:
        for card in cards:
            war.table.move(card, "generals", f"unused:{war.seats[nation]}")

    return word


def stores(nation: str, food: int = 0, metal: int = 0) -> Word:
    def word(war: Campaign) -> None:
        war.table.set(f"food:{war.seats[nation]}", food)
        war.table.set(f"metal:{war.seats[nation]}", metal)

    return word


def points(nation: str, vp: int) -> Word:
    return lambda war: war.table.set(f"vp:{war.seats[nation]}", vp)


def battles(nation: str, n: int) -> Word:
    return lambda war: war.table.set(f"battles:{war.seats[nation]}", n)


def knowledge(nation: str, *cards: str) -> Word:
    def word(war: Campaign) -> None:
        for card in cards:
            war.table.move(card, "technology", f"knowledge:{war.seats[nation]}")

    return word


def developed(*technologies: str, by: str = "") -> Word:
    """Technologies on the tree; the event spaces behind their columns are filled."""

    def word(war: Campaign) -> None:
        t = war.table
        for name in technologies:
            t.set(f"by:{name}", war.seats[by] if by else next(iter(war.seats.values())))
            space = PACK.event_spaces.get(PACK.technologies[name].column)
            if space and not t.zones[f"event:{space}"]:
                t.move(t.items("events")[-1], "events", f"event:{space}")

    return word


def era(name: str) -> Word:
    return lambda war: war.table.set("era", name)


def order(*nations: str) -> Word:
    def word(war: Campaign) -> None:
        now = war.table.order
        war.table.reorder("order", [now.index(war.seats[nation]) for nation in nations])

    return word


def cards(nation: str, *names: str) -> Word:
    """Tactic cards in a hand, by type: `LB2` is the first copy that is left."""

    def word(war: Campaign) -> None:
        t = war.table
        for name in names:
            deck = PACK.tactics[name].deck
            card = next(card for card in t.items(deck) if CARDS[card].id == name)
            t.move(card, deck, f"hand:{war.seats[nation]}")

    return word


def pairs(*names: str) -> list[list[Any]]:
    """An answer of single items or `3 archers` as [item, n] pairs."""
    counted: Counter[str] = Counter()
    for name in names:
        n, _, item = name.rpartition(" ")
        counted[item] += int(n or 1)
    return [[item, n] for item, n in sorted(counted.items())]
