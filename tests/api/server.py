"""A real gunicorn in processes of its own, to be called over HTTP and killed."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import requests

ROOT = Path(__file__).parents[2]
APP = "tests.api.toy:toy_app()"


class Server:
    """One gunicorn with its workers."""

    def __init__(self, folder, db, *, workers=4, redis="", role="all", streams=32, app=APP, port=0):
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._log = (Path(folder) / f"server-{self.port}.log").open("ab")
        self._environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("CHANCERY_", "PROMETHEUS_"))},
            "PYTHONPATH": str(ROOT),
            "CHANCERY_DB": str(db),
            "CHANCERY_REDIS": redis,
            "CHANCERY_SECRET": "s" * 40,
            "CHANCERY_LIMIT": "off",
            "CHANCERY_ROLE": role,
            "CHANCERY_STREAMS": str(streams),
            "CHANCERY_BIND": f"127.0.0.1:{self.port}",
            "CHANCERY_WORKERS": str(workers),
        }
        self._app = app
        self.process = None

    def start(self):
        command = [sys.executable, "-m", "gunicorn", "-c", "python:service.gunicorn", self._app]
        self.process = subprocess.Popen(
            command, cwd=ROOT, env=self._environment, stdout=self._log, stderr=self._log, start_new_session=True
        )
        until = time.monotonic() + 30
        while time.monotonic() < until:
            with suppress(requests.RequestException):
                if requests.get(f"{self.url}/healthz", timeout=1).status_code == 200:
                    return self
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        raise AssertionError(Path(self._log.name).read_text()[-3000:])

    def kill(self):
        """kill -9 of the whole server: nobody gets to clean up."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(10)

    def stop(self):
        """Ask it to go; how long it took."""
        began = time.monotonic()
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(30)
            finally:
                self.kill()
        return time.monotonic() - began

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()
        self._log.close()


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]
