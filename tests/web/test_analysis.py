"""The analyst's pages with scripts off: swings, branches, rollouts, sweeps, luck; what is said about lines, and with whom they are shared."""

from __future__ import annotations

import re
import time

import pytest

from domain.kernel import Rolled
from service import analysis
from service.rollouts import DONE, RUNNING
from tests.web.conftest import HERE, without_tokens

PLAYOUTS = 20


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A finished match of Ana's and Ben's, a running one, and a server that plays out what is asked for."""
    from service.settings import Settings
    from service.wsgi import close, create_app
    from tests.web.conftest import World

    settings = Settings(db=str(tmp_path_factory.mktemp("analysis") / "pages.db"), secret="s" * 40, signing="5" * 64, limit="off")
    app = create_app(settings)
    world = World(app)
    world.ana, world.ben, world.eve = (world.visitor(name) for name in ("Ana", "Ben", "Eve"))
    world.over = world.match(world.ana, world.ben, decisions=2000, seed="desk")
    world.running = world.match(world.ana, world.ben, decisions=60, seed="still going")
    assert world.service.register.load(world.over).state == "finished"
    yield world
    close(app)


def waited(check, seconds=120):
    """Until something is so; playing out takes as long as it takes."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if check():
            return
        time.sleep(0.2)
    raise AssertionError("it did not come to an end")


def rolled(world, id):
    """The first decision after which dice were rolled: its version, and which of its draws."""
    log = world.log(id)
    for item in log.raw():
        if item.kind == "decided" and any(type(outcome) is Rolled for outcome in item.chance):
            return item.version, next(n for n, outcome in enumerate(item.chance) if type(outcome) is Rolled)
    raise AssertionError("nobody rolled dice")


def branched(world, visitor, id, **fields):
    """Fill in a form of the what-if page; the line that came of it."""
    answer = visitor.post(world.at(id, "/what-if"), fields)
    assert answer.status_code == 302, answer.text[-600:]
    return answer.headers["Location"].split("/")[3].split("?")[0]


# -- branching ----------------------------------------------------------------------------------------------


def test_a_die_falls_otherwise_and_the_page_says_how_far_the_rest_stands(played):
    at, which = rolled(played, played.over)
    roll = played.log(played.over).raw(at - 1, at)[0].chance[which]
    page = played.ana.page(played.at(played.over, f"/what-if?at={at}"))
    assert "Let the dice fall otherwise" in page and "Decide otherwise" in page
    other = [next(face for face in roll.faces if face != value) for value in roll.values]
    dice = {f"die:{which}:{n}": str(face) for n, face in enumerate(other)}
    line = branched(played, played.ana, played.over, at=at, what=f"draw:{which}", luck="same", reason="other dice", **dice)
    again = played.service.open_log(line).raw(at - 1, at)[0].chance[which]
    assert again.values == other
    about = played.ana.page(f"/m/{played.over}/{line}/about")
    assert "other dice" in about and f"A draw at version {at} came out otherwise" in about and "Later decisions that stand" in about
    grew = played.service.branches.about(line).grew
    assert (grew.stopped is None) == ("All later decisions stayed legal" in about)
    if grew.stopped:
        assert f"Stopped at version {grew.stopped.version}" in about and grew.stopped.rule in about


def test_an_answer_that_is_not_legal_comes_back_with_its_rule(played):
    at, _ = rolled(played, played.over)
    before = len(played.service.lines(played.ana.id, played.over))
    answer = played.ana.post(played.at(played.over, "/what-if"), {"at": at, "what": "answer", "answer": '"nonsense"'})
    assert answer.status_code == 422 and 'role="alert"' in answer.text and "rule CF-" in answer.text
    dice = played.ana.post(played.at(played.over, "/what-if"), {"at": at, "what": "draw:0", "die:0:0": "99"})
    assert dice.status_code == 422 and "cannot come up" in dice.text
    assert len(played.service.lines(played.ana.id, played.over)) == before


def test_a_player_thinks_about_a_running_match_with_what_their_seat_knows(played):
    """The page says so; the line is a supposed world; the match is not touched, and the other player learns nothing of it."""
    seat = played.service.register.load(played.running).seats_of(played.ana.id)[0]
    head = played.log(played.running).head
    page = played.ana.page(played.at(played.running, f"/what-if?at={head}"))
    assert "you think with what" in page and f"{seat.capitalize()} knows" in page
    line = branched(played, played.ana, played.running, at=head, what="on", reason="suppose")
    assert played.service.supposed(played.service.store.line(line)) == seat
    assert "A supposed world" in played.ana.page(f"/m/{played.running}/{line}/about")
    assert played.ana.page(f"/m/{played.running}/{line}?as=arbiter")
    assert played.ben.get(f"/m/{played.running}/{line}/about").status_code == 404
    assert line not in played.ben.page(played.at(played.running, "/lines"))
    assert played.log(played.running).head == head


