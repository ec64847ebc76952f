"""The process that reads mails for us: one at a time, ended and started again when a mail is too much for it."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import threading

import msgspec

from service.mail.reading import CPU_SECONDS, LENGTH, Letter, content_digest

WALL_SECONDS = CPU_SECONDS * 15  # the processor may be busy with others

_decode = msgspec.json.Decoder(Letter).decode


class Reader:
    """Give it the bytes of a mail, get a letter. Safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def read(self, raw: bytes) -> Letter:
        with self._lock:
            try:
                return self._ask(raw)
            except (OSError, EOFError, msgspec.MsgspecError):
                self._end()
                head, _, body = raw.partition(b"\n\n")
                return Letter(content_digest(head, body), wrong="it is too intricate")

    def _ask(self, raw: bytes) -> Letter:
        if self._process is None or self._process.poll() is not None:
            environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [os.getcwd(), *sys.path]))}
            self._process = subprocess.Popen(
                [sys.executable, "-m", "service.mail.reading"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=environment,
            )
        assert self._process.stdin is not None
        self._process.stdin.write(LENGTH.pack(len(raw)) + raw)
        self._process.stdin.flush()
        return _decode(self._receive(LENGTH.unpack(self._receive(LENGTH.size))[0]))

    def _receive(self, size: int) -> bytes:
        assert self._process is not None and self._process.stdout is not None
        number, got = self._process.stdout.fileno(), b""
        while len(got) < size:
            if not _readable(number, WALL_SECONDS):
                raise EOFError
            more = os.read(number, size - len(got))
            if not more:
                raise EOFError
            got += more
        return got

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def close(self) -> None:
        with self._lock:
            self._end()


def _readable(number: int, seconds: float) -> bool:
    """Whether something can be read in time; by poll, since a busy server has more files open than select can count."""
    waiting = select.poll()
    waiting.register(number, select.POLLIN | select.POLLHUP)
    return bool(waiting.poll(seconds * 1000))
