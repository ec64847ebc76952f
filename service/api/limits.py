"""How often somebody may ask: by account, or by address for passers-by."""

from __future__ import annotations

from flask import g, request
from flask_limiter import Limiter


def asker() -> str:
    account = g.get("account")
    return f"account:{account.id}" if account else f"address:{request.remote_addr or 'local'}"


limiter = Limiter(key_func=asker)
