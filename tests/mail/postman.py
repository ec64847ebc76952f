"""A process that plays by mail until it is killed, or kills itself: python -m tests.mail.postman FOLDER [MOMENT COUNT]."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.mail.conftest import Town, options

# Between the commit of a decision and its mails, between a mail and its sending, before and after it is handed over.
MOMENTS = ("committed", "written", "sending", "handed")


def main(folder: Path, moment: str = "", count: str = "1") -> None:
    """Write and answer mails; every mail handed over is noted first in the folder."""
    left = {name: int(count) if name == moment else 1 << 60 for name in MOMENTS}

    def now(name: str) -> None:
        """Die, if this is the moment."""
        left[name] -= 1
        if not left[name]:
            os.kill(os.getpid(), signal.SIGKILL)

    def then(verb: Callable[..., Any], name: str) -> Callable[..., Any]:
        def done(*given: Any, **more: Any) -> Any:
            found = verb(*given, **more)
            now(name)
            return found

        return done

    town = Town(folder)
    noted = (folder / "sent").open("a")

    def postbox(sender: str, recipient: str, mail: bytes) -> None:
        """Hand a mail over: what is noted here has left the house."""
        now("sending")
        noted.write(mail.decode().split("Message-ID: ", 1)[1].split("\r\n", 1)[0] + "\n")
        noted.flush()
        Town._postbox(town, sender, recipient, mail)
        now("handed")

    town.post._postbox = postbox
    town.matches.decide = then(town.matches.decide, "committed")  # type: ignore[method-assign]
    town.office.outbox.add = then(town.office.outbox.add, "written")  # type: ignore[method-assign]
    sys.stdout.write("playing\n")
    sys.stdout.flush()
    for _ in range(50):
        id = town.match()
        for _ in range(30):
            for name in ("ana", "ben"):
                offered = options(town.last(name))
                if offered and town.matches.register.load(id).state == "running":
                    town.write(id, name, offered[0], answers=town.to(name)[-1])


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
