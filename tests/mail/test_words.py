"""Mails in the reader's own words: their language, their hours, names for what has numbers."""

from __future__ import annotations

import re
from pathlib import Path

from domain.deadlines import HouseRules, Vector
from service.mail import letters
from service.mail.wishes import Wish
from service.web.text import catalogue
from tests.mail.conftest import options


def test_whoever_reads_german_gets_german_mails_and_writes_the_same_orders(town):
    for name in ("ana", "ben"):
        town.office.wishes.set_usual(town.person(name).id, Wish(language="de" if name == "ana" else "en", zone="Europe/Berlin"))
    id = town.match("column-of-fire", rules=HouseRules({"": Vector(next=48 * 60, grace=24 * 60)}, late="regent"))
    started = town.last("ana")
    assert "du spielst red in A Column of Fire." in started and "BISHER" in started and "WIE MAN MIT MAILS SPIELT" in started
    assert "you play yellow" in town.last("ben") and "HOW TO PLAY BY MAIL" in town.last("ben")
    assert "Deine Antwort ist fällig" not in started or "Mi., 3. März 2027, 13:00 CET (12:00 UTC)" in " ".join(started.split())
    asked = next(name for name in ("ana", "ben") if options(town.last(name)))
    while asked != "ana":
        town.write(id, asked, options(town.last(asked))[0])
        asked = next(name for name in ("ana", "ben") if "GEFRAGT" in town.last(name) or "ASKED" in town.last(name))
    assert "DU BIST GEFRAGT" in town.last("ana") and "Regel CF-" in " ".join(town.last("ana").split())
    town.write(id, "ana", options(town.last("ana"))[0])
    assert town.to("ana")[-1]["Subject"].startswith("[") and "Quittung: 1 verstanden" in str(town.to("ana")[-1]["Subject"])
    assert "QUITTUNG" in town.last("ana") and "ausgeführt, Version" in town.last("ana")
    html = town.to("ana")[-1].get_body(("html",)).get_content()
    assert '<html lang="de">' in html


def test_every_sentence_of_the_mails_has_its_german():
    said = set()
    for module in ("letters", "receipts", "paper"):
        said |= set(re.findall(r'_\("([^"]+)"\)', (Path(letters.__file__).parent / f"{module}.py").read_text()))
    said |= {*letters.HELP, *letters.LATE.values()}
    assert len(said) > 50 and not sorted(said - set(catalogue("de")))


def test_what_is_called_by_a_number_has_its_name_behind_it(town):
    id = town.match("generalship")
    for _ in range(30):
        tiles = [line for name in ("ana", "ben") for line in options(town.last(name)) if line.startswith("tile")]
        if tiles:
            break
        name = next(name for name in ("ana", "ben") if "YOU ARE ASKED" in town.last(name))
        town.write(id, name, options(town.last(name))[0], answers=town.to(name)[-1])
    assert "tile AT1 # economy" in tiles
    name = next(name for name in ("ana", "ben") if tiles[0] in options(town.last(name)))
    town.write(id, name, tiles[0], answers=town.to(name)[-1])
    assert "1 understood" in town.to(name)[-1]["Subject"]
