"""The program that parses source code, in a process of its own, and tells what it defines.

A grammar is C code that was made for well-meant text: with a hostile one it takes minutes, and while it works nothing
else in its process runs, no other thread and no timer. So it works here, where it can be ended. This file is run as a
script in an interpreter that need not import Cellwright; all it needs to know of a language comes with the request.

A request is a line of JSON (`grammar`, `query`, `heads`, `size`) and so many bytes of UTF-8; the answer is one line of
JSON (`definitions`, `broken`, or `no_grammar`). A text that is broken is taken apart where definitions begin, so that
one open bracket does not hide all that comes after it.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Query

MAX_DEFINITIONS = 20_000
"""Definitions that one answer holds."""
HEAD = 200
"""Characters of a head."""
MEMORY = 4_000_000_000
"""Bytes that this process may take."""
AROUND = ("decorated_definition", "export_statement")
"""Nodes that belong to the definition in them."""

Definition = tuple[str, str, str, int, int, int]
"""Kind, name, head; the first line of the whole, the line of the name, the last line: from 1."""


def main(requests: IO[bytes], answers: IO[bytes]) -> None:
    """Answers requests until there are no more."""
    while line := requests.readline():
        request = json.loads(line)
        data = requests.read(request["size"])
        answers.write(json.dumps(_answer(data, request)).encode() + b"\n")
        answers.flush()


def _answer(data: bytes, request: dict[str, Any]) -> dict[str, object]:
    try:
        _tools(request["grammar"], request["query"])
    except Exception as error:
        return {"no_grammar": f"{type(error).__name__}: {error}"}
    definitions, broken = read(data, request["grammar"], request["query"], request["heads"])
    return {"definitions": definitions[:MAX_DEFINITIONS], "broken": broken}


def read(data: bytes, grammar: str, query: str, heads: Mapping[str, str]) -> tuple[list[Definition], bool]:
    """What a text defines, in order, and whether it is broken somewhere."""
    whole, faulty = _parsed(data, 0, grammar, query)
    if not faulty:
        return sorted(whole, key=_place), False
    lines = data.split(b"\n")
    pieces: list[Definition] = []
    rest: set[int] = set()
    for first, last in _pieces(lines, heads):
        found, unread = _parsed(b"\n".join(lines[first:last]), first, grammar, query)
        pieces += found
        rest |= unread
    best = (pieces, rest) if len(pieces) > len(whole) else (whole, faulty)
    return sorted([*best[0], *_by_sight(lines, *best, heads)], key=_place), True


def _place(definition: Definition) -> tuple[int, int]:
    """Outer before inner."""
    return definition[3], -definition[5]


def _parsed(data: bytes, above: int, grammar: str, query: str) -> tuple[list[Definition], set[int]]:
    """What a text defines that stands below so many lines, and the numbers of the lines that are broken."""
    parser, asked = _tools(grammar, query)
    root = parser.parse(data).root_node
    from tree_sitter import QueryCursor

    found: dict[tuple[int, int], tuple[int, int, Definition]] = {}
    # Of the patterns that fit one name the first counts.
    for _, captures in sorted(QueryCursor(asked).matches(root), key=lambda match: match[0]):
        kind, node, name = _kinds(captures)
        place = (node.start_byte, node.end_byte) if "head" in captures else (name.start_byte, name.end_byte)
        definition = _definition(kind, node, captures, data, above)
        found.setdefault(place, (node.start_byte, -node.end_byte, definition))
    definitions = [definition for _, _, definition in sorted(found.values())]
    return definitions, set(_faulty_lines(root, above)) if root.has_error else set()


@cache
def _tools(grammar: str, query: str) -> tuple[Parser, Query]:
    from semble_grammars import get_language
    from tree_sitter import Parser, Query

    language = get_language(grammar)
    return Parser(language), Query(language, query)


def _kinds(captures: Mapping[str, list[Node]]) -> tuple[str, Node, Node]:
    """What kind of thing is defined, its node, and that of its name."""
    kind, nodes = next((key, found) for key, found in captures.items() if key not in ("name", "body", "head", "callee"))
    return kind, nodes[0], captures["name"][0]


def _definition(kind: str, node: Node, captures: Mapping[str, list[Node]], data: bytes, above: int) -> Definition:
    name = captures["name"][0]
    outer = node.parent if node.parent is not None and node.parent.type in AROUND else node
    if "body" in captures and captures["body"][0].start_byte > name.end_byte:
        end = captures["body"][0].start_byte
    elif "head" in captures:
        end = captures["head"][-1].end_byte
    else:
        end = min(node.end_byte, (data + b"\n").index(b"\n", name.end_byte))
    head = _short(data[node.start_byte : max(end, name.end_byte)])
    ends_before = outer.end_point[1] == 0 and outer.end_point[0] > outer.start_point[0]
    lines = outer.start_point[0], name.start_point[0], outer.end_point[0] - ends_before
    first, at, last = (above + line + 1 for line in lines)
    return kind, _bare(_text(name.text or b"")), head, first, at, last


def _bare(name: str) -> str:
    """A name without the marks that some languages put around it."""
    return re.sub(r"^([\"'`])(.*)\1$|^\[([^.]*)\]$", r"\2\3", name)


def _short(head: bytes) -> str:
    text = " ".join(_text(head[: 8 * HEAD]).split())
    text = re.sub(r"\s*(=>|[:{]|\\)$", "", text)
    return text if len(text) <= HEAD else text[:HEAD] + "…"


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _faulty_lines(root: Node, above: int) -> Iterator[int]:
    stack, seen = [root], 0
    while stack and seen < 100_000:
        node = stack.pop()
        seen += 1
        if node.is_error or node.is_missing:
            yield from range(above + node.start_point[0], above + node.end_point[0] + 1)
        elif node.has_error:
            stack += node.children


def _pieces(lines: list[bytes], heads: Mapping[str, str]) -> Iterator[tuple[int, int]]:
    """The text cut before each first line of a definition that is not indented."""
    first = 0
    for number, line in enumerate(lines):
        if number > first and line[:1] not in (b" ", b"\t", b"") and _seen(line, heads):
            yield first, number
            first = number
    yield first, len(lines)


def _by_sight(
    lines: list[bytes], found: list[Definition], faulty: set[int], heads: Mapping[str, str]
) -> Iterator[Definition]:
    known = {definition[4] for definition in found}
    for number in sorted(faulty):
        seen = _seen(lines[number], heads) if number < len(lines) and number + 1 not in known else None
        if seen:
            yield *seen, _short(lines[number]), number + 1, number + 1, number + 1


def _seen(line: bytes, heads: Mapping[str, str]) -> tuple[str, str] | None:
    """The kind and name of what a line begins to define, as far as can be told by sight."""
    text = _text(line[: 4 * HEAD])
    for kind, pattern in heads.items():
        if found := re.match(pattern, text):
            return kind, _bare(found[1])
    return None


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:  # Windows has none
        return
    most = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY if most == resource.RLIM_INFINITY else min(MEMORY, most), most))


def run() -> None:
    """The program."""
    _limit_memory()
    main(sys.stdin.buffer, sys.stdout.buffer)


if __name__ == "__main__":
    run()
