"""Deciding, looking, taking back and branching, as a client does it."""

from __future__ import annotations

import time

from tests.api.test_matches import MISSING


def test_a_decision_is_stored_and_told_to_everybody_as_they_may_see_it(world, anna, bert):
    match = world.match(anna, bert)
    done = anna.decide(match, "hide", "left")
    assert done.status_code == 201 and done.json["version"] == 2
    assert done.json["events"][0]["answer"] == "left"
    seen = bert.get(f"/matches/{match}/log?after=1").json["items"][0]
    assert (seen["seat"], seen["key"], seen["answer"]) == ("red", "hide", "?")


def test_a_refusal_names_the_rule_and_what_is_legal_and_stores_nothing(world, anna, bert):
    match = world.match(anna, bert)
    refused = anna.decide(match, "hide", "up my sleeve")
    assert refused.status_code == 422 and refused.mimetype == "application/problem+json"
    assert refused.json["rule"] == "TOY 2.1"
    assert refused.json["legal"] == {"type": "one_of", "options": ["left", "right"]}
    assert refused.json["detail"] == "'up my sleeve' is not one of the options"
    assert anna.get(f"/matches/{match}").json["version"] == 1


def test_a_question_that_is_not_open_is_a_conflict_that_names_the_open_ones(world, anna, bert):
    match = world.match(anna, bert)
    early = bert.decide(match, "bid", [["card-01", 1]])
    assert early.status_code == 409 and "waits for red" in early.json["detail"]
    wrong = anna.decide(match, "bid", [])
    assert wrong.status_code == 409 and wrong.json["legal"] == ["hide"]


def test_a_decision_says_which_version_it_answers(world, anna, bert):
    match = world.match(anna, bert)
    body = {"seat": "red", "key": "hide", "answer": "left"}
    assert anna.post(f"/matches/{match}/decisions", body).status_code == 428
    anna.decide(match, "hide", "left")
    stale = anna.decide(match, "hide", "right", expect=1)
    assert stale.status_code == 412 and stale.json["version"] == 2
    assert anna.decide(match, "hide", "right", expect=99).status_code == 412


def test_sealed_answers_of_others_do_not_make_mine_stale(world, anna, bert, cleo):
    match = world.match(anna, bert, cleo)
    anna.decide(match, "hide", "left")
    people = {person: person.questions(match)[0]["answers"][0] for person in (anna, bert, cleo)}
    for person, card in people.items():
        done = person.decide(match, "bid", card, expect=2)
        assert done.status_code == 201, done.json
    assert anna.get(f"/matches/{match}").json["version"] == 5


def test_my_own_sealed_answer_does_make_it_stale(world, anna, bert):
    match = world.match(anna, bert)
    anna.decide(match, "hide", "left")
    card = bert.questions(match)[0]["answers"][0]
    bert.decide(match, "bid", card, expect=2)
    assert bert.decide(match, "bid", card, expect=2).status_code == 412


def test_the_same_key_is_carried_out_once_also_after_the_game_went_on(world, anna, bert):
    match = world.match(anna, bert)
    first = anna.decide(match, "hide", "left", expect=1, once="k1")
    world.play_on(match, [anna, bert], 3)
    again = anna.decide(match, "hide", "left", expect=1, once="k1")
    assert (again.status_code, again.data) == (first.status_code, first.data)
    assert again.headers["Idempotent-Replayed"] == "true" and "Idempotent-Replayed" not in first.headers


def test_the_same_key_with_another_body_is_refused_and_stores_nothing(world, anna, bert):
    match = world.match(anna, bert)
    anna.decide(match, "hide", "left", expect=1, once="k1")
    other = anna.decide(match, "hide", "right", expect=1, once="k1")
    assert other.status_code == 422 and other.json["type"] == "/problems/key-reused"
    assert anna.get(f"/matches/{match}").json["version"] == 2


def test_keys_of_different_people_do_not_meet(world, anna, bert):
    match = world.match(anna, bert)
    anna.decide(match, "hide", "left", once="k1")
    bid = bert.questions(match)[0]["answers"][0]
    assert bert.decide(match, "bid", bid, once="k1").status_code == 201


def test_a_dry_run_checks_and_changes_nothing(world, anna, bert):
    match = world.match(anna, bert)
    checked = anna.decide(match, "hide", "left", query="?dry_run=true")
    assert checked.status_code == 200 and checked.json["dry_run"] and checked.json["events"] == []
    assert anna.decide(match, "hide", "up", query="?dry_run=true").status_code == 422
    assert anna.get(f"/matches/{match}").json["version"] == 1


