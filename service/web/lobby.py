"""Pages around the games: lobby, sign-in, account, a new match, joining, case law."""

from __future__ import annotations

from typing import Any
from zoneinfo import available_timezones

from flask import Blueprint, Response, current_app, flash, make_response, redirect, render_template, request, session, url_for
from msgspec.structs import replace
from werkzeug.wrappers import Response as BaseResponse

from domain.kernel.errors import NotFound, Refused
from domain.match import FINISHED, OPEN, RUNNING, Policy
from service.accounts import NotSignedIn, checked_email
from service.api.limits import limiter
from service.api.who import remember
from service.database import Database
from service.mail.wishes import FORMS, MODES, Wish, Wishes, held
from service.register import Summary
from service.views import inbox
from service.web import text
from service.web.session import court, errors_as_pages, keep, local, matches, me, signed_in, who

pages = errors_as_pages(
    Blueprint("web_lobby", __name__, template_folder="templates", static_folder="static", static_url_path="/static/web")
)

PAGE = 12
TRIES = "10/minute;60/hour"
THEMES, CALM = ("", "light", "dark"), ("", "yes")
CHOICES = {
    "spectators": ("anybody", "invited", "nobody"),
    "game_master": ("public", "everything"),
    "undo": ("touched", "all", "master", "free", "never"),
    "afterwards": ("shown", "hidden"),
    "arbiter": ("master", "vote"),
    "upgrade": ("all", "master", "never"),
}


@pages.get("/")
def lobby() -> str:
    """Waiting for you, running, open seats, finished."""
    titles = {title.id: title for title in matches().titles.all()}
    return render_template(
        "lobby.html",
        titles=titles,
        waiting=_waiting() if me() else [],
        running=_listed(RUNNING),
        open=_listed(OPEN),
        finished=_listed(FINISHED),
    )


def _waiting() -> list[dict[str, Any]]:
    """Every question that waits for me, the oldest first."""
    service = matches()
    return [{**row, "seats": service.register.load(row["match"]).seats} for row in inbox(service, who(), 0.5)]


def _listed(state: str) -> list[dict[str, Any]]:
    """The newest matches in a state that I may know of; of those that run, whom they wait for."""
    rows, more = matches().register.find(who(), state=state, limit=PAGE, after=request.args.get(state, ""))
    found = [_row(summary) for summary in rows]
    if more and found:
        found[-1]["more"] = more
    return found


def _row(summary: Summary) -> dict[str, Any]:
    service = matches()
    match = service.register.load(summary.id)
    row: dict[str, Any] = {"match": match, "mine": match.seats_of(who()), "waits": []}
    if match.state == RUNNING:
        said = service.views.inbox(line=match.line)["waiting"]
        row["waits"] = list(dict.fromkeys(ask["seat"] for ask in said))
    elif match.state == FINISHED:
        seen = service.look(who(), match.id, viewer="spectator", note=False)
        row["winners"] = seen.title.winners(seen.table())
    return row


# -- coming in ----------------------------------------------------------------------------------------------


@pages.route("/sign-in", methods=["GET", "POST"])
@limiter.limit(TRIES, methods=["POST"])
def sign_in() -> Any:
    """Name and password; a new account where the operator allows it."""
    wrong, accounts = "", matches().accounts
    open_to_all = current_app.config["REGISTRATION"] == "open"
    if request.method == "POST":
        name, password, fresh = request.form.get("name", ""), request.form.get("password", ""), bool(request.form.get("new"))
        try:
            if fresh and not open_to_all:
                raise Refused("", text._("new accounts are made by the operator of this server"))
            if fresh and not password:
                raise Refused("", text._("choose a password"))
            remember(accounts.create(name, password) if fresh else accounts.check(name, password))
        except Refused as refused:
            wrong = refused.reason
        except NotSignedIn as unknown:
            wrong = str(unknown)
        else:
            return redirect(local(request.form.get("next", "/")))
    page = render_template("sign_in.html", wrong=wrong, next=local(request.values.get("next", "/")), registration=open_to_all)
    return page, 422 if wrong else 200


@pages.route("/sign-in/<link>", methods=["GET", "POST"])
@limiter.limit(TRIES, methods=["POST"])
def sign_in_by_link(link: str) -> Any:
    """A link from a mail: a button, so that mail scanners that open links do not use it up."""
    if request.method == "POST":
        remember(matches().accounts.sign_in(link))
        return redirect(url_for(".lobby"))
    return render_template("enter.html")


@pages.post("/sign-out")
def sign_out() -> BaseResponse:
    session.clear()
    return redirect(url_for(".lobby"))


@pages.get("/account")
def account() -> str:
    return _account()


def _account(fresh: str = "") -> str:
    """Tokens, how mails come, the password."""
    found, service = signed_in(), matches()
    kept = wishes()
    seats = [(service.register.load(id), seat) for id, seat in service.register.seats(found.id)]
    return render_template(
        "account.html",
        tokens=service.accounts.tokens(found.id),
        fresh=fresh,
        usual=kept.usual(found.id),
        seats=[(match, seat, kept.of(match.id, seat, found.id), kept.own(match.id, seat, found.id)) for match, seat in seats],
        modes=MODES,
        forms=FORMS,
        zones=sorted(available_timezones()),
    )


def wishes() -> Wishes:
    return Wishes(Database(matches().store))  # type: ignore[arg-type]


