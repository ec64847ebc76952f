"""Who is looking: the signed cookie, the form token, the headers every page carries, and errors as pages."""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

import structlog
from flask import Blueprint, Flask, Response, abort, current_app, g, redirect, render_template, request, session, url_for
from markupsafe import Markup
from werkzeug.exceptions import HTTPException

from domain.kernel.errors import ChanceryError, NotFound, Refused, Stale
from domain.match import Forbidden
from projections import Unavailable as ViewsUnavailable
from service.accounts import Account, NotSignedIn
from service.api import problems
from service.api.who import account
from service.court import Court
from service.database import Unavailable
from service.matches import KeyReused, Matches
from service.register import Busy
from service.web import draw, text

POLICY = (
    "default-src 'self'; img-src 'self' data:; style-src 'self'; script-src 'self'; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
YEAR = 31_536_000
AWAY_MINUTES = 15
LINES_REMEMBERED = 30

# The status of our own errors; the first class that fits counts.
STATUS: tuple[tuple[type[Exception], int], ...] = (
    (NotFound, 404),
    (NotSignedIn, 401),
    (Forbidden, 403),
    (Stale, 409),
    (Busy, 409),
    (KeyReused, 409),
    (Refused, 422),
    (Unavailable, 503),
    (ViewsUnavailable, 503),
)

log = structlog.get_logger(__name__)


# -- who ----------------------------------------------------------------------------------------------------


def matches() -> Matches:
    found: Matches = current_app.extensions["chancery"]
    return found


def court() -> Court:
    found: Court = current_app.extensions["court"]
    return found


def me() -> Account | None:
    """The account that is signed in."""
    return account()


def who() -> str:
    found = me()
    return found.id if found else ""


def signed_in() -> Account:
    """The account, or a way to the sign-in page and back."""
    found = me()
    if found is None:
        back = request.full_path.rstrip("?") if request.method == "GET" else _own(request.referrer)
        abort(redirect(url_for("web_lobby.sign_in", next=back or "/")))
    return found


def last_here(line: str, head: int) -> int:
    """The newest version this visitor saw of a line before they last went away; 0 on a first visit."""
    seen: dict[str, list[int]] = dict(session.get("seen", {}))
    before, newest, at = seen.pop(line, [0, 0, 0])
    now = int(time.time() // 60)
    if now - at > AWAY_MINUTES:
        before = newest
    seen[line] = [before, max(newest, head), now]
    session["seen"] = dict(list(seen.items())[-LINES_REMEMBERED:])
    return before


def keep(response: Response, name: str, value: str) -> None:
    """A plain cookie about how pages look: nothing about a person."""
    response.set_cookie(name, value, max_age=YEAR, samesite="Lax", secure=request.is_secure, httponly=True)


# -- forms --------------------------------------------------------------------------------------------------


def csrf() -> Markup:
    """The form token of this visitor, as the field that every form carries."""
    if "csrf" not in session:
        session["csrf"] = secrets.token_urlsafe(24)
    return Markup('<input type="hidden" name="csrf" value="{}">').format(session["csrf"])


def _check_form(pages: tuple[str, ...]) -> None:
    if request.blueprint in pages and request.method not in ("GET", "HEAD", "OPTIONS"):
        sent = request.form.get("csrf", "")
        if not sent or not secrets.compare_digest(sent, session.get("csrf", "")):
            abort(400, text._("This form is too old. Go back, reload the page and send it again."))


# -- every page ---------------------------------------------------------------------------------------------


def guard(app: Flask, *blueprints: Blueprint) -> None:
    """Form tokens, headers, words, errors as pages."""
    names = tuple(pages.name for pages in blueprints)
    app.before_request(lambda: _check_form(names))

    @app.after_request
    def headers(response: Response) -> Response:
        if request.blueprint in names or g.get("page"):
            for name, value in HEADERS.items():
                response.headers.setdefault(name, value)
            if request.is_secure:
                response.headers.setdefault("Strict-Transport-Security", f"max-age={YEAR}")
            if not (request.endpoint or "").endswith(".static"):
                response.headers["Cache-Control"] = "private, no-store"
                response.headers["Vary"] = "Cookie, Accept-Language"
        return response

    app.context_processor(_words)
    for code in (404, 405):
        app.register_error_handler(code, _nowhere)


def errors_as_pages(pages: Blueprint) -> Blueprint:
    """Whatever goes wrong on these pages is told as a page."""
    for kind in (ChanceryError, HTTPException, 404, 405, 500):  # by number too, or the API's handlers of the same number come first
        pages.register_error_handler(kind, problem)  # type: ignore[arg-type]
    return pages


def _words() -> dict[str, Any]:
    language = text.language()
    return {
        "_": text.translate(language),
        "language": language,
        "languages": text.LANGUAGES,
        "theme": request.cookies.get("theme", ""),
        "calm": request.cookies.get("calm", ""),
        "me": me(),
        "csrf": csrf,
        "badge": draw.badge,
        "seat_class": draw.seat_class,
        "seat": _seat,
        "seat_name": text.seat_name,
        "viewer_name": text.viewer_name,
        "words": text.words,
        "phrase": text.phrases(),
        "heading": text.heading,
        "asked": text.question,
        "ago": text.ago,
        "when": text.when,
    }


def _seat(seat: str, seats: Sequence[str]) -> Markup:
    """A seat: its shield and its name, in its colour."""
    shown = Markup('<span class="seat {}">{}<b>{}</b></span>')
    return shown.format(draw.seat_class(seat, seats), draw.badge(seat, seats), text.seat_name(seat))


def problem(error: Exception) -> Any:
    """What went wrong, in one sentence, with the rule and the way back."""
    rule = ""
    if isinstance(error, NotSignedIn):
        g.account = None  # also for the page that says so
    if isinstance(error, HTTPException):
        if error.response is not None:
            return error.response
        status, sentence = error.code or 500, error.description or error.name
    else:
        status = next((code for kind, code in STATUS if isinstance(error, kind)), 500)
        sentence = str(error)
        if isinstance(error, Refused):
            rule, sentence = error.rule, error.reason
    if status == 404:
        sentence = text._("There is nothing here, or nothing that you may know of.")
    elif status >= 500 and status != 503:
        cause = getattr(error, "original_exception", None) or error
        log.error("fault", error=type(cause).__name__, path=request.url_rule.rule if request.url_rule else "", exc_info=cause)
        sentence = text._("Something is broken on our side. Nothing was changed, and it has been noted.")
    elif status == 429:
        sentence = text._("That was too much at once: wait a little.")
    return render_template("problem.html", status=status, sentence=sentence, rule=rule, back=_own(request.referrer)), status


def _nowhere(error: HTTPException) -> Any:
    """An address that is no page: a page for people, a problem document for programs."""
    kinds = request.accept_mimetypes
    if request.path.startswith("/api/") or kinds["text/html"] <= kinds["application/json"]:
        return problems.of_http(error)
    g.page = True
    return problem(error)


def _own(address: str | None) -> str:
    """The path of an address of ours; empty for anybody else's."""
    parts = urlsplit(address or "")
    if not address or parts.netloc != request.host:
        return ""
    return local(f"{parts.path}?{parts.query}" if parts.query else parts.path)


def local(target: str) -> str:
    """Never lead anybody off the site."""
    return target if target.startswith("/") and not target.startswith(("//", "/\\")) else "/"
