"""Live updates: who waits is woken when something changed, then reads the log itself.

A wake-up carries no content, so it cannot leak and may be lost: what was missed is read from the log by version.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from itertools import count
from typing import Any

import redis
import structlog

STREAM = "chancery:live"
KEPT = 10_000
RETRY_SECONDS = 1.0
BLOCK_MILLISECONDS = 5_000
TOPICS_KEPT = 5_000

_beats = count(1)

log = structlog.get_logger(__name__)


class Topic:
    """One thing to wait for. `beat` changes whenever it is called; no two topics ever start with the same one."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.beat = next(_beats)
        self.waiting = 0


class Feed:
    """Wake-ups inside one process."""

    def __init__(self) -> None:
        self._topics: dict[str, Topic] = {}
        self.closed = False

    def publish(self, *topics: str) -> None:
        """Wake everybody who waits for one of these."""
        self._wake(topics)

    def _wake(self, topics: Iterable[str]) -> None:
        for name in topics:
            topic = self._topics.get(name)
            if topic is not None:
                with topic.changed:
                    topic.beat = next(_beats)
                    topic.changed.notify_all()

    def _topic(self, name: str) -> Topic:
        return self._topics.get(name) or self._topics.setdefault(name, Topic())

    def beat(self, name: str) -> int:
        """Where a topic stands: take it before reading, give it to `wait` after."""
        return self._topic(name).beat

    def wait(self, name: str, beat: int, seconds: float) -> bool:
        """Sleep until the topic is called again; False if it was not within so many seconds."""
        topic = self._topic(name)
        with topic.changed:
            topic.waiting += 1
            woken = topic.changed.wait_for(lambda: topic.beat != beat, seconds)
            topic.waiting -= 1
            if not topic.waiting and len(self._topics) > TOPICS_KEPT:
                self._topics.pop(name, None)  # whoever still has a beat of it is woken by the new one's
        return woken

    def close(self) -> None:
        """Wake everybody for the last time: this process stops."""
        self.closed = True
        self._wake(tuple(self._topics))


class RedisFeed(Feed):
    """Wake-ups between processes over one Redis stream; one reader for each process, however many clients wait."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self._redis: Any = redis.Redis.from_url(url, socket_timeout=BLOCK_MILLISECONDS / 1000 + 5, decode_responses=True)
        self._reader: threading.Thread | None = None
        self._starting = threading.Lock()

    def publish(self, *topics: str) -> None:
        # Never fail a decision that is stored already because nobody can be told of it: clients look again by themselves.
        self._wake(topics)
        try:
            self._redis.xadd(STREAM, {"topics": " ".join(topics)}, maxlen=KEPT, approximate=True)
        except redis.RedisError as down:
            log.warning("live update not sent", error=type(down).__name__)

    def beat(self, name: str) -> int:
        """The reader stands at its place before anybody reads: a wake-up between reading and waiting is not missed."""
        with self._starting:
            if self._reader is None:
                self._reader = threading.Thread(target=self._read, args=(self._last(),), name="live", daemon=True)
                self._reader.start()
        return super().beat(name)

    def _last(self) -> str:
        try:
            newest = self._redis.xrevrange(STREAM, count=1)
        except redis.RedisError:
            return "0-0"
        return str(newest[0][0]) if newest else "0-0"

    def _read(self, last: str) -> None:
        while not self.closed:
            try:
                for _, entries in self._redis.xread({STREAM: last}, count=500, block=BLOCK_MILLISECONDS) or ():
                    self._wake({name for _, fields in entries for name in fields["topics"].split()})
                    last = entries[-1][0]
            except redis.RedisError:
                time.sleep(RETRY_SECONDS)
                self._wake(tuple(self._topics))  # whatever was missed while Redis was away
