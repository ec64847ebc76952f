"""Views: what players look at, folded from the log and thrown away at will. Here is what the rest of the service uses of them."""

from __future__ import annotations

import structlog

from domain import games
from projections.game import Titles
from projections.reading import Views
from projections.runner import FeedStore, Runner
from projections.stores import Documents, Unavailable
from projections.stores.memory import MemoryDocuments
from projections.stores.redis import RedisDocuments
from projections.stores.sql import SoftFile, SqlDocuments
from service.settings import Settings
from service.store import MemoryStore, SqlStore

log = structlog.get_logger(__name__)

__all__ = ["Runner", "Unavailable", "Views", "open_documents", "start_embedded"]


def open_documents(settings: Settings, store: FeedStore) -> Documents:
    """Where the settings say that views are kept: Redis if there is one, else the database of the log."""
    if settings.redis:
        documents = RedisDocuments(settings.redis)
        if warning := documents.warn():
            log.warning(warning)
        return documents
    return SqlDocuments(SoftFile(settings.db)) if not settings.postgres else documents_beside(store)


def documents_beside(store: FeedStore) -> Documents:
    """Views in the store's own database."""
    if isinstance(store, SqlStore):
        return SqlDocuments(store)
    assert isinstance(store, MemoryStore), "a store that is neither a database nor memory has no place for views"
    return MemoryDocuments()


def start_embedded(store: FeedStore, documents: Documents | None = None, titles: Titles = games) -> Runner:
    """Keep the views up to date by a thread of this process, until `stop`."""
    return Runner(store, documents or documents_beside(store), titles).start()
