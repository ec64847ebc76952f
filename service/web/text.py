"""Words: translation of every sentence the pages and the chronicle say, and how times read."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

from babel.dates import format_timedelta
from babel.messages.pofile import read_po
from flask import has_request_context, request

LANGUAGES = ("en", "de")
CATALOGUES = Path(__file__).parent / "translations"


def language() -> str:
    """The reader's language: what they chose, else what their browser asks for."""
    if not has_request_context():
        return "en"
    chosen = request.cookies.get("language", "")
    return chosen if chosen in LANGUAGES else request.accept_languages.best_match(LANGUAGES) or "en"


@cache
def _catalogue(language: str) -> dict[str, str]:
    path = CATALOGUES / f"{language}.po"
    if language == "en" or not path.exists():
        return {}
    with path.open("rb") as file:
        return {str(message.id): str(message.string) for message in read_po(file, locale=language) if message.id and message.string}


def translate(language: str) -> Callable[[str], str]:
    """The function that gives a sentence or template in a language; English where there is no translation yet."""
    words = _catalogue(language)
    return lambda sentence: words.get(sentence, sentence)


def ago(milliseconds: int) -> str:
    """How long something has been so."""
    return format_timedelta(max(0, time.time() - milliseconds / 1000), locale=language(), threshold=1.2)