def test_a_supposed_world_is_looked_at_on_every_page_like_any_line(played):
    line = branched(played, played.ana, played.running, at=40, what="on", reason="everywhere")
    log = played.service.open_log(line)
    for _ in range(3):
        ask = log.run.asks[0]
        played.service.decide(played.ana.id, played.running, ask.seat, ask.key, next(iter(ask.all())), line=line)
    assert played.service.views.wait(timeout=20)
    for page in (
        "",
        "?at=1",
        "/scores",
        "/diplomacy",
        "/timeline",
        "/lines",
        "/report",
        "/analysis",
        "/analysis/luck",
        "/what-if",
        "/about",
    ):
        assert played.ana.page(f"/m/{played.running}/{line}{page}"), page
    compared = played.ana.page(f"/m/{played.running}/{played.running}/compare?with={line}")
    assert "Differences" in compared
    assert "nothing to prove" in played.ana.get(f"/m/{played.running}/{line}/verify").text


def test_what_another_seat_could_have_done_is_not_told_while_the_match_runs(played):
    seat = played.service.register.load(played.running).seats_of(played.ana.id)[0]
    item = next(item for item in played.log(played.running).raw() if item.kind == "decided" and item.seat not in ("", seat))
    page = played.ana.page(played.at(played.running, f"/what-if?at={item.version}"))
    assert "not for you to know" in page
    answer = played.ana.post(played.at(played.running, "/what-if"), {"at": item.version, "what": "answer", "answer": '"x"'})
    assert answer.status_code == 422


# -- what is said, and to whom ------------------------------------------------------------------------------


def test_a_branch_is_named_tagged_and_commented_and_the_tree_shows_it(played):
    line = branched(played, played.ana, played.over, at=30, what="on")
    there = f"/m/{played.over}/{line}/about"
    played.ana.post(there, {"name": "The <quiet> way", "tags": "#opening, England"})
    played.ben.post(there, {"comment": "I would\nnot dare."})
    page = played.ben.page(there)
    assert (
        "The &lt;quiet&gt; way" in page
        and "#England" in page
        and "#opening" in page
        and "I would\nnot dare." in page
        and "Ben" in page
    )
    lines = played.ben.page(played.at(played.over, "/lines"))
    assert "The &lt;quiet&gt; way" in lines and "#England" in lines
    assert played.ben.post(there, {"name": "mine now"}).status_code == 403
    assert played.service.branches.about(line).name == "The <quiet> way"


def test_a_link_lets_others_read_or_play_on_and_can_be_taken_back(played):
    """Ana's supposed world is nobody else's; whoever holds the link to play on it together may decide there, until it is taken back."""
    line = branched(played, played.ana, played.running, at=played.log(played.running).head, what="on", reason="together")
    there = f"/m/{played.running}/{line}"
    ben = played.ben
    assert ben.get(f"{there}/about").status_code == 404
    assert played.ana.post(f"{there}/about/share", {"together": ""}).status_code == 302
    assert played.ana.post(f"{there}/about/share", {"together": "1"}).status_code == 302
    links = re.findall(r'class="order link">[^<]*?(/m/[^<]+)<', played.ana.page(f"{there}/about"))
    assert len(links) == 2
    together = {
        share.together: link for share, link in zip(played.service.branches.about(line).shares.values(), links, strict=True)
    }
    assert "You may read it" in ben.page(together[False])
    ben.post(together[False])
    assert ben.get(f"{there}/about").status_code == 200
    log = played.service.open_log(line)
    ask = log.run.asks[0]
    answer = next(iter(ask.all()))
    with pytest.raises(Exception, match="no line"):
        played.service.decide(ben.id, played.running, ask.seat, ask.key, answer, line=line)
    ben.post(together[True])
    played.service.decide(ben.id, played.running, ask.seat, ask.key, answer, line=line)
    for share in list(played.service.branches.about(line).shares):
        played.ana.post(f"{there}/about/unshare", {"share": share})
    assert ben.get(f"{there}/about").status_code == 404
    assert ben.get(together[True]).status_code == 404


def test_the_true_table_of_a_running_game_is_not_shared(world, ana, ben, cem):
    id = world.match(ana, ben, cem, decisions=20, game_master="everything")
    line = branched(world, ana, id, at=10, what="on")
    assert world.service.supposed(world.service.store.line(line)) == ""
    assert "it is shared when the game is over" in ana.page(f"/m/{id}/{line}/about")
    assert ana.post(f"/m/{id}/{line}/about/share").status_code == 403
    assert ben.get(f"/m/{id}/{line}/about").status_code == 404


# -- playing out --------------------------------------------------------------------------------------------


