"""How often somebody may ask: by account, or by address for passers-by."""

from __future__ import annotations

from flask import current_app, g, request
from flask_limiter import Limiter


def asker() -> str:
    account = g.get("account")
    return f"account:{account.id}" if account else f"address:{request.remote_addr or 'local'}"


def usual() -> str:
    """What the settings of this application allow."""
    limit: str = current_app.config["LIMIT"]
    return limit if limit != "off" else "1000000/second"


limiter = Limiter(key_func=asker, default_limits=[usual])


@limiter.request_filter
def unlimited() -> bool:
    """Asked of the application at hand: a process may have several."""
    return bool(current_app.config["LIMIT"] == "off")
