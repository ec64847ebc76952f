"""The contract every title keeps (L9): laws about one recorded game, each checked at every version of it.

The laws know nothing of tests: they raise `Broken` with one sentence that says which law, where, and what to look for.
What a seat may tell from two worlds is in `worlds`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from random import Random
from typing import Any, NamedTuple

import msgspec

from domain.audit import audit
from domain.bots import Policy, choose, random_legal
from domain.kernel import redact
from domain.kernel.chance import Recorded
from domain.kernel.choice import DeadEnd
from domain.kernel.errors import BrokenLog, ChanceryError, Refused, RulesCrashed
from domain.kernel.event import DECIDED, SEALED, Drawn, Event, decode, encode
from domain.kernel.ops import Move, Op, Reorder
from domain.kernel.run import Run
from domain.kernel.schema import ARBITER, BAG, FACE, HIDDEN, SPECTATOR, Schema
from domain.kernel.table import Table
from domain.kernel.title import END, Title
from domain.log import Log, Match, Store, groups, replay, resume

_canonical = msgspec.json.Encoder(order="sorted")


class Broken(ChanceryError):
    """A title (or the kernel) does not keep a law of the contract."""

    def __init__(self, law: str, version: int, what: str) -> None:
        super().__init__(f"{law}, at version {version}: {what}")
        self.law, self.version, self.what = law, version, what


class Mark(NamedTuple):
    """Where the game may be loaded: the table where a step ended, in which group, and what that group still did after it."""

    group: int
    rest: list[Event]
    table: Table
    drawn: int


class Game:
    """A whole game as it was played: its log, and what everybody was asked after each decision."""

    def __init__(self, log: Log) -> None:
        self.log, self.title, self.schema = log, log.title, log.schema
        self.viewers = [*self.schema.seats, SPECTATOR]
        # After each group of events (a decision and what it set off): questions by viewer, the live table's digest, sealed or not.
        self.asked: dict[str, list[bytes]] = {viewer: [] for viewer in (*self.viewers, ARBITER)}
        self.digests: list[bytes] = []
        self.stands()

    @property
    def name(self) -> str:
        return f"{self.title.id} {self.log.line.id} with {len(self.schema.seats)} seats, options {self.schema.options}"

    def stands(self) -> None:
        """Note down what is asked now."""
        run = self.log.run
        for viewer, asked in self.asked.items():
            asked.append(questions(run, viewer))
        self.digests.append(run.table.digest())

    @cached_property
    def events(self) -> list[Event]:
        return self.log.raw()

    @cached_property
    def groups(self) -> list[list[Event]]:
        return list(groups(self.events))

    @cached_property
    def marks(self) -> list[Mark]:
        """Every place to load from, the empty table first."""
        table, drawn = self.title.lay(self.schema.seats, self.schema.options), 0
        found = [Mark(0, self.groups[0], table.copy(), 0)]
        for number, group in enumerate(self.groups):
            for index, item in enumerate(group, 1):
                table.fold(item.ops)
                drawn += len(item.chance)
                if item.mark:
                    found.append(Mark(number, group[index:], table.copy(), drawn))
        return found

    def version(self, group: int) -> int:
        return self.groups[group][-1].version

    def table(self, group: int) -> Table:
        return self.log.whole_table(self.version(group))

    def run(self, group: int) -> Run:
        """The game standing at the question after a group, on a table of its own."""
        mark = next(mark for mark in reversed(self.marks) if mark.group <= group)
        tail = [*mark.rest, *(item for later in self.groups[mark.group + 1 : group + 1] for item in later)]
        return resume(self.title, mark.table.copy(), tail, Recorded(), mark.drawn)

    @cached_property
    def visited(self) -> dict[str, set[str]]:
        """All places an item ever came to."""
        found: dict[str, set[str]] = {}
        for op in (op for item in self.events for op in item.ops if type(op) is Move):
            found.setdefault(op.item, set()).add(op.dst)
        return found

    @cached_property
    def unseen(self) -> list[tuple[str, int]]:
        """Items that were drawn, or named by an answer that is not for everybody, and in which group."""
        found: list[tuple[str, int]] = []
        for number, group in enumerate(self.groups[1:], 1):
            drawn = [outcome.item for item in group for outcome in item.chance if type(outcome) is Drawn]
            named = words(group[0].answer) if group[0].veil is not None else ()
            found += [(item, number) for item in sorted({*drawn, *named}) if item in self.visited]
        return found

    @cached_property
    def whereabouts(self) -> dict[str, list[tuple[int, frozenset[str]]]]:
        """For each item the groups that moved it, and the bags it lay in after each."""
        found: dict[str, list[tuple[int, frozenset[str]]]] = {}
        table = self.title.lay(self.schema.seats, self.schema.options)
        bags = [zone for zone, kind in self.schema.zones.items() if kind == BAG]
        for number, group in enumerate(self.groups):
            moved = set()
            for item in group:
                table.fold(item.ops)
                moved |= {op.item for op in item.ops if type(op) is Move}
            for name in sorted(moved):
                found.setdefault(name, []).append((number, frozenset(bag for bag in bags if name in table.zones[bag])))
        return found

    @cached_property
    def seen(self) -> dict[str, list[list[Event]]]:
        """The groups as each viewer sees them, without their links: those differ between worlds by design."""
        return {viewer: [seen_by(self.schema, group, viewer) for group in self.groups] for viewer in self.viewers}


def questions(run: Run, viewer: str) -> bytes:
    """What a viewer is told about the open questions, as bytes to compare."""
    return _canonical.encode(redact.questions(run.asks, run.offers, viewer))


def seen_by(schema: Schema, group: Sequence[Event], viewer: str) -> list[Event]:
    return [msgspec.structs.replace(redact.event(schema, item, viewer), link=b"") for item in group]


def play(
    title: Title,
    store: Store,
    seed: str,
    *,
    players: int,
    options: dict[str, Any] | None = None,
    most: int = 1_000_000,
    policy: Policy = random_legal,
) -> Game:
    """A game by random legal answers, to its end or to `most` decisions. What it cannot play is the first law broken."""
    rng = Random(f"{title.id}:{seed}:{players}")
    match = Match(id=f"{title.id}-{seed}-{players}", title=title.id, seed=rng.randbytes(32))
    log = Log.create(store, title, match, seats=list(title.seats(players)), options=options)
    game = Game(log)
    for _ in range(most):
        if log.run.over:
            break
        ask = choose(log.run, rng)
        if not ask.cite:
            raise Broken("every question cites its rule (L8)", log.version, f"{ask.key} to {ask.seat} cites none")
        try:
            answer = policy(log.run, ask, rng)
        except DeadEnd as stuck:
            raise Broken("no question without a legal answer", log.version, f"{ask.key} to {ask.seat}: {stuck}") from stuck
        before = log.run.table.digest(), questions(log.run, ARBITER)
        try:
            log.decide(ask.seat, ask.key, answer)
        except (BrokenLog, RulesCrashed) as crash:
            kept = (log.run.table.digest(), questions(log.run, ARBITER)) == before
            state = "the table stayed as it was" if kept else "and the table did NOT stay as it was"
            raise Broken("an answer is atomic and legal answers work (L2)", log.version, f"{crash} ({state})") from crash
        game.stands()
    return game


# -- the laws -------------------------------------------------------------------------------------------


def fold_is_live(game: Game) -> None:
    """Folding the ops alone gives the live table at every question, and the digest of every mark."""
    law = "the ops alone give the live table (L3)"
    table = game.title.lay(game.schema.seats, game.schema.options)
    for group, digest in zip(game.groups, game.digests, strict=True):
        for item in group:
            table.fold(item.ops)
            if item.mark and table.digest() != item.digest:
                raise Broken(law, item.version, "the table at this mark is not the folded one: something changed it without an op")
        if table.digest() != digest:
            raise Broken(law, group[-1].version, "the live table is not the folded one: something changed it without an op")


def inverse_is_start(game: Game) -> None:
    """Taking every op back leads to the empty table."""
    table = game.table(len(game.groups) - 1)
    for item in reversed(game.events):
        table.unfold(item.ops)
    if table.state() != game.title.lay(game.schema.seats, game.schema.options).state():
        raise Broken("inverting all ops reaches the empty table", 1, f"left over: {table.state()}")


def audit_is_clean(game: Game) -> None:
    """The rules, the seed and the chain agree with every event."""
    found = audit(game.log).finding
    if found is not None:
        raise Broken("the audit is clean", found.version, str(found))


def bytes_are_stable(game: Game) -> None:
    """An event read back is the event written."""
    for item in game.events:
        stored = encode(item)
        if decode(stored) != item or encode(decode(stored)) != stored:
            raise Broken("events survive storage", item.version, f"read back differently: {item}")


def scrambled(table: Table, rng: Random) -> Table:
    """The same table, its dictionaries filled in another order: what a snapshot read back may look like."""

    def mixed(whole: dict[str, Any]) -> dict[str, Any]:
        names = list(whole)
        rng.shuffle(names)
        return {name: whole[name] for name in names}

    zones = {name: mixed(held) if type(held) is dict else held for name, held in table.copy().zones.items()}
    return type(table).restored(table.schema, mixed(zones), mixed(table.registers))


def loading_is_live(game: Game) -> None:
    """From the last mark, stored in any order, every version asks what was asked live and does what was done."""
    law = "loading from the last mark asks the live question (L1, L3)"
    rng, recorded = Random(game.name), Recorded()
    for mark in game.marks:
        number = mark.group
        try:
            run = resume(game.title, scrambled(mark.table, rng), mark.rest, recorded, mark.drawn, recorded)
            _asks_the_same(game, law, number, run)
            tail = mark.rest
            while not any(item.mark for item in tail) and number + 1 < len(game.groups):
                number += 1
                tail = game.groups[number]
                replay(run, recorded, tail)
                _asks_the_same(game, law, number, run)
        except BrokenLog as wrong:
            raise Broken(law, game.version(number), f"{wrong}; {REMEMBERS}") from wrong


REMEMBERS = "a rule remembers something that is not on the table, or reads a bag or set in storage order"


def _asks_the_same(game: Game, law: str, number: int, run: Run) -> None:
    live, loaded = game.asked[ARBITER][number], questions(run, ARBITER)
    if live != loaded:
        raise Broken(law, game.version(number), f"live {live.decode()}, loaded {loaded.decode()}; {REMEMBERS}")
    if run.table.digest() != game.digests[number]:
        raise Broken(law, game.version(number), f"the loaded table is not the live one; {REMEMBERS}")


def views_fold(game: Game) -> None:
    """A viewer who folds what it was told has exactly the view it is shown, at every version."""
    table = game.title.lay(game.schema.seats, game.schema.options)
    views = {viewer: redact.table(table, viewer) for viewer in game.viewers}
    for item in game.events:
        table.fold(item.ops)
        for viewer, view in views.items():
            redact.fold(view, viewer, redact.event(game.schema, item, viewer).ops)
            shown = redact.table(table, viewer)
            if view.zones != shown.zones or view.registers != shown.registers:
                apart = [name for name, held in shown.zones.items() if view.zones[name] != held]
                raise Broken(
                    "fold(redact(log)) == redact(fold(log)) (L5)",
                    item.version,
                    f"{viewer} folds another view of {apart or 'registers'}",
                )


def views_work(game: Game) -> None:
    """What a title tells about a table and an event works on every viewer's share of them."""
    title = game.title
    for number in range(0, len(game.groups), max(1, len(game.groups) // 25)):
        table = game.table(number)
        for viewer in game.viewers:
            view = redact.table(table, viewer)
            try:
                _canonical.encode([title.score(view), title.board(view), title.diplomacy(view), title.winners(view)])
                for seat in game.schema.seats:
                    title.appraise(view, seat)
                if title.points and title.points(view) != {line.seat: line.points for line in title.score(view)}:
                    raise ValueError("points and score disagree")
                if title.public_relations and title.diplomacy(view) != title.diplomacy(redact.table(table, SPECTATOR)):
                    raise ValueError("the relations are said to be public, and the public is told others")
                for item in game.seen[viewer][number]:
                    title.tell(item, str)
            except Exception as crash:
                raise Broken("a title can speak about every view", game.version(number), f"for {viewer}: {crash!r}") from crash


def answers_are_not_loud(game: Game) -> None:
    """No answer that others may read names an item that stays hidden from them."""
    table = game.title.lay(game.schema.seats, game.schema.options)
    known: dict[str, dict[str, set[str]]] = {viewer: {} for viewer in game.viewers}
    for number, group in enumerate(game.groups):
        before = table.copy() if group[0].kind in (DECIDED, SEALED) else None
        for item in group:
            table.fold(item.ops)
        for viewer in game.viewers:
            seen = game.seen[viewer][number]
            if before is not None and viewer != seen[0].seat:
                _is_not_loud(seen, viewer, before, table, known[viewer])
            _remember(game.schema, viewer, known[viewer], (op for item in seen for op in item.ops))


def _is_not_loud(seen: Sequence[Event], viewer: str, before: Table, after: Table, known: dict[str, set[str]]) -> None:
    first, levels = seen[0], before.schema.levels(seen[0].seat)
    told = {op.item for item in seen for op in item.ops if type(op) is Move}
    for name in sorted(set(words(first.answer)) - told):
        # An item that its own seat does not see is a guess, and no secret is told by it.
        here = [zone for zone in _hiding(before, viewer, name) if levels[zone] == FACE and name not in known.get(zone, ())]
        if here and _hiding(after, viewer, name):
            raise Broken(
                "a public answer names nothing that stays hidden (L5)",
                first.version,
                f"{first.seat}'s answer to {first.ask} tells {viewer} about {name} in {here[0]}: "
                "make it secret, pick it out of the zone, or move the item where all can see it",
            )


def words(answer: Any) -> Iterator[str]:
    """Every string in an answer."""
    if type(answer) is str:
        yield answer
    elif type(answer) in (list, tuple):
        for part in answer:
            yield from words(part)


def _hiding(table: Table, viewer: str, item: str) -> list[str]:
    """The zones in which an item lies hidden from a viewer; none if another of its kind lies open."""
    levels = table.schema.levels(viewer)
    lie = [zone for zone, held in table.zones.items() if held and item in held]
    return [] if any(levels[zone] == FACE for zone in lie) else lie


def _remember(schema: Schema, viewer: str, known: dict[str, set[str]], ops: Iterable[Op]) -> None:
    """What a viewer saw go face up into a hidden zone it knows to be there, until something unseen leaves the zone."""
    levels = schema.levels(viewer)
    for op in ops:
        if type(op) is Move:
            if max(levels[op.src], levels[op.dst]) == FACE:
                known.setdefault(op.dst, set()).add(op.item)
                known.setdefault(op.src, set()).discard(op.item)
            else:
                known.pop(op.src, None)
        elif type(op) is Reorder:
            continue  # the order changes, not what lies there


def undo_is_bounded(game: Game, *, most: int = 60) -> None:
    """A decision is freely undone exactly if nobody learnt anything by it, and the undo leads back to its question."""
    law = "free undo stops where somebody learnt something (L7)"
    decided = [number for number, group in enumerate(game.groups) if group[0].kind in (DECIDED, SEALED)]
    for number in Random(game.name).sample(decided, min(most, len(decided))):
        first, version = game.groups[number][0], game.version(number)
        learnt = _learnt(game, number)
        line = game.log.fork(f"{game.log.line.id}/undo-{len(game.log.store.lines(game.log.match.id))}", version)
        try:
            line.undo(first.seat)
        except Refused as refused:
            if not learnt:
                raise Broken(law, version, f"nobody learnt anything, but: {refused}") from refused
            continue
        if learnt:
            raise Broken(law, version, f"{first.seat} could take {first.ask} back although {learnt}")
        if line.run.table.digest() != game.digests[number - 1] or questions(line.run, ARBITER) != game.asked[ARBITER][number - 1]:
            raise Broken(law, version, f"undoing {first.ask} does not lead back to its question")
        again = line.decide(first.seat, first.ask, first.answer)
        if [item.ops for item in again] != [item.ops for item in game.groups[number]]:
            raise Broken(law, version, f"{first.ask}, undone and decided again alike, does something else")


def _learnt(game: Game, number: int) -> str:
    """What anybody learnt by a decision, told from the views before and after it; empty if nothing."""
    group = game.groups[number]
    if any(item.chance for item in group):
        return "chance was drawn"
    if any(item.shown for item in group):
        return "something was shown"
    before, after = game.table(number - 1), game.table(number)
    if after.get("step") == END:
        return "the game ended"
    if group[0].kind == SEALED and any(name.startswith("sealed:") for name in before.registers if name not in after.registers):
        return "the sealed answers were opened"
    for seat in game.schema.seats:
        levels = game.schema.levels(seat)
        for op in (op for item in game.seen[seat][number] for op in item.ops if type(op) is Move):
            if op.item not in (HIDDEN, game.schema.coarse(op.item, levels[op.src])):
                return f"{seat} was told more of {op.item} than it saw where it lay"
    return ""


def refusals_are_calm(game: Game, *, most: int = 40) -> None:
    """Junk of any shape is refused with a reason, for every kind of question the game asked."""
    law = "junk is refused with a reason (L8)"
    junk: list[Any] = [
        "",
        HIDDEN,
        0,
        -1,
        1.5,
        True,
        [],
        [[]],
        [["", 1]],
        [["?", 1, 2]],
        [[1, "?"]],
        {},
        {"?": []},
        [None],
        [{}],
        [["?"] * 9],
    ]
    met: set[str] = set()
    for number in Random(game.name).sample(range(len(game.groups)), min(most, len(game.groups))):
        run = game.run(number)
        for ask in (*run.asks, *run.offers):
            if ask.key in met:
                continue
            met.add(ask.key)
            for answer in junk:
                try:
                    reason = ask.refusal(answer)
                except Exception as crash:
                    raise Broken(law, game.version(number), f"{ask.key} answered with {answer!r}: {crash!r}") from crash
                if reason is not None and (type(reason) is not str or not reason):
                    raise Broken(law, game.version(number), f"{ask.key} answered with {answer!r} gives no reason")


Law = Callable[[Game], None]

LAWS: dict[str, Law] = {
    law.__name__: law
    for law in (
        fold_is_live,
        inverse_is_start,
        audit_is_clean,
        bytes_are_stable,
        loading_is_live,
        views_fold,
        views_work,
        answers_are_not_loud,
        undo_is_bounded,
        refusals_are_calm,
    )
}
