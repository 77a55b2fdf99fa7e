"""Secrets out of sight: what looks like one is replaced by a mark that names it, before anything is shown or kept.

What a tool reads or prints can hold keys, and what is in the model's text or in a log has left the house. Masked are
the values of environment variables whose names look secret, and well-known formats of keys. The mark is visible,
`⟨masked: GITHUB_TOKEN⟩`, so that nobody takes it for the text itself; files and the arguments that a tool gets keep
the secret. So a model can't copy a secret from what it read into what it writes; a call that would write a mark in
the secret's place is refused. It is a protection from accidents, not from a program that spells a secret in a way
of its own, and what the person says to the model is theirs to say.
Libraries were looked for: detect-secrets and its kind find secrets in the lines of a repository, for a report; none
replaces them in running text. Its table and that of gitleaks are the sources of the formats.

The rule that must never break: masking what is masked changes nothing, and ordinary text comes out as it went in.
"""

from __future__ import annotations

import math
import os
import re
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from cellwright.codec import MAX_DEPTH, fields_of, is_plain_record, to_json
from cellwright.messages import clean_text
from cellwright.text.secret_formats import FORMATS, PRIVATE_KEY, SHORTEST, Format, secret_values, spellings, without_key
from cellwright.views.view import View, as_json, from_json

OPENING = "⟨masked: "
LARGE = 1_000
"""Characters from which on a text is large."""
SHORT_ONES, LARGE_ONES = 1_000, 4
"""Texts without secrets that are remembered: most of a log says the same again, and a value is also view and event."""

LARGEST = 2**63
"""Whole numbers up to it are plain."""


class NotPlain(Exception):  # noqa: N818 (not an error: the longer way is taken)
    """Data is no plain JSON, or may hold a secret."""


class Keys(dict[str, str]):
    """Keys that are sound texts and no secrets, by themselves; nearly all data has keys that other data had before.

    Asked for another one it raises `NotPlain`. What is equal to a text may be of another type; what is found is a text.
    """

    def __init__(self, is_clean: Callable[[str], bool]) -> None:
        super().__init__()
        self._is_clean = is_clean

    def __missing__(self, key: object) -> str:
        if type(key) is not str or not self._is_clean(key) or clean_text(key) is not key:
            raise NotPlain
        if len(self) >= SHORT_ONES:
            self.clear()
        self[key] = key
        return key

    def holds(self, data: Mapping[str, Any]) -> bool:
        """Whether all keys of some data are such."""
        try:
            return self.keys() >= data.keys() or all(self[key] == key for key in data)
        except NotPlain:
            return False


