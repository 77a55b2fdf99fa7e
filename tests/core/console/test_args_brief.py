import pytest

from cellwright.console.args_brief import BRIEF, args_brief


@pytest.mark.parametrize(
    ("args", "line"),
    [
        ({}, ""),
        ({"timeout": 5, "command": "ls  -l\n"}, "ls -l · timeout: 5"),
        ({"text": "a"}, "text: a"),
        ({"path": "a.py", "deep": {"b": [None]}}, 'a.py · deep: {"b": [null]}'),
        ({"question": "Which?", "choices": [{"label": "a"}, "b"]}, "Which? · choices: 2 items"),
        ({"cells": ["a", "b"], "rows": [[1, 2]]}, 'cells: ["a", "b"] · rows: 1 item'),
    ],
)
def test_the_telling_arguments_come_first(args, line):
    assert args_brief(args) == line


def test_it_is_short_whatever_there_is():
    assert len(args_brief({f"name {n}": "x" * 10_000 for n in range(100)})) == BRIEF
