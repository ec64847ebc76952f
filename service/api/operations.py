"""For whoever runs it: is it alive, is it ready, what has it counted."""

from __future__ import annotations

import time
from typing import Any

import structlog
from flask import Blueprint, Flask, Response, current_app, g, request

from domain.kernel.errors import ChanceryError
from service import metrics
from service.api.limits import limiter
from service.api.who import matches
from service.database import Database

blueprint = Blueprint("operations", __name__)
log = structlog.get_logger("chancery.requests")


@blueprint.get("/healthz")
@limiter.exempt
def healthz() -> dict[str, str]:
    """The process answers."""
    return {"status": "alive"}


@blueprint.get("/readyz")
@limiter.exempt
def readyz() -> tuple[dict[str, Any], int]:
    """Everything needed to serve is there: the database, our tables, the views."""
    checks: dict[str, str] = {}
    for name, check in current_app.extensions["checks"].items():
        try:
            check()
            checks[name] = "ok"
        except (ChanceryError, OSError) as wrong:
            checks[name] = type(wrong).__name__
    ready = all(state == "ok" for state in checks.values()) and not current_app.extensions.get("stopping")
    return {"status": "ready" if ready else "not ready", **checks}, 200 if ready else 503


@blueprint.get("/metrics")
@limiter.exempt
def counted() -> Response:
    """Everything counted, for Prometheus."""
    service = matches()
    position = getattr(service.views, "position", None)
    if position is not None:
        metrics.LAG.set(max(0, service.store.position() - position()))  # type: ignore[attr-defined]
    waiting = Database(service.store).read("SELECT COUNT(*) FROM rollouts WHERE state = 'queued'")  # type: ignore[arg-type]
    metrics.QUEUE.set(waiting[0][0])
    return Response(metrics.text(), mimetype="text/plain; version=0.0.4")


def register(app: Flask) -> None:
    """Count and log every request."""
    app.register_blueprint(blueprint)

    @app.before_request
    def begin() -> None:
        g.begun = time.perf_counter()

    @app.after_request
    def end(response: Response) -> Response:
        if request.blueprint == blueprint.name or "begun" not in g:
            return response
        seconds = time.perf_counter() - g.begun
        route = request.url_rule.rule if request.url_rule else "(none)"
        metrics.REQUESTS.labels(route, request.method, str(response.status_code)).observe(seconds)
        if g.get("fault"):
            metrics.FAULTS.inc()
        if request.endpoint == "play.decide":
            metrics.DECISIONS.labels(_outcome(response)).inc()
        told = log.debug if request.method == "GET" and response.status_code < 400 else log.info  # plain reads are counted above
        told(
            "request",
            method=request.method,
            route=route,
            match=(request.view_args or {}).get("match", ""),
            status=response.status_code,
            milliseconds=round(seconds * 1000, 1),
            account=account.id if (account := g.get("account")) else "",
        )
        return response


def _outcome(response: Response) -> str:
    if "Idempotent-Replayed" in response.headers:
        return "replayed"
    return {201: "accepted", 200: "checked", 409: "not asked", 412: "stale", 422: "refused"}.get(response.status_code, "failed")
