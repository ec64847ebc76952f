"""The tables beside the library's `stored_events`, in SQL that SQLite and PostgreSQL both understand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

# One statement with `?` for each value, whichever the database.
Statement = tuple[str, Sequence[Any]]

# `state` is the whole `Match`, `Line` or `Snapshot`, so that a new field needs no new column.
TABLES = (
    "CREATE TABLE IF NOT EXISTS log_matches (id TEXT PRIMARY KEY, made BIGINT NOT NULL, state BYTEA NOT NULL)",
    "CREATE TABLE IF NOT EXISTS log_lines "
    "(id TEXT PRIMARY KEY, match TEXT NOT NULL, at BIGINT NOT NULL, made BIGINT NOT NULL, state BYTEA NOT NULL)",
    "CREATE INDEX IF NOT EXISTS log_lines_by_match ON log_lines (match)",
    "CREATE TABLE IF NOT EXISTS log_snapshots (line TEXT, version BIGINT, state BYTEA NOT NULL, PRIMARY KEY (line, version))",
)

# A version that an event can follow: one stored on its line, or the one where the line branched off.
FOLLOWS = (
    "EXISTS (SELECT 1 FROM stored_events WHERE originator_id = ? AND originator_version = ?) "
    "OR EXISTS (SELECT 1 FROM log_lines WHERE id = ? AND at = ?)"
)
EVENTS = (
    "SELECT originator_version, state FROM stored_events "
    "WHERE originator_id = ? AND originator_version > ? AND originator_version <= ? ORDER BY originator_version"
)
HEAD = "SELECT MAX(originator_version) FROM stored_events WHERE originator_id = ?"

ADD_MATCH = "INSERT INTO log_matches (id, made, state) VALUES (?, ?, ?)"
MATCH = "SELECT state FROM log_matches WHERE id = ?"
MATCHES = "SELECT state FROM log_matches ORDER BY made, id"

ADD_LINE = "INSERT INTO log_lines (id, match, at, made, state) VALUES (?, ?, ?, ?, ?)"
LINE = "SELECT state FROM log_lines WHERE id = ?"
LINES = "SELECT state FROM log_lines WHERE match = ? ORDER BY made, id"

KEEP = (
    "INSERT INTO log_snapshots (line, version, state) VALUES (?, ?, ?) "
    "ON CONFLICT (line, version) DO UPDATE SET state = excluded.state"
)
NEAREST = "SELECT version, state FROM log_snapshots WHERE line = ? AND version <= ? ORDER BY version DESC LIMIT 1"
