"""The life of a match, as its players meet it."""

from __future__ import annotations

import hashlib

MISSING = {
    "type": "/problems/not-found",
    "title": "Not found",
    "status": 404,
    "detail": "There is no such thing here, or none that you may know of.",
}


def test_two_players_meet_and_the_game_starts(world, anna, bert):
    match = world.match(anna, bert)
    seen = anna.get(f"/matches/{match}").json
    assert seen["state"] == "running" and seen["version"] == 1
    assert [(seat["seat"], seat["name"], seat["yours"]) for seat in seen["seats"]] == [
        ("red", "Anna", True),
        ("blue", "Bert", False),
    ]


def test_the_seed_is_committed_to_before_anybody_joins_and_shown_at_the_end(world, anna, bert):
    match = world.match(anna, start=False)
    promised = anna.get(f"/matches/{match}").json
    assert promised["seed"] is None
    bert.post(f"/matches/{match}/join", {"nonce": "bert's own dice"})
    anna.post(f"/matches/{match}/start")
    assert "bert's own dice" in anna.get(f"/matches/{match}/log").json["items"][0]["answer"]["nonces"]
    world.play_on(match, [anna, bert], 40)
    ended = bert.get(f"/matches/{match}").json
    assert ended["state"] == "finished"
    assert hashlib.sha256(bytes.fromhex(ended["seed"])).hexdigest() == promised["commitment"]


def test_a_match_does_not_start_while_a_seat_is_free(world, anna):
    match = world.match(anna, start=False)
    refused = anna.post(f"/matches/{match}/start")
    assert refused.status_code == 422
    assert refused.json["detail"] == "nobody sits as blue yet" and refused.json["legal"] == ["blue"]


def test_only_the_game_master_starts_invites_and_seats_bots(world, anna, bert):
    match = world.match(anna, bert, start=False)
    for answer in (
        bert.post(f"/matches/{match}/start"),
        bert.post(f"/matches/{match}/invitations", {}),
        bert.put(f"/matches/{match}/seats/blue/bot", {}),
        bert.post(f"/matches/{match}/cancel", {}),
        bert.get(f"/matches/{match}/invitations"),
    ):
        assert answer.status_code == 403 and answer.json["detail"] == "only the game master may do that"


def test_a_closed_match_is_not_there_for_strangers(world, anna, bert, cleo):
    match = world.match(anna, bert, policy={"seating": "invited", "spectators": "nobody"})
    for path in ("", "/table", "/log", "/questions", "/lines", "/timeline", "/invitations", "/looks"):
        assert cleo.get(f"/matches/{match}{path}").json == MISSING
    assert cleo.post(f"/matches/{match}/join", {}).json == MISSING
    assert cleo.post(f"/matches/{match}/start").json == MISSING
    assert all(item["id"] != match for item in cleo.get("/matches").json["items"])
    assert any(item["id"] == match for item in bert.get("/matches?mine=true").json["items"])


def test_an_invitation_seats_one_person_once(world, anna, bert, cleo):
    match = world.match(anna, start=False, policy={"seating": "invited"})
    link = anna.post(f"/matches/{match}/invitations", {"seat": "blue"}).json["link"]
    assert bert.post(f"/matches/{match}/join", {}).status_code == 403
    assert bert.post(f"/matches/{match}/join", {"invitation": link}).json["seat"] == "blue"
    again = cleo.post(f"/matches/{match}/join", {"invitation": link})
    assert again.status_code in (403, 422) and "invitation" in again.json["detail"]


def test_a_withdrawn_or_forged_invitation_is_worth_nothing(world, anna, bert):
    match, other = world.match(anna, start=False), world.match(anna, start=False)
    made = anna.post(f"/matches/{match}/invitations", {"seat": "blue"}).json
    assert bert.post(f"/matches/{other}/join", {"invitation": made["link"]}).status_code == 422
    assert bert.post(f"/matches/{match}/join", {"invitation": made["link"][:-2] + "xx"}).status_code == 422
    assert anna.delete(f"/matches/{match}/invitations/{made['id']}").status_code == 204
    assert bert.post(f"/matches/{match}/join", {"invitation": made["link"]}).status_code == 422


def test_a_kept_seat_waits_for_whoever_was_invited(world, anna, bert, cleo):
    match = world.match(anna, start=False)
    link = anna.post(f"/matches/{match}/invitations", {"seat": "blue"}).json["link"]
    assert bert.post(f"/matches/{match}/join", {}).status_code == 422
    assert cleo.post(f"/matches/{match}/join", {"invitation": link}).json["seat"] == "blue"


