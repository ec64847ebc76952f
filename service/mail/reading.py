"""From the bytes of a mail to the few things we want of it. Whoever wrote them may be an enemy: this runs in a process of its own.

    python -m service.mail.reading      (length and bytes of a mail on standard input, length and JSON of a letter back)

Everything is bounded: size, parts, depth, processor time, memory. Quoted text, signatures and pictures are left out; what an order
may not contain is left in, so that the order language can point at it.
"""

from __future__ import annotations

import hashlib
import re
import resource
import signal
import struct
import sys
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.errors import MessageError
from email.message import Message
from email.utils import getaddresses
from html.parser import HTMLParser
from types import FrameType

import msgspec
from mailparser_reply.parser import EmailMessage  # type: ignore[import-untyped]

LARGEST_HEADER, LARGEST_BODY = 64 << 10, 256 << 10
LARGEST = LARGEST_HEADER + LARGEST_BODY
LONGEST_TEXT = 64 << 10
MOST_PARTS, DEEPEST = 50, 20
CPU_SECONDS = 2.0
MEMORY = 512 << 20
LANGUAGES = ["en", "de", "fr", "es", "it", "nl", "pl", "pt", "sv"]
LENGTH = struct.Struct(">I")

BLANK = re.compile(rb"\r?\n\r?\n")
PART = re.compile(rb"^content-type[ \t]*:", re.IGNORECASE | re.MULTILINE)
FIELD = re.compile(rb"^([!-9;-~]+)[ \t]*:", re.MULTILINE)
ID = re.compile(r"<([^<>\s]{1,250})>")
REMARK = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
BULK = {"bulk", "list", "junk", "auto_reply"}
SIGNED = (b"from", b"date", b"subject")


class Letter(msgspec.Struct, frozen=True):
    """What we want of a mail. `results` are what mail servers wrote above the second Received; `automatic` says why nobody wrote it."""

    digest: str
    sender: str = ""
    message: str = ""
    replies: list[str] = []
    results: list[str] = []
    automatic: str = ""
    text: str = ""
    wrong: str = ""


class Unreadable(Exception):
    """A mail that is not read any further, and why."""


# -- the whole ------------------------------------------------------------------------------------------


def read(raw: bytes) -> Letter:
    """A letter; `wrong` says why there is no text in it."""
    split = BLANK.search(raw)
    head, body = (raw[: split.start()], raw[split.end() :]) if split else (raw, b"")
    found = Letter(content_digest(head, body))
    try:
        if len(head) > LARGEST_HEADER:
            raise Unreadable(f"the header of a mail has at most {LARGEST_HEADER >> 10} KB")
        if len(body) > LARGEST_BODY:
            raise Unreadable(f"a mail has at most {LARGEST_BODY >> 10} KB")
        if len(PART.findall(raw)) > MOST_PARTS:
            raise Unreadable(f"a mail has at most {MOST_PARTS} parts")
        mail = message_from_bytes(raw, policy=policy.compat32)
        found = Letter(
            found.digest,
            sender=_sender(mail),
            message=next(iter(ID.findall(_field(mail, "Message-ID"))), ""),
            replies=ID.findall(_field(mail, "In-Reply-To"))[:5] + ID.findall(_field(mail, "References"))[:-6:-1],
            results=list(_results(mail)),
            automatic=_automatic(mail),
        )
        return msgspec.structs.replace(found, text=written(_text(mail)))
    except Unreadable as wrong:
        return msgspec.structs.replace(found, wrong=str(wrong))
    except (MessageError, RecursionError, ValueError, LookupError, TypeError, AttributeError):
        return msgspec.structs.replace(found, wrong="it is not written as mails are")


