"""Blueprints that refuse what they do not know, in the body and in the query alike."""

from __future__ import annotations

import flask_smorest
from marshmallow import RAISE
from webargs.flaskparser import FlaskParser


class Parser(FlaskParser):
    DEFAULT_UNKNOWN_BY_LOCATION = {**FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION, "query": RAISE, "json": RAISE}


class Blueprint(flask_smorest.Blueprint):
    ARGUMENTS_PARSER = Parser()
