"""The life of a match: open, invite, join, start, substitute, cancel."""

from __future__ import annotations

from typing import Any

from domain.match import Match, Policy
from service.api import schemas, shape
from service.api.blueprint import Blueprint
from service.api.who import matches, me, somebody

blueprint = Blueprint("matches", __name__, url_prefix="/api/v1/matches", description="Matches and who plays in them.")
EITHER: list[dict[str, list[str]]] = [{}, {"bearer": []}]


def _shown(match: Match) -> dict[str, Any]:
    return shape.match(matches(), me(), match)


@blueprint.route("")
@blueprint.doc(security=EITHER)
@blueprint.arguments(schemas.MatchesQuery, location="query")
@blueprint.response(200, schemas.MatchesOut)
def listed(query: dict[str, Any]) -> dict[str, Any]:
    """Matches you may know of, newest first"""
    who = somebody().id if query["mine"] else me()
    found, after = matches().register.find(who, **query)
    return {"items": found, "next": after or None}


@blueprint.route("", methods=["POST"])
@blueprint.arguments(schemas.MatchIn)
@blueprint.response(201, schemas.MatchOut)
def opened(given: dict[str, Any]) -> tuple[dict[str, Any], int, dict[str, str]]:
    """Open a match; you are its game master"""
    policy = Policy(**given.pop("policy"))
    match = matches().open(somebody().id, **given, policy=policy)
    return _shown(match), 201, {"Location": f"/api/v1/matches/{match.id}"}


@blueprint.route("/<id:match>")
@blueprint.doc(security=EITHER)
@blueprint.response(200, schemas.MatchOut)
def one(match: str) -> dict[str, Any]:
    """One match"""
    return _shown(matches().see(me(), match))


@blueprint.route("/<id:match>/invitations", methods=["POST"])
@blueprint.arguments(schemas.InvitationIn)
@blueprint.response(201, schemas.NewInvitationOut)
def invite(given: dict[str, Any], match: str) -> dict[str, Any]:
    """Invite somebody to a seat, or to watch

    On a running match the invitation is for a substitute: name the seat.
    """
    invited, link = matches().invite(somebody().id, match, **given)
    return {**{name: getattr(invited, name) for name in invited.__struct_fields__}, "link": link}


@blueprint.route("/<id:match>/invitations")
@blueprint.response(200, schemas.InvitationsOut)
def invitations(match: str) -> dict[str, Any]:
    """Invitations nobody has taken yet, for the game master"""
    return {"items": matches().invitations(somebody().id, match)}


@blueprint.route("/<id:match>/invitations/<id:invitation>", methods=["DELETE"])
@blueprint.response(204)
def withdraw(match: str, invitation: str) -> None:
    """Withdraw an invitation"""
    matches().withdraw(somebody().id, match, invitation)


@blueprint.route("/<id:match>/join", methods=["POST"])
@blueprint.arguments(schemas.JoinIn)
@blueprint.response(200, schemas.JoinOut)
def join(given: dict[str, Any], match: str) -> dict[str, Any]:
    """Take a seat, with your share of the dice

    With an invitation to a running match you become the substitute for its seat; with one to watch, a spectator.
    """
    found, seat = matches().join(somebody().id, match, seat=given["seat"], nonce=given["nonce"], link=given["invitation"])
    return {"seat": seat, "match": _shown(found)}


@blueprint.route("/<id:match>/leave", methods=["POST"])
@blueprint.response(200, schemas.MatchOut)
def leave(match: str) -> dict[str, Any]:
    """Give your seat up before the game starts"""
    return _shown(matches().leave(somebody().id, match))


@blueprint.route("/<id:match>/seats/<seat>/bot", methods=["PUT"])
@blueprint.arguments(schemas.BotIn)
@blueprint.response(200, schemas.MatchOut)
def bot(given: dict[str, Any], match: str, seat: str) -> dict[str, Any]:
    """Let a bot play a seat, from the start or from now on"""
    matches().seat_bot(somebody().id, match, seat, given["policy"])
    return _shown(matches().see(me(), match))


@blueprint.route("/<id:match>/start", methods=["POST"])
@blueprint.response(200, schemas.MatchOut)
def start(match: str) -> dict[str, Any]:
    """Start the game when every seat is taken"""
    return _shown(matches().start(somebody().id, match))


@blueprint.route("/<id:match>/cancel", methods=["POST"])
@blueprint.arguments(schemas.ReasonIn)
@blueprint.response(200, schemas.MatchOut)
def cancel(given: dict[str, Any], match: str) -> dict[str, Any]:
    """Call a match off"""
    return _shown(matches().cancel(somebody().id, match, given["reason"]))


@blueprint.route("/<id:match>/looks")
@blueprint.response(200, schemas.LooksOut)
def looks(match: str) -> dict[str, Any]:
    """Every look of the game master at what is not public"""
    service = matches()
    found = service.looks(somebody().id, match)
    names = service.accounts.names({look.account for look in found})
    return {"items": [{**look._asdict(), "name": names.get(look.account, "")} for look in found]}
