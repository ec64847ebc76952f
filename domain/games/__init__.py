"""The titles there are. Each is imported when it is first asked for."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module, resources
from importlib.util import find_spec

from domain.kernel import NotFound, Title

MODULES = {
    "column-of-fire": "domain.games.column_of_fire",
    "generalship": "domain.games.generalship",
    "pax-renaissance": "domain.games.pax_renaissance",
}


def get(id: str) -> Title:
    """The title of this id, or a refusal that names the ones there are."""
    if id not in TITLES:
        raise NotFound(f"there is no title {id!r}; there are: {', '.join(TITLES)}")
    return TITLES[id]


def all() -> list[Title]:
    """Every title there is."""
    return list(TITLES.values())


def library(id: str, rules: str) -> Title | None:
    """The title in the version of the rules a log names: the newest or, where its package keeps it, one of `EDITIONS`; else None."""
    title = TITLES.get(id)
    if title is None or title.rules == rules:
        return title
    older: Mapping[str, Title] = getattr(import_module(MODULES[id]), "EDITIONS", {})
    return older.get(rules)


@cache
def summaries(id: str) -> dict[str, str]:
    """What each numbered rule of a title says, in a sentence; empty where nobody wrote that down."""
    path = resources.files(MODULES[id]) / "rules.json" if id in TITLES else None
    if path is None or not path.is_file():
        return {}
    found: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))["rules"]
    return found


@cache
def _exists(module: str) -> bool:
    spec = find_spec(module)
    return spec is not None and spec.origin is not None


class _Titles(Mapping[str, Title]):
    """Titles by id; a title that is not installed is not listed."""

    def __getitem__(self, id: str) -> Title:
        if not _exists(MODULES[id]):
            raise KeyError(id)
        title: Title = import_module(MODULES[id]).TITLE
        return title

    def __iter__(self) -> Iterator[str]:
        return (id for id, module in MODULES.items() if _exists(module))

    def __len__(self) -> int:
        return sum(1 for _ in self)


TITLES: Mapping[str, Title] = _Titles()
