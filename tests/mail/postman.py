"""A process that plays by mail until it is killed: python -m tests.mail.postman FOLDER."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.mail.conftest import Town, options


def main(folder: Path) -> None:
    """Write and answer mails; every mail handed over is noted first in the folder."""
    town = Town(folder)
    noted = (folder / "sent").open("a")

    def postbox(sender: str, recipient: str, mail: bytes) -> None:
        """Hand a mail over: what is noted here has left the house."""
        noted.write(mail.decode().split("Message-ID: ", 1)[1].split("\r\n", 1)[0] + "\n")
        noted.flush()
        Town._postbox(town, sender, recipient, mail)

    town.post._postbox = postbox
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
    main(Path(sys.argv[1]))
