"""The standings of a title: who was placed how in every finished game, and the ratings (Plackett-Luce, by openskill) that follow."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from openskill.models import PlackettLuce

from projections.view import Moment, Row

name = "standings"
schema = 1

DIGITS = 3


class Result(NamedTuple):
    """One finished game: the line it was finished on and the place of every seat, ties sharing the better one."""

    match: str
    line: str
    version: int
    at: int
    places: dict[str, int]


# Who held each seat when a game ended; None where the game does not count (a branch that was only tried out).
Players = Callable[[Result], Mapping[str, str] | None]


def fold(head: Any, moment: Moment) -> tuple[Any, Sequence[Row]]:
    """Rows are [match, line, version, at, {seat: place}], one for each game that ended."""
    match, line, winners, points = moment.said
    return head, [[match, line, moment.event.version, moment.event.at, places(winners, points)]]


def places(winners: Sequence[str], points: Mapping[str, int]) -> dict[str, int]:
    """Winners first, whatever their points; then by points."""
    rank = {seat: (seat not in winners, -scored) for seat, scored in points.items()}
    if winners:
        rank.update(dict.fromkeys(winners, (False, 0)))
    return {seat: 1 + sum(other < mine for other in rank.values()) for seat, mine in sorted(rank.items())}


def ratings(finished: Iterable[Result], players: Players) -> list[dict[str, Any]]:
    """Everybody who finished a game, best first: rating (what they are at least worth, as good as certain), games, victories."""
    model = PlackettLuce()
    known: dict[str, Any] = {}
    games: dict[str, int] = {}
    won: dict[str, int] = {}
    counted: dict[str, tuple[Result, Mapping[str, str]]] = {}  # of a match that went on on another line, its last end
    for result in finished:
        held = players(result)
        if held is not None:
            counted.pop(result.match, None)
            counted[result.match] = result, held
    for result, held in counted.values():
        seats = [seat for seat in result.places if held.get(seat)]
        for seat in seats:
            player = held[seat]
            known.setdefault(player, model.rating())
            games[player] = games.get(player, 0) + 1
            won[player] = won.get(player, 0) + (result.places[seat] == 1)
        if len(seats) > 1:
            teams = [[known[held[seat]]] for seat in seats]
            rated = model.rate(teams, ranks=[float(result.places[seat]) for seat in seats])
            known.update({held[seat]: team[0] for seat, team in zip(seats, rated)})
    found = [
        {
            "player": player,
            "rating": round(rating.ordinal(), DIGITS),
            "mu": round(rating.mu, DIGITS),
            "sigma": round(rating.sigma, DIGITS),
            "games": games[player],
            "won": won[player],
        }
        for player, rating in known.items()
    ]
    return sorted(found, key=lambda entry: (-entry["rating"], entry["player"]))
