"""Where logs live: one SQLite file by default, PostgreSQL by one setting, memory for playouts."""

from __future__ import annotations

from eventsourcing.persistence import PersistenceError

from domain.kernel.errors import ChanceryError
from service.settings import Settings
from service.store.application import BrokenRow, GameLog
from service.store.feed import Feed, Notice
from service.store.memory import MemoryStore
from service.store.sql import SqlStore
from service.store.tables import Statement

__all__ = ["BrokenRow", "Feed", "MemoryStore", "Notice", "SqlStore", "Statement", "StoreError", "open_store"]


class StoreError(ChanceryError):
    """The database cannot be reached or opened."""


def open_store(settings: Settings | str) -> SqlStore:
    """The store the settings (or a path or address) name, its tables made if they are not there."""
    if isinstance(settings, str):
        settings = Settings(db=settings)
    settings.check()
    try:
        store = SqlStore(_postgres(settings.db) if settings.postgres else _sqlite(settings.db))
        store.migrate()
    except PersistenceError as wrong:
        raise StoreError(f"the database cannot be used: {wrong}") from wrong
    return store


def _sqlite(path: str) -> GameLog:
    from service.store.sqlite import Factory

    return GameLog(Factory, {"SQLITE_DBNAME": path})


def _postgres(url: str) -> GameLog:
    try:
        import psycopg

        from service.store.postgres import Factory, environment
    except ImportError as missing:
        raise StoreError(f"PostgreSQL needs psycopg with its pool ({missing}): pip install 'psycopg[binary,pool]'") from None
    try:
        psycopg.connect(url, connect_timeout=10).close()  # the pool would go on trying before it says what is wrong
    except psycopg.OperationalError as wrong:
        raise StoreError(f"the PostgreSQL database of CHANCERY_DB does not answer: {wrong}") from None
    return GameLog(Factory, environment(url))
