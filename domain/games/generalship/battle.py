"""Pages 19 to 22: a battle up to the attacks: forced withdrawal, cards, retreat, ambush, paid exchange."""

from __future__ import annotations

from typing import Any

from domain.games.generalship.data import CARDS, PACK, TILES
from domain.games.generalship.pack import General
from domain.games.generalship.schema import back
from domain.games.generalship.table import Field, spend_power
from domain.kernel import Ask, Draw, Pick, Rules

BASIC, ADVANCED = PACK.tables["basic_cards"], PACK.tables["advanced_cards"]
PARADIGM: dict[str, Any] = ADVANCED["paradigm"]
AMBUSH, RETREAT, PURSUIT = 6, 7, 8
AT_MOST = 5  # G21.7


def kind_of_battle(t: Field) -> str:
    """G17.14."""
    return "naval" if TILES[t.get("battlefield")].sea else "land"


def enemy(t: Field, seat: str) -> str:
    return t.get("defender") if seat == t.get("attacker") else t.get("attacker")


def commander_in_battle(t: Field, seat: str) -> General | None:
    """G10.7, G21.1: rivals play as if neither had a commander."""
    mine, other = t.commander(seat), t.commander(enemy(t, seat))
    if mine and other and (mine.rival == other.id or other.rival == mine.id):
        return None
    return mine


# -- step 1 ------------------------------------------------------------------------------------------


def withdrawal(t: Field) -> Rules:
    """G20.1-2: the defender may give his rightmost PP card to the attacker, who then must retreat without a fight."""
    attacker, defender = t.get("attacker"), t.get("defender")
    if t.pp(defender):
        answer = yield Ask(defender, "force_withdrawal", ["yes", "no"], "G20.1")
        if answer == "yes":
            t.move(t.zones[f"pp:{defender}"][-1], f"pp:{defender}", f"pp:{attacker}", cite="G20.1")
            t.tell("forces", "G20.1", who=t.name(defender), whom=t.name(attacker))
            t.set("beaten", attacker, cite="G20.1")
            t.set("outcome", "forced", cite="G20.2")
            return "leave_field"
    return "deal"


# -- step 2 ------------------------------------------------------------------------------------------


def cards_due(t: Field, seat: str) -> tuple[int, int]:
    """G20.4-8, G21.1: how many basic and advanced cards a side gets."""
    battle, commander = kind_of_battle(t), commander_in_battle(t, seat)
    if commander is None:
        return BASIC["no_commander"], ADVANCED["no_commander"]
    role = "attacker" if seat == t.get("attacker") else "defender"
    basic, advanced = BASIC["each"], ADVANCED["base"] + commander.advanced(battle)
    for ability in commander.abilities:
        if ability.kind == "extra_basic" and ability.battle == battle and ability.role in (role, "any"):
            basic += ability.n
    era = PARADIGM[t.get("era")]
    if role == "defender" and fortress_counts(t):
        built = t.developed("architecture")
        if t.get("era") == "fortresses":  # G20.8
            gift = era["defender_in_fortress"]["after_architecture" if built else "before_architecture"]
            basic += gift["basic_extra"]
            advanced += gift["advanced"]
        elif built:
            advanced += ADVANCED["fortress_defender_after_architecture"]  # G20.6 c
        else:
            basic += BASIC["fortress_defender_before_architecture"]  # G20.5
    if era["battle"] == battle and "thresholds" in era:  # G20.7
        units = t.forces(seat)[t.get("battlefield")].get(era["counts"], 0)
        advanced += max([0, *(gain for least, gain in era["thresholds"] if units >= least)])
    return basic, advanced


def fortress_counts(t: Field) -> bool:
    """A fortress on the field that the attacking commander does not ignore."""
    attacking = commander_in_battle(t, t.get("attacker"))
    ignored = attacking is not None and any(ability.kind == "ignore_fortress" for ability in attacking.abilities)
    return TILES[t.get("battlefield")].fortress and not ignored


def deal(t: Field) -> Rules:
    """G19.3, G20.4-6: both sides get their cards out of complete decks."""
    battle = kind_of_battle(t)
    for seat in (t.get("defender"), t.get("attacker")):
        basic, advanced = cards_due(t, seat)
        for deck, n in ((f"{battle}_basic", basic), (f"{battle}_advanced", advanced)):
            for _ in range(min(n, t.total(deck))):
                card = yield Draw(deck, "deal_tactics", "G20.4")
                t.move(card, deck, f"hand:{seat}")
        t.tell("dealt", "G20.4", who=t.name(seat), basic=basic, advanced=advanced)
    return "exchange_cards"


