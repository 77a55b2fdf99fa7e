import asyncio
import os

import pytest

from cellwright import Agent, Env, Output, ScriptedModel, tool
from cellwright.tools.write_file import write_file
from cellwright.undo.effect import effects_of

from ..changing import changed, changing, tree
from ..scene import BYPASS, act, agent_of, calling, echo, kinds_of, plain, play


def effects(folder, *calls, **more):
    return changed(folder, *calls, **more).effects


def test_a_write_is_recorded_between_its_running_and_its_result(tmp_path):
    run = changed(tmp_path, changing("write", "a/b.txt", data="x"))
    kinds = [event.kind for event in run.events]
    assert kinds.index("executing") < kinds.index("effect") < kinds.index("result")
    (effect,) = run.effects
    (change,) = effect.changes
    assert (change.path, change.before.kind, change.after.size) == ("a/b.txt", "absent", 1)
    assert (effect.folders, effect.lasting, effect.store) == (("a",), "", run.id)


def test_a_call_that_changes_nothing_leaves_no_effect(tmp_path):
    (tmp_path / "a").write_bytes(b"x")
    acts = [changing("write", "a", data="x"), changing("fail", "a"), ("echo", {"text": "hi"})]
    assert effects(tmp_path, *acts, more=[echo]) == ()


def test_a_call_that_fails_after_it_wrote_has_its_effect(tmp_path):
    def execute(args, env):
        env.path("a").write_text("half")
        raise OSError("disk full")

    schema = {"type": "object", "properties": {"path": {"type": "string"}}}
    half = plain(execute, "half", schema, read_only=False, paths=("path",))
    run = changed(tmp_path, ("half", {"path": "a"}), more=[half])
    assert ([result.ok for result in run.results], run.effects[0].paths) == ([False], ("a",))


def facts_of(**facts):
    return plain(lambda args, env: 1, "t", read_only=False, **facts)


LASTING = [
    (facts_of(), "names no files"),
    (facts_of(origin="mcp"), "another program"),
    (facts_of(lasting="it sent a letter"), "it sent a letter"),
]


@pytest.mark.parametrize(("other", "why"), LASTING, ids=["unknown", "mcp", "said"])
def test_what_no_undo_takes_back_is_on_the_list_with_the_reason(tmp_path, other, why):
    (effect,) = effects(tmp_path, "t", more=[other])
    assert (effect.changes, why in effect.lasting) == ((), True)
    assert not (tmp_path / ".cellwright").exists()


def test_a_shell_command_is_on_the_list_unless_it_only_reads(tmp_path):
    calls = [("run_command", {"command": command}) for command in ("ls", "echo hi > new")]
    run = play([*map(calling, calls), "done"], ["run_command"], cwd=tmp_path, policy=BYPASS)
    assert ["shell" in effect.lasting for effect in run.effects] == [True]
    assert os.listdir(tmp_path) == ["new"]


def test_a_folder_and_a_file_that_is_too_large_are_said_to_have_no_copy(tmp_path):
    (tmp_path / "sub").mkdir()
    with (tmp_path / "big").open("wb") as file:
        file.truncate(600_000_000)
    (effect,) = effects(tmp_path, changing("mode", "big", "sub", data="1"))
    assert effect.changes == ()
    assert "600,000,000 bytes" in effect.lasting and "sub" in effect.lasting


def test_a_run_that_is_stopped_in_a_write_still_records_it(tmp_path):
    @tool(paths=("path",))
    async def slow(path: str, env: Env) -> str:
        """Writes, then waits for ever."""
        env.path(path).write_text("x")
        env.progress("written")
        await asyncio.Event().wait()
        return ""

    async def stop(run):
        while not kinds_of(run, "executing") or not (tmp_path / "a").exists():
            await asyncio.sleep(0.001)
        run.cancel()

    agent = agent_of([calling(("slow", {"path": "a"}))], [slow], cwd=tmp_path, policy=BYPASS)
    run = asyncio.run(act(agent, stop))
    assert (run.stop_reason, effects_of(run.events)[0].paths) == ("cancelled", ("a",))
    run.undo(run.effects[0].call_id)
    assert tree(tmp_path) == {}


def test_a_path_whose_name_is_a_secret_is_said_to_have_no_undo(tmp_path):
    model = ScriptedModel([calling(("write_file", {"path": "s3cret-of-the-test", "content": "x"})), "done"])
    agent = Agent(model, [write_file], cwd=tmp_path, policy=BYPASS, secrets={"KEY": "s3cret-of-the-test"})
    (effect,) = agent.run_sync("go").effects
    assert (effect.changes, "holds a secret" in effect.lasting) == ((), True)
    assert "s3cret" not in effect.lasting


def test_where_no_copy_can_be_kept_the_call_runs_all_the_same(tmp_path):
    (tmp_path / ".cellwright").write_text("in the way")
    run = changed(tmp_path, changing("write", "a", data="x"))
    assert (run.results[0].ok, (tmp_path / "a").read_bytes()) == (True, b"x")
    assert "no copy of a was kept" in run.effects[0].lasting


def test_a_call_says_itself_what_it_did_beside_files(tmp_path):
    wise = plain(lambda args, env: Output(1, lasting="it told everybody"), "t", read_only=False, paths=())
    (effect,) = changed(tmp_path, "t", more=[wise]).effects
    assert effect.lasting.endswith("it told everybody")