def test_the_swings_of_a_finished_game_are_found_drawn_and_lead_to_a_branch(played, monkeypatch):
    monkeypatch.setattr(analysis, "COARSE", 4)  # fewer moments than usual: enough to see how they come in
    monkeypatch.setattr(analysis, "FINE", 7)
    desk = played.at(played.over, "/analysis")
    assert "Where was the game won?" in played.ana.page(desk)
    assert played.ana.post(f"{desk}/swings", {"playouts": "4"}).status_code == 302
    studies = played.app.extensions["studies"]
    page = played.ana.page(desk)
    assert 'http-equiv="refresh"' in page and "<progress" in page, "the page follows without scripts too"
    waited(lambda: studies.latest(played.ana.id, played.over, played.over).state != RUNNING)
    study = studies.latest(played.ana.id, played.over, played.over)
    assert study.state == DONE and len(study.curve) >= 7
    assert study.curve[-1].wins == {seat: float(seat in _winners(played)) for seat in study.curve[-1].wins}
    page = played.ben.page(desk)
    assert 'class="odds"' in page and "The largest swings" in page and page.count("Branch here") == len(study.swings)
    assert page.count('class="mark"') == len(study.swings) >= 6 and 'http-equiv="refresh"' not in page
    largest = max(study.swings, key=lambda swing: swing.largest)
    assert f"what-if?at={largest.after + 1}" in page
    luck = played.ben.page(f"{desk}/luck")
    assert "What chance did to the chances" in luck and "dice: says little" in luck


def _winners(world):
    log = world.log(world.over)
    return log.title.winners(log.whole_table())


def test_a_rollout_is_asked_for_watched_compared_and_stopped(played):
    at, which = rolled(played, played.over)
    roll = played.log(played.over).raw(at - 1, at)[0].chance[which]
    dice = {f"die:{which}:{n}": str(roll.faces[-1]) for n in range(len(roll.values))}
    line = branched(played, played.ana, played.over, at=at, what=f"draw:{which}", **dice)
    answer = played.ana.post(f"/m/{played.over}/{line}/analysis/both", {"playouts": str(PLAYOUTS), "seed": "both"})
    there = answer.headers["Location"]
    jobs = played.app.extensions["rollouts"]
    waited(lambda: all(job.state == DONE for job in jobs.of_match(played.ana.id, played.over)))
    page = played.ana.page(there)
    assert "Side by side" in page and page.count('class="spreads"') == 2 and "95 % interval" in page and "seed both" in page
    assert played.ben.get(there).status_code == 404, "whoever asks, reads"
    long = played.ana.post(played.at(played.over, "/analysis/rollouts"), {"playouts": "5000", "at": "20"}).headers["Location"]
    played.ana.post(long.split("?")[0] + "/cancel")
    assert "stopped" in played.ana.page(long)


def test_a_sweep_shows_what_the_real_decision_cost_and_can_be_downloaded(played):
    log = played.log(played.over)
    at = next(
        item.version
        for item in log.raw(log.head * 3 // 4)
        if item.kind == "decided" and 3 <= log.run_at(item.version - 1).question(item.seat, item.ask).count() <= 6
    )
    there = played.ana.post(played.at(played.over, "/analysis/sweep"), {"at": at, "playouts": "8"}).headers["Location"]
    studies = played.app.extensions["studies"]
    study = there.split("?")[0].rsplit("/", 1)[1]
    waited(lambda: studies.status(played.ana.id, played.over, study).state == DONE)
    page = played.ana.page(there)
    assert (
        "what happened" in page and "Download as CSV" in page and ("cost" in page or "behind" in page or "Nothing better" in page)
    )
    table = played.ana.get(there.split("?")[0] + ".csv")
    assert table.mimetype == "text/csv" and table.text.startswith("alternative,seat,win")
    assert len(table.text.splitlines()) == 1 + 2 * len(studies.status(played.ana.id, played.over, study).swept)


def test_the_swings_of_a_running_match_are_not_told(played):
    desk = played.at(played.running, "/analysis")
    assert "Find the swings" not in played.ana.page(desk)
    assert played.ana.post(f"{desk}/swings", {"playouts": "4"}).status_code == 422
    assert played.app.extensions["studies"].latest(played.ana.id, played.running, played.running) is None


# -- who may look -------------------------------------------------------------------------------------------


def test_a_passer_by_reads_and_is_asked_to_sign_in_before_trying_anything(played):
    passer = played.visitor()
    for page in ("/analysis", "/analysis/luck", "/analysis/rollouts", "/analysis/sweep", "/about"):
        assert passer.get(played.at(played.over, page)).status_code == 200, page
    for page in ("/what-if", "/analysis/rollouts", "/analysis/sweep", "/analysis/swings", "/about"):
        answer = passer.post(played.at(played.over, page), {"at": "20"})
        assert answer.status_code == 302 and "/sign-in" in answer.headers["Location"], page


def test_every_page_of_the_desk_says_the_same_without_scripts_and_carries_none(played):
    inline = re.compile(r"<style|\sstyle=|<script(?![^>]*\ssrc=)|\son[a-z]+=|javascript:", re.IGNORECASE)
    for page in ("/analysis", "/analysis/luck", "/analysis/rollouts", "/analysis/sweep", "/what-if?at=30", "/about"):
        answer = played.ana.client.get(played.at(played.over, page), base_url=HERE)
        assert not inline.search(without_tokens(answer.text)), page
        assert "Content-Security-Policy" in answer.headers
