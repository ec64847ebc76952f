"""The languages we speak, and which one is spoken just now where that is not the asker's own: mails are written for others."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

LANGUAGES = {"en": "English", "de": "Deutsch"}
SPEAKING: ContextVar[str] = ContextVar("language", default="")


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Everything is said in this language for a while."""
    before = SPEAKING.set(language if language in LANGUAGES else "en")
    try:
        yield
    finally:
        SPEAKING.reset(before)
