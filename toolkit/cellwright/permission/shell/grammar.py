"""A command line as a syntax tree, or a plain statement that it can't be understood.

The grammar is tree-sitter's for bash: instead of regular expressions or shlex, because only a grammar knows where a
quote, a substitution or a heredoc ends. But no grammar is bash itself, so what it is known to read differently is
refused, not guessed: a carriage return, a line continued inside a word, a heredoc whose end is in doubt.
The rule that must never break: a character that is in no token of the tree ends in `UnclearError`, and so does what
is too long or too deep.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

MAX_CHARS = 10_000
"""A longer line is nothing that a person could judge either."""
PATIENCE = 0.2
"""Thread seconds for the parser: the grammar is ambiguous and mends errors, hostile lines take quadratic time."""
MAX_BARS = 500
"""A pipeline that breaks off takes quadratic time to mend, and the parser can't be stopped while it does."""
MAX_NODES = 30_000
MAX_DEPTH = 400
"""A list of commands nests once for each; nothing here recurses."""


class UnclearError(Exception):
    """The command line, or a part of it, can't be understood; the text says why."""


class Source(Struct, frozen=True):
    """A syntax tree with the bytes it was made of."""

    data: bytes
    root: Node

    def text(self, node: Node) -> str:
        """What is written at a node."""
        return self.data[node.start_byte : node.end_byte].decode()


def parse(line: str) -> Source:
    """The syntax tree of a command line.

    Raises:
        UnclearError: if there is no tree, or bash might see another one.
    """
    if len(line) > MAX_CHARS:
        raise UnclearError(f"it has {len(line)} characters, more than {MAX_CHARS}")
    if line.count("|") > MAX_BARS:
        raise UnclearError(f"it has more than {MAX_BARS} bars")
    if re.search(r"[\x00-\x08\x0b-\x1f\x7f]", line):
        raise UnclearError("it contains a control character")
    try:
        data = line.encode()
    except UnicodeEncodeError:
        raise UnclearError("it contains half a character") from None
    source = Source(data, _tree(data).root_node)
    for node in _all_nodes(source.root):
        _check_node(node, source)
    return source


def _tree(data: bytes) -> Tree:
    # Imported here: only a run that has a shell tool pays for loading the grammar.
    import tree_sitter_bash
    from tree_sitter import Language, Parser

    end = time.thread_time() + PATIENCE

    def is_in_vain(offset: int, has_error: bool) -> bool:
        return has_error or time.thread_time() > end

    try:
        parser = Parser(Language(tree_sitter_bash.language()))
        return parser.parse(lambda offset, point: data[offset : offset + MAX_CHARS], progress_callback=is_in_vain)
    except ValueError:
        raise UnclearError("it is no complete shell syntax, or takes too long to parse") from None


def _all_nodes(root: Node) -> Iterator[Node]:
    stack, seen = [(root, 0)], 0
    while stack:
        node, depth = stack.pop()
        seen += 1
        if depth > MAX_DEPTH or seen > MAX_NODES:
            raise UnclearError("it is nested too deeply" if depth > MAX_DEPTH else "it has too many parts")
        yield node
        stack += [(child, depth + 1) for child in reversed(node.children)]


def _check_node(node: Node, source: Source) -> None:
    if node.is_error or node.is_missing:
        raise UnclearError(f"it is no complete shell syntax near {_near(node, source)}")
    match node.type:
        case "heredoc_redirect":
            _check_heredoc(node, source)
        case "raw_string" | "ansi_c_string" if _is_in_double_quotes(node):
            _check_loose([source.text(node)], "a pattern or text")
        case "heredoc_body" | "string" | "raw_string" | "ansi_c_string":
            pass
        case "translated_string" | "$" if source.text(node).startswith("$") and _is_translated(node, source):
            raise UnclearError('a $"..." text is looked up in a catalogue of translations')
        case "command_substitution" if re.match(r"`[^`]*\\", source.text(node)):
            raise UnclearError("backticks hold a backslash; $(...) can be read")
        case "``":
            raise UnclearError("it has backticks with nothing in them")
        case "comment" if "\n" in source.text(node) or _before(node, source) not in b" \t\n;&|()":
            raise UnclearError("a # is no comment in the middle of a word")
        case "compound_statement" if not _is_group(node, source):
            raise UnclearError("braces stand where they group no commands")
        case "word" if not WORD.fullmatch(source.text(node)):
            raise UnclearError(f"{source.text(node)[:20]!r} is more than one word")
        case "file_descriptor" if not source.text(node).isdecimal():
            raise UnclearError(f"{source.text(node)[:20]!r} is no number of a stream")
        case "regex" | "extglob_pattern" | "string_content":
            starts = "$" if node.type == "string_content" else "$<>"
            _check_loose([source.text(node)], "a pattern or text", starts)
        case _ if node.children:
            _check_gaps(node, source)
            _check_neighbours(node, source)


