"""Pages 3 to 7: nations, map, start position, first generals."""

from __future__ import annotations

from domain.games.generalship.data import CARDS, EVENTS, GENERALS, NATIONS, NEUTRAL, PACK, TILES, UNITS
from domain.games.generalship.schema import camp
from domain.games.generalship.table import Field
from domain.kernel import Ask, AskAll, Assign, Draw, Rules, Shuffle

EACH = PACK.setup["per_player"]
DEALT = EACH["generals_dealt"]


def setup(t: Field) -> Rules:
    """G07.1-2: decks, supply and the order in which nations are chosen."""
    for seat in t.seats:
        t.move(seat, "box", "order")
    for card in GENERALS:
        t.move(card, "box", "generals", cite="G07.1")
    for card in PACK.points:
        t.move(card, "box", "technology", cite="G07.1")
    for event in EVENTS:
        t.move(event, "box", "events", cite="G07.1")
    for card, tactic in CARDS.items():
        t.move(card, "box", tactic.deck, cite="G19.3")
    for unit in UNITS.values():
        t.move(unit.id, "box", "supply", unit.count, cite="G01.6")
    for tile in NEUTRAL:
        t.move(tile, "box", "pile", cite="G04.3")
    t.set("era", PACK.setup["war_paradigm"], cite="G03.4")
    if t.options["draft"] == "random":
        yield Shuffle("order", "draft_order", "G04.1")  # R5
    return "nations"


def nations(t: Field) -> Rules:
    """G04.1: each player chooses a nation."""
    for seat in list(t.order):
        taken = {t.get(f"nation:{other}") for other in t.seats}
        left = [nation for nation in NATIONS if nation not in taken]
        nation = left[0]
        if len(left) > 1:
            nation = yield Ask(seat, "choose_nation", left, "G04.1")
        t.set(f"nation:{seat}", nation, cite="G04.1")
        t.tell("nation", "G04.1", seat=seat, who=nation)
    now = t.order
    ranked = sorted(range(len(now)), key=lambda i: t.nation(now[i]).start_order)
    t.reorder("order", ranked, cite="G03.1")
    return "neutral_area"


def neutral_area(t: Field) -> Rules:
    """G04.3: corners first, then the rest; a sea lies only next to a sea."""
    layout = PACK.layouts[len(t.seats)]
    corners = {slot["id"] for slot in layout.slots if slot.get("corner")}
    for slot in layout.neutral_fill_order:
        free = slot in corners and t.options["neutral_layout"] == "free_corners"  # R6
        while True:
            tile = yield Draw("pile", "neutral_tile", "G04.3")
            t.move(tile, "pile", "map")
            if free or not TILES[tile].sea or any(TILES[other].sea for other in t.near(tile)):
                break
            if all(TILES[left].sea for left in t.zones["pile"]):
                break  # nothing but sea is left: one is laid anyway
            t.move(tile, "map", "passed", cite="G04.3")
        t.tell("laid", "G04.3", tile=tile)
        for tile in t.items("passed"):
            t.move(tile, "passed", "pile", cite="G04.3")
    return "start_position"


def start_position(t: Field) -> Rules:
    """G07.3: people, a regiment, resources, five generals to choose from."""
    for seat in t.order:
        for circle in EACH["population_circles"]:
            t.move(circle, "box", f"people:{seat}", cite="G07.3")
        for units in EACH["units"]:
            t.move(units["type"], "supply", camp(seat, t.nation(seat).capital), units["count"], cite="G07.3")
        t.set(f"food:{seat}", EACH["food"], cite="G07.3")
        t.set(f"metal:{seat}", EACH["metal"], cite="G07.3")
        for _ in range(DEALT):
            card = yield Draw("generals", "draw_general", "G07.3")
            t.move(card, "generals", f"dealt:{seat}")
    return "first_generals"


def first_generals(t: Field) -> Rules:
    """G07.4: all at once and in secret, one general becomes commander and one the first PP card."""

    def differ(taken: dict[str, str]) -> str | None:
        return "the commander and the PP card are two different generals (G07.4)" if len(set(taken.values())) < 2 else None

    chosen = yield AskAll(
        Ask(seat, "choose_generals", Assign({"commander": hand, "power": hand}, differ), "G07.4")
        for seat in t.order
        for hand in [t.items(f"dealt:{seat}")]
    )
    for seat in t.order:
        commander, power = chosen[seat]
        t.move(commander, f"dealt:{seat}", f"commander:{seat}", cite="G07.4")
        t.tell("commander", "G07.4", who=t.name(seat), general=GENERALS[commander].name)
        t.move(power, f"dealt:{seat}", f"pp:{seat}", cite="G07.4")
        for card in t.items(f"dealt:{seat}"):
            t.move(card, f"dealt:{seat}", "retired", cite="G07.4")
    t.set("turn", 0, cite="G08.7")
    t.set("clock", 1)
    t.set("cycle", 1)
    return "turn"
