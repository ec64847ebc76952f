"""The chronicle on a page: what happened as sentences, and under each what it rests on."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from typing import Any

from flask import current_app

from domain.games import summaries
from domain.kernel import event as event_kinds
from domain.kernel.event import ADVANCED, CREATED, QUESTION, Event, Rolled
from domain.kernel.schema import HIDDEN
from service.looks import Look
from service.web import draw, text
from service.web.course import Course

BEFORE, AFTER = 80, 20
MOST_OPS = 24
KEPT = 4096


class Rows:
    """The rows this process told last. A row never changes: what is known of an event by a viewer is known for good."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, str, str, int], dict[str, Any]] = OrderedDict()

    def of(self, key: tuple[str, str, str, int], made: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        with self._lock:
            found = self._kept.get(key)
        if found is None:
            found = made()
            with self._lock:
                self._kept[key] = found
                while len(self._kept) > KEPT:
                    self._kept.popitem(last=False)
        return found


def window(course: Course, version: int) -> tuple[int, int]:
    """The versions the chronicle shows around one: after the first of these, up to the second."""
    return max(0, version - BEFORE), min(len(course.steps), version + AFTER)


def told(look: Look, course: Course, after: int, upto: int) -> list[dict[str, Any]]:
    """Events as rows: their sentences, turn by turn, with rules, dice and changes."""
    turns = {turn.version: turn for turn in course.turns}
    heading = next((turn for turn in reversed(course.turns) if turn.version <= after), None)
    kept: Rows = current_app.extensions["rows"]
    page = current_app.jinja_env.get_template("part/row.html").make_module({**spoken_here(), "title": look.title})
    language, rows = text.language(), list[dict[str, Any]]()
    for event in look.events(after, upto - after):
        heading = turns.get(event.version, heading)
        row = kept.of((look.line.id, look.viewer, language, event.version), partial(_row, look, event, page))
        if row["sentences"]:
            turn = turn_name(heading.kind, heading.number) if heading else ""
            rows.append({**row, "undone": course.undone(event.version), "turn": turn})
            heading = None
    return rows


def spoken_here() -> dict[str, Any]:
    """The words a part of a page needs that is made by itself."""
    return {"_": text.here(), "words": text.words}


def _row(look: Look, event: Event, page: Any) -> dict[str, Any]:
    """One event: what happened, and what it rests on, also as they stand on a page."""
    seats, rules = look.match.seats, summaries(look.title.id)
    row: dict[str, Any] = {
        "version": event.version,
        "at": event.at,
        "seat": event.seat,
        "kind": event.kind,
        "sentences": [text.coloured(sentence, seats, draw.seat_class) for sentence in sentences_of(look, event, text.phrases())],
        "rules": [(rule, rules.get(rule, "")) for rule in cited(event)],
        "dice": [(outcome.key, outcome.values) for outcome in event.chance if type(outcome) is Rolled],
        "ops": [text.op(look.title, op) for op in event.ops[:MOST_OPS]],
        "more": max(0, len(event.ops) - MOST_OPS),
    }
    return {**row, "said": page.said(row), "why": page.why(row)}


def turn_name(kind: str, number: int) -> str:
    return {"year": text._("Year {n}"), "round": text._("Round {n}")}.get(kind, text._("Turn {n}")).format(n=number)


def cited(event: Event) -> list[str]:
    """The rules an event rests on, in order, each once."""
    return list(dict.fromkeys(cite.rule for cite in event.cites if cite.rule and cite.op >= QUESTION))


def sentences_of(look: Look, event: Event, _: text.Translate) -> list[str]:
    """What happened: in the title's words, else in ours."""
    seat = event.seat.capitalize()
    match event.kind:
        case event_kinds.UNDONE:
            return [_("{seat} takes back everything after version {version}.").format(seat=seat, version=event.answer)]
        case event_kinds.RULED if "text" in event.answer:
            return [_("Ruling: {text}").format(text=event.answer["text"])]
        case event_kinds.RULED:
            return [_("From here on the rules {rules} apply.").format(rules=event.answer["rules"])]
        case event_kinds.ADOPTED:
            return [_("The match goes on on another line.")]
    sentences = list(look.title.tell(event, _))
    if sentences or event.kind == ADVANCED:
        return sentences
    if event.kind == CREATED:
        return [_("The game is set up: {title}.").format(title=look.title.name)]
    asked = text.words(look.title, event.ask)
    if event.answer in (None, "pass"):
        return [_("{seat} passes: {question}.").format(seat=seat, question=asked)]
    if event.answer == HIDDEN:
        return [_("{seat} decides in secret: {question}.").format(seat=seat, question=asked)]
    return [
        _("{seat} decides: {question}: {answer}.").format(seat=seat, question=asked, answer=text.words(look.title, event.answer))
    ]
