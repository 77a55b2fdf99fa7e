import asyncio
import json

import pytest

from cellwright import Agent, tool
from cellwright.errors import ModelError
from cellwright.models.naming import model


@tool(read_only=True)
def add(a: int, b: int) -> int:
    """Adds."""
    return a + b


def script(folder, turns):
    path = folder / "script.json"
    path.write_text(turns if isinstance(turns, str) else json.dumps(turns), encoding="utf-8")
    return f"scripted:{path}"


def test_a_script_in_a_file_plays_its_turns(tmp_path):
    call = {"name": "add", "arguments": {"a": 1, "b": 2}}
    raw = {"name": "add", "arguments": "{broken"}
    turns = [{"text": "let me", "thinking": "hm", "calls": [call, raw]}, {"calls": []}, "never"]
    name = script(tmp_path, turns)
    run = asyncio.run(Agent(model(name), [add]).run("go"))
    assert [result.value for result in run.results] == [3, None]
    assert run.results[1].error_type == "invalid_arguments"
    assert (run.conversation[1].text, run.conversation[1].thinking, run.answer) == ("let me", "hm", "")
    assert run.model.name == name


@pytest.mark.parametrize("name", ["", "gpt", "scripted", "scripted:", "openai:x"])
def test_an_unknown_name_is_told_with_what_there_is(name):
    with pytest.raises(ModelError) as caught:
        model(name)
    assert str(caught.value).startswith(f"no model {name!r}; there are scripted:tour, scripted:FILE.json and ")


@pytest.mark.parametrize(
    ("turns", "words"),
    [
        ("{", "can't be read"),
        ("[" * 100_000, "can't be read"),
        ({"text": "x"}, "must hold a JSON list of turns"),
        (["one", 2], "turn 2 of"),
        ([{"txt": "x"}], "neither a text nor an object of text, thinking and calls (a list)"),
        ([{"text": 3}], "turn 1 of"),
        ([{"calls": 5}], "turn 1 of"),
        ([{"calls": None}], "turn 1 of"),
        ([{"calls": [{"name": "t"}]}], "a call in turn 1 of"),
        ([{"calls": [{"name": "t", "arguments": [1]}]}], "needs a name and arguments (an object, or raw text)"),
        ([{"calls": ["t"]}], "a call in turn 1 of"),
    ],
    ids=range(11),
)
def test_a_script_that_can_not_be_read_is_refused_with_the_place(tmp_path, turns, words):
    with pytest.raises(ModelError) as caught:
        model(script(tmp_path, turns))
    assert words in str(caught.value)
    assert "script.json" in str(caught.value)


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(ModelError, match=r"none\.json can't be read: .*No such file"):
        model(f"scripted:{tmp_path / 'none.json'}")
