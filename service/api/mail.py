"""How your mails come: usually, and for one seat where that is different."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
from marshmallow import fields, validate
from msgspec.structs import asdict

from service.api import schemas
from service.api.blueprint import Blueprint
from service.api.who import matches, somebody
from service.database import Database
from service.languages import LANGUAGES
from service.mail.wishes import FORMS, MODES, Wish, Wishes, held

blueprint = Blueprint("mails", __name__, url_prefix="/api/v1", description="How your mails come.")
USUAL = Wish()


class WishIn(schemas.Strict):
    """What is left out is as it is for somebody who never said anything."""

    mode = fields.String(validate=validate.OneOf(MODES), load_default=USUAL.mode, metadata={"description": "How many."})
    hour = fields.String(
        validate=validate.Regexp(r"^([01][0-9]|2[0-3]):[0-5][0-9]$"),
        load_default=USUAL.hour,
        metadata={"description": "When the digest comes."},
    )
    zone = schemas.text(
        64, shortest=1, load_default=USUAL.zone, metadata={"description": "A name of the IANA, like Europe/Madrid."}
    )
    secrets = fields.Boolean(
        load_default=True, truthy={True}, falsy={False}, metadata={"description": "Whether mails may hold your own secrets."}
    )
    form = fields.String(validate=validate.OneOf(FORMS), load_default=USUAL.form)
    language = fields.String(validate=validate.OneOf(list(LANGUAGES)), load_default=USUAL.language)


class WishOut(ma.Schema):
    mode = fields.String()
    hour = fields.String()
    zone = fields.String()
    secrets = fields.Boolean()
    form = fields.String()
    language = fields.String()


class SeatWishOut(WishOut):
    own = fields.Boolean(metadata={"description": "Whether this seat has a way of its own."})


def _wishes() -> Wishes:
    return Wishes(Database(matches().store))  # type: ignore[arg-type]


def _mine(match: str, seat: str) -> tuple[str, str, str]:
    """A seat of whoever asks."""
    account = somebody().id
    held(matches().see(account, match), seat, account)
    return match, seat, account


def _shown(match: str, seat: str, account: str) -> dict[str, Any]:
    return {**asdict(_wishes().of(match, seat, account)), "own": _wishes().own(match, seat, account)}


@blueprint.route("/me/mail")
@blueprint.response(200, WishOut)
def usual() -> dict[str, Any]:
    """How your mails usually come"""
    return asdict(_wishes().usual(somebody().id))


@blueprint.route("/me/mail", methods=["PUT"])
@blueprint.arguments(WishIn)
@blueprint.response(200, WishOut)
def set_usual(given: dict[str, Any]) -> dict[str, Any]:
    """Say how your mails usually come

    Seats that have a way of their own keep it.
    """
    _wishes().set_usual(somebody().id, Wish(**given))
    return asdict(_wishes().usual(somebody().id))


@blueprint.route("/matches/<id:match>/seats/<seat>/mail")
@blueprint.response(200, SeatWishOut)
def of_seat(match: str, seat: str) -> dict[str, Any]:
    """How the mails of a seat of yours come"""
    return _shown(*_mine(match, seat))


@blueprint.route("/matches/<id:match>/seats/<seat>/mail", methods=["PUT"])
@blueprint.arguments(WishIn)
@blueprint.response(200, SeatWishOut)
def set_of_seat(given: dict[str, Any], match: str, seat: str) -> dict[str, Any]:
    """Say how the mails of a seat of yours come, other than usually"""
    place = _mine(match, seat)
    _wishes().set(*place, Wish(**given))
    return _shown(*place)


@blueprint.route("/matches/<id:match>/seats/<seat>/mail", methods=["DELETE"])
@blueprint.response(204)
def as_usual(match: str, seat: str) -> None:
    """Let the mails of a seat of yours come as usual again"""
    _wishes().clear(*_mine(match, seat)[:2])
