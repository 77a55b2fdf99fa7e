"""A text tool gets a path inside the working folder that is no notebook."""

import pytest

from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.tools.location import line_name, text_path


@pytest.mark.parametrize("given", ["a.txt", "./sub/../a.txt", "new/deep/a.txt", "new.ipynb", "folder.ipynb"])
def test_a_file_that_is_or_may_be_text_gives_its_real_path(tmp_path, given):
    (tmp_path / "sub").mkdir()
    (tmp_path / "folder.ipynb").mkdir()
    assert text_path(given, Env(cwd=tmp_path.resolve()), "x") == (tmp_path / given).resolve()


@pytest.mark.parametrize("name", ["n.ipynb", "N.IPYNB", "link.txt"])
def test_a_notebook_points_to_its_own_tool_also_through_a_link(tmp_path, name):
    (tmp_path / name.replace("link.txt", "n.ipynb")).write_text("{}")
    (tmp_path / "link.txt").symlink_to("n.ipynb")
    with pytest.raises(ToolError, match="use notebook_edit") as caught:
        text_path(name, Env(cwd=tmp_path.resolve()), "notebook_edit")
    assert caught.value.code == "is_notebook"


def test_a_path_outside_is_refused(tmp_path):
    with pytest.raises(ToolError) as caught:
        text_path("../x", Env(cwd=tmp_path.resolve()), "x")
    assert caught.value.code == "outside"


@pytest.mark.parametrize(
    ("name", "shown"), [("a b", "a b"), ("é:1", "é:1"), ("a\nb", '"a\\nb"'), (" a", '" a"'), ("a\x1b", '"a\\u001b"')]
)
def test_a_name_stands_in_a_line_as_it_is_or_quoted(name, shown):
    assert line_name(name) == shown
