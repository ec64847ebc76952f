"""The pages of one match: the table with its decision panel, scores, diplomacy, timeline, lines, comparison, the game master's desk."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, jsonify, redirect, render_template, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as BaseResponse

from domain.games import summaries
from domain.kernel.errors import NotFound, Refused, Stale
from domain.kernel.event import ADVANCED, CREATED, QUESTION, RULED, UNDONE, Event, Rolled
from domain.kernel.schema import HIDDEN
from domain.match import GAME_MASTER, OPEN
from domain.whatif import differences
from service.matches import Look
from service.web import draw, forms, text
from service.web.session import matches, signed_in, who

pages = Blueprint("web_game", __name__, template_folder="templates", url_prefix="/m/<id>")

LINES_SHOWN = 120


def _look(id: str, line: str = "") -> Look:
    return matches().look(who(), id, viewer=request.values.get("as", ""), line=line, what="page")


def _version(look: Look, name: str = "at") -> int:
    asked = request.values.get(name, "")
    return look.known(int(asked)) if asked.isdigit() else look.head


# -- the table ----------------------------------------------------------------------------------------


@pages.get("/")
def table(id: str) -> Any:
    """The match: its waiting room, or its table."""
    match = matches().see(who(), id)
    if match.state == OPEN or not match.lines:
        return _room(id)
    return redirect(url_for(".line", id=id, line=match.line))


def _room(id: str, link: str = "") -> str:
    """Before the game: who sits where, invitations, the start."""
    service = matches()
    match = service.see(who(), id)
    host = GAME_MASTER in match.roles(who())
    return render_template(
        "room.html",
        match=match,
        title=service.titles.get(match.title),
        host=host,
        names=service.accounts.names({match.holder(seat) for seat in match.seats}),
        invitations=service.invitations(who(), id) if host else [],
        link=link,
    )


@pages.post("/invite")
def invite(id: str) -> str:
    _, link = matches().invite(signed_in().id, id, seat=request.form.get("seat", ""))
    return _room(id, url_for("web_lobby.join", id=id, link=link, _external=True))


@pages.post("/bot")
def bot(id: str) -> BaseResponse:
    matches().seat_bot(signed_in().id, id, request.form.get("seat", ""), request.form.get("policy", "greedy"))
    return redirect(url_for(".table", id=id))


@pages.post("/start")
def start(id: str) -> BaseResponse:
    matches().start(signed_in().id, id)
    return redirect(url_for(".table", id=id))


@pages.get("/<line>")
def line(id: str, line: str) -> str:
    """The table at a version, through one viewer's eyes, with what can be decided now."""
    look = _look(id, line)
    version = _version(look)
    return render_template("match.html", **_page(look, version), wrong="", **_chronicle(look, version))


def _page(look: Look, version: int) -> dict[str, Any]:
    """Everything the table's page shows at a version."""
    view = look.table(version)
    try:
        questions = look.questions(version)
    except NotFound:
        questions = []
    playing = version == look.head and look.viewer in look.match.seats_of(who())
    mine = [question for question in questions if question["seat"] == look.viewer and "choice" in question]
    _ = text.translate(text.language())
    return {
        "look": look,
        "match": look.match,
        "title": look.title,
        "seats": look.match.seats,
        "version": version,
        "head": look.head,
        "viewers": matches().viewers(who(), look.match),
        "questions": questions,
        "mine": [{**question, "listed": forms.options(question, _)} for question in mine] if playing else [],
        "picture": _picture(look, view, forms.hot(mine) if playing else frozenset()),
        "sections": look.title.board(view),
        "scores": sorted(look.title.score(view), key=lambda score: -score.points),
        "winners": look.title.winners(view),
        "few": forms.FEW,
    }


def _picture(look: Look, view: Any, hot: frozenset[str]) -> Markup:
    return Markup(look.title.picture(view, hot)) if look.title.picture else Markup("")


def _chronicle(look: Look, version: int) -> dict[str, Any]:
    """The log around a version as sentences, and where the reader's own last decision was."""
    first = max(0, version - LINES_SHOWN)
    return {"chronicle": told(look, first, version), "mine_since": look.since_mine() if look.viewer in look.match.seats else 0}


def told(look: Look, after: int, upto: int) -> list[dict[str, Any]]:
    """Events as sentences with what they rest on."""
    _ = text.translate(text.language())
    events = look.events(after, upto - after)
    undone = {
        version
        for event in look.events(after, LINES_SHOWN * 2)
        if event.kind == UNDONE
        for version in range(event.answer + 1, event.version)
    }
    rules = summaries(look.title.id)
    rows = []
    for event in events:
        sentences = _sentences(look, event, _)
        if sentences:
            rows.append(
                {
                    "version": event.version,
                    "seat": event.seat,
                    "sentences": sentences,
                    "rules": [(rule, rules.get(rule, "")) for rule in _cited(event)],
                    "dice": [
                        (outcome.key.replace("_", " "), outcome.values) for outcome in event.chance if type(outcome) is Rolled
                    ],
                    "ops": [str(op) for op in event.ops[:24]],
                    "undone": event.version in undone,
                }
            )
    return rows


def _cited(event: Event) -> list[str]:
    """The rules an event rests on, in order, each once."""
    return list(dict.fromkeys(cite.rule for cite in event.cites if cite.rule and cite.op >= QUESTION))


