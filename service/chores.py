"""What goes on without anybody asking: bots that were not done within a request, and games whose end was not noted."""

from __future__ import annotations

import threading

import structlog
from eventsourcing.persistence import ConnectionPoolClosedError

from domain.kernel.errors import ChanceryError
from service.matches import Matches

SECONDS = 1.0

log = structlog.get_logger(__name__)


class Chores:
    """Looks after the bots, a match at a time; in several processes at once it does no harm."""

    def __init__(self, matches: Matches) -> None:
        self._matches = matches
        self._seen: dict[str, int] = {}
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    def once(self) -> int:
        """Look at every match with bots that has gone on since the last time; how many answers they gave."""
        answers = 0
        running = self._matches.register.with_bots()
        for id in running:
            try:
                line = self._matches.register.load(id).line
                version = self._matches.store.head(line)
                if self._seen.get(id) != version:
                    answers += self._matches.drive(id)
                    self._seen[id] = self._matches.store.head(line) if not self._matches.waits_for_bots(id) else -1
            except ChanceryError as failed:
                log.error("bots stand still", match=id, error=type(failed).__name__)
        self._seen = {id: version for id, version in self._seen.items() if id in running}
        return answers

    def start(self) -> Chores:
        self._thread = threading.Thread(target=self._run, name="chores", daemon=True)
        self._thread.start()
        return self

    def _run(self) -> None:
        while not self._stopped.wait(SECONDS):
            try:
                self.once()
            except ConnectionPoolClosedError:
                return  # the service is closed: nothing is left to look after
            except Exception as failed:
                log.error("chores start again", error=type(failed).__name__)

    def stop(self) -> None:
        self._stopped.set()
        if self._thread is not None:
            self._thread.join(timeout=10)
