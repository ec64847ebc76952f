"""`make serve` on a fresh machine shows a finished match, a running one and one to join."""

from __future__ import annotations

from service import demo


def test_a_fresh_database_is_filled_once_and_the_links_let_you_in(world):
    links = demo.fill(world.service, decisions=3)
    states = sorted(item["state"] for item in world.client.get("/api/v1/matches").json["items"])
    assert states == ["finished", "open", "running"]
    for name, link in links:
        signed_in = world.client.post("/api/v1/sign-ins/link", json={"link": link})
        assert signed_in.status_code == 201
        me = world.client.get("/api/v1/me", headers={"Authorization": f"Bearer {signed_in.json['token']}"}).json
        assert me["name"] == name
    assert [name for name, _ in demo.fill(world.service)] == ["Anna", "Bert"]
    assert len(world.client.get("/api/v1/matches").json["items"]) == 3


def test_a_database_in_use_is_left_alone(world, cleo):
    world.match(cleo, start=False)
    assert demo.fill(world.service) == []
    assert len(world.client.get("/api/v1/matches").json["items"]) == 1
