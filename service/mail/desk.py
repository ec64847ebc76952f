"""The desk where mails come in: whose they are, what they order, each once, and a receipt for what was understood.

A mail is taken when its row is stored: from then on its orders are carried out, here or, after a crash, by the next round. What each
line means is put on record before it is done, and done under a key of its own, so that reading a mail again does nothing again.
"""

from __future__ import annotations

import base64
import hashlib
import zlib
from collections.abc import Sequence
from typing import Any, Literal

import msgspec
import structlog
from prometheus_client import Counter

from domain import orders
from domain.kernel.errors import ChanceryError, NotFound, Refused, RulesCrashed, Stale
from domain.match import RUNNING, Match
from domain.orders import Line, OrderError
from domain.standing import Book
from service.accounts import Account
from service.database import Clash, Unavailable
from service.mail import bounces, commands, letters, master
from service.mail.addresses import MASTER
from service.mail.commands import Desktop
from service.mail.hours import keep_calendar
from service.mail.lodged import all_standing_orders
from service.mail.office import Office
from service.mail.outbox import ERROR
from service.mail.paper import Block, Paper, visible
from service.mail.reader import Reader
from service.mail.reading import LARGEST, Letter
from service.mail.receipts import Mail, Step, pointed, proofs, receipt, summary, why
from service.mail.situation import Situation, situation
from service.register import Busy

KEPT = "kept"
TAKEN, WAITS, DONE, EXPIRED, BROKEN = "taken", "waits", "done", "expired", "broken"
PATIENCE = 30_000  # after which a mail that was taken is looked at again
LONGEST_WAIT = 7 * 24 * 3_600_000
MOST_WAITING = 20

IN = Counter("chancery_mails_in", "Mails by what became of them.", ["outcome"])
log = structlog.get_logger(__name__)

Outcome = Literal["taken", "again", "waits", "dropped", "refused", "unknown", "too large", "busy"]


_step = msgspec.json.Decoder(Step).decode


