"""Treaties and time on pages: forms that work with scripts off, and nothing of a private offer for anybody else."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from domain.treaties import Treaties
from service.settings import Settings
from service.wsgi import close, create_app
from tests.web.conftest import World, without_tokens


@pytest.fixture
def three(world, ana, ben, cem):
    """Ana (red), Ben (yellow) and Cem (green)."""
    return world.match(ana, ben, cem)


def only(world, id):
    return list(world.service.pacts.facts.load(Treaties, id).all.values())[-1]


def table(world, id, viewer="", pair=""):
    return world.at(id, f"/diplomacy?as={viewer}{pair}")


# -- treaties -------------------------------------------------------------------------------------------------


def test_an_offer_is_made_answered_and_shown_between_its_pair(world, ana, ben, cem, three):
    page = ana.submit(
        table(world, three, "red"), "/treaties/", text="red promises yellow: no raids; yellow promises red: gold"
    ).text
    made = only(world, three)
    assert f"Offer {made.id} is made." in page and "Red promises Yellow: no raids" in page
    assert made.id in ben.page(table(world, three, "yellow")) and made.id not in cem.page(table(world, three, "green"))
    page = ben.submit(table(world, three, "yellow"), f"/treaties/{made.id}/accept").text
    assert "in force" in page
    page = cem.page(table(world, three, "green", "&of=red&with=yellow"))
    assert made.id in page and '<span class="relation">promise</span>' in page
    assert "no raids" in page.split('id="history"')[1].split("</section>")[0]


def test_a_counter_offer_a_refusal_a_withdrawal_and_a_claim_by_forms(world, ana, ben, cem, three):
    ana.submit(table(world, three, "red"), "/treaties/", text="red promises yellow: peace")
    first = only(world, three)
    counter = next(one for one in ben.forms(table(world, three, "yellow")) if one["fields"].get("answers") == first.id)
    fields = {**counter["fields"], "text": "red promises yellow: peace and gold"}
    ben.post(counter["action"], fields, token=fields.pop("csrf"))
    second = only(world, three)
    assert second.offered.answers == first.id
    ana.submit(table(world, three, "red"), f"/treaties/{second.id}/refuse")
    assert only(world, three).closed.how == "refused"
    ana.submit(table(world, three, "red"), "/treaties/", text="red promises yellow: peace", secret="1", days="3")
    third = only(world, three)
    assert third.offered.secret and third.offered.until - third.offered.at == 3 * 86_400_000
    ben.submit(table(world, three, "yellow"), f"/treaties/{third.id}/accept")
    assert third.id not in cem.page(table(world, three, "green"))
    ben.submit(table(world, three, "yellow"), f"/treaties/{third.id}/claim", clause="1", text="he raided")
    page = cem.page(table(world, three, "green"))
    assert third.id in page and "he raided" in page and "Claim:" in page


def test_words_that_are_no_clause_are_refused_on_a_page_with_what_would_be(world, ana, three):
    answer = ana.post(f"/m/{three}/treaties/", {"seat": "red", "text": "red marries yellow"})
    assert answer.status_code == 422 and "no kind of clause" in answer.text and "promises" in answer.text
    assert ana.post(f"/m/{three}/treaties/", {"seat": "yellow", "text": "red promises yellow: x"}).status_code == 404


def test_what_others_negotiate_changes_no_byte_of_a_third_seats_pages(world, ana, ben, cem, three):
    pages = [
        table(world, three, "green"),
        table(world, three, "green", "&of=red&with=yellow"),
        world.at(three),
        f"/m/{three}/times/",
    ]
    world.service.views.wait(timeout=5)
    before = [without_tokens(cem.page(page)) for page in pages]
    ana.submit(table(world, three, "red"), "/treaties/", text="red promises yellow: war on green")
    made = only(world, three)
    assert [without_tokens(cem.page(page)) for page in pages] == before
    ben.submit(table(world, three, "yellow"), f"/treaties/{made.id}/refuse")
    assert [without_tokens(cem.page(page)) for page in pages] == before


# -- time -----------------------------------------------------------------------------------------------------


def test_an_absence_is_declared_on_a_page_and_taken_back(world, ana, ben, three):
    page = ben.submit(f"/m/{three}/times/", "/absence", **{"from": "2099-07-01", "to": "2099-07-14"})
    assert page.status_code == 422  # that is more than a year ahead
    start, end = days_from_now(world, 10), days_from_now(world, 12)
    page = ben.submit(f"/m/{three}/times/", "/absence", **{"from": start, "to": end}).text
    assert "You are away from" in page and "You are away from" not in ana.page(f"/m/{three}/times/")
    assert "You are away from" not in ben.submit(f"/m/{three}/times/", "/back").text
    assert ben.submit(f"/m/{three}/times/", "/absence", **{"from": "soon", "to": end}).status_code == 422


def days_from_now(world, days):
    return f"{datetime.fromtimestamp(world.service.clock() / 1000, UTC) + timedelta(days=days):%Y-%m-%d}"


def test_the_game_master_sets_rules_stops_the_clock_previews_and_calls_a_substitute(world, ana, ben, cem, eve, three):
    page = ana.submit(f"/m/{three}/times/", "/rules", next="12", grace="6", clock="20:00", late="substitute", absence="7").text
    assert "The house rules are changed" in page and '<option value="substitute" selected>' in page
    assert "The clocks stand still" in ana.submit(f"/m/{three}/times/", "/pause", n="2", unit="days").text
    assert "The clocks run again" in ana.submit(f"/m/{three}/times/", "/resume").text
    assert "If time ran out now" in ana.submit(f"/m/{three}/times/", "/preview").text
    for verb in ("rules", "pause", "resume", "extend", "preview", "call", "keep"):
        fields = {"seat": "green", "n": "1", "next": "1", "min": "0", "grace": "1", "absence": "1"}
        assert ben.post(f"/m/{three}/times/{verb}", fields).status_code in (403, 422), verb
    ana.post(f"/m/{three}/times/call", {"seat": "green"})
    assert "substitute wanted" in eve.page("/")
    assert "Take this seat" in eve.page(f"/m/{three}/times/") and "Take this seat" not in ben.page(f"/m/{three}/times/")
    eve.submit(f"/m/{three}/times/", f"/join/{three}", seat="green")
    match = world.service.register.load(three)
    assert match.holder("green") == eve.id and not match.calls


def test_the_desk_of_a_match_by_mail_shows_what_came_back_and_the_game_masters_address(tmp_path):
    settings = Settings(db=str(tmp_path / "mail.db"), secret="s" * 40, signing="5" * 64, limit="off", mail="play.example.org")
    app = create_app(settings)
    world = World(app)
    world.service.accounts.create("Ana", email="ana@home.example")
    ana, ben = world.visitor("Ana"), world.visitor("Ben")
    office = app.extensions["mail"]
    id = world.match(ana, ben)
    row = ("x.1.red.report", id, "red", 1, "report", id, 1, ana.id, "ana@home.example", "", 1, 1, 1, "", 1, 5)
    columns = "id, match, seat, number, kind, line, version, account, recipient, mail, made, due, tries, claim, sent, failed"
    office.database.write((f"INSERT INTO outbox ({columns}) VALUES ({', '.join('?' * 16)})", row))
    page = ana.page(f"/m/{id}/times/")
    assert "1 mails came back" in page and f"{id}+gm+" in page
    assert "came back" not in ben.page(f"/m/{id}/times/") and "+gm+" not in ben.page(f"/m/{id}/times/")
    close(app)
