"""Which games there are."""

from __future__ import annotations

from typing import Any

from service.api import schemas, shape
from service.api.blueprint import Blueprint
from service.api.headers import PREFER, patience
from service.api.who import matches
from service.views import standings

blueprint = Blueprint("titles", __name__, url_prefix="/api/v1/titles", description="The games that can be played.")
ANYBODY: list[dict[str, list[str]]] = [{}]


@blueprint.route("")
@blueprint.doc(security=ANYBODY)
@blueprint.response(200, schemas.TitlesOut)
def titles() -> dict[str, Any]:
    """All titles"""
    return {"items": [shape.title(title) for title in matches().titles.all()]}


@blueprint.route("/<id:title>")
@blueprint.doc(security=ANYBODY)
@blueprint.response(200, schemas.TitleOut)
def title(title: str) -> dict[str, Any]:
    """One title: seats, options, what its data only guesses"""
    return shape.title(matches().titles.get(title))


@blueprint.route("/<id:title>/standings", parameters=[PREFER])
@blueprint.doc(security=ANYBODY)
@blueprint.response(200, schemas.StandingsOut)
def title_standings(title: str) -> dict[str, Any]:
    """Who is how good at it, by every finished game"""
    service = matches()
    service.titles.get(title)
    return {"title": title, "items": standings(service, title, patience())}
