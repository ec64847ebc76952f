"""What is said about a mail that came in: of every line what became of it, with a caret where it went wrong, and our signatures."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill
from typing import Any, Literal, NamedTuple

import msgspec

from domain.kernel.errors import ChanceryError
from domain.orders import OrderError
from service.mail.paper import WIDTH, Block, Copy, Head, Say, when
from service.web.text import _

MARGIN = "    "


class Step(msgspec.Struct, frozen=True):
    """What one line of a mail came to. `begun`: what it means is settled, whether it is done is in the log."""

    number: int
    said: str
    state: Literal["begun", "done", "refused"]
    text: str = ""
    key: str = ""
    answer: Any = None
    expect: int = 0
    version: int = 0
    signed: str = ""


class Mail(NamedTuple):
    """A row of `mails_in`, without the bytes."""

    id: str
    match: str
    seat: str
    account: str
    state: str
    replies: str
    message: str
    text: str
    at: int


def why(refused: ChanceryError) -> str:
    """A refusal in a sentence, with what is legal where that is a short list of words."""
    legal = getattr(refused, "legal", None)
    if isinstance(legal, list) and legal and all(isinstance(one, str) for one in legal):
        return f"{refused}\n{_legal(legal[:12])}"
    return str(refused)


def pointed(wrong: OrderError, said: str) -> str:
    """The line with the caret under the place, and what is legal."""
    at = said.find(wrong.line.strip())
    shown = OrderError(wrong.reason, said if at >= 0 else wrong.line, max(at, 0) + wrong.at, wrong.legal)
    return shown.pointed() + (f"\n{_legal(wrong.legal)}" if wrong.legal else "")


def _legal(words: Sequence[str]) -> str:
    return fill(f"legal: {' | '.join(words)}", WIDTH - len(MARGIN), subsequent_indent="       ", break_long_words=False)


def receipt(mail: Mail, steps: Sequence[Step], zone: str, *, secrets: bool) -> list[Block]:
    """What was understood, line by line."""
    read = _("Your mail of {when} was read. Its mark (SHA-256): {mark}").format(when=when(mail.at, zone), mark=mail.id)
    blocks: list[Block] = [Head(_("Receipt")), Say([read])]
    if not steps:
        blocks.append(Say([_("There is nothing in it to carry out. Write one order in a line, or HELP.")]))
    for step in steps:
        if step.state == "refused":
            reason = step.text if secrets else step.text.split("\nlegal:")[0]
            shown = reason if step.said and step.said.strip() in reason else f"{step.said}\n{reason}".strip()
            refused = _("Line {n} was refused; nothing after it was read:").format(n=step.number)
            blocks += [Say([refused]), Copy(shown, MARGIN)]
        elif step.version:
            said = step.said if secrets else _("(your order)")
            remark = f" ({step.text})" if step.text and secrets else ""
            done = _("done, version {version}").format(version=step.version)
            blocks.append(Copy(f"{said}\n-> {done}{remark}", MARGIN))
        else:
            blocks.append(Copy(f"{step.said}\n-> {step.text}", MARGIN))
    return blocks


def proofs(steps: Sequence[Step]) -> list[Block]:
    """Our signatures under what was accepted."""
    signed = [step.signed for step in steps if step.signed]
    return [Head(_("Signed for you to keep")), Copy("\n".join(signed))] if signed else []


def summary(steps: Sequence[Step]) -> str:
    done, refused = sum(step.state == "done" for step in steps), sum(step.state == "refused" for step in steps)
    if not steps:
        return _("there are no orders in your mail")
    understood = _("receipt: {n} understood").format(n=done)
    return understood + (_(", {n} refused").format(n=refused) if refused else "")
