"""Time on a page: when answers are due, absences, calls for a substitute, and for the game master the clock and a preview."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, current_app, flash, redirect, render_template, request, url_for
from msgspec.structs import replace
from werkzeug.wrappers import Response as BaseResponse

from domain.deadlines import DAY, HOUR, MINUTE, POLICIES, HouseRules, Vector
from domain.kernel.errors import Refused
from domain.match import GAME_MASTER, RUNNING, Match
from service.api.times import deadlines, timing
from service.mail.addresses import MASTER
from service.timing import midnight
from service.web import text
from service.web.looking import around
from service.web.session import errors_as_pages, matches, signed_in, who

pages = errors_as_pages(Blueprint("web_times", __name__, url_prefix="/m/<id>/times"))


@pages.before_request
def known() -> None:
    """Whoever may not know of the match learns nothing from a form either."""
    matches().see(who(), (request.view_args or {}).get("id", ""))


@pages.get("/")
def times(id: str) -> str:
    """Deadlines for everybody; one's own absence; the clock for the game master."""
    return _page(id, [])


def _page(id: str, preview: list[dict[str, Any]]) -> str:
    service, time = matches(), timing()
    seen = service.look(who(), id)
    calendar, at = time.calendar(who(), id)
    match, office = seen.match, current_app.extensions.get("mail")
    host = GAME_MASTER in match.roles(who())
    account = office.addresses.holder(match, MASTER) if host and office is not None else None
    own = match.seats_of(who()) if match.state == RUNNING else []
    return render_template(
        "times.html",
        **around(seen),
        now=at,
        deadlines=deadlines(calendar, at),
        paused=calendar.paused,
        missed=calendar.missed(),
        rules=calendar.rules,
        vector=calendar.rules.vectors.get("", Vector()),
        policies=POLICIES,
        away={one.seat: one for one in time.absences(who(), id)},
        own=own,
        days_left={seat: calendar.absence_left(seat, at) // DAY for seat in own},
        may_come=_may_come(match),
        lost=office.outbox.lost(id) if host and office is not None else {},
        address=office.address(match, MASTER, account) if office is not None and account is not None else "",
        preview=preview,
    )


def _may_come(match: Match) -> bool:
    """Whether the reader could take a seat that is called for."""
    return match.policy.seating == "open" and match.state == RUNNING and not any(one.holder == who() for one in match.tenures)


# -- seats ------------------------------------------------------------------------------------------------


@pages.post("/absence")
def absent(id: str) -> BaseResponse:
    """From one day to another, both included, in the reader's zone."""
    given = request.form
    try:
        start, end = (midnight(given.get(name, ""), given.get("zone") or "UTC", after) for name, after in (("from", 0), ("to", 1)))
    except ValueError:
        raise Refused("", text._("a day is written like 2026-07-01")) from None
    timing().leave(signed_in().id, id, given.get("seat", ""), start, end)
    return _back(id, text._("Noted. Others see no more than that your deadlines are later."))


@pages.post("/back")
def back(id: str) -> BaseResponse:
    timing().come_back(signed_in().id, id, request.form.get("seat", ""))
    return _back(id, text._("Welcome back."))


# -- the game master --------------------------------------------------------------------------------------


@pages.post("/extend")
def extend(id: str) -> BaseResponse:
    timing().extend(signed_in().id, id, request.form.get("seat", ""), _minutes(), request.form.get("reason", ""))
    return _back(id, text._("There is more time."))


@pages.post("/pause")
def pause(id: str) -> BaseResponse:
    timing().pause(signed_in().id, id, _minutes(), request.form.get("reason", ""))
    return _back(id, text._("The clocks stand still."))


@pages.post("/resume")
def resume(id: str) -> BaseResponse:
    timing().resume(signed_in().id, id)
    return _back(id, text._("The clocks run again."))


@pages.post("/rules")
def rules(id: str) -> BaseResponse:
    """The house rules for every question that has none of its own."""
    given, time, hour = request.form, timing(), HOUR // MINUTE
    calendar, at = time.calendar(signed_in().id, id)
    days = tuple(sorted({int(day) for day in given.getlist("days") if day in set("0123456")})) or (0, 1, 2, 3, 4, 5, 6)
    vector = Vector(
        _number("next") * hour,
        _number("min") * hour,
        _number("grace") * hour,
        given.get("clock", ""),
        days,
        given.get("zone") or "UTC",
    )
    late = given.get("late", "wait")
    if late not in POLICIES:
        raise Refused("", text._("there is no such policy"), legal=list(POLICIES))
    kept: HouseRules = calendar.rules
    told = replace(kept, vectors={**kept.vectors, "": vector}, late=late, by=who(), at=at, absence=_number("absence"))
    time.set_rules(who(), id, told)
    return _back(id, text._("The house rules are changed; deadlines that are set stay as they are."))


@pages.post("/call")
def call(id: str) -> BaseResponse:
    matches().call(signed_in().id, id, request.form.get("seat", ""), "by the game master")
    return _back(id, text._("A substitute is called for."))


@pages.post("/keep")
def keep(id: str) -> BaseResponse:
    matches().end_call(signed_in().id, id, request.form.get("seat", ""))
    return _back(id, text._("Whoever sits there stays."))


@pages.post("/preview")
def preview(id: str) -> str:
    """What would be done if time ran out now."""
    return _page(id, timing().preview(signed_in().id, id))


def _number(name: str) -> int:
    given = request.form.get(name, "")
    if not (given.isascii() and given.isdigit() and len(given) < 6):
        raise Refused("", text._("a whole number is wanted here: {name}").format(name=name))
    return int(given)


def _minutes() -> int:
    return _number("n") * (DAY if request.form.get("unit") == "days" else HOUR) // MINUTE


def _back(id: str, said: str) -> BaseResponse:
    flash(said, "done")
    return redirect(url_for(".times", id=id))
