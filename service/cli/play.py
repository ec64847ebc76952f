"""Commands that write: new, play, undo, fork."""

from __future__ import annotations

import hashlib
import secrets
from itertools import islice
from random import Random
from typing import Annotated, Any

import typer
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.prompt import Prompt
from rich.text import Text

from domain import games, orders
from domain.bots import POLICIES, Policy, choose
from domain.kernel.ask import Ask
from domain.kernel.errors import Refused
from domain.kernel.title import Title
from domain.log import Log, Match
from service.cli import app
from service.cli.console import asked, complain, scoreboard, screen, sentences, style, whole, words
from service.cli.desk import new_id, now, open_log, store, viewer

LISTED = 40  # so many answers are listed with numbers


@app.command()
def titles() -> None:
    """The games Chancery adjudicates."""
    for title in games.all():
        players = f"{min(title.players)}-{max(title.players)}" if len(title.players) > 1 else str(title.players[0])
        screen.print(Text.assemble((title.id, "bold"), f"  {title.name}, {players} players, rules {title.rules}"))
        for name, option in title.options.items():
            screen.print(Text(f"    {name} = {words(option.default)}  ({option.cite}) {option.help}", style="dim"))


@app.command()
def new(
    title_id: Annotated[str, typer.Argument(metavar="TITLE")],
    seats: Annotated[int | None, typer.Option(help="How many seats.")] = None,
    bots: Annotated[str | None, typer.Option(metavar="POLICY", help="Let bots play all seats: random or greedy.")] = None,
    play: Annotated[bool, typer.Option("--play", help="Play on at once.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print the match id only.")] = False,
    option: Annotated[list[str] | None, typer.Option(metavar="NAME=VALUE", help="A variant or ruling switch.")] = None,
    seed: Annotated[str | None, typer.Option(help="Fix the luck (for trying things out).")] = None,
) -> None:
    """Set up a match."""
    title = games.get(title_id)
    policy = _policy(bots) if bots else None
    chosen = _options(title, option or [])
    count = seats or max(title.players)
    if count not in title.players:
        raise Refused("", f"{title.name} is for {', '.join(map(str, title.players))} players, not {count}")
    names = list(title.seats(count))
    secret = seed.encode().ljust(32, b"\0") if seed is not None else secrets.token_bytes(32)
    nonces = [seed or secrets.token_hex(8) for _ in names]
    kept = store()
    id = new_id() if seed is None else hashlib.sha256(f"{title.id} {count} {seed}".encode()).hexdigest()[:8]
    if seed is not None and any(match.id == id for match in kept.matches()):
        raise Refused("", f"this seed was played already, as match {id}: choose another")
    log = Log.create(kept, title, Match(id, title.id, secret, now()), seats=names, options=chosen, nonces=nonces)
    rng = Random(seed) if seed is not None else Random()
    if not quiet:
        screen.print(f"Match [bold]{log.match.id}[/bold]: {title.name} for {', '.join(names)}")
    if play and policy:
        _play_out(log, dict.fromkeys(names, policy), rng, quiet)
    elif play:
        _hot_seat(log, {}, rng)
    if quiet:
        screen.print(log.match.id)
    elif log.run.over:
        screen.print(scoreboard(title, log.run.table))
        screen.print(f"Winner: {', '.join(title.winners(log.run.table))}. Look back with: chancery replay {log.match.id}")
    else:
        screen.print(f"Play it with: chancery play {log.match.id}")


@app.command()
def play(
    match: str,
    bots: Annotated[
        str | None, typer.Option(metavar="SEAT=POLICY,...", help="Seats that bots play, e.g. red=greedy,blue=random.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Say nothing while bots play.")] = False,
) -> None:
    """Play on: hot seat, with bots on some seats if you like."""
    log = open_log(store(), match)
    policies: dict[str, Policy] = {}
    for part in filter(None, (bots or "").split(",")):
        seat, _, policy = part.partition("=")
        policies[viewer(log, seat)] = _policy(policy or "greedy")
    if set(policies) == set(log.schema.seats):
        _play_out(log, policies, Random(), quiet)
        screen.print(f"Winner: {', '.join(log.title.winners(log.run.table))}.")
    else:
        _hot_seat(log, policies, Random())


@app.command()
def undo(
    match: str, seat: Annotated[str | None, typer.Option("--as", help="Whose decision; the last one's by default.")] = None
) -> None:
    """Take the last decision back, if nobody has learnt anything by it. Nothing is deleted."""
    log = open_log(store(), match)
    decided = next((item.seat for item in reversed(log.raw()) if item.seat and item.ask), "")
    undone = log.undo(seat or decided, at=now())[0]
    screen.print(f"{undone.seat} is back at version {undone.answer}; the log goes on at version {undone.version}.")
    screen.print(asked(log.questions(undone.seat), log.schema.seats))


