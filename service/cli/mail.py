"""Commands for play by mail: serve, deliver, send, reference, and the game master's desk for time."""

from __future__ import annotations

import signal
import sys
import threading
from typing import Annotated, Any

import typer

from domain import games
from domain.deadlines import HOUR, MINUTE, POLICIES, Calendar, HouseRules, Vector
from domain.kernel.errors import ChanceryError, Refused
from domain.match import Match
from service.cli import app
from service.cli.console import screen
from service.settings import Settings

mail = typer.Typer(no_args_is_help=True, help="Play by mail (docs/play-by-mail.md).")
app.add_typer(mail, name="mail")

Id = Annotated[str, typer.Argument(metavar="MATCH")]


def _post() -> tuple[Any, Any]:
    """The post on the stores that the settings name."""
    from service import logs
    from service.database import Database
    from service.mail.office import Office
    from service.mail.post import Post
    from service.wsgi import assemble

    logs.configure()
    settings = Settings.from_environment()
    matches = assemble(settings)
    return Post(Office(matches, Database(matches.store), settings)), matches  # type: ignore[arg-type]


@mail.command()
def serve(lmtp: Annotated[bool, typer.Option("--lmtp", help="Speak LMTP instead of SMTP.")] = False) -> None:
    """Take mails in, keep deadlines, send mails out. Start one beside the pages; your mail server hands mails on to it."""
    from service.mail.smtp import Door

    post, matches = _post()
    host, _, port = post.office.settings.mail_in.rpartition(":")
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    door = Door(post, host, int(port), lmtp=lmtp)
    try:
        door.start()
    except OSError as taken:
        raise ChanceryError(f"mails cannot come in at {host}:{port}: {taken.strerror}") from None
    screen.print(f"Mails for {post.office.settings.mail} come in at {host}:{port}.", soft_wrap=True)
    post.start()
    stop.wait()
    door.stop()
    post.stop()
    matches.store.close()


@mail.command()
def deliver(
    recipient: Annotated[str, typer.Argument(help="The address the mail is for.")],
    sender: Annotated[str | None, typer.Option(help="The envelope sender; empty for a bounce.")] = None,
) -> None:
    """Take one mail from standard input, for a pipe of your mail server; exit status 75 asks it to try again."""
    from service.database import Unavailable
    from service.mail.reading import LARGEST
    from service.register import Busy

    post, matches = _post()
    try:
        outcome = post.deliver(sys.stdin.buffer.read(LARGEST + 1), recipient, sender)
    except (Busy, Unavailable):
        raise typer.Exit(75) from None
    finally:
        post.stop()
        matches.store.close()
    screen.print(outcome)
    if outcome in ("unknown", "refused"):
        raise typer.Exit(67)
    if outcome == "too large":
        raise typer.Exit(69)


@mail.command()
def send() -> None:
    """Go round once: standing orders, deadlines, mails out."""
    post, matches = _post()
    screen.print(f"{post.round()} mails went out.")
    post.stop()
    matches.store.close()


@mail.command()
def reference(
    title: Annotated[
        str | None, typer.Argument(metavar="TITLE", help="A title; without one, the whole page docs/orders.md.")
    ] = None,
) -> None:
    """Every question of a title, with orders that answer it."""
    from service.mail.reference import page, section

    sys.stdout.write(section(games.get(title)) if title else page(games.all()))


# -- the game master ------------------------------------------------------------------------------------


def _opened(id: str) -> tuple[Any, Match]:
    post, matches = _post()
    return post.office, matches.register.load(id)


@mail.command()
def status(id: Id) -> None:
    """Who is in, who is late, whose mails are lost: never what anybody wrote."""
    from service.mail.master import status as standing

    office, match = _opened(id)
    screen.print(standing(office, match), soft_wrap=True)


@mail.command()
def address(id: Id, seat: str) -> None:
    """The address a seat's orders go to; of `gm`, the one for the game master's commands."""
    from service.mail.addresses import MASTER

    office, match = _opened(id)
    account = office.addresses.holder(match, seat if seat == MASTER else _seat(match, seat))
    if account is None:
        raise Refused("", f"nobody with a mail address sits as {seat}")
    screen.print(office.address(match, seat, account), soft_wrap=True)


def _seat(match: Match, seat: str) -> str:
    if seat not in match.seats:
        raise Refused("", f"there is no seat {seat!r}; there are: {', '.join(match.seats)}", legal=list(match.seats))
    return seat