def _is_in_double_quotes(node: Node) -> bool:
    """Whether single quotes stand where they quote nothing: `"${x:-'$(a)'}"` runs `a`."""
    around = node.parent
    while around is not None and around.type not in ("command_substitution", "process_substitution"):
        if around.type in ("string", "heredoc_body"):
            return True
        around = around.parent
    return False


def _is_translated(node: Node, source: Source) -> bool:
    inside = node.parent is not None and node.parent.type == "string"
    return not inside and source.data[node.start_byte : node.start_byte + 2] == b'$"'


WORD = re.compile(r"(?:\\[^\n]|[^\\\s;|&()<>\"'`])*")
"""A word has no blank and no operator in it, unless after a backslash."""
APART = frozenset(
    {"command_name", "word", "number", "string", "raw_string", "ansi_c_string", "concatenation", "expansion"}
)
"""Kinds of words; together with `ENDING` those that are one word in bash if nothing stands between them."""
ENDING = APART | {"variable_assignment", "simple_expansion", "command_substitution", "arithmetic_expansion", "array"}


def _check_neighbours(node: Node, source: Source) -> None:
    """What touches is one word in bash, and a number that touches a word is no file descriptor."""
    if node.type == "concatenation":
        return
    for one, other in pairwise(node.children):
        touching = one.end_byte == other.start_byte and one.type in ENDING
        redirects = other.type == "file_redirect"
        number = redirects and other.children[0].type == "file_descriptor"
        if redirects and one.end_byte == other.start_byte and re.search(r"\{\w+(\[.*\])?\}$", source.text(one), re.S):
            raise UnclearError("a redirection sets a variable")
        if touching and (other.type in ENDING or number):
            raise UnclearError(f"it can't be told where a word ends near {_near(other, source)}")


def _before(node: Node, source: Source) -> bytes:
    return source.data[max(0, node.start_byte - 1) : node.start_byte]


def _is_group(node: Node, source: Source) -> bool:
    """Whether the braces are words of their own, as bash wants them: `{}` and `{ a }` are plain words."""
    written = source.text(node)
    return written.startswith("((") or re.fullmatch(r"\{[ \t\n].*[;&\n)}][ \t\n]*\}", written, re.S) is not None


def _near(node: Node, source: Source) -> str:
    return repr(source.data[max(0, node.start_byte - 10) : node.start_byte + 20].decode(errors="replace"))


def _gaps(node: Node, source: Source) -> Iterator[str]:
    """What is written between the children of a node."""
    start = node.start_byte
    for child in node.children:
        yield source.data[start : child.start_byte].decode()
        start = max(start, child.end_byte)
    yield source.data[start : node.end_byte].decode()


def _check_gaps(node: Node, source: Source) -> None:
    """Between tokens there are only blanks, and lines continued after a blank; in one word there is nothing."""
    for gap in _gaps(node, source):
        if node.type == "redirected_statement" and is_lost_dash(gap):
            continue
        if (gap and node.type == "concatenation") or not re.fullmatch(r"[ \t\n]*|(?:[ \t]+\\\n)+[ \t]*", gap):
            raise UnclearError(f"{gap[:20]!r} stands between words")


def is_lost_dash(gap: str) -> bool:
    """Whether it is the `-` of `python3 - <<'EOF'`, for which the grammar has no token."""
    return re.fullmatch(r"[ \t]+-[ \t]+", gap) is not None


def _check_loose(texts: Iterable[str], where: str, starts: str = "$") -> None:
    """Text that bash expands, but in which the grammar found nothing to expand."""
    for text in texts:
        if re.search(rf"`|[{starts}]\(|\$[{{\[]", text.replace("\\\\", "").replace("\\$", "").replace("\\`", "")):
            raise UnclearError(f"{where} holds something to expand that can't be read")


def _check_heredoc(node: Node, source: Source) -> None:
    """The heredoc ends where bash ends it, and only a plain or plainly quoted word names its end."""
    found = {child.type: child for child in node.children}
    if not {"heredoc_start", "heredoc_body", "heredoc_end"} <= found.keys() or len(node.children) != len(
        {child.id for child in node.children}
    ):
        raise UnclearError("a heredoc has no end")
    start = source.text(found["heredoc_start"])
    word = re.fullmatch(r"(['\"]?)(\w+)\1", start)
    if word is None:
        raise UnclearError(f"a heredoc ends at {start!r}, which is no plain word")
    if any(child.type in ("word", "string", "raw_string", "concatenation") for child in node.children):
        raise UnclearError("words follow a heredoc's start")
    body, end = found["heredoc_body"], found["heredoc_end"]
    tabs = b"\t" if "<<-" in found else b""
    lines = [line.lstrip(tabs) for line in source.data[body.start_byte : body.end_byte].split(b"\n")]
    before, after = source.data[: end.start_byte].rstrip(tabs), source.data[end.end_byte : end.end_byte + 1]
    if word[2].encode() in lines or source.text(end) != word[2] or before[-1:] != b"\n" or after not in (b"", b"\n"):
        raise UnclearError("the end of a heredoc is in doubt")
    if not word[1]:
        _check_loose(_gaps(found["heredoc_body"], source), "a heredoc")
