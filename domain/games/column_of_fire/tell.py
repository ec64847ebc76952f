"""The chronicle: sentences from an event as a viewer sees it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from domain.games.column_of_fire.board import symbol
from domain.games.column_of_fire.data import BLACK, CARDS, EVENTS, PACK, SPACE, TILES
from domain.games.column_of_fire.table import FIFTY_POINTS
from domain.kernel import HIDDEN, Event, Move, Op, Rolled, Set

Translate = Callable[[str], str]

STONE = {"catholic": "Catholic", "protestant": "Protestant", "neutral": "neutral"}
TOLD = ("created", "decided", "sealed", "advanced")


def tell(event: Event, _: Translate) -> list[str]:
    """What happened, in order: the decision where it leaves no trace on the table, then rules stated and pieces moved."""
    if event.kind not in TOLD:
        return []
    sentences = [*_decision(event, _), *_rolls(event, _)]
    rules = {cite.op: cite.rule for cite in event.cites if cite.op >= 0}
    told = 0
    for cite in event.cites:  # in the order of play: a rule stated aloud comes after the ops cited before it
        if cite.op >= told:
            sentences += _ops(event.ops[told : cite.op + 1], told, rules, _)
            told = cite.op + 1
        elif cite.op < 0:
            sentences += _stated(cite.rule, cite.facts, _)
    return [*sentences, *_ops(event.ops[told:], told, rules, _)]


def _ops(ops: list[Op], first: int, rules: dict[int, str], _: Translate) -> Iterator[str]:
    for index, op in enumerate(ops, first):
        if type(op) is Move:
            yield from _moved(op, rules.get(index, ""), _)
        elif type(op) is Set:
            yield from _set(op, rules.get(index, ""), _)


def _who(seat: str) -> str:
    return seat.capitalize()


def _country(id: str, _: Translate) -> str:
    return _(PACK.countries[id].name)


def _decision(event: Event, _: Translate) -> Iterator[str]:
    who, answer = _who(event.seat), event.answer
    match event.ask, answer:
        case "use_character", None:
            yield _("{seat} does not use the character.").format(seat=who)
        case "use_space", None:
            yield _("{seat} does not use the space.").format(seat=who)
        case "take_character", "decline":
            yield _("{seat} declines to take a character.").format(seat=who)
        case "take_character", ["take", die, country]:
            yield _("{seat} chooses the {die} die for {country}.").format(seat=who, die=_(die), country=_country(country, _))
        case "take_character", ["house_only", die, country]:
            yield _("{seat} chooses the {die} die for a house in {country}.").format(
                seat=who, die=_(die), country=_country(country, _)
            )
        case "upgrade_house", "no":
            yield _("{seat} leaves the house where it stands.").format(seat=who)
        case "answer_negative_event", "no":
            yield _("{seat} keeps the protection tile and suffers the event.").format(seat=who)
        case "answer_positive_event", "no":
            yield _("{seat} keeps the protection tile.").format(seat=who)
        case "choose_religion", religion:
            yield _("{seat} professes to be {religion}.").format(seat=who, religion=_(religion.capitalize()))
        case "move_disc", [die, 0]:
            yield _("{seat} moves with the {die} die.").format(seat=who, die=_(die))
        case "move_disc", [die, skips]:
            yield _("{seat} moves with the {die} die, leaving out {n} spaces.").format(seat=who, die=_(die), n=skips)
        case (("window" | "end_turn"), ["remove_die", die]):
            yield _("{seat} pays to take the {die} die off its card.").format(seat=who, die=_(die))


def _rolls(event: Event, _: Translate) -> Iterator[str]:
    for outcome in event.chance:
        if type(outcome) is Rolled and outcome.key == "religion_die":
            yield _("{seat} rolls {n} on the religion die.").format(seat=_who(outcome.seat), n=outcome.values[0])


def _stated(rule: str, facts: dict[str, Any], _: Translate) -> Iterator[str]:
    match rule, facts:
        case "CF-6.1", {"seat": seat, **dice}:
            values = ", ".join(f"{_(die)} {number}" for die, number in dice.items())
            yield _("{seat} rolls {values}.").format(seat=_who(seat), values=values)
        case "CF-7.2", {"event": card}:
            yield _("Event: {name}: {text}.").format(name=_(EVENTS[card].name), text=_(EVENTS[card].text))
        case "CF-7.3", {"ignored": card}:
            yield _("The event {name} is removed without effect.").format(name=_(EVENTS[card].name))
        case "CF-6.4", {"torch": country}:
            yield _("A torch marks {country}: a conflict is pending.").format(country=_country(country, _))
        case "CF-11.6", {"country": country, "winner": winner}:
            yield _("Conflict in {country}: the {religion} side wins ({c} Catholic, {p} Protestant, {n} neutral stones).").format(
                country=_country(country, _),
                religion=_(winner.capitalize()),
                c=facts["catholic"],
                p=facts["protestant"],
                n=facts["neutral"],
            )
        case "CF-11.10", {"country": country}:
            yield _("The conflict in {country} is avoided.").format(country=_country(country, _))
        case "CF-12.2", {"averted": card, "seat": seat}:
            yield _("{seat} averts the event {name}.").format(seat=_who(seat), name=_(EVENTS[card].name))
        case "CF-13.1", {"seat": seat, "religion": religion}:
            yield _("{seat} is the only {religion} player.").format(seat=_who(seat), religion=_(religion.capitalize()))
        case "CF-14.1", {"seat": seat}:
            yield _("{seat} can take no character.").format(seat=_who(seat))
        case "CF-8.7", {"seat": seat}:
            yield _("{seat} has no die to move the disc with.").format(seat=_who(seat))
        case "CF-15.2", {"country": country}:
            yield _("The deck of {country} is used up.").format(country=_country(country, _))
        case "CF-9.4", {"seat": seat}:
            yield _("{seat} at the end: houses {houses}, protection {protection}, goods {goods}, tiles {tiles}.").format(
                seat=_who(seat), **{part: facts[part] for part in ("houses", "protection", "goods", "tiles")}
            )
        case "CF-9.5", {"winners": winners}:
            yield _("The game is won by {seats}.").format(seats=", ".join(map(_who, winners)))
        case (("CF-5.6" | "CF-6.9"), {"card": card, "used": str()}):
            yield _("{name} is used: {text}.").format(name=_(CARDS[card].name), text=_(CARDS[card].text))


def _set(op: Set, rule: str, _: Translate) -> Iterator[str]:
    match op.register.split(":"):
        case ["vp", seat]:
            n = (op.new or 0) - (op.old or 0)
            if n >= 0:
                yield _("{seat} gains {n} VP ({rule}).").format(seat=_who(seat), n=n, rule=rule)
            else:
                yield _("{seat} loses {n} VP ({rule}).").format(seat=_who(seat), n=-n, rule=rule)
        case ["religion", seat] if op.old:
            yield _("{seat} changes religion: now {religion}.").format(seat=_who(seat), religion=_(op.new.capitalize()))
        case ["religion", seat] if op.new:
            yield _("{seat} starts as {religion}.").format(seat=_who(seat), religion=_(op.new.capitalize()))
        case ["disc", seat]:
            space = SPACE[op.new]
            yield _("{seat}'s disc goes to {space}: {action}.").format(
                seat=_who(seat), space=space.id, action=_(symbol(space.effect))
            )
        case ["die", seat, die] if op.old and op.new and abs(op.new - op.old) == 1 and rule in ("CF-5.2", "CF-17.10"):
            if die == BLACK:
                yield _("{seat}'s religion die goes from {old} to {new}.").format(seat=_who(seat), old=op.old, new=op.new)
            else:
                yield _("{seat}'s {die} die goes from {old} to {new}.").format(seat=_who(seat), die=_(die), old=op.old, new=op.new)
        case ["colour", seat]:
            yield _("{seat} plays {colour}.").format(seat=_who(seat), colour=_(op.new))
        case ["start"]:
            yield _("{seat} is the start player.").format(seat=_who(op.new))
        case ["year"]:
            yield _("Year {n} begins.").format(n=op.new)
        case ["half"] if op.new == 2:
            yield _("The second half-year begins.")
        case ["end"]:
            if op.new == FIFTY_POINTS:
                yield _("50 VP are reached: the game ends after this year.")
            else:
                yield _("The game ends after this year.")


def _moved(op: Move, rule: str, _: Translate) -> Iterator[str]:
    item, (source, *of), (target, *to) = op.item, op.src.split(":"), op.dst.split(":")
    match source, target:
        case "top", "display":
            yield _("{seat} takes {name}.").format(seat=_who(to[0]), name=_(CARDS[item].name))
        case "deck", "top":
            card = CARDS[item]
            yield _("{name} is turned up in {country}.").format(name=_(card.name), country=_country(card.country, _))
        case (("display" | "top"), "removed"):
            yield _("{name} leaves the game.").format(name=_(CARDS[item].name))
        case _, "free" if source in ("dice", "prison"):
            yield _("{seat}'s {die} die is free again.").format(seat=_who(to[0]), die=_(item))
        case "free", "prison":
            yield _("{seat}'s {die} die goes to Loch Leven.").format(seat=_who(to[0]), die=_(item))
        case _, "stones":
            yield _("A {kind} stone is placed in {country}.").format(kind=_(STONE[item]), country=_country(to[0], _))
        case "stones", "box" if rule == "CF-17.6":
            yield _("A {kind} stone is removed from {country}.").format(kind=_(STONE[item]), country=_country(of[0], _))
        case "stone", "box":
            yield _("The {kind} stone goes back to the supply.").format(kind=_(STONE[item]))
        case "houses", "house":
            yield _("{seat} has a house in {country} on {n}.").format(seat=_who(item), country=_country(to[0], _), n=to[1])
        case "house", "house":
            yield _("{seat}'s house in {country} is pushed down to {n}.").format(
                seat=_who(item), country=_country(to[0], _), n=to[1]
            )
        case "house", "houses" if rule != "A-04":
            yield _("{seat} loses the house in {country}.").format(seat=_who(item), country=_country(of[0], _))
        case "box", "goods":
            yield _("{seat} takes 1 {good}.").format(seat=_who(to[0]), good=_(item))
        case "goods", "box":
            yield _("{seat} gives away 1 {good}.").format(seat=_who(of[0]), good=_(item))
        case "box", "sold":
            good, country = item.split("@")
            yield _("The {good} is sold in {country}.").format(good=_(good), country=_country(country, _))
        case "box", "protection":
            yield _("{seat} takes a protection tile.").format(seat=_who(to[0]))
        case "protection", "box":
            yield _("{seat} returns a protection tile.").format(seat=_who(of[0]))
        case "pile", "tiles" if item == HIDDEN:
            yield _("{seat} draws an advantage tile.").format(seat=_who(to[0]))
        case "pile", "tiles":
            yield _("{seat} draws the advantage tile {tile}: {text}.").format(seat=_who(to[0]), tile=item, text=_(TILES[item].text))
        case "tiles", ("spent" | "revealed"):
            words = _("{seat} spends {tile}: {text}.") if target == "spent" else _("{seat} shows {tile}: {text}.")
            yield words.format(seat=_who(of[0]), tile=item, text=_(TILES[item].text))
        case (("box" | "loch_leven"), "loch_leven") if to:
            yield _("{seat} receives the Loch Leven card {card}.").format(seat=_who(to[0]), card=item)
