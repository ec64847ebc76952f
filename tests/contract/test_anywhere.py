"""The same decisions give the same log, byte for byte, in every process and under every interpreter (L3)."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.contract import proof
from tests.contract.sample import DECISIONS, HASH_SEEDS, TITLES

ROOT = Path(__file__).parents[2]


def named(title: str) -> str:
    return "tests.contract.proof:TITLE" if title == proof.TITLE.id else title


@cache
def fingerprints(python: str, hash_seed: int, *titles: str, decisions: int = min(DECISIONS, 120)) -> dict[str, str]:
    """What a fresh process makes of the same games."""
    told = subprocess.run(
        [python, "-m", "tests.contract.fingerprint", str(decisions), *map(named, titles)],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": str(hash_seed)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert told.returncode == 0, told.stderr[-2000:]
    return dict(zip(titles, (line.split()[1] for line in told.stdout.splitlines()), strict=True))


@pytest.mark.parametrize("title", TITLES)
def test_hash_seeds_do_not_matter(title):
    found = {fingerprints(sys.executable, seed, title)[title] for seed in range(HASH_SEEDS)}
    assert len(found) == 1, f"{title} plays differently under different PYTHONHASHSEEDs: a rule goes through a set"


def installed(interpreter: str) -> str | None:
    """A working interpreter of that name: on the path, or beside this one where pyenv keeps them."""
    kept = Path(sys.base_prefix).parent.glob(f"{interpreter.removeprefix('python')}*/bin/{interpreter}")
    for path in (shutil.which(interpreter), *map(str, kept)):
        if path and not subprocess.run([path, "-c", ""], capture_output=True).returncode:
            return path
    return None


@pytest.mark.parametrize("interpreter", ["python3.12", "python3.13"])
def test_interpreters_do_not_matter(interpreter, tmp_path):
    path = installed(interpreter)
    if path is None:
        pytest.skip(f"{interpreter} is not installed here")
    python = str(tmp_path / "bin" / "python")
    subprocess.run([path, "-m", "venv", str(tmp_path)], check=True, capture_output=True)
    install = [python, "-m", "pip", "install", "--quiet", "--constraint", "constraints.txt", "msgspec", "eventsourcing"]
    if subprocess.run(install, cwd=ROOT, capture_output=True, timeout=120).returncode:
        pytest.skip(f"{interpreter} cannot be given msgspec and eventsourcing, which playing needs")
    titles = tuple(TITLES)
    assert fingerprints(python, 0, *titles) == fingerprints(sys.executable, 0, *titles)
