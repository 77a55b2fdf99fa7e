"""`read_result`: what was cut can be read to its end, and nothing else can."""

import re

import pytest

from cellwright.calls.spill import Spill
from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.messages import Call
from cellwright.result import Result
from cellwright.tools.read_file import read_file
from cellwright.tools.read_result import read_result

from ..scene import calling, play, returning

LINES = "".join(f"line {n}\n" for n in range(1, 100_001)) + "test result: FAILED. 1 passed; 1 failed"


@pytest.fixture
def env(tmp_path):
    spill = Spill(tmp_path.resolve(), "run-1")
    for call_id, text in (("call_1", LINES), ("call_2", '{"a":"' + "word " * 4_000 + '"}'), ("call_3", "a\n" * 30_000)):
        spill.fitted(Result(Call(call_id, "give", "{}"), True, text), 4_000)
    return Env(tmp_path.resolve(), spill=spill)


def read(env, **args):
    assert read_result.input_schema.problems(args) == ()
    return read_result.execute(args, env)


def refusal(env, **args):
    with pytest.raises(ToolError) as caught:
        read(env, **args)
    return caught.value


def test_lines_are_numbered_and_the_first_line_tells_the_total(env):
    output = read(env, call_id="call_1", offset=99_999, limit=2)
    assert output.content == (
        "call_1 (give): lines 99999 to 100000 of 100001\n 99999\tline 99999\n100000\tline 100000\n"
        "1 more lines; go on with offset=100001"
    )
    assert output.value == {
        "call_id": "call_1",
        "lines": [99_999, 100_000],
        "text": "line 99999\nline 100000\n",
        "total_lines": 100_001,
    }


@pytest.mark.parametrize(("call_id", "text"), [("call_1", LINES), ("call_2", None)])
def test_following_the_offsets_gives_every_line_once(env, call_id, text):
    whole, offset = [], 1
    while True:
        output = read(env, call_id=call_id, offset=offset, limit=10_000)
        assert len(output.content) <= 50_000
        whole.append(output.value["text"])
        more = re.search(r"go on with offset=(\d+)$", output.content)
        if more is None:
            break
        offset = int(more[1])
    kept = env.spill.kept[call_id].path.read_text()
    assert "".join(whole) == kept + "\n"
    assert text is None or kept == text


def test_one_long_line_can_be_read_to_its_end(env):
    output = read(env, call_id="call_2")
    assert output.value["text"].replace("\n", "") == '{"a":"' + "word " * 4_000 + '"}'
    assert output.content.startswith("call_2 (give): lines 1 to 11 of 11\n     1\t{")


def test_lines_that_match_a_pattern_are_found_with_their_numbers(env):
    output = read(env, call_id="call_1", pattern="9999$|FAILED")
    assert output.content.startswith(
        "call_1 (give): 11 of 100001 lines match '9999$|FAILED', from line 1 on\n  9999\tline"
    )
    assert output.content.endswith("100001\ttest result: FAILED. 1 passed; 1 failed")
    assert read(env, call_id="call_1", pattern="FAILED", offset=100_001).value["lines"] == [100_001]
    assert read(env, call_id="call_1", pattern="nowhere").content.endswith(
        "0 of 100001 lines match 'nowhere', from line 1 on"
    )


def test_many_matches_are_given_a_window_at_a_time(env):
    output = read(env, call_id="call_1", pattern="line", limit=3)
    assert output.content.endswith("\n     3\tline 3\n99997 more matches; go on with offset=4")
    assert len(read(env, call_id="call_1", pattern="line", limit=100_000).content) <= 50_000


def test_a_costly_pattern_is_no_danger(env):
    assert read(env, call_id="call_2", pattern=r"(w+o?)+\1x$").value["lines"] == []


def test_a_search_that_was_stopped_is_not_told_as_one_that_found_nothing(env):
    env.stopping.set()
    assert refusal(env, call_id="call_1", pattern="(?=(.*?){1,9}z)").code == "timeout"


def test_a_pattern_that_is_none_is_refused(env):
    error = refusal(env, call_id="call_1", pattern="(")
    assert (error.code, "'(' is no pattern: " in error.message) == ("invalid_pattern", True)


def test_an_unknown_call_is_told_with_those_that_there_are(env, tmp_path):
    error = refusal(env, call_id="call_9")
    assert error.code == "not_found"
    assert error.message == (
        "no result of 'call_9' was cut and kept; there are: call_1 (give), call_2 (give), call_3 (give)"
    )
    assert refusal(Env(tmp_path), call_id="../x").message.endswith("there are: none")


def test_an_offset_past_the_end_tells_the_total(env):
    error = refusal(env, call_id="call_1", offset=100_002)
    assert (error.code, error.message) == (
        "past_end",
        "the result of call_1 has 100001 lines; offset 100002 is past the end",
    )


@pytest.mark.parametrize("link", [False, True])
def test_a_file_that_is_gone_or_that_a_link_has_taken_the_place_of_is_told(env, link):
    env.spill.kept["call_1"].path.unlink()
    if link:
        env.spill.kept["call_1"].path.symlink_to("/etc/hostname")
    error = refusal(env, call_id="call_1")
    assert (error.code, error.message.endswith("is gone; call the tool again")) == ("not_found", True)


@pytest.mark.parametrize("args", [{"offset": 0}, {"limit": 0}, {"offset": "1"}, {"pattern": 3}])
def test_arguments_of_the_wrong_kind_are_refused_by_the_schema(args):
    assert read_result.input_schema.problems({"call_id": "call_1", **args})


def test_a_model_reads_on_in_what_was_cut_by_the_id_or_by_the_path(tmp_path):
    tools = [returning(LINES, max_result_chars=4_000), read_result, read_file]
    by_id = ("read_result", {"call_id": "call_1", "offset": 99_997})
    by_path = ("read_file", {"path": f".cellwright/runs/{next_id()}/call_1.txt", "offset": 99_997})
    run = play([calling("give"), calling(by_id, by_path), "done"], tools, cwd=tmp_path)
    for result in run.results[1:]:
        assert (result.ok, "\n100001\ttest result: FAILED. 1 passed; 1 failed" in result.content) == (True, True)


def next_id():
    """The id of the run that is started next."""
    number = int(play(["hi"]).id.removeprefix("run-"))
    return f"run-{number + 1}"
