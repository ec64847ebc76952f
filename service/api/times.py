"""Time: deadlines, declared absences, calls for a substitute, and the game master's clock."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
from flask import current_app
from marshmallow import fields

from domain.deadlines import LONGEST_PAUSE, MINUTE, POLICIES, Calendar, HouseRules, Vector
from domain.match import GAME_MASTER
from service.api import schemas, shape
from service.api.blueprint import Blueprint
from service.api.who import matches, me, somebody
from service.database import Database
from service.timing import Timing

blueprint = Blueprint(
    "times", __name__, url_prefix="/api/v1/matches/<id:match>", description="Deadlines, absences, substitutes, the clock."
)
EITHER: list[dict[str, list[str]]] = [{}, {"bearer": []}]
LONGEST = LONGEST_PAUSE // MINUTE
A_YEAR = 365 * 24 * 60


class DeadlineOut(ma.Schema):
    seat = fields.String()
    question = fields.String()
    asked = fields.Integer()
    due = fields.Integer()
    closes = fields.Integer(metadata={"description": "When the grace ends and the house rules act."})
    late = fields.Boolean()


class AbsenceOut(ma.Schema):
    seat = fields.String()
    start = fields.Integer()
    end = fields.Integer()


class TimesOut(ma.Schema):
    now = fields.Integer()
    paused_until = fields.Integer(allow_none=True)
    policy = fields.String(metadata={"description": "What happens to the late."})
    deadlines = fields.List(fields.Nested(DeadlineOut))
    missed = fields.Dict(keys=fields.String(), values=fields.Integer())
    absences = fields.List(fields.Nested(AbsenceOut), metadata={"description": "Your own; all of them for the game master."})
    calls = fields.List(fields.String(), metadata={"description": "Seats for which a substitute is called."})
    bounces = fields.Dict(
        keys=fields.String(),
        values=fields.Integer(),
        metadata={"description": "How many mails to each seat came back; for the game master."},
    )


class AbsenceIn(schemas.Strict):
    seat = schemas.text(40, shortest=1, required=True)
    start = schemas.whole(0, 2**53, required=True, metadata={"description": "Milliseconds since 1970, UTC."})
    end = schemas.whole(0, 2**53, required=True)


class ExtensionIn(schemas.Strict):
    seat = schemas.text(40, load_default="", metadata={"description": "One seat; else all."})
    minutes = schemas.whole(1, LONGEST, required=True)
    reason = schemas.text(200, load_default="")


class PauseIn(schemas.Strict):
    minutes = schemas.whole(1, LONGEST, required=True)
    reason = schemas.text(200, load_default="")


class VectorIn(schemas.Strict):
    next = schemas.whole(0, A_YEAR, load_default=48 * 60, metadata={"description": "Minutes to answer."})
    min = schemas.whole(0, A_YEAR, load_default=0)
    grace = schemas.whole(0, A_YEAR, load_default=24 * 60)
    clock = schemas.text(5, load_default="", metadata={"description": "The hour of day it is due, like 20:00."})
    days = fields.List(schemas.whole(0, 6), load_default=lambda: [0, 1, 2, 3, 4, 5, 6], validate=ma.validate.Length(min=1, max=7))
    zone = schemas.text(64, shortest=1, load_default="UTC")


class HouseRulesIn(schemas.Strict):
    vectors = fields.Dict(
        keys=schemas.text(60),
        values=fields.Nested(VectorIn),
        required=True,
        validate=ma.validate.Length(max=50),
        metadata={"description": "By question; the empty name is for all others."},
    )
    late = fields.String(load_default="wait", validate=ma.validate.OneOf(POLICIES))
    lenient = fields.Boolean(load_default=False, truthy={True}, falsy={False})
    anonymous = fields.Boolean(load_default=False, truthy={True}, falsy={False})
    absence = schemas.whole(0, 365, load_default=14, metadata={"description": "Days a year that absences stretch deadlines by."})


class CallIn(schemas.Strict):
    reason = schemas.text(200, load_default="")


class ForeseenOut(ma.Schema):
    seat = fields.String()
    question = fields.String()
    due = fields.Integer(allow_none=True)
    closes = fields.Integer(allow_none=True)
    policy = fields.String()
    holds = fields.Boolean()
    order = fields.String(allow_none=True, metadata={"description": "Only for a game master who sees everything."})
    then = fields.List(fields.String())


class PreviewOut(ma.Schema):
    items = fields.List(fields.Nested(ForeseenOut))


def timing() -> Timing:
    """The clock of the post where there is one."""
    office = current_app.extensions.get("mail")
    return Timing(matches(), Database(matches().store), office.clock.now if office is not None else None)  # type: ignore[arg-type]


def _shown(match: str) -> dict[str, Any]:
    time, who = timing(), me()
    calendar, at = time.calendar(who, match)
    found, office = matches().see(who, match), current_app.extensions.get("mail")
    master = GAME_MASTER in found.roles(who)
    return {
        "now": at,
        "paused_until": calendar.paused.until if calendar.paused else None,
        "policy": calendar.rules.late,
        "deadlines": deadlines(calendar, at),
        "missed": calendar.missed(),
        "absences": time.absences(who, match),
        "calls": list(found.calls),
        "bounces": office.outbox.lost(match) if master and office is not None else {},
    }


def deadlines(calendar: Calendar, at: int) -> list[dict[str, Any]]:
    """The open deadlines, and who is late."""
    late = {(one.line, one.version, one.seat) for one in calendar.late(at)}
    return [
        {"seat": one.seat, "question": one.key, "asked": one.asked, "due": one.due, "closes": one.closes, "late": mark in late}
        for mark, one in sorted(calendar.open.items())
    ]


@blueprint.route("/times")
@blueprint.doc(security=EITHER)
@blueprint.response(200, TimesOut)
def times(match: str) -> dict[str, Any]:
    """When answers are due, who is late, who is called for

    Of an absence others see no more than that a deadline is later.
    """
    return _shown(match)


@blueprint.route("/absences", methods=["POST"])
@blueprint.arguments(AbsenceIn)
@blueprint.response(201, AbsenceOut)
def absent(given: dict[str, Any], match: str) -> Any:
    """Declare that you are away: deadlines stretch as far as the match allows"""
    return timing().leave(somebody().id, match, given["seat"], given["start"], given["end"])


@blueprint.route("/absences/<seat>", methods=["DELETE"])
@blueprint.response(204)
def back(match: str, seat: str) -> None:
    """Be back early"""
    timing().come_back(somebody().id, match, seat)


@blueprint.route("/extensions", methods=["POST"])
@blueprint.arguments(ExtensionIn)
@blueprint.response(201, TimesOut)
def extend(given: dict[str, Any], match: str) -> dict[str, Any]:
    """More time, by the game master"""
    timing().extend(somebody().id, match, given["seat"], given["minutes"], given["reason"])
    return _shown(match)


@blueprint.route("/pause", methods=["POST"])
@blueprint.arguments(PauseIn)
@blueprint.response(201, TimesOut)
def pause(given: dict[str, Any], match: str) -> dict[str, Any]:
    """Stop the clocks for so long at most, by the game master"""
    timing().pause(somebody().id, match, given["minutes"], given["reason"])
    return _shown(match)


@blueprint.route("/pause", methods=["DELETE"])
@blueprint.response(200, TimesOut)
def resume(match: str) -> dict[str, Any]:
    """Start the clocks again, by the game master"""
    timing().resume(somebody().id, match)
    return _shown(match)


@blueprint.route("/house-rules", methods=["PUT"])
@blueprint.arguments(HouseRulesIn)
@blueprint.response(200, TimesOut)
def house_rules(given: dict[str, Any], match: str) -> dict[str, Any]:
    """How long answers may take and what happens to the late; deadlines that are set stay as they are"""
    who, time = somebody().id, timing()
    vectors = {name: Vector(**{**one, "days": tuple(sorted(set(one["days"])))}) for name, one in given["vectors"].items()}
    told = HouseRules(
        vectors, given["late"], given["lenient"], given["anonymous"], who, time.calendar(who, match)[1], given["absence"]
    )
    time.set_rules(who, match, told)
    return _shown(match)


@blueprint.route("/seats/<seat>/call", methods=["PUT"])
@blueprint.arguments(CallIn)
@blueprint.response(200, schemas.MatchOut)
def call(given: dict[str, Any], match: str, seat: str) -> dict[str, Any]:
    """Open a seat for a substitute: whoever may join then takes it with everything it knows, and a full fresh deadline"""
    return shape.match(matches(), me(), matches().call(somebody().id, match, seat, given["reason"]))


@blueprint.route("/seats/<seat>/call", methods=["DELETE"])
@blueprint.response(200, schemas.MatchOut)
def end_call(match: str, seat: str) -> dict[str, Any]:
    """Close the seat again"""
    return shape.match(matches(), me(), matches().end_call(somebody().id, match, seat))


@blueprint.route("/preview", methods=["POST"])
@blueprint.response(200, PreviewOut)
def preview(match: str) -> dict[str, Any]:
    """What would be done for everybody waited for if time ran out now

    A game master who sees everything is told the answers, and put on record as having looked.
    """
    return {"items": timing().preview(somebody().id, match)}