@app.command()
def fork(
    match: str,
    at: Annotated[int | None, typer.Option(help="The version to branch from; the newest by default.")] = None,
    reason: Annotated[str, typer.Option(help="What this line is for.")] = "",
    quiet: Annotated[bool, typer.Option("--quiet", help="Print the line id only.")] = False,
) -> None:
    """Branch a what-if line from any version. Nothing is copied, and its luck is its own."""
    log = open_log(store(), match)
    line = log.fork(f"{log.match.id}-{new_id(4)}", at, reason=reason, at=now())
    if quiet:
        screen.print(line.line.id)
    else:
        screen.print(f"Line [bold]{line.line.id}[/bold] goes on from version {line.line.at} of {line.line.parent}.")


# -- playing ------------------------------------------------------------------------------------------


def _policy(name: str) -> Policy:
    if name not in POLICIES:
        raise Refused("", f"there is no bot {name!r}; there are: {', '.join(POLICIES)}")
    return POLICIES[name]


def _options(title: Title, given: list[str]) -> dict[str, Any]:
    """NAME=VALUE as the option's own kind of value."""
    chosen: dict[str, Any] = {}
    for part in given:
        name, _, text = part.partition("=")
        option = title.options.get(name)
        choices = option.choices if option else ()
        chosen[name] = next((choice for choice in choices if words(choice) == text or str(choice).lower() == text.lower()), text)
    return title.settle(chosen)


def _play_out(log: Log, policies: dict[str, Policy], rng: Random, quiet: bool) -> None:
    """Bots play to the end, with a line of progress if it takes a while."""
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=screen, transient=True, disable=quiet or not screen.is_terminal) as progress:
        bar = progress.add_task("playing", total=None)
        decisions = 0
        while not log.run.over:
            ask = choose(log.run, rng)
            log.decide(ask.seat, ask.key, policies[ask.seat](log.run, ask, rng), at=now(), cause="bot")
            decisions += 1
            if decisions % 20 == 0:
                progress.update(bar, description=f"playing: {decisions} decisions")


def _hot_seat(log: Log, policies: dict[str, Policy], rng: Random) -> None:
    """People at one terminal, bots on the other seats."""
    while not log.run.over:
        run = log.run
        people = [ask for ask in run.asks if ask.seat not in policies]
        robots = [ask for ask in run.asks if ask.seat in policies]
        before = log.version
        if robots:
            ask = robots[0]
            log.decide(ask.seat, ask.key, policies[ask.seat](run, ask, rng), at=now(), cause="bot")
        else:
            ask = (people or [offer for offer in run.offers if offer.seat not in policies] or run.offers)[0]
            screen.rule(Text(f"version {before}", style="dim"))
            screen.print(whole(log.title, log.table(ask.seat)))
            try:
                log.decide(ask.seat, ask.key, _answer(ask, log), at=now())
            except Refused as refused:
                complain(str(refused))
                continue
            except EOFError:
                screen.print(f"Stopped at version {log.version}; go on with: chancery play {log.line.id}")
                return
        for event in log.events(ask.seat, before):
            for sentence in sentences(log.title, event):
                screen.print(Text(f"  {event.version}  {sentence}", style=style(event.seat, log.schema.seats)))
    screen.print(scoreboard(log.title, log.run.table))
    screen.print(f"The game is over. Winner: {', '.join(log.title.winners(log.run.table))}.")


def _answer(ask: Ask, log: Log) -> Any:
    """Ask a person at the terminal: by the number of an option, or in the order language."""
    prompt = log.title.prompts.get(ask.key) or ask.key.replace("_", " ")
    who = Text.assemble((ask.seat, style(ask.seat, log.schema.seats)), f": {prompt} ")
    who.append(f"({ask.cite}) ", style="dim")
    for name, value in ask.about.items():
        who.append(f"{name}: {words(value)}  ", style="dim")
    screen.print(who)
    options = list(islice(ask.all(), LISTED)) if ask.count() <= LISTED else []
    for number, option in enumerate(options, 1):
        screen.print(Text(f"  {number:>3}  {said(log.title, ask, option)}"))
    if not options:
        screen.print(
            Text(f"  {ask.count()} answers; for example: {orders.say(log.title, ask, ask.sample(Random(0)))}", style="dim")
        )
    while True:
        text = Prompt.ask("your order", console=screen, default="", show_default=False).strip()
        if text.isdigit() and options and 1 <= int(text) <= len(options):
            return options[int(text) - 1]
        try:
            return orders.read(log.title, [ask], text).answer
        except orders.OrderError as wrong:
            complain(wrong.pointed() if wrong.line else wrong.reason)
            if wrong.legal:
                complain("for example: " + " | ".join(wrong.legal[:8]))


def said(title: Title, ask: Ask, option: Any) -> str:
    """An option without the question's name in front."""
    return orders.say(title, ask, option).removeprefix(orders.spoken(title, ask.key)).strip()
