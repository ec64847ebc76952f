"""The case file of an event: what was asked, answered, drawn and done, by which rules, and what the rules say when they are run again.

Everything here is for one reader: it is redacted like everything else, and what only the arbiter may know stays out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from domain import proof
from domain.audit import rerun
from domain.games import summaries
from domain.kernel import chain, redact
from domain.kernel.errors import BrokenLog, NotFound
from domain.kernel.event import ADVANCED, ALOUD, CREATED, QUESTION, Cite, Event, Rolled
from domain.kernel.schema import ARBITER, HIDDEN
from domain.kernel.title import Title
from domain.log import Diverged, Log, resume
from domain.match import FINISHED
from domain.orders import spoken
from domain.readings import readings
from domain.whatif import differences
from service.looks import FEW_ANSWERS, Look
from service.titles import Titles, edition

PINNED, NEWEST = "pinned", "newest"


def file(look: Look, log: Log, titles: Titles, version: int) -> dict[str, Any]:
    """Everything about one decision that bears on a dispute, as far as the reader may see it."""
    group = _group(look, log, version)
    first, viewer = group[0], look.viewer
    seen = [redact.event(log.schema, event, viewer) for event in group]
    before = look.table(first.version - 1) if first.version > 1 else None
    after = look.table(group[-1].version)
    privy = viewer in (ARBITER, first.seat)
    return {
        "version": first.version,
        "before": before.state() if before else {},
        "after": after.state(),
        "changes": [change._asdict() for change in differences(before, after)] if before else [],
        "question": _asked(log, look, first),
        "answer": seen[0].answer if first.kind != CREATED else None,
        "received": first.at,
        "via": first.cause.partition("#")[0],
        "receipt": proof.receipt(log.match.id, log.line.id, first).answer if privy and first.ask else None,
        "chance": [msgspec.to_builtins(outcome) for event in seen for outcome in event.chance],
        "proof": _proof(look, log, group),
        "ops": [msgspec.to_builtins(op) for event in seen for op in event.ops],
        "why": why(look.title, seen),
        "verdicts": verdicts(log, titles, group, viewer),
        "readings": [
            {**one._asdict(), "differs": one.differs, "changes": [change._asdict() for change in one.changes]}
            for one in readings(log, group, viewer)
        ],
    }


def _group(look: Look, log: Log, version: int) -> list[Event]:
    """The decision at a version with what it set off, as far as the reader may see."""
    version = look.known(version)
    while version > 1 and log.raw(version - 1, version)[0].kind == ADVANCED:
        version -= 1
    found = log.raw(version - 1, version)
    while found[-1].version < look.head and (more := log.raw(found[-1].version, found[-1].version + 1))[0].kind == ADVANCED:
        found += more
    return found


def _asked(log: Log, look: Look, first: Event) -> dict[str, Any] | None:
    """The question and what was legal: in full for the seat that was asked and for those who may see everything."""
    if not first.ask:
        return None
    try:
        run = log.run_at(first.version - 1)
    except (BrokenLog, NotFound):  # by rules that are not at hand
        return {"seat": first.seat, "key": first.ask}
    found = redact.questions(run.asks, run.offers, look.viewer)
    asked = next((one for one in found if (one["seat"], one["key"]) == (first.seat, first.ask)), None)
    if asked is not None and "choice" in asked:
        ask = run.question(first.seat, first.ask)
        asked["count"] = ask.count()
        asked["answers"] = list(ask.all()) if asked["count"] <= FEW_ANSWERS else None
    return asked


def _proof(look: Look, log: Log, group: Sequence[Event]) -> dict[str, Any]:
    """What a reader can check the event by: its place in the chain, and the promise that its dice follow from."""
    first = group[0]
    previous = log.raw(first.version - 2, first.version - 1)[0].link if first.version > 1 else chain.START
    linked = True
    for event in group:
        linked = linked and chain.link(previous, log.schema, event, log.secret_of(event.version)) == event.link
        previous = event.link
    over = look.match.state == FINISHED and look.match.policy.afterwards == "shown"
    drawn = log.standpoint(first.version - 1) if first.version > 1 else (None, [], 0)
    number = drawn[2] + sum(len(item.chance) for item in drawn[1])
    return {
        "link": group[-1].link.hex(),
        "chain": linked,
        "line": log.store.line(log.line_of(first.version)).key,
        "commitment": log.header.commitment,
        "nonces": log.header.nonces,
        # How many cards were drawn before is for those to know who see them drawn.
        "first_draw": number if over or look.viewer == ARBITER else None,
        "seed": log.match.seed.hex() if over else None,
    }


# -- run again ----------------------------------------------------------------------------------------------


def verdicts(log: Log, titles: Titles, group: Sequence[Event], viewer: str) -> list[dict[str, Any]]:
    """The decision made again from the last mark: under the rules it was made by, and under the newest if they are others."""
    first = group[0]
    pinned = log.terms(first.version)["rules"]
    newest = titles.get(log.match.title)
    found = [_verdict(PINNED, pinned, edition(titles, log.match.title, pinned), log, group, viewer)]
    if newest.rules != pinned:
        found.append(_verdict(NEWEST, newest.rules, newest, log, group, viewer))
    return found


def _verdict(which: str, rules: str, title: Title | None, log: Log, group: Sequence[Event], viewer: str) -> dict[str, Any]:
    said: dict[str, Any] = {"which": which, "rules": rules, "clean": None, "version": None, "rule": "", "says": ""}
    first = group[0]
    if title is None:
        return {**said, "says": "these rules are not at hand any more"}
    if first.kind != CREATED and not first.ask:
        return {**said, "says": "nothing was decided here by the rules of the game"}
    diverged = rerun(log, title, group)
    if diverged is None:
        return {**said, "clean": True, "says": "the rules, run again, say exactly what the log says"}
    # Why they differ may hang on what others hold: that they do is everybody's business, and where.
    says = "the rules, run again, do not say what the log says"
    told = viewer == ARBITER
    return {
        **said,
        "clean": False,
        "version": diverged.version or first.version,
        "rule": diverged.rule if told else "",
        "says": f"{says}: {diverged.reason}" if told else says,
    }


def diverges(log: Log, title: Title) -> Diverged | None:
    """Where a version of the rules parts from what was decided since the last mark; None if the match could go on as it stands."""
    table, tail, drawn = log.standpoint()
    schema = title.schema(log.header.seats, table.schema.options)
    if schema.digest() != log.header.schema:
        return Diverged(0, "", f"rules {title.rules} lay the table differently")
    laid = title.table.restored(schema, {name: held for name, held in table.zones.items() if held is not None}, table.registers)
    try:
        resume(title, laid, tail, log.source(), drawn)
    except Diverged as found:
        return found
    except Exception as crash:
        return Diverged(tail[0].version if tail else log.head, "", f"rules {title.rules} fail here: {type(crash).__name__}")
    return None


# -- why ----------------------------------------------------------------------------------------------------


def why(title: Title, events: Sequence[Event]) -> list[dict[str, Any]]:
    """The rules an event rests on, in order: the question, the dice, what was said aloud with its facts, what was done by which rule."""
    found: list[dict[str, Any]] = []
    for event in events:
        dice = iter([outcome for outcome in event.chance if type(outcome) is Rolled])
        done: set[tuple[str, int]] = set()
        for cite in event.cites:
            if cite.rule and (cite.rule, cite.op) not in done:  # a draw and the move of what was drawn cite the same
                found.append(_step(title, event, cite, dice))
            done |= {(cite.rule, cite.op)} if cite.op >= 0 else set()
        found += [_rolled("", rolled) | {"summary": ""} for rolled in dice]
    return [step | {"sentence": _sentence(title, step, events[0])} for step in found]


def _sentence(title: Title, step: dict[str, Any], first: Event) -> str:
    """One step in plain words."""
    if step["kind"] == "question":
        asked = title.prompts.get(first.ask) or said(title, first.ask)
        return f"{first.seat} was asked: {asked} The answer: {'pass' if first.answer is None else said(title, first.answer)}."
    if step["kind"] == "dice":
        dice = step["dice"]
        return f"{dice['seat'] or 'the table'} rolled {said(title, dice['key'])}: {', '.join(map(str, dice['values']))}."
    if step["kind"] == "said":
        return ", ".join(f"{said(title, name)}: {said(title, value)}" for name, value in step["facts"].items())
    tag, *op = step["op"]
    if tag == "m":
        return f"{op[3] if op[3] > 1 else 'one'} {said(title, op[0])} from {op[1]} to {op[2]}"
    return f"{op[0]} from {said(title, op[1])} to {said(title, op[2])}" if tag == "s" else f"{op[0]} in another order"


def said(title: Title, value: Any) -> str:
    """A value as a person would say it."""
    if value is None or value == HIDDEN:
        return "nothing" if value is None else "hidden"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return " ".join(said(title, part) for part in value) or "nothing"
    if isinstance(value, dict):
        return ", ".join(f"{said(title, name)} {said(title, part)}" for name, part in value.items())
    return spoken(title, value) if isinstance(value, str) else str(value)


def _step(title: Title, event: Event, cite: Cite, dice: Iterator[Rolled]) -> dict[str, Any]:
    op = event.ops[cite.op] if 0 <= cite.op < len(event.ops) else None
    kind = "question" if cite.op == QUESTION else "done" if op is not None else "said"
    step = {
        "rule": cite.rule,
        "kind": kind,
        "facts": cite.facts,
        "dice": None,
        "op": msgspec.to_builtins(op) if op is not None else None,
    }
    # The kernel says the rule of a roll aloud, without facts, when the dice fall.
    rolled = next(dice, None) if cite.op == ALOUD and not cite.facts else None
    return (_rolled(cite.rule, rolled) if rolled is not None else step) | {"summary": summary(title.id, cite.rule)}


def _rolled(rule: str, rolled: Rolled) -> dict[str, Any]:
    dice = {"key": rolled.key, "seat": rolled.seat, "faces": rolled.faces, "values": rolled.values}
    return {"rule": rule, "kind": "dice", "facts": {}, "dice": dice, "op": None}


def summary(title: str, rule: str) -> str:
    """What a rule says, or the chapter it belongs to."""
    said = summaries(title)
    while rule:
        if rule in said:
            return said[rule]
        rule = rule[: max(rule.rfind(mark) for mark in ".-")] if "." in rule or "-" in rule else ""
    return ""
