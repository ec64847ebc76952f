"""What rules `yield`: questions to seats, and chance."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from random import Random
from typing import Any, final

from domain.kernel.choice import Choice, DeadEnd, OneOf, Pick
from domain.kernel.event import Veil

D6 = (1, 2, 3, 4, 5, 6)


@final
class Ask:
    """A question to one seat. `optional` also accepts None (pass).

    Others only learn `(seat, key)`: a key must not tell what is held. `about` is context for the asked seat.
    `secret` keeps the answer from others: True, or the seats that may read it, or a function of the answer.
    `offers` are rights of any seat beside this question; taking one gives the rules a `Taken` instead of an answer.
    """

    __slots__ = ("about", "choice", "cite", "key", "offers", "optional", "seat", "secret")

    def __init__(
        self,
        seat: str,
        key: str,
        choice: Choice | Iterable[Any],
        cite: str,
        *,
        optional: bool = False,
        secret: bool | Sequence[str] | Callable[[Any], bool] = False,
        about: dict[str, Any] | None = None,
        offers: Sequence[Ask] = (),
    ) -> None:
        self.seat, self.key, self.cite = seat, key, cite
        self.choice: Choice = choice if hasattr(choice, "refusal") else OneOf(choice)  # type: ignore[assignment]
        self.optional, self.secret, self.about, self.offers = optional, secret, about or {}, offers

    def refusal(self, answer: Any) -> str | None:
        if answer is None and self.optional:
            return None
        return self.choice.refusal(answer)

    def count(self) -> int:
        return self.choice.count() + self.optional

    def all(self) -> Iterator[Any]:
        if self.optional:
            yield None
        yield from self.choice.all()

    def sample(self, rng: Random) -> Any:
        if self.optional and rng.random() * (min(self.choice.count(), 3) + 1) < 1:
            return None
        try:
            return self.choice.sample(rng)
        except DeadEnd:
            if self.optional:
                return None  # passing is all that is left
            raise

    def describe(self) -> dict[str, Any]:
        return {
            "seat": self.seat,
            "key": self.key,
            "cite": self.cite,
            "choice": self.choice.describe(),
            "optional": self.optional,
            "about": self.about,
        }

    def veil(self, answer: Any) -> Veil | None:
        """Who may read this answer: None means everybody."""
        secret = bool(self.secret(answer)) if callable(self.secret) else self.secret
        if secret is not False:  # an empty list of readers is a secret nobody else reads
            return Veil([], [] if secret is True else list(secret))
        return Veil(list(self.choice.zones)) if isinstance(self.choice, Pick) else None


@final
class AskAll:
    """Every seat answers, sealed, in any order; the rules go on with {seat: answer} when all are in."""

    __slots__ = ("asks",)

    def __init__(self, asks: Iterable[Ask]) -> None:
        self.asks = list(asks)


@final
class AskAny:
    """Nobody has to answer first: whoever does resumes the rules with a `Taken`."""

    __slots__ = ("asks",)

    def __init__(self, asks: Iterable[Ask]) -> None:
        self.asks = list(asks)


class Taken:
    """An offer that was taken: by whom, which, and how."""

    __slots__ = ("answer", "key", "seat")

    def __init__(self, seat: str, key: str, answer: Any) -> None:
        self.seat, self.key, self.answer = seat, key, answer


@final
class Roll:
    """n dice; the rules get the list of faces. Dice are public."""

    __slots__ = ("cite", "faces", "key", "n", "seat")

    def __init__(self, n: int, key: str, cite: str, *, faces: Sequence[int] = D6, seat: str = "") -> None:
        self.n, self.key, self.cite, self.faces, self.seat = n, key, cite, faces, seat


@final
class Draw:
    """A random item of a zone (or of `only` these, one entry a chance); the rules get the item and move it themselves."""

    __slots__ = ("cite", "key", "only", "zone")

    def __init__(self, zone: str, key: str, cite: str, *, only: Sequence[str] | None = None) -> None:
        self.zone, self.key, self.cite, self.only = zone, key, cite, only


@final
class Shuffle:
    """A row in random order, done by the kernel. Prefer unordered zones and `Draw`: no order, nothing to leak."""

    __slots__ = ("cite", "key", "zone")

    def __init__(self, zone: str, key: str, cite: str) -> None:
        self.zone, self.key, self.cite = zone, key, cite


Request = Ask | AskAll | AskAny | Roll | Draw | Shuffle
Rules = Generator[Request, Any, Any]
