import struct

import pytest

from cellwright.notebook.image_size import image_size

PNG = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", 640, 480)
GIF = b"GIF89a" + struct.pack("<HH", 640, 480)
EXIF = b"\xff\xe1" + struct.pack(">H", 40) + bytes(38)
JPEG = b"\xff\xd8" + EXIF + b"\xff\xff\xc2" + struct.pack(">HBHH", 17, 8, 480, 640) + bytes(9)


@pytest.mark.parametrize("data", [PNG, GIF, JPEG])
def test_the_header_tells_width_and_height(data):
    assert image_size(data) == (640, 480)


@pytest.mark.parametrize(
    "data", [b"", b"GIF89a", PNG[:20], JPEG[:30], b"\xff\xd8\xff\xd9", b"<svg/>", b"\xff\xd8" * 40]
)
def test_bytes_that_do_not_tell_give_none(data):
    assert image_size(data) is None
