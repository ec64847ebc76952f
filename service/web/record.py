"""What is made of the record: scores over time, diplomacy, the timeline, lines and their comparison, the report, the proof."""

from __future__ import annotations

from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from flask import Blueprint, Response, current_app, render_template, request, url_for

from domain.kernel.errors import NotFound
from domain.kernel.schema import ARBITER
from domain.kernel.table import Table
from domain.log import LATEST, Line
from domain.match import FINISHED
from domain.proof import Unproven
from domain.whatif import differences
from service import bundle, views
from service.looks import Look
from service.web import draw, pacts, text
from service.web.course import Course, course
from service.web.game import by_points, picture
from service.web.looking import around, look, version
from service.web.room import names
from service.web.session import errors_as_pages, matches, who
from service.web.telling import told, turn_name

pages = errors_as_pages(Blueprint("web_record", __name__, url_prefix="/m/<id>/<line>"))

PATIENCE = 1.0
MOMENTS = 60
MOST_DIFFERENCES = 400


# -- scores -------------------------------------------------------------------------------------------------


@pages.get("/scores")
def scores(id: str, line: str) -> str:
    """Points now and over time: by event, or by turn where the title counts turns."""
    seen = look(id, line)
    went = course(seen)
    found = views.scoreboard(matches(), seen, PATIENCE)
    history = [row for row in found["history"] if not row["undone"]]
    by = "turn" if request.args.get("by") == "turn" and went.turns else "event"
    rows = (
        _by_turn(history, went, seen.head) if by == "turn" else [(row["version"], row["points"], row["version"]) for row in history]
    )
    seats = seen.match.seats
    curves = {seat: [(where, points.get(seat, 0), at) for where, points, at in rows] for seat in seats}
    there = url_for("web_game.line", id=id, line=line, **{"as": seen.viewer}) + "&at="
    return render_template(
        "scores.html",
        **around(seen),
        scores=by_points(seen, seen.table()),
        winners=seen.title.winners(seen.table()),
        by=by,
        rows=rows,
        turns=went.turns,
        turn_name=turn_name,
        sparks={seat: draw.spark([value for _, value, _ in curve], draw.seat_class(seat, seats)) for seat, curve in curves.items()},
        chart=draw.score_chart(
            curves,
            {seat: text.seat_name(seat) for seat in seats},
            {seat: draw.seat_class(seat, seats) for seat in seats},
            there,
            text._("Points over time"),
            went.turns if by == "event" else (),
        ),
    )


def _by_turn(history: list[dict[str, Any]], went: Course, head: int) -> list[tuple[int, dict[str, int], int]]:
    """The points at the end of every turn."""
    ends = [*(turn.version - 1 for turn in went.turns[1:]), head]
    found = []
    for number, end in enumerate(ends, 1):
        points: dict[str, int] = next((row["points"] for row in reversed(history) if row["version"] <= end), {})
        found.append((number, points, end))
    return found


# -- diplomacy ----------------------------------------------------------------------------------------------


@pages.get("/diplomacy")
def diplomacy(id: str, line: str) -> str:
    """How everybody stands to everybody; a cell opens the history of its pair."""
    seen = look(id, line)
    found = views.diplomacy(matches(), who(), seen, PATIENCE)
    seats = seen.match.seats
    others = [*seats, *sorted({said["other"] for said in found["relations"]} - {*seats, ""})]
    cells: dict[tuple[str, str], list[dict[str, str]]] = {}
    for said in found["relations"]:
        cells.setdefault((said["seat"], said["other"]), []).append(said)
    for (seat, other), relations in list(cells.items()):
        if other in seats:
            cells.setdefault((other, seat), relations)  # said once, it holds both ways
    pair = request.args.get("of", ""), request.args.get("with", "")
    return render_template(
        "diplomacy.html",
        **around(seen),
        others=others,
        cells=cells,
        general={seat: cells.get((seat, ""), []) for seat in seats},
        relations=found["relations"],
        pair=pair if pair[0] else None,
        changes=_changes(found["history"], pair),
        **pacts.shown(seen, found["treaties"], pair),
    )


def _changes(history: list[dict[str, Any]], pair: tuple[str, str]) -> list[dict[str, Any]]:
    """What changed between two when, newest first."""
    found = [change for one in history if {one["seat"], one["other"]} == set(pair) for change in one["changes"]]
    return sorted(found, key=lambda change: -change["version"])


# -- the timeline -------------------------------------------------------------------------------------------


@pages.get("/timeline")
def timeline(id: str, line: str) -> str:
    """Every decision, what was taken back, where branches go off, and what going back to each moment would touch."""
    seen = look(id, line)
    found = views.timeline(matches(), who(), seen, PATIENCE)
    before = version(seen, "before")
    moments = [one for one in found["moments"] if one["version"] <= before][::-1]
    branches: dict[int, list[dict[str, Any]]] = {}
    for one in found["branches"]:
        branches.setdefault(one["at"], []).append(one)
    return render_template(
        "timeline.html",
        **around(seen),
        moments=moments[:MOMENTS],
        older=moments[MOMENTS]["version"] if len(moments) > MOMENTS else 0,
        newest=before == seen.head,
        branches=branches,
    )


# -- lines --------------------------------------------------------------------------------------------------


