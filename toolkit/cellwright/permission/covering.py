"""Whether a rule covers one target: a path, a domain, or a part of a command line.

An allow rule has to cover it surely, so it is held against the words as they are written. A deny or ask rule is held
against every way in which the same command may be spelled: `/bin/rm`, `git -C . push`, words that are not known.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
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
    if path is None:
        return False
    place = placed(path, cwd)
    places = (place, f"{place}/") if path == "." else (place,)
    return any(covers_text(pattern, place) for pattern in narrow_readings(rule.pattern, cwd) for place in places)


def may_cover_path(rule: Rule, path: str | None, cwd: str = "") -> bool:
    """The same for rules that restrict: one on a folder counts for all in it, and one on all in it for the folder."""
    return rule.pattern is None or rule.covers_all or path is None or may_cover_place(rule, placed(path, cwd), cwd)


def may_cover_place(rule: Rule, place: str, cwd: str) -> bool:
    """Whether a rule that restricts, and has a pattern, covers an absolute path."""
    within = f"{place}/"
    return any(covers_text(pattern, within) for pattern in _restricted(rule.pattern or "*", cwd))


def placed(path: str, cwd: str) -> str:
    """A path that is relative to the working folder, with that folder before it and `/` between its parts."""
    return (path if not cwd else cwd if path == "." else os.path.join(cwd, path)).replace(os.sep, "/")


ANY = STAR + STAR
"""A part of a path that stands for any folders, and for none."""
MAX_ANY = 4
"""How many of those each stand for none as well, alone and together; what comes after is not looked at."""


@lru_cache(maxsize=512)  # of a pure function, but for the person's home and for links, as a rule finds them at first
def wide_readings(pattern: str, cwd: str) -> tuple[str, ...]:
    """The absolute patterns that a rule which restricts may mean by a pattern for paths."""
    text = path_pattern(pattern)
    found = [_parts_of(given, cwd, widely=True) or [] for given in dict.fromkeys((text, os.path.expanduser(text)))]
    ways = dict.fromkeys(way for parts in found for way in _ways(parts, widely=True))
    return tuple(dict.fromkeys((*ways, *(_followed(way) for way in ways if os.path.isabs(way)))))


def _followed(pattern: str) -> str:
    """An absolute pattern with links followed, as far as no wildcard stands in it: the paths it meets hold none."""
    head, star, tail = pattern.partition(STAR)
    known, slash, rest = head.rpartition("/") if star else (head, "", "")
    try:
        real = os.path.realpath(known or "/").replace(os.sep, "/")
    except (OSError, ValueError):  # such as a NUL in it: no file has such a name
        return pattern
    return (real.rstrip("/") + slash + rest + star + tail) if star else real


@lru_cache(maxsize=512)  # of a pure function, but for the person's home, which stays where it is
def narrow_readings(pattern: str, cwd: str) -> tuple[str, ...]:
    """The absolute patterns that an allow rule surely means by one for paths: only a written `*` is a wildcard."""
    text = path_pattern(pattern)
    parts = _parts_of(os.path.expanduser(text) if text.startswith("~/") else text, cwd, widely=False)
    return () if parts is None else tuple(_ways(parts, widely=False))


@lru_cache(maxsize=512)  # of a pure function: a walk asks for the same few rules at every file
def _restricted(pattern: str, cwd: str) -> tuple[str, ...]:
    return tuple(text for way in wide_readings(pattern, cwd) for text in (way, f"{way.rstrip('/')}/{STAR}"))


def _parts_of(text: str, cwd: str, widely: bool) -> list[str] | None:
    """The parts of a pattern seen from the working folder, `.` and `..` resolved; the first is empty if it is absolute.

    A wildcard stands for any number of folders. So what `..` after it comes to can't be told: it may be anything there
    for a rule that restricts, and is None for one that allows.
    """
    whole = (text if os.path.isabs(text) or not cwd else f"{cwd}/{text}").replace(os.sep, "/")
    parts: list[str] = [""] if whole.startswith("/") else []
    root = len(parts)
    for given in whole.split("/"):
        part = ANY if len(given) > 1 and not given.strip(STAR) else given
        if part in ("", ".") or (part == ANY and parts[-1:] == [ANY]):
            continue
        if part != "..":
            parts.append(part)
        elif len(parts) > root and STAR in parts[-1]:
            if not widely:
                return None
            parts[max(root, len(parts) - (2 if parts[-1] == ANY else 1)) :] = [ANY]
        elif len(parts) > root and parts[-1] != "..":
            parts.pop()
        elif not root:
            parts.append(part)
    return parts


def _ways(parts: list[str], widely: bool) -> Iterator[str]:
    """The patterns that come of parts, where each one for any folders may also stand for none."""
    optional = [at for at, part in enumerate(parts[:-1]) if part == ANY]
    if len(optional) > MAX_ANY:
        parts, optional = (parts[: optional[MAX_ANY] + 1], optional[:MAX_ANY]) if widely else (parts, [])
    for kept in product((True, False), repeat=len(optional)):
        dropped = {at for at, keeps in zip(optional, kept, strict=True) if not keeps}
        yield "/".join(part for at, part in enumerate(parts) if at not in dropped) or ("/" if parts else ".")


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
    """What the command may be beside that: options before a subcommand may take a value, a shell may be fed, and a
    program may run what stands among its words."""
    from cellwright.permission.shell.handing_on import handed_on
    from cellwright.permission.shell.reading import named_files
    from cellwright.permission.shell.word import Word
    from cellwright.permission.shell.wrappers import is_fed, program

    words = part.command.words
    if is_fed(part.command):
        yield (Word.unknown(),)
    if part.kind == "command":
        yield from handed_on(part.command, named_files(part.command) is not None)
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
