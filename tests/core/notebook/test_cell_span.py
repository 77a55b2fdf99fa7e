import json
import random

import pytest

from cellwright.notebook.cell_span import find_cells
from cellwright.notebook.json_span import scan_array, scan_object

REST = '"metadata": {"k": [1, "]"]}, "nbformat": 4, "nbformat_minor": 5'


def slowly(text):
    """The places of the cells as a reader finds them that reads all values one by one."""
    member = scan_object(text, 0).effective()["cells"]
    return [(item.start, item.end) for item in scan_array(text, member.start).items]


def cells_of(text):
    found = find_cells(text.encode(), 0)
    return None if found is None else list(found.cells)


def is_object(text):
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False


@pytest.mark.parametrize("indent", [None, 1, 4, "\t"])
def test_the_places_are_those_that_a_slow_reading_finds(indent):
    chooser = random.Random(repr(indent))
    for count in range(6):
        cells = [{"a": chooser.choice(["", "[{", 'x\\"]', ["}", 1]]), "cells": [number]} for number in range(count)]
        members = [("metadata", {"k": "cells"}), ("cells", cells), ("nbformat", 4)]
        text = json.dumps(dict(chooser.sample(members, 3)), indent=indent)
        assert cells_of(text) == slowly(text)


@pytest.mark.parametrize("cells", ["[]", "[ ]", "[{}]", '[\n{"a": 1} ,\r\n\t{"b": [2]}\n]', '[7, "x", null]'])
def test_blanks_of_any_kind_stand_between_cells(cells):
    text = f' {{"cells" :\t{cells}, {REST}}}\n\n'
    found = find_cells(text.encode(), 0)
    assert [text[start:end] for start, end in found.cells] == [json.dumps(cell) for cell in json.loads(cells)]
    assert text[found.end] == "]" and found.fields == json.loads("{" + REST + "}")


@pytest.mark.parametrize(
    "text",
    [
        '{"metadata": {"cells": [{"x": 1}]}, "cells": [{"x": 1}]}',
        '{"cells": [{"x": 1}], "cells": [{"x": 1}]}',
        '{"cells": [{"x": 1}], "cells": 5}',
        '{"c\\u0065lls": [{}]}',
        '{"cells": [{"x": NaN}]}',
        '{"cells": [{"x": "\\ud800"}]}',
    ],
)
def test_where_it_is_not_certain_which_list_counts_there_is_no_answer(text):
    assert cells_of(text) is None


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"cells": 5}', '{"cells": [{}', '{"cells": [{}]', '{"cells": [{}]} x', '{"cells": [{},]}']
)
def test_what_is_no_notebook_has_no_answer(text):
    assert cells_of(text) is None


@pytest.mark.parametrize("indent", [None, 1])
def test_whatever_a_file_is_turned_into_an_answer_is_the_slow_one(indent):
    chooser, certain = random.Random(7), 0
    whole = json.dumps(json.loads(f'{{"cells": [{{"a": ["x\\n", {{}}]}}, {{"cells": [2]}}], {REST}}}'), indent=indent)
    for _ in range(3000):
        text = list(whole)
        for _ in range(chooser.randint(1, 3)):
            text[chooser.randrange(len(text))] = chooser.choice('[]{},:"\\ 0cels\n')
        places = cells_of("".join(text))
        if places is not None and all(is_object("".join(text[begin:end])) for begin, end in places):
            certain += 1
            assert places == slowly("".join(text))
    assert certain > 100


@pytest.mark.parametrize("inner", ['{"a": {"b": 1\n }}', '{"a": [{\n },\n {\n }]}', '{"a": "\n },\n {"}'])
def test_a_brace_in_the_column_of_the_cells_that_closes_none_is_not_taken_for_an_end(inner):
    text = f'{{"cells": [\n {inner[:-1]}\n }}\n], {REST}}}'
    places = cells_of(text) or [(0, 1)]
    assert not all(is_object(text[begin:end]) for begin, end in places) or places == slowly(text)
