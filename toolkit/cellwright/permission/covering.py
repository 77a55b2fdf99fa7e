"""Whether a rule covers one target: a path, a domain, or a part of a command line.

An allow rule has to cover it surely, so it is held against the words as they are written. A deny or ask rule is held
against every way in which the same command may be spelled: `/bin/rm`, `git -C . push`, words that are not known.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from cellwright.errors import UsageError
from cellwright.permission.patterns import STAR, covers_text, covers_words, may_cover_words, path_pattern, word_patterns
from cellwright.permission.rules import Rule

if TYPE_CHECKING:  # what is needed to read command lines is imported when the first one is judged
    from cellwright.permission.shell.parts import Part
    from cellwright.permission.shell.word import Word

Likelihood = Literal["surely", "maybe", "no"]


def surely_covers_path(rule: Rule, path: str | None, cwd: str = "") -> bool:
    """Whether a rule that names the tool covers a path, relative to the working folder; None is a path not known."""
    if rule.pattern is None or rule.covers_all:
        return True
    return path is not None and any(covers_text(pattern, path) for pattern in seen_from(rule.pattern, cwd))


def may_cover_path(rule: Rule, path: str | None, cwd: str = "") -> bool:
    """The same for rules that restrict: one on a folder counts for all in it, and one on all in it for the folder."""
    if rule.pattern is None or rule.covers_all or path is None:
        return True
    within = f"{path}/"
    return any(
        covers_text(f"{pattern}/{STAR}", within) or covers_text(pattern, within)
        for pattern in seen_from(rule.pattern, cwd)
    )


@lru_cache(maxsize=512)  # of a pure function, but for the person's home, which stays where it is
def seen_from(pattern: str, cwd: str) -> tuple[str, ...]:
    """A pattern for paths as it is meant for paths relative to the working folder, in each way in which it may be read.

    It may be absolute or begin at the home folder, hold `..`, or `**/`, which stands for no folder as well.
    """
    text = path_pattern(pattern)
    text = os.path.expanduser(text) if text.startswith("~/") else text
    text = os.path.normpath(text) if ".." in text.split("/") else text
    if os.path.isabs(text):
        inside = os.path.join(cwd, "")
        covers_all = bool(cwd) and (covers_text(text, inside) or inside.startswith(f"{text}/"))
        text = STAR if covers_all else text.removeprefix(inside) if cwd else text
    bare = text.replace(f"{STAR}{STAR}/", "")
    return (text,) if bare == text else (text, bare)


DOMAIN = "domain:"
"""How a pattern for web addresses begins."""


def surely_covers_domain(rule: Rule, domain: str) -> bool:
    """Whether a rule that names the tool covers a domain: exactly that one, with its port if it has one of its own."""
    return rule.pattern is None or rule.covers_all or covers_text(_domain_pattern(rule), domain)


def may_cover_domain(rule: Rule, domain: str) -> bool:
    """The same for rules that restrict: one on a domain counts for what is below it, too, and for every port."""
    if rule.pattern is None or rule.covers_all:
        return True
    pattern, (host, _, _) = _domain_pattern(rule), domain.rpartition(":") if domain[-1] != "]" else (domain, "", "")
    labels = (host or domain).split(".")
    ways = {domain, *(".".join(labels[start:]) for start in range(len(labels)))}
    return any(covers_text(pattern, way) for way in ways)


def _domain_pattern(rule: Rule) -> str:
    """The pattern for domains of a rule.

    Raises:
        UsageError: if it is a pattern of another kind; nobody could say what it is meant to cover.
    """
    pattern = path_pattern(rule.pattern or "")
    plain = pattern.replace(STAR, "")
    if not pattern.lower().startswith(DOMAIN) or "/" in plain or "@" in plain or not plain.isascii():
        raise UsageError(
            f"{rule}: a rule for web addresses names a domain in ASCII, as in {rule.tool}(domain:example.org)"
        )
    return pattern[len(DOMAIN) :].strip().lower().removesuffix(".")


def surely_covers(rule: Rule, part: Part) -> bool:
    """Whether a rule that names the tool covers a command. Words that steer it must be written in the rule."""
    if rule.pattern is None or rule.covers_all:
        return True
    from cellwright.permission.shell.steering import steering_places
    from cellwright.permission.shell.wrappers import program

    patterns = word_patterns(rule.pattern)
    own = part.command.words
    steering = steering_places(program(part.command), own)
    for words in part.spellings:
        before = len(words) - len(own)
        if covers_words(patterns, words, {*range(before), *(before + place for place in steering)}):
            return True
    return False


def may_cover(rule: Rule, part: Part) -> Likelihood:
    """Whether a rule that restricts covers a part of a command line."""
    if rule.pattern is None or rule.covers_all:
        return "surely"
    if part.kind == "unclear":
        return "maybe"
    patterns = word_patterns(rule.pattern)
    found = [words for words in _readings(part) if may_cover_words(patterns, words)]
    if any(all(word.is_literal for word in words) or covers_words(patterns, words) for words in found):
        return "surely"
    return "maybe" if found or any(may_cover_words(patterns, words) for words in _doubtful(part)) else "no"


def _readings(part: Part) -> Iterator[Sequence[Word]]:
    """The same command in every spelling that a rule may mean."""
    from cellwright.permission.shell.git_commands import BEFORE_SUBCOMMAND
    from cellwright.permission.shell.options import read_arguments
    from cellwright.permission.shell.word import Word
    from cellwright.permission.shell.wrappers import program

    yield from part.spellings
    words = part.command.words
    if not words:
        return
    name = program(part.command)
    yield (Word.literal(name), *words[1:])
    arguments = read_arguments(words[1:], BEFORE_SUBCOMMAND) if name == "git" else None
    if arguments is not None and arguments.start:
        yield (Word.literal(name), *words[1 + arguments.start :])


def _doubtful(part: Part) -> Iterator[Sequence[Word]]:
    """What the command may be beside that: options before a subcommand may take a value, a shell may be fed."""
    from cellwright.permission.shell.word import Word
    from cellwright.permission.shell.wrappers import is_fed, program

    words = part.command.words
    if is_fed(part.command):
        yield (Word.unknown(),)
    if not words[1:] or not words[1].text.startswith("-"):
        return
    was_option = True
    for at, word in enumerate(words[2:], 2):
        is_option = word.text.startswith("-")
        if not is_option:
            yield (Word.literal(program(part.command)), *words[at:])
            if not was_option:
                return
        was_option = is_option
