"""The reading program: places are exact, and what is broken hides little."""

import io
import json

import pytest

from cellwright.outline.language import JAVASCRIPT, JULIA, PYTHON, SQL
from cellwright.outline.reader import main, read


def definitions(text, language=PYTHON):
    return read(text.encode(), language.grammar, language.query, language.heads)


def test_a_definition_begins_at_its_decorators_and_ends_at_its_last_line():
    found, _ = definitions("\n@a\n@b\ndef f(x,\n      y):\n    return 1\n\n\nz = 1\n")
    assert found == [("function", "f", "def f(x, y)", 2, 4, 6), ("variable", "z", "z = 1", 9, 9, 9)]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_lines_are_counted_alike_whatever_ends_them(end):
    assert definitions(f"# é 𝒳{end}{end}def f():{end}    pass{end}")[0] == [("function", "f", "def f()", 3, 3, 4)]


def test_a_long_head_is_cut():
    (found,), _ = definitions(f"def f({', '.join(f'argument{n}' for n in range(200))}): ...\n")
    assert len(found[2]) == 201


@pytest.mark.parametrize(
    ("language", "text", "names"),
    [
        (PYTHON, "x = (1,\ndef a(): pass\nclass B:\n  def c(s): pass\ndef d(a, b\n  return\ndef e(): 1\n", "aBcde"),
        (PYTHON, 'def a(): pass\ns = """open\ndef b(): pass\n', "abs"),
        (JAVASCRIPT, "function a() { if (x) {\nfunction b() {}\nclass C { m() {\n}\n", "abCm"),
        (JULIA, "function a(\nfunction b()\nend\nstruct C\n", "abC"),
        (SQL, "CREATE PROC a @x int AS SELECT 1\nGO\nCREATE TABLE b (c int);\nCREATE VIEW d AS SELEC\n", "abd"),
    ],
)  # fmt: skip
def test_what_is_broken_does_not_hide_the_rest(language, text, names):
    found, broken = definitions(text, language)
    assert (sorted(one[1] for one in found), broken) == (sorted(names), True)


def test_a_text_without_definitions_or_without_anything_gives_none():
    assert [definitions(text) for text in ("", "\n\n", "print(1)\n", "\ufeff")] == [([], False)] * 4


def test_requests_are_answered_one_by_one():
    data = b"def f(): ..."
    request = {"grammar": "python", "query": PYTHON.query, "heads": {}, "size": len(data)}
    requests = io.BytesIO((json.dumps(request).encode() + b"\n" + data) * 2)
    answers = io.BytesIO()
    main(requests, answers)
    wanted = {"definitions": [["function", "f", "def f()", 1, 1, 1]], "broken": False}
    assert [json.loads(line) for line in answers.getvalue().splitlines()] == [wanted] * 2


def test_a_grammar_that_is_not_there_is_said_to_be_missing():
    answers = io.BytesIO()
    main(io.BytesIO(b'{"grammar": "klingon", "query": "", "heads": {}, "size": 0}\n'), answers)
    assert "klingon" in json.loads(answers.getvalue())["no_grammar"]
