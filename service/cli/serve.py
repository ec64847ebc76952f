"""Commands that run the service: serve, migrate, worker, projections."""

from __future__ import annotations

import logging
from typing import Annotated

import typer
from rich.text import Text

from domain.kernel.errors import ChanceryError
from service.cli import app
from service.cli.console import screen
from service.settings import Settings


@app.command()
def serve(
    port: Annotated[int, typer.Option(help="Where to listen, on this machine only.")] = 8000,
    demo: Annotated[bool, typer.Option(help="Fill an empty database with matches to look at.")] = True,
) -> None:
    """The service, its pages and, where CHANCERY_MAIL is set, its mails on one SQLite file: nothing else is needed."""
    import os
    import signal
    from contextlib import ExitStack

    from werkzeug.serving import make_server

    from service import demo as shown
    from service import logs
    from service.mail.smtp import at_work
    from service.wsgi import close, create_app

    signal.signal(signal.SIGTERM, signal.default_int_handler)  # who is told to stop stops as at the terminal
    os.environ.setdefault("CHANCERY_URL", f"http://localhost:{port}")
    settings = Settings.from_environment()
    application = create_app(settings)
    logs.configure(logging.WARNING)  # at one's own terminal, only what went wrong
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    try:
        server = make_server("127.0.0.1", port, application, threaded=True)
    except (OSError, SystemExit):
        close(application)
        raise ChanceryError(f"port {port} is taken: choose another with --port") from None
    screen.print(Text.assemble("Chancery is at ", (f"http://localhost:{port}/", "bold"), "  (stop with Ctrl-C)"))
    if demo:
        for name, link in shown.fill(application.extensions["chancery"]):
            screen.print(f"  sign in as {name}: http://localhost:{port}/sign-in/{link}", soft_wrap=True)
    try:
        with ExitStack() as stack:
            if settings.mail:
                door = stack.enter_context(at_work(application.extensions["mail"]))
                screen.print(f"Mails for {settings.mail} come in at {door}.", soft_wrap=True)
            server.serve_forever()
    except KeyboardInterrupt:
        screen.print("Stopped.")
    finally:
        close(application)


@app.command()
def migrate() -> None:
    """Make or change the tables of the database; once, before several processes start."""
    from service.wsgi import assemble

    assemble(Settings.from_environment())
    screen.print("The database is up to date.")


@app.command()
def worker() -> None:
    """Keep views and bots going beside the API (production)."""
    from service import worker as process

    process.main()


projections = typer.Typer(no_args_is_help=True, help="The views: rebuild them beside the old ones, look at what stands still.")
app.add_typer(projections, name="projections")


def _by_hand(command: str, names: list[str]) -> None:
    from service import worker as process

    if process.main(command, *names):
        raise typer.Exit(1)


@projections.command()
def rebuild(views: Annotated[list[str] | None, typer.Argument(help="Which; all by default.")] = None) -> None:
    """Build views anew from the log, beside the old ones, then flip."""
    _by_hand("rebuild", views or [])
    screen.print("The views are rebuilt.")


@projections.command()
def parked() -> None:
    """Lines that stand still in a view, and why. Exits 1 if there are any."""
    _by_hand("parked", [])
    screen.print("Nothing stands still.")


@projections.command()
def retry(line: Annotated[str | None, typer.Argument(help="Which line; all by default.")] = None) -> None:
    """Try parked lines again."""
    _by_hand("retry", [line] if line else [])
    screen.print("Nothing stands still any more.")


@app.command()
def upgrade(
    adopt: Annotated[
        bool, typer.Option("--adopt/--dry-run", help="Write it into the logs of matches where nobody votes, or only look.")
    ] = False,
) -> None:
    """Which running games would go on under the rules and data at hand, and which diverge since their last mark, and where. Exits 1 if any does."""
    from domain import games
    from service.cli.desk import now, store
    from service.upgrade import prospects

    kept = store()
    seen = diverged = 0
    for one in prospects(kept, games):
        seen += 1
        name, change = one.log.line.id, f"rules {one.rules} -> {one.title.rules}"
        if one.diverged is not None:
            diverged += 1
            screen.print(Text(f"{name}: stays with rules {one.rules}: {one.diverged}", style="yellow"))
        elif adopt and not one.tables:
            one.log.upgrade(one.title, at=now(), cause="upgrade")
            screen.print(f"{name}: {change}, adopted")
        else:
            screen.print(f"{name}: {change}, would go on{': its table votes' if one.tables else ''}")
    screen.print(f"{len(kept.matches())} matches looked at, {seen} go by other rules or data, {diverged} diverge.")
    if diverged:
        raise typer.Exit(1)
