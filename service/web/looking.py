"""What every page of a match has in common: through whose eyes, which line, which version, and what the frame around it shows."""

from __future__ import annotations

from typing import Any

from flask import request

from domain.kernel.schema import ARBITER
from domain.match import GAME_MASTER, PLAYER
from service.looks import Look
from service.web.session import court, matches, who


def look(id: str, line: str) -> Look:
    """The look a request asks for."""
    return matches().look(who(), id, viewer=request.values.get("as", ""), line=line, what="page")


def version(look: Look, name: str = "at") -> int:
    """The version a request asks for; the newest by default."""
    asked = request.values.get(name, "")
    return look.known(int(asked)) if asked.isascii() and asked.isdigit() and len(asked) < 12 else look.head


def around(look: Look) -> dict[str, Any]:
    """The frame of a page: which match, which line, which eyes, what else there is to see."""
    match, account = look.match, who()
    viewers = matches().viewers(account, match, look.line)
    docket = court().docket(account, match.id)
    rewinds = [one for one in docket.rewinds.values() if one.closed is None and one.asked.line == look.line.id]
    return {
        "look": look,
        "match": match,
        "title": look.title,
        "seats": match.seats,
        "head": look.head,
        "viewers": viewers,
        "mine_here": sits(look),
        "host": GAME_MASTER in match.roles(account),
        "at_the_table": bool({PLAYER, GAME_MASTER} & set(match.roles(account))),
        "can_branch": bool(account) and ARBITER in viewers,
        "branch": look.line.id not in match.lines,
        "replaced": look.line.id in match.lines[:-1],
        "rewinds": rewinds,
        "touched_unseen": {one.asked.id: court().may_refuse(account, match.id, one) for one in rewinds},
        "disputed": sum(one.ruled is None for one in docket.disputes.values()),
    }


def sits(look: Look) -> bool:
    """Whether whoever looks may decide for the seat they look as: it is theirs, or the branch is."""
    match, account = look.match, who()
    if look.viewer not in match.seats or not account:
        return False
    return (
        look.viewer in match.seats_of(account)
        if look.line.id == match.line
        else look.line.id not in match.lines and matches().plays(account, look.line)
    )
