"""`kill_job`: the end of a command in the background."""

from cellwright.catalogue import load

from ..scene import calling, play

TOOLS = [load(name) for name in ("run_command", "job_output", "wait", "kill_job")]
KILL = calling(("kill_job", {"job": "job-1"}))


def test_a_job_is_ended_without_a_question_and_its_last_words_are_told(tmp_path):
    start = calling(("run_command", {"command": "sleep 60", "background": True}))
    run = play([start, KILL, KILL, "done"], TOOLS, cwd=tmp_path)
    killed, again = run.results[1:]
    assert killed.content == "(no output)\n[killed, the signal SIGTERM]"
    assert killed.metadata["decision"]["by"] == "tool"
    assert again.value["state"] == "killed"


def test_an_unknown_name_is_answered_with_those_there_are(tmp_path):
    (result,) = play([KILL, "done"], TOOLS, cwd=tmp_path).results
    assert (result.metadata["code"], "there are: none" in result.content) == ("not_found", True)