def test_a_dry_run_does_not_tell_what_the_dice_would_say(world, anna, bert):
    match = world.match(anna, bert)
    world.play_on(match, [anna, bert], 3)
    leader = anna if anna.questions(match) else bert
    assert leader.questions(match)[0]["key"] == "dare"
    checked = leader.decide(match, "dare", "roll", query="?dry_run=true").json
    assert checked["events"] == [] and "rolls" not in str(checked)


def test_the_table_at_any_version_through_any_eyes_one_has(world, anna, bert):
    match = world.match(anna, bert)
    world.play_on(match, [anna, bert], 4)
    start = anna.get(f"/matches/{match}/table?version=1").json
    assert start["zones"]["hand:blue"] == {"?": 3} and sum(start["zones"]["hand:red"].values()) == 3
    public = anna.get(f"/matches/{match}/table?version=1&as=spectator").json
    assert public["zones"]["hand:red"] == {"?": 3}
    assert anna.get(f"/matches/{match}/table?version=99").json == MISSING
    assert anna.get(f"/matches/{match}/table").json["version"] == 5


def test_the_log_is_paged_and_tells_what_happened_since_my_own_decision(world, anna, bert):
    match = world.match(anna, bert)
    world.play_on(match, [anna, bert], 6)
    first = anna.get(f"/matches/{match}/log?limit=3").json
    rest = anna.get(f"/matches/{match}/log?after={first['next']}").json
    assert [event["version"] for event in first["items"] + rest["items"]] == list(range(1, 8)) and rest["next"] is None
    mine = anna.get(f"/matches/{match}/log?since=mine").json["items"]
    whole = anna.get(f"/matches/{match}/log").json["items"]
    last = max(event["version"] for event in whole if event["seat"] == "red")
    assert [event["version"] for event in mine] == [event["version"] for event in whole if event["version"] > last]


def test_a_decision_that_told_nobody_anything_can_be_taken_back(world, anna, bert):
    match = world.match(anna, bert)
    anna.decide(match, "hide", "left")
    undone = anna.post(f"/matches/{match}/undo", {"seat": "red"}, **{"If-Match": '"2"'})
    assert undone.status_code == 201 and undone.json["events"][0]["kind"] == "undone"
    assert anna.questions(match)[0]["key"] == "hide"


def test_a_roll_cannot_simply_be_taken_back(world, anna, bert):
    match = world.match(anna, bert)
    world.play_on(match, [anna, bert], 3)
    leader, seat = (anna, "red") if anna.questions(match) else (bert, "blue")
    version = leader.decide(match, "dare", "roll").json["version"]
    refused = leader.post(f"/matches/{match}/undo", {"seat": seat}, **{"If-Match": str(version)})
    assert refused.status_code == 422 and "chance was drawn" in refused.json["detail"]


def test_where_nothing_is_taken_back_nothing_is(world, anna, bert):
    match = world.match(anna, bert, policy={"undo": "never"})
    anna.decide(match, "hide", "left")
    assert anna.post(f"/matches/{match}/undo", {"seat": "red"}, **{"If-Match": "2"}).status_code == 403


def test_a_player_branches_a_running_game_from_what_their_seat_knows(world, anna, bert, cleo):
    """Anna sees her own hand on it, and a hand for Bert that he may or may not hold; the match itself is not touched."""
    match = world.match(anna, bert)
    line = anna.post(f"/matches/{match}/lines", {"version": 1}).json
    assert line["imagined"] == "red" and line["yours"]
    mine, supposed = (anna.get(f"/matches/{match}/table?as={viewer}&line={line['id']}").json for viewer in ("red", "blue"))
    assert mine["zones"]["hand:red"] == anna.get(f"/matches/{match}/table").json["zones"]["hand:red"]
    assert len(supposed["zones"]["hand:blue"]) == 3
    body = {"seat": "red", "key": "hide", "answer": "right"}
    assert anna.post(f"/matches/{match}/decisions?line={line['id']}", body, **{"If-Match": '"1"'}).status_code == 201
    assert anna.get(f"/matches/{match}").json["version"] == 1
    assert bert.get(f"/matches/{match}/table?line={line['id']}").json == MISSING
    assert cleo.post(f"/matches/{match}/lines", {"version": 1}).status_code == 403


