"""Logs as lines of JSON, for machines first. What somebody holds, answers or signs in with never gets into them."""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import MutableMapping
from typing import Any

import structlog

# Never the value of one of these, whoever logs it.
SECRET = {"answer", "authorization", "cookie", "email", "invitation", "key", "link", "nonce", "password", "secret", "seed", "token"}
FRAMES = 12

Entry = MutableMapping[str, Any]


def without_secrets(_: Any, __: str, entry: Entry) -> Entry:
    for name in SECRET & set(entry):
        entry[name] = "(hidden)"
    return entry


def without_messages(_: Any, __: str, entry: Entry) -> Entry:
    """Where an error happened, not what it says: its words may name a card somebody holds."""
    error = entry.pop("exc_info", None)
    if error is True:
        error = sys.exc_info()[1]
    if isinstance(error, BaseException):
        frames = traceback.extract_tb(error.__traceback__)[-FRAMES:]
        entry["error"] = type(error).__name__
        entry["where"] = [f"{_short(frame.filename)}:{frame.lineno} {frame.name}" for frame in frames]
    return entry


def _short(path: str) -> str:
    return "/".join(path.split("/")[-3:])


def configure(level: int = logging.INFO) -> None:
    """Our own logs and those of the libraries, the same way, to standard error."""
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        without_messages,
        without_secrets,
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.make_filtering_bound_logger(level),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*shared],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, structlog.processors.JSONRenderer()],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
