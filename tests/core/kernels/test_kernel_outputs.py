from cellwright.kernels.kernel_outputs import MAX_CELLS, KernelOutputs


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


def test_what_comes_after_a_cell_was_told_has_a_place_of_its_own():
    kernel = KernelOutputs()
    told, other = kernel.open("m1"), kernel.open("m2")
    kernel.take(display("m1", "one", "d"))
    rest = kernel.part(told)
    kernel.take(display("m2", "two", "d", "update_display_data"))
    kernel.take(display("m2", "three", "d", "update_display_data"))
    kernel.take(display("m1", "late"))
    assert (plain(told), plain(rest), other.outputs) == (["one"], ["three", "late"], [])
    assert kernel.part(rest).outputs == []


def test_of_very_many_cells_the_oldest_are_not_listened_to():
    kernel = KernelOutputs()
    first = kernel.open("m0")
    kernel.take(display("m0", "one", "d"))
    for number in range(1, MAX_CELLS + 1):
        last = kernel.open(f"m{number}")
    kernel.take(display("m0", "late"))
    kernel.take(display(f"m{MAX_CELLS}", "two", "d"))
    assert (plain(first), plain(last)) == (["one"], ["two"])
