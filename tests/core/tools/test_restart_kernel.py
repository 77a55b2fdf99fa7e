"""Kernels that start anew."""

from cellwright.catalogue import load
from cellwright.permission.policy import Policy

from ..scene import calling, play_long

TOOLS = [load("run_code"), load("restart_kernel")]


def test_variables_are_lost_and_that_is_said_whether_the_kernel_lived_or_not(tmp_path):
    restart = calling("restart_kernel")
    codes = ["x = 1", "x", "import os; os._exit(1)", "2"]
    set_, lost, dies, two = (calling(("run_code", {"code": code})) for code in codes)
    turns = [restart, set_, restart, lost, dies, restart, two, "done"]
    results = play_long(turns, TOOLS, policy=Policy(allow={"run_code"}), cwd=tmp_path).results
    assert (results[0].metadata["code"], results[2].metadata["decision"]["by"]) == ("not_started", "tool")
    assert results[2].content == "the kernel python3 was restarted; all variables are lost"
    assert "NameError" in results[3].content and results[3].content.count("\n") == 2
    assert "was gone, and is started anew" in results[5].content
    assert (results[5].value["starts"], results[6].content) == (3, "2")
