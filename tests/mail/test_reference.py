"""The order reference is what the program makes, and what it shows can be done."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from domain import games, orders
from service.mail.letters import COMMANDS
from service.mail.reference import examples, offers, page
from tests.mail.conftest import options

PAGE = Path(__file__).resolve().parents[2] / "docs" / "orders.md"


@pytest.mark.parametrize("id", [title.id for title in games.all()])
def test_every_example_was_read_back_and_obeyed_in_a_game(id):
    """`examples` itself reads and carries out each line it gives; here, that there is one for most questions a title has words for."""
    title = games.get(id)
    found = examples(title)
    assert found and all(example.lines for example in found)
    known = {example.key for example in found}
    assert not title.prompts or len(known & set(title.prompts)) >= len(title.prompts) // 2
    assert all(orders.parse(line).seat == "" for example in found for line in example.lines)


@pytest.mark.skipif(not os.environ.get("CHANCERY_SOAK"), reason="the whole page is compared in the soak")
def test_the_page_is_the_one_that_is_made():
    assert PAGE.read_text() == page(games.all()), "make it anew: chancery mail reference > docs/orders.md"


def test_the_examples_on_the_page_are_orders_and_the_commands_are_all_there():
    text = PAGE.read_text()
    assert all(command in text for command in COMMANDS)
    assert all(f"## {title.name}" in text for title in games.all())


def test_the_commands_of_the_page_do_what_it_says(town):
    id = town.match()
    for line in (
        "HELP",
        "STATUS",
        "SHOW",
        "SHOW press",
        "SHOW standing",
        "SHOW treaties",
        "SHOW log",
        "CLEAR",
        "HOLD",
        "VOTE pause 3 days",
    ):
        assert town.write(id, "ana", line) == "taken"
        assert "1 understood" in town.to("ana")[-1]["Subject"], line
    for line in (
        "hide left\nDRAFT",
        "FINAL",
        "UNDO",
        "DISPUTE 2 it was dark",
        "PRESS to blue\nhello\nENDPRESS",
        "OFFER red promises blue: peace; blue promises red: gold",
        "ABSENT 3 days",
        "ABSENT back",
        "IF asked bid THEN bid 1 card-99",
    ):
        town.write(id, "ana", line)
        assert "refused" not in town.to("ana")[-1]["Subject"], line
    assert options(town.last("ana"))


@pytest.mark.parametrize(("title", "players"), [("column-of-fire", 4), ("generalship", 4), ("pax-renaissance", 4)])
def test_every_offer_on_the_page_can_be_made(town, title, players):
    id = town.match(title, players=players)
    for line in offers(games.get(title)):
        name = next(name for name in town.people if town.seat(id, name) == line.split()[1])
        assert line in PAGE.read_text() and town.write(id, name, line) == "taken"
        assert "1 understood" in town.to(name)[-1]["Subject"], line
