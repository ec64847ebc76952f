"""The worker: the process that keeps the views up to date and the bots going in production. Start one; a second does no harm.

    python -m service.worker

It stops after the batch in hand on SIGTERM or SIGINT.
"""

from __future__ import annotations

import signal
import sys
import threading

import structlog
from prometheus_client import Gauge

from domain.kernel.errors import ChanceryError
from projections import Runner, open_documents
from service import logs
from service.chores import Chores
from service.database import Database
from service.live import Feed, RedisFeed
from service.matches import Matches
from service.metrics import LAG
from service.settings import Settings
from service.store import open_store

TELL_EVERY = 5.0

PARKED = Gauge("chancery_views_parked", "Lines that stand still in a view.", multiprocess_mode="max")
RESTARTS = Gauge("chancery_views_restarts", "Times the views had to start again.", multiprocess_mode="max")

log = structlog.get_logger(__name__)


def main() -> int:
    """Run until told to stop; 1 if the settings or the database are no good."""
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    logs.configure()
    try:
        settings = Settings.from_environment()
        store = open_store(settings)
        database = Database(store)
        database.migrate()
        feed = RedisFeed(settings.redis) if settings.redis else Feed()
        service = Matches(store, database, settings.key(), feed=feed)
        documents = open_documents(settings, store)
    except ChanceryError as wrong:
        log.error("the worker cannot start", error=str(wrong))
        return 1
    runner, chores = Runner(store, documents).start(), Chores(service).start()
    log.info("the worker follows the log", position=store.position())
    while not stop.wait(TELL_EVERY):
        tell(runner)
    chores.stop()
    runner.stop()
    documents.close()
    feed.close()
    store.close()
    return 0


def tell(runner: Runner) -> None:
    """Count for Prometheus; a store that is away for a moment is not the end of the worker."""
    RESTARTS.set(runner.restarts)
    try:
        status = runner.status()
    except Exception as away:
        log.warning("the views cannot be counted", error=type(away).__name__)
        return
    LAG.set(status["behind"])
    PARKED.set(len(status["parked"]))


if __name__ == "__main__":
    sys.exit(main())
