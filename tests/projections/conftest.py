"""Stores for the log and for the views: real ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from projections.stores import Documents
from projections.stores.memory import MemoryDocuments
from projections.stores.redis import RedisDocuments
from projections.stores.sql import SoftFile, SqlDocuments
from service.store import MemoryStore, SqlStore, open_store

SERVERS = {"redis": "redis_server", "postgres": "postgres"}


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture
def file(tmp_path: Path) -> str:
    return str(tmp_path / "chancery.db")


@pytest.fixture
def file_store(file: str) -> Iterator[SqlStore]:
    with open_store(file) as found:
        yield found


@pytest.fixture(params=["sqlite", "redis", "postgres", "memory"])
def make_documents(request: pytest.FixtureRequest, file: str) -> Iterator[Callable[[], Documents]]:
    """Opens one and the same store of views as often as it is called: what a second process would see."""
    opened: list[Any] = []
    memory = MemoryDocuments()
    address = request.getfixturevalue(SERVERS[request.param]) if request.param in SERVERS else ""

    def make() -> Documents:
        match request.param:
            case "redis":
                opened.append(RedisDocuments(address))
            case "postgres":
                opened.append(open_store(address))
                return SqlDocuments(opened[-1])
            case "sqlite":
                opened.append(SqlDocuments(SoftFile(file)))
            case _:
                return memory
        return opened[-1]

    yield make
    for one in opened:
        one.close()


@pytest.fixture
def documents(make_documents: Callable[[], Documents]) -> Documents:
    return make_documents()
