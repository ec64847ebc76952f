"""Every page for everybody who may see it, nothing for everybody else, and every form with scripts off."""

from __future__ import annotations

import itertools
import json
import re
from collections import defaultdict
from pathlib import Path
from xml.etree import ElementTree

import pytest
from markupsafe import escape

from domain.games import summaries
from domain.match import Policy
from service import web
from service.settings import Settings
from service.wsgi import close, create_app
from tests.web.conftest import HERE, World, without_tokens

STATIC = Path(web.__file__).parent / "static"
LARGEST_SCRIPT = 60_000
INLINE = re.compile(r"<style|\sstyle=|<script(?![^>]*\ssrc=)|\son[a-z]+=|javascript:", re.IGNORECASE)
NOBODYS = "nosuchthing"


def routes(world, method):
    """Every address of the pages that takes a method, as (endpoint, template)."""
    for rule in world.app.url_map.iter_rules():
        if rule.endpoint.startswith("web_") and method in rule.methods and not rule.endpoint.endswith("static"):
            yield rule.endpoint, re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)


def filled(template, match, line, **more):
    """An address with its parts filled in."""
    parts = defaultdict(lambda: "x", id=match, line=line, **more)
    if template.startswith(("/new", "/law")):
        parts["id"] = "column-of-fire"
    return template.format_map(parts)


@pytest.fixture
def court_case(world, ana, ben, cem):
    """A running match with a dispute, a ruling and a request to go back in it."""
    id = world.match(ana, ben, cem, decisions=60)
    dispute = world.court.claim(ben.id, id, 30, "The house was pushed down twice.", [29])
    seat = world.service.register.load(id).seats_of(cem.id)[0]
    world.court.ask_rewind(cem.id, id, seat, 40, "a slip of the mouse")
    return id, dispute.claimed.id


# -- who sees what ------------------------------------------------------------------------------------------


def test_every_page_opens_for_those_who_may(world, ana, ben, court_case):
    """Host, player, and passer-by where the match is public: 200, or a redirect to one."""
    id, dispute = court_case
    passer = world.visitor()
    opened = 0
    for endpoint, template in routes(world, "GET"):
        if re.search("{(job|study|link)}", template):
            continue  # what somebody asked for themselves, or was given: tests/web/test_analysis.py
        path = filled(template, id, id, dispute=dispute)
        path += {"web_game.order": "?key=x", "web_court.back": "?to=40"}.get(endpoint, "")
        host = ana.client.get(path, base_url=HERE, follow_redirects=True)
        assert host.status_code == 200, (endpoint, host.status_code)
        opened += 1
        if endpoint not in ("web_lobby.account", "web_lobby.new", "web_room.desk", "web_court.back"):
            assert ben.client.get(path, base_url=HERE, follow_redirects=True).status_code == 200, endpoint
            assert passer.client.get(path, base_url=HERE, follow_redirects=True).status_code == 200, endpoint
    assert opened > 20


def test_a_closed_match_is_nothing_to_strangers(world, ana, ben, eve):
    """Every page and every form: a stranger gets for a match that exists what anybody gets for one that does not."""
    id = world.match(ana, ben, seating="invited", spectators="nobody")
    passer, tried, before = world.visitor(), 0, world.log(id).head
    for method in ("GET", "POST"):
        for endpoint, template in routes(world, method):
            if "{id}" not in template or template.startswith(("/law", "/account", "/new")):
                continue
            for stranger in (eve, passer):
                answers = []
                for match in (id, NOBODYS):
                    path = filled(template, match, match)
                    answer = stranger.get(path) if method == "GET" else stranger.post(path)
                    text = without_tokens(answer.text).replace(match, "MATCH")
                    answers.append((answer.status_code, text, answer.headers.get("Location", "").replace(match, "MATCH")))
                assert answers[0] == answers[1], (method, endpoint)
                assert answers[0][0] in (404, 302), (method, endpoint, answers[0][0])
                tried += 1
    assert tried > 60
    assert world.log(id).head == before


