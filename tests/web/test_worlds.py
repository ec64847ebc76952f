"""Worlds that a seat cannot tell apart give it the same pages, pictures, frames, streams and tags, on every title.

Games are played, two hidden items are swapped as `domain.worlds` does it, and both worlds are put behind the same application.
"""

from __future__ import annotations

import itertools
import os
import re
from random import Random

import msgspec
import pytest
import time_machine

from domain import worlds
from domain.audit import rerun
from domain.bots import choose, random_legal
from domain.contract import Game
from domain.kernel import chain
from domain.log import Line, Log, _chained
from service.settings import Settings
from service.wsgi import close, create_app
from tests.projections.test_secrets import other_world
from tests.web.conftest import HERE, World, without_tokens
from tests.web.test_pages import filled, routes
from tests.web.test_secrets import APART, copied, same

TITLES = ("column-of-fire", "generalship", "pax-renaissance")
PAIRS = 40 if os.environ.get("CHANCERY_SOAK") else 2
DECISIONS = 60
NAMES = ("Ana", "Ben", "Cem", "Dan")
# A link of the chain rests on salted commitments to what is hidden: it must differ, and tells nothing.
LINK = re.compile(r'(?<=<code class="order">)[0-9a-f]{64}(?=</code>)')
NOT_COMPARED = ("Date", "Set-Cookie", "Content-Length", "X-Request-Id")


def opened(settings, title):
    """A match with everybody in their seats, not started; its id."""
    app = create_app(settings)
    world = World(app)
    players = min(3, world.service.titles.get(title).players[-1])
    id = world.match(*(world.visitor(name) for name in NAMES[:players]), title=title, start=False)
    close(app)
    return id


def played(settings, id):
    """The game that is played in the first world."""
    app = create_app(settings)
    world = World(app)
    world.service.start(world.visitor("Ana").id, id)
    log, rng = world.log(id), Random(id)
    for _ in range(DECISIONS):
        if log.run.over:
            break
        ask = choose(log.run, rng)
        log.decide(ask.seat, ask.key, random_legal(log.run, ask, rng), at=1_000)
    return app, Game(log)


def lived(settings, id, groups, monkeypatch):
    """The application with a world in it as if it had been played there."""
    app = create_app(settings)
    world = World(app)
    events = [event for group in groups for event in group]

    def create(kind, store, title, match, **given):
        line = Line(id=match.id, match=match.id, made=match.made)
        schema = title.schema(given["seats"], title.settle(given["options"]))
        linked, _ = _chained(events, chain.START, schema, chain.secret(match.seed, line.key))
        store.add_match(match, line, linked[: len(groups[0])])
        for group in itertools.accumulate(map(len, groups)):
            more = linked[group:][: next((len(one) for one in groups if one[0].version == group + 1), 0)]
            if more:
                store.append(line.id, more)
        return kind(store, title, match, line)

    with monkeypatch.context() as patched:
        patched.setattr(Log, "create", classmethod(create))
        world.service.start(world.visitor("Ana").id, id)
    assert world.service.views.wait(timeout=20)
    return app, world


def stream(visitor, id, viewer, head):
    """What a page hears live, from the start of the game on."""
    answer = visitor.client.get(f"/api/v1/matches/{id}/events?as={viewer}&after=0", base_url=HERE, buffered=False)
    heard = b""
    for part in answer.response:
        heard += part
        if heard.count(b"\nevent: ") >= head:
            break
    answer.close()
    return heard.decode()


def everything(world, id, viewer, name):
    """All that a viewer gets: every page and every read of the API by the map of addresses, at two versions, frames, the stream."""
    visitor = world.visitor(name)
    claimer = next(world.visitor(other) for other in NAMES if other != name)
    head = world.log(id).head
    dispute = world.court.claim(claimer.id, id, head, "Really?").claimed.id
    found = {}

    def get(key, path, **given):
        answer = visitor.client.get(path, query_string=given, base_url=HERE, headers={"Accept": "text/html"})
        headers = {name: value for name, value in answer.headers if name not in NOT_COMPARED}
        found[key] = answer.status_code, headers, LINK.sub("LINK", without_tokens(answer.text))
        return answer

    for endpoint, template in routes(world, "GET"):
        if endpoint in APART:
            continue
        for at in ("", str(max(1, head - 1))):
            given = {"as": viewer, "at": at, "to": at, "left": at, "chronicle": "1", "strip": "1"}
            get((endpoint, at), filled(template, id, id, dispute=dispute), **given)
    for rule in world.app.url_map.iter_rules():
        if (
            rule.rule.startswith("/api/v1/matches/<")
            and "GET" in rule.methods
            and "events" not in rule.rule
            and "bundle" not in rule.rule
        ):
            path = re.sub(r"<(?:\w+:)?(\w+)>", lambda found: {"dispute": dispute}.get(found[1], id), rule.rule)
            get(("api", rule.rule), path, **{"as": viewer})
    frame = f"/m/{id}/{id}/frame"
    tag = get("frame", frame, **{"as": viewer, "at": max(1, head - 1)}).json["tag"]
    get("step", frame, **{"as": viewer, "at": head, "from": max(1, head - 1), "tag": tag})
    found["stream"] = stream(visitor, id, viewer, head)
    return found


@pytest.mark.parametrize("title", TITLES)
def test_worlds_that_look_alike_give_the_same_pages(tmp_path, monkeypatch, title):
    def settings(name):
        return Settings(db=str(tmp_path / f"{name}.db"), secret="s" * 40, signing="5" * 64, limit="off")

    compared = 0
    monkeypatch.setattr("service.court.new_id", lambda: "thedispute")
    with time_machine.travel("2027-03-01 12:00 +0000", tick=False):
        id = opened(settings("open"), title)
        copied(settings("open").db, settings("game").db)
        app, game = played(settings("game"), id)
        rng = Random(title)
        try:
            for pair in range(8 * PAIRS):
                swap = worlds.some_swap(game, rng)
                if swap is None or compared == PAIRS:
                    continue
                with monkeypatch.context() as patched:
                    there = other_world(game, swap, patched)
                here = game.groups[: len(there)]
                if here == there:
                    continue
                there = [
                    [msgspec.structs.replace(event, cause=mine.cause) for event, mine in zip(group, ours, strict=True)]
                    for group, ours in zip(there, here, strict=True)
                ]
                seen, possible = [], True
                for name, groups in (("here", here), ("there", there)):
                    chosen = settings(f"{name}-{pair}")
                    copied(settings("open").db, chosen.db)
                    other, world = lived(chosen, id, groups, monkeypatch)
                    match = world.service.register.load(id)
                    people = {match.seats_of(world.visitor(one).id)[0]: one for one in NAMES[: len(match.seats)]}
                    seen.append(everything(world, id, swap.viewer, people.get(swap.viewer, "")))
                    log = world.log(id)
                    possible = possible and rerun(log, log.title, log.raw(0, len(groups[0]))) is None
                    close(other)
                if not possible:
                    continue  # the rules would not have laid the table so
                assert len(seen[0]) > 50
                same(seen)
                compared += 1
        finally:
            close(app)
    assert compared == PAIRS, "too few worlds to compare"
