"""The worker: the process that keeps the views up to date and the bots going in production. Start one; a second does no harm.

    python -m service.worker                    follow the log until SIGTERM or SIGINT
    python -m service.worker parked             the lines that stand still in a view, and why
    python -m service.worker retry [LINE]       try them again
    python -m service.worker rebuild [VIEW...]  build views anew beside those in force, then flip

The last three may run beside a worker that is at work.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Sequence

import structlog
from prometheus_client import Gauge

from domain.kernel.errors import ChanceryError, Refused
from projections import Runner, open_documents
from projections.fan import VIEWS
from service import logs
from service.chores import Chores
from service.database import Database
from service.live import Feed, RedisFeed
from service.matches import Matches
from service.metrics import LAG
from service.settings import Settings
from service.store import SqlStore, open_store

TELL_EVERY = 5.0

PARKED = Gauge("chancery_views_parked", "Lines that stand still in a view.", multiprocess_mode="max")
RESTARTS = Gauge("chancery_views_restarts", "Times the views had to start again.", multiprocess_mode="max")

log = structlog.get_logger(__name__)


def main(command: str = "follow", *names: str) -> int:
    """Do what is asked; 1 if the settings or the database are no good, or lines are left parked."""
    logs.configure()
    try:
        settings = Settings.from_environment()
        with open_store(settings) as store:
            documents = open_documents(settings, store)
            runner = Runner(store, documents)
            try:
                return follow(runner, settings, store) if command == "follow" else by_hand(runner, command, names)
            finally:
                documents.close()
    except ChanceryError as wrong:
        log.error("the worker cannot go on", error=str(wrong))
        return 1


def follow(runner: Runner, settings: Settings, store: SqlStore) -> int:
    """Keep views and bots going until told to stop."""
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    database = Database(store)
    database.migrate()
    feed = RedisFeed(settings.redis) if settings.redis else Feed()
    chores = Chores(Matches(store, database, settings.key(), feed=feed)).start()
    runner.start()
    log.info("the worker follows the log", position=store.position())
    while not stop.wait(TELL_EVERY):
        tell(runner)
    chores.stop()
    runner.stop()
    feed.close()
    return 0


def by_hand(runner: Runner, command: str, names: Sequence[str]) -> int:
    """What an operator asks for."""
    match command:
        case "parked":
            left = runner.parked()
        case "retry":
            left = runner.retry(*names[:1])
        case "rebuild" if set(names) <= set(VIEWS):
            runner.rebuild(*names)
            left = runner.parked()
        case _:
            raise Refused("", f"there is no such command; say parked, retry [line] or rebuild [{' | '.join(VIEWS)}]")
    for one in left:
        sys.stdout.write("{view}: line {line} stands before version {version} (skipped up to {upto}): {error}\n".format(**one))
    return 1 if left else 0


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
    sys.exit(main(*sys.argv[1:]))
