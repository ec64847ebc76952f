"""The feed: every event of every line in the order in which it was stored, for projections."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import NamedTuple, Protocol, Self

from domain.kernel.event import Event
from service.store.application import BrokenRow

BATCH = 500
POLL = 0.5  # seconds until a reader looks for itself: other processes may write without a word


class Notice(NamedTuple):
    """One event of the feed; a reader that keeps the position can go on after it."""

    position: int
    line: str
    event: Event


class Bell(Protocol):
    """Wakes a reader when something was stored."""

    def wait(self, timeout: float) -> None: ...
    def ring(self) -> None: ...
    def close(self) -> None: ...


class LocalBell:
    """Rung by writers of this process."""

    def __init__(self, bells: set[LocalBell]) -> None:
        self._bells, self._rung = bells, threading.Event()
        bells.add(self)

    def wait(self, timeout: float) -> None:
        self._rung.wait(timeout)
        self._rung.clear()

    def ring(self) -> None:
        self._rung.set()

    def close(self) -> None:
        self._bells.discard(self)


def ring(bells: set[LocalBell]) -> None:
    """Tell every reader in this process."""
    for bell in tuple(bells):
        bell.ring()


class Feed:
    """Endless: waits for the next event. `with store.subscribe(after) as feed: for position, line, event in feed: ...`

    `stop`, from any thread, ends the loop. A row that cannot be read raises `BrokenRow` with its position; the feed then
    goes on after it if asked again.
    """

    def __init__(self, notifications: Callable[[int, int], list[Notice]], bell: Bell, gt: int) -> None:
        self._notifications, self._bell, self._position = notifications, bell, gt
        self._ready: deque[Notice] = deque()
        self._stopped = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self._bell.close()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Notice:
        while not self._stopped:
            if self._ready:
                notice = self._ready.popleft()
                self._position = notice.position
                return notice
            self._ready.extend(self._more())
            if not self._ready:
                self._bell.wait(POLL)
        raise StopIteration

    def _more(self) -> list[Notice]:
        try:
            return self._notifications(self._position, BATCH)
        except BrokenRow as broken:
            self._position = broken.position
            raise

    def stop(self) -> None:
        self._stopped = True
        self._bell.ring()
