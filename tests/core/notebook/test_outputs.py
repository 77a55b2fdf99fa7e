import base64
import re
import struct
import time

import pytest

from cellwright.notebook.outputs import outputs_images, outputs_text, outputs_view
from cellwright.views.table import Table
from cellwright.views.tree import tree_view
from cellwright.views.view import Failure, Group, Picture, Terminal, Text

PNG = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", 640, 480) + bytes(8_988) + b"\0\0\0\0IEND\xaeB`\x82"
JPEG = b"\xff\xd8\xff\xc0\0\x0b\x08\0\x02\0\x03\1\1\x11\0\xff\xd9"
WIDGET = "application/vnd.jupyter.widget-view+json"
TABLE = "<table><thead><tr><th></th><th>a</th></tr></thead><tbody><tr><th>0</th><td>1</td></tr></tbody></table>"


def stream(text, name="stdout"):
    return {"output_type": "stream", "name": name, "text": text}


def display(**data):
    named = {"html": "text/html", "plain": "text/plain", "latex": "text/latex", "json": "application/json"}
    return {"output_type": "display_data", "metadata": {}, "data": {named.get(key, key): v for key, v in data.items()}}


def picture(data=PNG, mime="image/png", plain="<Figure size 640x480 with 1 Axes>"):
    return display(**{mime: base64.b64encode(data).decode(), "plain": plain})


def error():
    return {"output_type": "error", "ename": "KeyError", "evalue": "'k'", "traceback": ["\x1b[31mFile x.py\x1b[0m"]}


@pytest.mark.parametrize(
    ("output", "text"),
    [
        (display(html=TABLE, plain="   a\n0  1"), "   a\n0  1"),
        (display(html="<b>only</b><script>x()</script>"), "only"),
        (display(html="<p>rich</p>", plain="<IPython.core.display.HTML object>"), "rich"),
        (display(json={"b": [1, 2], "a": None}), '{"b":[1,2],"a":null}'),
        (display(latex="$x^2$", plain="x**2"), "x**2"),
        (display(latex="$x^2$", plain="<IPython.core.display.Latex object>"), "$x^2$"),
        (display(plain=["a\n", "b"]), "a\nb"),
        (picture(), "[image/png, 640x480, 9,024 bytes]\n<Figure size 640x480 with 1 Axes>"),
        (display(**{"image/svg+xml": "<svg/>"}), "[image/svg+xml, 6 characters]"),
        (display(**{WIDGET: {"model_id": "0123"}, "plain": "IntSlider(value=0)\nmore"}), "[widget] IntSlider(value=0)"),
        (display(**{"application/x-thing": "abc"}), "[application/x-thing, 3 characters]"),
        (error(), "File x.py\nKeyError: 'k'"),
        ({"output_type": "nonsense"}, "[an output of the unknown type 'nonsense']"),
    ],
)
def test_a_model_reads_one_form_of_an_output(output, text):
    assert outputs_text([output], 10_000) == text


def test_pieces_of_a_stream_are_joined_without_newlines_and_stderr_is_marked():
    outputs = [stream("a"), stream("b"), stream("c\n"), stream("oh\n", "stderr"), stream("d")]
    assert outputs_text(outputs, 10_000) == "abc\n[stderr]\noh\n[stdout]\nd"


def test_a_sequence_divided_between_two_pieces_is_still_cleaned():
    assert outputs_text([stream("a\x1b["), stream("31mb")], 1_000) == "ab"


def test_no_base64_and_both_ends_of_a_long_stream_reach_the_model():
    rows = "".join(f"row {n}\n" for n in range(20_000))
    text = outputs_text([picture(bytes(300_000)), stream(rows), display(plain=base64.b64encode(PNG).decode())], 5_000)
    assert not re.search(r"[A-Za-z0-9+/=]{121,}", text)
    assert "[image/png, 300,000 bytes]" in text and "row 0\n" in text and "row 19999\n" in text
    assert "left out" in text and len(text) < 6_000


def test_pictures_up_to_the_limits_reach_a_model_that_can_see():
    outputs = [picture(), picture(bytes(5_000_000)), stream("x"), picture(JPEG, "image/jpeg"), picture()]
    assert [image.media_type for image in outputs_images(outputs, 2)] == ["image/png", "image/jpeg"]
    assert base64.b64decode(outputs_images(outputs, 1)[0].data) == PNG
    assert outputs_images([display(**{"image/png": "<no base64>", "image/svg+xml": "<svg/>"})], 5) == ()


@pytest.mark.parametrize("bad", [picture(PNG[:-1]), picture(PNG, "image/jpeg"), picture(b"hello")])
def test_a_damaged_picture_is_kept_from_the_model(bad):
    assert outputs_images([bad, picture()], 5) == outputs_images([picture()], 5)


def test_a_person_gets_each_output_in_its_richest_safe_form():
    outputs = [stream("\x1b[31mred"), stream("oh", "stderr"), display(html=TABLE, plain="a"), picture(), error()]
    terminal, stderr, table, image, failed = outputs_view(outputs).views
    assert terminal == Terminal("\x1b[31mred") and stderr == Group("stderr", (Terminal("oh"),))
    assert isinstance(table, Table) and table.columns == ("", "a")
    assert isinstance(image, Picture) and image.alt == "<Figure size 640x480 with 1 Axes>"
    assert failed == Failure("KeyError", "'k'", "File x.py")


def test_a_person_gets_json_as_a_tree_and_html_as_text():
    views = outputs_view(
        [display(json={"a": 1}), display(html="<b onclick=x()>hi</b>"), picture(bytes(5_000_000))]
    ).views
    assert views[0] == tree_view({"a": 1}) and views[1] == Text("hi")
    assert views[2].text.startswith("[image/png, 5,000,000 bytes]")


@pytest.mark.parametrize("output", [{}, {"output_type": "stream"}, {"output_type": "error", "traceback": None}])
def test_damaged_outputs_of_a_file_do_no_harm(output):
    assert isinstance(outputs_text([output], 1_000), str) and isinstance(outputs_view([output]), Group)


@pytest.mark.parametrize("wrap", [stream, lambda text: display(plain=text)])
def test_of_a_hundred_megabytes_the_ends_are_read_and_the_rest_is_counted(wrap):
    long = "".join(f"row {number}\n" for number in range(100_000)) * 95 + "the end\n"
    start = time.process_time()
    text = outputs_text([wrap(long)], 2_000)
    assert time.process_time() - start < 1
    head, characters, lines, tail = re.split(r"\[… ([\d,]+) characters in ([\d,]+) lines left out …\]\n", text)
    assert (head[:6], tail[-7:]) == ("row 0\n", "the end")
    told = [int(number.replace(",", "")) for number in (characters, lines)]
    assert abs(len(long) - len(head) - told[0] - len(tail)) < 70
    assert abs(long.count("\n") - head.count("\n") - told[1] - tail.count("\n")) < 6  # the mark itself has some


@pytest.mark.parametrize("mark", ["2,000,000 of 3,000,000 characters left out here", "2,000,000 characters left out"])
def test_what_was_left_out_before_is_counted_with_what_is_left_out_now(mark: str):
    text = f"head\n{'a b ' * 60_000}\n[… {mark} …]\n{'c d ' * 60_000}\ntail"
    (seen,) = outputs_view([stream(text)]).views
    left = [re.findall(r"… ([\d,]+) characters in", shown) for shown in (outputs_text([stream(text)], 500), seen.text)]
    assert [round(int(found.replace(",", "")) / 1e5) for (found,) in left] == [25, 24]


def test_what_is_known_of_the_value_takes_the_place_of_what_it_put_out():
    value = {**display(html=TABLE, plain="1"), "output_type": "execute_result"}
    known = Text("all of it")
    assert outputs_view([stream("a"), value, picture()], known).views[1] == known
    assert known not in outputs_view([stream("a"), display(html=TABLE)], known).views
