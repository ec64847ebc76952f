"""What one line of a mail does: an order answers a question, a command does one of the other things a player may do."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from domain import orders, press, standing
from domain.deadlines import DAY, HOUR, MINUTE, Calendar
from domain.docket import Rewind
from domain.kernel.ask import Ask
from domain.kernel.errors import NotFound, Refused
from domain.kernel.title import Title
from domain.match import RUNNING, Match
from domain.orders import Line, Order, OrderError
from domain.press import Archive
from domain.standing import Book
from domain.treaties import Treaties
from service.accounts import Account
from service.mail import letters, treaties
from service.mail.office import Office
from service.mail.paper import as_text, when
from service.mail.situation import Situation, people, situation
from service.timing import Timing, span

NEAR, CLEARLY = 0.75, 0.1
YES, NO = ("yes", "y", "agree", "for"), ("no", "n", "against", "refuse")


class Desktop(NamedTuple):
    """Whose mail is on the desk, and which line of it: `once` names the line, so that it is done once."""

    office: Office
    match: Match
    seat: str
    account: Account
    once: str

    @property
    def id(self) -> str:
        return self.match.id

    def now(self) -> Situation:
        return situation(self.office.matches, self.match)

    def treaties(self) -> list[str]:
        """The names of the offers and treaties that the seat knows."""
        return [one.id for one in self.office.facts.load(Treaties, self.id).seen_by(self.seat)]


# -- orders -----------------------------------------------------------------------------------------------


def read(title: Title, asks: Sequence[Ask], text: str, *, lenient: bool) -> tuple[Order, str]:
    """The order a line gives, and a remark where it was read kindly."""
    try:
        return orders.read(title, asks, text), ""
    except OrderError:
        found = _nearest(title, asks, text) if lenient else None
        if found is None:
            raise
        return found[0], f"read as: {found[1]}"


def _nearest(title: Title, asks: Sequence[Ask], text: str) -> tuple[Order, str] | None:
    """The answer whose words are clearly the nearest to what was said."""
    said = orders.fold(text)
    ways = [
        (Order(ask.key, answer), orders.say(title, ask, answer))
        for ask in asks
        if ask.count() <= letters.LISTED
        for answer in ask.all()
    ]
    ranked = sorted(
        ((difflib.SequenceMatcher(None, said, orders.fold(way)).ratio(), order, way) for order, way in ways), key=_ratio
    )
    if not ranked or ranked[-1][0] < NEAR or (len(ranked) > 1 and ranked[-1][0] - ranked[-2][0] < CLEARLY):
        return None
    return ranked[-1][1], ranked[-1][2]


def _ratio(ranked: tuple[float, Order, str]) -> float:
    return ranked[0]


# -- commands ---------------------------------------------------------------------------------------------


def run(desk: Desktop, line: Line) -> str:
    """Carry a command out; what is to be said about it."""
    if desk.match.state != RUNNING and line.verb not in ("SHOW", "STATUS", "HELP", "PRESS", "DISPUTE", "BREACH"):
        raise Refused("", f"the match is {desk.match.state}")
    if line.condition:
        return lodge(desk, line)
    return VERBS[line.verb](desk, line.text)


def lodge(desk: Desktop, line: Line) -> str:
    """IF ... THEN ...: a standing order."""
    if line.verb != "ORDER":
        raise Refused("", "after THEN stands an order, no command")
    given, title = standing.condition(line.condition), desk.office.matches.titles.get(desk.match.title)
    key = standing.question(title, given.question)
    look = desk.office.matches.look(desk.account.id, desk.id, desk.seat, note=False)
    hand, at = standing.own_cards(look.table(), desk.seat), desk.office.clock.now()
    one = desk.office.facts.change(
        Book, desk.id, lambda book: book.lodge(desk.seat, desk.account.id, key, line.text, given, hand, desk.once, at)
    )
    return f"standing order {one.lodged.id}: when asked {orders.spoken(title, key)}, {line.text} ({_until(one)})"


def _until(one: standing.Standing) -> str:
    return f"{one.left} times" + (", until your hand changes" if one.lodged.hand else "")


def clear(desk: Desktop, text: str) -> str:
    at, id = desk.office.clock.now(), text.strip()
    if id and not id.isdigit():
        raise Refused("", "CLEAR forgets the draft, CLEAR and a number ends a standing order")
    if id:
        desk.office.facts.change(Book, desk.id, lambda book: book.cancel(desk.seat, desk.account.id, int(id), "cancelled", at))
        return f"standing order {id} is cancelled"
    desk.office.facts.change(Book, desk.id, lambda book: book.draft(desk.seat, desk.account.id, "", at))
    return "you have no draft any more"


def status(desk: Desktop, text: str) -> str:
    office, wish = desk.office, desk.office.wish(desk.id, desk.seat, desk.account.id)
    calendar, at = office.calendar(desk.id), office.clock.now()
    said = []
    if calendar.paused is not None:
        said.append(f"The match is paused until {when(calendar.paused.until, wish.zone)}.")
    late = sorted({one.seat for one in calendar.late(at)})
    said.append(f"Late: {', '.join(late) or 'nobody'}.")
    missed = calendar.missed()
    if missed:
        said.append("Orders missed so far: " + ", ".join(f"{seat} {n}" for seat, n in sorted(missed.items())) + ".")
    draft = office.facts.load(Book, desk.id).drafted(desk.seat, desk.account.id)
    said.append(f"Your draft:\n{draft}" if draft else "You have no draft.")
    said.append(_standing(desk))
    if wish.secrets and (waiting := treaties.waiting(office, desk.id, desk.seat, at)):
        said.append(f"Offers that wait for your answer: {', '.join(waiting)}. SHOW treaties tells what they say.")
    for one in office.court.docket(desk.account.id, desk.id).rewinds.values():
        if one.closed is None:
            needs = ", ".join(seat for seat in one.asked.needs if seat not in one.votes)
            said.append(f"{one.asked.seat} asks to go back to version {one.asked.version}; {needs} have to answer.")
    return "\n".join(said)


def _standing(desk: Desktop) -> str:
    book = desk.office.facts.load(Book, desk.id)
    title = desk.office.matches.titles.get(desk.match.title)
    lines = [
        f"{one.lodged.id}: when asked {orders.spoken(title, one.lodged.question)}, {one.lodged.order} ({_until(one)})"
        for one in book.of(desk.seat, desk.account.id)
    ]
    uses = [f"version {use.version} by standing order {one.lodged.id}" for one, use in book.uses(desk.seat, desk.account.id)[-10:]]
    listed = "Your standing orders:\n" + "\n".join(lines) if lines else "You have no standing orders."
    return listed + (f"\nUsed: {', '.join(uses)}." if uses else "")


def show(desk: Desktop, text: str) -> str:
    """The table, the press, the standing orders, the treaties, or the log."""
    what, wish = text.strip().casefold() or "table", desk.office.wish(desk.id, desk.seat, desk.account.id)
    if what in ("table", "board"):
        return as_text(letters.board(_look(desk, wish))).rstrip()
    if what == "standing":
        return _standing(desk)
    if what == "press":
        pieces = desk.office.facts.load(Archive, desk.id).read_by(desk.seat)[-20:]
        return (
            "\n\n".join(f"{one.seat or 'Somebody'} to {', '.join(one.to) or 'all'}:\n{one.text}" for one in pieces) or "No press."
        )
    if what == "treaties":
        return treaties.listed(_look(desk, wish), desk.office, desk.account.id, wish.zone)
    if what == "log":
        look = _look(desk, wish)
        return as_text(letters.news(look, max(0, look.head - 50))[1:]).rstrip() or "Nothing has happened yet."
    raise Refused(
        "", f"there is no {what[:40]!r} to show", legal=["SHOW", "SHOW press", "SHOW standing", "SHOW treaties", "SHOW log"]
    )


def _look(desk: Desktop, wish: Any) -> Any:
    return desk.office.matches.look(desk.account.id, desk.id, desk.office.eyes(desk.seat, wish), note=False)


def undo(desk: Desktop, text: str) -> str:
    """Take the last decision back, or ask the table to go back farther."""
    found = re.match(r"(\d{1,9})\b\s*(.*)", text)
    if text and found is None:
        raise Refused("", "UNDO takes your last order back; UNDO, a version and a reason asks the table")
    if found is None:
        done = desk.office.matches.undo(desk.account.id, desk.id, desk.seat, once=desk.once, via="mail")
        return f"taken back, version {done.version}"
    request = desk.office.court.ask_rewind(desk.account.id, desk.id, desk.seat, int(found[1]), found[2][:200] or "asked by mail")
    if request.closed is not None:
        return f"the game goes on from version {request.asked.version}"
    return f"asked; it takes the consent of {', '.join(request.asked.needs)}"


def vote(desk: Desktop, text: str) -> str:
    """`undo 118 yes` and `pause 3 days`."""
    words = text.casefold().split()
    if len(words) == 3 and words[0] == "undo" and words[2] in (*YES, *NO):
        request = _request(desk, words[1])
        found = desk.office.court.vote(desk.account.id, desk.id, request.asked.id, desk.seat, words[2] in YES)
        return (
            f"your vote counts; the request is {found.closed.outcome}"
            if found.closed
            else "your vote counts; others have to answer yet"
        )
    if len(words) == 3 and words[0] == "pause" and words[1].isdigit() and words[2].rstrip("s") in ("hour", "day"):
        minutes = int(words[1]) * (HOUR if words[2].startswith("hour") else DAY) // MINUTE
        at, electors = desk.office.clock.now(), people(desk.match)
        paused = desk.office.facts.change(Calendar, desk.id, lambda book: book.vote_pause(desk.seat, minutes, electors, at))
        return "the match is paused" if paused else "your vote counts; a pause needs more than half of the seats"
    raise Refused("", "this is no vote", legal=["VOTE undo 118 yes", "VOTE undo 118 no", "VOTE pause 3 days"])


def _request(desk: Desktop, name: str) -> Rewind:
    """The open request to go back, by its version or its id."""
    for one in desk.office.court.docket(desk.account.id, desk.id).rewinds.values():
        if one.closed is None and name in (one.asked.id, str(one.asked.version)):
            return one
    raise NotFound(f"nobody asks to go back to version {name[:20]}")


def dispute(desk: Desktop, text: str) -> str:
    found = re.match(r"(\d{1,9})\s+(.+)", text, re.DOTALL)
    if found is None:
        raise Refused("", "a dispute names a version and says what is wrong", legal=["DISPUTE 118 the die was not mine"])
    claimed = desk.office.court.claim(desk.account.id, desk.id, int(found[1]), found[2][:2_000])
    return f"dispute {claimed.claimed.id} on version {claimed.claimed.version} is open"


def write_press(desk: Desktop, text: str) -> str:
    head, _, words = text.partition("\n")
    office, at = desk.office, desk.office.clock.now()
    to = press.heading(head, desk.match.seats)
    allowed = office.calendar(desk.id).rules.anonymous
    version = office.matches.look(desk.account.id, desk.id, desk.seat, note=False).head if desk.match.begun else 0
    piece = office.facts.change(
        Archive,
        desk.id,
        lambda archive: archive.send(desk.once, desk.seat, to, words, anonymous_allowed=allowed, version=version, at=at),
    )
    return f"press to {', '.join(piece.to) or 'everybody'}" + (", unsigned" if piece.anonymous else "")


def hold(desk: Desktop, text: str) -> str:
    now = desk.now()
    if not now.must(desk.seat):
        raise Refused("", "nothing is asked of you now")
    at, opened = desk.office.clock.now(), now.opened(desk.seat)
    desk.office.facts.change(Calendar, desk.id, lambda book: book.hold(now.line, opened, desk.seat, at))
    return "you hold: at the end of the grace the house rules answer for you, and nobody counts it as missed"


def absent(desk: Desktop, text: str) -> str:
    """`ABSENT 2026-07-01 to 2026-07-14`, `ABSENT 5 days`, `ABSENT back`; alone it says what is declared."""
    office, wish = desk.office, desk.office.wish(desk.id, desk.seat, desk.account.id)
    timing = Timing(office.matches, office.database, office.clock.now)
    said = text.strip()
    if said.casefold() == "back":
        timing.come_back(desk.account.id, desk.id, desk.seat)
        return "welcome back; deadlines that were stretched stay so"
    if said:
        timing.leave(desk.account.id, desk.id, desk.seat, *span(said, wish.zone, office.clock.now()))
    book, at = office.calendar(desk.id), office.clock.now()
    away = book.away(desk.seat, at)
    if away is None:
        return "no absence of yours is declared"
    left = book.absence_left(desk.seat, at) // DAY
    days = (
        f"your deadlines can be stretched by {left} more days this year"
        if book.rules.absence
        else "this match stretches no deadlines"
    )
    return f"you are away from {when(away.start, wish.zone)} to {when(away.end, wish.zone)}; {days}"


def help_(desk: Desktop, text: str) -> str:
    return "\n".join(letters.HELP) + "\n\n" + "\n".join(letters.COMMANDS)


VERBS = {
    "CLEAR": clear,
    "STATUS": status,
    "SHOW": show,
    "UNDO": undo,
    "VOTE": vote,
    "DISPUTE": dispute,
    "PRESS": write_press,
    "OFFER": treaties.offer,
    "ACCEPT": treaties.accept,
    "COUNTER": treaties.counter,
    "REFUSE": treaties.refuse,
    "WITHDRAW": treaties.withdraw,
    "BREACH": treaties.breach,
    "ABSENT": absent,
    "HOLD": hold,
    "HELP": help_,
}
