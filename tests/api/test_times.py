"""Time by the API: absences, substitutes, the game master's clock."""

from __future__ import annotations

import pytest

DAY = 86_400_000
RULES = {"vectors": {"": {"next": 2880, "grace": 1440}}, "late": "substitute"}


@pytest.fixture
def match(world, anna, bert):
    return world.match(anna, bert)


def test_a_game_master_sets_the_house_rules_and_nobody_else_does(anna, bert, match):
    told = anna.put(f"/matches/{match}/house-rules", RULES)
    assert told.status_code == 200 and told.json["policy"] == "substitute"
    assert bert.put(f"/matches/{match}/house-rules", RULES).status_code == 403
    wrong = {"vectors": {"": {"zone": "Mars/Olympus"}}}
    assert anna.put(f"/matches/{match}/house-rules", wrong).status_code == 422


def test_an_absence_is_declared_by_its_seat_and_seen_by_nobody_but_the_game_master(anna, bert, cleo, match, world):
    now = anna.get(f"/matches/{match}/times").json["now"]
    body = {"seat": "blue", "start": now + DAY, "end": now + 3 * DAY}
    assert bert.post(f"/matches/{match}/absences", body).json == body
    assert bert.post(f"/matches/{match}/absences", {**body, "seat": "red"}).status_code == 404
    assert bert.post(f"/matches/{match}/absences", {**body, "end": now}).status_code == 422
    assert bert.get(f"/matches/{match}/times").json["absences"] == anna.get(f"/matches/{match}/times").json["absences"] == [body]
    assert cleo.get(f"/matches/{match}/times").json["absences"] == []
    assert cleo.delete(f"/matches/{match}/absences/blue").status_code == 404
    assert bert.delete(f"/matches/{match}/absences/blue").status_code == 204
    assert bert.get(f"/matches/{match}/times").json["absences"] == []


def test_the_clock_is_the_game_masters(anna, bert, match):
    assert anna.post(f"/matches/{match}/pause", {"minutes": 60}).json["paused_until"]
    assert bert.delete(f"/matches/{match}/pause").status_code == 403
    assert anna.delete(f"/matches/{match}/pause").json["paused_until"] is None
    assert anna.post(f"/matches/{match}/extensions", {"minutes": 60}).status_code == 404  # nothing is due
    assert bert.post(f"/matches/{match}/extensions", {"minutes": 60}).status_code == 403


def test_a_called_seat_is_taken_by_whoever_comes_with_everything_it_knows(world, anna, bert, cleo, match):
    assert bert.put(f"/matches/{match}/seats/red/call", {}).status_code == 403
    assert anna.put(f"/matches/{match}/seats/blue/call", {"reason": "gone"}).status_code == 200
    assert anna.get(f"/matches/{match}/times").json["calls"] == ["blue"]
    assert [one["id"] for one in cleo.get("/matches?joinable=true").json["items"]] == [match]
    hand = bert.get(f"/matches/{match}/table").json["zones"]["hand:blue"]
    assert cleo.post(f"/matches/{match}/join", {}).json["seat"] == "blue"
    assert cleo.get(f"/matches/{match}/table?as=blue").json["zones"]["hand:blue"] == hand
    assert bert.get(f"/matches/{match}/table?as=blue").status_code == 404
    tenures = [one for one in anna.get(f"/matches/{match}").json["tenures"] if one["seat"] == "blue"]
    assert [(one["name"], one["until"]) for one in tenures] == [("Bert", 1), ("Cleo", None)]


def test_a_call_is_closed_again(anna, cleo, match):
    anna.put(f"/matches/{match}/seats/blue/call", {})
    assert anna.delete(f"/matches/{match}/seats/blue/call").status_code == 200
    assert cleo.post(f"/matches/{match}/join", {}).status_code == 422
    assert anna.put(f"/matches/{match}/seats/purple/call", {}).status_code == 404


def test_a_preview_tells_the_policy_and_to_who_sees_everything_the_answer_on_record(world, anna, bert, cleo):
    plain = world.match(anna, bert)
    (row,) = anna.post(f"/matches/{plain}/preview").json["items"]
    assert (row["seat"], row["policy"], row["order"]) == ("red", "wait", None)
    assert bert.post(f"/matches/{plain}/preview").status_code == 403
    seen = cleo.post("/matches", {"title": "toy", "players": 2, "policy": {"game_master": "everything"}}).json["id"]
    for person in (anna, bert):
        person.post(f"/matches/{seen}/join", {})
    cleo.post(f"/matches/{seen}/start")
    cleo.put(f"/matches/{seen}/house-rules", {**RULES, "late": "default"})
    (row,) = cleo.post(f"/matches/{seen}/preview").json["items"]
    assert row["order"] == "hide left" and cleo.get(f"/matches/{seen}").json["version"] == 1
    assert [one["what"] for one in anna.get(f"/matches/{seen}/looks").json["items"]] == ["preview"]