def test_only_the_game_master_has_a_desk_and_it_shows_no_hands(world, ana, ben, cem, court_case):
    id, _ = court_case
    assert ben.get(f"/m/{id}/desk").status_code == 404
    page = ana.page(f"/m/{id}/desk")
    seat, _ = world.asked(id)
    assert seat.capitalize() in page and "Who is waited for" in page
    hidden = {tile for one in ("red", "yellow", "green") for tile in world.log(id).run.table.zones[f"tiles:{one}"]}
    assert not any(tile in page for tile in hidden)


def test_the_viewpoint_is_ones_own_seat_and_never_anothers(world, ana, ben):
    id = world.match(ana, ben, decisions=10)
    assert ben.get(world.at(id, "?as=red")).status_code == 404
    assert ben.get(world.at(id, "?as=arbiter")).status_code == 404
    assert ben.get(world.at(id, "?as=spectator")).status_code == 200


def test_a_spectator_who_is_held_back_sees_no_newer_version_anywhere(world, ana, ben, eve):
    """No page leads to, counts or names a newer version: not on the scrubber, not on the tree, not in a chart."""
    id = world.match(ana, ben, decisions=50, delay=3600)
    old = world.log(id).head
    world.service.clock = lambda now=world.service.clock(): now + 7_200_000
    world.play(id, 20, "later")
    world.service.views.wait(timeout=5)
    assert world.log(id).head > old
    named = re.compile(r'(?:at=|#|data-head="|id="v|max="|"head": ?|/ )(\d+)')
    for page in ("", "/scores", "/timeline", "/lines", "/diplomacy", "/report", "/compare", "/frame?strip=1&chronicle=1"):
        found = {int(number) for number in named.findall(eve.page(world.at(id, page)))}
        assert max(found, default=0) <= old, (page, sorted(found)[-3:])
        assert old in found or page not in ("", "/lines", "/compare", "/timeline"), page
    assert "when the game is over" in eve.page(world.at(id, "/verify")) and eve.get(world.at(id, "/bundle")).status_code == 404


def test_an_address_that_is_no_page_is_a_page_for_people_and_a_document_for_programs(world, eve):
    page = eve.get("/nothing/at/all")
    assert page.status_code == 404 and "Nothing here" in page.text and "Content-Security-Policy" in page.headers
    assert eve.get("/nothing/at/all", Accept="application/json").mimetype == "application/problem+json"


# -- headers ------------------------------------------------------------------------------------------------


def test_no_page_carries_script_or_style_in_itself(world, ana, court_case):
    """With the policy that every page sends, a smuggled script would not run; ours are files."""
    id, dispute = court_case
    looked = 0
    for endpoint, template in routes(world, "GET"):
        path = filled(template, id, id, dispute=dispute) + ("?to=40" if endpoint == "web_court.back" else "")
        answer = ana.client.get(path, base_url=HERE, follow_redirects=True)
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'self'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy, endpoint
        assert answer.headers["X-Content-Type-Options"] == "nosniff", endpoint
        assert "no-store" in answer.headers["Cache-Control"], endpoint
        if answer.mimetype == "text/html":
            assert not INLINE.search(answer.text), (endpoint, INLINE.search(answer.text))
            looked += 1
    assert looked > 18


def test_scripts_are_small():
    assert sum(file.stat().st_size for file in STATIC.glob("*.js")) <= LARGEST_SCRIPT


@pytest.mark.parametrize(("url", "secure"), [("https://games.example", True), ("http://localhost:8000", False)])
def test_cookies_are_for_us_alone(tmp_path, url, secure):
    app = create_app(Settings(db=str(tmp_path / "cookies.db"), secret="s" * 40, url=url), background=False)
    client, base = app.test_client(), url
    page = client.get("/sign-in", base_url=base)
    token = re.search(r'name="csrf" value="([^"]+)"', page.text)[1]
    chosen = client.post(
        "/appearance", data={"csrf": token, "theme": "dark"}, base_url=base, headers={"Origin": base, "Referer": base}
    )
    cookies = [*page.headers.getlist("Set-Cookie"), *chosen.headers.getlist("Set-Cookie")]
    assert len(cookies) >= 2
    for cookie in cookies:
        assert "HttpOnly" in cookie and "SameSite=Lax" in cookie
        assert ("Secure" in cookie) == secure
    assert ("Strict-Transport-Security" in page.headers) == secure
    close(app)


