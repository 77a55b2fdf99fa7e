from typing import get_args

import pytest

from cellwright.errors import ToolError
from cellwright.views.todo_list import MARKS, Status, Todo, TodoList, todo_text


def test_a_list_tells_how_far_it_is():
    todo = Todo.of([("look", "completed"), ("mend", "in_progress"), ("tell", "pending")])
    assert (todo.done, todo.summary) == (1, "1 of 3 done")
    assert todo_text(todo) == "1 of 3 done\n[x] look\n[>] mend\n[ ] tell"


def test_an_empty_list_says_so():
    assert (TodoList().now, todo_text(Todo())) == (Todo(), "nothing is on the list")


def test_a_step_is_one_line_in_which_nothing_hides():
    todo = Todo.of([(" look\n at\tit ", "pending"), ("a\u200bb", "pending")])
    assert todo_text(todo).splitlines()[1:] == ["[ ] look at it", "[ ] a⟨U+200B⟩b"]


@pytest.mark.parametrize(
    ("items", "words"),
    [
        ([("a", "pending"), (" a ", "completed")], "steps 1 and 2 are both 'a'"),
        ([("a", "in_progress"), ("b", "in_progress")], "2 steps are in_progress ('a', 'b')"),
        ([("a", "pending"), (" \n", "pending")], "step 2 has no words"),
    ],
)
def test_a_list_that_is_none_is_refused_with_the_steps_that_are_wrong(items, words):
    with pytest.raises(ToolError) as caught:
        Todo.of(items)
    assert (caught.value.code, words in caught.value.message) == ("invalid_arguments", True)


def test_a_status_from_another_log_is_shown_as_unknown_and_each_of_ours_has_a_mark():
    assert "[?] a" in todo_text(Todo((("a", "abandoned"),)))  # a log may hold anything
    assert tuple(MARKS) == get_args(Status) == ("pending", "in_progress", "completed")
