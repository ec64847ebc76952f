"""Everything that goes wrong, as a problem document (RFC 9457) that says what, why, by which rule, and what is legal instead.

What does not exist and what is not yours get the same answer, byte for byte.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import marshmallow as ma
import msgspec
import structlog
from eventsourcing.persistence import PersistenceError
from flask import Flask, Response, current_app, g, request
from werkzeug.exceptions import HTTPException, InternalServerError
from werkzeug.exceptions import NotFound as NoSuchRoute

from domain.kernel.errors import ChanceryError, NotAsked, NotFound, Refused, Stale
from domain.match import Forbidden
from projections import Unavailable as ViewsUnavailable
from service.accounts import NotSignedIn
from service.case import summary
from service.database import Unavailable
from service.matches import KeyReused
from service.register import Busy

JSON = "application/problem+json"
LONGEST = 500
NOT_FOUND = "There is no such thing here, or none that you may know of."

log = structlog.get_logger(__name__)


class Problem(ma.Schema):
    """A problem document."""

    type = ma.fields.String(required=True, metadata={"description": "Which kind of problem: stable, for programs."})
    title = ma.fields.String(required=True, metadata={"description": "The same for every problem of this type."})
    status = ma.fields.Integer(required=True)
    detail = ma.fields.String(required=True, metadata={"description": "What went wrong this time and what to do, in one sentence."})
    rule = ma.fields.String(metadata={"description": "The rule that refuses a decision, like `VQ 14.07`."})
    says = ma.fields.String(metadata={"description": "What that rule says."})
    legal = ma.fields.Raw(allow_none=True, metadata={"description": "What is legal instead."})
    errors = ma.fields.Dict(metadata={"description": "What is wrong with which part of the request."})
    version = ma.fields.Integer(metadata={"description": "The newest version, where yours is not."})


# type, title, status of our own errors; the first class that fits counts.
KINDS: tuple[tuple[type[Exception], str, str, int], ...] = (
    (NotAsked, "not-asked", "That question is not open", 409),
    (Refused, "refused", "The rules do not allow that", 422),
    (Stale, "stale", "The game has gone on", 412),
    (Busy, "busy", "Too many at once", 409),
    (KeyReused, "key-reused", "The idempotency key was used already", 422),
    (Forbidden, "forbidden", "That is not yours to do", 403),
    (NotSignedIn, "not-signed-in", "Who are you?", 401),
    (NotFound, "not-found", "Not found", 404),
    (Unavailable, "unavailable", "Try again later", 503),
    (ViewsUnavailable, "unavailable", "Try again later", 503),
)

# The words of the HTTP errors that the framework raises.
HTTP: Mapping[int, tuple[str, str]] = {
    400: ("bad-request", "The request cannot be read."),
    404: ("not-found", NOT_FOUND),
    405: ("wrong-method", "This address does not take that method; the Allow header says which it takes."),
    406: ("not-acceptable", "Only JSON is served here."),
    413: ("too-large", "The request is too large."),
    414: ("too-large", "The address is too long."),
    415: ("wrong-type", "Send the body as application/json."),
    422: ("invalid", "Some part of the request is not as described at /docs."),
    428: ("version-missing", "Say which version you answer: send it as If-Match."),
    429: ("too-many", "Too many requests: wait a little."),
    431: ("too-large", "The headers are too large."),
    500: ("fault", "Something is broken on our side. Nothing was changed; it has been noted."),
    503: ("unavailable", "This cannot be served now; try again in a moment."),
}


def problem(status: int, type: str, title: str, detail: str, **more: Any) -> Response:
    """A problem document as an answer."""
    body = {"type": f"/problems/{type}", "title": title, "status": status, "detail": _short(detail), **more}
    response = Response(msgspec.json.encode(body), status, mimetype=JSON)
    if status == 401:
        response.headers["WWW-Authenticate"] = 'Bearer realm="chancery"'
    if status in (429, 503):
        response.headers["Retry-After"] = "60" if status == 429 else "2"
    return response


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def of_ours(error: ChanceryError) -> Response:
    """One of our own errors. Whatever is missing or hidden gives the same words."""
    found = next((kind[1:] for kind in KINDS if isinstance(error, kind[0])), None)
    if found is None:
        return of_a_fault(error)
    if isinstance(error, NotFound):
        return missing()
    name, title, status = found
    more: dict[str, Any] = {}
    if isinstance(error, Refused):
        if error.rule:
            more["rule"] = error.rule
            if says := _says(error.rule):
                more["says"] = says
        if error.legal is not None:
            more["legal"] = error.legal
    if isinstance(error, Stale):
        more["version"] = error.actual
        if request.headers.get("If-Match") is None:
            status = 409
    detail = error.reason if isinstance(error, Refused) else str(error)
    return problem(status, name, title, detail, **more)


def _says(rule: str) -> str:
    """What a rule says, where the request is about a match."""
    match = (request.view_args or {}).get("match", "")
    try:
        return summary(current_app.extensions["chancery"].register.load(match).title, rule) if match else ""
    except ChanceryError:
        return ""


def missing() -> Response:
    return problem(404, "not-found", "Not found", NOT_FOUND)


def of_http(error: HTTPException) -> Response:
    """An error of the framework: unknown route, wrong method, too large, invalid."""
    status = error.code or 500
    if isinstance(error, NoSuchRoute):
        return missing()
    if error.response is not None and status < 400:
        return error.response  # type: ignore[return-value]
    type, detail = HTTP.get(status, ("http", error.description or error.name))
    more: dict[str, Any] = {}
    data = getattr(error, "data", None) or {}
    if messages := data.get("messages") or data.get("errors"):
        more["errors"] = messages
    response = problem(status, type, error.name, data.get("message") or detail, **more)
    for name, value in error.get_headers():
        if name in ("Allow", "Retry-After"):
            response.headers[name] = value
    return response


def of_a_fault(error: Exception) -> Response:
    """A bug or a broken log: said without detail, noted with where it happened, never with what was held."""
    log.error("fault", error=type(error).__name__, path=request.url_rule.rule if request.url_rule else "", exc_info=error)
    g.fault = True
    type_, detail = HTTP[500]
    return problem(500, type_, "Fault", detail)


def of_depth(error: RecursionError) -> Response:
    return problem(400, "bad-request", "Bad Request", "The request is nested too deeply.")


def of_the_store(error: PersistenceError) -> Response:
    """The database did not take it: nothing was acknowledged, try again."""
    log.error("store unavailable", error=type(error).__name__)
    return problem(503, "unavailable", "Try again later", "The database does not answer; try again in a moment.")


def register(app: Flask) -> None:
    app.register_error_handler(ChanceryError, of_ours)
    app.register_error_handler(RecursionError, of_depth)
    app.register_error_handler(PersistenceError, of_the_store)
    app.register_error_handler(InternalServerError, lambda error: of_a_fault(error.original_exception or error))
