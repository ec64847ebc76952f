"""Accounts, signing in, API tokens."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import current_app

from domain.kernel.errors import NotFound
from domain.match import Forbidden
from service.accounts import Account
from service.api import schemas
from service.api.blueprint import Blueprint
from service.api.limits import limiter
from service.api.who import matches, somebody

blueprint = Blueprint("accounts", __name__, url_prefix="/api/v1", description="Who you are.")
ANYBODY: list[dict[str, list[str]]] = [{}]


def _new_token(account: Account, label: str, days: int = 365) -> dict[str, Any]:
    token, secret = matches().accounts.issue(account.id, label, days)
    return {**msgspec.structs.asdict(token), "token": secret, "account": account.id}


@blueprint.route("/accounts", methods=["POST"])
@blueprint.doc(security=ANYBODY)
@limiter.limit("20/hour")
@blueprint.arguments(schemas.Registration)
@blueprint.response(201, schemas.AccountOut)
def register(given: dict[str, Any]) -> Account:
    """Make an account

    Without a password it is entered by sign-in links only.
    """
    if current_app.config["REGISTRATION"] != "open":
        raise Forbidden("accounts are made by whoever runs this server")
    return matches().accounts.create(given["name"], given["password"], given["email"])


@blueprint.route("/me")
@blueprint.response(200, schemas.AccountOut)
def me() -> Account:
    """Who you are"""
    return somebody()


@blueprint.route("/sign-ins", methods=["POST"])
@blueprint.doc(security=ANYBODY)
@limiter.limit("10/minute;60/hour")
@blueprint.arguments(schemas.PasswordIn)
@blueprint.response(201, schemas.NewTokenOut)
def sign_in(given: dict[str, Any]) -> dict[str, Any]:
    """Sign in by name and password for an API token"""
    return _new_token(matches().accounts.check(given["name"], given["password"]), given["label"])


@blueprint.route("/sign-ins/link", methods=["POST"])
@blueprint.doc(security=ANYBODY)
@limiter.limit("10/minute;60/hour")
@blueprint.arguments(schemas.LinkIn)
@blueprint.response(201, schemas.NewTokenOut)
def sign_in_by_link(given: dict[str, Any]) -> dict[str, Any]:
    """Sign in by a link that was mailed to you, once, for an API token"""
    return _new_token(matches().accounts.sign_in(given["link"]), given["label"])


@blueprint.route("/tokens", methods=["POST"])
@blueprint.arguments(schemas.TokenIn)
@blueprint.response(201, schemas.NewTokenOut)
def new_token(given: dict[str, Any]) -> dict[str, Any]:
    """Make another API token"""
    return _new_token(somebody(), given["label"], given["days"])


@blueprint.route("/tokens")
@blueprint.response(200, schemas.TokensOut)
def tokens() -> dict[str, Any]:
    """Your API tokens, without the secrets"""
    return {"items": matches().accounts.tokens(somebody().id)}


@blueprint.route("/tokens/<id:token>", methods=["DELETE"])
@blueprint.response(204)
def revoke(token: str) -> None:
    """Revoke an API token"""
    if not matches().accounts.revoke(somebody().id, token):
        raise NotFound("there is no such token")