def test_text_that_people_write_is_shown_as_text(world, ana, ben):
    """Names, claims, reasons: never markup."""
    evil = "<script>alert(1)</script>\"'><b onmouseover=x>"
    id = world.match(ana, ben, decisions=30)
    made = ana.submit("/new?title=column-of-fire", "", name=evil, players="2")
    assert "<script>alert" not in made.text and "&lt;script&gt;alert" in made.text
    answer = ben.submit(world.at(id, "/disputes?on=10"), "/disputes", claim=evil)
    assert answer.status_code == 200 and "<script>alert" not in answer.text and "&lt;script&gt;alert" in answer.text
    assert "<script>alert" not in ana.page("/") and "&lt;script&gt;" in ana.page("/")


# -- forms --------------------------------------------------------------------------------------------------


def test_no_form_without_its_token(world, ana, court_case):
    """Every form: without the token, or with another visitor's, nothing happens."""
    id, dispute = court_case
    before, tried = world.log(id).head, 0
    other = world.visitor("Dan")
    other.get("/sign-in")
    with other.client.session_transaction() as session:
        foreign = session["csrf"]
    for endpoint, template in routes(world, "POST"):
        path = filled(template, id, id, dispute=dispute)
        for token in ("", foreign):
            answer = ana.post(path, token=token)
            assert answer.status_code == 400, endpoint
            assert "too old" in answer.text
            tried += 1
    assert tried > 40 and world.log(id).head == before


def test_no_form_from_another_site(world, ana, ben):
    id = world.match(ana, ben)
    seat, ask = world.asked(id)
    who = ana if seat == "red" else ben
    before = world.log(id).head
    fields = {"key": ask.key, "version": str(before), "as": seat, "answer": json.dumps(next(ask.all()))}
    answer = who.post(world.at(id, "/decide"), fields, origin="https://elsewhere.example")
    assert answer.status_code == 401 and world.log(id).head == before


def test_a_decision_is_made_with_scripts_off(world, ana, ben):
    """The form of the page as it stands, one answer chosen: the log grows, and the order says the same in words."""
    id = world.match(ana, ben, decisions=14)
    seat, _ = world.asked(id)
    who = ana if seat == "red" else ben
    page = world.at(id, f"?as={seat}")
    form = next(form for form in who.forms(page) if form["action"].endswith("/decide"))
    before = world.log(id).head
    answer = who.submit(page, "/decide", answer=form["choices"]["answer"][0])
    assert answer.status_code == 200 and world.log(id).head > before
    assert "As an order in a mail" in answer.text and f"{seat.upper()}: " in answer.text
    assert world.log(id).raw(before)[0].answer == json.loads(form["choices"]["answer"][0])


def test_the_same_form_sent_twice_is_one_decision(world, ana, ben):
    id = world.match(ana, ben, decisions=14)
    seat, ask = world.asked(id)
    who = ana if seat == "red" else ben
    fields = {"key": ask.key, "version": str(world.log(id).head), "as": seat, "answer": json.dumps(next(ask.all()))}
    assert who.post(world.at(id, "/decide"), fields).status_code == 302
    after = world.log(id).head
    assert who.post(world.at(id, "/decide"), fields).status_code in (302, 409, 422)
    assert world.log(id).head == after


def test_a_refusal_shows_its_rule_and_keeps_the_question(world, ana, ben):
    id = world.match(ana, ben, decisions=14)
    seat, ask = world.asked(id)
    who = ana if seat == "red" else ben
    before = world.log(id).head
    fields = {"key": ask.key, "version": str(before), "as": seat, "answer": '["remove_die", "nothing"]'}
    answer = who.post(world.at(id, "/decide"), fields)
    assert answer.status_code == 422 and 'role="alert"' in answer.text
    assert re.search(r"rule CF-[\d.]+|\(CF-|A-\d\d", answer.text) and "data-question" in answer.text
    assert world.log(id).head == before


@pytest.mark.parametrize("sent", ["", "not json", "[" * 5000, '{"a": 1}', "1e999"])
def test_a_form_that_says_nonsense_is_refused_calmly(world, ana, ben, sent):
    id = world.match(ana, ben, decisions=14)
    seat, ask = world.asked(id)
    who = ana if seat == "red" else ben
    answer = who.post(world.at(id, "/decide"), {"key": ask.key, "version": str(world.log(id).head), "as": seat, "answer": sent})
    assert answer.status_code == 422


