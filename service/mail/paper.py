"""What a mail looks like: a few kinds of blocks, as plain text of 72 columns and as a little HTML."""

from __future__ import annotations

import textwrap
from datetime import UTC, datetime
from html import escape
from typing import NamedTuple

from domain.deadlines import zone
from domain.orders import FORBIDDEN

WIDTH = 72
BULLET = "  * "


class Head(NamedTuple):
    text: str


class Say(NamedTuple):
    """Sentences: a paragraph each."""

    sentences: list[str]


class Items(NamedTuple):
    """Lines that can be copied as they are, one by one; never broken."""

    lines: list[str]


class Copy(NamedTuple):
    """Text that can be copied as it is, all of it."""

    text: str


Block = Head | Say | Items | Copy


class Paper(NamedTuple):
    """A mail before it is addressed."""

    subject: str
    blocks: list[Block]


def as_text(blocks: list[Block]) -> str:
    """Plain text, 72 columns but for what is to be copied."""
    parts = []
    for block in blocks:
        match block:
            case Head(text):
                parts.append(f"{text.upper()}\n{'-' * min(len(text), WIDTH)}")
            case Say(sentences):
                parts.append("\n".join(textwrap.fill(plain(one), WIDTH, break_long_words=False) for one in sentences))
            case Items(lines):
                parts.append("\n".join(BULLET + plain(one) for one in lines))
            case Copy(text):
                parts.append(text)
    return visible("\n\n".join(part for part in parts if part) + "\n")


def as_html(blocks: list[Block]) -> str:
    """The same, for readers who show nothing else."""
    parts = []
    for block in blocks:
        match block:
            case Head(text):
                parts.append(f"<h2>{escape(text)}</h2>")
            case Say(sentences):
                parts += [f"<p>{escape(plain(one))}</p>" for one in sentences]
            case Items(lines):
                parts.append("<ul>" + "".join(f"<li><code>{escape(plain(one))}</code></li>" for one in lines) + "</ul>")
            case Copy(text):
                parts.append(f"<pre>{escape(text)}</pre>")
    body = visible("\n".join(parts))
    return f'<!doctype html><html><head><meta charset="utf-8"></head><body>\n{body}\n</body></html>\n'


def visible(text: str) -> str:
    """Letters that can be seen: what is invisible, or turns the line round, is shown as a sign of its own."""
    return FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)


def plain(text: str) -> str:
    """One line, whatever somebody put into it."""
    return " ".join(text.split())


def when(at: int, name: str) -> str:
    """A moment in the reader's zone and in UTC.

    >>> when(1803902400000, "Europe/Madrid")
    'Mon 1 Mar 2027 13:00 CET (12:00 UTC)'
    """
    here = datetime.fromtimestamp(at / 1000, zone(name))
    there = datetime.fromtimestamp(at / 1000, UTC)
    if name == "UTC":
        return f"{there:%a} {there.day} {there:%b %Y %H:%M} UTC"
    day = f"{there:%a} {there.day} {there:%b} " if there.date() != here.date() else ""
    return f"{here:%a} {here.day} {here:%b %Y %H:%M %Z} ({day}{there:%H:%M} UTC)"
