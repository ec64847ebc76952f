"""The Small Court: a made-up game that needs whatever the biggest titles need. Read it as the example of a title.

Two to four houses play one to three rounds at a small court. Coins and favours lie open in the purses, letters are held in
hand, agents stand face down so that only their class is seen, and every house has a secret aim. The rule numbers are SC.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from domain.kernel import (
    BACK,
    BAG,
    END,
    OPEN,
    ROW,
    Ask,
    AskAll,
    AskAny,
    Assign,
    Counts,
    Draw,
    Event,
    Move,
    Number,
    Option,
    Pick,
    Roll,
    Rules,
    Schema,
    Score,
    Section,
    Shuffle,
    Table,
    Taken,
    Title,
    hidden,
    own,
)

SEATS = ("ash", "birch", "cedar", "doric")
KINDS = {"veto": 5, "courier": 3, "forger": 3, "thief": 3, "spy": 3, "pardon": 3}
LETTERS = [f"{kind}-{n}" for kind, many in KINDS.items() for n in range(1, many + 1)]
AGENTS = [f"{kind}-{n}" for kind in ("rider", "walker") for n in range(1, 7)]
AIMS = ["coins", "favours", "letters"]
POSTS = ["gate", "tower"]
OFFICES = 11
HAND_LIMIT = 4


# -- the table ----------------------------------------------------------------------------------------


def hand(seat: str) -> str:
    return f"hand:{seat}"


def court(seat: str) -> str:
    return f"court:{seat}"


def purse(seat: str) -> str:
    return f"purse:{seat}"


def kind(item: str) -> str:
    """The word on the face: `veto-3` is a veto."""
    return item.split("-")[0]


def back(item: str) -> str:
    """All letters look alike from behind; of an agent the class is seen."""
    return "letter" if kind(item) in KINDS else kind(item)


def schema(seats: Sequence[str], options: dict[str, Any]) -> Schema:
    s = Schema(seats, options, back)
    s.zone("deck", ROW, hidden())
    s.zone("discard", BAG, OPEN)
    s.zone("camp", BAG, hidden(BACK))
    s.register("round", int, OPEN)
    s.register("lead", str, OPEN)
    s.register("turns", int, OPEN)
    for seat in seats:
        s.zone(purse(seat), BAG, OPEN)
        s.zone(hand(seat), BAG, own(seat))
        s.zone(court(seat), BAG, own(seat, others=BACK))
        s.zone(f"field:{seat}", BAG, OPEN)
        for post in POSTS:
            s.zone(f"{post}:{seat}", BAG, own(seat, others=BACK))
        s.register(f"aim:{seat}", str, own(seat))
        s.register(f"points:{seat}", int, OPEN)
    return s


class Court(Table):
    """The Small Court's own words over the table."""

    __slots__ = ()
    reach = 3  # SC 7.1

    def coins(self, seat: str) -> int:
        return self.count(purse(seat), "coin")

    def from_(self, seat: str) -> list[str]:
        """All seats in table order, beginning with this one."""
        at = self.seats.index(seat)
        return [*self.seats[at:], *self.seats[:at]]

    def others(self, seat: str) -> list[str]:
        return self.from_(seat)[1:]

    def holders(self, seat: str) -> list[str]:
        """Everybody else who holds letters: how many a house holds is public, which ones is not."""
        return [other for other in self.others(seat) if self.total(hand(other))]

    @property
    def active(self) -> str:
        return self.from_(self.get("lead"))[self.get("turns")]


# -- SC 1-2 before the first round ----------------------------------------------------------------------


def setup(t: Court) -> Rules:
    """SC 1: every house gets three coins, three letters and three agents; the other letters are the deck."""
    for letter in LETTERS:
        t.move(letter, "box", "deck")
    yield Shuffle("deck", "shuffle", "SC 1.1")
    for agent in AGENTS:
        t.move(agent, "box", "camp")
    for seat in t.seats:
        t.move("coin", "box", purse(seat), 3, cite="SC 1.2")
        for _ in range(3):
            yield from draw_letter(t, seat, "SC 1.3")
        for _ in range(3):
            yield from draw_agent(t, seat, "SC 1.4")
    t.set("round", 1)
    return "aims"


