"""What became of treaties: which clauses hold, which were kept or broken and when, worked out from the log and never stored.

Going back in the game takes a breach back with it; what was agreed stays agreed. Titles recognise keeping and breaking in what the
public sees, so that a verdict tells nobody anything new. A treaty with a binding clause broken binds nobody any more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from domain.kernel import redact
from domain.kernel.ask import Ask
from domain.kernel.errors import Refused
from domain.kernel.event import UNDONE, Event
from domain.kernel.ops import Set
from domain.kernel.schema import SPECTATOR
from domain.kernel.table import Table
from domain.kernel.title import Title
from domain.log import Log, effective
from domain.treaties import IF, UNTIL, Agreed, Clause, Kind, Treaty, kinds

KEPT, BROKEN, OVER = "kept", "broken", "over"
ENOUGH = 2_000  # answers looked through for one that breaks no treaty


class Happened(NamedTuple):
    """Something became of a clause at a version."""

    clause: int
    what: str
    version: int
    at: int


def since(log: Log, agreed: Agreed) -> int:
    """The version from which a treaty counts on the line at hand: the game may have gone back behind its making."""
    version, line = min(agreed.version, log.head), log.line
    while line.id != agreed.line and line.parent:
        version = min(version, line.at)
        line = log.store.line(line.parent)
    undone = [item.answer for item in log.raw(version) if item.kind == UNDONE]
    return min([version, *undone])


def follow(title: Title, log: Log, treaty: Treaty) -> list[Happened]:
    """Everything that became of a treaty in force, oldest first."""
    if treaty.agreed is None:
        return []
    start = since(log, treaty.agreed)
    closed = treaty.closed.at if treaty.closed is not None else None
    events = [item for item in effective(log.raw(start)) if closed is None or item.at <= closed]
    return list(_followed(title, treaty.clauses, log.whole_table(start), events))


def _followed(title: Title, clauses: Sequence[Clause], table: Table, events: Sequence[Event]) -> Iterator[Happened]:
    known = kinds(title)
    running = {number: clause for number, clause in enumerate(clauses) if clause.kind in known}
    yield from _over(title, running, redact.table(table, SPECTATOR), 0, 0)
    for item in events:
        watched = [number for number, clause in running.items() if _watches(known[clause.kind], item)]
        if watched:
            before, seen = redact.table(table, SPECTATOR), redact.event(table.schema, item, SPECTATOR)
            for number in watched:
                judge = known[running[number].kind].judge
                assert judge is not None
                if counts(title, before, running[number]) and (what := judge(before, running[number], seen)):
                    kind = known[running[number].kind]
                    yield Happened(number, what, item.version, item.at)
                    if what == BROKEN and kind.binding:
                        return  # the treaty binds nobody any more
                    if what == KEPT and kind.once:
                        del running[number]
                        yield Happened(number, OVER, item.version, item.at)
        table.fold(item.ops)
        if item.mark and any(clause.terms for clause in running.values()):
            yield from _over(title, running, redact.table(table, SPECTATOR), item.version, item.at)


def _watches(kind: Kind, item: Event) -> bool:
    """Whether an event answers a question or sets a register that its title looks for: nothing else need be looked at."""
    if kind.judge is None:
        return False
    return item.ask in kind.watches or any(type(op) is Set and op.register in kind.watches for op in item.ops)


def _over(title: Title, running: dict[int, Clause], public: Table, version: int, at: int) -> Iterator[Happened]:
    """Clauses whose term is reached run no more."""
    for number, clause in list(running.items()):
        if any(_holds(title, public, clause, UNTIL)):
            del running[number]
            yield Happened(number, OVER, version, at)


def _holds(title: Title, public: Table, clause: Clause, use: str) -> Iterator[bool]:
    for term in clause.terms:
        condition = title.conditions.get(term.name)
        if condition is not None and condition.use == use:
            yield condition.holds(public, clause, term.given)


def counts(title: Title, public: Table, clause: Clause) -> bool:
    """Whether the conditions of a clause let it count now."""
    return all(_holds(title, public, clause, IF)) and not any(_holds(title, public, clause, UNTIL))


# -- binding clauses at work --------------------------------------------------------------------------------


class Bound(NamedTuple):
    """A clause that counts now, and the treaty it stands in."""

    treaty: Treaty
    clause: Clause
    kind: Kind


def bound(title: Title, public: Table, treaties: Sequence[Treaty], course: Callable[[Treaty], Sequence[Happened]]) -> list[Bound]:
    """Every binding clause that counts at the question at hand; `course` tells what became of a treaty so far."""
    known, found = kinds(title), list[Bound]()
    for treaty in treaties:
        if not any(known[clause.kind].binding for clause in treaty.clauses if clause.kind in known):
            continue
        happened = course(treaty)
        over = {one.clause for one in happened if one.what == OVER}
        if any(one.what == BROKEN and known[treaty.clauses[one.clause].kind].binding for one in happened):
            continue
        for number, clause in enumerate(treaty.clauses):
            kind = known.get(clause.kind)
            if kind is not None and kind.binding and number not in over and counts(title, public, clause):
                found.append(Bound(treaty, clause, kind))
    return found


def owed(public: Table, pledges: Sequence[Bound], ask: Ask) -> list[Any] | None:
    """How a question is answered under the treaties in force, in a list; None where it is the seat's own to answer."""
    for pledge in pledges:
        said = pledge.kind.answer(public, pledge.clause, ask) if pledge.kind.answer is not None else None
        if said is not None and ask.refusal(said[0]) is None and breach(public, pledges, ask, said[0]) is None:
            return said
    return None


def breach(public: Table, pledges: Sequence[Bound], ask: Ask, answer: Any) -> tuple[Bound, str] | None:
    """Which clause an answer would break, and why."""
    for pledge in pledges:
        why = pledge.kind.forbids(public, pledge.clause, ask, answer) if pledge.kind.forbids is not None else None
        if why is not None:
            return pledge, why
    return None


def hold_to(public: Table, pledges: Sequence[Bound], ask: Ask, answer: Any) -> None:
    """Refuse an answer that would break a binding clause, as long as the rules leave another one."""
    found = breach(public, pledges, ask, answer)
    if found is None:
        return
    free = lawful(public, pledges, ask)
    if free:
        pledge, why = found
        raise Refused(pledge.kind.cite, f"your treaty {pledge.treaty.id} binds you: {why}", seat=ask.seat, key=ask.key)


def lawful(public: Table, pledges: Sequence[Bound], ask: Ask) -> list[Any]:
    """An answer that breaks no treaty, in a list; empty where the rules leave none."""
    return list(islice((one for one in islice(ask.all(), ENOUGH) if breach(public, pledges, ask, one) is None), 1))
