"""The HTTP API: blueprints by resource, an OpenAPI 3.1 document, problem documents for everything that goes wrong."""

from __future__ import annotations

from typing import Any

from flask import Flask, Response, g, request
from flask_smorest import Api
from webargs.flaskparser import abort
from werkzeug.exceptions import HTTPException
from werkzeug.routing import BaseConverter

from service.api import (
    accounts,
    analysis,
    court,
    docs,
    events,
    mail,
    matches,
    operations,
    play,
    problems,
    times,
    titles,
    treaties,
    views,
    who,
)
from service.api.limits import limiter

LARGEST_BODY = 64 * 1024
DESCRIPTION = (
    "The record of board games played by mail. Every answer is what the asker may see; what does not exist and what is hidden give the "
    "same 404. A decision names the version it answers (If-Match) and may carry an Idempotency-Key. Errors are problem documents "
    "(RFC 9457). Sign in at POST /api/v1/sign-ins, then send the token as Authorization: Bearer."
)
CONFIG: dict[str, Any] = {
    "API_TITLE": "Chancery",
    "API_VERSION": "1",
    "OPENAPI_VERSION": "3.1.0",
    "OPENAPI_URL_PREFIX": "/",
    "API_SPEC_OPTIONS": {
        "info": {"description": DESCRIPTION},
        "security": [{"bearer": []}],
        "components": {"securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}}},
    },
    "MAX_CONTENT_LENGTH": LARGEST_BODY,
    "JSON_SORT_KEYS": False,
}


class IdConverter(BaseConverter):
    """Ids of matches, lines, titles, tokens: what looks otherwise does not exist."""

    regex = "[a-z0-9-]{1,64}"


class ProblemApi(Api):
    """flask-smorest with problem documents for errors."""

    ERROR_SCHEMA = problems.Problem

    def _register_responses(self) -> None:
        self.DEFAULT_RESPONSE_CONTENT_TYPE = problems.JSON
        super()._register_responses()
        self.DEFAULT_RESPONSE_CONTENT_TYPE = "application/json"

    def handle_http_exception(self, error: HTTPException) -> Response:
        return problems.of_http(error)


def register(app: Flask, role: str = "all") -> Api:
    """Everything under /api/v1, /docs, /openapi.json and the routes for operators; of a streams process, the live streams only."""
    for name, value in CONFIG.items():
        app.config[name] = value
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.url_map.converters["id"] = IdConverter
    operations.register(app)
    app.before_request(_known)
    app.before_request(_json_only)
    limiter.init_app(app)
    api = ProblemApi(app)
    api.register_converter(IdConverter, lambda converter: {"type": "string", "pattern": f"^{IdConverter.regex}$"})
    for part in (
        (events,) if role == "streams" else (titles, accounts, matches, play, treaties, times, views, court, analysis, mail, events)
    ):
        api.register_blueprint(part.blueprint)
    docs.register(app, api)
    problems.register(app)
    app.after_request(_private)
    return api


def _ours() -> bool:
    return request.path.startswith("/api/")


def _known() -> None:
    """Who is asking is settled first: limits go by account, and a bad token is refused everywhere."""
    g.pop("account", None)
    if _ours():
        who.account()


def _json_only() -> None:
    """A body is JSON."""
    if _ours() and request.method in ("POST", "PUT", "PATCH") and request.content_length and request.mimetype != "application/json":
        abort(415)


def _private(response: Response) -> Response:
    """What a seat sees is kept by nobody in between; the tag follows from the bytes that are sent, so it tells no more than they do."""
    if _ours():
        response.headers.setdefault("Cache-Control", "private, no-store")
        response.headers["Vary"] = "Authorization, Cookie"
        if request.method == "GET" and response.status_code == 200 and not response.is_streamed:
            response.add_etag()
            response.make_conditional(request)
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    response.headers.setdefault("Referrer-Policy", "same-origin")
    response.headers.setdefault("Content-Security-Policy", "default-src 'self'; frame-ancestors 'none'; base-uri 'none'")
    return response
