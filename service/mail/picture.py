"""The board as a picture for mails: the title's drawing, coloured as the pages are by day, as PNG.

Mail programs show no SVG, and the renderer knows no custom properties: the style sheets of the pages are settled here, once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

import resvg_py
import structlog

from domain.kernel.table import Table
from domain.kernel.title import Title
from domain.svg import speaking
from service.web.text import phrase

WIDTH = 720
SHEETS = Path(__file__).parents[1] / "web" / "static"
SEAT = "--c"  # what a rule is coloured by that is coloured by the seat it is drawn for
SERIF, SANS = "DejaVu Serif", "DejaVu Sans"
SIBLINGS = 6

RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
VARIABLE = re.compile(r"var\((--[\w-]+)\)")
MIXED = re.compile(r"color-mix\(in srgb, (#\w+) (\d+)%, (#\w+|transparent)\)")
FONT = re.compile(r"font: (\d+) ([\d.]+px)(?:/[\d.]+)? ([^;]+)")
LETTER = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><text x="4" y="34" font-size="36" font-family="sans-serif">M</text></svg>'

log = structlog.get_logger(__name__)


def png(title: Title, view: Table) -> bytes:
    """The board as somebody sees it; nothing where a title draws none, or where there are no letters to write with."""
    if title.picture is None or not can_write():
        return b""
    with speaking(phrase):
        return _drawn(title.picture(view, frozenset()))


@lru_cache(maxsize=64)
def _drawn(svg: str) -> bytes:
    return _rendered(svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1), style())


def _rendered(svg: str, sheet: str = "") -> bytes:
    families = {"serif_family": SERIF, "sans_serif_family": SANS, "font_family": SANS}
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=WIDTH, background="#f7f3ea", style_sheet=sheet, **families))


@cache
def can_write() -> bool:
    """Whether this machine has fonts: a board without words helps nobody."""
    able = _rendered(LETTER) != _rendered(LETTER.replace(">M<", "> <"))
    if not able:
        log.warning("no fonts here: mails go out without pictures; install DejaVu")
    return able


# -- style --------------------------------------------------------------------------------------------------


@cache
def style() -> str:
    """The style sheet of the boards, with every colour and font spelt out."""
    common, boards = ([*map(_trimmed, RULE.findall(_by_day((SHEETS / name).read_text())))] for name in ("style.css", "boards.css"))
    known: dict[str, dict[str, str]] = {}
    for head, body in (*common, *boards):
        known.setdefault(head, {}).update(re.findall(r"(--[\w-]+): ([^;]+);?", body))
    seats = {head: found[SEAT] for head, found in known.items() if SEAT in found}
    return "\n".join(line for head, body in boards for line in _settled(head, body, known, seats))


def _trimmed(rule: tuple[str, str]) -> tuple[str, str]:
    return rule[0].strip(), rule[1].strip()


def _by_day(text: str) -> str:
    """Without remarks, without what holds for screens of a kind, without the colours of the night."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    text = re.sub(r"@[^{]+\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}", "", text)
    return re.sub(r':root\[data-theme="\w+"\][^{]*\{[^{}]*\}', "", text)


def _settled(head: str, body: str, known: dict[str, dict[str, str]], seats: dict[str, str]) -> Iterator[str]:
    """A rule as the renderer wants it; where it is coloured by the seat, one for each."""
    here = {**known.get(":root", {}), **known.get(head.split()[0], {})}
    if f"var({SEAT})" not in body:
        yield f"{_heads(head)} {{ {_spelt(body, here)} }}"
        return
    for seat, colour in seats.items():
        heads = ", ".join(way for one in head.split(",") for way in _within(seat, one.strip()))
        yield f"{_heads(heads)} {{ {_spelt(body, {**here, SEAT: colour})} }}"


def _within(seat: str, head: str) -> list[str]:
    """What a rule is about, where the seat is said by something around it, or by the thing itself."""
    board, _, thing = head.rpartition(" ")
    return [f"{board} {seat} {thing}".strip(), f"{head}{seat}"]


def _heads(head: str) -> str:
    """The renderer knows no later siblings, only the next one: so many of them are spelt out."""
    found = []
    for one in head.split(","):
        before, after, last = one.strip().partition(" ~ ")
        found += [f"{before} + {'* + ' * n}{last}" for n in range(SIBLINGS)] if after else [before]
    return ", ".join(found)


def _spelt(body: str, known: dict[str, str]) -> str:
    while (text := VARIABLE.sub(lambda found: known.get(found[1], "inherit"), body)) != body:
        body = text
    body = FONT.sub(r"font-weight: \1; font-size: \2; font-family: \3", body)
    return MIXED.sub(lambda found: _mix(found[1], int(found[2]), found[3]), body)


def _mix(one: str, percent: int, other: str) -> str:
    """Two colours in one.

    >>> _mix("#000", 25, "#ffffff")
    '#bfbfbf'
    """
    if other == "transparent":
        return f"{_long(one)}{255 * percent // 100:02x}"
    first, second = ([int(colour[i : i + 2], 16) for i in (1, 3, 5)] for colour in map(_long, (one, other)))
    return "#" + "".join(f"{(a * percent + b * (100 - percent)) // 100:02x}" for a, b in zip(first, second, strict=True))


def _long(colour: str) -> str:
    return colour if len(colour) == 7 else "#" + "".join(letter * 2 for letter in colour[1:])
