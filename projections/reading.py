"""The reading side of the views, for the API, the pages and the mails: plain data, each with the version it stands at.

Whoever asks must have been let in already: a viewer is a seat, the public or the arbiter, and nobody is asked twice who they are.
Where the kept views are away or being built, a line is folded on the spot: slower, never wrong.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Sequence
from typing import Any, TypeVar

import msgspec

from domain import games
from domain.kernel.errors import NotFound
from domain.kernel.event import UNDONE
from domain.kernel.schema import ARBITER, SPECTATOR
from domain.kernel.title import Translate
from domain.log import LATEST, Line, Log
from projections import chronicle, diplomacy, inbox, scoreboard, standings, timeline
from projections.fan import PARKED, VIEWS, Fan
from projections.game import Game, Titles
from projections.runner import FeedStore, in_force, parked
from projections.stores import Documents, Edition, Lost, Unavailable
from projections.stores.memory import MemoryDocuments
from projections.view import Row, key, pages, parted, unpack

T = TypeVar("T")

KEPT, SCORES_KEPT = 64, 1024
FIRST_SLEEP, LONGEST_SLEEP = 0.0005, 0.05
RATED_FOR = 60.0
PAGE_OF_CHRONICLE = 200
LONGEST_ROUND = 100  # events in which sealed answers may come in


def _untranslated(language: str) -> Translate:
    return str


def _seats_as_players(result: standings.Result) -> dict[str, str]:
    return {seat: seat for seat in result.places}


class _Missing(Exception):
    """The document is not there (any more, or yet)."""


class Views:
    """Reads documents. `upto` stops at a version, for those who may not see the newest yet."""

    def __init__(
        self,
        store: FeedStore,
        documents: Documents,
        titles: Titles = games,
        *,
        players: standings.Players = _seats_as_players,
        translate: Callable[[str], Translate] = _untranslated,
    ) -> None:
        self._store, self._documents, self._titles = store, documents, titles
        self._players, self._translate = players, translate
        self._shelf = threading.Lock()
        self._logs: OrderedDict[str, Log] = OrderedDict()
        self._folded: OrderedDict[str, tuple[int, MemoryDocuments]] = OrderedDict()
        self._scored: OrderedDict[tuple[str, str, int], list[dict[str, Any]]] = OrderedDict()
        self._rated: dict[str, tuple[float, list[Row], list[dict[str, Any]]]] = {}

    # -- the views -------------------------------------------------------------------------------

    def scoreboard(self, line: str, viewer: str, upto: int = LATEST) -> dict[str, Any]:
        """The points, beside them what the title shows of the table, and the points of every seat over time."""
        version, rows = self._rows(scoreboard.name, line, viewer, upto)
        points, history = rows[-1][4] if rows else {}, scoreboard.history(rows)
        return {
            "line": line,
            "version": version,
            "points": points,
            "scores": self._scores(line, viewer, version),
            "history": history,
        }

    def _scores(self, line: str, viewer: str, version: int) -> list[dict[str, Any]]:
        where = line, viewer, version
        with self._shelf:
            found = self._scored.get(where)
        if found is None:
            log = self._log(line)
            found = msgspec.to_builtins(log.title.score(log.table(viewer, version))) if version else []
            with self._shelf:
                self._scored[where] = found
                while len(self._scored) > SCORES_KEPT:
                    self._scored.popitem(last=False)
        return found

    def diplomacy(self, line: str, viewer: str, upto: int = LATEST) -> dict[str, Any]:
        """How everybody stands to everybody, and how that came about."""
        version, rows = self._rows(diplomacy.name, line, viewer, upto)
        return {"line": line, "version": version, "relations": diplomacy.now(rows), "history": diplomacy.history(rows)}

    def timeline(self, line: str, viewer: str, upto: int = LATEST, lines: Collection[str] = ()) -> dict[str, Any]:
        """Decisions, marks, undos and branches; of branches, those among `lines`, which whoever asks may know of."""
        version, rows = self._rows(timeline.name, line, viewer, upto)
        known = [other for other in self._store.lines(self._store.line(line).match) if other.id in lines and other.at <= version]
        ancestors = {name for name, _, _ in self._lineage(line)}
        branches = timeline.branches(known, ancestors)
        return {"line": line, "version": version, "moments": timeline.moments(rows), "branches": branches}

    def inbox(self, line: str | None = None, seat: str | None = None) -> dict[str, Any]:
        """Whom the game waits for: on one line, or on all of them."""
        if line is not None:
            said = self._waiting(line)
            mine = [ask for ask in said["waiting"] if seat in (None, ask["seat"])]
            return {"line": line, **{name: said[name] for name in ("version", "anybody", "over")}, "waiting": mine}
        edition, bodies = self._steadily(inbox.name, self._documents.all)
        found = []
        for name, body in bodies.items():
            said = unpack(body)[1] if name != PARKED else {}
            if "waiting" in said:
                about = {name: said[name] for name in ("line", "match", "title", "version")}
                found += [{**about, **ask} for ask in said["waiting"] if seat in (None, ask["seat"])]
        found.sort(key=lambda ask: (ask["since"], ask["line"], ask["seat"]))
        return {"version": self._documents.standing(edition).position, "waiting": found}

    def chronicle(
        self,
        line: str,
        viewer: str,
        after: int = 0,
        limit: int = PAGE_OF_CHRONICLE,
        language: str = "en",
        upto: int = LATEST,
    ) -> dict[str, Any]:
        """The log in sentences after a version; `next` is where to go on, None at the end."""
        log = self._log(line)
        _known(viewer, log.schema.seats)
        version = min(log.head, upto)
        end = min(version, after + limit)
        undos = [undo for undo in self._undos(log) if undo[1] <= version]
        entries = chronicle.told(log.title, log.events(viewer, after, end), undos, self._translate(language))
        return {"line": line, "version": version, "entries": entries, "next": end if end < version else None}

    def standings(self, title: str) -> dict[str, Any]:
        """Ratings from all finished games of a title."""
        name = key("title", title)
        edition, (_, [(_, rows)]) = self._steadily(standings.name, lambda edition: _read(self._documents, edition, name, name))
        rated = self._rated.get(title)
        if rated is None or rated[1] != rows or time.monotonic() - rated[0] > RATED_FOR:
            ratings = standings.ratings([standings.Result(*row) for row in rows], self._players)
            rated = self._rated[title] = time.monotonic(), rows, ratings
        return {"title": title, "version": self._documents.standing(edition).position, "ratings": rated[2]}

    # -- reading one's own writes ----------------------------------------------------------------

    def position(self) -> int:
        """How far all views are; 0 while one of them is being built."""
        found = [in_force(self._documents, view) for view in VIEWS]
        return min(self._documents.standing(edition).position if edition is not None else 0 for edition in found)

    def wait(self, position: int | None = None, timeout: float = 1.0) -> bool:
        """Wait until every view has come to a position of the feed (by default its end); whether they have."""
        position = self._store.position() if position is None else position
        until, sleep = time.monotonic() + timeout, FIRST_SLEEP
        while True:
            try:
                if self.position() >= position:
                    return True
            except (Unavailable, Lost):
                pass
            if time.monotonic() + sleep > until:
                return False
            time.sleep(sleep)
            sleep = min(2 * sleep, LONGEST_SLEEP)

    def parked(self) -> list[dict[str, Any]]:
        """Lines that stand still in a view, and why."""
        return parked(self._documents)

    def status(self) -> dict[str, Any]:
        """For readiness and metrics, from any process."""
        position = self.position()
        return {"position": position, "behind": max(0, self._store.position() - position), "parked": self.parked()}

    # -- documents -------------------------------------------------------------------------------

    def _steadily(self, view: str, read: Callable[[Edition], T]) -> tuple[Edition, T]:
        """Read from the edition in force, again if another one was put in force meanwhile."""
        while True:
            edition = in_force(self._documents, view)
            if edition is None:
                raise Unavailable(f"the {view} are being built; try again in a moment")
            found = read(edition)
            if in_force(self._documents, view) == edition:
                return edition, found

    def _rows(self, view: str, line: str, viewer: str, upto: int) -> tuple[int, list[Row]]:
        """A line's version and a viewer's rows, those of its ancestors as far as they are its own."""
        try:
            edition = in_force(self._documents, view)
            if edition is not None:
                return self._kept(self._documents, edition, line, viewer, upto)
        except (Unavailable, _Missing):
            pass
        folded = self._fold(line)
        edition = folded.current(view)
        assert edition is not None
        return self._kept(folded, edition, line, viewer, upto)

    def _kept(self, documents: Documents, edition: Edition, line: str, viewer: str, upto: int) -> tuple[int, list[Row]]:
        merged = timeline.merged if edition.view == timeline.name else parted
        found: list[Row] = []
        version = 0
        for name, after, to in self._lineage(line):
            if name == line and after and not self._store.head(name):
                version = after  # a branch on which nothing has happened yet
                continue
            whose = [SPECTATOR] if viewer == SPECTATOR else [SPECTATOR, viewer]
            stands, read = _read(documents, edition, name, *(key(name, one) for one in whose))
            if stands is None:
                raise _Missing
            version, _, seats = unpack(stands)
            _known(viewer, seats)
            if name != line and version < to:
                raise _Missing  # the branch is known before its parent has come so far
            (_, rows), *own = read
            found += [row for row in (merged(rows, *own[0]) if own else rows) if after < row[0] <= min(to, upto)]
        return min(version, upto), found

    def _lineage(self, line: str) -> list[tuple[str, int, int]]:
        """Which lines hold which versions of a line, oldest first: (line, after, up to)."""
        found: list[tuple[str, int, int]] = []
        kept: Line = self._store.line(line)
        upto = LATEST
        while True:
            found.append((kept.id, kept.at, upto))
            if not kept.parent:
                return found[::-1]
            upto = min(upto, kept.at)
            kept = self._store.line(kept.parent)

    def _log(self, line: str) -> Log:
        with self._shelf:
            found = self._logs.get(line)
        if found is None:
            kept = self._store.line(line)
            match = self._store.match(kept.match)
            found = Log(self._store, self._titles.get(match.title), match, kept)
            with self._shelf:
                self._logs[line] = found
                while len(self._logs) > KEPT:
                    self._logs.popitem(last=False)
        return found

    def _undos(self, log: Log) -> list[Sequence[int]]:
        """Every undo on a line and its ancestors: the kept ones, and those of the log that are newer."""
        found: list[Sequence[int]] = []
        version = 0
        try:
            edition = in_force(self._documents, timeline.name)
            for name, after, to in self._lineage(log.line.id) if edition is not None else ():
                assert edition is not None
                stands, body = self._documents.get(edition, [name, key(name, SPECTATOR)])
                if stands is None or body is None:
                    break
                version = min(unpack(stands)[0], to)
                found += [undo for undo in unpack(body)[1] or () if after < undo[1] <= to]
                if version < to != LATEST:
                    break
        except Unavailable:
            pass
        return found + [(item.answer, item.version) for item in log.raw(version) if item.kind == UNDONE]

    def _waiting(self, line: str) -> dict[str, Any]:
        try:
            edition = in_force(self._documents, inbox.name)
            if edition is not None:
                (body,) = self._documents.get(edition, [key(line, SPECTATOR)])
                said = unpack(body)[1] if body else {}
                if "waiting" in said:
                    return dict(said)
        except Unavailable:
            pass
        kept = self._store.line(line)
        if kept.parent and not self._store.head(line):
            return self._waiting_where_it_starts(kept)
        folded = self._fold(line)
        edition = folded.current(inbox.name)
        assert edition is not None
        (body,) = folded.get(edition, [key(line, SPECTATOR)])
        said = unpack(body)[1] if body else {}
        if "waiting" not in said:
            raise Unavailable(f"nobody can say at the moment whom line {line} waits for: the rules disagree with its log")
        return dict(said)

    def _waiting_where_it_starts(self, line: Line) -> dict[str, Any]:
        """Whom a branch on which nothing has happened yet waits for."""
        game = Game(self._store, self._titles, line.id, line.at)
        game.find_tail()
        head: Any = None
        for event in self._log(line.id).raw(max(0, line.at - LONGEST_ROUND), line.at):
            head, _ = inbox.fold(head, game.moment(SPECTATOR, event))
        return {"version": line.at, **inbox.waiting(head, game.run())}

    def _fold(self, line: str) -> MemoryDocuments:
        """A line and its ancestors folded on the spot."""
        head = self._store.head(line)
        with self._shelf:
            kept = self._folded.get(line)
        if kept is not None and kept[0] == head:
            return kept[1]
        documents = MemoryDocuments()
        editions = [Edition(name, view.schema, 1) for name, view in VIEWS.items() if name != standings.name]
        fan = Fan(self._store, self._titles, documents, editions)
        position = 0
        for name, after, upto in self._lineage(line):
            events = self._store.read(name, after, upto)
            if events:
                fan.take([(position + n, name, event) for n, event in enumerate(events, 1)])
                position += len(events)
        for edition in editions:
            documents.flip(edition)
        with self._shelf:
            self._folded[line] = head, documents
            while len(self._folded) > KEPT:
                self._folded.popitem(last=False)
        return documents


def _read(documents: Documents, edition: Edition, beside: str, *names: str) -> tuple[bytes | None, list[tuple[Any, list[Row]]]]:
    """The bytes of one document, and the head and all rows of others, as of one moment: what grew meanwhile is read again."""
    known: list[str] = []
    while True:
        other, *bodies = documents.get(edition, [beside, *names, *known])
        heads = [unpack(body) if body else (0, None) for body in bodies[: len(names)]]
        due = [pages(name, n) for name, (n, _) in zip(names, heads)]
        if (flat := [page for some in due for page in some]) == known:
            parts = iter(bodies[len(names) :])
            if None in bodies[len(names) :]:
                raise _Missing
            return other, [(head, [row for _ in some for row in unpack(next(parts) or b"")]) for (_, head), some in zip(heads, due)]
        known = flat


def _known(viewer: str, seats: Sequence[str]) -> None:
    if viewer not in (*seats, SPECTATOR, ARBITER):
        raise NotFound(f"there is no viewer {viewer!r}")
