"""What is shown as a picture is one, and whole."""

import struct

import pytest

from cellwright.text.picture import is_whole, picture_type

GIF = b"GIF89a\x01\0\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;"
WEBP = b"RIFF" + struct.pack("<I", 12) + b"WEBPVP8 " + b"\0" * 4


@pytest.mark.parametrize(
    ("start", "kind"),
    [
        (b"\x89PNG\r\n\x1a\n", "image/png"),
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"GIF89a", "image/gif"),
        (b"RIFF0000WEBPVP8 ", "image/webp"),
        (b"RIFF0000WAVE", ""),
        (b"<svg>", ""),
        (b"", ""),
    ],
)
def test_a_picture_is_known_by_its_first_bytes(start, kind):
    assert picture_type(start) == kind


@pytest.mark.parametrize("data", [GIF, WEBP, GIF + b"\0\0"])
def test_a_whole_picture_is_whole(data):
    assert is_whole(data, picture_type(data))


@pytest.mark.parametrize(
    "data", [GIF[:-1], WEBP[:-1], GIF[:6] + b"\0" * 4 + GIF[10:], b"RIFF\0\0\0\0WEBP", b"GIF8", b"\xff\xd8\xff"]
)
def test_one_that_is_cut_off_or_empty_is_not(data):
    assert not is_whole(data, picture_type(data))


def test_one_of_another_type_than_is_said_is_none():
    assert not is_whole(GIF, "image/png") and not is_whole(b"", "")
