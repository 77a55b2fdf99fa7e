"""A change is shown, then written; what came between refuses it."""

import os

import pytest

from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.files import read_text_file
from cellwright.tools.text_change import TextChange, change_view, text_before


@pytest.fixture
def env(tmp_path):
    (tmp_path / "t").write_text("old\n")
    return Env(cwd=tmp_path.resolve())


def test_writing_notes_the_version_that_a_reader_will_find(env):
    version = TextChange.of(text_before("t", env), "new\n").write(env)
    assert env.ledger.seen(env.cwd / "t") == version == read_text_file(env.cwd / "t").version


def test_a_change_refuses_a_file_that_another_program_changed(env):
    change = TextChange.of(text_before("t", env), "new\n")
    (env.cwd / "t").write_text("theirs\n")
    with pytest.raises(ToolError) as caught:
        change.write(env)
    assert (caught.value.code, (env.cwd / "t").read_text()) == ("stale", "theirs\n")


def test_a_new_file_never_replaces_one_that_came_up(env):
    change = TextChange(env.cwd / "new", None, "mine", b"mine")
    (env.cwd / "new").write_text("theirs")
    with pytest.raises(ToolError) as caught:
        change.write(env)
    assert (caught.value.code, (env.cwd / "new").read_text()) == ("exists", "theirs")


def test_showing_notes_the_version_it_was_made_from(env):
    view = change_view(TextChange.of(text_before("t", env), "new\n"), env)
    assert (view.path, view.added, view.removed) == ("t", 1, 1)
    assert env.ledger.seen(env.cwd / "t") == read_text_file(env.cwd / "t").version


def test_no_temporary_file_stays_behind(env):
    TextChange.of(text_before("t", env), "new\n").write(env)
    assert os.listdir(env.cwd) == ["t"]
