"""Views in Redis. An edition is one hash: its documents and its position are one key, so that neither can be lost without the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import redis
import structlog
from redis.backoff import NoBackoff
from redis.retry import Retry

from projections.stores import Change, Conflict, Edition, Lost, Standing, Unavailable

PREFIX = "chancery"
TIMEOUT = 2.0

# Fields of the hash beside the documents; no document's name starts with "@".
POSITION, REVISION, FIELDS = "@position", "@revision", "@fields"

# One call does all: refuse what does not start where the edition stands, put the documents, advance.
# A field that vanished since the last call shows in the number of fields.
COMMIT = """
local at = redis.call('HMGET', KEYS[1], '@position', '@revision', '@fields')
if (at[1] or '0') ~= ARGV[1] or (at[2] or '0') ~= ARGV[2] then return 'conflict' end
if redis.call('HLEN', KEYS[1]) ~= tonumber(at[3] or '0') then return 'lost' end
for i = 4, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
redis.call('HSET', KEYS[1], '@position', ARGV[3], '@revision', ARGV[2] + 1, '@fields', 0)
redis.call('HSET', KEYS[1], '@fields', redis.call('HLEN', KEYS[1]))
return 'done'
"""

log = structlog.get_logger(__name__)


class RedisDocuments:
    def __init__(self, url: str, prefix: str = PREFIX) -> None:
        # Retrying is the runner's business: a call that is tried again blindly might be carried out twice.
        self._redis: Any = redis.Redis.from_url(
            url, socket_timeout=TIMEOUT, socket_connect_timeout=TIMEOUT, retry=Retry(NoBackoff(), 0), health_check_interval=10
        )
        self._prefix = prefix
        self._commit = COMMIT.strip()

    def warn(self) -> str:
        """What is wrong with how Redis is set up; it works all the same, but may forget."""
        try:
            policy = self._redis.config_get("maxmemory-policy").get("maxmemory-policy", "noeviction")
        except redis.RedisError:
            return ""  # not allowed to ask, or not there: not this question's business
        if policy == "noeviction":
            return ""
        return f"Redis may evict views (maxmemory-policy {policy}): set it to noeviction, or they are rebuilt again and again"

    def _pointer(self, view: str) -> str:
        return f"{self._prefix}:{{{view}}}:current"

    def _key(self, edition: Edition) -> str:
        return f"{self._prefix}:{{{edition.view}}}:{edition.schema}.{edition.build}"

    def current(self, view: str) -> Edition | None:
        with _available():
            named = self._redis.get(self._pointer(view))
        return Edition.parse(named.decode()) if named else None

    def flip(self, edition: Edition) -> None:
        with _available():
            kept = {self._key(edition), self._pointer(edition.view)}
            self._redis.set(self._pointer(edition.view), str(edition))
            for key in self._redis.scan_iter(match=f"{self._prefix}:{{{edition.view}}}:*", count=1000):
                if key.decode() not in kept:
                    self._redis.unlink(key)

    def standing(self, edition: Edition) -> Standing:
        with _available():
            position, revision, fields, held = (
                self._redis.pipeline()
                .hget(self._key(edition), POSITION)
                .hget(self._key(edition), REVISION)
                .hget(self._key(edition), FIELDS)
                .hlen(self._key(edition))
                .execute()
            )
        if int(fields or 0) != held:
            raise Lost(f"{edition} holds {held} fields, not {int(fields or 0)}")
        return Standing(int(position or 0), int(revision or 0))

    def check(self, edition: Edition) -> None:
        self.standing(edition)

    def get(self, edition: Edition, keys: Sequence[str]) -> list[bytes | None]:
        if not keys:
            return []
        with _available():
            found: list[bytes | None] = self._redis.hmget(self._key(edition), keys)
        return found

    def all(self, edition: Edition) -> dict[str, bytes]:
        with _available():
            found = self._redis.hgetall(self._key(edition))
        return {name.decode(): body for name, body in sorted(found.items()) if not name.startswith(b"@")}

    def commit(self, changes: Mapping[Edition, Change]) -> None:
        pipe = self._redis.pipeline(transaction=False)
        for edition, change in changes.items():
            flat: list[Any] = [change.since.position, change.since.revision, change.position]
            for name, body in change.puts.items():
                flat += (name, body)
            pipe.eval(self._commit, 1, self._key(edition), *flat)
        with _available():
            said = pipe.execute()
        if b"lost" in said:
            raise Lost("documents are missing from Redis")
        if b"conflict" in said:
            raise Conflict("somebody else wrote the views, or Redis lost them")

    def drop(self, edition: Edition) -> None:
        with _available():
            self._redis.unlink(self._key(edition))

    def close(self) -> None:
        self._redis.close()


@contextmanager
def _available() -> Iterator[None]:
    try:
        yield
    except redis.RedisError as down:
        raise Unavailable(f"Redis does not answer: {type(down).__name__}") from down
