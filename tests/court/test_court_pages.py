"""Other rules and rulings by vote, on the pages: what is proposed, who is asked, and what everybody reads afterwards."""

from __future__ import annotations

import re

import pytest

from service.settings import Settings
from service.wsgi import close, create_app
from tests.court.editions import SECOND, Editions
from tests.web.conftest import World


@pytest.fixture
def editions():
    return Editions()


@pytest.fixture
def world(tmp_path, editions):
    app = create_app(Settings(db=str(tmp_path / "pages.db"), secret="s" * 40, signing="5" * 64, limit="off"), titles=editions)
    yield World(app)
    close(app)


def test_other_rules_are_proposed_and_agreed_to(world, editions):
    ana, ben, cem = (world.visitor(name) for name in ("Ana", "Ben", "Cem"))
    id = world.match(ana, ben, cem, decisions=12)
    assert "are at hand" not in ben.page(world.at(id, "/disputes"))
    editions.newest = SECOND
    page = ben.page(world.at(id, "/disputes"))
    assert "The match goes by rules 1; rules 2 are at hand." in page
    ben.submit(world.at(id, "/disputes"), "/rules", reason="the mistake is mended")
    page = cem.page(world.at(id, "/disputes"))
    assert "proposes to go on under rules 2" in page and "the mistake is mended" in page
    assert not [form for form in world.visitor().forms(world.at(id, "/disputes")) if "/rules" in form["action"]]
    for person in (ana, cem):
        form = next(form for form in person.forms(world.at(id, "/disputes")) if re.search(r"/rules/\w+/vote$", form["action"]))
        fields = {**form["fields"], "vote": "agree"}
        assert person.post(form["action"], fields, token=fields.pop("csrf")).status_code == 302
    assert world.log(id).rules_in_force()[0] == "2"
    assert "From here on the rules 2 apply." in ben.page(world.at(id))
    assert "are at hand" not in ben.page(world.at(id, "/disputes"))
    world.play(id, 5)


def test_a_proposal_is_withdrawn(world, editions):
    ana, ben = world.visitor("Ana"), world.visitor("Ben")
    id = world.match(ana, ben, decisions=5)
    editions.newest = SECOND
    ana.submit(world.at(id, "/disputes"), "/rules")
    form = next(form for form in ana.forms(world.at(id, "/disputes")) if form["action"].endswith("/vote"))
    ana.post(form["action"], {"seat": "red", "vote": "withdraw"})
    assert "proposes to go on" not in ben.page(world.at(id, "/disputes"))
    assert world.log(id).rules_in_force()[0] == "1"


def test_where_the_table_rules_a_seat_moves_and_the_others_vote(world):
    ana, ben, cem = (world.visitor(name) for name in ("Ana", "Ben", "Cem"))
    id = world.match(ana, ben, cem, decisions=30, arbiter="vote")
    case = world.court.claim(ben.id, id, 20, "This was not legal.").claimed.id
    at = world.at(id, f"/disputes/{case}")
    assert "more than half of the seats carry what you move" in ben.page(at)
    moved = ben.submit(at, "/rule", outcome="stands", text="It was legal after all.", rules="CF-6.2")
    assert "A ruling is moved" in moved.text and "It was legal after all." in moved.text
    assert not [form for form in ben.forms(at) if form["action"].endswith("/vote") and "motions" in form["action"]]
    form = next(form for form in cem.forms(at) if "/motions/" in form["action"])
    fields = {**form["fields"], "vote": "agree"}
    done = cem.post(form["action"], fields, token=fields.pop("csrf"), follow=True)
    assert "The event stands." in done.text and "carried" in done.text
    assert "Ruling: It was legal after all." in ana.page(world.at(id))


def test_a_reading_is_adopted_from_its_list_and_nothing_else_is(world):
    ana, ben = world.visitor("Ana"), world.visitor("Ben")
    id = world.match(ana, ben, decisions=30)
    case = world.court.claim(ben.id, id, world.log(id).head, "A loss may lead below nothing.").claimed.id
    at = world.at(id, f"/disputes/{case}")
    offered = next(form for form in ana.forms(at) if form["action"].endswith("/rule"))["choices"]["reading"]
    assert '["allow_negative_vp", true]' in offered
    for wrong in ("not json", '["allow_negative_vp"]', '{"a": 1}', '["no_such_switch", 1]', '["allow_negative_vp", 7]'):
        assert ana.submit(at, "/rule", outcome="corrected", text="so be it", reading=wrong).status_code == 422
    ruled = ana.submit(at, "/rule", outcome="corrected", text="So be it.", reading='["allow_negative_vp", true]')
    assert "From here on:" in ruled.text and world.log(id).terms()["options"]["allow_negative_vp"] is True
