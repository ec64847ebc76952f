"""The pages in a real browser: two people and a game master, on a desk and on a phone, with and without scripts, by keyboard alone."""

from __future__ import annotations

import os
import re
import shutil
import threading
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect, sync_playwright
from werkzeug.serving import make_server

from service.settings import Settings
from service.wsgi import close, create_app
from tests.web.conftest import World

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None and os.environ.get("CI") != "true", reason="there is no Chromium on this machine"),
]

DESK, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
PASSWORD = "a password for tests"
LARGEST_SCRIPT = 60_000
PATIENCE = 10_000
REFUSED, MISSING = "status of 422", "status of 40"  # what the rules do not allow, or what is not there, is no fault of a page


class Server:
    """The application behind a real socket, in this process."""

    def __init__(self, folder: Path) -> None:
        self.app = create_app(Settings(db=str(folder / "browser.db"), secret="s" * 40, limit="off"))
        self.world = World(self.app)
        self._server = make_server("127.0.0.1", 0, self.app, threaded=True)
        self._server.daemon_threads = False  # so that `server_close` waits for every request that is still being answered
        self.url = f"http://127.0.0.1:{self._server.port}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self.world.service.feed.close()
        self._server.shutdown()
        self._thread.join(10)
        self._server.server_close()
        close(self.app)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    found = Server(tmp_path_factory.mktemp("browser"))
    yield found
    found.stop()


@pytest.fixture(scope="module")
def browser():
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield found
        found.close()


@pytest.fixture
def people(browser, server):
    """Opens browsers, one for each person, and sees that no page complained."""
    contexts, complaints = [], []

    def sit(name="", viewport=DESK, missing=False, **more) -> Page:
        more = {"locale": "en", "reduced_motion": "reduce", **more}
        context = browser.new_context(viewport=viewport, base_url=server.url, **more)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        if name:
            context.add_cookies([_cookie(server, name)])
        page = context.new_page()
        fine = (REFUSED, MISSING) if missing else (REFUSED,)
        page.on(
            "console",
            lambda said: (
                complaints.append(said.text) if said.type == "error" and not any(one in said.text for one in fine) else None
            ),
        )
        page.on("pageerror", lambda error: complaints.append(str(error)))
        return page

    yield sit
    for context in contexts:
        context.close()
    assert not complaints


def _cookie(server, name):
    """The cookie of somebody who signed in: signing in itself is one test of its own."""
    visitor = server.world.visitor(name)
    kept = visitor.client.get_cookie("chancery")
    return {"name": "chancery", "value": kept.value, "url": server.url}


def fits(page: Page) -> None:
    """Nothing sticks out of the screen sideways."""
    page.wait_for_load_state()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth + 1"), page.url


# -- a whole match ------------------------------------------------------------------------------------------


def sign_up(page: Page, name: str) -> None:
    page.get_by_role("link", name="Sign in to join").click()
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Make a new account").click()
    expect(page.get_by_role("link", name=name, exact=True)).to_be_visible()


def open_match(host: Page, title: str, name: str) -> list[str]:
    """A game master who sees everything opens a match for two; the links that invite to it."""
    host.goto("/")
    host.get_by_role("link", name=f"New match {title}").click()
    host.get_by_label("Name of the match").fill(name)
    host.get_by_label("Players", exact=True).select_option("2")
    host.get_by_label("As game master I see").select_option("everything")
    fits(host)
    host.get_by_role("button", name="Open the match").click()
    for seat in range(2):
        host.get_by_role("button", name=re.compile("^Invite (?!a spectator)")).nth(seat).click()
    fits(host)
    return host.locator("code.link").all_inner_texts()


def decide_on_the_board(page: Page) -> bool:
    """Answer the first question by clicks on glowing spaces, else from the list; whether the board was enough."""
    form = page.locator("[data-question]").first
    by_board = False
    for _ in range(4):
        if form.locator(":checked:not([value=''])").count():
            break
        glowing = page.locator("#picture .hot[data-wired]:not(.chosen):not(.dim)")
        if not glowing.count():
            break
        glowing.first.dispatch_event("click")
        by_board = True
    chosen = form.locator(":checked:not([value=''])").count()
    if form.locator("input[type=radio]").count() and not chosen:
        form.locator(".chip").first.click()
        by_board = False
    order = form.locator("[data-said]")
    if form.locator("[data-order]").count():
        expect(order).to_contain_text(":")
    version = page.locator("#match").get_attribute("data-head")
    with page.expect_navigation():
        form.locator("button.primary").click()
    assert page.locator("#match").get_attribute("data-head") != version or page.locator("[role=alert]").count()
    return by_board


