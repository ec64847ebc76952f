"""How gunicorn serves it: `gunicorn -c python:service.gunicorn`. One pool for the API, and by CHANCERY_ROLE=streams one for live streams.

A stream holds its connection for minutes: in a pool of threads a few dozen of them would starve everything else, so streams get
a pool of greenlets of their own.
"""

from __future__ import annotations

import os
import signal
import tempfile
import threading
from typing import Any

from service.settings import Settings

settings = Settings.from_environment()

wsgi_app = "service.wsgi:create_app()"  # called in each worker after the fork: connections and threads do not survive one
preload_app = False
bind = settings.bind
workers = int(settings.workers)
if settings.role == "streams":
    worker_class = "gevent"
    worker_connections = int(settings.streams)
else:
    worker_class = "gthread"
    # Where one pool serves all, every stream there is room for has a thread of its own.
    threads = int(settings.threads) + (int(settings.streams) if settings.role == "all" else 0)
timeout = 60
graceful_timeout = 20
keepalive = 5
max_requests = 0 if settings.role == "streams" else 20_000
max_requests_jitter = 2_000
limit_request_line = 4_094
limit_request_fields = 64
limit_request_field_size = 8_190
accesslog = None  # every request is logged by the application, without secrets
errorlog = "-"
loglevel = "warning"

# Workers count into files of one folder, so that /metrics of any of them tells of all.
os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", tempfile.mkdtemp(prefix="chancery-metrics-"))


def post_worker_init(worker: Any) -> None:
    """When told to stop, end the streams at once: they would keep the worker from going in peace."""
    app = getattr(worker, "wsgi", None)
    if app is None or "chancery" not in getattr(app, "extensions", {}):
        return
    usual = signal.getsignal(signal.SIGTERM)

    def stop(number: int, frame: Any) -> None:
        app.extensions["stopping"] = True
        threading.Thread(target=app.extensions["chancery"].feed.close, daemon=True).start()
        if callable(usual):
            usual(number, frame)

    signal.signal(signal.SIGTERM, stop)


def worker_exit(server: Any, worker: Any) -> None:
    from service.wsgi import close

    app = getattr(worker, "wsgi", None)
    if app is not None and "chancery" in getattr(app, "extensions", {}):
        close(app)


def child_exit(server: Any, worker: Any) -> None:
    from prometheus_client.multiprocess import mark_process_dead

    mark_process_dead(worker.pid)