def content_digest(head: bytes, body: bytes) -> str:
    """SHA-256 of who wrote what when: not of what servers on the way add, nor of a Message-ID, which anybody may choose."""
    starts = [*FIELD.finditer(head)]
    ends = [*(field.start() for field in starts[1:]), len(head)]
    found = hashlib.sha256()
    for wanted in SIGNED:
        for field, end in zip(starts, ends, strict=False):
            if field[1].lower() == wanted:
                found.update(wanted + b":" + b" ".join(head[field.end() : end].split()) + b"\n")
    found.update(b"\n" + body.replace(b"\r\n", b"\n").rstrip())
    return found.hexdigest()


# -- the header -----------------------------------------------------------------------------------------


def _field(mail: Message, name: str) -> str:
    """A field of which there may be one, as text of a decent length."""
    found = mail.get_all(name) or []
    return " ".join(str(found[0]).split())[:8_000] if len(found) == 1 else ""


def _sender(mail: Message) -> str:
    """The one address of the one From; "" where there are several, or none that can be told."""
    value = _field(mail, "From")
    if not value or len(value) > 1_000:
        return ""
    found = [address for _, address in getaddresses([value]) if address]
    # The library reads an address also out of what is none: it must stand there as it is.
    if len(found) != 1 or value.count("@") != 1 or not value.removesuffix(">").endswith(found[0]):
        return ""
    return found[0].lower()


def _results(mail: Message) -> Iterator[str]:
    """Authentication-Results above the second Received: those below were there before the mail reached us."""
    received = 0
    for name, value in mail.items():
        if name.lower() == "received":
            received += 1
            if received > 1:
                return
        elif name.lower() == "authentication-results":
            yield " ".join(str(value).split())[:2_000]


def _automatic(mail: Message) -> str:
    """Why this was not written by a person; "" if it may have been."""
    if _field(mail, "Auto-Submitted").split(";")[0].strip().lower() not in ("", "no"):
        return "it answers by itself"
    if _field(mail, "Precedence").lower() in BULK or mail.get("List-Id") is not None:
        return "it came over a list"
    if "<>" in [str(value).strip() for value in mail.get_all("Return-Path") or []]:
        return "it is a bounce"
    if mail.get_content_type() == "multipart/report" or _sender(mail).startswith("mailer-daemon@"):
        return "it is a report of a mail server"
    if any(mail.get(name) is not None for name in ("X-Autoreply", "X-Autorespond", "X-Auto-Response-Suppress")):
        return "it answers by itself"
    return ""


# -- the body -------------------------------------------------------------------------------------------


def _text(mail: Message) -> str:
    """The plain text of a mail, of its HTML where there is no other."""
    plain, html = [], []
    for part in _parts(mail, 0, [0]):
        kind = part.get_content_type()
        if kind == "text/plain":
            plain.append(_decoded(part))
        elif kind == "text/html":
            html.append(_decoded(part))
    if plain:
        return "\n".join(plain)
    if html:
        return bare("\n".join(html))
    raise Unreadable("there is no text in it that can be read")


def _parts(mail: Message, depth: int, count: list[int]) -> Iterator[Message]:
    """The parts somebody wrote: not what is attached, not the mails inside."""
    count[0] += 1
    if depth > DEEPEST or count[0] > MOST_PARTS:
        raise Unreadable(f"a mail has at most {MOST_PARTS} parts, {DEEPEST} deep")
    if mail.get_content_maintype() == "message" or str(mail.get("Content-Disposition", "")).strip().lower().startswith("attach"):
        return
    held = mail.get_payload()
    if not isinstance(held, list):
        yield mail
        return
    for part in held:
        if isinstance(part, Message):
            yield from _parts(part, depth + 1, count)


def _decoded(part: Message) -> str:
    """The letters of a part, whatever its sender calls them; soft line ends taken out."""
    raw = part.get_payload(decode=True)
    raw = raw if isinstance(raw, bytes) else b""
    named = str(part.get_param("charset", "utf-8"))
    text = None
    for charset in (named, "utf-8", "latin-1"):
        try:
            text = raw.decode(charset)
            break
        except (LookupError, ValueError, UnicodeError):
            continue
    text = (text if text is not None else raw.decode("ascii", "replace")).replace("\r\n", "\n").replace("\r", "\n")
    if str(part.get_param("format", "")).lower() == "flowed":
        text = re.sub(r"(?<=[^\n]) \n(?!>|-- \n)", " ", text)
    return text.removeprefix("\ufeff").replace("\xa0", " ")


