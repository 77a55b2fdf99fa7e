"""Code in real kernels: one run goes well through all its pieces of code, the others are broken off on the way."""

import asyncio
import time

import psutil
import pytest

from cellwright import Agent, Allow, ScriptedApprover, ScriptedModel, ToolError
from cellwright.code_mode.code_mode import CodeMode
from cellwright.person.approval import AllowAll

from ..scene import act, calling, kinds_of, plain, returning

PIECES = {
    "value": "x = await tools.double(n=21)\nx",
    "kept": "print('x is still', x)",
    "raised": "try:\n  await tools.fail()\nexcept ToolCallError as e:\n  print(e.error_type, e.code, e)",
    "uncaught": "print('before'); await tools.fail()",
    "gather": "import asyncio\nawait asyncio.gather(*(tools.double(n) for n in range(20)))",
    "flood": "for n in range(20_000): print(f'line {n}')",
    "console": "print('\\033[31mred\\033[0m 1%\\r100%')",
    "silence": "y = 1",
    "threads": "import threading\nfound = []\n"
    "work = threading.Thread(target=lambda: found.append(asyncio.run(tools.double(4))))\n"
    "work.start()\nawait asyncio.to_thread(work.join)\nfound",
    "late": "async def later():\n  await asyncio.sleep(0.2)\n  try: await tools.double(n=1)\n"
    "  except ToolCallError as e: late = e\n  return late\ntask = asyncio.create_task(later())",
    "too_late": "import time; time.sleep(0.5)",
    "out_of_time": "while True: pass",
    "own_time": "await tools.nap(); await tools.nap(); 'in time'",
    "dead": "import os; os._exit(3)",
    "reborn": "await tools.double(n=3)",
    "left": "import subprocess\nprint(os.getpid() if 'os' in dir() else __import__('os').getpid(),"
    "subprocess.Popen(['sleep', '500'], start_new_session=True).pid)",
}
TIMEOUTS = {"out_of_time": 0.5, "own_time": 1.5}


def fail(args, env):
    raise ToolError("not_found", "it is not there")


async def nap(args, env):
    await asyncio.sleep(0.8)


async def double(args, env):
    await asyncio.sleep(0.01)
    return 2 * args["n"]


NUMBER = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
TOOLS = (plain(double, schema=NUMBER, concurrency_safe=True), plain(fail), plain(nap))


def coder(turns, *tools, answers=None, **conditions):
    approver = AllowAll() if answers is None else ScriptedApprover(answers)
    return Agent(ScriptedModel(turns), CodeMode(tools or TOOLS), approver=approver, **conditions)


def code(source, timeout=60):
    return calling(("run_code", {"code": source, "timeout": timeout}))


@pytest.fixture(scope="module")
def run():
    turns = [code(source, TIMEOUTS.get(name, 60)) for name, source in PIECES.items()]
    agent = coder([*turns, "done"])
    return asyncio.run(act(agent))


@pytest.fixture(scope="module")
def ran(run):
    return dict(zip(PIECES, run.results, strict=True))


