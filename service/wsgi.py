"""The whole service in one object, and the Flask application around it."""

from __future__ import annotations

import atexit
import fcntl
import threading
from datetime import timedelta
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from domain import games
from projections import Runner, Views, open_documents, start_embedded
from service import api, logs, views, web
from service.chores import Chores
from service.court import Court
from service.database import Database, Unavailable
from service.live import Feed, RedisFeed
from service.mail import links
from service.mail.office import Office
from service.matches import Matches
from service.rollouts import Rollouts
from service.settings import Settings
from service.store import open_store
from service.studies import Studies
from service.titles import Titles
from service.whatif import WhatIf

DAYS_SIGNED_IN = 60


class Embedded:
    """The threads that one process of a server keeps for all: the views and the chores. Whoever holds the lock does it."""

    def __init__(self, service: Matches, documents: Any, titles: Titles, rollouts: Rollouts, lock: Path | None) -> None:
        self._service, self._documents, self._titles, self._rollouts, self._lock = service, documents, titles, rollouts, lock
        self._stopped = threading.Event()
        self._runner: Runner | None = None
        self._chores: Chores | None = None
        self._thread = threading.Thread(target=self._run, name="embedded", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        if self._lock is None:
            self._begin()
            return
        with self._lock.open("w") as lock:
            while not self._stopped.is_set():
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    self._stopped.wait(0.5)
                    continue
                self._begin()
                self._stopped.wait()

    def _begin(self) -> None:
        self._runner = start_embedded(self._service.store, self._documents, self._titles)  # type: ignore[arg-type]
        self._chores = Chores(self._service).start()
        self._rollouts.start()

    def stop(self) -> None:
        self._stopped.set()
        self._thread.join(timeout=30)  # first: it may be just about to start what is stopped next
        for part in (self._chores, self._rollouts, self._runner):
            if part is not None:
                part.stop()


def assemble(settings: Settings, titles: Titles = games) -> Matches:
    """The service on the stores that the settings name, tables made if they are not there."""
    store = open_store(settings)
    database = Database(store)
    database.migrate()
    feed = RedisFeed(settings.redis) if settings.redis else Feed()
    service = Matches(store, database, settings.key(), titles=titles, feed=feed)
    documents = open_documents(settings, store)
    service.views = Views(store, documents, titles, players=lambda result: views.players(service.register, result))
    return service


def create_app(settings: Settings | None = None, *, titles: Titles = games, background: bool = True) -> Flask:
    """The application. Where there is no Redis, it also keeps the views and the bots going, by threads of its own."""
    settings = settings or Settings.from_environment()
    logs.configure()
    service = assemble(settings, titles)
    app = Flask("service", static_folder=None, template_folder="web/templates")
    app.config.update(
        SECRET_KEY=settings.key(),
        SESSION_COOKIE_NAME="chancery",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_SECURE=settings.url.startswith("https:"),
        PERMANENT_SESSION_LIFETIME=timedelta(days=DAYS_SIGNED_IN),
        REGISTRATION=settings.registration,
        LIMIT=settings.limit,
        RATELIMIT_STORAGE_URI=settings.redis or "memory://",
        RATELIMIT_IN_MEMORY_FALLBACK_ENABLED=bool(settings.redis),
    )
    app.extensions["chancery"] = service
    app.extensions["settings"] = settings
    app.extensions["signing"] = Ed25519PrivateKey.from_private_bytes(settings.signing_key())
    app.extensions["rollouts"] = Rollouts(service, Database(service.store), settings.redis)  # type: ignore[arg-type]
    app.extensions["studies"] = Studies(service, Database(service.store), app.extensions["rollouts"])  # type: ignore[arg-type]
    app.extensions["whatif"] = WhatIf(service)
    app.extensions["court"] = Court(service, Database(service.store))  # type: ignore[arg-type]
    app.extensions["streams"] = threading.Semaphore(0 if settings.role == "api" else int(settings.streams))
    app.extensions["checks"] = {"database": lambda: service.register.find(""), "views": lambda: _built(service)}
    api.register(app, role=settings.role)
    if settings.role != "streams":
        web.register(app, service)
        if settings.mail:
            links.register(app, Office(service, Database(service.store), settings, court=app.extensions["court"]))  # type: ignore[arg-type]
    if int(settings.proxies):
        hops = int(settings.proxies)
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=hops, x_proto=hops, x_host=hops)  # type: ignore[method-assign]
    if background and not settings.redis and settings.role != "streams":
        lock = None if settings.postgres else Path(f"{settings.db}.views.lock")
        embedded = Embedded(service, open_documents(settings, service.store), titles, app.extensions["rollouts"], lock)  # type: ignore[arg-type]
        app.extensions["embedded"] = embedded
        atexit.register(embedded.stop)
    return app


def _built(service: Matches) -> None:
    if service.views.status()["behind"] > 10_000:
        raise Unavailable("the views are far behind")


def close(app: Flask) -> None:
    """Stop what the application started: streams first, so that nobody waits for them."""
    app.extensions["stopping"] = True
    service: Matches = app.extensions["chancery"]
    service.feed.close()
    embedded = app.extensions.get("embedded")
    if embedded is not None:
        embedded.stop()
    service.store.close()  # type: ignore[attr-defined]
