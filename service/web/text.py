"""Words: translation of every sentence the pages and the chronicle say, what things are called, and how times read."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from babel.dates import format_datetime, format_timedelta
from babel.messages.pofile import read_po
from flask import g, has_request_context, request
from markupsafe import Markup, escape

from domain.kernel.ops import Move, Op, Set
from domain.kernel.schema import ARBITER, HIDDEN, SPECTATOR
from domain.kernel.title import Title
from domain.orders import spoken

LANGUAGES = {"en": "English", "de": "Deutsch"}
CATALOGUES = Path(__file__).parent / "translations"

Translate = Callable[[str], str]


def language() -> str:
    """The reader's language: what they chose, else what their browser asks for."""
    if not has_request_context():
        return "en"
    if "language" not in g:
        chosen = request.cookies.get("language", "")
        g.language = chosen if chosen in LANGUAGES else request.accept_languages.best_match(LANGUAGES) or "en"
    found: str = g.language
    return found


@cache
def catalogue(language: str) -> dict[str, str]:
    """Every sentence that has a translation. English has a few too: words that titles only have as ids."""
    with (CATALOGUES / f"{language}.po").open("rb") as file:
        return {str(message.id): str(message.string) for message in read_po(file, locale=language) if message.id and message.string}


@cache
def translate(language: str) -> Translate:
    """The function that gives a sentence or template in a language; itself where nobody translated it."""
    words = catalogue(language)
    return lambda sentence: words.get(sentence, sentence)


def here() -> Translate:
    """The translation into this reader's language."""
    return translate(language())


def _(sentence: str) -> str:
    """A sentence in this reader's language."""
    return here()(sentence)


# -- names ------------------------------------------------------------------------------------------------


def seat_name(seat: str) -> str:
    """A seat as people call it."""
    name = _(seat.replace("_", " "))
    return name[:1].upper() + name[1:]


def viewer_name(viewer: str) -> str:
    """Through whose eyes."""
    return {SPECTATOR: _("the public"), ARBITER: _("everything")}.get(viewer) or seat_name(viewer)


def words(title: Title, answer: Any) -> str:
    """An answer, or any part of one, as a person would say it."""
    if answer is None:
        return _("pass")
    if answer == HIDDEN:
        return _("hidden")
    if isinstance(answer, bool):
        return _("yes") if answer else _("no")
    if isinstance(answer, dict):
        return ", ".join(f"{words(title, name)} {words(title, value)}" for name, value in answer.items())
    if isinstance(answer, list):
        if answer and all(isinstance(pair, list) and len(pair) == 2 and type(pair[1]) is int for pair in answer):
            return ", ".join(f"{n} × {words(title, item)}" if n > 1 else words(title, item) for item, n in answer)
        return " ".join(words(title, part) for part in answer) if answer else _("nothing")
    return _(spoken(title, answer)) if isinstance(answer, str) else str(answer)


def question(title: Title, key: str) -> str:
    """What is asked, as a sentence if the title has one."""
    said = _(title.prompts.get(key) or spoken(title, key))
    return said[:1].upper() + said[1:]


def op(title: Title, one: Op) -> str:
    """One change of the table in symbols."""
    if type(one) is Move:
        number = f"{one.n} × " if one.n > 1 else ""
        return f"{number}{words(title, one.item)}: {one.src} → {one.dst}"
    if type(one) is Set:
        old, new = ("–" if value is None else words(title, value) for value in (one.old, one.new))
        return f"{one.register}: {old} → {new}"
    return f"{one.zone}: {_('in another order')}"


def coloured(sentence: str, seats: Sequence[str], seat_class: Callable[[str, Sequence[str]], str]) -> Markup:
    """A sentence with every seat that it names in the seat's colour, and called as the reader's language calls it."""

    def shown(found: re.Match[str]) -> str:
        seat = found[0].lower() if found[0].lower() in seats else found[0]
        return f'<b class="{seat_class(seat, seats)}">{escape(seat_name(seat))}</b>'

    return Markup(_named(tuple(seats)).sub(shown, str(escape(sentence))))


@cache
def _named(seats: tuple[str, ...]) -> re.Pattern[str]:
    """What finds the names of seats in a sentence."""
    return re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, seats))})(?![\w-])", re.IGNORECASE)


# -- times ------------------------------------------------------------------------------------------------


def ago(milliseconds: int) -> str:
    """How long something has been so."""
    return format_timedelta(max(0, int(time.time() - milliseconds / 1000)), locale=language(), threshold=1.2)


def when(milliseconds: int) -> str:
    """A moment, in the one zone that is nobody's and everybody's."""
    return f"{format_datetime(datetime.fromtimestamp(milliseconds / 1000, UTC), 'medium', locale=language())} UTC"