@pages.post("/account/address")
@limiter.limit("5/hour")
def address() -> BaseResponse:
    """Where my mails go: the address is asked first, if mails can be sent."""
    mine, wanted = signed_in(), checked_email(request.form.get("address", ""))
    office = current_app.extensions.get("mail")
    if office is None:
        matches().accounts.set_email(mine.id, wanted)
        flash(text._("Mails go to {address}.").format(address=wanted), "done")
    else:
        office.ask_address(mine, wanted)
        flash(text._("A link went to {address}: open it, and your mails go there.").format(address=wanted), "done")
    return redirect(url_for(".account", _anchor="mails"))


@pages.post("/account/mails")
def mails() -> BaseResponse:
    """How my mails come: usually, or those of one seat; or that one as usual again."""
    mine, form = signed_in(), request.form
    match, _, seat = form.get("for", "").partition("/")
    place = (match, seat, mine.id) if match else ("", mine.id, mine.id)
    if match:
        held(matches().see(mine.id, match), seat, mine.id)
    if match and form.get("usual"):
        wishes().clear(match, seat)
    else:
        said = {name: form.get(name, "")[:64] for name in ("mode", "hour", "zone", "form", "language")}
        wishes().set(*place, Wish(**said, secrets=bool(form.get("secrets"))))  # type: ignore[arg-type]
    flash(text._("Your mails come as you wish."), "done")
    return redirect(url_for(".account", _anchor="mails"))


@pages.post("/account/tokens")
def new_token() -> str:
    _, secret = matches().accounts.issue(signed_in().id, request.form.get("label", "").strip()[:60])
    return _account(secret)


@pages.post("/account/tokens/<id>/revoke")
def revoke(id: str) -> BaseResponse:
    if not matches().accounts.revoke(signed_in().id, id):
        raise NotFound("there is no such token")
    return redirect(url_for(".account"))


@pages.post("/account/password")
@limiter.limit(TRIES)
def password() -> BaseResponse:
    """A new password, for whoever knows the old one; everybody who came in before is signed out."""
    account, accounts = signed_in(), matches().accounts
    accounts.check(account.name, request.form.get("old", ""))
    accounts.set_password(account.id, request.form.get("new", ""))
    found = accounts.get(account.id)
    assert found is not None
    remember(found)
    flash(text._("Your password is changed. Tokens and other sessions are not valid any more."), "done")
    return redirect(url_for(".account"))


@pages.post("/appearance")
def appearance() -> Response:
    """Language, theme and motion, kept in plain cookies; who is signed in gets mails in that language too."""
    response = make_response(redirect(local(request.form.get("next", "/"))))
    if who() and request.form.get("language") in text.LANGUAGES:
        wishes().set_usual(who(), replace(wishes().usual(who()), language=request.form["language"]))
    for name, allowed in (("language", tuple(text.LANGUAGES)), ("theme", THEMES), ("calm", CALM)):
        if request.form.get(name) in allowed:
            keep(response, name, request.form[name])
    return response


# -- a new match --------------------------------------------------------------------------------------------


@pages.route("/new", methods=["GET", "POST"])
def new() -> Any:
    """A match from a form made of the title's options."""
    account, service = signed_in(), matches()
    id = request.values.get("title", "")
    title = service.titles.get(id) if id else None
    if request.method == "GET" or title is None:
        return render_template("new.html", title=title, titles=service.titles.all())
    form = request.form
    options = {
        name: next((choice for choice in option.choices if str(choice) == form.get(f"option:{name}")), option.default)
        for name, option in title.options.items()
    }
    house: dict[str, Any] = {name: form[name] for name, allowed in CHOICES.items() if form.get(name) in allowed}
    delay = form.get("delay", "")
    policy = Policy(seating="invited" if form.get("invited") else "open", delay=int(delay) if delay.isdigit() else 0, **house)
    players = form.get("players", "")
    match = service.open(
        account.id,
        title.id,
        players=int(players) if players.isascii() and players.isdigit() else 0,
        name=form.get("name", "").strip()[:80],
        options=options,
        policy=policy,
    )
    if form.get("play") and policy.game_master != "everything":
        service.join(account.id, match.id)
    return redirect(url_for("web_room.table", id=match.id))


@pages.route("/join/<id>", methods=["GET", "POST"])
def join(id: str) -> Any:
    """An open seat, or the seat that an invitation link stands for."""
    link = request.values.get("link", "")
    if request.method == "POST":
        matches().join(signed_in().id, id, seat=request.form.get("seat", ""), link=link)
        return redirect(url_for("web_room.table", id=id))
    service = matches()
    brought = service.accounts.invitation(link) if link else None
    # Whoever holds a link that we signed for this match may know of it.
    match = service.register.load(id) if brought and brought[0] == id else service.see(who(), id)
    invited = match.invitations.get(brought[1]) if brought else None
    return render_template(
        "join.html",
        match=match,
        title=service.titles.get(match.title),
        link=link,
        invited=invited,
        stale=bool(link) and not invited,
    )


@pages.get("/law/<id>")
def law(id: str) -> str:
    """Rulings on a title, perhaps on one of its rules."""
    rule = request.args.get("rule", "").strip()[:40]
    title = matches().titles.get(id)
    found = court().precedents(id, rule)
    return render_template("law.html", title=title, rule=rule, rulings=found, known=_known({one.match for one in found}))


def _known(ids: set[str]) -> set[str]:
    """Which of these matches I may know of."""
    found = set()
    for id in ids:
        try:
            matches().see(who(), id)
        except NotFound:
            continue
        found.add(id)
    return found
