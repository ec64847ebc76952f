"""Commands that read: matches, show, log, replay, lines, compare."""

from __future__ import annotations

import sys
import termios
import tty
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Protocol

import msgspec
import typer
from rich.console import Group
from rich.table import Table as Grid
from rich.text import Text
from rich.tree import Tree

from domain import games
from domain.fuzz import Dump
from domain.kernel import redact
from domain.kernel.errors import NotFound
from domain.kernel.event import UNDONE, Event
from domain.kernel.schema import ARBITER
from domain.kernel.table import Table
from domain.kernel.title import Title
from domain.log import Log
from domain.whatif import differences
from service.cli import app
from service.cli.console import asked, cites, coloured, errors, scoreboard, screen, sentences, style, whole, words
from service.cli.desk import open_log, store, viewer

As = Annotated[str | None, typer.Option("--as", metavar="SEAT", help="Look through a seat's eyes; `spectator` for the public.")]
At = Annotated[int | None, typer.Option("--at", metavar="V", help="The version; the newest by default.")]


@app.command()
def matches() -> None:
    """The matches in this database."""
    kept = store()
    found = kept.matches()
    if not found:
        screen.print("No matches yet. Make one with: chancery new column-of-fire --bots greedy --play")
    for match in found:
        made = datetime.fromtimestamp(match.made / 1000, UTC).strftime("%Y-%m-%d %H:%M")
        screen.print(Text.assemble((match.id, "bold"), f"  {match.title}  {made} UTC  version {kept.head(match.id)}"))


@app.command()
def show(match: str, at: At = None, seat: As = None) -> None:
    """The board, the scoreboard and the open questions, at any version, as any seat sees them."""
    log = open_log(store(), match)
    who = viewer(log, seat)
    version = at or log.head
    table = log.table(who, version)
    screen.print(Text(f"{log.title.name} · {log.line.id} · version {version} · as {who}", style="dim"))
    screen.print(whole(log.title, table))
    try:
        screen.print(asked(log.questions(who, version), log.schema.seats))
    except NotFound as between:
        screen.print(Text(str(between), style="dim"))
    if log.title.provisional:
        screen.print(Text("Provisional data: " + "; ".join(log.title.provisional), style="dim italic"))


@app.command("log")
def log_(
    match: str,
    after: Annotated[int, typer.Option(help="Only later versions.")] = 0,
    seat: As = None,
    why: Annotated[bool, typer.Option("--why", help="With the rules each event rests on.")] = False,
) -> None:
    """The log as sentences."""
    log = open_log(store(), match)
    who = viewer(log, seat)
    undone = _undone(log.raw())
    for event in log.events(who, after):
        for sentence in sentences(log.title, event):
            text = Text(f"{event.version:>5}  ", style="dim")
            text.append_text(coloured(sentence, log.schema.seats))
            if event.version in undone:
                text.stylize("strike dim")
            if why:
                text.append("  " + " ".join(cites(event)), style="dim")
            screen.print(text)


def _undone(events: list[Event]) -> set[int]:
    """The versions that were taken back later."""
    return {version for event in events if event.kind == UNDONE for version in range(event.answer + 1, event.version)}


@app.command()
def lines(match: str) -> None:
    """The lines of a match: its main line and every branch."""
    kept = store()
    found = kept.lines(open_log(kept, match).match.id)
    main = next(line for line in found if not line.parent)
    tree = Tree(Text.assemble((main.id, "bold"), f"  main, version {kept.head(main.id)}"))
    nodes = {main.id: tree}
    waiting = [line for line in found if line.parent]
    while waiting:
        for line in [line for line in waiting if line.parent in nodes]:
            label = f"  from version {line.at}, now {max(kept.head(line.id), line.at)}" + (
                f" · {line.reason}" if line.reason else ""
            )
            nodes[line.id] = nodes[line.parent].add(Text.assemble((line.id, "bold"), label))
            waiting.remove(line)
    screen.print(tree)


@app.command()
def compare(
    left: Annotated[str, typer.Argument(metavar="LINE[@V]")],
    right: Annotated[str, typer.Argument(metavar="LINE[@V]")],
    seat: As = None,
) -> None:
    """What differs between two lines or versions."""
    kept = store()
    (a, a_at), (b, b_at) = (
        (open_log(kept, name), int(at) if at.isdigit() else None) for name, _, at in (x.partition("@") for x in (left, right))
    )
    if a.match.title != b.match.title:
        raise NotFound(f"{left} and {right} are different games: {a.match.title} and {b.match.title}")
    who = viewer(a, seat)
    first, second = a.table(who, a_at), b.table(who, b_at)
    grid = Grid(title=f"{left} against {right}", title_justify="left", title_style="bold", box=None, padding=(0, 2, 0, 0))
    for head in ("where", "what", left, right):
        grid.add_column(head, header_style="dim")
    found = differences(first, second)
    for one in found:
        grid.add_row(coloured(one.where, a.schema.seats), one.what, words(one.left), words(one.right))
    screen.print(grid if found else "The two tables are the same.")
    for name, log, table in ((left, a, first), (right, b, second)):
        screen.print(Text(f"\n{name}", style="bold"))
        screen.print(scoreboard(log.title, table))


