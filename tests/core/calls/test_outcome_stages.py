import datetime
import os
import threading
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from msgspec.structs import replace

from cellwright import Allow, Output, ToolError, tool
from cellwright.log.events import Recorder
from cellwright.messages import Image, UserMessage
from cellwright.schema import Schema
from cellwright.views.tree import tree_view
from cellwright.views.view import Failure, Text

from ..scene import calling, encodes, kinds_of, plain, play, returning, strict


def result_of(made, args=None, **conditions):
    run = play([calling((made.name, args or {})), "done"], [made], [Allow()], **conditions)
    assert run.answer == "done"
    (result,) = run.results
    return result


def test_a_rich_value_is_kept_as_json_and_told_as_json():
    value = {"n": np.int64(3), "a": np.arange(3), "s": {2, 1}, "d": datetime.date(2024, 1, 2), "p": Path("x")}
    result = result_of(returning(value))
    assert result.value == strict(result.content) == {"n": 3, "a": [0, 1, 2], "s": [1, 2], "d": "2024-01-02", "p": "x"}


@pytest.mark.parametrize(
    "value",
    [{"x": float("nan"), "y": [float("inf")]}, np.nan, pd.DataFrame({"a": [np.nan, 0], "t": [pd.NaT, None]}), pd.NA],
    ids=range(4),
)
def test_numbers_that_json_lacks_never_reach_the_log_or_the_model(value):
    run = play([calling("give"), "done"], [returning(value)])
    for event in run.events:
        strict(encodes(event.data))
    assert "NaN" in run.results[0].content or run.results[0].content == "null"


@pytest.mark.parametrize(
    "value",
    ["x\ud83dy", {"k\ud83d": "v\ude00"}, ["\ud83d"], Output("a", "c\ud83d", context="n\ud83d", meta={"\ud83d": 1})],
)
def test_a_value_with_half_a_letter_does_not_spoil_the_history(value):
    run = play([calling("give"), "done"], [returning(value)])
    texts = [message.text if isinstance(message, UserMessage) else str(message) for message in run.conversation]
    assert "\\ud83d" not in encodes(texts)
    assert run.answer == "done"


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (object(), "give ran, but what it returned can't be kept: value is a builtins.object, which has no JSON form"),
        (Figure(), "view=figure_view(figure)), which is in cellwright.views.view"),
        (Figure().subplots(), "view=figure_view(axes.figure)), which is in cellwright.views.view"),
        ({1: 1, "1": 2}, "two keys that are both written '1'"),
        (Output(1, content=3), "content is a int, not a text"),
        (Output(1, context=None), "context is a NoneType, not a text"),
        (Output(1, stops_run=True), "stops_run is a bool, not a text"),
        (Output(1, images=("x",)), "images holds something else than Image(...)"),
        (Output(1, images=None), "can't be read: TypeError"),
        (Output(1, meta=3), "can't be read: TypeError"),
        (Output(1, meta={"a": print}), "has no JSON form"),
    ],
    ids=range(11),
)
def test_a_value_that_can_not_be_kept_is_told_as_such(value, words):
    result = result_of(returning(value))
    assert result.error_type == "invalid_output"
    assert words in result.content


def test_a_text_spelt_in_letters_that_nobody_sees_is_named_to_the_model():
    assert play([calling("give"), "done"], [returning("a\U000e0072b")]).results[0].content == "a⟨U+E0072⟩b"


def test_a_value_is_held_against_the_schema_of_the_output():
    schema = Schema({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]})
    assert result_of(returning({"n": np.int64(1)}, output_schema=schema)).ok
    result = result_of(returning({"n": "x"}, output_schema=schema))
    assert (result.error_type, result.content) == (
        "invalid_output",
        'give ran, but its value is wrong: n must be an integer, got string "x"',
    )
    assert "value must be an object, got integer 3" in result_of(returning(3, output_schema=schema)).content
    number = Schema({"type": "integer"})
    assert result_of(returning(3, output_schema=number)).ok
    assert 'value must be an integer, got string "x"' in result_of(returning("x", output_schema=number)).content


def test_what_an_output_says_of_itself_is_taken():
    image = Image("image/png", "aGk=")
    output = Output({"a": 1}, "for the model", Text("for the person"), (image,), "note", {"k": [1]})
    run = play([calling("give"), "done"], [returning(output)])
    (result,) = run.results
    assert (result.value, result.content, result.view) == ({"a": 1}, "for the model", Text("for the person"))
    assert (result.images, run.conversation[2].images) == ((image,), (image,))
    assert (result.context, run.conversation[3]) == ("note", UserMessage("note"))
    assert (result.metadata["k"], "[1]" in encodes([m.text for m in run.conversation if hasattr(m, "text")])) == (
        [1],
        False,
    )


