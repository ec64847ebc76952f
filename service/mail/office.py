"""What everybody who handles mails shares: the matches, the court, addresses and links, facts, wishes, the outbox, the clock."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain import proof
from domain.deadlines import Calendar
from domain.kernel.errors import Refused
from domain.kernel.event import Event
from domain.kernel.schema import SPECTATOR
from domain.match import Match
from service.accounts import Account
from service.court import Court
from service.database import Database
from service.languages import speaking
from service.mail.addresses import Addresses
from service.mail.clock import SteadyClock, uptime
from service.mail.facts import Facts
from service.mail.outbox import Outbox
from service.mail.paper import Copy, Paper, Say
from service.mail.wishes import BLOCKING, DIGEST, INSTANT, MODES, NONE, Wish, Wishes
from service.matches import Matches
from service.settings import Settings
from service.web.text import _

# Mails that say how the game stands.
TOLD = ("started", "question", "report", "digest", "receipt", "ended")
TEN_YEARS = 10 * 365 * 24 * 3600
MONTH = 30 * 24 * 3600
__all__ = ["BLOCKING", "DIGEST", "INSTANT", "MODES", "MONTH", "NONE", "TEN_YEARS", "TOLD", "Office", "Wish"]


class Office:
    """Built once for a process."""

    def __init__(
        self,
        matches: Matches,
        database: Database,
        settings: Settings,
        *,
        court: Court | None = None,
        steady: Callable[[], int] = uptime,
        machine: str = "",
    ) -> None:
        if not settings.mail:
            raise Refused("", "nobody plays by mail here: set CHANCERY_MAIL to the domain of the players' addresses")
        self.matches, self.database, self.settings = matches, database, settings
        self.court = court or Court(matches, database)
        self.clock = SteadyClock(database, clock=matches.clock, steady=steady, machine=machine)
        self.addresses = Addresses(settings.key(), settings.mail, settings.mail_trust, matches.accounts)
        self.facts, self.wishes = Facts(database), Wishes(database)
        self.outbox = Outbox(database, settings.mail, self, self.clock.now)
        self._signing = Ed25519PrivateKey.from_private_bytes(settings.signing_key())

    # -- links -----------------------------------------------------------------------------------

    def address(self, match: Match, seat: str, account: Account) -> str:
        return self.addresses.address(match, seat, account)

    def page(self, match: Match) -> str:
        return f"{self.settings.url.rstrip('/')}/m/{match.id}/"

    def settings_page(self) -> str:
        """Where people say how they want their mails."""
        return f"{self.settings.url.rstrip('/')}/account#mails"

    def unsubscribe(self, match: Match, seat: str, account: Account) -> str:
        """A link that ends the mails to a seat with one click."""
        link = self.matches.accounts.sign("unsubscribe", [match.id, seat, account.id])
        return f"{self.settings.url.rstrip('/')}/mail/unsubscribe/{link}"

    def confirm(self, match: Match, seat: str, account: Account) -> str:
        """A link to the mails of a seat that wait for its holder's word."""
        link = self.matches.accounts.sign("mails", [match.id, seat, account.id])
        return f"{self.settings.url.rstrip('/')}/mail/waiting/{link}"

    def ask_address(self, account: Account, address: str) -> None:
        """Send a link to an address that is to be an account's: whoever opens it has that mailbox."""
        link = self.matches.accounts.sign("address", [account.id, address])
        here = f"{self.settings.url.rstrip('/')}/mail/address/{link}"
        with speaking(self.wishes.usual(account.id).language):
            said = _("{name} at {url} wants to get mails here. If that is you, open this:").format(
                name=account.name, url=self.settings.url
            )
            paper = Paper(
                _("is this address yours?"), [Say([said]), Copy(here), Say([_("If not, do nothing: no more mails will come.")])]
            )
        self.outbox.add_for(account, address, f"{account.id}.{self.clock.now()}.address", paper)

    # -- seats -----------------------------------------------------------------------------------

    def wish(self, match: str, seat: str, account: str) -> Wish:
        return self.wishes.of(match, seat, account)

    def set_wish(self, match: str, seat: str, account: str, wish: Wish) -> None:
        self.wishes.set(match, seat, account, wish)

    def speaking(self, match: Match, seat: str) -> AbstractContextManager[None]:
        """What is written now is for a seat, in its holder's language."""
        return speaking(self.wish(match.id, seat, self.addresses.owner(match, seat)).language)

    def eyes(self, seat: str, wish: Wish) -> str:
        """Through whose eyes a seat's mails look: without secrets, everybody's."""
        return seat if wish.secrets else SPECTATOR

    def since(self, match: Match, seat: str, account: str) -> int:
        """Up to which version of the line in force a seat has been told."""
        last = self.outbox.told(match.id, seat, account, TOLD)
        if last is None:
            return 0
        line = self.matches.store.line(match.line)
        while line.id != last.line:  # the game went back: what both lines have in common is known
            if not line.parent:
                return min(last.version, self.matches.store.line(match.line).at)
            if line.at < last.version and line.parent == last.line:
                return line.at
            line = self.matches.store.line(line.parent)
        return last.version

    def calendar(self, match: str) -> Calendar:
        return self.facts.load(Calendar, match)

    # -- proof -----------------------------------------------------------------------------------

    def signed(self, match: Match, line: str, event: Event, said: str) -> str:
        """Our signature under an accepted order, as one line of JSON to keep."""
        return msgspec.json.encode(proof.sign(self._signing, proof.receipt(match.id, line, event, said.encode()))).decode()
