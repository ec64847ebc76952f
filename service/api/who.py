"""Who is asking: an API token, or the cookie of somebody who signed in on the pages."""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import current_app, g, request, session

from service.accounts import Account, NotSignedIn
from service.matches import Matches

SAFE = ("GET", "HEAD", "OPTIONS")


def matches() -> Matches:
    """The service of this process."""
    found: Matches = current_app.extensions["chancery"]
    return found


def account() -> Account | None:
    """Whoever is asking; None for a passer-by. A token that is not valid is refused, not ignored."""
    if "account" not in g:
        g.account = _bearer() or _cookie()
    found: Account | None = g.account
    return found


def _bearer() -> Account | None:
    header = request.headers.get("Authorization")
    if header is None:
        return None
    scheme, _, secret = header.partition(" ")
    if scheme.lower() != "bearer" or not secret.strip():
        raise NotSignedIn("send an API token as: Authorization: Bearer <token>")
    return matches().accounts.bearer(secret.strip())


def _cookie() -> Account | None:
    """The session of the pages; changes only from our own pages (a foreign page could send the cookie, but not hide its origin)."""
    signed = session.get("account")
    if not signed:
        return None
    found = matches().accounts.get(signed[0])
    if found is None or found.epoch != signed[1]:
        return None
    if request.method not in SAFE and not _same_origin():
        raise NotSignedIn("this request did not come from our own pages")
    return found


def _same_origin() -> bool:
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = request.headers.get("Origin")
    return origin is not None and urlsplit(origin).netloc == request.host


def remember(found: Account) -> None:
    """Sign somebody in on the pages."""
    session.clear()
    session["account"] = [found.id, found.epoch]
    session.permanent = True


def me() -> str:
    """The account that is asking, or empty for a passer-by."""
    found = account()
    return found.id if found else ""


def somebody() -> Account:
    """The account that is asking; passers-by are asked to sign in."""
    found = account()
    if found is None:
        raise NotSignedIn("sign in first: send an API token as Authorization: Bearer <token>")
    return found
