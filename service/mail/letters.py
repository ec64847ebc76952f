"""The mails we write: what happened as far as their reader may see it, what is asked with every answer as an order, receipts, press.

Everything in them about a game comes from a look through the reader's eyes, which passes the gate, or is the reader's own question.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from domain import orders
from domain.deadlines import Calendar, DeadlineSet
from domain.kernel.ask import Ask
from domain.kernel.title import Cell, Title
from domain.match import Match
from domain.press import Sent
from service.accounts import Account
from service.looks import Look
from service.mail.office import Office, Wish
from service.mail.paper import Block, Board, Copy, Head, Items, Links, Paper, Say, plain, when
from service.mail.picture import png
from service.mail.situation import Situation
from service.mail.wishes import PICTURE
from service.web import text
from service.web.telling import sentences_of
from service.web.text import _

LISTED = 24
SOME = 8
MOST_SENTENCES = 30
LONGEST = 160
LATE = {
    "wait": "then the game waits for you",
    "default": "then the plainest answer is given for you",
    "draft": "then your draft is carried out, if you sent one",
    "regent": "then a bot answers for you",
    "substitute": "then your seat is open for a substitute",
}

HELP = [
    "An order is one line: the question, then your answer, as the options are written. Case and the ends of words may be left out.",
    "Several orders in one mail are carried out in turn, each on what is asked then; the first that cannot be ends it.",
    "Write ORDERS above and END below your lines, and everything else in the mail is ignored.",
]
COMMANDS = [
    "DRAFT             keep these orders, do not carry them out",
    "FINAL             carry the draft out now",
    "CLEAR             forget the draft; CLEAR 3 ends standing order 3",
    "STATUS            who is waited for, your draft, standing orders",
    "SHOW              the table; SHOW press, standing, treaties, log",
    "UNDO              take your last order back, if nobody learnt by it",
    "UNDO 118 why      ask the table to go back to version 118",
    "VOTE undo 118 yes    VOTE pause 3 days",
    "DISPUTE 118 what is wrong with it",
    "PRESS to red, blue ... ENDPRESS",
    "OFFER red promises blue: peace; blue promises red: gold",
    "ACCEPT k7m2q      also COUNTER, REFUSE, WITHDRAW and BREACH",
    "ABSENT 2026-07-01 to 2026-07-14    ABSENT back",
    "HOLD              no order now, and that is meant",
    "IF asked QUESTION 5 times until my hand changes THEN ORDER",
]


# -- parts ------------------------------------------------------------------------------------------------


def subject(match: Match, seat: str, said: str) -> str:
    return f"[{match.name} {seat}] {said}"


def news(look: Look, after: int) -> list[Block]:
    """What happened after a version, in sentences; after nothing, from the start."""
    told: list[str] = []
    for event in look.events(after, max(0, look.head - after)):
        told += sentences_of(look, event, text.here())
    if not told:
        return []
    left = len(told) - MOST_SENTENCES
    if left > 0:
        told = [_("(What was before is on the page of the match.)"), *told[left:]]
    return [Head(_("Since your last mail") if after else _("So far")), Say(told)]


def question(situation: Situation, seat: str, *, secrets: bool) -> list[Block]:
    """What is asked of a seat, with its answers as orders where mails may hold them."""
    found: list[Block] = []
    for ask in situation.asks(seat):
        may = _("You may, at any time") if situation.run.asks else _("Whoever answers first")
        found.append(Head(_("You are asked") if ask in situation.run.asks else may))
        name = orders.spoken(situation.title, ask.key)
        asked = text.question(situation.title, ask.key)
        asked = asked if ask.key in situation.title.prompts else f"{asked}."
        found.append(Say([f"{asked} ({_('{name}, rule {rule}').format(name=name, rule=ask.cite)})"]))
        if not secrets:
            found.append(Say([_("Your mails hold no secrets: what you can answer is on the page of the match.")]))
            continue
        lines, all_of_them = answers(situation.title, ask, f"{situation.line} {situation.version}")
        if not all_of_them:
            found.append(Say([_("There are many answers; some of them:")]))
        found.append(Items(lines))
    if found and secrets:
        ask = situation.asks(seat)[0]
        line = answers(situation.title, ask, f"{situation.line} {situation.version}")[0][0]
        found += [Say([_("To answer, send this back with the line of your choice:")]), Copy(f"ORDERS\n{seat}: {line}\nEND")]
    return found


def answers(title: Title, ask: Ask, luck: str) -> tuple[list[str], bool]:
    """The answers to a question as orders, and whether these are all: of many, some."""
    if ask.count() <= LISTED:
        return [_explained(title, ask, answer) for answer in ask.all()], True
    rng = Random(f"{luck} {ask.key}")
    return list(dict.fromkeys(_explained(title, ask, ask.sample(rng)) for _ in range(SOME))), False


def _explained(title: Title, ask: Ask, answer: Any) -> str:
    """An order; what it calls by a number has its name behind it as a remark, so that the line can still be copied whole."""
    said = orders.say(title, ask, answer)
    names = [next((name for name in title.vocabulary.get(item, ()) if name != item), "") for item in _items(answer)]
    known = ", ".join(dict.fromkeys(name for name in names if name and orders.fold(name) not in orders.fold(said)))
    return f"{said}  # {known}" if known and len(said) + len(known) < LONGEST else said


def _items(answer: Any) -> list[str]:
    """Everything an answer names."""
    if isinstance(answer, list):
        return [item for part in answer for item in _items(part)]
    return [answer] if isinstance(answer, str) else []


def deadline_of(calendar: Calendar, situation: Situation, seat: str) -> DeadlineSet | None:
    """The deadline of what a seat is asked now."""
    return calendar.open.get((situation.line, situation.opened(seat), seat)) if situation.must(seat) else None


def waiting(situation: Situation, seat: str, calendar: Calendar, wish: Wish) -> list[Block]:
    """Whom the game waits for, and until when for the reader."""
    deadline = deadline_of(calendar, situation, seat)
    said = []
    if situation.over:
        said.append(_("The game is over."))
    elif situation.waited_for():
        names = ", ".join(situation.waited_for())
        said.append(_("The game is at version {version} and waits for {seats}.").format(version=situation.version, seats=names))
    else:
        said.append(_("The game is at version {version} and waits for anybody.").format(version=situation.version))
    if deadline is not None:
        due, closes = when(deadline.due, wish.zone), when(deadline.closes, wish.zone)
        late = _(LATE[calendar.rules.late])
        said.append(_("Your answer is due {due}. Grace ends {closes}, {late}.").format(due=due, closes=closes, late=late))
    return [Say(said)]


def board(look: Look) -> list[Block]:
    """The table as text."""
    view = look.table()
    parts: list[Block] = []
    for section in look.title.board(view):
        rows = [[text.phrase(head) for head in section.head], *[[_cell(cell) for cell in row] for row in section.rows]]
        widths = [max((len(row[i]) for row in rows if i < len(row)), default=0) for i in range(max(map(len, rows), default=0))]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=False)).rstrip() for row in rows]
        parts += [Head(text.phrase(section.name)), Copy("\n".join(lines))]
    scores = sorted(look.title.score(view), key=lambda score: -score.points)
    return [*parts, Head(_("Scores")), Copy("\n".join(f"{score.seat:12} {score.points}" for score in scores))]


def _cell(cell: Cell) -> str:
    return text.phrase(plain(cell if isinstance(cell, str) else "".join(span.text for span in cell)))


def footer(office: Office, match: Match) -> list[Block]:
    return [
        Say([_("Write HELP in an answer to see what mails can do.")]),
        Links([(_("The match"), office.page(match)), (_("Your mails"), office.settings_page())]),
    ]


# -- mails ------------------------------------------------------------------------------------------------


def state(
    office: Office, situation: Situation, look: Look, seat: str, account: Account, wish: Wish, after: int, *, first: bool
) -> Paper:
    """How the game stands: what is asked, what happened, the board."""
    match, calendar = situation.match, office.calendar(situation.match.id)
    deadline = deadline_of(calendar, situation, seat)
    asked = situation.called(seat)
    with office.speaking(match, seat):
        blocks: list[Block] = [_lead(situation, seat), *waiting(situation, seat, calendar, wish)]
        blocks += [*(_welcome(office, situation, seat, account) if first else []), *news(look, after)]
        picture = png(look.title, look.table()) if wish.form == PICTURE and wish.secrets else b""
        if picture:
            shows = _("The board of {title} at version {version}").format(title=look.title.name, version=look.head)
            blocks.append(Board(shows, office.page(match)))
        blocks += question(situation, seat, secrets=wish.secrets)
        if situation.over:
            blocks += ended(look)
        if first:
            blocks += [Head(_("How to play by mail")), Say([_(one) for one in HELP]), Copy("\n".join(COMMANDS))]
        blocks += footer(office, match)
        said = _("the game is over") if situation.over else _("it is your turn") if asked else _("news")
        if asked and deadline is not None:
            said = _("orders due {when}").format(when=when(deadline.due, wish.zone))
        return Paper(subject(match, seat, said), blocks, picture)


def _lead(situation: Situation, seat: str) -> Block:
    """Which game, and as whom."""
    said = _("{match}: you play {seat} in {title}.")
    return Say([said.format(match=situation.match.name, seat=seat, title=situation.title.name)])


def _welcome(office: Office, situation: Situation, seat: str, account: Account) -> list[Block]:
    """Where orders go."""
    where = _("{name}, your orders go to {address}: just answer this mail. Nobody else knows this address; keep it to yourself.")
    return [Say([where.format(name=account.name, address=office.address(situation.match, seat, account))])]


def ended(look: Look) -> list[Block]:
    winners = look.title.winners(look.table())
    said = _("The winner is {seats}.").format(seats=f" {_('and')} ".join(winners)) if winners else _("Nobody wins.")
    return [Say([said]), *board(look)[-2:]]


def reminder(office: Office, situation: Situation, seat: str, wish: Wish, deadline: DeadlineSet, late: bool) -> Paper:
    match, calendar = situation.match, office.calendar(situation.match.id)
    with office.speaking(match, seat):
        due = _("orders due {when}").format(when=when(deadline.due, wish.zone))
        blocks = [*waiting(situation, seat, calendar, wish), *question(situation, seat, secrets=wish.secrets)]
        said = _("your orders are late") if late else due
        return Paper(subject(match, seat, said), [*blocks, *footer(office, match)])


def lateness(office: Office, match: Match, seat: str, late: Sequence[str]) -> Paper:
    """To everybody at the table: who is late, never with what."""
    with office.speaking(match, seat):
        names = ", ".join(late)
        said = _("The orders of {seats} are late. The game waits for them.").format(seats=names)
        return Paper(subject(match, seat, _("{seats} late").format(seats=names)), [Say([said]), *footer(office, match)])


def press(office: Office, match: Match, seat: str, piece: Sent) -> Paper:
    """Press as its reader may see it."""
    with office.speaking(match, seat):
        to = _("everybody") if not piece.to else ", ".join(piece.to)
        head = _("{seat} writes to {to}:").format(seat=piece.seat or _("Somebody"), to=to)
        quoted = "\n".join(f"| {plain(line)}" for line in piece.text.splitlines())
        said = _("press from {seat}").format(seat=piece.seat or _("somebody"))
        return Paper(subject(match, seat, said), [Say([head]), Copy(quoted), *footer(office, match)])


def unread(office: Office, match: Match, seat: str, why: str) -> Paper:
    with office.speaking(match, seat):
        said = [
            _("A mail to your address for {seat} could not be read: {why}.").format(seat=seat, why=_(why)),
            _("Nothing was changed. Write your orders as plain text."),
        ]
        return Paper(subject(match, seat, _("your mail could not be read")), [Say(said), *footer(office, match)])


def doubted(office: Office, match: Match, seat: str, account: Account, missing: str) -> Paper:
    """To the registered address, about a mail that may not be its holder's: nothing of what it says."""
    with office.speaking(match, seat):
        said = [
            _("A mail with orders for {seat} came, but {missing}. Nothing was changed.").format(seat=seat, missing=_(missing)),
            _("If it was yours, read it and confirm it here; if not, do nothing, and tell the game master."),
        ]
        blocks: list[Block] = [Say(said), Copy(office.confirm(match, seat, account)), *footer(office, match)]
        return Paper(subject(match, seat, _("is this mail yours?")), blocks)


def forged(office: Office, match: Match, seat: str) -> Paper:
    with office.speaking(match, seat):
        said = [
            _("Somebody else wrote to your address for {seat}. Nothing was changed.").format(seat=seat),
            _("If you gave the address away, change your password: that gives every seat of yours a new one."),
        ]
        return Paper(subject(match, seat, _("somebody wrote in your name")), [Say(said), *footer(office, match)])
