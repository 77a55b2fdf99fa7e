"""Variables that a command line may set without anyone asking.

A variable can steer a program as an option can: which file it loads, which editor or pager it runs. So before a
command only these few are harmless. A variable of the shell alone (`x=1; echo $x`) reaches no program, as long as
its name is not one that the environment may hold already.
"""

from __future__ import annotations

import re

from cellwright.permission.shell.word import HOLE, Word

HARMLESS = frozenset({
    "CI", "COLUMNS", "LINES", "LANG", "LANGUAGE", "LC_ALL", "LC_COLLATE", "LC_CTYPE", "LC_MESSAGES", "LC_NUMERIC",
    "LC_TIME", "TZ", "TERM", "NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "DEBUG", "VERBOSE",
    "RUST_BACKTRACE", "NODE_ENV", "PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE", "PYTHONHASHSEED",
    "PYTHONIOENCODING", "PYTHONUTF8", "OMP_NUM_THREADS",
})  # fmt: skip
VALUE = re.compile(r"[\w.,:+@ -]*")
"""Values without a `/`: `TZ` and the locale variables can name files."""
STEERING = re.compile(r"\w*proxy|npm_\w*|histchars|auto_resume|cc|cxx|_")
"""Names in small letters that programs or the shell obey."""


def is_harmless(name: str, value: Word, alone: bool) -> bool:
    """Whether setting a variable steers nothing. `alone` is an assignment without a command after it."""
    if alone and re.fullmatch(r"[a-z_][a-z0-9_]*\+?", name):
        return not STEERING.fullmatch(name)
    return name in HARMLESS and value.is_literal and VALUE.fullmatch(value.text) is not None


def is_plain_name(word: Word, may_be_array: bool = True) -> bool:
    """Whether a word names a variable that may be declared, read into or unset without harm: `name` or `name=value`.

    A value in parentheses is read as code where the variable is an array: `declare -a 'x=($(touch a))'` touches.
    """
    name, _, value = word.text.partition("=")
    if value.startswith("(") or (may_be_array and value.startswith(HOLE)):
        return False
    return is_harmless(name, Word(value, value, word.splits), alone=True)
