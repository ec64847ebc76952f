"""Going back by consent, disputes and rulings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import marshmallow as ma
from flask import current_app
from marshmallow import fields

from domain.docket import Dispute, Motion, Rewind, Upgrade
from service.api import schemas
from service.api.blueprint import Blueprint
from service.api.who import matches, me, somebody
from service.court import Court

blueprint = Blueprint("court", __name__, url_prefix="/api/v1", description="Rewinds, disputes, rulings.")
EITHER: list[dict[str, list[str]]] = [{}, {"bearer": []}]
LONGEST_CLAIM = 2_000


class TouchQuery(schemas.Strict):
    version = schemas.number(1, 2**31, required=True)
    viewer = schemas.text(40, load_default="", data_key="as", metadata={"description": "Through whose eyes; your own by default."})


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
    reading = fields.Dict(
        keys=schemas.text(60, shortest=1),
        values=schemas.Answer(),
        load_default=dict,
        validate=ma.validate.Length(max=10),
        metadata={"description": "Another reading of the rules from the last mark on: an option and its value."},
    )


class MotionIn(RulingIn):
    seat = schemas.text(40, shortest=1, required=True)


class MotionOut(ma.Schema):
    id = fields.String()
    by = fields.String()
    dispute = fields.String()
    ruling = fields.Dict()
    voters = fields.List(fields.String())
    votes = fields.Dict(keys=fields.String(), values=fields.Boolean())
    at = fields.Integer()
    outcome = fields.String(allow_none=True)


class ProposalIn(schemas.Strict):
    seat = schemas.text(40, shortest=1, required=True)
    reason = schemas.text(200, load_default="")


class ProposalOut(ma.Schema):
    id = fields.String()
    by = fields.String()
    line = fields.String()
    rules = fields.String()
    data = fields.String()
    needs = fields.List(fields.String())
    votes = fields.Dict(keys=fields.String(), values=fields.Boolean())
    reason = fields.String()
    at = fields.Integer()
    outcome = fields.String(allow_none=True)
    version = fields.Integer(allow_none=True)


class RulesOut(ma.Schema):
    rules = fields.String()
    data = fields.String()
    newest = fields.String()
    newest_data = fields.String()
    differ = fields.Boolean()
    again = fields.Integer()
    proposals = fields.List(fields.Nested(ProposalOut))


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
    motions = fields.List(fields.Nested(MotionOut))


class DisputesOut(ma.Schema):
    items = fields.List(fields.Nested(DisputeOut))


class CaseQuery(schemas.Strict):
    version = schemas.number(1, 2**31, required=True)
    line = fields.String(load_default="", validate=ma.validate.Length(max=64))
    viewer = schemas.text(40, load_default="", data_key="as", metadata={"description": "Through whose eyes; your own by default."})


class CaseOut(ma.Schema):
    version = fields.Integer()
    before = fields.Dict()
    after = fields.Dict()
    changes = fields.List(fields.Dict())
    question = fields.Dict(allow_none=True)
    answer = fields.Raw(allow_none=True)
    received = fields.Integer()
    via = fields.String()
    receipt = fields.String(allow_none=True)
    chance = fields.List(fields.Raw())
    proof = fields.Dict()
    ops = fields.List(fields.Raw())
    why = fields.List(fields.Dict())
    verdicts = fields.List(fields.Dict())
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
    """What going back to a version would take back, as far as you may know: decisions, draws, and what seats have learnt since"""
    return court().touch(me(), match, query["version"], query["viewer"])


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
    book = court().docket(me(), match)
    return {"items": [_dispute(one, book.motions.values()) for one in book.disputes.values()]}


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
    """Rule: it stands, the table is corrected by ops or by another reading of the rules, the game goes back, or it is only analysed"""
    return _dispute(court().rule(somebody().id, match, dispute, **given))


@blueprint.route("/matches/<id:match>/disputes/<id:dispute>/motions", methods=["POST"])
@blueprint.arguments(MotionIn)
@blueprint.response(201, MotionOut)
def move(given: dict[str, Any], match: str, dispute: str) -> dict[str, Any]:
    """Where the table is the arbiter: move a ruling, which more than half of the seats carry"""
    return _motion(court().move(somebody().id, match, dispute, **given))


@blueprint.route("/matches/<id:match>/motions/<id:motion>/votes", methods=["POST"])
@blueprint.arguments(VoteIn)
@blueprint.response(201, MotionOut)
def vote_motion(given: dict[str, Any], match: str, motion: str) -> dict[str, Any]:
    """Vote on a ruling that was moved"""
    return _motion(court().vote_motion(somebody().id, match, motion, given["seat"], given["agrees"]))


@blueprint.route("/matches/<id:match>/rules")
@blueprint.doc(security=EITHER)
@blueprint.response(200, RulesOut)
def rules(match: str) -> dict[str, Any]:
    """The rules a match goes by, the newest ones, how much would be decided again under them, and every proposal to go on by them"""
    found = court().rules_at_hand(me(), match)
    return {**found, "proposals": [_proposal(one) for one in court().docket(me(), match).upgrades.values()]}


@blueprint.route("/matches/<id:match>/rules/proposals", methods=["POST"])
@blueprint.arguments(ProposalIn)
@blueprint.response(201, ProposalOut)
def propose(given: dict[str, Any], match: str) -> dict[str, Any]:
    """Propose to go on under the newest rules and data: as a seat, or as the `game master`"""
    return _proposal(court().propose_upgrade(somebody().id, match, given["seat"], given["reason"]))


@blueprint.route("/matches/<id:match>/rules/proposals/<id:proposal>/votes", methods=["POST"])
@blueprint.arguments(VoteIn)
@blueprint.response(201, ProposalOut)
def vote_rules(given: dict[str, Any], match: str, proposal: str) -> dict[str, Any]:
    """Agree to other rules, or refuse, which ends the proposal"""
    return _proposal(court().vote_upgrade(somebody().id, match, proposal, given["seat"], given["agrees"]))


@blueprint.route("/matches/<id:match>/case")
@blueprint.doc(security=EITHER)
@blueprint.arguments(CaseQuery, location="query")
@blueprint.response(200, CaseOut)
def case(query: dict[str, Any], match: str) -> dict[str, Any]:
    """The case file of an event: before and after, the question and what was legal, the answer, chance, ops, rules, verdicts, other readings"""
    return court().case_file(me(), match, query["line"], query["version"], query["viewer"])


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


def _motion(one: Motion) -> dict[str, Any]:
    moved, said = one.moved, one.moved.said
    ruling = {"outcome": said.outcome, "text": said.text, "rules": said.rules, "ops": said.ops, "reading": said.reading}
    return {
        "id": moved.id,
        "by": moved.by,
        "dispute": said.dispute,
        "ruling": ruling,
        "voters": moved.voters,
        "votes": one.votes,
        "at": moved.at,
        "outcome": one.closed.outcome if one.closed else None,
    }


def _proposal(one: Upgrade) -> dict[str, Any]:
    asked, closed = one.proposed, one.closed
    return {
        "id": asked.id,
        "by": asked.by,
        "line": asked.line,
        "rules": asked.rules,
        "data": asked.data,
        "needs": asked.needs,
        "votes": one.votes,
        "reason": asked.reason,
        "at": asked.at,
        "outcome": closed.outcome if closed else None,
        "version": closed.version if closed and closed.version else None,
    }


def _dispute(one: Dispute, motions: Iterable[Motion] = ()) -> dict[str, Any]:
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
            "reading": ruled.reading,
            "at": ruled.at,
        }
        if ruled
        else None,
        "motions": [_motion(motion) for motion in motions if motion.moved.said.dispute == claimed.id],
    }
