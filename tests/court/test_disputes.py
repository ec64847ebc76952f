"""A dispute on each title through the API, from claim to ruling to the table as it then is, and what everybody sees of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from domain.audit import audit
from domain.games import library
from service.settings import Settings
from service.wsgi import close, create_app
from tests.court.disputes import QUARRELS, SEATS, Quarrel, play_on, play_until

API = "/api/v1"


class Person:
    """Somebody with a token."""

    def __init__(self, app: Any, name: str) -> None:
        service = app.extensions["chancery"]
        self.app, self.id = app, service.accounts.create(name).id
        self.token = service.accounts.issue(self.id)[1]

    def call(self, method: str, path: str, body: Any = None, status: int = 200) -> Any:
        sent = {"Authorization": f"Bearer {self.token}"}
        answer = self.app.test_client().open(API + path, method=method, json=body, headers=sent)
        assert answer.status_code == status, (path, answer.status_code, answer.json)
        return answer.json

    def get(self, path: str) -> Any:
        return self.call("GET", path)

    def post(self, path: str, body: Any = None, status: int = 201) -> Any:
        return self.call("POST", path, body, status)


class Room:
    """Ana, the game master, Ben and Cem play; Eve watches."""

    def __init__(self, app: Any, title: str, **policy: Any) -> None:
        self.app, self.service = app, app.extensions["chancery"]
        self.ana, self.ben, self.cem, self.eve = (Person(app, name) for name in ("Ana", "Ben", "Cem", "Eve"))
        self.seats = dict(zip(SEATS[title], (self.ana, self.ben, self.cem), strict=True))
        self.id = self.ana.post("/matches", {"title": title, "players": 3, "policy": policy})["id"]
        for seat, person in self.seats.items():
            person.post(f"/matches/{self.id}/join", {"seat": seat}, status=200)
        self.ana.post(f"/matches/{self.id}/start", status=200)

    @property
    def path(self) -> str:
        return f"/matches/{self.id}"

    @property
    def log(self) -> Any:
        return self.service.open_log(self.service.register.load(self.id).line)

    def tables(self) -> dict[str, Any]:
        """The table as each seat, and the public, sees it."""
        people = {**self.seats, "spectator": self.eve}
        return {
            seat: (found["zones"], found["registers"])
            for seat, found in ((s, p.get(f"{self.path}/table")) for s, p in people.items())
        }


@pytest.fixture
def app(tmp_path: Any) -> Iterator[Any]:
    made = create_app(Settings(db=str(tmp_path / "disputes.db"), secret="s" * 40, signing="5" * 64, limit="off"))
    yield made
    close(made)


@pytest.mark.parametrize("quarrel", QUARRELS, ids=lambda one: f"{one.title} {one.outcome}")
def test_a_dispute_from_the_claim_to_the_table_as_ruled(app: Any, quarrel: Quarrel) -> None:
    room = Room(app, quarrel.title)
    group = play_until(room.service, room.id, quarrel)
    first, before, old = group[0], room.tables(), room.log
    was = old.whole_table(first.version - 1).state()

    # The claim, an answer, and the case file as each of them may read it.
    claimed = room.ben.post(
        f"{room.path}/disputes", {"version": first.version, "claim": quarrel.claim, "evidence": [first.version]}
    )
    room.cem.post(f"{room.path}/disputes/{claimed['id']}/answers", {"text": "It looked right to me."})
    room.eve.post(f"{room.path}/disputes", {"version": first.version, "claim": "me too"}, status=403)
    files = {seat: person.get(f"{room.path}/case?version={group[-1].version}") for seat, person in room.seats.items()}
    for seat, file in files.items():
        assert file["version"] == first.version and file["question"]["key"] == first.ask
        assert ("choice" in file["question"]) == (seat == first.seat), "what was legal is the asked seat's business"
        assert (file["receipt"] is not None) == (seat == first.seat)
        assert [one["clean"] for one in file["verdicts"]] == [True] and file["proof"]["chain"] is True
        assert file["why"] and all(step["summary"] for step in file["why"] if step["rule"])
        assert file["changes"] and file["ops"] and file["before"] != file["after"]
        if quarrel.reading:
            found = next(one for one in file["readings"] if (one["option"], one["value"]) == quarrel.reading)
            assert found["differs"] and found["changes"], "what the other reading would have changed"

    # The ruling: by the game master alone.
    ruling = {"outcome": quarrel.outcome, "text": quarrel.words, "rules": [quarrel.rule]}
    ruling |= {"reading": dict([quarrel.reading])} if quarrel.reading else {}
    room.ben.post(f"{room.path}/disputes/{claimed['id']}/ruling", ruling, status=403)
    ruled = room.ana.post(f"{room.path}/disputes/{claimed['id']}/ruling", ruling)["ruling"]
    assert (ruled["outcome"], ruled["text"]) == (quarrel.outcome, quarrel.words)
    room.ana.post(f"{room.path}/disputes/{claimed['id']}/ruling", ruling, status=422)

    # The table.
    after, log = room.tables(), room.log
    if quarrel.outcome == "stands":
        assert after == before and log.line.id == old.line.id
    elif quarrel.outcome == "corrected":
        assert log.line.id == old.line.id and log.terms()["options"][quarrel.reading[0]] == quarrel.reading[1]  # type: ignore[index]
        for change in files[first.seat]["readings"]:
            if (change["option"], change["value"]) == quarrel.reading:
                for one in change["changes"]:
                    if not one["what"]:
                        assert all(held[1].get(one["where"]) == one["right"] for held in after.values()), one
        assert after != before
    else:
        assert log.line.id != old.line.id and log.whole_table(first.version - 1).state() == was
        asked = room.seats[first.seat].get(f"{room.path}/questions")["items"]
        assert [(one["seat"], one["key"]) for one in asked if "choice" in one] == [(first.seat, first.ask)], "it is decided again"
        left = room.cem.get(f"{room.path}/log?line={old.line.id}&after={first.version - 1}")["items"]
        assert left[0]["key"] == first.ask, "the taken-back line stays readable"

    # What everybody sees of it afterwards: the same ruling, in the log, on the docket and as case law.
    dockets = [person.get(f"{room.path}/disputes")["items"] for person in (*room.seats.values(), room.eve)]
    assert all(one == dockets[0] for one in dockets) and dockets[0][0]["ruling"]["text"] == quarrel.words
    for person in (*room.seats.values(), room.eve):
        events = person.get(f"{room.path}/log?after={log.head - 3}")["items"]
        said = [event for event in events if event["kind"] == "ruled"]
        assert [event["answer"]["text"] for event in said] == [quarrel.words]
        assert quarrel.rule in [cite["rule"] for cite in said[0]["cites"]]
    law = room.eve.get(f"/titles/{quarrel.title}/rulings?rule={quarrel.rule}")["items"]
    assert [one["text"] for one in law] == [quarrel.words]
    assert room.eve.get(f"/titles/{quarrel.title}/rulings?rule=none")["items"] == []

    # And the game goes on, with a clean record.
    play_on(room.service, room.id, 10)
    assert audit(room.log, library).clean and audit(old, library).clean


def test_an_event_out_of_the_window_is_only_analysed(app: Any) -> None:
    room = Room(app, "column-of-fire")
    play_until(room.service, room.id, QUARRELS[0]._replace(about=lambda log, last: log.head > 215))
    claimed = room.ben.post(f"{room.path}/disputes", {"version": 10, "claim": "long ago"})["id"]
    refused = room.ana.post(f"{room.path}/disputes/{claimed}/ruling", {"outcome": "rewound", "text": "back"}, status=422)
    assert "more than 200 versions ago" in refused["detail"] and "analysed" in refused["legal"]
    line = room.log.line.id
    ruled = room.ana.post(f"{room.path}/disputes/{claimed}/ruling", {"outcome": "analysed", "text": "look here"})["ruling"]
    assert ruled["line"] != line == room.log.line.id


def test_where_the_table_is_the_arbiter_a_ruling_is_moved_and_carried(app: Any) -> None:
    room = Room(app, "pax-renaissance", arbiter="vote")
    play_on(room.service, room.id, 12)
    case = room.ben.post(f"{room.path}/disputes", {"version": room.log.head, "claim": "That was not mine."})["id"]
    ruling = {"outcome": "stands", "text": "It was.", "rules": ["D1.1"]}
    room.ana.post(f"{room.path}/disputes/{case}/ruling", ruling, status=403)
    moved = room.ben.post(f"{room.path}/disputes/{case}/motions", {**ruling, "seat": "secundus"})
    assert moved["outcome"] is None and moved["votes"] == {"secundus": True}
    room.cem.post(f"{room.path}/motions/{moved['id']}/votes", {"seat": "primus", "agrees": True}, status=404)
    carried = room.cem.post(f"{room.path}/motions/{moved['id']}/votes", {"seat": "tertius", "agrees": True})
    assert carried["outcome"] == "carried"
    found = room.eve.get(f"{room.path}/disputes")["items"][0]
    assert found["ruling"]["text"] == "It was." and [one["outcome"] for one in found["motions"]] == ["carried"]


def test_the_rules_a_match_goes_by_are_told_and_no_others_proposed_where_there_are_none(app: Any) -> None:
    room = Room(app, "generalship")
    said = room.eve.get(f"{room.path}/rules")
    assert said["rules"] == said["newest"] and not said["differ"] and said["proposals"] == []
    refused = room.ben.post(f"{room.path}/rules/proposals", {"seat": "east"}, status=422)
    assert "newest rules and data already" in refused["detail"]
    room.eve.post(f"{room.path}/rules/proposals", {"seat": "east"}, status=404)
