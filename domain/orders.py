"""The order language: every question of every title can be answered in plain text, and every answer be said in it.

    RED: take character white england
    red: sell 2 cloth, 1 wine          # a comment
    IF asked upgrade house THEN upgrade house yes
    FINAL

One grammar serves all titles; a title's `vocabulary` gives its questions and items their words. Case, accents and the end of a word
may be left out as long as what is meant stays clear; an order that can be read in two ways does nothing and lists both.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, NamedTuple

from lark import Lark, Token, Transformer, UnexpectedInput

from domain.kernel.ask import Ask
from domain.kernel.choice import Assign, Counts, Number
from domain.kernel.errors import ChanceryError
from domain.kernel.title import Title

MOST_READINGS = 8
LONGEST_LINE = 400
MOST_LINES = 500
PASS, NOTHING, YES, NO = "pass", "nothing", "yes", "no"


class OrderError(ChanceryError):
    """A line that cannot be carried out: where it goes wrong, what was expected, and what is legal instead."""

    def __init__(self, reason: str, line: str = "", at: int = 0, legal: Sequence[str] = ()) -> None:
        super().__init__(reason)
        self.reason, self.line, self.at, self.legal = reason, line, at, list(legal)

    def pointed(self) -> str:
        """The line with a caret under the place."""
        return f"{self.line}\n{' ' * self.at}^ {self.reason}"


class Ambiguous(OrderError):
    """A line that can be read in several ways: nothing is applied."""


class Order(NamedTuple):
    """One answer: to which question, and what."""

    key: str
    answer: Any


class Line(NamedTuple):
    """One line of a mail: a command, whom it is for, its words, and the condition it hangs on."""

    verb: str
    seat: str
    text: str
    condition: str
    number: int
    at: int


# -- words ------------------------------------------------------------------------------------------------

FORBIDDEN = re.compile("[\\u0000-\\u0008\\u000b-\\u001f\\u007f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff]")
WORD = re.compile(r"[^\s,:;]+")
NUMBER = re.compile(r"-?[0-9]{1,9}")


@cache
def fold(text: str) -> str:
    """Letters without case and accents; a look-alike of another script stays what it is.

    >>> fold("Kingsbridge Évêque")
    'kingsbridge eveque'
    """
    plain = unicodedata.normalize("NFKD", text)
    return "".join(letter for letter in plain if not unicodedata.combining(letter)).casefold().replace("_", " ").strip()


def tokens(text: str) -> list[str]:
    return [fold(word) for word in WORD.findall(text)]


def spoken(title: Title, name: str) -> str:
    """How a title calls a question or an item; two that are called the same keep their ids."""
    known = title.vocabulary.get(name)
    return known[0] if known and fold(known[0]) not in _shared(title) else name.replace("_", " ")


_shared_words: dict[str, frozenset[str]] = {}


def _shared(title: Title) -> frozenset[str]:
    """Words that mean several things of a title."""
    key = f"{title.id} {title.rules} {title.data}"
    if key not in _shared_words:
        counted = Counter(fold(names[0]) for names in title.vocabulary.values() if names)
        _shared_words[key] = frozenset(word for word, n in counted.items() if n > 1)
    return _shared_words[key]


def _names(title: Title, name: str) -> list[str]:
    return [*title.vocabulary.get(name, ()), name.replace("_", " "), name]


# -- saying -----------------------------------------------------------------------------------------------


def say(title: Title, ask: Ask, answer: Any) -> str:
    """The order that gives this answer."""
    return f"{spoken(title, ask.key)} {_say(title, ask, answer)}"


def _say(title: Title, ask: Ask, answer: Any) -> str:
    if answer is None:
        return PASS
    if isinstance(ask.choice, Counts):
        return ", ".join(f"{n} {spoken(title, item)}" for item, n in answer) or NOTHING
    if isinstance(ask.choice, Assign):
        return ", ".join(f"{spoken(title, slot)}: {_words(title, one)}" for slot, one in zip(ask.choice.slots, answer, strict=True))
    return _words(title, answer)


def _words(title: Title, answer: Any) -> str:
    if answer is None:
        return PASS
    if isinstance(answer, bool):
        return YES if answer else NO
    if isinstance(answer, list):
        return " ".join(_words(title, part) for part in answer) if answer else NOTHING
    return spoken(title, answer) if isinstance(answer, str) else str(answer)


# -- reading a line ---------------------------------------------------------------------------------------


def read(title: Title, asks: Sequence[Ask], line: str) -> Order:
    """The answer a line gives to one of the open questions."""
    check_letters(line)
    if not asks:
        raise OrderError("nothing is asked of you now", line)
    said = tokens(line)
    if not said:
        raise OrderError("say what you decide", line, len(line), [spoken(title, ask.key) for ask in asks])
    found: list[tuple[Ask, Any]] = []
    errors: list[OrderError] = []
    named = [(ask, rest) for ask in asks for rest in _after_key(title, ask, said)]
    for ask, rest in [*named, *((ask, said) for ask in asks)]:
        try:
            found += [(ask, answer) for answer in _read(title, ask, rest, line) if (ask, answer) not in found]
        except Ambiguous:
            raise
        except OrderError as wrong:
            errors.append(wrong)
        if found and named and rest is not said:
            break  # the question was named: that is what is meant
    if len(found) > 1:
        readings = [say(title, ask, answer) for ask, answer in found[:MOST_READINGS]]
        raise Ambiguous(f"this can mean {len(found)} things", line, 0, readings)
    if found:
        ask, answer = found[0]
        return Order(ask.key, answer)
    raise errors[0]


def _after_key(title: Title, ask: Ask, said: list[str]) -> list[list[str]]:
    """The words after the question's name, if the line begins with it."""
    for name in _names(title, ask.key):
        wanted = tokens(name)
        if len(said) >= len(wanted) and all(word.startswith(part) for word, part in zip(wanted, said, strict=False)):
            return [said[len(wanted) :]]
    return []


