"""Which encoding an old text is in, where no byte order mark says so.

Before UTF-8 every language had encodings of its own, and a file seldom says which. What it declares itself counts
first, as the coding line of Python does; else a detector (charset-normalizer) weighs which encoding makes letters that
go together. A few bytes prove little, so each answer says whether it is sure. The rule that must never break: only
encodings are taken in which each character stands for itself, and which give back the very bytes that they were read
from; so an edit elsewhere changes none of them, even if the guess is wrong.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from charset_normalizer import CharsetMatch

WESTERN = "cp1252"
EAST_ASIAN = ("gb18030", "cp932", "big5", "cp949", "euc_jp")
ENCODINGS = (
    *(WESTERN, "cp1251", *EAST_ASIAN, "koi8_r", "koi8_u", "cp1250", "iso8859_2", "cp1253", "cp1254", "cp1255"),
    *("cp1256", "cp1257", "cp1258", "iso8859_15", "iso8859_5", "iso8859_7", "cp874", "cp866", "cp437", "cp850"),
    *("mac_roman", "latin_1"),
)
"""Those that are looked for."""
SUPERSETS = {"shift_jis": "cp932", "gb2312": "gb18030", "gbk": "gb18030", "euc_kr": "cp949", "ascii": "latin_1"}
"""What stands for encodings that are declared and not looked for."""
WIDE = ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")
SAMPLE = 16_000
"""Bytes that are looked at: pieces of lines with more than ASCII, the first ones."""
BEFORE = 100
PIECE = 1_000
HEAD = 1_024
"""Bytes in which a file may declare its encoding."""
COHERENT = 30.0
"""Percent of the letters of a language, in their order, from which its text is taken for proved."""
MANY = 20
"""Bytes beyond ASCII from which a text in an East Asian encoding is taken for proved, if no other fits as well."""

_DECLARED = re.compile(rb"(?:coding|charset)\s*[:=]\s*[\"']?\s*([A-Za-z0-9][\w.:-]*)", re.I)
_HIGH = re.compile(rb"[\x80-\xff]+")
_LETTER = re.compile(rb"[^\x00-\x80\x85\x91-\x97\x99\xa0\xa7\xa9\xab\xae\xb0\xb4\xb7\xbb]")
"""Bytes beyond ASCII that are no sign in western Windows, such as a quote, a dash or a degree."""
_BOUNDARY = re.compile(rb"[\x00-\x2f]")
"""Bytes that are never the second or later one of a character."""
_CONTROL = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\ufffe\uffff]")


class Encoding(Struct, frozen=True):
    """The encoding of a text, as Python calls it."""

    name: str
    is_sure: bool
    """False for a guess: the bytes come back all the same, but the letters may be others."""


def old_encoding(data: bytes) -> Encoding:
    """The encoding of a text that is not UTF-8; latin-1, a guess, if nothing better fits."""
    declared = _declared(data)
    if declared and _gives_back(data, declared):
        return Encoding(declared, True)
    for found in _detected(_sample(data)):
        if _gives_back(data, found.name):
            return found
    return Encoding("latin-1", False)


def is_mostly_utf8(data: bytes) -> bool:
    """Whether most that is not ASCII is UTF-8; a few stray bytes make no text an old one."""
    text = _sample(data).decode("utf-8", "surrogateescape")
    beyond = [char for char in text if not char.isascii()]
    stray = sum("\udc80" <= char <= "\udcff" for char in beyond)
    return stray * 2 <= len(beyond)


def wide_encoding(data: bytes) -> str | None:
    """The encoding of a text in UTF-16 or UTF-32 without a byte order mark; None if the bytes are no such text."""
    for name in WIDE:
        try:
            text = codecs.getincrementaldecoder(name)().decode(data[: SAMPLE * 4])  # the last character may be cut
        except UnicodeDecodeError:
            continue
        if "\n" in text and not _CONTROL.search(text) and _is_assigned(text) and _gives_back(data, name):
            return name
    return None


def _is_assigned(text: str) -> bool:
    return not any(unicodedata.category(char) in ("Cn", "Co", "Cs") for char in set(text))


def _declared(data: bytes) -> str:
    for found in _DECLARED.finditer(data[:HEAD]):
        try:
            name = codecs.lookup(found[1].decode("ascii")).name
        except (LookupError, ValueError):
            continue
        name = codecs.lookup(SUPERSETS.get(name, name)).name
        known = next((one for one in ENCODINGS if codecs.lookup(one).name == name), "")
        if known:
            return _as_shown(known)
    return ""


def _gives_back(data: bytes, name: str) -> bool:
    try:
        return data.decode(name).encode(name) == data
    except UnicodeError:
        return False


def _sample(data: bytes) -> bytes:
    """Pieces of lines with bytes beyond ASCII, the first ones; the rest would only hide them from a detector."""
    pieces, size, start = [], 0, 0
    while size < SAMPLE and (found := _HIGH.search(data, start)):
        begin = max(start, data.rfind(b"\n", start, found.start()) + 1, found.start() - BEFORE)
        end = _end_of_piece(data, found.start())
        pieces.append(data[begin:end])
        size, start = size + end - begin, end
    return b"".join(pieces)


def _end_of_piece(data: bytes, start: int) -> int:
    """The end of the line, or of a long one a place that is in no character's middle."""
    newline = data.find(b"\n", start, start + PIECE)
    if newline >= 0:
        return newline + 1
    blank = _BOUNDARY.search(data, start + PIECE)
    return blank.end() if blank else len(data)


def _detected(sample: bytes) -> Iterator[Encoding]:
    """The encodings that fit, the best first."""
    from charset_normalizer import from_bytes  # takes as long to import as all the rest, and few texts need it

    found = list(from_bytes(sample, cp_isolation=list(ENCODINGS), enable_fallback=False))
    alike = [match for match in found if _is_as_good(match, found[0])]
    names = [name for match in alike for name in (match.encoding, *match.could_be_from_charset) if name in ENCODINGS]
    if _is_sparse(sample):
        names.sort(key=WESTERN.__ne__)
    if not _LETTER.search(sample):  # there is nothing to detect
        names = [WESTERN, *names]
    is_sure = len(alike) == 1 and _is_proved(alike[0], sample)
    for name in dict.fromkeys(names):
        yield Encoding(_as_shown(name, sample), is_sure)
    yield from (Encoding(_as_shown(match.encoding, sample), False) for match in found if match not in alike)


def _is_as_good(match: CharsetMatch, best: CharsetMatch) -> bool:
    return match.percent_chaos <= best.percent_chaos + 1 and match.percent_coherence >= best.percent_coherence - 5


def _is_proved(match: CharsetMatch, sample: bytes) -> bool:
    if match.percent_chaos > 1:
        return False
    high = sum(len(run) for run in _HIGH.findall(sample))
    return match.percent_coherence >= COHERENT or (match.encoding in EAST_ASIAN and high >= MANY)


def _is_sparse(sample: bytes) -> bool:
    """Whether there are only single letters beyond ASCII, as in the languages of western Europe."""
    runs = _HIGH.findall(sample)
    return sum(map(len, runs)) <= 2 * len(runs)


def _as_shown(name: str, sample: bytes = b"\x80") -> str:
    """latin-1 where it can't be told from what Windows made of it, which has letters for some more bytes."""
    if name == "latin_1" or (name == WESTERN and not re.search(rb"[\x80-\x9f]", sample)):
        return "latin-1"
    return name
