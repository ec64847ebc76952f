"""Something to look at on a fresh database: a finished match, a running one against bots, and one that waits for you to join."""

from __future__ import annotations

from random import Random

from domain.bots import POLICIES
from domain.kernel.errors import NotFound, Refused
from domain.match import FINISHED, Match, Policy
from service.accounts import Account
from service.matches import Matches

PEOPLE = ("Anna", "Bert")
FAVOURITE = "column-of-fire"
MOST_DECISIONS = 5_000
SOME_DECISIONS = 12


def fill(service: Matches, title: str = "", decisions: int = SOME_DECISIONS) -> list[tuple[str, str]]:
    """Make the demo if nothing is there yet; the names of its people and a link for each to sign in with, good for a quarter of an hour."""
    if not service.register.find("", limit=1)[0] and not any(map(service.accounts.named, PEOPLE)):
        _make(service, title or _best(service), decisions)
    found = (service.accounts.named(name) for name in PEOPLE)
    return [(account.name, service.accounts.sign_in_link(account.id)) for account in found if account is not None]


def _best(service: Matches) -> str:
    try:
        return service.titles.get(FAVOURITE).id
    except NotFound:
        return service.titles.all()[0].id


def _make(service: Matches, title: str, decisions: int) -> None:
    anna, bert = (service.accounts.create(name) for name in PEOPLE)
    rng = Random(title)
    ended = _opened(service, title, "A finished match, to replay", [anna, bert], "random")
    _play(service, ended, MOST_DECISIONS, rng)
    running = _opened(service, title, "A running match against bots", [anna], "greedy")
    _play(service, running, decisions, rng)
    service.open(bert.id, title, players=_players(service, title), name="Open: take a seat", policy=Policy(undo="free"))


def _players(service: Matches, title: str) -> int:
    """As few as make a game of it."""
    return min((n for n in service.titles.get(title).players if n > 1), default=service.titles.get(title).players[0])


def _opened(service: Matches, title: str, name: str, people: list[Account], bot: str) -> Match:
    """A started match with these people in the first seats and bots in the others."""
    match = service.open(people[0].id, title, players=_players(service, title), name=name, policy=Policy(undo="free"))
    for person in people[: len(match.seats)]:
        service.join(person.id, match.id)
    for seat in match.seats[len(people) :]:
        service.seat_bot(people[0].id, match.id, seat, bot)
    return service.start(people[0].id, match.id)


def _play(service: Matches, match: Match, decisions: int, rng: Random) -> None:
    """Let the people answer as a bot would, until the game is over or there were enough decisions."""
    for _ in range(decisions):
        service.drive(match.id)
        now = service.register.load(match.id)
        if now.state == FINISHED:
            return
        run = service.open_log(now.line).run
        asks = [ask for ask in run.asks if ask.seat not in now.bots] or [ask for ask in run.offers if ask.seat not in now.bots]
        if not asks:
            continue
        ask = asks[0]
        try:
            service.decide(now.holder(ask.seat), match.id, ask.seat, ask.key, POLICIES["random"](run, ask, rng), via="demo")
        except Refused:
            continue
