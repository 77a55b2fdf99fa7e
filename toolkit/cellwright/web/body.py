"""The body of an answer, unpacked as it comes and never more of it than was asked for.

A few kilobytes can unpack to gigabytes, and a body can go on for ever. So it is unpacked piece by piece, each piece
only as far as there is room, and what comes after is not read. The rule that must never break: neither what came nor
what it unpacks to is ever larger than the limit.
"""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterable, Callable

from msgspec import Struct

from cellwright.errors import ToolError

GZIP_OR_ZLIB = 47
GZIP_START = b"\x1f\x8b"
RAW_DEFLATE = -15
"""How some servers send `deflate`."""
PACKED = ("gzip", "x-gzip", "deflate")
"""What is unpacked here, and asked for. Other ways of packing are not asked for, and refused when they come."""


class Body(Struct, frozen=True):
    """What came of a body."""

    data: bytes
    is_cut: bool = False
    """Whether there was more than the limit."""
    problem: str = ""
    """Why it ended before its end, if it did."""


async def read_body(
    chunks: AsyncIterable[bytes], encoding: str, limit: int, broken: tuple[type[Exception], ...]
) -> Body:
    """The body that comes in these chunks, in a content encoding; `broken` is what they raise when they break off.

    Raises:
        ToolError: `unsupported_encoding`.
    """
    unpack = _unpacker(encoding)
    data, raw = bytearray(), 0
    try:
        async for chunk in chunks:
            raw += len(chunk)
            data += unpack(chunk, limit + 1 - len(data))
            if len(data) > limit or raw > limit:
                return Body(bytes(data[:limit]), is_cut=True)
    except zlib.error as error:
        return Body(bytes(data), problem=f"it is not whole: the packed data is damaged ({error})")
    except broken as error:
        return Body(bytes(data), problem=f"it is not whole: the connection broke off ({error})")
    return Body(bytes(data))


Unpack = Callable[[bytes, int], bytes]


def _unpacker(encoding: str) -> Unpack:
    name = encoding.strip().lower()
    if name in ("", "identity"):
        return lambda chunk, room: chunk[:room]
    if name not in PACKED:
        raise ToolError(
            "unsupported_encoding",
            f"the server packed the answer as {name[:40]!r}, though only gzip and deflate were asked for; nothing of "
            "it was unpacked",
        )
    return Unpacker().feed


class Unpacker:
    """Unpacks gzip, in one part or several, and both kinds of deflate."""

    def __init__(self) -> None:
        self._part: zlib._Decompress | None = None
        self._head = b""
        """The first byte, while it is the only one."""

    def feed(self, chunk: bytes, room: int) -> bytes:
        """What a chunk unpacks to, at most `room` bytes; what is left of it then is dropped."""
        chunk, self._head, out = self._head + chunk, b"", bytearray()
        while chunk and len(out) < room:
            if self._part is None:
                if len(chunk) < 2:
                    self._head = chunk
                    break
                self._part = zlib.decompressobj(_way(chunk))
            elif self._part.eof:
                if not chunk.startswith(GZIP_START):  # some pad what they packed
                    break
                self._part = zlib.decompressobj(GZIP_OR_ZLIB)
            out += self._part.decompress(chunk, room - len(out))
            chunk = self._part.unused_data if self._part.eof else b""
        return bytes(out)


def _way(start: bytes) -> int:
    """How data that begins so is packed."""
    is_zlib = start[0] & 15 == 8 and int.from_bytes(start[:2], "big") % 31 == 0
    return GZIP_OR_ZLIB if is_zlib or start.startswith(GZIP_START) else RAW_DEFLATE
