"""The game master by mail: an address of their own (`match+gm+token@domain`) that takes commands about the match, never orders in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from domain.kernel.errors import Refused
from domain.match import OPEN, RUNNING, Match
from domain.orders import Line
from service.mail import letters
from service.mail.addresses import MASTER
from service.mail.office import NONE, Office
from service.mail.paper import Block, Copy, Head, Paper, Say, when
from service.mail.situation import people, situation
from service.matches import LATE
from service.timing import Timing, minutes

if TYPE_CHECKING:
    from service.mail.commands import Desktop

COMMANDS = [
    "START                  begin when every seat is taken",
    "STATUS                 who is in, who is late, whose mails came back",
    "EXTEND 24 hours        more time for all; EXTEND red 2 days for one",
    "PAUSE 3 days           stop the clocks; RESUME starts them",
    "SUBSTITUTE red         call for somebody else; SUBSTITUTE red bot",
    "KEEP red               end the call: whoever sits there stays",
    "PREVIEW                what would be done if time ran out now",
    "CANCEL why             call the match off",
]


def run(desk: Desktop, line: Line) -> str:
    """Carry one line out."""
    word, _, rest = (f"{line.verb} {line.text}" if line.verb != "ORDER" else line.text).strip().partition(" ")
    verb = VERBS.get(word.upper())
    if verb is None or line.condition:
        raise Refused("", f"{word[:40]!r} is no command of a game master", legal=list(VERBS))
    return verb(desk, rest.strip())


def start(desk: Desktop, text: str) -> str:
    desk.office.matches.start(desk.account.id, desk.id)
    return "the game has started"


def extend(desk: Desktop, text: str) -> str:
    """`EXTEND 24 hours the fair`, `EXTEND red 2 days`."""
    first, _, rest = text.partition(" ")
    seat = first.lower() if first.lower() in desk.match.seats else ""
    length, reason = minutes(rest if seat or first.lower() == "all" else text)
    found = _timing(desk.office).extend(desk.account.id, desk.id, seat, length, reason)
    return f"{len(found)} deadlines are extended"


def pause(desk: Desktop, text: str) -> str:
    length, reason = minutes(text)
    _timing(desk.office).pause(desk.account.id, desk.id, length, reason)
    return "the match is paused"


def resume(desk: Desktop, text: str) -> str:
    _timing(desk.office).resume(desk.account.id, desk.id)
    return "the clocks run again"


def substitute(desk: Desktop, text: str) -> str:
    """Open the seat and give the link for somebody in particular, or let a bot take over."""
    words, matches = text.lower().split(), desk.office.matches
    if not words or words[0] not in desk.match.seats or words[1:] not in ([], ["bot"]):
        raise Refused("", "name the seat: SUBSTITUTE red, or SUBSTITUTE red bot", legal=list(desk.match.seats))
    if words[1:]:
        matches.seat_bot(desk.account.id, desk.id, words[0])
        return f"a bot plays {words[0]} from now on"
    matches.call(desk.account.id, desk.id, words[0], "by the game master")
    _, link = matches.invite(desk.account.id, desk.id, seat=words[0], note="substitute")
    page = f"{desk.office.settings.url.rstrip('/')}/join/{desk.id}?link={link}"
    return f"a substitute for {words[0]} is called; this link is for one you know:\n{page}"


def keep(desk: Desktop, text: str) -> str:
    seat = text.lower().strip()
    if seat not in desk.match.calls:
        raise Refused("", "nobody is called for that seat", legal=list(desk.match.calls))
    desk.office.matches.end_call(desk.account.id, desk.id, seat)
    return f"{seat} stays with its holder"


def preview(desk: Desktop, text: str) -> str:
    """What the house rules would do for everybody who is waited for."""
    lines = []
    for row in _timing(desk.office).preview(desk.account.id, desk.id):
        policy = "holds; the plainest answer" if row["holds"] else row["policy"]
        lines.append(
            f"{row['seat']} ({row['question'].replace('_', ' ')}): {policy}" + (f": {row['order']}" if row["order"] else "")
        )
        lines += [f"  {sentence}" for sentence in row["then"]]
    return "\n".join(lines) or "nobody is waited for"


def cancel(desk: Desktop, text: str) -> str:
    desk.office.matches.cancel(desk.account.id, desk.id, text[:200])
    return "the match is cancelled"


def status_of(desk: Desktop, text: str) -> str:
    return status(desk.office, desk.office.matches.register.load(desk.id))


def help_(desk: Desktop, text: str) -> str:
    return "\n".join(COMMANDS)


VERBS: dict[str, Callable[[Desktop, str], str]] = {
    "START": start,
    "STATUS": status_of,
    "EXTEND": extend,
    "PAUSE": pause,
    "RESUME": resume,
    "SUBSTITUTE": substitute,
    "KEEP": keep,
    "PREVIEW": preview,
    "CANCEL": cancel,
    "HELP": help_,
}


def _timing(office: Office) -> Timing:
    return Timing(office.matches, office.database, office.clock.now)


# -- what they are told -----------------------------------------------------------------------------------------


def status(office: Office, match: Match) -> str:
    """Who is in, who is late, whose mails came back, who is called for: never what anybody wrote or holds."""
    if not match.begun:
        free = ", ".join(match.free)
        return f"The match is {match.state}." + (f" Nobody sits as {free} yet." if free else " Every seat is taken.")
    calendar, now, lost = office.calendar(match.id), situation(office.matches, match), office.outbox.lost(match.id)
    at = office.clock.now()
    late = {one.seat for one in calendar.late(at)}
    lines = [f"The match is {match.state}, at version {now.version}."]
    if calendar.paused is not None:
        lines.append(f"It is paused until {when(calendar.paused.until, 'UTC')}.")
    for seat in match.seats:
        deadline = calendar.of(now.line, seat)
        said = [f"{seat}: " + ("a bot" if seat not in people(match) else "asked" if now.must(seat) else "in")]
        said += [f"due {when(deadline.due, 'UTC')}"] if deadline is not None else []
        said += ["late"] if seat in late else []
        said += [f"{calendar.missed()[seat]} missed"] if calendar.missed().get(seat) else []
        said += [f"{lost[seat]} mails came back"] if lost.get(seat) else []
        said += ["a substitute is called"] if seat in match.calls else []
        said += [f"away until {when(away.end, 'UTC')}"] if (away := calendar.away(seat, at)) is not None else []
        lines.append(", ".join(said))
    return "\n".join(lines)


def stands(office: Office, match: Match) -> list[Block]:
    return [Head("How the match stands"), Copy(status(office, match))]


def deliver(office: Office, match: Match) -> None:
    """Tell a game master who does not play how to run the match by mail, and when something is wrong with it."""
    account = office.addresses.holder(match, MASTER)
    if account is None or match.seats_of(account.id) or match.state not in (OPEN, RUNNING):
        return
    if match.state == OPEN and match.policy.game_master != "everything":
        return  # they may still take a seat
    if office.wish(match.id, MASTER, account.id).mode == NONE:
        return
    welcome: list[Block] = [
        Say(["You are the game master. Write to this address, one command in a line:"]),
        Copy("\n".join(COMMANDS)),
    ]
    _tell(office, match, "master", "", "you are the game master", welcome)
    if match.state != RUNNING:
        return
    calendar, at = office.calendar(match.id), office.clock.now()
    for one in calendar.late(at):
        _tell(
            office,
            match,
            "late",
            f"{one.seat}-{one.version}",
            f"{one.seat} is late",
            [Say([f"The orders of {one.seat} are late."])],
        )
    for seat, number in office.outbox.lost(match.id).items():
        said = [
            Say([f"{number} mails to {seat} came back or could not be delivered. Reach them another way, or SUBSTITUTE {seat}."])
        ]
        _tell(office, match, "lost", f"{seat}-{number}", f"mails to {seat} come back", said)
    for call in (call for call in match.calls.values() if call.reason == LATE):
        said = [Say([f"A substitute is called for {call.seat}. KEEP {call.seat} ends the call."])]
        _tell(office, match, "call", f"{call.seat}-{call.at // 1000}", f"a substitute for {call.seat}", said)


def _tell(office: Office, match: Match, kind: str, mark: str, subject: str, blocks: Sequence[Block]) -> None:
    account = office.addresses.holder(match, MASTER)
    if account is None:
        return
    rest = [*stands(office, match), *letters.footer(office, match)]
    paper = Paper(letters.subject(match, "game master", subject), [*blocks, *rest])
    office.outbox.add(match, MASTER, account, kind, match.id, 0, paper, mark=mark)
