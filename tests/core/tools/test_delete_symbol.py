"""`delete_symbol`: a definition goes by its name, every other byte stays."""

import pytest

from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.tools.delete_symbol import delete_symbol
from cellwright.tools.read_file import read_file
from cellwright.views.file_diff import Diff

from ..scene import BYPASS, calling, play

TEXT = """\
import os


def run(x):
    return x


class Shelf:
    SIZE = 3

    @property
    def books(self): ...

    @books.setter
    def books(self, new): ...

    def add(self): ...


print(run(1))
"""


def delete(folder, symbol, path="a.py", **more):
    args = {"path": path, "symbol": symbol, **more}
    assert delete_symbol.input_schema.problems(args) == ()
    return delete_symbol.execute(args, Env(cwd=folder.resolve()))


def refusal(folder, symbol, **more):
    with pytest.raises(ToolError) as caught:
        delete(folder, symbol, **more)
    return caught.value


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "a.py").write_bytes(TEXT.encode())
    return tmp_path


def test_a_function_goes_and_the_answer_says_where_its_name_still_stands(folder):
    output = delete(folder, "run")
    assert (folder / "a.py").read_text() == TEXT.replace("def run(x):\n    return x\n\n\n", "")
    assert output.content == "a.py: deleted function run, lines 4 to 5; its name still stands at lines 16"
    assert output.value["deleted"] == [{"kind": "function", "first_line": 4, "last_line": 5}]
    assert isinstance(output.view, Diff) and output.view.removed == 4


def test_a_method_and_a_class_go_by_their_dotted_names(folder):
    assert delete(folder, "Shelf.add").content == "a.py: deleted function Shelf.add, line 17"
    assert (folder / "a.py").read_text() == TEXT.replace("\n    def add(self): ...\n", "")
    delete(folder, "Shelf()")
    assert (folder / "a.py").read_text() == "import os\n\n\ndef run(x):\n    return x\n\n\nprint(run(1))\n"


def test_of_several_with_one_name_none_goes_unless_it_is_said_which(folder):
    error = refusal(folder, "Shelf.books")
    assert (error.code, "defines Shelf.books 2 times, at lines 12, 15; give the line" in error.message) == (
        "not_unique", True,
    )  # fmt: skip
    assert "at line 3, but at lines 12, 15" in refusal(folder, "Shelf.books", line=3).message
    delete(folder, "Shelf.books", line=14)
    assert "@books.setter" not in (folder / "a.py").read_text()
    (folder / "a.py").write_text(TEXT)
    delete(folder, "Shelf.books", all=True)
    assert "books" not in (folder / "a.py").read_text()


@pytest.mark.parametrize(
    ("symbol", "says"),
    [
        ("add", "defines no function, class or method add; near it: Shelf.add"),
        ("Shelf.boks", "near it: Shelf.books"),
        ("SIZE", "SIZE is a variable there, so use edit_file or delete_range"),
        ("zzz", "method zzz; nothing was written"),
        ("", "nothing was written"),
    ],
)
def test_a_name_that_is_not_defined_gets_what_is_near(folder, symbol, says):
    error = refusal(folder, symbol)
    assert (error.code, says in error.message) == ("not_found", True), error.message
    assert (folder / "a.py").read_text() == TEXT


def test_a_name_is_sought_in_a_file_of_nothing_but_blanks(tmp_path):
    (tmp_path / "a.py").write_text("\n" * 300_000 + " " * 300_000 + "\nSIZE: int = 1\n")
    assert "SIZE is a variable there" in refusal(tmp_path, "SIZE").message
    assert refusal(tmp_path, "").code == "not_found"


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("a.js", "function run() {}\n", "not_python"),
        ("a.py", "def run(:\n  (\n", "not_python"),
        ("a.py", "x = 1\n\\\ndef run(): pass\n", "not_separable"),
        ("a.ipynb", "{}", "is_notebook"),
    ],
)
def test_what_can_not_be_cut_is_left_alone(tmp_path, name, text, code):
    (tmp_path / name).write_text(text)
    error = refusal(tmp_path, "run", path=name)
    assert (error.code, (tmp_path / name).read_text()) == (code, text), error.message


def test_encoding_mark_and_line_ends_of_the_rest_stay(tmp_path):
    rest = b"\xef\xbb\xbf# k\xc3\xb6nnen\r\nx = '\xe2\x80\xa8'\n\x0cy = 1\r\n"
    (tmp_path / "a.py").write_bytes(rest + b"def run():\r\n\treturn 1")
    delete(tmp_path, "run")
    assert (tmp_path / "a.py").read_bytes() == rest
    old = "# coding: cp1251\n# привет\n".encode("cp1251")
    (tmp_path / "a.py").write_bytes(b"def run(): ...\n" + old)
    delete(tmp_path, "run")
    assert (tmp_path / "a.py").read_bytes() == old


def test_a_script_without_a_suffix_is_known_by_its_first_line(tmp_path):
    (tmp_path / "tool").write_text("#!/usr/bin/env python3\ndef run(): ...\nx = 1\n")
    delete(tmp_path, "run", path="tool")
    assert (tmp_path / "tool").read_text() == "#!/usr/bin/env python3\nx = 1\n"


def test_a_file_that_was_not_read_keeps_its_symbols(folder):
    call = ("delete_symbol", {"path": "a.py", "symbol": "run"})
    turns = [calling(call), calling(("read_file", {"path": "a.py"})), calling(call), "done"]
    unread, _, read = play(turns, [read_file, delete_symbol], cwd=folder, policy=BYPASS).results
    assert (unread.error_type, read.ok) == ("guard_denied", True)
