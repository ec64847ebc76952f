"""Commands that prove: export, verify, import."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from rich.text import Text

from domain import games
from domain.kernel.errors import Refused
from domain.kernel.schema import ARBITER
from domain.kernel.title import Title
from domain.log import OWN_LUCK
from domain.proof import Signed, Unproven, public_key
from service import bundle
from service.cli import app
from service.cli.console import complain, screen
from service.cli.desk import new_id, open_log, store, viewer
from service.settings import Settings


@app.command()
def export(
    match: str,
    seat: Annotated[
        str | None, typer.Option("--as", help="A seat or spectator: only what they may read, with the proof of it.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="The file to write.")] = None,
) -> None:
    """Write a match to a file that anybody can check without this database. Whole, or as one seat may read it."""
    log = open_log(store(), match)
    eyes = viewer(log, seat)
    path = out or Path(f"{log.match.id}.zip" if eyes == ARBITER else f"{log.match.id}-{eyes}.zip")
    if path.exists():
        raise Refused("", f"{path} is already there: name another file with --out")
    key = Ed25519PrivateKey.from_private_bytes(Settings.from_environment().signing_key())
    raw = bundle.export(log, eyes, key)
    _write(path, raw)
    screen.print(f"{path}: {len(raw) / 1000:,.0f} kB, signed by {public_key(key)}")
    screen.print(f"Anybody can check it with: chancery verify {path}")
    if eyes == ARBITER and not log.run.over:
        screen.print(Text("It holds everything hidden and all luck to come: keep it to yourself until the end.", style="yellow"))


def _write(path: Path, raw: bytes) -> None:
    """The whole file or none, readable by its owner alone."""
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        fresh.touch(mode=0o600, exist_ok=False)
        fresh.write_bytes(raw)
        os.replace(fresh, path)
    finally:
        fresh.unlink(missing_ok=True)


@app.command()
def verify(
    file: Path,
    key: Annotated[str | None, typer.Option(help="The public key of the server you trust.")] = None,
    against: Annotated[
        list[Path] | None, typer.Option(help="An older bundle, or a receipt the server gave you: does it still stand?")
    ] = None,
) -> None:
    """Check a bundle, offline. Exits 1 and names the first thing that does not hold."""
    try:
        checked = _check(file, key)
        for path in against or []:
            _compare(checked, path)
    except Unproven as wrong:
        complain(f"{file}: {wrong}")
        raise typer.Exit(1) from None
    manifest = checked.manifest
    whose = "the whole match" if manifest.whole else f"what {manifest.viewer} may read"
    screen.print(f"{file} holds: {manifest.match}, {whose}, {checked.count} events on {len(manifest.lines)} lines.")
    if not manifest.whole:
        screen.print("Hidden things and the dice can be checked when the seed is revealed, at the end.")
    screen.print(Text(f"Signed by {manifest.key}" + ("" if key else ": is that the key your server publishes?"), style="dim"))


def _check(file: Path, key: str | None = None) -> bundle.Checked:
    """A bundle that holds, its rules run again where they are at hand; says what could not be checked."""
    checked = bundle.check(bundle.load(file))
    manifest = checked.manifest
    if key is not None and key.lower() != manifest.key:
        raise Unproven(f"it is signed by {manifest.key}, not by the key you trust")
    if manifest.whole:
        reports = bundle.rerun(checked, _library)
        for report in reports:
            if report.finding is not None:
                raise Unproven(str(report.finding))
        if reports:
            decisions, draws = sum(report.decisions for report in reports), sum(report.draws for report in reports)
            note = f"{decisions} decisions re-run and {draws} draws recomputed from the seed, line by line."
            screen.print(f"Rules {manifest.header.rules}: {note}")
        else:
            note = f"{manifest.header.title} {manifest.header.rules} with its data is not at hand: the rules were not re-run. "
            note += f"{checked.draws.recomputed} draws were recomputed from the seed without them, {checked.draws.left} were not."
            screen.print(Text(note, style="yellow"))
        for line in manifest.lines:
            if line.luck != OWN_LUCK:
                screen.print(Text(f"Line {line.id} is an analyst's: its luck is lent, not the seed's.", style="yellow"))
    return checked


def _library(id: str, rules: str) -> Title | None:
    return games.library(id, rules) if id in games.TITLES else None


def _compare(checked: bundle.Checked, path: Path) -> None:
    raw = bundle.load(path)
    if raw.startswith(b"PK"):
        bundle.agree(checked, bundle.check(raw))
        return
    try:
        signed = msgspec.json.decode(raw, type=Signed)
    except (ValueError, RecursionError):
        raise Unproven("this is neither a bundle nor a receipt", where=str(path)) from None
    bundle.stands(checked, signed)


@app.command("import")
def import_(
    file: Path,
    study: Annotated[bool, typer.Option("--study", help="Under a new id, as a record to look at and to fork.")] = False,
) -> None:
    """Check a whole bundle, then keep its match here: under its own id to play on, or as a study."""
    try:
        checked = _check(file)
    except Unproven as wrong:
        complain(f"{file}: {wrong}; nothing was imported")
        raise typer.Exit(1) from None
    games.get(checked.manifest.header.title)
    kept = bundle.study(store(), checked, new_id()) if study else bundle.restore(store(), checked)
    screen.print(f"Match [bold]{kept.id}[/bold]: {checked.count} events on {len(checked.manifest.lines)} lines.")
    screen.print(f"Look at it with: chancery show {kept.id}" + (f"; play on from a fork: chancery fork {kept.id}" if study else ""))
