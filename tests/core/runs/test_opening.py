import asyncio

from cellwright.messages import ModelMessage, UserMessage

from ..scene import agent_of, kinds_of, play


def test_the_first_events_say_what_the_run_was_asked_and_told(tmp_path):
    run = play(["done"], system="Be brief.", cwd=tmp_path)
    started, system = run.events[:2]
    assert {name: started.data[name] for name in ("prompt", "model", "mode", "cwd")} == {
        "prompt": "go", "model": "scripted", "mode": "default", "cwd": str(tmp_path.resolve()),
    }  # fmt: skip
    assert (system.kind, system.data) == ("system", {"text": "Be brief."})
    assert kinds_of(run, "tools")[0].data["digest"] == started.data["tools"]


def test_messages_from_elsewhere_are_written_down_as_they_are_sent():
    before = [UserMessage("hi"), ModelMessage("hello")]
    run = asyncio.run(_go_on(before))
    (earlier,) = kinds_of(run, "earlier")
    assert [message["from"] for message in earlier.data["messages"]] == ["user", "model"]


async def _go_on(before):
    return await agent_of(["done"]).start("go", after=before)
