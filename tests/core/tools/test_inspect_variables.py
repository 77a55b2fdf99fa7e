"""The variables of a kernel."""

import pytest

from cellwright.catalogue import load
from cellwright.permission.policy import Policy
from cellwright.views.table import Table

from ..scene import calling, play_long
from .notebooks import env

TOOLS = [load("run_code"), load("inspect_variables")]
LOOK = calling("inspect_variables")
MAKE = """
import numpy as np
n, a = 1, np.zeros((2, 3))
class Endless:
  def __repr__(self):
    while True: pass
e = Endless()
"""
GIVEN_AWAY = """
shell = get_ipython
def compile(*_): raise SystemExit
exec = get_ipython = set = compile
globals()["two\\nlines"] = 2
"""


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    turns = [
        LOOK,
        calling(("run_code", {"code": MAKE})),
        LOOK,
        calling(("inspect_variables", {"names": ["n", "zz"]})),
        calling(("run_code", {"code": GIVEN_AWAY})),
        calling(("inspect_variables", {"names": ["n", "two\nlines"]})),
        calling(("run_code", {"code": "shell().display_pub.publish = None"})),
        LOOK,
        calling(("run_code", {"code": "len(In)"})),
        calling(("run_code", {"code": "import os; os.kill(os.getpid(), 9)"})),
        LOOK,
        "done",
    ]
    rules = Policy(allow={"run_code"})
    return play_long(turns, TOOLS, policy=rules, cwd=tmp_path_factory.mktemp("look")).results


def test_each_is_told_with_type_shape_dtype_size_and_preview_and_none_is_printed(results):
    assert results[2].content.splitlines() == [
        "Endless: type = class Endless",
        "a: numpy.ndarray (2, 3) float64 48 bytes = [0.0, 0.0, 0.0, 0.0, 0.0, …]",
        "e: Endless = <Endless>",
        "n: int = 1",
    ]
    assert isinstance(results[2].view, Table) and results[2].value["kernel"] == "python3"


def test_those_that_are_named_come_alone_and_missing_ones_are_named(results):
    assert results[3].content == "n: int = 1\nnot in the kernel python3: zz"


def test_where_there_are_none_it_is_said_of_which_kernel(tmp_path):
    turns = [calling(("run_code", {"code": "1"})), LOOK, "done"]
    looked = play_long(turns, TOOLS, policy=Policy(allow={"run_code"}), cwd=tmp_path).results[1]
    assert looked.content == "(no variables in the kernel python3, which is the run's and not the person's own)"


def test_without_variables_there_is_an_error_that_says_why(results):
    assert [results[index].metadata["code"] for index in (0, 7, 10)] == ["not_started", "not_told", "kernel_died"]
    assert "TypeError" in results[7].content and "starts it anew" in results[10].content


def test_what_the_person_gave_the_names_of_python_to_is_not_called_and_a_name_stays_in_its_line(results):
    assert results[5].content == "n: int = 1\n'two\\nlines': int = 2"


def test_looking_leaves_nothing_in_the_history_of_the_kernel(results):
    assert results[8].content == "5"


def test_it_only_reads_so_nobody_is_asked(tmp_path):
    assert Policy("plan").decide(TOOLS[1], {}, env(tmp_path)).decision == "allow"
