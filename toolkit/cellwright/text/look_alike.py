"""Letters that pass for other letters: `paypаl` with a Cyrillic `а`, a command in letters of full width.

An eye reads the word, a computer the letters. Before a person trusts a text, each such letter is named behind itself.
Two kinds of words are suspect: those that mix Latin letters with others that look like them, and those that hold none
but such, in a text without any other foreign letter. Words of another language are left alone. The rule that must
never break: a letter that is marked is still there, so what is shown is what would run.

Unicode's own table of confusable letters has ten thousand rows, mostly for letters that no terminal shows alike; the
package that brings it was last released in 2024. The alphabets below are those with look-alikes of Latin letters.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

ALPHABETS = frozenset(("CYRILLIC", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU", "GEORGIAN", "DESERET", "OLD", "WARANG"))
"""Alphabets of which no letter belongs in a Latin word, by the first word of their letters' names."""
GREEK = "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧινορυϲϳ"
"""Greek letters that look like Latin ones; others stand beside them in any formula."""
LIKE_LATIN = GREEK + "аеорсухіјѕһԁԛԝӏАВЕЗКМНОРСТХУІЈЅԌԚԜҮүօոսհցՍՏԱ"
"""Letters of which a whole word can be made that looks Latin."""

_WORD = re.compile(r"(?<!\w)\w*[^\x00-\x7f]\w*|[^\x00-\x7f]\w*")
"""A word with letters beyond ASCII. One without is passed over once, not from each of its letters on."""
_HOST = re.compile(r"://([^/\s'\"?#]*[^\x00-\x7f][^/\s'\"?#]*)")


def mark_look_alikes(text: str) -> str:
    """The text with each letter that passes for another one named behind it, such as `а⟨Cyrillic U+0430⟩`."""
    if text.isascii():
        return text
    is_all_alike = _is_all_alike(text)
    return _WORD.sub(lambda found: _marked(found[0], is_all_alike), text)


def changed_look_alikes(old: str, new: str) -> tuple[list[str], list[str]]:
    """The letters that pass for others in words which come with the new text, and in those which go with the old."""
    words = [set() if text.isascii() else set(_WORD.findall(text)) for text in (old, new)]
    return _passing(words[1] - words[0], new), _passing(words[0] - words[1], old)


def _passing(words: set[str], text: str) -> list[str]:
    is_all_alike = bool(words) and _is_all_alike(text)
    kinds = ((word, _is_mixed(word)) for word in words)
    return sorted({char for word, is_mixed in kinds for char in set(word) if _name(char, is_mixed, is_all_alike)})


def _is_all_alike(text: str) -> bool:
    """Whether no letter beyond ASCII is there but those that look Latin."""
    return all(char in LIKE_LATIN for char in set(text) if not char.isascii() and char.isalpha())


def _marked(word: str, is_all_alike: bool) -> str:
    is_mixed = _is_mixed(word)
    return "".join(char + _name(char, is_mixed, is_all_alike) for char in word)


def _is_mixed(word: str) -> bool:
    return any(char.isascii() and char.isalpha() for char in word)


@lru_cache(maxsize=1024)  # of a pure function: a text has few different letters
def _name(char: str, is_mixed: bool, is_all_alike: bool) -> str:
    if char.isascii() or not char.isalpha():
        return ""
    alphabet = unicodedata.name(char, "unnamed").split()[0]
    is_spelled_oddly = unicodedata.normalize("NFKC", char).isascii()
    foreign = alphabet in ALPHABETS or char in GREEK
    if is_spelled_oddly or (is_mixed and foreign) or (is_all_alike and char in LIKE_LATIN):
        return f"⟨{alphabet.title()} U+{ord(char):04X}⟩"
    return ""


def spelled_hosts(text: str) -> list[str]:
    """Hosts of web addresses in foreign letters, each with the name that is asked for: `пример.рф is xn--...`."""
    found = []
    for host in dict.fromkeys(_HOST.findall(text)):
        try:
            found.append(f"{host} is {host.encode('idna').decode()}")
        except UnicodeError:
            found.append(f"{host} is no host that can be asked for")
    return found
