"""Live streams: everything that happens arrives, once, as its viewer may see it, also after a break."""

from __future__ import annotations

import json
import threading
import time

import pytest
import requests

from service.api import events
from service.live import RedisFeed
from tests.api.server import Server
from tests.api.test_server import settled, two_players


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    monkeypatch.setattr(events, "ALIVE_SECONDS", 0.2)


class Listener:
    """Reads a stream of the app in a thread, until it has enough or is told to stop."""

    def __init__(self, world, person, path, **headers):
        self.messages = []
        self.ended = threading.Event()
        sent = {"Authorization": f"Bearer {person.token}", **headers}
        self._answer = world.app.test_client().get(f"/api/v1{path}", headers=sent)
        assert self._answer.status_code == 200, self._answer.data
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._read)
        self._thread.start()

    def _read(self):
        for part in self._answer.response:
            if message := parsed(part.decode()):
                self.messages.append(message)
            if self._stopped.is_set():
                break
        self._answer.close()
        self.ended.set()

    def wait(self, count, seconds=5):
        until = time.monotonic() + seconds
        while len(self.messages) < count and time.monotonic() < until:
            time.sleep(0.005)
        return self.messages

    def stop(self):
        self._stopped.set()
        self._thread.join(5)
        return self.messages


def parsed(text):
    """(id, event, data) of a message; None for anything else."""
    found = dict(line.split(": ", 1) for line in text.strip().splitlines() if ": " in line and not line.startswith(":"))
    return (found["id"], found["event"], json.loads(found["data"])) if "data" in found else None


def test_a_decision_reaches_everybody_at_once_as_they_may_see_it(world, anna, bert):
    match = world.match(anna, bert)
    mine, theirs = Listener(world, anna, f"/matches/{match}/events"), Listener(world, bert, f"/matches/{match}/events")
    began = time.monotonic()
    anna.decide(match, "hide", "left")
    assert mine.wait(1)[0][2]["answer"] == "left"
    assert theirs.wait(1)[0][2]["answer"] == "?"
    assert time.monotonic() - began < 1
    assert theirs.messages[0][:2] == (f"{match}:2", "decided")
    mine.stop()
    theirs.stop()


def test_a_broken_stream_goes_on_where_it_broke_off(world, anna, bert):
    """Nothing is lost and nothing comes twice, though decisions are made while nobody listens."""
    match = world.match(anna, bert)
    heard, last = [], ""
    for _ in range(5):
        headers = {"Last-Event-ID": last} if last else {}
        listener = Listener(world, bert, f"/matches/{match}/events?after=0", **headers)
        world.play_on(match, [anna, bert], 1)
        world.play_on(match, [anna, bert], 1)
        version = anna.get(f"/matches/{match}").json["version"]
        listener.wait(version - len(heard) - 1)
        heard += listener.stop()
        last = heard[-1][0]
        world.play_on(match, [anna, bert], 1)  # while nobody listens
    listener = Listener(world, bert, f"/matches/{match}/events", **{"Last-Event-ID": last})
    version = anna.get(f"/matches/{match}").json["version"]
    listener.wait(version - int(last.split(":")[1]))
    heard += listener.stop()
    assert [int(id.split(":")[1]) for id, _, _ in heard] == list(range(1, version + 1))
    assert [data for _, _, data in heard] == bert.get(f"/matches/{match}/log?as=blue").json["items"]


def test_whoever_is_substituted_hears_nothing_more(world, anna, bert, cleo):
    match = world.match(anna, bert)
    listener = Listener(world, bert, f"/matches/{match}/events?as=blue")
    link = anna.post(f"/matches/{match}/invitations", {"seat": "blue"}).json["link"]
    cleo.post(f"/matches/{match}/join", {"invitation": link})
    assert listener.ended.wait(5)
    anna.decide(match, "hide", "left")
    assert listener.stop() == []


def test_a_stream_follows_the_match_to_another_line(world, anna, bert):
    match = world.match(anna, bert)
    anna.decide(match, "hide", "left")
    listener = Listener(world, bert, f"/matches/{match}/events")
    log = world.service.open_log(match)
    log.fork("elsewhere", 1, by=anna.id)
    world.service.adopt(match, "elsewhere", "everybody agreed")
    assert listener.wait(1)[0] == ("elsewhere:1", "line", {"line": "elsewhere", "after": 1})
    anna.decide(match, "hide", "right")
    assert listener.wait(2)[1][0] == "elsewhere:2"
    listener.stop()


def test_the_inbox_says_when_something_waits_and_when_it_does_not_any_more(world, anna, bert):
    match = world.match(anna, bert)
    listener = Listener(world, bert, "/inbox/events")
    assert listener.wait(1)[0][2] == {"items": []}
    anna.decide(match, "hide", "left")
    assert listener.wait(2)[1][2]["items"][0]["question"] == "bid"
    bert.decide(match, "bid", bert.questions(match)[0]["answers"][0])
    assert listener.wait(3)[2][2] == {"items": []}
    again = Listener(world, bert, "/inbox/events", **{"Last-Event-ID": listener.messages[-1][0]})
    time.sleep(0.3)
    assert again.stop() == [] and len(listener.stop()) == 3