def draw_letter(t: Court, seat: str, cite: str) -> Rules:
    """SC 1.5: from the top; an empty deck is made again from the discards."""
    if not t.zones["deck"]:
        for letter in t.items("discard"):
            t.move(letter, "discard", "deck")
        yield Shuffle("deck", "shuffle", "SC 1.5")
    if t.zones["deck"]:
        t.move(t.zones["deck"][-1], "deck", hand(seat), cite=cite)


def draw_agent(t: Court, seat: str, cite: str) -> Rules:
    """SC 1.6: blindly out of the camp, while there are any."""
    if t.total("camp"):
        t.move((yield Draw("camp", "agent", cite)), "camp", court(seat))


def aims(t: Court) -> Rules:
    """SC 2: every house chooses its aim in secret; it stays secret to the end."""
    chosen = yield AskAll([Ask(seat, "aim", AIMS, "SC 2.1") for seat in t.seats])
    for seat in t.seats:
        t.set(f"aim:{seat}", chosen[seat], cite="SC 2.1")
    return "rumour" if t.options["rumours"] else "auction"


# -- SC 3-4 the beginning of a round --------------------------------------------------------------------


def rumour(t: Court) -> Rules:
    """SC 3: whoever speaks first either praises somebody, who gains a coin, or slanders them, who lose one."""
    taken: Taken = yield AskAny(
        [
            Ask(seat, "speak", [[what, other] for what in ("praise", "slander") for other in t.others(seat)], "SC 3.1")
            for seat in t.seats
        ]
    )
    what, other = taken.answer
    if what == "praise":
        t.move("coin", "box", purse(other), cite="SC 3.2")
    elif t.coins(other):
        t.move("coin", purse(other), "box", cite="SC 3.3")
    return "auction"


def auction(t: Court) -> Rules:
    """SC 4: sealed bids for the lead. Who ties bids again, twice; then the dice decide. Only the winner pays."""
    bidders = list(t.seats)
    for _ in range(3):
        bids: dict[str, int] = yield AskAll([Ask(seat, "bid", Number(0, t.coins(seat)), "SC 4.1") for seat in bidders])
        t.say("SC 4.2", **bids)
        best = max(bids.values())
        bidders = [seat for seat in bidders if bids[seat] == best]
        if len(bidders) == 1:
            break
    winner = bidders[0] if len(bidders) == 1 else (yield from roll_off(t, bidders, best))
    t.move("coin", purse(winner), "box", best, cite="SC 4.3")
    t.set("lead", winner, cite="SC 4.3")
    t.set("turns", 0)
    return "turn"


def roll_off(t: Court, tied: list[str], bid: int) -> Rules:
    """SC 4.4: the highest die wins, the first in table order among equals; a die may be rolled again for a coin left over."""
    dice: dict[str, int] = {}
    for seat in tied:
        [dice[seat]] = yield Roll(1, "roll_off", "SC 4.4", seat=seat)
        if t.coins(seat) > bid:
            again = yield Ask(seat, "roll_again", ["keep", "again"], "SC 4.5", about={"rolled": dice[seat]})
            if again == "again":
                t.move("coin", purse(seat), "box", cite="SC 4.5")
                [dice[seat]] = yield Roll(1, "roll_off", "SC 4.5", seat=seat)
    return max(tied, key=lambda seat: dice[seat])


# -- SC 5 turns -----------------------------------------------------------------------------------------


def turn(t: Court) -> Rules:
    """SC 5: the house on turn does one deed, unless somebody first pays it to do nothing."""
    seat = t.active
    deeds = ["rest", "petition", "deal"]
    if t.total(hand(seat)):
        deeds.append("letter")
    if t.holders(seat):
        deeds.append("raid")
    bribes = [Ask(other, "bribe", Number(1, t.coins(other)), "SC 5.2") for other in t.others(seat) if t.coins(other)]
    deed = yield Ask(seat, "deed", deeds, "SC 5.1", offers=bribes)
    if isinstance(deed, Taken):
        t.move("coin", purse(deed.seat), purse(seat), deed.answer, cite="SC 5.2")
    else:
        yield from DEEDS[deed](t, seat)
    t.add("turns", 1)
    return "turn" if t.get("turns") < len(t.seats) else "posts"


def rest(t: Court, seat: str) -> Rules:
    """SC 5.3: a coin and a letter."""
    t.move("coin", "box", purse(seat), cite="SC 5.3")
    yield from draw_letter(t, seat, "SC 5.3")


