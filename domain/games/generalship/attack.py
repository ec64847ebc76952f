"""Pages 21 to 27: the attacks, losses, and what follows a battle."""

from __future__ import annotations

from domain.games.generalship.battle import commander_in_battle, enemy, kind_of_battle
from domain.games.generalship.data import CARDS, KIND, PACK, TILES, UNITS
from domain.games.generalship.fleet import settle_fleet
from domain.games.generalship.formation import Fight, Formation, Laid, land_fight, naval_fight, read
from domain.games.generalship.reinforce import engage
from domain.games.generalship.retreat import retreat
from domain.games.generalship.schema import DONE, camp, hull
from domain.games.generalship.table import MOST_BATTLES, Answer, Counted, Field, dismiss, handful, score_points
from domain.kernel import END, Ask, Counts, Rules

REWARDS = PACK.tables["rewards"]
IN_BATTLE = ("battlefield", "attacker", "defender", "striker", "beaten", "outcome", "style", "deficit", "ambushed")

# -- steps 6 and 7 -----------------------------------------------------------------------------------


def attack(t: Field) -> Rules:
    """G21.8, G22.1-3: both sides lay units and cards face down, the striker first; reveal and compare."""
    striker = t.get("striker")
    other = enemy(t, striker)
    origin: dict[str, list[tuple[str, str, int]]] = {}
    for seat, side in ((striker, "atk"), (other, "def")):
        choice = Formation(t, [*ranks(t, seat), f"hand:{seat}"], kind_of_battle(t), side)
        taken = yield Ask(seat, "commit_attack", choice, "G21.8", about={"side": side})
        origin[seat] = lay_down(t, seat, dict(taken))
    fight = reveal(t, striker, other)
    for seat in (striker, other):
        take_up(t, seat, origin[seat])
    t.tell("fight", "G22.1", who=t.name(striker), whom=t.name(other), atk=fight.atk, dfn=fight.dfn, style=fight.style or "land")
    if fight.succeeds:
        t.set("beaten", other, cite="G22.1")
        t.set("deficit", fight.atk - fight.dfn, cite="G24.1")
        t.set("style", fight.style or "land", cite="G25.4")
        t.set("outcome", "fought", cite="G22.4")
        return "losses"
    if striker == t.get("defender"):
        t.set("striker", t.get("attacker"), cite="G22.2")
        return "attack"
    t.set("beaten", t.get("attacker"), cite="G22.3")
    t.set("outcome", "fought", cite="G22.4")
    return "leave_field"


def ranks(t: Field, seat: str) -> list[str]:
    """The zones of a side's units in the battle."""
    tile = t.get("battlefield")
    if TILES[tile].sea:
        return [hull(seat, ship) for ship in t.fleet(seat, tile)]
    return [camp(seat, tile, DONE)]


def lay_down(t: Field, seat: str, taken: Counted) -> list[tuple[str, str, int]]:
    """Face down on the table; remembers where each unit came from."""
    origin: list[tuple[str, str, int]] = []
    for item, n in sorted(taken.items()):
        for zone in [f"hand:{seat}"] if item in CARDS else ranks(t, seat):
            some = min(n, t.zones[zone].get(item, 0))
            if some:
                t.move(item, zone, f"laid:{seat}", some, cite="G21.8")
                origin.append((item, zone, some))
                n -= some
    return origin


def reveal(t: Field, striker: str, other: str) -> Fight:
    """Everything is turned up and compared."""
    shown: dict[str, Laid] = {}
    for seat in (striker, other):
        for item, n in sorted(t.zones[f"laid:{seat}"].items()):
            t.move(item, f"laid:{seat}", f"open:{seat}", n, cite="G21.8")
        shown[seat] = read(t.zones[f"open:{seat}"])
        units = [*(f"{n} {UNITS[item].name}" for item, n in shown[seat].regiments.items()), *filter(None, [shown[seat].squadron])]
        cards = [CARDS[card].name for card in shown[seat].cards]
        t.tell("lays_down", "G21.8", who=t.name(seat), units=", ".join(units), cards=", ".join(cards))
    if kind_of_battle(t) == "naval":
        return naval_fight(shown[striker], shown[other])
    return land_fight(shown[striker], shown[other], commander_in_battle(t, striker), commander_in_battle(t, other))


def take_up(t: Field, seat: str, origin: list[tuple[str, str, int]]) -> None:
    """Units go back face down, the cards played are out for this battle (G22.2)."""
    for item, zone, n in origin:
        t.move(item, f"open:{seat}", "played" if item in CARDS else zone, n, cite="G22.2")


# -- losses ------------------------------------------------------------------------------------------


def losses(t: Field) -> Rules:
    """G24.1, G27.1-2: the loser gives up units worth at least the difference, and none that could be spared."""
    seat, style = t.get("beaten"), t.get("style")
    commander = commander_in_battle(t, seat)
    spared = sum(a.n for a in commander.abilities if a.kind == "loss_reduction") if commander else 0
    need = max(0, t.get("deficit") - spared)
    toll = Toll(t, seat, t.get("battlefield"), style, need)
    lost = toll.units
    if not need or not lost:
        return "leave_field"
    if toll.tokens > 1:
        choice = Counts(lost, 1, None, toll.refusal, toll.ways())
        about = {"difference": need, "style": style}
        lost = dict((yield Ask(seat, "choose_losses", choice, "G24.1" if style == "land" else "G27.1", about=about)))
    t.remove(seat, lost, "G24.1" if style == "land" else "G27.1")
    t.tell("loses", "G24.1" if style == "land" else "G27.1", who=t.name(seat), units=in_words(lost))
    yield from settle_fleet(t, seat, t.get("battlefield"), "G27.4")
    return "leave_field"


