"""What-if: branches with one thing changed, rollouts, luck."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
import msgspec
from flask import current_app
from marshmallow import fields

from domain.bots import SEATED
from domain.kernel.errors import Refused
from domain.luck import sheet
from domain.whatif import FRESH, SAME
from service.api import schemas
from service.api.blueprint import Blueprint
from service.api.play import look
from service.api.who import matches, me, somebody
from service.branches import About
from service.rollouts import Job, Rollouts
from service.studies import SWEEP, SWINGS, Studies, Study
from service.whatif import WhatIf

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
    viewer = fields.String(load_default="", validate=ma.validate.Length(max=64))
    reason = schemas.text(80, load_default="what if")


class WhatIfOut(ma.Schema):
    line = fields.String()
    version = fields.Integer()
    replayed = fields.Integer()
    stopped = fields.Dict(allow_none=True)
    imagined = fields.String(
        allow_none=True, metadata={"description": "The seat from whose knowledge the line starts, if it does."}
    )


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
    points = fields.Dict(metadata={"description": "By seat: how many playouts ended with so many points."})


class RolloutsOut(ma.Schema):
    items = fields.List(fields.Nested(RolloutOut))


class LuckOut(ma.Schema):
    items = fields.List(fields.Dict())


class StudyIn(schemas.Strict):
    """The swings of a game; or with a version, a sweep of what could have been decided, or drawn, there."""

    line = fields.String(load_default="", validate=ma.validate.Length(max=64))
    viewer = fields.String(load_default="", validate=ma.validate.Length(max=64))
    kind = fields.String(load_default=SWINGS, validate=ma.validate.OneOf([SWINGS, SWEEP]))
    version = schemas.whole(1, 2**31)
    draw = schemas.whole(0, 1000)
    answers = fields.List(schemas.Answer(allow_none=True), validate=ma.validate.Length(min=1, max=24))
    playouts = schemas.whole(1, 1000, load_default=60)
    policy = fields.String(load_default="random", validate=ma.validate.OneOf(["random", "greedy", "search"]))
    seed = schemas.text(40, load_default="0")


class PointOut(ma.Schema):
    version = fields.Integer()
    wins = fields.Dict(keys=fields.String(), values=fields.Float())
    decided = fields.Boolean(metadata={"description": "After the decision that follows, before its luck."})


class SwingOut(ma.Schema):
    after = fields.Integer()
    version = fields.Integer()
    seat = fields.String()
    ask = fields.String()
    cause = fields.String()
    change = fields.Dict(keys=fields.String(), values=fields.Float())
    by_chance = fields.Dict(keys=fields.String(), values=fields.Float())
    clear = fields.Boolean(metadata={"description": "Whether it is larger than what noise explains."})


class SweptOut(ma.Schema):
    alternative = fields.Raw(allow_none=True)
    found = fields.List(fields.Nested(EstimateOut))


class StudyOut(ma.Schema):
    id = fields.String()
    line = fields.String()
    version = fields.Integer()
    viewer = fields.String()
    kind = fields.String()
    policy = fields.String()
    seed = fields.String()
    playouts = fields.Integer()
    state = fields.String()
    done = fields.Integer()
    wanted = fields.Integer()
    curve = fields.List(fields.Nested(PointOut))
    swings = fields.List(fields.Nested(SwingOut))
    swept = fields.List(fields.Nested(SweptOut))
    chosen = fields.Raw(allow_none=True)


class NoteIn(schemas.Strict):
    """What to say about a line: a name, tags or bots for a branch of your own, a comment on any you may see."""

    name = schemas.text(60)
    tags = fields.List(schemas.text(30, shortest=1), validate=ma.validate.Length(max=8))
    comment = fields.String(validate=ma.validate.Length(max=2000))
    version = schemas.whole(1, 2**31)
    bots = fields.Dict(
        keys=schemas.text(64, shortest=1),
        values=fields.String(validate=ma.validate.OneOf(sorted(SEATED))),
        metadata={"description": "Which seats bots play on the branch from now on, and how they think; {} for none."},
    )


class CommentOut(ma.Schema):
    at = fields.Integer()
    name = fields.String()
    version = fields.Integer()
    text = fields.String()


class AboutOut(ma.Schema):
    line = fields.String()
    name = fields.String()
    tags = fields.List(fields.String())
    comments = fields.List(fields.Nested(CommentOut))
    bots = fields.Dict(metadata={"description": "Seats that bots play on the line, and how they think."})
    imagined = fields.String(
        allow_none=True, metadata={"description": "The seat from whose knowledge the line starts, if it does."}
    )
    parent = fields.String(allow_none=True)
    version = fields.Integer(allow_none=True, metadata={"description": "The version of the parent that was changed."})
    replayed = fields.Integer(allow_none=True)
    stopped = fields.Dict(allow_none=True)


class ShareIn(schemas.Strict):
    together = fields.Boolean(load_default=False)


class LinkOut(ma.Schema):
    link = fields.String()


class EnterIn(schemas.Strict):
    link = schemas.text(400, shortest=1, required=True)


class EnteredOut(ma.Schema):
    line = fields.String()
    together = fields.Boolean()


def rollouts() -> Rollouts:
    found: Rollouts = current_app.extensions["rollouts"]
    return found


def studies() -> Studies:
    found: Studies = current_app.extensions["studies"]
    return found


def whatif() -> WhatIf:
    found: WhatIf = current_app.extensions["whatif"]
    return found


@blueprint.route("/what-ifs", methods=["POST"])
@blueprint.arguments(WhatIfIn)
@blueprint.response(201, WhatIfOut)
def what_if(given: dict[str, Any], match: str) -> dict[str, Any]:
    """Change one decision or one draw; what followed is replayed as far as it stays legal

    Once the game is over, by anybody and with everything open. While it runs, by its players: the line starts in a world that their
    seat may suppose (`imagined`), with versions of its own, and what the seat may not know stops the replay.
    """
    how = {name: given[name] for name in ("luck", "line", "viewer", "reason")}
    if "outcome" in given:
        how |= {"draw": given.get("draw", 0), "outcome": given["outcome"]}
    elif "answer" in given:
        how["answer"] = given["answer"]
    else:
        matches().see(somebody().id, match)
        raise Refused("", "say what to change: an answer, or an outcome of a draw")
    grown = whatif().change(somebody().id, match, given["version"], **how)
    line = grown.log.line
    stopped = msgspec.to_builtins(grown.stopped) if grown.stopped else None
    imagined = matches().supposed(line) or None
    return {"line": line.id, "version": grown.log.head, "replayed": grown.replayed, "stopped": stopped, "imagined": imagined}


# -- what is said about lines ---------------------------------------------------------------------------


@blueprint.route("/lines/<id:line>")
@blueprint.doc(security=EITHER)
@blueprint.response(200, AboutOut)
def about(match: str, line: str) -> dict[str, Any]:
    """What is said about a line: its name, tags, comments, and what grew on it"""
    return _about(match, line, whatif().about(me(), match, line))


@blueprint.route("/lines/<id:line>/notes", methods=["POST"])
@blueprint.arguments(NoteIn)
@blueprint.response(201, AboutOut)
def say(given: dict[str, Any], match: str, line: str) -> dict[str, Any]:
    """Name or tag a branch of yours, or comment on a line"""
    return _about(match, line, whatif().say(somebody().id, match, line, **given))


@blueprint.route("/lines/<id:line>/shares", methods=["POST"])
@blueprint.arguments(ShareIn)
@blueprint.response(201, LinkOut)
def share(given: dict[str, Any], match: str, line: str) -> dict[str, str]:
    """A link to a branch of yours, to look at or to play on together

    A branch that holds the true table of a running game is shared when the game is over.
    """
    return {"link": whatif().share(somebody().id, match, line, together=given["together"])}


@blueprint.route("/lines/<id:line>/shares/<id:share>", methods=["DELETE"])
@blueprint.response(204)
def unshare(match: str, line: str, share: str) -> None:
    """Take a link back; who came in by it is out again"""
    whatif().unshare(somebody().id, match, line, share)


@blueprint.route("/entries", methods=["POST"])
@blueprint.arguments(EnterIn)
@blueprint.response(201, EnteredOut)
def enter(given: dict[str, Any], match: str) -> dict[str, Any]:
    """Come in by a link to a branch"""
    _, held = whatif().opened(somebody().id, match, given["link"])
    return {"line": whatif().enter(somebody().id, match, given["link"]).id, "together": held.together}


def _about(match: str, line: str, found: About) -> dict[str, Any]:
    names = matches().accounts.names({comment.by for comment in found.comments})
    grew = found.grew
    return {
        "line": line,
        "name": found.name,
        "tags": found.tags,
        "comments": [
            {"at": one.at, "name": names.get(one.by, ""), "version": one.version, "text": one.text} for one in found.comments
        ],
        "bots": found.bots,
        "imagined": matches().supposed(matches().store.line(line)) or None,
        "parent": grew.parent if grew else None,
        "version": grew.version if grew else None,
        "replayed": grew.replayed if grew else None,
        "stopped": msgspec.to_builtins(grew.stopped) if grew and grew.stopped else None,
    }


# -- studies --------------------------------------------------------------------------------------------


@blueprint.route("/studies", methods=["POST"])
@blueprint.arguments(StudyIn)
@blueprint.response(202, StudyOut)
def study(given: dict[str, Any], match: str) -> dict[str, Any]:
    """Look for the swings of a game, or sweep the alternatives at one decision or the faces of one die

    Swings are for those who may see the whole game. Of a running one, a seat sweeps its own decisions, from what it knows.
    """
    how = {name: given[name] for name in ("line", "playouts", "policy", "seed")}
    who = somebody().id
    if given["kind"] == SWINGS:
        return _study(studies().swings(who, match, **how))
    if "version" not in given:
        matches().see(who, match)
        raise Refused("", "say at which version")
    more = {name: given[name] for name in ("draw", "answers") if name in given}
    return _study(studies().sweep(who, match, given["version"], viewer=given["viewer"], **more, **how))


@blueprint.route("/studies/<id:study_id>")
@blueprint.response(200, StudyOut)
def study_status(match: str, study_id: str) -> dict[str, Any]:
    """How far a study is, and what it says so far"""
    return _study(studies().status(somebody().id, match, study_id))


@blueprint.route("/studies/<id:study_id>/cancel", methods=["POST"])
@blueprint.response(200, StudyOut)
def cancel_study(match: str, study_id: str) -> dict[str, Any]:
    """Stop a study; what was played is kept"""
    return _study(studies().cancel(somebody().id, match, study_id))


def _study(found: Study) -> dict[str, Any]:
    swept = [{"alternative": row.alternative, "found": msgspec.to_builtins(row.found)} for row in found.swept]
    curve, swings = [point._asdict() for point in found.curve], [swing._asdict() for swing in found.swings]
    return {**found._asdict(), "curve": curve, "swings": swings, "swept": swept}


# -- rollouts -------------------------------------------------------------------------------------------


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
