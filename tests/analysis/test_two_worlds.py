"""Two matches that a seat cannot tell apart give it the same rollouts, sweeps and branches, over the service and its pages."""

from __future__ import annotations

from random import Random

import time_machine

from service import matches as service_matches
from service.wsgi import close, create_app
from tests.web.conftest import World, without_tokens
from tests.web.test_secrets import Rigged, copied, drawing, settings_in


def told(world, match, seat, other, monkeypatch):
    """All that the desk tells somebody about a match in which another one drew a tile face down."""
    monkeypatch.setattr(service_matches, "luck_of_its_own", lambda: Random("the same luck"))
    visitor = world.visitor("Ben" if other == "yellow" else "Ana")
    rollouts, studies = world.app.extensions["rollouts"], world.app.extensions["studies"]
    job = rollouts.ask(visitor.id, match, viewer=other, n=20, seed="worlds")
    mine = [item for item in world.log(match).raw() if item.kind == "decided" and item.seat == other]
    at = next(
        item.version
        for item in reversed(mine)
        if 2 <= world.log(match).run_at(item.version - 1).question(item.seat, item.ask).count() <= 3
    )
    sweep = studies.sweep(visitor.id, match, at, viewer=other, playouts=20)
    while rollouts.work():
        pass
    line = world.service.fork(visitor.id, match, viewer=other)
    table = world.service.open_log(line.id).whole_table().state()
    pages = {
        page: without_tokens(visitor.get(f"/m/{match}/{match}{page}").text.replace(line.id, "LINE"))
        for page in ("/analysis/luck", f"/what-if?at={at}", "/what-if", "/about")
    }
    found = rollouts.status(visitor.id, match, job.id)
    swept = studies.status(visitor.id, match, sweep.id).swept
    return {"rollout": (found.found, found.points), "sweep": swept, "branch": table, "seat": seat, **pages}


def test_the_tile_another_player_draws_changes_nothing_on_the_desk(tmp_path, monkeypatch):
    """A Column of Fire: one of three tiles is drawn face down; what the other player is told is the same, byte for byte."""
    worlds = [settings_in(tmp_path, n) for n in range(3)]
    with time_machine.travel("2027-03-01 12:00 +0000", tick=False):
        app = create_app(worlds[0], background=False)
        world = World(app)
        match = world.match(world.visitor("Ana"), world.visitor("Ben"))
        world.play(match, 250, "far into the game")
        seat, key, answer = drawing(world, match)
        other = "yellow" if seat == "red" else "red"
        table = world.log(match).run.table
        pile = next(zone for zone in table.zones if zone.startswith("pile") and len(table.items(zone)) >= 3)
        tiles = sorted(table.items(pile))[:3]
        close(app)
        for copy in worlds[1:]:
            copied(worlds[0].db, copy.db)
        seen, held = [], set()
        for chosen, tile in zip(worlds, tiles, strict=True):
            app = create_app(chosen, background=False)
            world = World(app)
            log = world.log(match)
            taken = [*answer[:-1], int(pile[-1])] if isinstance(answer, list) and isinstance(answer[-1], int) else answer
            luck = Rigged(log, tile)
            log.decide(seat, key, taken, at=world.service.clock(), source=luck)
            assert luck.used
            held.add(tuple(sorted(log.run.table.zones[f"tiles:{seat}"])))
            seen.append(told(world, match, seat, other, monkeypatch))
            app.extensions["rollouts"].stop()
            close(app)
    assert len(held) == 3, "three different worlds"
    for name, value in seen[0].items():
        assert all(one[name] == value for one in seen[1:]), name
