"""Every sentence of the pages, chronicles, prompts, tables and pictures has a German one."""

from __future__ import annotations

import re
import string
from functools import cache
from pathlib import Path
from random import Random

import pytest
from babel.messages.extract import extract
from jinja2.ext import babel_extract

from domain import games
from domain.bots import choose, random_legal
from domain.games import column_of_fire
from domain.games.column_of_fire.board import symbol
from domain.games.column_of_fire.data import CARDS, DICE, EVENTS, PACK, RELIGIONS, TILES, TRACK
from domain.log import Log, Match
from domain.orders import spoken
from domain.svg import speaking
from service import web
from service.store import MemoryStore
from service.web import text

PAGES = Path(web.__file__).parent
TITLE = column_of_fire.TITLE


def said_in(file):
    """The sentences a template or a module passes to `_`."""
    with file.open("rb") as source:
        if file.suffix == ".html":
            return {message for _, _, message, _ in babel_extract(source, ("_",), (), {}) if message}
        return {found[1] for found in extract("python", source, {"_": None}) if found[1]}


FILES = [*sorted(PAGES.rglob("*.html")), *sorted(PAGES.glob("*.py")), *sorted(Path(games.__file__).parent.glob("*/tell.py"))]


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_every_sentence_has_its_german(file):
    missing = sorted(said_in(file) - text.catalogue("de").keys())
    assert not missing


def test_the_sentences_are_found():
    """The test above would not notice an extractor that finds nothing."""
    assert len({sentence for file in FILES for sentence in said_in(file)}) > 350


def test_the_words_of_a_column_of_fire_are_german():
    words = {
        *TITLE.prompts.values(),
        *(key.replace("_", " ") for key in TITLE.prompts),
        *(option.help for option in TITLE.options.values()),
        *(word for card in CARDS.values() for word in (card.name, card.text)),
        *(word for event in EVENTS.values() for word in (event.name, event.text)),
        *(tile.text for tile in TILES.values()),
        *(symbol(space.effect) for space in TRACK),
        *(country.name for country in PACK.countries.values()),
        *(sale.good for country in PACK.countries.values() for sale in country.sales),
        *DICE,
        *RELIGIONS,
        *(
            word
            for section in TITLE.board(TITLE.lay(TITLE.seats(3)))
            for word in (section.name, *section.head)
            if not word.isdigit()
        ),
    }
    assert not sorted(words - text.catalogue("de").keys())
    for card in CARDS.values():
        assert text.catalogue("de")[card.name] == card.german


@pytest.mark.parametrize("title", [title.id for title in games.all()])
def test_what_a_title_asks_and_offers_is_german(title):
    found = games.get(title)
    asked = {*found.prompts.values(), *found.provisional, *(option.help for option in found.options.values())}
    assert not [said for said in sorted(asked) if text.known_phrase("de", said) is None]
    assert all(key in found.prompts for key in found.vocabulary if key in _asked(title)), "a question without a sentence"


def _asked(title):
    return {ask.key for _, ask, _ in _played(title)}


@cache
def _played(title):
    """A game by random bots: what was asked, and the log, moment by moment."""
    found, rng = games.get(title), Random(title)
    players = found.players[-1]
    match = Match(id=title, title=title, seed=title.encode().ljust(32, b"."))
    log = Log.create(MemoryStore(), found, match, seats=found.seats(players))
    moments = []
    while not log.run.over and len(moments) < 160:
        ask = choose(log.run, rng)
        moments.append((log.head, ask, log))
        log.decide(ask.seat, ask.key, random_legal(log.run, ask, rng), at=1_000)
    return moments


def said_by(title, german):
    """Everything a title says in its pictures, tables, scores, relations, questions and chronicle during a game."""
    found = games.get(title)

    def parts(answer):
        if isinstance(answer, str):
            german(spoken(found, answer))
        for part in answer if isinstance(answer, list) else ():
            parts(part)

    for number, (version, ask, log) in enumerate(_played(title)):
        for part in (ask.key, *ask.about, *ask.about.values()):
            parts(part)
        for answer in ask.all() if ask.count() <= 64 else ():
            parts(answer)
        for viewer in (ask.seat, "spectator") if number % 8 == 0 else ():
            view = log.table(viewer, version)
            with speaking(german):
                found.picture(view, frozenset())
            for section in found.board(view):
                cells = [cell for row in section.rows for cell in row]
                spans = [span.text for cell in cells if not isinstance(cell, str) for span in cell]
                for word in (section.name, *section.head, *spans, *(cell for cell in cells if isinstance(cell, str))):
                    german(word)
            for word in (word for score in found.score(view) for pair in score.facts.items() for word in pair):
                parts(word)
            for relation in found.diplomacy(view):
                german(relation.status)
                german(relation.note)
    for event in log.events("spectator"):
        found.tell(event, german)


@pytest.mark.parametrize("title", [title.id for title in games.all()])
def test_no_english_is_left_on_a_german_board(title, monkeypatch):
    """What nobody translated is a name, which begins with a capital, or an id with signs or digits in it."""
    left, known = set(), text.known_phrase

    def noted(language, said):
        found = known(language, said)
        if found is None and re.fullmatch(r"[a-z][a-z ]*", said):
            left.add(said)
        return found

    text._phrase.cache_clear()
    monkeypatch.setattr(text, "known_phrase", noted)
    heard = []
    said_by(title, lambda said: heard.append(said) or text._phrase("de", said))
    text._phrase.cache_clear()
    assert len(set(heard)) > 300
    assert not sorted(left)


@pytest.mark.parametrize(
    ("said", "german"),
    [
        ("3 light infantry (finished)", "3 leichte Infanterie (fertig)"),
        ("Vicomte de Turenne (1 land, 0 naval; extra basic)", "Vicomte de Turenne (1 Land, 0 See; Grundkarte mehr)"),
        ("march N08 AU-cap", "Marsch N08 AU-cap"),
        ("Holy Roman Empire–Hungary", "Heiliges Röm. Reich–Ungarn"),
        ("2 cubes of primus in the supply", "2 Bauern von Primus im Vorrat"),
    ],
)
def test_what_titles_put_together_is_taken_apart(said, german):
    assert text._phrase("de", said) == german


@pytest.mark.parametrize("language", sorted(text.LANGUAGES))
def test_a_translation_fills_the_same_gaps(language):
    """What a sentence leaves open for names and numbers, its translation leaves open too, and nothing else."""

    def gaps(sentence):
        return {name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None}

    for sentence, translation in text.catalogue(language).items():
        assert gaps(sentence) == gaps(translation), sentence


def test_a_german_reads_german_pages(world, ana, ben):
    id = world.match(ana, ben, decisions=30)
    page = ana.client.get(world.at(id), headers={"Accept-Language": "de-AT,de;q=0.9"}).text
    assert '<html lang="de"' in page and "Chronik" in page and ">Rot</b>" in page and "Handelshaus" in page
    ana.post("/appearance", {"language": "en", "theme": "dark", "calm": "yes", "next": "/"})
    page = ana.client.get(world.at(id), headers={"Accept-Language": "de"}).text
    assert '<html lang="en" data-theme="dark" data-calm>' in page and "Chronicle" in page