@pages.get("/lines")
def lines(id: str, line: str) -> str:
    """The branch tree, and two lines to compare."""
    seen = look(id, line)
    found = matches().lines(who(), id)
    heads = matches().heads(who(), id, found)
    called = _line_names(found)
    tree = draw.branch_tree(
        found,
        heads,
        called,
        line,
        lambda other: url_for("web_game.line", id=id, line=other, **{"as": seen.viewer}),
        text._("The lines of this match"),
    )
    return render_template(
        "lines.html",
        **around(seen),
        tree=tree,
        lines=found,
        heads=heads,
        called=called,
        names={**names(seen.match), **matches().accounts.names({one.by for one in found if one.by})},
        said=matches().branches.of_match(id),
        supposed={one.id: matches().supposed(one) for one in found},
    )


def _line_names(found: list[Line]) -> dict[str, str]:
    said = matches().branches.of_match(found[0].match) if found else {}
    named = {id: about.name for id, about in said.items()}
    return {
        one.id: named.get(one.id) or one.reason or (text._("branch {id}").format(id=one.id) if one.parent else text._("main line"))
        for one in found
    }


@pages.get("/compare")
def compare(id: str, line: str) -> str:
    """Two versions, of two lines perhaps, side by side, with what differs marked on the boards and in tables."""
    left = look(id, line)
    right = matches().look(who(), id, viewer=left.viewer, line=request.args.get("with") or line, what="page")
    one, other = version(left, "left"), version(right, "right")
    here, there = left.table(one), right.table(other)
    found = matches().lines(who(), id)
    apart = differences(here, there)
    left_picture, right_picture, marked = draw.compared(str(picture(left, here)), str(picture(right, there)))
    return render_template(
        "compare.html",
        **around(left),
        other=right,
        left_version=one,
        right_version=other,
        left_picture=left_picture,
        right_picture=right_picture,
        marked=marked,
        differences=apart[:MOST_DIFFERENCES],
        more=max(0, len(apart) - MOST_DIFFERENCES),
        scores=by_points(left, here),
        other_scores={score.seat: score for score in right.title.score(there)},
        lines=found,
        called=_line_names(found),
        parted=_parted(left, right),
        ways=_ways(left, right, _parted(left, right)),
        relations=_relations(left, here, there),
    )


def _ways(left: Look, right: Look, parted: int | None) -> list[tuple[Look, int, list[dict[str, Any]]]]:
    """What each of two lines did first that the other did not."""
    if parted is None:
        return []
    return [(side, parted + 1, told(side, course(side), parted, parted + 1)) for side in (left, right) if parted < side.head]


def _relations(look: Look, here: Table, there: Table) -> list[tuple[str, str, str, str]]:
    """How seats stand to each other on two tables where they differ: (seat, other, here, there)."""
    sides = [{(said.seat, said.other): said.status for said in look.title.diplomacy(table)} for table in (here, there)]
    pairs = sorted({*sides[0], *sides[1]})
    return [(*pair, sides[0].get(pair, ""), sides[1].get(pair, "")) for pair in pairs if sides[0].get(pair) != sides[1].get(pair)]


def _parted(left: Look, right: Look) -> int | None:
    """The last version two lines have in common; None for one and the same line."""
    if left.line.id == right.line.id:
        return None
    one, other = _lineage(left.line), _lineage(right.line)
    return min(max(min(one[id], other[id]) for id in one.keys() & other.keys()), left.head, right.head)


def _lineage(line: Line) -> dict[str, int]:
    """The lines a line goes through, and up to which version it follows each."""
    found, upto = {line.id: LATEST}, LATEST
    while line.parent:
        upto = min(upto, line.at)
        found[line.parent] = upto
        line = matches().store.line(line.parent)
    return found


# -- the report ---------------------------------------------------------------------------------------------


@pages.get("/report")
def report(id: str, line: str) -> str:
    """The whole match on paper."""
    seen = look(id, line)
    view = seen.table()
    return render_template(
        "report.html",
        **around(seen),
        names=names(seen.match),
        chronicle=told(seen, course(seen), 0, seen.head),
        scores=by_points(seen, view),
        winners=seen.title.winners(view),
        sections=seen.title.board(view),
        picture=picture(seen, view),
    )


# -- the proof ----------------------------------------------------------------------------------------------


@pages.get("/verify")
def verify(id: str, line: str) -> str:
    """The record checked here and now, as anybody can check it at home."""
    seen = look(id, line)
    checked, wrong = None, ""
    if not seen.delayed:
        try:
            checked = bundle.check(_bundle(seen))
        except Unproven as found:
            wrong = str(found)
    return render_template("verify.html", **around(seen), checked=checked, wrong=wrong, whole=_eyes(seen) == ARBITER)


@pages.get("/bundle")
def bundle_file(id: str, line: str) -> Response:
    """The bundle of a match, to check offline."""
    seen = look(id, line)
    if seen.delayed:
        raise NotFound("spectators who are held back get their bundle at the end")
    name = f"{id}.zip" if _eyes(seen) == ARBITER else f"{id}-{seen.viewer}.zip"
    return Response(_bundle(seen), mimetype="application/zip", headers={"Content-Disposition": f'attachment; filename="{name}"'})


def _eyes(seen: Look) -> str:
    """Whose bundle: the whole one holds the seed, and so all luck to come, so nobody gets it before the end."""
    if seen.match.state == FINISHED and ARBITER in matches().viewers(who(), seen.match):
        return ARBITER
    return seen.viewer if seen.viewer in seen.match.seats else "spectator"


def _bundle(seen: Look) -> bytes:
    key = Ed25519PrivateKey.from_private_bytes(current_app.extensions["settings"].signing_key())
    return bundle.export(matches().open_log(seen.line.id), _eyes(seen), key)
