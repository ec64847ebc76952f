"""How things look in the terminal: boards, scores, questions and sentences in the seats' colours."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console, Group
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from domain.kernel.event import ADVANCED, CREATED, QUESTION, RULED, UNDONE, Event, Rolled
from domain.kernel.schema import HIDDEN
from domain.kernel.table import Table
from domain.kernel.title import Cell, Section, Title

screen = Console(highlight=False)
errors = Console(stderr=True, highlight=False)

SEAT_STYLES = {
    "red": "bright_red",
    "yellow": "yellow",
    "green": "green",
    "blue": "bright_blue",
    "white": "white",
    "black": "grey62",
    "purple": "magenta",
}
SPARE_STYLES = ("bright_red", "bright_blue", "green", "yellow", "magenta", "cyan")


def complain(sentence: str) -> None:
    errors.print(Text(f"chancery: {sentence}", style="red"))


def style(seat: str, seats: Sequence[str] = ()) -> str:
    if seat in SEAT_STYLES:
        return SEAT_STYLES[seat]
    return SPARE_STYLES[list(seats).index(seat) % len(SPARE_STYLES)] if seat in seats else ""


def cell(content: Cell, seats: Sequence[str]) -> Text:
    if isinstance(content, str):
        return coloured(content, seats)
    return Text.assemble(*((span.text, style(span.seat, seats)) for span in content))


def coloured(sentence: str, seats: Sequence[str]) -> Text:
    """A sentence with the seats' names in their colours."""
    text = Text(sentence)
    for seat in seats:
        text.highlight_regex(rf"(?i)\b{re.escape(seat)}\b", style(seat, seats))
    return text


def section(part: Section, seats: Sequence[str]) -> Grid:
    grid = Grid(
        title=part.name, title_justify="left", title_style="bold", show_edge=False, pad_edge=False, box=None, padding=(0, 2, 0, 0)
    )
    for head in part.head:
        grid.add_column(head, header_style="dim")
    for row in part.rows:
        grid.add_row(*(cell(content, seats) for content in row))
    return grid


def scoreboard(title: Title, table: Table) -> Grid:
    """The seats by points, with what the title wants shown beside them."""
    grid = Grid(
        title="Scoreboard",
        title_justify="left",
        title_style="bold",
        show_edge=False,
        pad_edge=False,
        box=None,
        padding=(0, 2, 0, 0),
    )
    grid.add_column("seat", header_style="dim")
    grid.add_column("points", header_style="dim", justify="right")
    grid.add_column("", overflow="fold")
    for score in sorted(title.score(table), key=lambda score: -score.points):
        facts = Text(" · ").join(
            Text.assemble((f"{name} ", "dim"), str(value)) for name, value in score.facts.items() if value not in ("", None)
        )
        grid.add_row(Text(score.seat, style=style(score.seat, table.seats)), Text(str(score.points), style="bold"), facts)
    return grid


def whole(title: Title, table: Table) -> Group:
    """Board and scoreboard."""
    parts: list[Any] = []
    for part in title.board(table):
        parts += [section(part, table.seats), Text("")]
    return Group(*parts, scoreboard(title, table))


def sentences(title: Title, event: Event) -> list[str]:
    """What an event says, in the title's words; in the kernel's where the title has none."""
    if event.kind == CREATED:
        return [f"The game is set up: {title.name}."]
    if event.kind == UNDONE:
        return [f"{event.seat} takes back everything after version {event.answer}."]
    if event.kind == RULED:
        upgrade = f"From here on the rules {event.answer.get('rules')} apply."
        return [f"Ruling: {event.answer['text']}" if "text" in event.answer else upgrade]
    told = list(title.tell(event, lambda template: template))
    if told:
        return told
    if event.kind == ADVANCED:
        return []
    answer = "keeps the answer secret" if event.answer == HIDDEN else words(event.answer)
    rolled = [f"{outcome.key} {outcome.values}" for outcome in event.chance if type(outcome) is Rolled]
    return [f"{event.seat}: {event.ask} {answer}" + (f" ({', '.join(rolled)})" if rolled else "")]


def cites(event: Event) -> list[str]:
    """The rules an event rests on, in order, each once."""
    return list(dict.fromkeys(cite.rule for cite in event.cites if cite.rule and cite.op >= QUESTION))


def words(answer: Any) -> str:
    """An answer as a person would say it."""
    if answer is None:
        return "pass"
    if isinstance(answer, bool):
        return "yes" if answer else "no"
    if isinstance(answer, list):
        if answer and all(isinstance(pair, list) and len(pair) == 2 and isinstance(pair[1], int) for pair in answer):
            return ", ".join(f"{n} x {item}" if n > 1 else str(item) for item, n in answer)
        return " ".join(words(part) for part in answer) if answer else "nothing"
    return str(answer)


def asked(questions: Iterable[dict[str, Any]], seats: Sequence[str]) -> Panel:
    """Who is waited for and what the viewer may answer."""
    lines: list[Text] = []
    for question in questions:
        line = Text.assemble((question["seat"], style(question["seat"], seats)), f" · {question['key'].replace('_', ' ')}")
        if "cite" in question:
            line.append(f"  ({question['cite']})" + ("" if question["must"] else "  may, at any time"), style="dim")
            choice = question["choice"]
            if choice["type"] == "one_of":
                shown = [words(option) for option in choice["options"][:12]]
                more = len(choice["options"]) - len(shown)
                line.append(": " + " | ".join(shown) + (f" | ... {more} more" if more > 0 else ""))
        lines.append(line)
    return Panel(Group(*lines) if lines else Text("The game is over."), title="Waiting for", title_align="left", border_style="dim")