def _read(title: Title, ask: Ask, said: list[str], line: str) -> list[Any]:
    """Every answer the words can mean."""
    if ask.optional and len(said) == 1 and PASS.startswith(said[0]):
        return [None]
    choice = ask.choice
    if isinstance(choice, Number):
        if len(said) != 1 or not NUMBER.fullmatch(said[0]):
            raise OrderError(f"a number from {choice.low} to {choice.high} is wanted", line, _at(line, said))
        return _legal(ask, [int(said[0])], line)
    if isinstance(choice, Counts):
        return _legal(ask, [_handful(title, choice, said, line)], line)
    if isinstance(choice, Assign):
        return _legal(ask, [_assignment(title, choice, said, line)], line)
    options = [*choice.all()]
    found = _match(title, [(_option_words(title, option), option) for option in options], said)
    if not found:
        legal = [_words(title, option) for option in options[:12]]
        raise OrderError("this is not among the choices", line, _at(line, said), legal)
    return found


def _legal(ask: Ask, answers: list[Any], line: str) -> list[Any]:
    for answer in answers:
        reason = ask.refusal(answer)
        if reason is not None:
            raise OrderError(f"{ask.cite}: {reason}", line)
    return answers


def _at(line: str, said: list[str]) -> int:
    """Where in the line the first of these words stands."""
    for match in WORD.finditer(line):
        if said and fold(match.group()) == said[0]:
            return match.start()
    return len(line)


def _option_words(title: Title, option: Any) -> list[list[list[str]]]:
    """The ways to say each part of an option."""
    if isinstance(option, list):
        return [way for part in option for way in _option_words(title, part)] if option else [[[NOTHING]]]
    if isinstance(option, str):
        return [[words for words in (tokens(name) for name in _names(title, option)) if words]]
    return [[tokens(_words(title, option))]]


def _match(title: Title, options: Iterable[tuple[list[list[list[str]]], Any]], said: list[str]) -> list[Any]:
    """The options that the words name in full; else those they name by the beginnings of words."""
    exact, begun = [], []
    for parts, option in options:
        how = _fits(parts, said)
        if how == 2:
            exact.append(option)
        elif how == 1:
            begun.append(option)
    return exact or begun


def _fits(parts: list[list[list[str]]], said: list[str], begun: int = 0) -> int:
    """0: the words do not say this; 1: by their beginnings; 2: in full."""
    if not parts:
        return 0 if said else 2
    if not said:
        return begun
    best = 0
    for way in parts[0]:
        used = said[: len(way)]
        if len(used) < len(way) or not all(word.startswith(part) for word, part in zip(way, used, strict=True)):
            continue
        rest = _fits(parts[1:], said[len(way) :], 1)
        best = max(best, min(rest, 2 if way == used else 1))
        if best == 2:
            break
    return best


def _handful(title: Title, choice: Counts, said: list[str], line: str) -> list[list[Any]]:
    """`2 cloth, 1 wine`, `cloth wine`, `nothing`."""
    if not said or said == [NOTHING]:
        return []
    taken: dict[str, int] = {}
    left = list(said)
    while left:
        n = int(left.pop(0)) if NUMBER.fullmatch(left[0]) else 1
        items = [item for item in choice.of if any(_starts(tokens(name), left) for name in _names(title, item))]
        whole = [item for item in items if any(tokens(name) == left[: len(tokens(name))] for name in _names(title, item))]
        items = whole or items
        if len(items) != 1:
            kind = Ambiguous if items else OrderError
            raise kind("which item is meant?", line, _at(line, left), [spoken(title, item) for item in items or choice.of][:12])
        longest = max(len(tokens(name)) for name in _names(title, items[0]) if _starts(tokens(name), left))
        del left[:longest]
        taken[items[0]] = taken.get(items[0], 0) + n
    return [[item, n] for item, n in sorted(taken.items())]


