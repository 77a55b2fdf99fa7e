"""Text files as they come: any encoding, with or without a mark, mixed line ends, tabs, odd blanks, stray bytes."""

import codecs

UNICODE = ["plain", "größe", "日本語", "👩\u200d👧", "e\u0301", "a\u2028b", "\xa0", "\x0c", "x" * 300]
WORDS = {
    "latin-1": ["plain", "größe", "naïve", "\xa0", "©"],
    "cp1252": ["plain", "“quoted”", "5 €", "größe"],
    "cp1251": ["plain", "Привет, мир", "обычный текст", "на русском языке"],
    "koi8_r": ["plain", "Привет, мир", "обычный текст", "на русском языке"],
    "cp932": ["plain", "こんにちは世界", "日本語のテキスト", "名前"],
    "gb18030": ["plain", "你好，世界", "中文文本文件", "姓名"],
    "cp437": ["plain", "schöne Grüße", "é"],
}
"""Words of old encodings, by which each can be told, or only guessed."""
MARKS = {
    "utf-8": codecs.BOM_UTF8,
    "utf-16-le": codecs.BOM_UTF16_LE,
    "utf-16-be": codecs.BOM_UTF16_BE,
    "utf-32-le": codecs.BOM_UTF32_LE,
    "utf-32-be": codecs.BOM_UTF32_BE,
}
ENDS = ["\n", "\n", "\r\n", "\r", "\n\n", "  \n", "\t\r\n"]


class Made:
    """A file with a place in it where something is to change: `with_(text)` is the whole file with that text there.

    If it is code, all lines around the place are comments and statements of Python.
    """

    def __init__(self, chance, is_code=False):
        self.encoding = chance.choice(["utf-8", "utf-8", *WORDS, *MARKS])
        self.is_unicode = self.encoding in MARKS
        has_mark = self.is_unicode and (self.encoding != "utf-8" or chance.random() < 0.5)
        self.mark = MARKS[self.encoding] if has_mark else b""
        self.stray = b"# gr\xc3\xbc\xc3\x9fe \xff\n" if self.encoding == "utf-8" and chance.random() < 0.3 else b""
        self._is_code = is_code
        self.head = self._text(chance) + "x = 1\n"
        self.tail = chance.choice(["", "y = 2\r\n", "y = 2\n"]) + self._text(chance)

    @property
    def line(self):
        """The number of the line where the place is."""
        return self.stray.count(b"\n") + self.head.count("\n") + 1

    def with_(self, text):
        return self.mark + self.stray + (self.head + text + self.tail).encode(self.encoding)

    def _text(self, chance):
        words, ends = WORDS.get(self.encoding, UNICODE), [end for end in ENDS if not self._is_code or end != "\r"]
        lines = [chance.choices(words, k=chance.randrange(1, 5)) for _ in range(chance.randrange(12))]
        start = "# " if self._is_code else chance.choice(["", "\t", "  "])
        return "".join(start + " ".join(line) + chance.choice(ends) for line in lines)
