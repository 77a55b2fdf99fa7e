import json

import pytest

from cellwright.notebook.cell_members import SHORT, members_of, outputs_json, whole_members

LONG = "0123456789é\n" * SHORT
CELL = {"cell_type": "code", "execution_count": 3, "id": "a", "metadata": {"k": LONG}, "source": LONG}
PICTURE = {"data": {"image/png": LONG, "text/plain": ["<F>"]}, "metadata": {}, "output_type": "display_data"}
STREAM = {"name": "stdout", "output_type": "stream", "text": [LONG, LONG]}


def members(cell):
    return members_of(json.dumps(cell).encode())


def test_a_short_cell_is_read_in_full_and_so_is_all_but_the_outputs_of_a_long_one():
    short = {"cell_type": "code", "outputs": [{"output_type": "stream", "text": ["a"]}], "other": [1]}
    assert members(short) == short
    assert members(CELL) == CELL


def test_in_the_place_of_a_long_value_of_an_output_an_empty_one_of_the_same_form_stands():
    found = members({**CELL, "outputs": [PICTURE, STREAM, {"output_type": "error", "traceback": LONG}]})
    picture, stream, error = found["outputs"]
    assert picture == {**PICTURE, "data": {"image/png": "", "text/plain": ["<F>"]}}
    assert (stream, error) == ({**STREAM, "text": []}, {"output_type": "error", "traceback": ""})


@pytest.mark.parametrize(
    "more",
    [
        {"unknown": LONG},
        {"outputs": 5},
        {"outputs": [5, LONG]},
        {"outputs": [{"data": 5, "text": float("nan"), "long": [LONG]}]},
        {"outputs": [{"text": "\ud800", "long": LONG}]},
        {"outputs": [{"data": {"\ud800": LONG}}]},
    ],
)
def test_a_cell_of_another_form_is_read_in_full(more):
    cell = {**CELL, **more}
    assert repr(members(cell)) == repr(json.loads(json.dumps(cell)))


def test_bytes_that_are_no_text_are_kept():
    raw = json.dumps({**CELL, "source": "?"}, ensure_ascii=False).encode().replace(b'"?"', b'"\xff"')
    assert members_of(raw)["source"] == "\udcff"


@pytest.mark.parametrize("text", ["7", "[]", '{"a": 1', "{}x", ""])
@pytest.mark.parametrize("read", [members_of, whole_members])
def test_what_is_no_object_is_refused(read, text):
    for blanks in ("", " " * SHORT):
        with pytest.raises(ValueError):
            read((blanks + text).encode())


@pytest.mark.parametrize(
    ("raw", "found"),
    [
        (b'{"outputs": [ ], "source": []}', b""),
        (b'{"source": []}', b""),
        (b'{"outputs": [{"text":  "a"}]}', b'[{"text":  "a"}]'),
        (b'{"outputs": [NaN], "metadata": {}}', b"[NaN]"),
        (b'{"source": NaN}', b""),
    ],
)
def test_the_json_of_the_outputs_is_there_to_be_compared(raw, found):
    assert outputs_json(raw) == found