class Desk:
    """Deliver, carry out, confirm."""

    def __init__(self, office: Office, reader: Reader) -> None:
        self.office, self._reader = office, reader

    # -- coming in -------------------------------------------------------------------------------

    def deliver(self, raw: bytes, recipient: str, envelope: str | None = None) -> Outcome:
        """Take a mail for one of our addresses; `envelope` is its sender as servers see it, empty for a bounce."""
        outcome = self._deliver(raw, recipient, envelope)
        IN.labels(outcome).inc()
        return outcome

    def _deliver(self, raw: bytes, recipient: str, envelope: str | None) -> Outcome:
        office = self.office
        place = office.addresses.place(recipient)
        if place is None:
            return "unknown"
        try:
            match = office.matches.register.load(place.match)
        except NotFound:
            return "unknown"
        account = office.addresses.holder(match, place.seat) if place.seat in (*match.seats, MASTER) else None
        if account is None:
            return "unknown"
        if len(raw) > LARGEST:
            return "too large"
        letter = self._reader.read(raw)
        token, sender, vouched = office.addresses.signs(place, match, account, letter)
        if letter.automatic or envelope == "":
            if token and bounces.is_failure(raw):
                bounces.note(office.database, match.id, place.seat, raw, office.clock.now())
            return "dropped"  # whatever answers a machine may answer for ever
        if token + sender + vouched < 2:
            if token:
                self._complain(match, place.seat, account, letter, letters.forged(office, match, place.seat))
            return "refused" if token else "unknown"
        if letter.wrong:
            self._complain(match, place.seat, account, letter, letters.unread(office, match, place.seat, letter.wrong))
            return "dropped"
        state = TAKEN if token and sender and vouched else WAITS
        mail = self._taken(match, place.seat, account, letter, raw, state)
        if mail is None:
            return "again"
        if state == WAITS:
            missing = (
                "it did not come to your seat's address"
                if not token
                else "it did not come from your own address"
                if not sender
                else "its sender cannot be verified"
            )
            self._complain(match, place.seat, account, letter, letters.doubted(office, match, place.seat, account, missing))
            return "waits"
        self._try(mail)
        return "taken"

    def _taken(self, match: Match, seat: str, account: Account, letter: Letter, raw: bytes, state: str) -> Mail | None:
        """Store a mail, once; None if it is there."""
        id = hashlib.sha256("\0".join((match.id, seat, account.id, letter.digest)).encode()).hexdigest()
        answered = self.office.addresses.answered(letter)
        replies = f"{answered.line}.{answered.version}" if answered is not None and answered.seat == seat else ""
        message = letter.message if letter.message.isascii() and letter.message.isprintable() else ""
        text = letter.text.replace("\0", "\N{SYMBOL FOR NULL}")  # PostgreSQL keeps no NUL; either is refused with its place
        mail = Mail(id, match.id, seat, account.id, state, replies, message, text, self.office.clock.now())
        waiting = self.office.database.read(
            "SELECT count(*) FROM mails_in WHERE match = ? AND seat = ? AND state = ?", match.id, seat, WAITS
        )
        if state == WAITS and waiting[0][0] >= MOST_WAITING:
            return None
        try:
            self.office.database.write(
                (
                    "INSERT INTO mails_in (id, match, seat, account, state, replies, message, text, at, raw)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    (*mail, base64.b64encode(zlib.compress(raw)).decode()),
                )
            )
        except Clash:
            return None
        return mail

    def _complain(self, match: Match, seat: str, account: Account, letter: Letter, paper: Paper) -> None:
        line, version = (match.line, self.office.matches.open_log(match.line).head) if match.begun else (match.id, 0)
        self.office.outbox.add(match, seat, account, ERROR, line, version, paper, mark=letter.digest[:12])

    # -- mails that wait for their holder's word -------------------------------------------------

    def waiting(self, match: str, seat: str, account: str) -> list[Mail]:
        rows = self.office.database.read(
            "SELECT id, match, seat, account, state, replies, message, text, at FROM mails_in"
            " WHERE match = ? AND seat = ? AND account = ? AND state = ? AND at > ? ORDER BY at",
            match,
            seat,
            account,
            WAITS,
            self.office.clock.now() - LONGEST_WAIT,
        )
        return [Mail(*row) for row in rows]

    def confirm(self, mail: Mail) -> None:
        """Its holder says that it is theirs."""
        self.office.database.write(
            ("UPDATE mails_in SET state = ? WHERE id = ? AND state = ?", (TAKEN, mail.id, WAITS)),
        )
        self._try(mail._replace(state=TAKEN))

    # -- carrying out ----------------------------------------------------------------------------

    def leftovers(self) -> int:
        """Carry out what was taken but not finished: after a crash, or when the database was away."""
        rows = self.office.database.read(
            "SELECT id, match, seat, account, state, replies, message, text, at FROM mails_in WHERE state = ? AND at < ? ORDER BY at",
            TAKEN,
            self.office.clock.now() - PATIENCE,
        )
        for row in rows:
            self._try(Mail(*row))
        return len(rows)

    def _try(self, mail: Mail) -> None:
        try:
            self.carry_out(mail)
        except (Busy, Unavailable) as later:
            log.warning("mail waits", match=mail.match, seat=mail.seat, error=type(later).__name__)
        except Exception as fault:  # one mail must not hold up the others: it is put aside, and its sender told
            log.error("mail put aside", match=mail.match, seat=mail.seat, exc_info=fault)
            self.office.database.write(("UPDATE mails_in SET state = ? WHERE id = ?", (BROKEN, mail.id)))
            match, account = self.office.matches.register.load(mail.match), self.office.matches.accounts.get(mail.account)
            if account is not None and account.email:
                paper = letters.unread(self.office, match, mail.seat, "something is broken on our side, and it has been noted")
                self._complain(match, mail.seat, account, Letter(mail.id), paper)

    def carry_out(self, mail: Mail) -> None:
        """All lines of a mail, in order, up to the first that cannot be; then the receipt."""
        office = self.office
        match = office.matches.register.load(mail.match)
        account = office.matches.accounts.get(mail.account)
        if account is None or not account.email or office.addresses.owner(match, mail.seat) != mail.account:
            office.database.write(("UPDATE mails_in SET state = ? WHERE id = ?", (EXPIRED, mail.id)))
            return
        desk = Desktop(office, match, mail.seat, account, mail.id)
        with office.speaking(match, mail.seat):
            self._receipt(desk, mail, self._steps(desk, mail))

    def _steps(self, desk: Desktop, mail: Mail) -> list[Step]:
        if not desk.match.begun and mail.seat != MASTER:
            return []
        try:
            lines, wrong = orders.parse_all(mail.text)
        except OrderError as error:
            return [Step(1, "", "refused", error.reason)]
        items: list[tuple[int, Line | OrderError]] = sorted(
            [*((line.number, line) for line in lines), *wrong], key=lambda item: item[0]
        )
        said = [visible(line) for line in mail.text.splitlines()]
        plain = [line for line in lines if line.verb == "ORDER" and not line.condition]
        drafting = any(line.verb == "DRAFT" for line in lines)
        steps: list[Step] = []
        for number, found in items:
            item = found if isinstance(found, OrderError) or mail.seat == MASTER else _order_after_all(desk, found)
            words = said[number - 1] if 0 < number <= len(said) else ""
            if isinstance(item, OrderError):
                step = self._recorded(mail, Step(number, words, "refused", item.pointed()))
            elif mail.seat == MASTER:
                step = self._command(desk, mail, number, words, lambda here, item=item: master.run(here, item))
            elif item.seat and orders.fold(item.seat) != orders.fold(mail.seat):
                step = self._recorded(
                    mail, Step(number, words, "refused", f"this address is {mail.seat}'s, not {item.seat[:40]}'s")
                )
            elif item.verb == "ORDER" and not item.condition:
                if drafting:
                    step = self._draft_line(desk, mail, item, words, first=not any(step.text == KEPT for step in steps))
                else:
                    step = self.order(desk, mail, item, words, first=not any(step.version for step in steps))
            elif item.verb == "DRAFT":
                step = self._command(desk, mail, number, words, lambda here: _keep_draft(here, plain))
            elif item.verb == "FINAL":
                final = self._final(desk, mail, number, words, done_already=bool(plain) and not drafting)
                steps += final[:-1]
                step = final[-1]
            else:
                step = self._command(desk, mail, number, words, lambda here, item=item: commands.run(here, item))
            steps.append(step)
            if step.state == "refused":
                break
        return steps

    # -- one line --------------------------------------------------------------------------------

    def _record(self, mail: str, number: int) -> Step | None:
        rows = self.office.database.read("SELECT body FROM mail_steps WHERE mail = ? AND number = ?", mail, number)
        return _step(rows[0][0]) if rows else None

    def _recorded(self, mail: Mail, step: Step) -> Step:
        """The step on record: this one, or the one that somebody recorded first."""
        try:
            row = (mail.id, step.number, msgspec.json.encode(step).decode())
            self.office.database.write(("INSERT INTO mail_steps (mail, number, body) VALUES (?, ?, ?)", row))
            return step
        except Clash:
            found = self._record(mail.id, step.number)
            return found if found is not None else step

    def _settled(self, mail: Mail, step: Step) -> Step:
        body = msgspec.json.encode(step).decode()
        self.office.database.write(("UPDATE mail_steps SET body = ? WHERE mail = ? AND number = ?", (body, mail.id, step.number)))
        return step

    def _command(self, desk: Desktop, mail: Mail, number: int, said: str, verb: Any) -> Step:
        known = self._record(mail.id, number)
        if known is not None:
            return known
        try:
            text = verb(desk._replace(once=f"{mail.id}:{number}"))
            return self._recorded(mail, Step(number, said, "done", text))
        except (Busy, Unavailable):
            raise
        except OrderError as wrong:
            return self._recorded(mail, Step(number, said, "refused", pointed(wrong, said)))
        except ChanceryError as refused:
            return self._recorded(mail, Step(number, said, "refused", why(refused)))

    def order(self, desk: Desktop, mail: Mail, line: Line, said: str, first: bool, number: int = 0) -> Step:
        """Answer the question that is open now: first it is put on record what the line means, then it is decided."""
        number = number or line.number
        step = self._record(mail.id, number)
        if step is None:
            try:
                step = self._meant(desk, mail, line, said, number, first)
            except OrderError as wrong:
                step = Step(number, said, "refused", pointed(wrong, said))
            except Refused as refused:
                step = Step(number, said, "refused", why(refused))
            step = self._recorded(mail, step)
        if step.state != "begun":
            return step
        return self._settled(mail, decided(desk, step, f"{mail.id}:{number}", "mail"))

    def _meant(self, desk: Desktop, mail: Mail, line: Line, said: str, number: int, first: bool) -> Step:
        if desk.match.state != RUNNING:
            raise Refused("", f"the match is {desk.match.state}")
        now = desk.now()
        if first and mail.replies:
            answered, _, version = mail.replies.rpartition(".")
            if answered != now.line or now.opened(desk.seat) > int(version):
                raise Refused("", f"phase closed: you answer version {version}, but the game has gone on. Answer the newest mail")
        lenient = self.office.calendar(desk.id).rules.lenient
        order, remark = commands.read(now.title, now.asks(desk.seat), line.text, lenient=lenient)
        return Step(number, said, "begun", remark, order.key, order.answer, now.version)

    def _draft_line(self, desk: Desktop, mail: Mail, line: Line, said: str, first: bool) -> Step:
        """A line of a draft: the first one can be checked already."""
        known = self._record(mail.id, line.number)
        if known is not None:
            return known
        try:
            if first and (now := desk.now()).asks(desk.seat):
                orders.read(now.title, now.asks(desk.seat), line.text)
            return self._recorded(mail, Step(line.number, said, "done", KEPT))
        except OrderError as wrong:
            return self._recorded(mail, Step(line.number, said, "refused", pointed(wrong, said)))

    def _final(self, desk: Desktop, mail: Mail, number: int, said: str, *, done_already: bool) -> list[Step]:
        """FINAL after orders says what is so anyway; alone it carries the draft out."""
        if done_already:
            return [self._recorded(mail, Step(number, said, "done", "these orders are carried out"))]
        book = self.office.facts.load(Book, desk.id)
        draft = book.drafted(desk.seat, desk.account.id)
        known = self._record(mail.id, number)
        if known is not None and not draft:
            return [known]
        if not draft:
            return [self._recorded(mail, Step(number, said, "refused", "you have no draft to carry out"))]
        found = []
        for place, line in enumerate(orders.parse_all(draft)[0], 1):
            found.append(self.order(desk, mail, line, line.text, False, number * 1_000 + place))
            if found[-1].state == "refused":
                break
        at = self.office.clock.now()
        self.office.facts.change(Book, desk.id, lambda book: book.draft(desk.seat, desk.account.id, "", at))
        last = Step(number, said, "done", "the draft is carried out")
        return [*found, self._recorded(mail, last)] if found[-1].state == "done" else found

    # -- the receipt -----------------------------------------------------------------------------

    def _receipt(self, desk: Desktop, mail: Mail, steps: Sequence[Step]) -> None:
        """Put the answer in the outbox, once, and the mail away."""
        office, match = self.office, self.office.matches.register.load(mail.match)
        wish = office.wish(match.id, mail.seat, mail.account)
        good = any(step.state == "done" for step in steps)
        version, line, blocks = 0, match.id, receipt(mail, steps, wish.zone, secrets=wish.secrets)
        if match.begun:
            all_standing_orders(office, match.id)
            match = office.matches.register.load(mail.match)
            now = situation(office.matches, match)
            version, line = now.version, now.line
            blocks += self._stands(now, mail) if mail.seat != MASTER else master.stands(office, match)
        if wish.secrets:
            blocks += proofs(steps)
        paper = Paper(letters.subject(match, mail.seat, summary(steps)), [*blocks, *letters.footer(office, match)])
        away = ("UPDATE mails_in SET state = ? WHERE id = ?", (DONE, mail.id))
        kind, mark = "receipt" if good else ERROR, mail.id[:12]
        if not self._answered(mail, kind) and not office.outbox.add(
            match, mail.seat, desk.account, kind, line, version, paper, mark=mark, answers=mail.message, also=[away]
        ):
            office.database.write(away)

    def _answered(self, mail: Mail, kind: str) -> bool:
        """Whether this mail has its receipt: a second reader may find the game at another version."""
        return bool(
            self.office.database.read(
                "SELECT 1 FROM outbox WHERE match = ? AND seat = ? AND kind = ? AND id LIKE ?",
                mail.match,
                mail.seat,
                kind,
                f"%.{kind}-{mail.id[:12]}",
            )
        )

    def _stands(self, now: Situation, mail: Mail) -> list[Block]:
        """What came of it, and what is asked now."""
        office = self.office
        wish = office.wish(mail.match, mail.seat, mail.account)
        look = office.matches.look(mail.account, mail.match, office.eyes(mail.seat, wish), note=False)
        calendar = keep_calendar(office, now)
        return [
            *letters.news(look, office.since(now.match, mail.seat, mail.account)),
            *letters.question(now, mail.seat, secrets=wish.secrets),
            *letters.waiting(now, mail.seat, calendar, wish),
            *(letters.ended(look) if now.over else []),
        ]


