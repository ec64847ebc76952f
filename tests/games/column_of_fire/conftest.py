"""Cases in the game's words: given a table and the luck to come, when a player answers, then look at the table or the log."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest

from domain.games.column_of_fire import TITLE
from domain.games.column_of_fire.data import CARDS, TILES
from domain.games.column_of_fire.table import Column
from domain.games.column_of_fire.turns import first_half, second_half
from domain.kernel import Draw, Event, Refused, Roll, Run, redact
from domain.kernel.event import CREATED, DECIDED
from domain.log import events_of

STONES = {"C": "catholic", "P": "protestant", "N": "neutral"}
CALM = {"window": "pass", "end_turn": "end"}


class Case:
    """One table. Windows nobody asks for are passed; luck nobody scripted is the first of what there is."""

    def __init__(self, players: int = 4, **options: Any) -> None:
        self.seats = TITLE.seats(players)
        self.luck: dict[str, list[Any]] = defaultdict(list)
        self.events: list[Event] = []
        self.run: Run | None = None
        self.t: Column = TITLE.lay(self.seats, options)
        self.t = Run(TITLE, self.t, self._chance).table.copy()
        self._home()
        for seat in self.seats:
            self.vp(seat, 10).religion(seat, "catholic", 3).goods(seat).protection(seat, 0)

    @classmethod
    def dealt(cls, players: int = 4, *, luck: dict[str, list[Any]], **options: Any) -> Case:
        """A game set up by the rules, with the luck of the setup as given."""
        case = cls.__new__(cls)
        case.seats = TITLE.seats(players)
        case.luck = defaultdict(list, luck)
        case.t = TITLE.lay(case.seats, options)
        case.run = Run(TITLE, case.t, case._chance)
        case.events = events_of(case.run.first, Event(0, CREATED), 0)
        return case

    @property
    def set_up(self) -> Column:
        """The table as the setup left it: without 3 VP or a tile nobody is asked anything in the first half-year."""
        table = TITLE.lay(self.seats, self.t.options)
        for event in self.events:
            table.fold(event.ops)
            if "year" in table.registers:
                return table
        raise AssertionError("the setup is not over")

    # -- given ---------------------------------------------------------------------------------------

    def _home(self) -> None:
        """All dice free, nothing of the turn under way."""
        for register in ("die", "country", "event_done", "paid", "quiet"):
            self.t.set(register, None)

    def _empty(self, zone: str) -> None:
        for item in self.t.items(zone):
            self.t.move(item, zone, "box")

    def _fetch(self, item: str, to: str) -> None:
        """Take a card, tile or die from wherever it lies."""
        zone = next(zone for zone, held in self.t.zones.items() if held and item in held and zone != "to_turn_down")
        self.t.move(item, zone, to)

    def vp(self, seat: str, vp: int) -> Case:
        self.t.set(f"vp:{seat}", vp)
        return self

    def religion(self, seat: str, religion: str, die: int = 3) -> Case:
        self.t.set(f"religion:{seat}", religion)
        self.t.set(f"die:{seat}:black", die)
        return self

    def goods(self, seat: str, **goods: int) -> Case:
        self._empty(f"goods:{seat}")
        for good, n in goods.items():
            self.t.move(good, "box", f"goods:{seat}", n)
        return self

    def protection(self, seat: str, n: int) -> Case:
        self._empty(f"protection:{seat}")
        self.t.move("protection", "box", f"protection:{seat}", n)
        return self

    def tiles(self, seat: str, *tiles: str) -> Case:
        for tile in tiles:
            self._fetch(tile, f"tiles:{seat}")
        return self

    def house(self, seat: str, country: str, number: int) -> Case:
        self.t.move(seat, f"houses:{seat}", f"house:{country}:{number}")
        return self

    def stones(self, country: str, stones: str) -> Case:
        self._empty(f"stones:{country}")
        for letter in stones:
            self.t.move(STONES[letter], "box", f"stones:{country}")
        return self

    def character(self, seat: str, card: str, die: str, number: int) -> Case:
        if card == self.t.face_up(CARDS[card].country):
            self.face_up(next(other for other in sorted(self.t.zones[f"deck:{CARDS[card].country}"]) if other in CARDS))
        self._fetch(card, f"display:{seat}")
        self.t.move(die, f"free:{seat}", f"dice:{seat}")
        self.t.set(f"die:{seat}:{die}", number)
        return self

    def loch_leven(self, seat: str, die: str, number: int) -> Case:
        self.t.move(die, f"free:{seat}", f"prison:{seat}")
        self.t.set(f"die:{seat}:{die}", number)
        return self

    def face_up(self, card: str, stone: str = "") -> Case:
        country = CARDS[card].country
        for old in self.t.items(f"top:{country}"):
            self.t.move(old, f"top:{country}", f"deck:{country}")
        self._empty(f"stone:{country}")
        self._fetch(card, f"top:{country}")
        self.t.move(STONES.get(stone, CARDS[card].stone), "box", f"stone:{country}")
        return self

    def used_up(self, country: str) -> Case:
        for zone in (f"deck:{country}", f"top:{country}"):
            for card in self.t.items(zone):
                self.t.move(card, zone, "removed")
        self._empty(f"stone:{country}")
        return self

    def last_card(self, country: str) -> Case:
        """Only the face-up card is left of a deck."""
        for card in self.t.items(f"deck:{country}"):
            self.t.move(card, f"deck:{country}", "removed")
        return self

    def disc(self, seat: str, space: str) -> Case:
        self.t.set(f"disc:{seat}", space)
        return self

    def next_cards(self, *cards: str) -> Case:
        """What the decks turn up next."""
        self.luck["turn_up"] += cards
        return self

    def next_tile(self, *tiles: str) -> Case:
        """The tiles drawn next, from the first pile."""
        for tile in tiles:
            self._fetch(tile, "pile:1")
        self.luck["advantage_tile"] += tiles
        return self

    def rolls(self, **dice: int) -> Case:
        """What the active player's free dice show at their next roll; dice not named show 1."""
        self.luck["free_dice"].append(dice)
        return self

    def rolls_religion(self, *numbers: int) -> Case:
        self.luck["religion_die"] += [[number] for number in numbers]
        return self

    def turn(self, seat: str, half: int = 2) -> Case:
        """It is a player's turn, from its very beginning."""
        t = self.t
        self._empty("to_turn_down")
        t.set("half", half)
        t.set("step", first_half(t, seat) if half == 1 else second_half(t, seat))
        return self

    def at(self, seat: str, step: str) -> Case:
        """It is a player's second half-year turn at a later step, his free dice not rolled."""
        self.turn(seat)
        self.t.set("step", step)
        return self

    def _chance(self, request: Any, pool: Any, ordinal: int) -> Any:
        script = self.luck[request.key]
        if type(request) is Roll and request.key == "free_dice":
            numbers = script.pop(0) if script else {}
            return [numbers.get(die, 1) for die in self.t.free(request.seat)]
        if type(request) is Roll:
            return script.pop(0) if script else [request.faces[2]] * request.n
        if type(request) is Draw:
            return script.pop(0) if script else next((item for item in pool if item in CARDS or item in TILES), pool[0])
        return list(range(len(pool)))

    # -- when ----------------------------------------------------------------------------------------

    def start(self) -> Case:
        if self.run is None:
            self.run = Run(TITLE, self.t.copy(), self._chance)
            self.t = self.run.table
            self.events += events_of(self.run.first, Event(0, CREATED), 0)
        return self

    @property
    def asked(self) -> tuple[str, str]:
        """Who is asked what."""
        self.start()
        assert self.run
        return (self.run.asks[0].seat, self.run.asks[0].key) if self.run.asks else ("", "")

    def _answer(self, seat: str, key: str, answer: Any) -> None:
        assert self.run
        parts = self.run.answer(seat, key, answer)
        version = self.events[-1].version if self.events else 0
        self.events += events_of(parts, Event(0, DECIDED, seat, key, answer), version)

    def pass_until(self, *keys: str) -> Case:
        """Pass every window before one of these questions."""
        while self.asked[1] in CALM and self.asked[1] not in keys:
            seat, key = self.asked
            self._answer(seat, key, CALM[key])
        return self

    def play(self, seat: str, key: str, answer: Any) -> Case:
        """A player answers; windows before the question are passed."""
        self.pass_until(key)
        self._answer(seat, key, answer)
        return self

    def finish(self, seat: str) -> Case:
        """Pass what windows are left of a player's turn."""
        while self.asked[0] == seat and self.asked[1] in CALM and self.t.active == seat:
            self._answer(*self.asked, CALM[self.asked[1]])
        return self

    def offered(self, key: str) -> list[Any]:
        """The answers the open question accepts."""
        self.pass_until(key)
        assert self.run and self.asked[1] == key, self.asked
        return list(self.run.asks[0].all())

    def refuses(self, seat: str, key: str, answer: Any) -> str:
        """The words of the refusal, windows before the question passed."""
        return self.pass_until(key).refuses_now(seat, key, answer)

    def refuses_now(self, seat: str, key: str, answer: Any) -> str:
        """The words of the refusal at once; the table stays as it was."""
        self.start()
        assert self.run
        before = self.t.digest()
        with pytest.raises(Refused) as refused:
            self.run.answer(seat, key, answer)
        assert self.t.digest() == before
        return str(refused.value)

    # -- then ----------------------------------------------------------------------------------------

    @property
    def rules(self) -> list[str]:
        """The rules cited, in order."""
        return [cite.rule for event in self.events for cite in event.cites]

    def in_order(self, *rules: str) -> bool:
        """Whether these rules were applied one after the other."""
        cited = iter(self.rules)
        return all(rule in cited for rule in rules)

    @property
    def story(self) -> str:
        """The chronicle so far."""
        return "\n".join(sentence for event in self.events for sentence in TITLE.tell(event, str))

    def view(self, viewer: str) -> Column:
        """The table as somebody sees it."""
        self.start()
        return redact.table(self.t, viewer)

    def display(self, seat: str) -> list[tuple[str, str, int | None]]:
        """A player's characters from left to right, each with its die and number."""
        t = self.t
        return [(card, die, t.shows(seat, die)) for card, die in zip(t.zones[f"display:{seat}"], t.zones[f"dice:{seat}"])]

    def lies(self, country: str) -> str:
        """The stones of a country in letters."""
        return "".join(letter * self.t.stones(country)[kind] for letter, kind in STONES.items())


@pytest.fixture
def column() -> type[Case]:
    return Case
