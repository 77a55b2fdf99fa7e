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


def test_a_long_way_is_cut_in_the_middle():
    frames = [f"File ~/m.py:{n}, in f()\n----> {n} f()" for n in range(500)]
    text = traceback_text("RecursionError", "too deep", frames)
    assert text.startswith("File ~/m.py:0") and "left out" in text
    assert text.count("\n") < 30 and "499 f()" in text


def test_a_long_value_is_bounded():
    assert len(traceback_text("E", "word " * 100_000, [])) < 3_000
