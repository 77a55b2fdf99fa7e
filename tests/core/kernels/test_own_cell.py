"""Code beside the person's cells in a real kernel: whose turn it is, what ends it, what stays."""

import pytest

from ..own_kernel import parsed, prepare, results, started

SWALLOWS = "while not freed:\n  try:\n    await asyncio.sleep(0.01)\n  except asyncio.CancelledError: pass"


@pytest.fixture(scope="module")
def kernel(tmp_path_factory):
    with started(tmp_path_factory.mktemp("kernel")) as driver:
        yield prepare(driver)


def test_variables_are_the_persons_and_stay_and_no_number_or_history_is_taken(kernel):
    before = kernel.run("'mine'").reply["execution_count"]
    told, _ = results(kernel, "y = x + 1; _private = 3", "5")
    assert told["value"]["variables"] == ["y"]
    after = kernel.run("print(y, _, 'y = x' in str(In[:-2]))")
    assert (after.stdout, after.reply["execution_count"]) == ("42 mine False\n", before + 2)


def test_in_task_mode_the_code_waits_for_the_end_of_the_persons_cell(kernel):
    kernel.run("order = []; r = None")
    kernel.run(
        "r = agent('order.append(1)').start('')\nwhile not reached(r): await asyncio.sleep(0.01)\norder.append(0)"
    )
    assert kernel.run("await r; order").text == "[0, 1]"


def test_a_cell_that_does_not_end_in_time_is_told_and_nothing_runs(kernel):
    cell = (
        "r = agent('order.append(2)', timeout=0.1).start('')\nwhile not r.is_done: await asyncio.sleep(0.01)\ntold(r)"
    )
    (result,) = parsed(kernel.run(cell))
    assert (result["metadata"]["code"], kernel.run("2 in order").text) == ("busy", "False")


def test_two_agents_of_one_cell_take_turns(kernel):
    kernel.run("order = []")
    codes = [f"order.append({n}); await asyncio.sleep(0.05); order.append({n})" for n in (1, 2)]
    pair = ", ".join(f"agent({code!r}).run('')" for code in codes)
    assert kernel.run(f"await asyncio.gather({pair}); order").text.endswith(("[1, 1, 2, 2]", "[2, 2, 1, 1]"))


def test_code_over_its_time_is_interrupted_whether_it_computes_or_awaits(kernel):
    slept, spun, awaited, after = results(
        kernel, "print('first'); time.sleep(60)", "while True: pass", "await asyncio.sleep(60)", "3", timeout=0.3
    )
    assert {r["error_type"] for r in (slept, spun, awaited)} == {"timeout"} and after["ok"]
    assert "first\nCell In[run_here]" in slept["content"] and "KeyboardInterrupt" in spun["content"]
    assert kernel.run("x").text == "41"


def test_code_that_swallows_its_interrupt_and_ends_says_so(kernel):
    code = "n = 0\nwhile n < 1:\n  try: time.sleep(60)\n  except KeyboardInterrupt: n += 1"
    (result,) = results(kernel, code, timeout=0.2)
    assert result["ok"] and "more than its 0.2 s, and ignored 1 interrupts" in result["content"]


def test_code_that_can_not_be_ended_is_said_to_run_on_and_keeps_its_turn(kernel):
    kernel.run("freed = []")
    running, busy = results(kernel, SWALLOWS, "5", timeout=0.2)
    assert running["metadata"]["still_running"] is True and "STILL RUNNING" in running["content"]
    assert busy["metadata"]["code"] == "busy"
    over = "not [t for t in asyncio.all_tasks() if 'Interruption' in repr(t)]"
    kernel.run(f"freed.append(1)\nwhile not ({over}): await asyncio.sleep(0.01)")
    assert results(kernel, "6", timeout=9)[0]["content"] == "6"


@pytest.mark.parametrize("code", ["flag.touch(); time.sleep(60)", "flag.touch(); await asyncio.sleep(60)"])
def test_the_persons_interrupt_ends_the_code_and_the_run_in_both_modes(code, kernel):
    kernel.run("from pathlib import Path; flag = Path('flag')")
    for start in ("r = agent({!r}); await r.run('')", "r = agent({!r}); r.start(''); None"):
        cell = kernel.start(start.format(code))
        flag = kernel.folder / "flag"
        kernel.wait_until(flag.exists, "the code to begin")
        kernel.interrupt()
        kernel.wait_idle(cell)
        flag.unlink()
        (result,) = parsed(kernel.run("await r.last_run; told(r.last_run)"))
        assert (result["error_type"], result["stopped"]) == ("cancelled", "cancelled")
    assert "handle_sigint" in kernel.run("await asyncio.sleep(0); str(signal.getsignal(signal.SIGINT))").text


def test_the_hooks_of_the_shell_see_the_code_as_a_cell(kernel):
    kernel.run("seen = []; get_ipython().events.register('pre_run_cell', lambda info: seen.append(info.raw_cell))")
    results(kernel, "7")
    assert kernel.run("'7' in seen").text == "True"
