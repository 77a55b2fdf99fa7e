"""Values made up by hypothesis, for tests that say what holds for all of them.

The same ones each time, in a short time and without a folder of its own: `make fuzz` is for the search. Where
hypothesis is not installed, these tests are skipped and say so.
"""

from importlib.util import find_spec
from random import Random

import pytest

EXAMPLES = 50


def for_any(examples=EXAMPLES, **kinds):
    """Decorator: the test gets values of these kinds, by name: `for_any(value="json", order="numbers")`."""
    if find_spec("hypothesis") is None:
        return pytest.mark.skip(reason="hypothesis is not here: run pip install -e '.[dev]'")
    from hypothesis import HealthCheck, given, settings

    conditions = settings(
        max_examples=examples,
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
    return lambda test: conditions(given(**{name: KINDS[kind]() for name, kind in kinds.items()})(test))


def json_values():
    """JSON values of all kinds, as Python has them."""
    from hypothesis import strategies as some

    floats = some.floats(allow_nan=False, allow_infinity=False)
    plain = some.none() | some.booleans() | some.integers() | floats | texts()
    return some.recursive(plain, lambda inner: some.lists(inner, max_size=4) | objects(inner), max_leaves=12)


def objects(values=None):
    """JSON objects."""
    from hypothesis import strategies as some

    return some.dictionaries(texts(), json_values() if values is None else values, max_size=5)


def texts():
    """Texts that can be written as UTF-8."""
    from hypothesis import strategies as some

    return some.text(some.characters(exclude_categories=["Cs"]), max_size=12)


def near_json():
    """Texts that are JSON, or were before a piece was cut out or put in."""
    import json

    from hypothesis import strategies as some

    def changed(drawn):
        value, at, length, piece = drawn
        text = json.dumps(value)
        at %= len(text) + 1
        return text[:at] + piece + text[at + length :]

    pieces = some.sampled_from(
        ["", "", '"', "{", "]", ",", ":", "NaN", "1e999", "\\u12", "\\ud800", "\ud800", "0", " "]
    )
    return some.tuples(objects(), some.integers(0, 200), some.integers(0, 3), pieces).map(changed)


LETTERS = (
    "a",
    "é",
    " ",
    "\n",
    "\r\n",
    "e\u0301",
    "👩\u200d👩\u200d👧",
    "👍\U0001f3fd",
    "❤\ufe0f",
    "1\ufe0f\u20e3",
    "𝕏",
    "한",
    "x" * 60,
)
"""What a reader takes for one letter each; the last is many, so that there are long lines."""


def letters():
    """Lists of letters, some of many characters, long enough to be cut."""
    from hypothesis import strategies as some

    pattern = some.lists(some.sampled_from(LETTERS), min_size=1, max_size=8)
    return some.tuples(pattern, some.integers(50, 400)).map(lambda drawn: drawn[0] * drawn[1])


def orders():
    """Random generators, to shuffle things with."""
    from hypothesis import strategies as some

    return some.integers(0, 10**6).map(Random)


def numbers():
    """Limits in characters."""
    from hypothesis import strategies as some

    return some.integers(200, 3000)


def lines():
    """Texts of a few short lines, many of them alike, with and without a last newline."""
    from hypothesis import strategies as some

    line = some.sampled_from(["", "a", "b", "- a", "+ b", " ", "a\r", "\u2028", "\\ No newline", "@@ -1 +1 @@"])
    return some.tuples(some.lists(line, max_size=30), some.booleans()).map(lambda t: "\n".join(t[0]) + "\n" * t[1])


def byte_strings():
    """Bytes of all kinds."""
    from hypothesis import strategies as some

    return some.binary(max_size=60)


KINDS = {
    "json": json_values,
    "object": objects,
    "text": texts,
    "near_json": near_json,
    "letters": letters,
    "order": orders,
    "limit": numbers,
    "lines": lines,
    "bytes": byte_strings,
}
