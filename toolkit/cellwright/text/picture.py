"""Whether bytes are a picture that a model can be shown.

A picture that is shown once goes along with every later request, and a provider refuses a request with one that is
damaged or too large: a single bad file or page would end the conversation. So its bytes are looked at, whatever a
name or a server says of them. The rule that must never break: what is sent as a picture begins and ends as one of its
type does, has a size in pixels, and is no larger than providers take.
"""

from __future__ import annotations

from cellwright.notebook.image_size import image_size

MAX_PICTURE = 3_750_000
"""Bytes of a picture that is shown; in base64 five million characters, which providers take."""
STARTS = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg", b"GIF8": "image/gif"}
TYPES = (*STARTS.values(), "image/webp")
"""Those that models take."""
ENDS = {"image/png": b"IEND\xaeB`\x82", "image/gif": b"\x3b", "image/jpeg": b"\xff\xd9"}
NEAR_THE_END = 64
"""Bytes within which it stands; some programs add a few."""


def picture_type(data: bytes) -> str:
    """The type of a picture that models take, by its first bytes; nothing for anything else."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for start, kind in STARTS.items() if data.startswith(start)), "")


def is_whole(data: bytes, kind: str) -> bool:
    """Whether the bytes are a picture of such a type and all of it, as far as is told without decoding it."""
    if not kind or picture_type(data) != kind:
        return False
    if kind == "image/webp":
        return 4 < int.from_bytes(data[4:8], "little") <= len(data) - 8
    pixels = image_size(data)
    return pixels is not None and 0 not in pixels and ENDS[kind] in data[-NEAR_THE_END:]
