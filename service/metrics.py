"""What is counted, for Prometheus at /metrics. Numbers only: no names, no games, nothing anybody holds."""

from __future__ import annotations

from prometheus_client import REGISTRY as DEFAULT
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.values import ValueClass

REQUESTS = Histogram(
    "chancery_requests_seconds",
    "Requests by route, method and status.",
    ["route", "method", "status"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5),
)
DECISIONS = Counter("chancery_decisions", "Decisions by what became of them.", ["outcome"])
CONFLICTS = Counter("chancery_conflicts", "Times somebody else wrote first and we tried again.")
FAULTS = Counter("chancery_faults", "Errors of our own.")
STREAMS = Gauge("chancery_streams", "Open live streams.", multiprocess_mode="livesum")
LAG = Gauge("chancery_projection_lag", "Stored events that the views do not hold yet.", multiprocess_mode="max")
QUEUE = Gauge("chancery_queue_depth", "Jobs that wait for a worker.", multiprocess_mode="max")


def text() -> bytes:
    """Everything counted, of all workers of this server where there are several."""
    if ValueClass._multiprocess:
        registry = CollectorRegistry()
        MultiProcessCollector(registry)
        return generate_latest(registry)
    return generate_latest(DEFAULT)
