"""Commands that check: audit, fuzz, bench, data."""

from __future__ import annotations

import importlib
import os
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table as Grid
from rich.text import Text

from domain import fuzz as campaign
from domain import games
from domain.audit import audit as run_audit
from domain.kernel.errors import NotFound
from service.cli import app
from service.cli.console import complain, screen, words
from service.cli.desk import open_log, store

BATCH = 10


def progress_bar() -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal)


@app.command()
def audit(match: str) -> None:
    """Check a log: chain, seed, and the rules run again on every decision. Exits 1 if something is wrong."""
    log = open_log(store(), match)
    started = time.perf_counter()
    with progress_bar() as progress:
        bar = progress.add_task("auditing", total=log.head)
        report = run_audit(log, games.library, lambda done: progress.update(bar, completed=done))
    spent = time.perf_counter() - started
    if report.finding is not None:
        found = report.finding
        complain(f"{log.line.id}: {found}")
        for name, ops in (("the log has", found.recorded), ("it should be", found.expected)):
            if ops is not None:
                screen.print(Text(f"  {name}: {_short(ops)}"))
        raise typer.Exit(1)
    for rules in report.skipped:
        screen.print(
            Text(f"Rules {rules} are not at hand: that part was folded and its chain checked, but not re-run.", style="yellow")
        )
    screen.print(
        f"{log.line.id} is clean: {report.events} events, {report.decisions} decisions re-run, {report.draws} draws recomputed from the seed, "
        f"{spent * 1000:.0f} ms."
    )


def _short(ops: Any) -> str:
    if isinstance(ops, bytes):
        return ops.hex()
    text = "; ".join(str(op) for op in ops[:6]) if isinstance(ops, list) else words(ops)
    return text + (f"; ... {len(ops) - 6} more" if isinstance(ops, list) and len(ops) > 6 else "")


@app.command()
def fuzz(
    title: str,
    games_: Annotated[int, typer.Option("--games", help="How many games.")] = 100,
    seed: Annotated[str, typer.Option(help="Another seed, other games.")] = "0",
    coverage: Annotated[bool, typer.Option("--coverage", help="List what was never exercised.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit 1 if something was never exercised.")] = False,
    dumps: Annotated[Path, typer.Option(help="Where failing games are kept.")] = Path("dumps"),
) -> None:
    """Play random games over all player counts and options: no crash, dead end, endless game or broken invariant. Exits 1 on any."""
    chosen = games.get(title)
    numbers = list(range(games_))
    seen: Counter[tuple[str, str]] = Counter()
    failures: list[Path] = []
    decisions = events = 0
    started = time.perf_counter()
    with progress_bar() as progress, ProcessPoolExecutor(max_workers=min(os.cpu_count() or 1, max(1, games_ // BATCH))) as pool:
        bar = progress.add_task(f"fuzzing {title}", total=games_)
        waiting = [pool.submit(campaign.batch, title, seed, numbers[i : i + BATCH]) for i in range(0, games_, BATCH)]
        for done in as_completed(waiting):
            for played in done.result():
                progress.advance(bar)
                decisions += played.decisions
                events += played.events
                seen.update(played.seen)
                if played.dump:
                    dumps.mkdir(exist_ok=True)
                    path = dumps / f"{title}-{seed}-{played.number}.json"
                    path.write_bytes(msgspec.json.encode(played.dump))
                    failures.append(path)
                    complain(
                        f"game {played.number}: {played.dump.failure}: {played.dump.detail.strip().splitlines()[-1]}; look at it with: chancery replay {path}"
                    )
    spent = time.perf_counter() - started
    screen.print(
        f"{games_} games, {decisions} decisions, {events} events in {spent:.1f} s ({decisions / spent:.0f} decisions/s), {len(failures)} failures"
    )
    missing = campaign.unmet(chosen, seen)
    if coverage:
        for kind, names in chosen.catalogue.items():
            lacking = missing.get(kind, [])
            screen.print(
                f"  {kind}: {len(names) - len(lacking)} of {len(names)}" + (f", never: {', '.join(lacking)}" if lacking else "")
            )
    if failures or (strict and missing):
        if strict and missing and not failures:
            complain("never exercised: " + "; ".join(f"{kind}: {', '.join(names)}" for kind, names in missing.items()))
        raise typer.Exit(1)


@app.command()
def bench(
    title: Annotated[str, typer.Option(help="The title to measure.")] = "column-of-fire",
    json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
    over_http: Annotated[bool, typer.Option("--http", help="The bars over HTTP, against a real server.")] = False,
    pages: Annotated[bool, typer.Option("--pages", help="The bars of the web pages, on a long game.")] = False,
) -> None:
    """Measure the speed bars, as ratios in one run. Exits 1 if one is not met."""
    from service import bench, bench_http, bench_pages

    bars = bench_pages if pages else bench_http if over_http else bench

    with progress_bar() as progress:
        task = progress.add_task("measuring", total=None)
        measured = bars.run(games.get(title), lambda what: progress.update(task, description=what))
    if json:
        screen.out(msgspec.json.encode({"bars": measured}).decode(), highlight=False)
    else:
        grid = Grid(box=None, padding=(0, 2, 0, 0))
        for head in ("bar", "measured", "wanted", ""):
            grid.add_column(head, header_style="dim", justify="right" if head in ("measured", "wanted") else "left")
        for one in measured:
            grid.add_row(
                one.name,
                f"{one.value:,.3g} {one.unit}",
                f"{one.bar:,.3g}",
                Text("met", style="green") if one.ok else Text("NOT MET", style="red"),
            )
        screen.print(grid)
    if not all(one.ok for one in measured):
        raise typer.Exit(1)


data = typer.Typer(no_args_is_help=True, help="Data packs: the numbers and cards of a title.")
app.add_typer(data, name="data")


@data.command("check")
def data_check(
    pack: Annotated[Path, typer.Argument(help="A folder with the JSON files of a data pack.")],
    title: Annotated[str | None, typer.Option(help="The title it belongs to; found by the folder's name by default.")] = None,
) -> None:
    """Validate a data pack: every reference resolves, every item says where it comes from."""
    if not pack.is_dir():
        raise NotFound(f"there is no folder {pack}")
    names = {part.replace("_", "-") for part in pack.resolve().parts}
    chosen = title or next((one.id for one in games.all() if one.id in names), None)
    if chosen is None:
        raise NotFound(f"say which title {pack} belongs to with --title: {', '.join(one.id for one in games.all())}")
    module = importlib.import_module(f"domain.games.{games.get(chosen).id.replace('-', '_')}.data")
    problems = module.check(pack)
    for problem in problems:
        complain(problem)
    if problems:
        raise typer.Exit(2)
    screen.print(f"{pack} is a sound data pack for {chosen}.")
