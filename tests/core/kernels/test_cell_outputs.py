import json

import nbformat
import pytest

from cellwright.kernels.cell_outputs import MAX_DISPLAYS, MAX_TEXT, CellOutputs, message_output


def printed(cell, text, name="stdout"):
    cell.take("stream", {"name": name, "text": text}, "m1")


def shown(cell, plain):
    return cell.take("display_data", {"data": {"text/plain": plain}, "metadata": {}, "transient": {}}, "m1")


def texts(cell):
    return [output.get("text") or output["data"]["text/plain"] for output in cell.outputs]


def test_pieces_of_one_stream_become_one_output_and_order_stays():
    cell = CellOutputs()
    for text, name in [("a", "stdout"), ("b\n", "stdout"), ("e", "stderr"), ("c", "stdout")]:
        printed(cell, text, name)
    shown(cell, "d")
    assert texts(cell) == ["ab\n", "e", "c", "d"]


@pytest.mark.parametrize("piece", ["x" * 64, "x" * 700_000])
def test_of_too_much_text_both_ends_stay_and_the_total_is_told(piece):
    cell = CellOutputs()
    printed(cell, "start")
    for _ in range(3 * MAX_TEXT // len(piece)):
        printed(cell, piece)
    printed(cell, "end")
    head, note, tail = texts(cell)
    total = 8 + 3 * MAX_TEXT // len(piece) * len(piece)
    assert head.startswith("start") and tail.endswith("end") and f"of {total:,} characters" in note
    assert len(head) + len(tail) <= MAX_TEXT
    assert texts(cell) == [head, note, tail]


def test_text_up_to_the_limit_is_one_output_without_a_note():
    cell = CellOutputs()
    for _ in range(8_000):
        printed(cell, "." * 64)
    printed(cell, "tail-ok\n")
    assert [len(text) for text in texts(cell)] == [512_008]


def test_a_million_changes_of_stream_stay_bounded():
    cell = CellOutputs()
    for _ in range(100_000):
        printed(cell, "a")
        printed(cell, "b", "stderr")
    assert len(cell.outputs) < 3 * MAX_TEXT // 100 and "of 200,000 characters" in "".join(texts(cell))


def test_too_many_displays_are_counted_and_an_error_is_kept():
    cell = CellOutputs()
    for number in range(MAX_DISPLAYS + 7):
        shown(cell, str(number))
    cell.take("error", {"ename": "E", "evalue": "v", "traceback": []}, "m1")
    assert cell.outputs[-2]["ename"] == "E" and "7 more outputs" in cell.outputs[-1]["text"]


def test_clearing_forgets_at_once_or_when_the_next_output_comes():
    cell = CellOutputs()
    printed(cell, "one")
    cell.take("clear_output", {"wait": True}, "m1")
    assert texts(cell) == ["one"]
    printed(cell, "two")
    assert texts(cell) == ["two"]
    cell.take("clear_output", {"wait": False}, "m1")
    assert cell.outputs == []


def test_what_an_output_widget_takes_stands_behind_it_and_is_cleared_alone():
    cell = CellOutputs()
    view = {"application/vnd.jupyter.widget-view+json": {"model_id": "w"}, "text/plain": "Output()"}
    cell.take("display_data", {"data": view, "metadata": {}}, "m1")
    printed(cell, "before")
    for msg_id, text in [("m1", "gone"), ("m1", "inside"), ("", "after")]:
        cell.take("comm_msg", {"comm_id": "w", "data": {"method": "update", "state": {"msg_id": msg_id}}}, "m1")
        cell.take("clear_output", {}, "m1") if text == "inside" else None
        printed(cell, text)
    assert texts(cell) == ["Output()", "inside", "beforeafter"]


def test_what_a_widget_holds_as_state_is_shown_too():
    cell = CellOutputs()
    held = [{"output_type": "stream", "name": "stdout", "text": "kept"}]
    for outputs in (held[:0], held):
        cell.take("comm_msg", {"comm_id": "w", "data": {"method": "update", "state": {"outputs": outputs}}}, "m1")
    assert texts(cell) == ["kept"]


def test_an_output_is_valid_and_strict_json_whatever_the_kernel_sent():
    data = {"application/json": {"v": float("nan"), "w": float("inf")}, "text/plain": "a\ud800"}
    data |= {
        "x/y": {"a": [1]},
        "text/html": None,
        "model/z+json": [["b"]],
        "application/z+json": 1,
        "text/latex": ["c"],
    }
    content = {"data": data, "metadata": [], "execution_count": 3, "transient": {"display_id": "d"}}
    output = message_output("execute_result", content)
    kept = {"x/y": '{"a":[1]}', "model/z+json": '[["b"]]', "application/z+json": 1, "text/latex": ["c"]}
    assert {
        mime: value for mime, value in output["data"].items() if mime in data and mime in {*kept, "text/html"}
    } == kept
    json.loads(json.dumps(output, ensure_ascii=False).encode().decode(), parse_constant=lambda name: 1 / 0)
    nbformat.validate(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("", outputs=[output], id="a")]))
    assert "transient" not in output and output["execution_count"] == 3


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("error", {"ename": "E", "evalue": {"a": 1}, "traceback": ["x", None]}),
        ("error", {"ename": None, "traceback": "x"}),
        ("execute_result", {"data": [], "execution_count": "1"}),
        ("display_data", {}),
    ],
)
def test_an_output_of_a_kernel_that_knows_no_better_is_valid(kind, content):
    output = message_output(kind, content)
    assert output["output_type"] == kind
    nbformat.validate(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("", outputs=[output], id="a")]))


def test_an_output_that_can_not_be_kept_says_so():
    deep = {}
    for _ in range(300):
        deep = {"x": deep}
    assert "can't be kept" in message_output("display_data", {"data": {"application/json": deep}})["text"]
