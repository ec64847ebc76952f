"""Real titles by mail in two worlds that differ only in what a seat cannot know: that seat's mails are the same, byte for byte.

Every decision is written as an order and mailed. In one of the two worlds the others decide at once, in the other by standing orders
that they lodged: that is nobody's business either. Also the moments of the mails, and the pages, are the same.
"""

from __future__ import annotations

import itertools
import os
import re
import secrets
import time
from random import Random

import pytest

from domain import orders, worlds
from domain.bots import random_legal
from domain.contract import play
from domain.kernel.chance import Recorded
from service.mail.situation import situation
from service.store import MemoryStore
from service.wsgi import close, create_app
from tests.contract import proof
from tests.mail.conftest import Titles, Town, masked
from tests.projections.test_secrets import other_world

SOAK = bool(os.environ.get("CHANCERY_SOAK"))
PAIRS = int(os.environ.get("MAIL_PAIRS", 40 if SOAK else 2))  # of each title
WINDOWS = 40 if SOAK else 2
MOST = 14  # decisions by mail after the worlds part
OPTIONS = {"pax-renaissance": {"open_hands": False}}
WINDOW = "veto"
NAMES = ("ana", "ben", "cem", "dee")
PAGES = ("m/{id}/", *(f"m/{{id}}/{{id}}{page}" for page in ("", "/scores", "/diplomacy", "/timeline", "/lines", "/disputes")))
DOCUMENTS = tuple(f"api/v1/matches/{{id}}/{part}" for part in ("questions", "log", "table"))


class Heard:
    """What a seat got of a world: its mails without what is random by design, their moments, and its pages."""

    def __init__(self, town, name, pages):
        self.mails = [masked(mail) for mail in town.to(name)]
        rows = town.database.read(
            "SELECT kind, made, due, sent, tries FROM outbox WHERE recipient = ? ORDER BY number", f"{name}@home.example"
        )
        self.moments, self.pages = rows, pages


@pytest.fixture
def by_mail(folder):
    """Play a recorded world by mail and give what its viewer heard."""
    count = itertools.count()

    def go(game, groups, viewer, start, habits=(), pages=False, lodged=False):
        ids, luck = itertools.count(1), Recorded([outcome for item in groups[0] for outcome in item.chance])
        patch = pytest.MonkeyPatch()
        patch.setattr(secrets, "token_hex", lambda n=32: f"{next(ids):0{2 * n}x}"[: 2 * n])
        patch.setattr(secrets, "token_bytes", lambda n=32: b"." * n)
        patch.setattr("service.matches.new_id", lambda n=10: f"{next(ids):0{n}}")
        patch.setattr("domain.log.Fair", lambda *_: luck)
        town = Town(folder, f"world-{next(count)}")
        try:
            seats = game.schema.seats
            id = town.match(game.title.id, players=len(seats), options=game.schema.options)
            names = {town.seat(id, name): name for name in NAMES[: len(seats)]}
            town.wish(id, names[viewer], mode="instant")
            for seat in seats:
                if habits and seat != viewer:
                    town.write(id, names[seat], "\n".join(habits))
            told = 1
            for unit in units(groups):
                told += len(unit)
                if told > start:
                    town.post.round()
                luck.left = [outcome for group in unit for item in group for outcome in item.chance]
                for group in unit:
                    decide(town, id, names, group[0], by_mail=told > start, lodged=lodged and group[0].seat != viewer)
                assert not luck.left
                town.later(minutes=1)
            played = game.title.lay(seats, game.schema.options)
            played.fold(op for group in groups for item in group for op in item.ops)
            assert town.matches.open_log(id).whole_table().state() == played.state(), "the mails did not play this world"
            town.write(id, names[viewer], "STATUS\nSHOW\nSHOW log\nSHOW standing")
            return Heard(town, names[viewer], looked_at(town, id, names[viewer]) if pages else [])
        finally:
            town.close()
            patch.undo()

    return go


def units(groups):
    """The decisions of a world; a window is one with what opened it, since standing orders answer it in an order of their own."""
    found = []
    for group in groups[1:]:
        if group[0].ask == WINDOW and found:
            found[-1].append(group)
        else:
            found.append([group])
    return found


