import pytest

from cellwright import Agent, Policy, Registry, ScriptedModel, ToolError, UsageError
from cellwright.errors import CellwrightError, LogError, ModelError, RegistryError, SchemaError, UndoError
from cellwright.log.events import Log
from cellwright.models.naming import model
from cellwright.schema import Schema

from .scene import calling, plain, play, returning


def test_a_tool_error_reaches_the_model_with_its_code_and_next_step():
    def execute(args, env):
        raise ToolError("not_found", "there is no a.txt; call find_files first")

    run = play([calling("t"), "done"], [plain(execute, "t")])
    assert run.results[0].metadata["code"] == "not_found"
    assert run.conversation[2].content == "there is no a.txt; call find_files first"
    assert run.answer == "done"


def schema(folder):
    Schema({"type": "object", "properties": {"a": {"$ref": "http://x"}}}, "tool t")


def registry(folder):
    Registry([returning(1, "t"), returning(2, "t")])


def model_name(folder):
    model("gpt")


def log(folder):
    Log(path=folder / "none" / "log")


def mode(folder):
    Policy("fast")


def folder_of_agent(folder):
    Agent(ScriptedModel([]), [], cwd=folder / "none")


def undo(folder):
    play(["done"]).undo("call_9")


SET_UP = [
    (schema, SchemaError, "tool t", "http://x", "copy what it names into $defs"),
    (
        registry,
        RegistryError,
        "'t'",
        "a tool of yours",
        "rename the new one, which is a tool of yours, or use registry.replace(tool)",
    ),
    (model_name, ModelError, "'gpt'", "no model", "scripted:tour"),
    (log, LogError, "none/log", "make the folder", "choose another path"),
    (undo, UndoError, "'call_9'", "has changed a file", "those that did: none"),
    (mode, UsageError, "'fast'", "there is no mode", "the modes are default, plan"),
    (folder_of_agent, UsageError, "none", "is not there", "give another as cwd="),
]


@pytest.mark.parametrize(("act", "kind", "value", "what", "step"), SET_UP, ids=[act.__name__ for act, *_ in SET_UP])
def test_each_error_of_the_set_up_says_what_happened_with_which_value_and_what_to_do(
    tmp_path, act, kind, value, what, step
):
    with pytest.raises(kind) as caught:
        act(tmp_path)
    assert type(caught.value) is kind
    assert all(words in str(caught.value) for words in (value, what, step))


def test_the_two_families_do_not_meet():
    assert not issubclass(ToolError, UsageError)
    assert all(issubclass(kind, CellwrightError) for kind in (ToolError, UsageError))
    assert all(issubclass(kind, UsageError) for kind in (SchemaError, RegistryError, ModelError, LogError, UndoError))


def test_an_error_of_the_set_up_within_a_tool_is_a_failure_of_that_tool():
    def execute(args, env):
        raise UsageError("no such folder")

    run = play([calling("t"), "done"], [plain(execute, "t")])
    assert (run.results[0].content, run.answer) == ("UsageError: no such folder", "done")
