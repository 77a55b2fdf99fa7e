import os
import sys

import pytest

from cellwright.person.typed_line import typed_line


@pytest.fixture
def typed(monkeypatch):
    """Puts bytes where standard input is read from."""

    opened = []

    def put(data: bytes):
        reading, writing = os.pipe()
        os.write(writing, data)
        os.close(writing)
        opened.append(os.fdopen(reading))
        monkeypatch.setattr(sys, "stdin", opened[-1])

    yield put
    for file in opened:
        file.close()


def test_lines_are_read_one_by_one_and_asked_for_on_standard_error(typed, capsys):
    typed("ä first\n\nlast".encode())
    assert [typed_line("line: ") for _ in range(3)] == ["ä first", "", "last"]
    assert capsys.readouterr() == ("", "line: " * 3)


def test_the_end_of_standard_input_is_an_error_of_its_own(typed):
    typed(b"")
    with pytest.raises(EOFError):
        typed_line("line: ")


def test_bytes_that_are_no_text_are_marked(typed):
    typed(b"a\xffb\n")
    assert typed_line("") == "a\ufffdb"
