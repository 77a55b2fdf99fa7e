"""Real kernels: one runs all cells that leave it unharmed, others are interrupted, killed and cancelled."""

import asyncio
import re
import time
from pathlib import Path

import nbformat
import psutil
import pytest

from cellwright.errors import ToolError
from cellwright.kernels.child_kernel import ChildKernel

from ..kernelspecs import install, install_odd

CELLS = {
    "classes": "import sys\nprint('out', flush=True); print('err', file=sys.stderr, flush=True)\n1/0",
    "stream": "import sys\nfor _ in range(1000):\n  sys.stdout.write('.' * 64); sys.stdout.flush()\nprint('tail-ok')",
    "handle": "h = display('one', display_id='d1')",
    "update": "display('two', display_id='d1', update=True)",
    "thread": "import threading, time\ndef late():\n  time.sleep(0.3); print('late')\n"
    "threading.Thread(target=late).start()\n'done'",
    "sum": "2+2",
    "sleep": "time.sleep(0.8)",
    "widget": "import ipywidgets\nw = ipywidgets.Output(); display(w)\nwith w: print('inside')",
    "slider": "ipywidgets.IntSlider()",
    "nan": "display({'application/json': {'v': float('nan')}}, raw=True)",
    "cleared": "from IPython.display import clear_output\nprint('gone'); clear_output(wait=True); print('new')",
    "displays": "for n in range(3000): display(n)",
    "input": "input('name? ')",
    "help": "abs?",
    "odd_help": "get_ipython().payload_manager.write_payload({'source': 'page', 'data': 'no object'}); 'odd'",
    "exit": "exit()",
    "system_exit": "raise SystemExit(3)",
    "kept": "exit(True)",
    "alive": "1+1",
}
ODD_MESSAGE = """
print("before", flush=True)
kernel = get_ipython().kernel
content = b'{{"data": {{}}, "metadata": {{}}, "transient": %b}}' % ({})
kernel.session.send(kernel.iopub_socket, "display_data", content, parent=kernel.get_parent())
print("after")
"""


async def run_all():
    async with ChildKernel.start(env={"COLOUR": "blue"}) as kernel:
        return {name: await kernel.run(source, 30) for name, source in CELLS.items()}


@pytest.fixture(scope="module")
def ran():
    return asyncio.run(run_all())


def plain(execution):
    return "".join(o["text"] if "text" in o else str(o.get("data", o).get("text/plain")) for o in execution.outputs)


async def each(sources, timeout=20.0, kernel_name="python3"):
    async with ChildKernel.start(kernel_name) as kernel:
        return [await kernel.run(source, timeout) for source in sources]


def gone(pid, seconds=3.0):
    deadline = time.monotonic() + seconds
    while psutil.pid_exists(pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not psutil.pid_exists(pid)


def test_outputs_keep_their_types_and_their_order(ran):
    out, err, error = ran["classes"].outputs
    assert (out["name"], out["text"], err["name"], err["text"]) == ("stdout", "out\n", "stderr", "err\n")
    assert (error["output_type"], error["ename"], bool(error["traceback"])) == ("error", "ZeroDivisionError", True)
    assert (ran["classes"].status, ran["classes"].execution_count) == ("error", 1)


def test_a_stream_in_thousands_of_pieces_arrives_whole(ran):
    (output,) = ran["stream"].outputs
    assert len(output["text"]) == 1_000 * 64 + 8 and output["text"].endswith(".tail-ok\n")


def test_displays_that_come_faster_than_they_are_read_are_all_counted(ran):
    assert len(ran["displays"].outputs) == 501
    told = ran["displays"].outputs[-1]["text"] + ran["displays"].message
    numbers = re.findall(r"([\d,]+) (?:more outputs|messages of its output were lost)", told)
    assert sum(int(number.replace(",", "")) for number in numbers) == 2_500


def test_an_update_reaches_the_display_of_an_earlier_cell(ran):
    assert plain(ran["handle"]) == "'two'" and "transient" not in ran["handle"].outputs[0]
    assert "'two'" not in plain(ran["update"])


def test_what_a_thread_prints_late_belongs_to_the_cell_that_started_it(ran):
    assert (plain(ran["thread"]), plain(ran["sum"]), plain(ran["sleep"])) == ("'done'late\n", "4", "")


def test_widgets_are_valid_outputs_and_hide_nothing(ran):
    assert "inside\n" in plain(ran["widget"]) and "IntSlider(value=0)" in plain(ran["slider"])
    outputs = [output for execution in ran.values() for output in execution.outputs]
    nbformat.validate(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("", outputs=outputs, id="a")]))


