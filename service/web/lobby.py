"""Pages around the games: lobby, sign-in, account, a new match, joining."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, make_response, redirect, render_template, request, session, url_for
from werkzeug.wrappers import Response as BaseResponse

from domain.kernel.errors import Refused
from domain.match import FINISHED, OPEN, RUNNING, Policy
from service.api.who import remember
from service.register import Summary
from service.web import text
from service.web.session import matches, me, signed_in, who

pages = Blueprint("web_lobby", __name__, template_folder="templates", static_folder="static", static_url_path="/static/web")


@pages.get("/")
def lobby() -> str:
    """Waiting for you, running, open seats, finished."""
    service = matches()
    waiting = []
    if me():
        for match, seat in service.register.seats(who()):
            look = service.look(who(), match, viewer=seat)
            asked = [question for question in look.questions() if question["seat"] == seat and question.get("must")]
            if asked:
                waiting.append(
                    {"match": look.match, "seat": seat, "asked": asked[0]["key"], "since": look.events(look.head - 1)[-1].at}
                )
    rows: dict[str, list[Summary]] = {
        "running": service.register.find(who(), state=RUNNING)[0],
        "open": service.register.find(who(), state=OPEN)[0],
        "finished": service.register.find(who(), state=FINISHED)[0],
    }
    return render_template("lobby.html", waiting=sorted(waiting, key=lambda row: row["since"]), **rows, titles=_titles())


def _titles() -> dict[str, str]:
    return {title.id: title.name for title in matches().titles.all()}


# -- coming in ----------------------------------------------------------------------------------------


@pages.route("/sign-in", methods=["GET", "POST"])
def sign_in_page() -> Any:
    wrong = ""
    if request.method == "POST":
        try:
            name, password = request.form.get("name", ""), request.form.get("password", "")
            accounts = matches().accounts
            account = accounts.create(name, password) if request.form.get("new") else accounts.check(name, password)
        except Refused as refused:
            wrong = refused.reason
        else:
            remember(account)
            return redirect(_local(request.form.get("next", "/")))
    return render_template("sign_in.html", wrong=wrong, next=request.args.get("next", "/")), 422 if wrong else 200


pages.add_url_rule("/sign-in", "sign_in", sign_in_page, methods=["GET", "POST"])


@pages.route("/sign-in/<link>", methods=["GET", "POST"])
def sign_in_by_link(link: str) -> Any:
    """A link from a mail: a button, so that mail scanners that open links do not use it up."""
    if request.method == "POST":
        remember(matches().accounts.sign_in(link))
        return redirect(url_for("web_lobby.lobby"))
    return render_template("enter.html", link=link)


@pages.post("/sign-out")
def sign_out() -> BaseResponse:
    session.clear()
    return redirect(url_for("web_lobby.lobby"))


def _local(target: str) -> str:
    """Never lead anybody off the site."""
    return target if target.startswith("/") and not target.startswith(("//", "/\\")) else "/"


@pages.get("/account")
def account() -> str:
    return render_template("account.html", tokens=matches().accounts.tokens(signed_in().id), fresh="")


@pages.post("/account/tokens")
def new_token() -> str:
    accounts = matches().accounts
    _, secret = accounts.issue(signed_in().id, request.form.get("label", ""))
    return render_template("account.html", tokens=accounts.tokens(who()), fresh=secret)


@pages.post("/account/tokens/<id>/revoke")
def revoke(id: str) -> BaseResponse:
    matches().accounts.revoke(signed_in().id, id)
    return redirect(url_for("web_lobby.account"))


@pages.post("/appearance")
def appearance() -> Response:
    """Language and theme, kept in plain cookies: nothing about a person."""
    response = make_response(redirect(_local(request.form.get("next", "/"))))
    for name, allowed in (("language", text.LANGUAGES), ("theme", ("light", "dark", ""))):
        if request.form.get(name, "?") in allowed:
            response.set_cookie(
                name, request.form[name], max_age=31_536_000, samesite="Lax", secure=request.is_secure, httponly=True
            )
    return response


# -- a new match --------------------------------------------------------------------------------------


@pages.route("/new", methods=["GET", "POST"])
def new() -> Any:
    """A match from a form made of the title's options."""
    signed_in()
    service = matches()
    id = request.values.get("title", "")
    title = service.titles.get(id) if id else None
    if request.method == "POST" and title is not None:
        form = request.form
        options = {
            name: next((choice for choice in option.choices if str(choice) == form.get(name)), option.default)
            for name, option in title.options.items()
        }
        policy = Policy(
            seating="invited" if form.get("seating") == "invited" else "open",
            spectators="nobody" if form.get("private") else "anybody",
        )
        players = form.get("players", "")
        match = service.open(
            who(),
            title.id,
            players=int(players) if players.isdigit() else 0,
            name=form.get("name", "")[:80],
            options=options,
            policy=policy,
        )
        if form.get("play"):
            service.join(who(), match.id)
        return redirect(url_for("web_game.table", id=match.id))
    return render_template("new.html", title=title, titles=service.titles.all())


@pages.route("/join/<id>", methods=["GET", "POST"])
def join(id: str) -> Any:
    """An open seat, or the seat that an invitation link stands for."""
    link = request.values.get("link", "")
    if request.method == "POST":
        signed_in()
        matches().join(who(), id, seat=request.form.get("seat", ""), link=link)
        return redirect(url_for("web_game.table", id=id))
    return render_template("join.html", id=id, link=link)
