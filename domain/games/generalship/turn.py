"""Page 8 and page 2: a turn, who acts in it, and the two ways a game ends."""

from __future__ import annotations

from domain.games.generalship.data import ACTION_TILES
from domain.games.generalship.orders import Orders
from domain.games.generalship.table import Field
from domain.kernel import END, Ask, Rules

# The step that carries out an action of a tile.
STEPS = {
    "production": "production",
    "population_growth": "growth",
    "general_cards": "general_cards",
    "technology_cards": "technology_cards",
    "alliance": "alliance",
    "levy_and_modernise": "levy",
    "march": "march",
}


def free_circles(t: Field, tile: str) -> int:
    return ACTION_TILES[tile].circles - t.total(f"circles:{tile}")


def tiles_in_use(t: Field) -> list[str]:
    """G06.4: the action tiles laid out for this number of players."""
    return [tile.id for tile in ACTION_TILES.values() if len(t.seats) in tile.used_with_players]


def turn(t: Field) -> Rules:
    """G08.1-4: the active player takes an action tile and, where there are two, one of its actions."""
    seat = t.active

    def explain(words: list[str]) -> str | None:
        if len(words) == 1 and words[0] in tiles_in_use(t):
            return f"no circle of {words[0]} is free (G08.1)"
        return None

    free = [tile for tile in tiles_in_use(t) if free_circles(t, tile)]
    chosen = yield Ask(seat, "choose_action_tile", Orders(free, explain), "G08.1")
    t.move(seat, "box", f"circles:{chosen}", cite="G08.1")
    t.set("tile", chosen, cite="G08.2")
    t.set("actor", seat, cite="G08.2")
    tile = ACTION_TILES[chosen]
    action = tile.actions[0]
    t.tell("tile", "G08.1", who=t.name(seat), tile=tile.kind, turn=t.get("clock"))
    if len(tile.actions) > 1:
        action = yield Ask(seat, "choose_tile_action", tile.actions, "G08.4", about={"tile": chosen})
    t.set("action", action, cite="G08.4")
    return STEPS[action]


def next_actor(t: Field) -> str:
    """G08.3-5: after the active player every other one does the same, the other action, or nothing."""
    tile = ACTION_TILES[t.get("tile")]
    line = [t.active, *t.others(t.active)] if tile.others != "nothing" else [t.active]
    done = line.index(t.get("actor"))
    if done + 1 == len(line):
        return "march_over" if tile.kind == "march" else "end_turn"
    t.set("actor", line[done + 1], cite="G08.3")
    if tile.others == "other_action":
        return STEPS[next(action for action in tile.actions if action != t.get("action"))]
    return STEPS[t.get("action")]


def end_turn(t: Field) -> Rules:
    """G02.4, G08.7: a capital in foreign hands ends the game; otherwise the next player, or the scoring phase."""
    for name in ("tile", "action", "actor"):
        t.set(name, None)
    if fallen_capitals(t):
        t.set("ending", "capital", cite="G02.4")
        for capital, occupier in fallen_capitals(t):
            t.tell("capital", "G02.4", who=t.name(occupier), whom=t.name(t.land.home[capital]))
        return "capital_end"
    t.add("turn", 1, cite="G08.7")
    t.add("clock", 1)
    return "turn" if t.get("turn") < 2 * len(t.seats) else "scoring"
    yield


def fallen_capitals(t: Field) -> list[tuple[str, str]]:
    """G02.4: capitals with units that belong neither to the owner nor to an ally of his, and whose they are."""
    capitals = [t.nation(seat).capital for seat in t.order]
    return [(capital, t.foes(t.land.home[capital], capital)[0]) for capital in capitals if t.occupied(capital)]


def capital_end(t: Field) -> Rules:
    """G02.5: in reverse player order each occupier of a capital may swap victory points with its owner."""
    fallen = fallen_capitals(t)
    for seat in reversed(list(t.order)):
        for capital, occupier in fallen:
            if occupier != seat:
                continue
            owner = t.land.home[capital]
            answer = yield Ask(seat, "capital_swap", ["yes", "no"], "G02.5", about={"capital": capital, "owner": owner})
            if answer == "yes":
                mine, theirs = t.vp(seat), t.vp(owner)
                t.set(f"vp:{seat}", theirs, cite="G02.5")
                t.set(f"vp:{owner}", mine, cite="G02.5")
                t.tell("swap", "G02.5", who=t.name(seat), whom=t.name(owner))
    return END
