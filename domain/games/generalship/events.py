"""Page 12: events behind the technologies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from domain.games.generalship.data import CIRCLES, EVENTS, PACK, TECHNOLOGIES
from domain.games.generalship.fleet import settle_fleets
from domain.games.generalship.pack import Technology
from domain.games.generalship.table import Field, dismiss, open_technologies, promote, score_points, spend_power
from domain.games.generalship.turn import next_actor
from domain.kernel import END, Ask, Counts, Draw, Rules

THIRD = 3  # G12.5


def event_after(t: Field, seat: str, technology: Technology) -> Rules:
    """G12.1: an empty event space behind the technology's column is filled. Whether an event is to be executed."""
    space = PACK.event_spaces.get(technology.column)
    if space is None or t.zones[f"event:{space}"]:
        return False
    event = yield Draw("events", "draw_event", "G12.1")
    t.move(event, "events", f"event:{space}")
    t.set("event", event, cite="G12.1")
    t.set("developer", seat, cite="G12.1")
    t.set("subject", seat, cite="G12.1")
    t.tell("event", "G12.1", event=EVENTS[event].name)
    return True


def event(t: Field) -> Rules:
    """G12.1, G12.3: the event does its work on one player; the developer is the first, then the others in order."""
    effect, seat, developer = EVENTS[t.get("event")].effect, t.get("subject"), t.get("developer")
    if effect.once:
        return (yield from renaissance(t, developer))
    if touches(t, seat, effect.condition):
        for deed in effect.do:
            for kind, amount in deed.items():
                if (yield from DEEDS[kind](t, seat, amount)):
                    return END
    line = [developer, *t.others(developer)]
    following = line[line.index(seat) + 1 :]
    if following:
        t.set("subject", following[0], cite="G12.1")
        return "event"
    return over(t)


def over(t: Field) -> str:
    for name in ("event", "developer", "subject"):
        t.set(name, None)
    return next_actor(t)


def touches(t: Field, seat: str, condition: dict[str, Any]) -> bool:
    """G12.3-4: whether a player's commander has what the event asks for; most events spare those without one."""
    commander = t.commander(seat)
    if commander is None:
        return not condition
    has = {"christian": commander.christian, "muslim": commander.muslim, "coup": commander.coup}
    match dict(condition):
        case {"commander_symbol": symbol}:
            return has[symbol]
        case {"commander_symbol_any": symbols}:
            return any(has[symbol] for symbol in symbols)
        case {"commander_without_symbol": symbol}:
            return not has[symbol]
        case {"commander_naval_at_least": cards}:
            return bool(commander.advanced_naval >= cards)
    return True


def discard_power(t: Field, seat: str, n: int) -> Rules:
    """Coup: the rightmost PP card, if there is one."""
    for _ in range(min(n, t.pp(seat))):
        spend_power(t, seat, "G12.3")
        t.tell("loses_power", "G12.3", who=t.name(seat), n=t.pp(seat))
    return False
    yield


def points(t: Field, seat: str, n: int) -> Rules:
    """Eradication of piracy, Edict of Milan."""
    return score_points(t, seat, n, "G12.3")
    yield


def remove_commander(t: Field, seat: str, _: bool) -> Rules:
    """The Crusades, Black Death, Witch hunts, Thirty Years' War."""
    dismiss(t, seat, "G12.3")
    return False
    yield


def replace_commander(t: Field, seat: str, _: bool) -> Rules:
    """Witch hunts: the rightmost PP card follows, if there is one (G12.4)."""
    promote(t, seat, "G12.4")
    return False
    yield


def lose_people(t: Field, seat: str, _: str) -> Rules:
    """Black Death, R13: a third of the population, highest numbers first, on occupied tiles too."""
    lost = t.total(f"people:{seat}") // THIRD
    if lost:
        t.tell("plague_people", "G12.5", who=t.name(seat), n=lost)
    while lost:
        people = [circle for circle in CIRCLES[t.nation(seat).id] if circle.id in t.zones[f"people:{seat}"]]
        highest = [circle.id for circle in people if circle.number == people[-1].number]
        circle = highest[0]
        if len(highest) > lost:
            circle = yield Ask(seat, "event_black_death", highest, "G12.5", about={"part": "population"})
        t.move(circle, f"people:{seat}", "box", cite="G12.5")
        lost -= 1
    return False


def lose_units(t: Field, seat: str, _: str) -> Rules:
    """Black Death, R13: a third of regiments and squadrons together, of the owner's choice."""
    units = t.units(seat)
    lost = sum(units.values()) // THIRD
    if lost:
        chosen = yield Ask(seat, "event_black_death", Counts(units, lost, lost), "G12.5", about={"part": "units"})
        t.remove(seat, dict(chosen), "G12.5")
        t.tell("plague_units", "G12.5", who=t.name(seat), n=lost)
        yield from settle_fleets(t, seat, "G12.5")
    return False


DEEDS: dict[str, Callable[[Field, str, Any], Rules]] = {
    "discard_pp_rightmost": discard_power,
    "vp": points,
    "remove_commander": remove_commander,
    "commander_from_pp_rightmost": replace_commander,
    "remove_population_fraction": lose_people,
    "remove_units_fraction": lose_units,
}


def renaissance(t: Field, developer: str) -> Rules:
    """G12.6, R14: the next technology is developed free and without points; it has its own event."""
    options = [name for name in open_technologies(t) if TECHNOLOGIES[name].column] or open_technologies(t)
    if not options:
        return over(t)
    name = options[0]
    if len(options) > 1:
        name = yield Ask(developer, "event_renaissance", options, "G12.6")
    t.set(f"by:{name}", developer, cite="G12.6")
    t.tell("develops_free", "G12.6", who=t.name(developer), technology=TECHNOLOGIES[name].name)
    if (yield from event_after(t, developer, TECHNOLOGIES[name])):
        return "event"
    return over(t)
