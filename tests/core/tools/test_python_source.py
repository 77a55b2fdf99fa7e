"""What a Python text defines, held against Python's own parser."""

import ast

import pytest

from cellwright.errors import ToolError
from cellwright.tools.python_source import PythonSource

from ...architecture.source import ROOT

TEXT = '''\
#!/usr/bin/env python
# about the file
def head(): pass


# about a
# more
@dec(
    1)
def a(x,
      y=":"):
    """Doc
# no comment
"""
    return 1
    # trailing

    # trailing, too
# about B
class B:
    # ----- methods -----
    # about one
    def one(self): pass

    @property
    def x(self):
        def inner():
            return 2
        return inner

if True:
    async def z():
        pass
# %% cell
def last(): return 1
'''


def defined(text):
    return [(d.name, d.kind, d.first, d.line, d.last) for d in PythonSource.of(text).definitions]


def test_a_definition_has_its_decorators_and_its_own_comments_and_no_others():
    assert defined(TEXT) == [
        ("head", "function", 3, 3, 3),
        ("a", "function", 6, 10, 18),
        ("B", "class", 19, 20, 29),
        ("B.one", "function", 22, 23, 23),
        ("B.x", "function", 25, 26, 29),
        ("B.x.inner", "function", 27, 27, 28),
        ("z", "function", 32, 32, 33),
        ("last", "function", 35, 35, 35),
    ]


def by_parser(tree, prefix=""):
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield prefix + node.name, node.lineno, node.end_lineno
            yield from by_parser(node, f"{prefix}{node.name}.")
        else:
            yield from by_parser(node, prefix)


FILES = [*sorted((ROOT / "toolkit/cellwright/calls").glob("*.py")), ROOT / "tests/core/runs/test_run.py"]


def test_python_itself_finds_the_same_in_the_files_of_this_project():
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        found = sorted((d.name, d.line) for d in PythonSource.of(text).definitions)
        assert found == sorted((name, line) for name, line, _ in by_parser(ast.parse(text))), path
        ends = {(d.name, d.line): d.last for d in PythonSource.of(text).definitions}
        assert all(ends[name, line] >= end for name, line, end in by_parser(ast.parse(text)))


@pytest.mark.parametrize(
    ("text", "line"), [("def f(:\n    x = (\n", ""), ("if x:\n        a\n    b\n", "3"), ('x = """\nno end', "1")]
)
def test_what_can_not_be_taken_apart_is_an_error_that_names_the_line(text, line):
    with pytest.raises(ToolError) as caught:
        PythonSource.of(text)
    assert (caught.value.code, f"near line {line}" in caught.value.message) == ("not_python", True)


def test_expressions_that_are_wrong_and_bytes_that_are_no_text_are_no_matter():
    assert [name for name, *_ in defined("x = = 1 '\udcff'\nprint 'old'\ndef f():\n    return = + '\\d'\n")] == ["f"]


def test_lines_are_kept_with_their_ends_and_only_a_newline_ends_one():
    source = PythonSource.of("a = 1\r\n\x0cb = '\u2028'\n\n \nlast")
    assert source.lines == ("a = 1\r\n", "\x0cb = '\u2028'\n", "\n", " \n", "last")
    assert [source.is_blank(line) for line in range(7)] == [False, False, False, True, True, False, False]
