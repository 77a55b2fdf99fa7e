import json
import socket

import pytest

from cellwright.models.found_model import found_model, served_model

from .wire_server import Answer, serving

LIST = json.dumps({"data": [{"id": "nomic-embed-text"}, {"id": "qwen3:4b"}]}).encode()


def listing(text=LIST, **facts):
    return Answer([text], content_type="application/json", **facts)


@pytest.mark.parametrize(
    ("variables", "name"),
    [
        (["ANTHROPIC_API_KEY", "OPENAI_API_KEY"], "anthropic:"),
        (["OPENAI_API_KEY", "GOOGLE_API_KEY"], "openai:"),
        ([], "scripted:tour"),
    ],
    ids=range(3),
)
def test_the_first_provider_whose_key_is_there_is_used_else_the_tour(variables, name):
    found = found_model(dict.fromkeys(variables, "a key"), servers=())
    assert found.name.startswith(name)
    assert (variables[0] if variables else "no key") in found.why


def test_an_empty_variable_is_no_key():
    assert found_model({"OPENAI_API_KEY": " "}, servers=()).name == "scripted:tour"


def test_a_server_on_this_machine_is_asked_what_it_has():
    with serving(listing()) as server:
        found = found_model({}, [("Ollama", f"{server.url}/v1")])
    assert (found.name, found.base_url) == ("openai:qwen3:4b", f"{server.url}/v1")
    assert found.why == f"Ollama is running at {server.url}/v1"
    assert [(asked.method, asked.path, asked.body) for asked in server.asked] == [("GET", "/v1/models", b"")]


@pytest.mark.parametrize(
    "answer",
    [listing(b"<html>"), listing(b"[1]"), listing(b'{"data":[1,{"id":3}]}'), listing(status=404), listing(then="cut")],
    ids=range(5),
)
def test_a_server_that_is_none_of_models_is_passed_over(answer):
    with serving(answer) as server:
        assert served_model(f"{server.url}/v1") == ""


def test_a_server_that_says_nothing_is_not_waited_for():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        assert served_model(f"http://127.0.0.1:{silent.getsockname()[1]}/v1") == ""


def test_where_nothing_listens_there_is_no_model():
    with serving(Answer()) as server:
        pass
    assert served_model(f"{server.url}/v1") == ""
