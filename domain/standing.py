"""What a seat lodges in advance: a draft of its orders, and standing orders that answer a kind of question until something happens.

    IF asked window THEN pass                                  (once)
    IF asked window 5 times THEN pass
    IF asked window every time until my hand changes THEN pass

Facts, then fold, then decide. All of it is its seat's alone, and ends with the tenure of whoever lodged it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from domain import orders
from domain.facts import Folded
from domain.kernel.errors import NotFound, Refused
from domain.kernel.schema import FACE, SPECTATOR
from domain.kernel.table import Table
from domain.kernel.title import Title

MOST = 50
MOST_TIMES = 100
LONGEST_DRAFT = 8_000
CONDITION = re.compile(
    r"asked\s+(?P<question>.+?)"
    r"(?:[\s,]+(?:(?P<times>\d{1,3})\s+times?|(?P<once>once)|(?P<every>every\s+time|always)))?"
    r"(?P<hand>[\s,]+until\s+my\s+hand\s+changes)?\s*",
    re.IGNORECASE,
)


class Condition(NamedTuple):
    """Which question, how often, and whether only as long as the seat's own cards stay the same."""

    question: str
    times: int
    hand: bool


def condition(text: str) -> Condition:
    """What stands between IF and THEN.

    >>> condition("asked upgrade house 3 times until my hand changes")
    Condition(question='upgrade house', times=3, hand=True)
    """
    found = CONDITION.fullmatch(text.strip())
    if found is None:
        raise Refused(
            "",
            "a condition names the question: IF asked QUESTION ... THEN ORDER",
            legal=["asked QUESTION", "asked QUESTION 5 times", "asked QUESTION every time until my hand changes"],
        )
    often = MOST_TIMES if found["every"] else int(found["times"] or 1)
    if not 1 <= often <= MOST_TIMES:
        raise Refused("", f"a standing order is for 1 to {MOST_TIMES} times")
    return Condition(found["question"], often, bool(found["hand"]))


def question(title: Title, said: str) -> str:
    """The question that is meant, among those the title has words for."""
    wanted = orders.tokens(said)
    keys = [*title.prompts] or [said.replace(" ", "_")]
    names = {key: [orders.tokens(name) for name in (orders.spoken(title, key), key.replace("_", " "))] for key in keys}
    found = [key for key, ways in names.items() if wanted in ways]
    found = found or [key for key, ways in names.items() if any(_begins(way, wanted) for way in ways)]
    if len(found) != 1:
        why = "can mean several questions" if found else "is no question of this game"
        raise Refused("", f"{said[:40]!r} {why}", legal=[orders.spoken(title, key) for key in found or keys][:20])
    return found[0]


def _begins(way: Sequence[str], said: Sequence[str]) -> bool:
    return len(way) == len(said) and all(word.startswith(part) for word, part in zip(way, said, strict=True))


def own_cards(view: Table, seat: str) -> str:
    """A mark of everything that a seat sees and the public does not: when it changes, the hand has changed."""
    mine, public = view.schema.levels(seat), view.schema.levels(SPECTATOR)
    held = {
        name: sorted(map(str, view.items(name)))
        for name in sorted(view.zones)
        if mine[name] == FACE and public[name] < FACE and view.zones[name]
    }
    return hashlib.sha256(msgspec.json.encode(held, order="sorted")).hexdigest()[:16]


# -- facts (storage format: add fields at the end, never rename or reorder) ---------------------------


class Lodged(msgspec.Struct, frozen=True, tag="lodged"):
    """`hand` is the mark of the cards it holds for; "" for any. `mail` and `number` say which line lodged it."""

    id: int
    seat: str
    holder: str
    question: str
    order: str
    times: int
    hand: str
    source: str
    at: int


class Used(msgspec.Struct, frozen=True, tag="used"):
    """The answer at this version was given by a standing order."""

    id: int
    line: str
    version: int
    at: int


class Ended(msgspec.Struct, frozen=True, tag="ended"):
    """Cancelled, used up, or out of date: why."""

    id: int
    why: str
    at: int


