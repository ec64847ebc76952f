"""A small title with everything the service has to carry: hands, sealed bids, dice, secret answers, offers, an end.

Each round the seats bid a card face down, at once; the highest card wins the round (ties: the first seat), then the winner rolls a
die for points or keeps quiet. Before bidding, the leader hides one coin in either hand: a secret answer.
"""

from __future__ import annotations

from domain.kernel import END, Ask, AskAll, Draw, Option, Pick, Roll, Schema, Score, Title, hidden, own
from domain.kernel.schema import BAG, OPEN

CARDS = [f"card-{number:02}" for number in range(1, 25)]
HAND = 3


def schema(seats, options):
    found = Schema(seats, options)
    found.zone("deck", BAG, hidden())
    found.zone("discard", BAG, OPEN)
    found.register("leader", str, OPEN)
    found.register("coin", str, hidden())
    for seat in seats:
        found.zone(f"hand:{seat}", BAG, own(seat))
        found.register(f"points:{seat}", int, OPEN)
    return found


def setup(t):
    for card in CARDS:
        t.move(card, "box", "deck", cite="TOY 1.1")
    for seat in t.seats:
        t.set(f"points:{seat}", 0)
        for _ in range(HAND):
            card = yield Draw("deck", "deal", "TOY 1.2")
            t.move(card, "deck", f"hand:{seat}", cite="TOY 1.2")
    t.set("leader", t.seats[0])
    return "coin"


def coin(t):
    side = yield Ask(t.get("leader"), "hide", ["left", "right"], "TOY 2.1", secret=True)
    t.set("coin", side, cite="TOY 2.1")
    return "bid"


def bid(t):
    bids = yield AskAll([Ask(seat, "bid", Pick(t, f"hand:{seat}", 1, 1), "TOY 2.2") for seat in t.seats])
    for seat in t.seats:
        t.move(bids[seat][0][0], f"hand:{seat}", "discard", cite="TOY 2.3")
    best = max(t.seats, key=lambda seat: (bids[seat][0][0], -t.seats.index(seat)))
    t.set("leader", best, cite="TOY 2.4")
    return "roll"


def roll(t):
    leader = t.get("leader")
    if (yield Ask(leader, "dare", ["roll", "rest"], "TOY 3.1")) == "roll":
        faces = yield Roll(1, "points", "TOY 3.2", seat=leader)
        t.add(f"points:{leader}", faces[0], cite="TOY 3.2")
    else:
        t.add(f"points:{leader}", 2, cite="TOY 3.3")
    t.set("coin", None)
    return END if all(t.total(f"hand:{seat}") == 0 for seat in t.seats) else "coin"


def score(t):
    return [Score(seat, t.get(f"points:{seat}", 0)) for seat in t.seats]


def winners(t):
    if t.get("step") != END:
        return []
    best = max(t.get(f"points:{seat}", 0) for seat in t.seats)
    return [seat for seat in t.seats if t.get(f"points:{seat}", 0) == best]


TITLE = Title(
    id="toy",
    name="The Toy",
    rules="1",
    players=(2, 3),
    seats=lambda n: ["red", "blue", "green"][:n],
    schema=schema,
    steps={"setup": setup, "coin": coin, "bid": bid, "roll": roll},
    score=score,
    winners=winners,
    options={"stakes": Option("low", ("low", "high"), "TOY 1.3", "how much is at stake")},
    tell=lambda event, _: [f"{event.seat or 'the rules'} {event.ask or event.kind}"],
)


class Titles:
    """A collection with one title in it."""

    def get(self, id):
        from domain.kernel.errors import NotFound

        if id != TITLE.id:
            raise NotFound(f"there is no title {id!r}; there are: toy")
        return TITLE

    def all(self):
        return [TITLE]


def toy_app():
    """The service with this title alone, for a real server."""
    from service.settings import Settings
    from service.wsgi import create_app

    return create_app(Settings.from_environment(), titles=Titles())
