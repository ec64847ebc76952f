"""The analyst's pages: where a game was won, playouts from any moment, alternatives side by side, luck."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, current_app, redirect, render_template, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as BaseResponse

from domain.bots import POLICIES
from domain.kernel.errors import NotFound, Refused
from domain.kernel.event import Rolled
from domain.kernel.schema import ARBITER
from domain.luck import sheet
from domain.rollout import Estimate
from domain.whatif import decision_at
from service import analysis
from service.looks import Look
from service.rollouts import QUEUED, RUNNING, Job, Rollouts
from service.studies import SWEEP, Studies, Study
from service.web import draw, odds, text
from service.web.course import course
from service.web.looking import around, look, version
from service.web.session import errors_as_pages, matches, signed_in, who
from service.web.telling import told

pages = errors_as_pages(Blueprint("web_analysis", __name__, url_prefix="/m/<id>/<line>/analysis"))

LARGEST = 8
REFRESH = 3


def rollouts() -> Rollouts:
    found: Rollouts = current_app.extensions["rollouts"]
    return found


def studies() -> Studies:
    found: Studies = current_app.extensions["studies"]
    return found


def causes() -> dict[str, str]:
    """What moved the chances, in words."""
    return {
        analysis.DECISION: text._("a decision"),
        analysis.CHANCE: text._("chance"),
        analysis.SEVERAL: text._("several decisions"),
    }


def policies() -> dict[str, str]:
    """How those who play on decide."""
    known = {"random": text._("at random"), "greedy": text._("greedily"), "search": text._("by searching")}
    return {name: known.get(name, name) for name in POLICIES}


def states() -> dict[str, str]:
    return {
        "queued": text._("waiting"),
        "running": text._("playing"),
        "done": text._("done"),
        "cancelled": text._("stopped"),
        "failed": text._("failed"),
    }


def frame(seen: Look) -> dict[str, Any]:
    """What all pages of the desk show around themselves."""
    whole = ARBITER in matches().viewers(who(), seen.match, seen.line)
    supposed = matches().supposed(seen.line)
    mine = seen.match.seats_of(who())
    return {
        **around(seen),
        "whole": whole,
        "supposed": supposed,
        "thinks_as": "" if whole else (seen.viewer if seen.viewer in mine else (mine or [""])[0]),
        "policies": policies(),
        "states": states(),
        "causes": causes(),
        "bar": lambda one: odds.interval(one, draw.seat_class(one.seat, seen.match.seats)),
        "told_at": lambda at: told_at(seen, at),
    }


def told_at(seen: Look, at: int) -> Markup:
    """What happened at a version, in sentences."""
    rows = told(seen, course(seen), at - 1, at) if 1 <= at <= seen.head else []
    return Markup(" ").join(sentence for row in rows for sentence in row["sentences"])


def number(name: str, usual: int, most: int) -> int:
    """A number out of a form."""
    sent = request.values.get(name, "")
    return max(1, min(most, int(sent))) if sent.isascii() and sent.isdigit() and len(sent) < 7 else usual


def policy() -> str:
    sent = request.form.get("policy", "random")
    return sent if sent in POLICIES else "random"


def seed() -> str:
    return "".join(c for c in request.form.get("seed", "") if c.isprintable())[:40] or "0"


# -- swings -------------------------------------------------------------------------------------------------


@pages.get("")
def desk(id: str, line: str) -> str:
    """The desk: where the game was won, what can be tried, what was played out."""
    seen = look(id, line)
    shown = frame(seen)
    study = studies().latest(who(), id, seen.line.id) if shown["whole"] else None
    seats = seen.match.seats
    largest = sorted(study.swings, key=lambda swing: -swing.largest)[:LARGEST] if study else []
    numbered = list(enumerate(largest, 1))
    drawn = ""
    if study:
        drawn = odds.curve(
            [point for point in study.curve if not point.decided],
            numbered,
            study.playouts,
            {seat: text.seat_name(seat) for seat in seats},
            {seat: draw.seat_class(seat, seats) for seat in seats},
            url_for("web_game.line", id=id, line=line, **{"as": seen.viewer}) + "&at=",
            text._("Chance to win, over the game"),
            causes(),
        )
    return render_template(
        "analysis.html",
        **shown,
        study=study,
        chart=drawn,
        largest=numbered,
        refresh=REFRESH if study and study.state == RUNNING else 0,
        over=seen.over_at(seen.head),
        jobs=rollouts().of_match(who(), id)[:5] if who() else [],
        mine=study is not None
        and bool(who())
        and any(one.id == study.id for one in studies().of_line(who(), id, line, study.kind)),
    )


@pages.post("/swings")
def swings(id: str, line: str) -> BaseResponse:
    """Look for the swings of a game."""
    account = signed_in().id
    seen = look(id, line)
    studies().swings(account, id, line=seen.line.id, playouts=number("playouts", 60, 500), policy=policy(), seed=seed())
    return redirect(url_for(".desk", id=id, line=line, **{"as": seen.viewer}))


@pages.post("/studies/<study>/cancel")
def cancel_study(id: str, line: str, study: str) -> BaseResponse:
    account = signed_in().id
    found = studies().cancel(account, id, study)
    if found.kind == SWEEP:
        return redirect(url_for(".swept", id=id, line=line, study=study))
    return redirect(url_for(".desk", id=id, line=line))


# -- luck ---------------------------------------------------------------------------------------------------


@pages.get("/luck")
def luck(id: str, line: str) -> str:
    """What each seat rolled against what it could expect, and what chance did to its chances."""
    seen = look(id, line)
    shown = frame(seen)
    rows = sheet(event for after in range(0, seen.head, 200) for event in seen.events(after, 200))
    study = studies().latest(who(), id, seen.line.id) if shown["whole"] else None
    moved: dict[str, float] = {}
    looked = [swing for swing in study.swings if any(swing.by_chance.values())] if study else []
    for swing in looked:
        for seat, change in swing.by_chance.items():
            moved[seat] = moved.get(seat, 0.0) + change
    return render_template("luck.html", **shown, rows=rows, moved=moved, looked=len(looked), study=study)


# -- rollouts -----------------------------------------------------------------------------------------------


@pages.get("/rollouts")
def played(id: str, line: str) -> str:
    """One's rollouts of this match, and a form for another."""
    seen = look(id, line)
    jobs = rollouts().of_match(who(), id) if who() else []
    return render_template("rollouts.html", **frame(seen), jobs=jobs, at=version(seen), waiting=(QUEUED, RUNNING))


