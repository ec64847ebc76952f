"""What-if: branches with one thing changed, rollouts, luck."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
import msgspec
from flask import current_app
from marshmallow import fields

from domain.kernel.errors import Refused
from domain.kernel.schema import ARBITER
from domain.luck import sheet
from domain.match import Forbidden
from domain.whatif import FRESH, SAME, change_chance, change_decision
from service.api import schemas
from service.api.blueprint import Blueprint
from service.api.play import look
from service.api.who import matches, somebody
from service.matches import new_id
from service.rollouts import Job, Rollouts

blueprint = Blueprint("analysis", __name__, url_prefix="/api/v1/matches/<id:match>", description="The analyst's desk.")
EITHER: list[dict[str, list[str]]] = [{}, {"bearer": []}]


class WhatIfIn(schemas.Strict):
    """Another answer, or another outcome of one draw, of the decision at a version."""

    line = fields.String(load_default="", validate=ma.validate.Length(max=64))
    version = schemas.whole(1, 2**31, required=True)
    answer = schemas.Answer(allow_none=True)
    draw = schemas.whole(0, 1000)
    outcome = schemas.Answer()
    luck = fields.String(load_default=SAME, validate=ma.validate.OneOf([SAME, FRESH]))
    reason = schemas.text(80, load_default="what if")


class WhatIfOut(ma.Schema):
    line = fields.String()
    version = fields.Integer()
    replayed = fields.Integer()
    stopped = fields.Dict(allow_none=True)


class RolloutIn(schemas.Strict):
    line = fields.String(load_default="", validate=ma.validate.Length(max=64))
    viewer = fields.String(load_default="", validate=ma.validate.Length(max=64))
    version = schemas.whole(1, 2**31, load_default=None, allow_none=True)
    playouts = schemas.whole(1, 5000, load_default=200)
    policy = fields.String(load_default="random", validate=ma.validate.OneOf(["random", "greedy", "search"]))
    seed = schemas.text(40, load_default="0")
    precision = fields.Float(load_default=0.0, validate=ma.validate.Range(min=0, max=0.5))


class EstimateOut(ma.Schema):
    seat = fields.String()
    win = fields.Float()
    low = fields.Float()
    high = fields.Float()
    mean = fields.Float()
    spread = fields.Float()
    quartiles = fields.List(fields.Float())
    n = fields.Integer()


class RolloutOut(ma.Schema):
    id = fields.String()
    line = fields.String()
    version = fields.Integer()
    viewer = fields.String()
    policy = fields.String()
    seed = fields.String()
    wanted = fields.Integer()
    precision = fields.Float()
    state = fields.String()
    done = fields.Integer()
    found = fields.List(fields.Nested(EstimateOut))


class RolloutsOut(ma.Schema):
    items = fields.List(fields.Nested(RolloutOut))


class LuckOut(ma.Schema):
    items = fields.List(fields.Dict())


def rollouts() -> Rollouts:
    found: Rollouts = current_app.extensions["rollouts"]
    return found


@blueprint.route("/what-ifs", methods=["POST"])
@blueprint.arguments(WhatIfIn)
@blueprint.response(201, WhatIfOut)
def what_if(given: dict[str, Any], match: str) -> dict[str, Any]:
    """Change one decision or one draw; what followed is replayed as far as it stays legal

    For those who may see everything anyway: everybody once the game is over, before that a game master who sees everything.
    """
    who, service = somebody().id, matches()
    seen = service.look(who, match, line=given["line"], what="what-if")
    if ARBITER not in service.viewers(who, seen.match):
        raise Forbidden("a running game is branched by a game master who sees everything, a finished one by anybody")
    log = service.open_log(seen.line.id)
    made = {"luck": given["luck"], "by": who, "reason": given["reason"], "at": service.clock()}
    if "outcome" in given:
        grown = change_chance(log, new_id(), given["version"], given.get("draw", 0), given["outcome"], **made)
    elif "answer" in given:
        grown = change_decision(log, new_id(), given["version"], given["answer"], **made)
    else:
        raise Refused("", "say what to change: an answer, or an outcome of a draw")
    stopped = msgspec.to_builtins(grown.stopped) if grown.stopped else None
    return {"line": grown.log.line.id, "version": grown.log.head, "replayed": grown.replayed, "stopped": stopped}


@blueprint.route("/rollouts")
@blueprint.response(200, RolloutsOut)
def listed(match: str) -> dict[str, Any]:
    """Your rollouts of this match"""
    return {"items": [_job(job) for job in rollouts().of_match(somebody().id, match)]}


@blueprint.route("/rollouts", methods=["POST"])
@blueprint.arguments(RolloutIn)
@blueprint.response(202, RolloutOut)
def ask(given: dict[str, Any], match: str) -> dict[str, Any]:
    """Play a position out many times

    Of a running match, from what the viewer knows: hidden things are dealt anew in every playout.
    """
    how = {name: given[name] for name in ("version", "line", "viewer", "policy", "seed", "precision")}
    return _job(rollouts().ask(somebody().id, match, n=given["playouts"], **how))


@blueprint.route("/rollouts/<id:job>")
@blueprint.response(200, RolloutOut)
def status(match: str, job: str) -> dict[str, Any]:
    """How far a rollout is, and what it says so far"""
    return _job(rollouts().status(somebody().id, match, job))


@blueprint.route("/rollouts/<id:job>/cancel", methods=["POST"])
@blueprint.response(200, RolloutOut)
def cancel(match: str, job: str) -> dict[str, Any]:
    """Stop a rollout; what was played is kept"""
    return _job(rollouts().cancel(somebody().id, match, job))


@blueprint.route("/luck")
@blueprint.doc(security=EITHER)
@blueprint.arguments(schemas.LookQuery, location="query")
@blueprint.response(200, LuckOut)
def luck(query: dict[str, Any], match: str) -> dict[str, Any]:
    """What each seat rolled against what it could expect; dice are public"""
    seen = look(match, query)
    return {"items": msgspec.to_builtins(sheet(seen.events(0, seen.head)))}


def _job(job: Job) -> dict[str, Any]:
    return {**job._asdict(), "found": msgspec.to_builtins(job.found)}
