from cellwright.notebook.traceback_text import traceback_text

IPYTHON = [
    "\x1b[31m---------------------------------------------------------------------------\x1b[39m",
    "\x1b[31mZeroDivisionError\x1b[39m                         Traceback (most recent call last)",
    "\x1b[36mCell\x1b[39m\x1b[36m In[2]\x1b[39m\x1b[32m, line 5\x1b[39m\n\x1b[32m      3\x1b[39m     y = 0\n"
    "\x1b[32m----> 5\x1b[39m f(0)",
    "\x1b[36mCell\x1b[39m\x1b[36m In[2]\x1b[39m\x1b[32m, line 2\x1b[39m, in \x1b[36mf\x1b[39m(x)\n"
    "\x1b[32m----> 2\x1b[39m     return 1/x",
    "\x1b[31mZeroDivisionError\x1b[39m: division by zero",
]


def test_places_and_failing_lines_are_left():
    assert traceback_text("ZeroDivisionError", "division by zero", IPYTHON) == (
        "Cell In[2], line 5\n----> 5 f(0)\nCell In[2], line 2, in f(x)\n----> 2     return 1/x\n"
        "ZeroDivisionError: division by zero"
    )


def test_a_syntax_error_keeps_its_line_and_mark():
    lines = ["  Cell In[1], line 1\n    x = (\n        ^\nSyntaxError: '(' was never closed\n"]
    text = traceback_text("SyntaxError", "'(' was never closed (123.py, line 1)", lines)
    assert text.split("\n") == [
        "  Cell In[1], line 1", "    x = (", "        ^", "SyntaxError: '(' was never closed (123.py, line 1)"
    ]  # fmt: skip


def test_the_last_line_is_name_and_value_whatever_came():
    assert traceback_text("Error", "", []) == "Error"
    assert traceback_text("Error", "bad", ["what\neven is this"]).endswith("\nError: bad")


def test_notes_added_to_an_error_are_told():
    lines = ["Cell In[1], line 1\n----> 1 raise e", "ValueError: bad\nvalue", "see the manual", "column: 'b'"]
    assert traceback_text("ValueError", "bad\nvalue", lines).split("\n") == [
        "Cell In[1], line 1", "----> 1 raise e", "note: see the manual", "note: column: 'b'", "ValueError: bad", "value"
    ]  # fmt: skip


def test_a_long_way_is_cut_in_the_middle():
    frames = [f"File ~/m.py:{n}, in f()\n----> {n} f()" for n in range(500)]
    text = traceback_text("RecursionError", "too deep", frames)
    assert text.startswith("File ~/m.py:0") and "left out" in text
    assert text.count("\n") < 30 and "499 f()" in text


def test_a_long_value_is_bounded():
    assert len(traceback_text("E", "word " * 100_000, [])) < 3_000


LIBRARIES = [
    "Cell In[1], line 1\n----> 1 table['zz']",
    "File /v/lib/python3.11/site-packages/pandas/frame.py:43, in get(self, key)\n-> 43 found = self.at(key)",
    "File pandas/_libs/index.pyx:172, in get_loc()\n--> 172 'Could not get source, probably due dynamically evaluated "
    "source code.'",
    "File /venv/lib/python3.11/site-packages/pandas/core/base.py:3823, in at(key)\n-> 3823 raise KeyError(key)",
]


def test_of_frames_in_libraries_the_last_is_kept_and_the_others_are_counted():
    assert traceback_text("KeyError", "'zz'", LIBRARIES).split("\n") == [
        "Cell In[1], line 1",
        "----> 1 table['zz']",
        "[2 frames in libraries left out]",
        "File /venv/lib/python3.11/site-packages/pandas/core/base.py:3823, in at(key)",
        "-> 3823 raise KeyError(key)",
        "KeyError: 'zz'",
    ]


def test_a_frame_that_comes_again_and_again_is_counted():
    frames = ["Cell In[1], line 2\n----> 2 f(0)", *["Cell In[1], line 1, in f(n)\n----> 1 return f(n + 1)"] * 900]
    text = traceback_text("RecursionError", "too deep", frames)
    assert text.split("\n")[3:] == [
        "----> 1 return f(n + 1)",
        "[the frame above 899 more times]",
        "RecursionError: too deep",
    ]
