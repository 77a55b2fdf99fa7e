"""Attacks on the reader of arguments: whatever the text, it is read as the JSON standard says, or refused in words."""

import json
from random import Random

from cellwright.arguments import MAX_DEPTH, ArgumentsError, parse_json, read_arguments
from cellwright.schema import Schema

SCHEMA = Schema(
    {
        "type": "object",
        "properties": {
            "path": {"type": "string"},
            "edits": {"type": "array"},
            "part": {"type": "object"},
            "limit": {"type": "integer"},
            "glob": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "free": {},
        },
    }
)
NAMES = ("path", "edits", "part", "limit", "glob", "free", "other", "", "path ", "\ud800", "ключ", "a\\u0000b")
PIECES = (
    *("{", "}", "[", "]", ",", ":", '"', '"path"', '"a"', "null", "true", "false", "NaN", "Infinity", "-Infinity"),
    *("0", "-1", "1.5", "1e5", "1E400", "-0", "01", "1.", ".5", "9" * 5000, "\\", '\\"', "\\u", "\\ud800", "\\udc00"),
    *("\ud800", "\udc00", "\x00", "\x1f", "\ufeff", "\u2028", "é", "𝕏", " ", "\n", "\t", "//", "/* */", "'", "None"),
)


def attack(rng: Random) -> bool:
    """Whether a text was accepted; it is then what `json` reads, and a refusal has an order to give."""
    text = rng.choice((_sound, _cut, _pieces, _deep, _embedded))(rng)
    try:
        args, repairs = read_arguments(text, SCHEMA)
    except ArgumentsError as error:
        assert str(error).strip() and len(str(error)) < 2000, f"{text[:200]!r} is refused with {str(error)[:200]!r}"
        str(error).encode()
        return False
    wanted = standard(text) if text.strip() else {}
    given = {} if wanted is None else wanted if isinstance(wanted, dict) else standard(wanted)
    json.dumps([args, list(repairs)], ensure_ascii=False, allow_nan=False).encode()
    assert isinstance(given, dict), f"{text[:200]!r} is no object"
    assert _depth(args) <= MAX_DEPTH + 1
    if not repairs:
        assert same(args, given, loosely=True), f"{text[:200]!r} was read as {args!r}"
    return True


def attack_json(rng: Random) -> bool:
    """The same for JSON of any kind."""
    text = rng.choice((_value_text, _cut, _pieces, _deep))(rng)
    try:
        value = parse_json(text)
    except ArgumentsError:
        return False
    assert same(value, standard(text), loosely=True), f"{text[:200]!r} was read as {value!r}"
    return True


def standard(text: str) -> object:
    """What the standard library reads, if the text is JSON to the letter; an AssertionError if it is not."""

    def once(pairs: list[tuple[str, object]]) -> dict[str, object]:
        found = dict(pairs)
        assert len(found) == len(pairs), f"{text[:200]!r} has a key twice"
        return found

    def never(name: str) -> object:
        raise AssertionError(f"{text[:200]!r} holds {name}")

    return json.loads(text, object_pairs_hook=once, parse_constant=never)


def same(one: object, other: object, loosely: bool = False) -> bool:
    """Whether two JSON values are the same, types and signs included. `loosely` lets mended characters pass in keys."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict) and isinstance(other, dict):
        if loosely and any(not _encodes(key) for key in other):
            return len(one) == len(other)
        return list(one) == list(other) and all(same(one[key], other[key], loosely) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(same(a, b, loosely) for a, b in zip(one, other, strict=True))
    return repr(one) == repr(other)


def _encodes(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def value(rng: Random, depth: int = 0) -> object:
    """Any JSON value."""
    kind = rng.randrange(9 if depth < 4 else 6)
    match kind:
        case 0:
            return rng.choice((None, True, False))
        case 1:
            return rng.choice((0, -1, rng.randint(-(10**20), 10**20), 10**4000))
        case 2:
            return rng.choice((0.0, -0.0, 1e308, 5e-324, rng.random()))
        case 3 | 4 | 5:
            return rng.choice(("", "a", "\x00", '"\\', '{"a": 1}', "[1]", "é𝕏", "\ud800", "null", " " * 50))
        case 6 | 7:
            return {rng.choice(NAMES) + "x" * rng.randrange(3): value(rng, depth + 1) for _ in range(rng.randrange(5))}
    return [value(rng, depth + 1) for _ in range(rng.randrange(5))]


def _value_text(rng: Random) -> str:
    made = value(rng)
    return json.dumps(made, ensure_ascii=rng.random() < 0.5, indent=rng.choice((None, 1)))


def _sound(rng: Random) -> str:
    made = {rng.choice(NAMES): value(rng) for _ in range(rng.randrange(6))}
    return json.dumps(made, ensure_ascii=rng.random() < 0.5, indent=rng.choice((None, 1)))


def _cut(rng: Random) -> str:
    text = _sound(rng)
    at = rng.randrange(len(text) + 1)
    return rng.choice((text[:at], text[:at] + rng.choice(PIECES) + text[at:], text[at:], text + text, f"x{text}"))


def _pieces(rng: Random) -> str:
    return "".join(rng.choices(PIECES, k=rng.randrange(12)))


def _deep(rng: Random) -> str:
    levels = rng.choice((MAX_DEPTH - 1, MAX_DEPTH, MAX_DEPTH + 1, 1000, 100_000))
    opening, closing = rng.choice((("[", "]"), ('{"free":', "}")))
    middle = rng.choice(("", "1", "{}"))
    return '{"free": ' + opening * levels + middle + closing * rng.choice((levels, levels - 1)) + "}"


def _embedded(rng: Random) -> str:
    inner = _sound(rng)
    return json.dumps(rng.choice((inner, {"part": inner}, {"edits": f"[{inner}]"}, {"part": json.dumps(inner)})))


def _depth(made: object) -> int:
    deepest, todo = 0, [(made, 1)]
    while todo:
        found, depth = todo.pop()
        deepest = max(deepest, depth)
        inner = found.values() if isinstance(found, dict) else found if isinstance(found, list) else ()
        todo += [(each, depth + 1) for each in inner]
    return deepest


HEAVY = (
    lambda: '{"free": {"' + "k" * 1_000_000 + '": [' + "0," * 500_000 + "0]}}",
    lambda: '{"free": [' + '"\\ud800",' * 200_000 + '""]}',
    lambda: "[" * 5_000_000,
    lambda: '{"free": ' + "9" * 5_000_000 + "}",
    lambda: "{" + ",".join(f'"{n}":0' for n in range(300_000)) + ', "7": 1}',
    lambda: json.dumps({"edits": "[" + "[]," * 300_000 + "[]]"}),
    lambda: '{"free": "' + "\\" * 3_000_000,
    lambda: " " * 9_000_000 + "{",
    lambda: '{"free": "' + "a" * 9_000_000 + '"}}',
)
"""Long texts, each of a kind that a careless reader takes quadratic time for."""


def heavy(rng: Random) -> bool:
    """Whether a long text is accepted; that it is soon is for the clock of whoever runs this."""
    text = rng.choice(HEAVY)()
    try:
        read_arguments(text, SCHEMA)
    except ArgumentsError as error:
        assert len(str(error)) < 2000
        return False
    return True
