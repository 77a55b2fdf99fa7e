"""How large a picture is, from its first bytes.

To say `[image/png, 640x480, 23,456 bytes]` nobody needs to decode a picture: PNG, GIF and JPEG carry width and height
in their headers. The rule that must never break: bytes that are cut off or are no picture give None, not an error.
"""

from __future__ import annotations


def image_size(data: bytes) -> tuple[int, int] | None:
    """Width and height in pixels, None if the bytes don't say."""
    if data.startswith(b"\x89PNG\r\n\x1a\n") and len(data) >= 24:
        return _number(data[16:20]), _number(data[20:24])
    if data.startswith((b"GIF87a", b"GIF89a")) and len(data) >= 10:
        return int.from_bytes(data[6:8], "little"), int.from_bytes(data[8:10], "little")
    return _jpeg_size(data) if data.startswith(b"\xff\xd8") else None


FRAME_MARKERS = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""The JPEG segments that hold the size."""
BARE_MARKERS = frozenset(range(0xD0, 0xD8)) | {0x01}
"""The JPEG segments that have no length."""


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker in FRAME_MARKERS:
            return _number(data[at + 7 : at + 9]), _number(data[at + 5 : at + 7])
        if marker == 0xFF:
            at += 1
        elif marker in BARE_MARKERS:
            at += 2
        else:
            at += 2 + _number(data[at + 2 : at + 4])
    return None


def _number(data: bytes) -> int:
    return int.from_bytes(data, "big")
