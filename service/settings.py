"""Everything the environment may say, read here and nowhere else."""

from __future__ import annotations

import hmac
import os
import re
import secrets
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from domain.kernel.errors import ChanceryError

SHORTEST_SECRET = 32


class SettingsError(ChanceryError):
    """A setting that cannot be used: which one, why, and what would be right."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Each field is the variable CHANCERY_<FIELD>; the defaults run everything in one process on one file."""

    # A SQLite file, or postgresql://user:password@host:port/database.
    db: str = "chancery.db"
    # redis://host:port/number for views, live updates and queues; empty keeps all of them in the database and the process.
    redis: str = ""
    # What links and cookies are signed with. Empty: made once and kept beside the SQLite file.
    secret: str = ""
    # The Ed25519 key under receipts and bundles, 64 hex digits. Empty: made once and kept beside the SQLite file.
    signing: str = ""
    # Where players reach the pages: the links in mails start with it.
    url: str = "http://localhost:8000"
    # What this process serves: all, api (everything but live streams) or streams (nothing but them).
    role: str = "all"
    # Where the server listens, in how many processes, and with how many threads each.
    bind: str = "127.0.0.1:8000"
    workers: str = "2"
    threads: str = "8"
    # How often one account, or one address of passers-by, may ask; off: as often as they like.
    limit: str = "1200/minute"
    # Whether anybody may make an account: open or closed.
    registration: str = "open"
    # How many reverse proxies in front are ours, so that we believe the address they give.
    proxies: str = "0"
    # How many live streams one process may hold open.
    streams: str = "32"
    # The domain of the addresses players write their orders to; empty: nobody plays by mail.
    mail: str = ""
    # Where mails go out: smtp://user:password@host:port or smtps://...; empty keeps them in the outbox.
    mail_out: str = ""
    # Where mails come in: only our own mail server may reach this address.
    mail_in: str = "127.0.0.1:8025"
    # The name under which our own mail server writes Authentication-Results; of nobody else are they believed.
    mail_trust: str = ""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Settings:
        """The settings of this process, or one sentence about what is wrong with them."""
        given = os.environ if environment is None else environment
        found = {field: given.get(f"CHANCERY_{field.upper()}", "").strip() for field in cls.__struct_fields__}
        settings = cls(**{field: value for field, value in found.items() if value})
        settings.check()
        return settings

    @property
    def postgres(self) -> bool:
        return self.db.startswith(("postgresql://", "postgres://"))

    def check(self) -> None:
        """Complain about the first setting that cannot work."""
        if self.postgres:
            if not urlsplit(self.db).path.strip("/"):
                raise SettingsError("CHANCERY_DB names no database: postgresql://user:password@host:port/database")
        elif "://" in self.db:
            raise SettingsError("CHANCERY_DB must be the path of a SQLite file or a postgresql:// address")
        elif not Path(self.db).absolute().parent.is_dir():
            raise SettingsError(f"CHANCERY_DB: there is no folder {Path(self.db).absolute().parent} for the database file")
        if self.redis and urlsplit(self.redis).scheme not in ("redis", "rediss", "unix"):
            raise SettingsError("CHANCERY_REDIS must be an address like redis://localhost:6379/0, or empty")
        if self.secret and len(self.secret) < SHORTEST_SECRET:
            raise SettingsError(f"CHANCERY_SECRET must have at least {SHORTEST_SECRET} characters")
        if self.signing and not re.fullmatch("[0-9a-fA-F]{64}", self.signing):
            raise SettingsError("CHANCERY_SIGNING must be 64 hex digits: openssl rand -hex 32")
        if self.role not in ("all", "api", "streams"):
            raise SettingsError("CHANCERY_ROLE must be all, api or streams")
        if self.registration not in ("open", "closed"):
            raise SettingsError("CHANCERY_REGISTRATION must be open or closed")
        for name in ("proxies", "streams", "threads", "workers"):
            if not getattr(self, name).isdigit():
                raise SettingsError(f"CHANCERY_{name.upper()} must be a whole number")
        if self.mail and not re.fullmatch(r"[a-z0-9-]+(\.[a-z0-9-]+)*", self.mail):
            raise SettingsError("CHANCERY_MAIL must be a domain in small letters, like play.example.org")
        if self.mail_out and urlsplit(self.mail_out).scheme not in ("smtp", "smtps"):
            raise SettingsError("CHANCERY_MAIL_OUT must be an address like smtp://user:password@localhost:25, or empty")
        if not re.fullmatch(r"[^\s:]+:\d{1,5}", self.mail_in):
            raise SettingsError("CHANCERY_MAIL_IN must be host:port, like 127.0.0.1:8025")
        if urlsplit(self.url).scheme not in ("http", "https"):
            raise SettingsError("CHANCERY_URL must start with http:// or https://")

    def key(self) -> bytes:
        """The secret to sign with; where there is one machine and one file, it is made and kept at first use."""
        if self.secret:
            return self.secret.encode()
        return self._kept("secret").encode()

    def signing_key(self) -> bytes:
        """The private key under receipts and bundles: whoever has its public half can check them."""
        if not self.signing and self.secret:
            return hmac.digest(self.secret.encode(), b"signing", "sha256")
        return bytes.fromhex(self.signing or self._kept("signing"))

    def _kept(self, name: str) -> str:
        if self.postgres:
            raise SettingsError(f"CHANCERY_{name.upper()} must be set where several machines may share a PostgreSQL database")
        kept = Path(f"{self.db}.{name}")
        if not kept.exists():
            fresh = kept.with_name(f"{kept.name}.{secrets.token_hex(8)}")
            fresh.touch(mode=0o600)
            fresh.write_text(secrets.token_hex(SHORTEST_SECRET))
            with suppress(FileExistsError):
                os.link(fresh, kept)  # of several processes that start at once, the first one's secret counts for all
            fresh.unlink()
        return kept.read_text()
