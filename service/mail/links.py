"""The links in our mails that need no sign-in: end the mails of a seat, say that a mail, or an address, is one's own."""

from __future__ import annotations

from html import escape

from flask import Blueprint, Flask, Response, abort, current_app
from msgspec.structs import replace

from domain.match import Match
from service.mail.desk import Desk
from service.mail.office import MONTH, NONE, TEN_YEARS, Office
from service.mail.paper import when
from service.mail.reader import Reader

DAY = 24 * 3600

pages = Blueprint("mail", __name__, url_prefix="/mail")


def register(app: Flask, office: Office) -> None:
    app.extensions["mail"] = office
    app.register_blueprint(pages)


def _office() -> Office:
    office: Office = current_app.extensions["mail"]
    return office


def _meant(purpose: str, link: str, seconds: int) -> tuple[Match, str, str]:
    """The seat and account a link is for, while that account holds the seat."""
    found = _office().matches.accounts.unsign(purpose, link, seconds)
    if not found:
        abort(404)
    id, seat, account = found
    match = _office().matches.register.load(id)
    if _office().addresses.owner(match, seat) != account:
        abort(404)
    return match, seat, account


def _page(title: str, body: str) -> Response:
    html = f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title></head><body>{body}</body></html>'
    answer = Response(f"{html}\n", mimetype="text/html")
    answer.headers["Cache-Control"] = "private, no-store"
    answer.headers["Referrer-Policy"] = "no-referrer"
    answer.headers["X-Robots-Tag"] = "noindex"
    return answer


@pages.get("/unsubscribe/<link>")
def ask_unsubscribe(link: str) -> Response:
    match, seat, _ = _meant("unsubscribe", link, TEN_YEARS)
    text = f"No more mails about {seat} in {match.name}? Receipts for your own mails still come."
    form = '<form method="post"><button>No more mails</button></form>'
    return _page("No more mails", f"<h1>No more mails</h1><p>{escape(text)}</p>{form}")


@pages.post("/unsubscribe/<link>")
def unsubscribe(link: str) -> Response:
    """One click, from a person or from a mail program (RFC 8058)."""
    match, seat, account = _meant("unsubscribe", link, TEN_YEARS)
    _office().set_wish(match.id, seat, account, replace(_office().wish(match.id, seat, account), mode=NONE))
    return _page("No more mails", f"<h1>Done</h1><p>No more mails about {escape(seat)} in {escape(match.name)}.</p>")


@pages.get("/waiting/<link>")
def waiting(link: str) -> Response:
    """The mails that wait; a button for each, so that a program that only looks confirms nothing."""
    match, seat, account = _meant("mails", link, MONTH)
    office = _office()
    zone = office.wish(match.id, seat, account).zone
    parts = [
        f'<h2>{escape(when(mail.at, zone))}</h2><pre>{escape(mail.text)}</pre><form method="post" action="{escape(link)}/{mail.id}">'
        "<button>This is mine: carry it out</button></form>"
        for mail in Desk(office, Reader()).waiting(match.id, seat, account)
    ]
    return _page("Is this mail yours?", f"<h1>Orders for {escape(seat)}</h1>{''.join(parts) or '<p>Nothing waits here.</p>'}")


@pages.post("/waiting/<link>/<mail>")
def confirm(link: str, mail: str) -> Response:
    match, seat, account = _meant("mails", link, MONTH)
    desk = Desk(_office(), Reader())
    for one in desk.waiting(match.id, seat, account):
        if one.id == mail:
            desk.confirm(one)
            return _page("Carried out", "<h1>Thank you</h1><p>The receipt comes by mail.</p>")
    abort(404)


@pages.get("/address/<link>")
def ask_address(link: str) -> Response:
    """A button, so that a program that only looks confirms nothing."""
    _, address = _address(link)
    form = '<form method="post"><button>This address is mine</button></form>'
    return _page("Is this address yours?", f"<h1>Mails to {escape(address)}</h1>{form}")


@pages.post("/address/<link>")
def confirm_address(link: str) -> Response:
    account, address = _address(link)
    _office().matches.accounts.set_email(account, address)
    return _page("Thank you", f"<h1>Thank you</h1><p>Your mails go to {escape(address)}.</p>")


def _address(link: str) -> tuple[str, str]:
    found = _office().matches.accounts.unsign("address", link, DAY)
    if not found:
        abort(404)
    return found[0], found[1]