def board(page: Page, address: str = "") -> list[str]:
    """What the board says, space by space: as the page shows it, or as it is loaded at an address."""
    shown = page
    if address:
        shown = page.context.new_page()
        shown.goto(address)
    found = shown.locator("#picture title").evaluate_all("all => all.map(one => one.textContent)")
    if address:
        shown.close()
    return found


def asked(*pages: Page) -> Page:
    """Whoever has to answer now: the pages follow the match by themselves."""
    for _ in range(100):
        for page in pages:
            if page.locator("[data-question]").count():
                return page
        pages[0].wait_for_timeout(100)
    raise AssertionError("nobody is asked anything")


@pytest.mark.parametrize(
    ("title", "viewport"),
    [
        ("A Column of Fire", DESK),
        ("A Column of Fire", PHONE),
        ("Pax Renaissance", DESK),
        ("Pax Renaissance", PHONE),
        ("Generalship", DESK),
    ],
    ids=["column-desk", "column-phone", "pax-desk", "pax-phone", "generalship-desk"],
)
def test_a_match_from_the_invitation_to_the_comparison(people, viewport, title):
    """Create, invite, join, play a turn on the board, take back, replay by keyboard, branch, compare."""
    mark = f"{title[0]}{viewport['width']}"
    host, ana, ben = people(f"Gil {mark}", viewport), people(viewport=viewport), people(f"Ben {mark}", viewport)

    links = open_match(host, title, f"By the fire {mark}")
    for page, link in zip((ana, ben), links, strict=True):
        page.goto(link)
        if page is ana:
            sign_up(page, f"Ana {mark}")
        page.get_by_role("button", name=re.compile("^Join as")).click()
        expect(page.get_by_text("not started yet")).to_be_visible()
    host.reload()
    host.get_by_role("button", name="Start the game").click()
    for page in (ana, ben):
        page.goto(host.url.split("?")[0])
        expect(page.locator("#live")).to_have_text("live")
        fits(page)

    # A full turn: until the other one is asked too. Both pages follow live, without being loaded again.
    first = asked(ana, ben)
    other = ben if first is ana else ana
    clicked, undone, turn_over = 0, False, False
    for _ in range(40):
        who = asked(ana, ben)
        turn_over = turn_over or who is other
        if turn_over and undone and clicked >= 3:
            break
        clicked += decide_on_the_board(who)
        if not undone:
            before = int(who.locator("#match").get_attribute("data-head"))
            who.get_by_role("button", name="Take back").click()
            undone = who.get_by_text("takes back everything after version").count() > 0
            if undone:
                assert int(who.locator("#match").get_attribute("data-head")) > before, "nothing is deleted"
                assert who.locator("#chronicle .undone").count()
    assert turn_over and undone and clicked >= 3

    # Replay by keyboard.
    head = int(ana.locator("#where").inner_text().split("/")[1])
    ana.locator("body").press("Home")
    expect(ana.locator("#where")).to_have_text(f"1 / {head}")
    for key, version in (("ArrowRight", 2), ("j", 3), ("k", 2), ("ArrowLeft", 1), ("ArrowRight", 2)):
        ana.locator("body").press(key)
        expect(ana.locator("#where")).to_have_text(f"{version} / {head}")
    assert ana.url.endswith("#2")
    there, seat = re.split("[?#]", ana.url)[0], ana.locator("#match").get_attribute("data-as")
    assert board(ana) == board(ana, f"{there}?as={seat}&at=2"), "stepping and loading show the same"
    expect(ana.get_by_role("link", name="Back to now")).to_be_visible()
    ana.locator("body").press("End")
    expect(ana.locator("#where")).to_have_text(f"{head} / {head}")
    ana.locator("body").press("?")
    expect(ana.get_by_role("dialog")).to_be_visible()
    ana.keyboard.press("Escape")

    # Branch, play on there, compare.
    match = host.url.split("/m/")[1].split("/")[0]
    middle = head // 2
    host.goto(f"/m/{match}/{match}?as=arbiter&at={middle}")
    host.get_by_role("button", name="Branch here").click()
    expect(host.get_by_text(f"A branch to think on, from version {middle}")).to_be_visible()
    branch = host.url.split("?")[0]
    for _ in range(3):
        for seat in host.locator("form.view option").evaluate_all("all => all.map(one => one.value)"):
            host.goto(f"{branch}?as={seat}")
            if host.locator("[data-question]").count():
                break
        decide_on_the_board(host)
    host.get_by_role("link", name="Compare with the match").click()
    expect(host.get_by_text(re.compile("part after version"))).to_be_visible()
    assert host.locator(".board").count() == 2 and host.locator(".board .differs").count() > 1
    assert host.locator("section", has_text="Differences").locator("tbody tr").count() > 1
    fits(host)


