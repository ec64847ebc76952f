"""The fan: one pass over the feed feeds every view. Batches are folded in memory and written once, documents and position together.

An event that a view cannot digest is parked: the line stands still in that view, visibly, until it is tried again; all others go on.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Any

import structlog

from domain.kernel.errors import BrokenLog, ChanceryError, NotFound, Refused, SchemaError
from domain.kernel.event import ADVANCED, UNDONE, Event
from domain.kernel.schema import ARBITER, SPECTATOR
from domain.kernel.title import END
from domain.log import Store
from projections import diplomacy, inbox, scoreboard, standings, timeline
from projections.derived import Derived
from projections.game import Game, Titles
from projections.stores import Change, Documents, Edition
from projections.view import PAGE, Document, Moment, View, key, pack, page_key, unpack

GAMES_KEPT = 512
PARKED = "parked"

# What may be wrong with a line itself, as opposed to a database that does not answer.
SPOILT = (NotFound, BrokenLog, SchemaError, Refused)

VIEWS: dict[str, View] = {view.name: view for view in (scoreboard, diplomacy, timeline, inbox, standings)}

log = structlog.get_logger(__name__)

Notices = Sequence[tuple[int, str, Event]]


class Sheet:
    """One edition in the making: where it stands, what it has parked, what has to be written."""

    def __init__(self, edition: Edition, documents: Documents) -> None:
        self.edition, self.view = edition, VIEWS[edition.view]
        self.standing = documents.standing(edition)
        (kept,) = documents.get(edition, [PARKED])
        self.parked: dict[str, dict[str, Any]] = unpack(kept) if kept else {}
        self.stands: dict[str, tuple[int, int]] = {}  # (version, at) of every line that went on since the last commit
        self.puts: dict[str, bytes] = {}

    def park(self, line: str, version: int, error: Exception, upto: int = 0) -> None:
        """Leave a line standing before this version."""
        log.error("view parked", view=self.view.name, line=line, version=version, error=repr(error))
        why = str(error) if isinstance(error, ChanceryError) else repr(error)
        self.parked[line] = {"view": self.view.name, "line": line, "version": version, "upto": max(version, upto), "error": why}
        self.puts[PARKED] = pack(self.parked)

    def skip(self, line: str, version: int) -> None:
        """One more event of a parked line to be caught up with."""
        self.parked[line]["upto"] = max(version, self.parked[line]["upto"])
        self.puts[PARKED] = pack(self.parked)

    def release(self, line: str) -> int:
        """Let a line go on; the newest version that was skipped."""
        upto: int = self.parked.pop(line)["upto"]
        self.puts[PARKED] = pack(self.parked)
        return upto


class Fan:
    """Folds notices into the documents of some editions. Throw it away when a commit fails: what it remembers is not stored."""

    def __init__(self, store: Store, titles: Titles, documents: Documents, editions: Iterable[Edition]) -> None:
        self._store, self._titles, self._documents = store, titles, documents
        self.sheets = {edition.view: Sheet(edition, documents) for edition in editions}
        self._games: OrderedDict[str, Game] = OrderedDict()
        self._standings: dict[str, Document] = {}
        self._broken: set[str] = set()  # lines whose table is not to be trusted after this batch
        self._folds = {
            timeline.name: self._timeline,
            scoreboard.name: self._scoreboard,
            diplomacy.name: self._diplomacy,
            inbox.name: self._inbox,
            standings.name: self._places,
        }

    @property
    def position(self) -> int:
        """Everything up to here is in every view."""
        return min((sheet.standing.position for sheet in self.sheets.values()), default=0)

    # -- batches ---------------------------------------------------------------------------------

    def take(self, notices: Notices) -> None:
        """Fold a batch that ends with a whole decision, and commit it."""
        start, new = self.position, list[tuple[int, str, Event]]()
        for notice in notices:
            if notice[0] > (new[-1][0] if new else start):
                new.append(notice)
        sheets = list(self.sheets.values())
        apart = any(sheet.standing.position > start for sheet in sheets)
        for (position, line, event), after in zip_longest(new, new[1:]):
            behind = [sheet for sheet in sheets if sheet.standing.position < position] if apart else sheets
            self._event(line, event, after is None or after[2].kind != ADVANCED, behind)
        self._close(self._games)
        self.commit(new[-1][0] if new else start)
        while self._broken or len(self._games) > GAMES_KEPT:
            self._games.pop(self._broken.pop() if self._broken else next(iter(self._games)), None)

    def spoilt(self, position: int, line: str, version: int, error: Exception) -> None:
        """An event that cannot even be read: its line stands still in every view."""
        for sheet in self.sheets.values():
            if sheet.standing.position < position:
                sheet.skip(line, version) if line in sheet.parked else sheet.park(line, version, error)
        self._games.pop(line, None)
        self.commit(position)

    def retry(self, view: str, line: str) -> bool:
        """Try a parked line again from the event it stands before; whether it has caught up."""
        sheet = self.sheets[view]
        version, upto = sheet.parked[line]["version"], sheet.release(line)
        self._games.pop(line, None)
        game, failed = None, None
        try:
            game = self._load(line, version - 1)
            events = self._store.read(line, version - 1, upto)
            for event, after in zip_longest(events, events[1:]):
                version = event.version
                touched = game.apply(event)
                public = game.moment(SPECTATOR, event, asks=after is None or after.kind != ADVANCED)
                self._folds[view](game, event, touched, public)
                sheet.stands[line] = event.version, event.at
        except Exception as error:
            failed = error
        if game is not None:
            self._close({line: game})
        if failed is not None:
            sheet.park(line, version, failed, upto)
        elif line in sheet.parked:
            sheet.skip(line, upto)
        self.commit(self.position)
        return line not in sheet.parked

    def commit(self, position: int) -> None:
        """Write what has changed, and that every edition has come this far."""
        changes: dict[Edition, Change] = {}
        for sheet in self.sheets.values():
            since = sheet.standing
            if since.position < position or sheet.puts or not since.revision:
                changes[sheet.edition] = Change(since, max(position, since.position), sheet.puts)
        if changes:
            self._documents.commit(changes)
        for sheet in self.sheets.values():
            if sheet.edition in changes:
                sheet.standing, sheet.puts = changes[sheet.edition].standing, {}

    # -- one event -------------------------------------------------------------------------------

    def _event(self, line: str, event: Event, asks: bool, sheets: Sequence[Sheet]) -> None:
        """Fold one event into some views; `asks` if the game stands at a question after it."""
        for sheet in sheets:
            if line in sheet.parked:
                sheets = self._unparked(line, event, sheets)
                break
        if not sheets:
            return
        try:
            game = self._games.get(line)
            if game is None or game.version != event.version - 1:
                game = self._games[line] = self._load(line, event.version - 1)
            self._games.move_to_end(line)
            touched = game.apply(event)
        except SPOILT as error:
            self._broken.add(line)
            for sheet in sheets:
                sheet.park(line, event.version, error)
            return
        public = game.moment(SPECTATOR, event, asks=asks)
        for sheet in sheets:
            try:
                self._folds[sheet.view.name](game, event, touched, public)
                sheet.stands[line] = event.version, event.at
            except Exception as error:
                sheet.park(line, event.version, error)

    def _unparked(self, line: str, event: Event, sheets: Sequence[Sheet]) -> Sequence[Sheet]:
        for sheet in sheets:
            if line in sheet.parked:
                sheet.skip(line, event.version)
        return [sheet for sheet in sheets if line not in sheet.parked]

    def _load(self, line: str, version: int) -> Game:
        """A line as it stood after a version, with its documents."""
        game = Game(self._store, self._titles, line, version)
        for name, sheet in self.sheets.items():
            if name != standings.name:
                stored = self._stored(sheet, [key(line, viewer) for viewer in game.viewers])
                game.documents.update({(name, viewer): document for viewer, document in zip(game.viewers, stored)})
        if version and version == game.line.at:
            self._begin(game)
        return game

    def _begin(self, game: Game) -> None:
        """A branch starts with the relations it finds: they are nothing new."""
        document = game.documents.get((diplomacy.name, SPECTATOR))
        if document is None or document.head is not None:
            return
        game.relations.update(game.table, game.viewers)
        told = game.relations.said(SPECTATOR)
        document.add(told, ())
        for viewer in game.viewers:
            if (said := game.relations.said(viewer)) != told:
                game.documents[diplomacy.name, viewer].add([game.version, said], ())

    def _stored(self, sheet: Sheet, keys: Sequence[str]) -> list[Document]:
        heads = [unpack(body) if body else (0, None) for body in self._documents.get(sheet.edition, keys)]
        last = [page_key(name, (n - 1) // PAGE) for name, (n, _) in zip(keys, heads) if n]
        pages = dict(zip(last, self._documents.get(sheet.edition, last)))
        found = []
        for name, (n, head) in zip(keys, heads):
            page = pages.get(page_key(name, (n - 1) // PAGE)) if n else None
            found.append(Document(name, n, head, unpack(page) if page else None))
        return found

    # -- which documents an event may change -----------------------------------------------------

    def _timeline(self, game: Game, event: Event, touched: set[str], public: Moment) -> None:
        """The public's rows, and rows of their own for those who see it otherwise."""
        document = game.documents[timeline.name, SPECTATOR]
        head, rows = timeline.fold(document.head, public)
        for viewer in game.sights.privy(event, touched):
            _, own = timeline.fold(None, game.moment(viewer, event))
            if own != rows:
                game.documents[timeline.name, viewer].add(None, own)
        document.add(head, rows)

    def _scoreboard(self, game: Game, event: Event, touched: set[str], public: Moment) -> None:
        self._derive(scoreboard, game, game.points, public)

    def _diplomacy(self, game: Game, event: Event, touched: set[str], public: Moment) -> None:
        self._derive(diplomacy, game, game.relations, public)

    def _derive(self, view: View, game: Game, derived: Derived, public: Moment) -> None:
        """What the title says at every question; of the event that led there, what is public will do.

        A viewer has a document of their own from where they are told something else than the public, not before.
        """
        if not public.asks or not (derived.update(game.table, game.viewers) or public.event.kind == UNDONE):
            return
        document, told = game.documents[view.name, SPECTATOR], derived.said(SPECTATOR)
        before = document.head
        head, rows = view.fold(before, public._replace(said=told))
        if rows or head is not before:
            document.add(head, rows)
        for viewer in game.viewers:
            own, said = game.documents[view.name, viewer], derived.said(viewer)
            if viewer == SPECTATOR or (own.head is None and (said is told or said == told)):
                continue
            since, was = own.head or (public.event.version, before)
            head, rows = view.fold(was, public._replace(viewer=viewer, said=said))
            if rows or head is not was or own.head is None:
                own.add([since, head], rows)

    def _inbox(self, game: Game, event: Event, touched: set[str], public: Moment) -> None:
        document = game.documents[inbox.name, SPECTATOR]
        before = document.head and document.head["asked"]
        head, _ = inbox.fold(before, public)
        if head is not before:
            document.head = {"asked": head}

    def _places(self, game: Game, event: Event, touched: set[str], public: Moment) -> None:
        """One document for each title. An end is never simply taken back: a match that goes on after it does so on another line."""
        if "step" not in touched or public.step != END:
            return
        name = key("title", game.title.id)
        document = self._standings.get(name)
        if document is None:
            (document,) = self._stored(self.sheets[standings.name], [name])
            self._standings[name] = document
        points = {score.seat: score.points for score in game.title.score(game.table.copy())}
        said = game.match.id, game.line.id, list(game.title.winners(game.table.copy())), points
        document.add(*standings.fold(document.head, game.moment(ARBITER, event, said)))

    # -- the end of a batch ----------------------------------------------------------------------

    def _close(self, games: dict[str, Game]) -> None:
        """Ask the rules whom each line that went on waits for, once; then note what has to be written."""
        for name, sheet in self.sheets.items():
            if name == standings.name:
                for document in self._standings.values():
                    if document.changed:
                        sheet.puts.update(document.taken())
                continue
            for line, (version, at) in sheet.stands.items():
                game = games[line]
                if name == inbox.name:
                    self._ask(sheet, game)
                else:
                    sheet.puts[line] = pack([version, at, game.schema.seats])
                for viewer in game.viewers:
                    document = game.documents[name, viewer]
                    if document.changed:
                        sheet.puts.update(document.taken())
            sheet.stands.clear()

    def _ask(self, sheet: Sheet, game: Game) -> None:
        document = game.documents[inbox.name, SPECTATOR]
        about = {"line": game.line.id, "match": game.match.id, "title": game.title.id, "version": game.version}
        head = {"asked": document.head["asked"], **about}
        if game.line.id not in sheet.parked:
            game.find_tail()
            try:
                head.update(inbox.waiting(head["asked"], game.run()))
            except Exception as error:
                sheet.park(game.line.id, game.version, error)
        document.add(head, ())