def test_clear_output_is_obeyed(ran):
    assert plain(ran["cleared"]) == "new\n"


def test_help_that_a_browser_would_page_is_an_output(ran):
    assert "absolute value" in plain(ran["help"])
    assert (ran["odd_help"].status, plain(ran["odd_help"])) == ("ok", "'odd'")


def test_asking_for_input_is_an_error_and_leaving_is_none_but_told(ran):
    assert ran["input"].outputs[-1]["ename"] == "StdinNotImplementedError"
    assert (ran["exit"].status, ran["system_exit"].status, plain(ran["alive"])) == ("ok", "error", "2")
    assert ran["exit"].message == "The cell called exit() or quit(), which ended its kernel: all variables are lost."
    assert "because earlier code called exit() or quit(): variables of earlier cells" in ran["system_exit"].message
    assert "exit" not in ran["kept"].message + ran["alive"].message


def test_a_cell_over_its_time_is_interrupted_and_keeps_the_variables():
    slept, waited, after = asyncio.run(
        each(["x = 1; import time; time.sleep(60)", "await __import__('asyncio').sleep(60)", "x"], 1)
    )
    assert (slept.status, waited.status, plain(after)) == ("timeout", "timeout", "1")
    assert "variables are kept" in slept.message and slept.outputs[-1]["ename"] == "KeyboardInterrupt"


def test_a_cell_that_ignores_its_interrupt_loses_the_kernel_not_the_caller():
    stubborn = "import time\nprint('first')\nwhile True:\n  try: time.sleep(60)\n  except KeyboardInterrupt: pass"
    started = time.monotonic()
    ignored, after = asyncio.run(each([stubborn, "1+1"], 1))
    assert (ignored.status, plain(ignored), plain(after)) == ("timeout", "first\n", "2")
    assert "all variables are lost" in ignored.message and "new kernel" in after.message
    assert time.monotonic() - started < 15


@pytest.mark.parametrize(
    ("end", "how"),
    [("os.kill(os.getpid(), signal.SIGKILL)", "SIGKILL"), ("os._exit(3)", "exit code 3"), ("os.abort()", "SIGABRT")],
)
def test_the_death_of_a_kernel_is_noticed_and_its_last_words_are_kept(end, how):
    started = time.monotonic()
    died, after = asyncio.run(each([f"import os, signal\nprint('last words'); {end}", "1+1"]))
    assert (died.status, plain(died), plain(after)) == ("died", "last words\n", "2")
    assert how in died.message and "variables of earlier cells are lost" in after.message
    assert time.monotonic() - started < 10


def test_a_flood_is_bounded_and_its_end_is_there():
    flood, after = asyncio.run(each(["n = 0\nwhile True: print('%099d' % n); n += 1", "print(n)"], 2))
    text = plain(flood)
    assert flood.status == "timeout" and "of printed text left out" in text
    assert len(text) < 1_010_000 and text.startswith("0" * 99 + "\n")
    assert abs(int(plain(after)) - int(re.findall(r"\d{99}", text)[-1])) < 2


def test_nothing_is_left_of_a_kernel_and_of_what_it_started():
    shell = "import subprocess; subprocess.Popen(['sleep', '500'], start_new_session={})"
    sources = ["import os; os.getpid()", *(f"{shell.format(new)}.pid" for new in (False, True))]
    pids = [int(plain(execution)) for execution in asyncio.run(each(sources))]
    assert [gone(pid) for pid in pids] == [True] * 3


async def cancelled_while_running():
    pids = []

    async def work():
        async with ChildKernel.start() as kernel:
            pids.append(int(plain(await kernel.run("import os; os.getpid()"))))
            await kernel.run("import time; time.sleep(60)")

    task = asyncio.create_task(work())
    while not pids:
        await asyncio.sleep(0.05)
    await asyncio.sleep(0.2)
    task.cancel()
    started = time.monotonic()
    await asyncio.wait({task})
    return pids[0], time.monotonic() - started


def test_a_cancelled_caller_takes_its_kernel_along_at_once():
    pid, seconds = asyncio.run(cancelled_while_running())
    assert seconds < 1 and gone(pid, 0.5)


