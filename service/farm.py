"""The RQ worker for rollouts: what a playout needs is loaded once, before the worker forks for each job.

rq worker --worker-class service.farm.Worker --url $CHANCERY_REDIS rollouts
"""

from __future__ import annotations

from rq import Worker as AnyWorker

from domain import games
from service import rollouts, store

TITLES = games.all()
NEEDED = (rollouts, store)


class Worker(AnyWorker):
    """A worker whose jobs find every title loaded: an import for each would take longer than the playouts."""
