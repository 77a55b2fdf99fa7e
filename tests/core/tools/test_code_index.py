"""`code_index`: outlines and definitions, in files, folders and notebooks."""

import pytest

from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.tools.code_index import code_index

from .notebooks import code, write


def index(folder, **args):
    assert code_index.input_schema.problems(args) == ()
    return code_index.execute(args, Env(cwd=folder.resolve()))


def refusal(folder, **args):
    with pytest.raises(ToolError) as caught:
        index(folder, **args)
    return caught.value.code


@pytest.fixture
def project(tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / "src/a.py").write_text("class Runner(Base):\n    def run(self): ...\nX = 1\ndef free():\n    run()\n")
    (tmp_path / "b.jl").write_text("function run(x)\n    x\nend\n")
    (tmp_path / "notes.txt").write_text("run\n")
    write(tmp_path, [code("c1", "%time x\nrun = lambda: 1"), code("c2", "%%sql\nCREATE TABLE t (a int);")])
    return tmp_path


def test_a_file_is_told_in_full(project):
    assert index(project, path="src/a.py").content.split("\n") == [
        "src/a.py:", "  1-2 class Runner(Base)", "  2   method def run(self)", "  3 variable X = 1",
        "  4-5 function def free()",
    ]  # fmt: skip


def test_a_folder_is_told_by_its_top_level(project):
    found = index(project).value["symbols"]
    assert [(s["path"], s["name"]) for s in found] == [
        ("a.ipynb", "t"), ("b.jl", "run"), ("src/a.py", "Runner"), ("src/a.py", "free"),
    ]  # fmt: skip


def test_a_symbol_is_found_wherever_it_is_defined_and_not_where_it_is_used(project):
    found = index(project, symbol="run").value["symbols"]
    assert [(s["path"], s.get("cell"), s["kind"], s["line"]) for s in found] == [
        ("a.ipynb", "c1", "variable", 2), ("b.jl", None, "function", 1), ("src/a.py", None, "method", 2),
    ]  # fmt: skip
    assert [s["path"] for s in index(project, symbol="Runner.run()").value["symbols"]] == ["src/a.py"]


def test_only_one_kind_may_be_asked_for(project):
    assert [s["name"] for s in index(project, kind="method").value["symbols"]] == ["run"]
    assert index(project, kind="trigger").content == "no trigger: 3 source files searched in ."


def test_a_cell_of_a_notebook_is_told_by_its_id_and_its_own_lines(project):
    assert index(project, path="a.ipynb").content == (
        "a.ipynb:\n cell c1\n  2 variable run = lambda: 1\n cell c2\n  2 table CREATE TABLE t (a int)"
    )


def test_a_full_list_leaves_the_rest_of_a_folder_unread_and_says_so(project):
    output = index(project, limit=1)
    assert (output.value["total"], output.value["files_not_reached"]) == (1, 2)
    assert "files not read: 2, the list is full" in output.content


@pytest.mark.parametrize(
    ("path", "code"),
    [("no", "not_found"), ("notes.txt", "unknown_language"), ("..", "outside"), ("bin.py", "binary")],
)
def test_a_place_that_can_not_be_read_is_an_error(project, path, code):
    (project / "bin.py").write_bytes(b"\0\1")
    assert refusal(project, path=path) == code


def test_in_a_folder_what_can_not_be_read_is_a_note(project):
    (project / "bin.py").write_bytes(b"def run\0")
    (project / "bad.ipynb").write_text("{")
    content = index(project).content
    assert "note: not read: bin.py (binary)" in content
    assert "note: not read: bad.ipynb (" in content


@pytest.mark.parametrize("encoding", ["utf-16", "latin-1", "utf-8-sig"])
def test_source_in_other_encodings_is_read(tmp_path, encoding):
    (tmp_path / "a.py").write_bytes("# é\ndef größe(): ...\n".encode(encoding))
    assert index(tmp_path, symbol="größe").value["symbols"][0]["line"] == 2


def test_broken_source_gives_what_can_be_read_and_is_named(tmp_path):
    (tmp_path / "a.py").write_text("x = (1,\ndef f():\n    pass\n")
    output = index(tmp_path)
    assert [s["name"] for s in output.value["symbols"]] == ["f"]
    assert output.value["broken"] == ["a.py"]


def test_names_that_look_like_something_else_are_just_names(tmp_path):
    for name in ("-e.py", "a b.py", "a[1].py", "a\nb.py", "a:1.py"):
        (tmp_path / name).write_text("def f(): ...\n")
    assert index(tmp_path, symbol="f").value["total"] == 5
