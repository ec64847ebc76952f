"""`chancery`: play, look, replay and check games from the terminal."""

from __future__ import annotations

import sys

import typer
from typer.exceptions import TyperException

from domain.kernel.errors import ChanceryError
from service.cli.console import complain

app = typer.Typer(name="chancery", no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, help=__doc__)


def main() -> None:
    """Run a command; every error is one clear sentence and exit status 2."""
    from service.cli import analyse, check, look, mail, play, proof, serve  # each registers its commands

    assert analyse and check and look and mail and play and proof and serve
    try:
        code = app(standalone_mode=False)
    except ChanceryError as error:
        complain(str(error))
        code = 2
    except typer.Exit as leave:
        code = leave.exit_code
    except TyperException as error:
        complain(error.format_message() if hasattr(error, "format_message") else str(error))
        code = 2
    except (KeyboardInterrupt, typer.Abort):
        complain("stopped")
        code = 130
    except BrokenPipeError:
        code = 0
    except OSError as error:
        complain(f"{error.strerror or error}{f': {error.filename}' if error.filename else ''}")
        code = 2
    sys.exit(code or 0)