def test_somebody_else_was_first(world, ana, ben):
    """A form for an old version: told so, nothing decided."""
    id = world.match(ana, ben, decisions=14)
    seat, ask = world.asked(id)
    who = ana if seat == "red" else ben
    answer = who.post(world.at(id, "/decide"), {"key": ask.key, "version": "3", "as": seat, "answer": json.dumps(next(ask.all()))})
    assert answer.status_code == 409 and "gone on" in answer.text


def test_the_last_decision_is_taken_back(world, ana, ben):
    id = world.match(ana, ben)
    world.play(id, 1)
    for _ in range(40):  # until somebody has decided something that nobody learnt anything by
        seat, ask = world.asked(id)
        who = ana if seat == "red" else ben
        before = world.log(id).run.table.state()
        who.post(
            world.at(id, "/decide"),
            {"key": ask.key, "version": str(world.log(id).head), "as": seat, "answer": json.dumps(next(ask.all()))},
        )
        answer = who.submit(world.at(id, f"?as={seat}"), "/undo")
        if answer.status_code == 200:
            break
    assert world.log(id).run.table.state() == before
    assert "takes back everything after version" in answer.text and "undone" in answer.text


# -- around a match -----------------------------------------------------------------------------------------


def test_a_match_is_opened_from_the_options_of_its_title(world, ana):
    """Every option is in the form, and what is chosen is what the match has."""
    for title in world.service.titles.all():
        form = next(form for form in ana.forms(f"/new?title={title.id}") if "players" in form["fields"])
        assert {f"option:{name}" for name in title.options} <= set(form["choices"])
        other = {name: next(one for one in option.choices if one != option.default) for name, option in title.options.items()}
        chosen = {f"option:{name}": str(value) for name, value in other.items()}
        house = {"undo": "all", "spectators": "invited", "afterwards": "hidden", "delay": "60", "invited": "1"}
        sent = ana.post("/new", {**form["fields"], **chosen, **house, "name": f"My {title.id}"}, token=form["fields"]["csrf"])
        assert sent.status_code == 302, sent.text
        match = world.service.register.load(sent.headers["Location"].split("/")[2])
        assert match.options == other and match.name == f"My {title.id}" and match.title == title.id
        assert match.policy == Policy(seating="invited", undo="all", spectators="invited", afterwards="hidden", delay=60)
        assert match.seats_of(ana.id), "the one who opens it plays"


def test_an_invitation_link_leads_to_its_seat_once(world, ana, ben, eve):
    made = ana.submit("/new?title=column-of-fire", "", players="2", invited="1", spectators="nobody")
    id = re.search(r"/m/(\w+)/invite", made.text)[1]
    page = ana.submit(f"/m/{id}/", "/invite", seat="yellow").text
    link = re.search(r"/join/[^<\s]+", page)[0].replace("&amp;", "&")
    assert ben.get(f"/m/{id}/").status_code == 404
    asked = ben.page(link)
    assert "Yellow" in asked and "Join as Ben" in asked
    assert "Start the game" not in ben.submit(link, "").text
    assert world.service.register.load(id).seats_of(ben.id) == ["yellow"]
    assert "used or withdrawn" in eve.page(link)
    assert "Start the game" in ana.page(f"/m/{id}/")
    started = ana.post(f"/m/{id}/start", follow=True)
    assert started.status_code == 200 and "data-question" in started.text + ben.page(f"/m/{id}/")


def test_bots_take_free_seats_and_a_running_seat_finds_a_substitute(world, ana, eve):
    made = ana.submit("/new?title=column-of-fire", "", players="3")
    id = re.search(r"/m/(\w+)/invite", made.text)[1]
    for seat in ("yellow", "green"):
        ana.post(f"/m/{id}/bot", {"seat": seat, "policy": "random"})
    ana.post(f"/m/{id}/start")
    page = ana.post(f"/m/{id}/invite", {"seat": "yellow"}, follow=True).text
    link = re.search(r"/join/[^<\s]+", page)[0].replace("&amp;", "&")
    eve.submit(link, "")
    assert world.service.register.load(id).seats_of(eve.id) == ["yellow"]
    assert "bot (random)" in ana.page(f"/m/{id}/desk"), "who sat there before is on record"


