"""The game log as an application of the eventsourcing library: own events, own mapper, no process environment."""

from __future__ import annotations

from typing import NamedTuple

import msgspec
from eventsourcing.application import Application
from eventsourcing.persistence import InfrastructureFactory, Mapper, StoredEvent
from eventsourcing.utils import Environment, EnvType

from domain.kernel.errors import BrokenLog
from domain.kernel.event import Event, decode, encode

# What decoding bytes that are no event may raise.
UNREADABLE = (msgspec.MsgspecError, ValueError, TypeError, RecursionError)


class BrokenRow(BrokenLog):
    """A stored row that cannot be read as an event: where it is, so that a reader of the whole feed can go on after it."""

    def __init__(self, line: str, version: int, reason: str, position: int = 0) -> None:
        super().__init__(f"line {line}, version {version}: {reason}; restore the database from a backup")
        self.line, self.version, self.position = line, version, position


class Entry(NamedTuple):
    """An event on its line: what the library calls a domain event."""

    originator_id: str
    event: Event

    @property
    def originator_version(self) -> int:
        return self.event.version


def event_of(line: str, version: int, state: bytes, position: int = 0) -> Event:
    """One stored event, or an error that says which one is broken."""
    try:
        event = decode(state)
    except UNREADABLE as wrong:
        raise BrokenRow(line, version, f"the stored event cannot be read ({wrong})", position) from None
    if event.version != version:
        raise BrokenRow(line, version, f"the event stored here is version {event.version}", position)
    return event


class EventMapper(Mapper[str]):
    """Topics are the kinds of events, never module paths: code may move, the log may not."""

    def to_stored_event(self, domain_event: Entry) -> StoredEvent:  # type: ignore[override]
        line, event = domain_event
        return StoredEvent(line, event.version, event.kind, encode(event))

    def to_domain_event(self, stored_event: StoredEvent) -> Entry:  # type: ignore[override]
        line = str(stored_event.originator_id)
        return Entry(line, event_of(line, stored_event.originator_version, stored_event.state))


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

    def construct_mapper(self) -> Mapper[str]:
        return self.factory.mapper(mapper_class=EventMapper)
