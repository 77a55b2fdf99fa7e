"""Attacks on rules: random patterns against random words, held against what the documentation says they mean.

A pattern is made up piece by piece, so what it means is known without reading it: each piece is a character or a
wildcard. That meaning is written down as a regular expression here; the text of the pattern, with its quotes and
backslashes, is all that the code under attack gets.
"""

import re
import shlex
from collections.abc import Sequence
from pathlib import Path
from random import Random

from cellwright import Policy, Tool
from cellwright.env import Env
from cellwright.errors import UsageError
from cellwright.permission.offers import exact_rules
from cellwright.permission.patterns import (
    covers_text,
    covers_words,
    escaped,
    may_cover_text,
    may_cover_words,
    path_pattern,
    word_patterns,
)
from cellwright.permission.rules import Rule
from cellwright.permission.shell.word import HOLE, Word

from .lines import quoted, soup
from .shell import SHELL, judged

ALPHABET = "ab*?[]'\"\\ -./=\t\n{}()$é"
ANY = None
"""The wildcard, among the pieces of a pattern."""
HERE = Path(__file__).parent
FILLINGS = ("", "a", "b", "ab", "*", "-", " ", "a/b", "é")
Pieces = Sequence[str | None]


def attack_words(rng: Random) -> bool:
    """Whether a pattern for commands covers some words; it does if and only if its meaning says so."""
    pattern = [_pieces(rng, rng.randint(0, 3)) for _ in range(rng.randint(1, 4))]
    written = " ".join(_written(rng, pieces, quotes=True) for pieces in pattern)
    words = _words_for(rng, pattern)
    literal = [Word.literal(word) for word in words]
    found = covers_words(word_patterns(written), literal)
    assert found == _covers(pattern, words), f"{written!r} and {words}: {found}"
    assert may_cover_words(word_patterns(written), literal) or not found, f"{written!r} and {words}"
    _of_unknown(rng, written, words)
    return found


def _of_unknown(rng: Random, written: str, words: Sequence[str]) -> None:
    """With parts unknown: what is surely covered is covered however they turn out, and what may not be never is."""
    patterns = word_patterns(written)
    holed = [_holed(rng, word) for word in words]
    surely, perhaps = covers_words(patterns, holed), may_cover_words(patterns, holed)
    for _ in range(4):
        filled = [Word.literal(text) for word in holed for text in _filled(rng, word)]
        covered = covers_words(patterns, filled)
        said = f"{written!r} and {[word.text for word in holed]} filled as {[word.text for word in filled]}"
        assert covered or not surely, said
        assert perhaps or not covered, said


def _holed(rng: Random, word: str) -> Word:
    if rng.random() < 0.6:
        return Word.literal(word)
    at = rng.randrange(len(word) + 1)
    return Word(word[:at] + HOLE + word[at + rng.randrange(2) :], "x", splits=rng.random() < 0.3)


def _filled(rng: Random, word: Word) -> list[str]:
    """What may become of a word, unknown parts and all."""
    text = word.text.replace(HOLE, rng.choice(FILLINGS))
    if not word.splits:
        return [text]
    return [text.replace(" ", ""), *rng.choices(FILLINGS, k=rng.randrange(2))] if rng.random() < 0.7 or text else []


def attack_texts(rng: Random) -> bool:
    """The same for paths."""
    pieces = _pieces(rng, rng.randint(1, 5), "ab*?[]\\é-")
    written = _written(rng, pieces, quotes=False)
    text = _fitting(rng, pieces) if rng.random() < 0.7 else "".join(rng.choices("ab*?é-/", k=rng.randrange(5)))
    if text.strip("./") != text or not text:
        return False  # such paths are written otherwise once they are resolved
    found = covers_text(path_pattern(written), text)
    assert found == bool(re.fullmatch(_meaning(pieces), text, re.S)), f"{written!r} and {text!r}: {found}"
    assert covers_text(path_pattern(escaped(text)), text), text
    holed = _holed(rng, text).text
    filled = holed.replace(HOLE, rng.choice(FILLINGS))
    covered = covers_text(path_pattern(written), filled)
    assert covered or not covers_text(path_pattern(written), holed), f"{written!r}, {holed!r}, {filled!r}"
    assert may_cover_text(path_pattern(written), holed) or not covered, f"{written!r}, {holed!r}, {filled!r}"
    return found


def attack_names(rng: Random) -> bool:
    """A rule for a name says nothing of any other name, unless it names that tool's server."""
    name = rng.choice(("run", "read_file", "mcp__docs", "mcp__docs__find", "mcp__a__b__c", "R2-d2"))
    other = _look_alike(rng, name)
    if re.fullmatch(r"[A-Za-z0-9_-]{1,64}", other) is None or other == name:
        return False
    server = re.fullmatch(r"mcp__(?:(?!__).)+", name) is not None
    belongs = server and other.startswith(f"{name}__")
    tool = Tool.from_schema(other, "A tool.", {"type": "object"}, lambda args, env: None)
    assert Rule.read(name).names(tool) == belongs, f"the rule {name} and the tool {other}"
    allowed = Policy(allow={name}).decide(tool, {}, Env(HERE)).decision == "allow"
    denied = Policy(deny={name}).decide(tool, {}, Env(HERE)).decision == "deny"
    assert (allowed, denied) == (belongs, belongs), f"the rule {name} and the tool {other}"
    return True