def decide(town, id, names, event, *, by_mail, lodged):
    """Write the order of a decision, or lodge it; what is before the worlds part is decided without mails."""
    match = town.matches.register.load(id)
    if event.ask == WINDOW and WINDOW not in [ask.key for ask in situation(town.matches, match).must(event.seat)]:
        return  # a standing order was first
    if not by_mail:
        town.matches.decide(match.holder(event.seat), id, event.seat, event.ask, event.answer, via="mail")
        return
    now = situation(town.matches, match)
    order = orders.say(now.title, now.run.question(event.seat, event.ask), event.answer)
    name = orders.spoken(now.title, event.ask)
    must = any(ask.key == event.ask for ask in now.must(event.seat))
    words = f"IF asked {name} THEN {order}" if lodged and must and now.title.prompts else order
    town.write(id, names[event.seat], words, answers=town.to(names[event.seat])[-1] if must else None)


def looked_at(town, id, name):
    """Every page of the match as somebody sees it, without form tokens and links."""
    app = create_app(town.settings, titles=Titles())
    try:
        until = time.monotonic() + 60
        while app.extensions["chancery"].views.status()["behind"] and time.monotonic() < until:
            time.sleep(0.02)
        token = app.extensions["chancery"].accounts.issue(town.people[name].id)[1]
        client, seen = app.test_client(), []
        for page in (*PAGES, *DOCUMENTS):
            answer = client.get("/" + page.format(id=id), headers={"Authorization": f"Bearer {token}"}, follow_redirects=True)
            assert answer.status_code == 200, page
            seen.append(re.sub(r'value="[\w-]{20,}"|[0-9a-f]{64}', "*", answer.get_data(as_text=True)))
        return seen
    finally:
        close(app)


def pairs(title, game, wanted, monkeypatch, chosen=lambda swap: True):
    """Worlds that differ for somebody else than their viewer, among the players: the groups of both."""
    rng, found = Random(title), 0
    for _ in range(60 * wanted):
        swap = worlds.some_swap(game, rng)
        if swap is None or swap.viewer not in game.schema.seats or not chosen(swap):
            continue
        there = other_world(game, swap, monkeypatch)[: swap.start + MOST]
        while len(there) < len(game.groups) and game.groups[len(there)][0].ask == WINDOW:
            there.pop()  # not in the middle of a window
        here = game.groups[: len(there)]
        if len(there) <= swap.start or here == there:
            continue
        yield swap, here, there
        found += 1
        if found == wanted:
            return


@pytest.mark.parametrize("title", ["column-of-fire", "generalship", "pax-renaissance"])
def test_S9_what_a_seat_cannot_know_changes_no_byte_of_its_mails(title, by_mail, monkeypatch):
    compared = 0
    for number in range(1 + (PAIRS - 1) // 10):
        found = Titles().get(title)
        options = {**found.settle(), **OPTIONS.get(title, {})}
        game = play(found, MemoryStore(), f"mail {number}", players=2 + number % 3, options=options, most=150)
        for swap, here, there in pairs(title, game, min(PAIRS, 10), monkeypatch):
            one = by_mail(game, here, swap.viewer, swap.start)
            other = by_mail(game, there, swap.viewer, swap.start, lodged=True)
            assert len(one.mails) >= 2 and one.mails == other.mails, f"{swap.viewer} can tell {swap.one} from {swap.other} by mail"
            assert one.moments == other.moments
            compared += 1
    assert compared >= PAIRS


def calm(run, ask, rng):
    """Nobody vetoes: what most do in most windows."""
    return [] if ask.key == WINDOW else random_legal(run, ask, rng)


HABITS = ["IF asked veto every time until my hand changes THEN veto nothing"]


def test_S9_who_held_the_card_in_a_reaction_window_is_told_by_no_mail_no_moment_and_no_page(by_mail, monkeypatch):
    """Who could veto holds a letter, and is asked; who does by a standing order, lodged whether the card was there or not."""
    compared, windows = 0, 0
    for number in range(75 * WINDOWS):
        game = play(proof.TITLE, MemoryStore(), f"window {number}", players=3, policy=calm, most=60)
        if not any(group[0].ask == WINDOW for group in game.groups):
            continue

        def a_veto_is_held(swap):
            """One of the two is a veto, the other is none."""
            return (proof.kind(swap.one) == "veto") != (proof.kind(swap.other) == "veto")

        for swap, here, there in pairs("small-court", game, 1, monkeypatch, a_veto_is_held):
            asked = [group[0].seat for group in here[swap.start :] if group[0].ask == WINDOW]
            if not any(seat != swap.viewer for seat in asked):
                continue
            one, other = (by_mail(game, groups, swap.viewer, swap.start, HABITS, pages=True) for groups in (here, there))
            assert one.mails == other.mails and one.moments == other.moments and one.pages == other.pages
            compared, windows = compared + 1, windows + len(asked)
        if compared >= WINDOWS:
            break
    assert compared >= WINDOWS and windows >= WINDOWS
