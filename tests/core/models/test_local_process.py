"""The process with a model in it is tried where the weights are: CELLWRIGHT_GGUF names a file of them."""

import asyncio
import os

import pytest

from cellwright import Agent, model, tool
from cellwright.errors import ModelError
from cellwright.models.local_process import LocalProcess, ScriptedServer

WEIGHTS = os.environ.get("CELLWRIGHT_GGUF", "")


def test_a_scripted_server_is_where_it_is_said_to_be():
    assert asyncio.run(ScriptedServer("http://x", "key").address()) == ("http://x", "key")


def test_a_file_that_is_not_there_is_refused_at_once(tmp_path):
    with pytest.raises(ModelError, match=r"the weights .*tiny\.gguf are not there; give a file in the format GGUF"):
        model(f"local:{tmp_path / 'tiny.gguf'}")


def test_a_file_that_is_no_model_is_told(tmp_path):
    (tmp_path / "tiny.gguf").write_bytes(b"GGUF nonsense")
    with pytest.raises(ModelError, match="could not be loaded"):
        asyncio.run(LocalProcess(tmp_path / "tiny.gguf").address())


@pytest.mark.skipif(not WEIGHTS, reason="no weights: set CELLWRIGHT_GGUF to a file in the format GGUF")
def test_a_real_model_gives_turns_that_hold_to_the_schema():
    @tool(read_only=True)
    def add(a: int, b: int) -> int:
        """Add two numbers."""
        return a + b

    run = Agent(model(f"local:{WEIGHTS}"), [add], system="You are a calculator.").run_sync("Add 17 and 25.")
    assert (run.stop_reason in ("answered", "budget", "repetition"), run.usage.output_tokens > 0) == (True, True)
    assert all(result.error_type != "unknown_tool" for result in run.results)
