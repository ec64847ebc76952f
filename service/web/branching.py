"""Branches on pages: change one decision or one die, what grew of it, its name and comments, and the link that shares it."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, current_app, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from domain.kernel.errors import NotFound, Refused
from domain.kernel.event import Drawn, Rolled
from domain.whatif import FRESH, SAME
from service.looks import Look
from service.web import forms, text
from service.web.analysis import frame, rolls
from service.web.game import picture
from service.web.looking import look, version
from service.web.room import names
from service.web.session import errors_as_pages, matches, signed_in, who
from service.whatif import Turning, WhatIf

pages = errors_as_pages(Blueprint("web_branch", __name__, url_prefix="/m/<id>/<line>"))


def whatif() -> WhatIf:
    found: WhatIf = current_app.extensions["whatif"]
    return found


# -- branching ----------------------------------------------------------------------------------------------


@pages.get("/what-if")
def what_if(id: str, line: str) -> Any:
    """Branch here: play on, decide otherwise, or let a die fall otherwise."""
    signed_in()
    return _form(id, line)


def _form(id: str, line: str, wrong: str = "", rule: str = "") -> str:
    seen = look(id, line)
    at = version(seen)
    shown = frame(seen)
    if not shown["whole"] and not shown["thinks_as"]:
        return render_template("what_if.html", **shown, at=at, turning=None, question=None, wrong=wrong, rule=rule)
    turning = _turning(id, line, at, shown["thinks_as"])
    question = _question(seen, turning)
    return render_template(
        "what_if.html",
        **shown,
        at=at,
        turning=turning,
        question=question,
        rolls=rolls(turning.chance) if turning else [],
        draws=[(n, one) for n, one in enumerate(turning.chance) if type(one) is Drawn and one.zone in turning.pools]
        if turning
        else [],
        few=forms.FEW,
        wrong=wrong,
        rule=rule,
    )


def _turning(id: str, line: str, at: int, seat: str) -> Turning | None:
    try:
        return whatif().turning(who(), id, at, line=line, viewer=seat)
    except NotFound:
        return None


def _question(seen: Look, turning: Turning | None) -> dict[str, Any] | None:
    """What was asked, with what could have been answered."""
    if turning is None or turning.ask is None:
        return None
    question = {**turning.ask.describe(), "must": True}
    named = forms.cards(str(picture(seen, seen.table(max(1, turning.event.version - 1)))))
    return {**question, "groups": forms.groups(seen.title, question, named)}


@pages.post("/what-if")
def branch(id: str, line: str) -> Any:
    """Make the branch; what followed is made again as far as it stays legal."""
    account = signed_in().id
    seen = look(id, line)
    at, seat = version(seen), frame(seen)["thinks_as"]
    reason = " ".join(request.form.get("reason", "").split())[:60]
    how: dict[str, Any] = {"line": line, "viewer": seat, "reason": reason}
    what = request.form.get("what", "")
    try:
        if what == "on":
            made = whatif().branch(account, id, version=at, **how)
            return redirect(url_for("web_game.line", id=id, line=made.id))
        how["luck"] = FRESH if request.form.get("luck") == FRESH else SAME
        turning = whatif().turning(account, id, at, line=line, viewer=seat)
        if what.startswith("draw:"):
            how |= _drawn(turning, what.removeprefix("draw:"))
        else:
            question = _question(seen, turning)
            if question is None:
                raise Refused("", text._("what else could be decided there is not for you to know"))
            how["answer"] = forms.answer(question, request.form)
        grown = whatif().change(account, id, turning.event.version, **how)
    except Refused as refused:
        return _form(id, line, refused.reason, refused.rule), 422
    return redirect(url_for(".about", id=id, line=grown.log.line.id))


def _drawn(turning: Turning, which: str) -> dict[str, Any]:
    """Which draw falls otherwise, and how."""
    at = int(which) if which.isascii() and which.isdigit() and len(which) < 5 else -1
    if not 0 <= at < len(turning.chance):
        raise Refused("", text._("that draw was not made"))
    outcome = turning.chance[at]
    if type(outcome) is Rolled:
        sent = [request.form.get(f"die:{at}:{number}", "") for number in range(len(outcome.values))]
        return {"draw": at, "outcome": [int(face) if face.lstrip("-").isdigit() and len(face) < 6 else face for face in sent]}
    return {"draw": at, "outcome": request.form.get(f"item:{at}", "")}


# -- what is said about a line ------------------------------------------------------------------------------


@pages.get("/about")
def about(id: str, line: str) -> str:
    """A line: what grew on it, its name, tags and comments, with whom it is shared."""
    seen = look(id, line)
    said = matches().branches.about(seen.line.id)
    mine = bool(who()) and seen.line.by == who() and seen.line.id not in seen.match.lines
    links = {
        share: url_for(".shared", id=id, line=line, link=whatif().link(id, line, share), _external=True) for share in said.shares
    }
    people = {seen.line.by, *(comment.by for comment in said.comments), *said.guests} - {""}
    return render_template(
        "about.html",
        **frame(seen),
        said=said,
        mine=mine,
        links=links if mine else {},
        called={**names(seen.match), **matches().accounts.names(people)},
        line_name=said.name or seen.line.reason,
        shareable=mine and (seen.match.state == "finished" or bool(matches().supposed(seen.line))),
        speaks=bool(who()) and (seen.line.id not in seen.match.lines or seen.match.state == "finished"),
        parent=matches().branches.about(said.grew.parent) if said.grew else None,
    )


@pages.post("/about")
def say(id: str, line: str) -> BaseResponse:
    """Name, tag, seat bots, comment."""
    account = signed_in().id
    seen = look(id, line)
    given: dict[str, Any] = {}
    if "name" in request.form:
        given["name"] = request.form["name"]
    if "tags" in request.form:
        given["tags"] = request.form["tags"].replace("#", " ").replace(",", " ").split()
    if "bots" in request.form:
        chosen = {seat: request.form.get(f"bot:{seat}", "") for seat in seen.match.seats}
        given["bots"] = {seat: policy for seat, policy in chosen.items() if policy}
    if comment := request.form.get("comment", "").strip():
        given |= {"comment": comment, "version": version(seen)}
    whatif().say(account, id, line, **given)
    return redirect(url_for(".about", id=id, line=line, **{"as": seen.viewer}))


@pages.post("/about/share")
def share(id: str, line: str) -> BaseResponse:
    """Make a link to the line."""
    account = signed_in().id
    whatif().share(account, id, line, together=request.form.get("together") == "1")
    return redirect(url_for(".about", id=id, line=line) + "#sharing")


@pages.post("/about/unshare")
def unshare(id: str, line: str) -> BaseResponse:
    """Take a link back."""
    account = signed_in().id
    whatif().unshare(account, id, line, request.form.get("share", ""))
    return redirect(url_for(".about", id=id, line=line) + "#sharing")


@pages.get("/shared/<link>")
def shared(id: str, line: str, link: str) -> Any:
    """Where a link leads: to the line, if it is open anyway; else to a question whether to come in."""
    account = who()
    found, held = whatif().opened(account, id, link)
    seen_already = any(one.id == found.id for one in matches().lines(account, id))
    playing = found.by == account or matches().branches.about(found.id).guests.get(account, False)
    if seen_already and (playing or not held.together):
        return redirect(url_for(".about", id=id, line=found.id))
    by = matches().accounts.names({held.by}).get(held.by, "")
    name = matches().branches.about(found.id).name or found.reason
    return render_template("shared.html", match=matches().see(account, id), link=link, line=found, held=held, by=by, name=name)


@pages.post("/shared/<link>")
def enter(id: str, line: str, link: str) -> BaseResponse:
    """Come in by a link."""
    made = whatif().enter(signed_in().id, id, link)
    flash(text._("You are in: the line is now among yours."), "done")
    return redirect(url_for(".about", id=id, line=made.id))