def test_a_kernel_works_in_the_folder_and_environment_it_was_given(tmp_path):
    async def place():
        async with ChildKernel.start(cwd=tmp_path, env={"COLOUR": "blue"}) as kernel:
            return await kernel.run("import os; print(os.getcwd(), os.environ['COLOUR'])")

    assert plain(asyncio.run(place())) == f"{Path(tmp_path).resolve()} blue\n"


def test_a_kernel_that_is_not_there_says_so():
    with pytest.raises(ToolError, match="nowhere") as caught:
        asyncio.run(each(["1"], kernel_name="nowhere"))
    assert caught.value.code == "kernel_failed"


def test_a_kernel_of_another_language_is_held_to_the_same(tmp_path, monkeypatch):
    install_odd(tmp_path, monkeypatch, interrupt_mode="message")
    said, failed, slept, asked, after, died = asyncio.run(
        each(["hello", "fail", "sleep", "ask", "again", "die"], 1, "odd")
    )
    assert (plain(said), plain(after)) == ("HELLO", "AGAIN")
    assert (failed.status, failed.outputs[-1]["ename"]) == ("error", "OddError")
    assert (slept.status, "variables are kept" in slept.message) == ("timeout", True)
    assert "it asked for input ('name? '), which nobody can give" in plain(asked) and asked.status != "ok"
    assert (died.status, "exit code 3" in died.message) == ("died", True)


async def killed_at_its_start():
    async def kill():
        while not (found := children("waiting_kernel")):
            await asyncio.sleep(0.01)
        found[0].kill()

    killing = asyncio.create_task(kill())
    try:
        async with ChildKernel.start("waiting"):
            pass
    finally:
        await killing


def children(word):
    return [child for child in psutil.Process().children() if word in " ".join(child.cmdline())]


def test_a_kernel_that_is_killed_while_it_starts_is_an_error_that_says_so(tmp_path, monkeypatch):
    install(tmp_path, monkeypatch, "waiting", argv=["sh", "-c", "sleep 60 # waiting_kernel", "{connection_file}"])
    with pytest.raises(ToolError, match="did not start") as caught:
        asyncio.run(killed_at_its_start())
    assert (caught.value.code, children("waiting_kernel")) == ("kernel_failed", [])


async def killed_while_idle():
    async with ChildKernel.start() as kernel:
        await kernel.run("x = 1")
        children("ipykernel_launcher")[0].kill()
        while kernel.is_alive:
            await asyncio.sleep(0.01)
        return await kernel.run("x", start=kernel.starts), await kernel.run("1 + 1")


def test_a_kernel_that_is_killed_while_nothing_runs_is_told_by_the_next_cell():
    rests, stands_alone = asyncio.run(killed_while_idle())
    assert (rests.status, "killed by SIGKILL" in rests.message) == ("died", True)
    assert (plain(stands_alone), stands_alone.message.count("variables of earlier cells are lost")) == ("2", 1)


async def given_up(source):
    """A cell whose caller is cancelled, and the next one."""
    async with ChildKernel.start() as kernel:
        await kernel.run("import time; x = 1")
        cell = asyncio.create_task(kernel.run(source))
        while kernel.running is None or not kernel.running.outputs:
            await asyncio.sleep(0.01)
        cell.cancel()
        await asyncio.wait({cell})
        return await kernel.run("x", 20)


def test_a_cell_that_was_given_up_does_not_hold_up_the_next_one():
    after = asyncio.run(given_up("print('begun', flush=True); time.sleep(60)"))
    assert (after.status, plain(after), after.message) == ("ok", "1", "")


@pytest.mark.parametrize(
    "transient", ["""b'"no object"'""", """b'{"display_id": [1]}'""", "b'[' * 100_000 + b']' * 100_000"]
)
def test_a_message_that_is_none_costs_itself_and_neither_this_cell_nor_the_next(transient):
    odd, after = asyncio.run(each([ODD_MESSAGE.format(transient), "1 + 1"]))
    assert (odd.status, plain(odd), plain(after)) == ("ok", "before\nafter\n", "2")
    assert "1 messages of its output were lost" in odd.message and after.message == ""


async def left():
    async with ChildKernel.start() as kernel:
        said = await kernel.run("exit()")
        return said, kernel.is_alive, await kernel.run("1", start=kernel.starts)


def test_a_cell_that_leaves_ends_its_kernel_and_no_later_one_is_blamed():
    said, is_alive, rests = asyncio.run(left())
    assert (said.status, is_alive, rests.status) == ("ok", False, "died")
    assert "begun: earlier code called exit() or quit(). All variables are lost." in rests.message