def test_a_player_may_leave_before_the_start_but_not_after(world, anna, bert):
    match = world.match(anna, bert, start=False)
    assert bert.post(f"/matches/{match}/leave").status_code == 200
    assert bert.post(f"/matches/{match}/join", {}).status_code == 200
    anna.post(f"/matches/{match}/start")
    refused = bert.post(f"/matches/{match}/leave")
    assert refused.status_code == 422 and "substitute" in refused.json["detail"]


def test_a_substitute_gets_the_seat_with_its_secrets_and_the_tenure_is_on_record(world, anna, bert, cleo):
    match = world.match(anna, bert)
    hand = bert.get(f"/matches/{match}/table").json["zones"]["hand:blue"]
    world.play_on(match, [anna], 1)
    link = anna.post(f"/matches/{match}/invitations", {"seat": "blue"}).json["link"]
    assert cleo.post(f"/matches/{match}/join", {"invitation": link}).json["seat"] == "blue"
    assert cleo.get(f"/matches/{match}/table").json["zones"]["hand:blue"] == hand
    assert bert.get(f"/matches/{match}/table?as=blue").json == MISSING
    assert bert.get(f"/matches/{match}/table").json["zones"]["hand:blue"] == {"?": 3}
    tenures = cleo.get(f"/matches/{match}").json["tenures"]
    assert [(held["name"], held["since"], held["until"]) for held in tenures if held["seat"] == "blue"] == [
        ("Bert", 0, 2),
        ("Cleo", 2, None),
    ]


def test_bots_answer_by_themselves_and_the_game_ends(world, anna):
    match = world.match(anna, start=False)
    anna.put(f"/matches/{match}/seats/blue/bot", {"policy": "greedy"})
    anna.post(f"/matches/{match}/start")
    world.play_on(match, [anna], 40)
    assert anna.get(f"/matches/{match}").json["state"] == "finished"
    via = {event["via"] for event in anna.get(f"/matches/{match}/log").json["items"] if event["seat"] == "blue"}
    assert via == {"bot"}


def test_a_bot_takes_over_a_seat_in_the_middle(world, anna, bert):
    match = world.match(anna, bert)
    world.play_on(match, [anna, bert], 3)
    assert anna.put(f"/matches/{match}/seats/blue/bot", {}).status_code == 200
    world.play_on(match, [anna], 40)
    assert anna.get(f"/matches/{match}").json["state"] == "finished"


def test_a_game_master_who_sees_everything_cannot_play_and_every_look_is_on_record(world, anna, bert, cleo):
    match = anna.post("/matches", {"title": "toy", "players": 2, "policy": {"game_master": "everything"}}).json["id"]
    refused = anna.post(f"/matches/{match}/join", {})
    assert refused.status_code == 403 and refused.json["detail"] == "a game master who sees everything cannot play"
    bert.post(f"/matches/{match}/join", {})
    cleo.post(f"/matches/{match}/join", {})
    anna.post(f"/matches/{match}/start")
    assert anna.get(f"/matches/{match}/table").json["viewer"] == "spectator"
    assert bert.get(f"/matches/{match}/looks").json["items"] == []
    assert "?" not in anna.get(f"/matches/{match}/table?as=arbiter").json["zones"]["hand:red"]
    anna.get(f"/matches/{match}/log?as=red")
    looks = bert.get(f"/matches/{match}/looks").json["items"]
    assert [(look["name"], look["viewer"], look["what"]) for look in looks] == [
        ("Anna", "arbiter", "table"),
        ("Anna", "red", "log"),
    ]
    assert bert.get(f"/matches/{match}/table?as=arbiter").json == MISSING


def test_when_the_game_is_over_everything_is_shown_unless_agreed_otherwise(world, anna, bert, cleo):
    shown, hidden = world.match(anna, bert), world.match(anna, bert, policy={"afterwards": "hidden"})
    for match in (shown, hidden):
        world.play_on(match, [anna, bert], 40)
    assert cleo.get(f"/matches/{shown}/table?as=arbiter").status_code == 200
    assert cleo.get(f"/matches/{hidden}/table?as=arbiter").json == MISSING
    assert cleo.get(f"/matches/{hidden}").json["seed"] is None


def test_lists_are_paged_and_filtered(world, anna, bert):
    matches = [world.match(anna, start=False, name=f"number {n}") for n in range(5)]
    first = bert.get("/matches?joinable=true&limit=3").json
    rest = bert.get(f"/matches?joinable=true&limit=3&after={first['next']}").json
    assert [item["id"] for item in first["items"] + rest["items"]] == sorted(
        matches, key=lambda id: (next(i["made"] for i in first["items"] + rest["items"] if i["id"] == id), id), reverse=True
    )
    assert rest["next"] is None
    assert anna.post(f"/matches/{matches[0]}/cancel", {"reason": "no time"}).json["state"] == "cancelled"
    assert len(bert.get("/matches?state=open").json["items"]) == 4
