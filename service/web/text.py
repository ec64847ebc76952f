"""Words: translation of every sentence the pages and the chronicle say, what things are called, and how times read."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import cache, lru_cache, partial
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
from service.languages import LANGUAGES, SPEAKING

CATALOGUES = Path(__file__).parent / "translations"

Translate = Callable[[str], str]


def language() -> str:
    """The reader's language: what they chose, else what their browser asks for."""
    if SPEAKING.get():
        return SPEAKING.get()
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
    found: dict[str, str] = {}
    for path in sorted(CATALOGUES.glob(f"*{language}.po")):
        with path.open("rb") as file:
            found |= {str(one.id): str(one.string) for one in read_po(file, locale=language) if one.id and one.string}
    return found


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


# -- phrases ----------------------------------------------------------------------------------------------

# What titles put together in tables and pictures is taken apart at these, the strongest first: at words and signs between its
# parts, at brackets around more, at a number before or behind, at the place where something is.
SEAMS: tuple[str | re.Pattern[str], ...] = (
    re.compile(r"([^\[(]*?)( ?[\[(])([^\[(]+)([\])])"),
    *("; ", ": ", " · ", ", ", " | ", " > ", " → ", "–", "  ", " / ", " or ", " and "),
    *map(re.compile, (r"(.+)( [-+]?\d+)", r"(\d+ )(.+)", r"(.+)(@\S+)")),
)


def phrase(said: str) -> str:
    """Something a title says in tables and pictures, in this reader's language."""
    return _phrase(language(), said)


def phrases() -> Translate:
    """The function that gives phrases in this reader's language, for many of them."""
    return partial(_phrase, language())


@lru_cache(maxsize=65_536)
def _phrase(language: str, said: str) -> str:
    found = known_phrase(language, said)
    return said if found is None else found


def known_phrase(language: str, said: str) -> str | None:
    """A phrase in a language: as it stands, by a template whose gaps it fills, or part by part; None if nobody translated it.

    >>> known_phrase("de", "two unheard words") is None
    True
    """
    words = catalogue(language)
    if said in words:
        return words[said]
    if not any(map(str.isalpha, said)):
        return said
    if said[0].isupper() and (lower := said[0].lower() + said[1:]) in words:
        return words[lower][0].upper() + words[lower][1:]
    for pattern, template in _templates(language):
        if found := pattern.fullmatch(said):
            return template.format(**{gap: _phrase(language, filled) for gap, filled in found.groupdict().items()})
    for seam in SEAMS:
        if isinstance(seam, str):
            if seam in said:
                return words.get(seam, seam).join(_phrase(language, part) for part in said.split(seam))
        elif found := seam.fullmatch(said):
            return "".join(_phrase(language, part) for part in found.groups())
    return _word_by_word(language, said) if said[0].islower() else None


def _word_by_word(language: str, said: str) -> str | None:
    """What an answer strings together (`march N08 N09`), the longest known words first; None if none is known."""
    words, found, first = said.split(" "), list[str](), 0
    while first < len(words):
        for last in range(len(words), first, -1):
            name, *where = " ".join(words[first:last]).split("@")
            if name in catalogue(language):
                found.append("@".join([catalogue(language)[name], *where]))
                first = last
                break
        else:
            found.append(words[first])
            first += 1
    return " ".join(found) if found != words else None


@cache
def _templates(language: str) -> list[tuple[re.Pattern[str], str]]:
    """Sentences with gaps, as what finds them: a gap of one letter is a number. The longest come first: they say most."""
    found = []
    for sentence, translation in catalogue(language).items():
        parts = re.split(r"\{(\w+)\}", sentence)
        if len(parts) > 1 and len(set(parts[1::2])) == len(parts) // 2 and any(map(str.isalpha, "".join(parts[::2]))):
            gaps = (rf"(?P<{gap}>{'[-+]?[0-9]+' if len(gap) == 1 else '.+?'})" for gap in parts[1::2])
            pattern = "".join(re.escape(text) + gap for text, gap in zip(parts[::2], [*gaps, ""], strict=True))
            found.append((re.compile(pattern), translation))
    return sorted(found, key=lambda pair: -len(pair[0].pattern))


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
    return phrase(spoken(title, answer)) if isinstance(answer, str) else str(answer)


def question(title: Title, key: str) -> str:
    """What is asked, as a sentence if the title has one."""
    said = _(title.prompts.get(key) or spoken(title, key))
    return said[:1].upper() + said[1:]


def heading(fact: str) -> str:
    """The name of a fact over a column of them: as a noun, where the same word is also a verb."""
    noun = _(f"{fact}:")
    return noun[:-1] if noun != f"{fact}:" else phrase(fact)


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