@pages.post("/rollouts")
def play(id: str, line: str) -> BaseResponse:
    """Play a moment out many times."""
    account = signed_in().id
    seen = look(id, line)
    eyes = ARBITER if ARBITER in matches().viewers(account, seen.match, seen.line) else seen.viewer
    how: dict[str, Any] = {"policy": policy(), "seed": seed(), "n": number("playouts", 200, analysis.MOST)}
    close = request.form.get("precision", "")
    how["precision"] = {"5": 0.05, "3": 0.03, "2": 0.02}.get(close, 0.0)
    job = rollouts().ask(account, id, version=version(seen), line=seen.line.id, viewer=eyes, **how)
    return redirect(url_for(".rollout", id=id, line=line, job=job.id, **{"as": seen.viewer}))


@pages.post("/both")
def both(id: str, line: str) -> BaseResponse:
    """Play this line and the one it came from out, each from where they part."""
    account = signed_in().id
    seen = look(id, line)
    grew = matches().branches.about(seen.line.id).grew
    if grew is None:
        raise Refused("", text._("this line did not grow from another one by a change"))
    eyes = ARBITER if ARBITER in matches().viewers(account, seen.match, seen.line) else seen.viewer
    how: dict[str, Any] = {"policy": policy(), "seed": seed(), "n": number("playouts", 200, analysis.MOST)}
    here = rollouts().ask(account, id, version=_after(seen.line.id, grew.asked), line=seen.line.id, viewer=eyes, **how)
    parent = matches().look(account, id, line=grew.parent, note=False)
    whole = ARBITER in matches().viewers(account, parent.match, parent.line)
    at = _after(grew.parent, grew.version - 1) if grew.what else grew.version
    there = rollouts().ask(account, id, version=at, line=grew.parent, viewer=ARBITER if whole else parent.viewer, **how)
    return redirect(url_for(".rollout", id=id, line=line, job=here.id, **{"with": there.id, "as": seen.viewer}))


def _after(line: str, version: int) -> int:
    """The question after the decision that follows a version."""
    log = matches().open_log(line)
    return decision_at(log, version + 1)[-1].version if log.raw(version, version + 1) else version


@pages.get("/rollouts/<job>")
def rollout(id: str, line: str, job: str) -> str:
    """A rollout as it comes in; two side by side with `with`."""
    seen = look(id, line)
    found = [rollouts().status(who(), id, one) for one in (job, request.args.get("with", "")) if one]
    seats = seen.match.seats
    called = {one.line: _line_name(id, one.line) for one in found}
    scale = [value for one in found for held in one.points.values() for value in held]  # the same for both
    return render_template(
        "rollout.html",
        **frame(seen),
        shown=[(one, _spread(one, seats, scale)) for one in found],
        called=called,
        job=found[0],
        waiting=(QUEUED, RUNNING),
        refresh=REFRESH if any(one.state in (QUEUED, RUNNING) for one in found) else 0,
        apart=_apart(found),
    )