def test_content_and_view_come_from_the_same_value():
    made = returning(
        {"a": 1},
        render=lambda value: f"a is {value['a']}",
        present_result=lambda args, value, meta: Text(str(value["a"])),
    )
    result = result_of(made)
    assert (result.content, result.view) == ("a is 1", Text("1"))
    result = result_of(returning({"a": 1}))
    assert (result.content, result.view) == ('{"a":1}', tree_view({"a": 1}))


def test_a_view_is_made_of_the_arguments_that_ran_the_value_and_what_the_tool_kept_beside_it():
    seen = []

    def present(args, value, meta):
        seen.append((args, value, meta))
        args["text"] = "changed"
        return Text(f"{value} of {meta['rows']}")

    made = returning(Output({"n": 1}, meta={"rows": 5}), present_result=present)
    run = play([calling(("give", {"text": "a"})), "done"], [made])
    assert (run.results[0].view, seen) == (Text("{'n': 1} of 5"), [({"text": "changed"}, {"n": 1}, {"rows": 5})])
    assert kinds_of(run, "arguments")[0].data["args"] == {"text": "a"}


def test_a_view_that_is_none_is_replaced_by_one_that_says_so():
    result = result_of(returning(Output("x", view="nothing")))
    assert (result.ok, result.content, result.view.views[1]) == (True, "x", Text("x"))
    result = result_of(returning(Output("x", view=Text(print))))
    assert isinstance(result.view.views[0], Failure)


def test_a_value_that_only_looks_like_a_table_is_shown_all_the_same():
    result = result_of(returning({"columns": ["a"], "rows": [1, 2], "total": 2}))
    assert (result.ok, result.view.kind) == (True, "tree")


def test_the_last_pass_sees_failures_too():
    def fails(args, env):
        raise ValueError("key=SECRET")

    made = plain(fails, "t", finalize=lambda text: text.replace("SECRET", "****"))
    assert result_of(made).content == "ValueError: key=****"


def test_a_long_content_is_cut_and_the_metadata_says_by_how_much(tmp_path):
    result = result_of(returning("x" * 60_000), cwd=tmp_path)
    left_out = result.metadata["characters_left_out"]
    assert 10_000 < left_out < 10_300
    assert len(result.value) == 60_000
    assert f"{left_out:,} characters in 1 line left out; the whole text is in .cellwright/runs/" in result.content
    assert (tmp_path / result.metadata["spilled"]["path"]).read_text().replace("\n", "") == "x" * 60_000
    assert len(result_of(returning("x" * 5000, max_result_chars=1000), cwd=tmp_path).content) <= 1000


@pytest.mark.parametrize("value", ["a line of it; task-list\n" * 430_000, "x" * 10_000_000], ids=["lines", "one line"])
def test_ten_million_characters_are_cut(tmp_path, value):
    result = result_of(returning(value), cwd=tmp_path, log=tmp_path / "log")
    assert len(result.content) <= 50_000


def test_a_long_failure_is_cut_as_well(tmp_path):
    def fails(args, env):
        raise ValueError("x" * 1_000_000)

    result = result_of(plain(fails, "t"), cwd=tmp_path)
    assert len(result.content) <= 50_000
    assert len(result.view.detail) < 11_000


def test_the_person_sees_the_traceback_and_the_model_does_not():
    def fails(args, env):
        return 1 / 0

    result = result_of(plain(fails, "t"))
    assert result.content == "ZeroDivisionError: division by zero"
    assert "return 1 / 0" in result.view.detail
    assert "execution.py" not in result.view.detail
    assert (result.metadata["code"], result.metadata["error_class"]) == ("exception", "arithmetic")


GENERATORS = {}


def generator(function):
    GENERATORS[function.__name__] = function
    return function


@generator
def raises_late(args, env):
    yield "a"
    raise ValueError("boom")


@generator
async def raises_late_async(args, env):
    yield "a"
    raise ValueError("boom")


@pytest.mark.parametrize("name", GENERATORS)
def test_a_generator_that_fails_keeps_what_it_said(name):
    assert result_of(plain(GENERATORS[name], "t")).content == "ValueError: boom\nBefore that it said: a"


def test_an_endless_tool_is_cut_by_its_deadline_and_closed():
    ended = []

    @tool(read_only=True, timeout=0.1)
    def endless() -> str:
        """Does not end."""
        try:
            while True:
                yield "more"
                time.sleep(0.01)
        finally:
            ended.append(1)

    result = result_of(endless)
    assert (result.error_type, ended) == ("timeout", [1])
    assert result.content == "endless did not end within 0.1 s; the last it said: more"


