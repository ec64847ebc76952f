"""A dispute on each title in real browsers: the claim, the answer, the case file, the ruling, and the table as everybody then sees it."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, expect

from tests.court.disputes import QUARRELS, SEATS, Quarrel, play_until
from tests.web import test_browser
from tests.web.test_browser import fits

pytestmark = test_browser.pytestmark
server, browser, people = test_browser.server, test_browser.browser, test_browser.people

OUTCOMES = {
    "stands": ("The event stands", "The event stands."),
    "corrected": ("Correct the table by an event", "The table is corrected."),
    "rewound": ("Go back to before it", "The game goes back."),
}


def sit_down(server, quarrel: Quarrel) -> tuple[str, dict[str, str]]:
    """A match of Ana, the game master, Ben and Cem; who holds which seat."""
    service = server.world.service
    names = [f"{name} {quarrel.title}" for name in ("Ana", "Ben", "Cem")]
    visitors = [server.world.visitor(name) for name in names]
    id = service.open(visitors[0].id, quarrel.title, players=3, name=f"The quarrel {quarrel.title}").id
    for visitor, seat in zip(visitors, SEATS[quarrel.title], strict=True):
        service.join(visitor.id, id, seat=seat)
    service.start(visitors[0].id, id)
    return id, dict(zip(SEATS[quarrel.title], names, strict=True))


def dispute_from_the_chronicle(page: Page, id: str, version: int, claim: str) -> str:
    """Open the why of an event, go from there to the dispute, and claim; the address of the case."""
    page.goto(f"/m/{id}/")
    row = page.locator(f"#v{version}")
    row.locator("summary").click()
    row.get_by_role("link", name="dispute").click()
    page.get_by_label("What is wrong with it").fill(claim)
    page.get_by_label("Versions that show it (optional)").fill(str(version))
    page.get_by_role("button", name="Open the dispute").click()
    expect(page.get_by_role("heading", name=f"Dispute on version {version}")).to_be_visible()
    fits(page)
    return page.url.split("?")[0]


@pytest.mark.parametrize("quarrel", QUARRELS, ids=lambda one: f"{one.title} {one.outcome}")
def test_a_dispute_from_the_claim_to_the_table_as_ruled(people, server, quarrel):
    id, holders = sit_down(server, quarrel)
    service = server.world.service
    group = play_until(service, id, quarrel, seed="browser")
    first, old = group[0], service.open_log(service.register.load(id).line)
    before = old.whole_table().state()
    ana, ben, cem = (people(name) for name in holders.values())

    # Ben claims, Cem answers; neither may rule.
    case = dispute_from_the_chronicle(ben, id, first.version, quarrel.claim)
    expect(ben.get_by_text("say exactly what the log says")).to_be_visible()
    cem.goto(f"/m/{id}/")
    cem.get_by_role("link", name=re.compile("^Disputes")).click()
    cem.get_by_role("link", name=re.compile(re.escape(quarrel.claim))).click()
    cem.get_by_label(re.compile("^Your answer")).fill("It looked right to me.")
    cem.get_by_role("button", name="Answer").click()
    expect(cem.get_by_text("It looked right to me.")).to_be_visible()
    assert not cem.get_by_role("heading", name="The ruling").count()

    # The case file: rules with what they say, what changed, the chain; what was legal only for whoever was asked.
    for seat, page in zip(holders, (ana, ben, cem), strict=True):
        page.goto(case)
        assert page.locator("ol.rules li strong").count() and page.get_by_role("heading", name="What it changed").count()
        expect(page.get_by_text("linked as it was accepted")).to_be_visible()
        assert bool(page.get_by_text("What was legal").count()) == (seat == first.seat)
    if quarrel.reading:
        row = ben.locator("tr.differs").first
        expect(row).to_contain_text("have come out differently")
        assert row.locator("li").count(), "what the other reading would have changed"

    # The ruling.
    choice, said = OUTCOMES[quarrel.outcome]
    ana.get_by_label(choice).check()
    ana.get_by_label("In words, for everybody").fill(quarrel.words)
    ana.get_by_label("Rules it turns on, with commas between").fill(quarrel.rule)
    if quarrel.reading:
        ana.locator("#reading").select_option(json.dumps(list(quarrel.reading)))
    ana.get_by_role("button", name="Rule", exact=True).click()
    expect(ana.get_by_text(said).first).to_be_visible()
    fits(ana)

    # The table, and what the others see of it.
    log = service.open_log(service.register.load(id).line)
    if quarrel.outcome == "stands":
        assert log.whole_table().state() == before
    elif quarrel.outcome == "corrected":
        assert log.whole_table().state() != before and log.terms()["options"]["follow_order"] == "rotate"
        expect(ana.get_by_text("From here on:")).to_be_visible()
    else:
        assert log.line.id != old.line.id and log.line.at < first.version
        cem.goto(f"/m/{id}/{old.line.id}")
        expect(cem.get_by_text("this one was taken back")).to_be_visible()
    for page in (ben, cem):
        page.goto(f"/m/{id}/")
        expect(page.locator("#chronicle").get_by_text(f"Ruling: {quarrel.words}")).to_be_visible()
        page.goto(f"/m/{id}/{log.line.id}/disputes")
        page.get_by_role("link", name=re.compile(re.escape(quarrel.claim))).click()
        expect(page.get_by_text(said).first).to_be_visible()
        page.get_by_role("link", name=quarrel.rule, exact=True).first.click()
        expect(page.get_by_role("heading", name=re.compile("^Case law"))).to_be_visible()
        expect(page.get_by_text(quarrel.words).first).to_be_visible()
