import codecs
import json
import random

import nbformat
import pytest

from cellwright.errors import ToolError
from cellwright.notebook import NotebookDocument, check

LAYOUTS = [1, 2, 4, "\t", "compact", "spaced"]


def code(cell_id, source, outputs=(), count=None, **more):
    fields = {"cell_type": "code", "execution_count": count, "id": cell_id, "metadata": {}}
    return {**fields, "outputs": list(outputs), "source": source, **more}


def markdown(cell_id, source, **more):
    return {"cell_type": "markdown", "id": cell_id, "metadata": {}, "source": source, **more}


def written(cells, minor=5, **more):
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": minor, **more}
    return (json.dumps(notebook, indent=1, ensure_ascii=False) + "\n").encode()


def parsed(cells, minor=5):
    return NotebookDocument.parse(written(cells, minor), "nb.ipynb")


def sources(document):
    return ["".join(cell["source"]) for cell in json.loads(document.data)["cells"]]


def without_ids(cells):
    return [{key: value for key, value in cell.items() if key != "id"} for cell in cells]


class Generated:
    """A notebook in a random style, put together by hand so that the place of each cell is known."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.layout = LAYOUTS[seed % len(LAYOUTS)]
        self.newline = self.random.choice(["\n", "\r\n"])
        self.as_list = self.random.random() < 0.6
        self.ascii = self.random.random() < 0.4
        self.cells = [self.cell(number) for number in range(self.random.randint(1, 6))]
        self.bom = self.random.choice([b"", codecs.BOM_UTF8])
        self.data, self.spans = self.assembled()

    def cell(self, number):
        source = self.random.choice(["", "x = 1", "é = 'ß'\n\u2028\n", "a\nb\n\nc", "\x0cpage \\u00e9", "🙂\n" * 3])
        *whole, last = source.split("\n")
        lines = [*(line + "\n" for line in whole), last]
        fields = {"cell_type": self.random.choice(["code", "markdown", "raw"]), "id": f"c{number}"}
        fields |= {"metadata": {"tags": ["é"]}, "source": [x for x in lines if x] if self.as_list else source}
        if fields["cell_type"] == "code":
            outputs = [{"name": "stdout", "output_type": "stream", "text": ["ü\n"]}]
            fields |= {"execution_count": 3, "outputs": outputs}
        if self.random.random() < 0.3:
            fields["unknownKey"] = {"kept": [float("nan"), 1e400]}
        keys = self.random.sample(list(fields), len(fields))
        return {key: fields[key] for key in keys}

    def dumped(self, value, depth):
        if self.layout in ("compact", "spaced"):
            marks = (",", ":") if self.layout == "compact" else (", ", ": ")
            return json.dumps(value, separators=marks, ensure_ascii=self.ascii)
        unit = self.layout if isinstance(self.layout, str) else " " * self.layout
        text = json.dumps(value, indent=unit, ensure_ascii=self.ascii)
        return text.replace("\n", self.newline + unit * depth)

    def assembled(self):
        frame = {"metadata": {}, "nbformat": 4, "nbformat_minor": 5, "cells": ["CELLS"]}
        head, tail = self.dumped(frame, 0).split('"CELLS"')
        one, two = self.dumped([0, 0], 1).strip("[]").split("0")[1:], []
        data = self.bom + head.encode()
        for number, cell in enumerate(self.cells):
            start = len(data) if number == 0 else len(data := data + one[0].encode())
            data += self.dumped(cell, 2).encode()
            two.append((start, len(data)))
        return data + tail.encode(), two


def same_outside(before, after, start, end):
    return after.startswith(before[:start]) and after.endswith(before[end:])


@pytest.mark.parametrize("seed", range(60))
def test_replacing_a_source_changes_no_byte_outside_the_cell(seed):
    made = Generated(seed)
    document = NotebookDocument.parse(made.data, "nb.ipynb")
    for cell, (start, end) in zip(document.cells, made.spans, strict=True):
        edited = document.replace_source(cell, "neu = 'ä'\n\u2028\n")
        assert same_outside(made.data, edited.data, start, end)
        now = json.loads(edited.data.removeprefix(made.bom))["cells"][cell.index]
        assert "".join(now["source"]) == "neu = 'ä'\n\u2028\n"
        assert isinstance(now["source"], list) == made.as_list
        assert list(now) == list(made.cells[cell.index])


@pytest.mark.parametrize("seed", range(60))
def test_an_insert_changes_no_byte_of_what_is_there_and_a_delete_takes_it_back(seed):
    made = Generated(seed)
    document = NotebookDocument.parse(made.data, "nb.ipynb")
    for cell, (start, end) in zip(document.cells, made.spans, strict=True):
        before = document.insert("code", "p\nq", before=cell)
        after = document.insert("markdown", "p\nq", after=cell)
        assert same_outside(made.data, before.data, start, start)
        assert same_outside(made.data, after.data, end, end)
        assert sources(before)[cell.index] == sources(after)[cell.index + 1] == "p\nq"
        assert before.delete(before.cells[cell.index]).data == made.data
        assert after.delete(after.cells[cell.index + 1]).data == made.data


@pytest.mark.parametrize("seed", range(60))
def test_a_parsed_notebook_gives_its_bytes_back(seed):
    made = Generated(seed)
    document = NotebookDocument.parse(made.data, "nb.ipynb")
    assert document.data == made.data
    assert [cell.source for cell in document.cells] == ["".join(cell["source"]) for cell in made.cells]


@pytest.mark.parametrize("seed", range(30))
def test_line_ends_of_an_edited_file_are_never_mixed(seed):
    made = Generated(seed)
    document = NotebookDocument.parse(made.data, "nb.ipynb").insert("code", "p = 1\r\nq = 2")
    document = document.replace_source(document.cells[0], "r\r\ns")
    data = document.data
    assert data.count(b"\n") == (data.count(b"\r\n") if b"\r\n" in made.data else data.count(b"\n"))
    assert b"\r\n" in made.data or b"\r" not in data
    assert (sources(document)[0], sources(document)[-1]) == ("r\ns", "p = 1\nq = 2")


@pytest.mark.parametrize("seed", range(30))
def test_moving_a_cell_keeps_its_text_and_all_gaps(seed):
    made = Generated(seed)
    document = NotebookDocument.parse(made.data, "nb.ipynb")
    moved = document.move(document.cells[0], after=document.cells[-1])
    assert sorted(moved.data) == sorted(made.data)
    order = [cell["id"] for cell in [*made.cells[1:], made.cells[0]]]
    assert [cell.id for cell in moved.cells] == order
    assert moved.move(moved.cells[-1], before=moved.cells[0]).data == made.data


def test_new_cells_look_like_what_nbformat_would_write():
    document = parsed([code("a", ["x = 1"]), markdown("b", ["# t\n", "u"])])
    edited = document.insert("code", "y\nz", after=document.cells[0]).insert("markdown", "")
    as_nbformat = nbformat.writes(nbformat.reads(edited.data.decode(), as_version=4)) + "\n"
    assert edited.data.decode() == as_nbformat
    nbformat.validate(json.loads(edited.data))


def test_an_empty_notebook_takes_a_first_cell_in_its_style():
    document = parsed([])
    edited = document.insert("code", "a = 1\nb = 2")
    assert edited.data.decode() == nbformat.writes(nbformat.reads(edited.data.decode(), as_version=4)) + "\n"
    assert edited.delete(edited.cells[0]).data == document.data


def test_an_empty_compact_notebook_stays_on_one_line():
    data = b'{"cells":[],"metadata":{},"nbformat":4,"nbformat_minor":4}'
    edited = NotebookDocument.parse(data, "nb.ipynb").insert("markdown", "a").insert("markdown", "b")
    cells = (
        b'{"cell_type":"markdown","metadata":{},"source":["a"]},{"cell_type":"markdown","metadata":{},"source":["b"]}'
    )
    assert edited.data == data.replace(b"[]", b"[" + cells + b"]")


def test_a_notebook_of_format_4_4_gets_no_ids():
    document = parsed(without_ids([code("", ["x = 1"]), markdown("", ["# end"])]), minor=4)
    edited = document.insert("code", "y = 2", after=document.cells[0])
    notebook = json.loads(edited.data)
    nbformat.validate(notebook)
    assert (notebook["nbformat_minor"], sources(edited)) == (4, ["x = 1", "y = 2", "# end"])
    assert not any("id" in cell for cell in notebook["cells"])


def test_a_new_cell_comes_last_when_no_place_is_said():
    edited = parsed([code("a", ["1"]), code("b", ["2"])]).insert("code", "z = 9")
    assert sources(edited) == ["1", "2", "z = 9"]
    assert edited.cells[2].id not in (None, "a", "b")


def test_a_replaced_code_source_drops_outputs_and_count():
    output = {"name": "stdout", "output_type": "stream", "text": ["49\n"]}
    document = parsed([code("r", ["print(7*7)"], [output], 7)])
    edited = document.replace_source(document.cells[0], "print(6*9)")
    cell = json.loads(edited.data)["cells"][0]
    assert (cell["outputs"], cell["execution_count"]) == ([], None)
    assert document.replace_source(document.cells[0], "print(7*7)") is document


def test_a_markdown_cell_keeps_its_attachments():
    pictures = {"dot.png": {"image/png": "iVBORw0KGgo="}}
    document = parsed([markdown("a", ["old ![d](attachment:dot.png)"], attachments=pictures)])
    edited = document.replace_source(document.cells[0], "new ![d](attachment:dot.png)")
    assert json.loads(edited.data)["cells"][0]["attachments"] == edited.cells[0].attachments == pictures


def test_a_move_to_where_the_cell_is_gives_the_same_document():
    document = parsed([code("a", ["1"]), code("b", ["2"]), code("c", ["3"])])
    first, second, third = document.cells
    assert document.move(third, after=second) is document
    assert document.move(first, before=second) is document
    assert document.move(second, after=second) is document
    assert [cell.id for cell in document.move(first, after=second).cells] == ["b", "a", "c"]


def test_a_replacement_is_taken_literally():
    text = r"$& $1 $$ $` $' \1 \g<0> \n C:\new\table {0} %s ${x}"
    document = parsed([code("a", ["TOKEN"])])
    assert sources(document.replace_source(document.cells[0], text)) == [text]


def test_a_lone_surrogate_is_written_as_an_escape():
    document = parsed([code("a", ["x"])])
    edited = document.replace_source(document.cells[0], "'\ud83d' # é")
    assert rb"'\ud83d' # " + "é".encode() in edited.data
    assert sources(edited) == ["'\ud83d' # é"]


def test_stray_bytes_of_another_cell_and_line_survive():
    data = written([code("a", ["x\n", "caf? y\n", "z"]), markdown("b", ["q? end"])]).replace(b"?", b"\xe9")
    document = NotebookDocument.parse(data, "nb.ipynb")
    edited = document.replace_source(document.cells[0], document.cells[0].source.replace("z", "done"))
    assert edited.data == data.replace(b'"z"', b'"done"')


def test_outputs_are_written_as_jupyter_writes_them_and_nan_as_null():
    document = parsed([code("a", ["x"])])
    shown = {"output_type": "display_data", "metadata": {}, "data": {"application/json": {"v": float("nan")}}}
    printed = {"output_type": "stream", "name": "stdout", "text": "1\n2\u2028\n"}
    edited = document.set_outputs(document.cells[0], [shown, printed], 5)
    cell = json.loads(edited.data, parse_constant=pytest.fail)["cells"][0]
    assert (cell["execution_count"], cell["outputs"][0]["data"]["application/json"]) == (5, {"v": None})
    assert cell["outputs"][1]["text"] == ["1\n", "2\u2028\n"]
    nbformat.validate(json.loads(edited.data))
    assert edited.set_outputs(edited.cells[0], edited.cells[0].outputs, 5) is edited


def test_a_nan_that_is_there_already_stays_through_another_edit():
    output = {"output_type": "display_data", "metadata": {}, "data": {"application/json": {"v": float("nan")}}}
    document = parsed([code("a", ["v"], [output]), code("b", ["w = 1"])])
    edited = document.replace_source(document.cells[1], "w = 2")
    assert edited.data == document.data.replace(b"w = 1", b"w = 2")


def test_an_old_cell_is_refused_by_a_document_that_has_moved_on():
    document = parsed([code("a", ["1"]), code("b", ["2"])])
    edited = document.replace_source(document.cells[0], "one")
    with pytest.raises(ToolError, match="find it again") as caught:
        edited.delete(document.cells[0])
    assert caught.value.code == "stale"


def test_a_place_before_and_after_at_once_is_refused():
    document = parsed([code("a", ["1"])])
    with pytest.raises(ToolError, match="not both"):
        document.insert("code", "x", before=document.cells[0], after=document.cells[0])


def test_changing_the_type_keeps_source_and_id_and_stays_valid():
    document = parsed([code("a", ["# t"], [{"output_type": "stream", "name": "stdout", "text": []}], 3)])
    edited = document.change_type(document.cells[0], "markdown")
    assert json.loads(edited.data)["cells"] == [markdown("a", ["# t"])]
    back = edited.change_type(edited.cells[0], "code")
    assert back.data == written([code("a", ["# t"])])


def test_metadata_is_set_in_the_style_of_the_file():
    document = parsed([code("a", ["x"])])
    edited = document.change_metadata(document.cells[0], {"tags": ["b"]})
    expected = code("a", ["x"])
    expected["metadata"] = {"tags": ["b"]}
    assert edited.data == written([expected])
    assert edited.change_metadata(edited.cells[0], {"tags": ["b"]}) is edited


def test_problems_from_before_are_told_and_stay():
    document = parsed([markdown("e1", ["t"], outputExpanded=False), code("e2", ["z = 1"])])
    edited = document.replace_source(document.cells[1], "z = 2")
    told = check(document, edited)
    assert len(told) == 1
    assert "cell 0 ('e1')" in told[0] and "outputExpanded" in told[0]
    assert edited.data == document.data.replace(b"z = 1", b"z = 2")


def test_an_edit_that_breaks_the_schema_is_refused():
    document = parsed([markdown("e1", ["t"], outputExpanded=False), code("e2", ["z = 1"])])
    broken = document.set_outputs(document.cells[1], [{"output_type": "stream"}], 1)
    with pytest.raises(ToolError, match="would make the notebook invalid") as caught:
        check(document, broken)
    assert caught.value.code == "invalid_notebook"


def test_the_language_comes_from_the_metadata():
    info = {"language_info": {"name": "julia"}}
    assert NotebookDocument.parse(written([], metadata=info), "nb").language == "julia"
    assert parsed([]).language == "python"


@pytest.mark.parametrize("seed", range(30))
def test_changing_type_metadata_or_outputs_changes_no_byte_outside_the_cell(seed):
    made = Generated(seed)
    document = NotebookDocument.parse(made.data, "nb.ipynb")
    for cell, (start, end) in zip(document.cells, made.spans, strict=True):
        others = [kind for kind in ("code", "markdown", "raw") if kind != cell.cell_type]
        edits = [document.change_type(cell, other) for other in others]
        edits += [document.change_metadata(cell, {"new": [1], "tags": None}), document.clear_outputs(cell)]
        for edited in edits:
            assert same_outside(made.data, edited.data, start, end)
            assert NotebookDocument.parse(edited.data, "nb.ipynb").cells[cell.index].source == cell.source


@pytest.mark.parametrize("seed", range(30))
def test_the_notebooks_own_metadata_is_set_and_taken_back_without_another_byte(seed):
    made = Generated(seed)
    document = NotebookDocument.parse(made.data, "nb.ipynb")
    edited = document.change_own_metadata({"title": "é", "authors": [{"name": "x"}]})
    assert edited.metadata == {"title": "é", "authors": [{"name": "x"}]}
    assert NotebookDocument.parse(edited.data, "nb.ipynb").metadata == edited.metadata
    assert [cell.text for cell in edited.cells] == [cell.text for cell in document.cells]
    assert edited.change_own_metadata({"title": None, "authors": None}).data == made.data
    assert document.change_own_metadata({"nothing": None}) is document


@pytest.mark.parametrize("minor", [0, 1, 2, 3, 4, 5])
def test_each_minor_version_of_format_4_is_edited_and_stays_valid(minor):
    made = [code("a", ["x\n", "y"]), markdown("b", ["t"])]
    document = parsed(made if minor == 5 else without_ids(made), minor)
    edited = document.split(document.cells[0], 2).insert("raw", "z")
    edited = edited.change_type(edited.cells[1], "markdown").change_metadata(edited.cells[0], {"tags": ["x"]})
    notebook = json.loads(edited.data)
    nbformat.validate(notebook)
    assert notebook["nbformat_minor"] == minor
    assert all(("id" in cell) == (minor == 5) for cell in notebook["cells"])
    assert check(document, edited) == ()


def test_clearing_outputs_leaves_other_cells_and_a_clear_cell_alone():
    output = {"name": "stdout", "output_type": "stream", "text": ["49\n"]}
    document = parsed([code("r", ["print(7*7)"], [output], 7), markdown("m", ["t"])])
    edited = document.clear_outputs(document.cells[0])
    assert edited.data == written([code("r", ["print(7*7)"]), markdown("m", ["t"])])
    assert edited.clear_outputs(edited.cells[0]) is edited
    assert document.clear_outputs(document.cells[1]) is document


def test_a_large_output_is_kept_byte_for_byte_through_every_edit():
    large = {"name": "stdout", "output_type": "stream", "text": ['"é\\"]}, {\n'] * 2000}
    cells = [code("a", "1", [large], 2), code("b", "2", [large], 3, extra=1), markdown("c", "x")]
    document = NotebookDocument.parse(written(cells), "nb.ipynb")
    raws = [bytes(cell.raw) for cell in document.cells]
    edited = document.move(document.find("c"), before=document.find("a"))
    edited = edited.replace_source(edited.find("c"), "y").insert("code", "ß", after=edited.find("b"))
    assert [bytes(edited.find(name).raw) for name in "ab"] == raws[:2]
    assert edited.find("a").outputs == [large] and len(edited.find("a").output_forms) == 1
    assert edited.replace_source(edited.find("a"), "new").find("a").output_forms == []
    assert check(document, edited) == ("cell 1 ('b'): Additional properties are not allowed ('extra' was unexpected)",)


@pytest.mark.parametrize("seed", range(40))
def test_splitting_merging_and_new_outputs_change_no_byte_outside_the_cells(seed):
    made = Generated(seed)
    document = NotebookDocument.parse(made.data, "nb.ipynb")
    for cell, (start, end) in zip(document.cells, made.spans, strict=True):
        long = document.replace_source(cell, "p\né\n\u2028q")
        split = long.split(long.cells[cell.index], 2)
        assert same_outside(made.data, split.data, start, end)
        assert sources(split)[cell.index : cell.index + 2] == ["p", "é\n\u2028q"]
        merged = split.merge(split.cells[cell.index])
        assert merged.data == long.data
        if cell.cell_type == "code":
            output = {"output_type": "stream", "name": "stdout", "text": "ü\n\x0c\n"}
            assert same_outside(made.data, document.set_outputs(cell, [output], 4).data, start, end)