def _sentences(look: Look, event: Event, _: Any) -> list[str]:
    if event.kind == CREATED:
        return [_("The game is set up: {title}.").format(title=look.title.name)]
    if event.kind == UNDONE:
        return [_("{seat} takes back everything after version {version}.").format(seat=event.seat, version=event.answer)]
    if event.kind == RULED:
        if "text" in event.answer:
            return [_("Ruling: {text}").format(text=event.answer["text"])]
        return [_("From here on the rules {rules} apply.").format(rules=event.answer["rules"])]
    sentences = list(look.title.tell(event, _))
    if sentences or event.kind == ADVANCED:
        return sentences
    answer = _("answers in secret") if event.answer == HIDDEN else forms.words(event.answer, _)
    return [f"{event.seat}: {event.ask.replace('_', ' ')}: {answer}"]


@pages.get("/<line>/frame")
def frame(id: str, line: str) -> Any:
    """The parts of the page that change with the version, for stepping without loading it anew."""
    look = _look(id, line)
    page = _page(look, _version(look))
    return jsonify(
        version=page["version"],
        head=page["head"],
        picture=str(page["picture"]),
        board=render_template("sections.html", sections=page["sections"], seats=page["seats"]),
        scores=render_template("scores_table.html", **page),
        prompt=render_template("prompt.html", **page),
        chronicle=render_template("chronicle.html", **page, **_chronicle(look, page["version"])),
    )


@pages.post("/<line>/decide")
def decide(id: str, line: str) -> Any:
    """Send a decision; a refusal comes back with the rule and the form as it was."""
    look = _look(id, line)
    key, sent = request.form.get("key", ""), request.form.get("version", "")
    question = next((question for question in look.questions() if question["key"] == key and "choice" in question), None)
    try:
        if question is None:
            raise Refused("", "that is not asked any more")
        found = forms.answer(question, request.form)
        expect = int(sent) if sent.isdigit() else None
        matches().decide(
            signed_in().id, id, look.viewer, key, found, expect=expect, line=line, once=request.form.get("once", ""), via="page"
        )
    except (Refused, Stale) as refused:
        wrong = f"{refused.rule}: {refused.reason}" if isinstance(refused, Refused) and refused.rule else str(refused)
        return render_template("match.html", **_page(look, look.head), wrong=wrong, **_chronicle(look, look.head)), 422
    return redirect(url_for(".line", id=id, line=line, **{"as": look.viewer}))


@pages.post("/<line>/undo")
def undo(id: str, line: str) -> Any:
    look = _look(id, line)
    try:
        matches().undo(signed_in().id, id, look.viewer, line=line, via="page")
    except Refused as refused:
        return render_template("match.html", **_page(look, look.head), wrong=refused.reason, **_chronicle(look, look.head)), 422
    return redirect(url_for(".line", id=id, line=line, **{"as": look.viewer}))


@pages.post("/<line>/fork")
def fork(id: str, line: str) -> BaseResponse:
    look = _look(id, line)
    branch = matches().fork(signed_in().id, id, version=_version(look), line=line, reason=request.form.get("reason", "")[:80])
    return redirect(url_for(".line", id=id, line=branch.id))


# -- the other views ----------------------------------------------------------------------------------


@pages.get("/<line>/scores")
def scores(id: str, line: str) -> str:
    """Points now and over time."""
    look = _look(id, line)
    history: dict[str, list[tuple[int, float]]] = {seat: [] for seat in look.match.seats}
    for point in _views().history(line, look.viewer)["points"]:
        for seat, points in point["points"].items():
            history[seat].append((point["version"], points))
    link = url_for(".line", id=id, line=line) + "?at="
    return render_template(
        "scores.html", **_page(look, look.head), chart=draw.score_chart(history, look.match.seats, link), history=history
    )


@pages.get("/<line>/diplomacy")
def diplomacy(id: str, line: str) -> str:
    """How everybody stands to everybody."""
    look = _look(id, line)
    view = look.table()
    return render_template("diplomacy.html", **_page(look, look.head), relations=look.title.diplomacy(view))


@pages.get("/<line>/lines")
def lines(id: str, line: str) -> str:
    """The branch tree."""
    look = _look(id, line)
    found = matches().lines(who(), id)
    heads = {one.id: max(matches().store.head(one.id), one.at) for one in found}
    tree = draw.branch_tree(found, heads, line, url_for(".line", id=id, line="LINE"))
    return render_template("lines.html", **_page(look, look.head), tree=tree, lines=found, heads=heads)


@pages.get("/<line>/compare")
def compare(id: str, line: str) -> str:
    """Two versions, of two lines perhaps, side by side."""
    left = _look(id, line)
    right = matches().look(who(), id, viewer=left.viewer, line=request.args.get("with", line), what="page")
    a, b = _version(left, "left"), _version(right, "right")
    one, two = left.table(a), right.table(b)
    return render_template(
        "compare.html",
        **_page(left, a),
        other=right,
        left_version=a,
        right_version=b,
        left_picture=_picture(left, one, frozenset()),
        right_picture=_picture(right, two, frozenset()),
        differences=differences(one, two),
        other_scores={score.seat: score for score in right.title.score(two)},
        lines=matches().lines(who(), id),
    )


@pages.get("/<line>/desk")
def desk(id: str, line: str) -> str:
    """The game master's desk: who is waited for, never what they hold."""
    look = matches().look(who(), id, viewer="spectator", line=line, what="desk")
    if GAME_MASTER not in look.match.roles(who()):
        raise NotFound("there is nothing here")
    service = matches()
    since = look.events(look.head - 1)[-1].at if look.head else 0
    return render_template(
        "desk.html",
        **_page(look, look.head),
        since=since,
        tenures=look.match.tenures,
        names=service.accounts.names({tenure.holder for tenure in look.match.tenures}),
        looks=service.looks(who(), id),
    )


def _views() -> Any:
    views = matches().views
    if views is None:
        raise NotFound("the score history is not kept here")
    return views