def test_what_still_runs_after_its_deadline_is_said_to():
    release = threading.Event()
    result = result_of(plain(lambda args, env: release.wait(20), "t"), timeout=0.05)
    release.set()
    assert (result.error_type, result.metadata["still_running"]) == ("timeout", True)
    assert (
        result.content
        == "t did not end within 0.05 s; it was asked to end, but is STILL RUNNING and may yet have effects"
    )


def test_the_deadline_of_the_tool_goes_before_that_of_the_run():
    assert result_of(plain(lambda args, env: time.sleep(0.1), "t", timeout=5.0), timeout=0.01).ok


def test_nothing_runs_that_could_not_be_written_down(tmp_path):
    ran, pipe = [], tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)

    def first(args, env):
        os.close(reader)
        return "closed the reader of the log"

    tools = [plain(first), plain(lambda args, env: ran.append(1), "second")]
    run = play([calling("first", "second"), "never"], tools, log=pipe)
    assert (ran, run.results[1].error_type) == ([], "internal_error")
    assert (
        run.results[1].content
        == f"the log {pipe} can't be written: Broken pipe; make room, or choose another path. Nothing was run"
    )
    assert (run.stop_reason, run.error.startswith("the log ")) == ("cancelled", True)
    assert kinds_of(run, "run_ended")


SECRET = "s3cret-of-the-test"
MASK = "⟨masked: MY_TOKEN⟩"


def raises_secret(args, env):
    env.progress(f"working with {SECRET}")
    time.sleep(0.05)
    raise ValueError(f"no access with {SECRET}")


def raises_secret_in_a_view(args, env):
    raise ToolError("no", SECRET, view=Text(SECRET))


SECRETIVE = [
    returning({"a": SECRET, SECRET: 1}),
    returning([{"column": SECRET}]),
    returning(f"{SECRET}\n" * 20_000),
    returning(Output(1, SECRET, Text(SECRET), context=SECRET, meta={"k": SECRET})),
    returning(SECRET, render=lambda value: f"it is {value}"),
    returning(1, render=lambda value: f"it is {SECRET}", present_result=lambda args, value, meta: Text(SECRET)),
    returning(1, finalize=lambda text: SECRET),
    plain(raises_secret, "give"),
    plain(raises_secret_in_a_view, "give"),
    returning(SECRET, validate=lambda args, env: SECRET),
]


@pytest.mark.parametrize("made", SECRETIVE, ids=range(len(SECRETIVE)))
def test_a_secret_is_nowhere_but_its_mark_is(made, tmp_path, monkeypatch):
    monkeypatch.setenv("MY_TOKEN", SECRET)
    watch = Recorder()
    turns = [calling(("give", {"text": SECRET})), "done"]
    run = play(turns, [made], cwd=tmp_path, log=tmp_path / "log", observers=[watch])
    (result,) = run.results
    messages = [message for message in run.conversation if not hasattr(message, "calls")]
    seen = [repr(replace(result, call=None)), repr(messages), repr(watch.events)]
    seen += [path.read_text() for path in tmp_path.rglob("*") if path.is_file()]
    assert [SECRET in text for text in seen] == [False] * len(seen)
    assert (MASK in seen[0], MASK in (tmp_path / "log").read_text()) == (True, True)
    assert result.metadata["masked"]["MY_TOKEN"] >= 1


def test_the_marks_are_counted_and_the_tool_gets_what_is_behind_them(monkeypatch, tmp_path):
    monkeypatch.setenv("MY_TOKEN", SECRET)
    got = []
    made = plain(lambda args, env: got.append(args["text"]) or f"{SECRET} {SECRET} ghp_{'a1B2' * 9}", "give")
    run = play([calling(("give", {"text": SECRET})), "done"], [made], cwd=tmp_path)
    assert got == [SECRET]
    assert run.results[0].content == f"{MASK} {MASK} ⟨masked: github token⟩"
    assert run.results[0].metadata["masked"] == {"MY_TOKEN": 2, "github token": 1}
    assert "masked" not in result_of(returning("nothing")).metadata


@pytest.mark.parametrize("depth", range(190, 204))
@pytest.mark.parametrize("make", [lambda deep: deep, lambda deep: Output(1, meta={"deep": deep})])
def test_a_value_is_kept_whole_or_refused_for_its_depth_and_never_lost_on_its_way_into_the_log(depth, make):
    deep = 1
    for _ in range(depth):
        deep = [deep]
    (result,) = play([calling("give"), "done"], [returning(make(deep))]).results
    assert result.ok or (result.error_type, "levels deep" in result.content) == ("invalid_output", True)
    assert result.ok or depth > 194


def test_a_tool_can_say_that_what_it_began_could_not_be_ended():
    def begin(args, env):
        raise ToolError("timeout", "it goes on", Text("seen so far"), still_running=True)

    result = result_of(plain(begin))
    assert (result.error_type, result.metadata["still_running"]) == ("timeout", True)
