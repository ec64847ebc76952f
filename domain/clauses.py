"""Clauses in words: one language for mails, pages and programs, read by the same rules as orders.

    OFFER red alliance blue space a; blue upkeep help red food 3 until cycle 4; red promises blue: I leave the Rhine

A clause is who, what, whom, then what its kind leaves open, then its conditions. Clauses of one bundle are divided by semicolons: all of
them are agreed or none is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from domain import orders
from domain.kernel.ask import Ask
from domain.kernel.errors import Refused
from domain.kernel.title import Title
from domain.orders import Ambiguous, OrderError
from domain.press import CONTROL
from domain.treaties import IF, LONGEST_TEXT, MOST_CLAUSES, TEXT, UNTIL, Clause, Domain, Kind, Term, Treaty, kinds

HEADING = re.compile(r"(?:(?P<secret>secret)\b\s*)?(?:for\s+(?P<n>\d{1,3})\s+(?P<unit>hours?|days?)\b\s*)?[:,]?\s*", re.IGNORECASE)
SMALL = ("to", "with", "and")


class Said(NamedTuple):
    """An offer as it was said: its clauses, whether in secret, and for how many hours (0: as usual)."""

    clauses: list[Clause]
    secret: bool
    hours: int


# -- reading ------------------------------------------------------------------------------------------------


def read(title: Title, table: Any, seats: Sequence[str], text: str) -> Said:
    """The offer a text makes, on the table as the public sees it."""
    head = HEADING.match(text)
    assert head is not None, "every part of the heading may be missing"
    hours = int(head["n"] or 0) * (24 if (head["unit"] or "").casefold().startswith("day") else 1)
    parts = [part for part in text[head.end() :].split(";") if part.strip()]
    if not parts:
        raise OrderError("an offer says who owes whom what", text, len(text), examples(title, seats))
    if len(parts) > MOST_CLAUSES:
        raise OrderError(f"an offer has at most {MOST_CLAUSES} clauses", text[:60], 0)
    return Said([read_clause(title, table, seats, part.strip()) for part in parts], bool(head["secret"]), hours)


def read_clause(title: Title, table: Any, seats: Sequence[str], text: str) -> Clause:
    """One clause."""
    words = [(match.group(), match.end()) for match in orders.WORD.finditer(text)]
    said = [orders.fold(word) for word, _ in words]
    by = _seat(seats, said[:1], text, 0)
    known = kinds(title)
    name, used = _named(title, {key: ways(key, kind) for key, kind in known.items()}, said[1:], text)
    at = 1 + used
    while at < len(said) and said[at] in SMALL:
        at += 1
    to = _seat(seats, said[at : at + 1], text, at)
    if TEXT in known[name].fields.values():
        field = next(iter(known[name].fields))
        return Clause(name, by, to, {field: text[words[at][1] :].lstrip(" \t:,").strip()})
    rest, terms = said[at + 1 :], list[Term]()
    while (cut := max((index for index, word in enumerate(rest) if word in (UNTIL, IF)), default=-1)) >= 0:
        terms.insert(0, _term(title, table, by, to, rest[cut], rest[cut + 1 :], text))
        rest = rest[:cut]
    return Clause(name, by, to, _given(title, table, known[name].fields, by, to, rest, text), terms)


def _seat(seats: Sequence[str], said: Sequence[str], text: str, place: int) -> str:
    found = [seat for seat in seats if said and orders.fold(seat) == said[0]]
    found = found or [seat for seat in seats if said and orders.fold(seat).startswith(said[0])]
    if len(found) != 1:
        spans = [match.start() for match in orders.WORD.finditer(text)]
        raise OrderError("a seat is wanted here", text, spans[place] if place < len(spans) else len(text), list(found or seats))
    return found[0]


def ways(name: str, kind: Kind) -> list[str]:
    """What a kind of clause is called, the usual word first."""
    return [*kind.words, name.replace("_", " ")]


def _named(title: Title, names: Mapping[str, Sequence[str]], said: Sequence[str], text: str) -> tuple[str, int]:
    """Which of these the words begin with, and how many words that takes: whole words before beginnings, longer before shorter."""
    found: dict[tuple[bool, int], set[str]] = {}
    for key, called in names.items():
        for name in called:
            wanted = orders.tokens(name)
            part = list(said[: len(wanted)])
            if len(part) == len(wanted) and all(word.startswith(bit) for word, bit in zip(wanted, part, strict=True)):
                found.setdefault((part == wanted, len(wanted)), set()).add(key)
    best = max(found, default=None)
    if best is None or len(found[best]) != 1:
        legal = [names[key][0] for key in (sorted(found[best]) if best is not None else names)]
        raise OrderError("which kind of clause is meant?" if best else "this is no kind of clause here", text, 0, legal)
    return next(iter(found[best])), best[1]


def _term(title: Title, table: Any, by: str, to: str, use: str, said: Sequence[str], text: str) -> Term:
    known = {name: one for name, one in title.conditions.items() if one.use == use}
    if not known:
        raise OrderError(f"this game knows no condition with {use!r}", text, 0)
    name, used = _named(title, {key: [key.replace("_", " ")] for key in known}, said, text)
    return Term(name, _given(title, table, known[name].fields, by, to, list(said[used:]), text))


def _given(
    title: Title, table: Any, fields: Mapping[str, Domain], by: str, to: str, left: Sequence[str], text: str
) -> dict[str, Any]:
    """What the words say for each field, in the fields' order; a field may be named before its value."""
    given: dict[str, Any] = {}
    for name, domain in fields.items():
        ask = _ask(name, domain, table, by, to)
        wrong: OrderError | None = None
        for length in range(len(left), 0, -1):
            try:
                given[name] = orders.read(title, [ask], " ".join(left[:length])).answer
                left = left[length:]
                break
            except Ambiguous as several:
                wrong = several
            except OrderError as no:
                wrong = wrong if isinstance(wrong, Ambiguous) else no
        else:
            reason = wrong.reason if wrong is not None else f"say the {name.replace('_', ' ')}"
            raise OrderError(reason, text, len(text), wrong.legal if wrong is not None else [name])
    if left:
        raise OrderError(f"these words are left over: {' '.join(left)[:60]}", text, len(text))
    return given


