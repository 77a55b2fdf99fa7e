"""What is left of a Python text stands as far apart as before, and is what Python's parser says it must be."""

import ast

import pytest

from cellwright.tools.cut_out import without
from cellwright.tools.python_source import PythonSource

from ...architecture.source import ROOT


def left(text, *names):
    source = PythonSource.of(text)
    return "".join(without(source, [found for found in source.definitions if found.name in names]))


@pytest.mark.parametrize(
    ("text", "name", "after"),
    [
        ("import os\n\n\ndef f():\n    pass\n\n\nx = 1\n", "f", "import os\n\n\nx = 1\n"),
        ("import os\n\n\ndef f():\n    pass\n", "f", "import os\n"),
        ("def f():\n    pass\n\n\nx = 1\n", "f", "x = 1\n"),
        ("class A:\n    def f(self): ...\n\n    def g(self): ...\n", "A.f", "class A:\n    def g(self): ...\n"),
        ("class A:\n\n    def f(self): ...\n\n    def g(self): ...\n", "A.f", "class A:\n\n    def g(self): ...\n"),
        ("class A:\n    x = 1\n\n    def f(self): ...\n\n\ny = 2\n", "A.f", "class A:\n    x = 1\n\n\ny = 2\n"),
        ("class A:\r\n    def f(self): ...\r\n\r\nx = 1\r\n", "A.f", "class A:\r\n    pass\r\n\r\nx = 1\r\n"),
        ("class A:\n\tdef f(self): ...", "A.f", "class A:\n\tpass"),
        ('class A:\n    """Doc."""\n\n    def f(self): ...\n', "A.f", 'class A:\n    """Doc."""\n'),
        ("if x:\n    def f(): ...\nelse:\n    y = 1\n", "f", "if x:\n    pass\nelse:\n    y = 1\n"),
        ("x = 1\ndef f(): ...\ny = 2\n", "f", "x = 1\ny = 2\n"),
        ("x = 1\n\n# about f\n@d\ndef f(): ...\n# about y\ny = 2\n", "f", "x = 1\n\n# about y\ny = 2\n"),
    ],
)
def test_the_lines_of_a_definition_go_with_what_would_be_left_over(text, name, after):
    assert left(text, name) == after


def test_several_of_one_name_go_together():
    text = "import os\n\n\n@o\ndef f(x): ...\n\n\n@o\ndef f(y): ...\n\n\ndef g(): ...\n"
    assert left(text, "f") == "import os\n\n\ndef g(): ...\n"
    text = "class A:\n    @property\n    def x(self): ...\n\n    # set\n    @x.setter\n    def x(self, v): ...\n"
    assert left(text, "A.x") == "class A:\n    pass\n"


def test_what_is_left_of_real_files_is_what_python_parses_without_the_definition():
    for path in [ROOT / "toolkit/cellwright/tool.py", ROOT / "tests/core/scene.py"]:
        text = path.read_text(encoding="utf-8")
        source = PythonSource.of(text)
        for found in [one for one in source.definitions if "." not in one.name or one.indent == 4]:
            tree = ast.parse(text)
            remove(tree, found.line)
            assert ast.dump(ast.parse("".join(without(source, [found])))) == ast.dump(tree), (path, found)


def remove(tree, line):
    for node in ast.walk(tree):
        body = getattr(node, "body", [])
        for child in body if isinstance(body, list) else []:
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and child.lineno == line:
                body[body.index(child)] = ast.Pass()
                if len(body) > 1:
                    body[:] = [one for one in body if not (isinstance(one, ast.Pass) and not hasattr(one, "lineno"))]
                return
