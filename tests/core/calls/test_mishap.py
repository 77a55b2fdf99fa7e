import runpy

from cellwright import ToolError
from cellwright.calls.execution import Outcome
from cellwright.calls.mishap import left, raised
from cellwright.messages import Call
from cellwright.views.view import Failure, Group, Text

from ..scene import calling, plain, play

CALL = Call("c1", "t", "{}")


def test_what_a_tool_says_itself_is_told_as_it_is_with_its_view():
    result = raised(CALL, Outcome("raised", error=ToolError("full", "the disk is full\nfree some", Text("half"))))
    assert (result.error_type, result.content) == ("tool_error", "the disk is full\nfree some")
    assert result.view == Group("", (Failure("full", "the disk is full"), Text("half")))


def test_what_still_runs_is_never_told_as_ended():
    assert "STILL RUNNING" in left(Outcome("timeout", still_running=True))
    assert left(Outcome("timeout", last_progress="half")) == "; the last it said: half"


def test_frames_of_a_tool_are_shown_though_its_own_folder_is_called_cellwright(tmp_path):
    file = tmp_path / "cellwright" / "mine.py"
    file.parent.mkdir()
    file.write_text("def fails(args, env):\n    return 1 / 0\n")
    result = play([calling("t"), "done"], [plain(runpy.run_path(str(file))["fails"], "t")]).results[0]
    assert "return 1 / 0" in result.view.detail
