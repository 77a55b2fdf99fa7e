import asyncio
import json
import subprocess
import sys

import pytest

from cellwright import Agent, tool
from cellwright.errors import ModelError
from cellwright.models.naming import model

from .wire_server import Answer, refusing, serving


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


@pytest.mark.parametrize("name", ["", "gpt", "scripted", "scripted:", "openai:", "nobody:x"])
def test_an_unknown_name_is_told_with_what_there_is(name):
    with pytest.raises(ModelError) as caught:
        model(name)
    assert str(caught.value).startswith(f"no model {name!r}; there are scripted:tour, scripted:FILE.json, ")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (
            "antropic:claude",
            r"^no model 'antropic:claude' \(did you mean anthropic:claude\?\); there are ",
        ),
        (3, r"^3 is no name of a model; write model\('anthropic:NAME'\)"),
    ],
)
def test_a_slip_in_a_name_is_told_with_what_was_meant(name, words):
    with pytest.raises(ModelError, match=words):
        model(name)


def test_a_provider_has_its_own_format_and_a_server_with_an_address_the_common_one(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "key-of-the-test")
    of_openai, of_a_server = model("openai:gpt-5"), model("openai:qwen", base_url="http://127.0.0.1:1/v1")
    assert (type(of_openai).__name__, of_openai.name) == ("OpenAIResponses", "openai:gpt-5")
    assert (type(of_a_server).__name__, of_a_server.name) == ("OpenAIChat", "openai:qwen@127.0.0.1:1")


def test_a_missing_key_is_told_with_its_variable(monkeypatch):
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    with pytest.raises(ModelError, match="no key for anthropic: set ANTHROPIC_API_KEY"):
        model("anthropic:claude")


@pytest.mark.parametrize(("name", "package"), [("anthropic:m", "anthropic"), ("openai:m", "openai")])
def test_a_missing_package_is_told_with_what_installs_it(name, package):
    code = f"""
import sys
sys.modules[{package!r}] = None
from cellwright import model
from cellwright.errors import ModelError
try:
    model({name!r}, api_key="key-of-the-test")
except ModelError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == f"{package} is not installed; run: pip install 'cellwright[{package}]'\n"


def test_naming_a_model_loads_the_package_of_its_provider_and_no_other():
    code = """
import sys
from cellwright import model
before = {"anthropic", "openai", "httpx2"} & set(sys.modules)
model("anthropic:m", api_key="key-of-the-test")
print(before, {"anthropic", "openai"} & set(sys.modules))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("set() {'anthropic'}\n", "")


@pytest.mark.parametrize("name", ["scripted:tour", "recorded:log"])
def test_what_has_no_server_has_no_address(name):
    with pytest.raises(ModelError, match="has no server, so base_url='http://x' is not for it"):
        model(name, base_url="http://x")


def test_without_a_name_the_model_that_is_there_is_taken_and_said(monkeypatch, capsys):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "key-of-the-test")
    taken = model()
    assert taken.name.startswith("anthropic:")
    assert capsys.readouterr().err == (
        f"cellwright: no model is named, so {taken.name} is used: ANTHROPIC_API_KEY is set\n"
    )


def test_without_a_name_a_server_is_asked_what_it_has():
    listed = Answer([json.dumps({"data": [{"id": "qwen"}]}).encode()], content_type="application/json")
    with serving(listed, refusing(404)) as server:
        assert model(base_url=f"{server.url}/v1").name == f"openai:qwen@127.0.0.1:{server.port}"
        with pytest.raises(ModelError, match=r"name it, as in model\('openai:NAME', base_url=...\)"):
            model(base_url=f"{server.url}/v1")


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