def _starts(words: list[str], said: list[str]) -> bool:
    return bool(words) and len(said) >= len(words) and all(word.startswith(part) for word, part in zip(words, said, strict=False))


def _assignment(title: Title, choice: Assign, said: list[str], line: str) -> list[Any]:
    """`slot option, slot option`, or just the options in the slots' order."""
    left = list(said)
    chosen: list[Any] = []
    for slot, options in choice.slots.items():
        for name in _names(title, slot):
            if tokens(name) == left[: len(tokens(name))]:
                del left[: len(tokens(name))]
                break
        for length in range(len(left), 0, -1):
            found = _match(title, [(_option_words(title, option), option) for option in options], left[:length])
            if len(found) == 1:
                chosen.append(found[0])
                del left[:length]
                break
        else:
            raise OrderError(
                f"what is {spoken(title, slot)} given?", line, _at(line, left), [_words(title, one) for one in options]
            )
    if left:
        raise OrderError("these words are left over", line, _at(line, left))
    return chosen


# -- reading a whole text ---------------------------------------------------------------------------------

GRAMMAR = r"""
start: conditional | addressed
conditional: _IF CONDITION _THEN addressed
addressed: [SEAT ":"] command
command: VERB [REST] -> verb
       | REST -> order
_IF.4: /if(?=\s.*\sthen\s)/i
CONDITION: /[^\s#][^#]*?(?=\s+then\s)/i
_THEN: /then(?=\s)/i
VERB.3: /(final|draft|clear|status|show|undo|vote|dispute|press|offer|accept|refuse|counter|withdraw|breach|absent|hold|help)(?![\w-])/i
SEAT.2: /[^\s:#]+(?=\s*:)/
REST: /[^\s#][^#]*/
COMMENT: /#.*/
%ignore /[ \t]+/
%ignore COMMENT
"""


class _Parts(Transformer[Token, dict[str, str]]):
    def verb(self, found: list[Any]) -> dict[str, str]:
        return {"verb": str(found[0]).upper(), "text": str(found[1] or "").strip() if len(found) > 1 else ""}

    def order(self, found: list[Any]) -> dict[str, str]:
        return {"verb": "ORDER", "text": str(found[0]).strip()}

    def addressed(self, found: list[Any]) -> dict[str, str]:
        return {"seat": str(found[0] or ""), **found[1]}

    def conditional(self, found: list[Any]) -> dict[str, str]:
        return {**found[1], "condition": str(found[0]).strip()}

    def start(self, found: list[Any]) -> dict[str, str]:
        return dict(found[0])


_lark = Lark(GRAMMAR, parser="lalr", maybe_placeholders=True, transformer=_Parts())


def check_letters(line: str) -> None:
    """No control, bidirectional or invisible characters: what is not seen must not be meant."""
    if len(line) > LONGEST_LINE:
        raise OrderError(f"a line has at most {LONGEST_LINE} characters", line[:60] + " ...", 60)
    found = FORBIDDEN.search(line)
    if found:
        shown = FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", line)
        raise OrderError(f"an invisible character (U+{ord(found.group()):04X}) stands here", shown, found.start())


def parse(line: str, number: int = 1) -> Line | None:
    """One line of a text; None for a blank or a comment."""
    check_letters(line)
    plain = unicodedata.normalize("NFC", line)
    if not plain.split("#")[0].strip():
        return None
    try:
        parts: Any = _lark.parse(plain.strip())  # the transformer makes a dict of it
    except UnexpectedInput as wrong:
        at = max(0, getattr(wrong, "column", 1) - 1)
        raise OrderError("this is neither an order nor a command", plain, at, ["HELP"]) from None
    text = parts["text"]
    return Line(parts["verb"], parts["seat"], text, parts.get("condition", ""), number, max(0, plain.find(text)) if text else 0)


def parse_all(text: str) -> tuple[list[Line], list[tuple[int, OrderError]]]:
    """All lines of a text in order, and what is wrong with the others. A PRESS goes on until ENDPRESS."""
    lines = text.splitlines()
    if len(lines) > MOST_LINES:
        raise OrderError(f"at most {MOST_LINES} lines are read; this has {len(lines)}")
    found: list[Line] = []
    wrong: list[tuple[int, OrderError]] = []
    press: list[str] | None = None
    for number, line in enumerate(lines, 1):
        if press is not None:
            if fold(line) == "endpress":
                found[-1] = found[-1]._replace(text=f"{found[-1].text}\n" + "\n".join(press))
                press = None
            else:
                press.append(FORBIDDEN.sub("", line))
            continue
        try:
            one = parse(line, number)
        except OrderError as error:
            wrong.append((number, error))
            continue
        if one is not None:
            found.append(one)
            if one.verb == "PRESS":
                press = []
    if press is not None:
        wrong.append((len(lines), OrderError("this press has no ENDPRESS", lines[-1] if lines else "")))
        found.pop()
    return found, wrong
