"""Settings: defaults that run at once, and one clear sentence for whatever cannot work."""

from __future__ import annotations

import pytest

from service.settings import Settings, SettingsError


def test_without_any_variable_everything_lives_in_one_file():
    settings = Settings.from_environment({})
    assert (settings.db, settings.redis, settings.postgres) == ("chancery.db", "", False)


def test_each_variable_is_a_field_and_an_empty_one_is_not_given(tmp_path):
    given = {"CHANCERY_DB": f" {tmp_path}/a.db ", "CHANCERY_REDIS": "", "CHANCERY_URL": "https://play.example", "OTHER": "x"}
    settings = Settings.from_environment(given)
    assert settings == Settings(db=f"{tmp_path}/a.db", url="https://play.example")


def test_an_address_means_postgresql():
    assert Settings.from_environment({"CHANCERY_DB": "postgresql://me@localhost/chancery"}).postgres


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("DB", "mysql://localhost/x", "a SQLite file or a postgresql:// address"),
        ("DB", "postgresql://localhost", "names no database"),
        ("DB", "/no/such/folder/chancery.db", "there is no folder /no/such/folder"),
        ("REDIS", "localhost:6379", "an address like redis://"),
        ("SECRET", "short", "at least 32 characters"),
        ("URL", "play.example", "must start with http"),
    ],
)
def test_a_setting_that_cannot_work_is_named(name, value, why):
    with pytest.raises(SettingsError, match=f"CHANCERY_{name}.*{why}"):
        Settings.from_environment({f"CHANCERY_{name}": value})


def test_a_secret_is_made_once_and_kept_for_the_owner_alone(tmp_path):
    settings = Settings(db=str(tmp_path / "chancery.db"))
    key = settings.key()
    assert len(key) >= 32
    assert Settings(db=settings.db).key() == key
    assert [(kept.name, oct(kept.stat().st_mode)[-3:]) for kept in tmp_path.iterdir()] == [("chancery.db.secret", "600")]


def test_a_shared_database_needs_a_shared_secret():
    with pytest.raises(SettingsError, match="CHANCERY_SECRET must be set"):
        Settings(db="postgresql://localhost/chancery").key()
    assert Settings(db="postgresql://localhost/chancery", secret="s" * 32).key() == b"s" * 32
