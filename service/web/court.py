"""The court's pages: going back by consent, disputes with their case file, the ruling."""

from __future__ import annotations

import json
from itertools import groupby
from typing import Any

import msgspec
from flask import Blueprint, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from domain.docket import ANALYSED, CORRECTED, REWOUND, STANDS
from domain.kernel.errors import NotFound, Refused
from domain.kernel.ops import Move, Reorder, Set
from domain.kernel.title import Title
from domain.match import Match
from service import views
from service.court import MASTER
from service.web import text
from service.web.course import course
from service.web.game import picture
from service.web.looking import around, look, version
from service.web.room import names
from service.web.session import court, errors_as_pages, matches, signed_in, who
from service.web.telling import told

pages = errors_as_pages(Blueprint("web_court", __name__, url_prefix="/m/<id>/<line>"))

LONGEST = 2_000


# -- going back ---------------------------------------------------------------------------------------------


@pages.route("/back", methods=["GET", "POST"])
def back(id: str, line: str) -> Any:
    """Ask to go back to a moment: what that would touch, and why it should be."""
    account = signed_in().id
    seen = look(id, line)
    at = version(seen, "to")
    if request.method == "POST":
        asked = court().ask_rewind(account, id, seen.viewer, at, request.form.get("reason", "").strip()[:LONGEST])
        flash(
            text._("Granted at once: it touches nobody.") if asked.closed else text._("Asked. Whoever it touches is to agree."),
            "done",
        )
        return redirect(url_for("web_room.table", id=id) if asked.closed else url_for("web_record.timeline", id=id, line=line))
    found = views.timeline(matches(), who(), seen, 1.0)
    moment = next((one for one in reversed(found["moments"]) if one["version"] <= at and not one["undone"]), None)
    if moment is None:
        raise NotFound("there is nothing to go back to")
    rows = told(seen, course(seen), max(0, moment["version"] - 6), min(seen.head, moment["version"] + 6))
    return render_template("back.html", **around(seen), moment=moment, chronicle=rows, current=moment["version"])


@pages.post("/back/<request_id>/vote")
def vote(id: str, line: str, request_id: str) -> BaseResponse:
    """Agree, refuse, or withdraw one's own request."""
    account, seat, said = signed_in().id, request.form.get("seat", ""), request.form.get("vote", "")
    if said == "withdraw":
        court().withdraw(account, id, request_id, seat)
    else:
        court().vote(account, id, request_id, seat, said == "agree")
    return redirect(url_for("web_room.table", id=id))


# -- disputes -----------------------------------------------------------------------------------------------


@pages.get("/disputes")
def disputes(id: str, line: str) -> str:
    """All disputes of the match, open ones first, and a form for a new one."""
    seen = look(id, line)
    found = sorted(court().docket(who(), id).disputes.values(), key=lambda one: (one.ruled is not None, -one.claimed.at))
    called = matches().accounts.names({one.claimed.by for one in found})
    at = version(seen, "on")
    rows = told(seen, course(seen), max(0, at - 1), at) if request.args.get("on") else []
    book = court().docket(who(), id)
    return render_template(
        "disputes.html",
        **around(seen),
        disputes=found,
        called=called,
        on=at,
        chronicle=rows,
        current=0,
        rules=court().rules_at_hand(who(), id),
        proposals=[one for one in book.upgrades.values() if one.closed is None],
        voices=_voices(seen.match),
    )


def _voices(match: Match) -> list[str]:
    """As whom somebody may propose and vote: their seats, and as the game master."""
    return [*match.seats_of(who()), *((MASTER,) if who() and who() == match.host else ())]


@pages.post("/disputes")
def claim(id: str, line: str) -> BaseResponse:
    """Dispute an event."""
    account = signed_in().id
    seen = look(id, line)
    shows = [int(part) for part in request.form.get("evidence", "").replace(",", " ").split() if part.isdigit()]
    for at in shows:
        seen.known(at)
    made = court().claim(account, id, version(seen, "on"), request.form.get("claim", "")[:LONGEST], shows, line)
    return redirect(url_for(".case", id=id, line=line, dispute=made.claimed.id))