def _ask(name: str, domain: Domain, table: Any, by: str, to: str) -> Ask:
    assert not isinstance(domain, str)
    return Ask(by, name, domain(table, by, to), "")


# -- checking -----------------------------------------------------------------------------------------------


def check(title: Title, table: Any, seats: Sequence[str], clauses: Sequence[Clause], *, secret: bool = False) -> None:
    """Refuse what cannot be offered; the table is as the public sees it."""
    known = kinds(title)
    for clause in clauses:
        kind = known.get(clause.kind)
        if kind is None:
            raise Refused("", f"there is no clause {clause.kind[:40]!r} in {title.name}", legal=list(known))
        for seat in (clause.by, clause.to):
            if seat not in seats:
                raise Refused(kind.cite, f"there is no seat {seat[:40]!r}", legal=list(seats))
        if clause.by == clause.to:
            raise Refused(kind.cite, "nobody makes a treaty with himself", legal=[seat for seat in seats if seat != clause.by])
        if secret and (not kind.secret or kind.answer is not None):  # an answer that comes at once would tell of it
            raise Refused(kind.cite, f"{ways(clause.kind, kind)[0]!r} is carried out in the open and cannot be agreed in secret")
        _check_given(table, kind.fields, kind.cite, clause, clause.given)
        if clause.terms and TEXT in kind.fields.values():
            raise Refused(kind.cite, "a promise says its conditions in its own words")
        for term in clause.terms:
            condition = title.conditions.get(term.name)
            if condition is None:
                raise Refused("", f"there is no condition {term.name[:40]!r} in {title.name}", legal=list(title.conditions))
            _check_given(table, condition.fields, condition.cite, clause, term.given)
        why = kind.possible(table, clause)
        if why is not None:
            raise Refused(kind.cite, why)


def _check_given(table: Any, fields: Mapping[str, Domain], cite: str, clause: Clause, given: Mapping[str, Any]) -> None:
    if set(given) != set(fields):
        raise Refused(cite, f"this has the fields {', '.join(fields) or 'none'}", legal=list(fields))
    for name, domain in fields.items():
        value = given[name]
        if isinstance(domain, str):
            if not isinstance(value, str) or not value.strip() or len(value) > LONGEST_TEXT:
                raise Refused(cite, f"say it in 1 to {LONGEST_TEXT} characters")
            if ";" in value or "\n" in value or CONTROL.search(value):
                raise Refused(cite, "a promise is one line without semicolons")
            continue
        why = domain(table, clause.by, clause.to).refusal(value)
        if why is not None:
            raise Refused(cite, f"{name}: {why}")


def impossible(title: Title, table: Any, treaty: Treaty) -> str | None:
    """Why a bundle can no longer be agreed; None if all of it can."""
    known = kinds(title)
    for clause in treaty.clauses:
        why = known[clause.kind].possible(table, clause) if clause.kind in known else f"there is no clause {clause.kind!r} any more"
        if why is not None:
            return why
    return None


