"""Pages 23 to 27: which units and cards a side may lay down for an attack, and what they are worth."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from domain.games.generalship.data import CARDS, KIND, PACK, SHIPS, UNITS
from domain.games.generalship.pack import Cover, General, Tactic, Value
from domain.games.generalship.table import Answer, Counted, Field, handful
from domain.kernel import Pick

LIMITS = PACK.tables["attack_limits"]
PRIORITY: list[str] = PACK.tables["naval_style_priority"]
BOMBARDED: dict[str, int] = PACK.tables["bombardment_def"]
GROUPS = PACK.groups
LAST_ATTACK_CARD = 5  # G23.5, G23.7: 6 to 8 are for other steps
EVADE_MELEE, EVADE_BOMBARDMENT = "NA4", "NA5"


class Laid(NamedTuple):
    """What a side has laid down for one attack."""

    regiments: Counted
    squadron: str | None
    cards: list[str]

    @property
    def advanced(self) -> Tactic | None:
        return next((CARDS[card] for card in self.cards if not CARDS[card].basic), None)


def read(taken: Counted) -> Laid:
    """A handful of units and cards, sorted out."""
    regiments = {item: n for item, n in taken.items() if item in UNITS and item not in SHIPS}
    squadron = next((item for item in taken if item in SHIPS), None)
    return Laid(regiments, squadron, sorted(card for card in taken if card in CARDS))


# -- legality ----------------------------------------------------------------------------------------


def refusal(battle: str, taken: Counted) -> str | None:
    """G23.1-2, G23.5, G23.7, G25.1-2: why these units and cards cannot be laid down together."""
    laid = read(taken)
    limit = LIMITS[battle]
    if sum(laid.regiments.values()) > limit["regiments"]:
        return f"at most {limit['regiments']} regiments fight in an attack ({'G25.1' if battle == 'naval' else 'G23.1'})"
    if sum(n for item, n in taken.items() if item in SHIPS) > limit.get("squadrons", 0):
        return "at most one squadron fights in an attack (G25.1)" if battle == "naval" else "squadrons do not fight on land (G24.2)"
    if battle == "naval":
        if any(KIND[item] == "cavalry" for item in laid.regiments):
            return "cavalry never fights at sea (G25.2)"
        if "artillery" in laid.regiments and laid.squadron != "galleon":
            return "artillery fights at sea only with a galleon laid down (G25.2)"
    advanced = [CARDS[card] for card in laid.cards if not CARDS[card].basic]
    if len(advanced) > 1:
        return "only one advanced card goes with an attack (G23.5)"
    if any(card.number > LAST_ATTACK_CARD for card in advanced):
        return "ambush, retreat and pursuit cannot be used in an attack (G23.7)"
    if not covers([CARDS[card] for card in laid.cards if CARDS[card].basic], laid.regiments):
        return "every regiment stands on exactly one basic card, and every basic card covers one of its options (G23.2)"
    return None


def covers(cards: Sequence[Tactic], regiments: Counted) -> bool:
    """Whether each card can take one of its options so that every regiment is taken exactly once (R26)."""
    if not cards:
        return not any(regiments.values())
    first, rest = cards[0], cards[1:]
    return any(
        regiments.get(option.unit, 0) >= option.count
        and covers(rest, {**regiments, option.unit: regiments[option.unit] - option.count})
        for option in first.options
    )


class Formation(Pick):
    """Units and cards out of hidden zones; a sample is always legal and mostly sensible."""

    __slots__ = ("battle", "side")

    def __init__(self, t: Field, zones: list[str], battle: str, side: str) -> None:
        super().__init__(t, zones, 0, None, lambda taken: refusal(battle, taken), only=lambda item: item in UNITS or item in CARDS)
        self.battle, self.side = battle, side

    def sample(self, rng: Random) -> Answer:
        """Lay card after card on what is left, in the order of their worth or in any order."""
        limit = LIMITS[self.battle]
        left = {item: n for item, n in self.of.items() if item in UNITS}
        taken: Counted = {}
        ships = [item for item in left if item in SHIPS]
        if self.battle == "naval" and ships and rng.random() < 0.9:
            taken[rng.choice([*ships, max(ships, key=BOMBARDED.__getitem__)])] = 1
        room = limit["regiments"]
        eager = rng.random() < 0.7
        basics = [card for card in self.of if card in CARDS and CARDS[card].basic]
        rng.shuffle(basics)
        while basics and (eager or rng.random() < 0.7):
            offers = [
                (card, option)
                for card in basics
                for option in CARDS[card].options
                if option.count <= min(room, left.get(option.unit, 0)) and self.fights(option.unit, taken)
            ]
            if not offers:
                break
            card, option = max(offers, key=lambda offer: self.worth(offer[1])) if eager else rng.choice(offers)
            taken[card] = 1
            taken[option.unit] = taken.get(option.unit, 0) + option.count
            left[option.unit] -= option.count
            room -= option.count
            basics.remove(card)
        advanced = [c for c in self.of if c in CARDS and not CARDS[c].basic and CARDS[c].number <= LAST_ATTACK_CARD]
        if advanced and rng.random() < 0.8:
            taken[rng.choice(advanced)] = 1
        return handful(taken)

    def fights(self, unit: str, taken: Counted) -> bool:
        return self.battle == "land" or (KIND[unit] == "infantry" and (unit != "artillery" or "galleon" in taken))

    def worth(self, option: Cover) -> int:
        """A rough value of the regiments on a card."""
        unit = UNITS[option.unit]
        values = [unit.land] if self.battle == "land" else list(unit.naval.values())
        best = max((value.atk if self.side == "atk" else value.dfn) for value in values if value)
        return best * option.count


# -- values ------------------------------------------------------------------------------------------


class Fight(NamedTuple):
    """How an attack came out: the two sums, the style at sea, and whether it was broken off."""

    atk: int
    dfn: int
    style: str = ""
    broken_off: bool = False

    @property
    def succeeds(self) -> bool:
        """G22.1-2: an equal defence holds."""
        return self.atk > self.dfn and not self.broken_off


def composition(regiments: Counted) -> Counted:
    """Committed regiments by type and by the groups the cards name."""
    found = dict(regiments)
    for group, members in GROUPS.items():
        found[group] = sum(regiments.get(member, 0) for member in members)
    return found


def meets(regiments: Counted, condition: dict[str, int]) -> bool:
    """Conditions like `cavalry_min: 3`."""
    there = composition(regiments)
    for wanted, n in condition.items():
        group, _, bound = wanted.rpartition("_")
        if (there.get(group, 0) < n) if bound == "min" else (there.get(group, 0) > n):
            return False
    return True


def bonus(laid: Laid, commander: General | None) -> Value:
    """G23.5-6, R40: an advanced card whose condition is not met gives nothing."""
    card = laid.advanced
    if card is None:
        return Value()
    if card.requires_commander_ability:
        troops = {a.troop for a in commander.abilities if a.kind == card.requires_commander_ability} if commander else set()
        for option in card.options:
            if option.troop in troops and meets(laid.regiments, option.condition):
                return option.bonus
        return Value()
    if card.bonus is None or not meets(laid.regiments, card.condition):  # type: ignore[arg-type]
        return Value()
    return card.bonus


def land_fight(striker: Laid, other: Laid, striking: General | None, standing: General | None) -> Fight:
    """G23.4-6: the sums of the unit table and the bonus of one advanced card each."""
    atk = sum(_land(item).atk * n for item, n in striker.regiments.items())
    dfn = sum(_land(item).dfn * n for item, n in other.regiments.items())
    return Fight(atk + bonus(striker, striking).atk, dfn + bonus(other, standing).dfn)


def style_of(laid: Laid) -> str | None:
    """G25.3, R29: melee, shooting or bombardment by the regiments laid down; none without any."""
    if any(item in GROUPS["melee_infantry"] for item in laid.regiments):
        return "melee"
    if any(item in GROUPS["shooting_infantry"] for item in laid.regiments):
        return "shooting"
    return "bombardment" if laid.regiments else None


def naval_fight(striker: Laid, other: Laid) -> Fight:
    """G25.3-7: the style decides the values; in bombardment the ship alone defends."""
    mine, theirs = style_of(striker), style_of(other)
    for laid, own, opposite in ((striker, mine, theirs), (other, theirs, mine)):
        card = laid.advanced
        if card and card.id == EVADE_BOMBARDMENT and own != "bombardment" and opposite == "bombardment":
            return Fight(0, 0, "bombardment", broken_off=True)
    style = min((style for style in (mine, theirs) if style), key=PRIORITY.index, default=None)
    for laid, own, opposite in ((striker, mine, theirs), (other, theirs, mine)):
        card = laid.advanced
        if card and card.id == EVADE_MELEE and own == "shooting" and opposite == "melee":
            style = "shooting"
    if style is None:
        return Fight(0, 0)
    atk = sum(_naval(item, style).atk * n for item, n in striker.regiments.items()) + bonus(striker, None).atk
    dfn = sum(_naval(item, style).dfn * n for item, n in other.regiments.items())
    if style == "bombardment":
        dfn = BOMBARDED[other.squadron] if other.squadron else 0  # G25.6, R41
    return Fight(atk, dfn, style)


def _land(item: str) -> Value:
    return UNITS[item].land or Value()


def _naval(item: str, style: str) -> Value:
    return UNITS[item].naval[style] or Value()
