"""A zip that can be written in one way only: plain entries, no dates, no attributes, nothing before, between or after them.

Any program that knows zip can open it. What is read here is never unpacked to disk and never inflated, so that a hostile file
costs no more than its own size.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Mapping

from domain.proof import Unproven

LARGEST = 32 << 20
MOST_ENTRIES = 1024

LOCAL = struct.Struct("<4s5H3I2H")
CENTRAL = struct.Struct("<4s6H3I5H2I")
END = struct.Struct("<4s4H2IH")
VERSION = 20
NEW_YEAR_1980 = 0x21
SAFE = re.compile(r"[a-z0-9][a-z0-9._-]*(/[a-z0-9][a-z0-9._-]*)*")
LINK = 0o120000


def pack(files: Mapping[str, bytes]) -> bytes:
    """The one zip of these files, in this order."""
    body, directory = bytearray(), bytearray()
    for name, content in files.items():
        described = (VERSION, 0, 0, 0, NEW_YEAR_1980, zlib.crc32(content), len(content), len(content), len(name), 0)
        directory += CENTRAL.pack(b"PK\1\2", VERSION, *described, 0, 0, 0, 0, len(body)) + name.encode()
        body += LOCAL.pack(b"PK\3\4", *described) + name.encode() + content
    end = END.pack(b"PK\5\6", 0, 0, len(files), len(files), len(directory), len(body), 0)
    return bytes(body + directory + end)


def unpack(raw: bytes) -> dict[str, bytes]:
    """The files in a zip that is safe to read; whether it is written as `pack` does is for the caller to compare."""
    if len(raw) > LARGEST:
        raise Unproven(f"the file is larger than {LARGEST >> 20} MB")
    try:
        return _unpack(raw)
    except struct.error:
        raise Unproven("the file is cut off or no zip file") from None


def _unpack(raw: bytes) -> dict[str, bytes]:
    if len(raw) < END.size or raw[-END.size : -END.size + 4] != b"PK\5\6":
        raise Unproven("the file does not end as a zip file ends")
    *_, count, _, start, _ = END.unpack(raw[-END.size :])
    if count > MOST_ENTRIES:
        raise Unproven(f"the file has {count} or more entries: a bundle has at most {MOST_ENTRIES}")
    files: dict[str, bytes] = {}
    place, offset = start, 0
    for _ in range(count):
        kind, _, _, flags, method, _, _, _, packed, size, named, extra, comment, _, _, attributes, local = CENTRAL.unpack_from(
            raw, place
        )
        if kind != b"PK\1\2":
            raise Unproven("the directory of the file is damaged")
        place += CENTRAL.size
        name = raw[place : place + named].decode("ascii", "backslashreplace")
        place += named + extra + comment
        _safe(name, attributes >> 16, files)
        if flags or method or packed != size:
            raise Unproven("an entry of a bundle is neither compressed nor encrypted", where=repr(name))
        if local != offset:
            raise Unproven("the entry does not begin where the one before ends", where=repr(name))
        *_, local_named, local_extra = LOCAL.unpack_from(raw, local)
        begin = local + LOCAL.size + local_named + local_extra
        offset = begin + size
        if offset > start:
            raise Unproven("the entry is cut off", where=repr(name))
        files[name] = raw[begin:offset]
    return files


def _safe(name: str, mode: int, known: Mapping[str, bytes]) -> None:
    if mode & 0o170000 == LINK:
        raise Unproven("the entry is a link", where=repr(name))
    if name.startswith(("/", "\\")) or ".." in name or ":" in name or "\\" in name:
        raise Unproven("the entry leads out of the bundle", where=repr(name))
    if name in known:
        raise Unproven("there are two entries of this name", where=repr(name))
    if len(name) > 80 or not SAFE.fullmatch(name):
        raise Unproven("a bundle has no entry of this name", where=repr(name[:80]))
