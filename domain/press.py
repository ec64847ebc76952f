"""Press: what players write to each other, to everybody or to some seats, under their name or, where the house allows it, under none.

Facts, then fold, then decide. Nothing is ever struck from the archive; everybody reads in it what was addressed to them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from domain.facts import Folded
from domain.kernel.errors import Refused

LONGEST = 4_000
MOST_A_DAY = 50
DAY = 24 * 3_600_000
CONTROL = re.compile("[\\u0000-\\u0008\\u000b-\\u001f\\u007f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff]")


class Sent(msgspec.Struct, frozen=True, tag="sent"):
    """One piece of press (storage format: add fields at the end). `to` is empty for everybody."""

    id: str
    seat: str
    to: list[str]
    anonymous: bool
    text: str
    version: int
    at: int


encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Sent).decode


class Heading(NamedTuple):
    """To whom, and whether the writer's name stays away."""

    to: list[str]
    anonymous: bool


def heading(text: str, seats: Sequence[str]) -> Heading:
    """`to all`, `to red, blue`, `anonymous to red`: whom a piece of press is for.

    >>> heading("to Red and blue", ["red", "blue", "green"])
    Heading(to=['red', 'blue'], anonymous=False)
    """
    words = [word.casefold() for word in re.findall(r"[^\s,:;]+", text)]
    anonymous = "anonymous" in words
    names = [word for word in words if word not in ("to", "and", "anonymous")]
    if not names or names == ["all"]:
        return Heading([], anonymous)
    known = {seat.casefold(): seat for seat in seats}
    for name in names:
        if name not in known:
            raise Refused("", f"there is no seat {name[:40]!r} to write to", legal=["all", *seats])
    return Heading(list(dict.fromkeys(known[name] for name in names)), anonymous)


class Archive(Folded[Sent]):
    """Everything that was written in one match."""

    def begin(self) -> None:
        self.sent: dict[str, Sent] = {}

    def send(self, id: str, seat: str, to: Heading, text: str, *, anonymous_allowed: bool, version: int, at: int) -> Sent:
        """Write; the same id again writes nothing again."""
        if id in self.sent:
            return self.sent[id]
        text = CONTROL.sub("", text).strip()
        if not text:
            raise Refused("", "this press says nothing: write it between PRESS and ENDPRESS")
        if len(text) > LONGEST:
            raise Refused("", f"a piece of press has at most {LONGEST} characters, this has {len(text)}")
        if to.anonymous and not anonymous_allowed:
            raise Refused("", "in this match everybody signs their press")
        if to.to == [seat]:
            raise Refused("", "this press is for nobody but yourself")
        if sum(one.seat == seat and one.at > at - DAY for one in self.sent.values()) >= MOST_A_DAY:
            raise Refused("", f"a seat writes at most {MOST_A_DAY} pieces of press a day")
        self._record(Sent(id, seat, to.to, to.anonymous, text, version, at))
        return self.sent[id]

    def read_by(self, seat: str) -> list[Sent]:
        """What a seat may read, oldest first; "" reads what is public."""
        return [self.seen(one, seat) for one in self.sent.values() if not one.to or seat == one.seat or seat in one.to]

    def seen(self, one: Sent, seat: str) -> Sent:
        """A piece as a seat may read it: of others' anonymous press not who wrote it."""
        return msgspec.structs.replace(one, seat="", id="") if one.anonymous and seat != one.seat else one

    def readers(self, one: Sent, seats: Sequence[str]) -> list[str]:
        """Whom it is delivered to."""
        return [seat for seat in seats if seat != one.seat and (not one.to or seat in one.to)]

    def fold(self, fact: Sent) -> None:
        self.sent[fact.id] = fact
