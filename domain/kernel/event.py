"""What is stored. These classes are the storage format: add fields at the end, never rename or reorder them."""

from __future__ import annotations

from typing import Any, final

import msgspec

from domain.kernel.ops import Op


@final
class Rolled(msgspec.Struct, frozen=True, array_like=True, tag="roll"):
    """Dice: what for, whose, the faces of one die, what came up. Public."""

    key: str
    seat: str
    faces: list[int]
    values: list[int]


@final
class Drawn(msgspec.Struct, frozen=True, array_like=True, tag="draw"):
    """A random item out of a zone. Seen only through the ops that it causes."""

    key: str
    zone: str
    item: str


@final
class Shuffled(msgspec.Struct, frozen=True, array_like=True, tag="shuffle"):
    """A random order of a row. Seen only through the ops that it causes."""

    key: str
    zone: str
    order: list[int]


Chance = Rolled | Drawn | Shuffled


ALOUD, QUESTION = -1, -2


class Cite(msgspec.Struct, frozen=True, array_like=True):
    """A rule that was applied: to the op with this index, seen by those who see the op; or ALOUD; or to the QUESTION."""

    rule: str
    op: int = ALOUD
    facts: dict[str, Any] = {}


class Shown(msgspec.Struct, frozen=True, array_like=True):
    """A peek: one seat saw these items of a zone."""

    seat: str
    zone: str
    items: list[str]


class Veil(msgspec.Struct, frozen=True, array_like=True):
    """Who may read the answer besides its own seat: these seats, and everybody as far as they can see these zones."""

    zones: list[str] = []
    seats: list[str] = []


class Header(msgspec.Struct, frozen=True):
    """The answer of a `created` event: what the game is and what was promised about it."""

    title: str
    rules: str
    data: str
    schema: str
    seats: list[str]
    options: dict[str, Any]
    commitment: str
    nonces: list[str] = []


CREATED, DECIDED, SEALED, ADVANCED = "created", "decided", "sealed", "advanced"
UNDONE, ADOPTED, RULED = "undone", "adopted", "ruled"
KINDS = (CREATED, DECIDED, SEALED, ADVANCED, UNDONE, ADOPTED, RULED)


class Event(msgspec.Struct, frozen=True, array_like=True):
    """One immutable fact of a log."""

    version: int
    kind: str
    seat: str = ""
    ask: str = ""
    answer: Any = None
    chance: list[Chance] = []
    ops: list[Op] = []
    cites: list[Cite] = []
    shown: list[Shown] = []
    mark: bool = False
    cause: str = ""
    at: int = 0  # milliseconds since 1970, UTC; given by the service, never read by rules
    veil: Veil | None = None
    digest: bytes = b""  # of the table, at marks
    link: bytes = b""


encode = msgspec.msgpack.Encoder().encode
decode = msgspec.msgpack.Decoder(Event).decode
