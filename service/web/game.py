"""The table: the board at any version through one viewer's eyes, what can be decided now, the chronicle beside it."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, current_app, flash, jsonify, redirect, render_template, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as BaseResponse

from domain.kernel.errors import NotFound, Refused, Stale
from domain.kernel.table import Table
from domain.kernel.title import Score
from domain.svg import speaking
from service.case import summary
from service.looks import Look
from service.matches import KeyReused
from service.web import draw, forms, text
from service.web.course import Course, course
from service.web.frames import Frame, Frames
from service.web.looking import around, look, sits, version
from service.web.session import errors_as_pages, last_here, matches, signed_in
from service.web.telling import told, turn_name, window

pages = errors_as_pages(Blueprint("web_game", __name__, url_prefix="/m/<id>/<line>"))

LONGEST_REASON = 80


@pages.get("")
def line(id: str, line: str) -> str:
    """The match at a version, through one viewer's eyes, with what can be decided now."""
    seen = look(id, line)
    return _table(seen, version(seen))


def _table(seen: Look, at: int, wrong: str = "", rule: str = "") -> str:
    went = course(seen)
    since = last_here(seen.line.id, seen.head) or (seen.since_mine() if seen.viewer in seen.match.seats else 0)
    shown = {**around(seen), **moment(seen, at)}
    frame = _frame(seen, at, shown)
    return render_template(
        "match.html",
        **_answerable(seen, shown, frame),
        **chronicle(seen, went, at),
        frame=frame,
        strip=_strip(seen, went),
        since=since if since < seen.head else 0,
        unseen=seen.head - since,
        wrong=wrong,
        rule=rule,
        says=summary(seen.title.id, rule),
    )


def moment(seen: Look, at: int) -> dict[str, Any]:
    """What can be decided and is asked at a version."""
    questions = _questions(seen, at)
    playing = at == seen.head and sits(seen)
    mine = [question for question in questions if question["seat"] == seen.viewer and "choice" in question] if playing else []
    return {
        "version": at,
        "questions": questions,
        "mine": mine,
        "hot": forms.hot(mine),
        "winners": seen.title.winners(seen.table(at)),
        "few": forms.FEW,
        "spaces": forms.spaces,
    }


def _answerable(seen: Look, shown: dict[str, Any], frame: Frame) -> dict[str, Any]:
    """With every question its answers as they are listed, called as the board calls them."""
    named = forms.cards(frame.parts["picture"])
    return {**shown, "mine": [{**one, "groups": forms.groups(seen.title, one, named)} for one in shown["mine"]]}


def _frame(seen: Look, at: int, shown: dict[str, Any]) -> Frame:
    """The board and the scores at a version."""

    def made() -> dict[str, str]:
        view = seen.table(at)
        more = {**shown, "sections": seen.title.board(view), "scores": by_points(seen, view)}
        return {
            "picture": str(picture(seen, view, shown["hot"])),
            "board": render_template("part/sections.html", **more),
            "scores": render_template("part/scores.html", **more),
        }

    frames: Frames = current_app.extensions["frames"]
    return frames.of((seen.line.id, seen.viewer, text.language(), at, shown["hot"]), made)


def _questions(seen: Look, at: int) -> list[dict[str, Any]]:
    try:
        return seen.questions(at)
    except NotFound:  # a moment between two questions
        return []


def picture(seen: Look, view: Table, hot: frozenset[str] = frozenset()) -> Markup:
    """The board as its title draws it, if it does."""
    if seen.title.picture is None:
        return Markup("")
    with speaking(text.phrases()):
        return Markup(seen.title.picture(view, hot))


def by_points(seen: Look, view: Table) -> list[Score]:
    return sorted(seen.title.score(view), key=lambda score: -score.points)


def chronicle(seen: Look, went: Course, at: int) -> dict[str, Any]:
    """The log around a version as sentences."""
    first, last = window(went, at)
    rows = told(seen, went, first, last)
    current = max((row["version"] for row in rows if row["version"] <= at), default=0)
    return {"chronicle": rows, "current": current, "first": first, "last": last}


