"""How things of the domain look as JSON. Only what was redacted already comes here."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Response

from domain.kernel.chance import commitment
from domain.kernel.event import Event, Rolled
from domain.kernel.ops import Move, Op, Reorder, Set
from domain.kernel.title import Cell, Section, Title
from domain.match import BOT, FINISHED, Match
from service.looks import Look
from service.matches import Matches


def sent(body: dict[str, Any], status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """An answer that is shaped already. Dumping it once more through its schema would take three quarters of the time of a long log."""
    return Response(msgspec.json.encode(body), status, headers, mimetype="application/json")


def title(found: Title) -> dict[str, Any]:
    return {
        "id": found.id,
        "name": found.name,
        "rules": found.rules,
        "data": found.data,
        "players": list(found.players),
        "seats": {str(n): list(found.seats(n)) for n in found.players},
        "options": dict(found.options),
        "provisional": list(found.provisional),
    }


def match(service: Matches, who: str, found: Match) -> dict[str, Any]:
    """A match as somebody who may know of it sees it."""
    people = {tenure.holder for tenure in found.tenures if not tenure.holder.startswith(BOT)} | {found.host}
    names = service.accounts.names(people)
    shown = found.state == FINISHED and found.policy.afterwards == "shown"
    return {
        "id": found.id,
        "title": found.title,
        "name": found.name,
        "state": found.state,
        "made": found.made,
        "options": found.options,
        "policy": msgspec.to_builtins(found.policy),
        "seats": [
            {"seat": seat, **_holder(found.holder(seat), names), "yours": bool(who) and found.holder(seat) == who}
            for seat in found.seats
        ],
        "tenures": [
            {"seat": past.seat, "name": _holder(past.holder, names)["name"], "since": past.since, "until": past.until}
            for past in found.tenures
        ],
        "game_master": names.get(found.host, ""),
        "roles": found.roles(who),
        "viewers": service.viewers(who, found),
        "line": found.line if found.begun else None,
        "commitment": commitment(found.seed),
        "seed": found.seed.hex() if shown else None,
        "version": service.look(who, found.id, note=False).head if found.begun else None,
    }


def _holder(holder: str, names: dict[str, str]) -> dict[str, str]:
    if holder.startswith(BOT):
        return {"held_by": "bot", "name": holder.removeprefix(BOT)}
    return {"held_by": "player", "name": names.get(holder, "")} if holder else {"held_by": "nobody", "name": ""}


def question(asked: dict[str, Any]) -> dict[str, Any]:
    """A question, the rule it comes from by the name it has everywhere here."""
    return {"rule" if name == "cite" else name: value for name, value in asked.items()}


def event(seen: Event) -> dict[str, Any]:
    """A redacted event. Links are left to the proof; of its cause only the way it came."""
    return {
        "version": seen.version,
        "kind": seen.kind,
        "seat": seen.seat,
        "key": seen.ask,
        "answer": seen.answer,
        "rolls": [msgspec.structs.asdict(outcome) for outcome in seen.chance if type(outcome) is Rolled],
        "ops": [op(done) for done in seen.ops],
        "cites": [msgspec.structs.asdict(cite) for cite in seen.cites],
        "shown": [msgspec.structs.asdict(peek) for peek in seen.shown],
        "mark": seen.mark,
        "via": seen.cause.partition("#")[0],
        "at": seen.at,
    }


def op(done: Op) -> dict[str, Any]:
    names = {Move: "move", Set: "set", Reorder: "reorder"}
    return {"op": names[type(done)], **msgspec.structs.asdict(done)}


def place(look: Look) -> dict[str, Any]:
    """Which line, through whose eyes."""
    return {"match": look.match.id, "line": look.line.id, "viewer": look.viewer}


def table(look: Look, version: int) -> dict[str, Any]:
    seen = look.table(version)
    state = seen.state()
    over = seen.get("step") == "end"
    return {
        **place(look),
        "version": version,
        "over": over,
        "zones": state["zones"],
        "registers": state["registers"],
        "board": [section(part) for part in look.title.board(seen)],
        "scores": [msgspec.structs.asdict(score) for score in look.title.score(seen)],
        "winners": list(look.title.winners(seen)) if over else [],
    }


def section(part: Section) -> dict[str, Any]:
    return {"name": part.name, "head": part.head, "rows": [[_cell(cell) for cell in row] for row in part.rows]}


def _cell(cell: Cell) -> list[dict[str, str]]:
    if isinstance(cell, str):
        return [{"text": cell, "seat": ""}]
    return [{"text": span.text, "seat": span.seat} for span in cell]
