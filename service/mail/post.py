"""The post: takes mails in, goes its rounds through the matches, sends mails out. One for a process; several do no harm."""

from __future__ import annotations

import threading
import time
from typing import Any

import structlog

from domain.kernel.errors import ChanceryError
from domain.match import FINISHED, RUNNING
from service.mail.desk import Desk, Outcome
from service.mail.office import Office
from service.mail.outbox import Postbox, Smtp
from service.mail.reader import Reader
from service.mail.rounds import Rounds
from service.store import BrokenRow

TICK = 1.0
SWEEP = 60.0  # seconds after which every running match is looked at, whether it changed or not
CHUNK = 1_000

log = structlog.get_logger(__name__)


class Post:
    """Deliver, go round, send."""

    def __init__(self, office: Office, postbox: Postbox | None = None, reader: Reader | None = None) -> None:
        self.office = office
        self._reader = reader or Reader()
        self.desk = Desk(office, self._reader)
        self._rounds = Rounds(office)
        self._postbox = postbox or (Smtp(office.settings.mail_out) if office.settings.mail_out else None)
        self._position = 0
        self._facts: dict[str, int] = {}
        self._moments: dict[str, int] = {}
        self._swept = float("-inf")
        self._wake, self._stopped = threading.Event(), threading.Event()
        self._thread: threading.Thread | None = None

    def deliver(self, raw: bytes, recipient: str, envelope: str | None = None) -> Outcome:
        outcome = self.desk.deliver(raw, recipient, envelope)
        self._wake.set()
        return outcome

    # -- rounds ----------------------------------------------------------------------------------

    def round(self) -> int:
        """Everything that is to be done now; how many mails went out."""
        self.desk.leftovers()
        for id in sorted(self._due()):
            self.look_after(id)
        return self.send()

    def sweep(self) -> None:
        """Look at every match in the next round."""
        self._swept = float("-inf")

    def look_after(self, id: str) -> None:
        """One match; a match that fails does not hold up the others."""
        try:
            self._rounds.go(id)
            now = self.office.clock.now()
            moment = self.office.calendar(id).next_moment(now)
            self._moments.pop(id, None)
            if moment is not None:
                self._moments[id] = moment
        except ChanceryError as failed:
            log.error("a match stands still", match=id, error=type(failed).__name__)

    def send(self) -> int:
        """Send until nothing is due."""
        sent = 0
        while self._postbox is not None and (more := self.office.outbox.send(self._postbox)):
            sent += more
        return sent

    def _due(self) -> set[str]:
        """Matches that went on, whose facts changed, whose moment has come; all of them now and then."""
        found = self._changed()
        facts: dict[str, int] = {}
        for table in ("mail_facts", "facts"):
            for id, count in self.office.database.read(f"SELECT match, count(*) FROM {table} GROUP BY match"):
                facts[id] = facts.get(id, 0) + count
        found |= {id for id, count in facts.items() if self._facts.get(id) != count}
        self._facts = facts
        now = self.office.clock.now()
        found |= {id for id, moment in self._moments.items() if moment <= now}
        if time.monotonic() - self._swept >= SWEEP:
            self._swept = time.monotonic()
            found |= set(self._all())
        return found

    def _changed(self) -> set[str]:
        store: Any = self.office.matches.store
        newest, found = store.position(), set()
        if not self._position:
            self._position = newest  # the first sweep looks at all of them
        while self._position < newest:
            try:
                notices = store.notifications(self._position, CHUNK)
            except BrokenRow as broken:
                self._position = broken.position  # its line stands still, the others go on
                continue
            if not notices:
                break
            found |= {store.line(notice.line).match for notice in notices}
            self._position = notices[-1].position
        return {id for id in found if self.office.database.read("SELECT 1 FROM matches WHERE id = ?", id)}

    def _all(self) -> list[str]:
        rows = self.office.database.read(
            "SELECT id FROM matches WHERE state = ? OR (state = ? AND id IN"
            " (SELECT match FROM outbox GROUP BY match HAVING sum(CASE WHEN kind = 'ended' THEN 1 ELSE 0 END) = 0))",
            RUNNING,
            FINISHED,
        )
        return [row[0] for row in rows]

    # -- the thread ------------------------------------------------------------------------------

    def start(self) -> Post:
        self._thread = threading.Thread(target=self._run, name="post", daemon=True)
        self._thread.start()
        return self

    def _run(self) -> None:
        while not self._stopped.is_set():
            self._wake.clear()
            try:
                self.round()
            except Exception as failed:
                log.error("the post starts again", error=type(failed).__name__)
            self._wake.wait(TICK)

    def stop(self) -> None:
        self._stopped.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join(timeout=30)
        self._reader.close()
        if isinstance(self._postbox, Smtp):
            self._postbox.close()