# -- saying -------------------------------------------------------------------------------------------------


def say(title: Title, clause: Clause) -> str:
    """The clause in the language it is read from."""
    kind = kinds(title)[clause.kind]
    said = [clause.by, ways(clause.kind, kind)[0], clause.to]
    if TEXT in kind.fields.values():
        return f"{' '.join(said)}: {next(iter(clause.given.values()))}"
    said += [_value(title, name, value) for name, value in clause.given.items()]
    for term in clause.terms:
        said += [title.conditions[term.name].use, term.name.replace("_", " ")]
        said += [_words(title, value) if name == term.name else _value(title, name, value) for name, value in term.given.items()]
    return " ".join(said)


def _value(title: Title, name: str, value: Any) -> str:
    return f"{orders.spoken(title, name)} {_words(title, value)}"


def _words(title: Title, value: Any) -> str:
    if isinstance(value, list) and value and all(isinstance(part, list) and len(part) == 2 for part in value):
        return ", ".join(f"{n} {orders.spoken(title, item)}" for item, n in value)
    if isinstance(value, list):
        return " ".join(_words(title, part) for part in value) or orders.NOTHING
    return orders.spoken(title, value) if isinstance(value, str) else str(value)


def tell(title: Title, clause: Clause, _: Callable[[str], str] = str, seat: Callable[[str], str] = str) -> str:
    """The clause as a sentence, conditions and all."""
    kind = kinds(title)[clause.kind]
    given = {name: value if domain == TEXT else _words(title, clause.given[name]) for name, domain, value in _parts(kind, clause)}
    said = _(kind.sentence).format(by=seat(clause.by), to=seat(clause.to), **given)
    for term in clause.terms:
        condition = title.conditions[term.name]
        values = {name: _words(title, value) for name, value in term.given.items()}
        said += f", {_(condition.sentence).format(by=seat(clause.by), to=seat(clause.to), **values)}"
    return said


def _parts(kind: Kind, clause: Clause) -> list[tuple[str, Domain, Any]]:
    return [(name, domain, clause.given[name]) for name, domain in kind.fields.items()]


def examples(title: Title, seats: Sequence[str]) -> list[str]:
    """How clauses of a title are written: who, what, whom, then its fields and conditions."""
    one, other, *_ = [*seats, "SEAT", "SEAT"]
    found = []
    for name, kind in kinds(title).items():
        open_ = [": your words" if domain == TEXT else f" {field.replace('_', ' ')} ..." for field, domain in kind.fields.items()]
        found.append(f"{one} {ways(name, kind)[0]} {other}{''.join(open_)}")
    return found


def samples(title: Title, table: Any, seats: Sequence[str], rng: Random) -> list[Clause]:
    """One clause of each kind, and one more under each condition, as they could be offered on a table."""
    by, to, *_ = seats
    found = [Clause(name, by, to, _sampled(kind.fields, table, by, to, rng)) for name, kind in kinds(title).items()]
    for name, condition in title.conditions.items():
        term = Term(name, _sampled(condition.fields, table, by, to, rng))
        found.insert(-1, Clause(found[0].kind, by, to, found[0].given, [term]))
    return found


def _sampled(fields: Mapping[str, Domain], table: Any, by: str, to: str, rng: Random) -> dict[str, Any]:
    return {name: "your words" if isinstance(domain, str) else domain(table, by, to).sample(rng) for name, domain in fields.items()}


def describe(title: Title, table: Any, by: str, to: str) -> dict[str, Any]:
    """The kinds and conditions of a title as data, for clients and forms."""
    return {
        "clauses": [
            {
                "kind": name,
                "called": ways(name, kind)[0],
                "sentence": kind.sentence,
                "mutual": kind.mutual,
                "binding": kind.binding,
                "secret": kind.secret and kind.answer is None,
                "rule": kind.cite,
                "fields": _described(kind.fields, table, by, to),
            }
            for name, kind in kinds(title).items()
        ],
        "conditions": [
            {
                "name": name,
                "use": one.use,
                "sentence": one.sentence,
                "rule": one.cite,
                "fields": _described(one.fields, table, by, to),
            }
            for name, one in title.conditions.items()
        ],
    }


def _described(fields: Mapping[str, Domain], table: Any, by: str, to: str) -> dict[str, Any]:
    return {
        name: {"type": "text", "longest": LONGEST_TEXT} if isinstance(domain, str) else domain(table, by, to).describe()
        for name, domain in fields.items()
    }
