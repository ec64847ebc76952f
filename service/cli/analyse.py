"""Commands for the analyst: whatif, rollout, sweep, swings, luck."""

from __future__ import annotations

import json
import secrets
from pathlib import Path
from random import Random
from typing import Annotated, Any

import typer
from rich.table import Table as Grid
from rich.text import Text

from domain.kernel.errors import Refused
from domain.log import Log
from domain.luck import sheet
from domain.rollout import Estimate, start_at
from domain.whatif import FRESH, SAME, change_chance, change_decision
from service import analysis
from service.cli import app
from service.cli.check import progress_bar
from service.cli.console import coloured, screen, style, words
from service.cli.desk import new_id, now, open_log, store, viewer

At = Annotated[int | None, typer.Option("--at", metavar="V", help="The version; the newest by default.")]
Count = Annotated[int, typer.Option("--n", help="How many playouts.")]
Bot = Annotated[str, typer.Option("--policy", help="Who plays on: random, greedy or search.")]
Seed = Annotated[str, typer.Option(help="Another seed, other luck.")]


@app.command()
def whatif(
    match: str,
    at: Annotated[int, typer.Option("--at", metavar="V", help="The version of the decision to change.")],
    answer: Annotated[str | None, typer.Option(help="Another answer, as JSON.")] = None,
    draw: Annotated[int, typer.Option(help="Which draw of the decision to change.")] = 0,
    outcome: Annotated[str | None, typer.Option(help="What it gives instead, as JSON.")] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="With luck of its own instead of the same.")] = False,
    seat: Annotated[
        str | None,
        typer.Option("--as", metavar="SEAT", help="In a world that this seat may suppose: hidden things are dealt anew."),
    ] = None,
) -> None:
    """Change one decision or one draw; what followed is replayed as far as it stays legal."""
    log = open_log(store(), match)
    luck = FRESH if fresh else SAME
    made: dict[str, Any] = {"luck": luck, "at": now(), "reason": f"what if at {at}"}
    if seat:
        made |= {"seat": viewer(log, seat), "rng": Random(secrets.randbits(128))}
    id = f"{log.match.id}-{new_id(4)}"
    if outcome is not None:
        grown = change_chance(log, id, at, draw, _json(outcome), **made)
    elif answer is not None:
        grown = change_decision(log, id, at, _json(answer), **made)
    else:
        raise Refused("", "say what to change: --answer or --outcome")
    screen.print(f"Line [bold]{id}[/bold]: {grown.replayed} later decisions stand, now at version {grown.log.head}.")
    if grown.stopped:
        stop = grown.stopped
        screen.print(
            f"Stopped at version {stop.version}: {stop.seat}'s {stop.ask} {words(stop.answer)} is illegal there ({stop.rule}: {stop.reason})."
        )


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


@app.command()
def rollout(
    match: str,
    at: At = None,
    n: Count = 200,
    policy: Bot = "random",
    seed: Seed = "0",
    seat: Annotated[
        str | None, typer.Option("--as", metavar="SEAT", help="From what this seat knows: hidden things are dealt anew.")
    ] = None,
    precision: Annotated[float, typer.Option(help="Stop when every interval is this narrow to either side, e.g. 0.05.")] = 0.0,
) -> None:
    """Who wins from here? Playouts with 95 % intervals."""
    log = open_log(store(), match)
    start = start_at(log, at, viewer(log, seat) if seat else "")
    found: list[Estimate] = []
    with progress_bar() as progress:
        bar = progress.add_task("playing out", total=n)
        for state in analysis.rollout(start, n=n, policy=policy, seed=seed, precision=precision):
            found = state.found
            progress.update(bar, completed=state.done)
    screen.print(
        _table(found, log, f"From version {at or log.head}, {policy} play, seed {seed}" + (f", as {seat} knows it" if seat else ""))
    )


def _table(found: list[Estimate], log: Log, title: str) -> Grid:
    grid = Grid(title=title, title_justify="left", title_style="bold", box=None, padding=(0, 2, 0, 0))
    for head in ("seat", "wins", "95 % interval", "points", "quartiles", "playouts"):
        grid.add_column(head, header_style="dim")
    for one in found:
        quartiles = "/".join(f"{value:.0f}" for value in one.quartiles)
        grid.add_row(
            Text(one.seat, style=style(one.seat, log.schema.seats)),
            f"{one.win:.0%} {'█' * round(one.win * 20)}",
            f"{one.low:.0%} to {one.high:.0%}",
            f"{one.mean:.1f} ± {one.spread:.1f}",
            quartiles,
            str(one.n),
        )
    return grid


@app.command()
def sweep(
    match: str,
    at: Annotated[int, typer.Option("--at", metavar="V", help="The version of the decision.")],
    die: Annotated[int | None, typer.Option(help="All faces of this draw instead of all answers.")] = None,
    n: Count = 60,
    policy: Bot = "random",
    csv: Annotated[Path | None, typer.Option(help="Also write a table for a spreadsheet.")] = None,
) -> None:
    """Every alternative at one decision, or every face of one die, rolled out side by side."""
    log = open_log(store(), match)

    with progress_bar() as progress:
        progress.add_task("sweeping", total=None)
        listed = analysis.alternatives(log, at) if die is None else analysis.faces(log, at, die)
        rows = analysis.sweep(log, at, listed, n=n, policy=policy)
    grid = Grid(title=f"Alternatives at version {at}", title_justify="left", title_style="bold", box=None, padding=(0, 2, 0, 0))
    for head in ("alternative", *(f"{seat} wins" for seat in log.schema.seats)):
        grid.add_column(head, header_style="dim")
    for row in rows:
        grid.add_row(words(row.alternative), *(f"{one.win:.0%} ({one.low:.0%}-{one.high:.0%})" for one in row.found))
    screen.print(grid)
    if csv is not None:
        csv.write_text(analysis.as_csv(rows))


@app.command()
def swings(
    match: str,
    n: Count = 60,
    policy: Bot = "random",
) -> None:
    """Where a finished game was won: the largest changes of win probability, by decision or by chance."""
    log = open_log(store(), match)
    with progress_bar() as progress:
        progress.add_task("looking for swings", total=None)
        found = analysis.find_swings(log, n=n, policy=policy)
    for swing in sorted(found, key=lambda one: -one.largest)[:8]:
        moved = ", ".join(f"{seat} {change:+.0%}" for seat, change in swing.change.items())
        noise = "" if swing.clear else "  (may be noise)"
        screen.print(coloured(f"{swing.after:>5} to {swing.version:<5} {swing.cause:<18} {moved}{noise}", log.schema.seats))


@app.command()
def luck(match: str) -> None:
    """The luck sheet: what each seat rolled against what it could expect."""
    log = open_log(store(), match)
    grid = Grid(title="Luck", title_justify="left", title_style="bold", box=None, padding=(0, 2, 0, 0))
    for head in ("seat", "for", "dice", "total", "expected", "z", ""):
        grid.add_column(head, header_style="dim")
    for row in sheet(log.raw()):
        seat = Text(row.seat, style=style(row.seat, log.schema.seats))
        grid.add_row(
            seat, row.purpose.replace("_", " "), str(row.n), str(row.total), f"{row.expected:.1f}", f"{row.z:+.2f}", row.note
        )
    screen.print(grid)
