"""What is made of the log: scoreboard, diplomacy, timeline, chronicle, inbox."""

from __future__ import annotations

from typing import Any

from flask import Response

from service import views
from service.api import schemas, shape
from service.api.blueprint import Blueprint
from service.api.headers import PREFER, patience
from service.api.play import look
from service.api.who import matches, me, somebody

blueprint = Blueprint("views", __name__, url_prefix="/api/v1", description="What is made of the log.")
EITHER: list[dict[str, list[str]]] = [{}, {"bearer": []}]


@blueprint.route("/matches/<id:match>/scoreboard", parameters=[PREFER])
@blueprint.doc(security=EITHER)
@blueprint.arguments(schemas.LookQuery, location="query")
@blueprint.response(200, schemas.ScoreboardOut)
def scoreboard(query: dict[str, Any], match: str) -> Response:
    """The scores, and how they came about"""
    seen = look(match, query)
    return shape.sent({**shape.place(seen), **views.scoreboard(matches(), seen, patience())})


@blueprint.route("/matches/<id:match>/diplomacy", parameters=[PREFER])
@blueprint.doc(security=EITHER)
@blueprint.arguments(schemas.LookQuery, location="query")
@blueprint.response(200, schemas.DiplomacyOut)
def diplomacy(query: dict[str, Any], match: str) -> dict[str, Any]:
    """How everybody stands to everybody, and since when"""
    seen = look(match, query)
    return {**shape.place(seen), **views.diplomacy(matches(), me(), seen, patience())}


@blueprint.route("/matches/<id:match>/timeline", parameters=[PREFER])
@blueprint.doc(security=EITHER)
@blueprint.arguments(schemas.LookQuery, location="query")
@blueprint.response(200, schemas.TimelineOut)
def timeline(query: dict[str, Any], match: str) -> Response:
    """Every decision, what was taken back, and where branches go off"""
    seen = look(match, query)
    return shape.sent({**shape.place(seen), **views.timeline(matches(), me(), seen, patience())})


@blueprint.route("/matches/<id:match>/chronicle", parameters=[PREFER])
@blueprint.doc(security=EITHER)
@blueprint.arguments(schemas.ChronicleQuery, location="query")
@blueprint.response(200, schemas.ChronicleOut)
def chronicle(query: dict[str, Any], match: str) -> Response:
    """What happened, in sentences"""
    seen = look(match, query)
    found = views.chronicle(matches(), seen, query["after"], query["limit"], query["language"], patience())
    return shape.sent({**shape.place(seen), **found})


@blueprint.route("/inbox", parameters=[PREFER])
@blueprint.response(200, schemas.InboxOut)
def inbox() -> Response:
    """What waits for you, in all your matches"""
    return shape.sent({"items": views.inbox(matches(), somebody().id, patience())})
