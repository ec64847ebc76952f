"""Playing: what is asked, deciding, the table and the log at any version, taking back, branches."""

from __future__ import annotations

from typing import Any

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from flask import Response, current_app, request

from domain import proof
from domain.log import Line
from domain.match import Match
from service.api import schemas, shape
from service.api.blueprint import Blueprint
from service.api.headers import IDEMPOTENCY, IF_MATCH, expected, idempotency_key
from service.api.who import matches, me, somebody
from service.branches import NOTHING_SAID, About
from service.looks import Look
from service.matches import Decided

blueprint = Blueprint("play", __name__, url_prefix="/api/v1/matches/<id:match>", description="The game itself.")
EITHER: list[dict[str, list[str]]] = [{}, {"bearer": []}]


def look(match: str, query: dict[str, Any]) -> Look:
    """The look a request asks for; the record of privileged looks says at what."""
    what = request.url_rule.rule.rsplit("/", 1)[-1] if request.url_rule else ""
    return matches().look(me(), match, query["viewer"], query["line"], what=what)


@blueprint.route("/questions")
@blueprint.doc(security=EITHER)
@blueprint.arguments(schemas.MomentQuery, location="query")
@blueprint.response(200, schemas.QuestionsOut)
def questions(query: dict[str, Any], match: str) -> Response:
    """What is asked, of you with what is legal

    Of others you learn who is asked what, never what they could answer.
    """
    seen = look(match, query)
    version = seen.known(query["version"])
    items = [shape.question(asked) for asked in seen.questions(version)]
    return shape.sent({**shape.place(seen), "version": version, "over": seen.over_at(version), "items": items})


@blueprint.route("/decisions", methods=["POST"], parameters=[IF_MATCH, IDEMPOTENCY])
@blueprint.arguments(schemas.DecisionQuery, location="query")
@blueprint.arguments(schemas.DecisionIn)
@blueprint.response(201, schemas.DecidedOut)
@blueprint.alt_response(200, schema=schemas.DecidedOut, description="A dry run: legal, nothing stored.", success=True)
def decide(query: dict[str, Any], given: dict[str, Any], match: str) -> Response:
    """Answer a question

    A refusal names the rule and what is legal instead. Sealed answers of others in between do not make yours stale.
    """
    service, who = matches(), somebody().id
    line, expect, once = query["line"], expected(), idempotency_key()
    seat, key, answer = given["seat"], given["key"], given["answer"]
    if query["dry_run"]:
        version = service.check(who, match, seat, key, answer, expect=expect, line=line)
        return shape.sent({**_where(service.see(who, match), line), "version": version, "dry_run": True, "events": []})
    decided = service.decide(who, match, seat, key, answer, expect=expect, once=once, line=line)
    return _decided(match, line, decided)


@blueprint.route("/undo", methods=["POST"], parameters=[IF_MATCH, IDEMPOTENCY])
@blueprint.arguments(schemas.UndoQuery, location="query")
@blueprint.arguments(schemas.UndoIn)
@blueprint.response(201, schemas.DecidedOut)
def undo(query: dict[str, Any], given: dict[str, Any], match: str) -> Response:
    """Take your last decision back

    Freely as long as nobody learnt anything by it: no draw, nothing turned up, no other decision since.
    """
    who, line, expect, once = somebody().id, query["line"], expected(), idempotency_key()
    return _decided(match, line, matches().undo(who, match, given["seat"], expect=expect, once=once, line=line))


def _where(match: Match, line: str) -> dict[str, str]:
    return {"match": match.id, "line": line or match.line}


def _decided(match: str, line: str, decided: Decided) -> Response:
    where = _where(matches().see(me(), match), line)
    body = {
        **where,
        "version": decided.version,
        "dry_run": False,
        "events": [shape.event(event) for event in decided.events],
        "receipt": msgspec.to_builtins(proof.sign(signing_key(), proof.receipt(match, where["line"], decided.events[0]))),
    }
    return shape.sent(body, 201, {"Idempotent-Replayed": "true"} if decided.replayed else None)


def signing_key() -> Ed25519PrivateKey:
    found: Ed25519PrivateKey = current_app.extensions["signing"]
    return found


@blueprint.route("/head")
@blueprint.doc(security=EITHER)
@blueprint.arguments(schemas.HeadQuery, location="query")
@blueprint.response(200, schemas.HeadOut)
def head(query: dict[str, Any], match: str) -> dict[str, Any]:
    """The newest version of a line and its link, signed: nothing before it can be changed, nothing cut off

    The link tells nothing: every part of an event is committed to with a salt.
    """
    seen = look(match, {**query, "viewer": ""})
    link = seen.events(seen.head - 1, 1)[-1].link.hex() if seen.head else ""
    return {"head": msgspec.to_builtins(proof.sign(signing_key(), proof.Head(match, seen.line.id, seen.head, link)))}


@blueprint.route("/table")
@blueprint.doc(security=EITHER)
@blueprint.arguments(schemas.MomentQuery, location="query")
@blueprint.response(200, schemas.TableOut)
def table(query: dict[str, Any], match: str) -> Response:
    """The table at any version, through any eyes you may look through"""
    seen = look(match, query)
    return shape.sent(shape.table(seen, seen.known(query["version"])))


@blueprint.route("/log")
@blueprint.doc(security=EITHER)
@blueprint.arguments(schemas.LogQuery, location="query")
@blueprint.response(200, schemas.LogOut)
def log(query: dict[str, Any], match: str) -> Response:
    """The log after a version, or since your own last decision"""
    seen = look(match, query)
    after = max(query["after"], seen.since_mine() if query["since"] else 0)
    events, head = seen.events(after, query["limit"]), seen.head
    more = bool(events) and events[-1].version < head
    items = [shape.event(event) for event in events]
    return shape.sent({**shape.place(seen), "version": head, "items": items, "next": events[-1].version if more else None})


@blueprint.route("/lines")
@blueprint.doc(security=EITHER)
@blueprint.response(200, schemas.LinesOut)
def lines(match: str) -> Response:
    """The lines of the match: the one it is played on, and branches with where they branch off"""
    who, service = me(), matches()
    found, said = service.see(who, match), service.branches.of_match(match)
    return shape.sent({"items": [_line(found, line, said.get(line.id, NOTHING_SAID), who) for line in service.lines(who, match)]})


@blueprint.route("/lines", methods=["POST"])
@blueprint.arguments(schemas.ForkIn)
@blueprint.response(201, schemas.LineOut)
def fork(given: dict[str, Any], match: str) -> dict[str, Any]:
    """Branch off at any version, to try things on

    A finished game by anybody; a running one by a game master who sees everything, and by its players from what their seat knows:
    such a line starts in a world that the seat may suppose (`imagined`). On your branch you play every seat.
    """
    line = matches().fork(somebody().id, match, version=given["version"], line=given["line"], reason=given["reason"])
    return _line(matches().see(me(), match), line, NOTHING_SAID, me())


def _line(match: Match, line: Line, said: About, who: str) -> dict[str, Any]:
    return {
        "id": line.id,
        "parent": line.parent or None,
        "at": line.at,
        "reason": line.reason,
        "made": line.made,
        "played": line.id in match.lines,
        "current": line.id == match.line,
        "yours": bool(who) and line.by == who,
        "imagined": matches().supposed(line) or None,
        "name": said.name,
        "tags": said.tags,
        "comments": len(said.comments),
    }
