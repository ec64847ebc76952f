"""A question as a form, and a form as an answer: works with scripts off."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from html import unescape
from itertools import pairwise
from typing import Any, NamedTuple

from domain.kernel.ask import Ask
from domain.kernel.choice import Assign, Choice, Counts, Number, OneOf
from domain.kernel.errors import Refused
from domain.kernel.title import Title
from domain.orders import say
from service.web import text

FEW = 48


class Listed(NamedTuple):
    """One answer of a list: what its button sends, how it reads, the order that says the same, the spaces it names."""

    value: str
    label: str
    order: str
    spaces: str


class Group(NamedTuple):
    """Answers that begin with the same word."""

    name: str
    options: list[Listed]


def asked(question: Mapping[str, Any]) -> Ask:
    """A question that came through the gate, as the order language wants it."""
    described = question["choice"]
    choice: Choice
    match described["type"]:
        case "one_of":
            choice = OneOf(described["options"])
        case "number":
            choice = Number(described["low"], described["high"])
        case "counts":
            choice = Counts(described["of"], described["least"], described["most"])
        case _:
            choice = Assign(described["slots"])
    return Ask(question["seat"], question["key"], choice, question["cite"], optional=question["optional"])


def order(title: Title, question: Mapping[str, Any], answer: Any) -> str:
    """The line of a mail that gives this answer."""
    return f"{question['seat'].upper()}: {say(title, asked(question), answer)}"


def cards(picture: str) -> dict[str, str]:
    """What lies on the numbered places of a board, by what its picture says of them: `west:1` is a card with a name."""
    told = re.findall(r'data-space="(\w+:\d+)"><title>[^<:]*: ([^<,;]+)', picture)
    return {place: unescape(name) for place, name in told}


def groups(title: Title, question: Mapping[str, Any], cards: Mapping[str, str]) -> list[Group]:
    """The answers of a list, those that share their first word together."""
    choice = question["choice"]
    if choice["type"] != "one_of":
        return []
    options = choice["options"] + ([None] if question["optional"] else [])
    ask = asked(question)
    found: dict[str, list[tuple[str, Any]]] = {}
    for option in options:
        first, rest = _split(option)
        found.setdefault(first if rest else "", []).append((first, option))
    rows: list[Group] = []
    for name, members in found.items():
        apart = not name or len(members) == 1
        listed = [_listed(title, ask, option, option if apart else _split(option)[1], cards) for _, option in members]
        if apart and rows and not rows[-1].name:
            rows[-1].options.extend(listed)
        else:
            rows.append(Group("" if apart else text.words(title, name), listed))
    return sorted(rows, key=lambda group: not group.name)


def _split(option: Any) -> tuple[str, Any]:
    """The verb of an answer, and the rest of it."""
    if isinstance(option, list) and len(option) > 1 and isinstance(option[0], str):
        return option[0], option[1:]
    if isinstance(option, str) and " " in option:
        first, _, rest = option.partition(" ")
        return first, rest
    return "", None


def _listed(title: Title, ask: Ask, option: Any, shown: Any, cards: Mapping[str, str]) -> Listed:
    if isinstance(shown, list) and len(shown) == 2 and type(shown[1]) is int:
        label = f"{text.words(title, shown[0])} {shown[1]}"
        if name := cards.get(f"{shown[0]}:{shown[1]}"):
            label = f"{label}: {name}"
    else:
        label = text.words(title, shown)
    line = f"{ask.seat.upper()}: {say(title, ask, option)}"
    return Listed(json.dumps(option), label, line, " ".join(dict.fromkeys(spaces(option))))


def spaces(option: Any) -> Iterator[str]:
    """The names in an option that may be spaces of the board: whole words, and parts like `archers@N08` or `city:paris`."""
    if isinstance(option, str):
        for word in option.split(" "):
            yield word
            yield from (part for part in re.split("[@:]", word) if part != word)
    elif isinstance(option, list):
        for part in option:
            yield from spaces(part)
        # A place in a row of cards: ["purchase", "west", 1] means the card at west:1.
        yield from (f"{name}:{n}" for name, n in pairwise(option) if isinstance(name, str) and type(n) is int)


def hot(questions: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    """Every space that some legal answer names."""
    found: set[str] = set()
    for question in questions:
        choice = question.get("choice", {})
        for option in (*choice.get("options", ()), *choice.get("of", ()), *choice.get("slots", ())):
            found.update(spaces(option))
        for listed in choice.get("slots", {}).values():
            found.update(name for option in listed for name in spaces(option))
    return frozenset(found)


def answer(question: Mapping[str, Any], form: Mapping[str, str]) -> Any:
    """What a form says, as the rules want it."""
    choice = question["choice"]
    if form.get("pass"):
        return None
    try:
        match choice["type"]:
            case "one_of":
                return json.loads(form["answer"])
            case "number":
                return int(form["answer"])
            case "counts":
                taken = {item: int(form.get(f"n:{item}") or 0) for item in choice["of"]}
                return [[item, n] for item, n in sorted(taken.items()) if n]
            case _:
                return [json.loads(form[f"slot:{slot}"]) for slot in choice["slots"]]
    except (KeyError, ValueError, RecursionError):
        raise Refused(question["cite"], text._("choose one of the answers first")) from None
