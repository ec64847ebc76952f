"""What goes on by itself in a match that is played by mail: standing orders answer, deadlines are set and pass, mails are written.

Everything is put on record under a key that follows from the log, so a round may be made twice, by two processes, or be cut off.
"""

from __future__ import annotations

import structlog

from domain import deadlines
from domain.deadlines import DEFAULT, HELD, MISSED, SUBSTITUTE, Calendar, DeadlineSet, Key, Vector
from domain.kernel.errors import ChanceryError, Stale
from domain.kernel.event import ADVANCED, SEALED
from domain.match import FINISHED, RUNNING, Match
from domain.press import Archive
from service.accounts import Account
from service.mail import calls, letters, master, treaties
from service.mail.hours import keep_calendar
from service.mail.late import answer_for
from service.mail.lodged import MOST_ANSWERS, by_standing_order
from service.mail.office import DIGEST, INSTANT, NONE, TOLD, Office, Wish
from service.mail.situation import Situation, people, situation
from service.matches import LATE

log = structlog.get_logger(__name__)


class Rounds:
    """One round through a match."""

    def __init__(self, office: Office) -> None:
        self._office = office

    def go(self, id: str) -> None:
        """Answer, judge, write."""
        office = self._office
        match = office.matches.register.load(id)
        master.deliver(office, match)
        if not match.begun or match.state not in (RUNNING, FINISHED):
            return
        for _ in range(MOST_ANSWERS):
            now = situation(office.matches, match)
            if match.state != RUNNING or not (by_standing_order(office, now) or self._by_deadline(now)):
                break
            match = office.matches.register.load(id)
        if match.state == FINISHED and office.calendar(id).open:
            at = office.clock.now()
            office.facts.change(Calendar, id, lambda book: book.close_all(at))
        self._mail(now)
        self._press(match)
        treaties.deliver(office, match, office.matches.open_log(match.line))
        calls.deliver(office, office.matches.register.load(id))

    # -- deadlines -------------------------------------------------------------------------------

    def _by_deadline(self, now: Situation) -> bool:
        """Keep the calendar, remind, and answer for one seat whose grace is over; whether that was done."""
        office = self._office
        at, calendar = office.clock.now(), keep_calendar(office, now)
        if not calendar.version:
            return False
        self._remind(now, calendar, at)
        self._end_calls(now, calendar)
        if office.clock.cautious:
            return False
        return any(self._judge(now, one, at) for one in calendar.expired(at))

    def _remind(self, now: Situation, calendar: Calendar, at: int) -> None:
        """Half the time, a day and two hours before; when it is late, everybody learns who is, and the late one once a day."""
        office, match = self._office, now.match
        if calendar.paused is not None:
            return
        late = {(one.line, one.version, one.seat) for one in calendar.late(at)}
        for mark, one in calendar.open.items():
            kind = deadlines.reminder(one, at)
            if not kind or mark in calendar.holds:
                continue
            account = office.addresses.holder(match, one.seat)
            wish = office.wish(match.id, one.seat, match.holder(one.seat))
            if account is not None and wish.mode != NONE:
                paper = letters.reminder(office, now, one.seat, wish, one, mark in late)
                kind = f"due-{kind}"
                office.outbox.add(match, one.seat, account, kind, one.line, one.version, paper, mark=tenure(match, one.seat))
        names = sorted({seat for _, _, seat in late})
        for line, version, seat in late:
            for other in people(match):
                account = office.addresses.holder(match, other)
                if other != seat and account is not None and office.wish(match.id, other, account.id).mode != NONE:
                    paper = letters.lateness(office, match, other, names)
                    whose = f"{seat}{tenure(match, seat)}"
                    office.outbox.add(match, other, account, "late", line, version, paper, mark=whose)

    def _judge(self, now: Situation, one: DeadlineSet, at: int) -> bool:
        """The grace is over: do what the house rules say about the late."""
        office, match, seat = self._office, now.match, one.seat
        calendar = office.calendar(match.id)
        mark = (one.line, one.version, seat)
        asked = now.must(seat)
        if mark not in calendar.open or not asked or now.opened(seat) != one.version or now.line != one.line:
            return False
        held, late = mark in calendar.holds, calendar.rules.late
        if late == SUBSTITUTE and not held:
            self._call(now, mark, at)
            return False
        answer = answer_for(office.facts, now, asked[0], DEFAULT if late == SUBSTITUTE else late)
        if answer is None:
            return False
        try:
            once = f"deadline {one.line} {one.version} {seat}"
            office.matches.decide(
                match.holder(seat), match.id, seat, asked[0].key, answer[0], expect=now.version, once=once, via="deadline"
            )
        except Stale:
            return True  # it came after all: look again
        except ChanceryError as failed:
            log.error("deadline not judged", match=match.id, seat=seat, error=type(failed).__name__)
            return False
        office.facts.change(Calendar, match.id, lambda book: book.close(mark, HELD if held else MISSED, at))
        return True

    def _call(self, now: Situation, mark: Key, at: int) -> None:
        """Open the seat for a substitute; its holder may still answer, and then it is theirs as before."""
        office, match = self._office, now.match
        office.matches.call_for_late(match.id, mark[2])
        office.facts.change(Calendar, match.id, lambda book: book.close(mark, MISSED, at))

    def _end_calls(self, now: Situation, calendar: Calendar) -> None:
        """Whoever was late and has answered is back."""
        for seat, call in now.match.calls.items():
            closed = calendar.closed.get((now.line, now.opened(seat), seat))
            if call.reason == LATE and not (now.must(seat) and closed is not None and closed.how == MISSED):
                self._office.matches.end_late_call(now.match.id, seat)

    # -- mails -----------------------------------------------------------------------------------

    def _mail(self, now: Situation) -> None:
        """To every seat the mail it wants about where the game stands, once."""
        office, match = self._office, now.match
        for seat in people(match):
            account = office.addresses.holder(match, seat)
            if account is None:
                continue
            wish = office.wish(match.id, seat, account.id)
            kind = self._kind(now, seat, account, wish)
            if kind:
                look = office.matches.look(account.id, match.id, office.eyes(seat, wish), note=False)
                if look.head != now.version:
                    return  # somebody decided meanwhile: the next round tells more
                after = office.since(match, seat, account.id)
                paper = letters.state(office, now, look, seat, account, wish, after, first=kind == "started")
                office.outbox.add(match, seat, account, kind, now.line, now.version, paper, mark=tenure(match, seat))

    def _kind(self, now: Situation, seat: str, account: Account, wish: Wish) -> str:
        """Which mail a seat should have now; "" for none."""
        office, match = self._office, now.match
        if wish.mode == NONE:
            return ""
        last = office.outbox.told(match.id, seat, account.id, TOLD)
        if last is None:
            return "started"
        if now.over:
            done = office.outbox.told(match.id, seat, account.id, ("ended",))
            return "" if done is not None and done.line == now.line else "ended"
        since = office.since(match, seat, account.id)
        asked = now.called(seat) and (since < now.opened(seat) or last.line != now.line)
        if wish.mode == DIGEST:
            due = deadlines.on_the_clock(Vector(clock=wish.hour, zone=wish.zone), last.made + 1)
            return "digest" if office.clock.now() >= due and (since < now.version or asked) else ""
        if asked:
            return "question"
        return "report" if wish.mode == INSTANT and self._news(match, now, seat, since) else ""

    def _news(self, match: Match, now: Situation, seat: str, since: int) -> bool:
        """Whether anything happened that others did: a sealed answer is no news yet, one's own is known."""
        events = self._office.matches.open_log(match.line).raw(since, now.version)
        return any(event.kind not in (SEALED, ADVANCED) and event.seat != seat for event in events)

    def _press(self, match: Match) -> None:
        """Deliver what is not delivered yet, numbered for each reader: what others write to each other must not be counted."""
        office = self._office
        archive = office.facts.load(Archive, match.id)
        delivered = office.outbox.ids(match.id, "press") if archive.sent else set()
        for seat in people(match):
            account = office.addresses.holder(match, seat)
            if account is None or office.wish(match.id, seat, account.id).mode == NONE:
                continue
            mine = [piece for piece in archive.sent.values() if seat in archive.readers(piece, [seat])]
            for number, piece in enumerate(mine, 1):
                if f"{match.id}.{number}.{seat}.press" not in delivered:
                    paper = letters.press(office, match, seat, archive.seen(piece, seat))
                    office.outbox.add(match, seat, account, "press", match.id, number, paper)


def tenure(match: Match, seat: str) -> str:
    """Which holder of a seat a mail is for: a substitute is told anew what the one before was told."""
    number = sum(one.seat == seat for one in match.tenures)
    return str(number) if number > 1 else ""
