"""Pages 10 and 11: general cards and technology cards."""

from __future__ import annotations

from domain.games.generalship.data import GENERALS, PACK, TECHNOLOGIES
from domain.games.generalship.events import event_after
from domain.games.generalship.orders import Orders
from domain.games.generalship.pack import Technology
from domain.games.generalship.table import Answer, Field, dismiss, open_technologies, promote, score_points
from domain.games.generalship.turn import next_actor
from domain.kernel import END, Ask, Draw, Pick, Rules

POINTS = PACK.points
TECHNOLOGY_CARDS = 2  # G11.1


def refill(t: Field, deck: str, discard: str) -> bool:
    """G10.8, R11: an empty deck is made anew from its discard pile. Whether there is anything to draw."""
    if not t.zones[deck]:
        for card in t.items(discard):
            t.move(card, discard, deck, cite="G10.8")
    return bool(t.zones[deck])


# -- generals ----------------------------------------------------------------------------------------


def general_cards(t: Field) -> Rules:
    """G10.1-4: a new general, or use those at hand."""
    seat = t.get("actor")
    options = ["draw"] if t.zones["generals"] or t.zones["retired"] else []
    if t.zones[f"unused:{seat}"]:
        options.append("use")
    elif not t.zones[f"commander:{seat}"] and t.pp(seat):
        options.append("promote")  # G10.4

    def explain(words: list[str]) -> str | None:
        if words == ["promote"]:
            return "only a player with neither a commander nor an unused general makes his rightmost PP card commander (G10.4)"
        return "there is no unused general to use (G10.3)" if words == ["use"] else None

    if options:
        answer = yield Ask(seat, "general_action", Orders(options, explain), "G10.1")
        if answer == "draw":
            yield from draw_generals(t, seat)
        elif answer == "use":
            yield from use_generals(t, seat)
        else:
            promote(t, seat, "G10.4")
    return next_actor(t)


def draw_generals(t: Field, seat: str) -> Rules:
    """G10.2: one card; a commander may let his player draw several and keep one."""
    n = max([1, *(ability.n for ability in t.abilities(seat, "general_draw"))])
    drawn = 0
    while drawn < n and refill(t, "generals", "retired"):
        card = yield Draw("generals", "draw_general", "G10.2")
        t.move(card, "generals", f"dealt:{seat}" if n > 1 else f"unused:{seat}")
        drawn += 1
    t.tell("draws_generals", "G10.2", who=t.name(seat), n=drawn)
    if n > 1:
        kept: Answer = [[t.items(f"dealt:{seat}")[0], 1]]
        if drawn > 1:
            kept = yield Ask(seat, "general_action", Pick(t, f"dealt:{seat}", 1, 1), "G10.9", about={"part": "keep"})
        t.move(kept[0][0], f"dealt:{seat}", f"unused:{seat}", cite="G10.9")
        for card in t.items(f"dealt:{seat}"):
            t.move(card, f"dealt:{seat}", "retired", cite="G10.9")


def use_generals(t: Field, seat: str) -> Rules:
    """G10.3: at most one becomes commander, any of the others become PP, in an order of choice; at least one is used."""
    appointed = used = False
    while cards := t.items(f"unused:{seat}"):
        orders = [] if appointed else [f"commander {card}" for card in cards]
        orders += [f"power {card}" for card in cards]
        answer = yield Ask(
            seat,
            "general_action",
            orders,
            "G10.3",
            optional=used,
            secret=lambda answer: answer is not None and answer.startswith("power"),
            about={"part": "use"},
        )
        if answer is None:
            return
        used = True
        place, card = answer.split()
        if place == "commander":
            appointed = True
            dismiss(t, seat, "G10.3")
            t.move(card, f"unused:{seat}", f"commander:{seat}", cite="G10.3")
            t.tell("commander", "G10.3", who=t.name(seat), general=GENERALS[card].name)
        else:
            t.move(card, f"unused:{seat}", f"pp:{seat}", cite="G10.3")
            t.tell("power", "G10.3", who=t.name(seat), n=t.pp(seat))


# -- technology --------------------------------------------------------------------------------------