def decided(desk: Desktop, step: Step, once: str, via: str) -> Step:
    """Carry out what is settled, at most once, and sign for it."""
    office = desk.office
    try:
        done = office.matches.decide(
            desk.account.id, desk.id, desk.seat, step.key, step.answer, expect=step.expect, once=once, via=via
        )
    except Stale:
        return msgspec.structs.replace(
            step, state="refused", text="phase closed: the game went on at the same moment; look at it again"
        )
    except RulesCrashed:
        return msgspec.structs.replace(step, state="refused", text="the rules failed on this; nothing was changed, and it is noted")
    except (Busy, Unavailable):
        raise
    except ChanceryError as refused:
        return msgspec.structs.replace(step, state="refused", text=why(refused))
    event = done.events[0]
    signed = office.signed(desk.match, desk.match.line, event, step.said)
    return msgspec.structs.replace(step, state="done", version=event.version, signed=signed)


def _order_after_all(desk: Desktop, line: Line) -> Line:
    """A title may call a question by the name of a command: whoever is asked it means the question, but for an offer by its name."""
    if line.verb == "ORDER" or not line.text or desk.match.state != RUNNING:
        return line
    now, verb = desk.now(), line.verb.lower()
    names = {orders.tokens(orders.spoken(now.title, ask.key))[0] for ask in now.asks(desk.seat)}
    if not any(name.startswith(verb) for name in names) or line.text.split()[0].lower() in desk.treaties():
        return line
    return line._replace(verb="ORDER", text=f"{verb} {line.text}")


def _keep_draft(desk: Desktop, lines: Sequence[Line]) -> str:
    if not lines:
        raise Refused("", "there are no orders in this mail to keep as a draft")
    at, text = desk.office.clock.now(), "\n".join(line.text for line in lines)
    desk.office.facts.change(Book, desk.id, lambda book: book.draft(desk.seat, desk.account.id, text, at))
    return "kept as your draft; FINAL carries it out"
