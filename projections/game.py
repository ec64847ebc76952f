"""A line as the fan keeps it: the table by folding ops alone, and what its next event needs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from domain.kernel import redact
from domain.kernel.chance import Recorded
from domain.kernel.errors import BrokenLog
from domain.kernel.event import RULED, UNDONE, Event
from domain.kernel.run import Run
from domain.kernel.schema import ARBITER, SPECTATOR
from domain.kernel.title import Title
from domain.log import Log, Store, effective, resume
from projections.derived import Derived
from projections.sight import Sights, places
from projections.view import Document, Moment

LOOK_BACK = 128


class Titles(Protocol):
    def get(self, id: str) -> Title: ...


def _points(title: Title) -> Callable[[Any], dict[str, int]]:
    return lambda table: {score.seat: score.points for score in title.score(table)}


class Game:
    """One line at one version."""

    def __init__(self, store: Store, titles: Titles, line: str, version: int) -> None:
        kept = store.line(line)
        match = store.match(kept.match)
        self.line, self.match, self.title, self._titles = kept, match, titles.get(match.title), titles
        self._log = Log(store, self.title, match, kept)
        if (rules := self._log.terms(version)["rules"] if version else self._log.header.rules) != self.title.rules:
            self.title = self._edition(rules)
            self._log = Log(store, self.title, match, kept)
        self.schema = self._log.schema
        self.sights = Sights(self.schema)
        self.viewers = (*self.schema.seats, SPECTATOR, ARBITER)
        self.version, self.at = version, 0
        self.table = self._log.whole_table(version) if version else self.title.table(self.schema)
        self._derive()
        self.documents: dict[tuple[str, str], Document] = {}
        self._tail: list[Event] | None = [] if not version else None
        self._mark = 0  # the tail holds what is in force after this version

    def _derive(self) -> None:
        """What the title says of the table, for each viewer."""
        self.points = Derived(self.title.points or _points(self.title), self.sights.blind)
        self.relations = Derived(self.title.diplomacy, self.sights.blind, self.title.public_relations)

    def _edition(self, rules: str) -> Title:
        """The title by the rules that a line goes by, where they are at hand."""
        library: Callable[[str, str], Title | None] = getattr(self._titles, "library", lambda id, rules: None)
        return library(self.match.title, rules) or self.title

    # -- going on --------------------------------------------------------------------------------

    def apply(self, event: Event) -> set[str]:
        """Fold the next event; the places its ops touched."""
        if event.version != self.version + 1:
            raise BrokenLog(f"line {self.line.id}: version {event.version} does not follow version {self.version}")
        touched = places(event)
        self.table.fold(event.ops)
        self.version, self.at = event.version, event.at
        self.points.touched |= touched
        self.relations.touched |= touched
        if event.kind == RULED:
            self._go_by(event.answer)
        if event.kind == UNDONE:
            self._go_back(event.answer)
        elif event.mark:
            self._tail, self._mark = [], event.version
        elif self._tail is not None:
            self._tail.append(event)
        return touched

    def _go_by(self, ruling: dict[str, Any]) -> None:
        """Other rules, or another reading of them, hold from here on."""
        if "rules" in ruling or "options" in ruling:
            self.title = self._edition(ruling.get("rules", self.title.rules))
            schema = self.title.schema(self.schema.seats, {**self.table.schema.options, **ruling.get("options", {})})
            zones = {name: held for name, held in self.table.zones.items() if held is not None}
            self.table = self.title.table.restored(schema, zones, self.table.registers)
            self._derive()

    def _go_back(self, version: int) -> None:
        if version < self._mark:
            self._tail = None
        elif self._tail is not None:
            self._tail = [item for item in self._tail if item.version <= version]

    def moment(self, viewer: str, event: Event, said: Any = None, *, asks: bool = False) -> Moment:
        """The event for one viewer: here, and only here, it passes the gate."""
        step = self.table.get("step", self.title.first)
        return Moment(viewer, redact.event(self.schema, event, viewer), self.sights, step, said, asks)

    # -- the question ----------------------------------------------------------------------------

    def find_tail(self) -> None:
        """Read the decisions in force since the last mark back from the log, where they are not at hand."""
        if self._tail is not None:
            return
        start, version = self.version, self.version
        while True:
            start = max(0, start - LOOK_BACK)
            events = self._log.raw(start, version)
            if start and min((item.answer for item in events if item.kind == UNDONE), default=version) < start:
                continue
            live = effective(events)
            marked = max((index for index, item in enumerate(live) if item.mark), default=-1)
            if marked >= 0 or not start:
                self._tail = live[marked + 1 :]
                self._mark = live[marked].version if marked >= 0 else 0
                return

    def run(self) -> Run:
        """The game standing at its question, by the rules, on a table of its own."""
        assert self._tail is not None
        table = self.table.copy()
        for item in reversed(self._tail):
            table.unfold(item.ops)
        return resume(self.title, table, self._tail, Recorded(), 0)
