"""What a file is that holds no text: a picture, which can be shown, or something that other programs read.

A picture goes to the model as a picture and to the person as a view, if it is whole and not too large. Anything else is
named by its first bytes, so that the model knows what can read it. The rule that must never break: no byte of what is
no picture is shown.
"""

from __future__ import annotations

import base64
import mimetypes
import os
from pathlib import Path

from cellwright.errors import ToolError
from cellwright.files.disk import opened_file
from cellwright.messages import Image
from cellwright.notebook.image_size import image_size
from cellwright.text.picture import MAX_PICTURE, is_whole, picture_type
from cellwright.tool import Output
from cellwright.views.view import Picture

SHOWN = ("image/png", "image/jpeg", "image/gif")
KINDS = {
    b"%PDF": "application/pdf",
    b"PK\x03\x04": "a zip archive",
    b"\x1f\x8b": "gzip data",
    b"\x7fELF": "a program",
    b"SQLite format": "an SQLite database",
    b"PAR1": "a Parquet table",
    b"\x89HDF": "HDF5 data",
    b"\x93NUMPY": "a NumPy array",
}
"""The first bytes of files, and what they are; beside those of pictures."""


def picture_or_refusal(path: Path, shown: str) -> Output:
    """The picture at a real path.

    Raises:
        ToolError: `binary` or `too_large`, saying what is there.
    """
    with opened_file(path) as file:
        head, size = file.read(16), os.fstat(file.fileno()).st_size
        kind = picture_type(head) or _kind(head) or mimetypes.guess_type(path.name)[0] or "binary data"
        told = f"{shown} is not text but {kind}, {size:,} bytes"
        if kind not in SHOWN:
            raise ToolError("binary", f"{told}; use a program that knows its format")
        if size > MAX_PICTURE:
            raise ToolError(
                "too_large", f"{told}; up to {MAX_PICTURE:,} bytes are shown. Make a smaller one with a program"
            )
        data = head + file.readall()
    return _shown(data, kind, shown)


def _shown(data: bytes, kind: str, shown: str) -> Output:
    pixels = image_size(data)
    told = f"{kind}, {len(data):,} bytes"
    if pixels is None or not is_whole(data, kind):
        raise ToolError("binary", f"{shown} is not text but {told}; it is damaged or cut off, so it can't be shown")
    text = base64.b64encode(data).decode("ascii")
    value = {"path": shown, "media_type": kind, "bytes": len(data), "width": pixels[0], "height": pixels[1]}
    content = f"{shown}: {kind}, {pixels[0]}x{pixels[1]} pixels, {len(data):,} bytes"
    return Output(value, content, Picture(kind, text, shown), (Image(kind, text),))


def _kind(head: bytes) -> str:
    return next((kind for start, kind in KINDS.items() if head.startswith(start)), "")
