"""Treaties on the diplomacy page: what everybody may know of them, and for who sits there the forms to make and answer them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from flask import Blueprint, flash, redirect, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from domain import clauses
from domain.kernel.errors import NotFound, Refused
from domain.match import RUNNING
from domain.observance import BROKEN, OVER
from domain.orders import OrderError
from domain.treaties import AGREED, Clause, Term
from service.looks import Look
from service.web import text
from service.web.looking import sits
from service.web.session import errors_as_pages, matches, signed_in

pages = errors_as_pages(Blueprint("web_pacts", __name__, url_prefix="/m/<id>/treaties"))


# -- what the page shows --------------------------------------------------------------------------------------


def shown(look: Look, treaties: Sequence[dict[str, Any]], pair: tuple[str, str]) -> dict[str, Any]:
    """The treaties for the page, what binds each pair, the history of the pair that is open, and how to write an offer."""
    rows = [_row(look, one) for one in treaties]
    mine = look.viewer if sits(look) and look.match.state == RUNNING and look.line.id == look.match.line else ""
    return {
        "treaties": rows[::-1],
        "bonds": _bonds(rows),
        "pacts": [one for one in rows if set(pair) <= set(one["parties"])] if all(pair) else [],
        "seat_here": mine,
        "examples": clauses.examples(look.title, [mine, *(seat for seat in look.match.seats if seat != mine)]) if mine else [],
    }


def _row(look: Look, one: dict[str, Any]) -> dict[str, Any]:
    """A treaty with its clauses as sentences of the reader's language."""
    said = [
        {**clause, "sentence": clauses.tell(look.title, _meant(clause), text.here(), text.seat_name)} for clause in one["clauses"]
    ]
    return {**one, "clauses": said, "text": "; ".join(clause["text"] for clause in one["clauses"])}


def _meant(clause: dict[str, Any]) -> Clause:
    terms = [Term(term["name"], term["given"]) for term in clause["terms"]]
    return Clause(clause["kind"], clause["by"], clause["to"], clause["given"], terms)


def _bonds(rows: Sequence[dict[str, Any]]) -> dict[tuple[str, str], list[str]]:
    """For each pair the words of what holds between them: a treaty, a promise, or one that was broken."""
    found: dict[tuple[str, str], list[str]] = {}
    for one in rows:
        for clause in one["clauses"] if one["state"] in (AGREED, BROKEN) else ():
            if clause["status"] == OVER:
                continue
            word = text._("treaty") if clause["binding"] else text._("promise")
            word = text._("broken {word}").format(word=word) if clause["status"] == BROKEN else word
            for pair in ((clause["by"], clause["to"]), (clause["to"], clause["by"])):
                if word not in found.setdefault(pair, []):
                    found[pair].append(word)
    return found


# -- forms ----------------------------------------------------------------------------------------------------


@contextmanager
def _understood() -> Iterator[None]:
    """Words that are no clauses are refused with what would be."""
    try:
        yield
    except OrderError as wrong:
        legal = f" ({', '.join(wrong.legal[:6])})" if wrong.legal else ""
        raise Refused("", f"{wrong.reason}: {wrong.line}{legal}") from wrong


@pages.post("/")
def offer(id: str) -> BaseResponse:
    """A new offer, or one instead of another."""
    given = request.form
    with _understood():
        made = matches().pacts.offer(
            signed_in().id,
            id,
            given.get("seat", ""),
            given.get("text", "")[:2_000].replace("\r\n", " "),
            secret=bool(given.get("secret")),
            hours=_hours(given.get("days", "")),
            answers=given.get("answers", ""),
        )
    flash(text._("Offer {name} is made.").format(name=made.id), "done")
    return _back(id, given.get("seat", ""))


def _hours(days: str) -> int:
    return int(days) * 24 if days.isascii() and days.isdigit() and len(days) < 3 else 0


@pages.post("/<treaty>/<answer>")
def answer(id: str, treaty: str, answer: str) -> BaseResponse:
    """Accept, refuse, withdraw, or claim that a clause was broken."""
    pacts, who, seat = matches().pacts, signed_in().id, request.form.get("seat", "")
    if answer == "accept":
        pacts.accept(who, id, treaty, seat)
    elif answer == "refuse":
        pacts.refuse(who, id, treaty, seat, request.form.get("why", "")[:300])
    elif answer == "withdraw":
        pacts.withdraw(who, id, treaty, seat)
    elif answer == "claim":
        clause = request.form.get("clause", "1")
        pacts.claim(
            who, id, treaty, seat, int(clause) if clause.isascii() and clause.isdigit() else 0, request.form.get("text", "")
        )
    else:
        raise NotFound("there is no such answer")
    return _back(id, seat)


def _back(id: str, seat: str) -> BaseResponse:
    match = matches().see(signed_in().id, id)
    return redirect(url_for("web_record.diplomacy", id=id, line=match.line, _anchor="treaties", **{"as": seat}))