# -- replay ------------------------------------------------------------------------------------------


class Film(Protocol):
    """Something that can be stepped through."""

    title: Title
    seats: tuple[str, ...]
    versions: list[int]

    def frame(self, index: int) -> tuple[Event, Table]: ...


class LogFilm:
    def __init__(self, log: Log, who: str) -> None:
        self.title, self.seats, self._log, self._who = log.title, log.schema.seats, log, who
        self._events = log.events(who)
        self.versions = [event.version for event in self._events]

    def frame(self, index: int) -> tuple[Event, Table]:
        return self._events[index], self._log.table(self._who, self.versions[index])


class DumpFilm:
    """A game that a fuzz campaign left behind."""

    def __init__(self, dump: Dump, who: str) -> None:
        self.title, self.dump, self._who = games.get(dump.title), dump, who
        self.seats = tuple(dump.seats)
        self.versions = [event.version for event in dump.events]

    def frame(self, index: int) -> tuple[Event, Table]:
        table = self.title.lay(self.dump.seats, self.dump.options)
        for event in self.dump.events[: index + 1]:
            table.fold(event.ops)
        return redact.event(table.schema, self.dump.events[index], self._who), redact.table(table, self._who)


@app.command()
def replay(
    match: Annotated[str, typer.Argument(help="A match, a line, or a dump file of `chancery fuzz`.")],
    at: At = None,
    seat: As = None,
) -> None:
    """Step through a game with the arrow keys (piped: every version in turn)."""
    film: Film
    if Path(match).is_file():
        try:
            dump = msgspec.json.decode(Path(match).read_bytes(), type=Dump)
        except msgspec.MsgspecError as wrong:
            raise NotFound(f"{match} is not a dump of a game: {wrong}") from None
        film = DumpFilm(dump, seat or ARBITER)
        errors.print(Text(f"{dump.failure or 'a whole game'}: {dump.detail.strip()}\nlast attempt: {dump.attempt}", style="yellow"))
    else:
        log = open_log(store(), match)
        film = LogFilm(log, viewer(log, seat))
    if at is not None and at not in film.versions:
        raise NotFound(f"there is no version {at}: {match} has versions {film.versions[0]} to {film.versions[-1]}")
    index = film.versions.index(at) if at is not None else 0
    if not (sys.stdin.isatty() and screen.is_terminal):
        for later in range(index, len(film.versions)):
            event, _ = film.frame(later)
            for sentence in sentences(film.title, event):
                screen.print(coloured(f"{event.version:>5}  {sentence}", film.seats))
        screen.print(scoreboard(film.title, film.frame(len(film.versions) - 1)[1]))
        return
    with screen.screen() as page:
        while True:
            event, table = film.frame(index)
            page.update(_frame(film, index, event, table))
            key = _key()
            last = len(film.versions) - 1
            if key in ("q", "\x1b", "\x03"):
                return
            index = {
                "right": min(index + 1, last),
                "left": max(index - 1, 0),
                "down": min(index + 10, last),
                "up": max(index - 10, 0),
                "home": 0,
                "end": last,
            }.get(key, index)


def _frame(film: Film, index: int, event: Event, table: Table) -> Group:
    told = [Text(sentence, style=style(event.seat, film.seats)) for sentence in sentences(film.title, event)]
    where = Text(f"{film.title.name} · {event.version} of {film.versions[-1]} · rules {' '.join(cites(event)) or '-'}", style="dim")
    keys = Text("←/→ step · ↑/↓ ten · Home/End · q quit", style="dim")
    return Group(where, *told, Text(""), whole(film.title, table), Text(""), keys)


ARROWS = {"[C": "right", "[D": "left", "[A": "up", "[B": "down", "[H": "home", "[F": "end", "OH": "home", "OF": "end"}
LETTERS = {"l": "right", "h": "left", "j": "right", "k": "left", " ": "right", "0": "home", "$": "end", "G": "end", "g": "home"}


def _key() -> str:
    """One key press; arrows by name."""
    fd = sys.stdin.fileno()
    before = termios.tcgetattr(fd)
    try:
        tty.setcbreak(fd)
        first = sys.stdin.read(1)
        if first == "\x1b":
            return ARROWS.get(sys.stdin.read(2), "")
        return LETTERS.get(first, first)
    finally:
        termios.tcsetattr(fd, termios.TCSADRAIN, before)
