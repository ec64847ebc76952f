"""The order reference: every question of a title with orders that answer it, taken from games played out here and now."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from domain import clauses, orders
from domain.bots import choose, guess
from domain.kernel.run import Run
from domain.kernel.title import Title
from service.mail.letters import COMMANDS, HELP

GAMES = 12
MOST_DECISIONS = 500
SHOWN = 3


class Example(NamedTuple):
    """A question as it came up in a game, and orders that answer it."""

    key: str
    cite: str
    prompt: str
    lines: list[str]


def examples(title: Title) -> list[Example]:
    """Every question that comes up in a few games, with the orders that were read back and obeyed there."""
    found: dict[str, Example] = {}
    for number in range(GAMES):
        rng = Random(f"{title.id} {number}")
        seats = title.seats(title.players[number % len(title.players)])
        run = Run(title, title.lay(seats, title.sample_options(rng) if number % 2 else None), guess(rng))
        for _ in range(MOST_DECISIONS):
            if run.over:
                break
            ask = choose(run, rng)
            some = [ask.sample(rng) for _ in range(SHOWN * 2)]
            if ask.key not in found:
                lines = list(dict.fromkeys(orders.say(title, ask, answer) for answer in some))[:SHOWN]
                for line in lines:
                    run.fork(guess(rng)).answer(ask.seat, ask.key, orders.read(title, [ask], line).answer)
                prompt = title.prompts.get(ask.key) or f"{ask.key.replace('_', ' ').capitalize()}."
                found[ask.key] = Example(ask.key, ask.cite, prompt, lines)
            run.answer(ask.seat, ask.key, some[0])
    return sorted(found.values())


def section(title: Title) -> str:
    """A title's chapter of the reference."""
    parts = [f"## {title.name}", f"`chancery mail reference {title.id}`"]
    for example in examples(title):
        lines = "\n".join(f"    {line}" for line in example.lines)
        parts.append(f"**{orders.spoken(title, example.key)}** ({example.cite}): {example.prompt}\n\n{lines}")
    lines = "\n".join(f"    {line}" for line in offers(title))
    parts.append(f"**Treaties**: an offer is made of one or more of these, divided by semicolons.\n\n{lines}")
    return "\n\n".join(parts) + "\n"


def offers(title: Title) -> list[str]:
    """An offer of each kind of clause, read back from what it says."""
    rng, seats = Random(title.id), title.seats(title.players[-1])
    table = Run(title, title.lay(seats), guess(rng)).table
    found = clauses.samples(title, table, seats, rng)
    said = [clauses.say(title, clause) for clause in found]
    assert [clauses.read_clause(title, table, seats, line) for line in said] == found
    return [f"OFFER {line}" for line in said]


def page(titles: list[Title]) -> str:
    """The whole page, docs/orders.md."""
    rules = "\n".join(f"- {sentence}" for sentence in HELP)
    commands = "\n".join(f"    {line}" for line in COMMANDS)
    return (
        "# Orders by mail\n\n"
        "This page is made by `chancery mail reference`. Its examples come from games that were played while it was made: each was\n"
        "written as an order, read back and obeyed.\n\n"
        "## For every game\n\n"
        f"{rules}\n\n"
        "Case, accents and the ends of words may be left out as long as what is meant stays clear; what follows a # is a remark; your\n"
        "seat and a colon may stand in front (`red: pass`). An order that can be read in two ways does nothing and lists both, unless\n"
        "the house rules of the match are lenient.\n\n"
        f"{commands}\n\n" + "\n".join(section(title) for title in titles)
    )