def test_the_lobby_says_what_waits_for_whom(world, ana, ben):
    id = world.match(ana, ben, decisions=12)
    seat, _ = world.asked(id)
    world.service.views.wait(timeout=5)
    asked, waits = (ana, ben) if seat == "red" else (ben, ana)
    assert f"/m/{id}/" in asked.page("/").split('id="running"')[0]
    assert "Nobody waits for you" in waits.page("/")
    assert "A match of Ana" in world.visitor().page("/")


def test_tokens_and_passwords(world, ana):
    made = ana.submit("/account", "/account/tokens", label="my script")
    secret = re.search(r"chancery_[\w-]+", made.text)[0]
    assert world.service.accounts.bearer(secret).id == ana.id and secret not in ana.page("/account")
    token = re.search(r"/account/tokens/(\w+)/revoke", made.text)[1]
    ana.post(f"/account/tokens/{token}/revoke")
    assert not world.service.accounts.tokens(ana.id)
    fresh = world.visitor()
    form = {"name": "Fay", "password": "a long enough one", "new": "1", "next": "//elsewhere.example/"}
    entered = fresh.post("/sign-in", form)
    assert entered.status_code == 302 and entered.headers["Location"] == "/", "never off the site"
    changed = fresh.post("/account/password", {"old": "a long enough one", "new": "another long one"}, follow=True)
    assert changed.status_code == 200 and "Your password is changed" in changed.text
    assert fresh.post("/account/password", {"old": "wrong", "new": "another long one"}).status_code == 401


def test_nobody_tries_passwords_for_long(tmp_path):
    app = create_app(Settings(db=str(tmp_path / "limits.db"), secret="s" * 40), background=False)
    guesser = World(app).visitor()
    tried = [guesser.post("/sign-in", {"name": "Ana", "password": f"guess number {n}"}).status_code for n in range(11)]
    assert tried == [422] * 10 + [429]
    assert "too much at once" in guesser.post("/sign-in", {"name": "Ana", "password": "once more"}).text
    assert guesser.get("/sign-in").status_code == 200
    close(app)


# -- the record ---------------------------------------------------------------------------------------------


