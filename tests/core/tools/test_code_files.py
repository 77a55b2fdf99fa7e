"""Only files that can define something are looked at."""

from cellwright.env import Env
from cellwright.tools.code_files import code_files


def make(folder, **texts):
    for path, text in texts.items():
        place = folder / path.replace("__", "/").replace("_", ".")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)


def found(folder, symbol=""):
    files = code_files(folder.resolve(), symbol, Env(folder.resolve()))
    return [path.relative_to(folder.resolve()).as_posix() for path in files.paths], files.total


def test_source_files_come_sorted_whatever_the_case_of_their_suffix(tmp_path):
    make(tmp_path, b_py="", a_R="", c_txt="", d__e_SQL="", n_ipynb="{}", _git__x_py="", _ssh__x_py="")
    assert found(tmp_path) == (["a.R", "b.py", "d/e.SQL", "n.ipynb"], 4)


def test_a_symbol_leaves_the_files_that_hold_the_last_part_of_its_name(tmp_path):
    make(tmp_path, a_py="def run(): ...", b_py="def walk(): ...", c_py="RUN = 1")
    assert found(tmp_path, "Runner.run") == (["a.py", "c.py"], 3)


def test_a_pattern_or_a_name_that_may_be_escaped_leaves_all_files(tmp_path):
    make(tmp_path, a_py="", n_ipynb="{}")
    assert found(tmp_path, "t*") == found(tmp_path, "größe") == (["a.py", "n.ipynb"], 2)


def test_ignored_files_are_left_out_unless_there_are_no_others(tmp_path):
    make(tmp_path, build__a_py="", b_py="", _gitignore="build/\n")
    assert found(tmp_path)[0] == ["b.py"]
    assert found(tmp_path / "build")[0] == ["a.py"]


def test_a_name_like_an_option_is_a_name(tmp_path):
    make(tmp_path, a_py="--files = 1")
    assert found(tmp_path, "--files") == (["a.py"], 1)
