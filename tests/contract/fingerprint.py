"""Plays games and prints a fingerprint of all that was stored, asked and seen: the same in every process, on every machine.

    python -m tests.contract.fingerprint DECISIONS TITLE...

A title is an id, or `module:NAME` for one that is not listed.
"""

from __future__ import annotations

import hashlib
import sys
from importlib import import_module
from random import Random

from domain import games
from domain.contract import play
from domain.kernel import Title
from domain.kernel.event import encode
from service.store.memory import MemoryStore


def fingerprint(title: Title, decisions: int) -> str:
    digest = hashlib.sha256()
    players = title.players[-1]
    game = play(title, MemoryStore(), "fingerprint", players=players, options=title.sample_options(Random(1)), most=decisions)
    for item in game.events:
        digest.update(encode(item))
    for viewer in game.viewers:
        for asked, group in zip(game.asked[viewer], game.seen[viewer], strict=True):
            digest.update(asked)
            for item in group:
                digest.update(encode(item))
    for live in game.digests:
        digest.update(live)
    return digest.hexdigest()


def find(name: str) -> Title:
    module, _, attribute = name.partition(":")
    return getattr(import_module(module), attribute) if attribute else games.get(name)


def main(decisions: str, *titles: str) -> None:
    for name in titles:
        sys.stdout.write(f"{name} {fingerprint(find(name), int(decisions))}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
