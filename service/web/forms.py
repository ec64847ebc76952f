"""A question as a form, and a form as an answer: works with scripts off."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from domain.kernel.errors import Refused

FEW = 40


def words(answer: Any, _: Any = lambda sentence: sentence) -> str:
    """An answer as a person would say it."""
    if answer is None:
        return _("pass")
    if isinstance(answer, bool):
        return _("yes") if answer else _("no")
    if isinstance(answer, list):
        if answer and all(isinstance(pair, list) and len(pair) == 2 and isinstance(pair[1], int) for pair in answer):
            return ", ".join(f"{n} × {item}" if n > 1 else str(item) for item, n in answer)
        return " ".join(words(part, _) for part in answer) if answer else _("nothing")
    return str(answer).replace("_", " ")


def options(question: Mapping[str, Any], _: Any) -> list[dict[str, Any]]:
    """The answers of a list, each with the value its button sends and the spaces of the board it names."""
    choice = question["choice"]
    listed = choice["options"] if choice["type"] == "one_of" else []
    found = [{"value": json.dumps(option), "label": words(option, _), "spaces": " ".join(spaces(option))} for option in listed]
    if question["optional"]:
        found.append({"value": "null", "label": _("pass"), "spaces": ""})
    return found


def spaces(option: Any) -> list[str]:
    """The names in an option that may be spaces of the board."""
    if isinstance(option, str):
        return [option]
    return [name for part in option for name in spaces(part)] if isinstance(option, list) else []


def hot(questions: list[dict[str, Any]]) -> frozenset[str]:
    """Every space that some legal answer names."""
    found: set[str] = set()
    for question in questions:
        choice = question.get("choice")
        if choice is None:
            continue
        for option in choice.get("options", []):
            found.update(spaces(option))
        found.update(choice.get("of", {}))
        for slot, listed in choice.get("slots", {}).items():
            found.add(slot)
            found.update(name for option in listed for name in spaces(option))
    return frozenset(found)


def answer(question: Mapping[str, Any], form: Mapping[str, str]) -> Any:
    """What a form says, as the rules want it."""
    choice = question["choice"]
    if form.get("pass"):
        return None
    try:
        if choice["type"] == "one_of":
            return json.loads(form["answer"])
        if choice["type"] == "number":
            return int(form["answer"])
        if choice["type"] == "counts":
            taken = {item: int(form.get(f"n:{item}") or 0) for item in choice["of"]}
            return [[item, n] for item, n in sorted(taken.items()) if n]
        return [json.loads(form[f"slot:{slot}"]) for slot in choice["slots"]]
    except (KeyError, ValueError):
        raise Refused(question["cite"], "choose one of the answers first") from None
