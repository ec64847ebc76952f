"""Treaties by mail: the commands that make and answer them, and the mails that tell their parties and, once in force, everybody."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from domain import clauses
from domain.kernel.errors import Refused
from domain.kernel.title import Title
from domain.log import Log
from domain.match import Match
from domain.observance import BROKEN
from domain.treaties import AGREED, ENDED, OFFERED, Clause, Treaties, Treaty, kinds
from service.looks import Look
from service.mail import letters
from service.mail.office import NONE, Office, Wish
from service.mail.paper import Block, Copy, Paper, Say, when
from service.mail.situation import people
from service.web.text import _

if TYPE_CHECKING:
    from service.mail.commands import Desktop

ID = r"(?P<id>[a-z0-9]{1,10})"
NAMED = re.compile(rf"{ID}\b\s*(?P<rest>.*)", re.IGNORECASE)
BREACH = re.compile(rf"{ID}\s+(?:(?P<clause>\d{{1,2}})\s+)?(?P<rest>\S.*)", re.IGNORECASE)


# -- commands -------------------------------------------------------------------------------------------------


def offer(desk: Desktop, text: str, answers: str = "") -> str:
    """`OFFER red promises blue: my word; blue promises red: his` makes an offer to all it names."""
    office = desk.office
    made = office.matches.pacts.offer(desk.account.id, desk.id, desk.seat, text, answers=answers, once=desk.once)
    wish = office.wish(desk.id, desk.seat, desk.account.id)
    others = ", ".join(seat for seat in made.parties if seat != desk.seat)
    what = "counter-offer" if answers else "offer"
    return f"{what} {made.id} to {others}, open until {when(made.offered.until, wish.zone)}"


def accept(desk: Desktop, text: str) -> str:
    one = desk.office.matches.pacts.accept(desk.account.id, desk.id, _named(text)["id"], desk.seat)
    missing = [seat for seat in one.parties if seat not in one.accepted]
    return f"you accept; {', '.join(missing)} have to answer yet" if missing else f"treaty {one.id} is in force"


def counter(desk: Desktop, text: str) -> str:
    found = _named(text)
    return offer(desk, found["rest"], answers=found["id"])


def refuse(desk: Desktop, text: str) -> str:
    found = _named(text)
    desk.office.matches.pacts.refuse(desk.account.id, desk.id, found["id"], desk.seat, found["rest"][:200])
    return f"offer {found['id']} is refused"


def withdraw(desk: Desktop, text: str) -> str:
    one = desk.office.matches.pacts.withdraw(desk.account.id, desk.id, _named(text)["id"], desk.seat)
    if one.agreed is None:
        return f"your offer {one.id} is withdrawn"
    missing = [seat for seat in one.parties if seat not in one.released]
    return f"treaty {one.id} ends when {', '.join(missing)} agree too" if missing else f"treaty {one.id} has ended"


def breach(desk: Desktop, text: str) -> str:
    """`BREACH k7m2q 2 blue marched`: clause 2 was broken; without a number, the first."""
    found = BREACH.fullmatch(text.strip())
    if found is None:
        raise Refused("", "a breach names the treaty, its clause and what was done", legal=["BREACH k7m2q 1 blue marched"])
    pacts, clause = desk.office.matches.pacts, int(found["clause"] or 1)
    one = pacts.claim(desk.account.id, desk.id, found["id"].lower(), desk.seat, clause, found["rest"])
    return f"your claim about clause {clause} of treaty {one.id} is on record"


def _named(text: str) -> dict[str, str]:
    found = NAMED.match(text.strip())
    if found is None:
        raise Refused("", "name the offer: SHOW treaties lists them", legal=["ACCEPT k7m2q"])
    return {"id": found["id"].lower(), "rest": found["rest"].strip()}


def waiting(office: Office, match: str, seat: str, at: int) -> list[str]:
    """The offers that a seat has not answered."""
    found = office.facts.load(Treaties, match).seen_by(seat)
    return [one.id for one in found if one.state(at) == OFFERED and seat in one.parties and seat not in one.accepted]


def listed(look: Look, office: Office, who: str, zone: str) -> str:
    """What a seat may know of treaties, and how clauses are written."""
    found = []
    for one in office.matches.pacts.listed(look, who):
        at = one["agreed"] or one["offer"]
        lines = [f"{one['id']}: {one['state']} {when(at['at'], zone)}" + (", in secret" if one["secret"] else "")]
        for number, clause in enumerate(one["clauses"], 1):
            binding = f"binding, {clause['rule']}" if clause["binding"] else "a promise"
            lines.append(f"  {number}. {clause['sentence']} ({binding}{', ' + clause['status'] if clause['status'] else ''})")
        lines += [f"  {claim['by']} claims a breach of clause {claim['clause']}: {claim['text']}" for claim in one["claims"]]
        found.append("\n".join(lines))
    ways = "\n".join(f"  OFFER {line}" for line in clauses.examples(look.title, look.match.seats))
    return "\n\n".join([*found, f"Clauses of one offer are divided by semicolons:\n{ways}"] if found else ["No treaties.", ways])


# -- mails ----------------------------------------------------------------------------------------------------


class Told(NamedTuple):
    """Something about a treaty that a seat should hear once; whether it wants an answer."""

    mark: str
    said: str
    answer: bool = False


def closed(how: str, id: str) -> str:
    """That an offer came to nothing, or a treaty to its end."""
    said = {
        "refused": _("The offer {id} is refused."),
        "withdrawn": _("The offer {id} is withdrawn."),
        "countered": _("The offer {id} is answered by a counter-offer."),
        "lapsed": _("The offer {id} has lapsed."),
        "ended": _("The treaty {id} has ended."),
    }
    return said[how].format(id=id)


def deliver(office: Office, match: Match, log: Log) -> None:
    """Tell everybody what they may know and have not been told."""
    treaties = office.facts.load(Treaties, match.id)
    if not treaties.all:
        return
    at, sent = office.clock.now(), office.outbox.ids(match.id, "treaty")
    if any(one.state(at) == "lapsed" and one.closed is None for one in treaties.all.values()):
        office.facts.change(Treaties, match.id, lambda book: book.lapse(at))
        treaties = office.facts.load(Treaties, match.id)
    for seat in people(match):
        account = office.addresses.holder(match, seat)
        wish = office.wish(match.id, seat, account.id) if account is not None else Wish()
        if account is None or wish.mode == NONE:
            continue
        for one in treaties.seen_by(seat):
            with office.speaking(match, seat):
                for told in _news(office, log, one, seat, wish, at):
                    mark = f"{one.id}-{told.mark}"
                    if f"{match.id}.0.{seat}.treaty-{mark}" not in sent:
                        paper = _paper(office, match, log.title, seat, wish, one, told)
                        office.outbox.add(match, seat, account, "treaty", match.id, 0, paper, mark=mark)


def _news(office: Office, log: Log, one: Treaty, seat: str, wish: Wish, at: int) -> Iterator[Told]:
    party, state = seat in one.parties, one.state(at)
    if state == OFFERED and seat not in one.accepted:
        countered = bool(one.offered.answers)
        said = (
            _("{seat} makes a counter-offer, open until {time}.") if countered else _("{seat} offers a treaty, open until {time}.")
        )
        yield Told("offer", said.format(seat=one.offered.seat, time=when(one.offered.until, wish.zone)), answer=True)
    if one.agreed is not None and seat != one.accepted[-1]:
        yield Told("agreed", _("A treaty of {seats} is in force.").format(seats=", ".join(one.parties)))
    if one.closed is not None and seat != one.closed.by and (party or state == ENDED):
        yield Told(state, closed(state, one.id) + (f" ({one.closed.why})" if one.closed.why else ""))
    for number, claim in enumerate(one.claims, 1):
        if seat != claim.by:
            said = _("{seat} claims a breach of clause {n}: {text}")
            yield Told(f"claim-{number}", said.format(seat=claim.by, n=claim.clause + 1, text=claim.text))
    if state == AGREED:
        for happened in office.matches.pacts.course(log, one):
            if happened.what == BROKEN:
                said = _("Clause {n} of treaty {id} was broken at version {version}.")
                said = said.format(n=happened.clause + 1, id=one.id, version=happened.version)
                yield Told(f"broken-{happened.clause}-{happened.version}", said)


def _paper(office: Office, match: Match, title: Title, seat: str, wish: Wish, one: Treaty, told: Told) -> Paper:
    """The sentence, the clauses, and how to answer; without secrets in mails, nothing of what only parties know."""
    subject = letters.subject(match, seat, _("treaty {id}").format(id=one.id))
    if not wish.secrets and not one.public:
        said = _("There is news of an offer to you. Your mails hold no secrets: read it on the page of the match.")
        return Paper(subject, [Say([said]), *letters.footer(office, match)])
    terms = "\n".join(f"  {number}. {_sentence(title, clause)}" for number, clause in enumerate(one.clauses, 1))
    blocks: list[Block] = [Say([told.said]), Copy(terms)]
    if told.answer:
        orders = [f"ACCEPT {one.id}", f"REFUSE {one.id}", f"COUNTER {one.id} {clauses.say(title, one.clauses[0])}"]
        blocks += [Say([_("Answer with one of these:")]), Copy("\n".join(orders))]
    return Paper(subject, [*blocks, *letters.footer(office, match)])


def _sentence(title: Title, clause: Clause) -> str:
    kind = kinds(title).get(clause.kind)
    binding = _("binding, {rule}").format(rule=kind.cite) if kind is not None and kind.binding else _("a promise")
    return f"{clauses.tell(title, clause, _)} ({binding})"