class Masking:
    """Replaces the secrets that it was given, by name, and those of well-known formats."""

    def __init__(self, secrets: Mapping[str, str] | None = None) -> None:
        names = sorted(((clean_text(name), value) for name, value in (secrets or {}).items()), reverse=True)
        values = {spelling: name for name, value in names for spelling in spellings(value)}
        self._names = {f"v{number}": values[value] for number, value in enumerate(_longest_first(values))}
        self._marks = re.compile(_marks(frozenset(values.values())))
        self._parts = [(OPENING, f"{self._marks.pattern}(?P<mark>)"), *_values(values), *_FORMATS]
        self.known: set[str] = set()
        """Short texts that are sound and hold no secret, as far as they were seen lately."""
        self._keys = Keys(self._is_clean)
        self._large_ones: deque[str] = deque(maxlen=LARGE_ONES)

    @classmethod
    def of_environment(cls, more: Mapping[str, str] | None = None) -> Masking:
        """For the secrets that the environment holds now, and more by name."""
        return cls({**secret_values(os.environ), **(more or {})})

    def text(self, text: str, counts: Counter[str] | None = None) -> str:
        """The text with its secrets masked; the marks that it then holds are added to the counts, by label."""
        if self._is_clean(text):
            return text
        found: Counter[str] = Counter()
        masked = re.sub("|".join(self._patterns(text)), lambda match: self._masked(match, found), text)
        if counts is not None:
            counts.update(found)
        return masked

    def _is_clean(self, text: str) -> bool:
        known = self.known if len(text) < LARGE else self._large_ones
        if text in known:
            return True
        patterns = self._patterns(text) if len(text) >= SHORTEST else ()
        if patterns and re.search("|".join(patterns), text):
            return False
        if clean_text(text) is not text:
            return True  # it holds no secret, but what is known is told to be sound text as well
        if len(known) >= SHORT_ONES:
            known.clear()
        (self.known.add if known is self.known else self._large_ones.append)(text)
        return True

    def _patterns(self, text: str) -> list[str]:
        """Those that are worth looking for: their fixed letters are in the text."""
        return [pattern for start, pattern in self._parts if start in text]

    def json(self, value: Any, counts: Counter[str] | None = None) -> Any:  # noqa: ANN401 (JSON is what it is)
        """JSON data with the secrets in its texts masked, keys included; the same data if there are none."""
        if isinstance(value, str):
            return self.text(value, counts)
        return value if self._is_plain(value) else self._json(value, counts)

    def own(self, value: object) -> Any:  # noqa: ANN401 (JSON is what it is)
        """Any value as JSON data that nobody else holds, its texts masked. Nearly all is plain, and quickly copied.

        Raises:
            NotJsonError: for what has no JSON form.
        """
        try:
            return self._copied(value, 0)
        except NotPlain:
            return self.json(to_json(value))

    def _copied(self, value: Any, depth: int) -> Any:  # noqa: ANN401 (any value)
        """A copy of plain JSON without secrets. Texts and numbers are looked at here, as a call takes longer."""
        kind, known, copy = type(value), self.known, {}
        if depth == MAX_DEPTH:
            raise NotPlain
        if kind is dict:
            for key, inner in value.items():
                kind = type(inner)
                if kind is str:
                    plain = inner in known
                else:
                    plain = inner is None or kind is bool or (kind is float and math.isfinite(inner))
                copy[self._keys[key]] = inner if plain else self._copied(inner, depth + 1)
            return copy
        if kind is list or kind is tuple:
            return [self._copied(inner, depth + 1) for inner in value]
        if kind is str:
            plain = self._is_clean(value) and clean_text(value) is value
        elif kind is int:
            plain = -LARGEST < value < LARGEST
        elif kind is float:
            plain = math.isfinite(value)
        elif is_plain_record(kind):
            return self._copied(fields_of(value), depth)
        else:
            plain = kind is bool or value is None
        if not plain:
            raise NotPlain
        return value

    def _is_plain(self, value: Any) -> bool:  # noqa: ANN401 (JSON is what it is)
        """Whether nothing in JSON data has to be masked or counted."""
        parts, keys, known = [value], self._keys, self.known
        for part in parts:  # it grows while it is walked
            kind = type(part)
            if kind is str:
                if part not in known and not self._is_clean(part):
                    return False
            elif kind is dict:
                if not keys.holds(part):
                    return False
                parts += part.values()
            elif kind is list:
                parts += part
        return True

    def _json(self, value: Any, counts: Counter[str] | None) -> Any:  # noqa: ANN401 (JSON is what it is)
        match value:
            case str():
                return self.text(value, counts)
            case list():
                return [self._json(inner, counts) for inner in value]
            case dict():
                masked: dict[str, Any] = {}
                for key, inner in value.items():
                    masked[_free(self.text(key, counts), masked)] = self._json(inner, counts)
                return masked
        return value

    def view(self, view: View, counts: Counter[str] | None = None) -> View:
        """The view with the secrets in its texts masked; the same one if there are none."""
        data = as_json(view)
        if self._is_plain(data):
            return view
        masked = self._json(data, counts)
        return view if masked == data else from_json(masked)

    def mark_in(self, text: str) -> str:
        """The first of our marks in a text; empty if there is none."""
        found = self._marks.search(text)
        return found[0] if found else ""

    def _masked(self, found: re.Match[str], counts: Counter[str]) -> str:
        group = found.lastgroup or ""
        if group == "mark":
            counts[found[0][len(OPENING) : -1]] += 1
            return found[0]
        if group in self._names:
            counts[self._names[group]] += 1
            return mark(self._names[group])
        form = FORMATS[int(group[1:])]
        kept = "" if form.kept is None else found[0][: found.end(group) - found.start()]
        hidden = without_key(found[0][len(kept) :], mark) if form is PRIVATE_KEY else mark(form.label)
        if mark(form.label) in hidden:
            counts[form.label] += 1
        return kept + hidden


def mark(label: str) -> str:
    """What stands where a secret was."""
    return f"{OPENING}{label}⟩"


def unmasked(edited: Any, shown: Any, true: Any) -> Any:  # noqa: ANN401 (JSON is what it is)
    """Data that a person edited in its masked form: what was left as it was shown is again what it truly is."""
    if edited == shown:
        return true
    match edited, shown, true:
        case dict(), dict(), dict() if shown.keys() == true.keys():
            kept = {key: unmasked(edited[key], shown[key], true[key]) for key in edited.keys() & shown.keys()}
            return {key: kept.get(key, inner) for key, inner in edited.items()}
        case list(), list(), list():
            pairs = zip(edited, shown, true, strict=False)
            return [unmasked(*three) for three in pairs] + edited[len(shown) :]
    return edited


def _longest_first(values: Mapping[str, str]) -> list[str]:
    return sorted(values, key=len, reverse=True)


@lru_cache(maxsize=16)
def _marks(names: frozenset[str]) -> str:
    labels = names | {form.label for form in FORMATS}
    return f"{OPENING}(?:{'|'.join(re.escape(label) for label in sorted(labels))})⟩"


def _values(values: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The secrets that are known by their value, each with its pattern; the group tells which one it is."""
    for number, value in enumerate(_longest_first(values)):
        yield value, f"{re.escape(value)}(?P<v{number}>)"


def _pattern(number: int, form: Format) -> str:
    """The group stands before the secret, or at the end of it all."""
    group = f"(?P<f{number}>)"
    secret = form.secret + group if form.kept is None else group + form.secret
    return re.escape(form.start) + form.middle + secret


_FORMATS = tuple((form.start, _pattern(number, form)) for number, form in enumerate(FORMATS))
"""The fixed letters of each format and its pattern."""


def _free(key: str, taken: Mapping[str, Any]) -> str:
    """Two keys that are both secrets stay two."""
    number, name = 2, key
    while name in taken:
        name, number = f"{key} ({number})", number + 1
    return name
