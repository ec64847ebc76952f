"""Looking at a line: everything that leaves for a viewer is read here, redacted and no farther than the viewer may see."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Any

from domain.kernel import redact
from domain.kernel.errors import NotFound
from domain.kernel.event import ADVANCED, DECIDED, SEALED, UNDONE, Event
from domain.kernel.table import Table
from domain.kernel.title import END, Title
from domain.log import LATEST, Line, Log, Store
from domain.match import Match
from service.titles import Titles, edition

LINES_KEPT = 256
FEW_ANSWERS = 64
CHUNK = 200


class Bench:
    """A line in use: its log, a lock (a log is used by one thread at a time), and which keyed requests it has seen."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.lock = threading.RLock()
        self._keyed: dict[str, int] = {}
        self._read = 0

    def made(self, cause: str) -> int | None:
        """The version of the decision that this request made already."""
        for item in self.log.raw(self._read):
            if item.kind != ADVANCED and "#" in item.cause:
                self._keyed.setdefault(item.cause, item.version)
            self._read = item.version
        return self._keyed.get(cause)

    def group(self, version: int) -> list[Event]:
        """A decision with what the rules then did unasked."""
        found = self.log.raw(version - 1, version)
        while True:
            more = self.log.raw(found[-1].version, found[-1].version + 1)
            if not more or more[0].kind != ADVANCED:
                return found
            found += more


class Look:
    """One viewer's look at one line: everything that leaves for this viewer is read here, redacted and no farther than allowed."""

    def __init__(self, bench: Bench, match: Match, line: Line, viewer: str, upto: int) -> None:
        self._bench, self.match, self.line, self.viewer, self._upto = bench, match, line, viewer, upto
        self._log = bench.log

    @property
    def title(self) -> Title:
        return self._log.title

    @property
    def head(self) -> int:
        """The newest version this viewer may see."""
        return self.seen(self._log.head)

    def seen(self, head: int) -> int:
        """How much of so many versions this viewer may see."""
        return min(head, self._upto)

    @property
    def delayed(self) -> bool:
        """Whether this viewer sees less than the newest version."""
        return self._upto < LATEST

    def known(self, version: int | None) -> int:
        head = self.head
        if version is None:
            return head
        if not 1 <= version <= head:
            raise NotFound(f"there is no version {version}")
        return version

    def table(self, version: int | None = None) -> Table:
        return self._log.table(self.viewer, self.known(version))

    def events(self, after: int = 0, limit: int = CHUNK) -> list[Event]:
        """The log after a version, as far as this viewer may read it."""
        return self._log.events(self.viewer, after, min(self.head, after + limit))

    def since_mine(self) -> int:
        """The version of this seat's own last decision: what it has not seen happen comes after."""
        upto = self.head
        while upto > 0:
            for item in reversed(self._log.raw(max(0, upto - CHUNK), upto)):
                if item.seat == self.viewer and item.kind in (DECIDED, SEALED, UNDONE):
                    return item.version
            upto -= CHUNK
        return 0

    def questions(self, version: int | None = None) -> list[dict[str, Any]]:
        """What is asked: of this viewer in full, with every legal answer where they are few; of others only who is asked what."""
        version = self.known(version)
        with self._bench.lock:
            run = self._log.run if version == self._log.head else self._log.run_at(version)
            found = redact.questions(run.asks, run.offers, self.viewer)
            for shown in found:
                if "choice" in shown:
                    ask = run.question(shown["seat"], shown["key"])
                    shown["count"] = ask.count()
                    shown["answers"] = list(ask.all()) if shown["count"] <= FEW_ANSWERS else None
            return found

    def over_at(self, version: int) -> bool:
        """Whether the game was over at a version."""
        return bool(self.table(version).get("step") == END)


class Shelf:
    """The lines in use in this process, the least used one put away first."""

    def __init__(self, store: Store, titles: Titles) -> None:
        self._store, self._titles = store, titles
        self._benches: OrderedDict[str, Bench] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, line: str) -> Bench:
        with self._lock:
            found = self._benches.get(line)
            if found is not None:
                self._benches.move_to_end(line)
                return found
        kept = self._store.line(line)
        match = self._store.match(kept.match)
        bench = Bench(self._by_its_rules(Log(self._store, self._titles.get(match.title), match, kept)))
        with self._lock:
            bench = self._benches.setdefault(line, bench)
            while len(self._benches) > LINES_KEPT:
                self._benches.popitem(last=False)
        return bench

    def forget(self, line: str) -> None:
        with self._lock:
            self._benches.pop(line, None)

    def _by_its_rules(self, log: Log) -> Log:
        """The log with the rules that it goes by, where they are not the newest but still at hand."""
        if (log.header.rules, log.header.data) != (log.title.rules, log.title.data):
            rules, data = log.rules_in_force()
            older = edition(self._titles, log.match.title, rules)
            if older is not None and older.data == data:
                return Log(self._store, older, log.match, log.line)
        return log
