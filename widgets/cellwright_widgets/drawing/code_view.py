"""Draws source code, with the few colours that help reading. Pygments names the tokens; classes do the rest.

Some of its lexers take time in proportion to the square of a text that is made for it, be it `a.a.a.` in JavaScript.
The rule that must never break: code whose colours take too long is drawn plain.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from pygments.lexer import Lexer  # type: ignore[import-untyped]  # its stubs are another package
from pygments.lexers import get_lexer_by_name  # type: ignore[import-untyped]  # its stubs are another package
from pygments.token import Token, _TokenType  # type: ignore[import-untyped]  # its stubs are another package
from pygments.util import ClassNotFound  # type: ignore[import-untyped]  # its stubs are another package

from cellwright.views.view import Code
from cellwright_widgets.drawing.brush import Brush
from cellwright_widgets.drawing.fold import bounded, folded_rows
from cellwright_widgets.drawing.node import Node, element
from cellwright_widgets.drawing.text_view import text_rows

MAX_COLOURED = 30_000
"""Longer code is drawn plain, so that drawing stays quick."""
MAX_SECONDS = 0.5
"""Seconds of computing that colours may take; those of the longest code take a tenth of one."""
CLASSES = {
    Token.Comment: "cw-k-comment",
    Token.Literal.String: "cw-k-string",
    Token.Literal.Number: "cw-k-number",
    Token.Keyword: "cw-k-keyword",
    Token.Name.Function: "cw-k-name",
    Token.Name.Class: "cw-k-name",
    Token.Name.Tag: "cw-k-name",
    Token.Name.Builtin: "cw-k-builtin",
    Token.Operator.Word: "cw-k-keyword",
}


def draw_code(view: Code, brush: Brush) -> Node:
    """The code in a block."""
    return element("div", "cw-code", *code_rows(view.code, view.language, brush))


def code_rows(code: str, language: str, brush: Brush) -> list[Node]:
    """Code as blocks of rows, coloured if its language is known and it is not too long."""
    lexer = _lexer(language)
    long_line = any(len(line) > brush.line for line in code.split("\n"))
    if lexer is None or long_line or len(code) > MAX_COLOURED:
        return text_rows(code, brush, "cw-pre")
    shown, rest = bounded(brush.mark(code), brush)
    try:
        return [*folded_rows(list(_rows(shown, lexer)), brush, "cw-pre"), *rest]
    except TimeoutError:
        return text_rows(code, brush, "cw-pre")


def _lexer(language: str) -> Lexer | None:
    if not language:
        return None
    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except (ClassNotFound, ValueError):
        return None


def _rows(code: str, lexer: Lexer) -> Iterator[Node]:
    """The rows of the code.

    Raises:
        TimeoutError: if it takes too long.
    """
    row: list[Node] = []
    end = time.thread_time() + MAX_SECONDS
    for token, text in lexer.get_tokens(code):
        if time.thread_time() > end:
            raise TimeoutError
        cls = _class(token)
        for index, part in enumerate(text.split("\n")):
            if index:
                yield element("span", "", *row, "\n")
                row = []
            if part:
                row.append(element("span", cls, part) if cls else part)
    if row:
        yield element("span", "", *row, "\n")


def _class(token: _TokenType) -> str:
    while token is not Token:
        if token in CLASSES:
            return CLASSES[token]
        token = token.parent
    return ""