def raid(t: Court, seat: str) -> Rules:
    """SC 5.4: the house that is raided pays a coin or has a letter drawn blindly from its hand."""
    victim = yield Ask(seat, "victim", t.holders(seat), "SC 5.4")
    if t.coins(victim):  # without coins there is publicly nothing to choose
        ransom = yield Ask(victim, "ransom", ["pay", "suffer"], "SC 5.5")
        if ransom == "pay":
            t.move("coin", purse(victim), purse(seat), cite="SC 5.5")
            return
    yield from draw_blindly(t, seat, victim, "SC 5.6")


def draw_blindly(t: Court, seat: str, victim: str, cite: str) -> Rules:
    t.move((yield Draw(hand(victim), "blind_draw", cite)), hand(victim), hand(seat))


# -- SC 6 deals -----------------------------------------------------------------------------------------


def deal(t: Court, seat: str) -> Rules:
    """SC 6: a bundle for a bundle; both confirm in table order, and all of it changes hands at once or nothing does."""
    partner = yield Ask(seat, "partner", t.others(seat), "SC 6.1")
    give = yield Ask(seat, "give", Counts(t.zones[purse(seat)]), "SC 6.2")
    take = yield Ask(seat, "take", Counts(t.zones[purse(partner)]), "SC 6.2")
    for party in t.seats:
        if party in (seat, partner):
            said = yield Ask(party, "confirm", ["yes", "no"], "SC 6.3", about={"with": seat, "gives": give, "takes": take})
            if said == "no":
                return
    for goods, n in give:
        t.move(goods, purse(seat), purse(partner), n, cite="SC 6.4")
    for goods, n in take:
        t.move(goods, purse(partner), purse(seat), n, cite="SC 6.4")


# -- SC 7 letters ---------------------------------------------------------------------------------------


def letter(t: Court, seat: str) -> Rules:
    """SC 7: a letter is read aloud; if it stands, it works."""
    [[played, _]] = yield Ask(seat, "letter", Pick(t, hand(seat), 1, 1), "SC 7.0")
    t.move(played, hand(seat), "discard", cite="SC 7.0")
    if (yield from stands(t, seat)) and kind(played) in LETTERS_WORK:
        yield from LETTERS_WORK[kind(played)](t, seat)


def stands(t: Court, seat: str) -> Rules:
    """SC 7.5: a letter stands unless somebody else's veto stands. All who hold letters are asked, sealed; the next in order counts."""
    holders = t.holders(seat)
    if not holders:
        return True
    vetoes = yield AskAll(
        [Ask(other, "veto", Pick(t, hand(other), 0, 1, only=lambda item: kind(item) == "veto"), "SC 7.5") for other in holders]
    )
    taker = next((other for other in holders if vetoes[other]), None)
    if taker is None:
        return True
    [[veto, _]] = vetoes[taker]
    t.move(veto, hand(taker), "discard", cite="SC 7.5")
    return not (yield from stands(t, taker))


def courier(t: Court, seat: str) -> Rules:
    """SC 7.1: look at the top letters of the deck and put them back in any order."""
    deck = t.zones["deck"]
    top = deck[-t.reach :]
    if not top:
        return
    t.show(seat, "deck", top)
    places = {f"place {n}": top for n in range(1, len(top) + 1)}
    order = yield Ask(seat, "arrange", Assign(places, each_once), "SC 7.1", secret=True)
    below = len(deck) - len(top)
    t.reorder("deck", [*range(below), *(below + top.index(item) for item in order)], cite="SC 7.1")


def each_once(taken: dict[str, str]) -> str | None:
    return None if len(set(taken.values())) == len(taken) else "put each letter back once (SC 7.1)"


def forger(t: Court, seat: str) -> Rules:
    """SC 7.2: slip a letter into the deck at any depth, then draw one."""
    if not t.total(hand(seat)):
        return
    [[slipped, _]] = yield Ask(seat, "slip", Pick(t, hand(seat), 1, 1), "SC 7.2")
    depth = yield Ask(seat, "depth", Number(0, len(t.zones["deck"])), "SC 7.2", secret=True)
    t.move(slipped, hand(seat), "deck", to=depth, cite="SC 7.2")
    yield from draw_letter(t, seat, "SC 7.2")


def thief(t: Court, seat: str) -> Rules:
    """SC 7.3: draw blindly from another house's hand."""
    if t.holders(seat):
        victim = yield Ask(seat, "victim", t.holders(seat), "SC 7.3")
        yield from draw_blindly(t, seat, victim, "SC 7.3")