class _Bare(HTMLParser):
    """The words of HTML, a line for each block; nothing of quotations, scripts and styles."""

    BLOCKS = {"br", "p", "div", "li", "tr", "pre", "ul", "ol", "table", "h1", "h2", "h3"}
    SKIPPED = {"script", "style", "head", "blockquote", "title"}

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.words: list[str] = []
        self._skipped: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        quoted = any(name == "class" and value and "quote" in value for name, value in attrs)
        if tag in self.SKIPPED or (quoted and tag == "div") or (self._skipped and tag == self._skipped[-1]):
            self._skipped.append(tag)
        elif tag in self.BLOCKS:
            self.words.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if self._skipped and tag == self._skipped[-1]:
            self._skipped.pop()
        elif tag in self.BLOCKS:
            self.words.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._skipped:
            self.words.append(data if "\n" not in data else " ".join(data.split()))


def bare(html: str) -> str:
    parser = _Bare()
    parser.feed(REMARK.sub("", html))  # the library looks for the end of every one that never ends
    parser.close()
    return re.sub(r"\n{3,}", "\n\n", "".join(parser.words).replace("\xa0", " "))


# -- what was written now -------------------------------------------------------------------------------

BEGIN, END = re.compile(r"^[ \t]*orders[ \t]*:?[ \t]*$", re.I | re.M), re.compile(r"^[ \t]*end[ \t]*$", re.I | re.M)
BULLET = re.compile(r"^[ \t]*[*-][ \t]+", re.M)
ARMOUR = re.compile(r"^-----BEGIN PGP SIGNED MESSAGE-----\n(?:[^\n]+\n)*\n(.*?)^-----BEGIN PGP SIGNATURE-----.*", re.S | re.M)


def written(text: str) -> str:
    """What the sender wrote: the block from ORDERS to END if there is one, else all but quotations and the signature."""
    signed = ARMOUR.search(text)
    if signed:
        text = signed[1]
    lines = [line for line in text.split("\n") if not line.startswith(">")]
    if "-- " in lines:
        lines = lines[: lines.index("-- ")]
    text = re.sub(r"\n\s*\n", "\n\n", "\n".join(lines))  # many empty lines would keep the search for signatures busy
    if len(text) > LONGEST_TEXT:
        raise Unreadable(f"orders have at most {LONGEST_TEXT >> 10} KB")
    begin = BEGIN.search(text)
    if begin:
        end = END.search(text, begin.end())
        return BULLET.sub("", text[begin.end() : end.start() if end else len(text)]).strip("\n")
    found = EmailMessage(text, languages=list(LANGUAGES), keep_hyphen_lists=True).read()
    return BULLET.sub("", found.replies[0].body if found.replies else text).strip("\n")


# -- the process ----------------------------------------------------------------------------------------


class TooSlow(Exception):
    pass


def _too_slow(number: int, frame: FrameType | None) -> None:
    raise TooSlow


def main() -> None:
    """Read mails until standard input ends."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGVTALRM, _too_slow)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    source, answers = sys.stdin.buffer, sys.stdout.buffer
    while len(size := source.read(LENGTH.size)) == LENGTH.size:
        raw = source.read(LENGTH.unpack(size)[0])
        try:
            signal.setitimer(signal.ITIMER_VIRTUAL, CPU_SECONDS)
            letter = read(raw)
        except (TooSlow, MemoryError):
            letter = Letter(hashlib.sha256(raw).hexdigest(), wrong="it is too intricate")
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        answer = msgspec.json.encode(letter)
        answers.write(LENGTH.pack(len(answer)) + answer)
        answers.flush()


if __name__ == "__main__":
    main()
