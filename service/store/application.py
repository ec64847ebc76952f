"""The game log as an application of the eventsourcing library: own events, no process environment."""

from __future__ import annotations

import msgspec
from eventsourcing.application import Application
from eventsourcing.persistence import InfrastructureFactory
from eventsourcing.utils import Environment, EnvType

from domain.kernel.errors import BrokenLog
from domain.kernel.event import Event, decode

# What decoding bytes that are no event may raise.
UNREADABLE = (msgspec.MsgspecError, ValueError, TypeError, RecursionError)


class BrokenRow(BrokenLog):
    """A stored row that cannot be read as an event: where it is, so that a reader of the whole feed can go on after it."""

    def __init__(self, line: str, version: int, reason: str, position: int = 0) -> None:
        super().__init__(f"line {line}, version {version}: {reason}; restore the database from a backup")
        self.line, self.version, self.position = line, version, position


def event_of(line: str, version: int, state: bytes, position: int = 0) -> Event:
    """One stored event, or an error that says which one is broken."""
    try:
        event = decode(state)
    except UNREADABLE as wrong:
        raise BrokenRow(line, version, f"the stored event cannot be read ({wrong})", position) from None
    if event.version != version:
        raise BrokenRow(line, version, f"the event stored here is version {event.version}", position)
    return event


class GameLog(Application[str]):
    """The composition root. Tables are made by `migrate`, once; settings come from the caller alone."""

    name = ""

    def __init__(self, factory: type[InfrastructureFactory], env: EnvType) -> None:
        self._factory = factory
        super().__init__({**env, "ORIGINATOR_ID_TYPE": "text", "CREATE_TABLE": "n"})

    def construct_env(self, name: str, env: EnvType | None = None) -> Environment:
        return Environment(name, env)  # the library would mix os.environ in: a stray variable could change the store

    def construct_factory(self, env: Environment) -> InfrastructureFactory:
        return self._factory(env)
