"""Rules and data that changed under running matches: which could go on under them as they stand, and which part from them, and where."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from domain.kernel.errors import NotFound
from domain.kernel.title import END, Title
from domain.log import Diverged, Log, Store
from domain.match import RUNNING
from service.case import diverges
from service.database import Database, Unavailable
from service.register import Register
from service.titles import Titles


class Prospect(NamedTuple):
    """One running match that goes by other rules or data than those at hand; `tables` says whether people sit there who vote."""

    log: Log
    rules: str
    title: Title
    diverged: Diverged | None
    tables: bool


def prospects(store: Store, titles: Titles) -> Iterator[Prospect]:
    """Every running match from its last mark on under the newest rules and data. Nothing is written."""
    for kept in store.matches():
        title = titles.get(kept.title)
        line, tables = _in_force(store, kept.id)
        if not line:
            continue
        log = Log(store, title, kept, store.line(line))
        rules, data = log.rules_in_force()
        if (rules, data) != (title.rules, title.data) and log.whole_table().get("step") != END:
            yield Prospect(log, rules, title, diverges(log, title), tables)


def _in_force(store: Store, match: str) -> tuple[str, bool]:
    """The line a match is played on, and whether it has seats that people hold; no line where it is over or called off."""
    try:
        found = Register(Database(store)).load(match)  # type: ignore[arg-type]
    except (NotFound, Unavailable, AttributeError):  # a match of the terminal
        return match, False
    return (found.line if found.state == RUNNING else ""), True
