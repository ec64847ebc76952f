"""The analyst in a real browser: find the biggest swing, branch there, change a die, roll out both, compare, share the link."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from domain.kernel import Rolled
from service import analysis
from tests.web.test_browser import DESK, PHONE, browser, fits, people, pytestmark, server  # noqa: F401
from tests.web.test_browser_axe import serious

PATIENCE = 120_000  # playing out takes as long as it takes on a busy machine


@pytest.fixture(scope="module")
def over(server):  # noqa: F811
    """A finished match of Ana's and Ben's."""
    world = server.world
    id = world.match(world.visitor("Ana"), world.visitor("Ben"), decisions=2000, seed="journey")
    assert world.service.register.load(id).state == "finished"
    return id


@pytest.fixture
def few(monkeypatch):
    """Fewer moments than usual are looked at: the journey is the same."""
    monkeypatch.setattr(analysis, "COARSE", 4)
    monkeypatch.setattr(analysis, "FINE", 5)


def dice_near(world, id, version):
    """The decision nearest to a version after which dice were rolled."""
    rolled = [
        item.version for item in world.log(id).raw() if item.kind == "decided" and any(type(o) is Rolled for o in item.chance)
    ]
    return min(rolled, key=lambda at: abs(at - version))


def test_from_the_biggest_swing_to_a_shared_line(people, server, over, few):  # noqa: F811
    ana, ben = people("Ana"), people("Ben", PHONE)
    ana.goto(f"/m/{over}/{over}")
    ana.get_by_role("link", name="Analysis", exact=True).click()
    ana.get_by_label("Playouts").fill("10")
    ana.get_by_role("button", name="Find the swings").click()
    expect(ana.locator("progress")).to_be_visible()
    expect(ana.locator("progress")).to_have_count(0, timeout=PATIENCE)  # it follows by itself
    expect(ana.locator("svg.odds .mark").first).to_be_visible()
    fits(ana)

    # The biggest swing is the first row; a mark leads to its version.
    row = ana.locator("table.swings tbody tr").first
    row.get_by_role("link", name=re.compile("^Branch here")).click()
    expect(ana.get_by_role("heading", name=re.compile("What if, at version"))).to_be_visible()
    at = dice_near(server.world, over, int(ana.get_by_label("Version").input_value()))
    ana.get_by_label("Version").fill(str(at))
    ana.get_by_role("button", name="Go there").click()
    die = ana.get_by_label("Die 1").first
    was = die.input_value()
    die.select_option(next(face for face in die.locator("option").all_inner_texts() if face != was))
    dice = ana.locator("form.other", has=ana.get_by_label("Die 1")).first
    dice.get_by_label("Name").fill("another roll")
    dice.get_by_role("button", name="Branch with these dice").click()
    expect(ana.get_by_role("heading", name="another roll")).to_be_visible()
    expect(ana.get_by_text("Later decisions that stand as they were made")).to_be_visible()
    fits(ana)

    # Roll out both, compare.
    about = ana.url
    ana.get_by_label("Playouts").fill("20")
    ana.get_by_role("button", name="Roll out both").click()
    expect(ana.get_by_role("heading", name="Side by side")).to_be_visible(timeout=PATIENCE)
    expect(ana.locator("progress")).to_have_count(0, timeout=PATIENCE)
    expect(ana.locator("svg.spreads")).to_have_count(2)
    fits(ana)
    ana.get_by_role("link", name="Compare the tables").click()
    expect(ana.get_by_role("heading", name="Differences")).to_be_visible()

    # Share the link; Ben opens it and reads.
    ana.goto(about)
    ana.get_by_label("Say something about it").fill("Would this have changed anything?")
    ana.get_by_role("button", name="Comment").click()
    ana.get_by_role("button", name="Link to read").click()
    link = ana.locator("code.link").inner_text()
    ben.goto(link)
    expect(ben.get_by_role("heading", name="another roll")).to_be_visible()
    expect(ben.get_by_text("Would this have changed anything?")).to_be_visible()
    fits(ben)


def addresses(server, over):  # noqa: F811
    """One address of every page of the desk, on a match that is over and on one that runs."""
    world = server.world
    ana = world.visitor("Ana")
    extensions = world.app.extensions
    at = dice_near(world, over, world.log(over).head * 4 // 5)
    drawn = next(n for n, one in enumerate(world.log(over).raw(at - 1, at)[0].chance) if type(one) is Rolled)
    values = [world.log(over).raw(at - 1, at)[0].chance[drawn].faces[0]] * len(
        world.log(over).raw(at - 1, at)[0].chance[drawn].values
    )
    line = extensions["whatif"].change(ana.id, over, at, draw=drawn, outcome=values, reason="for axe").log.line.id
    extensions["whatif"].say(ana.id, over, line, tags=["dice"], comment="a comment")
    extensions["whatif"].share(ana.id, over, line, together=True)
    job = extensions["rollouts"].ask(ana.id, over, version=at, n=20)
    sweep = extensions["studies"].sweep(ana.id, over, at, draw=drawn, playouts=10)
    running = world.match(ana, world.visitor("Ben"), decisions=40)
    yield from (f"/m/{over}/{over}{page}" for page in ("/analysis", "/analysis/luck", "/analysis/rollouts", "/analysis/sweep"))
    yield from (f"/m/{over}/{over}/what-if?at={at}", f"/m/{over}/{line}/about", f"/m/{over}/{over}/lines")
    yield from (f"/m/{over}/{over}/analysis/rollouts/{job.id}", f"/m/{over}/{over}/analysis/sweep/{sweep.id}")
    yield from (f"/m/{running}/{running}{page}" for page in ("/analysis", "/analysis/luck", "/what-if", "/about"))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_on_the_desk_stands_in_anybodys_way(people, server, over, theme):  # noqa: F811
    """axe finds nothing serious, light on a desk and dark on a phone, and every page fits."""
    page = people("Ana", color_scheme=theme, viewport=DESK if theme == "light" else PHONE)
    found, looked = [], 0
    for path in addresses(server, over):
        page.goto(path)
        fits(page)
        found += [(path, *one) for one in serious(page)]
        looked += 1
    assert not found
    assert looked > 12
