"""Every sentence the pages say has a German one, and so has the whole chronicle of A Column of Fire."""

from __future__ import annotations

import string
from pathlib import Path

import pytest
from babel.messages.extract import extract
from jinja2.ext import babel_extract

from domain.games import column_of_fire
from domain.games.column_of_fire.board import symbol
from domain.games.column_of_fire.data import CARDS, DICE, EVENTS, PACK, RELIGIONS, TILES, TRACK
from service import web
from service.web import text

PAGES = Path(web.__file__).parent
TITLE = column_of_fire.TITLE


def said_in(file):
    """The sentences a template or a module passes to `_`."""
    with file.open("rb") as source:
        if file.suffix == ".html":
            return {message for _, _, message, _ in babel_extract(source, ("_",), (), {}) if message}
        return {found[1] for found in extract("python", source, {"_": None}) if found[1]}


FILES = [*sorted(PAGES.rglob("*.html")), *sorted(PAGES.glob("*.py")), Path(column_of_fire.__file__).with_name("tell.py")]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
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
    ana.post("/appearance", {"language": "en", "theme": "dark", "next": "/"})
    page = ana.client.get(world.at(id), headers={"Accept-Language": "de"}).text
    assert '<html lang="en" data-theme="dark"' in page and "Chronicle" in page