def _line_name(id: str, line: str) -> str:
    kept = matches().store.line(line)
    said = matches().branches.about(line).name or kept.reason
    return said or (text._("branch {id}").format(id=line) if kept.parent else text._("main line"))


def _spread(job: Job, seats: list[str], scale: list[int]) -> Markup:
    found = {one.seat: one for one in job.found}
    names, kinds = {seat: text.seat_name(seat) for seat in seats}, {seat: draw.seat_class(seat, seats) for seat in seats}
    return odds.distribution(job.points, found, names, kinds, text._("How many playouts ended with how many points"), scale)


def _apart(found: list[Job]) -> list[tuple[str, float, bool]]:
    """By how much two rollouts differ, seat by seat, and whether their intervals leave it open."""
    if len(found) < 2 or not all(job.found for job in found):
        return []
    left, right = ({one.seat: one for one in job.found} for job in found)
    return [(seat, left[seat].win - right[seat].win, _clear(left[seat], right[seat])) for seat in left]


def _clear(one: Estimate, other: Estimate) -> bool:
    """Whether two estimates differ by more than what noise explains."""
    spread = one.win * (1 - one.win) / one.n + other.win * (1 - other.win) / other.n
    return abs(one.win - other.win) > 1.96 * spread**0.5 and one.win != other.win


@pages.post("/rollouts/<job>/cancel")
def cancel(id: str, line: str, job: str) -> BaseResponse:
    rollouts().cancel(signed_in().id, id, job)
    return redirect(url_for(".rollout", id=id, line=line, job=job))


# -- sweeps -------------------------------------------------------------------------------------------------


@pages.get("/sweep")
def sweeps(id: str, line: str) -> str:
    """Sweeps of this line, and a form for another."""
    seen = look(id, line)
    found = studies().of_line(who(), id, seen.line.id, SWEEP) if who() else []
    return render_template("sweeps.html", **frame(seen), found=found, at=version(seen))


@pages.post("/sweep")
def sweep(id: str, line: str) -> BaseResponse:
    """Every alternative at one decision, or every face of one die."""
    account = signed_in().id
    seen = look(id, line)
    die = request.form.get("draw", "")
    how: dict[str, Any] = {"policy": policy(), "seed": seed(), "playouts": number("playouts", 60, 1000)}
    if die.isascii() and die.isdigit() and len(die) < 4:
        how["draw"] = int(die)
    found = studies().sweep(account, id, version(seen), line=seen.line.id, viewer=seen.viewer, **how)
    return redirect(url_for(".swept", id=id, line=line, study=found.id, **{"as": seen.viewer}))


@pages.get("/sweep/<study>")
def swept(id: str, line: str, study: str) -> str:
    """A sweep as it comes in: what each alternative comes to, and what the real one cost."""
    seen = look(id, line)
    found = _sweep(id, study)
    by = found.seat
    wins = {at: _win(row.found, by) for at, row in enumerate(found.swept) if row.found}
    best = max(wins, key=lambda at: wins[at].win) if wins else None
    real = next((at for at, row in enumerate(found.swept) if row.alternative == found.chosen), None)
    order = sorted(range(len(found.swept)), key=lambda at: -wins[at].win if at in wins else 1.0)
    return render_template(
        "sweep.html",
        **frame(seen),
        study=found,
        rows=[(at, found.swept[at]) for at in order],
        best=best,
        real=real,
        cost=wins[best].win - wins[real].win if best is not None and real in wins else 0.0,
        sure=best is not None and real in wins and _clear(wins[best], wins[real]),
        refresh=REFRESH if found.state == RUNNING else 0,
    )


def _sweep(id: str, study: str) -> Study:
    found = studies().status(who(), id, study)
    if found.kind != SWEEP:
        raise NotFound("there is no such sweep")
    return found


def _win(found: list[Estimate], seat: str) -> Estimate:
    return next(one for one in found if one.seat == seat)


@pages.get("/sweep/<study>.csv")
def sweep_csv(id: str, line: str, study: str) -> Response:
    """A sweep as a table for a spreadsheet."""
    look(id, line)
    found = _sweep(id, study)
    name = f'attachment; filename="sweep-{found.version}.csv"'
    return Response(analysis.as_csv(found.swept), mimetype="text/csv", headers={"Content-Disposition": name})


def rolls(chance: list[Any]) -> list[tuple[int, Rolled]]:
    """The rolls of dice among what was drawn, each with its number."""
    return [(number, outcome) for number, outcome in enumerate(chance) if type(outcome) is Rolled]