def technology_cards(t: Field) -> Rules:
    """G11.1: draw technology cards, or develop one technology."""
    seat = t.get("actor")
    hand = t.items(f"knowledge:{seat}")
    can_draw = bool(t.zones["technology"] or t.zones["learnt"])
    payable = [name for name in open_technologies(t) if can_pay(t, seat, TECHNOLOGIES[name], hand)]

    def explain(words: list[str]) -> str | None:
        if len(words) != 2 or words[0] != "develop" or words[1] not in TECHNOLOGIES:
            return None
        technology = TECHNOLOGIES[words[1]]
        if t.developed(words[1]):
            return f"{technology.name} is already developed (G11.5)"
        if words[1] not in open_technologies(t):
            needs = " or ".join(TECHNOLOGIES[name].name for name in technology.requires_any)
            return f"{technology.name} needs {needs} first (G11.4)"
        return f"you cannot pay for {technology.name} (G11.2)"

    # Without cards to draw the question is asked all the same, with a pass: whether a hand can pay is nobody's business.
    orders = ["draw"] if can_draw else []
    orders += [f"develop {name}" for name in payable]
    answer = yield Ask(seat, "technology_action", Orders(orders, explain), "G11.1", optional=not can_draw)
    if answer is None:
        return next_actor(t)
    if answer == "draw":
        n = max([TECHNOLOGY_CARDS, *(ability.n for ability in t.abilities(seat, "technology_draw"))])
        drawn = 0
        while drawn < n and refill(t, "technology", "learnt"):
            card = yield Draw("technology", "draw_technology", "G11.1")
            t.move(card, "technology", f"knowledge:{seat}")
            drawn += 1
        t.tell("draws_technology", "G11.1", who=t.name(seat), n=drawn)
        return next_actor(t)
    technology = TECHNOLOGIES[answer.split()[1]]
    yield from pay(t, seat, technology)
    return (yield from develop(t, seat, technology, technology.vp))


def can_pay(t: Field, seat: str, technology: Technology, hand: list[str]) -> bool:
    if technology.points:
        return sum(POINTS[card] for card in hand) >= technology.points
    return t.food(seat) >= technology.price.food and t.metal(seat) >= technology.price.metal


def pay(t: Field, seat: str, technology: Technology) -> Rules:
    """G11.2, G11.6: technology points from hand cards, the excess is lost; or resources."""
    if not technology.points:
        t.add(f"food:{seat}", -technology.price.food, cite="G11.6")
        t.add(f"metal:{seat}", -technology.price.metal, cite="G11.6")
        return
    cost = technology.points

    def enough(taken: dict[str, int]) -> str | None:
        paid = sum(POINTS[card] for card in taken)
        return None if paid >= cost else f"{technology.name} costs {cost} points, these cards are worth {paid} (G11.2)"

    choice = Pick(t, f"knowledge:{seat}", 1, None, enough, likely=payments(t.items(f"knowledge:{seat}"), cost))
    about = {"part": "payment", "technology": technology.id, "points": cost}
    cards = yield Ask(seat, "technology_action", choice, "G11.2", about=about)
    for card, _ in cards:
        t.move(card, f"knowledge:{seat}", "learnt", cite="G11.2")


def payments(hand: list[str], cost: int) -> list[Answer]:
    """Sensible ways to pay: with small cards first, with large cards first."""
    ways: list[Answer] = []
    for cards in (sorted(hand, key=lambda card: (POINTS[card], card)), sorted(hand, key=lambda card: (-POINTS[card], card))):
        spent: list[str] = []
        for card in cards:
            if sum(POINTS[c] for c in spent) < cost:
                spent.append(card)
        needed = [card for card in spent if sum(POINTS[c] for c in spent) - POINTS[card] < cost] or spent
        spent = needed if sum(POINTS[c] for c in needed) >= cost else spent
        ways.append([[card, 1] for card in sorted(spent)])
    return ways


def develop(t: Field, seat: str, technology: Technology, points: int) -> Rules:
    """G11.5-7, G12.1-2: marked for all, points to the developer, then the event behind it."""
    t.set(f"by:{technology.id}", seat, cite="G11.5")
    t.tell("develops", "G11.5", who=t.name(seat), technology=technology.name)
    if points and score_points(t, seat, points, "G11.7"):
        return END
    if (yield from event_after(t, seat, technology)):
        return "event"
    return next_actor(t)
