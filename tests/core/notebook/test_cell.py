import json

import pytest

from cellwright.errors import ToolError
from cellwright.notebook.cell import Cell, model_cell, new_cell, new_id, with_outputs, with_source, with_type
from cellwright.notebook.json_style import style_of


def made(text, index=0):
    return Cell.of(index, text.encode())


def style(cell):
    return style_of(cell.text, escapes=False)


def test_a_cell_with_nothing_in_it_reads_as_empty():
    cell = made("{}")
    assert (cell.id, cell.cell_type, cell.source, cell.outputs) == (None, "", "", [])
    assert (cell.execution_count, cell.metadata, cell.attachments) == (None, {}, {})


def test_the_version_follows_type_and_source_and_nothing_else():
    cell = made('{"cell_type": "code", "source": "a"}')
    same = made('{"source": ["a"], "cell_type": "code", "execution_count": 4}')
    others = [made('{"cell_type": "code", "source": "b"}'), made('{"cell_type": "raw", "source": "a"}')]
    assert cell.version == same.version
    assert len({cell.version, *(other.version for other in others)}) == 3
    assert len(cell.version) == 8


def test_only_the_values_that_change_are_written():
    cell = made('{"source":"a" , "x": 1e5, "outputs": [ ], "execution_count":null, "cell_type":"code"}')
    assert with_source(cell, "b", style(cell)) == cell.text.replace('"a"', '"b"')


def test_missing_keys_of_a_damaged_cell_are_not_added():
    cell = made('{"cell_type": "code", "source": "a"}')
    assert with_source(cell, "b", style(cell)) == '{"cell_type": "code", "source": "b"}'
    with pytest.raises(ToolError, match="no source"):
        with_source(made('{"cell_type": "code"}'), "b", style(cell))


def test_only_code_cells_take_outputs():
    cell = made('{"cell_type": "markdown", "source": "a"}')
    with pytest.raises(ToolError, match="can't have outputs"):
        with_outputs(cell, [], 1, style(cell))


def test_outputs_of_a_string_style_cell_stay_strings():
    cell = made('{"cell_type":"code","execution_count":null,"outputs":[],"source":"a"}')
    text = with_outputs(cell, [{"output_type": "stream", "name": "stdout", "text": "a\nb"}], 2, style(cell))
    assert json.loads(text)["outputs"][0]["text"] == "a\nb"


def test_a_cell_with_attachments_cannot_become_code():
    cell = made('{"cell_type": "markdown", "attachments": {"dot.png": {}}, "source": "a"}')
    with pytest.raises(ToolError, match=r"dot\.png"):
        with_type(cell, "code")


def test_an_unknown_type_is_refused_with_the_known_ones():
    with pytest.raises(ToolError, match="code, markdown, raw"):
        with_type(made('{"cell_type": "raw", "source": "a"}'), "sql")


def test_a_new_cell_follows_the_key_order_of_its_model():
    model = made('{"source":"a\\nb","id":"m","cell_type":"markdown","metadata":{}}')
    assert new_cell("code", "x", model, "n", style(model)) == (
        '{"source":"x","id":"n","cell_type":"code","metadata":{},"execution_count":null,"outputs":[]}'
    )


def test_the_model_is_of_the_prevailing_form_and_near():
    texts = ['{"cell_type": "code", "source": "s"}'] + ['{"cell_type": "code", "source": ["a\\n", "b"]}'] * 3
    cells = [made(text, index) for index, text in enumerate(texts)]
    assert model_cell(cells, "code", 3) == cells[3]
    assert model_cell(cells, "markdown", 0) == cells[1]
    assert model_cell([], "code", 0) is None


def test_new_ids_are_valid_and_not_taken():
    ids = {new_id(set()) for _ in range(100)}
    assert len(ids) == 100
    assert all(len(made_id) == 8 and made_id.isalnum() for made_id in ids)