@mail.command()
def rules(
    id: Id,
    next_: Annotated[int, typer.Option("--next", help="Hours to answer.")] = 48,
    least: Annotated[int, typer.Option("--min", help="Hours before which nobody is answered for.")] = 0,
    grace: Annotated[int, typer.Option(help="Hours of grace.")] = 24,
    clock: Annotated[str, typer.Option(help="The hour of day it is due, like 20:00.")] = "",
    days: Annotated[str, typer.Option(help="Weekdays it may be due, 0 for Monday, like 01234.")] = "0123456",
    zone: Annotated[str, typer.Option(help="The time zone of the hour and the days.")] = "UTC",
    question: Annotated[str, typer.Option(help="For this kind of question only.")] = "",
    late: Annotated[str, typer.Option(help="What happens to the late: wait, default, draft, regent or substitute.")] = "wait",
    lenient: Annotated[bool, typer.Option(help="Read orders kindly.")] = False,
    anonymous: Annotated[bool, typer.Option(help="Allow unsigned press.")] = False,
    absence: Annotated[int, typer.Option(help="Days a year that declared absences stretch a seat's deadlines.")] = 14,
) -> None:
    """The house rules of a match for time and mails. Deadlines that are set stay as they are."""
    office, match = _opened(id)
    if late not in POLICIES:
        raise Refused("", f"the late cannot be treated as {late!r}: choose {', '.join(POLICIES)}")
    if not days.isdigit():
        raise Refused("", "days are digits from 0 (Monday) to 6, like 01234")
    hour = HOUR // MINUTE
    vector = Vector(next_ * hour, least * hour, grace * hour, clock, tuple(sorted({int(day) for day in days})), zone)
    kept = office.calendar(id).rules.vectors
    at = office.clock.now()
    told = HouseRules({**kept, question: vector}, late, lenient, anonymous, match.host, at, absence)  # type: ignore[arg-type]
    office.facts.change(Calendar, id, lambda calendar: calendar.set_rules(told))
    screen.print("The house rules are changed.")


@mail.command()
def extend(id: Id, hours: int, seat: Annotated[str, typer.Option(help="One seat; else all.")] = "", reason: str = "") -> None:
    """More time for the open deadlines."""
    office, match = _opened(id)
    at = office.clock.now()
    found = office.facts.change(
        Calendar, id, lambda calendar: calendar.extend(seat, hours * HOUR // MINUTE, match.host, reason, at)
    )
    screen.print(f"{len(found)} deadlines are extended.")


@mail.command()
def pause(id: Id, hours: int, reason: str = "") -> None:
    """Stop the clocks of a match for so long at most."""
    office, match = _opened(id)
    at = office.clock.now()
    office.facts.change(Calendar, id, lambda calendar: calendar.pause(hours * HOUR // MINUTE, match.host, reason, at))
    screen.print("The match is paused.")


@mail.command()
def resume(id: Id) -> None:
    """Start the clocks of a match again."""
    office, _ = _opened(id)
    at = office.clock.now()
    office.facts.change(Calendar, id, lambda calendar: calendar.resume(at))
    screen.print("The clocks run again.")


@mail.command()
def mode(
    id: Id,
    seat: str,
    mails: Annotated[str, typer.Argument(help="instant, blocking, digest or none")],
    hour: Annotated[str, typer.Option(help="The hour of the digest.")] = "",
    zone: Annotated[str, typer.Option(help="The reader's time zone.")] = "",
    form: Annotated[str, typer.Option(help="picture, html or text")] = "",
    language: Annotated[str, typer.Option(help="en or de")] = "",
    secrets: Annotated[bool | None, typer.Option(help="Whether mails may hold the seat's own secrets.")] = None,
) -> None:
    """How a seat wants its mails; what is not said stays as it is."""
    from msgspec.structs import replace

    office, match = _opened(id)
    holder = match.holder(_seat(match, seat))
    said = {"mode": mails, "hour": hour, "zone": zone, "form": form, "language": language, "secrets": secrets}
    given = {name: value for name, value in said.items() if value not in ("", None)}
    office.set_wish(id, seat, holder, replace(office.wish(id, seat, holder), **given))
    screen.print("Noted.")


@mail.command()
def clock() -> None:
    """Believe the clock of this machine again after it was set (see the alarm in the log)."""
    office = _post()[0].office
    office.database.write(("DELETE FROM mail_clock", ()))
    screen.print("Time is what the clock of this machine says.")
