"""Worlds a viewer cannot tell apart: the same game with two hidden items swapped, run again until one of them comes to light.

If the viewer is told anything else in the other world before that, something hidden has leaked (L5).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from random import Random
from typing import Any, NamedTuple, TypeVar

from domain.contract import Broken, Game, questions, seen_by
from domain.kernel.ask import Ask, Draw, Roll, Shuffle
from domain.kernel.chance import Recorded
from domain.kernel.choice import Assign, Counts
from domain.kernel.errors import BrokenLog, NotAsked, RulesCrashed
from domain.kernel.event import CREATED, DECIDED, QUESTION, SEALED, Chance, Cite, Drawn, Event, Shuffled, encode
from domain.kernel.ops import Move, Reorder
from domain.kernel.run import Run
from domain.kernel.schema import FACE
from domain.kernel.table import Table
from domain.log import events_of

LAW = "no view differs between worlds that look alike (L5)"
REVEAL = "to reveal it, move it where the seat can see it, or t.show it"


T = TypeVar("T")


class Swap(NamedTuple):
    """From a group on, `one` is `other` and the other way round, for a viewer who sees neither."""

    viewer: str
    one: str
    other: str
    start: int

    def name(self, text: str) -> str:
        """A word in the other world; also where an item is part of a longer one."""
        if text in (self.one, self.other):
            return self.other if text == self.one else self.one
        if self.one not in text and self.other not in text:
            return text
        either = f"(?<![\\w-])({re.escape(self.one)}|{re.escape(self.other)})(?![\\w-])"
        return re.sub(either, lambda found: self.name(found[0]), text)

    def within(self, answer: Any) -> Any:
        """An answer in the other world."""
        if type(answer) is str:
            return self.name(answer)
        return [self.within(part) for part in answer] if type(answer) is list else answer


# -- choosing worlds ------------------------------------------------------------------------------------


def some_swap(game: Game, rng: Random) -> Swap | None:
    """Two items that a viewer cannot tell apart; every second time a special one, if there is."""
    swap = _drawn_otherwise(game, rng) if rng.random() < 0.5 else None
    return swap or _lying_otherwise(game, rng)


def _aimed(game: Game, rng: Random, found: list[tuple[str, T]]) -> tuple[str, T]:
    special = [place for place in found if place[0] in game.title.special]
    return rng.choice(special if special and rng.random() < 0.5 else found)


def _drawn_otherwise(game: Game, rng: Random) -> Swap | None:
    """An item was drawn or chosen unseen out of a bag: it could have been another one."""
    if not game.unseen:
        return None
    one, number = _aimed(game, rng, game.unseen)
    blind = [viewer for viewer in game.viewers if not _sights(game.seen[viewer][number], {one})]
    if not blind:
        return None
    viewer, table = rng.choice(blind), game.table(number - 1)
    levels, back = game.schema.levels(viewer), game.schema.back
    bags = [held for zone, held in table.zones.items() if type(held) is dict and levels[zone] < FACE and one in held]
    twins = sorted({other for held in bags for other in held if other != one and back(other) == back(one)})
    return Swap(viewer, one, rng.choice(twins), number) if twins else None


def _lying_otherwise(game: Game, rng: Random) -> Swap | None:
    """Two items lay hidden in different places: each could have lain where the other did."""
    viewer, number = rng.choice(game.viewers), rng.randrange(len(game.groups))
    table, levels, back = game.table(number), game.schema.levels(viewer), game.schema.back
    lie = [(item, zone) for zone, held in table.zones.items() if held and levels[zone] < FACE for item in sorted(set(held))]
    if not lie:
        return None
    one, here = _aimed(game, rng, lie)
    been = game.visited  # what never lay in one place cannot be mistaken for one another
    twins = [place for place in lie if place[0] != one and back(place[0]) == back(one) and been[place[0]] & been[one]]
    if apart := [place for place in twins if place[1] != here]:
        twins = apart
    return Swap(viewer, one, (other := rng.choice(twins)[0]), _start(game, one, other, number)) if twins else None


def _start(game: Game, one: str, other: str, number: int) -> int:
    """The last group up to `number` that could have gone either way: after the two lay in one bag, or by a shuffle of both."""
    for group in range(number, 0, -1):
        if _together(game, one, other, group - 1):
            return group
        zones = [outcome.zone for item in game.groups[group] for outcome in item.chance if type(outcome) is Shuffled]
        if zones and any({one, other} <= set(game.table(group).zones[zone]) for zone in zones):
            return group
    return 0


def _together(game: Game, one: str, other: str, number: int) -> bool:
    """Whether both lay in the same bag after a group."""
    return bool(_bags(game, one, number) & _bags(game, other, number))


def _bags(game: Game, item: str, number: int) -> frozenset[str]:
    """The bags that held an item after a group."""
    found: frozenset[str] = frozenset()
    for group, zones in game.whereabouts.get(item, ()):
        if group > number:
            break
        found = zones
    return found


# -- running the other world ----------------------------------------------------------------------------


class Swapped(Recorded):
    """The recorded chance of a group as it falls in the other world; improvised where that world needs other chance."""

    def __init__(self, swap: Swap) -> None:
        super().__init__()
        self.swap, self.improvised = swap, False
        self.rows: list[list[str]] = []

    def feed(self, group: Sequence[Event], before: Callable[[], Table]) -> None:
        """Take the chance of the next group; of every shuffle, how the row lay after it."""
        self.left = [outcome for item in group for outcome in item.chance]
        self.rows = _rows(group, before()) if any(type(outcome) is Shuffled for outcome in self.left) else []

    def __call__(self, request: Roll | Draw | Shuffle, pool: Sequence[Any], ordinal: int) -> Any:
        try:
            if self.left and self.left[0].key == request.key:
                self.left[0] = self._other(self.left[0], pool)
                return super().__call__(request, pool, ordinal)
        except BrokenLog:
            pass
        self.improvised = True
        if type(request) is Roll:
            return [pool[0]] * request.n
        return pool[0] if type(request) is Draw else list(range(len(pool)))

    def _other(self, outcome: Chance, pool: Sequence[Any]) -> Chance:
        if type(outcome) is Drawn:
            return Drawn(outcome.key, outcome.zone, self.swap.name(outcome.item))
        if type(outcome) is not Shuffled:
            return outcome
        left, order = list(enumerate(pool)), []
        for due in map(self.swap.name, self.rows.pop(0)):
            place = next((place for place in left if place[1] == due), None)
            if place is None:
                del self.left[0]
                raise BrokenLog("the other world has other items in this row")
            left.remove(place)
            order.append(place[0])
        return Shuffled(outcome.key, outcome.zone, order)


def _rows(group: Sequence[Event], table: Table) -> list[list[str]]:
    """How each shuffled row lay right after its shuffle."""
    found = []
    for item in group:
        due = [outcome for outcome in item.chance if type(outcome) is Shuffled]
        for op in item.ops:
            table.fold([op])
            if due and type(op) is Reorder and (op.zone, op.order) == (due[0].zone, due[0].order):
                found.append(list(table.zones[op.zone]))
                due.pop(0)
    return found


def compare(game: Game, swap: Swap, *, most: int = 150) -> int:
    """Run the other world and raise `Broken` where the viewer could tell it from the recorded one; how many groups were compared."""
    source = Swapped(swap)
    run: Run | None = None if swap.start == 0 else game.run(swap.start - 1)
    met: set[str] = set()
    for number in range(swap.start, min(swap.start + most, len(game.groups))):
        group = game.groups[number]
        source.feed(
            group, partial(game.table, number - 1) if number else partial(game.title.lay, game.schema.seats, game.schema.options)
        )
        first = group[0]
        try:
            if run is None:
                run = Run(game.title, game.title.lay(game.schema.seats, game.schema.options), source)
                made = events_of(run.first, Event(0, CREATED, answer=first.answer), 0)
            elif first.kind not in (DECIDED, SEALED):
                continue
            else:
                run.source = source
                decided = _decide(game, swap, run, number)
                if decided is None:
                    return number - swap.start
                made = decided
        except RulesCrashed as crash:
            raise Broken(LAW, first.version, f"with {swap.one} and {swap.other} swapped the rules fail: {crash}") from crash
        if _came_to_light(game, swap, number, made, source.improvised):
            return number - swap.start
        _looks_alike(game, swap, number, made, run)
        if source.improvised:
            return number - swap.start
        _refuses_alike(game, swap, number, run, met)
    return min(most, len(game.groups) - swap.start)


def _decide(game: Game, swap: Swap, run: Run, number: int) -> list[Event] | None:
    """The recorded decision as its seat makes it in the other world; None if it would not be made there."""
    first = game.groups[number][0]
    try:
        ask = run.question(first.seat, first.ask)
    except NotAsked:
        return None
    answer = first.answer
    # What the viewer hears is said alike if it can be; what it does not hear is about the item the seat has in this world.
    heard = game.seen[swap.viewer][number][0].answer == answer
    if first.seat != swap.viewer and not (heard and ask.refusal(answer) is None):
        translated = _translated(swap, ask, answer, game, number)
        if translated != answer and _knows(game, swap, first.seat, number):
            answer = translated
    if ask.refusal(answer) is not None:
        return None
    kind = SEALED if run.sealed and ask in run.asks else DECIDED
    veil = run.veil(ask, answer)
    parts = run.answer(first.seat, first.ask, answer)
    made = Event(0, kind, first.seat, first.ask, answer, cites=[Cite(ask.cite, QUESTION)], veil=veil)
    return events_of(parts, made, first.version - 1)


def _knows(game: Game, swap: Swap, seat: str, number: int) -> bool:
    """Whether a seat sees one of the items, or has been shown it: then it decides about what it sees."""
    table, levels = game.table(number - 1), game.schema.levels(seat)
    if any(levels[zone] == FACE and held and (swap.one in held or swap.other in held) for zone, held in table.zones.items()):
        return True
    peeks = (peek for group in game.groups[:number] for item in group for peek in item.shown if peek.seat == seat)
    return any(swap.one in peek.items or swap.other in peek.items for peek in peeks)


def _translated(swap: Swap, ask: Ask, answer: Any, game: Game, number: int) -> Any:
    """The answer about the other item. Handfuls are sorted by name, assignments go by the order of their slots."""
    if isinstance(ask.choice, Counts) and type(answer) is list:
        return sorted(swap.within(answer))
    if isinstance(ask.choice, Assign) and type(answer) is list:
        slots = list(ask.choice.slots)
        if swap.one in slots or swap.other in slots:
            there = game.run(number - 1).question(ask.seat, ask.key).choice
            assert isinstance(there, Assign)
            chosen = {swap.name(slot): swap.within(option) for slot, option in zip(there.slots, answer, strict=True)}
            return [chosen.get(slot) for slot in slots]
    return swap.within(answer)


def _came_to_light(game: Game, swap: Swap, number: int, made: Sequence[Event], improvised: bool) -> bool:
    """Whether the viewer sees one of the items move or is shown it: from there the worlds differ openly."""
    items = None if improvised else {swap.one, swap.other}
    return _sights(game.seen[swap.viewer][number], items) != _sights(seen_by(game.schema, made, swap.viewer), items)


def _sights(seen: Sequence[Event], items: set[str] | None) -> list[Any]:
    """Where a viewer sees items move by name or is shown them; all items if none are given."""
    moves = [op for item in seen for op in item.ops if type(op) is Move and (items is None or op.item in items)]
    peeks = [peek for item in seen for peek in item.shown if items is None or items.intersection(peek.items)]
    return [*moves, *peeks]


def _looks_alike(game: Game, swap: Swap, number: int, made: Sequence[Event], run: Run) -> None:
    viewer, first = swap.viewer, game.groups[number][0]
    here, there = game.seen[viewer][number], seen_by(game.schema, made, viewer)
    what = f"{viewer} can tell {swap.one} from {swap.other}"
    asked, elsewhere = game.asked[viewer][number], questions(run, viewer)
    if asked != elsewhere:
        raise Broken(
            LAW,
            first.version,
            f"{what} by what is asked: here {asked.decode()}, there {elsewhere.decode()}; ask all who could publicly react; {REVEAL}",
        )
    if [encode(item) for item in here] != [encode(item) for item in there]:
        raise Broken(LAW, first.version, f"{what} by the event after {first.ask or 'the start'}: {_apart(here, there)}; {REVEAL}")


def _apart(here: Sequence[Event], there: Sequence[Event]) -> str:
    """The first field in which two groups of events differ."""
    if len(here) != len(there):
        return f"{len(here)} events here, {len(there)} there"
    for one, other in zip(here, there, strict=True):
        for field in Event.__struct_fields__:
            if getattr(one, field) != getattr(other, field):
                return f"{field} is {getattr(one, field)!r} here and {getattr(other, field)!r} there"
    return "their bytes differ"


def _refuses_alike(game: Game, swap: Swap, number: int, run: Run, met: set[str]) -> None:
    """Refused answers give the same reason in both worlds: once for each question of the viewer's."""
    mine = [ask for ask in (*run.asks, *run.offers) if ask.seat == swap.viewer and ask.key not in met]
    if not mine:
        return
    met.update(ask.key for ask in mine)
    here = game.run(number)
    for ask in mine:
        there = here.question(ask.seat, ask.key)
        for answer in _tries(swap, ask):
            if ask.refusal(answer) != there.refusal(answer):
                raise Broken(
                    LAW,
                    game.version(number),
                    f"{swap.viewer} can tell {swap.one} from {swap.other} by a refused answer to {ask.key}: "
                    f"{there.refusal(answer)!r} here, {ask.refusal(answer)!r} there",
                )


def _tries(swap: Swap, ask: Ask) -> Iterator[Any]:
    """Answers worth trying: of a wrong kind, about the swapped items, and of the right shape but perhaps not allowed."""
    for name in (swap.one, swap.other, "?"):
        yield from (name, [name], [[name, 1]])
    yield from (None, 0, [])
    if isinstance(ask.choice, Counts):
        yield from ([[item, 1]] for item in list(ask.choice.of)[:8])
        yield [[item, n] for item, n in ask.choice.of.items()]
    elif isinstance(ask.choice, Assign):
        yield from ([options[at] for options in ask.choice.slots.values()] for at in (0, -1) if all(ask.choice.slots.values()))


def differing(game: Game, seed: int) -> int | None:
    """Compare one pair of worlds chosen by a seed; how many groups were compared, None if there is nothing hidden to swap."""
    swap = some_swap(game, Random(f"{game.name}:{seed}"))
    return None if swap is None else compare(game, swap)