def _strip(seen: Look, went: Course) -> Markup:
    there = url_for(".line", id=seen.match.id, line=seen.line.id, **{"as": seen.viewer})
    return draw.strip(went, seen.match.seats, f"{there}&at=", turn_name)


@pages.get("/frame")
def frame(id: str, line: str) -> Any:
    """The parts of the page that change with the version, for stepping without loading it anew."""
    seen = look(id, line)
    at = version(seen)
    if at == seen.head:
        last_here(seen.line.id, seen.head)
    shown = {**around(seen), **moment(seen, at)}
    now = _frame(seen, at, shown)
    shown = _answerable(seen, shown, now)
    parts: dict[str, Any] = {
        "version": at,
        "head": seen.head,
        "tag": now.tag,
        **now.since(_before(seen, shown)),
        "prompt": render_template("part/prompt.html", **shown),
    }
    went = course(seen)
    if request.args.get("chronicle"):
        told = chronicle(seen, went, at)
        parts["chronicle"] = render_template("part/chronicle.html", **shown, **told)
        parts["window"] = [told["first"], told["last"]]
    if request.args.get("strip"):
        parts["strip"] = str(_strip(seen, went))
    return jsonify(parts)


def _before(seen: Look, shown: dict[str, Any]) -> Frame | None:
    """What the page that asks shows now, if it is what we think: then it needs only what changed."""
    if not request.args.get("from") or shown["hot"]:
        return None
    before = version(seen, "from")
    known = _frame(seen, before, {**shown, "version": before})
    return known if known.tag == request.args.get("tag") else None


# -- deciding -----------------------------------------------------------------------------------------------


def _open_question(seen: Look, key: str) -> dict[str, Any]:
    for question in seen.questions():
        if (question["seat"], question["key"]) == (seen.viewer, key) and "choice" in question:
            return question
    raise Refused("", text._("that is not asked any more"))


@pages.get("/order")
def order(id: str, line: str) -> Any:
    """The order that says in a mail what a form says here."""
    seen = look(id, line)
    try:
        question = _open_question(seen, request.args.get("key", ""))
        return jsonify(order=forms.order(seen.title, question, forms.answer(question, request.args)))
    except Refused:
        return jsonify(order="")


@pages.post("/decide")
def decide(id: str, line: str) -> Any:
    """Send a decision; a refusal comes back with its rule."""
    account = signed_in().id
    seen = look(id, line)
    key, sent = request.form.get("key", ""), request.form.get("version", "")
    try:
        question = _open_question(seen, key)
        answer = forms.answer(question, request.form)
        expect = int(sent) if sent.isascii() and sent.isdigit() else None
        # Twice the same form is one decision: a version is never asked the same question again.
        once = f"page {expect} {key}"
        matches().decide(account, id, seen.viewer, key, answer, expect=expect, line=line, once=once, via="page")
    except (Refused, Stale, KeyReused) as refused:
        return _refused(id, line, refused)
    flash(forms.order(seen.title, question, answer), "order")
    return redirect(_there(seen))


@pages.post("/undo")
def undo(id: str, line: str) -> Any:
    """Take the last decision back, where nobody learnt anything by it."""
    account = signed_in().id
    seen = look(id, line)
    try:
        matches().undo(account, id, seen.viewer, line=line, via="page")
    except (Refused, Stale) as refused:
        return _refused(id, line, refused)
    return redirect(_there(seen))


def _refused(id: str, line: str, refused: Exception) -> tuple[str, int]:
    seen = look(id, line)
    if isinstance(refused, Refused):
        return _table(seen, seen.head, refused.reason, refused.rule), 422
    return _table(seen, seen.head, text._("The game has gone on meanwhile: look again, then decide.")), 409


def _there(seen: Look) -> str:
    return url_for(".line", id=seen.match.id, line=seen.line.id, **{"as": seen.viewer})


@pages.post("/branch")
def branch(id: str, line: str) -> BaseResponse:
    """A line of one's own from this version on."""
    account = signed_in().id
    seen = look(id, line)
    reason = request.form.get("reason", "").strip()[:LONGEST_REASON]
    made = matches().fork(account, id, version=version(seen), line=line, reason=reason)
    return redirect(url_for(".line", id=id, line=made.id))
