"""What a mail looks like: a few kinds of blocks, as plain text of 72 columns and as a little HTML."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from datetime import UTC, datetime
from html import escape
from typing import NamedTuple

from babel.dates import format_datetime

from domain.deadlines import zone
from domain.orders import FORBIDDEN
from service.web.text import _, language

WIDTH = 72
BULLET = "  * "
PICTURE = "board"


class Head(NamedTuple):
    text: str


class Say(NamedTuple):
    """Sentences: a paragraph each."""

    sentences: list[str]


class Items(NamedTuple):
    """Lines that can be copied as they are, one by one; never broken."""

    lines: list[str]


class Copy(NamedTuple):
    """Text that can be copied as it is, all of it; set in from the left in plain text if it is only told."""

    text: str
    margin: str = ""


class Board(NamedTuple):
    """Where the picture of the board stands, what it shows, and where it leads; in plain text nothing."""

    shows: str
    link: str


class Links(NamedTuple):
    """Where to go on, under everything else."""

    links: list[tuple[str, str]]


Block = Head | Say | Items | Copy | Board | Links


class Paper(NamedTuple):
    """A mail before it is addressed; its picture is a PNG."""

    subject: str
    blocks: list[Block]
    picture: bytes = b""


def as_text(blocks: Sequence[Block]) -> str:
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
            case Copy(text, margin):
                parts.append(textwrap.indent(text, margin))
            case Links(links):
                parts.append("-- \n" + "\n".join(f"{name}: {address}" for name, address in links))
    return visible("\n\n".join(part for part in parts if part) + "\n")


# Mail programs read styles in the head or not at all: without them everything is still in its order.
STYLE = (
    "body{margin:0;background:#f7f3ea;color:#20242c;font:16px/1.5 Georgia,serif}"
    "main{max-width:720px;margin:0 auto;padding:16px 20px;background:#fffdf8}"
    "h2{font-size:17px;margin:22px 0 6px;padding-bottom:3px;border-bottom:1px solid #ddd5c3;color:#7a1f2b}"
    "p{margin:8px 0}ul{list-style:none;margin:8px 0;padding:0}li{margin:4px 0}"
    "code,pre{font:14px/1.45 Menlo,Consolas,monospace}"
    "li code{display:block;padding:5px 9px;background:#f1e9d6;border-left:3px solid #b7a98a}"
    "pre{margin:8px 0;padding:9px 12px;background:#f1e9d6;border:1px solid #ddd5c3;overflow-x:auto;white-space:pre-wrap}"
    "img{display:block;width:100%;height:auto;margin:12px 0;border:1px solid #ddd5c3}"
    "a{color:#7a1f2b}footer{margin-top:24px;padding-top:8px;border-top:1px solid #ddd5c3;font-size:14px;color:#615f57}"
)


def as_html(blocks: Sequence[Block], language: str = "en") -> str:
    """The same, for readers who like it so or whose programs show nothing else."""
    parts = []
    for block in blocks:
        match block:
            case Head(text):
                parts.append(f"<h2>{escape(text)}</h2>")
            case Say(sentences):
                parts.append("<p>" + "<br>\n".join(escape(plain(one)) for one in sentences) + "</p>")
            case Items(lines):
                parts.append("<ul>" + "".join(f"<li><code>{escape(plain(one))}</code></li>" for one in lines) + "</ul>")
            case Copy(text):
                parts.append(f"<pre>{escape(text)}</pre>")
            case Board(shows, link):
                image = f'<img src="cid:{PICTURE}" width="720" alt="{escape(plain(shows))}">'
                parts.append(f'<a href="{escape(link)}">{image}</a>')
            case Links(links):
                said = " · ".join(f'<a href="{escape(address)}">{escape(name)}</a>' for name, address in links)
                parts.append(f"<footer>{said}</footer>")
    body = visible("\n".join(parts))
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><style>{STYLE}</style>'
    return f'<!doctype html><html lang="{language}"><head>{head}</head><body><main>\n{body}\n</main></body></html>\n'


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
    here, there = datetime.fromtimestamp(at / 1000, zone(name)), datetime.fromtimestamp(at / 1000, UTC)
    day, locale = _("EEE d MMM yyyy HH:mm"), language()
    if name == "UTC":
        return f"{format_datetime(there, day, locale=locale)} UTC"
    pattern = _("EEE d MMM HH:mm") if there.date() != here.date() else "HH:mm"
    return f"{format_datetime(here, day, tzinfo=here.tzinfo, locale=locale)} {here:%Z} ({format_datetime(there, pattern, locale=locale)} UTC)"
