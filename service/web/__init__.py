"""The pages: server-made HTML and SVG, readable and playable with scripts off."""

from __future__ import annotations

from flask import Flask

from service.court import Court
from service.database import Database
from service.matches import Matches
from service.web import analysis, branching, court, game, lobby, pacts, record, room, session, times
from service.web.course import Courses
from service.web.frames import Frames
from service.web.telling import Rows


def register(app: Flask, matches: Matches) -> None:
    """Add the pages to an app."""
    app.extensions["court"] = Court(matches, Database(matches.store))  # type: ignore[arg-type]
    app.extensions["courses"] = Courses()
    app.extensions["frames"] = Frames()
    app.extensions["rows"] = Rows()
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    blueprints = (
        lobby.pages,
        room.pages,
        game.pages,
        record.pages,
        court.pages,
        analysis.pages,
        branching.pages,
        pacts.pages,
        times.pages,
    )
    session.guard(app, *blueprints)
    for pages in blueprints:
        app.register_blueprint(pages)
