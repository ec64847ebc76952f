"""Every page of the map of addresses in a real browser: nothing serious or critical for axe, and nothing sticks out sideways.

Light and dark, on a desk and on a phone, in English and in German; `CHANCERY_SOAK=1` has every page in all of them.
"""

from __future__ import annotations

import os

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.web.test_browser import DESK, PHONE, browser, fits, people, pytestmark, server  # noqa: F401
from tests.web.test_pages import filled, routes

SERIOUS = ("serious", "critical")
# Not pages: a picture's frame, an order, the bundle to take home.
FILES = ("web_game.frame", "web_game.order", "web_record.bundle_file")
ASKED = {
    "web_lobby.new": ("", "?title=generalship"),
    "web_game.line": ("", "?at=12"),
    "web_record.scores": ("", "?by=turn"),
    "web_record.diplomacy": ("?of=red&with=yellow",),
    "web_record.compare": ("?left=10",),
    "web_court.back": ("?to=20",),
    "web_court.disputes": ("?on=20",),
}
LOOKS = {
    "desk en": {"viewport": DESK, "color_scheme": "light", "locale": "en"},
    "phone de": {"viewport": PHONE, "color_scheme": "dark", "locale": "de"},
}
OTHER = {"light": "dark", "dark": "light"}
EVERYWHERE = bool(os.environ.get("CHANCERY_SOAK"))  # else every page on one of the two


@pytest.fixture(scope="module")
def lived_in(server):  # noqa: F811
    """A match of each title; the first with a dispute, a branch and a request to go back; one that has not begun."""
    world = server.world
    ana, ben = world.visitor("Ana"), world.visitor("Ben")
    column, general, pax = (
        world.match(ana, ben, title=title, decisions=40) for title in ("column-of-fire", "generalship", "pax-renaissance")
    )
    dispute = world.court.claim(ben.id, column, 20, "The house was pushed down twice.").claimed.id
    world.log(column).fork(f"branch-of-{column}", 20, by=ana.id, reason="a branch with quite a long name to think on")
    seat = world.service.register.load(column).seats_of(ben.id)[0]
    world.court.ask_rewind(ben.id, column, seat, 30, "a slip of the mouse")
    waiting = world.match(ana, ben, title="pax-renaissance", start=False)
    world.service.invite(ana.id, waiting, role="spectator")
    assert world.service.views.wait(timeout=20)
    return column, general, pax, waiting, dispute


def addresses(world, lived_in):
    """Every page by the map of addresses, the tables of all titles, and pages that say no."""
    column, general, pax, waiting, dispute = lived_in
    for endpoint, template in sorted(routes(world, "GET")):
        if endpoint not in FILES:
            for query in ASKED.get(endpoint, ("",)):
                yield filled(template, column, column, dispute=dispute) + query
    yield from (f"/m/{general}/", f"/m/{pax}/", f"/m/{waiting}/", f"/join/{waiting}", f"/m/{general}/{general}/report", "/nowhere")


def serious(page, **options):
    found = Axe().run(page, options={"resultTypes": ["violations"], **options}).response["violations"]
    return [(one["id"], [node["html"][:120] for node in one["nodes"][:3]]) for one in found if one["impact"] in SERIOUS]


@pytest.mark.parametrize("look", LOOKS)
def test_nothing_stands_in_anybodys_way(people, server, lived_in, look):  # noqa: F811
    page, theme = people("Ana", missing=True, **LOOKS[look]), LOOKS[look]["color_scheme"]
    found, looked = [], 0
    for number, path in enumerate([*addresses(server.world, lived_in), "/sign-in"]):
        if not EVERYWHERE and number % 2 != list(LOOKS).index(look):
            continue
        if path == "/sign-in":
            page.context.clear_cookies()
        page.emulate_media(color_scheme=theme)
        page.goto(path)
        fits(page)
        found += [(path, *one) for one in serious(page)]
        page.emulate_media(color_scheme=OTHER[theme])
        found += [(path, OTHER[theme], *one) for one in serious(page, runOnly=["color-contrast"])]
        looked += 1
    assert not found
    assert looked > 15