# -- other ways to use it -----------------------------------------------------------------------------------


@pytest.fixture
def match(server):
    """A running match of Ana and Ben with a dispute and a request in it."""
    world = server.world
    ana, ben = world.visitor("Ana"), world.visitor("Ben")
    id = world.match(ana, ben, decisions=40)
    world.court.claim(ben.id, id, 20, "The house was pushed down twice.")
    world.log(id).fork(f"branch-of-{id}", 20, by=ana.id, reason="a branch with quite a long name to think on")
    return id


def holder(world, id):
    return "Ana" if world.asked(id)[0] == "red" else "Ben"


@pytest.mark.parametrize("title", ["column-of-fire", "generalship", "pax-renaissance"])
def test_with_scripts_off_one_reads_and_decides(people, server, title):
    world = server.world
    match = world.match(world.visitor("Ana"), world.visitor("Ben"), title=title, decisions=30)
    seat = world.asked(match)[0]
    who = next(name for name in ("Ana", "Ben") if seat in world.service.register.load(match).seats_of(world.visitor(name).id))
    page = people(who, java_script_enabled=False)
    page.goto("/")
    page.locator("#waiting").get_by_role("link", name=re.compile("^Decide")).first.click()
    page.goto(f"/m/{match}/")
    head = server.world.log(match).head
    assert page.locator("#chronicle li[data-version]").count() > 10
    page.get_by_text("The board as tables").click()
    expect(page.locator("#board table").first).to_be_visible()
    form = page.locator("[data-question]").first
    if form.locator(".chip input[type=radio]").count():
        form.locator(".chip").first.click()
    form.get_by_role("button", name="Decide").click()
    expect(page.get_by_text("As an order in a mail")).to_be_visible()
    assert server.world.log(match).head > head
    page.get_by_title("Back (left arrow)").click()
    expect(page.get_by_role("link", name="Back to now")).to_be_visible()
    page.get_by_role("link", name="Scores").click()
    expect(page.locator("svg.chart")).to_be_visible()


def test_by_keyboard_alone_from_the_lobby_to_a_decision(people, server, match):
    """Tab, space and enter; what has the focus is always to be seen."""
    page = people(holder(server.world, match))
    page.goto(f"/m/{match}/")
    head = server.world.log(match).head

    def tab_to(test: str) -> None:
        for _ in range(150):
            page.keyboard.press("Tab")
            if page.evaluate(f"document.activeElement.matches({test!r})"):
                shown = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
                assert shown != "none", "the focus is not to be seen"
                return
        raise AssertionError(f"no way to {test} by keyboard")

    tab_to(".skip")
    page.keyboard.press("Enter")
    tab_to("input[type=radio]")
    page.keyboard.press("Space")
    expect(page.locator("[data-said]").first).to_contain_text(":")
    tab_to("button.primary")
    page.keyboard.press("Enter")
    expect(page.get_by_text("As an order in a mail")).to_be_visible()
    assert server.world.log(match).head > head


def test_a_space_of_the_board_is_chosen_by_keyboard_and_taken_back(people, server):
    """Glowing spaces are buttons: enter narrows the answers, enter again or escape takes it back."""
    world = server.world
    id = world.match(world.visitor("Ana"), world.visitor("Ben"))
    for _ in range(60):
        if world.asked(id)[1].key == "take_character":
            break
        world.play(id, 1, f"keys {world.log(id).head}")
    page = people(holder(world, id))
    page.goto(f"/m/{id}/")
    page.locator("#picture .hot[data-space=england], #picture .hot[data-space=france]").first.press("Enter")
    assert page.locator("#picture .chosen").count() and page.locator(".chip.off").count()
    page.keyboard.press("Escape")
    expect(page.locator("#picture .chosen")).to_have_count(0)
    expect(page.locator(".chip.off")).to_have_count(0)


def test_a_page_follows_the_match(people, server, match):
    page = people()
    page.goto(f"/m/{match}/")
    expect(page.locator("#live")).to_have_text("live")
    server.world.play(match, 2, "live")
    head = server.world.log(match).head
    expect(page.locator("#where")).to_have_text(f"{head} / {head}")
    expect(page.locator(f"#chronicle [data-version='{head}'], #chronicle li[aria-current]").last).to_be_visible()


def test_scripts_are_small(people, match):
    page = people("Ana")
    page.goto(f"/m/{match}/")
    page.wait_for_load_state()
    loaded = "performance.getEntriesByType('resource').filter(one => one.name.endsWith('.js')).map(one => one.decodedBodySize)"
    sizes = page.evaluate(loaded)
    assert len(sizes) == 2 and all(sizes) and sum(sizes) <= LARGEST_SCRIPT
