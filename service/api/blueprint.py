"""Blueprints that refuse what they do not know, in the body and in the query alike."""

from __future__ import annotations

from typing import Any

import flask_smorest
from flask import request
from marshmallow import RAISE, Schema
from webargs.flaskparser import FlaskParser


class Parser(FlaskParser):
    DEFAULT_UNKNOWN_BY_LOCATION = {**FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION, "query": RAISE, "json": RAISE}

    def __init__(self) -> None:
        super().__init__()
        self._defaults: dict[Schema, dict[str, Any]] = {}

    def parse(self, argmap: Any, req: Any = None, *, location: str | None = None, **given: Any) -> Any:
        """Most queries are empty, and an empty one always gives the same."""
        if location != "query" or request.query_string:
            return super().parse(argmap, req, location=location, **given)
        if argmap not in self._defaults:
            self._defaults[argmap] = super().parse(argmap, req, location=location, **given)
        return dict(self._defaults[argmap])


class Blueprint(flask_smorest.Blueprint):
    ARGUMENTS_PARSER = Parser()
