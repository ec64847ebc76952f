"""Live updates: who waits is woken when something changed, then reads the log itself.

A wake-up carries no content, so it cannot leak and may be lost: what was missed is read from the log by version.
"""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from typing import Any

import redis
import structlog

STREAM = "chancery:live"
KEPT = 10_000
RETRY_SECONDS = 1.0
BLOCK_MILLISECONDS = 5_000

log = structlog.get_logger(__name__)


class Topic:
    """One thing to wait for. `beat` counts how often it was called."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.beat = 0


class Feed:
    """Wake-ups inside one process."""

    def __init__(self) -> None:
        self._topics: defaultdict[str, Topic] = defaultdict(Topic)
        self.closed = False

    def publish(self, *topics: str) -> None:
        """Wake everybody who waits for one of these."""
        self._wake(topics)

    def _wake(self, topics: tuple[str, ...]) -> None:
        for name in topics:
            topic = self._topics.get(name)
            if topic is not None:
                with topic.changed:
                    topic.beat += 1
                    topic.changed.notify_all()

    def beat(self, name: str) -> int:
        """Where a topic stands: take it before reading, give it to `wait` after."""
        return self._topics[name].beat

    def wait(self, name: str, beat: int, seconds: float) -> bool:
        """Sleep until the topic is called again; False if it was not within so many seconds."""
        topic = self._topics[name]
        with topic.changed:
            return topic.changed.wait_for(lambda: topic.beat != beat, seconds)

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

    def wait(self, name: str, beat: int, seconds: float) -> bool:
        with self._starting:
            if self._reader is None:
                self._reader = threading.Thread(target=self._read, name="live", daemon=True)
                self._reader.start()
        return super().wait(name, beat, seconds)

    def _read(self) -> None:
        last = "$"
        while not self.closed:
            try:
                for _, entries in self._redis.xread({STREAM: last}, count=500, block=BLOCK_MILLISECONDS) or ():
                    for entry, fields in entries:
                        self._wake(tuple(fields["topics"].split()))
                        last = entry
            except redis.RedisError:
                time.sleep(RETRY_SECONDS)
                last = "$"
                self._wake(tuple(self._topics))  # whatever was missed while Redis was away
