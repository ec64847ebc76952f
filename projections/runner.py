"""The runner keeps the views up to date: one thread when embedded, one process in production, supervised either way.

It follows the feed, folds in batches when behind, starts again with a pause after any failure, rebuilds beside what is in force, and heals
by itself when the views are lost. Decisions never wait for it and never ask it.
"""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

import structlog

from domain import games
from domain.kernel.event import ADVANCED, Event
from domain.log import Store
from projections.fan import PARKED, VIEWS, Fan
from projections.game import Titles
from projections.stores import Conflict, Documents, Edition, Lost, Unavailable
from projections.view import unpack
from service.store.application import BrokenRow

FEW, MANY = 500, 20_000
TICK = 0.5
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 5.0
TRIES = 10

log = structlog.get_logger(__name__)


class FeedStore(Store, Protocol):
    """A store with a feed of all its lines."""

    def notifications(self, gt: int, limit: int) -> Sequence[tuple[int, str, Event]]: ...
    def position(self) -> int: ...
    def subscribe(self, gt: int = 0) -> Any: ...


def in_force(documents: Documents, view: str) -> Edition | None:
    """The edition readers may use: of this program's schema, and whole as far as can be seen at a glance."""
    edition = documents.current(view)
    if edition is None or edition.schema != VIEWS[view].schema:
        return None
    try:
        return edition if documents.standing(edition).revision else None
    except Lost:
        return None


def parked(documents: Documents) -> list[dict[str, Any]]:
    """Every line that stands still in a view: which, before which version, up to which it was skipped, and why."""
    found: list[dict[str, Any]] = []
    for view in VIEWS:
        edition = in_force(documents, view)
        (kept,) = documents.get(edition, [PARKED]) if edition else (None,)
        found += unpack(kept).values() if kept else ()
    return found


