"""The board in the mails: as a picture of what its reader sees, and not where they want none."""

from __future__ import annotations

import email
import email.policy
import re

import pytest

from domain import games
from service.mail import picture
from tests.mail.conftest import options, text

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def parts(mail):
    return [part.get_content_type() for part in mail.walk()]


@pytest.mark.parametrize("title", [title.id for title in games.all()])
def test_a_mail_shows_the_board_as_its_reader_sees_it(town, title):
    id = town.match(title)
    mail = town.to("ben")[-1]
    assert parts(mail) == ["multipart/alternative", "text/plain", "multipart/related", "text/html", "image/png"]
    html = mail.get_body(("html",)).get_content()
    drawn = next(part for part in mail.walk() if part.get_content_type() == "image/png")
    assert '<img src="cid:board"' in html and drawn["Content-ID"] == "<board>" and drawn.get_content_disposition() == "inline"
    look = town.matches.look(town.people["ben"].id, id, town.seat(id, "ben"), note=False)
    assert drawn.get_content() == picture.png(look.title, look.table()) and drawn.get_content().startswith(SIGNATURE)
    assert len(mail.raw) < 400_000 and "board" not in text(mail).split("HOW TO PLAY")[0].lower().replace("board game", "")


@pytest.mark.parametrize(("wanted", "found"), [
    ({"secrets": False}, ["multipart/alternative", "text/plain", "text/html"]),
    ({"form": "html"}, ["multipart/alternative", "text/plain", "text/html"]),
    ({"form": "text"}, ["text/plain"]),
])  # fmt: skip
def test_who_wants_no_picture_or_no_secrets_or_text_alone_gets_it_so(town, wanted, found):
    id = town.match("column-of-fire")
    for name in ("ana", "ben"):
        town.wish(id, name, **wanted)
    asked = next(name for name in ("ana", "ben") if options(text(town.to(name)[0])))
    town.wish(id, asked, mode="instant", **wanted)
    while len(town.to("ana")) < 3 or len(town.to("ben")) < 3:
        for name in ("ana", "ben"):
            offered = options(text([mail for mail in town.to(name) if mail.get_body(("plain",))][-1]))
            if not offered:
                now = town.matches.look(town.people[name].id, id, town.seat(id, name), note=False).questions()
                mine = [one for one in now if one.get("answers")]
                offered = [f"{mine[0]['key'].replace('_', ' ')} {_said(mine[0]['answers'][0])}"] if mine else []
            if offered:
                town.write(id, name, offered[0])
    for name in ("ana", "ben"):
        assert {tuple(parts(mail)) for mail in town.to(name)[1:]} == {tuple(found)}


def _said(answer):
    return " ".join(map(str, answer)) if isinstance(answer, list) else str(answer)


def test_a_mail_that_went_out_leaves_no_picture_in_the_database(town):
    town.match("column-of-fire")
    for row in town.database.read("SELECT mail FROM outbox WHERE sent > 0"):
        kept = email.message_from_bytes(row[0].encode(), policy=email.policy.default)
        assert parts(kept)[-1] == "image/png" and len(row[0]) < 30_000 and "ORDERS" in text(kept)


def test_every_colour_and_font_of_the_boards_is_spelt_out():
    sheet = picture.style()
    assert not re.search(r"var\(|color-mix|@media|data-theme|: inherit", sheet)
    assert ".board text { fill: #20242c; }" in sheet and ".house.seat-3" in sheet


def test_without_fonts_there_is_no_picture_but_a_mail(town, monkeypatch):
    monkeypatch.setattr(picture, "can_write", lambda: False)
    town.match("column-of-fire")
    assert all("image/png" not in parts(mail) for mail in town.sent) and len(town.sent) == 2
