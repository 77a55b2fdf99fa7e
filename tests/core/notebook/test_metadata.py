import json

import pytest

from cellwright.notebook.json_style import style_of
from cellwright.notebook.metadata import changed_metadata

from ..properties import for_any


def changed(owner, changes):
    return changed_metadata(owner, changes, style_of(owner, escapes=False))


CELL = '{\n "cell_type": "raw",\n "metadata": {\n  "a":   1,\n  "é": {"x": [1,  2]}\n },\n "source": ""\n}'


def test_a_key_that_is_set_leaves_the_bytes_of_the_others():
    assert changed(CELL, {"a": True}) == CELL.replace("1,\n", "true,\n")
    assert changed(CELL, {"b": [1]}) == CELL.replace('1,\n  "é"', '1,\n  "b":   [\n   1\n  ],\n  "é"')


def test_a_key_is_taken_away_and_an_empty_object_is_written_as_one():
    assert changed(CELL, {"a": None}) == CELL.replace('"a":   1,\n  ', "")
    assert json.loads(changed(CELL, {"a": None, "é": None}))["metadata"] == {}
    assert '"metadata": {},' in changed(CELL, {"a": None, "é": None})


@pytest.mark.parametrize("changes", [{}, {"a": 1}, {"b": None}, {"é": {"x": [1, 2]}}])
def test_a_change_that_changes_nothing_gives_the_same_text(changes):
    assert changed(CELL, changes) == CELL


def test_metadata_that_is_missing_is_made():
    assert json.loads(changed('{"source": ""}', {"a": 1}))["metadata"] == {"a": 1}
    assert changed('{"source": ""}', {"a": None}) == '{"source": ""}'


@for_any(known="object", changes="object")
def test_any_change_of_any_metadata_reads_back_as_asked_for(known, changes):
    owner = json.dumps({"metadata": known, "z": 1}, indent=1)
    wanted = {key: value for key, value in {**known, **changes}.items() if value is not None or key not in changes}
    assert json.loads(changed(owner, changes)) == {"metadata": wanted, "z": 1}
