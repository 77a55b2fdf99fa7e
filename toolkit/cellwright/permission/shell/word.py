"""A word as the program gets it: quotes gone, escapes resolved, and a hole wherever its text is not known.

`'a b'`, `a\\ b` and `$'a\\x20b'` are the same word. `"$HOME/x"` is a hole and `/x`; `*.py` is a hole and `.py`.
The rule that must never break: text that bash would expand is a hole, never taken for what is written.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from cellwright.permission.shell.grammar import Source, UnclearError

if TYPE_CHECKING:
    from tree_sitter import Node

HOLE = "\ue000"
"""Stands in a word for text that is known only when the line runs. From the private use area: no program has it."""


class Word(Struct, frozen=True):
    """One word of a simple command."""

    text: str
    """With a `HOLE` for each stretch that is not known."""
    source: str
    """As it is written."""
    splits: bool = False
    """Whether it may become several words, or none: an expansion without quotes."""

    @property
    def is_literal(self) -> bool:
        """Whether the whole text is known."""
        return HOLE not in self.text and not self.splits

    @classmethod
    def literal(cls, text: str) -> Word:
        """A word with exactly this text."""
        return cls(text, text)

    @classmethod
    def unknown(cls, source: str = "…") -> Word:
        """Any word at all, or several."""
        return cls(HOLE, source, splits=True)


SET = "\ue003"
"""Stands where a set of characters begins."""


def read_word(node: Node, source: Source) -> Word:
    """The word at a node of the syntax tree."""
    written = source.text(node)
    if HOLE in written:
        raise UnclearError("it contains a character for private use")
    pieces = _flat(node)
    braces = any("{" in source.text(piece) for piece in pieces if piece.type == "word" or not piece.is_named)
    inside = written[written.find("{") : written.rfind("}")]
    if braces and "}" in written and ("," in inside or ".." in inside):
        return Word.unknown(written)
    text, splits = "", False
    for piece in pieces:
        value = _piece(piece, source, has_sets="]" in written)
        if SET in value:  # `[ab]` is one of its characters, or none of them, and the rest may belong to it
            return Word(text + value.partition(SET)[0] + HOLE, written, splits)
        text += value
        splits |= HOLE in value and piece.type not in ("word", "string", "number", "process_substitution")
    return Word(text, written, splits)


def _flat(node: Node) -> list[Node]:
    if node.type in ("concatenation", "command_name"):
        return [piece for child in node.children for piece in _flat(child)]
    return [node]


def _piece(node: Node, source: Source, has_sets: bool) -> str:
    written = source.text(node)
    match node.type:
        case "word" | "number" | "variable_name" | "special_variable_name" | "file_descriptor" | "test_operator":
            return _unquoted(written, has_sets)
        case "raw_string":
            return written[1:-1]
        case "ansi_c_string":
            return _ansi_c(written[2:-1])
        case "string":
            return _quoted(node, source)
        case "process_substitution":
            return "/dev/fd/" + HOLE
        case _ if not node.is_named and not node.children:
            return _unquoted(written, has_sets)
    return HOLE


def _unquoted(written: str, has_sets: bool) -> str:
    """Backslashes resolved; wildcards are holes."""
    text, at = "", 0
    while at < len(written):
        char = written[at]
        if char == "\\":
            if written[at + 1 : at + 2] in ("", "\n"):
                raise UnclearError("a line is continued inside a word")
            text += written[at + 1]
            at += 2
            continue
        if char == "`" or (char == "$" and written[at + 1 : at + 2] in ("(", "{", "[")):
            raise UnclearError(f"an expansion in {written[:30]!r} can't be read")
        if char == "[" and has_sets:
            return text + SET
        text += HOLE if char in "*?" or (char == "$" and at + 1 < len(written)) else char
        at += 1
    return text


def _quoted(node: Node, source: Source) -> str:
    """The text in double quotes, a hole for each expansion."""
    text, start = "", node.start_byte + 1
    for child in node.children[1:-1]:
        if child.type == "string_content" or not child.is_named:
            continue
        text += _in_quotes(source.data[start : child.start_byte].decode()) + _said(child, source)
        start = child.end_byte
    return text + _in_quotes(source.data[start : node.end_byte - 1].decode())


def _in_quotes(written: str) -> str:
    bare = re.sub(r"\\.", "", written, flags=re.S)
    if re.search(r"`|\$[\w({\[@*#?$!-]", bare):
        raise UnclearError(f"an expansion in {written[:30]!r} can't be read")
    return re.sub(r'\\([$`"\\\n])', lambda found: found[1].strip("\n"), written)


WRITTEN_OUT = re.compile(r"\$\([ \t]*cat[ \t]*<<[ \t]*(['\"])(\w+)\1[ \t]*\n(.*)(?<=\n)\2\n[ \t]*\)", re.S)
"""`"$(cat <<'EOF' ... EOF)"`, which is how many write a text of several lines."""


def _said(node: Node, source: Source) -> str:
    """What an expansion comes to: a hole, unless it is written out in a quoted heredoc."""
    found = WRITTEN_OUT.fullmatch(source.text(node)) if node.type == "command_substitution" else None
    if found is None or found[2] in found[3].split("\n"):
        return HOLE
    return found[3].rstrip("\n")


ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "v": "\v"}
ANSI_C = re.compile(r"\\(?:x([0-9A-Fa-f]{1,2})|([0-7]{1,3})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|(.))", re.S)


def _ansi_c(written: str) -> str:
    r"""The text of `$'...'`: `\n`, `\x41`, `\101`, `\u0041` and the like."""

    def resolved(found: re.Match[str]) -> str:
        code, octal, short, long, char = found.groups()
        if char is not None:
            if char == "c":
                raise UnclearError("a control character is written in a word")
            return ESCAPES.get(char, char if char in "\\'\"?" else "\\" + char)
        number = int(octal, 8) & 0xFF if octal else int(code or short or long, 16)
        if number == 0 or number > 0x10FFFF or 0xD800 <= number < 0xE000 or (number > 0x7F and not (short or long)):
            raise UnclearError("a word holds a character that is no text")
        return chr(number)

    return ANSI_C.sub(resolved, written)