def test_a_mere_spectator_hears_only_what_the_delay_lets_through(world, anna, bert, cleo, monkeypatch):
    monkeypatch.setattr(events, "DELAYED_SECONDS", 0.05)
    match = world.match(anna, bert, policy={"delay": 60})
    listener = Listener(world, cleo, f"/matches/{match}/events?after=0")
    anna.decide(match, "hide", "left")
    time.sleep(0.3)
    assert listener.messages == []
    world.service.clock = lambda now=world.service.clock: now() + 61_000
    assert [message[2]["version"] for message in listener.wait(2)] == [1, 2]
    listener.stop()


def test_more_streams_than_there_is_room_for_are_sent_away(world, anna, bert):
    match = world.match(anna, bert)
    world.app.extensions["streams"] = threading.Semaphore(2)
    listeners = [Listener(world, anna, f"/matches/{match}/events") for _ in range(2)]
    refused = anna.get(f"/matches/{match}/events")
    assert refused.status_code == 503 and refused.headers["Retry-After"]
    for listener in listeners:
        listener.stop()
    Listener(world, anna, f"/matches/{match}/events").stop()


# -- between processes --------------------------------------------------------------------------------


def follow(url, token, heard, stop, last=""):
    """A client that comes back with the last id whenever its stream breaks."""
    while not stop.is_set():
        headers = {"Authorization": f"Bearer {token}", **({"Last-Event-ID": last} if last else {})}
        try:
            with requests.get(f"{url}?after=0", headers=headers, stream=True, timeout=5) as stream:
                message = ""
                for line in stream.iter_lines(chunk_size=1, decode_unicode=True):
                    if stop.is_set():
                        return
                    if line:
                        message += line + "\n"
                    else:
                        if found := parsed(message):
                            last = found[0]
                            heard.append((time.monotonic(), found[2]["version"]))
                        message = ""
        except requests.RequestException:
            time.sleep(0.05)


def test_streams_of_their_own_pool_hear_of_decisions_by_redis_and_survive_kill_9(tmp_path, redis_server):
    """40 clients on the streams pool, decisions through the API pool, the streams killed in between: each hears all, once, in order."""
    db = str(tmp_path / "chancery.db")
    match, tokens = two_players(db)
    api = Server(tmp_path, db, workers=1, redis=redis_server, role="api").start()
    streams = Server(tmp_path, db, workers=1, redis=redis_server, role="streams", streams=200).start()
    stop, clients = threading.Event(), []
    try:
        for _ in range(40):
            heard = []
            thread = threading.Thread(
                target=follow, args=(f"{streams.url}/api/v1/matches/{match}/events", tokens[1], heard, stop), daemon=True
            )
            thread.start()
            clients.append((thread, heard))
        arrived(clients, 1)
        times = []
        for version in range(1, 21):
            if version == 10:
                streams.kill()
                streams.start()
            times.append(one_decision(api.url, match, tokens[0]))
        arrived(clients, 21)
        refused = requests.get(
            f"{api.url}/api/v1/matches/{match}/events", headers={"Authorization": f"Bearer {tokens[0]}"}, timeout=5
        )
        assert refused.status_code == 503
    finally:
        stop.set()
        streams.stop()
        api.stop()
    for _, heard in clients:
        assert [version for _, version in heard] == list(range(1, 22))
    delays = sorted(heard[1][0] - times[0] for _, heard in clients)
    assert delays[-1] < 2.0, delays[-1]


def one_decision(url, match, token):
    """Red hides the coin, or takes it back, in turn; when it was acknowledged."""
    base, session = f"{url}/api/v1/matches/{match}", requests.Session()
    session.headers["Authorization"] = f"Bearer {token}"
    asked = session.get(f"{base}/questions", timeout=5).json()
    version = {"If-Match": str(asked["version"])}
    if any(ask["seat"] == "red" and ask["key"] == "hide" for ask in asked["items"]):
        done = session.post(f"{base}/decisions", json={"seat": "red", "key": "hide", "answer": "left"}, headers=version, timeout=5)
    else:
        done = session.post(f"{base}/undo", json={"seat": "red"}, headers=version, timeout=5)
    assert done.status_code == 201, done.text
    return time.monotonic()


def arrived(clients, count, seconds=20):
    until = time.monotonic() + seconds
    while time.monotonic() < until and any(len(heard) < count for _, heard in clients):
        time.sleep(0.02)


def test_redis_away_decisions_are_still_taken(tmp_path):
    """Live updates are a comfort: without Redis everything is stored and read as before."""
    db = str(tmp_path / "chancery.db")
    match, _ = two_players(db)
    service = settled(db)
    service.feed = RedisFeed("redis://127.0.0.1:1/0")
    host = service.register.load(match).host
    assert service.decide(host, match, "red", "hide", "left").version == 2
    service.store.close()
