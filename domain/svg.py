"""What the pictures of the titles are made of: focusable spaces that say what they are, words, and words broken into lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from html import escape

Hot = frozenset[str]

# Every function of a drawing would have to pass it on to the next: so it is said once, around the whole drawing.
_translate: ContextVar[Callable[[str], str]] = ContextVar("translate", default=str)


@contextmanager
def speaking(translate: Callable[[str], str]) -> Iterator[None]:
    """Whatever is drawn meanwhile says its words as this function translates them."""
    before = _translate.set(translate)
    try:
        yield
    finally:
        _translate.reset(before)


class Told(str):
    """Words as the drawing says them: not to be translated again."""


def told(content: str) -> Told:
    """Words as the drawing says them.

    >>> with speaking({"rook": "Turm"}.get):
    ...     told("rook")
    'Turm'
    """
    return content if isinstance(content, Told) else Told(_translate.get()(content))


def board(kind: str, label: str, width: float, height: float, parts: Iterable[str]) -> str:
    """The whole drawing: which title's, and what it is called."""
    size = f'viewBox="0 0 {width:g} {height:g}"'
    return f'<svg class="board {kind}" {size} role="group" aria-label="{escape(told(label))}">{"".join(parts)}</svg>'


def space(name: str, title: str, hot: Hot, inside: str, kind: str = "space") -> str:
    """A focusable group that says what it is; it glows if it can be chosen now."""
    glow = " hot" if name in hot else ""
    return f'<g class="{kind}{glow}" tabindex="0" data-space="{escape(name)}">{said(title)}{inside}</g>'


def piece(title: str, inside: str, kind: str = "piece") -> str:
    """A group that says what it is, but cannot be chosen: a click on it is a click on what it lies on."""
    return f'<g class="{kind}">{said(title)}{inside}</g>'


def said(title: str) -> str:
    return f"<title>{escape(told(title))}</title>"


def text(x: float, y: float, content: str, kind: str = "", anchor: str = "start") -> str:
    return f'<text x="{x:g}" y="{y:g}" class="{kind}" text-anchor="{anchor}">{escape(told(content))}</text>'


def rect(kind: str, x: float, y: float, width: float, height: float, rx: float = 6) -> str:
    return f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{rx:g}"/>'


def circle(kind: str, x: float, y: float, r: float) -> str:
    return f'<circle class="{kind}" cx="{x:g}" cy="{y:g}" r="{r:g}"/>'


def shape(kind: str, path: str, x: float, y: float, scale: float = 1) -> str:
    """A path drawn around the origin, put somewhere."""
    return f'<path class="{kind}" d="{path}" transform="translate({x:g} {y:g}) scale({scale:g})"/>'


def short(content: str, letters: int) -> str:
    """A text in the words of the drawing, only its beginning if it is too long.

    >>> short("Navigation", 20), short("Sea Navigation", 8)
    ('Navigation', 'Sea Nav…')
    """
    content = told(content)
    return content if len(content) <= letters else Told(content[: letters - 1].rstrip() + "…")


def lines(x: float, y: float, content: str, letters: int, most: int, kind: str, step: float = 13) -> str:
    """Text broken into so many lines of about so many letters."""
    return "".join(text(x, y + step * n, one, kind) for n, one in enumerate(broken(content, letters, most)))


def broken(content: str, letters: int, most: int) -> list[str]:
    """A text in the words of the drawing, as lines.

    >>> broken("Sea Navigation and more", 10, 2)
    ['Sea', 'Navigatio…']
    """
    found, line = list[str](), ""
    for word in told(content).split():
        if line and len(line) + 1 + len(word) > letters:
            found.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    found.append(line)
    if len(found) > most:
        found = [*found[: most - 1], " ".join(found[most - 1 :])]
    return [short(Told(one), letters) for one in found]
