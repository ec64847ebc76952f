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
    """The service and its pages on one SQLite file: nothing else is needed."""
    import os

    from werkzeug.serving import make_server

    from service import demo as shown
    from service import logs
    from service.wsgi import close, create_app

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