class Runner:
    """Start it once in a deployment; a second one does no harm, they only get in each other's way."""

    def __init__(self, store: FeedStore, documents: Documents, titles: Titles = games) -> None:
        self._store, self._documents, self._titles = store, documents, titles
        self._stopped = threading.Event()
        self._turn = threading.RLock()  # held while the fan folds and writes
        self._fan: Fan | None = None
        self._feed: Any = None
        self._building: set[str] = set()
        self._look = threading.Event()  # the watcher need not wait for its next turn
        self._threads: list[threading.Thread] = []
        self.restarts = 0
        self.error = ""

    # -- life ------------------------------------------------------------------------------------

    def start(self) -> Runner:
        for work in (self._follow, self._watch):
            thread = threading.Thread(target=self._supervised, args=(work,), name=f"views{work.__name__}", daemon=True)
            self._threads.append(thread)
            thread.start()
        return self

    def stop(self) -> None:
        """End after the batch in hand."""
        self._stopped.set()
        self._look.set()
        self._again()
        for thread in self._threads:
            thread.join(timeout=30)
        self._threads.clear()

    def _supervised(self, work: Any) -> None:
        """Do it again and again; after a failure with a pause that grows until something succeeds."""
        pause = FIRST_PAUSE
        while not self._stopped.is_set():
            try:
                work()
                pause = FIRST_PAUSE
            except Conflict as clash:
                log.info("views are read again", why=str(clash))
                self._stopped.wait(FIRST_PAUSE)
            except Exception as failed:
                self.restarts += 1
                self.error = f"{type(failed).__name__}: {failed}"
                log.warning("views start again", error=self.error, pause=pause)
                self._stopped.wait(pause)
                pause = min(2 * pause, LONGEST_PAUSE)

    def _again(self) -> None:
        """Let the follower look anew which editions are in force."""
        feed = self._feed
        if feed is not None:
            feed.stop()

    # -- following the feed ----------------------------------------------------------------------

    def _follow(self) -> None:
        editions = self._editions()
        fan = Fan(self._store, self._titles, self._documents, editions)
        missing = [view for view in VIEWS if view not in fan.sheets]
        if missing:
            self._building.update(missing)
            self._look.set()
        with self._store.subscribe(fan.position if editions else self._store.position()) as feed:
            self._fan, self._feed = fan, feed
            try:
                while not self._stopped.is_set():
                    if editions:
                        self._drain(fan, self._turn)
                    try:
                        next(feed)
                    except StopIteration:
                        return
                    except BrokenRow:
                        continue
            finally:
                self._fan = self._feed = None

    def _editions(self) -> list[Edition]:
        """What is in force and whole; what is not is dropped."""
        found = []
        for view in VIEWS:
            edition = self._documents.current(view)
            if edition is None:
                continue
            try:
                self._documents.check(edition)
            except Lost as lost:
                log.error("view lost", view=view, why=str(lost))
                self._documents.drop(edition)
            if in_force(self._documents, view) == edition:
                found.append(edition)
        return found

    def _drain(self, fan: Fan, turn: Any, upto: int | None = None) -> None:
        """Fold everything there is (or up to a position), in batches that grow while there is more."""
        limit = FEW
        while not self._stopped.is_set() and (upto is None or fan.position < upto):
            try:
                with _uncollected(limit > FEW):
                    notices = self._store.notifications(fan.position, limit)
                    if not notices:
                        return
                    whole = _whole(notices) if len(notices) == limit else notices
                    if whole:
                        with turn:
                            fan.take(whole)
                    if whole is not notices:
                        limit = min(2 * limit, MANY)
            except BrokenRow as broken:
                with turn:
                    fan.spoilt(broken.position, broken.line, broken.version, broken)

    # -- watching --------------------------------------------------------------------------------

    def _watch(self) -> None:
        """Build what is missing; notice when what is stored is not what was written: wiped, restored, rebuilt by somebody else."""
        self._look.wait(TICK)
        self._look.clear()
        if self._building:
            self._build(sorted(self._building))
            self._building.clear()
            self._again()
        else:
            with self._turn:
                if self._fan is not None and not self._stands(self._fan):
                    self._again()

    def _stands(self, fan: Fan) -> bool:
        """Whether all views are there as the fan left them."""
        documents = self._documents
        try:
            return len(fan.sheets) == len(VIEWS) and all(
                documents.current(view) == sheet.edition and documents.standing(sheet.edition) == sheet.standing
                for view, sheet in fan.sheets.items()
            )
        except Lost:
            return False

    # -- rebuilding ------------------------------------------------------------------------------

    def _build(self, views: Iterable[str], *, afresh: bool = False) -> None:
        """Build new editions beside those in force, then put them in force; goes on where it was interrupted, unless `afresh`."""
        editions = []
        for view in views:
            current = self._documents.current(view)
            same = current is not None and current.schema == VIEWS[view].schema
            edition = Edition(view, VIEWS[view].schema, current.build + 1 if current is not None and same else 1)
            try:
                self._documents.check(edition)
            except Lost:
                self._documents.drop(edition)
            if afresh:
                self._documents.drop(edition)
            editions.append(edition)
        fan = Fan(self._store, self._titles, self._documents, editions)
        fan.commit(0)  # also an empty edition has been written once
        for _ in range(TRIES):  # while others write it may never be quite at the end: near it will do
            end = self._store.position()
            with _uncollected(end > FEW):
                self._drain(fan, threading.Lock(), end)
            if self._store.position() <= end + FEW:
                break
        if not self._stopped.is_set():
            for edition in editions:
                self._documents.flip(edition)
            log.info("views built", editions=[str(edition) for edition in editions], position=fan.position)

    def rebuild(self, *views: str) -> None:
        """Build all views, or these, from the first event on, beside those in force; then flip."""
        self._build(views or list(VIEWS), afresh=True)
        self._again()

    # -- parked lines ----------------------------------------------------------------------------

    def parked(self) -> list[dict[str, Any]]:
        return parked(self._documents)

    def retry(self, line: str = "", view: str = "") -> list[dict[str, Any]]:
        """Try parked lines again (all, or one line or view); those that are still parked."""
        for _ in range(TRIES):
            with self._turn:
                fan = self._fan
                if fan is None:
                    fan = Fan(self._store, self._titles, self._documents, self._editions())
                try:
                    for name, sheet in fan.sheets.items():
                        for parked_line in list(sheet.parked):
                            if line in ("", parked_line) and view in ("", name):
                                fan.retry(name, parked_line)
                    return self.parked()
                except Conflict:
                    self._again()  # somebody else wrote at the same moment
            time.sleep(TICK)
        raise Unavailable("others write the views all the time: try again")

    # -- telling ---------------------------------------------------------------------------------

    def status(self) -> dict[str, Any]:
        """For readiness and metrics: how far the views are, what is parked, how often it had to start again."""
        fan = self._fan
        position = fan.position if fan is not None else 0
        found = {"position": position, "behind": max(0, self._store.position() - position), "building": sorted(self._building)}
        return {
            **found,
            "running": any(thread.is_alive() for thread in self._threads),
            "parked": self.parked(),
            "restarts": self.restarts,
            "error": self.error,
        }


@contextmanager
def _uncollected(many: bool) -> Iterator[None]:
    """While thousands of events are read and folded, looking for garbage among them would cost a third of the time."""
    if not many or not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _whole(notices: Sequence[tuple[int, str, Event]]) -> Sequence[tuple[int, str, Event]]:
    """Without the last decision, of which there may be more to come."""
    last = next((index for index in range(len(notices) - 1, -1, -1) if notices[index][2].kind != ADVANCED), 0)
    return notices[:last]
