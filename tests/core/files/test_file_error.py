import errno
import os

import pytest

from cellwright.errors import ToolError
from cellwright.files.file_error import told_of


def told(path, act, error):
    with pytest.raises(ToolError) as caught, told_of(path, act):
        raise error
    return caught.value


@pytest.mark.parametrize(
    ("number", "act", "code", "words"),
    [
        (errno.ELOOP, "find", "link_cycle", "leads back to itself"),
        (errno.EACCES, "write", "not_permitted", "Not permitted to write"),
        (errno.EROFS, "write", "not_permitted", "Ask the person to change it"),
        (errno.ENOTDIR, "read", "not_found", "leads through a file"),
        (errno.ENOENT, "read", "not_found", "Near it: note.txt."),
        (errno.ENOSPC, "write", "write_failed", "Free some space"),
        (errno.EIO, "read", "read_failed", "Check the path"),
    ],
)
def test_what_the_system_says_becomes_an_error_that_tells_what_to_do(tmp_path, number, act, code, words):
    (tmp_path / "note.txt").touch()
    error = told(tmp_path / "notes.txt", act, OSError(number, os.strerror(number)))
    assert (error.code, words in error.message, "notes.txt" in error.message) == (code, True, True)


def test_a_name_that_no_system_takes_is_an_invalid_path(tmp_path):
    assert told(tmp_path / "a\0b", "read", ValueError("embedded null byte")).code == "invalid_path"
