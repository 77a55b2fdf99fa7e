import codecs

import pytest

from cellwright.errors import ToolError
from cellwright.notebook.notebook_text import encode, take_apart

FRAME = b'"metadata": {}, "nbformat": 4, "nbformat_minor": 5'


def refusal(data):
    with pytest.raises(ToolError) as caught:
        take_apart(data, "some/nb.ipynb")
    assert "some/nb.ipynb" in caught.value.message
    return caught.value


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (b" \n", "empty"),
        (b"version https://git-lfs", "begins with 'version https://git-lfs'"),
        (b"[]", "not an object"),
        (b"{}", "no nbformat version"),
        (b'{"cells": []}', "no nbformat version"),
        (b'{"cells": [], "nbformat": "4"}', "no nbformat version"),
        (b"{" + FRAME + b"}", "no list of cells"),
        (b'{"cells": {}, ' + FRAME + b"}", "no list of cells"),
        (b'{"cells": [{}, 7], ' + FRAME + b"}", "cell 1 is 7"),
        (b'{\n"cells": [,],' + FRAME + b"}", "line 2 column 11"),
        (b'{"cells": [],' + FRAME + b"} x", "Extra data at line 1"),
        (b'{"cells": [' + b"9" * 5000 + b"]," + FRAME + b"}", "4300 digits"),
        (b'{"cells": [' + b"[" * 100_000, "nested too deeply"),
        (codecs.BOM_UTF16_LE + "{}".encode("utf-16-le"), "UTF-16"),
    ],
)
def test_a_file_that_is_no_notebook_is_refused_with_the_reason(data, reason):
    error = refusal(data)
    assert error.code == "not_a_notebook"
    assert reason in error.message


def test_merge_conflict_markers_are_named():
    data = b'{"cells": [\n<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> other\n],' + FRAME + b"}"
    assert "merge-conflict markers (line 2: <<<<<<< HEAD)" in refusal(data).message


def test_other_formats_are_unsupported_and_old_ones_say_how_to_upgrade():
    old, new = refusal(b'{"nbformat": 3, "worksheets": []}'), refusal(b'{"nbformat": 5, "cells": []}')
    assert (old.code, new.code) == ("unsupported", "unsupported")
    assert "jupyter nbconvert --to notebook --nbformat 4 --inplace some/nb.ipynb" in old.message


@pytest.mark.parametrize("bom", [b"", codecs.BOM_UTF8])
def test_the_pieces_joined_are_the_file(bom):
    data = bom + b' {"x": "\xff", "cells": [ {"a": 1} ,\r\n\t{"b": "\xc3\xa9"}\n], ' + FRAME + b"}\n\n"
    parts = take_apart(data, "nb.ipynb")
    pieces = [parts.head, parts.gaps[0], parts.cells[0].text, parts.gaps[1], parts.cells[1].text, parts.gaps[2]]
    assert encode(parts.bom, [*pieces, parts.tail]) == data
    assert parts.gaps == (" ", " ,\r\n\t", "\n")