def gold(t: Field, seat: str) -> int:
    """Advanced cards in a hand: their backs are gold, everybody can count them."""
    return sum(back(card) == "advanced" for card in t.zones[f"hand:{seat}"])


def exchange_cards(t: Field) -> Rules:
    """G21.2: once, defender first, any number of advanced cards for as many basic ones."""
    deck = f"{kind_of_battle(t)}_basic"
    for seat in (t.get("defender"), t.get("attacker")):
        most = min(gold(t, seat), t.total(deck))
        if most:
            choice = Pick(t, f"hand:{seat}", 0, most, only=lambda card: back(card) == "advanced")
            cards = yield Ask(seat, "exchange_advanced", choice, "G21.2")
            yield from swap_cards(t, seat, [card for card, _ in cards], "G21.2")
    return "retreat_cards"


def swap_cards(t: Field, seat: str, cards: list[str], cite: str) -> Rules:
    """Cards go to the own pile, unseen by the enemy (R3); as many basic ones are drawn."""
    deck = f"{kind_of_battle(t)}_basic"
    for card in cards:
        t.move(card, f"hand:{seat}", f"tossed:{seat}", cite=cite)
    for _ in cards:
        card = yield Draw(deck, "draw_basic_exchange", cite)
        t.move(card, deck, f"hand:{seat}")
    if cards:
        t.tell("swaps_cards", cite, who=t.name(seat), n=len(cards))


# -- steps 3 and 4 -----------------------------------------------------------------------------------


def plays(t: Field, seat: str, number: int, key: str, cite: str) -> Rules:
    """Whether a side plays an advanced card: asked also if it is not held, so that the question tells nothing."""
    if not gold(t, seat):
        return False
    held = sorted(card for card in t.zones[f"hand:{seat}"] if back(card) == "advanced" and CARDS[card].number == number)
    answer = yield Ask(seat, key, ["yes", "no"] if held else ["no"], cite)
    if answer == "no":
        return False
    t.move(held[0], f"hand:{seat}", "played", cite=cite)
    t.tell("plays", cite, who=t.name(seat), card=CARDS[held[0]].name)
    return True


def retreat_cards(t: Field) -> Rules:
    """G21.3-4, R22: the defender may slip away, then the attacker; the other side may pursue."""
    for seat in (t.get("defender"), t.get("attacker")):
        if (yield from plays(t, seat, RETREAT, "play_retreat", "G21.3")):
            if not (yield from plays(t, enemy(t, seat), PURSUIT, "play_pursuit", "G21.3")):
                t.set("beaten", seat, cite="G21.4")
                t.set("outcome", "slipped", cite="G21.4")
                return "leave_field"
    return "ambush"


def ambush(t: Field) -> Rules:
    """G21.5-6: an ambush skips the defender's attack, unless he sees it coming, unless he is pursued."""
    attacker, defender = t.get("attacker"), t.get("defender")
    success = False
    if (yield from plays(t, attacker, AMBUSH, "play_ambush", "G21.5")):
        success = not (yield from plays(t, defender, RETREAT, "counter_ambush", "G21.5")) or (
            yield from plays(t, attacker, PURSUIT, "play_pursuit", "G21.5")
        )
        t.tell("ambush_succeeds" if success else "ambush_fails", "G21.6", who=t.name(attacker))
    t.set("ambushed", success, cite="G21.6")
    return "buy_cards"


# -- step 5 ------------------------------------------------------------------------------------------


def buy_cards(t: Field) -> Rules:
    """G21.7, R23: for a PP card each time up to five cards for basic ones; defender first, then attacker."""
    deck = f"{kind_of_battle(t)}_basic"
    for seat in (t.get("defender"), t.get("attacker")):
        while t.pp(seat) and (most := min(AT_MOST, t.total(f"hand:{seat}"), t.total(deck))):
            cards = yield Ask(seat, "paid_exchange", Pick(t, f"hand:{seat}", 0, most), "G21.7")
            if not cards:
                break
            spend_power(t, seat, "G21.7")
            yield from swap_cards(t, seat, [card for card, _ in cards], "G21.7")
    t.set("striker", t.get("attacker") if t.get("ambushed") else t.get("defender"), cite="G21.8")
    return "attack"