class DraftSaved(msgspec.Struct, frozen=True, tag="draft"):
    """Orders to be carried out if their seat is late and the house rules say so; empty text clears them."""

    seat: str
    holder: str
    text: str
    at: int


Fact = Lodged | Used | Ended | DraftSaved
encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Fact).decode


# -- the book ----------------------------------------------------------------------------------------


class Standing:
    """A standing order in force, with how often it was used."""

    def __init__(self, lodged: Lodged) -> None:
        self.lodged = lodged
        self.used: list[Used] = []

    @property
    def left(self) -> int:
        return self.lodged.times - len(self.used)


class Book(Folded[Fact]):
    """Everything lodged in advance in one match."""

    def begin(self) -> None:
        self.orders: dict[int, Standing] = {}
        self.ended: dict[int, tuple[Standing, Ended]] = {}
        self.drafts: dict[str, DraftSaved] = {}

    def lodge(self, seat: str, holder: str, asked: str, order: str, given: Condition, hand: str, source: str, at: int) -> Standing:
        """Lodge a standing order; the same line of the same mail is lodged once."""
        for one in [*self.orders.values(), *(old for old, _ in self.ended.values())]:
            if source and one.lodged.source == source:
                return one
        if len(self.of(seat, holder)) >= MOST:
            raise Refused("", f"a seat has at most {MOST} standing orders: CLEAR one first")
        id = 1 + max([*self.orders, *self.ended], default=0)
        self._record(Lodged(id, seat, holder, asked, order, given.times, hand if given.hand else "", source, at))
        return self.orders[id]

    def of(self, seat: str, holder: str) -> list[Standing]:
        """A seat's standing orders in force, oldest first."""
        return [one for one in self.orders.values() if (one.lodged.seat, one.lodged.holder) == (seat, holder)]

    def cancel(self, seat: str, holder: str, id: int, why: str, at: int) -> None:
        one = self.orders.get(id)
        if one is None or one not in self.of(seat, holder):
            raise NotFound(f"you have no standing order {id}")
        self._record(Ended(id, why, at))

    def due(self, seat: str, holder: str, asked: str, hand: str, at: int) -> Standing | None:
        """The oldest standing order for a question; those that lapsed with the hand end here."""
        for one in self.of(seat, holder):
            if one.lodged.hand and one.lodged.hand != hand:
                self._record(Ended(one.lodged.id, "your hand has changed", at))
            elif one.lodged.question == asked:
                return one
        return None

    def use(self, id: int, line: str, version: int, at: int) -> None:
        """Put a use on record; the last one ends the order."""
        one = self.orders.get(id)
        if one is None or any((use.line, use.version) == (line, version) for use in one.used):
            return
        self._record(Used(id, line, version, at))
        if not one.left:
            self._record(Ended(id, "used up", at))

    def uses(self, seat: str, holder: str) -> list[tuple[Standing, Used]]:
        """Every answer given by a standing order, oldest first."""
        found = [*self.orders.values(), *(one for one, _ in self.ended.values())]
        mine = [one for one in found if (one.lodged.seat, one.lodged.holder) == (seat, holder)]
        return sorted(((one, use) for one in mine for use in one.used), key=lambda pair: (pair[1].at, pair[1].version))

    def draft(self, seat: str, holder: str, text: str, at: int) -> None:
        """Keep a draft instead of the one before; an empty one clears it."""
        if len(text) > LONGEST_DRAFT:
            raise Refused("", f"a draft has at most {LONGEST_DRAFT} characters")
        if text or seat in self.drafts:
            self._record(DraftSaved(seat, holder, text, at))

    def drafted(self, seat: str, holder: str) -> str:
        found = self.drafts.get(seat)
        return found.text if found is not None and found.holder == holder else ""

    def fold(self, fact: Fact) -> None:
        match fact:
            case Lodged():
                self.orders[fact.id] = Standing(fact)
            case Used():
                self.orders[fact.id].used.append(fact)
            case Ended():
                self.ended[fact.id] = (self.orders.pop(fact.id), fact)
            case DraftSaved():
                self.drafts[fact.seat] = fact