def gone(pid, seconds=3.0):
    deadline = time.monotonic() + seconds
    while psutil.pid_exists(pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not psutil.pid_exists(pid)


def test_code_gets_the_value_and_the_model_what_the_code_makes_of_it(ran):
    assert (ran["value"].content, ran["value"].value) == ("42", {"output": "42", "calls": 1})
    assert ran["kept"].content == "x is still 42\n".strip()
    assert ran["silence"].content == "(the code ran; it printed nothing and its last line has no value)"


def test_a_failing_call_raises_in_the_code(ran):
    assert ran["raised"].content == "tool_error not_found it is not there"
    assert ran["uncaught"].metadata["code"] == "code_failed"
    assert (
        ran["uncaught"].content.startswith("before\n") and "ToolCallError: it is not there" in ran["uncaught"].content
    )


def test_calls_overlap_and_come_back_in_the_order_of_the_code(run, ran):
    assert ran["gather"].content == str([2 * n for n in range(20)])
    outer = ran["gather"].call.id
    made = [event for event in kinds_of(run, "call") if event.data.get("within") == outer]
    assert [event.data["arguments"] for event in made] == [f'{{"n": {n}}}' for n in range(20)]
    assert [event.data["id"] for event in made] == [f"{outer}.{n}" for n in range(1, 21)]


def test_a_thread_with_a_loop_of_its_own_can_call_too(ran):
    assert ran["threads"].content == "[8]"


def test_what_is_printed_is_bounded_and_cleaned(ran):
    assert len(ran["flood"].content) < 31_000 and "left out" in ran["flood"].content
    assert ran["flood"].content.startswith("line 0\n") and ran["flood"].content.endswith("line 19999")
    assert ran["console"].content == "100%1%"


def test_a_call_after_the_end_of_its_code_is_not_made(run, ran):
    assert ran["too_late"].ok
    calls = [event.data["within"] for event in kinds_of(run, "call") if "within" in event.data]
    assert ran["late"].call.id not in calls


def test_the_time_limit_counts_the_time_of_the_code_and_not_that_of_its_tools(ran):
    assert ran["out_of_time"].metadata["code"] == "code_timeout"
    assert "did not end within 0.5 s and was interrupted; variables are kept" in ran["out_of_time"].content
    assert ran["own_time"].content == "'in time'"


def test_after_its_death_a_kernel_has_the_tools_again_and_the_loss_is_told(ran):
    assert ran["dead"].metadata["code"] == "kernel_died" and "All variables are lost" in ran["dead"].content
    assert ran["reborn"].content.startswith("6\n") and "variables of earlier cells are lost" in ran["reborn"].content


def test_nothing_is_left_of_the_kernel_after_the_run(run, ran):
    assert run.stop_reason == "answered"
    assert [gone(int(pid)) for pid in ran["left"].content.split()] == [True, True]


class Held:
    """A tool that tells the kernel's process and never comes back."""

    def __init__(self):
        self.pid = 0
        self.reached = asyncio.Event()
        schema = {"type": "object", "properties": {"pid": {"type": "integer"}}}
        self.tool = plain(self.hold, "hold", schema)

    async def hold(self, args, env):
        self.pid = args["pid"]
        self.reached.set()
        await asyncio.Event().wait()


HOLD = "import os\nawait tools.hold(pid=os.getpid())"


def outcomes(run):
    return {event.data["id"]: event.data["error_type"] for event in kinds_of(run, "result")}


def test_a_stopped_run_takes_its_code_its_kernel_and_its_call_along():
    async def scene():
        held = Held()

        async def stop(run):
            await held.reached.wait()
            run.cancel()

        return await act(coder([code(HOLD), "never"], held.tool), stop), held

    run, held = asyncio.run(scene())
    assert run.stop_reason == "cancelled" and gone(held.pid)
    assert outcomes(run) == {"call_1.1": "cancelled", "call_1": "cancelled"}


def test_a_run_that_is_stopped_while_its_kernel_starts_leaves_none():
    async def scene():
        before = {child.pid for child in psutil.Process().children()}

        async def stop(run):
            while not {child.pid for child in psutil.Process().children()} - before:
                await asyncio.sleep(0.001)
            run.cancel()
            run.cancel()

        run = await act(coder([code("1")]), stop)
        return run, [
            c.as_dict(["pid", "status", "cmdline"]) for c in psutil.Process().children() if c.pid not in before
        ]

    run, left = asyncio.run(scene())
    assert (run.stop_reason, left, outcomes(run)) == ("cancelled", [], {"call_1": "cancelled"})


def test_a_kernel_that_dies_in_the_middle_of_a_call_stops_the_call():
    async def scene():
        held = Held()

        async def kill(run):
            await held.reached.wait()
            psutil.Process(held.pid).kill()

        return await act(coder([code(HOLD), "I see"], held.tool), kill)

    run = asyncio.run(scene())
    assert (run.stop_reason, run.answer) == ("answered", "I see")
    assert outcomes(run) == {"call_1.1": "cancelled", "call_1": "tool_error"}
    assert run.results[0].metadata["code"] == "kernel_died" and "SIGKILL" in run.results[0].content


def test_code_that_gives_a_call_up_goes_on_and_so_does_the_run():
    source = "import asyncio, os\ntry: await asyncio.wait_for(tools.hold(pid=os.getpid()), 0.2)\n"
    source += "except TimeoutError: print('gave up')\nprint(await tools.give())"
    held = Held()
    run = asyncio.run(act(coder([code(source), "done"], held.tool, returning("after"))))
    assert (run.stop_reason, run.results[0].content) == ("answered", "gave up\nafter")
    assert outcomes(run) == {"call_1.1": "cancelled", "call_1.2": None, "call_1": None}


def test_each_write_that_code_makes_is_asked_about_and_a_no_is_an_error_in_the_code(tmp_path):
    source = "await tools.write_file('a.txt', 'one')\nawait tools.write_file('b.txt', 'two')"
    agent = coder([code(source), "done"], "write_file", answers=[Allow(), Allow()], cwd=tmp_path)
    run = asyncio.run(act(agent))
    assert [event.data["id"] for event in kinds_of(run, "question")] == ["call_1", "call_1.1", "call_1.2"]
    assert ((tmp_path / "a.txt").read_text(), (tmp_path / "b.txt").exists()) == ("one", False)
    assert outcomes(run) == {"call_1.1": None, "call_1.2": "approval_unavailable", "call_1": "tool_error"}
    assert "this call needs approval" in run.results[0].content