def _look_alike(rng: Random, name: str) -> str:
    at = rng.randrange(len(name) + 1)
    return rng.choice(
        (
            name[:at] + rng.choice("_-aAR2é *") + name[at:],
            name[:at] + name[at + 1 :],
            name.swapcase(),
            f"{name}_session",
            f"{name}__find",
            f"x{name}",
            name.replace("_", "-", 1),
            f"mcp__{name}",
        )
    )


def attack_grants(rng: Random, folder: Path) -> bool:
    """Whether an approval of a line can last; its rules cover that line, and none with a word changed or left out."""
    words = ["pwn", *("".join(rng.choices(ALPHABET, k=rng.randrange(1, 5))) for _ in range(rng.randrange(4)))]
    line = " ".join(["pwn", *(quoted(rng, word) for word in words[1:])])
    try:
        rules = exact_rules(SHELL, {"command": line}, Env(folder), Policy())
    except UsageError:
        return False
    texts = frozenset(map(str, rules))
    assert all(Rule.read(text) in rules for text in texts), f"{texts} are read otherwise than written"
    assert judged(line, Policy(allow=texts), folder) == "allow", f"{line!r} is not allowed by {texts}"
    for other in _changed(rng, words):
        changed = " ".join(shlex.quote(word) for word in other)
        assert judged(changed, Policy(allow=texts), folder) != "allow", f"{changed!r} is allowed by {texts}"
    return True


def _changed(rng: Random, words: list[str]) -> list[list[str]]:
    at = rng.randrange(len(words))
    changes = ([f"{words[at]}a"], [f"x{words[at]}"], [words[at], "a"], [words[at], ""], [words[at].replace("*", "b")])
    found = [[*words[:at], *change, *words[at + 1 :]] for change in changes]
    if at:
        found.append([*words[:at], *words[at + 1 :]])
    return [other for other in found if other != words]


def attack_lasting(rng: Random, folder: Path) -> bool:
    """Whether an approval of a line of no sense can last; if it can, the line then runs without a question."""
    line = soup(rng)
    try:
        rules = exact_rules(SHELL, {"command": line}, Env(folder), Policy())
    except UsageError:
        return False
    assert judged(line, Policy(allow=frozenset(map(str, rules))), folder) == "allow", f"{line!r} and {rules}"
    return True


def _pieces(rng: Random, length: int, alphabet: str = ALPHABET) -> list[str | None]:
    return [ANY if rng.random() < 0.3 else rng.choice(alphabet) for _ in range(length)]


def _written(rng: Random, pieces: Pieces, quotes: bool) -> str:
    """The text of a pattern with this meaning."""
    return "".join(_piece(rng, piece, quotes) for piece in pieces) or "''"


def _piece(rng: Random, piece: str | None, quotes: bool) -> str:
    if piece is ANY:
        return "*"
    ways = ["\\" + piece]
    if piece not in "\\*" and not (quotes and piece in "'\" \t\n"):
        ways.append(piece)
    if quotes and piece != "'":
        ways.append(f"'{piece}'")
    if quotes:
        ways.append('"' + ("\\" + piece if piece in '\\"' else piece) + '"')
    return rng.choice(ways)


def _meaning(pieces: Pieces, any_text: str = ".*") -> str:
    return "".join(any_text if piece is ANY else re.escape(piece) for piece in pieces)


def _covers(pattern: Sequence[Pieces], words: Sequence[str]) -> bool:
    """What the documentation says: a `*` alone stands for any words, in a word for any of its characters."""
    end = "\x1f"
    regex = "".join(
        f"(?:[^{end}]*{end})*" if list(pieces) == [ANY] else _meaning(pieces, f"[^{end}]*") + end for pieces in pattern
    )
    return re.fullmatch(regex, "".join(word + end for word in words), re.S) is not None


def _fitting(rng: Random, pieces: Pieces) -> str:
    return "".join(rng.choice(FILLINGS) if piece is ANY else piece for piece in pieces)


def _words_for(rng: Random, pattern: Sequence[Pieces]) -> list[str]:
    """Words that a pattern covers, most of the time."""
    words: list[str] = []
    for pieces in pattern:
        if list(pieces) == [ANY]:
            words += rng.choices(FILLINGS, k=rng.randrange(3))
        else:
            words.append(_fitting(rng, pieces))
    if rng.random() < 0.4 and words:
        words[rng.randrange(len(words))] += rng.choice(("", "a", "*", " "))
    if rng.random() < 0.1:
        words.append("a")
    return words