def test_the_table_can_be_seen_at_every_version(world, ana, ben):
    """Stepping: the frame of each version is that version's, and the chronicle marks it."""
    id = world.match(ana, ben, decisions=25)
    head = world.log(id).head
    for version in (1, 2, head // 2, head):
        frame = ana.client.get(world.at(id, f"/frame?at={version}&chronicle=1"), base_url=HERE).json
        assert (frame["version"], frame["head"]) == (version, head)
        assert frame["picture"].startswith("<svg") and "chronicle" in frame
    assert ana.get(world.at(id, f"?at={head + 1}")).status_code == 404
    assert "Back to now" in ana.page(world.at(id, "?at=3"))
    assert "Back to now" not in ana.page(world.at(id))


def test_why_shows_the_rules_with_what_they_say(world, ana, ben):
    id = world.match(ana, ben, decisions=25)
    page = ana.page(world.at(id))
    said, seen = summaries("column-of-fire"), world.service.look(ana.id, id).events()
    rows = [event for event in seen if f'id="v{event.version}"' in page]
    cited = {cite.rule for event in rows for cite in event.cites if cite.rule in said}
    assert len(cited) > 8
    for rule in cited:
        assert f"<strong>{rule}</strong> {escape(said[rule])}" in page


def test_what_is_new_since_the_last_visit_is_marked(world, ana, ben, monkeypatch):
    id = world.match(ana, ben, decisions=20)
    ana.page(world.at(id, "?as=spectator"))
    seen = world.log(id).head
    world.play(id, 5, "more")
    monkeypatch.setattr("service.web.session.AWAY_MINUTES", -1)
    page = ana.page(world.at(id, "?as=spectator"))
    assert f"since you were last here ({world.log(id).head - seen})" in page
    before, after = page.split('<li class="since">')
    assert int(re.findall(r'id="v(\d+)"', before)[-1]) <= seen < int(re.findall(r'id="v(\d+)"', after)[0])


def test_scores_by_event_and_by_turn_lead_to_their_versions(world, ana, ben):
    id = world.match(ana, ben, decisions=120)
    world.service.views.wait(timeout=5)
    page = ana.page(world.at(id, "/scores"))
    assert "<svg" in page and re.search(rf'href="/m/{id}/{id}\?as=red&amp;at=\d+"', page)
    years = world.log(id).run.table.get("year")
    table = ana.page(world.at(id, "/scores?by=turn")).split("The chart as a table")[-1]
    assert len(re.findall(r"<tr><td><a href", table)) == years


def test_diplomacy_opens_the_history_of_a_pair(world, ana, ben, cem):
    id = world.match(ana, ben, cem, decisions=80)
    world.service.views.wait(timeout=5)
    page = ana.page(world.at(id, "/diplomacy?of=red&with=green"))
    assert "History:" in page and "religion" in page.split('id="history"')[1]


def test_two_lines_are_compared_and_what_differs_is_marked(world, ana, ben, cem):
    """A game master who sees everything branches off, plays on, and sees both boards."""
    id = world.match(cem, ana, ben, decisions=30, game_master="everything")
    branched = cem.submit(world.at(id, "?at=20"), "/branch")
    line = re.search(rf'data-frame="/m/{id}/(\w+)/frame"', branched.text)[1]
    assert line != id and "A branch to think on, from version 20" in branched.text
    log = world.service.open_log(line)
    for _ in range(4):
        ask = log.run.asks[0]
        page = cem.page(f"/m/{id}/{line}?as={ask.seat}")
        answer = re.search(r'name="answer" value="([^"]+)"', page)[1].replace("&#34;", '"')
        fields = {"key": ask.key, "version": str(log.head), "as": ask.seat, "answer": answer}
        assert cem.post(f"/m/{id}/{line}/decide", fields).status_code == 302
    assert world.log(id).head > 20 and log.line.at == 20
    page = cem.page(f"/m/{id}/{id}/compare?left=20&with={line}")
    assert "part after version 20" in page and 'differs" tabindex' in page.replace('class="space differs"', 'differs"')
    same = cem.page(f"/m/{id}/{id}/compare?left=20&right=20")
    assert "The two tables are the same" in same and "differs" not in same
    assert f"/{line}" in cem.page(f"/m/{id}/{id}/lines") and line not in ana.page(f"/m/{id}/{id}/lines")


def test_the_report_tells_the_whole_match(world, ana, ben):
    id = world.match(ana, ben, decisions=150)
    page = ana.page(world.at(id, "/report"))
    assert "Year 1" in page and "Year 2" in page and page.count('class="at"') > 100


def test_the_proof_is_checked_on_the_page_and_can_be_taken_home(world, ana, ben, eve):
    from service import bundle

    id = world.match(ana, ben, decisions=30)
    assert f"{world.log(id).head} events are linked" in ana.page(world.at(id, "/verify"))
    file = eve.get(world.at(id, "/bundle"))
    checked = bundle.check(file.data)
    assert file.mimetype == "application/zip" and checked.manifest.viewer == "spectator" and not checked.manifest.seed


# -- the court ----------------------------------------------------------------------------------------------


def test_going_back_is_asked_for_agreed_to_and_done(world, ana, ben):
    id = world.match(ana, ben, decisions=60)
    world.service.views.wait(timeout=5)
    page = ana.page(world.at(id, "/timeline"))
    target = int(re.findall(r"/back\?to=(\d+)", page)[20])
    asking = ana.page(world.at(id, f"/back?to={target}"))
    assert "What that would touch" in asking and "Yellow" in asking
    ana.submit(world.at(id, f"/back?to={target}"), "", reason="I misread the card")
    assert "I misread the card" in ben.page(world.at(id))
    done = ben.submit(world.at(id), "/vote", vote="agree")
    assert done.status_code == 200
    match = world.service.register.load(id)
    assert match.line != id and world.log(id).line.at == target
    assert "this one was taken back" in ben.page(f"/m/{id}/{id}")


def test_a_dispute_is_opened_answered_and_ruled(world, ana, ben):
    id = world.match(ana, ben, decisions=40)
    opened = ben.submit(world.at(id, "/disputes?on=20"), "/disputes", claim="Red had no house there.", evidence="18, 19")
    assert opened.status_code == 200 and "Red had no house there." in opened.text and "say exactly what the log says" in opened.text
    case = re.search(r"/disputes/(\w+)/answer", opened.text)[1]
    answered = ana.submit(world.at(id, f"/disputes/{case}"), "/answer", text="I had, see 18.")
    assert "I had, see 18." in answered.text
    assert "The ruling" not in ben.page(world.at(id, f"/disputes/{case}"))
    assert ben.post(world.at(id, f"/disputes/{case}/rule"), {"outcome": "stands", "text": "no"}).status_code == 403
    ruled = ana.submit(world.at(id, f"/disputes/{case}"), "/rule", outcome="stands", text="The house stood there.", rules="CF-6.2")
    assert "The event stands." in ruled.text
    assert "The house stood there." in world.visitor().page("/law/column-of-fire?rule=CF-6.2")
    assert "Ruling: The house stood there." in ana.page(world.at(id))


def test_a_correction_by_ruling_changes_the_table(world, ana, ben):
    id = world.match(ana, ben, decisions=40)
    points = world.log(id).run.table.get("vp:red")
    case = world.court.claim(ben.id, id, 20, "Points were forgotten.").claimed.id
    wrong = ana.submit(world.at(id, f"/disputes/{case}"), "/rule", outcome="corrected", text="so be it", ops="not json")
    assert wrong.status_code == 422
    ops = json.dumps([["s", "vp:red", points, points + 2]])
    ana.submit(world.at(id, f"/disputes/{case}"), "/rule", outcome="corrected", text="Two points more.", ops=ops)
    assert world.log(id).run.table.get("vp:red") == points + 2


# -- stepping -----------------------------------------------------------------------------------------------


def changed(tree, changes):
    """What a page does with the changes it is sent."""
    for way, attributes, put in changes:
        element = tree
        for n in way:
            element = element[n]
        for name, value in (attributes or {}).items():
            if value is None:
                del element.attrib[name]
            else:
                element.set(name, value)
        if put:
            first, count, html = put
            kept = element[first + count :]
            del element[first:]
            element.extend([*ElementTree.fromstring(f"<p>{html}</p>"), *kept])
    return tree


def plain(tree):
    """A tree as lists, without the blanks between its parts."""
    words = [(tree.text or "").strip(), *((child.tail or "").strip() for child in tree)]
    return [tree.tag, dict(tree.attrib), words if any(words) else [], [plain(child) for child in tree]]


@pytest.mark.parametrize("title", ["column-of-fire", "generalship", "pax-renaissance"])
def test_a_step_sends_what_changed_and_leads_to_the_same_board(world, ana, ben, title):
    """Stepping on, back and far away by changes shows what loading each version anew shows, and sends much less."""
    id = world.match(ana, ben, title=title, decisions=60)
    head = world.log(id).head
    there = world.at(id, "/frame?as=spectator")
    whole = {at: ana.get(f"{there}&at={at}").json for at in range(1, head + 1)}
    walk = [*range(1, head), *range(head, 1, -3), 1, head // 2, head]
    lengths = []
    for before, at in itertools.pairwise(walk):
        sent = ana.get(f"{there}&at={at}&from={before}&tag={whole[before]['tag']}")
        for part in ("picture", "board", "scores"):
            shown = ElementTree.fromstring(f"<p>{whole[before][part]}</p>")
            told = sent.json.get(part, [])
            after = changed(shown, told) if isinstance(told, list) else ElementTree.fromstring(f"<p>{told}</p>")
            assert plain(after) == plain(ElementTree.fromstring(f"<p>{whole[at][part]}</p>")), (before, at, part)
        assert sent.json["tag"] == whole[at]["tag"]
        lengths.append(len(sent.data) / len(json.dumps(whole[at])))
    assert sorted(lengths)[len(lengths) // 2] < 0.5


def test_a_page_that_shows_something_else_gets_the_whole_board(world, ana, ben):
    id = world.match(ana, ben, decisions=20)
    there = world.at(id, "/frame?as=spectator&at=9&from=8")
    assert isinstance(ana.get(f"{there}&tag=another").json["picture"], str)
    assert isinstance(ana.get(there).json["picture"], str)
