"""Bytes of the web as text: by their mark, by what is said of them, by what they hold.

A page says its encoding in a header, in its own head, in both, or wrongly. The order is that of browsers; a name that
is no encoding of texts (Python knows some that run programs of their own) counts as none. The rule that must never
break: every body gives a text, with U+FFFD where its bytes mean nothing.
"""

from __future__ import annotations

import codecs
import re

from cellwright.files.text_encoding import is_mostly_utf8, old_encoding

MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
SAID = re.compile(
    rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w:.-]{1,40})|<\?xml[^>]{0,100}?encoding=["']([\w.-]{1,40})""", re.I
)
LABEL = re.compile(r"[A-Za-z0-9][\w:.-]{0,39}", re.ASCII)
HEAD = 2_048
"""Bytes in which a page says its encoding."""
KNOWN = re.compile(
    r"utf-8|utf-16(-le|-be)?|iso8859-\d{1,2}|cp125\d|cp866|cp932|cp949|koi8-[ru]|mac-roman|gb2312|gbk|gb18030|big5|"
    r"big5hkscs|euc_jp|euc_kr|shift_jis|iso2022_jp|ascii|tis-620"
)
"""Encodings of texts, by Python's names."""
AS_BROWSERS = {"ascii": "cp1252", "iso8859-1": "cp1252", "gb2312": "gb18030", "gbk": "gb18030", "utf-16": "utf-16-le"}
"""What browsers read under a name."""


def read_text(data: bytes, said: str = "") -> tuple[str, str]:
    """The text of a body, and the encoding in which it was read; `said` is what its header says."""
    for mark, encoding in MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace"), encoding
    encoding = _known(said) or _known(_said_inside(data[:HEAD]))
    if encoding:
        return data.decode(encoding, "replace"), encoding
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError as error:
        is_utf_8 = error.start > len(data) - 4 or is_mostly_utf8(data)  # a body that was cut may end within a letter
        encoding = "utf-8" if is_utf_8 else _known(old_encoding(data).name) or "cp1252"
        return data.decode(encoding, "replace"), encoding


def _said_inside(head: bytes) -> str:
    found = SAID.search(head)
    name = (found[1] or found[2]).decode("ascii", "replace") if found else ""
    return "" if name.lower().startswith("utf-16") else name  # it was read as ASCII, so it is none


def _known(name: str) -> str:
    name = name.strip().strip("\"'")
    try:
        found = codecs.lookup(name).name if LABEL.fullmatch(name) else ""
    except LookupError:
        return ""
    return AS_BROWSERS.get(found, found) if KNOWN.fullmatch(found) else ""
