"""Who is looking: the signed cookie, the form token, the headers every page carries, the language and the theme."""

from __future__ import annotations

import secrets
from typing import Any

from flask import Blueprint, Flask, Response, abort, current_app, redirect, render_template, request, session, url_for
from werkzeug.exceptions import HTTPException

from domain.kernel.errors import ChanceryError, NotFound, Refused, Stale
from domain.match import Forbidden
from service.accounts import Account
from service.api.who import account
from service.matches import Matches
from service.web import draw, text

POLICY = "default-src 'self'; img-src 'self' data:; style-src 'self'; script-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
PAGES = ("web_lobby", "web_game")


def matches() -> Matches:
    found: Matches = current_app.extensions["chancery"]
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
        abort(redirect(url_for("web_lobby.sign_in", next=request.full_path if request.method == "GET" else "/")))
    return found


def token() -> str:
    """The form token of this visitor."""
    if "csrf" not in session:
        session["csrf"] = secrets.token_urlsafe(24)
    found: str = session["csrf"]
    return found


def guard(app: Flask) -> None:
    """Form tokens, headers, words."""

    @app.before_request
    def check_form() -> None:
        if request.blueprint in PAGES and request.method == "POST":
            sent = request.form.get("csrf", "")
            if not sent or not secrets.compare_digest(sent, session.get("csrf", "")):
                abort(400, "This form is too old. Go back, reload the page and send it again.")

    @app.after_request
    def headers(response: Response) -> Response:
        if request.blueprint in PAGES:
            response.headers.setdefault("Content-Security-Policy", POLICY)
            response.headers.setdefault("X-Content-Type-Options", "nosniff")
            response.headers.setdefault("Referrer-Policy", "same-origin")
            response.headers.setdefault("Cache-Control", "private, no-store")
        return response

    @app.context_processor
    def words() -> dict[str, Any]:
        language = text.language()
        return {
            "_": text.translate(language),
            "language": language,
            "me": me(),
            "csrf": token,
            "badge": draw.badge,
            "seat_class": draw.seat_class,
            "theme": request.cookies.get("theme", ""),
            "ago": text.ago,
        }


def errors_as_pages(*blueprints: Blueprint) -> None:
    """Once for each blueprint, however many apps it serves."""
    for pages in blueprints:
        pages.register_error_handler(ChanceryError, _problem)
        pages.register_error_handler(HTTPException, _problem)


def _problem(error: Exception) -> tuple[str, int] | Response:
    """What went wrong, in one sentence, with the way back."""
    if isinstance(error, HTTPException):
        if error.response is not None:
            return error.response  # type: ignore[return-value]
        return render_template("problem.html", sentence=error.description, back=request.referrer), error.code or 500
    status = (
        404 if isinstance(error, NotFound) else 403 if isinstance(error, Forbidden) else 409 if isinstance(error, Stale) else 422
    )
    sentence = text.translate(text.language())("There is nothing here.") if status == 404 else str(error)
    rule = error.rule if isinstance(error, Refused) else ""
    return render_template("problem.html", sentence=sentence, rule=rule, back=request.referrer), status
