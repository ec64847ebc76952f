"""Around a game: the waiting room with its invitations and bots, and the game master's desk."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from domain.bots import POLICIES
from domain.kernel.errors import NotFound
from domain.kernel.schema import SPECTATOR
from domain.match import BOT, CANCELLED, GAME_MASTER, OPEN, PLAYER, Match
from domain.match import SPECTATOR as WATCHER
from service.web import text
from service.web.looking import around
from service.web.session import errors_as_pages, matches, signed_in, who

pages = errors_as_pages(Blueprint("web_room", __name__, url_prefix="/m/<id>"))


@pages.get("/")
def table(id: str) -> Any:
    """The match: its waiting room, or its table."""
    match = matches().see(who(), id)
    if match.state == OPEN or not match.begun:
        return _room(match)
    return redirect(url_for("web_game.line", id=id, line=match.line))


def _room(match: Match) -> str:
    """Before the game: who sits where, invitations, the start."""
    host = GAME_MASTER in match.roles(who())
    return render_template(
        "room.html",
        match=match,
        title=matches().titles.get(match.title),
        host=host,
        names=names(match),
        cancelled=match.state == CANCELLED,
        policies=sorted(POLICIES),
        **_invitations(match, host),
    )


def names(match: Match) -> dict[str, str]:
    """What whoever holds or held a seat is called."""
    holders = {match.host, *(tenure.holder for tenure in match.tenures)}
    found = matches().accounts.names({holder for holder in holders if not holder.startswith(BOT)})
    bot = text._("bot ({policy})")
    return {**found, **{one: bot.format(policy=one.removeprefix(BOT)) for one in holders if one.startswith(BOT)}}


def _invitations(match: Match, host: bool) -> dict[str, Any]:
    """Open invitations, each with the link that stands for it."""
    links = {
        id: url_for("web_lobby.join", id=match.id, link=matches().accounts.invitation_link(match.id, id), _external=True)
        for id in (match.invitations if host else ())
    }
    return {"invitations": [(match.invitations[id], link) for id, link in links.items()]}


@pages.post("/invite")
def invite(id: str) -> BaseResponse:
    role = WATCHER if request.form.get("role") == WATCHER else PLAYER
    matches().invite(signed_in().id, id, role=role, seat=request.form.get("seat", ""))
    return _back(id)


@pages.post("/invitations/<invitation>/withdraw")
def withdraw(id: str, invitation: str) -> BaseResponse:
    matches().withdraw(signed_in().id, id, invitation)
    return _back(id)


@pages.post("/bot")
def bot(id: str) -> BaseResponse:
    matches().seat_bot(signed_in().id, id, request.form.get("seat", ""), request.form.get("policy", "greedy"))
    return _back(id)


@pages.post("/leave")
def leave(id: str) -> BaseResponse:
    matches().leave(signed_in().id, id)
    return redirect(url_for("web_lobby.lobby"))


@pages.post("/start")
def start(id: str) -> BaseResponse:
    matches().start(signed_in().id, id)
    return redirect(url_for(".table", id=id))


@pages.post("/cancel")
def cancel(id: str) -> BaseResponse:
    matches().cancel(signed_in().id, id, request.form.get("reason", "")[:200])
    flash(text._("The match is cancelled."), "done")
    return redirect(url_for("web_lobby.lobby"))


def _back(id: str) -> BaseResponse:
    """To the waiting room or, once the game runs, to the desk."""
    match = matches().see(who(), id)
    return redirect(url_for(".desk", id=id) if match.begun else url_for(".table", id=id))


@pages.get("/desk")
def desk(id: str) -> str:
    """The game master's desk: who is waited for and since when, never what they hold."""
    service = matches()
    match = service.see(who(), id)
    if GAME_MASTER not in match.roles(who()):
        raise NotFound("only the game master has a desk")
    seen = service.look(who(), id, viewer=SPECTATOR)
    return render_template(
        "desk.html",
        **around(seen),
        waiting=service.views.inbox(line=match.line)["waiting"],
        names=names(match),
        looks=service.looks(who(), id),
        policies=sorted(POLICIES),
        **_invitations(match, True),
    )
