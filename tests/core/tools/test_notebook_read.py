"""What a model reads of cells and their outputs."""

import base64
import re
from pathlib import Path

import pytest

from cellwright import ToolError
from cellwright.tools.notebook_read import notebook_read

from .notebooks import PIXEL, code, env, markdown, stream, write


def read(path: Path, **args):
    return notebook_read.execute({"path": path.name, **args}, env(path.parent))


def figure(data: str):
    return {"output_type": "display_data", "metadata": {}, "data": {"image/png": data, "text/plain": "<Figure>"}}


def test_sources_come_whole_and_outputs_short(tmp_path: Path):
    long = "".join(f"row {n}\n" for n in range(20_000))
    picture = base64.b64encode(bytes(300_000)).decode()
    path = write(tmp_path, [code("a", "x = 1"), code("b", "plot()", [figure(picture)]), code("c", "t", [stream(long)])])
    content = read(path).content
    assert len(content) < 50_000
    assert "x = 1" in content and "plot()" in content
    assert re.search(r"[A-Za-z0-9+/]{121}", content) is None
    assert "image/png" in content and "300,000 bytes" in content
    assert "row 0\n" in content and "row 19999" in content and "left out" in content


def test_only_the_cells_asked_for_are_read_in_that_order(tmp_path: Path):
    path = write(tmp_path, [code("a", "x"), code("b", "y"), code("c", "z")])
    assert [cell["id"] for cell in read(path, cells=["c", "#0"]).value["cells"]] == ["c", "a"]


def test_cells_that_do_not_fit_are_named_with_the_way_to_read_them(tmp_path: Path):
    path = write(tmp_path, [code(f"c{n}", "x " * 7_500) for n in range(5)])
    output = read(path)
    assert [cell["id"] for cell in output.value["cells"]] == ["c0", "c1"]
    assert '3 more cells did not fit; read them with cells=["c2", "c3", "c4"]' in output.content


def test_pictures_go_to_a_model_only_on_request(tmp_path: Path):
    path = write(tmp_path, [code("a", "plot()", [figure(PIXEL)])])
    assert read(path).images == ()
    (image,) = read(path, outputs="images").images
    assert (image.media_type, image.data) == ("image/png", PIXEL)
    assert "not read" in read(path, outputs="none").content


def test_an_attachment_is_named_and_not_shown(tmp_path: Path):
    path = write(tmp_path, [markdown("a", "![d](attachment:d.png)", attachments={"d.png": {"image/png": PIXEL}})])
    content = read(path).content
    assert "[attachment d.png, image/png" in content
    assert PIXEL not in content


@pytest.mark.parametrize("wanted", ["nope", "#7", "#-1"])
def test_a_cell_that_is_not_there_is_an_error_that_names_those_that_are(tmp_path: Path, wanted: str):
    path = write(tmp_path, [code("a", "x")])
    with pytest.raises(ToolError, match=r"Existing ids|indexes 0 to 0"):
        read(path, cells=[wanted])


@pytest.mark.parametrize("source", ["![a](data:image/png;base64,{} 'b')", "logo = '{}'\nshow(logo)"])
def test_a_picture_embedded_in_a_source_is_shown_by_its_length(tmp_path: Path, source: str):
    path = write(tmp_path, [markdown("a", source.format("QUJD" * 9_000))])
    output = read(path)
    assert "36,000 characters in a row" in output.content and re.search("[A-Za-z0-9+/]{121}", output.content) is None
    assert source[source.index("}") + 1 :] in output.content and "mode edit of notebook_patch" in output.content
    assert output.value["cells"][0]["source"] == source.format("QUJD" * 9_000)


def test_a_line_separator_inside_a_source_is_no_line_end(tmp_path: Path):
    path = write(tmp_path, [code("u", 'x = "a\u2028b\x0cc"')])
    assert read(path).value["cells"][0]["lines"] == 1
    assert "a\u2028b\x0cc" in read(path).value["cells"][0]["source"]
