"""The analyst over the API: branches from what a seat knows, what is said about lines, links, rollouts and studies."""

from __future__ import annotations

import pytest

from tests.api.test_matches import MISSING


@pytest.fixture
def over(world, anna, bert):
    """A match of the toy, played to its end."""
    match = world.match(anna, bert)
    world.play_on(match, [anna, bert], 60)
    assert anna.get(f"/matches/{match}").json["state"] == "finished"
    return match


def version_of(person, match, key):
    """The first decision of somebody's about something."""
    items = person.get(f"/matches/{match}/log?as=arbiter").json["items"]
    return next(item["version"] for item in items if item.get("key") == key)


def test_a_changed_decision_tells_how_far_the_rest_stands(world, anna, cleo, over):
    at = version_of(anna, over, "dare")
    was = next(item for item in anna.get(f"/matches/{over}/log?as=arbiter").json["items"] if item["version"] == at)["answer"]
    other = "rest" if was == "roll" else "roll"
    grown = cleo.post(f"/matches/{over}/what-ifs", {"version": at, "answer": other, "reason": "more daring"}).json
    assert grown["replayed"] > 0 and grown["stopped"] is None and grown["imagined"] is None
    about = anna.get(f"/matches/{over}/lines/{grown['line']}").json
    assert about["parent"] == over and about["version"] == at and about["replayed"] == grown["replayed"]
    refused = cleo.post(f"/matches/{over}/what-ifs", {"version": at, "answer": "fly"})
    assert refused.status_code == 422 and refused.json["rule"] == "TOY 3.1"


def test_a_players_change_of_a_running_match_starts_from_what_they_know(world, anna, bert):
    match = world.match(anna, bert)
    anna.decide(match, "hide", "left")
    at = anna.get(f"/matches/{match}").json["version"]
    grown = anna.post(f"/matches/{match}/what-ifs", {"version": at, "answer": "right"})
    assert grown.status_code == 201 and grown.json["imagined"] == "red"
    assert bert.get(f"/matches/{match}/lines/{grown.json['line']}").json == MISSING
    lines = len(anna.get(f"/matches/{match}/lines").json["items"])
    assert anna.post(f"/matches/{match}/what-ifs", {"version": at, "answer": "up"}).status_code == 422
    assert len(anna.get(f"/matches/{match}/lines").json["items"]) == lines, "what is refused leaves no line"
    assert anna.get(f"/matches/{match}").json["version"] == at


def test_what_stops_a_replay_is_that_the_seat_may_not_know_what_was_decided(world, anna, bert):
    """Bert supposes that the opening was another one: Anna's hidden coin ends what can be made again."""
    match = world.match(anna, bert)
    anna.decide(match, "hide", "left")
    bert.decide(match, "bid", bert.questions(match)[0]["answers"][0])
    anna.decide(match, "bid", anna.questions(match)[0]["answers"][0])
    leader = anna if anna.questions(match) else bert
    leader.decide(match, "dare", "rest")
    at = anna.get(f"/matches/{match}").json["version"]
    mine = leader.post(f"/matches/{match}/what-ifs", {"version": at, "answer": "roll"})
    assert mine.status_code == 201 and mine.json["replayed"] == 0


def test_a_branch_is_named_tagged_commented_and_shared(world, anna, bert, cleo, over):
    line = anna.post(f"/matches/{over}/lines", {"version": 1}).json["id"]
    said = anna.post(f"/matches/{over}/lines/{line}/notes", {"name": "a try", "tags": ["dice", "toy"], "comment": "why not"}).json
    assert (said["name"], said["tags"], said["comments"][0]["text"]) == ("a try", ["dice", "toy"], "why not")
    assert bert.post(f"/matches/{over}/lines/{line}/notes", {"name": "mine"}).status_code == 403
    listed = next(one for one in bert.get(f"/matches/{over}/lines").json["items"] if one["id"] == line)
    assert listed["name"] == "a try" and listed["comments"] == 1
    body = {"seat": "red", "key": "hide", "answer": "right"}
    assert bert.post(f"/matches/{over}/decisions?line={line}", body, **{"If-Match": '"1"'}).json == MISSING
    link = anna.post(f"/matches/{over}/lines/{line}/shares", {"together": True}).json["link"]
    assert bert.post(f"/matches/{over}/entries", {"link": link}).json == {"line": line, "together": True}
    assert bert.post(f"/matches/{over}/decisions?line={line}", body, **{"If-Match": '"1"'}).status_code == 201
    assert cleo.post(f"/matches/{over}/entries", {"link": link[:-2] + "xx"}).json == MISSING


def test_a_branch_is_played_against_bots(world, anna, bert, over):
    line = anna.post(f"/matches/{over}/lines", {"version": 1}).json["id"]
    notes = f"/matches/{over}/lines/{line}/notes"
    assert bert.post(notes, {"bots": {"red": "random"}}).status_code == 403
    assert anna.post(notes, {"bots": {"purple": "random"}}).status_code == 422
    assert anna.post(notes, {"bots": {"red": "genius"}}).status_code == 422

    assert anna.post(notes, {"bots": {"red": "greedy"}}).json["bots"] == {"red": "greedy"}
    log = world.service.open_log(line)
    assert {event.cause for event in log.raw(1)} == {"bot"}, "red led, and answered at once"
    assert [ask.seat for ask in log.run.asks] == ["blue"]
    bid = next(iter(log.run.asks[0].all()))
    decided = anna.decide(over, "bid", bid, expect=log.head, query=f"?line={line}", seat="blue")
    assert decided.status_code == 201, decided.json
    assert all(ask.seat == "blue" for ask in world.service.open_log(line).run.asks), "red goes on as soon as it is asked"
    assert anna.post(notes, {"bots": {}}).json["bots"] == {}


def test_studies_are_queued_and_stopped_and_swings_are_for_games_that_are_over(world, anna, bert, over):
    at = version_of(anna, over, "dare")
    study = anna.post(f"/matches/{over}/studies", {"kind": "sweep", "version": at, "playouts": 5})
    assert study.status_code == 202 and {row["alternative"] for row in study.json["swept"]} == {"roll", "rest"}
    stopped = anna.post(f"/matches/{over}/studies/{study.json['id']}/cancel").json
    assert stopped["state"] in ("cancelled", "done")
    assert bert.get(f"/matches/{over}/studies/{study.json['id']}").json == MISSING
    running = world.match(anna, bert)
    assert anna.post(f"/matches/{running}/studies", {}).status_code == 422
    assert anna.post(f"/matches/{running}/rollouts", {"policy": "genius"}).status_code == 422
