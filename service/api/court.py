"""Going back by consent, disputes and rulings."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
from flask import current_app
from marshmallow import fields

from domain.docket import Dispute, Rewind
from service.api import schemas
from service.api.blueprint import Blueprint
from service.api.who import matches, me, somebody
from service.court import Court

blueprint = Blueprint("court", __name__, url_prefix="/api/v1", description="Rewinds, disputes, rulings.")
EITHER: list[dict[str, list[str]]] = [{}, {"bearer": []}]
LONGEST_CLAIM = 2_000


class TouchQuery(schemas.Strict):
    version = schemas.number(1, 2**31, required=True)


class TouchOut(ma.Schema):
    decided = fields.Dict(keys=fields.String(), values=fields.Integer())
    draws = fields.Integer()
    learnt = fields.Dict(keys=fields.String(), values=fields.Integer())


class RewindIn(schemas.Strict):
    seat = schemas.text(40, shortest=1, required=True)
    version = schemas.whole(1, 2**31, required=True)
    reason = schemas.text(200, load_default="")


class VoteIn(schemas.Strict):
    seat = schemas.text(40, shortest=1, required=True)
    agrees = fields.Boolean(required=True, truthy={True}, falsy={False})


class RewindOut(ma.Schema):
    id = fields.String()
    seat = fields.String()
    line = fields.String()
    version = fields.Integer()
    needs = fields.List(fields.String())
    votes = fields.Dict(keys=fields.String(), values=fields.Boolean())
    reason = fields.String()
    at = fields.Integer()
    outcome = fields.String(allow_none=True)
    adopted = fields.String(allow_none=True)


class RewindsOut(ma.Schema):
    items = fields.List(fields.Nested(RewindOut))


class ClaimIn(schemas.Strict):
    version = schemas.whole(1, 2**31, required=True)
    line = fields.String(load_default="", validate=ma.validate.Length(max=64))
    claim = schemas.text(LONGEST_CLAIM, shortest=1, required=True)
    evidence = fields.List(schemas.whole(1, 2**31), load_default=list, validate=ma.validate.Length(max=50))


class StatementIn(schemas.Strict):
    text = schemas.text(LONGEST_CLAIM, shortest=1, required=True)


class RulingIn(schemas.Strict):
    outcome = fields.String(required=True, validate=ma.validate.OneOf(["stands", "corrected", "rewound", "analysed"]))
    text = schemas.text(LONGEST_CLAIM, shortest=1, required=True)
    rules = fields.List(schemas.text(40, shortest=1), load_default=list, validate=ma.validate.Length(max=20))
    ops = fields.List(schemas.Answer(), load_default=list, validate=ma.validate.Length(max=200))


class StatementOut(ma.Schema):
    by = fields.String()
    text = fields.String()
    at = fields.Integer()


class DisputeOut(ma.Schema):
    id = fields.String()
    by = fields.String()
    line = fields.String()
    version = fields.Integer()
    claim = fields.String()
    evidence = fields.List(fields.Integer())
    due = fields.Integer()
    at = fields.Integer()
    answers = fields.List(fields.Nested(StatementOut))
    ruling = fields.Dict(allow_none=True)


class DisputesOut(ma.Schema):
    items = fields.List(fields.Nested(DisputeOut))


class CaseQuery(schemas.Strict):
    version = schemas.number(1, 2**31, required=True)
    line = fields.String(load_default="", validate=ma.validate.Length(max=64))


class CaseOut(ma.Schema):
    version = fields.Integer()
    before = fields.Dict()
    after = fields.Dict()
    question = fields.Dict(allow_none=True)
    answer = fields.Raw(allow_none=True)
    received = fields.Integer()
    chance = fields.List(fields.Raw())
    ops = fields.List(fields.Raw())
    why = fields.List(fields.Dict())
    verdict = fields.String()
    readings = fields.List(fields.Dict())


class PrecedentsQuery(schemas.Strict):
    rule = schemas.text(40, load_default="")


class PrecedentsOut(ma.Schema):
    items = fields.List(fields.Dict())


def court() -> Court:
    found: Court = current_app.extensions["court"]
    return found


@blueprint.route("/matches/<id:match>/touches")
@blueprint.doc(security=EITHER)
@blueprint.arguments(TouchQuery, location="query")
@blueprint.response(200, TouchOut)
def touches(query: dict[str, Any], match: str) -> Any:
    """What going back to a version would take back: decisions, draws, and what seats have learnt since"""
    return court().touch(me(), match, query["version"])


@blueprint.route("/matches/<id:match>/rewinds")
@blueprint.doc(security=EITHER)
@blueprint.response(200, RewindsOut)
def rewinds(match: str) -> dict[str, Any]:
    """Every request to go back, and what came of it"""
    return {"items": [_rewind(one) for one in court().docket(me(), match).rewinds.values()]}


@blueprint.route("/matches/<id:match>/rewinds", methods=["POST"])
@blueprint.arguments(RewindIn)
@blueprint.response(201, RewindOut)
def ask_rewind(given: dict[str, Any], match: str) -> dict[str, Any]:
    """Ask to go back: granted at once where it touches nobody, else when everybody it touches agrees"""
    return _rewind(court().ask_rewind(somebody().id, match, given["seat"], given["version"], given["reason"]))


@blueprint.route("/matches/<id:match>/rewinds/<id:request>/votes", methods=["POST"])
@blueprint.arguments(VoteIn)
@blueprint.response(201, RewindOut)
def vote(given: dict[str, Any], match: str, request: str) -> dict[str, Any]:
    """Agree, or refuse, which ends the request"""
    return _rewind(court().vote(somebody().id, match, request, given["seat"], given["agrees"]))


@blueprint.route("/matches/<id:match>/disputes")
@blueprint.doc(security=EITHER)
@blueprint.response(200, DisputesOut)
def disputes(match: str) -> dict[str, Any]:
    """Every dispute with its answers and ruling"""
    return {"items": [_dispute(one) for one in court().docket(me(), match).disputes.values()]}


@blueprint.route("/matches/<id:match>/disputes", methods=["POST"])
@blueprint.arguments(ClaimIn)
@blueprint.response(201, DisputeOut)
def claim(given: dict[str, Any], match: str) -> dict[str, Any]:
    """Dispute an event"""
    return _dispute(court().claim(somebody().id, match, given["version"], given["claim"], given["evidence"], given["line"]))


@blueprint.route("/matches/<id:match>/disputes/<id:dispute>/answers", methods=["POST"])
@blueprint.arguments(StatementIn)
@blueprint.response(201, DisputeOut)
def answer(given: dict[str, Any], match: str, dispute: str) -> dict[str, Any]:
    """Answer a claim, while there is time"""
    return _dispute(court().answer(somebody().id, match, dispute, given["text"]))


@blueprint.route("/matches/<id:match>/disputes/<id:dispute>/ruling", methods=["POST"])
@blueprint.arguments(RulingIn)
@blueprint.response(201, DisputeOut)
def rule(given: dict[str, Any], match: str, dispute: str) -> dict[str, Any]:
    """Rule: it stands, the table is corrected by ops, the game goes back, or it is only analysed"""
    found = court().rule(somebody().id, match, dispute, given["outcome"], given["text"], rules=given["rules"], ops=given["ops"])
    return _dispute(found)


@blueprint.route("/matches/<id:match>/case")
@blueprint.doc(security=EITHER)
@blueprint.arguments(CaseQuery, location="query")
@blueprint.response(200, CaseOut)
def case(query: dict[str, Any], match: str) -> dict[str, Any]:
    """The case file of an event: before and after, the question and what was legal, the answer, chance, ops, rules, verdict, other readings"""
    return court().case_file(me(), match, query["line"], query["version"])


@blueprint.route("/titles/<id:title>/rulings")
@blueprint.doc(security=EITHER)
@blueprint.arguments(PrecedentsQuery, location="query")
@blueprint.response(200, PrecedentsOut)
def precedents(query: dict[str, Any], title: str) -> dict[str, Any]:
    """Case law: how a title's rules were read, newest first"""
    matches().titles.get(title)
    found = [one._asdict() for one in court().precedents(title, query["rule"])]
    return {"items": [{name: value for name, value in one.items() if name != "match"} for one in found]}


def _rewind(one: Rewind) -> dict[str, Any]:
    asked, closed = one.asked, one.closed
    return {
        "id": asked.id,
        "seat": asked.seat,
        "line": asked.line,
        "version": asked.version,
        "needs": asked.needs,
        "votes": one.votes,
        "reason": asked.reason,
        "at": asked.at,
        "outcome": closed.outcome if closed else None,
        "adopted": closed.line if closed and closed.line else None,
    }


def _dispute(one: Dispute) -> dict[str, Any]:
    claimed, ruled = one.claimed, one.ruled
    names = matches().accounts.names({claimed.by, *(answer.by for answer in one.answers)})
    return {
        "id": claimed.id,
        "by": names.get(claimed.by, ""),
        "line": claimed.line,
        "version": claimed.version,
        "claim": claimed.claim,
        "evidence": claimed.evidence,
        "due": claimed.due,
        "at": claimed.at,
        "answers": [{"by": names.get(answer.by, ""), "text": answer.text, "at": answer.at} for answer in one.answers],
        "ruling": {
            "outcome": ruled.outcome,
            "text": ruled.text,
            "rules": ruled.rules,
            "line": ruled.line,
            "version": ruled.version,
            "at": ruled.at,
        }
        if ruled
        else None,
    }
