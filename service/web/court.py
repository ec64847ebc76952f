"""The court's pages: going back by consent, disputes with their case file, the ruling."""

from __future__ import annotations

import json
from typing import Any

from flask import Blueprint, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from domain.docket import ANALYSED, CORRECTED, REWOUND, STANDS
from domain.kernel.errors import NotFound, Refused
from service import views
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
    return render_template("disputes.html", **around(seen), disputes=found, called=called, on=at, chronicle=rows, current=0)


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
    file = court().case_file(who(), id, claimed.line, claimed.version)
    people = {claimed.by, *(answer.by for answer in found.answers), *((found.ruled.by,) if found.ruled else ())}
    before, after = max(1, file["version"] - 1), where.known(claimed.version)
    return render_template(
        "case.html",
        **around(seen),
        dispute=found,
        file=file,
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


@pages.post("/disputes/<dispute>/rule")
def rule(id: str, line: str, dispute: str) -> BaseResponse:
    """The game master rules."""
    form = request.form
    try:
        ops = json.loads(form.get("ops", "").strip() or "[]")
        if not isinstance(ops, list):
            raise ValueError
    except (ValueError, RecursionError):
        raise Refused("", text._("the correction is not a list of changes as described beside its field")) from None
    rules = [part.strip() for part in form.get("rules", "").split(",") if part.strip()][:12]
    court().rule(signed_in().id, id, dispute, form.get("outcome", ""), form.get("text", "").strip()[:LONGEST], rules=rules, ops=ops)
    return redirect(url_for("web_court.case", id=id, line=matches().see(who(), id).line, dispute=dispute))
