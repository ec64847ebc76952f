"""Treaties: what a title's clauses are, offers and their answers, claims that one was broken."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import marshmallow as ma
from marshmallow import fields

from domain.kernel.errors import Refused
from domain.orders import OrderError
from domain.treaties import LONGEST_PATIENCE, LONGEST_TEXT, MOST_CLAUSES, Clause, Term, Treaty
from service.api import schemas, shape
from service.api.blueprint import Blueprint
from service.api.headers import IDEMPOTENCY, idempotency_key
from service.api.play import look
from service.api.who import matches, me, somebody
from service.looks import Look

blueprint = Blueprint(
    "treaties", __name__, url_prefix="/api/v1/matches/<id:match>", description="Treaties and promises between seats."
)
EITHER: list[dict[str, list[str]]] = [{}, {"bearer": []}]
LONGEST_OFFER = 2_000


class KindsQuery(schemas.LookQuery):
    by = schemas.text(40, load_default="", metadata={"description": "Who would owe it; the first seat by default."})
    to = schemas.text(40, load_default="", metadata={"description": "To whom; the second seat by default."})


class KindsOut(schemas.PlaceOut):
    clauses = fields.List(fields.Dict(), metadata={"description": "Kinds of clauses, with what each leaves open."})
    conditions = fields.List(fields.Dict())
    examples = fields.List(fields.String(), metadata={"description": "How each is written in an offer."})


class TermIn(schemas.Strict):
    name = schemas.text(40, shortest=1, required=True)
    given = fields.Dict(keys=schemas.text(40, shortest=1), values=schemas.Answer(), load_default=dict)


class ClauseIn(schemas.Strict):
    kind = schemas.text(40, shortest=1, required=True)
    by = schemas.text(40, shortest=1, required=True)
    to = schemas.text(40, shortest=1, required=True)
    given = fields.Dict(keys=schemas.text(40, shortest=1), values=schemas.Answer(), load_default=dict)
    terms = fields.List(fields.Nested(TermIn), load_default=list, validate=ma.validate.Length(max=5))


class OfferIn(schemas.Strict):
    seat = schemas.text(40, shortest=1, required=True)
    text = schemas.text(LONGEST_OFFER, load_default="", metadata={"description": "Clauses in words, divided by semicolons."})
    clauses = fields.List(
        fields.Nested(ClauseIn),
        load_default=list,
        validate=ma.validate.Length(max=MOST_CLAUSES),
        metadata={"description": "Or the clauses as data."},
    )
    secret = fields.Boolean(load_default=False, truthy={True}, falsy={False})
    hours = schemas.whole(0, LONGEST_PATIENCE, load_default=0, metadata={"description": "How long it stands; 0 for a week."})
    answers = schemas.text(10, load_default="", metadata={"description": "The offer that this one counters."})


class SeatIn(schemas.Strict):
    seat = schemas.text(40, shortest=1, required=True)


class RefusalIn(SeatIn):
    why = schemas.text(LONGEST_TEXT, load_default="")


class BreachIn(SeatIn):
    clause = schemas.whole(1, MOST_CLAUSES, required=True, metadata={"description": "Which clause, from 1."})
    text = schemas.text(LONGEST_TEXT, shortest=1, required=True)


class TreatiesOut(schemas.PlaceOut):
    items = fields.List(fields.Nested(schemas.TreatyOut))


@contextmanager
def _understood() -> Iterator[None]:
    """Words that are no clauses are refused with their place."""
    try:
        yield
    except OrderError as wrong:
        raise Refused("", f"{wrong.reason} (at character {wrong.at + 1} of {wrong.line!r})", legal=wrong.legal) from wrong


def listed(seen: Look) -> list[dict[str, Any]]:
    return matches().pacts.listed(seen, me())


def _shown(match: str, seat: str, one: Treaty) -> dict[str, Any]:
    seen = matches().look(me(), match, seat, note=False)
    return next(shown for shown in listed(seen) if shown["id"] == one.id)


@blueprint.route("/clauses")
@blueprint.doc(security=EITHER)
@blueprint.arguments(KindsQuery, location="query")
@blueprint.response(200, KindsOut)
def clauses(query: dict[str, Any], match: str) -> dict[str, Any]:
    """What treaties can say in this game, on the table as it is"""
    seen = look(match, query)
    first, second = seen.match.seats[:2]
    found = matches().pacts.described(seen, query["by"] or first, query["to"] or second)
    return {**shape.place(seen), "version": seen.head, **found}


@blueprint.route("/treaties")
@blueprint.doc(security=EITHER)
@blueprint.arguments(schemas.LookQuery, location="query")
@blueprint.response(200, TreatiesOut)
def treaties(query: dict[str, Any], match: str) -> dict[str, Any]:
    """Treaties and promises you may know of: your seat's own offers, and what is in force

    Of a treaty between others nothing is told before it is in force, and of a secret one nothing before a party claims a breach.
    """
    seen = look(match, query)
    return {**shape.place(seen), "version": seen.head, "items": listed(seen)}


@blueprint.route("/treaties", methods=["POST"], parameters=[IDEMPOTENCY])
@blueprint.arguments(OfferIn)
@blueprint.response(201, schemas.TreatyOut)
def offer(given: dict[str, Any], match: str) -> dict[str, Any]:
    """Offer a treaty, or with `answers` make a counter-offer

    All clauses are agreed or none is; it is in force when every seat it names has accepted.
    """
    who, key = somebody().id, idempotency_key()
    bundle = [
        Clause(one["kind"], one["by"], one["to"], one["given"], [Term(term["name"], term["given"]) for term in one["terms"]])
        for one in given["clauses"]
    ]
    with _understood():
        made = matches().pacts.offer(
            who,
            match,
            given["seat"],
            given["text"],
            bundle,
            secret=given["secret"],
            hours=given["hours"],
            answers=given["answers"],
            once=f"api {who} {key}" if key else "",
        )
    return _shown(match, given["seat"], made)


@blueprint.route("/treaties/<id:treaty>/accept", methods=["POST"])
@blueprint.arguments(SeatIn)
@blueprint.response(200, schemas.TreatyOut)
def accept(given: dict[str, Any], match: str, treaty: str) -> dict[str, Any]:
    """Accept an offer; the last to do so puts it in force"""
    return _shown(match, given["seat"], matches().pacts.accept(somebody().id, match, treaty, given["seat"]))


@blueprint.route("/treaties/<id:treaty>/refuse", methods=["POST"])
@blueprint.arguments(RefusalIn)
@blueprint.response(200, schemas.TreatyOut)
def refuse(given: dict[str, Any], match: str, treaty: str) -> dict[str, Any]:
    """Refuse an offer, for all its parties"""
    return _shown(match, given["seat"], matches().pacts.refuse(somebody().id, match, treaty, given["seat"], given["why"]))


@blueprint.route("/treaties/<id:treaty>/withdraw", methods=["POST"])
@blueprint.arguments(SeatIn)
@blueprint.response(200, schemas.TreatyOut)
def withdraw(given: dict[str, Any], match: str, treaty: str) -> dict[str, Any]:
    """Take your offer back, or agree that a treaty ends: it does when all parties agree"""
    return _shown(match, given["seat"], matches().pacts.withdraw(somebody().id, match, treaty, given["seat"]))


@blueprint.route("/treaties/<id:treaty>/claims", methods=["POST"])
@blueprint.arguments(BreachIn)
@blueprint.response(201, schemas.TreatyOut)
def claim(given: dict[str, Any], match: str, treaty: str) -> dict[str, Any]:
    """Claim that a clause was broken; a secret treaty is public from then on"""
    found = matches().pacts.claim(somebody().id, match, treaty, given["seat"], given["clause"], given["text"])
    return _shown(match, given["seat"], found)
