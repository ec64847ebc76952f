"""Mails that no honest program would write, and some that honest programs do write: made here, the same every time."""

from __future__ import annotations

import base64
import io
import zipfile
from collections.abc import Iterator
from random import Random

HEAD = (
    b"Authentication-Results: mx.play.example.org; dmarc=pass header.from=home.example\r\nReceived: by mx.play.example.org\r\n"
    b"From: Ana <ana@home.example>\r\nSubject: orders\r\nDate: Mon, 01 Mar 2027 04:00:00 +0000\r\n"
)
ORDER = b"hide somewhere\r\n"


def nested(depth: int, last: bytes = ORDER, end: bool = True) -> bytes:
    """Multiparts in multiparts."""
    begin = b"".join(b'Content-Type: multipart/mixed; boundary="b%d"\r\n\r\n--b%d\r\n' % (i, i) for i in range(depth))
    close = b"".join(b"\r\n--b%d--" % i for i in reversed(range(depth))) if end else b""
    return HEAD + begin + b"Content-Type: text/plain\r\n\r\n" + last + close


def carried(depth: int) -> bytes:
    """Mails in mails."""
    return HEAD + b"Content-Type: message/rfc822\r\n\r\n" * depth + ORDER


def part(kind: str, body: bytes, coding: str = "", more: str = "") -> bytes:
    coded = f"Content-Transfer-Encoding: {coding}\r\n" if coding else ""
    return HEAD + f"MIME-Version: 1.0\r\nContent-Type: {kind}\r\n{coded}{more}\r\n".encode("utf-8", "surrogateescape") + body


def zipped() -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("orders.txt", b"hide nowhere\n" * 1_000_000)
    return base64.encodebytes(held.getvalue())


CHARSETS = [
    "", "x-unknown", "unknown-8bit", "utf-7", "utf-16", "utf-32", "utf-8-sig", "idna", "punycode", "zlib", "bz2", "hex", "rot13", "base64",
    "uu", "quopri", "undefined", "unicode_escape", "raw_unicode_escape", "mbcs", "oem", "ascii", "koi8-r", "big5", "iso-2022-jp", "hz",
    "../../etc/passwd", "a" * 5_000, "\\x00", "%s%s%n", "'; DROP TABLE outbox; --", "utf-8\\", "=?utf-8?q?x?=",
]  # fmt: skip
CODINGS = ["7bit", "8bit", "binary", "base64", "quoted-printable", "uuencode", "x-uue", "gzip64", "", "base64 base64", "none"]
BODIES = [
    b"",
    b"\r\n",
    b"====",
    b"=",
    b"=Z9=\r\n",
    b"!!!!",
    b"begin 644 x\r\n",
    b"\x00\xff\xfe",
    b"A" * 7,
    b"hide nowhere\x00right",
    b"\x1b[31m",
]
HEADERS = [
    b"From ana@home.example Mon Mar  1\r\n", b": nothing\r\n", b"NoColonHere\r\n", b"X-Long: " + b"a" * 60_000 + b"\r\n",
    b"To: " + b", ".join(b"a%d@example.org" % i for i in range(50_000)) + b"\r\n", b"X: y\r\n" * 5_000, b"Subject: =?utf-8?b?////?=\r\n",
    b"Subject: =?x?x?x?=\r\n", b"Subject: \xff\xfe\x00\r\n", b"Content-Type: \r\n", b"Content-Type: text/plain; charset\r\n",
    b"Content-Type: multipart/mixed\r\n", b"Content-Type: multipart/mixed; boundary=\"\"\r\n", b"Content-Type: text/plain;" + b" a=b;" * 5_000 + b"\r\n",
    b"Content-Type: text/plain; charset*0=ut; charset*1=f-8\r\n", b"Content-Type: text/plain; charset*=utf-9'x'%ff\r\n", b"Message-ID: <" + b"<" * 5_000 + b"\r\n",
    b"References: " + b"<a@b> " * 8_000 + b"\r\n", b"In-Reply-To: <x.99999999999999999999.red.q@play.example.org>\r\n", b"Date: yesterday\r\n",
    b"From: ana@home.example\r\n", b"From: " + b"(" * 10_000 + b"\r\n", b"From: " + b'"' * 999 + b"@home.example\r\n", b"Received: x\r\n" * 3_000,
    b"MIME-Version: 9.9\r\n", b"Content-Disposition: attachment\r\n", b"Content-Type: application/ms-tnef; name=winmail.dat\r\n",
    b"\tfolded first\r\n", b"A:\r\n\r\n" * 3, b"Content-Length: -1\r\n",
]  # fmt: skip
HTML = [
    b"<div>" * 20_000, b"<p>hide nowhere", b"<script>hide nowhere</script>", b"<style>" + b"x" * 50_000, b"&" * 50_000, b"&#x110000;&#xd800;&#0;",
    b"<a href='" + b"x" * 50_000, b"<!--" * 20_000, b"<![CDATA[" * 5_000, b"<?php " * 5_000, b"<blockquote>" * 5_000 + b"hide nowhere", b"<" * 50_000,
    b"<b " + b"a=b " * 20_000 + b">x</b>", b"</div>" * 20_000, b"<table>" + b"<tr><td>x" * 5_000,
]  # fmt: skip
TEXTS = [
    b"> " * 30_000, b"On " * 20_000 + b"wrote:", b"From: x\r\n" * 6_000, b"-- \r\n" * 10_000, b"_" * 60_000, b"- x\r\n" * 10_000, b"On a\r\n" * 8_000,
    b"Sent from my " * 4_000, b"ORDERS\r\n" * 5_000, b"ORDERS\r\n" + b"hide nowhere\r\n" * 5_000 + b"END", b"PRESS\r\n" * 3_000, b"\r" * 60_000, b"\x0b\x0c" * 9_000,
    b"IF a THEN " * 5_000 + b"b", b"a " * 30_000, b"\xe2\x80\xae" * 10_000, b"-----BEGIN PGP SIGNED MESSAGE-----\r\n" * 2_000, b"Best regards\r\n" * 4_000,
    b"-----BEGIN PGP MESSAGE-----\r\n\r\nhQEMA\r\n-----END PGP MESSAGE-----\r\n", b"Am Montag schrieb Ana:\r\n" * 2_000, b"CAUTION: mail " * 4_000, b"\xf0\x9f\x8e\xb2" * 9_000,
]  # fmt: skip