def test_a_finished_game_is_branched_by_anybody_who_then_plays_every_seat(world, anna, bert, cleo):
    match = world.match(anna, bert)
    world.play_on(match, [anna, bert], 40)
    end = anna.get(f"/matches/{match}").json["version"]
    line = cleo.post(f"/matches/{match}/lines", {"version": 1, "reason": "what if right"}).json
    assert line["parent"] == match and line["at"] == 1 and line["yours"] and not line["played"]
    body = {"seat": "red", "key": "hide", "answer": "right"}
    done = cleo.post(f"/matches/{match}/decisions?line={line['id']}", body, **{"If-Match": "1"})
    assert done.status_code == 201 and done.json["line"] == line["id"]
    assert bert.post(f"/matches/{match}/decisions?line={line['id']}", body, **{"If-Match": "2"}).json == MISSING
    assert anna.get(f"/matches/{match}").json["version"] == end
    branches = anna.get(f"/matches/{match}/timeline", Prefer="wait=5").json["branches"]
    assert [branch["line"] for branch in branches] == [line["id"]]


def test_the_branch_of_a_running_game_is_its_makers_alone(world, anna, bert, cleo):
    match = anna.post("/matches", {"title": "toy", "players": 2, "policy": {"game_master": "everything"}}).json["id"]
    bert.post(f"/matches/{match}/join", {})
    cleo.post(f"/matches/{match}/join", {})
    anna.post(f"/matches/{match}/start")
    line = anna.post(f"/matches/{match}/lines", {}).json["id"]
    assert len(anna.get(f"/matches/{match}/lines").json["items"]) == 2
    assert len(bert.get(f"/matches/{match}/lines").json["items"]) == 1
    assert bert.get(f"/matches/{match}/timeline", Prefer="wait=5").json["branches"] == []
    for path in ("table", "log", "questions", "timeline", "scoreboard", "chronicle", "diplomacy", "events"):
        assert bert.get(f"/matches/{match}/{path}?line={line}").json == MISSING


def test_spectators_are_held_back_by_the_delay_in_everything(world, anna, bert, cleo):
    match = world.match(anna, bert, policy={"delay": 3600})
    world.play_on(match, [anna, bert], 2)
    then = world.service.clock()
    time.sleep(0.01)
    world.play_on(match, [anna, bert], 2)
    world.service.clock = lambda: then + 3600_000
    for path in ("table", "log", "questions", "scoreboard", "timeline", "chronicle", "diplomacy"):
        seen = cleo.get(f"/matches/{match}/{path}", Prefer="wait=5").json
        assert seen["version"] == 3, (path, seen)
        assert '"version":4' not in str(seen).replace("'", '"').replace(" ", "")
    assert cleo.get(f"/matches/{match}").json["version"] == 3
    assert cleo.get(f"/matches/{match}/table?version=5").json == MISSING
    assert anna.get(f"/matches/{match}/table").json["version"] == 5
    assert bert.get(f"/matches/{match}/table?as=spectator").json["version"] == 5
    world.service.clock = lambda: then + 3700_000
    assert cleo.get(f"/matches/{match}/table").json["version"] == 5


def test_views_wait_for_what_is_stored_if_asked_to(world, anna, bert):
    match = world.match(anna, bert)
    for _ in range(4):
        world.play_on(match, [anna, bert], 1)
        version = anna.get(f"/matches/{match}").json["version"]
        assert anna.get(f"/matches/{match}/timeline", Prefer="wait=5").json["moments"][-1]["version"] == version
        waiting = [person.name for person in (anna, bert) if person.get("/inbox", Prefer="wait=5").json["items"]]
        assert waiting == [person.name for person in (anna, bert) if person.questions(match)]


def test_standings_know_who_played(world, anna, bert):
    match = world.match(anna, bert)
    world.play_on(match, [anna, bert], 40)
    rated = anna.get("/titles/toy/standings", Prefer="wait=5").json["items"]
    assert {entry["player"] for entry in rated} == {"Anna", "Bert"}
    assert [entry["games"] for entry in rated] == [1, 1]


def test_an_unchanged_answer_is_not_sent_again(world, anna, bert):
    match = world.match(anna, bert)
    first = anna.get(f"/matches/{match}/table")
    assert first.headers["Cache-Control"] == "private, no-store" and "Authorization" in first.headers["Vary"]
    again = anna.get(f"/matches/{match}/table", **{"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304 and again.data == b""
    anna.decide(match, "hide", "left")
    assert anna.get(f"/matches/{match}/table", **{"If-None-Match": first.headers["ETag"]}).status_code == 200
