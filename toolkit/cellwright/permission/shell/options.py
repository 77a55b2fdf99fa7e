"""The options of a program, as far as they are known: enough to tell which words are options and which are operands.

An option that is not listed is not guessed. Its name may mean anything, and so may the word after it.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from cellwright.permission.shell.word import HOLE, Word


class Options(Struct, frozen=True):
    """What a program takes, written as compactly as in its manual."""

    short: str = ""
    """Letters of options without a value."""
    valued: str = ""
    """Letters of options with a value, in the same word or the next."""
    attached: str = ""
    """Letters of options that may have a value in the same word only, such as `-U5`."""
    long: str = ""
    """Names of long options without a value, separated by blanks; `=` after one that may have a value in its word."""
    long_valued: str = ""
    """Names of long options with a value, in the same word or the next."""
    numeric: bool = False
    """Whether `-5` is an option."""
    single_dash: str = ""
    """Words that are options as they are, such as `-print`; `=` after one whose value is the next word."""
    most: int | None = None
    """How many operands are harmless; None for any number."""
    needs: str = ""
    """Options of which one must be given, separated by blanks: `tar` only lists with `-t`."""
    mixed: bool = True
    """Whether options may follow operands."""


class Arguments(Struct, frozen=True):
    """Words taken apart: options with their values (empty for none), operands, and where the operands begin."""

    options: tuple[tuple[str, str], ...]
    operands: tuple[Word, ...]
    start: int


def read_arguments(words: Sequence[Word], known: Options) -> Arguments | None:
    """The arguments in the words after a program's name, or None if an option is not known."""
    found: list[tuple[str, str]] = []
    operands: list[Word] = []
    at = 0
    while at < len(words):
        word = words[at]
        text = word.text
        if text == "--":
            return Arguments(tuple(found), (*operands, *words[at + 1 :]), at + 1)
        if not text.startswith("-") or text == "-":
            if not known.mixed:
                return Arguments(tuple(found), tuple(words[at:]), at)
            operands.append(word)
            at += 1
            continue
        taken = _option(text, [word.text for word in words[at + 1 : at + 2]], known)
        if taken is None or not word.is_literal:
            return None
        found += taken[0]
        at += taken[1]
    return Arguments(tuple(found), tuple(operands), at)


def _option(text: str, following: list[str], known: Options) -> tuple[list[tuple[str, str]], int] | None:
    """The options in a word, and how many words they take; None if one is not known."""
    alone = known.single_dash.split()
    if text in alone or (known.numeric and text[1:].isdigit()):
        return [(text, "")], 1
    if text + "=" in alone:
        return ([(text, following[0])], 2) if following else None
    if text.startswith("--"):
        return _long(text, following, known)
    found: list[tuple[str, str]] = []
    for at, letter in enumerate(text[1:], 2):
        if letter in known.valued:
            rest = text[at:]
            if not rest and not following:
                return None
            return [*found, (f"-{letter}", rest or following[0])], 1 if rest else 2
        if letter in known.attached:
            return [*found, (f"-{letter}", text[at:])], 1
        if letter not in known.short or letter == HOLE:
            return None
        found.append((f"-{letter}", ""))
    return found, 1


def _long(text: str, following: list[str], known: Options) -> tuple[list[tuple[str, str]], int] | None:
    name, sign, value = text[2:].partition("=")
    if name in known.long_valued.split():
        if sign:
            return [(f"--{name}", value)], 1
        return ([(f"--{name}", following[0])], 2) if following else None
    plain = known.long.split()
    if name + "=" in plain or (name in plain and not sign):
        return [(f"--{name}", value)], 1
    return None
