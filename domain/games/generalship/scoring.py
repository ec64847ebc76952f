"""The scoreboard and the winners."""

from __future__ import annotations

from domain.games.generalship.data import TECHNOLOGIES
from domain.games.generalship.economy import active_people, population
from domain.games.generalship.table import Field
from domain.games.generalship.upkeep import upkeep_due
from domain.kernel import END, Score


def winners(t: Field) -> list[str]:
    """G02.3, G02.5, R4: most victory points; a tie goes to the earlier in player order, or is shared."""
    if t.get("step") != END:
        return []
    best = max(t.vp(seat) for seat in t.order)
    first = [seat for seat in t.order if t.vp(seat) == best]
    return first if t.options["tie_break"] == "shared" else first[:1]


def score(t: Field) -> list[Score]:
    """One line a seat, with everything that is public about it."""
    return [Score(seat, t.vp(seat), facts(t, seat)) for seat in t.seats]


def facts(t: Field, seat: str) -> dict[str, str | int]:
    if t.get("clock") is None:
        return {"nation": t.get(f"nation:{seat}", "")}
    commander = t.commander(seat)
    forces = t.forces(seat)
    units = {kind: sum(kinds.get(kind, 0) for kinds in forces.values()) for kind in ("infantry", "cavalry", "ship")}
    nation = t.nation(seat)
    return {
        "nation": nation.name,
        "place": t.order.index(seat) + 1,
        "political power": t.pp(seat),
        "commander": commander.name if commander else "none",
        "battle count": t.battles(seat),
        "food": t.food(seat),
        "metal": t.metal(seat),
        "population": f"{population(t, seat)}/{nation.max_population}",
        "active population": len(active_people(t, seat)),
        "stacks": len(forces),
        **units,
        "neutral tiles": len(t.neutral_tiles(seat)),
        "technologies": ", ".join(technology.name for name, technology in TECHNOLOGIES.items() if t.get(f"by:{name}") == seat),
        "unused generals": t.total(f"unused:{seat}"),
        "technology cards": t.total(f"knowledge:{seat}"),
        "upkeep now": upkeep_due(t, seat),
    }
