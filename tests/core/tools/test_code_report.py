"""The answer is short, and says what is not in it."""

from cellwright.outline.language import PYTHON
from cellwright.outline.parsing import Outline, Source
from cellwright.outline.symbol import Symbol
from cellwright.tools.code_files import CodeFiles
from cellwright.tools.code_report import CodeReport, FileSymbols, Found


def file(path, *names, cell="", broken=False, problem="", wanted=True):
    symbols = [Symbol("function", name, "", f"def {name}()", n, n, n + 1) for n, name in enumerate(names, 1)]
    outline = Outline(Source(cell or path, PYTHON, ""), tuple(symbols), broken, problem)
    return FileSymbols(path, tuple(Found(symbol, cell, wanted) for symbol in symbols), (outline,))


def report(*files, symbol="", kind="", limit=10, total=None, notes=()):
    made = CodeReport(".", symbol, kind, limit, CodeFiles((), len(files) if total is None else total, tuple(notes)))
    for one in files:
        made.add(one)
    return made


def test_a_file_and_a_cell_are_named_once():
    made = report(file("a.py", "f", "g"), file("n.ipynb", "h", cell="c1"))
    assert made.content().split("\n") == [
        "a.py:", "  1-2 function def f()", "  2-3 function def g()", "n.ipynb:", " cell c1", "  1-2 function def h()",
    ]  # fmt: skip


def test_a_kind_is_left_out_where_the_signature_says_it():
    symbol = Symbol("class", "A", "", "class A(B)", 1, 1, 1)
    made = report(FileSymbols("a.py", (Found(symbol, "", True),), ()))
    assert made.content() == "a.py:\n  1 class A(B)"


def test_nesting_is_an_indent_in_an_outline_and_a_word_otherwise():
    inner = Symbol("method", "run", "A", "def run(self)", 2, 2, 3)
    one = FileSymbols("a.py", (Found(inner, "", True),), ())
    assert report(one).content() == "a.py:\n  2-3   method def run(self)"
    assert report(one, symbol="run").content() == "a.py:\n  2-3 method def run(self) (in A)"


def test_what_is_over_the_limit_or_not_reached_is_counted():
    made = report(file("a.py", "f", "g"), limit=1, total=5)
    made.unread_files = 4
    assert made.is_full
    assert made.content().split("\n")[2:] == [
        "1 more definitions; narrow path or kind, or raise limit",
        "files not read: 4, the list is full; narrow path or raise limit",
    ]
    assert (made.value()["total"], len(made.value()["symbols"]), made.value()["files_searched"]) == (2, 1, 1)


def test_nothing_found_says_what_was_searched_and_what_is_near():
    assert report().content() == "no source code in ."
    made = report(file("a.py", "runner", wanted=False), symbol="runer", total=3)
    assert made.content() == "no definition of 'runer': 3 source files searched in .; there are: runner"


def test_broken_and_unread_texts_are_named_within_bounds():
    files = [file(f"{n}.py", "f", broken=True) for n in range(7)] + [file("h.py", problem="it took too long")]
    told = report(*files, notes=["x"]).content()
    assert "note: broken code, so there may be more definitions: 0.py, 1.py, 2.py, 3.py, 4.py and 2 more" in told
    assert told.endswith("note: x\nnote: not read: h.py (it took too long)")


def test_the_person_gets_a_table_with_all_places():
    view = report(file("n.ipynb", "h", cell="c1")).view()
    assert view.rows == (("n.ipynb c1", "1-2", "function", "def h()"),)
