"""What you may not know never leaves the server by a page: worlds that a seat cannot tell apart give it the same bytes."""

from __future__ import annotations

import itertools
import sqlite3
from contextlib import closing

import time_machine

from domain.kernel.ask import Draw
from service.settings import Settings
from service.wsgi import close, create_app
from tests.api.toy import Titles
from tests.web.conftest import HERE, World, without_tokens
from tests.web.test_pages import filled, routes

# A bundle carries the salted commitments to what is hidden: those must differ, and tell nothing.
APART = ("web_record.bundle_file",)


def every_byte(visitor, match, line, head, viewers):
    """All that somebody gets out of the pages about a match: HTML, SVG, frames, refusals, headers."""
    found = {}
    for endpoint, template in routes(visitor.world, "GET"):
        if endpoint in APART:
            continue
        path = filled(template, match, line)
        for viewer, at in itertools.product(viewers, ("", str(head - 1))):
            given = {"as": viewer, "at": at, "to": at, "left": at, "chronicle": "1", "strip": "1", "key": "x"}
            answer = visitor.client.get(path, query_string=given, base_url=HERE, headers={"Accept": "text/html"})
            headers = {name: value for name, value in answer.headers if name not in ("Date", "Set-Cookie", "Content-Length")}
            found[endpoint, viewer, at] = answer.status_code, headers, without_tokens(answer.text)
    for key, sent in itertools.product(("bid", "window", "use_tile", "hide"), ("", '"left"', '["spend", "x"]', "null")):
        fields = {"key": key, "answer": sent, "version": str(head), "as": viewers[0]}
        answer = visitor.post(f"/m/{match}/{line}/decide", fields)
        if answer.status_code != 302:
            found[key, sent] = answer.status_code, without_tokens(answer.text)
    return found


def copied(source, target):
    with closing(sqlite3.connect(source)) as one, closing(sqlite3.connect(target)) as other:
        one.backup(other)


def same(seen):
    """That several worlds look the same, key by key."""
    for other in seen[1:]:
        assert set(other) == set(seen[0])
        for key, value in seen[0].items():
            assert other[key] == value, key


def settings_in(folder, n):
    return Settings(db=str(folder / f"world-{n}.db"), secret="s" * 40, signing="5" * 64, limit="off")


def test_sealed_and_secret_answers_are_in_no_page(tmp_path):
    """Red hides a coin and seals a bid, six ways; no page of blue's or of a passer-by's differs by a byte."""
    worlds = [settings_in(tmp_path, n) for n in range(6)]
    with time_machine.travel("2027-03-01 12:00 +0000", tick=False):
        app = create_app(worlds[0], titles=Titles())
        world = World(app)
        red, blue = world.visitor("Red"), world.visitor("Blue")
        match = world.match(red, blue, title="toy")
        cards = sorted(world.log(match).run.table.zones["hand:red"])
        close(app)
        for other in worlds[1:]:
            copied(worlds[0].db, other.db)
        seen = []
        for chosen, (side, card) in zip(worlds, itertools.product(("left", "right"), cards), strict=True):
            app = create_app(chosen, titles=Titles())
            world = World(app)
            world.service.decide(red.id, match, "red", "hide", side)
            world.service.decide(red.id, match, "red", "bid", [[card, 1]])
            head = world.log(match).head
            assert world.service.views.wait(timeout=10)
            mine = every_byte(world.visitor("Blue"), match, match, head, ("blue", "red"))
            passing = every_byte(world.visitor(), match, match, head, ("spectator",))
            seen.append({**mine, **{("passer", *key): value for key, value in passing.items()}})
            close(app)
    assert len(seen[0]) > 120
    same(seen)


class Rigged:
    """The luck of a match, but for the one advantage tile that somebody draws."""

    def __init__(self, log, tile):
        self._luck, self._tile, self.used = log.source(), tile, False

    def __call__(self, request, pool, ordinal):
        if isinstance(request, Draw) and self._tile in pool:
            self.used = True
            return self._tile
        return self._luck(request, pool, ordinal)


def drawing(world, match, most=400):
    """Play until somebody can draw an advantage tile; who, the question and the answer that draws."""
    from random import Random

    rng = Random("tiles")
    for _ in range(most):
        ask = world.log(match).run.asks[0]
        for answer in ask.all():
            if answer and "gain_advantage" in str(answer):
                return ask.seat, ask.key, answer
        holder = world.service.register.load(match).holder(ask.seat)
        world.service.decide(holder, match, ask.seat, ask.key, ask.sample(rng))
    raise AssertionError("nobody could draw a tile")


def test_the_tile_another_player_draws_is_in_no_page(tmp_path):
    """A Column of Fire: yellow (or red) draws one of three tiles face down; the other's pages are the same, byte for byte."""
    worlds = [settings_in(tmp_path, n) for n in range(3)]
    with time_machine.travel("2027-03-01 12:00 +0000", tick=False):
        app = create_app(worlds[0])
        world = World(app)
        people = {"red": world.visitor("Ana"), "yellow": world.visitor("Ben")}
        match = world.match(*people.values())
        seat, key, answer = drawing(world, match)
        other = next(one for one in people if one != seat)
        table = world.log(match).run.table
        pile = next(zone for zone in table.zones if zone.startswith("pile") and len(table.items(zone)) >= 3)
        tiles = sorted(table.items(pile))[:3]
        close(app)
        for copy in worlds[1:]:
            copied(worlds[0].db, copy.db)
        seen, held = [], []
        for chosen, tile in zip(worlds, tiles, strict=True):
            app = create_app(chosen)
            world = World(app)
            log = world.log(match)
            number = int(pile[-1]) if pile[-1].isdigit() else 1
            taken = [*answer[:-1], number] if isinstance(answer, list) and isinstance(answer[-1], int) else answer
            luck = Rigged(log, tile)
            log.decide(seat, key, taken, at=world.service.clock(), source=luck)
            assert luck.used and world.service.views.wait(timeout=10)
            held.append(sorted(log.run.table.zones[f"tiles:{seat}"]))
            seen.append(every_byte(world.visitor(people[other].name), match, match, log.head, (other, seat)))
            close(app)
    assert len({tuple(tiles) for tiles in held}) == 3, "three different worlds"
    assert len(seen[0]) > 80
    same(seen)