def in_words(labels: Counted) -> str:
    kinds: Counted = {}
    for label, n in labels.items():
        name = UNITS[label.split("@")[0]].name
        kinds[name] = kinds.get(name, 0) + n
    return ", ".join(f"{n} {name}" for name, n in kinds.items())


class Toll:
    """What must be given up after a lost attack: which sets of units are enough and not too much."""

    def __init__(self, t: Field, seat: str, tile: str, style: str, need: int) -> None:
        held = t.units(seat, [tile])
        ships = {label: n for label, n in held.items() if KIND[label.split("@")[0]] == "ship"}
        regiments = {label: n for label, n in held.items() if label not in ships}
        self.style, self.need = style, need
        if style == "land":
            ships = {}  # G24.2
        elif style == "bombardment":
            regiments = {}  # G27.2
        self.regiments, self.ships = regiments, ships
        # What everybody can count: whether the owner is asked must not depend on the types.
        self.tokens = sum(regiments.values()) + sum(ships.values())
        # G27.1: ships only for what all regiments together do not cover.
        self.rest = need - self.worth(regiments)
        if self.rest <= 0:
            self.ships = {}
        self.units = {**self.regiments, **self.ships}

    def value(self, label: str) -> int:
        loss = UNITS[label.split("@")[0]].loss_def
        return loss["naval"] if "naval" in loss else loss[self.style]

    def worth(self, labels: Counted) -> int:
        return sum(self.value(label) * n for label, n in labels.items())

    def refusal(self, taken: Counted) -> str | None:
        if self.regiments and self.ships:  # every regiment is lost, ships cover the rest
            if any(taken.get(label, 0) < n for label, n in self.regiments.items()):
                return "the regiments are not enough: all of them are lost, and ships for the rest (G27.1)"
            return self.exact({label: n for label, n in taken.items() if label in self.ships}, self.ships, self.rest)
        return self.exact(taken, self.units, self.need)

    def exact(self, taken: Counted, of: Counted, need: int) -> str | None:
        """R28: enough for the need, or everything; and no unit that could be spared."""
        need = min(need, self.worth(of))
        got = self.worth(taken)
        if got < need:
            return f"losses must be worth at least {need}, these are worth {got} (G24.1)"
        for label in taken:
            if got - self.value(label) >= need:
                return f"{label} could be spared (G24.1)"
        return None

    def ways(self) -> list[Answer]:
        """Legal answers to fall back on: cheap units first, dear ones first."""
        found: list[Answer] = []
        for sign in (1, -1):
            fixed = dict(self.regiments) if self.regiments and self.ships else {}
            of, need = (self.ships, self.rest) if fixed else (self.units, self.need)
            taken: Counted = {}
            pool = sorted((label for label, n in of.items() for _ in range(n)), key=lambda label: (sign * self.value(label), label))
            for label in pool:
                if self.worth(taken) < need:
                    taken[label] = taken.get(label, 0) + 1
            for label in sorted(taken, key=self.value):
                while taken.get(label) and self.worth(taken) - self.value(label) >= min(need, self.worth(of)):
                    taken[label] -= 1
            found.append(handful(fixed | taken))
        return found


# -- aftermath ---------------------------------------------------------------------------------------


def leave_field(t: Field) -> Rules:
    """G18.1-4: the beaten side retreats what it has left."""
    yield from retreat(t, t.get("beaten"), t.get("battlefield"), "G18.3")
    return "aftermath"


def aftermath(t: Field) -> Rules:
    """G22.4-6, R25: ownership, battle counts, reward, cards back; then perhaps the second defender (R37)."""
    attacker, defender, beaten, field = t.get("attacker"), t.get("defender"), t.get("beaten"), t.get("battlefield")
    left = t.foes(attacker, field) if beaten == defender else []
    if beaten == defender and not left:
        t.take(attacker, field)
    for seat in (attacker,) if t.get("outcome") == "forced" else (attacker, defender):  # G20.2, G21.4, G22.4
        t.set(f"battles:{seat}", min(MOST_BATTLES, t.battles(seat) + 1), cite="G20.3")
    if t.get("outcome") == "fought" and (yield from reward(t, enemy(t, beaten), beaten)):
        return END
    cards_back(t)
    for name in IN_BATTLE:
        t.set(name, None)
    if left:
        t.set("battlefield", field, cite="G17.15")
        t.set("attacker", attacker, cite="G17.15")
        t.set("defender", left[0], cite="G17.15")
        t.tell("attacks", "G17.15", who=t.name(attacker), whom=t.name(left[0]), tile=field)
        for seat in (attacker, left[0]):
            engage(t, seat, field)
        return "withdrawal"
    return "march"


def reward(t: Field, winner: str, loser: str) -> Rules:
    """G22.5: victory points, or the loser's commander is discarded (R24). Whether the game is over."""
    points = REWARDS["attacker_vp"] if winner == t.get("attacker") else REWARDS["defender_vp"]
    answer = "vp"
    if t.commander(loser):
        answer = yield Ask(winner, "battle_reward", ["vp", "discard_commander"], "G22.5", about={"vp": points})
    t.tell("wins", "G22.5", who=t.name(winner), whom=t.name(loser))
    if answer == "vp":
        return score_points(t, winner, points, "G22.5")
    dismiss(t, loser, "G22.5")
    return False


def cards_back(t: Field) -> None:
    """G19.3: every tactic card returns to its deck."""
    for zone in ("played", *(f"{pile}:{seat}" for seat in (t.get("attacker"), t.get("defender")) for pile in ("hand", "tossed"))):
        for card in t.items(zone):
            t.move(card, zone, CARDS[card].deck, cite="G19.3")
