"""The parts of a match page that change with the version, and what changed in them from one version to another.

Stepping sends only the spaces and rows that changed. What a viewer was shown is known by its tag: a page that shows something
else than we think gets everything anew.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from copy import copy
from functools import cached_property
from hashlib import blake2b
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

KEPT = 32
WORTHWHILE = 0.6  # of the whole: changes that are longer are sent whole

# Who looks at what: line, viewer, language, version, the spaces that glow.
Key = tuple[str, str, str, int, frozenset[str]]
# The way down by the numbers of the children, then the attributes that changed, or [first, how many, what takes their place].
Change = list[Any]


class Frame:
    """The board as a picture and as tables, and the scores, as one viewer sees them at one version."""

    def __init__(self, parts: dict[str, str]) -> None:
        self.parts = parts
        self.tag = blake2b("\0".join(parts.values()).encode(), digest_size=9).hexdigest()

    @cached_property
    def trees(self) -> dict[str, Element]:
        return {name: ElementTree.fromstring(f"<p>{part}</p>") for name, part in self.parts.items()}

    def since(self, before: Frame | None) -> dict[str, Any]:
        """Each part: what changed in it since another frame, or the whole of it."""
        if before is None:
            return dict(self.parts)
        found: dict[str, Any] = {}
        for name, part in self.parts.items():
            if part == before.parts[name]:
                continue
            apart = changes(before.trees[name], self.trees[name])
            length = sum(len(html) for _, _, [_, _, html] in (one for one in apart if one[2]))
            found[name] = apart if length < WORTHWHILE * len(part) else part
        return found


class Frames:
    """The frames this process made last."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[Key, Frame] = OrderedDict()

    def of(self, key: Key, made: Callable[[], dict[str, str]]) -> Frame:
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
                return found
        found = Frame(made())
        with self._lock:
            self._kept[key] = found
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return found


def changes(old: Element, new: Element) -> list[Change]:
    """What makes the one markup the other.

    >>> parsed = ElementTree.fromstring
    >>> changes(parsed('<p><i a="1"/><b>x</b></p>'), parsed('<p><i a="2"/><b>y</b></p>'))
    [[[0], {'a': '2'}, None], [[], None, [1, 1, '<b>y</b>']]]
    >>> changes(parsed("<p><i/><b/></p>"), parsed("<p><i/><u/><u/><b/></p>"))
    [[[], None, [1, 0, '<u /><u />']]]
    """
    found: list[Change] = []
    _compare(old, new, [], found)
    return found


def _compare(old: Element, new: Element, way: list[int], found: list[Change]) -> None:
    """Two elements of the same name, whose own text is the same."""
    if old.attrib != new.attrib:
        gone = dict.fromkeys(name for name in old.keys() if name not in new.attrib)  # noqa: SIM118 an element is no mapping
        found.append([way, {**gone, **{name: value for name, value in new.items() if old.get(name) != value}}, None])
    first, olds, news = 0, list(old), list(new)
    if len(olds) != len(news):  # something came or went: whatever stands before and behind it stays
        while first < min(len(olds), len(news)) and _same(olds[first], news[first]):
            first += 1
        while len(olds) > first and len(news) > first and _same(olds[-1], news[-1]):
            olds.pop()
            news.pop()
        found.append([way, None, [first, len(olds) - first, _written(news[first:])]])
        return
    for n, (one, other) in enumerate(zip(olds, news, strict=True)):
        if one.tag == other.tag and _say_the_same(one, other):
            _compare(one, other, [*way, n], found)
        else:
            found.append([way, None, [n, 1, _written([other])]])


def _say_the_same(one: Element, other: Element) -> bool:
    if len(one) or len(other):
        return _words(one) == _words(other)
    return one.text == other.text  # most are leaves


def _words(element: Element) -> list[str]:
    """The text that stands in an element itself, around its children."""
    words = [(element.text or "").strip(), *((child.tail or "").strip() for child in element)]
    return words if any(words) else []


def _same(one: Element, other: Element) -> bool:
    return (
        one.tag == other.tag
        and one.attrib == other.attrib
        and len(one) == len(other)
        and _say_the_same(one, other)
        and all(map(_same, one, other))
    )


def _written(elements: list[Element]) -> str:
    found = []
    for element in map(copy, elements):
        element.tail = None
        found.append(ElementTree.tostring(element, "unicode"))
    return "".join(found)
