"""What can go wrong, as values a person can act on."""

from __future__ import annotations

from typing import Any


class ChanceryError(Exception):
    """Everything the program refuses; str() is one clear sentence."""


class Refused(ChanceryError):
    """A decision the rules do not allow: which rule says so, why, and what is legal instead."""

    def __init__(self, rule: str, reason: str, *, seat: str = "", key: str = "", legal: Any = None) -> None:
        super().__init__(f"{rule}: {reason}" if rule else reason)
        self.rule, self.reason, self.seat, self.key, self.legal = rule, reason, seat, key, legal


class NotAsked(Refused):
    """The seat has no such question to answer now."""


class Stale(ChanceryError):
    """Somebody else wrote first: what you answered is not the newest version any more."""

    def __init__(self, expected: int, actual: int) -> None:
        super().__init__(
            f"version {expected} is not the newest any more: the log is at version {actual}. Read it again, then decide."
        )
        self.expected, self.actual = expected, actual


class NotFound(ChanceryError):
    """No such match, line or version (or none that you may know of)."""


class BrokenLog(ChanceryError):
    """A stored event does not fit the table: this log was not written by this program, or was changed since."""


class SchemaError(ChanceryError):
    """A title declares its table wrongly: found when the title is loaded, not in play."""


class RulesCrashed(ChanceryError):
    """A bug in the rules: the decision was rolled back and nothing was stored."""
