"""The speed bars, with room for a busy machine: rates are per second of processor time, the lag is the best of three medians."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain import games
from domain.kernel.title import Title
from projections import bench
from projections.stores import Documents
from projections.stores.redis import RedisDocuments
from projections.stores.sql import SoftFile, SqlDocuments
from service.store import MemoryStore, open_store
from tests.projections.played import COLUMN

EVENTS = 8_000
REBUILT_PER_SECOND = 10_000  # 20,000 on an idle machine
LAG = 5.0


class Quick:
    """A Column of Fire that says its points alone."""

    def get(self, id: str) -> Title:
        title = games.get(id)
        return title if title.points else msgspec.structs.replace(title, points=points)


def points(t: Any) -> dict[str, int]:
    return {seat: t.vp(seat) for seat in t.seats}


@pytest.mark.parametrize("where", ["sqlite", "redis"])
def test_views_are_rebuilt_fast_and_lag_little(where: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    file = str(tmp_path / "speed.db")
    title, titles = Quick().get(COLUMN), Quick()
    with open_store(file) as store:
        bench.fill(store, title, EVENTS)
        documents: Documents = SqlDocuments(SoftFile(file))
        if where == "redis":
            documents = RedisDocuments(request.getfixturevalue("redis_server"))
        best = max(bench.rebuild(store, documents, titles).processor for _ in range(3))
        assert best > REBUILT_PER_SECOND
        lags = [bench.lag(store, documents, title, 60, titles, id=f"lag{number}") for number in range(3)]
        assert min(lags) < LAG
        documents.close()


def test_points_alone_say_what_the_score_says() -> None:
    """For every title that offers them, at every mark of a game."""
    for title in map(Quick().get, [COLUMN, *(title.id for title in games.all() if title.points)]):
        log = bench.play(MemoryStore(), title, "m", 300)
        table = title.table(log.schema)
        for event in log.raw():
            table.fold(event.ops)
            if event.mark:
                assert title.points is not None
                assert title.points(table) == {score.seat: score.points for score in title.score(table)}
