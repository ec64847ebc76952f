"""Time that does not jump: nobody's deadline passes because somebody set the clock of the machine.

Trusted time goes on with the machine's uptime, also over restarts of this process. A clock that is suddenly elsewhere raises an alarm
and is not followed. After a restart of the machine nobody can tell a jump from a long absence: nothing is judged for an hour.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import structlog
from prometheus_client import Gauge

from service.database import Database

TOLERANCE = 10_000
LONG_AWAY = 15 * 60_000
CAUTION = 3_600_000
KEEP_EVERY = 30_000

DRIFT = Gauge("chancery_clock_drift_seconds", "How far the clock of the machine is from trusted time.", multiprocess_mode="max")
log = structlog.get_logger(__name__)


def wall() -> int:
    return int(time.time() * 1000)


def uptime() -> int:
    """Milliseconds since the machine was started, its sleep counted."""
    return int(time.clock_gettime(time.CLOCK_BOOTTIME) * 1000)


def boot() -> str:
    """A name for this run of this machine."""
    path = Path("/proc/sys/kernel/random/boot_id")
    return path.read_text().strip() if path.exists() else "this machine"


class SteadyClock:
    """`now` never goes back and never runs ahead of the uptime; `cautious` says that nothing should be judged yet."""

    def __init__(
        self, database: Database, *, clock: Callable[[], int] = wall, steady: Callable[[], int] = uptime, machine: str = ""
    ) -> None:
        self._database, self._clock, self._steady = database, clock, steady
        self._machine = machine or boot()
        self.alarm = False
        self._cautious_until = 0
        here = {row[0]: row for row in database.read("SELECT id, at, steady FROM mail_clock")}
        newest = max((row[1] for row in here.values()), default=0)
        mine = here.get(self._machine)
        self._at, self._mark = clock(), steady()
        if mine is not None and self._mark >= mine[2]:
            self._at = mine[1] + self._mark - mine[2]
        elif newest and not 0 <= self._at - newest <= LONG_AWAY:
            self._at = max(self._at, newest)
            self._cautious_until = self._at + CAUTION
            log.warning("long away or the clock was set: nothing is judged for an hour")
        self._kept = 0

    def now(self) -> int:
        """Trusted time; alarms where the clock of the machine says something else."""
        steady, said = self._steady(), self._clock()
        due = self._at + max(0, steady - self._mark)
        drift = said - due
        DRIFT.set(drift / 1000)
        if abs(drift) <= TOLERANCE:
            due = max(self._at, said)
            self.alarm = False
        elif not self.alarm:
            self.alarm = True
            log.error("the clock of the machine jumped and is not followed", seconds=drift // 1000)
        self._at, self._mark = due, steady
        if due - self._kept >= KEEP_EVERY:
            self._keep()
        return due

    @property
    def cautious(self) -> bool:
        return self._at < self._cautious_until

    def _keep(self) -> None:
        self._kept = self._at
        self._database.write(
            ("DELETE FROM mail_clock WHERE id = ?", (self._machine,)),
            ("INSERT INTO mail_clock (id, at, steady) VALUES (?, ?, ?)", (self._machine, self._at, self._mark)),
        )
