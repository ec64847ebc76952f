"""Views for a look: what the projections keep, no farther than the viewer may see."""

from __future__ import annotations

from typing import Any

from domain.kernel.errors import NotFound
from domain.log import LATEST
from domain.match import BOT
from projections import Views
from projections.standings import Result
from service.looks import Look
from service.matches import Matches
from service.register import Register


def fresh(service: Matches, seconds: float) -> Views:
    """The views; with patience, when they hold everything that is stored by now."""
    views: Views = service.views
    if seconds > 0:
        views.wait(timeout=seconds)
    return views


def _upto(look: Look) -> int:
    return look.head if look.delayed else LATEST


def scoreboard(service: Matches, look: Look, seconds: float = 0) -> dict[str, Any]:
    """The scores and how they came about."""
    found = fresh(service, seconds).scoreboard(look.line.id, look.viewer, _upto(look))
    return {"version": found["version"], "scores": found["scores"], "history": found["history"]}


def diplomacy(service: Matches, who: str, look: Look, seconds: float = 0) -> dict[str, Any]:
    """How everybody stands to everybody by the rules, how that came about, and what they agreed on beside."""
    found = fresh(service, seconds).diplomacy(look.line.id, look.viewer, _upto(look))
    return {**found, "treaties": service.pacts.listed(look, who)}


def timeline(service: Matches, who: str, look: Look, seconds: float = 0) -> dict[str, Any]:
    """Every decision, and the branches that somebody may know of."""
    lines = {line.id for line in service.lines(who, look.match.id)}
    return fresh(service, seconds).timeline(look.line.id, look.viewer, _upto(look), lines)


def chronicle(service: Matches, look: Look, after: int, limit: int, language: str, seconds: float = 0) -> dict[str, Any]:
    """What happened, in sentences."""
    found = fresh(service, seconds).chronicle(look.line.id, look.viewer, after, limit, language, _upto(look))
    return {"version": found["version"], "items": found["entries"], "next": found["next"]}


def inbox(service: Matches, who: str, seconds: float = 0) -> list[dict[str, Any]]:
    """What waits for somebody, in every match they play."""
    views, found = fresh(service, seconds), []
    for id, seat in service.register.seats(who):
        match = service.register.load(id)
        said = views.inbox(line=match.line, seat=seat)
        for ask in said["waiting"]:
            about = {"match": id, "name": match.name, "title": match.title, "line": match.line, "version": said["version"]}
            found.append({**about, "seat": seat, "question": ask["question"], "since": ask["since"]})
    return sorted(found, key=lambda item: (item["since"], item["match"], item["seat"]))


def standings(service: Matches, title: str, seconds: float = 0) -> list[dict[str, Any]]:
    """Everybody who finished a game of a title."""
    found = fresh(service, seconds).standings(title)["ratings"]
    names = service.accounts.names({entry["player"] for entry in found if not entry["player"].startswith(BOT)})
    return [{**entry, "player": names.get(entry["player"], entry["player"])} for entry in found]


def players(register: Register, result: Result) -> dict[str, str] | None:
    """Who held each seat when a game ended; None where it does not count: a branch, or a match of the terminal."""
    try:
        match = register.load(result.match)
    except NotFound:
        return None
    if result.line != match.line:
        return None
    return {
        tenure.seat: tenure.holder
        for tenure in match.tenures
        if tenure.since <= result.version and (tenure.until is None or tenure.until >= result.version)
    }
