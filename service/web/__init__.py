"""The pages: server-made HTML and SVG, readable and playable with scripts off."""

from __future__ import annotations

from flask import Flask

from service.matches import Matches
from service.web import game, lobby, session

session.errors_as_pages(lobby.pages, game.pages)


def register(app: Flask, matches: Matches) -> None:
    """Add the pages to an app."""
    app.extensions["chancery"] = matches
    session.guard(app)
    app.register_blueprint(lobby.pages)
    app.register_blueprint(game.pages)
