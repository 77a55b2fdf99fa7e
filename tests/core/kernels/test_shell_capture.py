"""What code puts out in a real kernel that it shares, and what of it the person's cell sees."""

import pytest

from ..own_kernel import parsed, prepare, results, started

TASK = "async def later():\n  await go.wait()\n  print('later')\nt = asyncio.create_task(later())"


@pytest.fixture(scope="module")
def kernel(tmp_path_factory):
    with started(tmp_path_factory.mktemp("kernel")) as driver:
        yield prepare(driver)


def test_prints_values_and_displays_are_the_codes_and_the_cell_sees_none_of_them(kernel):
    cell = kernel.run("r = await agent('print(x)\\ndisplay(\"shown\")\\nx + 1').run('go')")
    assert (cell.text, kernel.run("print(r.results[0].content)").stdout) == ("", "41\n'shown'\n42\n")


def test_a_plot_is_a_picture_and_a_semicolon_silences_the_value(kernel):
    plot = "import matplotlib.pyplot as plt\nplt.plot([1, 2]);"
    shown, silent = results(kernel, plot, "x;")
    assert shown["images"] == 1 and "Line2D" not in shown["content"] and "image/png" in shown["content"]
    assert silent["content"] == "(no output)"


def test_what_a_cell_prints_while_the_code_awaits_stays_the_cells(kernel):
    kernel.run("go = asyncio.Event(); r = agent('print(1); open(\"begun\", \"x\").close(); await go.wait()').start('')")
    kernel.wait_until((kernel.folder / "begun").exists, "the code to begin")
    cell = kernel.run("print('mine'); display('mine too'); go.set(); await asyncio.sleep(0); 'and this'")
    assert cell.text == "mine\n'mine too'\n'and this'"
    (result,) = parsed(kernel.run("await r; told(r)"))
    assert result["content"] == "1\nTrue"


def test_what_outlives_the_code_prints_where_it_would_without_it(kernel):
    cell = kernel.run(f"go = asyncio.Event(); r = await agent({TASK!r}).run(''); go.set(); await t; told(r)")
    assert cell.stdout.startswith("later\n") and "later'" not in parsed(cell)[0]["content"].split("[")[0]


def test_threads_that_print_while_the_code_ends_are_heard_in_the_cell_and_break_nothing(kernel):
    code = "import threading\nts = [threading.Thread(target=print, args='t') for _ in range(9)]\nfor t in ts: t.start()"
    cell = kernel.run(f"for _ in range(9):\n  r = await agent({code!r}).run('')\n  [t.join() for t in ts]\ntold(r)")
    assert cell.stdout.partition("[{")[0].count("t") == 81 and parsed(cell)[0]["ok"]


def test_an_update_changes_the_codes_own_display_and_a_cleared_output_is_gone(kernel):
    update = "h = display('one', display_id=True); h.update('two')"
    clear = "from IPython.display import clear_output\nprint('gone'); clear_output(); print('kept')"
    updated, cleared = results(kernel, update, clear)
    assert updated["content"].split("\n")[0] == "'two'" and "one" not in updated["content"]
    assert cleared["content"].split("\n")[0] == "kept"


def test_an_update_of_the_persons_display_is_at_least_told(kernel):
    kernel.run("h = display('old', display_id='mine')")
    (result,) = results(kernel, "h.update('new')")
    assert result["content"] == "'new'"


def test_magics_shell_lines_and_help_are_captured_and_wait_for_no_keyboard(kernel):
    shell, bash, page = results(kernel, "!echo from the shell", "%%bash\nread x; echo got $x", "abs?")
    assert (shell["content"], bash["content"]) == ("from the shell", "got")
    assert "absolute value" in page["content"]
    assert kernel.run("1").reply["payload"] == []


def test_input_says_that_nobody_can_answer_and_exit_does_not_end_the_kernel(kernel):
    asked, secret, left, sys_left, alive = results(
        kernel, "input('name? ')", "import getpass; getpass.getpass()", "exit()", "sys.exit(3)", "1 + 1"
    )
    assert "EOFError: 'name? ' can't be answered" in asked["content"] and "EOFError" in secret["content"]
    assert "shell_capture" not in asked["content"] + secret["content"] + left["content"]
    assert "were not obeyed" in left["content"] and "SystemExit: 3" in sys_left["content"]
    assert alive["content"] == "2" and kernel.run("x").text == "41"


def test_a_traceback_is_short_names_no_cell_of_the_persons_and_ends_with_the_error(kernel):
    error, syntax = results(kernel, "y = 1\n1/0", "1 +")
    assert error["content"].split("\n")[1:5] == [
        "Cell In[run_here], line 2",
        "----> 2 1/0",
        "ZeroDivisionError: division by zero",
        "[variables set in the person's kernel: y]",
    ]
    assert "SyntaxError" in syntax["content"] and "cellwright" not in error["content"] + syntax["content"]


def test_everything_is_back_in_its_place_afterwards(kernel):
    types = "type(sys.stdout).__module__, type(sys.displayhook).__module__"
    look = f"print({types}, 'publish' in vars(get_ipython().display_pub))"
    results(kernel, "print(1)", "1/0", "raise KeyboardInterrupt")
    assert kernel.run(look).stdout == "ipykernel.iostream ipykernel.displayhook False\n"
    assert kernel.run("1/0").error["ename"] == "ZeroDivisionError"
