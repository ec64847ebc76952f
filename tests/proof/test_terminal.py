"""`chancery export`, `verify` and `import` as a person meets them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain import games, proof
from domain.bots import choose
from domain.log import Log, Match
from service.settings import Settings
from service.store import open_store
from tests.proof.forger import edited, whole
from tests.proof.smugglers import deal, play

TITLE = "column-of-fire"
ROOT = Path(__file__).parents[2]


def chancery(place: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "CHANCERY_DB": str(place / "games.db"), "PYTHONPATH": str(ROOT), "COLUMNS": "1000"}
    return subprocess.run(
        [sys.executable, "-m", "service.cli", *words], cwd=place, env=environment, capture_output=True, text=True, timeout=60
    )


@pytest.fixture(scope="module")
def place(tmp_path_factory) -> Path:
    """A folder with a database in which a match has begun."""
    found = tmp_path_factory.mktemp("proof")
    title, rng = games.get(TITLE), Random(1)
    with open_store(str(found / "games.db")) as store:
        log = Log.create(store, title, Match("m1", TITLE, b"s" * 32), seats=title.seats(3), nonces=["a", "b", "c"])
        while log.head < 40:
            ask = choose(log.run, rng)
            log.decide(ask.seat, ask.key, ask.sample(rng))
        key = Ed25519PrivateKey.from_private_bytes(Settings(db=str(found / "games.db")).signing_key())
        item = next(item for item in log.raw() if item.ask)
        (found / "receipt.json").write_bytes(msgspec.json.encode(proof.sign(key, proof.receipt("m1", "m1", item))))
    assert chancery(found, "export", "m1").returncode == 0
    assert chancery(found, "export", "m1", "--as", "red").returncode == 0
    return found


def test_export_writes_for_the_owner_alone_and_overwrites_nothing(place):
    assert (place / "m1.zip").stat().st_mode & 0o777 == 0o600
    again = chancery(place, "export", "m1")
    assert again.returncode == 2 and "already there" in again.stderr


def test_verify_needs_no_database_and_takes_receipts_and_older_bundles(place, tmp_path):
    words = ["verify", str(place / "m1.zip"), "--against", str(place / "receipt.json"), "--against", str(place / "m1-red.zip")]
    found = chancery(tmp_path, *words)
    assert found.returncode == 0, found.stderr
    assert "the whole match" in found.stdout and "draws recomputed from the seed" in found.stdout
    assert not list(tmp_path.iterdir())


def test_verify_of_a_changed_file_exits_1_and_names_the_version(place, tmp_path):
    changed = tmp_path / "changed.zip"
    changed.write_bytes(edited((place / "m1.zip").read_bytes(), lambda rows: rows[9]["event"].update(kind="forged")))
    found = chancery(tmp_path, "verify", str(changed))
    assert found.returncode == 1 and "lines/0.jsonl, version 10: the hash chain is broken" in found.stderr
    refused = chancery(tmp_path, "import", str(changed))
    assert refused.returncode == 1 and "nothing was imported" in refused.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["changed.zip"]


def test_verify_with_a_key_that_is_not_the_servers_exits_1(place):
    found = chancery(place, "verify", "m1-red.zip", "--key", "00" * 32)
    assert found.returncode == 1 and "not by the key you trust" in found.stderr


def test_import_here_as_a_study_and_elsewhere_to_play_on(place, tmp_path):
    taken = chancery(place, "import", "m1.zip")
    assert taken.returncode == 2 and "already here" in taken.stderr
    assert chancery(place, "import", "m1.zip", "--study").returncode == 0
    assert chancery(tmp_path, "import", str(place / "m1.zip")).returncode == 0
    assert chancery(tmp_path, "export", "m1", "--out", "again.zip").returncode == 0
    assert chancery(tmp_path, "verify", "again.zip", "--against", str(place / "m1.zip")).returncode == 0
    assert chancery(tmp_path, "import", str(place / "m1-red.zip")).returncode == 2


def test_a_match_of_a_title_that_is_not_here_is_verified_without_its_rules_but_not_imported(tmp_path):
    (tmp_path / "smugglers.zip").write_bytes(whole(play(deal(rounds=2))))
    found = chancery(tmp_path, "verify", "smugglers.zip")
    assert found.returncode == 0 and "the rules were not re-run" in found.stdout
    refused = chancery(tmp_path, "import", "smugglers.zip")
    assert refused.returncode == 2 and "there is no title 'smugglers'" in refused.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["smugglers.zip"]
