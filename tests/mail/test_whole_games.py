"""Whole games over real SMTP on loopback, by players who know nothing but their own mails; then the same decisions through the API."""

from __future__ import annotations

import os
import time

import pytest

from domain.standing import Book
from service.database import Database
from service.mail.wishes import Wish
from service.settings import Settings
from service.wsgi import close, create_app
from tests.mail.conftest import Titles
from tests.mail.world import Player

SOAK = bool(os.environ.get("CHANCERY_SOAK"))
GAMES = 6 if SOAK else 1  # with two, three and four players
SECONDS = 1_200 if SOAK else 280

# What a player says once and for all, and which answers a player prefers: windows between the steps of a turn are mostly let go.
HABITS = {
    "column-of-fire": [
        "IF asked use character every time THEN pass",
        "IF asked use space every time THEN pass",
        "IF asked window every time THEN rest",
        "IF asked drop stone with protection every time THEN no",
    ]
}
CALM = {"column-of-fire": ["rest", "pass", " no", "end"]}
PLAYED = {
    "column-of-fire": {},
    "generalship": {},
    "pax-renaissance": {"open_hands": False},
}


@pytest.mark.parametrize("number", range(GAMES))
@pytest.mark.parametrize("title", PLAYED)
def test_a_whole_game_by_mail_ends_as_the_same_decisions_do_through_the_api(served, world, folder, title, number):
    names = ["ana", "ben", "cem", "dee"][: 2 + number % 3]
    for name in names:  # players who are programs look at no pictures; in the soak they get them all the same
        served.office.wishes.set_usual(served.person(name).id, Wish(form="picture" if SOAK else "text"))
    id = served.match(title, players=len(names), options=PLAYED[title])
    players = [Player(name, world, served.door.port, HABITS.get(title, ()), CALM.get(title, ())) for name in names]
    until = time.monotonic() + SECONDS
    while not all(player.over for player in players) and time.monotonic() < until:
        for player in players:
            player.check_mail()
        served.post.round()
    for player in players:
        player.close()
    assert all(player.over for player in players) and served.matches.register.load(id).state == "finished"
    assert not any(player.refused for player in players)  # every order of every mail was read

    log = served.matches.open_log(id)
    decisions = [event for event in log.raw() if event.kind in ("decided", "sealed")]
    assert len(decisions) > 40 and {event.cause.partition("#")[0] for event in decisions} == {"mail"}
    book = served.office.facts.load(Book, id)
    by_habit = sum(len(book.uses(served.seat(id, name), served.people[name].id)) for name in names)
    assert bool(by_habit) == (title in HABITS) and sum(player.orders for player in players) + by_habit == len(decisions)

    if SOAK:
        mails = served.database.read("SELECT count(*) FROM outbox")[0][0]
        orders = sum(player.orders for player in players)
        print(f"{title}, {len(names)} players: {len(decisions)} decisions, {orders} by mail, {by_habit} lodged, {mails} mails out")  # noqa: T201

    assert through_the_api(served, folder / f"{title}.db", id, decisions) == (log.whole_table().state(), "finished")


def through_the_api(town, path, id, decisions):
    """The final table, and the state of the match, when the same people decide the same by HTTP in another database."""
    app = create_app(Settings(db=str(path), secret="s" * 40, limit="off"), titles=Titles(), background=False)
    try:
        matches = app.extensions["chancery"]
        copy_up_to_the_start(town.database, Database(matches.store))
        holders = {seat: matches.register.load(id).holder(seat) for seat in {event.seat for event in decisions}}
        tokens = {seat: matches.accounts.issue(holder)[1] for seat, holder in holders.items()}
        client = app.test_client()
        for event in decisions:
            sent = {"seat": event.seat, "key": event.ask, "answer": event.answer}
            headers = {"Authorization": f"Bearer {tokens[event.seat]}", "If-Match": f'"{event.version - 1}"'}
            answer = client.post(f"/api/v1/matches/{id}/decisions", json=sent, headers=headers)
            assert answer.status_code == 201, answer.get_data(as_text=True)
        return matches.open_log(id).whole_table().state(), matches.register.load(id).state
    finally:
        close(app)


def copy_up_to_the_start(source, target):
    """The accounts and the match as it was before its first decision."""
    for table, columns in (("accounts", "id, name, folded, email, password, epoch, made"), ("facts", "match, version, body")):
        for row in source.read(f"SELECT {columns} FROM {table}"):
            if table != "facts" or not row[2].startswith('{"type":"finished"'):
                target.write((f"INSERT INTO {table} ({columns}) VALUES ({', '.join('?' for _ in row)})", row))
