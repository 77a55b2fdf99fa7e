"""Which words of a common command name what it writes: the last of `cp`, all of `tee`, those of `sed -i`.

It is asked for files that nothing may write. Of other programs it is not known; that they run at all is a question for
rules and the person. The rule that must never break: nothing is allowed because it is not found here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from msgspec.structs import replace

from cellwright.permission.shell.script import Command
from cellwright.permission.shell.word import Word
from cellwright.permission.shell.wrappers import program

TO_LAST = frozenset({"cp", "install", "ln", "mv", "rsync", "scp"})
"""Programs that write to their last word, or into the folder that an option names."""
TO_ALL = frozenset({"tee", "touch", "truncate", "patch", "ed", "ex"})
"""Programs that write to each file that they are given."""
IN_PLACE = frozenset({"awk", "gawk", "perl", "ruby", "sed"})
"""Programs that do so with an option that begins with `-i`, alone or in a row of letters. What to do comes first."""
TARGET = re.compile(r"--target-directory|-[a-su-zA-Z]*t")
INTO = {
    "curl": re.compile(r"--(?:output(?:-dir)?|dump-header|cookie-jar)\b|-[a-zA-Z]*?[ocD]"),
    "rsync": re.compile(r"--(?:backup-dir|log-file)"),
    "sort": re.compile(r"--output|-[a-zA-Z]*?o"),
    "wget": re.compile(r"--(?:output-document|output-file|directory-prefix)|-[a-zA-Z]*?[OoP]"),
}
"""Options that name what is written, or the folder in which it is: of `cp` and its like, and of others."""
GLUED = {"sed": re.compile(r"-[a-zA-Z]*[ef].|--(?:expression|file)="), "": re.compile(r"-[a-zA-Z]*[eEf].|--file=")}
"""An option that holds, or may hold, what to do in the same word: of sed, and of the others."""


def written_words(command: Command) -> Iterator[Word]:
    """The words, with holes for what is not known of them."""
    name, words = program(command), command.words[1:]
    operands = [word for word in words if not word.text.startswith("-")]
    if name in TO_LAST:
        yield from _last(command.words)
        yield from _into(words, TARGET if name in ("cp", "install", "ln", "mv") else INTO["rsync"])
    elif name in TO_ALL:
        yield from operands
    elif name in IN_PLACE and any(_is_in_place(word.text) for word in words):
        glued = GLUED["sed" if name == "sed" else ""]
        yield from operands if any(glued.match(word.text) for word in words) else operands[1:]
    elif name in INTO:
        yield from _into(words, INTO[name])
    elif name == "dd":
        yield from (_after_equals(word) for word in words if word.text.startswith("of="))


def _last(words: Sequence[Word]) -> Iterator[Word]:
    """The last operand; before it, those of which what follows may be options with their values."""
    for before, word in zip(reversed(words[:-1]), reversed(words[1:]), strict=True):
        if not word.text.startswith("-"):
            yield word
            if not before.text.startswith("-") or "=" in before.text or TARGET.fullmatch(before.text):
                return


def _into(words: Sequence[Word], option: re.Pattern[str]) -> Iterator[Word]:
    """What an option names, in its own word or in the next one."""
    for word, after in zip_longest(words, words[1:], fillvalue=Word.literal("")):
        found = option.match(word.text)
        if found is not None:
            rest = word.text[found.end() :]
            yield replace(word, text=rest.removeprefix("=")) if rest else after


def _after_equals(word: Word) -> Word:
    return replace(word, text=word.text.partition("=")[2])


def _is_in_place(word: str) -> bool:
    return word.startswith("--in-place") or (word[:1] == "-" and word[1:2] != "-" and "i" in word)
