"""A second process that writes: `python -m tests.store.writer race|stream|one|open DATABASE LINE ...`, telling on stdout what it did."""

from __future__ import annotations

import sys
from itertools import count

from domain.kernel import Event, Stale
from domain.log import Line, Match
from service.store import SqlStore, open_store


def main(what: str, database: str, line: str, *more: str) -> None:
    with open_store(database) as store:
        print("ready", flush=True)  # noqa: T201
        sys.stdin.readline()
        {"race": race, "stream": stream, "one": one, "open": first}[what](store, line, *more)


def race(store: SqlStore, line: str, name: str, upto: str) -> None:
    """Write every version that nobody else has, and tell which ones those were."""
    while (head := store.head(line)) < int(upto):
        try:
            store.append(line, [Event(head + 1, "decided", name)])
        except Stale:
            continue
        print(head + 1, flush=True)  # noqa: T201


def stream(store: SqlStore, line: str) -> None:
    """Write until killed, and tell each version once it is stored."""
    for version in count(1):
        store.append(line, [Event(version, "decided", answer="x" * 500)])
        print(version, flush=True)  # noqa: T201


def one(store: SqlStore, line: str) -> None:
    store.append(line, [Event(store.head(line) + 1, "decided", "elsewhere")])


def first(store: SqlStore, line: str) -> None:
    store.add_match(Match(line, "toy", b"seed"), Line(line, line), [Event(1, "created")])


if __name__ == "__main__":
    main(*sys.argv[1:])