def spy(t: Court, seat: str) -> Rules:
    """SC 7.4: look at another house's letters and agents."""
    other = yield Ask(seat, "spied_on", t.others(seat), "SC 7.4")
    for zone in (hand(other), court(other)):
        t.show(seat, zone, t.items(zone))


# -- SC 8 petitions -------------------------------------------------------------------------------------


def petition(t: Court, seat: str) -> Rules:
    """SC 8: a petition climbs eleven offices, one inside the other; the higher it ends, the more favours it earns."""
    reached = yield from office(t, seat, 1)
    t.move("favour", "box", purse(seat), reached // 3, cite="SC 8.3")


def office(t: Court, seat: str, rank: int) -> Rules:
    """SC 8.1: at the fifth, the eighth and the last office the house may settle; whoever goes on from there hears the verdict."""
    if rank % 3 == 2 and rank > 2:
        onward = yield Ask(seat, "onward", ["go on", "settle"], "SC 8.1", about={"office": rank})
        if onward == "settle":
            return rank
    if rank < OFFICES:
        return (yield from office(t, seat, rank + 1))
    [pips] = yield Roll(1, "verdict", "SC 8.2", seat=seat)
    return 3 * pips


# -- SC 9-10 agents -------------------------------------------------------------------------------------


def posts(t: Court) -> Rules:
    """SC 9: all send their agents to the gate, to the tower or nowhere, at the same time and face down."""
    ready = [seat for seat in t.seats if t.total(court(seat))]
    asks = [Ask(seat, "posts", Assign({agent: [*POSTS, "stay"] for agent in t.items(court(seat))}), "SC 9.1") for seat in ready]
    sent = (yield AskAll(asks)) if asks else {}
    for seat in ready:
        for agent, post in zip(t.items(court(seat)), sent[seat], strict=True):
            if post in POSTS:
                t.move(agent, court(seat), f"{post}:{seat}", cite="SC 9.2")
    return "clash"


def clash(t: Court) -> Rules:
    """SC 10: at each post all agents are turned up; the strongest house earns a favour, the weakest sends an agent to camp."""
    for post in POSTS:
        there = [seat for seat in t.seats if t.total(f"{post}:{seat}")]
        for seat in there:
            for agent in t.items(f"{post}:{seat}"):
                t.move(agent, f"{post}:{seat}", f"field:{seat}", cite="SC 10.1")
        strength = {seat: sum(int(agent.split("-")[1]) for agent in t.items(f"field:{seat}")) for seat in there}
        if there:
            t.move("favour", "box", purse(max(there, key=lambda seat: strength[seat])), cite="SC 10.2")
        if len(there) > 1:
            weakest = min(there, key=lambda seat: strength[seat])
            [[lost, _]] = yield Ask(weakest, "dismiss", Pick(t, f"field:{weakest}", 1, 1), "SC 10.3")
            t.move(lost, f"field:{weakest}", "camp", cite="SC 10.3")
        for seat in there:
            for agent in t.items(f"field:{seat}"):
                t.move(agent, f"field:{seat}", court(seat))
    return "close"


# -- SC 11-12 the end of a round and of the game --------------------------------------------------------


def close(t: Court) -> Rules:
    """SC 11: everybody draws a letter and an agent; letters beyond four go under the deck, unseen."""
    for seat in t.seats:
        yield from draw_letter(t, seat, "SC 11.1")
        yield from draw_agent(t, seat, "SC 11.1")
        if (over := t.total(hand(seat)) - HAND_LIMIT) > 0:
            for item, _ in (yield Ask(seat, "bury", Pick(t, hand(seat), over, over), "SC 11.2")):
                t.move(item, hand(seat), "deck", to=0, cite="SC 11.2")
    if t.get("round") == t.options["rounds"]:
        return "reckoning"
    t.add("round", 1, cite="SC 11.3")
    return "rumour" if t.options["rumours"] else "auction"


def reckoning(t: Court) -> Rules:
    """SC 12: a coin is a point, a favour two; who has most of what it aimed for gets five more."""
    yield from ()
    for seat in t.seats:
        aim = t.get(f"aim:{seat}")
        t.say("SC 12.2", seat=seat, aim=aim)
        bonus = 5 if all(has(t, seat, aim) >= has(t, other, aim) for other in t.others(seat)) else 0
        t.set(f"points:{seat}", worth(t, seat) + bonus, cite="SC 12.2")
    return END


def has(t: Court, seat: str, aim: str) -> int:
    return t.total(hand(seat)) if aim == "letters" else t.count(purse(seat), aim.removesuffix("s"))


def worth(t: Court, seat: str) -> int:
    return t.coins(seat) + 2 * t.count(purse(seat), "favour")  # SC 12.1


# -- SC 13 pardons: a right of any house at any time ----------------------------------------------------


def standing(t: Court) -> list[Ask]:
    """SC 13: whoever holds a pardon may use it whenever something new begins. Nobody else hears that it is offered."""
    holds = {seat: [item for item in t.items(hand(seat)) if kind(item) == "pardon"] for seat in t.seats}
    return [Ask(seat, "pardon", pardons, "SC 13.1", about={"gains": 2}) for seat, pardons in holds.items() if pardons]


def pardon(t: Court, seat: str, key: str, used: str) -> Rules:
    """SC 13.2: two coins, if the pardon stands."""
    t.move(used, hand(seat), "discard", cite="SC 13.1")
    if (yield from stands(t, seat)):
        t.move("coin", "box", purse(seat), 2, cite="SC 13.2")


# -- what the rest of Chancery asks ---------------------------------------------------------------------


def score(t: Court) -> list[Score]:
    return [
        Score(seat, t.get(f"points:{seat}", worth(t, seat)), {"coins": t.coins(seat), "letters": t.total(hand(seat))})
        for seat in t.seats
    ]


def winners(t: Court) -> list[str]:
    if t.get("step") != END:
        return []
    best = max(line.points for line in score(t))
    return [line.seat for line in score(t) if line.points == best]


def board(t: Court) -> list[Section]:
    rows = [[seat, str(t.coins(seat)), str(t.total(hand(seat))), " ".join(t.items(court(seat)))] for seat in t.seats]
    return [Section("houses", ["house", "coins", "letters", "agents"], rows)]


def tell(event: Event, _: Callable[[str], str]) -> list[str]:
    return [_("{item} goes to {place}").format(item=op.item, place=op.dst) for op in event.ops if type(op) is Move]


def invariants(t: Court) -> list[str]:
    """Letters and agents are neither made nor lost."""
    for all_of in (LETTERS, AGENTS):
        for item in all_of:
            lie = sum(t.count(zone, item) for zone, held in t.zones.items() if held is not None)
            if lie != 1 and t.get("step"):
                return [f"{item} lies {lie} times on the table"]
    return []


def exercised(event: Event) -> Iterator[tuple[str, str]]:
    return (("letters", kind(op.item)) for op in event.ops if type(op) is Move and op.dst == "discard")


DEEDS = {"rest": rest, "petition": petition, "deal": deal, "letter": letter, "raid": raid}
LETTERS_WORK = {"courier": courier, "forger": forger, "thief": thief, "spy": spy}

TITLE = Title(
    id="small-court",
    name="The Small Court",
    rules="1",
    players=(2, 3, 4),
    seats=lambda n: SEATS[:n],
    schema=schema,
    table=Court,
    steps={
        "setup": setup,
        "aims": aims,
        "rumour": rumour,
        "auction": auction,
        "turn": turn,
        "posts": posts,
        "clash": clash,
        "close": close,
        "reckoning": reckoning,
    },
    options={
        "rounds": Option(2, (1, 2, 3), "SC 11.3", "How many rounds are played."),
        "rumours": Option(True, (True, False), "SC 3.1", "Whether rounds begin with a rumour."),
    },
    standing=standing,
    interrupt=pardon,
    score=score,
    winners=winners,
    board=board,
    tell=tell,
    appraise=lambda t, seat: float(worth(t, seat)),
    invariants=invariants,
    catalogue={
        "letters": list(KINDS),
        "decisions": [
            *("aim", "arrange", "bid", "bribe", "bury", "confirm", "deed", "depth", "dismiss", "give", "letter", "onward"),
            *("pardon", "partner", "posts", "ransom", "roll_again", "slip", "speak", "spied_on", "take", "veto", "victim"),
        ],
        "chances": ["agent", "blind_draw", "roll_off", "shuffle", "verdict"],
    },
    exercised=exercised,
    special=[item for item in LETTERS if kind(item) in ("veto", "pardon")],
)


class SecondEdition(Court):
    """A courier carries four letters."""

    __slots__ = ()
    reach = 4


SECOND_EDITION = msgspec.structs.replace(TITLE, rules="2", table=SecondEdition)
