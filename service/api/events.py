"""Live updates as Server-Sent Events: a match as its viewer sees it, and one's inbox. A broken stream goes on where it broke off."""

from __future__ import annotations

import hashlib
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from flask import Response, current_app, request

from domain.kernel.errors import ChanceryError
from domain.match import Match
from service.api import schemas, shape
from service.api.blueprint import Blueprint
from service.api.headers import LAST_EVENT
from service.api.who import matches, me, somebody
from service.database import Unavailable
from service.looks import Look
from service.matches import Matches
from service.metrics import STREAMS
from service.views import inbox

blueprint = Blueprint("events", __name__, url_prefix="/api/v1", description="Live updates.")
EITHER: list[dict[str, list[str]]] = [{}, {"bearer": []}]

ALIVE_SECONDS = 15.0
DELAYED_SECONDS = 5.0
LIFE_SECONDS = 900.0  # then the client comes again, and is asked again who it is
RETRY_MILLISECONDS = 2_000
FRESH_SECONDS = 1.0
MOST_SHARED = 512

DOC: dict[str, Any] = {
    "responses": {"200": {"description": "A stream of events.", "content": {"text/event-stream": {"schema": {"type": "string"}}}}}
}


@blueprint.route("/matches/<id:match>/events", parameters=[LAST_EVENT])
@blueprint.doc(security=EITHER, **DOC)
@blueprint.arguments(schemas.StreamQuery, location="query")
def match_events(query: dict[str, Any], match: str) -> Response:
    """Every event of a match from now on, or after Last-Event-ID, as you may see it

    The id of an event is `line:version`. When the match goes on on another line, an event `line` says so.
    """
    service, who = matches(), me()
    viewer, line = query["viewer"], query["line"]
    look = service.look(who, match, viewer, line, what="events")
    after = _after(request.headers.get("Last-Event-ID"), query["after"], look)

    shared: Shared = current_app.extensions.setdefault("shared", Shared(service))

    def again(beat: int) -> Look:
        """Looked at anew each time: whoever is substituted meanwhile sees nothing more."""
        return service.look(who, match, viewer, line, note=False, match=shared.match(match, beat))

    return stream(_match(service, shared, again, look, after))


class Shared:
    """What the streams of one process have in common, so that a decision is not read once for each of a thousand watchers."""

    def __init__(self, service: Matches) -> None:
        self._service = service
        self._matches: dict[str, tuple[int, float, Match]] = {}
        self._heads: dict[str, tuple[int, float, int]] = {}
        self._told: OrderedDict[tuple[str, str, int, int], list[tuple[int, str]]] = OrderedDict()

    def match(self, id: str, beat: int) -> Match:
        """A match as of a beat: any change of it is a new beat, and one that was missed counts after a second."""
        kept = self._matches.get(id)
        if kept is None or kept[0] != beat or kept[1] < time.monotonic():
            if len(self._matches) > MOST_SHARED:
                self._matches.clear()
            kept = self._matches[id] = beat, time.monotonic() + FRESH_SECONDS, self._service.register.load(id)
        return kept[2]

    def _head(self, line: str, beat: int) -> int:
        kept = self._heads.get(line)
        if kept is None or kept[0] != beat or kept[1] < time.monotonic():
            if len(self._heads) > MOST_SHARED:
                self._heads.clear()
            kept = self._heads[line] = beat, time.monotonic() + FRESH_SECONDS, self._service.open_log(line).head
        return kept[2]

    def told(self, look: Look, after: int, beat: int) -> list[tuple[int, str]]:
        """The events after a version as messages, for one viewer: what happened does not change any more."""
        head = look.seen(self._head(look.line.id, beat))
        if head <= after:
            return []
        key = look.line.id, look.viewer, after, head
        found = self._told.get(key)
        if found is None:
            found = [
                (event.version, message(f"{look.line.id}:{event.version}", event.kind, shape.event(event)))
                for event in look.events(after)
            ]
            self._told[key] = found
            while len(self._told) > MOST_SHARED:
                self._told.popitem(last=False)
        return found


def _after(last: str | None, after: int | None, look: Look) -> int:
    """The version the client has: by the last id of its old stream, by the query, or the newest."""
    line, _, version = (last or "").partition(":")
    if line == look.line.id and version.isascii() and version.isdigit() and len(version) < 12:
        return int(version)
    if line and look.line.parent == line:
        return look.line.at
    return look.head if after is None else after


def _match(service: Matches, shared: Shared, again: Callable[[int], Look], look: Look, after: int) -> Iterator[str]:
    yield f"retry: {RETRY_MILLISECONDS}\n\n"
    line, until = look.line.id, time.monotonic() + LIFE_SECONDS
    while time.monotonic() < until and not service.feed.closed:
        beat = service.feed.beat(look.match.id)
        if look.line.id != line:
            line, after = look.line.id, look.line.at
            yield message(f"{line}:{after}", "line", {"line": line, "after": after})
        told = shared.told(look, after, beat)
        for version, text in told:
            after = version
            yield text
        if not told and not service.feed.wait(look.match.id, beat, DELAYED_SECONDS if look.delayed else ALIVE_SECONDS):
            yield ": still here\n\n"
        try:
            look = again(service.feed.beat(look.match.id))
        except ChanceryError:
            return


@blueprint.route("/inbox/events", parameters=[LAST_EVENT])
@blueprint.doc(**DOC)
def inbox_events() -> Response:
    """Your inbox, whenever it changes

    The id of an event stands for the inbox it carries: an inbox you have already is not sent again.
    """
    service, who = matches(), somebody().id
    last = request.headers.get("Last-Event-ID", "")

    def events() -> Iterator[str]:
        nonlocal last
        yield f"retry: {RETRY_MILLISECONDS}\n\n"
        until = time.monotonic() + LIFE_SECONDS
        while time.monotonic() < until and not service.feed.closed:
            beat = service.feed.beat(f"@{who}")
            found = {"items": inbox(service, who, 1.0)}
            mark = hashlib.sha256(msgspec.json.encode(found)).hexdigest()[:16]
            if mark != last:
                last = mark
                yield message(mark, "inbox", found)
            elif not service.feed.wait(f"@{who}", beat, ALIVE_SECONDS):
                yield ": still here\n\n"

    return stream(events())


def message(id: str, event: str, data: Any) -> str:
    return f"id: {id}\nevent: {event}\ndata: {msgspec.json.encode(data).decode()}\n\n"


def stream(events: Iterator[str]) -> Response:
    """A stream as an answer. Each one holds a worker: more than there is room for would starve everything else."""
    room: threading.Semaphore = current_app.extensions["streams"]
    if not room.acquire(blocking=False):
        raise Unavailable("there are too many open streams; try again in a moment")
    STREAMS.inc()
    response = Response(events, mimetype="text/event-stream")

    @response.call_on_close
    def closed() -> None:
        room.release()
        STREAMS.dec()

    response.headers["Cache-Control"] = "private, no-store"
    response.headers["X-Accel-Buffering"] = "no"
    return response
