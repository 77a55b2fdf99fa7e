"""Scripts inside a word: what sed, awk and a few others are told to do.

Both languages can write files and run programs, so only scripts of a form that can't are known to read. The forms
are narrow on purpose; what does not fit asks.
"""

from __future__ import annotations

import re

ADDRESS = r"(?:\d+(?:~\d+)?|\$|/(?:\\.|[^\\/\n])*/[IM]?)"
SED = re.compile(
    rf"""(?:[\s;{{}}]|
    (?:{ADDRESS}(?:,\s*(?:{ADDRESS}|[+~]\d+))?\s*)?(?:!\s*)?
    (?:
        [pPdDgGhHnNx=](?=[\s;}}]|$)
        |[lqQ]\s*\d*(?=[\s;}}]|$)
        |s([/|,:\#@!%])(?:\\.|(?!\1)[^\\\n])*\1(?:\\.|(?!\1)[^\\\n])*\1[gpiIM\d]*(?=[\s;}}]|$)
        |y/(?:\\.|[^\\/\n])*/(?:\\.|[^\\/\n])*/(?=[\s;}}]|$)
    ))*""",
    re.X,
)
"""Commands of sed that print, delete or substitute; not `w`, `r`, `e`, `a`, `i`, `c`, labels, nor flags `w` and `e`."""
LONGEST = 500
"""Characters of a script that is looked at; a longer one asks."""
AWK = re.compile(r"system|getline|print.*>|(?<!\|)\|(?!\|)|@|\bclose\b|>>|\\\n|ARG[CV]|SYMTAB|ENVIRON", re.S)
"""What lets awk run or write something, or read what is not among its words: a file, every variable."""
JQ = re.compile(r"""\bENV\b|(?<![\w.$"])(?:env|import|include|input_filename|modulemeta)\b""")
"""What lets jq read what is not among its words."""


def sed_only_prints(script: str) -> bool:
    """Whether a script of sed only prints. Brackets must close before the next `/`, since dialects differ there."""
    pieces = re.split(r"(?<!\\)[/|,:#@!%]", script)
    balanced = all(piece.count("[") == piece.count("]") for piece in pieces)
    return len(script) <= LONGEST and balanced and SED.fullmatch(script) is not None


def jq_only_prints(script: str) -> bool:
    """Whether a script of jq reads its input only."""
    return JQ.search(script) is None


def awk_only_prints(script: str) -> bool:
    """Whether a script of awk only prints. A `>` after `print` is taken for a redirection, whatever it is."""
    return len(script) <= LONGEST and AWK.search(script) is None


SED_REACHES = re.compile(
    rf"""(?:^|[;{{\n])\s*(?:{ADDRESS}(?:,\s*(?:{ADDRESS}|[+~]\d+))?\s*)?(?:!\s*)?[ewW](?:\s|$)
    |s([^\w\s\\])(?:\\.|(?!\1)[^\\\n])*\1(?:\\.|(?!\1)[^\\\n])*\1[gpiIM\d]*[ew]""",
    re.X,
)
AWK_REACHES = re.compile(r"""\bsystem\s*\(|\|&?\s*(?:getline|""|&)|print[^\n;}]*>\s*(?:>|"")|@(?:load|include)""")


def sed_reaches_out(script: str) -> bool:
    """Whether a script of sed runs a program or writes a file, as far as that is easily seen."""
    return len(script) > LONGEST or SED_REACHES.search(script) is not None


def awk_reaches_out(script: str) -> bool:
    """Whether a script of awk runs a program or writes a file, as far as that is easily seen."""
    return len(script) > LONGEST or AWK_REACHES.search(re.sub(r'"(?:\\.|[^"\\])*"', '""', script)) is not None


CURL_REACHES = re.compile(r"(?:^|=|^-[dF]|^-F[^=]*=)[@<]|%output\{")


def curl_reaches_out(word: str) -> bool:
    """Whether a word of curl names a file that is sent, `@file` or `name=@file`, or written by a format."""
    return CURL_REACHES.search(word) is not None
