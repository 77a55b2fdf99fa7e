"""A file that holds no text is a picture that can be shown, or is named for what it is."""

import base64
import struct
import zlib

import pytest

from cellwright.errors import ToolError
from cellwright.messages import Image
from cellwright.text.picture import MAX_PICTURE
from cellwright.tools.binary_file import picture_or_refusal
from cellwright.views.view import Picture


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


PNG = b"".join(
    [
        b"\x89PNG\r\n\x1a\n",
        chunk(b"IHDR", struct.pack(">IIBBBBB", 3, 2, 8, 0, 0, 0, 0)),
        chunk(b"IDAT", zlib.compress(b"\0\1\2\3" * 2)),
        chunk(b"IEND", b""),
    ]
)
GIF = b"GIF89a\x01\0\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;"
JPEG = b"\xff\xd8\xff\xe0\0\x10JFIF\0\1\1\0\0\1\0\1\0\0\xff\xc0\0\x0b\x08\0\x02\0\x03\1\1\x11\0\xff\xd9"


@pytest.mark.parametrize(
    ("data", "told"),
    [(PNG, "image/png, 3x2 pixels"), (GIF, "image/gif, 1x1 pixels"), (JPEG, "image/jpeg, 3x2 pixels")],
)
def test_a_picture_is_shown_to_model_and_person(tmp_path, data, told):
    (tmp_path / "a").write_bytes(data)
    output = picture_or_refusal(tmp_path / "a", "a")
    kind, text = told.split(",")[0], base64.b64encode(data).decode()
    assert output.content == f"a: {told}, {len(data)} bytes"
    assert (output.images, output.view) == ((Image(kind, text),), Picture(kind, text, "a"))


@pytest.mark.parametrize(
    ("data", "code", "says"),
    [
        (PNG[:-9], "binary", "image/png, 62 bytes; it is damaged or cut off"),
        (PNG[:20], "binary", "damaged"),
        (b"\xff\xd8\xff\xe0\0\0", "binary", "image/jpeg, 6 bytes; it is damaged"),
        (PNG + b"\0" * MAX_PICTURE, "too_large", "Make a smaller one"),
        (b"%PDF-1.7\0", "binary", "application/pdf, 9 bytes; use a program"),
        (b"PAR1\0\0", "binary", "a Parquet table"),
        (b"\0\1\2", "binary", "binary data, 3 bytes"),
    ],
)
def test_what_can_not_be_shown_is_named_for_what_it_is(tmp_path, data, code, says):
    (tmp_path / "a").write_bytes(data)
    with pytest.raises(ToolError) as caught:
        picture_or_refusal(tmp_path / "a", "a")
    assert (caught.value.code, says in caught.value.message) == (code, True), caught.value.message
