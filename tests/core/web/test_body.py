import asyncio
import gzip
import random
import zlib

import pytest

from cellwright.errors import ToolError
from cellwright.web.body import Body, Unpacker, read_body

DATA = random.Random(1).randbytes(5_000) + b"a" * 5_000
RAW = zlib.compressobj(wbits=-15)
RAW_DATA = RAW.compress(DATA) + RAW.flush()


def read(data, encoding="", limit=100_000, size=700, breaks=None) -> Body:
    async def chunks():
        for at in range(0, len(data), size):
            yield data[at : at + size]
        if breaks:
            raise breaks

    return asyncio.run(read_body(chunks(), encoding, limit, (OSError,)))


@pytest.mark.parametrize("size", [1, 7, 100_000])
@pytest.mark.parametrize(
    ("encoding", "data"),
    [
        ("", DATA),
        ("identity", DATA),
        ("gzip", gzip.compress(DATA)),
        (" GZIP ", gzip.compress(DATA)),
        ("x-gzip", gzip.compress(DATA)),
        ("gzip", gzip.compress(DATA) + b"\0" * 20),
        ("deflate", zlib.compress(DATA)),
        ("deflate", RAW_DATA),
    ],
)
def test_a_body_is_unpacked_however_it_comes(encoding, data, size):
    assert read(data, encoding, size=size) == Body(DATA)


def test_gzip_in_several_parts_is_unpacked_whole():
    assert read(gzip.compress(DATA) + gzip.compress(b"more"), "gzip", size=100_000) == Body(DATA + b"more")


@pytest.mark.parametrize("encoding", ["", "gzip"])
def test_what_is_over_the_limit_is_cut_to_the_byte(encoding):
    data = gzip.compress(DATA) if encoding else DATA
    assert read(data, encoding, limit=9_999) == Body(DATA[:9_999], is_cut=True)
    assert read(data, encoding, limit=10_000) == Body(DATA)


def test_a_bomb_never_takes_more_room_than_the_limit():
    unpacker = Unpacker()
    assert len(unpacker.feed(gzip.compress(bytes(5_000_000)), 1_000)) == 1_000
    assert read(gzip.compress(bytes(5_000_000)), "gzip", limit=1_000) == Body(bytes(1_000), is_cut=True)


def test_packed_data_that_unpacks_to_nothing_ends_too():
    assert read(gzip.compress(b"") * 1_000, "gzip", limit=2_000).is_cut


def test_damaged_data_keeps_what_came_before_and_says_so():
    packed = bytearray(gzip.compress(DATA))
    packed[3_000:3_050] = b"\xff" * 50
    body = read(bytes(packed), "gzip")
    assert (DATA.startswith(body.data[:2_000]), "is damaged" in body.problem) == (True, True)
    assert read(b"no gzip at all", "gzip").problem


def test_a_connection_that_breaks_off_keeps_what_came():
    body = read(b"half", breaks=OSError("gone"))
    assert (body.data, body.problem) == (b"half", "it is not whole: the connection broke off (gone)")


@pytest.mark.parametrize("encoding", ["br", "zstd", "compress", "gzip, br", "gzip\u202e"])
def test_another_packing_is_refused(encoding):
    with pytest.raises(ToolError) as caught:
        read(b"x", encoding)
    assert caught.value.code == "unsupported_encoding"