def corpus() -> Iterator[tuple[str, bytes]]:
    """Every mail with a name."""
    for depth in (1, 5, 19, 20, 21, 49, 50, 51, 500, 4_000, 20_000):
        yield f"nested {depth}", nested(depth)
        yield f"nested {depth} without an end", nested(depth, end=False)
        yield f"carried {depth}", carried(depth)
    for number, name in enumerate(CHARSETS):
        yield f"charset {number}", part(f'text/plain; charset="{name}"', b"hide n\xe9where \xff\xfe\r\n")
    for coding in CODINGS:
        for number, body in enumerate(BODIES):
            yield f"coding {coding} {number}", part("text/plain; charset=utf-8", body, coding)
    for number, field in enumerate(HEADERS):
        yield f"header {number}", field + HEAD + b"\r\n" + ORDER
        yield f"header {number} below", HEAD + field + b"\r\n" + ORDER
    for number, html in enumerate(HTML):
        yield f"html {number}", part("text/html; charset=utf-8", html)
    for number, text in enumerate(TEXTS):
        yield f"text {number}", part("text/plain; charset=utf-8", text)
        yield f"flowed {number}", part("text/plain; charset=utf-8; format=flowed; delsp=yes", text)
    yield "zip", part("application/zip", zipped(), "base64")
    yield "tnef", part("application/ms-tnef; name=winmail.dat", base64.encodebytes(b"\x78\x9f\x3e\x22" + bytes(5_000)), "base64")
    yield (
        "encrypted",
        part("multipart/encrypted; boundary=x", b"--x\r\nContent-Type: application/pgp-encrypted\r\n\r\nVersion: 1\r\n--x--"),
    )
    yield "picture", part("image/png", base64.encodebytes(b"\x89PNG" + bytes(9_000)), "base64")
    yield "calendar", part("text/calendar", b"BEGIN:VCALENDAR\r\n" * 2_000)
    yield (
        "same boundary",
        part(
            "multipart/mixed; boundary=x",
            b"--x\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\nhide nowhere\r\n--x--\r\n--x--",
        ),
    )
    yield "many parts", part("multipart/mixed; boundary=x", b"--x\r\n\r\na\r\n" * 5_000 + b"--x--")
    yield "boundary of signs", part('multipart/mixed; boundary=".*+?(["', b"--.*+?([\r\n\r\nhide nowhere\r\n--.*+?([--")
    yield "empty", b""
    yield "a line end", b"\r\n"
    yield "only a header", HEAD
    yield "only a body", b"\r\n\r\n" + ORDER
    yield "carriage returns", HEAD.replace(b"\r\n", b"\r") + b"\r\r" + ORDER
    rng = Random("garbage")
    good = HEAD + b"Content-Type: text/plain; charset=utf-8\r\n\r\n" + ORDER
    for number in range(60):
        broken = bytearray(good)
        for _ in range(1 + number % 12):
            broken[rng.randrange(len(broken))] = rng.randrange(256)
        yield f"flipped {number}", bytes(broken)
    for number in range(30):
        yield f"garbage {number}", rng.randbytes(rng.randrange(1, 20_000))
        yield f"cut off {number}", good[: rng.randrange(len(good))]
