"""The pages: server-made HTML and SVG, readable and playable with scripts off."""

from __future__ import annotations

from flask import Flask

from service.matches import Matches
from service.web import game, lobby, session


def register(app: Flask, matches: Matches) -> None:
    """Add the pages to an app."""
    app.extensions["chancery"] = matches
    session.guard(app, lobby.pages, game.pages)
    app.register_blueprint(lobby.pages)
    app.register_blueprint(game.pages)