@pages.get("/disputes/<dispute>")
def case(id: str, line: str, dispute: str) -> str:
    """The case file: what was asked, answered, drawn and done, by which rules, and what the rules say when they are run again."""
    seen = look(id, line)
    found = court().docket(who(), id).disputes.get(dispute)
    if found is None:
        raise NotFound(f"there is no dispute {dispute!r}")
    claimed = found.claimed
    where = matches().look(who(), id, viewer=seen.viewer, line=claimed.line, what="case file")
    file = court().case_file(who(), id, claimed.line, claimed.version, seen.viewer)
    people = {claimed.by, *(answer.by for answer in found.answers), *((found.ruled.by,) if found.ruled else ())}
    before, after = max(1, file["version"] - 1), where.known(claimed.version)
    return render_template(
        "case.html",
        **around(seen),
        dispute=found,
        file=file,
        why=_runs(seen.title, file["why"]),
        ops=[text.op(seen.title, _op(op)) for op in file["ops"]],
        motions=[one for one in court().docket(who(), id).motions.values() if one.moved.said.dispute == dispute],
        voices=_voices(seen.match),
        called={**names(seen.match), **matches().accounts.names(people)},
        chronicle=told(where, course(where), file["version"] - 1, min(where.head, max(claimed.version, file["version"]) + 1)),
        current=claimed.version,
        before=before,
        after=after,
        picture=picture(where, where.table(after)),
        outcomes=(STANDS, CORRECTED, REWOUND, ANALYSED) if claimed.line == seen.match.line else (STANDS, ANALYSED),
    )


@pages.post("/disputes/<dispute>/answer")
def answer(id: str, line: str, dispute: str) -> BaseResponse:
    court().answer(signed_in().id, id, dispute, request.form.get("text", "")[:LONGEST])
    return redirect(url_for(".case", id=id, line=line, dispute=dispute))


def _runs(title: Title, steps: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """The steps of why, those by one rule in a row together."""
    told = [{**step, "told": _told(title, step)} for step in steps]
    return [list(run) for _rule, run in groupby(told, key=lambda step: step["rule"])]


def _op(written: Any) -> Move | Set | Reorder:
    return msgspec.convert(written, Move | Set | Reorder)  # type: ignore[no-any-return]


def _told(title: Title, step: dict[str, Any]) -> str:
    """One step of why, in the reader's language."""
    if step["kind"] == "dice":
        return text._("dice ({what}): {values}").format(
            what=text.words(title, step["dice"]["key"]), values=", ".join(map(str, step["dice"]["values"]))
        )
    if step["kind"] == "done":
        return text.op(title, _op(step["op"]))
    return text.words(title, step["facts"]) if step["facts"] else ""


@pages.post("/disputes/<dispute>/rule")
def rule(id: str, line: str, dispute: str) -> BaseResponse:
    """The game master rules, or a seat moves a ruling where the table is the arbiter."""
    form = request.form
    try:
        ops = json.loads(form.get("ops", "").strip() or "[]")
        if not isinstance(ops, list):
            raise ValueError
    except (ValueError, RecursionError):
        raise Refused("", text._("the correction is not a list of changes as described beside its field")) from None
    rules = [part.strip() for part in form.get("rules", "").split(",") if part.strip()][:12]
    given = {"rules": rules, "ops": ops, "reading": _reading(form.get("reading", ""))}
    outcome, words = form.get("outcome", ""), form.get("text", "").strip()[:LONGEST]
    if form.get("seat"):
        court().move(signed_in().id, id, dispute, outcome, words, seat=form["seat"], **given)
    else:
        court().rule(signed_in().id, id, dispute, outcome, words, **given)
    return redirect(url_for("web_court.case", id=id, line=matches().see(who(), id).line, dispute=dispute))


def _reading(chosen: str) -> dict[str, Any]:
    """The reading a form names: an option and its value as JSON."""
    try:
        found = json.loads(chosen or "[]")
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, list) or len(found) not in (0, 2) or (found and not isinstance(found[0], str)):
        raise Refused("", text._("choose one of the readings that are listed"))
    return {found[0]: found[1]} if found else {}


@pages.post("/motions/<motion>/vote")
def vote_motion(id: str, line: str, motion: str) -> BaseResponse:
    """For or against a ruling that was moved."""
    found = court().vote_motion(signed_in().id, id, motion, request.form.get("seat", ""), request.form.get("vote") == "agree")
    dispute = found.moved.said.dispute
    return redirect(url_for(".case", id=id, line=matches().see(who(), id).line, dispute=dispute))


# -- other rules --------------------------------------------------------------------------------------------


@pages.post("/rules")
def rules(id: str, line: str) -> BaseResponse:
    """Propose to go on under the newest rules."""
    court().propose_upgrade(signed_in().id, id, request.form.get("seat", ""), request.form.get("reason", "").strip()[:LONGEST])
    return redirect(url_for(".disputes", id=id, line=line))


@pages.post("/rules/<proposal>/vote")
def vote_rules(id: str, line: str, proposal: str) -> BaseResponse:
    """Agree to other rules, refuse them, or withdraw one's own proposal."""
    account, seat, said = signed_in().id, request.form.get("seat", ""), request.form.get("vote", "")
    if said == "withdraw":
        court().withdraw_upgrade(account, id, proposal, seat)
    else:
        court().vote_upgrade(account, id, proposal, seat, said == "agree")
    return redirect(url_for(".disputes", id=id, line=line))
