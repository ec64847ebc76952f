"""What a request says in its headers: the version it answers, its idempotency key, how long it would wait."""

from __future__ import annotations

import re
from typing import Any

from flask import request
from webargs.flaskparser import abort
from werkzeug.exceptions import PreconditionRequired

VERSION = re.compile(r'(?:W/)?"?([0-9]{1,10})"?')
KEY = re.compile(r"[\x21-\x7e]{1,200}")
LONGEST_WAIT = 10.0

IF_MATCH: dict[str, Any] = {
    "in": "header",
    "name": "If-Match",
    "required": True,
    "description": "The version whose question you answer, as `version` said when you read it.",
    "schema": {"type": "string", "pattern": '^"?[0-9]{1,10}"?$'},
    "example": '"41"',
}
IDEMPOTENCY: dict[str, Any] = {
    "in": "header",
    "name": "Idempotency-Key",
    "required": False,
    "description": "Any text of your own: the request is carried out once, however often you send it with the same key.",
    "schema": {"type": "string", "pattern": "^[!-~]{1,200}$"},
}
PREFER: dict[str, Any] = {
    "in": "header",
    "name": "Prefer",
    "required": False,
    "description": "`wait=2` waits up to so many seconds for the view to have everything that is stored already.",
    "schema": {"type": "string"},
    "example": "wait=2",
}
LAST_EVENT: dict[str, Any] = {
    "in": "header",
    "name": "Last-Event-ID",
    "required": False,
    "description": "The id of the last event you got: the stream goes on after it.",
    "schema": {"type": "string"},
}


def expected() -> int:
    """The version a decision answers."""
    given = request.headers.get("If-Match")
    if given is None:
        raise PreconditionRequired
    found = VERSION.fullmatch(given.strip())
    if found is None:
        abort(422, messages={"headers": {"If-Match": ['A version, like "41".']}})
    return int(found[1])


def idempotency_key() -> str:
    given = request.headers.get("Idempotency-Key")
    if given is None:
        return ""
    if not KEY.fullmatch(given):
        abort(422, messages={"headers": {"Idempotency-Key": ["1 to 200 printable characters without spaces."]}})
    return given


def patience() -> float:
    """How many seconds a reader would wait for its own writes."""
    found = re.search(r"(?:^|[,;\s])wait=([0-9]{1,3})\b", request.headers.get("Prefer", ""))
    return min(float(found[1]), LONGEST_WAIT) if found else 0.0
