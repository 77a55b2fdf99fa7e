from cellwright.kernel_outputs import KernelOutputs


def message(kind, msg_id, display_id=None, **content):
    if display_id:
        content["transient"] = {"display_id": display_id}
    return {"msg_type": kind, "parent_header": {"msg_id": msg_id}, "content": content}


def display(msg_id, plain, display_id=None, kind="display_data"):
    return message(kind, msg_id, display_id, data={"text/plain": plain}, metadata={})


def plain(cell):
    return [output["data"]["text/plain"] for output in cell.outputs]


def test_a_late_output_reaches_the_cell_that_started_it():
    kernel = KernelOutputs()
    first, second = kernel.open("m1"), kernel.open("m2")
    kernel.take(message("stream", "m2", name="stdout", text="4"))
    kernel.take(message("stream", "m1", name="stdout", text="late"))
    assert [cell.outputs[0]["text"] for cell in (first, second)] == ["late", "4"]


def test_an_output_that_no_cell_caused_is_dropped():
    kernel = KernelOutputs()
    cell = kernel.open("m1")
    kernel.take(message("stream", "elsewhere", name="stdout", text="x"))
    kernel.take({"msg_type": "stream", "parent_header": {}, "content": {"name": "stdout", "text": "x"}})
    assert cell.outputs == []


def test_an_update_changes_every_display_of_its_id_and_adds_none():
    kernel = KernelOutputs()
    first, second = kernel.open("m1"), kernel.open("m2")
    for output in (display("m1", "one", "d"), display("m1", "other", "e"), display("m1", "one", "d")):
        kernel.take(output)
    kernel.take(display("m2", "two", "d", "update_display_data"))
    assert (plain(first), second.outputs) == (["two", "other", "two"], [])
    assert all("transient" not in output for output in first.outputs)


def test_an_update_of_something_unknown_or_cleared_does_nothing():
    kernel = KernelOutputs()
    cell = kernel.open("m1")
    kernel.take(display("m1", "gone", "d"))
    kernel.take(message("clear_output", "m1", wait=False))
    kernel.take(display("m1", "back", "d", "update_display_data"))
    kernel.take(display("m1", "new", "unknown", "update_display_data"))
    assert cell.outputs == []
